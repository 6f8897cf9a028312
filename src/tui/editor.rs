//! The user's editor, opened at a line.
//!
//! `$VISUAL`, else `$EDITOR`, else `vi`, or what the configuration says. Those variables hold commands of the shell,
//! with options and quotes; how an editor is told the line depends on which one it is.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// How an editor is told the place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// `+LINE FILE`
    Plus,
    /// `FILE:LINE`
    Colon,
    /// `--goto FILE:LINE`
    Goto,
    /// `--line LINE FILE`
    Line,
    /// Only which file.
    Nothing,
}

/// Editors by the names of their programs, with the option that makes the program wait for its end, where
/// it does not do so by itself.
const EDITORS: &[(&[&str], Style, Option<&str>)] = &[
    (&["vi", "vim", "nvim", "view", "ex", "vis", "elvis", "nvi"], Style::Plus, None),
    (&["gvim", "mvim"], Style::Plus, Some("-f")),
    (&["nano", "rnano", "pico", "emacs", "emacsclient", "mg", "zile", "jed"], Style::Plus, None),
    (&["kak", "micro", "joe", "jmacs", "jstar", "ne", "less"], Style::Plus, None),
    (&["gedit", "gnome-text-editor"], Style::Plus, Some("--wait")),
    (&["hx", "helix", "mcedit", "amp"], Style::Colon, None),
    (&["subl", "sublime_text", "zed", "zeditor"], Style::Colon, Some("--wait")),
    (
        &["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"],
        Style::Goto,
        Some("--wait"),
    ),
    (&["kate", "kwrite", "mate"], Style::Line, None),
];

/// What opens files: a command of the shell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Editor {
    /// With `{file}` and `{line}` in it.
    Template(String),
    /// That is given the file and the line as its name tells.
    Command(String),
}

impl Editor {
    /// The editor of the configuration, else that of the environment.
    pub fn new(template: Option<&str>) -> Editor {
        let set = |name| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
        match template {
            Some(template) => Editor::Template(template.to_owned()),
            None => {
                let named = set("VISUAL").or_else(|| set("EDITOR"));
                Editor::Command(named.unwrap_or_else(|| "vi".to_owned()))
            }
        }
    }

    /// As it is called in messages.
    pub fn name(&self) -> &str {
        match self {
            Editor::Template(text) | Editor::Command(text) => program(text),
        }
    }

    /// The command that opens a file at a line, counted from 1.
    pub fn open(&self, file: &Path, line: usize) -> Command {
        match self {
            Editor::Template(text) => {
                let script = text.replace("{file}", "\"$1\"").replace("{line}", "\"$2\"");
                shell(&script, vec![file.into(), line.to_string().into()])
            }
            Editor::Command(text) => shell(&format!("{text} \"$@\""), arguments(text, file, line)),
        }
    }
}

/// A command of the shell, which stays until it ends: Ctrl-C is for the editor.
fn shell(script: &str, arguments: Vec<OsString>) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("trap : INT; {script}")).arg("sh").args(arguments);
    command
}

/// The name of the program that a command of the shell runs.
fn program(command: &str) -> &str {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
    let word = words.find(|word| *word != "env" && *word != "exec" && !word.contains('='));
    let word = word.unwrap_or(command);
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

fn arguments(command: &str, file: &Path, line: usize) -> Vec<OsString> {
    let name = program(command);
    let known = EDITORS.iter().find(|(names, ..)| names.contains(&name));
    let (style, wait) = known.map_or((Style::Nothing, None), |(_, style, wait)| (*style, *wait));
    let mut arguments: Vec<OsString> = Vec::new();
    let waits = |option: &str| command.split_whitespace().any(|word| word == option);
    arguments.extend(wait.filter(|option| !waits(option)).map(OsString::from));
    let mut at = file.as_os_str().to_owned();
    at.push(format!(":{line}"));
    match style {
        Style::Plus => arguments.extend([format!("+{line}").into(), file.into()]),
        Style::Colon => arguments.push(at),
        Style::Goto => arguments.extend(["--goto".into(), at]),
        Style::Line => arguments.extend(["--line".into(), line.to_string().into(), file.into()]),
        Style::Nothing => arguments.push(file.into()),
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(command: &str) -> String {
        let arguments = arguments(command, Path::new("a b.mch"), 7);
        arguments.iter().map(|a| a.to_string_lossy()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn each_editor_is_told_the_line_in_its_own_way() {
        for (command, expected) in [
            ("vi", "+7|a b.mch"),
            ("/usr/bin/nvim -R", "+7|a b.mch"),
            ("LANG=C emacs -nw", "+7|a b.mch"),
            ("nano", "+7|a b.mch"),
            ("kak", "+7|a b.mch"),
            ("hx", "a b.mch:7"),
            ("code", "--wait|--goto|a b.mch:7"),
            ("code --wait", "--goto|a b.mch:7"),
            ("'/opt/my vim/gvim'", "a b.mch"),
            ("gvim", "-f|+7|a b.mch"),
            ("my-own", "a b.mch"),
        ] {
            assert_eq!(given(command), expected, "{command}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_shell_reads_the_command_and_not_the_file() {
        let said = |editor: Editor, file: &str| {
            let output = editor.open(Path::new(file), 3).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let print = "printf '%s|'".to_owned();
        assert_eq!(said(Editor::Command(print), "a $HOME `b`.mch"), "a $HOME `b`.mch|");
        let template = "printf '%s,' {line} -- {file}".to_owned();
        assert_eq!(said(Editor::Template(template), "a 'b.mch"), "3,--,a 'b.mch,");
        let missing = Editor::Command("no-such-editor-at-all".to_owned());
        assert!(!missing.open(Path::new("x"), 1).output().unwrap().status.success());
    }
}

//! `config.toml`: what is not about keys and colours.

use super::page::Page;
use crate::source::Span;
use crate::syntax::suggest::closest;
use std::fmt::Write;

/// The configuration, with its defaults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The name of a theme; `auto`: dark or light, as the terminal says.
    pub theme: String,
    /// How often in a second the figures of a running check are drawn, at most.
    pub statistics: u32,
    /// The command that opens a file in an editor, with `{file}` and `{line}`.
    pub editor: Option<String>,
    /// The mouse is listened to: the terminal's own selection needs Shift then.
    pub mouse: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { theme: "auto".to_owned(), statistics: 4, editor: None, mouse: false }
    }
}

/// Name, default and meaning of each entry.
const ENTRIES: &[(&str, &str)] = &[
    (
        "theme",
        "colours: auto (dark or light, as the terminal says), a name, or a file ending in .toml",
    ),
    ("statistics", "how often in a second the figures of a running check are drawn, at most"),
    (
        "editor",
        "how `edit` opens a file, for example \"vi +{line} {file}\"; else $VISUAL or $EDITOR does",
    ),
    ("mouse", "whether a click selects and the wheel scrolls; texts are marked with Shift then"),
];

impl Config {
    /// Takes in what a file says. Gives back where the theme is named: whether there is such a one is known later.
    pub fn read(&mut self, page: &mut Page<'_>) -> Option<Span> {
        let mut named = None;
        for (key, value) in page.entries() {
            match key.text.as_str() {
                "theme" => {
                    named = Some(page.span(&value.at));
                    self.theme = page.text(&value).unwrap_or(std::mem::take(&mut self.theme));
                }
                "statistics" => {
                    let n = page.number(&value, 1..61).and_then(|n| u32::try_from(n).ok());
                    self.statistics = n.unwrap_or(self.statistics);
                }
                "editor" => match page.text(&value) {
                    Some(command) if command.contains("{file}") => self.editor = Some(command),
                    Some(_) => {
                        let text = "the command does not say where the file stands";
                        let hint = "for example \"vi +{line} {file}\"";
                        page.refuse(&value.at, text.to_owned(), Some(hint.to_owned()));
                    }
                    None => {}
                },
                "mouse" => self.mouse = page.truth(&value).unwrap_or(self.mouse),
                other => {
                    let names = ENTRIES.iter().map(|(name, _)| *name);
                    let hint = match closest(other, names.clone()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
                    };
                    page.refuse(&key.at, format!("unknown entry `{other}`"), Some(hint));
                }
            }
        }
        named
    }

    /// The configuration as a file.
    pub fn written(&self) -> String {
        let mut text = String::from("# The configuration of the workbench.\n");
        for (name, meaning) in ENTRIES {
            let value = match *name {
                "theme" => Some(toml::Value::String(self.theme.clone())),
                "statistics" => Some(toml::Value::Integer(i64::from(self.statistics))),
                "mouse" => Some(toml::Value::Boolean(self.mouse)),
                _ => self.editor.clone().map(toml::Value::String),
            };
            let _ = match value {
                Some(value) => write!(text, "\n# {meaning}\n{name} = {value}\n"),
                None => write!(text, "\n# {meaning}\n# {name} =\n"),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Config, Vec<String>) {
        let (mut sources, mut told, mut config) = (Sources::new(), Vec::new(), Config::default());
        config.read(&mut Page::new(&mut sources, "config.toml".into(), text, &mut told));
        (config, told.into_iter().map(|d| d.message).collect())
    }

    #[test]
    fn it_is_read_as_it_is_written() {
        let editor = Some("ed {file}".to_owned());
        let config =
            Config { theme: "it's \"mine\"".to_owned(), statistics: 1, editor, mouse: true };
        assert_eq!(read(&config.written()), (config, Vec::new()));
        let standard = Config::default().written();
        assert_eq!(read(&standard), (Config::default(), Vec::new()));
        assert!(ENTRIES.iter().all(|(name, _)| standard.contains(&format!("{name} ="))));
    }

    #[test]
    fn what_is_wrong_leaves_the_default() {
        let (config, told) = read("statistics = 0\neditor = 'vi'\ntheem = 'dark'\ntheme = 3");
        assert_eq!(config, Config::default());
        let words = ["0 is not between 1 and 60", "where the file", "unknown entry", "expected a"];
        for word in words {
            assert!(told.iter().any(|t| t.contains(word)), "{word}: {told:?}");
        }
        assert_eq!(told.len(), words.len());
    }
}

//! Roles and their colours. Colour never says anything alone.
//!
//! `dark` and `light` do with the 16 colours that every terminal has, and that its user has chosen; `dark-256` and
//! `light-256` take theirs from the palette of 256; `mono` has none. What a file of the user's says is laid over the
//! theme of the same name, or over that which it calls its `base`.

use super::settings::page::{Page, Value};
use super::settings::{self};
use crate::diagnostic::Diagnostic;
use crate::source::{self, Sources};
use crate::syntax::suggest::closest;
use ratatui::style::{Color, Modifier, Style};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::str::FromStr;

const THEMES: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("dark-256", include_str!("../../themes/dark-256.toml")),
    ("light-256", include_str!("../../themes/light-256.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
];

macro_rules! roles {
    ($($role:ident = $name:literal),* $(,)?) => {
        /// What a piece of the screen is.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Role { $($role),* }

        impl Role {
            pub const ALL: &[(Role, &'static str)] = &[$((Role::$role, $name)),*];
        }
    };
}

roles! {
    Text = "text",
    Dim = "dim",
    Header = "header",
    Title = "title",
    TitleFocused = "title-focused",
    Line = "line",
    LineFocused = "line-focused",
    LineNumber = "line-number",
    Mark = "mark",
    Selected = "selected",
    SelectedUnfocused = "selected-unfocused",
    Keyword = "keyword",
    Identifier = "identifier",
    Number = "number",
    String = "string",
    Comment = "comment",
    Operator = "operator",
    Wrong = "wrong",
    Name = "name",
    Changed = "changed",
    Previous = "previous",
    Holds = "holds",
    Fails = "fails",
    Undefined = "undefined",
    Running = "running",
    Good = "good",
    Bad = "bad",
    Warning = "warning",
    One = "one",
    Zero = "zero",
    Cell = "cell",
    Key = "key",
    Hint = "hint",
}

/// A style for each role.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Theme {
    styles: BTreeMap<Role, Style>,
}

/// Where themes come from that are called by a name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Named<'a> {
    /// The folder of the user's.
    pub folder: Option<&'a Path>,
    /// Whether `auto` is `light`.
    pub light: bool,
}

impl Named<'_> {
    /// A theme of the program or of the user, or one from a file whose name ends in `.toml`. What is wrong in a
    /// file is told.
    ///
    /// # Errors
    /// There is no such theme.
    pub fn theme(
        &self,
        name: &str,
        sources: &mut Sources,
        told: &mut Vec<Diagnostic>,
    ) -> Result<Theme, String> {
        let auto = if self.light { "light" } else { "dark" };
        let name = if name == "auto" { auto } else { name };
        if name.ends_with(".toml") {
            let bytes = source::read(Path::new(name)).map_err(|e| format!("theme {name}: {e}"))?;
            let text = String::from_utf8(bytes).map_err(|e| format!("theme {name}: {e}"))?;
            let mut page = Page::new(sources, name.into(), &text, told);
            return self.laid(&mut page, auto);
        }
        // No name leads out of the folder.
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        let path = self.folder.filter(|_| plain).map(|f| f.join(format!("{name}.toml")));
        let known = THEMES.iter().any(|(n, _)| *n == name);
        match settings::open(path, sources, told) {
            Some(mut page) => self.laid(&mut page, if known { name } else { auto }),
            None if known => Theme::embedded(name),
            None => Err(format!("unknown theme `{name}`; there are {}", self.names().join(", "))),
        }
    }

    /// What a file says, laid over its base.
    fn laid(&self, page: &mut Page<'_>, base: &str) -> Result<Theme, String> {
        let entries = page.entries();
        let mut base = base.to_owned();
        for (_, value) in entries.iter().filter(|(key, _)| key.text == "base") {
            match page.text(value) {
                Some(name) if THEMES.iter().any(|(n, _)| *n == name) => base = name,
                Some(name) => {
                    let names = THEMES.iter().map(|(name, _)| *name);
                    let hint = format!("there are {}", names.collect::<Vec<_>>().join(", "));
                    page.refuse(&value.at, format!("unknown base `{name}`"), Some(hint));
                }
                None => {}
            }
        }
        let mut theme = Theme::embedded(&base)?;
        for (key, value) in entries.iter().filter(|(key, _)| key.text != "base") {
            match Role::ALL.iter().find(|(_, name)| *name == key.text) {
                Some((role, _)) => {
                    let style = read(page, value);
                    theme.styles.insert(*role, style);
                }
                None => {
                    let near = closest(&key.text, Role::ALL.iter().map(|(_, name)| *name));
                    let hint = near.map(|near| format!("did you mean `{near}`?"));
                    let hint = hint.unwrap_or_else(|| "--print-theme lists the roles".to_owned());
                    page.refuse(&key.at, format!("unknown role `{}`", key.text), Some(hint));
                }
            }
        }
        Ok(theme)
    }

    /// All names: those of the program, then those of the user.
    fn names(&self) -> Vec<String> {
        let own = std::iter::once("auto").chain(THEMES.iter().map(|(name, _)| *name));
        let mut names: Vec<String> = own.map(str::to_owned).collect();
        let files = self.folder.and_then(|folder| std::fs::read_dir(folder).ok());
        let files = files.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let users: BTreeSet<String> = files
            .filter(|path| path.extension().is_some_and(|e| e == "toml"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .filter(|name| !names.contains(name))
            .collect();
        names.extend(users);
        names
    }
}

impl Theme {
    /// The names of the themes of the program.
    pub fn names() -> Vec<&'static str> {
        THEMES.iter().map(|(name, _)| *name).collect()
    }

    /// A theme of the program.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn embedded(name: &str) -> Result<Theme, String> {
        let found = THEMES.iter().find(|(n, _)| *n == name);
        let (_, text) = found.ok_or_else(|| format!("unknown theme `{name}`"))?;
        let (mut sources, mut told, mut styles) = (Sources::new(), Vec::new(), BTreeMap::new());
        let mut page = Page::new(&mut sources, name.into(), text, &mut told);
        for (key, value) in page.entries() {
            let role = Role::ALL.iter().find(|(_, n)| *n == key.text).map(|(role, _)| *role);
            let role = role.ok_or_else(|| format!("theme {name}: unknown role `{}`", key.text))?;
            styles.insert(role, read(&mut page, &value));
        }
        match told.first() {
            None => Ok(Theme { styles }),
            Some(wrong) => Err(format!("theme {name}: {}", wrong.message)),
        }
    }

    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }

    /// The theme as a file.
    pub fn written(&self) -> String {
        let mut text = String::from(
            "# Colours of the workbench. Each role has `fg`, `bg` (a name, a number of the palette of 256, or\n\
             # `#rrggbb`) and `style` (bold, dim, italic, underlined, reversed), all optional.\n\n",
        );
        for (role, name) in Role::ALL {
            let style = self.style(*role);
            let colour = |key: &str, c: Option<Color>| c.map(|c| format!("{key} = \"{c}\""));
            let on = MODIFIERS.iter().filter(|(_, m)| style.add_modifier.contains(*m));
            let names: Vec<String> = on.map(|(name, _)| format!("\"{name}\"")).collect();
            let names = (!names.is_empty()).then(|| format!("style = [{}]", names.join(", ")));
            let parts = [colour("fg", style.fg), colour("bg", style.bg), names];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            let _ = match parts.is_empty() {
                true => writeln!(text, "{name} = {{}}"),
                false => writeln!(text, "{name} = {{ {} }}", parts.join(", ")),
            };
        }
        text
    }
}

const MODIFIERS: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
];

/// The style of a role; what of it is wrong is told and left out.
fn read(page: &mut Page<'_>, value: &Value) -> Style {
    let mut style = Style::new();
    for (key, value) in page.fields(value) {
        match key.text.as_str() {
            "fg" => style.fg = colour(page, &value),
            "bg" => style.bg = colour(page, &value),
            "style" => {
                for (name, at) in page.texts(&value) {
                    match MODIFIERS.iter().find(|(n, _)| *n == name) {
                        Some((_, modifier)) => style = style.add_modifier(*modifier),
                        None => {
                            let names = MODIFIERS.iter().map(|(name, _)| *name);
                            let hint =
                                format!("there are {}", names.collect::<Vec<_>>().join(", "));
                            page.refuse(&at, format!("unknown style `{name}`"), Some(hint));
                        }
                    }
                }
            }
            other => {
                let hint = "a role has `fg`, `bg` and `style`".to_owned();
                page.refuse(&key.at, format!("unknown entry `{other}`"), Some(hint));
            }
        }
    }
    style
}

fn colour(page: &mut Page<'_>, value: &Value) -> Option<Color> {
    let text = page.text(value)?;
    let colour = Color::from_str(&text).ok();
    if colour.is_none() {
        let hint = "a name such as red or lightblue, a number below 256, or #rrggbb".to_owned();
        page.refuse(&value.at, format!("unknown colour `{text}`"), Some(hint));
    }
    colour
}

#[cfg(test)]
mod contrast;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_names_every_role_and_mono_has_no_colour() {
        for name in Theme::names() {
            let theme = Theme::embedded(name).unwrap();
            for (role, text) in Role::ALL {
                assert!(theme.styles.contains_key(role), "{name} lacks {text}");
            }
            if name == "mono" {
                assert!(theme.styles.values().all(|s| s.fg.is_none() && s.bg.is_none()));
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_theme_is_said() {
        let told = |text: &str| {
            let (mut sources, mut told) = (Sources::new(), Vec::new());
            let mut page = Page::new(&mut sources, "t.toml".into(), text, &mut told);
            Named::default().laid(&mut page, "dark").unwrap();
            told.into_iter().map(|d| d.message).collect::<Vec<_>>().join("; ")
        };
        assert!(told("texture = {}").contains("unknown role `texture`"));
        assert!(told("text = { fg = 'reddish' }").contains("unknown colour `reddish`"));
        assert!(told("text = { style = ['loud'] }").contains("unknown style `loud`"));
        assert!(told("text = { font = 'x' }").contains("unknown entry `font`"));
        assert!(told("text = 3").contains("expected a table"));
        assert!(told("base = 'sepia'").contains("unknown base `sepia`"));
        let (mut sources, mut told) = (Sources::new(), Vec::new());
        for name in ["sepia", "../dark", "nothing.toml"] {
            assert!(Named::default().theme(name, &mut sources, &mut told).is_err(), "{name}");
        }
    }

    #[test]
    fn a_theme_is_read_as_it_is_written() {
        for name in Theme::names() {
            let theme = Theme::embedded(name).unwrap();
            let (mut sources, mut told) = (Sources::new(), Vec::new());
            let text = theme.written();
            let mut page = Page::new(&mut sources, "t.toml".into(), &text, &mut told);
            assert_eq!(Named::default().laid(&mut page, "mono"), Ok(theme));
            assert!(told.is_empty(), "{told:?}");
        }
    }
}

//! Roles and their colours. Three themes are embedded; colour never says anything alone.

use crate::source;
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

const THEMES: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
];

macro_rules! roles {
    ($($role:ident = $name:literal),* $(,)?) => {
        /// What a piece of the screen is.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Role { $($role),* }

        impl Role {
            const ALL: &[(Role, &'static str)] = &[$((Role::$role, $name)),*];
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
#[derive(Clone, Debug)]
pub struct Theme {
    styles: BTreeMap<Role, Style>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Entry {
    fg: Option<String>,
    bg: Option<String>,
    #[serde(default)]
    style: Vec<String>,
}

impl Theme {
    /// The names of the embedded themes.
    pub fn names() -> Vec<&'static str> {
        THEMES.iter().map(|(name, _)| *name).collect()
    }

    /// An embedded theme, or one from a file whose name ends in `.toml`.
    ///
    /// # Errors
    /// Unknown name, unreadable file, unknown role or colour: as one line.
    pub fn named(name: &str) -> Result<Theme, String> {
        if let Some((_, text)) = THEMES.iter().find(|(n, _)| *n == name) {
            return Theme::parse(text).map_err(|e| format!("theme {name}: {e}"));
        }
        if name.ends_with(".toml") {
            let bytes = source::read(Path::new(name)).map_err(|e| format!("theme {name}: {e}"))?;
            let text = String::from_utf8(bytes).map_err(|e| format!("theme {name}: {e}"))?;
            return Theme::parse(&text).map_err(|e| format!("theme {name}: {e}"));
        }
        Err(format!("unknown theme `{name}`; there are {}", Theme::names().join(", ")))
    }

    /// Reads a theme; roles that it does not name have no style.
    fn parse(text: &str) -> Result<Theme, String> {
        let entries: BTreeMap<String, Entry> =
            toml::from_str(text).map_err(|e| e.message().to_owned())?;
        let mut styles = BTreeMap::new();
        for (name, entry) in entries {
            let role = Role::ALL.iter().find(|(_, n)| *n == name).map(|(role, _)| *role);
            let role = role.ok_or_else(|| format!("unknown role `{name}`"))?;
            styles.insert(role, style(&entry)?);
        }
        Ok(Theme { styles })
    }

    pub fn style(&self, role: Role) -> Style {
        self.styles.get(&role).copied().unwrap_or_default()
    }
}

fn style(entry: &Entry) -> Result<Style, String> {
    let colour = |text: &Option<String>| match text {
        None => Ok(None),
        Some(t) => Color::from_str(t).map(Some).map_err(|_| format!("unknown colour `{t}`")),
    };
    let mut style = Style { fg: colour(&entry.fg)?, bg: colour(&entry.bg)?, ..Style::new() };
    for name in &entry.style {
        style = style.add_modifier(match name.as_str() {
            "bold" => Modifier::BOLD,
            "dim" => Modifier::DIM,
            "italic" => Modifier::ITALIC,
            "underlined" => Modifier::UNDERLINED,
            "reversed" => Modifier::REVERSED,
            _ => return Err(format!("unknown style `{name}`")),
        });
    }
    Ok(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_names_every_role_and_mono_has_no_colour() {
        for name in Theme::names() {
            let theme = Theme::named(name).unwrap();
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
        assert!(Theme::named("sepia").unwrap_err().contains("dark, light, mono"));
        assert!(Theme::parse("texture = {}").unwrap_err().contains("unknown role"));
        assert!(Theme::parse("text = { fg = 'reddish' }").unwrap_err().contains("reddish"));
        assert!(Theme::parse("text = { style = ['loud'] }").unwrap_err().contains("loud"));
    }
}

//! What the user has settled: configuration, keymap and theme, laid over those of the program.
//!
//! ```text
//!   $BURNSIDE_CONFIG_DIR, else $XDG_CONFIG_HOME/burnside, else ~/.config/burnside
//!     config.toml           what is not about keys and colours
//!     keymap.toml           keys
//!     themes/NAME.toml      colours; one of the name of a theme of the program is laid over that
//! ```
//! A file that is not there says nothing. What is wrong in one is told with its place and not taken; the rest
//! is, and the workbench opens all the same.

pub mod config;
pub mod page;

use super::action::Action;
use super::keymap::{self, Keymap};
use super::theme::{Named, Theme};
use crate::diagnostic::Diagnostic;
use crate::source::{self, Sources, Unreadable};
use anyhow::{Result, anyhow};
use config::Config;
use page::Page;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything that is settled before the workbench opens.
pub struct Settings {
    pub config: Config,
    pub keymap: Keymap,
    pub theme: Theme,
    /// The theme for a light background, where the terminal is to be asked for what it has.
    pub light: Option<Theme>,
    /// What is wrong with the user's files, and their texts.
    pub told: Vec<Diagnostic>,
    pub sources: Arc<Sources>,
}

/// What of the surroundings matters. Empty variables count as unset.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The folder of the user's files.
    pub folder: Option<PathBuf>,
    /// `--theme`
    pub theme: Option<String>,
    /// BURNSIDE_THEME
    pub preferred: Option<String>,
    /// NO_COLOR is set.
    pub colourless: bool,
    /// COLORFGBG, which some terminals set.
    pub colours: Option<String>,
}

impl Surroundings {
    /// Those of this process.
    pub fn here(theme: Option<String>) -> Surroundings {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let path = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        // Relative paths in XDG_CONFIG_HOME mean nothing, as its specification says.
        let common = path("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        let common = common.or_else(|| path("APPDATA").filter(|_| cfg!(windows)));
        let common = common.or_else(|| path("HOME").map(|home| home.join(".config")));
        Surroundings {
            folder: path("BURNSIDE_CONFIG_DIR").or_else(|| common.map(|c| c.join("burnside"))),
            theme,
            preferred: set("BURNSIDE_THEME"),
            colourless: set("NO_COLOR").is_some(),
            colours: set("COLORFGBG"),
        }
    }
}

/// Reads the user's files.
///
/// # Errors
/// The theme of the command line or of BURNSIDE_THEME is none: this was asked for now, and is answered now.
pub fn read(here: &Surroundings) -> Result<Settings> {
    let (mut sources, mut told) = (Sources::new(), Vec::new());
    let file = |name: &str| here.folder.as_ref().map(|folder| folder.join(name));
    let mut config = Config::default();
    let page = open(file("config.toml"), &mut sources, &mut told);
    let theme_at = page.and_then(|mut page| config.read(&mut page));
    let standard = Keymap::standard().map_err(|e| anyhow!(e))?;
    let mut keymap = standard.clone();
    if let Some(mut page) = open(file("keymap.toml"), &mut sources, &mut told) {
        keymap = keymap.with(keymap::read(&mut page));
        if keymap.keys(Action::Quit).is_empty() && keymap.keys(Action::Interrupt).is_empty() {
            let text = "no key would leave the workbench; the keymap of the program is taken";
            page.refuse(&(0..0), text.to_owned(), Some("bind `quit` or `interrupt`".to_owned()));
            keymap = standard;
        }
    }
    let (name, asked) = match here {
        Surroundings { theme: Some(name), .. } => (name.clone(), true),
        Surroundings { colourless: true, .. } => ("mono".to_owned(), false),
        Surroundings { preferred: Some(name), .. } => (name.clone(), true),
        _ => (config.theme.clone(), false),
    };
    let told_by = here.colours.as_deref().and_then(background);
    let folder = file("themes");
    let named = Named { folder: folder.as_deref(), light: told_by.unwrap_or(false) };
    let before = told.len();
    let theme = match named.theme(&name, &mut sources, &mut told) {
        Ok(theme) => theme,
        Err(why) if asked => return Err(anyhow!(why)),
        Err(why) => {
            told.push(match theme_at {
                Some(span) => Diagnostic::error("configuration", span, why),
                None => Diagnostic::without_place("configuration", why),
            });
            config.theme = Config::default().theme;
            named.theme("auto", &mut sources, &mut told).map_err(|e| anyhow!(e))?
        }
    };
    if let Some(wrong) = told.get(before).filter(|_| asked && name.ends_with(".toml")) {
        let place = wrong.span.map(|span| sources.place(span));
        let place = place.map(|p| format!("{}:{}: ", p.line, p.column)).unwrap_or_default();
        return Err(anyhow!("theme {name}:{place}{}", wrong.message));
    }
    // What is wrong with it is told where it is used by name.
    let other = Named { light: true, ..named }.theme(&name, &mut Sources::new(), &mut Vec::new());
    let light = other.ok().filter(|light| told_by.is_none() && *light != theme);
    Ok(Settings { config, keymap, theme, light, told, sources: Arc::new(sources) })
}

/// Whether COLORFGBG (`foreground;background`, colours of the palette of 16) tells of a light background.
fn background(colours: &str) -> Option<bool> {
    let last = colours.rsplit(';').next()?.parse::<u8>().ok()?;
    (last < 16).then_some(last == 7 || last > 8)
}

/// A file of the user's, if it is there.
pub fn open<'a>(
    path: Option<PathBuf>,
    sources: &mut Sources,
    told: &'a mut Vec<Diagnostic>,
) -> Option<Page<'a>> {
    let path = path?;
    match text(&path) {
        Ok(text) => Some(Page::new(sources, path, &text?, told)),
        Err(why) => {
            let text = format!("{}: {why}", path.display());
            told.push(Diagnostic::without_place("configuration", text));
            None
        }
    }
}

/// The text of a file; `None` where there is none.
fn text(path: &Path) -> Result<Option<String>, String> {
    match source::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(_) => Err("the file is not in UTF-8".to_owned()),
        },
        Err(Unreadable::System(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::keymap::{Key, Look};
    use super::super::theme::Role;
    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Surroundings) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("themes")).unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let path = folder.path().to_owned();
        (folder, Surroundings { folder: Some(path), ..Surroundings::default() })
    }

    /// File, line, column and text of all that was refused.
    fn refused(settings: &Settings) -> Vec<String> {
        let told = settings.told.iter().map(|d| match d.span {
            Some(span) => {
                let path = &settings.sources.get(span.file).path;
                let place = settings.sources.place(span);
                let file = path.file_name().unwrap().to_string_lossy();
                format!("{file}:{}:{}: {}", place.line, place.column, d.message)
            }
            None => d.message.clone(),
        });
        told.collect()
    }

    #[test]
    fn without_files_everything_is_as_the_program_has_it() {
        for here in [Surroundings::default(), folder(&[]).1] {
            let settings = read(&here).unwrap();
            assert_eq!(settings.config, Config::default());
            assert_eq!(settings.keymap, Keymap::standard().unwrap());
            assert!(settings.told.is_empty() && settings.light.is_some());
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place_and_the_rest_holds() {
        let (_kept, here) = folder(&[
            ("config.toml", "statistics = 2\ntheme = 'sepia'\neditor = 3\nsound = true\n"),
            (
                "keymap.toml",
                "[[bind]]\non = 'J'\nrun = 'fly'\n\n[[bind]]\non = 'K'\nrun = 'up'\n\
                 [[bind]]\non = ['ctrl-k', 'K']\nrun = 'down'\n",
            ),
        ]);
        let settings = read(&here).unwrap();
        assert_eq!(
            refused(&settings),
            [
                "config.toml:3:10: expected a string, found an integer",
                "config.toml:4:1: unknown entry `sound`",
                "keymap.toml:3:7: unknown action `fly`",
                "keymap.toml:9:17: the key `K` stands in two rows",
                "config.toml:2:9: unknown theme `sepia`; there are auto, dark, light, dark-256, light-256, mono",
            ]
        );
        let taken = Config { statistics: 2, ..Config::default() };
        assert_eq!(settings.config, taken);
        let look = |key| settings.keymap.look(&[Key::parse(key).unwrap()], None);
        assert_eq!(look("K"), Look::Run(Action::Up));
        assert_eq!(look("ctrl-k"), Look::Run(Action::Down));
        assert_eq!(look("J"), Look::Nothing);
    }

    #[test]
    fn a_file_that_is_no_toml_and_one_without_a_way_out_are_not_taken() {
        let (_kept, here) = folder(&[
            ("config.toml", "statistics = 2\ntheme =\n"),
            ("keymap.toml", "[[bind]]\non = ['q', 'ctrl-c']\nrun = 'none'\n"),
        ]);
        let settings = read(&here).unwrap();
        let refused = refused(&settings);
        assert!(refused[0].starts_with("config.toml:2:"), "{refused:?}");
        assert!(refused[1].contains("no key would leave the workbench"), "{refused:?}");
        assert_eq!(settings.config, Config::default());
        assert_eq!(settings.keymap, Keymap::standard().unwrap());
    }

    #[test]
    fn themes_are_laid_over_those_of_the_program() {
        let mine = "base = 'light'\nkey = { fg = 'red' }\n";
        let files = [("themes/mine.toml", mine), ("themes/dark.toml", "key = { fg = 'blue' }\n")];
        let (kept, mut here) = folder(&files);
        let style = |here: &Surroundings, role| read(here).unwrap().theme.style(role);
        let light = Surroundings { theme: Some("light".into()), ..Surroundings::default() };
        here.theme = Some("mine".into());
        assert_eq!(style(&here, Role::Bad), style(&light, Role::Bad));
        assert_eq!(style(&here, Role::Key).fg, Some(ratatui::style::Color::Red));
        here.theme = None;
        assert_eq!(
            style(&here, Role::Key).fg,
            Some(ratatui::style::Color::Blue),
            "dark by default"
        );
        here.colours = Some("0;15".into());
        assert_eq!(style(&here, Role::Bad), style(&light, Role::Bad));
        here.colourless = true;
        assert_eq!(style(&here, Role::Bad).fg, None);
        here.theme = Some("nothing".into());
        assert!(read(&here).err().unwrap().to_string().contains("mine"), "they are listed");
        let wrong = kept.path().join("wrong.toml");
        std::fs::write(&wrong, "key = { fg = 'reddish' }").unwrap();
        here.theme = Some(wrong.display().to_string());
        let error = read(&here).err().unwrap().to_string();
        assert!(error.contains("wrong.toml:1:14: unknown colour `reddish`"), "{error}");
    }

    #[test]
    fn the_background_is_told_by_the_last_colour() {
        for (colours, light) in [
            ("15;0", Some(false)),
            ("0;15", Some(true)),
            ("0;default;7", Some(true)),
            ("7;8", Some(false)),
            ("default;default", None),
            ("0;99", None),
        ] {
            assert_eq!(background(colours), light, "{colours}");
        }
    }
}

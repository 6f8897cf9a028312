//! The walk of `docs/tour.md`: its screens are those of the program.
//!
//! What is done stands in the page, in comments that nobody sees who reads it:
//!
//! ```text
//!   <!-- open 80x24: models/phonebook.mch --card Name=3 -->     in a terminal of this size
//!   <!-- change: OLD => NEW -->        what the editor will do to the file
//!   <!-- press: j enter ctrl-r "card(db)" -->
//!   <!-- see: TEXT -->                 it is waited for
//!   <!-- screen NAME -->               the block below is what is on the screen
//! ```
//! The README shows some of the screens, below `<!-- screen NAME of docs/tour.md -->`. `BURNSIDE_TOUR=write` writes the
//! screens anew, there, too. Rates, times and memory may differ.

use super::terminal::Terminal;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a screen is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A walk under way.
struct Walk {
    folder: tempfile::TempDir,
    file: PathBuf,
    terminal: Option<Terminal>,
    rows: u16,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What is sent for a key.
fn sent(key: &str) -> String {
    let control = |c: char| char::from(c as u8 & 0x1f).to_string();
    match key {
        "enter" => "\r".to_owned(),
        "esc" => "\x1b".to_owned(),
        "tab" => "\t".to_owned(),
        "space" => " ".to_owned(),
        "up" => "\x1b[A".to_owned(),
        "down" => "\x1b[B".to_owned(),
        _ => match key.strip_prefix("ctrl-").and_then(|rest| rest.chars().next()) {
            Some(c) => control(c),
            None => key.to_owned(),
        },
    }
}

/// Keys by name, and texts in double quotes: each of these at once, since a prompt takes all of it.
fn keys(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(sent).collect(),
        })
        .collect()
}

impl Walk {
    fn begin() -> Walk {
        let folder = tempfile::tempdir().unwrap();
        // It saves as many do: a new file takes the name of the old one.
        let editor = folder.path().join("editor");
        std::fs::write(&editor, "#!/bin/sh\nmv \"$1.next\" \"$1\"\n").unwrap();
        std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
        Walk { file: PathBuf::new(), folder, terminal: None, rows: 0 }
    }

    fn terminal(&mut self) -> &mut Terminal {
        self.terminal.as_mut().expect("a walk begins with `open`")
    }

    fn leave(&mut self) {
        if let Some(mut terminal) = self.terminal.take() {
            terminal.press("\x03");
            terminal.settle(Duration::from_millis(100));
            terminal.press("\x03");
            terminal.wait_for_end();
        }
    }

    fn follow(&mut self, what: &str, rest: &str) {
        match what {
            "press" => {
                for key in keys(rest) {
                    self.terminal().press(&key);
                    // What a key does may decide what the next one means.
                    self.terminal().settle(Duration::from_millis(60));
                }
            }
            "see" => self.terminal().wait_for(rest),
            "change" => {
                let (old, new) = rest.split_once(" => ").expect("OLD => NEW");
                let text = std::fs::read_to_string(&self.file).unwrap();
                assert!(text.contains(old), "{old} in {text}");
                let next = format!("{}.next", self.file.display());
                std::fs::write(next, text.replacen(old, new, 1)).unwrap();
            }
            _ => {
                let size =
                    what.strip_prefix("open ").unwrap_or_else(|| panic!("what is `{what}`?"));
                let (columns, rows) = size.split_once('x').expect("a size");
                let (columns, rows) = (columns.parse().unwrap(), rows.parse().unwrap());
                self.leave();
                let mut arguments: Vec<&str> = rest.split_whitespace().collect();
                let from = root().join(arguments[0]);
                self.file = self.folder.path().join(from.file_name().unwrap());
                std::fs::copy(from, &self.file).unwrap();
                let name = self.file.file_name().unwrap().to_string_lossy().into_owned();
                arguments[0] = &name;
                let editor = self.folder.path().join("editor").display().to_string();
                let environment = [("VISUAL", editor.as_str())];
                let size = (columns, rows);
                self.terminal =
                    Some(Terminal::run(self.folder.path(), &arguments, size, &environment));
                self.rows = rows;
            }
        }
    }

    /// What is on the screen, when it stays. What was there before is waited for: what is found out in the
    /// background takes longer on a machine that has more to do.
    fn screen(&mut self, before: &[String]) -> Vec<String> {
        let end = Instant::now() + PATIENCE;
        loop {
            self.terminal().settle(Duration::from_millis(100));
            let text = self.terminal().text();
            let mut lines: Vec<String> = text.lines().map(|l| l.trim_end().to_owned()).collect();
            lines.resize(usize::from(self.rows), String::new());
            if lasting(&lines) == lasting(before) || Instant::now() > end {
                return lines;
            }
        }
    }
}

/// The lines with what differs from run to run left out.
fn lasting(lines: &[String]) -> Vec<String> {
    let volatile = ["states/s ", "time ", "memory "];
    let lasting = lines.iter().map(|line| {
        let mut line = without_times(line);
        for word in volatile {
            if let Some(at) = line.find(word) {
                line.truncate(at);
            }
        }
        line.trim_end().to_owned()
    });
    lasting.collect()
}

/// A line with `#` for the digits of times of day and of what ends in seconds.
fn without_times(line: &str) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    for at in 0..chars.len() {
        let is = |pattern: &str| {
            let fits = pattern.chars().zip(chars[at..].iter());
            let fits = fits.filter(|(p, c)| p == *c || (*p == '0' && c.is_ascii_digit()));
            fits.count() == pattern.len()
        };
        let length = ["00:00:00Z", "0.0 s"].into_iter().find(|p| is(p)).map_or(0, str::len);
        for c in chars[at..at + length].iter_mut().filter(|c| c.is_ascii_digit()) {
            *c = '#';
        }
    }
    chars.into_iter().collect()
}

/// The text of a comment: `<!-- what: rest -->` or `<!-- what -->`.
fn comment(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    Some(inner.split_once(": ").unwrap_or((inner, "")))
}

/// The page with its screens as they are.
fn walked(page: &str, screens: &mut BTreeMap<String, Vec<String>>) -> String {
    let mut walk = Walk::begin();
    let mut out = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        let Some((what, rest)) = comment(line) else { continue };
        let Some(name) = what.strip_prefix("screen ") else {
            walk.follow(what, rest);
            continue;
        };
        let before = block(&mut lines);
        let now = walk.screen(&before);
        replace(before, &mut out, &now);
        screens.insert(name.to_owned(), now);
    }
    walk.leave();
    out.join("\n") + "\n"
}

/// The block that follows.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<String> {
    let open = lines.next().expect("a block");
    assert_eq!(open, "```text", "below a screen stands its block");
    lines.take_while(|l| *l != "```").map(str::to_owned).collect()
}

/// Puts a screen in the place of an old one; where they differ in nothing that lasts, the old one stays.
fn replace(old: Vec<String>, out: &mut Vec<String>, now: &[String]) {
    let same = lasting(&old) == lasting(now);
    out.push("```text".to_owned());
    out.extend(if same { old } else { now.to_vec() });
    out.push("```".to_owned());
}

/// A page that shows screens of the tour.
fn shown(page: &str, screens: &BTreeMap<String, Vec<String>>) -> String {
    let mut out = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        let name = comment(line).and_then(|(what, _)| what.strip_prefix("screen "));
        let Some(name) = name.and_then(|name| name.strip_suffix(" of docs/tour.md")) else {
            continue;
        };
        let now = screens.get(name).unwrap_or_else(|| panic!("no screen {name} in the tour"));
        replace(block(&mut lines), &mut out, now);
    }
    out.join("\n") + "\n"
}

#[test]
fn times_are_left_out() {
    let lines =
        ["21:23:41Z  ok  7 states  0.0 s", "a 3.14 s b", "nodes 8   states/s 5,256   time 1 ms"];
    let lasting = lasting(&lines.map(str::to_owned));
    assert_eq!(lasting, ["##:##:##Z  ok  7 states  #.# s", "a 3.14 s b", "nodes 8"]);
}

#[test]
fn the_tour_is_as_it_is_told() {
    let mut screens = BTreeMap::new();
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let pages = ["docs/tour.md", "README.md"].map(|name| (name, read(name)));
    let write = std::env::var("BURNSIDE_TOUR").is_ok_and(|v| v == "write");
    for (name, old) in &pages {
        let new = match *name {
            "docs/tour.md" => walked(old, &mut screens),
            _ => shown(old, &screens),
        };
        if write {
            std::fs::write(root().join(name), &new).unwrap();
            continue;
        }
        let differs = old.lines().zip(new.lines()).position(|(old, new)| old != new);
        if let Some(at) = differs {
            let lines: Vec<&str> = new.lines().skip(at.saturating_sub(3)).take(30).collect();
            panic!(
                "{name}:{}: the screen is now\n{}\nBURNSIDE_TOUR=write writes it down",
                at + 1,
                lines.join("\n")
            );
        }
    }
}

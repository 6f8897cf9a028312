//! The first screen where no machine was named: machines to look at, with what one sees in each. What is typed looks
//! for one.

use super::event::Event;
use super::keymap::Key;
use super::prompt;
use super::terminal::Screen;
use super::theme::{Role, Theme};
use super::widgets::input::Input;
use crate::printable::clipped;
use anyhow::{Result, anyhow};
use crossbeam_channel::Receiver;
use crossterm::event::KeyCode;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;

/// A machine that can be chosen: its name, and what one sees there.
pub type Offer = (String, String);

/// What comes of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Stay,
    Leave,
    /// The machine of this number is opened.
    Open(usize),
}

/// The list, with what is typed.
pub struct Chooser {
    offers: Vec<Offer>,
    filter: Input,
    /// Among those that fit.
    selected: usize,
    /// Lines of the list on the screen.
    rows: usize,
}

/// What became of the first screen.
pub enum Chosen {
    Machine(usize),
    Nothing,
    /// A signal ended it.
    Signal(i32),
}

/// Lets the user choose. `light` is the theme for a light background, where the terminal was asked for it.
pub fn choose(
    offers: Vec<Offer>,
    screen: &mut Screen,
    events: &Receiver<Event>,
    theme: &mut Arc<Theme>,
    light: &mut Option<Arc<Theme>>,
) -> Result<Chosen> {
    let mut chooser = Chooser::new(offers);
    loop {
        screen.draw(|buffer| chooser.draw(theme, buffer))?;
        match events.recv()? {
            Event::Key(key) => match chooser.key(Key::of(key)) {
                Choice::Stay => {}
                Choice::Leave => return Ok(Chosen::Nothing),
                Choice::Open(number) => return Ok(Chosen::Machine(number)),
            },
            Event::Paste(text) => {
                prompt::letters(&text).for_each(|key| {
                    chooser.key(key);
                });
            }
            Event::Background { light: true } => {
                if let Some(light) = light.take() {
                    *theme = light;
                }
            }
            Event::InputEnded(why) => return Err(anyhow!("the terminal cannot be read: {why}")),
            #[cfg(unix)]
            Event::Signal(signal_hook::consts::SIGCONT) => screen.resume()?,
            #[cfg(unix)]
            Event::Signal(signal_hook::consts::SIGTSTP) => super::suspend(screen)?,
            Event::Signal(signal) => return Ok(Chosen::Signal(signal)),
            _ => {}
        }
    }
}

impl Chooser {
    pub fn new(offers: Vec<Offer>) -> Chooser {
        Chooser { offers, filter: Input::default(), selected: 0, rows: 1 }
    }

    /// Numbers of those that have all words that are typed.
    fn fitting(&self) -> Vec<usize> {
        let wanted = self.filter.text().to_lowercase();
        let fits = |(name, line): &Offer| {
            let text = format!("{name} {line}").to_lowercase();
            wanted.split_whitespace().all(|word| text.contains(word))
        };
        self.offers.iter().enumerate().filter(|(_, o)| fits(o)).map(|(i, _)| i).collect()
    }

    pub fn key(&mut self, key: Key) -> Choice {
        let fitting = self.fitting();
        let last = fitting.len().saturating_sub(1);
        let page = self.rows.max(2) - 1;
        match (key.code(), key.has_ctrl()) {
            (KeyCode::Char('c'), true) => return Choice::Leave,
            // What is typed goes first.
            (KeyCode::Esc, _) if self.filter.is_empty() => return Choice::Leave,
            (KeyCode::Esc, _) => self.filter.set(""),
            (KeyCode::Enter, _) => {
                return fitting.get(self.selected).map_or(Choice::Stay, |n| Choice::Open(*n));
            }
            (KeyCode::Up | KeyCode::BackTab, _) | (KeyCode::Char('p'), true) => {
                self.selected = self.selected.saturating_sub(1);
            }
            (KeyCode::Down | KeyCode::Tab, _) | (KeyCode::Char('n'), true) => {
                self.selected = (self.selected + 1).min(last);
            }
            (KeyCode::PageUp, _) => self.selected = self.selected.saturating_sub(page),
            (KeyCode::PageDown, _) => self.selected = (self.selected + page).min(last),
            (KeyCode::Home, _) => self.selected = 0,
            (KeyCode::End, _) => self.selected = last,
            _ => {
                self.filter.edit(key);
            }
        }
        self.selected = self.selected.min(self.fitting().len().saturating_sub(1));
        Choice::Stay
    }

    pub fn draw(&mut self, theme: &Theme, buffer: &mut Buffer) {
        let Rect { width, height, .. } = buffer.area;
        let columns = usize::from(width);
        let area = buffer.area;
        buffer.set_style(area, theme.style(Role::Text));
        let mut put = |row: u16, text: &str, role| {
            if row < height {
                let text = clipped(text, columns);
                let rest = " ".repeat(if role == Role::Text { 0 } else { columns });
                buffer.set_stringn(0, row, text + &rest, columns, theme.style(role));
            }
        };
        put(0, " burnside  choose a machine, or name your own: burnside FILE", Role::Header);
        let typed = self.filter.text();
        let looking = match typed.is_empty() {
            true => " type to look for one".to_owned(),
            false => format!(" looking for: {typed}"),
        };
        put(1, &looking, if typed.is_empty() { Role::Dim } else { Role::Name });
        let fitting = self.fitting();
        let names = fitting.iter().map(|i| self.offers[*i].0.chars().count());
        let names = names.max().unwrap_or(0);
        self.rows = usize::from(height.saturating_sub(3)).max(1);
        let from = (self.selected + 1).saturating_sub(self.rows);
        for (row, at) in (from..fitting.len()).take(self.rows).enumerate() {
            let (name, line) = &self.offers[fitting[at]];
            let mark = if at == self.selected { '>' } else { ' ' };
            let role = if at == self.selected { Role::Selected } else { Role::Text };
            put(2 + row as u16, &format!("{mark}{name:<names$}  {line}"), role);
        }
        if fitting.is_empty() {
            put(2, " no machine has that", Role::Warning);
        }
        let hints = " Enter open  ↑ ↓ choose  Esc leave";
        put(height.saturating_sub(1), hints, Role::Hint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooser() -> Chooser {
        let offers = ["one: a ring", "two: a table", "three: another ring"];
        let split = |text: &str| text.split_once(": ").map(|(a, b)| (a.to_owned(), b.to_owned()));
        Chooser::new(offers.into_iter().filter_map(split).collect())
    }

    fn press(chooser: &mut Chooser, keys: &str) -> Choice {
        let keys = keys.split(' ').map(|name| Key::parse(name).unwrap());
        keys.map(|key| chooser.key(key)).last().unwrap()
    }

    #[test]
    fn it_is_chosen_by_keys_and_by_what_is_typed() {
        assert_eq!(press(&mut chooser(), "enter"), Choice::Open(0));
        assert_eq!(press(&mut chooser(), "down down down up enter"), Choice::Open(1));
        assert_eq!(press(&mut chooser(), "r i n g down enter"), Choice::Open(2));
        assert_eq!(press(&mut chooser(), "end t h enter"), Choice::Open(2));
        assert_eq!(press(&mut chooser(), "x x enter"), Choice::Stay);
        assert_eq!(press(&mut chooser(), "x esc"), Choice::Stay);
        assert_eq!(press(&mut chooser(), "x esc esc"), Choice::Leave);
        assert_eq!(press(&mut chooser(), "j ctrl-c"), Choice::Leave);
    }

    #[test]
    fn it_is_drawn_at_any_size() {
        let theme = Theme::embedded("mono").unwrap();
        for width in [1, 2, 10, 80, 500] {
            for height in [1, 2, 3, 4, 24, 200] {
                let mut chooser = chooser();
                chooser.key(Key::parse("end").unwrap());
                let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
                chooser.draw(&theme, &mut buffer);
                let text: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
                // The selected one is in sight wherever there is a line for it.
                assert!(
                    width < 80 || height < 4 || text.contains(">three  another ring"),
                    "{text}"
                );
            }
        }
    }
}

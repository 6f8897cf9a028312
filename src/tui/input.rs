//! The thread that reads the terminal: keys, new sizes, and the answer to what it was asked.
//!
//! What a terminal says of its background (OSC 11) comes as keys do: `Alt-]`, the colour letter by letter,
//! and a terminator. It is taken out of the keys whenever it comes, so nobody has to wait for it.

use super::event::Event;
use crossbeam_channel::Sender;
use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Reads keys until the workbench ends.
///
/// # Errors
/// There is no thread for it.
pub fn read(events: Sender<Event>, asked: bool, gate: Gate) -> std::io::Result<()> {
    let read = move || {
        let mut answer = Answer { asked, taken: Vec::new() };
        loop {
            gate.pass();
            let events_of = match next(&mut answer) {
                Ok(all) => all,
                Err(error) => vec![Event::InputEnded(error.to_string())],
            };
            for event in events_of {
                let ended = matches!(event, Event::InputEnded(_));
                if events.send(event).is_err() || ended {
                    return;
                }
            }
        }
    };
    std::thread::Builder::new().name("burnside-input".to_owned()).spawn(read).map(drop)
}

/// Longest time between two letters of an answer.
const PAUSE: Duration = Duration::from_millis(100);

fn next(answer: &mut Answer) -> std::io::Result<Vec<Event>> {
    if !answer.taken.is_empty() && !crossterm::event::poll(PAUSE)? {
        return Ok(answer.give_up());
    }
    Ok(match crossterm::event::read()? {
        Input::Key(key) if key.kind != KeyEventKind::Release => answer.take(key),
        Input::Mouse(event) => vec![Event::Mouse(event)],
        Input::Paste(text) => vec![Event::Paste(text)],
        Input::Resize(..) => vec![Event::Resize],
        _ => Vec::new(),
    })
}

/// What of an answer has come.
#[derive(Debug)]
struct Answer {
    /// The terminal was asked and has not answered.
    asked: bool,
    taken: Vec<KeyEvent>,
}

/// Longest answer: `11;rgb:ffff/ffff/ffff`.
const LONGEST: usize = 40;

impl Answer {
    fn take(&mut self, key: KeyEvent) -> Vec<Event> {
        let (alt, ctrl) = (KeyModifiers::ALT, KeyModifiers::CONTROL);
        if self.taken.is_empty() {
            if self.asked && key.code == KeyCode::Char(']') && key.modifiers.contains(alt) {
                self.taken.push(key);
                return Vec::new();
            }
            return vec![Event::Key(key)];
        }
        self.taken.push(key);
        // ESC \, or BEL, which is Ctrl-G.
        let ends = match key.code {
            KeyCode::Char('\\') => key.modifiers.contains(alt),
            KeyCode::Char('g') => key.modifiers.contains(ctrl),
            _ => false,
        };
        let letter = matches!(key.code, KeyCode::Char(_)) && !key.modifiers.intersects(alt | ctrl);
        if !ends && letter && self.taken.len() < LONGEST {
            return Vec::new();
        }
        let text: String = self.taken.iter().filter_map(|key| key.code.as_char()).skip(1).collect();
        match luminance(&text).filter(|_| ends) {
            Some(luminance) => {
                self.asked = false;
                self.taken.clear();
                vec![Event::Background { light: luminance > 0.5 }]
            }
            None => self.give_up(),
        }
    }

    /// It was no answer: the keys are keys.
    fn give_up(&mut self) -> Vec<Event> {
        self.taken.drain(..).map(Event::Key).collect()
    }
}

/// How bright a colour is, from 0 to 1: `11;rgb:RRRR/GGGG/BBBB`, each of one to four digits.
fn luminance(text: &str) -> Option<f64> {
    let body = text.strip_prefix("11;")?;
    let colours = body.strip_prefix("rgb:").or_else(|| body.strip_prefix("rgba:"))?;
    let level = |part: &str| {
        let digits: String = part.chars().take_while(char::is_ascii_hexdigit).take(4).collect();
        let most = 16f64.powi(i32::try_from(digits.len()).ok()?) - 1.0;
        Some(f64::from(u32::from_str_radix(&digits, 16).ok()?) / most)
    };
    let levels: Vec<f64> = colours.split('/').map_while(level).collect();
    match levels[..] {
        [red, green, blue, ..] => Some(0.299 * red + 0.587 * green + 0.114 * blue),
        _ => None,
    }
}

/// Lets another program read the terminal for a while.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    inner: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    /// The reading thread stands before it.
    waiting: bool,
}

impl Gate {
    /// Where the reading thread waits for as long as it is closed.
    fn pass(&self) {
        let (state, changed) = &*self.inner;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        while state.closed {
            state.waiting = true;
            changed.notify_all();
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting = false;
    }

    /// Closes it, and waits until nobody reads any more; `wake` ends a read that is under way. False when
    /// that does not come to pass: then it is open again.
    pub fn close(&self, wake: impl Fn()) -> bool {
        let (state, changed) = &*self.inner;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
        for _ in 0..20 {
            wake();
            let wait = changed.wait_timeout_while(state, PAUSE, |state| !state.waiting);
            state = wait.unwrap_or_else(PoisonError::into_inner).0;
            if state.waiting {
                return true;
            }
        }
        state.closed = false;
        false
    }

    pub fn is_closed(&self) -> bool {
        self.inner.0.lock().unwrap_or_else(PoisonError::into_inner).closed
    }

    pub fn open(&self) {
        let (state, changed) = &*self.inner;
        state.lock().unwrap_or_else(PoisonError::into_inner).closed = false;
        changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<KeyEvent> {
        let mut keys = Vec::new();
        let mut alt = false;
        for c in text.chars() {
            let modifiers = if alt { KeyModifiers::ALT } else { KeyModifiers::NONE };
            alt = c == '\x1b';
            match c {
                '\x1b' => {}
                '\x07' => keys.push(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL)),
                c => keys.push(KeyEvent::new(KeyCode::Char(c), modifiers)),
            }
        }
        keys
    }

    /// What is made of some keys: `L` and `D` for a background, the rest as it is.
    fn made(asked: bool, text: &str) -> String {
        let mut answer = Answer { asked, taken: Vec::new() };
        let mut events: Vec<Event> = keys(text).into_iter().flat_map(|k| answer.take(k)).collect();
        events.extend(answer.give_up());
        let shown = events.iter().map(|event| match event {
            Event::Background { light: true } => 'L',
            Event::Background { light: false } => 'D',
            Event::Key(key) => key.code.as_char().unwrap_or('?'),
            _ => '?',
        });
        shown.collect()
    }

    #[test]
    fn an_answer_is_taken_out_of_the_keys() {
        assert_eq!(made(true, "j\x1b]11;rgb:ffff/ffff/ffff\x1b\\k"), "jLk");
        assert_eq!(made(true, "\x1b]11;rgb:1e/1e/1e\x07q"), "Dq");
        assert_eq!(made(true, "\x1b]11;rgba:ffff/ffff/e000/ffff\x1b\\"), "L");
        // What was not asked for, a second one, and what only begins like one, are keys.
        assert_eq!(made(false, "\x1b]11;r"), "]11;r");
        assert_eq!(made(true, "\x1b]11;rgb:0/0/0\x07\x1b]1"), "D]1");
        assert_eq!(made(true, "\x1b]x\x1b\\"), "]x\\");
        assert_eq!(made(true, "\x1b]jj"), "]jj");
        let long = format!("\x1b]{}", "1".repeat(100));
        assert_eq!(made(true, &long).len(), 101);
    }

    #[test]
    fn colours_have_one_to_four_digits() {
        assert!(luminance("11;rgb:f/f/f").is_some_and(|l| l > 0.99));
        assert_eq!(luminance("11;rgb:0000/0000/0000"), Some(0.0));
        assert!(luminance("11;rgb:00/00/ff").is_some_and(|l| l < 0.2));
        for wrong in ["11;rgb:", "11;rgb:1/2", "10;rgb:0/0/0", "", "11;rgb:x/y/z"] {
            assert_eq!(luminance(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_closed_gate_holds_the_reader() {
        let gate = Gate::default();
        let (sender, receiver) = crossbeam_channel::unbounded();
        let of_reader = gate.clone();
        let (wake, woken) = crossbeam_channel::unbounded::<()>();
        std::thread::spawn(move || {
            for () in woken {
                of_reader.pass();
                let _ = sender.send(());
            }
        });
        assert!(gate.close(|| wake.send(()).unwrap()));
        assert!(receiver.try_recv().is_err());
        gate.open();
        assert!(receiver.recv_timeout(Duration::from_secs(10)).is_ok());
        assert!(!gate.close(|| {}), "nobody comes");
        wake.send(()).unwrap();
        assert!(receiver.recv_timeout(Duration::from_secs(10)).is_ok(), "it is open again");
    }
}

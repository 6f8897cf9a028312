//! The program in a pseudo-terminal, with an emulator that says what is on the screen.

#![allow(dead_code)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longest time that anything on the screen is waited for.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct Terminal {
    pub parser: vt100::Parser,
    pub output: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    /// Everything that was written.
    pub raw: Vec<u8>,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).expect("a screen has cells")
}

impl Terminal {
    pub fn open(file: &Path, columns: u16, rows: u16, environment: &[(&str, &str)]) -> Terminal {
        Terminal::open_with(file, &[], columns, rows, environment)
    }

    pub fn open_with(
        file: &Path,
        options: &[&str],
        columns: u16,
        rows: u16,
        environment: &[(&str, &str)],
    ) -> Terminal {
        let name = file.to_string_lossy().into_owned();
        let arguments: Vec<&str> =
            std::iter::once(name.as_str()).chain(options.iter().copied()).collect();
        Terminal::run(file.parent().unwrap(), &arguments, (columns, rows), environment)
    }

    /// The program in a folder, with these arguments.
    pub fn run(
        folder: &Path,
        arguments: &[&str],
        (columns, rows): (u16, u16),
        environment: &[(&str, &str)],
    ) -> Terminal {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_burnside"));
        command.args(arguments);
        command.cwd(folder);
        let others =
            ["NO_COLOR", "BURNSIDE_THEME", "BURNSIDE_TEST_PANIC", "VISUAL", "EDITOR", "TMUX"];
        for name in others {
            command.env_remove(name);
        }
        // Nothing of whoever runs the tests, and a terminal that tells its colours.
        command.env("BURNSIDE_CONFIG_DIR", "/nowhere");
        command.env("COLORFGBG", "15;0");
        command.env("TERM", "xterm-256color");
        command.env("LC_ALL", "C.UTF-8");
        for (name, value) in environment {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 14];
            while let Ok(n) = reader.read(&mut buffer) {
                if n == 0 || sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        Terminal { parser, output, keys, master: pair.master, child, raw: Vec::new() }
    }

    /// Takes in what is written until nothing comes for so long, and says how many bytes that were.
    pub fn settle(&mut self, time: Duration) -> usize {
        let before = self.raw.len();
        while let Ok(bytes) = self.output.recv_timeout(time) {
            self.take(&bytes);
        }
        self.raw.len() - before
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(size(columns, rows)).unwrap();
        self.parser.screen_mut().set_size(cells(rows), cells(columns));
    }

    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Takes in what was written within this time; false when the program has ended.
    pub fn listen(&mut self, time: Duration) -> bool {
        match self.output.recv_timeout(time) {
            Ok(bytes) => {
                self.raw.extend_from_slice(&bytes);
                self.parser.process(&bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    #[track_caller]
    pub fn wait(&mut self, what: &str, is: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is(&self.text()) {
            let more = self.listen(Duration::from_millis(50));
            let text = self.text();
            assert!(more || is(&text), "ended while waiting for {what}:\n{text}");
            assert!(Instant::now() < end, "no {what} in\n{text}");
        }
    }

    #[track_caller]
    pub fn wait_for(&mut self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    #[track_caller]
    pub fn wait_without(&mut self, text: &str) {
        self.wait(&format!("screen without {text}"), |screen| !screen.contains(text));
    }

    /// Waits for the end. The terminal must be as it was before.
    #[track_caller]
    pub fn wait_for_end(&mut self) -> u32 {
        let end = Instant::now() + PATIENCE;
        while self.listen(Duration::from_millis(50)) {
            assert!(Instant::now() < end, "it does not end:\n{}", self.text());
            if let Ok(Some(_)) = self.child.try_wait() {
                // What is still in the pipe.
                while self
                    .output
                    .recv_timeout(Duration::from_millis(100))
                    .map(|b| self.take(&b))
                    .is_ok()
                {}
                break;
            }
        }
        assert!(!self.parser.screen().alternate_screen(), "the alternate screen was left");
        assert!(!self.parser.screen().hide_cursor(), "the cursor is shown");
        self.child.wait().unwrap().exit_code()
    }

    pub fn take(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        self.parser.process(bytes);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // After a failed assertion the program would go on for ever.
        let _ = self.child.kill();
    }
}

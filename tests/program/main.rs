//! The program from outside, a process for each command; and what is held as text.

mod bench;
mod cli;
#[path = "../common/mod.rs"]
mod common;
mod explain;
#[cfg(unix)]
mod hostile;
mod house;
mod notation;
#[cfg(unix)]
mod output;
mod readme;
mod said;
mod solve;
mod tables_command;

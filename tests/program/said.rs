//! What a command has said: its exit status, and what it wrote.

use serde_json::Value;
use std::process::Output;

pub fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("no exit status: {output:?}"))
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

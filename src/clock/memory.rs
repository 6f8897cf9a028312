//! How much memory the process holds and the machine has.

use std::fs;

/// Bytes resident now; 0 where the system does not tell.
pub fn resident() -> u64 {
    let page = 4096;
    fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|s| s.split_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(0, |pages| pages * page)
}

/// Greatest number of bytes resident so far; 0 where the system does not tell.
pub fn peak() -> u64 {
    field("/proc/self/status", "VmHWM:")
}

/// The limit where none is asked for: 80 % of the memory there is; `None` where the system does not
/// tell.
pub fn usual_limit() -> Option<u64> {
    Some(total() / 5 * 4).filter(|m| *m > 0)
}

/// Bytes of memory in the machine, or in the control group if that allows less.
pub fn total() -> u64 {
    let machine = field("/proc/meminfo", "MemTotal:");
    let group = fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|s| s.trim().parse::<u64>().ok());
    match group {
        Some(limit) if machine == 0 || limit < machine => limit,
        _ => machine,
    }
}

fn field(file: &str, name: &str) -> u64 {
    let Ok(text) = fs::read_to_string(file) else { return 0 };
    let line = text.lines().find(|l| l.starts_with(name));
    let kilobytes =
        line.and_then(|l| l[name.len()..].split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

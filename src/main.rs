use std::process::ExitCode;

fn main() -> ExitCode {
    burnside::cli::main(std::env::args_os())
}

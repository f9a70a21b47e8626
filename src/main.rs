//! The `judgelab` command. See [`judgelab`] for the library.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main()
}

//! The command line: what is typed, what is read and written, and the exit code. Only here are files opened and lines
//! printed.

mod allocate;
mod analyze;
mod certify;
mod check;
mod detect;
mod error;
mod export;
mod fit;
mod format;
mod interrupt;
mod keep;
mod list;
mod man;
mod merge;
mod output;
mod presets;
mod progress;
mod reading;
mod report;
mod run;
mod search;
mod shards;
mod size;
mod source;
mod status;
mod submit;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use error::Failure;

/// The version, with that of the random numbers.
static VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), judgelab::stream::VERSION));

/// What scripts may rely on.
const EXIT_CODES: &str = "\
Exit status:
  0    done, also when the reader of stdout has gone once the files stand
  1    a gate did not pass and --fail-on asked for it; the files stand
  2    something to mend: a scenario, the usage, a folder
  75   stopped by --max-time: what was done is saved, and --resume goes on
  130  interrupted: nothing is left half written; a run that lasted is saved, and --resume goes on
  143  terminated: the same";

/// A laboratory for the biases of automatic judges: plant a bias, run a protocol, see what is left and what could be seen.
#[derive(Debug, Parser)]
#[command(name = "judgelab", version = VERSION.as_str(), about, after_help = EXIT_CODES, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate scenarios and report how every rule did
    Run(run::Args),
    /// Put the shards of a run together: the files of the whole run, byte for byte
    Merge(merge::Args),
    /// Say what is done, missing or broken of a run in shards
    Status(status::Args),
    /// Write a script that runs a scenario on a cluster
    Submit(submit::Args),
    /// Name every mistake of scenarios, each with its line and its remedy
    Check(check::Args),
    /// State how every interval and test does in a scenario's designs, and which one to use
    Certify(certify::Args),
    /// Split a budget: pairs, judges and repeats; labels and calls; labels of two classes; one more judge
    #[command(subcommand)]
    Allocate(allocate::Args),
    /// The smallest bias that a test sees with the pairs at hand
    Detect(detect::DetectArgs),
    /// The pairs, cases or items that a bias needs to be seen
    Plan(detect::PlanArgs),
    /// Draw tables, charts and pages once more from recorded results, computing nothing
    Report(report::Args),
    /// Say what real verdict files show of position, length, agreement and self-preference, and what they could have shown
    Analyze(analyze::Args),
    /// Fit a judge and a world to a file of verdicts, check that they give its figures, and write them as a scenario
    Fit(fit::Args),
    /// List judge kinds, rules and shipped scenarios
    List,
    /// Write a commented scenario that runs
    New {
        /// The file to write; - prints it
        #[arg(default_value = "scenario.toml")]
        file: PathBuf,
        /// A published judge to start from; `list` names them
        #[arg(long, value_name = "NAME")]
        judge: Option<String>,
    },
    /// Print the JSON Schema of a scenario
    Schema,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

/// Runs the command; the exit code is 0 when done, 1 for a gate under `--fail-on`, 2 for what the user can mend, 75 when its time is over, 128 and the signal
/// when interrupted.
pub(crate) fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are no errors and go to stdout; a closed stdout is the reader's business.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let done = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Status(args) => status::status(&args),
        Command::Submit(args) => submit::submit(&args),
        Command::Check(args) => check::check(&args),
        Command::Certify(args) => certify::certify(&args),
        Command::Allocate(args) => allocate::allocate(&args),
        Command::Detect(args) => detect::detect(&args),
        Command::Plan(args) => detect::plan(&args),
        Command::Report(args) => report::report(&args),
        Command::Analyze(args) => analyze::analyze(&args),
        Command::Fit(args) => fit::fit(&args),
        Command::List => print(&list::list()),
        Command::New { file, judge } => new(&file, judge.as_deref()),
        Command::Schema => schema(),
        Command::Completions { shell } => completions(shell),
        Command::Man => man::man(Cli::command()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints results. A reader that has closed stdout has seen enough: that is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let why = source::plainly(&error);
            Err(Failure::User(format!(
                "stdout: the results cannot be written ({why}); send them elsewhere."
            )))
        }
        _ => Ok(()),
    }
}

const TEMPLATE: &str = include_str!("cli/new.toml");

fn new(file: &std::path::Path, judge: Option<&str>) -> Result<(), Failure> {
    let text = match judge {
        Some(name) => presets::preset(name)?.scenario(),
        None => TEMPLATE.to_owned(),
    };
    if file.as_os_str() == "-" {
        return print(&text);
    }
    output::write_new(file, text.as_bytes())?;
    print(&format!(
        "{0}: a scenario to start from. Run it with: judgelab run {0}\n",
        file.display()
    ))
}

fn schema() -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&judgelab::scenario::schema()).unwrap_or_default();
    print(&format!("{text}\n"))
}

fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "judgelab", &mut script);
    print(&String::from_utf8_lossy(&script))
}

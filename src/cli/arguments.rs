//! The arguments of the command line.

mod options;
mod values;

use crate::search::options::{FLOOD_LIMIT, memory_size, seconds, threads};
use crate::search::{
    Asserted, OnViolation, PorAnalysis, PorChoice, PorMethod, Refinement, Strategy, SymmetryMode,
};
use crate::state::WdGuards;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use values::{
    asserted, card, card_range, constant, integer, number_from, on_off, on_violation, por,
    por_analysis, por_choice, preference, refinement, runs, step_number, strategy, symmetry,
    wd_guards,
};

/// The name of the definition that `--goal GOAL` asks for.
pub const GOAL: &str = "GOAL";

#[derive(Parser, Debug)]
#[command(
    name = "burnside",
    version,
    about = "A workbench and symmetry-reducing model checker for machines in the B method",
    long_about = "A workbench and symmetry-reducing model checker for machines in the B method.\n\n\
        `burnside [FILE]` opens the workbench; when no file is named, machines that are part of the program are \
        offered. Where standard output is no terminal it checks the machine (a phonebook when none is named) and \
        prints the report.",
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 all checks hold, 1 something was found, 2 the input or the usage is \
        wrong or\nthe report cannot be written, 3 nothing found but incomplete or approximate, 130 interrupted,\n\
        143 terminated."
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The machine to open; `-` is standard input [default: one that is part of the program, to be chosen]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub include: IncludeOptions,
    /// Colours of the workbench: auto, dark, light, dark-256, light-256, mono, a name of yours, or a file ending
    /// in .toml [default: dark or light, as the terminal is]
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// Listen to the mouse in the workbench: a click selects, the wheel scrolls
    #[arg(long)]
    pub mouse: bool,
    /// Print the configuration of the workbench, with yours laid over the default, and where it comes from
    #[arg(long, conflicts_with_all = ["file", "print_keymap", "print_theme"])]
    pub print_config: bool,
    /// Print the keymap of the workbench in the same way
    #[arg(long, conflicts_with_all = ["file", "print_theme"])]
    pub print_keymap: bool,
    /// Print the theme of the workbench in the same way
    #[arg(long, conflicts_with = "file")]
    pub print_theme: bool,
    /// Whether reports are coloured: without it on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
    #[command(flatten)]
    pub options: CheckOptions,
    #[command(flatten)]
    pub report: ReportOptions,
}

// What a command takes is made when it is the one that is called: making all of it took a fifth of a short check. What
// is said of a group of options is a comment for that reason: as documentation it would be the first line of the help.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Command {
    /// Search the states of machines and report what was found
    Check {
        /// The machines; `-` is standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        include: IncludeOptions,
        #[command(flatten)]
        options: CheckOptions,
        #[command(flatten)]
        report: ReportOptions,
    },
    /// Count states and transitions for a range of set sizes, symmetry modes side by side
    Compare {
        #[command(flatten)]
        machine: MachineFile,
        #[command(flatten)]
        options: CompareOptions,
    },
    /// Time searches: transitions in a second, bytes for a state, shares of what is done
    Bench {
        /// Machines, or directories of machines
        #[arg(value_name = "DIR|FILE", required_unless_present = "peers")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        include: IncludeOptions,
        #[command(flatten)]
        options: BenchOptions,
    },
    /// Print which operations depend on each other and which enable which, and why
    Analyse {
        #[command(flatten)]
        machine: MachineFile,
        #[command(flatten)]
        options: AnalyseOptions,
    },
    /// Print how variables are held, in which order parameters are found, and what guards and bodies
    /// have become
    Explain {
        #[command(flatten)]
        machine: MachineFile,
        /// Only this operation
        #[arg(value_name = "OPERATION")]
        operation: Option<String>,
        #[command(flatten)]
        options: ExplainOptions,
    },
    /// Print the canonical matrix of a state
    Canon {
        #[command(flatten)]
        machine: MachineFile,
        /// The steps that lead to the state: numbers in the list of enabled transitions, from 1
        #[arg(long, value_delimiter = ',', value_name = "N,N,...", value_parser = step_number, allow_hyphen_values = true)]
        steps: Vec<usize>,
        #[command(flatten)]
        options: CanonOptions,
    },
    /// Evaluate expressions and predicates in a state: without steps, in the first initial one
    Eval {
        #[command(flatten)]
        machine: MachineFile,
        /// Expressions and predicates; names that nothing declares are free, and solved for;
        /// what begins with `-` stands behind `--`
        #[arg(value_name = "FORMULA", required = true)]
        formulas: Vec<String>,
        #[command(flatten)]
        options: EvalOptions,
    },
    /// Find the values of a machine's constants, or of the free names of a predicate
    Solve {
        /// The machine; `-` is standard input
        #[arg(required_unless_present = "predicate")]
        file: Option<PathBuf>,
        #[command(flatten)]
        include: IncludeOptions,
        #[command(flatten)]
        options: SolveOptions,
    },
    /// List the codes of all errors and warnings, and what each means
    Codes,
    /// Replay a trace file on the machine without symmetry reduction
    Replay {
        #[command(flatten)]
        machine: MachineFile,
        /// A file written by `check --trace`, the workbench or ProB 2, which does not say set sizes and preferences;
        /// `-` is standard input
        trace: PathBuf,
        #[command(flatten)]
        options: ReplayOptions,
    },
    /// Check a machine whenever one of its files is saved: one line for each run, with what has changed
    Watch {
        /// The machine
        file: PathBuf,
        #[command(flatten)]
        include: IncludeOptions,
        #[command(flatten)]
        options: CheckOptions,
    },
    /// Print a script that completes commands and options in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the tables of papers, each figure beside ours, which is searched for now
    Tables {
        #[command(flatten)]
        options: TablesOptions,
    },
}

// A machine, and where its files may be.
#[derive(Args, Debug, Clone)]
pub struct MachineFile {
    /// The machine; `-` is standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub include: IncludeOptions,
}

#[derive(Args, Debug, Clone, Default)]
pub struct IncludeOptions {
    /// A further directory that included files may come from, with those below it: without it they
    /// come from the machine's own; may be given several times
    #[arg(long, value_name = "DIR")]
    pub include_path: Vec<PathBuf>,
    /// Of a model of Event-B, the machine to check, with those that it refines [default: the most
    /// refined one]
    #[arg(long, value_name = "MACHINE")]
    pub level: Option<String>,
    /// Of a model of Event-B, the machine that is checked without those that it refines
    #[arg(long)]
    pub level_only: bool,
    /// External functions may read the files below the folder of the machine, such as tables (READ_CSV) and
    /// documents (READ_XML)
    #[arg(long)]
    pub allow_files: bool,
}

// Set sizes and preferences.
#[derive(Args, Debug, Clone, Default)]
pub struct ModelOptions {
    /// Size of a deferred set or set parameter; may be given several times
    #[arg(long, value_name = "SET=N", value_parser = card, allow_hyphen_values = true)]
    pub card: Vec<(String, u64)>,
    #[command(flatten)]
    pub preferences: PreferenceOptions,
}

#[derive(Args, Debug, Clone, Default)]
pub struct PreferenceOptions {
    /// Greatest implementable integer, MAXINT
    #[arg(long, value_name = "N", value_parser = integer, allow_hyphen_values = true)]
    pub maxint: Option<i64>,
    /// Least implementable integer, MININT
    #[arg(long, value_name = "N", value_parser = integer, allow_hyphen_values = true)]
    pub minint: Option<i64>,
    /// A preference, as the machine's SET_PREF definitions set it; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = preference, allow_hyphen_values = true)]
    pub pref: Vec<(String, String)>,
    /// The value of a constant or machine parameter, an expression; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = constant, allow_hyphen_values = true)]
    pub constant: Vec<(String, String)>,
    /// What a guard is taken for when a part of it is undefined and none is false: an error of the
    /// operation, or false, with a warning
    #[arg(long, value_name = "error|warn", value_parser = wd_guards(), default_value = "error", hide_possible_values = true)]
    pub wd_guards: WdGuards,
    /// Whether symmetric constants are fixed before the search
    #[arg(long, value_name = "on|off", value_parser = on_off(), default_value = "on", hide_possible_values = true)]
    pub static_symmetry: Switch,
    /// Seed of what is left to chance: external functions such as RANDOM, the mixed and the random strategy, and
    /// random choices
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_from(0u64), allow_hyphen_values = true)]
    pub seed: u64,
}

/// `on` or `off`, on by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl Default for Switch {
    fn default() -> Switch {
        Switch(true)
    }
}

/// Partial order reduction; `None` is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Por(pub Option<PorMethod>);

// When a search ends before it is through.
#[derive(Args, Debug, Clone, Default)]
pub struct SearchLimits {
    /// End after this many initialised states
    #[arg(long, value_name = "N", value_parser = number_from(1u64), allow_hyphen_values = true)]
    pub max_states: Option<u64>,
    #[command(flatten)]
    pub work: LimitOptions,
}

// When any piece of work does.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitOptions {
    /// End after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub timeout: Option<Duration>,
    /// End when the process holds this much: bytes, or with K, M, G [default: 80 % of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = memory_size, allow_hyphen_values = true)]
    pub memory: Option<u64>,
}

#[derive(Args, Debug, Clone)]
pub struct CheckOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    /// How states are identified: off, flood, canon (alias nauty), segmented, iso, sorted,
    /// exact-marker; approximate: marker (alias hash), approx-marker, flattened [default: canon where a
    /// set is symmetric]
    #[arg(long, value_name = "MODE", value_parser = symmetry(), hide_possible_values = true)]
    pub symmetry: Option<SymmetryMode>,
    /// Variable or constant that sorted and segmented sort by [default: the first that fits, for each
    /// symmetric set]
    #[arg(long, value_name = "NAME")]
    pub main_array: Option<String>,
    /// Greatest number of images of one state that flooding adds
    #[arg(long, value_name = "N", default_value_t = FLOOD_LIMIT, value_parser = number_from(0u64), allow_hyphen_values = true)]
    pub flood_limit: u64,
    /// How iso refines its colouring
    #[arg(long, default_value = "naive", value_parser = refinement())]
    pub iso_colouring: Refinement,
    /// iso does not refine its colouring by breaking symmetries
    #[arg(long)]
    pub no_symmetry_breaking: bool,
    /// Run canon beside an approximate mode and count the orbits that it misses
    #[arg(long)]
    pub measure_precision: bool,
    /// Order of the search
    #[arg(long, default_value = "bfs", value_parser = strategy())]
    pub strategy: Strategy,
    /// Threads that work on a breadth-first search [default: all processors]
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub threads: Option<usize>,
    /// Partial order reduction: follow a part of the enabled operations where the others may wait, by ample
    /// or by stubborn sets
    #[arg(long, value_name = "off|ample|stubborn", value_parser = por(), default_value = "off", hide_possible_values = true)]
    pub por: Por,
    /// Which of the sets of a state is taken: a smallest one, the first, or that of a random instance
    #[arg(long, value_name = "smallest|first|random", value_parser = por_choice(), default_value = "smallest", hide_possible_values = true)]
    pub por_choice: PorChoice,
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    /// Do not look for deadlocks
    #[arg(long)]
    pub no_deadlock: bool,
    /// Do not check the invariant and the assertions
    #[arg(long)]
    pub no_invariant: bool,
    /// When the assertions are asked: when a state is taken up but for those that take long, all at once, when the states
    /// were found, or never
    #[arg(long, value_name = "auto|now|last|off", value_parser = asserted(), default_value = "auto", hide_possible_values = true)]
    pub assertions: Asserted,
    /// End where this predicate holds; `GOAL` takes the machine's definition
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub goal: Option<String>,
    /// What follows when a state violates the invariant or an assertion [default: stop]
    #[arg(long, value_name = "ACTION", value_parser = on_violation(), conflicts_with = "keep_going")]
    pub on_violation: Option<OnViolation>,
    /// Count and expand violating states, and go past goals and deadlocks
    #[arg(long)]
    pub keep_going: bool,
    #[command(flatten)]
    pub limits: SearchLimits,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

// What a report has in it, where there is one.
#[derive(Args, Debug, Clone, Default)]
pub struct ReportOptions {
    /// Write the counterexample to this file, in the form of ProB 2 where its name ends in .prob2trace; `-` is
    /// standard output, and then the report goes to standard error
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Say of each set how its size was chosen, which elements are fixed, and whether it is symmetric
    #[arg(long)]
    pub explain_symmetry: bool,
    /// Print nothing but the verdict, and no progress
    #[arg(long)]
    pub quiet: bool,
    /// End with status 2 instead of 0 or 3 when there are warnings, those of the search included
    #[arg(long)]
    pub deny_warnings: bool,
}

// How much the analysis for partial order reduction finds out.
#[derive(Args, Debug, Clone)]
pub struct AnalysisOptions {
    /// What places and ranges leave open about two operations is asked of the solver, or is not
    #[arg(long, value_name = "solver|syntactic", value_parser = por_analysis(), default_value = "solver", hide_possible_values = true)]
    pub por_analysis: PorAnalysis,
    /// Longest time for one question to the solver
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "0.05", allow_hyphen_values = true)]
    pub por_query_time: Duration,
}

#[derive(Args, Debug, Clone)]
pub struct AnalyseOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    /// Nobody asks the invariant and the assertions
    #[arg(long)]
    pub no_invariant: bool,
    /// Somebody asks for this predicate; `GOAL` takes the machine's definition
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub goal: Option<String>,
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = AnalysisFormat::Text)]
    pub format: AnalysisFormat,
}

#[derive(Args, Debug, Clone)]
pub struct ExplainOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Args, Debug, Clone)]
pub struct CanonOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    /// Show how the labelling came about: every step of the refinement, the choices of the search
    /// tree, the generators
    #[arg(long)]
    pub explain: bool,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Args, Debug, Clone)]
pub struct ReplayOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Print nothing but the verdict
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug, Clone)]
pub struct EvalOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// The steps that lead to the state: numbers in the list of enabled transitions, from 1
    #[arg(long, value_delimiter = ',', value_name = "N,N,...", value_parser = step_number, allow_hyphen_values = true)]
    pub steps: Vec<usize>,
    /// The state that this trace leads to, with its set sizes, where it says them; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "steps")]
    pub trace: Option<PathBuf>,
    /// The state after so many steps of the trace [default: all]
    #[arg(long, value_name = "N", value_parser = number_from(0usize), requires = "trace")]
    pub at: Option<usize>,
    /// Form of the answers
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Args, Debug, Clone)]
pub struct SolveOptions {
    /// A predicate instead of a machine, or over its sets, constants and definitions; what it does not bind is solved for
    #[arg(short = 'e', long, value_name = "PREDICATE", allow_hyphen_values = true)]
    pub predicate: Option<String>,
    /// All solutions [default: the first one]
    #[arg(long, conflicts_with = "first")]
    pub all: bool,
    /// So many solutions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_from(1usize))]
    pub first: usize,
    /// The solution for which this expression, an integer, is least
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true, conflicts_with_all = ["all", "first"])]
    pub minimise: Option<String>,
    /// The solution for which it is greatest
    #[arg(long, value_name = "EXPRESSION", allow_hyphen_values = true, conflicts_with_all = ["all", "first", "minimise"])]
    pub maximise: Option<String>,
    /// What propagation leaves before anything is tried, too: what each name may be, and the constraints that may still
    /// be false
    #[arg(long, conflicts_with_all = ["minimise", "maximise"])]
    pub constraints: bool,
    #[command(flatten)]
    pub model: ModelOptions,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Form of the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Args, Debug, Clone)]
pub struct CompareOptions {
    /// Sizes, for example `Name,Code=1..6`: sets joined by a comma move in step, several options
    /// multiply
    #[arg(long, value_name = "SETS=N..M", value_parser = card_range, allow_hyphen_values = true)]
    pub card: Vec<CardRange>,
    /// The modes to compare
    #[arg(long, value_name = "MODES", value_delimiter = ',', value_parser = symmetry(), default_value = "off,canon", hide_possible_values = true)]
    pub symmetry: Vec<SymmetryMode>,
    /// Each of the modes with each of these: off, ample, stubborn
    #[arg(long, value_name = "METHODS", value_delimiter = ',', value_parser = por(), default_value = "off", hide_possible_values = true)]
    pub por: Vec<Por>,
    /// Which of the sets of a state is taken: a smallest one, the first, or that of a random instance
    #[arg(long, value_name = "smallest|first|random", value_parser = por_choice(), default_value = "smallest", hide_possible_values = true)]
    pub por_choice: PorChoice,
    #[command(flatten)]
    pub analysis: AnalysisOptions,
    #[command(flatten)]
    pub preferences: PreferenceOptions,
    #[command(flatten)]
    pub limits: SearchLimits,
    /// Do not look for deadlocks
    #[arg(long)]
    pub no_deadlock: bool,
    /// Do not check the invariant and the assertions
    #[arg(long)]
    pub no_invariant: bool,
    /// Go on from states that violate something
    #[arg(long)]
    pub keep_going: bool,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug, Clone)]
pub struct BenchOptions {
    #[command(flatten)]
    pub model: ModelOptions,
    /// How states are identified, as for `check`
    #[arg(long, value_name = "MODE", value_parser = symmetry(), hide_possible_values = true)]
    pub symmetry: Option<SymmetryMode>,
    /// Threads of each search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads, allow_hyphen_values = true)]
    pub threads: usize,
    /// Searches of each machine, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = runs, allow_hyphen_values = true)]
    pub runs: u32,
    /// Do not check the invariant and the assertions
    #[arg(long)]
    pub no_invariant: bool,
    #[command(flatten)]
    pub limits: SearchLimits,
    /// Figures to compare with: what `--format json` wrote before
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Run the model checkers that are installed on the same systems: SPIN and rumur on three of ours, for
    /// which no file is named, TLC4B on any
    #[arg(long, conflicts_with = "max_states")]
    pub peers: bool,
    /// Folder with the jars of TLC4B
    #[arg(long, value_name = "DIR", requires = "peers")]
    pub tlc4b: Option<PathBuf>,
    /// Form of the table
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
}

#[derive(Args, Debug, Clone)]
pub struct TablesOptions {
    /// Tables by name, or by a part of their names [default: all]
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Print the names of the tables and what they are about
    #[arg(long)]
    pub list: bool,
    /// Do the large searches, too, which take minutes
    #[arg(long)]
    pub full: bool,
    /// Folder with packages of Event-B that a table is about and that are no part of this program
    #[arg(long, value_name = "DIR")]
    pub packages: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Form of the tables
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
    /// No progress
    #[arg(long)]
    pub quiet: bool,
}

/// When reports are coloured.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Text,
    Json,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalysisFormat {
    Text,
    Json,
    /// A graph for graphviz.
    Dot,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TableFormat {
    Text,
    Json,
    Csv,
}

/// Sets that have the same size, and the sizes they take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardRange {
    pub sets: Vec<String>,
    pub first: u64,
    pub last: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_of_a_command_begins_with_what_it_does() {
        let said = |command: &clap::Command| command.get_about().map(ToString::to_string);
        let mut built = Arguments::command();
        built.build();
        for command in Arguments::command().get_subcommands() {
            let built = built.find_subcommand(command.get_name()).expect("the same commands");
            assert_eq!(said(built), said(command), "{}", command.get_name());
            assert!(said(built).is_some(), "{}", command.get_name());
        }
    }
}

//! burnside: a workbench and a symmetry-reducing model checker for machines written in the B method.
//!
//! # The map of the house
//!
//! A machine goes down one line, once. Each room may use the rooms above it and none below.
//!
//! | room | what it does | what it hands on |
//! |---|---|---|
//! | [`stack`] | room for deep recursion | |
//! | [`sync`] | what threads share, and a model checker's in its place for tests | |
//! | [`printable`] | text that is safe on a terminal, wherever it comes from | `Painted` |
//! | [`source`], [`diagnostic`] | files, lines, spans; what is wrong with an input | `Sources`, `Diagnostic` |
//! | [`clock`] | one way to ask "stop?": time, memory, interruption, in every room | `Clock`, `Halted` |
//! | [`syntax`] | text to syntax tree, and back | `MachineFile`, `Node` |
//! | [`eventb`] | Rodin projects and packages of Event-B to the same tree | `MachineFile` |
//! | [`machine`] | the typed machine: sets, constants, variables, operations; footprints | |
//! | [`typing`] | names, types, definitions; several files become one machine | `Typed` |
//! | [`normalise`] | passes over the typed machine that know no syntax: abbreviations, infinite sets, guards apart from bodies | `Machine` |
//! | [`value`] | values of B: their shapes once set sizes are known, operators, order, printing | `Shape`, `Value` |
//! | [`state`] | how a valuation becomes a few machine words; interning | `Layout`, `Interner` |
//! | [`constraint`] | domains, propagators, search: candidates for the solutions of predicates | `Problem` |
//! | [`lower`] | the lowered form: words, tests and writes as trees, partial and total, and the frame they work on | `Word`, `Test`, `Write`, `Env` |
//! | [`eval`] | from the typed machine to lowered code: plans, solutions of predicates, substitutions; running it | `Program`, `Evaluator` |
//! | [`symmetry`] | the group, the state graph, canonical labelling | `Group`, `Labelling` |
//! | [`reduce`] | one file per reduction: from a state to the one that stands for it | `Reduction`, `Worker` |
//! | [`store`] | one file per store: has this state been seen? | `Store`, `Visited` |
//! | [`setup`] | set sizes, preferences, constants, initial states | `Instance` |
//! | [`independence`] | partial order reduction: dependence, enabling, ample and stubborn sets | `Analysis`, `Chooser` |
//! | [`run`] | runs of the machine: labels and changes as values | `Run`, `Step`, `Label` |
//! | [`search`] | strategies, checks, limits, statistics, traces | `SearchOptions`, `Report` |
//! | [`report`] | one result, rendered as text, JSON or CSV; steps of runs as text | |
//! | [`session`] | load, search, result for one file; reload; stepping. Knows no terminal | `Session` |
//! | [`watch`] | which files changed | |
//! | [`tui`] | the workbench | |
//! | [`cli`] | the command line; opens the workbench | |
//!
//! # Invariants of the house
//!
//! * Imports point up this table (held by `tests/program/house.rs`). Nothing above `watch` knows ratatui,
//!   crossterm, notify, clap or anyhow, and nothing above `tui` prints.
//! * `syntax` and `typing` never panic on any input; they report as many errors as they can, each
//!   with a span.
//! * A value is read through its [`value::Shape`], a packed state through its [`state::Layout`];
//!   neither carries its type with it. Both are exact: equal words, equal values.
//! * Numbers of interned values say equal or not and nothing else. No order by intern number, and no
//!   iteration over a hash table, reaches a canonical form, a count, a trace or the screen.
//! * A loop that the input makes long counts its turns ([`clock::tick`], [`clock::spend`],
//!   [`clock::work`]), so that limits and Ctrl-C end it in every phase, from the reading of the files to
//!   the trace.
//! * What a run did are values; text is made of them in `report` and `tui` only, and what is read back is
//!   compared as values.
//! * A verdict says whether it is complete, bounded (and by what) or approximate.
//! * A breadth-first search with the same options gives the same counts and the same counterexample
//!   every time, whatever the number of threads.
//! * What users are told is in `README.md` and in `docs/` (language, Event-B, command line, methods, performance, a walk through the workbench);
//!   `tests/program/readme.rs` runs the commands shown there and follows the links.

pub mod cli;
pub mod clock;
pub mod constraint;
pub mod diagnostic;
pub mod eval;
pub mod eventb;
pub mod independence;
pub mod lower;
pub mod machine;
pub mod normalise;
pub mod printable;
pub mod reduce;
pub mod report;
pub mod run;
pub mod search;
pub mod session;
pub mod setup;
pub mod source;
pub mod stack;
pub mod state;
pub mod store;
pub mod symmetry;
pub mod sync;
pub mod syntax;
pub mod tui;
pub mod typing;
pub mod value;
pub mod watch;

//! Passes over the typed machine that know no syntax: what they leave is what every room below works on.
//!
//! | file | subject |
//! |---|---|
//! | [`destructors`], [`freetypes`] | where values of free types are taken apart; which of them are infinite |
//! | [`abbreviate`], [`cases`], [`made`], [`endless`] | constants with an infinite value; those told case by case, also by constructors; what is infinite |
//! | [`claimed`] | what is said of such a value, said of its members |
//! | [`notation`] | where sequences are meant, `[]` and not `{}` |
//! | [`forms`], [`symbolic`], [`recursive`], [`vast`] | simpler forms of infinite sets; where they are kept as values; those that mention themselves; finite ones that may be too large to be built |
//! | [`outline`], [`alike`] | what a set is by the form of its text; sets that are described alike |
//! | [`decided`], [`results`] | whether an infinite set is in another one, as far as their forms tell; whether what a function gives is in a set |
//! | [`products`] | infinite functions and sets that are put together |
//! | [`named`] | names of sets of functions, read as what they stand for |
//! | [`names`] | tuples of bound names, what each is of a whole, new ones |
//! | [`holders`] | what may hold such a value |
//! | [`identities`], [`truths`] | identities that are said to be functions; predicates that are compared with a truth |
//! | [`taken`], [`backwards`] | simpler forms of what is found backwards; inverses of infinite functions, and what is composed with them |
//! | [`unending`] | sets of integers that are infinite for certain |
//! | [`asymmetric`] | sets whose elements external functions tell apart |
//! | [`guards`] | what enables an operation, and what it does then |
//!
//! Machines are loaded and formulas typed by way of this room, so that nobody meets one that has not been
//! through it.

mod abbreviate;
mod alike;
pub mod asymmetric;
mod backwards;
mod cases;
mod claimed;
mod decided;
mod destructors;
mod endless;
mod forms;
mod freetypes;
mod guards;
mod holders;
mod identities;
mod made;
mod named;
mod names;
mod notation;
mod outline;
mod products;
mod recursive;
mod results;
mod symbolic;
mod taken;
mod truths;
mod unending;
pub mod vast;

use crate::clock::{Phase, enter};
use crate::diagnostic::Diagnostic;
use crate::machine::visit::Visitor;
use crate::machine::{Asked, Expr, Local, Machine, Pred, Question, StandAlone};
use crate::source::Sources;
use crate::stack;
use crate::typing::{self, Formula, Loaded, ReadOptions, Typed};
use std::path::Path;
use std::sync::Arc;

pub use backwards::composed;
pub use backwards::restricted;
pub use decided::{Given, decide};
pub use endless::literal;
pub use forms::whole;
pub(crate) use outline::{arguments, domain};
pub use unending::{goes_on, is_unending, is_unending_for};

/// Whether a set is infinite or looks so: a comprehension may have few members all the same.
pub fn looks_infinite(set: &Expr) -> bool {
    endless::is_endless(set, &endless::Values::new())
}

/// Loads a machine from a file, with the machines and files of definitions it refers to.
pub fn load_machine(path: &Path) -> Loaded {
    load_including(path, &ReadOptions::default())
}

/// The same, where files that are included may also come from some other folders and those below
/// them. Without that they come from the folder of the machine.
pub fn load_including(path: &Path, options: &ReadOptions) -> Loaded {
    stack::large(|| normalised(typing::from_path(path, options)))
}

/// The same for a machine whose bytes were read already: it counts as a file of this name in the
/// working directory.
pub fn load_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Loaded {
    stack::large(|| normalised(typing::from_bytes(name, bytes, options)))
}

/// Loads a machine from a text, under the name it shall have in messages. References to other files
/// are errors.
pub fn load_text(name: &str, text: &str) -> Loaded {
    load_text_under(name, text, &ReadOptions::default())
}

/// The same with options: of these only preferences matter.
pub fn load_text_under(name: &str, text: &str, options: &ReadOptions) -> Loaded {
    stack::large(|| normalised(typing::from_text(name, text, options)))
}

fn normalised(loaded: Loaded<Typed>) -> Loaded {
    let Loaded { machine, sources, missing, others, mut diagnostics, definitions } = loaded;
    enter(Phase::Typing);
    let machine = machine.map(|typed| {
        let (machine, found) = machine_of(typed, &sources);
        diagnostics.extend(found);
        machine
    });
    typing::in_order(&mut diagnostics);
    Loaded { machine, sources, missing, others, diagnostics, definitions }
}

/// All passes, and what there is to say about what they found.
fn machine_of(typed: Typed, sources: &Sources) -> (Machine, Vec<Diagnostic>) {
    let Typed { mut machine, writes, marked, symbolic } = typed;
    destructors::mark(&mut machine);
    freetypes::decide(&mut machine);
    predicates(&mut |visitor| visitor.machine(&mut machine));
    let mut diagnostics = abbreviate::abbreviate(&mut machine);
    machine.notations = notation::declared(&mut machine);
    forms::simplify(&mut machine);
    freetypes::mark(&mut machine);
    taken::simplify(&mut machine);
    named::unfold(&mut machine);
    symbolic::keep_infinite_sets(&mut machine, &marked, symbolic, sources);
    diagnostics.extend(typing::unaffected_invariants(&machine, &writes));
    machine.asymmetric = asymmetric::found(&mut machine);
    guards::split(&mut machine);
    (machine, diagnostics)
}

/// Types a predicate that was typed in, against a machine. `elements` gives, per set of the machine,
/// the names of the elements of the sets that are sized at set-up (empty where there are none); they
/// become [`crate::machine::ExprKind::Element`].
///
/// # Errors
/// At least one diagnostic, with spans of the formula.
pub fn type_predicate(
    machine: &Machine,
    elements: &[Vec<Arc<str>>],
    formula: &Formula,
) -> Result<StandAlone, Vec<Diagnostic>> {
    stack::large(|| {
        let mut typed = typing::predicate(machine, elements, formula)?;
        alone(machine, &mut typed.locals, &mut |visitor| visitor.pred(&mut typed.pred));
        Ok(typed)
    })
}

/// Types a formula that was typed in to be evaluated: an expression, or a predicate, in which names that
/// nothing declares are free. `sources` has the formula among the machine's texts.
///
/// # Errors
/// At least one diagnostic, with spans of the formula.
pub fn type_question(
    machine: &Machine,
    elements: &[Vec<Arc<str>>],
    formula: &Formula,
    sources: &Sources,
) -> Result<Question, Vec<Diagnostic>> {
    stack::large(|| {
        let mut question = typing::question(machine, elements, formula)?;
        let mut walk = |visitor: &mut Visitor<'_>| match &mut question.asked {
            Asked::Expression(e, _) => visitor.expr(e),
            Asked::Predicate(p, _) => visitor.pred(p),
        };
        alone(machine, &mut question.locals, &mut walk);
        question.notations = notation::in_question(machine, &mut question.asked);
        symbolic::keep_in_question(machine, &mut question, sources);
        Ok(question)
    })
}

/// Simplifies the predicates of what `walk` goes through, one by one.
fn predicates(walk: &mut dyn FnMut(&mut Visitor<'_>)) {
    let mut simple = |p: &mut Pred| {
        truths::simple(p);
        identities::simple(p);
    };
    walk(&mut Visitor { expr: &mut |_| {}, binder: None, pred: Some(&mut simple), subst: None });
}

/// The passes over a formula that was typed against a machine. New locals are appended to `locals`, which
/// continue the machine's.
fn alone(machine: &Machine, locals: &mut Vec<Local>, walk: &mut dyn FnMut(&mut Visitor<'_>)) {
    destructors::mark_in(walk);
    freetypes::mark_in(machine, walk);
    predicates(walk);
    abbreviate::in_formula(machine, locals, walk);
    forms::simplify_formula(machine.locals.len(), locals, walk);
    freetypes::mark_in(machine, walk);
    taken::simplify_formula(machine.locals.len(), locals, walk);
}

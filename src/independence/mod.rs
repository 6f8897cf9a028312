//! Partial order reduction: which transitions of a state may wait.
//!
//! | file | subject |
//! |---|---|
//! | [`range`], [`scalar`] | sets of integers; formulas that say something about one number at one place |
//! | [`facts`], [`constants`] | what is true in every reachable state; the constants, where there is one set-up |
//! | [`operation`], [`relation`] | operations by the places they touch; dependence and enabling, with reasons |
//! | [`paths`], [`draft`], [`prover`] | ways through bodies; what is left open, put together and asked of the solver |
//! | [`question`] | what is asked of states, and which operations can change an answer |
//! | [`pattern`], [`leads`], [`numbered`] | sets of instances; links between them; the same by numbers |
//! | [`sets`] | ample and stubborn sets of one state |
//! | [`listed`], [`hope`], [`choose`] | what a state enables; where no set can be smaller; which of them is taken |
//!
//! A search that follows in each state a chosen set of the enabled instances of operations finds a
//! deadlock, a violation, an error or a goal exactly if the full search does, under conditions known
//! from Valmari (stubborn sets) and Peled (ample sets); for B they are those of Dobrikov and Leuschel, with
//! these differences.
//!
//! * An *instance* is an operation with its arguments. What an ANY, a CHOICE or `::` chooses makes one
//!   instance with a set of successors, which are followed all or none. Instances, not operations,
//!   are independent, are enabled and are chosen. Those that are disabled are too many to be listed:
//!   [`pattern::Pattern`] stands for all that share some arguments.
//! * An instance that ends in an error counts as enabled, and as one that changes an answer. (It
//!   depends on the places that it reads, as any other does, and nothing is looked for behind it.) What is
//!   chosen is chosen before it is carried out; only where the body decides whether there is an outcome
//!   it is carried out first, and a state where that ends in an error is expanded fully.
//! * (A1) some enabled instance is chosen.
//! * (A2) no instance that depends on a chosen one can be carried out before a chosen one is. *Stubborn*: with
//!   an enabled instance all that depend on it are in the set; with a disabled one all that can make a
//!   conjunct of its guard true which is false now, whether or not they leave it disabled for
//!   another conjunct, which may become true later. Independence as defined in [`relation`] is enough: a
//!   chosen instance that is enabled stays so while others are carried out, by induction over them.
//!   *Ample*: the set is closed under dependence among the enabled instances (A2.1), and no enabled
//!   instance outside of it begins a chain of instances, each of which can enable the next, to one
//!   that depends on the set (A2.2). The paper asks that of operations; one instance of
//!   an operation may be enabled while another that depends on the set is not.
//! * (A3) unless all enabled instances are chosen, no chosen one changes an answer, true or false, in any
//!   state. The paper would let those pass that keep the invariant. With `x, y = 0, 0` and
//!   `e: x = 0 -> x := 1`, `a: y = 0 -> y := 1` and the invariant `not(x = 1 & y = 0)`, `a` keeps it
//!   always, and taking `a` first misses that `e` breaks it.
//! * (A4) every cycle of the reduced graph has a state in which all are chosen. By numbers: where a chosen
//!   successor has a number that is not greater than that of its source, all are. The numbers
//!   grow along every other transition, so that there is no cycle of those, whatever the order of the
//!   search, whatever queue the successor is in and whichever thread has expanded its source; under symmetry
//!   they are the numbers of representatives. Depth-first it is enough that no chosen successor is on the
//!   path to its source. So an instance that leaves the state as it is, whatever state it is, is in no set. (The paper looks whether the successor still waits in the queue: a cycle of two states
//!   taken last in, first out is never expanded fully.)
//! * Where no operation changes an answer, as where only deadlocks are looked for, (A3) and (A4) ask for
//!   nothing: (A1) and (A2) keep every deadlock (Valmari).
//! * Any state may be expanded fully: all that it enables satisfies every condition. So a search may leave states
//!   untried, for whatever reason.
//! * The SCOPE is a conjunct of every guard.
//! * What is known of values and functions is proved from the initialisation and the operations
//!   ([`facts`]), so that it does not matter what is checked and whether the search goes on behind a
//!   violation. The invariant is assumed in questions to the solver, of the state before, only where the
//!   search ends at the first violation. A run to the first state that violates it goes through states in
//!   which it holds, and so do those that only put invisible instances in another order, since these
//!   change no answer. Where violating states are not expanded, such runs avoid the same states.
//! * With symmetry a set is chosen for the representative, from all of its enabled instances. A run from a
//!   state is, renamed, one from its representative, and in each state any set will do that
//!   satisfies the conditions there.

pub mod choose;
pub mod constants;
pub mod draft;
pub mod facts;
pub mod hope;
pub mod leads;
pub mod listed;
pub mod numbered;
pub mod operation;
pub mod paths;
pub mod pattern;
pub mod prover;
pub mod question;
pub mod range;
pub mod relation;
pub mod scalar;
pub mod sets;

use crate::eval::Topic;
use crate::eval::bodies::faults::Faults;
use crate::machine::visit::Visitor;
use crate::machine::{Expr, OpId, Places, Pred, Subst, SubstKind};
use crate::setup::Model;
use crate::state;
use facts::Facts;
use hope::Draws;
use leads::Leads;
use operation::Operation;
use prover::{Asking, Prover};
use question::{Question, Visible};
use relation::{Analyser, Link, Matrix, Relations};
use scalar::Scalars;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use choose::{Choice, Chooser, Chosen, Explained, Method};
pub use listed::Listed;
pub use pattern::Instance;

/// How far an analysis goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Means {
    /// What places and ranges leave open is asked of the solver.
    #[default]
    Solver,
    /// Places and ranges alone.
    Syntactic,
}

impl Means {
    pub const ALL: [Means; 2] = [Means::Solver, Means::Syntactic];

    pub fn name(self) -> &'static str {
        match self {
            Means::Solver => "solver",
            Means::Syntactic => "syntactic",
        }
    }
}

/// What an analysis is made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Whether the invariant is asked.
    pub invariant: bool,
    /// Whether the assertions are.
    pub assertions: bool,
    /// Whether the invariant holds in every state that is expanded: it is checked, and the search ends where
    /// it fails.
    pub assumes: bool,
    pub means: Means,
    /// Longest time for one question to the solver.
    pub query_time: Duration,
}

/// Time for one question to the solver, unless another is given.
pub const QUERY_TIME: Duration = Duration::from_millis(50);

impl Asked {
    /// With the solver, where nothing may be assumed.
    pub fn plainly(invariant: bool) -> Asked {
        let (assertions, means) = (invariant, Means::Solver);
        Asked { invariant, assertions, assumes: false, means, query_time: QUERY_TIME }
    }
}

/// Analyses of one model, each made once for all searches that ask the same.
#[derive(Default)]
pub struct Analyses(Mutex<Vec<Made>>);

/// What was asked, what is known, and how many seconds that took.
type Made = (Asked, Arc<Analysis>, f64);

impl std::fmt::Debug for Analyses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Analyses")
    }
}

impl Analyses {
    /// The analysis of the model, and how many seconds it took when it was made.
    pub fn of(&self, model: &Model, asked: &Asked) -> (Arc<Analysis>, f64) {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = all().iter().find(|(a, ..)| a == asked).map(|(_, known, s)| (known.clone(), *s));
        made.unwrap_or_else(|| {
            let started = Instant::now();
            let known = Arc::new(Analysis::new(model, asked));
            let seconds = started.elapsed().as_secs_f64();
            all().push((*asked, known.clone(), seconds));
            (known, seconds)
        })
    }
}

/// What is known of the operations of a machine before the search.
pub struct Analysis {
    pub relations: Relations,
    pub questions: Vec<Question>,
    /// Of each operation, why it changes an answer.
    pub visible: Vec<Option<Visible>>,
    /// What became of the questions to the solver, where it was asked.
    pub asking: Option<Asking>,
    /// Of each operation, whether it may be in no set: it changes an answer; or it writes nothing, and so leads from
    /// each state to itself, where (A4) asks for something.
    barred: Vec<bool>,
    /// Of each operation, what depends on it.
    dependents: Vec<Vec<Linked>>,
    leads: Leads,
    draws: Arc<Draws>,
}

/// An operation, and how one that is known is linked to it.
type Linked = (usize, Link);

impl Analysis {
    pub fn new(model: &Model, asked: &Asked) -> Analysis {
        let program = &model.program;
        let bare = (!asked.invariant).then(|| without_claims(&program.instance));
        let instance = bare.as_ref().unwrap_or(&program.instance);
        let faults = Faults::new(instance, program.layout.clone());
        let solves = asked.means == Means::Solver;
        let set_up = solves.then(|| constants::only_set_up(program)).flatten();
        let scalars = Scalars::new(instance, set_up.as_deref());
        let facts = Facts::find(&scalars, set_up.as_deref());
        let scope = instance.machine.scope.as_ref();
        let scope = scope.map(|p| Places::read_by(&instance.machine, p));
        let operations: Vec<Operation> = program
            .visible_operations()
            .map(|id| Operation::new(id, &faults, &scalars, &facts, scope.as_ref()))
            .collect();
        let analyser = Analyser { scalars: &scalars, facts: &facts };
        let questions = question::questions(program, &faults, &scalars, &facts, asked);
        let mut relations = analyser.relations(operations);
        let mut prover = solves.then(|| {
            let assumed = program.questions.of(Topic::Invariant).iter();
            let assumed = assumed.filter(|_| asked.assumes).map(|q| q.conjunct.pred.clone());
            let (known, assumed) = ((&scalars, &facts), assumed.collect());
            Prover::new(program, known, set_up.clone(), assumed, asked.query_time)
        });
        if let Some(prover) = &mut prover {
            prover.refine(&mut relations);
        }
        let visible: Vec<Option<Visible>> = relations
            .operations
            .iter()
            .map(|o| {
                let refuted = |p: &Pred| prover.as_mut().is_some_and(|s| s.never_changes(o, p));
                question::visible(&analyser, o, &questions, refuted)
            })
            .collect();
        let asking = prover.map(|prover| prover.asking());
        let count = relations.operations.len();
        let dependents: Vec<Vec<Linked>> = (0..count)
            .map(|a| {
                let all = (0..count).flat_map(|b| {
                    relations.dependent.between(a, b).iter().map(move |link| (b, link.clone()))
                });
                all.collect()
            })
            .collect();
        let by_conjuncts = |matrix: &Matrix| -> Vec<Vec<Vec<Linked>>> {
            (0..count).map(|b| enablers(&relations, matrix, b)).collect()
        };
        let (enablers, verifiers) =
            (by_conjuncts(&relations.enables), by_conjuncts(&relations.verifies));
        let leads = Leads::new(&dependents, &enablers, &verifiers);
        let has_visible = visible.iter().any(Option::is_some);
        let barred: Vec<bool> = relations
            .operations
            .iter()
            .zip(&visible)
            .map(|(o, visible)| visible.is_some() || has_visible && o.writes.is_empty())
            .collect();
        let draws = Arc::new(Draws::new(&relations.operations, &barred, &dependents));
        Analysis { relations, questions, visible, asking, barred, dependents, leads, draws }
    }

    /// Whether there is a state in which a part of what is enabled may be chosen, for all that is known before
    /// the search.
    pub fn has_hope(&self) -> bool {
        !self.draws.leave_no_hope()
    }

    /// Whether an operation leaves each state as it is.
    pub fn is_idle(&self, operation: usize) -> bool {
        self.relations.operations[operation].writes.is_empty()
    }

    /// Number of an operation here.
    pub fn number(&self, id: OpId) -> Option<usize> {
        self.relations.operations.iter().position(|o| o.id == id)
    }

    /// Whether two instances may depend on each other.
    pub fn may_depend(&self, a: &Instance, b: &Instance) -> bool {
        is_related(self.relations.dependent.between(a.operation, b.operation), a, b)
    }

    /// Whether one instance may enable another.
    pub fn may_enable(&self, a: &Instance, b: &Instance) -> bool {
        is_related(self.relations.enables.between(a.operation, b.operation), a, b)
    }

    /// Whether some operation changes an answer: then (A3) and (A4) ask for something.
    pub fn has_visible(&self) -> bool {
        self.visible.iter().any(Option::is_some)
    }
}

/// Whether one of these links between their operations is one between two instances.
fn is_related(links: &[Link], a: &Instance, b: &Instance) -> bool {
    let from = a.pattern();
    links.iter().any(|link| {
        let to = from.follow(link, b.operation, b.arguments.len());
        to.is_some_and(|p| p.contains(b))
    })
}

/// For each conjunct of an operation's guard, what can make it true.
fn enablers(relations: &Relations, matrix: &Matrix, b: usize) -> Vec<Vec<(usize, Link)>> {
    let mut all = vec![Vec::new(); relations.operations[b].guard.len()];
    for a in 0..relations.operations.len() {
        for link in matrix.between(a, b) {
            if let relation::Reason::Enables(i, _) = link.reason {
                all[i].push((a, link.clone()));
            }
        }
    }
    all
}

/// The machine without what its events claim of themselves and happen beside all the same: nothing asks for it
/// where the invariant is not asked.
fn without_claims(instance: &state::Instance) -> state::Instance {
    let mut machine = (*instance.machine).clone();
    let claims = &machine.claims;
    let mut leave_out = |s: &mut Subst| {
        if let SubstKind::Assert(Some(id), _, rest) = &mut s.kind
            && !claims[id.0 as usize].kind.ends_event()
        {
            *s = (**rest).clone();
        }
    };
    for operation in Arc::make_mut(&mut machine.operations) {
        let (expr, subst) =
            (&mut |_: &mut Expr| {}, Some(&mut leave_out as &mut dyn FnMut(&mut Subst)));
        Visitor { expr, binder: None, pred: None, subst }.operation(operation);
    }
    state::Instance { machine: Arc::new(machine), ..instance.clone() }
}

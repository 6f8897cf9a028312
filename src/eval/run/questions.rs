//! What is asked of every state: the SCOPE, the conjuncts of the invariant and of the assertions, the
//! goal. One list of questions, each compiled for itself: one more can be asked of a machine that is
//! there ([`Program::ask`]).

use super::program::Program;
use crate::eval::compile::Compiler;
use crate::eval::once::known::Known;
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::lower::{Gate, Test, TotalTest};
use crate::machine::footprint::Footprint;
use crate::machine::visit::without_names;
use crate::machine::{Conjunct, ExprKind, Machine, OpId, Pred, SetId, VarId, rewrite};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// What a question belongs to, in the order in which they are asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    Scope,
    Invariant,
    Assertions,
    Goal,
}

impl Topic {
    pub const ALL: [Topic; 4] = [Topic::Scope, Topic::Invariant, Topic::Assertions, Topic::Goal];

    /// As the end of a sentence: "undefined in ...".
    pub fn place(self) -> &'static str {
        match self {
            Topic::Scope => "the definition SCOPE",
            Topic::Invariant => "the invariant",
            Topic::Assertions => "an assertion",
            Topic::Goal => "the goal",
        }
    }
}

/// One question: a predicate over the constants and variables.
pub struct StateQuestion {
    pub topic: Topic,
    pub conjunct: Conjunct,
    /// The elements of sets that are sized at set-up which it names: what it does to the group. It is
    /// not symmetric in them.
    pub names: BTreeSet<(SetId, u32)>,
    /// The variables that it reads.
    pub reads: BTreeSet<VarId>,
    /// Whether each operation writes some of these.
    touched: Vec<bool>,
    fast: Test,
    total: TotalTest,
    exact: OnceLock<Test>,
}

impl StateQuestion {
    /// Compiles a question. `footprints`: those of the operations.
    pub(super) fn new(
        (compiler, known): (&Compiler<'_>, &Known),
        footprints: &[Footprint],
        topic: Topic,
        conjunct: Conjunct,
    ) -> StateQuestion {
        let reads = Footprint::of_pred(&conjunct.pred).variables;
        let mut asked = conjunct.pred.clone();
        known.pred(&mut asked);
        compiler.asks_states.set(!compiler.exact);
        let fast = compiler.test(&asked);
        compiler.asks_states.set(false);
        StateQuestion {
            topic,
            names: named_elements(compiler.machine(), &conjunct.pred),
            touched: footprints.iter().map(|f| !reads.is_disjoint(&f.written)).collect(),
            reads,
            total: TotalTest::of(&fast),
            fast,
            exact: OnceLock::new(),
            conjunct,
        }
    }

    /// Whether the layout alone says that it holds.
    fn always_holds(&self) -> bool {
        matches!(self.fast, Test::Always(true))
    }

    /// The truth in a state, which is loaded; what is no truth leaves a doubt.
    #[inline(always)]
    pub(super) fn holds_totally(&self, state: &[u64], env: &mut Env) -> bool {
        self.total.holds(state, env)
    }

    /// The truth in the state that was loaded; `exact`: with unbounded integers.
    #[inline]
    pub(super) fn holds(
        &self,
        program: &Program,
        exact: bool,
        env: &mut Env,
    ) -> Result<bool, Stop> {
        if !exact {
            return self.fast.holds(env);
        }
        self.holds_exactly(program, env)
    }

    #[cold]
    fn holds_exactly(&self, program: &Program, env: &mut Env) -> Result<bool, Stop> {
        let exact = self.exact.get_or_init(|| {
            // What compiles for words compiles for values.
            let (instance, layout) = (&program.instance, program.layout.clone());
            Compiler::new(instance, layout, true).test(&self.conjunct.pred)
        });
        exact.holds(env)
    }
}

/// The list, by topic.
#[derive(Clone, Default)]
pub struct Questions {
    all: Vec<Arc<StateQuestion>>,
    /// Where each topic ends.
    ends: [usize; Topic::ALL.len()],
    /// By topic, the numbers of those that do not hold in every state.
    open: [Box<[u32]>; Topic::ALL.len()],
    /// By topic and operation, of these the numbers of those that the operation can change.
    touched: [Vec<Box<[u32]>>; Topic::ALL.len()],
    /// Of the whole list, those of the invariant and of the assertions whose truth may differ, and those of them
    /// that each operation can change.
    demanded: Demanded,
    changed: Vec<Demanded>,
}

/// Which of these questions no earlier one of its topic is the same as: refinements say again what was said.
fn said_first(all: &[Arc<StateQuestion>]) -> Vec<bool> {
    let mut said: BTreeMap<(Topic, &BTreeSet<VarId>), Vec<Pred>> = BTreeMap::new();
    let mut first = Vec::with_capacity(all.len());
    for question in all {
        let said = said.entry((question.topic, &question.reads)).or_default();
        let bare = without_names(&question.conjunct.pred);
        first.push(!said.contains(&bare));
        said.push(bare);
    }
    first
}

/// Questions of the invariant and of the assertions.
#[derive(Clone, Default)]
pub struct Demanded {
    all: Box<[u32]>,
    /// Those that compare a field with constants: as most do that bound a number.
    gates: Box<[Gate]>,
    /// The others.
    rest: Box<[u32]>,
}

impl Demanded {
    /// `asked`: which of all are asked at all.
    fn of(
        (all, asked): (&[Arc<StateQuestion>], &[bool]),
        wanted: impl Fn(&StateQuestion) -> bool,
    ) -> Demanded {
        let demands = |topic| matches!(topic, Topic::Invariant | Topic::Assertions);
        let open = |q: &StateQuestion| demands(q.topic) && !q.always_holds() && wanted(q);
        let (mut numbers, mut gates, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let open = (0..).zip(all).zip(asked).filter(|((_, q), asked)| **asked && open(q));
        for ((i, question), _) in open {
            numbers.push(i);
            match &question.total {
                TotalTest::Codes(of) => gates.push(of.0),
                _ => rest.push(i),
            }
        }
        Demanded { all: numbers.into(), gates: gates.into(), rest: rest.into() }
    }

    /// Whether those that compare fields with constants are seen to hold.
    #[inline(always)]
    pub fn gates_hold(&self, state: &[u64]) -> bool {
        self.gates.iter().all(|gate| gate.truth(state) == Some(true))
    }

    /// Whether there are no others.
    #[inline(always)]
    pub fn are_gates(&self) -> bool {
        self.rest.is_empty()
    }
}

impl Questions {
    pub(super) fn new(mut all: Vec<Arc<StateQuestion>>) -> Questions {
        all.sort_by_key(|q| q.topic);
        let ends = Topic::ALL.map(|topic| all.partition_point(|q| q.topic <= topic));
        let operations = all.first().map_or(0, |q| q.touched.len());
        let asked = said_first(&all);
        let demanded = (&all[..], &asked[..]);
        let mut questions = Questions {
            demanded: Demanded::of(demanded, |_| true),
            changed: (0..operations).map(|o| Demanded::of(demanded, |q| q.touched[o])).collect(),
            all,
            ends,
            open: Default::default(),
            touched: Default::default(),
        };
        for topic in Topic::ALL {
            let open = |wanted: &dyn Fn(&StateQuestion) -> bool| {
                let own = questions.of(topic).iter().enumerate();
                own.filter(|(_, q)| !q.always_holds() && wanted(q)).map(|(i, _)| i as u32).collect()
            };
            let touched = (0..operations).map(|o| open(&|q| q.touched[o])).collect();
            (questions.open[topic as usize], questions.touched[topic as usize]) =
                (open(&|_| true), touched);
        }
        questions
    }

    /// The numbers of those questions of a topic whose truth may differ from state to state; `since`: that
    /// an operation can change.
    pub fn open(&self, topic: Topic, since: Option<OpId>) -> &[u32] {
        match since {
            None => &self.open[topic as usize],
            // Where nothing is asked, no operation has a list.
            Some(operation) => {
                let own = self.touched[topic as usize].get(operation.0 as usize);
                own.map_or(&[], |own| own)
            }
        }
    }

    /// The questions of the invariant and of the assertions whose truth may differ from state to state; `since`: that
    /// an operation can change.
    #[inline]
    pub fn demanded(&self, since: Option<OpId>) -> &Demanded {
        // Where nothing is asked, no operation has a list, and the whole one is empty.
        since.and_then(|o| self.changed.get(o.0 as usize)).unwrap_or(&self.demanded)
    }

    /// These questions one by one, with the number of each among the assertions if it is one; `gates_hold`: but for those
    /// that are seen to hold.
    #[inline]
    pub fn each_demanded(
        &self,
        of: &Demanded,
        gates_hold: bool,
    ) -> impl Iterator<Item = (Option<usize>, &StateQuestion)> {
        let numbers = if gates_hold { &of.rest } else { &of.all };
        let first = self.ends[Topic::Invariant as usize];
        numbers.iter().map(move |i| ((*i as usize).checked_sub(first), &*self.all[*i as usize]))
    }

    /// With one more. There is one goal: another one takes its place.
    pub(super) fn with(&self, question: StateQuestion) -> Questions {
        let goal = question.topic == Topic::Goal;
        let kept = self.all.iter().filter(|q| !goal || q.topic != Topic::Goal).cloned();
        Questions::new(kept.chain([Arc::new(question)]).collect())
    }

    /// The questions of a topic, each one conjunct.
    pub fn of(&self, topic: Topic) -> &[Arc<StateQuestion>] {
        let at = topic as usize;
        let first = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.all[first..self.ends[at]]
    }

    /// All of them, in the order in which they are asked.
    pub fn iter(&self) -> impl Iterator<Item = &StateQuestion> {
        self.all.iter().map(|q| &**q)
    }
}

/// Elements of sized sets that a predicate names: it is not symmetric in them.
pub fn named_elements(machine: &Machine, p: &Pred) -> BTreeSet<(SetId, u32)> {
    let found = RefCell::new(BTreeSet::new());
    let _ = rewrite::pred(p, &|kind| {
        // Those of enumerated sets are never moved, whatever is asked.
        if let ExprKind::Element(set, i) = kind
            && machine.is_sized(*set)
        {
            found.borrow_mut().insert((*set, *i));
        }
        None
    });
    found.into_inner()
}

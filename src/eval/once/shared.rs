//! Conditions that several operations share, asked once of each state.
//!
//! Where a machine gives some operation priority, or goes through phases, the same condition stands in the guards of many
//! operations. What is asked of no parameter is asked before anything else is done for them; and what they do is
//! remembered without what only the condition reads.

use crate::eval::compile::Compiler;
use crate::lower::TotalTest;
use crate::lower::env::Env;
use crate::lower::stop::CutId;
use crate::machine::footprint::Footprint;
use crate::machine::visit::without_places;
use crate::machine::{LocalId, OpId, Operation, Pred, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Most of them: their numbers are bits of a word.
const MOST: usize = 64;

/// The conditions of a machine's operations that several of them share.
#[derive(Default)]
pub struct Shared {
    tests: Box<[TotalTest]>,
    /// Those of each operation, with their numbers; nothing where there are none.
    own: Vec<Vec<(Pred, usize)>>,
}

/// What is known of the conditions in one state, a bit for each.
#[derive(Default)]
pub struct Answers {
    asked: u64,
    /// Those that do not hold.
    closed: u64,
    /// Those of which only the careful way can tell.
    doubtful: u64,
}

impl Shared {
    pub(in crate::eval) fn of(compiler: &Compiler<'_>) -> Shared {
        let operations = &compiler.machine().operations;
        let mut own = vec![Vec::new(); operations.len()];
        let mut tests = Vec::new();
        for alike in alike(operations) {
            let pred = alike[0].0;
            if tests.len() == MOST || !compiler.is_of_state_alone(pred) {
                continue;
            }
            let test = TotalTest::of(&compiler.test(pred));
            // What is seen in one look at a word is a gate.
            use TotalTest::{Always, Codes, Masked, NotMasked};
            if !matches!(test, Always(_) | Codes(_) | Masked(_) | NotMasked(_)) {
                alike.iter().for_each(|(pred, i)| own[*i].push(((*pred).clone(), tests.len())));
                tests.push(test);
            }
        }
        match tests.is_empty() {
            true => Shared::default(),
            false => Shared { tests: tests.into(), own },
        }
    }

    /// Those of an operation, with their numbers.
    pub(in crate::eval) fn of_operation(&self, id: OpId) -> &[(Pred, usize)] {
        self.own.get(id.0 as usize).map_or(&[], |own| own)
    }

    /// Whether a condition of an operation is one of them.
    pub(in crate::eval) fn contain(&self, id: OpId, pred: &Pred) -> bool {
        self.of_operation(id).iter().any(|(known, _)| known == pred)
    }

    /// Whether all of these hold in a state, which is loaded; `None` where only the careful way can tell.
    #[inline(always)]
    pub(in crate::eval) fn hold(
        &self,
        wanted: u64,
        answers: &mut Answers,
        (state, env): (&[u64], &mut Env),
        cut: &mut Option<CutId>,
    ) -> Option<bool> {
        let mut open = wanted & !answers.asked;
        while open != 0 && wanted & answers.closed == 0 {
            self.ask(open.trailing_zeros() as usize, answers, (state, env), cut);
            open &= open - 1;
        }
        match (wanted & answers.closed, wanted & answers.doubtful) {
            (0, 0) => Some(true),
            (0, _) => None,
            _ => Some(false),
        }
    }

    #[inline(never)]
    fn ask(
        &self,
        i: usize,
        answers: &mut Answers,
        (state, env): (&[u64], &mut Env),
        cut: &mut Option<CutId>,
    ) {
        env.pending = None;
        let holds = self.tests[i].holds(state, env);
        // What is undefined is noted for each operation.
        let doubt = std::mem::take(&mut env.doubt) || env.has_undefined();
        answers.asked |= 1 << i;
        match (doubt, holds) {
            (true, _) => answers.doubtful |= 1 << i,
            (false, false) => answers.closed |= 1 << i,
            (false, true) => {}
        }
        if let Some(at) = env.settle(!doubt) {
            cut.get_or_insert(at);
        }
    }
}

/// The conditions that several visible operations have, each with the operations.
fn alike(operations: &[Operation]) -> Vec<Vec<(&Pred, usize)>> {
    let mut met: BTreeMap<BTreeSet<VarId>, Vec<(&Pred, usize)>> = BTreeMap::new();
    for (i, o) in operations.iter().enumerate().filter(|(_, o)| o.visible) {
        let (chosen, condition) = o.first_choice().unzip();
        let bound: Vec<LocalId> =
            o.parameters.iter().chain(chosen.into_iter().flatten()).copied().collect();
        let conditions = o.conditions().chain(condition);
        for pred in conditions.flat_map(|condition| condition.conjuncts()) {
            let Footprint { variables, locals, .. } = Footprint::of_pred(pred);
            if !variables.is_empty() && bound.iter().all(|id| !locals.contains(id)) {
                met.entry(variables).or_default().push((pred, i));
            }
        }
    }
    let mut all: Vec<Vec<(&Pred, usize)>> = Vec::new();
    for preds in met.into_values().filter(|preds| preds.len() > 1) {
        let mut known: Vec<(Pred, Vec<(&Pred, usize)>)> = Vec::new();
        for (pred, i) in preds {
            let bare = without_places(pred);
            match known.iter().position(|(known, _)| *known == bare) {
                Some(at) => known[at].1.push((pred, i)),
                None if known.len() < MOST => known.push((bare, vec![(pred, i)])),
                None => {}
            }
        }
        let groups = known.into_iter().map(|(_, group)| group);
        all.extend(groups.filter(|group| group.iter().any(|(_, i)| *i != group[0].1)));
    }
    all
}

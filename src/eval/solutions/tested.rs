//! The conjuncts of a step for the solver, compiled once.
//!
//! What the solver is asked stands in a plan up to three times as a test: behind the step, in the steps that are there
//! instead of it, and within these where a function is found point by point. All of them run the same code.

use super::solve::BoundSoFar;
use crate::eval::compile::Compiler;
use crate::eval::plans::plan::{Solve, Step};
use crate::lower::Test;
use crate::lower::code::BoolFn;
use crate::machine::Pred;
use std::cell::Cell;
use std::rc::Rc;

/// The conjuncts of one step, with their code.
pub(in crate::eval) struct Tested {
    solve: Rc<Solve>,
    tests: Vec<Test>,
    next: Next,
}

impl Tested {
    fn find(&self, p: &Pred) -> Option<Test> {
        let at = self.next.find(&self.solve.conjuncts, |conjunct| is_same(conjunct, p))?;
        Some(again(&self.tests[at]))
    }
}

/// The same test once more.
fn again(test: &Test) -> Test {
    match test {
        Test::Always(truth) => Test::Always(*truth),
        Test::Run(f) => Test::Run(f.clone()),
        _ => unreachable!("a test of the solver's conjuncts is code"),
    }
}

/// Whether two conjuncts are one: where they stand tells most of them apart.
pub(in crate::eval) fn is_same(a: &Pred, b: &Pred) -> bool {
    a.span == b.span && a == b
}

/// Where to look first: the same formulas mostly stand in the same order.
#[derive(Default)]
pub(in crate::eval) struct Next(Cell<usize>);

impl Next {
    /// The place of something in a list, looked for from behind the one that was found before.
    pub(in crate::eval) fn find<T>(&self, list: &[T], is: impl Fn(&T) -> bool) -> Option<usize> {
        let from = self.0.get().min(list.len());
        let at = (from..list.len()).chain(0..from).find(|at| is(&list[*at]))?;
        self.0.set(at + 1);
        Some(at)
    }
}

impl Compiler<'_> {
    /// Compiles the conjuncts of a step for the solver, the last one of these, for what is compiled from here on to the end
    /// of the plan.
    pub(super) fn test_once(&self, solve: &Rc<Solve>, steps: &[Step]) {
        let mut given = BoundSoFar::default();
        steps.iter().for_each(|step| given.add(step));
        let tests = self.repeated(given.several().unwrap_or_default(), || {
            let test = |p: &Pred| match self.test(p) {
                test @ Test::Always(_) => test,
                test => Test::Run(test.into_fn()),
            };
            solve.conjuncts.iter().map(test).collect()
        });
        let tested = Tested { solve: solve.clone(), tests, next: Next::default() };
        self.tested.borrow_mut().push(tested);
    }

    /// What is compiled for [`test_once`](Compiler::test_once) meanwhile is forgotten afterwards.
    pub(super) fn testing<T>(&self, compile: impl FnOnce() -> T) -> T {
        let outer = self.tested.borrow().len();
        let code = compile();
        self.tested.borrow_mut().truncate(outer);
        code
    }

    /// The test of a conjunct of a plan: the same one again, where the solver is asked it.
    pub(super) fn conjunct_test(&self, p: &Pred) -> Test {
        let again = self.tested.borrow().iter().rev().find_map(|tested| tested.find(p));
        again.unwrap_or_else(|| self.test(p))
    }

    /// The same, as closures take it.
    pub(super) fn conjunct_fn(&self, p: &Pred) -> BoolFn {
        self.conjunct_test(p).into_fn()
    }
}

//! What it costs to walk a set, and which conjuncts say nothing: guesses that a plan is ordered by.

use super::plan::{Pattern, Plan, Source, Step};
use crate::eval::compile::Compiler;
use crate::eval::unbuilt::members::is_set_of_trees;
use crate::machine::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp,
};
use crate::normalise;
use crate::state::expect;
use crate::value::enumerate;
use crate::value::relation::Arrow;
use num_traits::ToPrimitive;

/// Cost of a generator whose size is not known beforehand. The subsets of such a set are so many that the solver is
/// asked for them.
pub(super) const UNKNOWN: f64 = 16.0;
/// Cost of the integers within the limits, when nothing else bounds a local.
pub(in crate::eval) const UNBOUNDED: f64 = 1e300;
/// Above every finite generator that could be walked, below [`UNBOUNDED`].
pub(super) const LAST_RESORT: f64 = 1e200;
/// Expected candidates from which on the solver is worth its price.
pub(in crate::eval) const WORTH_WHILE: f64 = 5_000.0;
/// Infinite sets whose members are made by length or size.
pub(super) const GROWN: f64 = 1e250;

impl Compiler<'_> {
    /// Whether a conjunct is true of every value of the type, and always defined.
    pub(in crate::eval) fn says_nothing(&self, p: &Pred) -> bool {
        match &p.kind {
            PredKind::Compare(Comparison::Member | Comparison::Subset, x, set) => {
                matches!(x.kind, ExprKind::Local(_)) && self.is_whole_type(set)
            }
            PredKind::True => true,
            _ => false,
        }
    }

    /// The value of an integer expression, as far as it can be read off.
    fn integer(&self, e: &Expr) -> Option<i64> {
        let numbers = self.numbers.borrow();
        expect::integer_with(self.instance, &|id| numbers.get(&id).copied(), e)
    }

    /// About the same, of any size.
    fn amount(&self, e: &Expr) -> Option<f64> {
        match self.integer(e) {
            Some(n) => Some(n as f64),
            None => Some(normalise::literal(e)?.to_f64()?.clamp(-LAST_RESORT, LAST_RESORT)),
        }
    }

    /// Takes note of what a local is, for the estimates of what depends on it.
    pub(in crate::eval) fn note(&self, id: LocalId, e: &Expr) {
        if let Some(n) = self.integer(e) {
            self.numbers.borrow_mut().insert(id, n);
        }
    }

    /// Expected number of candidates of a plan.
    pub(in crate::eval) fn plan_cost(&self, plan: &Plan) -> f64 {
        plan.steps.iter().map(|step| self.step_cost(step)).product()
    }

    /// Expected number of what a step gives.
    pub(in crate::eval) fn step_cost(&self, step: &Step) -> f64 {
        match step {
            Step::Test(_) | Step::Bind(..) => 1.0,
            Step::Generate(_, Source::Set(set)) => self.estimate(set).max(0.5),
            Step::Generate(_, Source::Interval { low, high }) => self.interval_cost(low, high),
            Step::Generate(_, Source::UpTo(set, longest)) => self.sequences_cost(set, longest),
            Step::Generate(_, Source::Parts(..) | Source::Cases(..)) => UNKNOWN,
            Step::Generate(Pattern::Local(id), Source::Type { .. }) => {
                let shape = self.instance.local_shape(*id);
                shape.count().map_or(UNBOUNDED, |n| n as f64)
            }
            Step::Generate(_, Source::Type { .. }) => UNBOUNDED,
            Step::Generate(_, Source::Either(_, plans)) => {
                plans.iter().map(|p| self.plan_cost(p)).sum()
            }
            Step::Solve(solve) => self.plan_cost(&solve.otherwise),
        }
    }

    /// Expected number of sequences that are no longer than a number.
    fn sequences_cost(&self, set: &Expr, longest: &Expr) -> f64 {
        let ExprKind::Unary(_, of) = &set.kind else { return UNKNOWN };
        match self.integer(longest) {
            Some(longest) => {
                let items = self.estimate(of);
                let most = (0..=longest.clamp(0, 1000) as i32).map(|n| items.powi(n)).sum::<f64>();
                most.min(LAST_RESORT)
            }
            None => UNKNOWN,
        }
    }

    /// Expected number of integers between bounds, at least one on each side.
    pub(super) fn interval_cost(&self, low: &[Expr], high: &[Expr]) -> f64 {
        let known = |es: &[Expr]| es.iter().filter_map(|e| self.amount(e)).collect::<Vec<_>>();
        let (lows, highs) = (known(low), known(high));
        // More bounds than one interval has can only leave less.
        let less = |cost: f64, more: bool| if more { 0.9 * cost } else { cost };
        match (lows.iter().copied().reduce(f64::max), highs.iter().copied().reduce(f64::min)) {
            (Some(a), Some(b)) => {
                let all = (b - a + 1.0).max(0.0);
                // Of a short one, tests may be asked of all numbers at once.
                let more = low.len() + high.len() > lows.len() + highs.len();
                less(all, more && all > f64::from(u64::BITS))
            }
            _ => less(UNKNOWN, low.len() + high.len() > 2),
        }
    }

    /// Expected number of members of a set expression.
    pub fn estimate(&self, set: &Expr) -> f64 {
        let shape = self.shape(&set.ty);
        let universe = shape.element().count().map_or(f64::INFINITY, |n| n as f64);
        let guess = match &set.kind {
            ExprKind::Variable(_) | ExprKind::Local(_) | ExprKind::Constant(_)
                if self.may_be_symbolic(set) =>
            {
                LAST_RESORT
            }
            ExprKind::Carrier(_) => universe,
            ExprKind::Freetype { endless: true, .. } => UNBOUNDED,
            ExprKind::Freetype { of, made, .. } => self.estimate_made(*of, *made),
            ExprKind::Empty => 0.0,
            ExprKind::SetExtension(items) => items.len() as f64,
            ExprKind::Basic(b) => {
                let (min, max) = (self.instance.min_int as f64, self.instance.max_int as f64);
                match b {
                    BasicSet::Bool => 2.0,
                    BasicSet::Int => max - min + 1.0,
                    BasicSet::Nat => max + 1.0,
                    BasicSet::Nat1 => max,
                    _ => UNBOUNDED,
                }
            }
            ExprKind::Binary(BinaryOp::Interval, a, b) => match (self.amount(a), self.amount(b)) {
                (Some(a), Some(b)) => (b - a + 1.0).max(0.0),
                _ => UNKNOWN,
            },
            ExprKind::Unary(UnaryOp::Pow | UnaryOp::Pow1 | UnaryOp::Fin | UnaryOp::Fin1, of) => {
                enumerate::count_subsets(self.estimate(of).min(200.0) as usize, false) as f64
            }
            ExprKind::Unary(UnaryOp::Perm, of) => {
                enumerate::count_permutations(self.estimate(of).min(50.0) as usize) as f64
            }
            ExprKind::Unary(UnaryOp::Iseq | UnaryOp::Iseq1, of) => {
                enumerate::count_injective_sequences(self.estimate(of).min(50.0) as usize, false)
                    as f64
            }
            ExprKind::Unary(UnaryOp::Seq | UnaryOp::Seq1, _) => UNBOUNDED,
            ExprKind::Tree(op, _) if is_set_of_trees(*op) => UNBOUNDED,
            ExprKind::Binary(BinaryOp::Product, a, b) => self.estimate(a) * self.estimate(b),
            ExprKind::Struct(sets) => sets.iter().map(|set| self.estimate(set)).product(),
            ExprKind::Binary(BinaryOp::Union, a, b) => self.estimate(a) + self.estimate(b),
            ExprKind::Binary(BinaryOp::Intersection, a, b) => {
                self.estimate(a).min(self.estimate(b))
            }
            ExprKind::Binary(BinaryOp::Difference, a, _) => self.estimate(a),
            ExprKind::Binary(op, a, b) => match Arrow::from_op(*op) {
                Some(arrow) => {
                    let (n, m) = (self.estimate(a), self.estimate(b));
                    // One value of a large set is enough to ask the solver for.
                    let (n, m) = (n.min(1000.0), m.min(2.0 * WORTH_WHILE));
                    let (n, m) = (n as usize, m as usize);
                    match enumerate::count_arrows(arrow, n, m) {
                        // One of the guesses is wrong: nobody writes down a set that has no members.
                        0 => enumerate::count_arrows(arrow, n.min(m), n.min(m)) as f64,
                        count => count as f64,
                    }
                }
                None => universe.min(UNKNOWN),
            },
            // Its members are found by what it says of them, if nothing else gives candidates.
            ExprKind::Comprehension(..) | ExprKind::Fold(..) if self.is_open(set) => LAST_RESORT,
            _ => (universe / 2.0).min(UNKNOWN),
        };
        guess.min(universe)
    }
}

/// Whether the members of an infinite set are made by length or size, up to a limit.
pub(super) fn is_grown(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::Unary(op, _) => matches!(op, UnaryOp::Seq | UnaryOp::Seq1),
        ExprKind::Tree(op, _) => is_set_of_trees(*op),
        _ => false,
    }
}

/// Tests that walk something, to be made after those that compare.
pub(in crate::eval) fn is_costly(p: &Pred) -> bool {
    match &p.kind {
        PredKind::Forall(..) | PredKind::Exists(..) => true,
        PredKind::Not(p) => is_costly(p),
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().any(is_costly),
        PredKind::Implies(p, q) | PredKind::Iff(p, q) => is_costly(p) || is_costly(q),
        _ => false,
    }
}

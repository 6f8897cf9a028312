//! Claims: what is made of a formula, before it is posted or gets a literal of its own.

use super::engine::Engine;
use super::literal::{Linear, Lit, Terms};
use super::propagators::count::Count;
use super::propagators::disjunction::Disjunction;
use super::propagators::grid::{Grid, InGrid};
use super::propagators::linear::{Relation, Sum};
use super::propagators::logic::{Clause, Conjunction, Within};
use super::propagators::matching::Matching;
use super::store::Var;
use crate::constraint::counting::covers::Rows;
use crate::constraint::counting::exclusive::Group;
use crate::constraint::linear::offsets::Offsets;
use crate::constraint::pictures::pairs::Numbers;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Fewest terms of a sum that is taken for a count.
const FEWEST_COUNTED: usize = 4;

/// Fewest terms of a sum that has a variable of its own, and how often such a sum is compared before.
const FEWEST_SHARED: usize = 3;
const OFTEN: usize = 2;

/// Sums in a disjunction from which on they have no literals.
const MANY_SUMS: usize = 24;

/// Something that is true or false once all variables have values.
#[derive(Clone, PartialEq, Debug)]
pub enum Claim {
    Lit(Lit),
    Sum(Relation, Linear),
    /// The pair is in the relation, or it is not.
    Pair(Rc<Grid>, Var, Var, bool),
    And(Vec<Claim>),
    Or(Vec<Claim>),
}

impl Claim {
    pub const TRUE: Claim = Claim::Lit(Lit::Always);
    pub const FALSE: Claim = Claim::Lit(Lit::Never);

    pub fn known(truth: bool) -> Claim {
        Claim::Lit(Lit::known(truth))
    }

    pub fn and(parts: impl IntoIterator<Item = Claim>) -> Claim {
        Claim::joined(parts, true)
    }

    pub fn or(parts: impl IntoIterator<Item = Claim>) -> Claim {
        Claim::joined(parts, false)
    }

    /// All of these (`all`), or some, without parts of the same kind within it.
    fn joined(parts: impl IntoIterator<Item = Claim>, all: bool) -> Claim {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Claim::Lit(lit) if lit == Lit::known(all) => {}
                Claim::Lit(lit) if lit == Lit::known(!all) => return Claim::known(!all),
                Claim::And(parts) if all => flat.extend(parts),
                Claim::Or(parts) if !all => flat.extend(parts),
                part => flat.push(part),
            }
        }
        match flat.len() {
            0 => Claim::known(all),
            1 => flat.remove(0),
            _ if all => Claim::And(flat),
            _ => Claim::Or(flat),
        }
    }

    pub fn negated(self) -> Claim {
        match self {
            Claim::Lit(lit) => Claim::Lit(lit.negated()),
            Claim::Sum(Relation::Equal, sum) => Claim::Sum(Relation::NotEqual, sum),
            Claim::Sum(Relation::NotEqual, sum) => Claim::Sum(Relation::Equal, sum),
            Claim::Sum(Relation::AtMost, sum) => {
                // not(s <= 0): 1 - s <= 0
                match Linear::constant(1).plus(-1, &sum) {
                    Some(sum) => Claim::Sum(Relation::AtMost, sum),
                    None => Claim::Or(vec![]),
                }
            }
            Claim::Pair(grid, x, y, inside) => Claim::Pair(grid, x, y, !inside),
            Claim::And(parts) => Claim::Or(parts.into_iter().map(Claim::negated).collect()),
            Claim::Or(parts) => Claim::And(parts.into_iter().map(Claim::negated).collect()),
        }
    }

    pub fn implies(self, other: Claim) -> Claim {
        Claim::or([self.negated(), other])
    }

    pub fn iff(a: Claim, b: Claim) -> Claim {
        Claim::and([a.clone().implies(b.clone()), b.implies(a)])
    }
}

/// How often a sum was compared, and the variable that has its value once that was often.
#[derive(Default)]
struct Compared {
    times: usize,
    var: Option<Var>,
}

/// The engine, and the literals that it has given to claims.
#[derive(Default)]
pub struct Poster {
    pub engine: Engine,
    /// A contradiction was found while posting.
    pub failed: bool,
    pub(super) conjunctions: FxHashMap<Vec<Lit>, Lit>,
    sums: FxHashMap<(Relation, Linear), Lit>,
    /// The longer sums that were compared.
    compared: FxHashMap<Terms, Compared>,
    pub(super) numbers: FxHashMap<Lit, Var>,
    /// Equations, and literals on variables without bounds, that have a truth of their own, which is decided where nothing
    /// else bounds what they are about.
    pub(super) equations: Vec<(Var, Box<[Var]>)>,
    /// What needs places in groups, for searches that are long.
    pub(super) matchings: Vec<Matching>,
    /// Disjunctions with parts that have a truth of their own: where the first literal is true, one of the others is.
    pub(super) disjunctions: Vec<(Lit, Box<[Lit]>)>,
    /// Literals so many of which are true, at least: they may ask for places.
    pub(super) places: Vec<(Box<[Lit]>, i64)>,
    /// The clauses: what is said of `x` and `y`, and of `y` and `x`, is posted once.
    pub(super) clauses: FxHashSet<SmallVec<[Lit; 4]>>,
    /// Literals of which so many are true, at most.
    pub(super) exclusive: Vec<Group>,
    /// Sums one of which adds up to 0 with the number beside them.
    pub(super) alternatives: Vec<(Rows, i64)>,
    /// The numbers of pairs.
    pub(super) pairs: Numbers,
    /// Variables that differ, which is posted with the cliques; and pairs of variables.
    pub unequal: Vec<(Var, Var)>,
    pub unequal_pairs: Vec<((Var, Var), (Var, Var))>,
    /// Sums that differ.
    pub(super) unequal_sums: Vec<(Terms, Terms)>,
    /// Cliques of variables that differ, each in order.
    pub(super) different: Vec<Vec<Var>>,
    /// Sums that hold whatever is decided, of variables that had no bounds or very many values when they were posted; what
    /// follows from a product or a quotient is among them.
    pub(super) wide: Vec<(Relation, Linear)>,
    /// The squares of numbers.
    pub(super) squares: BTreeMap<Var, Var>,
    /// The remainders of each number, with the divisors.
    pub(super) remainders: BTreeMap<Var, Vec<(i64, Var)>>,
    /// Longer sums that hold whatever is decided: they may count something.
    pub counted: Vec<(Relation, Linear)>,
    /// Variables that differ from others by a number, whatever is decided.
    offsets: Offsets,
}

impl Poster {
    pub fn boolean(&mut self) -> Lit {
        Lit::Is(self.engine.store.variable(0, 1), 1)
    }

    /// What is known of a literal already.
    pub fn simple(&self, lit: Lit) -> Lit {
        self.engine.store.truth(lit).map_or(lit, Lit::known)
    }

    pub fn assert(&mut self, lit: Lit) {
        self.failed |= self.engine.store.assert(lit).is_err();
        if let (Lit::IsNot(var, value), None) = (lit, self.engine.store.truth(lit)) {
            // The store forgets it; the clause does not.
            self.engine.add(Clause(Box::new([Lit::IsNot(var, value)])));
        }
    }

    /// Makes a claim true.
    pub fn post(&mut self, claim: Claim) {
        self.post_if(Lit::Always, claim);
    }

    /// Makes a claim true where a literal is.
    pub fn post_if(&mut self, on: Lit, claim: Claim) {
        let on = self.simple(on);
        if on == Lit::Never {
            return;
        }
        match claim {
            Claim::Lit(lit) if on == Lit::Always => self.assert(lit),
            Claim::Lit(lit) => self.clause(vec![on.negated(), lit]),
            Claim::Sum(relation, sum) => match self.single_where(on, relation, &sum) {
                Some(lit) => self.post_if(on, Claim::Lit(lit)),
                None => {
                    if let Some(truth) = self.offsets.tell(relation, &sum) {
                        return self.post_if(on, Claim::known(truth));
                    }
                    if on == Lit::Always {
                        self.offsets.note(relation, &sum);
                        if self.keep_unequal(relation, &sum) {
                            return;
                        }
                    }
                    let counts = on == Lit::Always && relation != Relation::NotEqual;
                    if counts && sum.terms.len() >= FEWEST_COUNTED {
                        self.counted.push((relation, sum.clone()));
                    }
                    if on == Lit::Always {
                        self.note_sum(relation, &sum);
                        self.note_counts(relation, &sum);
                        self.note_unequal_sums(relation, &sum);
                    }
                    match self.as_clause(relation, &sum) {
                        Some(lits) => {
                            self.clause(lits.into_iter().chain([on.negated()]).collect());
                        }
                        None => self.add_sum(on, sum, relation),
                    }
                }
            },
            Claim::Pair(grid, left, right, inside) => {
                self.engine.add(InGrid { on, grid, left, right, inside });
            }
            Claim::And(parts) => parts.into_iter().for_each(|part| self.post_if(on, part)),
            Claim::Or(parts) => self.post_or(on, parts),
        }
    }

    fn post_or(&mut self, on: Lit, parts: Vec<Claim>) {
        if self.is_range(&parts) && on == Lit::Always {
            return self.post_range(&parts);
        }
        if on == Lit::Always {
            self.note_unequal_pairs(&parts);
        }
        let sums = parts.iter().filter(|part| matches!(part, Claim::Sum(..))).count();
        let others = parts.iter().any(|part| !matches!(part, Claim::Sum(..) | Claim::Lit(_)));
        if sums >= MANY_SUMS && !others {
            if !self.is_kept_for_cover(on, &parts) {
                self.post_sums(on, parts);
            }
            return;
        }
        // The last part that is no literal needs none: it is posted where all others are false.
        let mut lits = vec![on.negated()];
        let mut rest: Option<Claim> = None;
        for part in parts {
            let lit = match &part {
                Claim::Lit(lit) => Some(*lit),
                Claim::Sum(relation, sum) => self.single(*relation, sum),
                _ => None,
            };
            match lit {
                Some(lit) => {
                    let lit = self.simple(lit);
                    lits.push(self.splits(lit));
                }
                None => {
                    if let Some(earlier) = rest.replace(part) {
                        lits.push(self.lit(earlier));
                    }
                }
            }
        }
        match rest {
            None => self.clause(lits),
            // The search may have to decide it.
            Some(Claim::Sum(Relation::Equal, sum)) if self.is_unbounded(&sum) => {
                lits.push(self.sum(Relation::Equal, sum));
                self.clause(lits);
            }
            Some(rest) => {
                let others = self.and(lits.iter().map(|lit| lit.negated()));
                // Either one of those before is true, or the last one.
                lits.push(others);
                self.note_disjunction(on, &lits[1..]);
                self.post_if(others, rest);
            }
        }
    }

    /// One of many sums holds, or one of the literals among them.
    pub(super) fn post_sums(&mut self, on: Lit, parts: Vec<Claim>) {
        let (mut lits, mut sums) = (vec![on.negated()], Vec::new());
        for part in parts {
            match part {
                Claim::Sum(relation, sum) => match self.single(relation, &sum) {
                    Some(lit) => lits.push(lit),
                    None if let Some(truth) = self.offsets.tell(relation, &sum) => {
                        lits.push(Lit::known(truth));
                    }
                    None => sums.push(Sum { on: Lit::Always, sum, relation }),
                },
                part => lits.push(self.lit(part)),
            }
        }
        if sums.is_empty() {
            return self.clause(lits);
        }
        lits.retain(|lit| self.simple(*lit) != Lit::Never);
        if lits.iter().any(|lit| self.simple(*lit) == Lit::Always) {
            return;
        }
        lits.sort_unstable();
        lits.dedup();
        self.engine.add(Disjunction::new(lits, sums));
    }

    /// Whether these say of one variable which values it may have.
    fn is_range(&self, parts: &[Claim]) -> bool {
        let mut vars = parts.iter().map(|part| match part {
            Claim::Lit(Lit::Is(var, _)) => Some(*var),
            _ => None,
        });
        match vars.next() {
            Some(Some(first)) => vars.all(|var| var == Some(first)),
            _ => false,
        }
    }

    fn post_range(&mut self, parts: &[Claim]) {
        let (mut values, mut of) = (Vec::with_capacity(parts.len()), None);
        for part in parts {
            if let Claim::Lit(Lit::Is(var, value)) = part {
                of = Some(*var);
                values.push(*value);
            }
        }
        let Some(var) = of else { return };
        values.sort_unstable();
        values.dedup();
        self.failed |= self.engine.store.one_of(var, &values).is_err();
        if !self.engine.store.has_bits(var) {
            self.engine.add(Clause(values.iter().map(|v| Lit::Is(var, *v)).collect()));
        }
    }

    fn clause(&mut self, lits: Vec<Lit>) {
        let mut open: Vec<Lit> = lits.into_iter().map(|lit| self.plain(lit)).collect();
        if open.contains(&Lit::Always) {
            return;
        }
        open.retain(|lit| *lit != Lit::Never);
        open.sort_unstable();
        open.dedup();
        match open[..] {
            [] => self.failed = true,
            [lit] => self.assert(lit),
            _ if opposed(&open) => {}
            _ if !self.clauses.insert(open[..].into()) => {}
            _ => {
                self.note_place(&open);
                self.note_disjunction(Lit::Always, &open);
                self.bound(&open);
                self.engine.add(Clause(open.into()));
            }
        }
    }

    /// Keeps a disjunction in mind, if a search may branch on it.
    fn note_disjunction(&mut self, on: Lit, parts: &[Lit]) {
        if parts.iter().filter_map(|part| part.var()).any(|var| self.engine.about(var).is_some()) {
            self.disjunctions.push((on, parts.into()));
        }
    }

    pub(super) fn is_unbounded(&self, sum: &Linear) -> bool {
        sum.terms.iter().any(|(_, var)| !self.engine.store.is_bounded(*var))
    }

    /// What of a clause says that an unbounded variable is one of some numbers says where it lies.
    fn bound(&mut self, open: &[Lit]) {
        let value = |lit: &Lit| match lit {
            Lit::Is(var, value) => Some((*var, *value)),
            _ => None,
        };
        let store = &self.engine.store;
        let mut values = open.iter().filter_map(value);
        let Some((var, _)) = values.find(|(var, _)| !store.is_bounded(*var)) else { return };
        let (mut low, mut high, mut others) = (i64::MAX, i64::MIN, Vec::new());
        for lit in open {
            match value(lit).filter(|(of, _)| *of == var) {
                Some((_, value)) => (low, high) = (low.min(value), high.max(value)),
                None => others.push(lit.negated()),
            }
        }
        let on = self.and(others);
        self.engine.add(Within { on, var, low, high });
    }

    /// A literal that is true where all of these are.
    pub fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut open: SmallVec<[Lit; 4]> = SmallVec::new();
        // Most of what is asked for is whether something is defined, and it always is.
        for lit in lits.into_iter().filter(|lit| *lit != Lit::Always) {
            match self.simple(lit) {
                Lit::Always => {}
                Lit::Never => return Lit::Never,
                lit => open.push(lit),
            }
        }
        open.sort_unstable();
        open.dedup();
        match open[..] {
            [] => return Lit::Always,
            [lit] => return lit,
            _ if opposed(&open) => return Lit::Never,
            _ => {}
        }
        if let Some(known) = self.conjunctions.get(&open[..]) {
            return *known;
        }
        let whole = self.boolean();
        self.engine.note_about(whole, open.iter().filter_map(|lit| lit.var()));
        self.engine.add(Conjunction { whole, parts: open[..].into() });
        self.conjunctions.insert(open.into_vec(), whole);
        whole
    }

    /// The disjunctions that were posted as such, each in order; as far as places were looked for in them.
    pub(super) fn asked_for_some(&self) -> FxHashSet<Box<[Lit]>> {
        self.places.iter().filter(|(_, least)| *least == 1).map(|(of, _)| of.clone()).collect()
    }

    /// The literal that one of these is true, if there is one already.
    pub(super) fn known_or(&self, lits: &[Lit]) -> Option<Lit> {
        let mut open: Vec<Lit> = lits.iter().map(|lit| lit.negated()).collect();
        open.sort_unstable();
        open.dedup();
        match open[..] {
            [lit] => Some(lit.negated()),
            _ => self.conjunctions.get(&open).map(|whole| whole.negated()),
        }
    }

    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.and(lits.into_iter().map(Lit::negated)).negated()
    }

    /// A literal that is true where the claim is.
    pub fn lit(&mut self, claim: Claim) -> Lit {
        match claim {
            Claim::Lit(lit) => {
                let lit = self.simple(lit);
                self.splits(lit)
            }
            Claim::And(parts) => {
                let lits: Vec<Lit> = parts.into_iter().map(|part| self.lit(part)).collect();
                self.and(lits)
            }
            Claim::Pair(grid, x, y, inside) => {
                let on = self.boolean();
                let denied = Claim::Pair(grid.clone(), x, y, !inside);
                self.post_if(on, Claim::Pair(grid, x, y, inside));
                self.post_if(on.negated(), denied);
                on
            }
            Claim::Or(_) => self.lit(claim.negated()).negated(),
            Claim::Sum(relation, sum) => match self.single(relation, &sum) {
                Some(lit) => self.splits(lit),
                None => match self.as_clause(relation, &sum) {
                    Some(lits) => self.or(lits),
                    None => self.sum(relation, sum),
                },
            },
        }
    }

    /// A literal on a variable that is not bounded gets a truth of its own: `x > 3 => 2 * x = 12` is looked at on both
    /// sides of 3, and each of them may be bounded by what follows there.
    fn splits(&mut self, lit: Lit) -> Lit {
        if let Some(var) = lit.var().filter(|var| !self.engine.store.is_bounded(*var))
            && !self.numbers.contains_key(&lit.negated())
            && !self.numbers.contains_key(&lit)
        {
            let truth = self.channelled(lit);
            self.equations.push((truth, Box::new([var])));
        }
        lit
    }

    fn sum(&mut self, relation: Relation, sum: Linear) -> Lit {
        if relation == Relation::NotEqual {
            return self.sum(Relation::Equal, sum).negated();
        }
        // `s = 0` and `-s = 0` are the same.
        let flips = relation == Relation::Equal && sum.terms[0].0 < 0;
        let sum = if flips { sum.times(-1).unwrap_or(sum) } else { sum };
        if let Some(known) = self.sums.get(&(relation, sum.clone())) {
            return *known;
        }
        if let Some(truth) = self.offsets.tell(relation, &sum) {
            return Lit::known(truth);
        }
        if let Some(lit) = self.shared(relation, &sum) {
            self.sums.insert((relation, sum), lit);
            return lit;
        }
        let on = self.boolean();
        self.engine.note_about(on, sum.terms.iter().map(|(_, var)| *var));
        if let (Relation::Equal, Some(truth)) = (relation, on.var()) {
            self.equations.push((truth, sum.terms.iter().map(|(_, var)| *var).collect()));
        }
        let denied = Claim::Sum(relation, sum.clone()).negated();
        self.add_sum(on, sum.clone(), relation);
        match denied {
            Claim::Sum(relation, sum) => self.add_sum(on.negated(), sum, relation),
            other => self.post_if(on.negated(), other),
        }
        self.sums.insert((relation, sum), on);
        on
    }

    /// Adds what a sum says where a literal is true.
    pub(super) fn add_sum(&mut self, on: Lit, sum: Linear, relation: Relation) {
        match Count::of(on, &sum, relation, &self.engine.store) {
            Some(count) => self.engine.add(count),
            None => self.engine.add(Sum { on, sum, relation }),
        }
    }

    /// The comparison of what was compared often before: with one variable for the sum, which it has one
    /// equation with, each comparison is a literal on that. Of two variables the comparisons themselves see
    /// more, value by value.
    fn shared(&mut self, relation: Relation, sum: &Linear) -> Option<Lit> {
        if sum.terms.len() < FEWEST_SHARED {
            return None;
        }
        let flipped = sum.terms[0].0 < 0;
        let whole = Linear { terms: sum.terms.clone(), constant: 0 };
        let whole = if flipped { whole.times(-1)? } else { whole };
        let compared = self.compared.entry(whole.terms.clone()).or_default();
        compared.times += 1;
        if compared.times <= OFTEN {
            return None;
        }
        let var = match compared.var {
            Some(var) => var,
            None => {
                let var = self.variable(&whole)?;
                self.compared.entry(whole.terms).or_default().var = Some(var);
                var
            }
        };
        let lit = match (relation, flipped) {
            (Relation::AtMost, false) => Lit::AtMost(var, -sum.constant),
            (Relation::AtMost, true) => Lit::Above(var, sum.constant - 1),
            (_, false) => Lit::Is(var, -sum.constant),
            (_, true) => Lit::Is(var, sum.constant),
        };
        Some(self.simple(lit))
    }

    /// What is known of a literal already; of those that are the same with the values that are left, one.
    pub(super) fn plain(&self, lit: Lit) -> Lit {
        let lit = self.simple(lit);
        let store = &self.engine.store;
        let (var, is) = match lit {
            Lit::Always | Lit::Never => return lit,
            Lit::Is(var, _) | Lit::AtMost(var, _) => (var, true),
            Lit::IsNot(var, _) | Lit::Above(var, _) => (var, false),
        };
        let (low, high) = (store.low(var), store.high(var));
        let below = |bound: i64| store.next(var, low + 1).is_none_or(|next| next > bound);
        let above = |bound: i64| store.next(var, bound + 1) == Some(high);
        match lit {
            _ if store.size(var) == 2 => match lit.is_true_of(high) {
                true => Lit::Is(var, high),
                false => Lit::IsNot(var, high),
            },
            Lit::AtMost(_, bound) | Lit::Above(_, bound) if below(bound) => {
                if is {
                    Lit::Is(var, low)
                } else {
                    Lit::IsNot(var, low)
                }
            }
            Lit::AtMost(_, bound) | Lit::Above(_, bound) if above(bound) => {
                if is {
                    Lit::IsNot(var, high)
                } else {
                    Lit::Is(var, high)
                }
            }
            _ => lit,
        }
    }

    /// A sum that is a literal where another one is true: there the variable of that one may have one value only.
    fn single_where(&self, on: Lit, relation: Relation, sum: &Linear) -> Option<Lit> {
        if let Some(lit) = self.single(relation, sum) {
            return Some(lit);
        }
        let (var, value) = match self.plain(on) {
            Lit::Is(var, value) => (var, value),
            Lit::IsNot(var, _) if self.engine.store.size(var) == 2 => {
                (var, self.engine.store.low(var))
            }
            _ => return None,
        };
        let (factor, _) = sum.terms.iter().find(|(_, of)| *of == var)?;
        let rest = sum.plus(-factor, &Linear::var(var))?;
        let rest = rest.plus(value.checked_mul(*factor)?, &Linear::constant(1))?;
        if rest.terms.len() > 1 { None } else { self.single(relation, &rest) }
    }

    /// A sum of one variable, or none, is a literal.
    fn single(&self, relation: Relation, sum: &Linear) -> Option<Lit> {
        let constant = sum.constant;
        let lit = match (&sum.terms[..], relation) {
            ([], Relation::Equal) => Lit::known(constant == 0),
            ([], Relation::NotEqual) => Lit::known(constant != 0),
            ([], Relation::AtMost) => Lit::known(constant <= 0),
            ([(factor, var)], Relation::AtMost) if *factor > 0 => {
                Lit::AtMost(*var, (-constant).div_euclid(*factor))
            }
            ([(factor, var)], Relation::AtMost) => {
                // -f * x + c <= 0: x >= c / f
                let f = -factor;
                Lit::Above(
                    *var,
                    constant.div_euclid(f) + i64::from(constant.rem_euclid(f) != 0) - 1,
                )
            }
            ([(factor, var)], relation) => {
                let is = match constant % factor {
                    0 => Lit::Is(*var, -constant / factor),
                    _ => Lit::Never,
                };
                if relation == Relation::Equal { is } else { is.negated() }
            }
            _ => {
                let (low, high) = sum.bounds(&self.engine.store);
                return match relation {
                    Relation::AtMost if high <= 0 => Some(Lit::Always),
                    Relation::AtMost if low > 0 => Some(Lit::Never),
                    Relation::Equal if low > 0 || high < 0 => Some(Lit::Never),
                    Relation::NotEqual if low > 0 || high < 0 => Some(Lit::Always),
                    _ => None,
                };
            }
        };
        Some(self.simple(lit))
    }

    /// A variable with the value of a sum.
    pub fn variable(&mut self, sum: &Linear) -> Option<Var> {
        if let [(1, var)] = sum.terms[..]
            && sum.constant == 0
        {
            return Some(var);
        }
        let (low, high) = sum.bounds(&self.engine.store);
        let var = self.engine.store.variable(low, high);
        let equation = sum.plus(-1, &Linear::var(var))?;
        self.engine.add(Sum { on: Lit::Always, sum: equation, relation: Relation::Equal });
        Some(var)
    }
}

/// Whether one of these, which are in order, denies another one.
fn opposed(lits: &[Lit]) -> bool {
    lits.iter().any(|lit| lits.binary_search(&lit.negated()).is_ok())
}

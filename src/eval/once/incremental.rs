//! Universal quantifiers in what is asked of every state: asked again only where something has changed.
//!
//! If `!(p,q).(p : P & q : P & p /= q & st(p) = crit => st(q) /= crit)` held in one state, and in another only `st(a)` is
//! otherwise, then it holds there if it does with `a` for `p`, and with `a` for `q`. Variables that are asked only for
//! points (`f(p)`, `f(p + 1)`, `f(p |-> q)`, `p : dom(f)`, `r[{p}]`) and for members (`p : s`, `p |-> q : r`) that names of the
//! quantifier tell are [watched](crate::lower::watched). Where anything else has changed, or much, or the answer is not
//! a plain yes, all is asked as ever. Each evaluator keeps the last state with a yes; a search asks states one after
//! the other that differ in little.

use super::remember::{Run, is_asked_anew, totally};
use crate::eval::compile::Compiler;
use crate::lower::env::Env;
use crate::lower::stop::Stop;
use crate::lower::watched::{Changes, Watched};
use crate::lower::{Test, Word};
use crate::machine::footprint::Footprint;
use crate::machine::parts::Part;
use crate::machine::{
    BinaryOp, Comparison, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp, VarId,
};
use crate::state::layout::Position;
use crate::value::{Shape, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What tells a point or a member.
#[derive(Clone, PartialEq, Debug)]
enum Pattern {
    /// A name of the quantifier, and a number that is added to it.
    Name(LocalId, i64),
    Pair(Box<(Pattern, Pattern)>),
    Any,
}

impl Pattern {
    fn pair(left: Pattern, right: Pattern) -> Pattern {
        Pattern::Pair(Box::new((left, right)))
    }

    /// The names, each once; `None` where one stands twice.
    fn names(&self) -> Option<BTreeSet<LocalId>> {
        match self {
            Pattern::Any => Some(BTreeSet::new()),
            Pattern::Name(id, _) => Some(BTreeSet::from([*id])),
            Pattern::Pair(sides) => {
                let (mut left, right) = (sides.0.names()?, sides.1.names()?);
                let is_new = left.is_disjoint(&right);
                left.extend(right);
                is_new.then_some(left)
            }
        }
    }

    /// Gives the names the values for which the pattern stands for this one; `false` where they are no words.
    fn give(&self, shape: &Shape, value: &Value, env: &mut Env) -> bool {
        match (self, value) {
            (Pattern::Any, _) => true,
            (Pattern::Name(id, 0), Value::Word(w)) => {
                env.words[id.0 as usize] = *w;
                true
            }
            (Pattern::Name(id, more), Value::Int(n)) => match n.checked_sub(*more) {
                Some(n) => {
                    env.words[id.0 as usize] = n as u64;
                    true
                }
                None => false,
            },
            (Pattern::Name(..), _) => false,
            (Pattern::Pair(sides), _) => {
                let (left, right) = shape.split(value);
                let (l, r) = shape.sides();
                sides.0.give(&l, &left, env) && sides.1.give(&r, &right, env)
            }
        }
    }
}

/// Where a variable is asked.
enum Place {
    Argument(Pattern),
    Member(Pattern),
}

/// How a quantifier asks variables.
#[derive(Default)]
struct Asked<'n> {
    names: &'n [LocalId],
    /// The points that functions and relations are asked for, and the members that sets and relations are.
    at: BTreeMap<VarId, Vec<Place>>,
    /// Those that are asked for anything else.
    otherwise: BTreeSet<VarId>,
}

impl Asked<'_> {
    fn pattern(&self, x: &Expr) -> Pattern {
        let name = |e: &Expr| match e.kind {
            ExprKind::Local(id) if self.names.contains(&id) => Some(id),
            _ => None,
        };
        match &x.kind {
            ExprKind::Binary(BinaryOp::Pair, a, b) => {
                Pattern::pair(self.pattern(a), self.pattern(b))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b)
                if let (Some(id), ExprKind::Integer(n)) = (name(a), &b.kind)
                    && let Ok(n) = i64::try_from(n) =>
            {
                Pattern::Name(id, if *op == BinaryOp::Add { n } else { -n })
            }
            _ => name(x).map_or(Pattern::Any, |id| Pattern::Name(id, 0)),
        }
    }

    /// The variable that this is, and a pattern with a name in it.
    fn at(&self, of: &Expr, x: &Expr) -> Option<(VarId, Pattern)> {
        let ExprKind::Variable(id) = of.kind else { return None };
        let pattern = self.pattern(x);
        pattern.names().filter(|names| !names.is_empty())?;
        Some((id, pattern))
    }

    fn note(&mut self, (id, pattern): (VarId, Pattern), place: fn(Pattern) -> Place) {
        self.at.entry(id).or_default().push(place(pattern));
    }

    fn expr(&mut self, e: &Expr) {
        let point = match &e.kind {
            ExprKind::Variable(id) => {
                self.otherwise.insert(*id);
                None
            }
            ExprKind::Binary(BinaryOp::Apply, f, x) => Some((f, &**x)),
            ExprKind::Binary(BinaryOp::Image, r, set) => match &set.kind {
                ExprKind::SetExtension(items) if let [x] = &items[..] => Some((r, x)),
                _ => None,
            },
            _ => None,
        };
        match point.and_then(|(f, x)| Some((self.at(f, x)?, x))) {
            Some((point, x)) => {
                self.note(point, Place::Argument);
                self.expr(x);
            }
            None => e.parts(&mut |part| self.part(part)),
        }
    }

    fn pred(&mut self, p: &Pred) {
        let PredKind::Compare(Comparison::Member | Comparison::NotMember, x, set) = &p.kind else {
            return p.parts(&mut |part| self.part(part));
        };
        let dom = match &set.kind {
            ExprKind::Unary(UnaryOp::Dom, f) => self.at(f, x),
            _ => None,
        };
        match (dom, self.at(set, x)) {
            (Some(point), _) => self.note(point, Place::Argument),
            (None, Some(member)) => self.note(member, Place::Member),
            (None, None) => self.expr(set),
        }
        self.expr(x);
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(e) => self.expr(e),
            Part::Pred(p) => self.pred(p),
        }
    }
}

/// `!names.(premises => conclusion)`, with the quantifiers in the conclusion put together with the outer one.
struct Quantifier {
    names: Vec<LocalId>,
    premises: Vec<Pred>,
    conclusion: Pred,
}

impl Quantifier {
    fn of(names: &[LocalId], premise: &Pred, conclusion: &Pred) -> Quantifier {
        let mut whole = Quantifier {
            names: names.to_vec(),
            premises: vec![premise.clone()],
            conclusion: conclusion.clone(),
        };
        loop {
            let (names, premise, conclusion) = match whole.conclusion.kind {
                PredKind::Forall(names, premise, conclusion) => (names, premise, conclusion),
                PredKind::Implies(premise, conclusion) => (Vec::new(), premise, conclusion),
                _ => return whole,
            };
            whole.names.extend(names);
            whole.premises.push(Arc::unwrap_or_clone(premise));
            whole.conclusion = Arc::unwrap_or_clone(conclusion);
        }
    }

    /// The same with these names free.
    fn with(&self, given: &BTreeSet<LocalId>) -> Pred {
        let rest: Vec<LocalId> =
            self.names.iter().copied().filter(|id| !given.contains(id)).collect();
        let span = self.conclusion.span;
        let premise = Arc::new(Pred::and(self.premises.clone(), span));
        let conclusion = Arc::new(self.conclusion.clone());
        let kind = match rest.is_empty() {
            true => PredKind::Implies(premise, conclusion),
            false => PredKind::Forall(rest, premise, conclusion),
        };
        Pred::new(kind, span)
    }
}

/// What is asked again where a variable has changed.
struct Site {
    pattern: Pattern,
    /// Which of the questions with names that have values.
    question: usize,
}

/// A variable with what is asked where it has changed.
struct Watch {
    of: Watched,
    /// The shape of its members where these are pairs, and their left sides alone tell where to ask.
    splits: Option<Shape>,
    /// The shape of what tells where to ask.
    shape: Shape,
    sites: Vec<Site>,
}

type Watches = BTreeMap<VarId, Watch>;

impl Watch {
    /// What has changed since this state; `None` where it is much.
    fn changes(&self, since: &[u64], env: &mut Env) -> Option<Changes> {
        let mut changes = self.of.changes(since, env)?;
        if let Some(member) = &self.splits {
            changes.iter_mut().for_each(|pair| *pair = member.split(pair).0);
            changes.dedup();
        }
        Some(changes)
    }
}

/// A quantifier that is asked again where something has changed.
struct Incremental {
    /// Of what it is remembered where it held.
    number: usize,
    /// Where a state says that a value is outside of its field.
    outside: Option<Position>,
    watches: Vec<Watch>,
    /// The bits of the state, by words, that must be the same.
    rest: Vec<(usize, u64)>,
    questions: Vec<Run<u64>>,
    /// All of it.
    whole: Run<u64>,
}

impl Incremental {
    /// The truth in the state that is loaded.
    fn ask(&self, env: &mut Env) -> Result<u64, Stop> {
        if is_asked_anew(env, self.outside) {
            return (self.whole)(env);
        }
        let mut last = std::mem::take(env.memory.last_yes(self.number));
        let begin = env.steps();
        let known = last.state().is_some_and(|since| self.holds_again(since, env));
        let between = env.steps();
        let truth = match known {
            true => {
                last.has_answered(between - begin);
                Ok(1)
            }
            false => {
                let truth = (self.whole)(env);
                last.was_asked(env.steps() - between);
                truth
            }
        };
        if let Ok(1) = truth {
            last.keep(&env.state);
        }
        *env.memory.last_yes(self.number) = last;
        truth
    }

    /// Whether it is seen to hold in the state that is loaded, since it did in this one.
    fn holds_again(&self, since: &[u64], env: &mut Env) -> bool {
        let is_same = |(word, mask): &(usize, u64)| (since[*word] ^ env.state[*word]) & mask == 0;
        self.rest.iter().all(is_same)
            && self.watches.iter().all(|watch| match watch.changes(since, env) {
                Some(changes) => changes.iter().all(|changed| self.holds_at(watch, changed, env)),
                None => false,
            })
    }

    /// Whether it holds wherever a variable is asked for what has changed.
    fn holds_at(&self, watch: &Watch, changed: &Value, env: &mut Env) -> bool {
        watch.sites.iter().all(|site| {
            site.pattern.give(&watch.shape, changed, env)
                && matches!((self.questions[site.question])(env), Ok(1))
        })
    }
}

impl Compiler<'_> {
    /// A quantifier over no names but its own that is asked of states, if it asks variables for single points or members.
    pub(in crate::eval) fn incremental(
        &self,
        names: &[LocalId],
        premise: &Pred,
        conclusion: &Pred,
    ) -> Option<Test> {
        if !self.asks_states.replace(false) {
            return None;
        }
        let test = self.asked_again(names, premise, conclusion);
        self.asks_states.set(true);
        test
    }

    fn asked_again(&self, names: &[LocalId], premise: &Pred, conclusion: &Pred) -> Option<Test> {
        let whole = Quantifier::of(names, premise, conclusion);
        let closed = self.is_of_state_alone(&whole.with(&BTreeSet::new()));
        if !closed || !whole.names.iter().all(|id| self.slot(*id).word) {
            return None;
        }
        let mut asked = Asked { names: &whole.names, ..Asked::default() };
        whole.premises.iter().chain([&whole.conclusion]).for_each(|p| asked.pred(p));
        let (watches, given) = self.watches(asked)?;
        let watched: BTreeSet<VarId> = watches.keys().copied().collect();
        let reads = Footprint::of_pred(&whole.with(&BTreeSet::new())).variables;
        let mut rest = Vec::new();
        for id in reads.difference(&watched) {
            self.layout.field(*id).bits(&mut |word, mask| rest.push((word, mask)));
        }
        let questions = given.into_iter().map(|given| {
            let p = whole.with(&given);
            let test = self.repeated(given.into_iter().collect::<Vec<_>>(), || self.test(&p));
            totally(Word::Truth(Box::new(test)))
        });
        let incremental = Incremental {
            number: self.layout.remembered.next(),
            outside: self.layout.outside,
            watches: watches.into_values().collect(),
            rest,
            questions: questions.collect(),
            whole: totally(Word::Truth(Box::new(self.forall(names, premise, conclusion)))),
        };
        Some(Test::Remembered(Arc::new(move |env| Ok(incremental.ask(env)?))))
    }

    /// The variables to be watched, and the sets of names that have values where one has changed; `None` where there are
    /// none.
    fn watches(&self, asked: Asked<'_>) -> Option<(Watches, Vec<BTreeSet<LocalId>>)> {
        let (mut watches, mut given) = (BTreeMap::new(), Vec::new());
        for (id, places) in asked.at {
            if asked.otherwise.contains(&id) || self.machine().symbolic.variables.contains(&id) {
                continue;
            }
            let Some(of) = Watched::of(&self.layout, id) else { continue };
            let tells_arguments = matches!(of, Watched::Points(_));
            let by_argument =
                tells_arguments || places.iter().all(|place| matches!(place, Place::Argument(_)));
            let mut sites = Vec::with_capacity(places.len());
            for place in places {
                let pattern = match place {
                    Place::Argument(pattern) if by_argument => pattern,
                    Place::Argument(pattern) => Pattern::pair(pattern, Pattern::Any),
                    Place::Member(Pattern::Pair(sides)) if by_argument => sides.0,
                    Place::Member(pattern) => pattern,
                };
                let names = pattern.names().filter(|names| !names.is_empty())?;
                let question = given.iter().position(|known| *known == names);
                let question = question.unwrap_or_else(|| {
                    given.push(names);
                    given.len() - 1
                });
                sites.push(Site { pattern, question });
            }
            let member = self.layout.field(id).shape.element();
            let shape = if by_argument { member.sides().0 } else { member.clone() };
            let splits = (by_argument && !tells_arguments).then_some(member);
            watches.insert(id, Watch { of, splits, shape, sites });
        }
        (!watches.is_empty()).then_some((watches, given))
    }
}

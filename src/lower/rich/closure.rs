//! What is asked of the closure of a relation, which is searched and not built.

use super::super::env::Env;
use super::super::metered::metered;
use super::super::stop::Stop;
use super::Rich;
use crate::source::Span;
use crate::value::reach::Reach;
use crate::value::{Shape, Value, relation};

/// Relations whose points are numbered are kept for the next question, so many.
const KEPT: usize = 4;

/// The relations that were searched last, the latest first.
#[derive(Default)]
pub struct Searched(Vec<Reach>);

/// The closure of a relation of this shape, at a place.
pub struct Closure {
    pub of: Rich,
    pub rel: Shape,
    pub span: Span,
}

/// What is wanted of a closure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// `closure1(r)[s]`
    Image,
    /// `s <| closure1(r)`
    Restricted,
    /// `closure1(r) /\ id(s)`
    Circles,
}

/// That, of the closure.
pub struct PartOfClosure {
    pub closure: Closure,
    pub wanted: Wanted,
    /// Of this shape; all of the type, if there is none.
    pub set: Option<Rich>,
    pub points: Shape,
    /// The set stands before the relation.
    pub set_first: bool,
    pub out: Shape,
}

impl Closure {
    /// Whether a pair is in the closure.
    ///
    /// # Errors
    /// The relation is not there, or a limit was reached.
    pub fn has(&self, env: &mut Env, pair: &Value) -> Result<bool, Stop> {
        let r = self.of.get(env)?;
        let (x, y) = self.rel.element().split(pair);
        let mut reach = self.reach(&r, env)?;
        let leads = metered(env, self.span, |meter| reach.leads(&x, &y, meter));
        env.searched.keep(reach);
        leads
    }

    /// The relation with its points numbered.
    fn reach(&self, r: &Value, env: &mut Env) -> Result<Reach, Stop> {
        let known = &mut env.searched.0;
        if let Some(at) = known.iter().position(|reach| reach.is_of(r)) {
            return Ok(known.remove(at));
        }
        metered(env, self.span, |meter| Reach::new(&self.rel, r, meter))
    }
}

impl Searched {
    fn keep(&mut self, reach: Reach) {
        self.0.insert(0, reach);
        self.0.truncate(KEPT);
    }
}

impl PartOfClosure {
    /// # Errors
    /// The relation or the set is not there, or a limit was reached.
    pub fn get(&self, env: &mut Env) -> Result<Value, Stop> {
        let PartOfClosure { closure, wanted, set, points, set_first, out } = self;
        let value = |env: &mut Env| set.as_ref().map(|set| set.get(env)).transpose();
        let (r, s) = match set_first {
            true => {
                let s = value(env)?;
                (closure.of.get(env)?, s)
            }
            false => (closure.of.get(env)?, value(env)?),
        };
        // Others lead nowhere.
        let s = s.unwrap_or_else(|| relation::domain(&closure.rel, points, &r));
        let mut reach = closure.reach(&r, env)?;
        let found = metered(env, closure.span, |meter| match wanted {
            Wanted::Image => reach.image((points, &s), out, meter),
            Wanted::Restricted => reach.restricted((points, &s), out, meter),
            Wanted::Circles => reach.circles((points, &s), out, meter),
        });
        env.searched.keep(reach);
        found
    }

    pub fn text(&self, r: &str, s: &str) -> String {
        match self.wanted {
            Wanted::Image => format!("closure1({r})[{s}]"),
            Wanted::Restricted => format!("{s} <| closure1({r})"),
            Wanted::Circles if self.set_first => format!("id({s}) /\\ closure1({r})"),
            Wanted::Circles => format!("closure1({r}) /\\ id({s})"),
        }
    }
}

//! Free types: their values, made of what the constructors' sets have, and how many there are.

use super::members::{MembersFn, cut_off, each_of, ended};
use crate::eval::compile::Compiler;
use crate::lower::description::FreeCode;
use crate::lower::env::Env;
use crate::lower::stop::{CutSite, Stop, Within};
use crate::machine::{Constructor, Expr, FreeId, Freetype};
use crate::source::Span;
use crate::value::Value;
use std::sync::Arc;

/// Deepest values of a free type within each other that an enumeration makes.
const DEPTH: u32 = 3;

/// Expected number of values of a free type that may stand within each other.
const NESTED: f64 = 64.0;

impl Compiler<'_> {
    /// The free types of the machine, for values of any size.
    pub fn free_codes(&self) -> Vec<FreeCode> {
        let all = self.machine().freetypes.iter();
        all.map(|free| FreeCode {
            arguments: free
                .constructors
                .iter()
                .map(|c| c.from.as_ref().map(|set| (self.shape(&set.ty), self.part(set))))
                .collect(),
            nested: free.nested.then(|| CutSite {
                span: free.span,
                name: free.name.clone(),
                within: Within::Nesting,
            }),
        })
        .collect()
    }

    fn free(&self, id: FreeId) -> &Freetype {
        &self.machine().freetypes[id.0 as usize]
    }

    /// The constructors of a free type, or the one of this number.
    fn constructors(
        &self,
        id: FreeId,
        made: Option<u32>,
    ) -> impl Iterator<Item = &Constructor> + '_ {
        let all = self.free(id).constructors.iter().enumerate();
        all.filter(move |(i, _)| made.is_none_or(|made| made as usize == *i)).map(|(_, c)| c)
    }

    /// Walks the values of a free type, or those that one constructor makes.
    pub(super) fn free_members(&self, id: FreeId, made: Option<u32>, span: Span) -> MembersFn {
        let endless = self.free(id).is_endless(made);
        let members: MembersFn = Box::new(move |env, f| {
            let (values, cut) = free_values(id, made, span, env)?;
            ended(each_of(values, env, f), cut.filter(|_| !endless))
        });
        if !endless {
            return members;
        }
        let site = CutSite { span, name: Arc::from("a free type"), within: Within::Nesting };
        cut_off(members, site)
    }

    /// Expected number of values that a free type has, or one of its constructors makes.
    pub(in crate::eval) fn estimate_made(&self, id: FreeId, made: Option<u32>) -> f64 {
        if self.free(id).nested {
            return NESTED;
        }
        let of = |c: &Constructor| c.from.as_ref().map_or(1.0, |set| self.estimate(set));
        self.constructors(id, made).map(of).sum()
    }

    /// Whether a free type has infinitely many values for certain, or one of its constructors makes them: within
    /// its own sets it has as many as it has.
    pub(super) fn made_endless(&self, id: FreeId, made: Option<u32>) -> bool {
        let of = |set: &Expr| self.is_endless(set);
        self.looked_into(id, made, true, &of) && self.made_some(id, made)
    }

    /// Whether a free type has a value for certain, or one of its constructors makes one: that is made of what was
    /// there before.
    pub(super) fn made_some(&self, id: FreeId, made: Option<u32>) -> bool {
        let nothing_needed = self.constructors(id, made).any(|c| c.argument.is_none());
        nothing_needed || self.looked_into(id, made, false, &|set| self.has_members(set))
    }

    /// Whether something is true of a set that the constructors take their arguments from; `itself`: whether it
    /// is taken for true of a free type within its own sets.
    fn looked_into(
        &self,
        id: FreeId,
        made: Option<u32>,
        itself: bool,
        of: &dyn Fn(&Expr) -> bool,
    ) -> bool {
        if self.within.borrow().contains(&(id, itself)) {
            return itself;
        }
        self.within.borrow_mut().push((id, itself));
        let found = self.constructors(id, made).any(|c| c.from.as_ref().is_some_and(of));
        self.within.borrow_mut().pop();
        found
    }
}

/// The values of a free type, or those that one constructor makes, with values of it nested at most [`DEPTH`]
/// deep; and why these may not be all.
pub(super) fn free_values(
    id: FreeId,
    made: Option<u32>,
    span: Span,
    env: &mut Env,
) -> Result<(Vec<Value>, Option<Stop>), Stop> {
    let codes = env.freetypes.clone();
    let code = &codes[id.0 as usize];
    if let Some(site) = &code.nested {
        if env.free_depth >= DEPTH || env.whole {
            return Ok((Vec::new(), Some(env.cut(site))));
        }
        env.free_depth += 1;
    }
    let found = values_of(code, made, span, env);
    env.free_depth -= u32::from(code.nested.is_some());
    found
}

fn values_of(
    code: &FreeCode,
    made: Option<u32>,
    span: Span,
    env: &mut Env,
) -> Result<(Vec<Value>, Option<Stop>), Stop> {
    let (mut values, mut cut) = (Vec::new(), None);
    for (number, arguments) in (0..).zip(&code.arguments) {
        if made.is_some_and(|made| made != number) {
            continue;
        }
        let Some((shape, arguments)) = arguments else {
            values.push(Value::Free(Arc::new((number, None))));
            continue;
        };
        let (arguments, left_out) = arguments(env)?;
        cut = cut.or(left_out);
        for argument in shape.members(&arguments) {
            env.tick()?;
            values.push(Value::Free(Arc::new((number, Some(argument)))));
            env.room_for(values.len(), span)?;
        }
    }
    Ok((values, cut))
}

//! How many members a function or a comprehension may have whose arguments are sets or functions: where these are too
//! many to be built, it stays a description.

use crate::eval::compile::Compiler;
use crate::lower::code::ValueFn;
use crate::lower::description::VastFn;
use crate::machine::{BinaryOp, Expr, ExprKind, LocalId};
use crate::normalise::vast::{Choice, choices};
use crate::value::Shape;
use std::collections::BTreeMap;

/// The most members that are built, as a power of two.
const MOST_BITS: f64 = 20.0;

/// A set whose members are counted.
type Counted = (Shape, ValueFn);

/// From how many ways a name is chosen, as a power of two, by the numbers of members.
type Bits = fn(f64, f64) -> f64;

impl Compiler<'_> {
    /// Whether a set has too many members to be built.
    pub(super) fn vast(&self, set: &Expr) -> VastFn {
        if let ExprKind::Binary(BinaryOp::Union | BinaryOp::Override, a, b) = &set.kind {
            let (a, b) = (self.vast(a), self.vast(b));
            return Box::new(move |env| Ok(a(env)? || b(env)?));
        }
        let size = |set: &Expr| (self.shape(&set.ty), self.value(set));
        let mut names: BTreeMap<LocalId, Vec<(Counted, Option<Counted>, Bits)>> = BTreeMap::new();
        for (name, choice) in choices(set) {
            names.entry(name).or_default().push(match choice {
                Choice::Subsets(of) => (size(of), None, |n, _| n),
                Choice::Relations(a, b) => (size(a), Some(size(b)), |n, m| n * m),
                Choice::Functions(a, b) => (size(a), Some(size(b)), |n, m| n * (m + 1.0).log2()),
            });
        }
        Box::new(move |env| {
            let mut bits = 0.0;
            for said in names.values() {
                let mut least = f64::INFINITY;
                for ((shape, of), other, in_bits) in said {
                    let n = shape.card(&of(env)?) as f64;
                    let m = match other {
                        Some((shape, of)) => shape.card(&of(env)?) as f64,
                        None => 0.0,
                    };
                    least = least.min(in_bits(n, m));
                }
                bits += least;
            }
            Ok(bits > MOST_BITS)
        })
    }
}

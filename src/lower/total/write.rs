//! Total writes, straight into the state that is made.

use super::super::coded::{OnAxis, SetField, SetWrite};
use super::super::edits::Edited;
use super::super::env::Env;
use super::super::line::LineWrite;
use super::super::operators::{Arithmetic, One, Two};
use super::super::point::PointWrite;
use super::super::record::RecordWrite;
use super::super::wide::WideWrite;
use super::super::word::{Bits, Grid, IntegerField, Word};
use super::super::write::{Write, WriteFn};
use super::{Patch, TotalWord};
use crate::machine::VarId;
use crate::value::set::low_bits;
use std::sync::Arc;

/// A write that is always done; see [`Write`] for what the nodes mean.
pub enum TotalWrite {
    /// All constants that are written into one word: the bits that are kept, and those that are set.
    Mask(u32, u64, u64),
    Put(Bits, TotalWord),
    /// `s := s \/ {x}`, `s := s - {x}`: one bit.
    Insert(Bits, TotalWord),
    Remove(Bits, TotalWord),
    /// `f(x) := y` of a relation in a word.
    Row(Bits, Grid, Box<(TotalWord, TotalWord)>),
    /// `f := {x} <<| f`
    NoRow(Bits, Grid, TotalWord),
    Integer(Box<IntegerField>, TotalWord),
    /// `x := y + c` of fields of integers, and `x := c`.
    Code(Box<CodeWrite>),
    Set(Box<SetField>, TotalWord),
    /// `s := s \/ {x}`, or `s := s - {x}`, of a set of numbers or pairs: one bit.
    Mark(Box<SetField>, TotalWord, bool),
    Point(Box<(PointWrite, TotalWord, TotalWord)>),
    Edited(Box<Edited<TotalWord>>),
    /// What follows from arguments alone, of several writes.
    Patch(Box<Patch>),
    /// What nobody reads again, such as a result: nothing is written, but a doubt may be left.
    Forgotten(TotalWord),
    /// The written half of a local that is read afterwards.
    Local(u32, TotalWord),
    Wide(Arc<WideWrite>),
    Line(Arc<LineWrite>),
    Record(Arc<RecordWrite>),
    Run(WriteFn),
}

/// What a write touches of a state, whatever the state is.
pub enum Touches {
    Nothing,
    /// These bits of a word, always.
    Bits(u32, u64),
    /// Some bits of a field: [`TotalWrite::touch`] tells which.
    Point,
    /// Some bits of a variable: nobody tells which.
    Variable(VarId),
    Anything,
}

/// An integer that differs from another field's by a constant: so does its code.
pub struct CodeWrite {
    from: Bits,
    /// The code there that says nothing.
    open: u64,
    /// What is added, modulo a word.
    more: u64,
    pub to: IntegerField,
    /// The same as a word, for where the codes do not do.
    pub word: TotalWord,
}

/// What is so far from zero is no sum of codes.
const FAR: u64 = 1 << 40;

impl CodeWrite {
    fn of(to: &IntegerField, word: &Word) -> Option<CodeWrite> {
        let near = |c: u64| (c as i64).unsigned_abs() < FAR;
        let nothing = Bits { word: 0, shift: 0, mask: 0 };
        let (field, c) = match word {
            Word::Constant(c) => (None, *c),
            Word::Integer(field) => (Some(field), 0),
            Word::Number(op, both) => match (op, &**both) {
                (Arithmetic::Add, (Word::Integer(field), Word::Constant(c)))
                | (Arithmetic::Add, (Word::Constant(c), Word::Integer(field))) => (Some(field), *c),
                (Arithmetic::Subtract, (Word::Integer(field), Word::Constant(c))) => {
                    (Some(field), c.wrapping_neg())
                }
                _ => return None,
            },
            _ => return None,
        };
        let low = field.map_or(0, |field| field.low as u64);
        if !near(c) || !near(low) || !near(to.low as u64) {
            return None;
        }
        Some(CodeWrite {
            from: field.map_or(nothing, |field| field.bits),
            open: field.map_or(u64::MAX, |field| field.bits.mask),
            more: low.wrapping_add(c).wrapping_sub(to.low as u64),
            to: to.clone(),
            word: TotalWord::of(word),
        })
    }

    #[inline(always)]
    pub fn write(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        let CodeWrite { from, open, more, to, .. } = self;
        let code = from.get(state);
        let new = code.wrapping_add(*more);
        if code != *open && new < to.bits.mask && to.bits.get(next) != to.bits.mask {
            to.bits.put(next, new);
        } else {
            self.write_number(state, next, env);
        }
    }

    #[cold]
    fn write_number(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        write_integer(&self.to, &self.word, state, next, env);
    }
}

impl TotalWrite {
    /// Writes of one substitution, none of which reads what another wrote. Of locals, which nobody reads again, those are
    /// left that may be undefined.
    pub fn of_all(writes: &[Write]) -> Vec<TotalWrite> {
        TotalWrite::gather(writes, |write| match TotalWrite::of(write) {
            TotalWrite::Forgotten(word) if word.is_certain() => None,
            write => Some(write),
        })
    }

    /// The same within a sequence, where locals are read afterwards.
    pub fn of_part(writes: &[Write]) -> Vec<TotalWrite> {
        TotalWrite::gather(writes, |write| match write {
            Write::Local(index, word) => Some(TotalWrite::Local(*index, TotalWord::of(word))),
            write => Some(TotalWrite::of(write)),
        })
    }

    fn gather(writes: &[Write], total: impl Fn(&Write) -> Option<TotalWrite>) -> Vec<TotalWrite> {
        let mut masks: Vec<(u32, u64, u64)> = Vec::new();
        let mut others = Vec::new();
        for write in writes {
            let Write::Put(bits, Word::Constant(c)) = write else {
                others.extend(total(write));
                continue;
            };
            let (own, set) = (bits.mask << bits.shift, (c & bits.mask) << bits.shift);
            match masks.iter_mut().find(|(word, ..)| *word == bits.word) {
                Some((_, kept, all)) => (*kept, *all) = (*kept & !own, *all & !own | set),
                None => masks.push((bits.word, !own, set)),
            }
        }
        let masks = masks.into_iter().map(|(word, kept, set)| TotalWrite::Mask(word, kept, set));
        masks.chain(others).collect()
    }

    fn of(write: &Write) -> TotalWrite {
        match write {
            Write::Put(bits, word) => TotalWrite::put(*bits, word),
            Write::Integer(field, word) => match CodeWrite::of(field, word) {
                Some(of) => TotalWrite::Code(Box::new(of)),
                None => TotalWrite::Integer(field.clone(), TotalWord::of(word)),
            },
            Write::Set(write) => TotalWrite::set(write),
            Write::Point(point) => {
                let (x, y) = (TotalWord::of(&point.argument), TotalWord::of(&point.result));
                TotalWrite::Point(Box::new(((**point).clone(), x, y)))
            }
            Write::Edited(of) => {
                let edits = of.edits.iter().map(|edit| edit.map(&TotalWord::of)).collect();
                TotalWrite::Edited(Box::new(Edited { points: of.points.clone(), edits }))
            }
            Write::Wide(wide) => TotalWrite::Wide(wide.clone()),
            Write::Local(_, word) => TotalWrite::Forgotten(TotalWord::of(word)),
            Write::Line(line) => TotalWrite::Line(line.clone()),
            Write::Record(record) => TotalWrite::Record(record.clone()),
            Write::Rich(rich) => TotalWrite::Run(rich.as_fn()),
            Write::Run(f) => TotalWrite::Run(f.clone()),
        }
    }

    /// What changes little of a field is a write of that alone: a substitution writes each variable once, so that
    /// `next` holds there what `state` does.
    fn put(bits: Bits, word: &Word) -> TotalWrite {
        let own = |word: &Word| matches!(word, Word::Field(old) if *old == bits);
        match word {
            Word::Two(op, both) => match (op, &**both) {
                (Two::Union, (old, Word::One(One::Singleton, x)))
                | (Two::Union, (Word::One(One::Singleton, x), old))
                    if own(old) =>
                {
                    return TotalWrite::Insert(bits, TotalWord::of(x));
                }
                (Two::Difference, (old, Word::One(One::Singleton, x))) if own(old) => {
                    return TotalWrite::Remove(bits, TotalWord::of(x));
                }
                (Two::Intersection, (old, Word::One(One::Rows(grid, false), set)))
                | (Two::Intersection, (Word::One(One::Rows(grid, false), set), old))
                    if own(old) =>
                {
                    if let Word::One(One::Singleton, x) = &**set {
                        return TotalWrite::NoRow(bits, *grid, TotalWord::of(x));
                    }
                }
                _ => {}
            },
            Word::Update(parts, grid) if own(&parts.0) => {
                let (x, y) = (TotalWord::of(&parts.1), TotalWord::of(&parts.2));
                return TotalWrite::Row(bits, *grid, Box::new((x, y)));
            }
            _ => {}
        }
        TotalWrite::Put(bits, TotalWord::of(word))
    }

    /// The same of a set of numbers or pairs.
    fn set(write: &SetWrite) -> TotalWrite {
        let field = Box::new(write.field.clone());
        if let Word::Two(op @ (Two::Union | Two::Difference), both) = &write.set
            && let (Word::Set(old), Word::Coded(of, x)) = &**both
            && let OnAxis::Singleton { .. } = of.op
            && old.id == field.id
        {
            return TotalWrite::Mark(field, TotalWord::of(x), *op == Two::Union);
        }
        TotalWrite::Set(field, TotalWord::of(&write.set))
    }

    /// Whether it is code of the evaluator, which writes into the frame's own state.
    pub fn runs(&self) -> bool {
        matches!(self, TotalWrite::Run(_))
    }

    pub fn touches(&self) -> Touches {
        let all = |bits: Bits| Touches::Bits(bits.word, bits.mask << bits.shift);
        match self {
            TotalWrite::Mask(word, kept, _) => Touches::Bits(*word, !kept),
            TotalWrite::Put(bits, _) => all(*bits),
            TotalWrite::Integer(field, _) => all(field.bits),
            TotalWrite::Set(field, _) => all(field.bits),
            TotalWrite::Code(of) => all(of.to.bits),
            TotalWrite::Insert(..)
            | TotalWrite::Remove(..)
            | TotalWrite::Row(..)
            | TotalWrite::NoRow(..)
            | TotalWrite::Patch(_)
            | TotalWrite::Mark(..)
            | TotalWrite::Point(_) => Touches::Point,
            TotalWrite::Edited(of) => Touches::Variable(of.points.id),
            TotalWrite::Wide(wide) => Touches::Variable(wide.id),
            TotalWrite::Line(line) => Touches::Variable(line.points.id),
            TotalWrite::Record(_) | TotalWrite::Run(_) => Touches::Anything,
            TotalWrite::Forgotten(_) | TotalWrite::Local(..) => Touches::Nothing,
        }
    }

    /// Adds the bits that the write touches in this state, where [`TotalWrite::touches`] says that it tells.
    pub fn touch(&self, state: &[u64], touched: &mut [u64], env: &mut Env) {
        let mut add = |bits: Bits, own: u64| touched[bits.word as usize] |= own << bits.shift;
        match self {
            TotalWrite::Patch(patch) => patch.touch(state, touched, env),
            TotalWrite::Insert(bits, x) | TotalWrite::Remove(bits, x) => {
                add(*bits, 1 << x.get(state, env));
            }
            TotalWrite::Mark(field, x, _) => {
                if let Some(code) = field.axis.code_of_word(x.get(state, env)) {
                    add(field.bits, 1 << code);
                }
            }
            TotalWrite::Row(bits, grid, both) => {
                add(*bits, low_bits(grid.width) << (both.0.get(state, env) as u32 * grid.width));
            }
            TotalWrite::NoRow(bits, grid, x) => {
                add(*bits, low_bits(grid.width) << (x.get(state, env) as u32 * grid.width));
            }
            TotalWrite::Point(of) => {
                let x = of.1.get(state, env);
                if let Some(i) = of.0.points.domain.code_of_word(x) {
                    let bits = of.0.points.bits(i);
                    add(bits, bits.mask);
                }
            }
            write => {
                if let Touches::Bits(word, mask) = write.touches() {
                    touched[word as usize] |= mask;
                }
            }
        }
    }

    /// Writes into `next` what follows from `state`, the one that the frame reads.
    #[inline(always)]
    pub fn write(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        match self {
            TotalWrite::Mask(word, kept, set) => {
                let word = &mut next[*word as usize];
                *word = *word & kept | set;
            }
            TotalWrite::Patch(patch) => patch.write(state, next, env),
            TotalWrite::Put(bits, word) => {
                let word = word.get(state, env);
                bits.put(next, word);
            }
            TotalWrite::Insert(bits, x) => {
                let x = x.get(state, env);
                next[bits.word as usize] |= 1 << (u64::from(bits.shift) + x);
            }
            TotalWrite::Remove(bits, x) => {
                let x = x.get(state, env);
                next[bits.word as usize] &= !(1 << (u64::from(bits.shift) + x));
            }
            TotalWrite::Row(bits, grid, both) => {
                let x = both.0.get(state, env) as u32 * grid.width + bits.shift;
                let y = both.1.get(state, env) as u32;
                let word = &mut next[bits.word as usize];
                *word = *word & !(low_bits(grid.width) << x) | 1 << (x + y);
            }
            TotalWrite::NoRow(bits, grid, x) => {
                let x = x.get(state, env) as u32 * grid.width + bits.shift;
                next[bits.word as usize] &= !(low_bits(grid.width) << x);
            }
            TotalWrite::Code(of) => of.write(state, next, env),
            TotalWrite::Forgotten(word) => {
                word.get(state, env);
            }
            TotalWrite::Local(index, word) => {
                let word = word.get(state, env);
                env.words[*index as usize + env.locals] = word;
            }
            write => write.at_length(state, next, env),
        }
    }

    #[inline(never)]
    fn at_length(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        match self {
            TotalWrite::Integer(field, word) => write_integer(field, word, state, next, env),
            TotalWrite::Set(field, set) => {
                let set = set.get(state, env);
                if !env.doubt {
                    field.put(next, set, env);
                }
            }
            TotalWrite::Mark(field, x, is_in) => mark(field, x, *is_in, state, next, env),
            TotalWrite::Point(of) => write_point(of, state, next, env),
            TotalWrite::Edited(of) => {
                let written = of.write(next, env, |word, env| Ok(word.get(state, env)));
                if written.is_err() {
                    env.doubted();
                }
            }
            TotalWrite::Wide(wide) => {
                if !env.doubt && wide.write(next, env).is_err() {
                    env.doubted();
                }
            }
            TotalWrite::Line(line) => {
                if !env.doubt && !line.is_put(next, env) {
                    env.doubted();
                }
            }
            TotalWrite::Record(record) => {
                if !env.doubt && !matches!(record.is_put(next, env), Ok(true)) {
                    env.doubted();
                }
            }
            TotalWrite::Run(f) => {
                if !env.doubt && f(env).is_err() {
                    env.doubted();
                }
            }
            write => write.write(state, next, env),
        }
    }
}

fn write_integer(
    field: &IntegerField,
    word: &TotalWord,
    state: &[u64],
    next: &mut [u64],
    env: &mut Env,
) {
    let i = word.get(state, env);
    match field.code(i).filter(|_| field.bits.get(next) != field.bits.mask) {
        Some(code) => field.bits.put(next, code),
        None => field.write_outside(next, env, i as i64),
    }
}

#[inline(never)]
fn mark(
    field: &SetField,
    x: &TotalWord,
    is_in: bool,
    state: &[u64],
    next: &mut [u64],
    env: &mut Env,
) {
    let code = field.axis.code_of_word(x.get(state, env));
    // Neither the set that is read nor the one that is there may stand outside.
    if field.is_outside(state) || field.is_outside(next) {
        env.doubted();
        return;
    }
    match code {
        Some(code) if is_in => {
            next[field.bits.word as usize] |= 1 << (u64::from(field.bits.shift) + code)
        }
        Some(code) => {
            next[field.bits.word as usize] &= !(1 << (u64::from(field.bits.shift) + code))
        }
        // What has no code is no member.
        None if is_in => {
            env.doubted();
        }
        None => {}
    }
}

#[inline(never)]
fn write_point(
    of: &(PointWrite, TotalWord, TotalWord),
    state: &[u64],
    next: &mut [u64],
    env: &mut Env,
) {
    let (x, y) = (of.1.get(state, env), of.2.get(state, env));
    let points = &of.0.points;
    if let (Some(i), Some(code)) = (points.domain.code_of_word(x), points.range.code_of_word(y))
        && !points.is_outside(state)
        && !points.is_outside(next)
    {
        points.bits(i).put(next, code + 1);
    } else {
        of.0.write_outside(next, env, x, y);
    }
}

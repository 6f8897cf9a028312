//! Writes of what follows from arguments alone: looked up.
//!
//! Most of what bodies write depends on no state: `ready := ready - {p}` takes a bit away, `place(p) := idle` gives a point a
//! number. So for each choice of the locals that such writes mention, the bits that stay and those that are set are worked out
//! beforehand, for all of these writes together; then a target costs one step for each of its words, however much
//! is written.

use super::super::env::Env;
use super::super::word::Bits;
use super::{TotalWord, TotalWrite};
use crate::state::layout::{Position, get};
use crate::value::set::low_bits;

/// Most choices of arguments that are worked out.
const CHOICES: u64 = 512;

/// What a local may be: so many numbers from the least one on.
#[derive(Clone, Copy, Debug)]
pub struct Universe {
    pub low: i64,
    pub size: u64,
}

/// A write of one word of a state: the bits that stay, and those that are set.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    word: u32,
    kept: u64,
    set: u64,
}

impl Stamp {
    #[inline(always)]
    fn put(&self, next: &mut [u64]) {
        let word = &mut next[self.word as usize];
        *word = *word & self.kept | self.set;
    }
}

/// What several writes do together.
pub struct Patch {
    /// Locals, with how far apart the stamps of neighbouring numbers are, and where those of all zeros would be.
    locals: Box<[(u32, usize)]>,
    zero: usize,
    /// So many for each choice, of different words.
    stamps: Box<[Stamp]>,
    each: usize,
    /// Where a state says that some value is outside of its field, if that of one of these may be.
    outside: Option<Position>,
    /// The writes, for such states.
    writes: Box<[TotalWrite]>,
}

impl Patch {
    /// The same writes, those that follow from locals with small universes as one patch where that is worth it.
    /// `outside`: where a state says that some value is outside of its field, if it does.
    pub fn fold(
        writes: Vec<TotalWrite>,
        universe: impl Fn(u32) -> Option<Universe>,
        outside: Option<Position>,
    ) -> Vec<TotalWrite> {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let mut locals = Vec::new();
        for write in writes {
            match with_locals_of(&write, &locals, &universe) {
                Some(all) => {
                    locals = all;
                    own.push(write);
                }
                None => others.push(write),
            }
        }
        if own.iter().all(|write| matches!(write, TotalWrite::Mask(..))) {
            own.append(&mut others);
            return own;
        }
        others.push(TotalWrite::Patch(Box::new(Patch::of(own, &locals, outside))));
        others
    }

    /// `writes`: those that have a stamp for all choices of these locals.
    fn of(writes: Vec<TotalWrite>, locals: &[(u32, Universe)], outside: Option<Position>) -> Patch {
        let mut choices: Vec<Vec<Stamp>> = Vec::new();
        each_choice(locals, |of| {
            let mut own: Vec<Stamp> = Vec::new();
            for Stamp { word, kept, set } in writes.iter().filter_map(|write| stamp(write, of)) {
                match own.iter_mut().find(|stamp| stamp.word == word) {
                    Some(known) => {
                        (known.kept, known.set) = (known.kept & kept, known.set & kept | set);
                    }
                    None => own.push(Stamp { word, kept, set }),
                }
            }
            choices.push(own);
            true
        });
        // A point may stand in a word of its own for some arguments, and in that of another write for others.
        let each = choices.iter().map(Vec::len).max().unwrap_or(0);
        let stamps = choices.into_iter().flat_map(|mut own| {
            let word = own.first().map_or(0, |stamp| stamp.word);
            own.resize(each, Stamp { word, kept: u64::MAX, set: 0 });
            own
        });
        let stamps = stamps.collect();
        let (mut step, mut zero) = (each, 0usize);
        let locals = locals.iter().map(|(slot, Universe { low, size })| {
            let own = step;
            step *= *size as usize;
            zero = zero.wrapping_sub((*low as usize).wrapping_mul(own));
            (*slot, own)
        });
        let locals = locals.collect();
        let can_be_left = |write: &TotalWrite| {
            use TotalWrite::{Code, Integer, Mark, Point, Set};
            matches!(write, Integer(..) | Code(_) | Point(_) | Set(..) | Mark(..))
        };
        Patch {
            locals,
            zero,
            stamps,
            each,
            outside: outside.filter(|_| writes.iter().any(can_be_left)),
            writes: writes.into(),
        }
    }

    /// What is written in a state; nothing where some value is outside of its field.
    #[inline(always)]
    fn stamps(&self, state: &[u64], env: &Env) -> Option<&[Stamp]> {
        if self.outside.is_some_and(|at| get(state, at, 32) != 0) {
            return None;
        }
        let place =
            |(slot, step): &(u32, usize)| (env.words[*slot as usize] as usize).wrapping_mul(*step);
        let first = match &*self.locals {
            [] => 0,
            [x] => self.zero.wrapping_add(place(x)),
            [x, y] => self.zero.wrapping_add(place(x)).wrapping_add(place(y)),
            locals => locals.iter().fold(self.zero, |sum, x| sum.wrapping_add(place(x))),
        };
        self.stamps.get(first..first.wrapping_add(self.each))
    }

    #[inline(always)]
    pub fn write(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        match self.stamps(state, env) {
            Some([stamp]) => stamp.put(next),
            Some(stamps) => stamps.iter().for_each(|stamp| stamp.put(next)),
            None => self.write_each(state, next, env),
        }
    }

    #[cold]
    fn write_each(&self, state: &[u64], next: &mut [u64], env: &mut Env) {
        self.writes.iter().for_each(|write| write.write(state, next, env));
    }

    /// Adds the bits that are touched ([`TotalWrite::touch`]).
    pub fn touch(&self, state: &[u64], touched: &mut [u64], env: &mut Env) {
        match self.stamps(state, env) {
            Some(stamps) => {
                for Stamp { word, kept, set } in stamps {
                    touched[*word as usize] |= !kept | set;
                }
            }
            None => self.writes.iter().for_each(|write| write.touch(state, touched, env)),
        }
    }
}

/// These locals and those that a write mentions, if it has a stamp for all choices of what they may be, and these are not
/// too many.
fn with_locals_of(
    write: &TotalWrite,
    known: &[(u32, Universe)],
    universe: &impl Fn(u32) -> Option<Universe>,
) -> Option<Vec<(u32, Universe)>> {
    let mut own: Vec<(u32, Universe)> = Vec::new();
    let mut all_known = true;
    for word in words_of(write)? {
        word.each_local(&mut |slot| match universe(slot) {
            _ if own.iter().any(|(known, _)| *known == slot) => {}
            Some(of) => own.push((slot, of)),
            None => all_known = false,
        });
    }
    let size = |locals: &[(u32, Universe)]| {
        locals.iter().try_fold(1u64, |size, (_, of)| size.checked_mul(of.size))
    };
    let mut all = known.to_vec();
    all.extend(own.iter().filter(|(slot, _)| known.iter().all(|(known, _)| known != slot)));
    let fits = all_known && size(&all).is_some_and(|size| (1..=CHOICES).contains(&size));
    (fits && each_choice(&own, |of| stamp(write, of).is_some())).then_some(all)
}

/// Shows all choices of locals, the first local's numbers fastest, until one is refused.
fn each_choice(
    locals: &[(u32, Universe)],
    mut show: impl FnMut(&dyn Fn(u32) -> u64) -> bool,
) -> bool {
    let size: u64 = locals.iter().map(|(_, of)| of.size).product();
    (0..size).all(|choice| {
        show(&|slot| {
            let mut rest = choice;
            for (own, Universe { low, size }) in locals {
                if *own == slot {
                    return (rest % size).wrapping_add(*low as u64);
                }
                rest /= size;
            }
            0
        })
    })
}

/// What decides what is written, for writes of one word that depend on nothing else.
fn words_of(write: &TotalWrite) -> Option<Vec<&TotalWord>> {
    Some(match write {
        TotalWrite::Mask(..) => vec![],
        TotalWrite::Put(_, x)
        | TotalWrite::Insert(_, x)
        | TotalWrite::Remove(_, x)
        | TotalWrite::NoRow(_, _, x)
        | TotalWrite::Integer(_, x)
        | TotalWrite::Set(_, x)
        | TotalWrite::Mark(_, x, _) => vec![x],
        TotalWrite::Code(of) => vec![&of.word],
        TotalWrite::Row(_, _, both) => vec![&both.0, &both.1],
        TotalWrite::Point(of) => vec![&of.1, &of.2],
        _ => return None,
    })
}

/// The stamp of a write for these values of locals, if they decide it.
fn stamp(write: &TotalWrite, of: &dyn Fn(u32) -> u64) -> Option<Stamp> {
    let put = |bits: Bits, value: u64| Stamp {
        word: bits.word,
        kept: !(bits.mask << bits.shift),
        set: value << bits.shift,
    };
    // Of a field some bits, from this one on.
    let part = |bits: Bits, at: u64, mask: u64, value: u64| {
        put(Bits { shift: bits.shift + at as u32, mask, ..bits }, value)
    };
    Some(match write {
        TotalWrite::Mask(word, kept, set) => Stamp { word: *word, kept: *kept, set: *set },
        TotalWrite::Put(bits, x) => put(*bits, x.of_locals(of)?),
        TotalWrite::Insert(bits, x) => part(*bits, x.of_locals(of)?, 1, 1),
        TotalWrite::Remove(bits, x) => part(*bits, x.of_locals(of)?, 1, 0),
        TotalWrite::Row(bits, grid, both) => {
            let (x, y) = (both.0.of_locals(of)?, both.1.of_locals(of)?);
            part(*bits, x * u64::from(grid.width), low_bits(grid.width), 1 << y)
        }
        TotalWrite::NoRow(bits, grid, x) => {
            part(*bits, x.of_locals(of)? * u64::from(grid.width), low_bits(grid.width), 0)
        }
        TotalWrite::Set(field, x) => put(field.bits, x.of_locals(of)?),
        TotalWrite::Mark(field, x, is_in) => {
            let code = field.axis.code_of_word(x.of_locals(of)?)?;
            part(field.bits, code, 1, u64::from(*is_in))
        }
        TotalWrite::Integer(field, x) => put(field.bits, field.code(x.of_locals(of)?)?),
        TotalWrite::Code(write) => put(write.to.bits, write.to.code(write.word.of_locals(of)?)?),
        TotalWrite::Point(point) => {
            let (points, x, y) = (&point.0.points, point.1.of_locals(of)?, point.2.of_locals(of)?);
            let code = points.range.code_of_word(y)?;
            put(points.bits(points.domain.code_of_word(x)?), code + 1)
        }
        _ => return None,
    })
}

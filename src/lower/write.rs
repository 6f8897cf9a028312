//! Writes of fields of the state that is made.

use super::coded::SetWrite;
use super::edits::Edited;
use super::env::Env;
use super::line::LineWrite;
use super::point::PointWrite;
use super::record::RecordWrite;
use super::rich::RichWrite;
use super::stop::Stop;
use super::wide::WideWrite;
use super::word::{Bits, IntegerField, Word};
use crate::state::Coding;
use crate::value::Value;
use std::sync::Arc;

pub type WriteFn = Arc<dyn Fn(&mut Env) -> Result<(), Stop> + Send + Sync>;

pub enum Write {
    /// A member of a finite universe, as it is.
    Put(Bits, Word),
    Integer(Box<IntegerField>, Word),
    /// A set of numbers or pairs in one word.
    Set(Box<SetWrite>),
    Point(Box<PointWrite>),
    /// A function that is held point by point, changed as a whole.
    Edited(Arc<Edited<Word>>),
    /// A set in several words, or a whole function that is held point by point.
    Wide(Arc<WideWrite>),
    /// What a local that is a word will hold: it may not be read yet.
    Local(u32, Word),
    /// A record that is held field by field, or one of its fields.
    Record(Arc<RecordWrite>),
    /// A sequence in one word.
    Line(Arc<LineWrite>),
    /// A value of any form.
    Rich(Arc<RichWrite>),
    Run(WriteFn),
}

impl Write {
    #[inline(always)]
    pub fn run(&self, env: &mut Env) -> Result<(), Stop> {
        match self {
            Write::Put(bits, word) => {
                let word = word.get(env)?;
                bits.put(&mut env.next, word);
                Ok(())
            }
            Write::Integer(field, word) => {
                let i = word.get(env)?;
                match field.code(i).filter(|_| field.bits.get(&env.next) != field.bits.mask) {
                    Some(code) => field.bits.put(&mut env.next, code),
                    None => {
                        let mut next = std::mem::take(&mut env.next);
                        field.write_outside(&mut next, env, i as i64);
                        env.next = next;
                    }
                }
                Ok(())
            }
            Write::Set(set) => set.run(env),
            Write::Point(point) => point.run(env),
            Write::Edited(edited) => edited.run(env),
            Write::Wide(wide) => {
                let mut next = std::mem::take(&mut env.next);
                let written = wide.write(&mut next, env);
                env.next = next;
                written
            }
            Write::Local(index, word) => {
                let at = *index as usize + env.locals;
                env.words[at] = word.get(env)?;
                env.defined[at] = true;
                Ok(())
            }
            Write::Record(record) => record.run(env),
            Write::Line(line) => line.run(env),
            Write::Rich(rich) => rich.run(env),
            Write::Run(f) => f(env),
        }
    }

    /// A write that has no lowered form.
    pub fn run_of(f: impl Fn(&mut Env) -> Result<(), Stop> + Send + Sync + 'static) -> Write {
        Write::Run(Arc::new(f))
    }
}

impl IntegerField {
    /// The bits that stand for a number, where it has a place in the field.
    #[inline(always)]
    pub fn code(&self, i: u64) -> Option<u64> {
        let code = i.wrapping_sub(self.low as u64);
        (i as i64 >= self.low && code < self.bits.mask).then_some(code)
    }

    /// The value, or the one that is there, is outside.
    #[cold]
    pub(super) fn write_outside(&self, next: &mut [u64], env: &mut Env, i: i64) {
        let value = match &self.layout.field(self.id).coding {
            Coding::Text { texts, .. } => Value::String(texts[i as usize].clone()),
            _ => Value::Int(i),
        };
        self.layout.write(self.id, next, &value, &mut env.interner);
    }
}

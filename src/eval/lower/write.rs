//! Writes of fields of the state that is made.

use super::super::assignment::WriteFn;
use super::super::env::Env;
use super::super::stop::Stop;
use super::point::PointWrite;
use super::word::{Bits, IntegerField, Word};
use crate::value::Value;

pub enum Write {
    /// A member of a finite universe, as it is.
    Put(Bits, Word),
    Integer(Box<IntegerField>, Word),
    Point(Box<PointWrite>),
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
                let i = word.get(env)? as i64;
                let code = i.wrapping_sub(field.low) as u64;
                if i >= field.low
                    && code < field.bits.mask
                    && field.bits.get(&env.next) != field.bits.mask
                {
                    field.bits.put(&mut env.next, code);
                } else {
                    field.write_outside(env, i);
                }
                Ok(())
            }
            Write::Point(point) => point.run(env),
            Write::Run(f) => f(env),
        }
    }

    /// A write that has no lowered form.
    pub fn run_of(f: impl Fn(&mut Env) -> Result<(), Stop> + Send + Sync + 'static) -> Write {
        Write::Run(Box::new(f))
    }
}

impl IntegerField {
    /// The value, or the one that is there, is outside.
    #[cold]
    fn write_outside(&self, env: &mut Env, i: i64) {
        self.layout.write(self.id, &mut env.next, &Value::Int(i), &mut env.interner);
    }
}

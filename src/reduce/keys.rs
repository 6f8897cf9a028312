//! The approximate reductions: states are looked up by an invariant key, and the first real state with
//! each is kept.
//!
//! A key is one value, of which the interner keeps one: its number says equal or not, which is all that
//! a look-up asks.

use super::{About, Batch, Interrupted, Kind, Orders, Reading, Reduction, SetUp, Worker, forms};
use crate::state::{Interner, hash_state};
use crate::symmetry::group::Group;
use crate::value::Value;
use std::sync::Arc;

/// Equal for all states of an orbit.
pub type Key = Vec<Value>;

/// Computes the key of a state.
pub trait Keying: Send + Sync + 'static {
    /// The key of a list of values: of a state, or of its constants alone.
    fn key(&self, values: &[Value], interner: &mut Interner) -> Result<Key, Interrupted>;
}

/// States are looked up by the key that `keying` computes.
pub(super) fn reduction(
    reading: Reading,
    group: &Group,
    keying: impl Keying,
    notes: Vec<String>,
) -> Reduction {
    let about = About {
        kind: Kind::Approximate,
        orders: Orders::Unknown,
        group: group.exact_order(),
        keeps_runs: true,
        notes,
    };
    let plan = Arc::new((reading, keying));
    Reduction::new(about, move || Keyed(plan.clone()))
}

struct Keyed<K>(Arc<(Reading, K)>);

impl<K: Keying> Worker for Keyed<K> {
    fn represent(&mut self, batch: &mut Batch, interner: &mut Interner) -> Result<(), Interrupted> {
        let (reading, keying) = &*self.0;
        for i in 0..batch.len() {
            let values = reading.values(batch.state(i), interner);
            let key = keying.key(&values, interner)?;
            let number = [u64::from(interner.number(&forms::list(key)))];
            batch.keyed(&number, hash_state(&number));
        }
        Ok(())
    }

    fn set_up(
        &mut self,
        constants: &[Value],
        interner: &mut Interner,
    ) -> Result<SetUp, Interrupted> {
        Ok(SetUp { class: self.0.1.key(constants, interner)?, order: None })
    }
}

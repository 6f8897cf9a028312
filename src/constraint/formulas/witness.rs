//! Witnesses: where a conjunct asks for some values of names, these are unknown as all others are (Skolem).
//!
//! What follows from there being a witness leaves out values of the unknowns, long before all of these are decided. The names
//! themselves are not decided: the conjunct is asked once its unknowns have values.

use crate::constraint::build::{Builder, Built, Refusal, rank};
use crate::constraint::literal::Lit;
use crate::constraint::pictures::object::Object;
use crate::constraint::sketch::{Host, Unknown, Witness};

impl<'p, H: Host> Builder<'p, H> {
    /// Posts that there is a witness, as a part of this conjunct; whether nothing is known of some part. `None` where a name
    /// cannot be pictured.
    pub(in crate::constraint) fn witnessed(
        &mut self,
        number: usize,
        witness: &'p Witness,
    ) -> Built<Option<bool>, H> {
        // No sequences that are only thought to be long enough.
        let outer = self.of_any_length.take();
        let made = self.attempt(|builder| {
            for unknown in &witness.unknowns {
                let object = builder.some_member(unknown)?;
                builder.objects.insert(unknown.local, object);
            }
            Ok(())
        });
        self.of_any_length = outer;
        if made?.is_none() {
            return Ok(None);
        }
        let mut opaque = false;
        for conjunct in &witness.conjuncts {
            opaque |= self.post(number, conjunct)?;
        }
        self.partly = true;
        Ok(Some(opaque))
    }

    /// Some member of the first of its sets that can be pictured.
    fn some_member(&mut self, unknown: &'p Unknown) -> Built<Object, H> {
        let mut sets: Vec<_> = unknown.members.iter().map(|(_, set)| set).collect();
        sets.sort_by_key(|set| rank(set));
        for set in sets {
            if let Some(object) = self.attempt(|builder| builder.fresh(set, Lit::Always))? {
                return Ok(object);
            }
        }
        Err(Refusal::Opaque)
    }
}

//! The approximate methods: for each invariant key the first real state that had it is kept.

use super::{Admitted, Interrupted, Kind, Method, Reading, SetUp, forms};
use crate::state::Interner;
use crate::symmetry::group::Group;
use crate::symmetry::orbit::Order;
use crate::value::Value;
use indexmap::IndexSet;
use indexmap::map::{Entry, IndexMap};
use rustc_hash::FxBuildHasher;

/// A key: equal for all states of an orbit.
pub type Key = Box<[Value]>;

#[derive(Debug, Default)]
struct KeyTable {
    keys: IndexSet<Key, FxBuildHasher>,
    /// The states, one after the other.
    states: Vec<u64>,
    key_bytes: usize,
    /// The first set-up of the constants with each key.
    set_ups: IndexMap<Key, Vec<Value>, FxBuildHasher>,
}

impl KeyTable {
    /// The number of the state that stands for all with this key, and whether it is this one.
    fn insert(&mut self, key: Key, state: &[u64]) -> (u32, bool) {
        let bytes = key.iter().map(forms::bytes).sum::<usize>() + size_of::<Key>() + 8;
        let (at, new) = self.keys.insert_full(key);
        if new {
            self.key_bytes += bytes;
            self.states.extend_from_slice(state);
        }
        (at as u32, new)
    }

    /// The constants that stand for all with this key.
    fn set_up(&mut self, key: Key, constants: &[Value]) -> Vec<Value> {
        match self.set_ups.entry(key) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(constants.to_vec()).clone(),
        }
    }

    fn state(&self, number: u32, words: usize) -> &[u64] {
        &self.states[number as usize * words..(number as usize + 1) * words]
    }

    fn len(&self) -> usize {
        self.keys.len()
    }

    fn bytes(&self) -> usize {
        self.states.capacity() * 8 + self.key_bytes
    }
}

/// Computes the key of a state.
pub trait Keying: Send {
    /// The key of a list of values: of a state, or of its constants alone.
    fn key(&mut self, values: &[Value]) -> Result<Key, Interrupted>;

    /// Bytes held for it.
    fn bytes(&self) -> usize {
        0
    }
}

/// Keeps the first state with each key that `K` computes.
pub struct Keyed<K> {
    reading: Reading,
    group: Group,
    table: KeyTable,
    keying: K,
    notes: Vec<String>,
}

impl<K: Keying> Keyed<K> {
    pub(super) fn by(reading: Reading, group: Group, keying: K, notes: Vec<String>) -> Keyed<K> {
        Keyed { reading, group, table: KeyTable::default(), keying, notes }
    }
}

impl<K: Keying> Method for Keyed<K> {
    fn admit(&mut self, state: &[u64], interner: &mut Interner) -> Result<Admitted, Interrupted> {
        let values = self.reading.values(state, interner);
        let key = self.keying.key(&values)?;
        Ok(Admitted::at(self.table.insert(key, state)))
    }

    fn state(&self, number: u32) -> &[u64] {
        self.table.state(number, self.reading.words())
    }

    /// The states kept are real ones, each a successor of the one that it was found from.
    fn stands_for(
        &mut self,
        number: u32,
        state: &[u64],
        _: &mut Interner,
    ) -> Result<bool, Interrupted> {
        Ok(self.state(number) == state)
    }

    fn len(&self) -> usize {
        self.table.len()
    }

    fn stabiliser(&self, _: u32) -> Option<&Order> {
        None
    }

    fn canonical_constants(&mut self, constants: &[Value]) -> Result<SetUp, Interrupted> {
        let key = self.keying.key(constants)?;
        let constants = self.table.set_up(key, constants);
        Ok(SetUp { constants, stabiliser: None, nodes: 1 })
    }

    fn group_order(&self) -> Order {
        self.group.exact_order()
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.keying.bytes()
    }

    fn kind(&self) -> Kind {
        Kind::Approximate
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

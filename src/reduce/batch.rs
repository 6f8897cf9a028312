//! States that are reduced and looked up together: kinder to the memory than one after the other.

use crate::state::hash_state;
use crate::symmetry::Order;
use std::ops::Range;

/// Lists of words, one after the other.
#[derive(Clone, Debug)]
pub struct Lists<T> {
    words: Vec<T>,
    ends: Vec<usize>,
}

/// The words that states are looked up by.
pub type Keys = Lists<u64>;

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { words: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn push(&mut self, list: &[T]) {
        self.push_with(|words| words.extend_from_slice(list));
    }

    /// Adds the list that is written behind the others.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<T>)) {
        write(&mut self.words);
        self.ends.push(self.words.len());
    }

    pub fn get(&self, i: usize) -> &[T] {
        let begin = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.words[begin..self.ends[i]]
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<T>() + self.ends.capacity() * 8
    }
}

/// States on their way through a worker into a store.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(super) words: usize,
    /// Before: the states. After: what is kept for each.
    pub(super) states: Vec<u64>,
    /// One for each state that was represented.
    pub(super) hashes: Vec<u64>,
    /// Empty where a state is looked up by its own words.
    pub(super) keys: Keys,
    /// The orders of the stabilisers, where they are found on the way.
    pub(super) orders: Vec<Order>,
    /// What generates the stabilisers of what is kept, where that is met on the way; else empty.
    pub(super) generators: Lists<u32>,
}

impl Batch {
    /// For states of this many words.
    pub fn new(words: usize) -> Batch {
        Batch { words, ..Batch::default() }
    }

    pub fn clear(&mut self) {
        self.states.clear();
        self.hashes.clear();
        self.keys.clear();
        self.orders.clear();
        self.generators.clear();
    }

    #[inline]
    pub fn push(&mut self, state: &[u64]) {
        match state {
            [word] => self.states.push(*word),
            words => self.states.extend_from_slice(words),
        }
    }

    /// Leaves out all states from the `n`-th on.
    pub fn truncate(&mut self, n: usize) {
        self.states.truncate(n * self.words);
    }

    pub fn len(&self) -> usize {
        self.states.len() / self.words
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Number of states for which what is kept is known.
    pub fn represented(&self) -> usize {
        self.hashes.len()
    }

    pub fn state(&self, i: usize) -> &[u64] {
        &self.states[i * self.words..(i + 1) * self.words]
    }

    /// The words of all states, one state after the other.
    pub fn states(&self) -> std::slice::ChunksExact<'_, u64> {
        self.states.chunks_exact(self.words)
    }

    /// The words of some of them.
    pub fn words_of(&self, states: Range<usize>) -> &[u64] {
        &self.states[states.start * self.words..states.end * self.words]
    }

    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// What the `i`-th state is looked up by.
    pub fn key(&self, i: usize) -> &[u64] {
        if self.keys.is_empty() { self.state(i) } else { self.keys.get(i) }
    }

    /// The order of the stabiliser of the `i`-th state, where it was found on the way.
    pub fn order(&self, i: usize) -> Option<&Order> {
        self.orders.get(i)
    }

    /// What generates the stabiliser of what is kept for the `i`-th state ([`Stabiliser::found`]), where
    /// that was met on the way.
    ///
    /// [`Stabiliser::found`]: crate::symmetry::Stabiliser::found
    pub fn generators(&self, i: usize) -> &[u32] {
        if self.generators.is_empty() { &[] } else { self.generators.get(i) }
    }

    /// Adds a state of another batch that was represented there.
    pub fn take(&mut self, from: &Batch, i: usize) {
        self.push(from.state(i));
        self.hashes.push(from.hashes[i]);
        if !from.keys.is_empty() {
            self.keys.push(from.keys.get(i));
        }
        self.orders.extend(from.orders.get(i).cloned());
        if !from.generators.is_empty() {
            self.generators.push(from.generators.get(i));
        }
    }

    /// All states are kept as they are, and looked up by their own words.
    pub(super) fn hash_states(&mut self) {
        match self.words {
            1 => self.hashes.extend(self.states.iter().map(|word| hash_state(&[*word]))),
            words => self.hashes.extend(self.states.chunks_exact(words).map(hash_state)),
        }
    }

    /// The next state is kept as it is, and looked up by these words.
    pub(super) fn keyed(&mut self, key: &[u64], hash: u64) {
        self.keys.push(key);
        self.hashes.push(hash);
    }

    /// The next state is replaced by its image.
    pub(super) fn imaged(&mut self, image: &[u64], order: Option<Order>) {
        let at = self.hashes.len() * self.words;
        self.states[at..at + self.words].copy_from_slice(image);
        self.hashes.push(hash_state(image));
        self.orders.extend(order);
    }
}

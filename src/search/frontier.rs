//! The states that wait for expansion, in the order of a strategy.

use super::options::Strategy;
use std::collections::VecDeque;

/// A small generator of pseudo-random numbers (xorshift64*): the same seed, the same search.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`, which is above 0.
    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// A number from 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Numbers of states that have been admitted and not yet taken up.
pub enum Frontier {
    /// States are taken up in the order of their numbers: nothing is stored.
    BreadthFirst {
        next: u32,
        end: u32,
    },
    DepthFirst(Vec<u32>),
    Mixed {
        queue: VecDeque<u32>,
        alpha: f64,
        random: Random,
    },
}

impl Frontier {
    pub fn new(strategy: Strategy, alpha: f64, seed: u64) -> Frontier {
        match strategy {
            Strategy::DepthFirst => Frontier::DepthFirst(Vec::new()),
            Strategy::Mixed => {
                Frontier::Mixed { queue: VecDeque::new(), alpha, random: Random::new(seed) }
            }
            Strategy::BreadthFirst | Strategy::Random => Frontier::BreadthFirst { next: 0, end: 0 },
        }
    }

    pub fn push(&mut self, state: u32) {
        match self {
            Frontier::BreadthFirst { end, .. } => *end = state + 1,
            Frontier::DepthFirst(stack) => stack.push(state),
            Frontier::Mixed { queue, alpha, random } => {
                if random.unit() < *alpha {
                    queue.push_front(state);
                } else {
                    queue.push_back(state);
                }
            }
        }
    }

    pub fn pop(&mut self) -> Option<u32> {
        match self {
            Frontier::BreadthFirst { next, end } => (*next < *end).then(|| {
                *next += 1;
                *next - 1
            }),
            Frontier::DepthFirst(stack) => stack.pop(),
            Frontier::Mixed { queue, .. } => queue.pop_front(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Frontier::BreadthFirst { next, end } => (end - next) as usize,
            Frontier::DepthFirst(stack) => stack.len(),
            Frontier::Mixed { queue, .. } => queue.len(),
        }
    }
}

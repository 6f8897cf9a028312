//! Elements that nothing tells apart in the state at hand.
//!
//! Where elements can be exchanged freely, they form a *block*. Of the tuples that such exchanges take to each other the
//! least one has in each place the first element of its block that stands in no place before, or one that does. Who
//! enumerates tuples can pass over all others while they are made.

use crate::value::Permutation;

/// The blocks. Their memory is used again.
#[derive(Clone, Default, Debug)]
pub struct Exchanged {
    sets: Vec<Blocks>,
}

/// The blocks of one set.
#[derive(Clone, Default, Debug)]
struct Blocks {
    /// The least element of each element's block. While blocks are joined: one on the way to it.
    first: Vec<u32>,
    /// How many of its block come before it.
    rank: Vec<u32>,
    /// How many there are in the block of which it is the least one.
    size: Vec<u32>,
    /// The elements, block by block, and where the block begins of which it is the least one.
    members: Vec<u32>,
    begin: Vec<u32>,
}

impl Exchanged {
    /// Starts over: every element is alone.
    pub fn clear(&mut self) {
        self.sets.iter_mut().for_each(|blocks| blocks.first.clear());
    }

    /// Takes in a set with so many elements.
    pub fn add(&mut self, set: usize, size: usize) {
        if self.sets.len() <= set {
            self.sets.resize_with(set + 1, Blocks::default);
        }
        let first = &mut self.sets[set].first;
        first.extend(first.len() as u32..size as u32);
    }

    /// Makes one block of two, of a set that was taken in; whether they were two.
    pub fn join(&mut self, set: usize, a: u32, b: u32) -> bool {
        let first = &mut self.sets[set].first;
        let (a, b) = (root(first, a), root(first, b));
        first[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Joins until permutations take blocks to blocks: what they conjugate an exchange to is one, too.
    pub fn close<'p>(&mut self, under: impl Iterator<Item = &'p Permutation> + Clone) {
        loop {
            let mut joined = false;
            for permutation in under.clone() {
                for (set, map) in permutation.maps.iter().enumerate().take(self.sets.len()) {
                    for v in 0..self.sets[set].first.len().min(map.len()) {
                        let first = self.sets[set].first[v];
                        if first != v as u32 {
                            joined |= self.join(set, map[v], map[first as usize]);
                        }
                    }
                }
            }
            if !joined {
                return;
            }
        }
    }

    /// Numbers what was joined. To be called before anything is asked.
    pub fn settle(&mut self) {
        for Blocks { first, rank, size, members, begin } in &mut self.sets {
            let n = first.len();
            rank.clear();
            size.clear();
            size.resize(n, 0);
            for v in 0..n {
                // Those before it have their least ones already.
                let least = first[first[v] as usize];
                first[v] = least;
                let size = &mut size[least as usize];
                rank.push(*size);
                *size += 1;
            }
            begin.clear();
            let mut next = 0;
            for n in &*size {
                begin.push(next);
                next += n;
            }
            members.clear();
            members.resize(n, 0);
            for (v, (least, rank)) in (0..).zip(first.iter().zip(&*rank)) {
                members[(begin[*least as usize] + rank) as usize] = v;
            }
        }
    }

    /// The least element of an element's block, and how many come before it there. What was not taken in is alone.
    #[inline]
    pub fn place(&self, set: usize, element: u64) -> (u32, u32) {
        let blocks = self.sets.get(set).filter(|blocks| (element as usize) < blocks.first.len());
        blocks.map_or((element as u32, 0), |blocks| {
            (blocks.first[element as usize], blocks.rank[element as usize])
        })
    }

    /// How many elements the block has of which this is the least one.
    pub fn size(&self, set: usize, least: u32) -> u32 {
        let size = self.sets.get(set).and_then(|blocks| blocks.size.get(least as usize));
        size.copied().unwrap_or(1)
    }

    /// The element of that block before which so many come.
    pub fn member(&self, set: usize, least: u32, rank: u32) -> u32 {
        match self.sets.get(set).filter(|blocks| (least as usize) < blocks.first.len()) {
            Some(blocks) => blocks.members[(blocks.begin[least as usize] + rank) as usize],
            None => least,
        }
    }

    /// Whether an element is the first of its block that is not among these earlier ones, of which the same is true,
    /// or one of them.
    #[inline]
    pub fn is_first(&self, set: usize, element: u64, earlier: impl Iterator<Item = u64>) -> bool {
        let (least, rank) = self.place(set, element);
        rank == 0 || {
            let mut places = earlier.map(|element| self.place(set, element));
            places.any(|(block, before)| block == least && before + 1 >= rank)
        }
    }
}

fn root(first: &[u32], mut v: u32) -> u32 {
    while first[v as usize] != v {
        v = first[v as usize];
    }
    v
}

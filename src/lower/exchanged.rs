//! Elements that nothing tells apart in the state at hand.
//!
//! Where elements can be exchanged freely, they form a *block*. Of the tuples that such exchanges take to each other the
//! least one has in each place the first element of its block that stands in no place before, or one that does. Who
//! enumerates tuples can pass over all others while they are made.
//!
//! Elements that are exchanged together with others are in *strands*: a process with the resources that it holds, a code
//! with its names. The strands of a bundle can be permuted at will, and what is exchanged freely inside one is so in all (a
//! wreath product). A least tuple takes an element of the first strand that no place before touches, or of one that
//! some place touches.

use crate::value::{Bundle, Permutation};
use smallvec::SmallVec;

/// The blocks. Their memory is used again.
#[derive(Clone, Default, Debug)]
pub struct Exchanged {
    sets: Vec<Blocks>,
    strands: Vec<Strand>,
}

/// One of the strands that are permuted at will.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strand {
    /// The number of its first one tells a bundle.
    bundle: u32,
    /// How many of its bundle come before it.
    pub rank: u32,
    /// How many there are in the bundle.
    pub count: u32,
}

impl Strand {
    pub fn is_beside(&self, other: &Strand) -> bool {
        self.bundle == other.bundle
    }
}

/// No strand.
const NONE: u32 = u32::MAX;

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
    /// The number of the strand that an element is in; empty where no element is in one.
    strand: Vec<u32>,
}

impl Exchanged {
    /// Starts over: every element is alone.
    pub fn clear(&mut self) {
        self.sets.iter_mut().for_each(|blocks| blocks.first.clear());
        self.forget_strands();
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

    /// Takes in strands, and joins in each strand what is joined in another one of its bundle. False where they cannot be
    /// used: some element is in two of them, or those of one row are not in ascending order.
    pub fn add_strands<'b>(&mut self, bundles: impl Iterator<Item = &'b Bundle>) -> bool {
        for bundle in bundles {
            let (first, count) = (self.strands.len() as u32, bundle.count as u32);
            self.strands.extend((0..count).map(|rank| Strand { bundle: first, rank, count }));
            for (set, size, row) in bundle.rows() {
                self.add(set.0 as usize, size as usize);
                let strand = &mut self.sets[set.0 as usize].strand;
                strand.resize(size as usize, NONE);
                if !row.is_sorted() || row.iter().any(|v| strand[*v as usize] != NONE) {
                    return false;
                }
                row.iter().zip(first..).for_each(|(v, number)| strand[*v as usize] = number);
            }
            self.conjugate(bundle);
        }
        true
    }

    /// Joins in each strand what is joined in another one.
    fn conjugate(&mut self, bundle: &Bundle) {
        // The least ones of the blocks met in a strand, with a row that each is in.
        let mut met: SmallVec<[(usize, u32, usize); 8]> = SmallVec::new();
        let at = |row: usize, strand: usize| bundle.elements[row * bundle.count + strand];
        for strand in 0..bundle.count {
            met.clear();
            for (row, (set, ..)) in bundle.sets.iter().enumerate() {
                let set = set.0 as usize;
                let least = root(&self.sets[set].first, at(row, strand));
                let before = met.iter().find(|(own, block, _)| *own == set && *block == least);
                match before {
                    None => met.push((set, least, row)),
                    Some((.., before)) => (0..bundle.count).for_each(|strand| {
                        self.join(set, at(*before, strand), at(row, strand));
                    }),
                }
            }
        }
    }

    /// Whether each block that touches a strand is inside it, and before those of the next strand that are taken to it.
    /// What was joined has been numbered.
    pub fn are_nested<'b>(&self, mut bundles: impl Iterator<Item = &'b Bundle>) -> bool {
        let inside = self.sets.iter().all(|Blocks { first, strand, .. }| {
            let mut own = strand.iter().zip(first);
            own.all(|(number, least)| *number == strand[*least as usize])
        });
        inside
            && bundles.all(|bundle| {
                bundle.rows().all(|(set, _, row)| {
                    let blocks = &self.sets[set.0 as usize];
                    row.windows(2).all(|two| {
                        let [this, next] = [two[0], two[1]].map(|v| blocks.first[v as usize]);
                        let last = blocks.begin[this as usize] + blocks.size[this as usize] - 1;
                        blocks.members[last as usize] < next
                    })
                })
            })
    }

    /// Leaves the blocks only.
    pub fn forget_strands(&mut self) {
        self.strands.clear();
        self.sets.iter_mut().for_each(|blocks| blocks.strand.clear());
    }

    pub fn has_strands(&self) -> bool {
        !self.strands.is_empty()
    }

    /// The strand that an element is in.
    #[inline]
    pub fn strand(&self, set: usize, element: u64) -> Option<Strand> {
        let number = *self.sets.get(set)?.strand.get(element as usize)?;
        self.strands.get(number as usize).copied()
    }

    /// Numbers what was joined. To be called before anything is asked.
    pub fn settle(&mut self) {
        for Blocks { first, rank, size, members, begin, .. } in &mut self.sets {
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
    /// or one of them, and its strand the first one that is not touched by them, or one that is. Each is given with its
    /// set.
    #[inline]
    pub fn is_first(
        &self,
        (set, element): (usize, u64),
        earlier: impl Iterator<Item = (usize, u64)> + Clone,
    ) -> bool {
        let (least, rank) = self.place(set, element);
        let is_next = rank == 0 || {
            let mut places = earlier.clone().filter(|(own, _)| *own == set);
            places.any(|(set, element)| {
                let (block, before) = self.place(set, element);
                block == least && before + 1 >= rank
            })
        };
        is_next && {
            let mut strands = earlier.filter_map(|(set, element)| self.strand(set, element));
            self.strand(set, element).is_none_or(|own| {
                own.rank == 0
                    || strands.any(|other| other.is_beside(&own) && other.rank + 1 >= own.rank)
            })
        }
    }
}

fn root(first: &[u32], mut v: u32) -> u32 {
    while first[v as usize] != v {
        v = first[v as usize];
    }
    v
}

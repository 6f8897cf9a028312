//! Tables: sets of pairs and records that are made of numbers, a row of cells for each member.
//!
//! A list of pairs takes an allocation for each pair, and a pointer to follow for each look at one. Where all members of
//! a set are pairs or records that hold nothing but integers of one word and words, as in functions from integers to
//! integers, sequences of records and relations between them, the set is one array of numbers: copied, compared,
//! hashed and stored as such. A member is made when somebody asks for it.
//!
//! A set has one representation: it is a table if its members allow that and it has any ([`Value::set`]).

use super::lines::Lines;
use super::value::Value;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::sync::Arc;

/// What a row is made of: two bits for each of at most 14 symbols, the first of them lowest, and above these four for
/// the number of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns(u32);

/// What a value is made of, to be read from the first symbol on. A number or a word is a symbol; [`NODE`] begins a pair,
/// whose sides follow, or, with an [`END`] right after it, a record, whose fields follow up to another [`END`].
#[derive(Clone, Copy)]
struct Symbols(u32);

const END: u32 = 0;
const NUMBER: u32 = 1;
const WORD: u32 = 2;
const NODE: u32 = 3;

/// Bits of the symbols of a row.
const BITS: u32 = 28;

/// Rows of two numbers.
const TWO_NUMBERS: Columns = Columns(NODE | NUMBER << 2 | NUMBER << 4 | 2 << BITS);

/// Rows of a number and a word.
const NUMBER_AND_WORD: Columns = Columns(NODE | NUMBER << 2 | WORD << 4 | 2 << BITS);

/// Rows of two numbers, and of a result.
const fn of_two(result: u32) -> Columns {
    Columns(NODE | NODE << 2 | NUMBER << 4 | NUMBER << 6 | result << 8 | 3 << BITS)
}

/// The cells of a member on its own.
pub(super) type Cells = SmallVec<[i64; 8]>;

impl Symbols {
    #[inline]
    fn next(&mut self) -> u32 {
        let symbol = self.0 & 3;
        self.0 >>= 2;
        symbol
    }

    #[inline]
    fn first(self) -> u32 {
        self.0 & 3
    }

    #[inline]
    fn ends(self) -> bool {
        self.first() == END
    }

    /// Goes past what comes first: the number of its cells, and of the bits of its symbols.
    fn skip(&mut self) -> (u32, u32) {
        match self.next() {
            NODE if self.ends() => {
                self.next();
                let (mut width, mut bits) = (0, 6);
                while !self.ends() {
                    let field = self.skip();
                    (width, bits) = (width + field.0, bits + field.1);
                }
                self.next();
                (width, bits)
            }
            NODE => {
                let (left, right) = (self.skip(), self.skip());
                (left.0 + right.0, 2 + left.1 + right.1)
            }
            _ => (1, 2),
        }
    }

    /// The same of the left side of a pair, which mostly is a number or a word, and no more.
    #[inline]
    fn skip_side(&mut self) -> (u32, u32) {
        if self.first() == NODE {
            return self.skip();
        }
        self.next();
        (1, 2)
    }

    /// Adds the cells of a value that is made of what comes first; `false`, with some cells added, of any other.
    fn write(&mut self, value: &Value, cells: &mut impl Extend<i64>) -> bool {
        match (self.next(), value) {
            (NUMBER, Value::Int(n)) => cells.extend([*n]),
            (WORD, Value::Word(w)) => match i64::try_from(*w) {
                Ok(w) => cells.extend([w]),
                Err(_) => return false,
            },
            (NODE, Value::Pair(sides)) if !self.ends() => {
                return self.write(&sides.0, cells) && self.write(&sides.1, cells);
            }
            (NODE, Value::Record(fields)) if self.ends() => {
                self.next();
                let all = fields.iter().all(|field| !self.ends() && self.write(field, cells));
                return all && self.next() == END;
            }
            _ => return false,
        }
        true
    }
}

impl Columns {
    /// What the rows of a set with such a member are made of; `None` where it is none of a table.
    pub fn of(member: &Value) -> Option<Columns> {
        // One cell would be as good as the value that it stands for.
        let mut described = Described::default();
        described.add(member)?;
        Some(described.columns()).filter(|columns| columns.width() > 1)
    }

    /// What the rows of a relation with a pair of these are made of; `None` where it is none of a table.
    pub(super) fn of_pair(x: &Value, y: &Value) -> Option<Columns> {
        let mut described = Described::default();
        described.symbol(NODE)?;
        described.add(x)?;
        described.add(y)?;
        Some(described.columns())
    }

    #[inline]
    fn symbols(self) -> Symbols {
        Symbols(self.0 & ((1 << BITS) - 1))
    }

    /// Number of cells.
    #[inline]
    pub fn width(self) -> usize {
        (self.0 >> BITS) as usize
    }

    /// What both sides of a pair are made of; `None` of a record.
    #[inline]
    pub(super) fn sides(self) -> Option<(Columns, Columns)> {
        let mut rest = self.symbols();
        rest.next();
        if rest.ends() {
            return None;
        }
        let both = rest;
        let (width, bits) = rest.skip_side();
        let left = both.0 & ((1 << bits) - 1) | width << BITS;
        let right = both.0 >> bits | (self.width() as u32 - width) << BITS;
        Some((Columns(left), Columns(right)))
    }

    /// Adds the cells of a value that is made of these; `false`, with some cells added, of any other.
    #[inline]
    pub(super) fn write(self, value: &Value, cells: &mut impl Extend<i64>) -> bool {
        self.symbols().write(value, cells)
    }

    /// The cells of a value that is made of these.
    pub(super) fn cells(self, value: &Value) -> Option<Cells> {
        let mut cells = Cells::new();
        self.write(value, &mut cells).then_some(cells)
    }

    /// A value that is made of these, in so many cells.
    #[inline]
    pub(super) fn row(self, cells: &[i64]) -> Row<'_> {
        Row { symbols: self.symbols(), cells }
    }
}

/// What a value is made of, as it is found out.
#[derive(Default)]
struct Described {
    symbols: u32,
    bits: u32,
    cells: u32,
}

impl Described {
    fn columns(&self) -> Columns {
        Columns(self.symbols | self.cells << BITS)
    }

    fn symbol(&mut self, symbol: u32) -> Option<()> {
        if self.bits == BITS {
            return None;
        }
        self.symbols |= symbol << self.bits;
        self.bits += 2;
        Some(())
    }

    /// Adds a value; `None` where it holds anything else than numbers and words, or there is no room.
    fn add(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Int(_) => {
                self.cells += 1;
                self.symbol(NUMBER)
            }
            Value::Word(w) if *w <= i64::MAX as u64 => {
                self.cells += 1;
                self.symbol(WORD)
            }
            Value::Pair(sides) => {
                self.symbol(NODE)?;
                self.add(&sides.0)?;
                self.add(&sides.1)
            }
            Value::Record(fields) if !fields.is_empty() => {
                self.symbol(NODE)?;
                self.symbol(END)?;
                fields.iter().try_for_each(|field| self.add(field))?;
                self.symbol(END)
            }
            _ => None,
        }
    }
}

/// A value that stands in some cells of a row.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    symbols: Symbols,
    pub(super) cells: &'a [i64],
}

impl<'a> Row<'a> {
    #[inline]
    fn cell(&mut self) -> i64 {
        match self.cells {
            [first, rest @ ..] => {
                self.cells = rest;
                *first
            }
            [] => unreachable!("a row has as many cells as its columns say"),
        }
    }

    /// The value.
    #[inline]
    pub fn value(mut self) -> Value {
        self.take()
    }

    /// Reads what comes first.
    fn take(&mut self) -> Value {
        match self.symbols.next() {
            NUMBER => Value::Int(self.cell()),
            WORD => Value::Word(self.cell() as u64),
            _ if self.symbols.ends() => {
                self.symbols.next();
                let (mut rest, mut count) = (self.symbols, 0);
                while !rest.ends() {
                    rest.skip();
                    count += 1;
                }
                let fields = (0..count).map(|_| self.take()).collect();
                self.symbols.next();
                Value::Record(fields)
            }
            _ => Value::Pair(Arc::new((self.take(), self.take()))),
        }
    }

    /// The value, in place of the pair that was made of another row, where nobody has kept that.
    #[inline]
    pub(super) fn value_in(self, last: &mut Option<Arc<(Value, Value)>>) -> Value {
        let Some((x, y)) = self.sides() else { return self.value() };
        let sides = (x.value(), y.value());
        let pair = match last.take() {
            Some(mut pair) => match Arc::get_mut(&mut pair) {
                Some(place) => {
                    *place = sides;
                    pair
                }
                None => Arc::new(sides),
            },
            None => Arc::new(sides),
        };
        *last = Some(pair.clone());
        Value::Pair(pair)
    }

    /// How the value compares with another one of its type.
    pub fn compare(mut self, with: &Value) -> Ordering {
        self.take_compared(with)
    }

    fn take_compared(&mut self, with: &Value) -> Ordering {
        let whole = *self;
        match (self.symbols.next(), with) {
            (NUMBER, Value::Int(n)) => self.cell().cmp(n),
            (WORD, Value::Word(w)) => (self.cell() as u64).cmp(w),
            (NODE, Value::Pair(sides)) if !self.symbols.ends() => {
                self.take_compared(&sides.0).then_with(|| self.take_compared(&sides.1))
            }
            (NODE, Value::Record(fields)) if self.symbols.ends() => {
                self.symbols.next();
                let mut orders = fields.iter().map(|field| self.take_compared(field));
                let different = orders.find(|order| order.is_ne());
                if different.is_none() {
                    self.symbols.next();
                }
                different.unwrap_or(Ordering::Equal)
            }
            // A large integer, or a value that stands for none.
            _ => whole.value().cmp(with),
        }
    }

    /// The sides of a pair; `None` of anything else.
    #[inline]
    pub fn sides(self) -> Option<(Row<'a>, Row<'a>)> {
        let mut rest = self.symbols;
        if rest.next() != NODE || rest.ends() {
            return None;
        }
        let left = rest;
        let (width, _) = rest.skip_side();
        let (lefts, rights) = self.cells.split_at(width as usize);
        Some((Row { symbols: left, cells: lefts }, Row { symbols: rest, cells: rights }))
    }

    /// The integer that it is.
    #[inline]
    pub fn number(self) -> Option<i64> {
        (self.symbols.first() == NUMBER).then(|| self.cells[0])
    }

    /// The word that it is.
    #[inline]
    pub fn word(self) -> Option<u64> {
        (self.symbols.first() == WORD).then(|| self.cells[0] as u64)
    }
}

/// A set that is held as a table.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    pub columns: Columns,
    width: usize,
    cells: &'a [i64],
}

impl<'a> Table<'a> {
    #[inline]
    pub fn new(columns: Columns, cells: &'a [i64]) -> Table<'a> {
        Table { columns, width: columns.width(), cells }
    }

    /// Number of members, at least one.
    pub fn size(self) -> usize {
        self.cells.len() / self.width
    }

    #[inline]
    pub fn row(self, i: usize) -> Row<'a> {
        self.columns.row(&self.cells[i * self.width..][..self.width])
    }

    pub fn rows(self) -> impl DoubleEndedIterator<Item = Row<'a>> + ExactSizeIterator + use<'a> {
        let columns = self.columns;
        self.cells.chunks_exact(self.width).map(move |cells| columns.row(cells))
    }

    /// The rows, where each is a pair of two integers.
    #[inline]
    pub fn numbers(self) -> Option<&'a [[i64; 2]]> {
        (self.columns == TWO_NUMBERS).then_some(self.cells.as_chunks().0)
    }

    /// The rows, where each is a pair of an integer and an integer or a word.
    pub fn points(self) -> Option<&'a [[i64; 2]]> {
        let is_point = self.columns == TWO_NUMBERS || self.columns == NUMBER_AND_WORD;
        is_point.then_some(self.cells.as_chunks().0)
    }

    /// The rows, where each is a pair of two integers, and of an integer or a word.
    pub fn points_of_two(self) -> Option<&'a [[i64; 3]]> {
        let is_point = self.columns == of_two(NUMBER) || self.columns == of_two(WORD);
        is_point.then_some(self.cells.as_chunks().0)
    }

    pub(super) fn lines(self) -> Lines<'a, i64> {
        Lines { cells: self.cells, width: self.width }
    }

    /// The members, as a list of values.
    pub fn values(self) -> Vec<Value> {
        self.rows().map(Row::value).collect()
    }

    /// How the set compares with one of as many members that is held as a list.
    pub(super) fn compare(self, list: &[Value]) -> Ordering {
        let mut orders = self.rows().zip(list).map(|(row, value)| row.compare(value));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// The table of such rows, strictly increasing; the empty set is none.
pub(super) fn from_cells(columns: Columns, cells: Vec<i64>) -> Value {
    match cells.is_empty() {
        true => Value::Set(Arc::from([])),
        false => Value::Table(columns, cells.into()),
    }
}

/// The cells of all members, if they make a table.
fn cells_of(members: &[Value]) -> Option<(Columns, Vec<i64>)> {
    let columns = Columns::of(members.first()?)?;
    let mut cells = Vec::with_capacity(members.len() * columns.width());
    members.iter().all(|member| columns.write(member, &mut cells)).then_some((columns, cells))
}

/// The set of these members, strictly increasing, as a table if they make one.
pub(super) fn of_increasing(members: &[Value]) -> Option<Value> {
    let (columns, cells) = cells_of(members)?;
    Some(Value::Table(columns, cells.into()))
}

/// The set of these members, in any order and with any repetitions, as a table if they make one.
pub(super) fn of_any(members: &[Value]) -> Option<Value> {
    let (columns, cells) = cells_of(members)?;
    Some(Value::Table(columns, increasing(cells, columns.width()).into()))
}

/// These lines in increasing order, each once.
pub(super) fn increasing(mut cells: Vec<i64>, width: usize) -> Vec<i64> {
    let lines = Lines { cells: &cells, width };
    if (1..lines.len()).all(|i| lines.get(i - 1) < lines.get(i)) {
        return cells;
    }
    match width {
        1 => sorted::<1>(cells),
        2 => sorted::<2>(cells),
        3 => sorted::<3>(cells),
        4 => sorted::<4>(cells),
        _ => {
            let mut order: Vec<&[i64]> = cells.chunks_exact(width).collect();
            order.sort_unstable();
            order.dedup();
            cells = order.concat();
            cells
        }
    }
}

fn sorted<const N: usize>(mut cells: Vec<i64>) -> Vec<i64> {
    let (rows, _) = cells.as_chunks_mut::<N>();
    rows.sort_unstable();
    let mut kept = 1;
    for i in 1..rows.len() {
        if rows[i] != rows[kept - 1] {
            rows[kept] = rows[i];
            kept += 1;
        }
    }
    cells.truncate(kept * N);
    cells
}

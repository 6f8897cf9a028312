//! Values as text, in the notation of the language.

use super::super::code::{Binder, Slot};
use super::super::print::{CODE, Printer, REMEMBERED, kind};
use super::belongs::Sequences;
use super::{Belongs, Bindings, Rich, RichTest};
use crate::lower::Order;
use crate::machine::{FreeId, LocalId};
use crate::value::{Table, Value};

impl Printer<'_> {
    pub fn rich(self, rich: &Rich) -> String {
        let all = |items: &[Rich]| -> String {
            let items: Vec<String> = items.iter().map(|item| self.rich(item)).collect();
            items.join(", ")
        };
        match rich {
            Rich::Constant(value) => constant(value),
            Rich::Local(i) => self.machine.local(LocalId(*i)).name.to_string(),
            Rich::Given(id, _) => self.machine.constant(*id).name.to_string(),
            Rich::Held(id, _) => self.machine.variable(*id).name.to_string(),
            Rich::Word(of) => self.word(&of.0),
            Rich::One(of) => of.0.text(&self.rich(&of.1)),
            Rich::Two(of) => of.0.text(&self.rich(&of.1), &self.rich(&of.2)),
            Rich::Pair(of) => format!("({} |-> {})", self.rich(&of.0), self.rich(&of.1)),
            Rich::Listed(_, items) => format!("{{{}}}", all(items)),
            Rich::Sequence(_, items) => format!("[{}]", all(items)),
            Rich::Record(fields) => format!("rec({})", all(fields)),
            Rich::Field(record, _, name) => format!("{}'{name}", self.rich(record)),
            Rich::Construct(id, number, of) => {
                format!("{}({})", self.constructor(*id, *number), self.rich(of))
            }
            Rich::If(of) => {
                let (a, b) = (self.rich(&of.1), self.rich(&of.2));
                format!("({} ? {a} : {b})", self.test(&of.0))
            }
            Rich::Wide(wide, _) => self.wide(wide),
            Rich::Assigned(slot, _) => self.machine.local(slot.id()).name.to_string(),
            Rich::Those(of, true) => {
                format!("{} that are {}", self.rich(&of.1), self.belongs(&of.2))
            }
            Rich::Those(of, false) => {
                format!("{} that are not {}", self.rich(&of.1), self.belongs(&of.2))
            }
            Rich::Restricted(of, left, keep) => {
                let side = if *left { "left" } else { "right" };
                let not = if *keep { "" } else { "not " };
                let (r, belongs) = (self.rich(&of.1), self.belongs(&of.2));
                format!("{r} whose {side} sides are {not}{belongs}")
            }
            Rich::Let(of) => format!("(let {} in {})", self.bindings(&of.0), self.rich(&of.1)),
            Rich::PartOfClosure(of) => {
                let set = of.set.as_ref().map_or("all".to_owned(), |set| self.rich(set));
                of.text(&self.rich(&of.closure.of), &set)
            }
            Rich::Applied(of) => {
                let (x, body) = (self.rich(&of.argument), self.rich(&of.body));
                let names = self.names(&of.binder);
                format!("(let {names} = {x} with {} in {body})", self.test(&of.test))
            }
            Rich::Remembered(_) => REMEMBERED.to_owned(),
            Rich::Run(_) => CODE.to_owned(),
        }
    }

    pub(in super::super) fn rich_test(self, test: &RichTest) -> String {
        match test {
            RichTest::Equal(a, b) => format!("{} = {}", self.rich(a), self.rich(b)),
            RichTest::Ordered(order, a, b) => {
                let sign = match order {
                    Order::Less => "<",
                    Order::LessEqual => "<=",
                    Order::Greater => ">",
                    Order::GreaterEqual => ">=",
                };
                format!("{} {sign} {}", self.rich(a), self.rich(b))
            }
            RichTest::Subset(_, a, b) => format!("{} within {}", self.rich(a), self.rich(b)),
            RichTest::Member(x, _, set) => format!("{} in {}", self.rich(x), self.rich(set)),
            RichTest::Belongs(x, belongs) => {
                format!("{} is {}", self.rich(x), self.belongs(belongs))
            }
            RichTest::Known(truth, of) => format!("{truth}, once {} is there", self.rich(of)),
        }
    }

    /// What belongs, as a noun.
    fn belongs(self, belongs: &Belongs) -> String {
        let of = |belongs: &Belongs| self.belongs(belongs);
        match belongs {
            Belongs::Always => "any".to_owned(),
            Belongs::Number(low, None) => format!("{low} or more"),
            Belongs::Number(low, Some(high)) => format!("from {low} to {high}"),
            Belongs::Between(of) => format!("from {} to {}", self.rich(&of.0), self.rich(&of.1)),
            Belongs::In(_, set) => format!("in {}", self.rich(set)),
            Belongs::Listed(items) => {
                let items: Vec<String> = items.iter().map(|item| self.rich(item)).collect();
                format!("one of {}", items.join(", "))
            }
            Belongs::Closure(closure) => format!("in closure1({})", self.rich(&closure.of)),
            Belongs::Within(_, set) => format!("within {}", self.rich(set)),
            Belongs::Members(_, members) => format!("a set of (what is {})", of(members)),
            Belongs::NotEmpty(_, set) => format!("not empty and {}", of(set)),
            Belongs::Sides(_, sides) => format!("a pair ({} |-> {})", of(&sides.0), of(&sides.1)),
            Belongs::Either(both) => format!("({} or {})", of(&both.0), of(&both.1)),
            Belongs::Both(both, true) => format!("({} and {})", of(&both.0), of(&both.1)),
            Belongs::Both(both, false) => format!("({} and not {})", of(&both.0), of(&both.1)),
            Belongs::Record(fields) => {
                let fields: Vec<String> = fields.iter().map(of).collect();
                format!("a record ({})", fields.join(", "))
            }
            Belongs::Made(id, number) => format!("made by {}", self.constructor(*id, *number)),
            Belongs::Arrow(of) => {
                let (from, to) = (self.rich(&of.2), self.rich(&of.3));
                format!("a {} from {from} to {to}", kind(of.1))
            }
            Belongs::Sequence(sequences) => self.sequences(sequences),
            Belongs::Solution(of) => format!("such that {}", self.test(&of.1)),
            Belongs::Image(of) => {
                let (_, _, test, body) = &**of;
                format!("a pair with {} where {}", self.rich(body), self.test(test))
            }
            Belongs::If(parts) => {
                format!("({} ? {} : {})", self.test(&parts.0), of(&parts.1), of(&parts.2))
            }
            Belongs::Run(_) => CODE.to_owned(),
        }
    }

    pub(in super::super) fn bindings(self, bindings: &Bindings) -> String {
        let told = |(slot, e): &(Slot, Rich)| {
            format!("{} = {}", self.machine.local(slot.id()).name, self.rich(e))
        };
        bindings.0.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    fn names(self, binder: &Binder) -> String {
        match binder {
            Binder::Local(slot) => self.machine.local(slot.id()).name.to_string(),
            Binder::Pair(_, left, right) => {
                format!("{} |-> {}", self.names(left), self.names(right))
            }
        }
    }

    fn constructor(self, id: FreeId, number: u32) -> String {
        let name = &self.machine.freetypes[id.0 as usize].constructors[number as usize].name;
        name.to_string()
    }

    fn sequences(self, of: &Sequences) -> String {
        let mut words = Vec::new();
        words.extend(of.not_empty.then_some("non-empty "));
        words.extend((of.injective && of.all_of.is_none()).then_some("injective "));
        let what = match &of.all_of {
            Some((_, all)) => format!("permutation of {}", self.rich(all)),
            None => format!("sequence of (what is {})", self.belongs(&of.items)),
        };
        let noun = format!("{}{what}", words.concat());
        let article = if noun.starts_with("injective") { "an" } else { "a" };
        format!("{article} {noun}")
    }
}

/// A constant, as far as it can be told without its type.
fn constant(value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Big(n) => n.to_string(),
        Value::Real(r) => format!("{r:?}"),
        Value::Word(w) => (*w as i64).to_string(),
        Value::String(text) => format!("\"{text}\""),
        Value::Set(items) => set(items),
        Value::Table(..) => set(&value.table().map(Table::values).unwrap_or_default()),
        Value::Pair(of) => format!("({} |-> {})", constant(&of.0), constant(&of.1)),
        Value::Record(fields) => {
            let fields: Vec<String> = fields.iter().map(constant).collect();
            format!("rec({})", fields.join(", "))
        }
        Value::Free(of) => match &of.1 {
            None => format!("constructor-{}", of.0),
            Some(argument) => format!("constructor-{}({})", of.0, constant(argument)),
        },
        Value::Bits(words) => {
            let members: u32 = words.iter().map(|word| word.count_ones()).sum();
            format!("{{{members} members}}")
        }
        Value::Symbolic(_) => "an infinite set".to_owned(),
    }
}

fn set(items: &[Value]) -> String {
    match (items, items.len()) {
        ([Value::Int(low), .., Value::Int(high)], n) if n > 2 && high - low == n as i64 - 1 => {
            format!("{{{low}..{high}}}")
        }
        (_, n) if n <= 8 => {
            let items: Vec<String> = items.iter().map(constant).collect();
            format!("{{{}}}", items.join(", "))
        }
        (_, n) => format!("{{{n} members}}"),
    }
}

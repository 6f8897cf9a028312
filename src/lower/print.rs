//! Lowered code as text: one line for each test and each write.

use super::code::Code;
use super::edits::{Edit, Side, Sides};
use super::line::{Asked, Line, LineWord};
use super::operators::row;
use super::point::Points;
use super::record::{RecordAt, RecordTo};
use super::rich::To;
use super::test::Test;
use super::wide::{Asks, Part, What, Wide};
use super::word::{Bits, Word};
use super::write::Write;
use crate::machine::{LocalId, Machine, Type};
use crate::state::Layout;
use crate::value::relation::Arrow;

/// What the names in lowered code are.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    pub machine: &'a Machine,
    pub layout: &'a Layout,
}

/// Stands for code that has no lowered form.
pub(super) const CODE: &str = "<code>";

/// Stands for what is looked up before it is computed.
pub(super) const REMEMBERED: &str = "<remembered>";

/// Stand for quantifiers, whose plans are told elsewhere.
const ALL: &str = "<for all>";
const SOME: &str = "<for some>";

impl Printer<'_> {
    pub fn code(self, code: &Code) -> String {
        match code {
            Code::Word(word) => self.word(word),
            Code::Value(rich) => self.rich(rich),
        }
    }

    pub fn word(self, word: &Word) -> String {
        match word {
            Word::Constant(w) => (*w as i64).to_string(),
            Word::Local(i) => self.machine.local(LocalId(*i)).name.to_string(),
            Word::Given(id, _) => self.machine.constant(*id).name.to_string(),
            Word::Field(bits) => self.field(*bits),
            Word::Integer(field) => self.machine.variable(field.id).name.to_string(),
            Word::One(op, x) => op.text(&self.word(x)),
            Word::Two(op, both) => op.text(&self.word(&both.0), &self.word(&both.1)),
            Word::Update(parts, _) => {
                let row = self.row(&parts.0, &parts.1);
                format!("{row} := bit {}", self.word(&parts.2))
            }
            Word::Number(op, both) => op.text(&self.word(&both.0), &self.word(&both.1)),
            Word::Partial(op, both, _) => op.text(&self.word(&both.0), &self.word(&both.1)),
            Word::Negate(x) => format!("-{}", self.word(x)),
            Word::Apply(both, _) => format!("only {}", self.row(&both.0, &both.1)),
            Word::Point(point) => self.point(&point.points, &point.argument),
            Word::Numbered(of) => {
                format!("{}[{}]", self.machine.variable(of.1.id).name, self.word(&of.0))
            }
            Word::Array(of) => {
                let name = &self.machine.constant(of.id).name;
                match &of.at {
                    (x, None) => format!("{name}[{}]", self.word(x)),
                    (x, Some(y)) => format!("{name}[{}, {}]", self.word(x), self.word(y)),
                }
            }
            Word::Set(field) => self.machine.variable(field.id).name.to_string(),
            Word::Coded(of, x) => of.text(&self.word(x)),
            Word::Item(of) => {
                let at = self.point(&of.point.points, &of.point.argument);
                format!("{at}[{}]", self.word(&of.argument))
            }
            Word::With(_, parts) => {
                let [m, x, y] = [&parts.0, &parts.1, &parts.2].map(|word| self.word(word));
                format!("({m} with {x} |-> {y})")
            }
            Word::Sides(of, set) => self.sides(of, set),
            Word::Line(of) => self.line_word(of),
            Word::Record(of) => self.record_field(&of.at, of.number),
            Word::Part(part) => self.part(part),
            Word::Truth(test) => format!("truth({})", self.test(test)),
            Word::If(parts) => format!(
                "({} ? {} : {})",
                self.test(&parts.0),
                self.word(&parts.1),
                self.word(&parts.2)
            ),
            Word::Of(of) => self.rich(of),
            Word::Remembered(_) => REMEMBERED.to_owned(),
            Word::Run(_) => CODE.to_owned(),
        }
    }

    pub fn test(self, test: &Test) -> String {
        let many = |sign: &str, parts: &[Test]| {
            let parts: Vec<String> = parts.iter().map(|p| self.test(p)).collect();
            format!("({})", parts.join(sign))
        };
        match test {
            Test::Always(truth) => truth.to_string(),
            Test::Is(bits, c) => format!("{} = {}", self.field(*bits), *c as i64),
            Test::IsNot(bits, c) => format!("{} /= {}", self.field(*bits), *c as i64),
            Test::Compare(relation, both) => {
                relation.text(&self.word(&both.0), &self.word(&both.1))
            }
            Test::Between(parts) => {
                let [x, low, high] = [&parts.0, &parts.1, &parts.2].map(|w| self.word(w));
                format!("{low} <= {x} <= {high}")
            }
            Test::HasPoint(point) => {
                format!("{} is defined", self.point(&point.points, &point.argument))
            }
            Test::Held(of) => {
                let name = &self.machine.variable(of.points.id).name;
                let all = if of.total { ", everywhere" } else { "" };
                format!("{name} is held{all}")
            }
            Test::IsArrow(parts, _, arrow) => {
                let [r, a, b] = [&parts.0, &parts.1, &parts.2].map(|w| self.word(w));
                format!("{r} is a {} from {a} to {b}", kind(*arrow))
            }
            Test::Not(test) => format!("not {}", self.test(test)),
            Test::All(parts) => many(" & ", parts),
            Test::Any(parts) => many(" or ", parts),
            Test::Same(both) => format!("({} <=> {})", self.test(&both.0), self.test(&both.1)),
            Test::If(parts) => format!(
                "({} ? {} : {})",
                self.test(&parts.0),
                self.test(&parts.1),
                self.test(&parts.2)
            ),
            Test::Wide(test) => self.wide_test(&test.asks),
            Test::Rich(test) => self.rich_test(test),
            Test::Let(of) => format!("(let {} in {})", self.bindings(&of.0), self.test(&of.1)),
            Test::Remembered(_) => REMEMBERED.to_owned(),
            Test::Quantified(true, ..) => ALL.to_owned(),
            Test::Quantified(false, ..) => SOME.to_owned(),
            Test::Run(_) => CODE.to_owned(),
        }
    }

    pub fn write(self, write: &Write) -> String {
        match write {
            Write::Put(bits, Word::Update(parts, _)) if is_old(*bits, &parts.0) => {
                let row = self.row(&parts.0, &parts.1);
                format!("{row} := bit {}", self.word(&parts.2))
            }
            Write::Put(bits, word) => format!("{} := {}", self.field(*bits), self.word(word)),
            Write::Integer(field, word) => {
                let name = &self.machine.variable(field.id).name;
                format!("{name} := {}", self.word(word))
            }
            Write::Set(write) => {
                let name = &self.machine.variable(write.field.id).name;
                format!("{name} := {}", self.word(&write.set))
            }
            Write::Point(write) => {
                let point = self.point(&write.points, &write.argument);
                format!("{point} := {}", self.word(&write.result))
            }
            Write::Edited(of) => {
                let name = &self.machine.variable(of.points.id).name;
                let edits: Vec<String> = of.edits.iter().map(|edit| self.edit(edit)).collect();
                format!("{name}: {}", edits.join("; "))
            }
            Write::Wide(wide) => {
                let name = &self.machine.variable(wide.id).name;
                format!("{name} := {}", self.wide(&wide.of))
            }
            Write::Local(index, word) => {
                let name = &self.machine.local(LocalId(*index)).name;
                format!("{name} := {}", self.word(word))
            }
            Write::Record(record) => match &record.to {
                RecordTo::All(words) => {
                    let words: Vec<String> = words.iter().map(|word| self.word(word)).collect();
                    format!("{} := rec({})", self.record(&record.at), words.join(", "))
                }
                RecordTo::Copy(from) => {
                    format!("{} := {}", self.record(&record.at), self.record(from))
                }
                RecordTo::One(number, word) => {
                    format!("{} := {}", self.record_field(&record.at, *number), self.word(word))
                }
            },
            Write::Line(line) => {
                let name = &self.machine.variable(line.points.id).name;
                format!("{name} := line {}", self.line(&line.of))
            }
            Write::Rich(rich) => {
                let name = match &rich.to {
                    To::Variable(id, _) => &self.machine.variable(*id).name,
                    To::Local(index) => &self.machine.local(LocalId(*index)).name,
                };
                format!("{name} := {}", self.rich(&rich.of))
            }
            Write::Run(_) => CODE.to_owned(),
        }
    }

    pub(super) fn wide(self, wide: &Wide) -> String {
        let two = |sign: &str, both: &(Wide, Wide)| {
            format!("({} {sign} {})", self.wide(&both.0), self.wide(&both.1))
        };
        let not = |inside: bool| if inside { "" } else { "not " };
        match wide {
            Wide::Constant(words) if words.iter().all(|word| *word == 0) => "0".to_owned(),
            Wide::Constant(_) => "bits".to_owned(),
            Wide::Given(id, _) => self.machine.constant(*id).name.to_string(),
            Wide::Local(i) => self.machine.local(LocalId(*i)).name.to_string(),
            Wide::Field(word, _) => self.field(Bits { word: *word, shift: 0, mask: u64::MAX }),
            Wide::Points(points, _) => self.machine.variable(points.id).name.to_string(),
            Wide::Members(field) => self.machine.variable(field.id).name.to_string(),
            Wide::Made(_) => "{..}".to_owned(),
            Wide::Word(word) => self.word(word),
            Wide::Union(both) => two("or", both),
            Wide::Intersection(both) => two("and", both),
            Wide::Difference(both) => two("and-not", both),
            Wide::Listed(items) => {
                let items: Vec<String> = items.iter().map(|item| self.word(item)).collect();
                format!("bits {}", items.join(", "))
            }
            Wide::Product(sides, _) => {
                format!("(rows {} and columns {})", self.word(&sides.0), self.word(&sides.1))
            }
            Wide::Rows(of, _, inside) => {
                format!("(rows {}{} and {})", not(*inside), self.word(&of.0), self.wide(&of.1))
            }
            Wide::Columns(of, _, inside) => {
                format!("({} and columns {}{})", self.wide(&of.0), not(*inside), self.word(&of.1))
            }
            Wide::Override(both, _) => two("under", both),
            Wide::Update(of, _) => {
                let row = format!("row {} of {}", self.word(&of.1), self.wide(&of.0));
                format!("{row} := bit {}", self.word(&of.2))
            }
            Wide::Inverse(of, _) => format!("inverse {}", self.wide(of)),
            Wide::Of(of) => self.rich(of),
        }
    }

    fn line_word(self, of: &LineWord) -> String {
        let line = self.line(&of.of);
        match of.asked {
            Asked::Size => format!("length {line}"),
            Asked::Whole => line,
            Asked::First => format!("first {line}"),
            Asked::Last => format!("last {line}"),
            Asked::IsSequence => format!("truth({line} is a line)"),
            Asked::Range => format!("items {line}"),
        }
    }

    fn line(self, line: &Line) -> String {
        match line {
            Line::Held(points) => self.machine.variable(points.id).name.to_string(),
            Line::At(point) => self.point(&point.points, &point.argument),
            Line::Empty => "[]".to_owned(),
            Line::One(x) => format!("[{}]", self.word(x)),
            Line::Join(both) => format!("({} ^ {})", self.line(&both.0), self.line(&both.1)),
            Line::Tail(of) => format!("tail {}", self.line(of)),
            Line::Front(of) => format!("front {}", self.line(of)),
            Line::Reverse(of) => format!("reverse {}", self.line(of)),
            Line::Take(of) => format!("(first {} of {})", self.word(&of.1), self.line(&of.0)),
            Line::Drop(of) => format!("({} but the first {})", self.line(&of.0), self.word(&of.1)),
        }
    }

    fn sides(self, of: &Sides, set: &Word) -> String {
        let name = &self.machine.variable(of.points.id).name;
        let (all, some) = match of.side {
            Side::Domain | Side::Sources => ("arguments", "arguments to"),
            Side::Image => ("results", "results from"),
        };
        match set {
            Word::Constant(u64::MAX) => format!("{all} of {name}"),
            set => format!("{some} {} of {name}", self.word(set)),
        }
    }

    fn edit(self, edit: &Edit<Word>) -> String {
        let pairs = |items: &[(Word, Word)]| {
            let pair = |(x, y): &(Word, Word)| format!("{} |-> {}", self.word(x), self.word(y));
            items.iter().map(pair).collect::<Vec<_>>().join(", ")
        };
        let kept = |kept: bool| if kept { "keep" } else { "drop" };
        match edit {
            Edit::Clear => "drop all".to_owned(),
            Edit::Fill(set, y) => format!("give {} to {}", self.word(y), self.word(set)),
            Edit::Each(_, x, y) => format!("put {} |-> {}, for each", self.word(x), self.word(y)),
            Edit::Put(items) => format!("put {}", pairs(items)),
            Edit::Add(items) => format!("add {}", pairs(items)),
            Edit::Remove(items) => format!("remove {}", pairs(items)),
            Edit::Rows(set, keeps) => format!("{} arguments {}", kept(*keeps), self.word(set)),
            Edit::Columns(set, keeps) => format!("{} results {}", kept(*keeps), self.word(set)),
        }
    }

    fn part(self, part: &Part) -> String {
        let of = self.wide(&part.of);
        match &part.what {
            What::Whole => of,
            What::Domain => format!("rows-used {of}"),
            What::Range => format!("columns-used {of}"),
            What::Image(set) => format!("columns-used (rows {} and {of})", self.word(set)),
            What::Row(x) => format!("row {} of {of}", self.word(x)),
            What::Card => format!("count {of}"),
            What::First => format!("first {of}"),
            What::Last => format!("last {of}"),
            What::Only(x, _) => format!("only row {} of {of}", self.word(x)),
        }
    }

    fn wide_test(self, asks: &Asks) -> String {
        match asks {
            Asks::Equal(a, b) => format!("{} = {}", self.wide(a), self.wide(b)),
            Asks::Subset(a, b) => format!("{} within {}", self.wide(a), self.wide(b)),
            Asks::Member(x, set) => format!("{} in {}", self.word(x), self.wide(set)),
            Asks::Has(_, set) => format!(".. in {}", self.wide(set)),
            Asks::HasRow(x, r) => format!("row {} of {} has bits", self.word(x), self.wide(r)),
            Asks::IsArrow(parts, arrow) => {
                let (a, b) = (self.word(&parts.1), self.word(&parts.2));
                format!("{} is a {} from {a} to {b}", self.wide(&parts.0), kind(*arrow))
            }
        }
    }

    fn row(self, r: &Word, x: &Word) -> String {
        row(&self.word(r), &self.word(x))
    }

    fn point(self, points: &Points, argument: &Word) -> String {
        format!("{}[{}]", self.machine.variable(points.id).name, self.word(argument))
    }

    fn record(self, at: &RecordAt) -> String {
        match at {
            RecordAt::Variable(id, ..) => self.machine.variable(*id).name.to_string(),
            RecordAt::Point(point) => self.point(&point.points, &point.argument),
        }
    }

    fn record_field(self, at: &RecordAt, number: usize) -> String {
        let ty = match at {
            RecordAt::Variable(id, ..) => &self.machine.variable(*id).ty,
            RecordAt::Point(point) => {
                let ty = &self.machine.variable(point.points.id).ty;
                ty.relation_sides().map_or(ty, |(_, to)| to)
            }
        };
        let record = self.record(at);
        match ty {
            Type::Record(fields) => format!("{record}'{}", fields[number].0),
            _ if number == 0 => format!("left {record}"),
            _ => format!("right {record}"),
        }
    }

    /// The variable whose field this is.
    fn field(self, bits: Bits) -> String {
        let mut fields = self.layout.fields.iter().zip(&self.machine.variables);
        let own = fields
            .find(|(field, _)| field.at.word as u32 == bits.word && field.at.shift == bits.shift);
        own.map_or_else(|| format!("word {}", bits.word), |(_, v)| v.name.to_string())
    }
}

/// Whether a word is what these bits hold before the write.
fn is_old(bits: Bits, word: &Word) -> bool {
    matches!(word, Word::Field(old) if *old == bits)
}

/// The name of a kind of function.
pub(super) fn kind(arrow: Arrow) -> &'static str {
    match (arrow.functional, arrow.total, arrow.injective, arrow.surjective) {
        (false, ..) => "relation",
        (_, false, false, false) => "partial function",
        (_, true, false, false) => "total function",
        (_, false, true, false) => "partial injection",
        (_, true, true, false) => "total injection",
        (_, false, false, true) => "partial surjection",
        (_, true, false, true) => "total surjection",
        (_, false, true, true) => "partial bijection",
        (_, true, true, true) => "bijection",
    }
}

//! What is known of the operations of a machine before a search, rendered: which depend on each other, which
//! enable which, which change an answer, each with its reasons.

use super::counted;
use super::json::{FORMAT, pretty};
use crate::independence::Analysis;
use crate::independence::operation::{Condition, Operation};
use crate::independence::prover::Example;
use crate::independence::question::Visible;
use crate::independence::relation::{Link, Matrix, Reason};
use crate::machine::{Key, Notation, Place, Type};
use crate::printable;
use crate::setup::Model;
use crate::source::{Sources, Span};
use crate::value::Value;
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// One entry of a matrix that is not empty.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Entry {
    pub from: String,
    pub to: String,
    /// It relates only instances with certain equal arguments.
    pub some_instances: bool,
    /// Both write the same place.
    pub race: bool,
    pub reasons: Vec<String>,
    /// A state, and arguments where there are any, in which it is so: where the solver found one.
    pub example: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Known {
    pub name: String,
    /// Why its steps are never put off or taken alone: it changes an answer, or may fail.
    pub visible: Option<String>,
    pub reads: Vec<String>,
    pub guard_reads: Vec<String>,
    pub writes: Vec<String>,
}

/// The analysis as data.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    pub format: u32,
    pub model: String,
    /// Whether the PROPERTIES have a solution, where that is known.
    pub set_up: Option<bool>,
    /// Questions to the solver, those that it refuted, and those without an answer, where it was asked.
    pub questions: Option<[usize; 3]>,
    pub operations: Vec<Known>,
    pub dependent: Vec<Entry>,
    pub enables: Vec<Entry>,
}

/// Puts an analysis into words.
pub fn view(analysis: &Analysis, model: &Model, sources: &Sources) -> View {
    let words = Words::new(model, sources);
    let operations = &analysis.relations.operations;
    let known = operations.iter().zip(&analysis.visible).map(|(o, visible)| {
        let guard = o.guard.iter().flat_map(|c| &c.reads);
        Known {
            name: o.name.to_string(),
            visible: visible.as_ref().map(|v| words.visible(o, v)),
            reads: words.places(o, o.reads.iter()),
            guard_reads: words.places(o, guard),
            writes: words.places(o, o.writes.iter().map(|w| &w.place)),
        }
    });
    View {
        format: FORMAT,
        model: model.instance.machine.name.to_string(),
        set_up: None,
        questions: analysis.asking.map(|a| [a.questions, a.refuted, a.unknown]),
        operations: known.collect(),
        dependent: words.entries(operations, &analysis.relations.dependent, true),
        enables: words.entries(operations, &analysis.relations.enables, false),
    }
}

pub fn json(view: &View) -> String {
    pretty(view)
}

/// The enable graph with the dependences between its vertices, for graphviz.
pub fn dot(view: &View) -> String {
    let quoted = |name: &str| format!("{:?}", printable::line(name));
    let mut out = format!("digraph {} {{\n", quoted(&view.model));
    for known in &view.operations {
        let shape = if known.visible.is_some() { "box" } else { "ellipse" };
        let _ = writeln!(out, "  {} [shape={shape}];", quoted(&known.name));
    }
    for entry in &view.enables {
        let _ = writeln!(out, "  {} -> {};", quoted(&entry.from), quoted(&entry.to));
    }
    for entry in &view.dependent {
        let colour = if entry.race { "red" } else { "grey" };
        let (from, to) = (quoted(&entry.from), quoted(&entry.to));
        let _ = writeln!(out, "  {from} -> {to} [dir=none, style=dashed, color={colour}];");
    }
    out.push_str("}\n");
    out
}

/// The matrices, and below them why.
pub fn text(view: &View) -> String {
    let mut out = format!("{}\n", printable::line(&view.model));
    if view.set_up == Some(false) {
        out.push_str("\nThe PROPERTIES have no solution: no operation is ever enabled.\n");
    }
    matrix(
        &mut out,
        view,
        &view.dependent,
        "Dependent (w both write, d otherwise; capital: whatever the arguments)",
        |entry| if entry.race { 'w' } else { 'd' },
    );
    matrix(
        &mut out,
        view,
        &view.enables,
        "The row can enable the column (capital: whatever the arguments)",
        |_| 'e',
    );
    reasons(&mut out, "Why they depend on each other", " and ", &view.dependent);
    reasons(&mut out, "How they can enable", " enables ", &view.enables);
    if let Some([questions, refuted, unknown]) = view.questions {
        let asked = counted(questions, "question");
        let _ = writeln!(out, "\n{asked} to the solver: {refuted} refuted, {unknown} not answered");
    }
    let visible: Vec<&Known> = view.operations.iter().filter(|k| k.visible.is_some()).collect();
    if !visible.is_empty() {
        out.push_str("\nVisible: what is asked depends on them\n");
    }
    for known in visible {
        let why = known.visible.as_deref().unwrap_or_default();
        let _ = writeln!(out, "  {}: {}", printable::line(&known.name), printable::line(why));
    }
    out
}

fn matrix(
    out: &mut String,
    view: &View,
    entries: &[Entry],
    title: &str,
    letter: impl Fn(&Entry) -> char,
) {
    let names: Vec<_> = view.operations.iter().map(|k| printable::line(&k.name)).collect();
    let width = names.iter().map(|n| n.width()).max().unwrap_or(0);
    let digits = names.len().to_string().len();
    let _ = write!(out, "\n{title}\n\n{:1$}", "", digits + width + 3);
    for i in 1..=names.len() {
        let _ = write!(out, " {i:>digits$}");
    }
    out.push('\n');
    for (i, row) in names.iter().enumerate() {
        let pad = width - row.width();
        let _ = write!(out, "{:>digits$}  {row}{:pad$} ", i + 1, "");
        for column in &view.operations {
            let same = |e: &&Entry| {
                let (from, to) = (&view.operations[i].name, &column.name);
                // Dependence is told once for both directions.
                let back = entries.as_ptr() == view.dependent.as_ptr();
                (&e.from, &e.to) == (from, to) || back && (&e.to, &e.from) == (from, to)
            };
            let mark = match entries.iter().find(same) {
                None => '.',
                Some(entry) if entry.some_instances => letter(entry),
                Some(entry) => letter(entry).to_ascii_uppercase(),
            };
            let _ = write!(out, " {mark:>digits$}");
        }
        out.push('\n');
    }
}

fn reasons(out: &mut String, title: &str, joint: &str, entries: &[Entry]) {
    if !entries.is_empty() {
        let _ = writeln!(out, "\n{title}");
    }
    for entry in entries {
        let (from, to) = (printable::line(&entry.from), printable::line(&entry.to));
        let _ = writeln!(out, "  {from}{joint}{to}");
        for reason in &entry.reasons {
            let _ = writeln!(out, "    {}", printable::line(reason));
        }
        if let Some(example) = &entry.example {
            let _ = writeln!(out, "    for example {}", printable::line(example));
        }
    }
}

/// Whether a link between instances of one operation is one of an instance with itself.
fn is_itself(link: &Link, parameters: usize) -> bool {
    let equal = |i| link.same.contains(&(Key::Parameter(i), Key::Parameter(i)));
    (0..parameters).all(equal)
}

/// What an analysis says, in the words of the machine.
pub(super) struct Words<'a> {
    model: &'a Model,
    sources: &'a Sources,
}

impl<'a> Words<'a> {
    pub(super) fn new(model: &'a Model, sources: &'a Sources) -> Words<'a> {
        Words { model, sources }
    }

    pub(super) fn model(&self) -> &'a Model {
        self.model
    }

    fn entries(&self, operations: &[Operation], matrix: &Matrix, once: bool) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (i, a) in operations.iter().enumerate() {
            for (j, b) in operations.iter().enumerate() {
                // What an instance has to do with itself is not told.
                let others = |l: &&Link| i != j || !is_itself(l, a.parameters.len());
                let links: Vec<&Link> = matrix.between(i, j).iter().filter(others).collect();
                if links.is_empty() || once && j < i {
                    continue;
                }
                let mut reasons: Vec<String> = Vec::new();
                for reason in links.iter().map(|l| self.reason(a, b, l)) {
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
                entries.push(Entry {
                    from: a.name.to_string(),
                    to: b.name.to_string(),
                    some_instances: links.iter().all(|l| !l.same.is_empty()),
                    race: links.iter().any(|l| l.reason == Reason::Race),
                    reasons,
                    example: matrix.examples.get(&(i, j)).map(|e| self.state(a, b, e)),
                });
            }
        }
        entries
    }

    pub(super) fn reason(&self, a: &Operation, b: &Operation, link: &Link) -> String {
        let (writer, reader) = match link.reason {
            Reason::FedBy | Reason::DisabledBy(..) => (b, a),
            _ => (a, b),
        };
        let place = self.model.instance.place(&writer.parameters, &link.place);
        let condition = |i: usize| self.condition(&reader.guard[i]);
        let becomes = |example| self.example(&link.place, example);
        let (w, r) = (&writer.name, &reader.name);
        let mut text = match link.reason {
            Reason::Race => format!("both write {place}"),
            Reason::Feeds | Reason::FedBy => format!("{w} writes {place}, which {r} reads"),
            Reason::Disables(i, example) | Reason::DisabledBy(i, example) => {
                format!("{w} can make false: {}{}", condition(i), becomes(example))
            }
            Reason::Enables(i, example) => {
                format!("{w} can make true: {}{}", condition(i), becomes(example))
            }
        };
        if !link.same.is_empty() {
            let key = |of: &Operation, key| self.model.instance.key(&of.parameters, key);
            let pairs = link.same.iter().map(|(x, y)| {
                let (own, other) = (key(a, x), key(b, y));
                match (a.id == b.id, own == other) {
                    (true, _) => format!("{own} = {other}'"),
                    (false, true) => format!("{own} of {} = {other} of {}", a.name, b.name),
                    (false, false) => format!("{own} = {other}"),
                }
            });
            let _ = write!(text, ", where {}", pairs.collect::<Vec<_>>().join(" and "));
        }
        text
    }

    /// An example in words: "with start(p1) and next(p2), where at = {...}".
    fn state(&self, a: &Operation, b: &Operation, example: &Example) -> String {
        let instance = &self.model.instance;
        let show = |ty: &Type, value: &Value| {
            let text = instance.names.show_as(ty, &Notation::Plain, value);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let called = |of: &Operation, arguments: &[Option<Value>]| {
            if arguments.is_empty() {
                return None;
            }
            let shown = of.parameters.iter().zip(arguments).map(|(id, value)| {
                let ty = &instance.machine.local(*id).ty;
                value.as_ref().map_or_else(|| "_".to_owned(), |value| show(ty, value))
            });
            Some(format!("{}({})", of.name, shown.collect::<Vec<_>>().join(", ")))
        };
        let calls: Vec<String> =
            [called(a, &example.first), called(b, &example.second)].into_iter().flatten().collect();
        let variables = example.variables.iter().map(|(id, value)| {
            let variable = instance.machine.variable(*id);
            format!("{} = {}", variable.name, show(&variable.ty, value))
        });
        let variables = variables.collect::<Vec<_>>().join(", ");
        match (calls.is_empty(), variables.is_empty()) {
            (_, true) if calls.is_empty() => "in any state".to_owned(),
            (true, _) => format!("where {variables}"),
            (false, true) => format!("with {}", calls.join(" and ")),
            (false, false) => format!("with {}, where {variables}", calls.join(" and ")),
        }
    }

    pub(super) fn visible(&self, operation: &Operation, visible: &Visible) -> String {
        match visible {
            Visible::Fails => "it may end in an error, or not all of it may be known".to_owned(),
            Visible::Changes { asker, span, place, example } => {
                let (text, example) = (self.text(*span), self.example(place, *example));
                let place = self.model.instance.place(&operation.parameters, place);
                format!("it writes {place}, of which {} asks {text}{example}", asker.name())
            }
        }
    }

    fn text(&self, span: Span) -> String {
        self.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn condition(&self, condition: &Condition) -> String {
        match &condition.pred {
            Some(pred) => self.text(pred.span),
            None => "what makes its body feasible, or the SCOPE".to_owned(),
        }
    }

    /// A value before and after a step.
    fn example(&self, place: &Place, example: Option<(i128, i128)>) -> String {
        let Some((before, after)) = example else { return String::new() };
        let ty = &self.model.instance.machine.variable(place.variable).ty;
        let ty = match (&place.point, ty.element()) {
            (None, _) => Some(ty),
            (Some(_), Some(Type::Pair(sides))) => Some(&sides.1),
            _ => None,
        };
        match ty {
            Some(ty) => format!(" ({} becomes {})", self.value(ty, before), self.value(ty, after)),
            None if after == 1 => " (it goes in)".to_owned(),
            None => " (it goes out)".to_owned(),
        }
    }

    fn value(&self, ty: &Type, n: i128) -> String {
        match ty {
            Type::Bool => if n == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Type::Set(set) => self.model.instance.names.element(*set, n as u32).to_string(),
            _ => n.to_string(),
        }
    }

    fn places<'p>(&self, of: &Operation, places: impl Iterator<Item = &'p Place>) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for place in places {
            let text = self.model.instance.place(&of.parameters, place);
            if !all.contains(&text) {
                all.push(text);
            }
        }
        all
    }
}

//! Values as text, in the syntax of B: what is printed parses back to the same value.

use super::sequence;
use super::shape::{Shape, Sizes};
use super::value::Value;
use crate::clock;
use crate::machine::{Freetype, LocalId, Machine, Notation, SetId, SetKind, SymbolicSet, Type};
use crate::syntax::Dialect;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::sync::Arc;

/// Names of the elements of the carrier sets, for one choice of their sizes.
#[derive(Clone, Debug)]
pub struct Names {
    elements: Vec<Elements>,
    /// The names that the machine declares: no number makes another of one.
    taken: Arc<BTreeSet<Arc<str>>>,
    /// Elements that print under another name than the declared one.
    renamed: BTreeMap<(SetId, u32), Arc<str>>,
    freetypes: Vec<Freetype>,
    symbolic: Vec<SymbolicSet>,
    /// Types of the parameters of each, with their names.
    parameters: Vec<Vec<(Arc<str>, Type)>>,
    sizes: Sizes,
    /// Whether the language has sequences: Event-B has not.
    sequences: bool,
}

/// What the elements of a set are called. Sets may be large: numbered names are made when one is
/// printed.
#[derive(Clone, Debug)]
enum Elements {
    Listed(Vec<Arc<str>>),
    /// The name of the set, and how many elements it has.
    Numbered(Arc<str>, u32),
}

impl Elements {
    /// Which element of a set that is numbered may have this name.
    fn number_in(&self, name: &str) -> Option<u32> {
        let Elements::Numbered(set, size) = self else { return None };
        let digits = name.strip_prefix(&**set)?.trim_start_matches('_');
        let number: u32 = digits.parse().ok()?;
        (1..=*size).contains(&number).then(|| number - 1)
    }

    fn number(&self) -> u32 {
        match self {
            Elements::Listed(names) => names.len() as u32,
            Elements::Numbered(_, size) => *size,
        }
    }
}

impl Names {
    /// Elements of enumerated sets have their own names; those of any other set its name and a
    /// number from 1 on, with `_` between them where something else is called so.
    pub fn new(machine: &Machine, sizes: &Sizes) -> Names {
        let elements = (0..).zip(&machine.sets).map(|(i, set)| match &set.kind {
            SetKind::Enumerated(names) => Elements::Listed(names.clone()),
            SetKind::Deferred | SetKind::Parameter => {
                Elements::Numbered(set.name.clone(), sizes.of(SetId(i)))
            }
        });
        let elements: Vec<Elements> = elements.collect();
        let sets = machine.sets.iter().map(|set| &set.name);
        let globals = machine.constants.iter().map(|c| &c.name);
        let globals = globals.chain(machine.variables.iter().map(|v| &v.name));
        let listed = elements.iter().flat_map(|of| match of {
            Elements::Listed(names) => &names[..],
            Elements::Numbered(..) => &[],
        });
        let free = machine.freetypes.iter();
        let free = free.flat_map(|of| of.constructors.iter().map(|c| &c.name).chain([&of.name]));
        let taken: BTreeSet<Arc<str>> =
            sets.chain(globals).chain(listed).chain(free).cloned().collect();
        let mut names = Names {
            taken: Arc::new(taken),
            elements,
            renamed: BTreeMap::new(),
            freetypes: machine.freetypes.clone(),
            symbolic: Vec::new(),
            parameters: Vec::new(),
            sizes: sizes.clone(),
            sequences: machine.dialect == Dialect::Classical,
        };
        names.describe(machine);
        names
    }

    /// Takes in the descriptions of infinite sets that a machine has.
    pub fn describe(&mut self, machine: &Machine) {
        let named = |id: &LocalId| {
            let local = machine.local(*id);
            (local.name.clone(), local.ty.clone())
        };
        let of = |set: &SymbolicSet| set.parameters.iter().map(named).collect();
        self.parameters = machine.symbolic.sets.iter().map(of).collect();
        self.symbolic = machine.symbolic.sets.clone();
    }

    /// The shape of a type.
    pub fn shape(&self, ty: &Type) -> Shape {
        Shape::of(ty, &self.sizes)
    }

    /// Gives an element another name, such as that of the constant that is equal to it.
    pub fn rename(&mut self, set: SetId, element: u32, name: Arc<str>) {
        self.renamed.insert((set, element), name);
    }

    /// The bare name under which an element prints.
    pub fn element(&self, set: SetId, element: u32) -> Arc<str> {
        match self.renamed.get(&(set, element)) {
            Some(name) => name.clone(),
            None => self.declared(set, element),
        }
    }

    /// The name of an element as it is declared.
    pub fn declared(&self, set: SetId, element: u32) -> Arc<str> {
        let number = set.0 as usize;
        match &self.elements[number] {
            Elements::Listed(names) => names[element as usize].clone(),
            Elements::Numbered(set, _) => {
                let mut stem = set.to_string();
                loop {
                    let name = format!("{stem}{}", element + 1);
                    let mut before = (0..).map(SetId).zip(&self.elements[..number]);
                    let is_other = |(set, of): (SetId, &Elements)| {
                        of.number_in(&name).is_some_and(|i| *self.declared(set, i) == *name)
                    };
                    if !self.taken.contains(&*name) && !before.any(is_other) {
                        return name.into();
                    }
                    stem.push('_');
                }
            }
        }
    }

    /// The names of all elements as they are declared, by set: they can be read back, as the other
    /// names can, which are those of constants.
    pub fn lists(&self) -> Vec<Vec<Arc<str>>> {
        let all = |(set, of): (SetId, &Elements)| {
            (0..of.number()).map(|i| self.declared(set, i)).collect()
        };
        (0..).map(SetId).zip(&self.elements).map(all).collect()
    }

    /// A value of this type as an expression of B. What looks like a sequence is written as one; what
    /// is empty only where the notation says so ([`Names::show_as`]).
    pub fn show(&self, ty: &Type, v: &Value) -> String {
        self.show_as(ty, &Notation::Plain, v)
    }

    /// The same, where sequences are meant as the notation says: the empty one is `[]` there.
    pub fn show_as(&self, ty: &Type, notation: &Notation, v: &Value) -> String {
        let mut text = String::new();
        // a string takes all that is written
        let _ = self.write(&mut text, ty, notation, &Shape::of(ty, &self.sizes), v);
        text
    }

    /// A set as its members, even where they look like a sequence.
    pub fn show_members(&self, ty: &Type, notation: &Notation, v: &Value) -> String {
        let Type::Pow(element) = ty else { return self.show_as(ty, notation, v) };
        let (mut text, shape) = (String::new(), Shape::of(ty, &self.sizes));
        let of = (&**element, &notation.element(), &shape.element());
        // a string takes all that is written
        let _ = self.write_list(&mut text, "{}", of, shape.members(v));
        text
    }

    /// The same in at most `max_chars` characters, `...` in place of what is cut off. No more of
    /// the value is looked at than is needed.
    pub fn show_short(
        &self,
        ty: &Type,
        notation: &Notation,
        v: &Value,
        max_chars: usize,
    ) -> String {
        let mut text = Limited { text: String::new(), left: max_chars };
        match self.write(&mut text, ty, notation, &Shape::of(ty, &self.sizes), v) {
            Ok(()) => text.text,
            Err(fmt::Error) => cut(&text.text, max_chars),
        }
    }

    fn write(
        &self,
        out: &mut dyn Write,
        ty: &Type,
        notation: &Notation,
        shape: &Shape,
        v: &Value,
    ) -> fmt::Result {
        clock::work(1);
        if *v == Value::unassigned() {
            return out.write_char('?');
        }
        match (ty, v) {
            (Type::Integer, Value::Int(n)) => write!(out, "{n}"),
            (Type::Integer, Value::Big(n)) => write!(out, "{n}"),
            (Type::Real, Value::Real(r)) => write_real(out, *r),
            (Type::Bool, Value::Word(w)) => out.write_str(if *w == 0 { "FALSE" } else { "TRUE" }),
            (Type::String, Value::String(s)) => write_string(out, s),
            (Type::Set(set), Value::Word(w)) => write_name(out, &self.element(*set, *w as u32)),
            (Type::Pow(_), Value::Symbolic(s)) => self.write_symbolic(out, s.0 as usize, &s.1),
            (Type::Pow(element), _) => self.write_set(out, element, notation, shape, v),
            (Type::Pair(sides), _) => {
                out.write_char('(')?;
                self.write_pair(out, sides, notation, shape, v)?;
                out.write_char(')')
            }
            (Type::Record(fields), Value::Record(values)) => {
                let Shape::Record(shapes) = shape else { return Ok(()) };
                out.write_str("rec(")?;
                for (i, (name, ty)) in fields.iter().enumerate() {
                    out.write_str(if i > 0 { "," } else { "" })?;
                    write_name(out, name)?;
                    out.write_char(':')?;
                    self.write(out, ty, &notation.field(i), &shapes[i], &values[i])?;
                }
                out.write_char(')')
            }
            (Type::Free(id), Value::Free(f)) => {
                let constructor = &self.freetypes[id.0 as usize].constructors[f.0 as usize];
                write_name(out, &constructor.name)?;
                if let (Some(ty), Some(value)) = (&constructor.argument, &f.1) {
                    out.write_char('(')?;
                    self.write(out, ty, &Notation::Plain, &Shape::of(ty, &self.sizes), value)?;
                    out.write_char(')')?;
                }
                Ok(())
            }
            _ => unreachable!("not of type {ty:?}: {v:?}"),
        }
    }

    /// The text of a description; where it has parameters, in a LET with their values.
    fn write_symbolic(&self, out: &mut dyn Write, number: usize, values: &[Value]) -> fmt::Result {
        let parameters = &self.parameters[number];
        if parameters.is_empty() {
            return out.write_str(&self.symbolic[number].text);
        }
        out.write_str("LET ")?;
        for (i, (name, _)) in parameters.iter().enumerate() {
            out.write_str(if i > 0 { "," } else { "" })?;
            write_name(out, name)?;
        }
        for (i, ((name, ty), value)) in parameters.iter().zip(values).enumerate() {
            out.write_str(if i > 0 { " & " } else { " BE " })?;
            write_name(out, name)?;
            out.write_str("=")?;
            self.write(out, ty, &Notation::Plain, &Shape::of(ty, &self.sizes), value)?;
        }
        write!(out, " IN {} END", self.symbolic[number].text)
    }

    fn write_set(
        &self,
        out: &mut dyn Write,
        element: &Type,
        notation: &Notation,
        shape: &Shape,
        v: &Value,
    ) -> fmt::Result {
        if shape.is_empty(v) {
            let meant = self.sequences && matches!(notation, Notation::Sequence(_));
            return out.write_str(if meant { "[]" } else { "{}" });
        }
        let of = shape.element();
        if let Type::Pair(sides) = element
            && self.sequences
            && sides.0 == Type::Integer
            && sequence::is_sequence(shape, v)
        {
            let (_, right) = of.sides();
            let items = shape.members(v).map(|p| of.split(&p).1);
            return self.write_list(out, "[]", (&sides.1, &notation.values(), &right), items);
        }
        self.write_list(out, "{}", (element, &notation.element(), &of), shape.members(v))
    }

    /// Items of one type, notation and shape.
    fn write_list(
        &self,
        out: &mut dyn Write,
        brackets: &str,
        (ty, notation, shape): (&Type, &Notation, &Shape),
        items: impl Iterator<Item = Value>,
    ) -> fmt::Result {
        out.write_str(&brackets[..1])?;
        for (i, item) in items.enumerate() {
            out.write_str(if i > 0 { "," } else { "" })?;
            self.write(out, ty, notation, shape, &item)?;
        }
        out.write_str(&brackets[1..])
    }

    /// A pair without its brackets: as `|->` associates to the left, pairs on the left need none.
    fn write_pair(
        &self,
        out: &mut dyn Write,
        (left, right): &(Type, Type),
        notation: &Notation,
        shape: &Shape,
        v: &Value,
    ) -> fmt::Result {
        let (x, y) = shape.split(v);
        let (left_shape, right_shape) = shape.sides();
        let (left_notation, right_notation) = notation.sides();
        match left {
            Type::Pair(sides) => self.write_pair(out, sides, &left_notation, &left_shape, &x)?,
            _ => self.write(out, left, &left_notation, &left_shape, &x)?,
        }
        out.write_str("|->")?;
        self.write(out, right, &right_notation, &right_shape, &y)
    }
}

/// Always with a dot, never with an exponent.
fn write_real(out: &mut dyn Write, r: f64) -> fmt::Result {
    if r.fract() == 0.0 { write!(out, "{r:.1}") } else { write!(out, "{r}") }
}

fn write_string(out: &mut dyn Write, s: &str) -> fmt::Result {
    out.write_char('"')?;
    write_escaped(out, s, '"')?;
    out.write_char('"')
}

fn write_escaped(out: &mut dyn Write, s: &str, quote: char) -> fmt::Result {
    for c in s.chars() {
        match c {
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            '\\' => out.write_str("\\\\")?,
            c if c == quote => write!(out, "\\{c}")?,
            c => out.write_char(c)?,
        }
    }
    Ok(())
}

/// A name, each part of it that is no identifier between back quotes.
fn write_name(out: &mut dyn Write, name: &str) -> fmt::Result {
    for (i, part) in name.split('.').enumerate() {
        out.write_str(if i > 0 { "." } else { "" })?;
        let plain = part.starts_with(char::is_alphabetic)
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        if plain {
            out.write_str(part)?;
        } else {
            out.write_char('`')?;
            write_escaped(out, part, '`')?;
            out.write_char('`')?;
        }
    }
    Ok(())
}

/// Takes `left` characters more, then fails.
struct Limited {
    text: String,
    left: usize,
}

impl Write for Limited {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for c in s.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// The beginning of a text that goes on, and `...`, in `max_chars` characters: cut behind the last
/// comma or opening bracket of the second half, or else where the room ends.
fn cut(text: &str, max_chars: usize) -> String {
    let Some(room) = max_chars.checked_sub(3) else { return ".".repeat(max_chars) };
    let kept: Vec<char> = text.chars().take(room).collect();
    let seam = kept.iter().rposition(|c| matches!(c, ',' | '{' | '[' | '('));
    let length = seam.map(|i| i + 1).filter(|n| n * 2 >= room).unwrap_or(kept.len());
    kept[..length].iter().chain(&['.'; 3]).collect()
}

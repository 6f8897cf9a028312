//! XML as a sequence of records, one for each element and each piece of text.
//!
//! A record has the number of the element, that of the one it stands in (0: in none), its name, its attributes
//! and, as `meta`, the line it begins in. A piece of text is an element `CText` with the attribute `text`.

use super::{Call, string, text};
use crate::lower::stop::FaultKind;
use crate::value::{Shape, Value, sequence};
use roxmltree::{Document, Node, ParsingOptions};
use std::fmt::Write;

/// The name of what holds a piece of text, and of the attribute that it stands in.
const TEXT: &str = "CText";
const CONTENT: &str = "text";

/// The elements of a text. White space may stand before it.
///
/// # Errors
/// It is not well-formed.
pub(super) fn read(written: &str, result: &Shape) -> Result<Value, FaultKind> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let begins = written.trim_start();
    let before = &written[..written.len() - begins.len()];
    let lines = before.matches('\n').count() as u32;
    let indented = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u32;
    match Document::parse_with_options(begins, options) {
        Ok(document) => elements(&document, lines, result).ok_or(FaultKind::FileUnfit),
        Err(error) => {
            let at = error.pos();
            let column = if at.row == 1 { at.col + indented } else { at.col };
            Err(FaultKind::NotXml(at.row + lines, column))
        }
    }
}

/// The elements of a document that begins after so many lines.
fn elements(document: &Document<'_>, lines: u32, result: &Shape) -> Option<Value> {
    let pairs = result.element();
    let Shape::Record(fields) = pairs.sides().1 else { return None };
    let mut found: Vec<Value> = Vec::new();
    // What is still to come, with the number of what it stands in.
    let mut rest: Vec<(Node<'_, '_>, usize)> = vec![(document.root_element(), 0)];
    while let Some((node, parent)) = rest.pop() {
        let (name, attributes) = if node.is_element() {
            let attributes = node.attributes().map(|a| (a.name(), a.value())).collect();
            (node.tag_name().name(), attributes)
        } else {
            match node.text().map(str::trim) {
                Some(content) if node.is_text() && !content.is_empty() => {
                    (TEXT, vec![(CONTENT, content)])
                }
                _ => continue,
            }
        };
        let number = found.len() + 1;
        let skipped =
            node.text().filter(|_| node.is_text()).map_or(0, |t| t.len() - t.trim_start().len());
        let line = document.text_pos_at(node.range().start + skipped).row + lines;
        let line = line.to_string();
        let meta = vec![("xmlLineNumber", &*line)];
        found.push(Value::Record(
            [
                relation(fields.first()?, attributes),
                Value::String(name.into()),
                relation(fields.get(2)?, meta),
                Value::Int(parent as i64),
                Value::Int(number as i64),
            ]
            .into(),
        ));
        let before = rest.len();
        rest.extend(node.children().map(|child| (child, number)));
        rest[before..].reverse();
    }
    Some(sequence::from_items(result, found))
}

fn relation(shape: &Shape, pairs: Vec<(&str, &str)>) -> Value {
    let of = |s: &str| Value::String(s.into());
    let pair = shape.element();
    shape.collect(
        pairs.into_iter().map(|(name, value)| pair.pair(of(name), of(value))).collect::<Vec<_>>(),
    )
}

/// An element as it is written down.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<usize>,
}

/// The text of a sequence of elements; `None` where an element stands in one that comes later, or a name is none.
pub(super) fn write(c: &Call, a: &[Value]) -> Option<Value> {
    let items = sequence::items(&c.shapes[0], &a[0])?;
    let Shape::Record(fields) = c.shapes[0].element().sides().1 else { return None };
    let mut elements: Vec<Element> = Vec::new();
    let mut numbers: Vec<Value> = Vec::new();
    let mut roots = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let Value::Record(values) = item else { return None };
        let [attributes, name, _, parent, number] = &values[..] else { return None };
        let pairs = fields.first()?;
        let attributes = pairs.members(attributes).map(|v| {
            let (name, value) = pairs.element().split(&v);
            (text(&name).to_owned(), text(&value).to_owned())
        });
        elements.push(Element {
            name: text(name).to_owned(),
            attributes: attributes.collect(),
            children: Vec::new(),
        });
        match numbers.iter().position(|known| known == parent) {
            Some(parent) => elements[parent].children.push(i),
            None if *parent == Value::Int(0) => roots.push(i),
            None => return None,
        }
        numbers.push(number.clone());
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for root in roots {
        put(&elements, root, &mut out)?;
    }
    string(out)
}

/// Writes an element with what stands in it.
fn put(elements: &[Element], root: usize, out: &mut String) -> Option<()> {
    enum Mark {
        Open(usize),
        Close(usize),
    }
    let mut rest = vec![Mark::Open(root)];
    while let Some(mark) = rest.pop() {
        match mark {
            Mark::Close(i) => {
                let _ = writeln!(out, "</{}>", elements[i].name);
            }
            Mark::Open(i) => {
                let Element { name, attributes, children } = &elements[i];
                if name == TEXT {
                    let content = attributes.iter().find(|(name, _)| name == CONTENT);
                    out.push_str(&escaped(content.map_or("", |(_, value)| value)));
                    continue;
                }
                let is_name = |s: &str| {
                    s.starts_with(|ch: char| ch.is_alphabetic() || ch == '_')
                        && s.chars().all(|ch| ch.is_alphanumeric() || "_-.:".contains(ch))
                };
                if !is_name(name) || !attributes.iter().all(|(name, _)| is_name(name)) {
                    return None;
                }
                let _ = write!(out, "<{name}");
                for (name, value) in attributes {
                    let _ = write!(out, " {name}=\"{}\"", escaped(value));
                }
                out.push('>');
                rest.push(Mark::Close(i));
                rest.extend(children.iter().rev().map(|child| Mark::Open(*child)));
            }
        }
    }
    Some(())
}

fn escaped(s: &str) -> String {
    let mut out = String::new();
    for ch in s.chars() {
        match ch {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(ch));
            }
            other => out.push(other),
        }
    }
    out
}

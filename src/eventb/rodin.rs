//! Components of Rodin projects: the XML of `.bum` and `.buc` files, formulas still as texts.

use super::model::{Action, INITIALISATION, Status};
use super::notation::{self, Piece, Theories};
use super::page::Writer;
use super::written::{At, Context, Declared, Event, Item, Machine, Written};
use crate::clock;
use crate::syntax::ast::{Name, Node, NodeKind};
use roxmltree::{Document, Node as Element, ParsingOptions};
use std::ops::Range;
use std::sync::Arc;

/// Most elements and attributes of one file.
const MAX_NODES: u32 = 2_000_000;
/// What names of Rodin's own elements and attributes begin with.
const CORE: &str = "org.eventb.core.";
/// How far the further lines of a formula are indented.
const INDENT: &str = "\n          ";

/// A formula as it stands in an attribute.
#[derive(Clone, Debug)]
pub struct Text {
    text: Name,
    theories: Arc<Theories>,
}

impl Text {
    /// Prints the text; its place.
    fn print(&self, w: &mut Writer) -> Range<usize> {
        let start = w.at();
        for (i, line) in self.text.trim().lines().enumerate() {
            w.put(if i == 0 { "" } else { INDENT });
            w.put(line.trim());
        }
        start..w.at()
    }

    fn piece<'t>(&'t self, w: &'t Writer) -> Piece<'t> {
        Piece { text: &w.text, file: w.file, theories: &self.theories }
    }
}

impl Written for Text {
    fn formula(&self, w: &mut Writer) -> Node {
        let range = self.print(w);
        let span = w.span(range.start);
        self.piece(w).formula(range).unwrap_or_else(|error| {
            w.errors.push(*error);
            Node { kind: NodeKind::Error, span }
        })
    }

    fn action(&self, w: &mut Writer) -> Option<Action> {
        let range = self.print(w);
        match self.piece(w).action(range) {
            Ok(action) => Some(action),
            Err(error) => {
                w.errors.push(*error);
                None
            }
        }
    }
}

/// What is wrong with the XML of a file, and where.
#[derive(Clone, Debug)]
pub struct Fault {
    pub range: Range<usize>,
    pub message: String,
    pub hint: Option<String>,
}

type Result<T> = std::result::Result<T, Fault>;

fn fail<T>(element: Element<'_, '_>, message: String) -> Result<T> {
    // The tag alone: an element may be the whole file.
    let range = element.range();
    let text = &element.document().input_text()[range.clone()];
    let end = text.find('>').map_or(range.end, |end| range.start + end + 1);
    Err(Fault { range: range.start..end, message, hint: None })
}

fn document(text: &str) -> Result<Document<'_>> {
    clock::work(text.len());
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let before: usize = text
            .split_inclusive('\n')
            .take(place.row.saturating_sub(1) as usize)
            .map(str::len)
            .sum();
        let within = text[before..].char_indices().nth(place.col.saturating_sub(1) as usize);
        let at = match error {
            // The parser has no place for it.
            roxmltree::Error::UnexpectedEndOfStream => text.trim_end().len(),
            _ => within.map_or(text.len(), |(i, _)| before + i),
        };
        let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        let message = format!("this is no whole XML file: {}", what(&error));
        Fault {
            range: at..end,
            message,
            hint: Some("save the component in Rodin again".to_owned()),
        }
    })
}

/// What the XML parser says, without the place.
fn what(error: &roxmltree::Error) -> String {
    let text = error.to_string();
    match text.rfind(" at ") {
        Some(end) if text[end + 4..].starts_with(|c: char| c.is_ascii_digit()) => {
            text[..end].to_owned()
        }
        _ => text,
    }
}

/// Reads a machine.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn machine(name: &Name, text: &str, theories: &Arc<Theories>) -> Result<Machine<Text>> {
    let document = document(text)?;
    let root = document.root_element();
    match tag(root) {
        "machineFile" => Reader { theories }.machine(name, root),
        "contextFile" => of_another_kind(root, "machine", "context", ".buc"),
        _ => fail(root, "this is neither a machine nor a context of Rodin".to_owned()),
    }
}

/// Whether an event is an initialisation that extends the one above it, which need not be named.
fn extends_by_name(event: &Event<Text>) -> bool {
    event.extended && &*event.name == INITIALISATION && event.refines.is_empty()
}

/// Reads a context.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn context(name: &Name, text: &str, theories: &Arc<Theories>) -> Result<Context<Text>> {
    let document = document(text)?;
    let root = document.root_element();
    match tag(root) {
        "contextFile" => Reader { theories }.context(name, root),
        "machineFile" => of_another_kind(root, "context", "machine", ".bum"),
        _ => fail(root, "this is neither a machine nor a context of Rodin".to_owned()),
    }
}

fn of_another_kind<T>(root: Element<'_, '_>, named: &str, is: &str, ending: &str) -> Result<T> {
    let message = format!("by its name this file is a {named}, and by its content a {is}");
    let hint = format!("files of Rodin that hold a {is} end in {ending}");
    fail(root, message).map_err(|fault: Fault| Fault { hint: Some(hint), ..fault })
}

/// The operators that a theory defines: the names of its operators, data types and their parts. A
/// file that cannot be read defines none.
pub fn defined(text: &str) -> Vec<Name> {
    let Ok(document) = document(text) else { return Vec::new() };
    let elements = document.descendants().filter(Element::is_element);
    let names = elements.filter_map(|element| {
        let tag = element.tag_name().name();
        let attribute = match tag {
            _ if tag.contains("peratorDefinition") => "org.eventb.core.label",
            _ if ["datatype", "constructorArgument", "TypeDefinition"]
                .iter()
                .any(|part| tag.contains(part)) =>
            {
                "org.eventb.core.identifier"
            }
            _ => return None,
        };
        element.attribute(attribute).map(Name::from)
    });
    names.collect()
}

/// The name of an element of Rodin's own; empty for those of plug-ins.
fn tag<'d>(element: Element<'_, 'd>) -> &'d str {
    let name = element.tag_name().name();
    name.strip_prefix(CORE).unwrap_or("")
}

fn attribute<'a>(element: Element<'a, '_>, name: &str) -> Option<&'a str> {
    let own = element.attributes().find(|a| a.name().strip_prefix(CORE) == Some(name))?;
    Some(own.value())
}

fn needed<'a>(element: Element<'a, '_>, name: &str) -> Result<&'a str> {
    match attribute(element, name) {
        Some(value) if !value.trim().is_empty() => Ok(value),
        _ => fail(element, format!("this {} has no {name}", called(element))),
    }
}

/// What an element is called in messages.
fn called<'d>(element: Element<'_, 'd>) -> &'d str {
    match tag(element) {
        "carrierSet" => "carrier set",
        "refinesMachine" | "refinesEvent" => "`refines`",
        "seesContext" => "`sees`",
        "extendsContext" => "`extends`",
        tag => tag,
    }
}

fn flag(element: Element<'_, '_>, name: &str) -> bool {
    attribute(element, name) == Some("true")
}

fn target(element: Element<'_, '_>) -> Result<Name> {
    needed(element, "target").map(Name::from)
}

fn comment(element: Element<'_, '_>) -> Option<Name> {
    attribute(element, "comment").map(Name::from)
}

fn at(element: Element<'_, '_>) -> At {
    u32::try_from(element.range().start).ok()
}

/// A label: whatever somebody wrote, on one line.
fn label(text: &str) -> Name {
    text.split_whitespace().collect::<Vec<_>>().join(" ").into()
}

fn declared(element: Element<'_, '_>) -> Result<Declared> {
    let name = needed(element, "identifier")?;
    if !notation::is_identifier(name) {
        let shown: String = name.chars().flat_map(char::escape_debug).collect();
        let message = match notation::is_reserved(name) {
            true => format!("`{name}` is a reserved word: it cannot name a {}", called(element)),
            false => format!("`{shown}` is no identifier: it cannot name a {}", called(element)),
        };
        return fail(element, message);
    }
    Ok(Declared { name: name.into(), comment: comment(element), at: at(element) })
}

struct Reader<'a> {
    theories: &'a Arc<Theories>,
}

impl Reader<'_> {
    fn text(&self, element: Element<'_, '_>, name: &str) -> Result<Text> {
        let text = needed(element, name)?.into();
        Ok(Text { text, theories: self.theories.clone() })
    }

    fn item(&self, element: Element<'_, '_>, formula: &str) -> Result<Item<Text>> {
        Ok(Item {
            label: attribute(element, "label").map(label),
            formula: self.text(element, formula)?,
            theorem: flag(element, "theorem") || tag(element) == "theorem",
            comment: comment(element),
            at: at(element),
        })
    }

    fn machine(&self, name: &Name, root: Element<'_, '_>) -> Result<Machine<Text>> {
        let mut machine = Machine {
            name: name.clone(),
            refines: None,
            sees: Vec::new(),
            variables: Vec::new(),
            invariants: Vec::new(),
            variant: None,
            events: Vec::new(),
            comment: comment(root),
        };
        for element in root.children().filter(Element::is_element) {
            clock::work(1);
            match tag(element) {
                "refinesMachine" if machine.refines.is_some() => {
                    return fail(element, "a machine refines one machine only".to_owned());
                }
                "refinesMachine" => machine.refines = Some(target(element)?),
                "seesContext" => machine.sees.push(target(element)?),
                "variable" => machine.variables.push(declared(element)?),
                "invariant" | "theorem" => {
                    machine.invariants.push(self.item(element, "predicate")?);
                }
                "variant" if machine.variant.is_some() => {
                    return fail(element, "several variants are not supported".to_owned());
                }
                "variant" => machine.variant = Some(self.item(element, "expression")?),
                "event" => machine.events.push(self.event(element)?),
                _ => {}
            }
        }
        let refines = machine.refines.is_some();
        for event in machine.events.iter_mut().filter(|e| extends_by_name(e)) {
            match refines {
                true => event.refines.push(event.name.clone()),
                // There is nothing to be extended: Rodin takes what stands there for all of it.
                false => event.extended = false,
            }
        }
        Ok(machine)
    }

    fn event(&self, root: Element<'_, '_>) -> Result<Event<Text>> {
        let status = match attribute(root, "convergence") {
            None | Some("0") => Status::Ordinary,
            Some("1") => Status::Convergent,
            Some("2") => Status::Anticipated,
            Some(_) => {
                return fail(root, "convergence is 0, 1 or 2".to_owned());
            }
        };
        let mut event = Event {
            name: label(needed(root, "label")?),
            status,
            extended: flag(root, "extended"),
            refines: Vec::new(),
            parameters: Vec::new(),
            guards: Vec::new(),
            witnesses: Vec::new(),
            actions: Vec::new(),
            comment: comment(root),
            at: at(root),
        };
        if !notation::is_identifier(&event.name) {
            return fail(root, format!("`{}` cannot name an event", event.name));
        }
        for element in root.children().filter(Element::is_element) {
            clock::work(1);
            match tag(element) {
                "refinesEvent" => event.refines.push(target(element)?),
                "parameter" => event.parameters.push(declared(element)?),
                "guard" => event.guards.push(self.item(element, "predicate")?),
                "witness" => event.witnesses.push(self.item(element, "predicate")?),
                "action" => event.actions.push(self.item(element, "assignment")?),
                _ => {}
            }
        }
        if event.extended && event.refines.len() != 1 && !extends_by_name(&event) {
            let message = format!("`{}` is extended: it refines exactly one event", event.name);
            return fail(root, message);
        }
        Ok(event)
    }

    fn context(&self, name: &Name, root: Element<'_, '_>) -> Result<Context<Text>> {
        let mut context = Context {
            name: name.clone(),
            extends: Vec::new(),
            sets: Vec::new(),
            constants: Vec::new(),
            axioms: Vec::new(),
            comment: comment(root),
        };
        for element in root.children().filter(Element::is_element) {
            clock::work(1);
            match tag(element) {
                "extendsContext" => context.extends.push(target(element)?),
                "carrierSet" => context.sets.push(declared(element)?),
                "constant" => context.constants.push(declared(element)?),
                "axiom" | "theorem" => context.axioms.push(self.item(element, "predicate")?),
                _ => {}
            }
        }
        Ok(context)
    }
}

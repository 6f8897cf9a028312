//! Definitions that speak to the tool: scopes, preferences, GOAL, SCOPE, temporal formulas.

use crate::diagnostic::{Diagnostic, Severity};
use crate::machine::{Pred, Preference, ScopeDefinition, SetId, SetKind};
use crate::source::Sources;
use crate::syntax::ast::{
    BinaryOp, Constant, Definition, DefinitionBody, Name, Node, NodeKind, UnaryOp,
};
use crate::syntax::suggest;
use crate::typing::context::Elaborator;
use crate::typing::scope::{Global, Macro};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::rc::Rc;
use std::sync::Arc;

/// What the definitions of the main file say to the tool.
#[derive(Default, Debug)]
pub struct Settings {
    pub goal: Option<Pred>,
    pub scope: Option<Pred>,
    pub scope_sizes: Vec<ScopeDefinition>,
    pub preferences: Vec<Preference>,
    pub temporal: Vec<(Arc<str>, Arc<str>)>,
    pub force_symmetry: Vec<SetId>,
}

impl<'a> Elaborator<'a> {
    /// Reads the definitions of the environment at hand. To be called when the types of the machine
    /// are settled: nothing here can change them.
    pub fn settings(&mut self, definitions: &[Rc<Macro<'a>>], sources: &Sources) -> Settings {
        let mut settings = Settings::default();
        for definition in definitions {
            let declared = definition.definition;
            let name = &*declared.name.name;
            if name == "GOAL" {
                settings.goal = self.tool_predicate(definition);
            } else if name == "SCOPE" {
                settings.scope = self.tool_predicate(definition);
            } else if let Some(set) = name.strip_prefix("scope_") {
                settings.scope_sizes.extend(self.scope_size(set, declared));
            } else if let Some(preference) = name.strip_prefix("SET_PREF_") {
                settings.preferences.push(Preference {
                    name: preference.into(),
                    value: self.printed(&declared.body, sources, declared),
                    span: declared.span,
                });
            } else if name.starts_with("ASSERT_LTL") || name.starts_with("ASSERT_CTL") {
                let text = self.printed(&declared.body, sources, declared);
                settings.temporal.push((declared.name.name.clone(), text));
            } else if let Some(set) = name.strip_prefix("FORCE_SYMMETRY_")
                && let Some(id) = self.carrier(set, true)
                && &*self.printed(&declared.body, sources, declared) == "TRUE"
            {
                settings.force_symmetry.push(id);
            } else if declared.parameters.is_empty() && !definition.used.get() {
                self.misspelled_scope(definition);
            }
        }
        settings
    }

    /// Warns about an unused definition whose name is nearly `scope_S`.
    fn misspelled_scope(&mut self, definition: &Rc<Macro<'a>>) {
        let ident = &definition.definition.name;
        let Some((prefix, set)) = ident.name.split_once('_') else { return };
        let near = suggest::closest(prefix, ["scope"].into_iter()).is_some();
        if near && self.carrier(set, true).is_some() {
            definition.used.set(true);
            let message = format!("`{}` does not set the size of `{set}`", ident.name);
            let hint = format!("did you mean `scope_{set}`?");
            self.report(Diagnostic::warning("misspelled-scope", ident.span, message).hint(hint));
        }
    }

    /// GOAL and SCOPE: what does not type is a warning and counts as absent.
    fn tool_predicate(&mut self, definition: &Rc<Macro<'a>>) -> Option<Pred> {
        let DefinitionBody::Formula(node) = &definition.definition.body else {
            let span = definition.definition.span;
            let name = &definition.definition.name.name;
            let message = format!("`{name}` is not a predicate and is ignored");
            self.report(Diagnostic::warning("ill-typed-setting", span, message));
            return None;
        };
        definition.used.set(true);
        if definition.cyclic || !definition.definition.parameters.is_empty() {
            return None;
        }
        let diagnostics = std::mem::take(&mut self.diagnostics);
        let pred = self.with_own_bound(|this| this.pred(node));
        self.solve(true);
        let found = std::mem::replace(&mut self.diagnostics, diagnostics);
        match found.into_iter().find(|d| d.is_error()) {
            None => Some(pred),
            Some(first) => {
                let name = &definition.definition.name.name;
                let message = format!("`{name}` is ignored: {}", first.message);
                let severity = Severity::Warning;
                self.report(Diagnostic { code: "ill-typed-setting", severity, message, ..first });
                None
            }
        }
    }

    fn carrier(&self, name: &str, sized: bool) -> Option<SetId> {
        match self.environment().globals.get(name)?.meaning {
            Global::Set(id) => {
                let enumerated = matches!(self.sets[id.0 as usize].kind, SetKind::Enumerated(_));
                (!sized || !enumerated).then_some(id)
            }
            _ => None,
        }
    }

    fn scope_size(&mut self, set: &str, definition: &'a Definition) -> Option<ScopeDefinition> {
        let Some(id) = self.carrier(set, true) else {
            let span = definition.name.span;
            if self.carrier(set, false).is_some() {
                let message = format!("`{set}` is enumerated: `scope_{set}` is ignored");
                let hint = "the set has as many elements as are listed: remove the definition";
                self.report(Diagnostic::warning("scope-of-enumerated", span, message).hint(hint));
                return None;
            }
            let message = format!("there is no set `{set}`: `scope_{set}` is ignored");
            let names = self.sets.iter().map(|s| &*s.name);
            let close = suggest::closest(set, names).map(str::to_owned);
            let diagnostic = Diagnostic::warning("misspelled-scope", span, message);
            self.report(diagnostic.hint(match close {
                Some(close) => format!("did you mean `scope_{close}`?"),
                None => "it names a deferred set, or a set that is a machine parameter".to_owned(),
            }));
            return None;
        };
        let size = match &definition.body {
            DefinitionBody::Formula(node) => self.size_of(node, 0),
            _ => None,
        };
        match size {
            Some(size) => Some(ScopeDefinition { set: id, size, span: definition.span }),
            None => {
                let message = format!(
                    "`scope_{set}` must be a number, an interval of numbers or a set extension; it \
                     is ignored"
                );
                self.report(Diagnostic::warning("ill-typed-setting", definition.span, message));
                None
            }
        }
    }

    pub fn size_of(&self, node: &'a Node, depth: usize) -> Option<u64> {
        match &node.kind {
            NodeKind::Binary(BinaryOp::Interval, from, to) => {
                let from = self.number(from, depth)?;
                let to = self.number(to, depth)?;
                let size: BigInt = to - from + 1;
                if size < BigInt::zero() { Some(0) } else { size.to_u64() }
            }
            NodeKind::SetExtension(items) => Some(items.len() as u64),
            NodeKind::Constant(Constant::EmptySet) => Some(0),
            NodeKind::Name(name) => match self.number(node, depth) {
                Some(n) => n.to_u64(),
                None => self.size_of(self.alias(name, depth)?, depth + 1),
            },
            _ => self.number(node, depth)?.to_u64(),
        }
    }

    /// The right side of a definition without parameters.
    fn alias(&self, name: &str, depth: usize) -> Option<&'a Node> {
        let definition = self.definition(name)?;
        match &definition.definition.body {
            DefinitionBody::Formula(node) if depth < 50 && !definition.cyclic => {
                definition.used.set(true);
                Some(node)
            }
            _ => None,
        }
    }

    /// The value of a constant arithmetic expression.
    fn number(&self, node: &'a Node, depth: usize) -> Option<BigInt> {
        if depth > 50 {
            return None;
        }
        match &node.kind {
            NodeKind::Integer(n) => Some(n.clone()),
            NodeKind::Unary(UnaryOp::Minus, e) => Some(-self.number(e, depth + 1)?),
            NodeKind::Binary(op, l, r) => {
                let (l, r) = (self.number(l, depth + 1)?, self.number(r, depth + 1)?);
                match op {
                    BinaryOp::Plus => Some(l + r),
                    BinaryOp::Minus => Some(l - r),
                    BinaryOp::Times => Some(l * r),
                    BinaryOp::Power => u32::try_from(r).ok().filter(|n| *n <= 64).map(|n| l.pow(n)),
                    _ => None,
                }
            }
            NodeKind::Name(name) => self.number(self.alias(name, depth)?, depth + 1),
            _ => None,
        }
    }

    /// A setting's value as text.
    fn printed(&self, body: &'a DefinitionBody, sources: &Sources, of: &Definition) -> Arc<str> {
        if let DefinitionBody::Formula(node) = body {
            match &node.kind {
                NodeKind::String(text) => return text.clone(),
                NodeKind::Constant(Constant::True) => return "TRUE".into(),
                NodeKind::Constant(Constant::False) => return "FALSE".into(),
                NodeKind::Name(name) => return self.printed_name(name),
                _ => {
                    if let Some(n) = self.number(node, 0) {
                        return n.to_string().into();
                    }
                    return sources.text(node.span).into();
                }
            }
        }
        let text = sources.text(of.span);
        text.split_once("==").map_or("", |(_, right)| right.trim()).into()
    }

    fn printed_name(&self, name: &Name) -> Arc<str> {
        match self.alias(name, 0).and_then(|node| self.number(node, 0)) {
            Some(n) => n.to_string().into(),
            None => name.clone(),
        }
    }
}

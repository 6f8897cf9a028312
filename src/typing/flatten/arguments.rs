//! What an including machine may give to the parameters of another: constants, sets, literals and parameters of
//! its own. Variables have no values yet where parameters get theirs.

use super::Flatten;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{Name, Node};
use crate::typing::definitions::{free_names, names_of};
use crate::typing::scope::Global;
use rustc_hash::FxHashSet;

impl Flatten<'_> {
    /// The refusal of arguments that mention variables of the including machine, also by way of its definitions.
    pub(super) fn report_variables(&mut self, arguments: &[Node], caller: usize) {
        let found = arguments.iter().flat_map(names_of);
        let found: Vec<(Name, Span, Span)> = found
            .filter_map(|(name, span)| {
                let (name, declared) = self.variable_in(caller, name)?;
                Some((name, span, declared))
            })
            .collect();
        for (name, span, declared) in found {
            let message = format!(
                "the parameters of an included machine cannot depend on the variable `{name}`"
            );
            let diagnostic = Diagnostic::error("variable-as-argument", span, message);
            let hint = "they have their values before there is a state: constants, sets, literals or parameters of this machine";
            self.report(diagnostic.note(declared, "declared here").hint(hint));
        }
    }

    /// The variable that a name is, or that the definition of this name mentions; and its place.
    fn variable_in(&self, environment: usize, name: &Name) -> Option<(Name, Span)> {
        let globals = &self.elaborator.environments[environment].globals;
        let (mut todo, mut seen) = (vec![name], FxHashSet::default());
        while let Some(name) = todo.pop() {
            let Some(declared) = globals.get(name).filter(|_| seen.insert(name)) else { continue };
            match &declared.meaning {
                Global::Variable(..) => return Some((name.clone(), declared.span)),
                Global::Definition(of) => {
                    todo.extend(free_names(of.definition).into_iter().map(|(name, _)| name));
                }
                _ => {}
            }
        }
        None
    }
}

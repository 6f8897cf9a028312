//! Names of which nothing determines the type.

use super::Flatten;
use crate::diagnostic::Diagnostic;
use crate::machine::Type;
use crate::source::{FileId, Span};
use crate::syntax::ast::{ClauseKind, Name};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

impl Flatten<'_> {
    /// The ground type of everything with a name is needed: reports what stays open.
    pub fn report_open_types(&mut self) {
        if self.elaborator.errors() > 0 {
            return;
        }
        let files = || self.units.iter().map(|unit| &unit.file);
        let parameters: FxHashSet<Span> =
            files().flat_map(|file| &file.parameters).map(|p| p.span).collect();
        let said: FxHashSet<FileId> = files()
            .filter(|file| file.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Properties(_))))
            .map(|file| file.name.span.file)
            .collect();
        let e = &mut self.elaborator;
        let global = |span: Span| match parameters.contains(&span) {
            true => "parameter",
            false => "constant",
        };
        let globals = e.constants.iter().map(|c| (global(c.span), &c.name, &c.ty, c.span));
        let variables = e.variables.iter().map(|v| ("variable", &v.name, &v.ty, v.span));
        let hidden: FxHashSet<usize> = self.abstract_locals.iter().map(|l| l.0 as usize).collect();
        let locals = e.locals.iter().enumerate().filter(|(i, _)| !hidden.contains(i));
        let results = e.operations.iter().flat_map(|o| &o.results);
        let results: FxHashSet<usize> = results.map(|l| l.0 as usize).collect();
        let what = |i: usize| if results.contains(&i) { "result" } else { "identifier" };
        let locals = locals.map(|(i, l)| (what(i), &l.name, &l.ty, l.span));
        let mut open: Vec<(&str, Name, Type, Span)> = Vec::new();
        for (what, name, ty, span) in globals.chain(variables).chain(locals) {
            if e.infer.is_open(ty) {
                open.push((what, name.clone(), ty.clone(), span));
            }
        }
        // Where a file says nothing of its constants, one message names them all.
        let mut unsaid: BTreeMap<FileId, (Span, Vec<Name>)> = BTreeMap::new();
        for (what, name, ty, span) in open {
            // Others may be open only because this one is.
            if !e.infer.is_open(&ty) {
                continue;
            }
            let is_plain = e.infer.head(&ty).is_none();
            if what == "constant" && is_plain && !said.contains(&span.file) {
                e.infer.poison(&ty);
                unsaid.entry(span.file).or_insert((span, Vec::new())).1.push(name);
                continue;
            }
            let message = match is_plain {
                true => format!("the type of the {what} `{name}` is never determined"),
                false => format!(
                    "the type of the {what} `{name}` is not fully determined: {}",
                    e.show(&ty)
                ),
            };
            e.infer.poison(&ty);
            let mut diagnostic = Diagnostic::error("type-not-determined", span, message);
            if what == "result" {
                diagnostic = diagnostic.hint(match is_plain {
                    true => format!("does the operation assign it? `{name} := ..`"),
                    false => "what is assigned to it does not tell what it is made of".to_owned(),
                });
            }
            if what == "parameter" && is_plain {
                diagnostic = diagnostic.hint(format!(
                    "write CONSTRAINTS {name} : S; a set parameter is all in capitals"
                ));
            }
            e.report(diagnostic);
        }
        for (span, names) in unsaid.into_values() {
            let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let subject = match &quoted[..] {
                [one] => format!("the type of the constant {one} is"),
                all => format!("the types of the constants {} are", all.join(", ")),
            };
            let message = format!("{subject} never determined: there is no PROPERTIES");
            let hint = format!("write PROPERTIES {} : S", names[0]);
            e.report(Diagnostic::error("type-not-determined", span, message).hint(hint));
        }
    }
}

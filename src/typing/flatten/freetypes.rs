//! Free types: they are declared with their constructors, and get the sets of their arguments.

use super::Flatten;
use crate::diagnostic::Diagnostic;
use crate::machine::footprint::Footprint;
use crate::machine::{Constructor, FreeId, Freetype, Type};
use crate::syntax::ast::{ClauseKind, FreetypeDeclaration, Ident, Node};
use crate::typing::scope::Global;

impl<'a> Flatten<'a> {
    pub(super) fn declare_freetype(
        &mut self,
        environment: usize,
        declaration: &'a FreetypeDeclaration,
    ) {
        let id = FreeId(self.elaborator.freetypes.len() as u32);
        let name = &declaration.name;
        let constructors = declaration.constructors.iter();
        let declared = |(c, argument): &(Ident, Option<Node>)| Constructor {
            name: c.name.clone(),
            argument: None,
            from: None,
            endless: argument.is_some(),
        };
        self.elaborator.freetypes.push(Freetype {
            name: name.name.clone(),
            constructors: constructors.map(declared).collect(),
            nested: true,
            span: name.span,
        });
        self.declare(environment, &name.name, Global::Freetype(id), name.span);
        for (i, (constructor, argument)) in declaration.constructors.iter().enumerate() {
            let meaning = Global::Constructor(id, i as u32);
            self.declare(environment, &constructor.name, meaning, constructor.span);
            if argument.is_some() {
                let ty = self.elaborator.infer.fresh();
                self.elaborator.freetypes[id.0 as usize].constructors[i].argument = Some(ty);
            }
        }
    }

    /// The sets of the constructors' arguments. What a type has for values is known before constants are.
    pub(super) fn freetypes(&mut self, unit: usize) {
        let units = self.units;
        for clause in &units[unit].file.clauses {
            let ClauseKind::Freetypes(list) = &clause.kind else { continue };
            for declaration in list {
                let globals = &self.elaborator.environment().globals;
                let Some(Global::Freetype(id)) =
                    globals.get(&declaration.name.name).map(|d| d.meaning.clone())
                else {
                    continue;
                };
                for (i, (_, argument)) in declaration.constructors.iter().enumerate() {
                    let known = &self.elaborator.freetypes[id.0 as usize].constructors;
                    let ty = known.get(i).and_then(|c| c.argument.as_ref());
                    let (Some(node), Some(ty)) = (argument, ty) else { continue };
                    let ty = Type::pow(ty.clone());
                    let set = self.elaborator.expr_of(node, &ty);
                    let read = Footprint::of_expr(&set);
                    if !read.constants.is_empty() || !read.variables.is_empty() {
                        let message = "the set of a constructor's argument depends on a constant \
                                       or a variable";
                        let diagnostic = Diagnostic::error("free-type", set.span, message)
                            .hint("write the values themselves, or a definition of them");
                        self.report(diagnostic);
                    }
                    let free = &mut self.elaborator.freetypes[id.0 as usize];
                    free.constructors[i].from = Some(set);
                }
            }
        }
    }
}

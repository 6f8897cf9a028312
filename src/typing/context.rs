//! The state of an elaboration, and what all its parts need: reporting, looking names up, binding
//! locals, expanding definitions.

use crate::clock;
use crate::diagnostic::Diagnostic;
use crate::machine::{
    CarrierSet, Cell, Expr, ExprKind, Freetype, Global as Declaration, Local, LocalId, Operation,
    Type,
};
use crate::source::Span;
use crate::syntax;
use crate::syntax::ast::Claim;
use crate::syntax::ast::{DefinitionBody, Ident, Name, Node, NodeKind};
use crate::syntax::suggest;
use crate::typing::infer::{ERROR, Infer};
use crate::typing::scope::{
    Argument, Declared, Entry, Environment, Global, Macro, Meaning, Ownership, Role, Scope,
};
use crate::typing::show::Names;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Most nodes that the definitions of one machine may expand to.
const MAX_EXPANSION: usize = 1_000_000;
/// Deepest nesting of formulas, substitutions and expansions together.
const MAX_DEPTH: usize = 1_500;
/// Most diagnostics kept; fewer are shown.
const MAX_KEPT: usize = 500;

/// What a name means at the place at hand.
#[derive(Clone, Debug)]
pub enum Resolved<'a> {
    Local(LocalId, Role),
    Cell(Cell),
    Argument(Argument<'a>),
    Global(Declared<'a>),
}

#[derive(Default, Debug)]
pub struct Elaborator<'a> {
    pub infer: Infer,
    /// The notation that types are told of in.
    pub dialect: syntax::Dialect,
    pub sets: Vec<CarrierSet>,
    pub constants: Vec<Declaration>,
    pub variables: Vec<Declaration>,
    /// What is asked for in place of what definitions set.
    pub preferences: &'a [(String, String)],
    /// The types are terms until `finish`.
    pub locals: Vec<Local>,
    /// Number of the first of `locals`, when a machine has some already.
    pub first_local: usize,
    /// The types of the arguments are terms until `finish`.
    pub freetypes: Vec<Freetype>,
    pub claims: Vec<Claim>,
    pub operations: Vec<Operation>,
    /// Per operation: what it writes.
    pub operation_writes: Vec<Vec<Cell>>,
    pub environments: Vec<Environment<'a>>,
    pub environment: usize,
    pub scope: Scope<'a>,
    pub diagnostics: Vec<Diagnostic>,
    /// Within a definition: the span of its use.
    pub use_span: Option<Span>,
    /// Unknown names get a type of their own instead of an error (unused definitions).
    pub tolerated: Option<FxHashMap<Name, Type>>,
    /// Unknown names are free variables of the formula: those met so far.
    pub free: Option<Vec<(Name, LocalId)>>,
    /// `x$0` in the loop invariant at hand.
    pub loop_initial: Option<Vec<(Cell, LocalId)>>,
    reported: FxHashSet<(usize, Name)>,
    expanded: usize,
    depth: usize,
    /// A bound was hit and reported: nothing more is elaborated.
    pub exhausted: bool,
    /// The parameters and variables that the PROPERTIES or CONSTRAINTS at hand cannot mention.
    pub hidden: FxHashMap<Name, Declared<'a>>,
    /// In the value of a constant: the name it has for `REC`, and the constant.
    pub recursive: Option<(&'a str, &'a Node)>,
    /// Set when a name that only the abstract machine has was met.
    pub met_abstract: bool,
    /// In a refinement: the variables that only what it refines has, for the invariants of loops.
    pub abstract_names: Vec<Entry<'a>>,
}

impl<'a> Elaborator<'a> {
    pub fn of(dialect: syntax::Dialect) -> Elaborator<'a> {
        Elaborator { dialect, ..Elaborator::default() }
    }

    // ---- reporting

    /// Where something written here is reported: at the use of the definition it stands in.
    pub fn at(&self, span: Span) -> Span {
        self.use_span.unwrap_or(span)
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_KEPT && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports an error at a place that may lie within a definition.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(code, self.at(span), message);
        self.report_within(diagnostic, span);
    }

    /// Reports something and, when it lies within a definition, says where.
    pub fn report_within(&mut self, diagnostic: Diagnostic, span: Span) {
        let diagnostic = match self.use_span {
            Some(use_span) if use_span != span => diagnostic.note(span, "in the definition, here"),
            _ => diagnostic,
        };
        self.report(diagnostic);
    }

    pub fn not_yet(&mut self, span: Span, what: impl std::fmt::Display) {
        let diagnostic = Diagnostic::not_yet(self.at(span), what);
        self.report_within(diagnostic, span);
    }

    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.is_error()).count()
    }

    /// An expression that stands for one that was refused.
    pub fn refused(&self, span: Span) -> Expr {
        Expr::new(ExprKind::Empty, ERROR, self.at(span))
    }

    pub fn show(&self, ty: &Type) -> String {
        let Elaborator { infer, sets, freetypes, dialect, .. } = self;
        Names { infer, sets, freetypes, dialect: *dialect }.show(ty)
    }

    // ---- bounds

    /// To be called on entering a node: false when a bound is hit. Every call that gives true is
    /// paired with [`Self::leave`].
    pub fn enter(&mut self, span: Span) -> bool {
        clock::at(self.at(span));
        clock::work(1);
        if self.exhausted {
            return false;
        }
        if self.use_span.is_some() {
            self.expanded += 1;
            if self.expanded > MAX_EXPANSION {
                self.exhausted = true;
                let message = format!(
                    "the definitions of this machine expand to more than {MAX_EXPANSION} operators; \
                     this use is where the bound was reached"
                );
                self.error("definition-too-large", span, message);
                return false;
            }
        }
        if self.depth >= MAX_DEPTH {
            self.error(
                "nested-too-deeply",
                span,
                format!("formulas and definitions are nested more than {MAX_DEPTH} levels deep"),
            );
            return false;
        }
        self.depth += 1;
        true
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Elaborates something that may be left out of the machine: if it hits a bound, the rest is
    /// elaborated all the same.
    pub fn with_own_bound<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> R {
        let bounds = (std::mem::take(&mut self.expanded), std::mem::take(&mut self.exhausted));
        let result = run(self);
        (self.expanded, self.exhausted) = bounds;
        result
    }

    // ---- types

    /// Decides what can be decided of overloaded operators so far.
    pub fn solve(&mut self, last: bool) {
        for conflict in self.infer.solve(last) {
            self.conflict(conflict);
        }
    }

    // ---- names

    pub fn environment(&self) -> &Environment<'a> {
        &self.environments[self.environment]
    }

    pub fn resolve(&self, name: &str) -> Option<Resolved<'a>> {
        match self.scope.find(name) {
            Some(Meaning::Local(id, role)) => return Some(Resolved::Local(*id, *role)),
            Some(Meaning::Cell(cell)) => return Some(Resolved::Cell(*cell)),
            Some(Meaning::Argument(a)) => return Some(Resolved::Argument(a.clone())),
            Some(Meaning::Barrier(_) | Meaning::Body) | None => {}
        }
        self.environment().globals.get(name).map(|d| Resolved::Global(d.clone()))
    }

    /// Reports a name that nothing declares, once for each file.
    pub fn undeclared(&mut self, name: &Name, span: Span) {
        self.undeclared_where(name, span, |_| false);
    }

    /// The same of a name that is assigned: one that can be was meant.
    pub fn undeclared_target(&mut self, name: &Name, span: Span) {
        self.undeclared_where(name, span, |meaning| match meaning {
            Resolved::Local(_, role) => role.assignable(),
            Resolved::Cell(_) => true,
            Resolved::Argument(_) => false,
            Resolved::Global(declared) => {
                matches!(declared.meaning, Global::Variable(_, Ownership::Own))
            }
        });
    }

    /// The same, where some meanings were probably meant before all others.
    fn undeclared_where(&mut self, name: &Name, span: Span, first: impl Fn(&Resolved<'a>) -> bool) {
        if !self.reported.insert((self.environment, name.clone())) {
            return;
        }
        if let Some(hidden) = self.hidden.get(name) {
            let (code, what, hint) = match hidden.meaning {
                Global::Variable(..) => (
                    "variable-in-properties",
                    "PROPERTIES and CONSTRAINTS cannot mention the variable",
                    "they hold before there is a state; what holds of variables stands in INVARIANT",
                ),
                _ => (
                    "parameter-in-properties",
                    "PROPERTIES cannot mention the machine parameter",
                    "what holds of the parameters stands in CONSTRAINTS; they differ from one inclusion to the next, the constants do not",
                ),
            };
            let message = format!("{what} `{name}`");
            let diagnostic = Diagnostic::error(code, self.at(span), message)
                .note(hidden.span, "declared here")
                .hint(hint);
            return self.report_within(diagnostic, span);
        }
        let globals = self.environment().globals.keys().map(|n| &**n);
        let names: Vec<&str> = self.scope.visible().into_iter().chain(globals).collect();
        let before = names.iter().copied().filter(|n| self.resolve(n).is_some_and(|m| first(&m)));
        let close = suggest::meant(name, before)
            .or_else(|| suggest::meant(name, names.iter().copied()))
            .map(str::to_owned);
        let mut diagnostic = Diagnostic::error(
            "undeclared-identifier",
            self.at(span),
            format!("`{name}` is not declared"),
        );
        if self.environment().operations.contains_key(name) {
            diagnostic = diagnostic.hint("it is an operation, which has no place in a formula");
        } else if let Some(hint) = syntax::foreign(name) {
            diagnostic = diagnostic.hint(hint);
        } else if let Some((_, bare)) = name.rsplit_once('.')
            && let Some(declared) = self.environment().globals.get(bare)
            && !matches!(declared.meaning, Global::Variable(..))
        {
            let hint = format!("did you mean `{bare}`? Sets and constants have no prefix");
            diagnostic = diagnostic.hint(hint);
        } else if let Some(defined) = self.defined_elsewhere(name) {
            diagnostic = diagnostic.note(defined, "defined here").hint(
                "a definition is known in its own machine only: define it here too, or in a file of definitions",
            );
        } else if let Some(close) = close {
            diagnostic = diagnostic.hint(format!("did you mean `{close}`?"));
        } else if let Some(word) = suggest::closest(name, syntax::reserved()) {
            diagnostic = diagnostic.hint(format!("did you mean `{word}`?"));
        }
        self.report_within(diagnostic, span);
    }

    /// Where another of the machines defines a name.
    fn defined_elsewhere(&self, name: &Name) -> Option<Span> {
        let found = self.environments.iter().filter_map(|other| other.globals.get(name));
        found.filter(|d| matches!(d.meaning, Global::Definition(_))).map(|d| d.span).next()
    }

    pub fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get((id.0 as usize).checked_sub(self.first_local)?)
    }

    pub fn local_type(&self, id: LocalId) -> Type {
        self.local(id).map_or(ERROR, |l| l.ty.clone())
    }

    pub fn new_local(&mut self, name: Name, ty: Type, span: Span) -> LocalId {
        self.locals.push(Local { name, ty, span });
        LocalId((self.first_local + self.locals.len() - 1) as u32)
    }

    pub fn cell_type(&self, cell: Cell) -> Type {
        match cell {
            Cell::Variable(v) => self.variables[v.0 as usize].ty.clone(),
            Cell::Local(l) => self.local_type(l),
        }
    }

    /// Binds identifiers from here on; the caller truncates the scope afterwards.
    pub fn bind(&mut self, idents: &[Ident], role: Role) -> Vec<LocalId> {
        for (i, ident) in idents.iter().enumerate() {
            if let Some(first) = idents[..i].iter().find(|other| other.name == ident.name) {
                let message = format!("`{}` is bound twice here", ident.name);
                let diagnostic = Diagnostic::error("duplicate-identifier", ident.span, message);
                self.report(diagnostic.note(first.span, "bound here already"));
            }
        }
        let types: Vec<Type> = idents.iter().map(|_| self.infer.fresh()).collect();
        idents.iter().zip(types).map(|(ident, ty)| self.bind_one(ident, ty, role)).collect()
    }

    /// Binds one identifier. Where the identifier is a parameter of a definition and the argument a
    /// plain name, that name is bound too, and the other arguments of the call see it.
    pub fn bind_one(&mut self, ident: &Ident, ty: Type, role: Role) -> LocalId {
        if ident.name.contains('.') {
            let message = format!(
                "`{}` cannot be bound: only what another machine declares has a name with a dot",
                ident.name
            );
            let diagnostic = Diagnostic::error("syntax", self.at(ident.span), message);
            self.report(diagnostic.hint("names stand side by side with commas: `(x, y)`"));
        }
        self.warn_shadowing(ident);
        let span = self.at(ident.span);
        let mut captured: Vec<(Name, usize)> = Vec::new();
        let mut meaning = self.scope.find(&ident.name).cloned();
        while let Some(Meaning::Argument(argument)) = meaning {
            let NodeKind::Name(name) = &argument.node.kind else { break };
            captured.push((name.clone(), argument.height));
            meaning = self.scope.find_below(argument.height, name).cloned();
        }
        let shown = captured.last().map_or(&ident.name, |(name, _)| name).clone();
        let local = self.new_local(shown, ty, span);
        for (name, height) in captured {
            let meaning = Meaning::Local(local, role);
            self.scope.entries.push(Entry { name, meaning, captured_at: Some(height) });
        }
        self.scope.push(ident.name.clone(), Meaning::Local(local, role));
        local
    }

    /// Warns where a parameter of a definition hides a set or an element of one. (That it may have
    /// the name of a variable is its use.)
    pub fn warn_shadowed_set(&mut self, ident: &Ident) {
        let declared = self.environment().globals.get(&ident.name).map(|d| &d.meaning);
        if matches!(declared, Some(Global::Set(_) | Global::Element(..))) {
            self.warn_shadowing(ident);
        }
    }

    /// Warns where a bound identifier hides a name of the machine.
    pub fn warn_shadowing(&mut self, ident: &Ident) {
        // In Event-B a context knows nothing of the names of machines, and nobody is misled.
        if self.dialect == syntax::Dialect::EventB {
            return;
        }
        if self.tolerated.is_some() {
            return;
        }
        let Some(declared) = self.environment().globals.get(&ident.name) else { return };
        let what = match &declared.meaning {
            Global::Set(_) => "a set",
            Global::Element(..) => "a set element",
            Global::Constant(_) => "a constant",
            Global::Freetype(_) => "a free type",
            Global::Constructor(..) => "a constructor",
            Global::Variable(..) => "a variable",
            Global::Given(_) => "a machine parameter",
            Global::Definition(_) => "a definition",
        };
        let message = format!("`{}` hides {what} of the same name", ident.name);
        let note = declared.span;
        let diagnostic = Diagnostic::warning("shadowing", ident.span, message);
        let hint = "give it a name of its own, if the other is not to be hidden";
        self.report(diagnostic.note(note, "declared here").hint(hint));
    }

    // ---- definitions and their arguments

    /// Elaborates an argument with the meaning it had at the call.
    pub fn with_argument<R>(
        &mut self,
        argument: &Argument<'a>,
        run: impl FnOnce(&mut Self, &'a Node) -> R,
    ) -> R {
        let height = self.scope.height();
        let captured: Vec<Entry<'a>> = self.scope.entries[argument.height.min(height)..]
            .iter()
            .filter(|e| e.captured_at == Some(argument.height))
            .cloned()
            .collect();
        self.scope.push(Arc::from(""), Meaning::Barrier(argument.height));
        self.scope.entries.extend(captured);
        let environment = std::mem::replace(&mut self.environment, argument.environment);
        let use_span = std::mem::replace(&mut self.use_span, argument.use_span);
        let result = run(self, argument.node);
        self.use_span = use_span;
        self.environment = environment;
        self.scope.entries.truncate(height);
        result
    }

    /// Elaborates the body of a definition at a use. `None` when the use was refused.
    pub fn expand<R>(
        &mut self,
        name: &Name,
        definition: &Macro<'a>,
        arguments: &'a [Node],
        span: Span,
        run: impl FnOnce(&mut Self, &'a DefinitionBody) -> R,
    ) -> Option<R> {
        definition.used.set(true);
        if definition.cyclic {
            return None;
        }
        let parameters = &definition.definition.parameters;
        if parameters.len() != arguments.len() {
            let message = format!(
                "the definition `{name}` has {}, not {}",
                count(parameters.len(), "parameter"),
                arguments.len()
            );
            let diagnostic = Diagnostic::error("definition-arity", self.at(span), message)
                .note(definition.definition.name.span, "defined here");
            self.report_within(diagnostic, span);
            return None;
        }
        let height = self.scope.height();
        self.scope.push(Arc::from(""), Meaning::Body);
        for (parameter, node) in parameters.iter().zip(arguments) {
            let argument =
                Argument { node, environment: self.environment, height, use_span: self.use_span };
            self.scope.push(parameter.name.clone(), Meaning::Argument(argument));
        }
        let outer = self.use_span.replace(self.at(span));
        let result = run(self, &definition.definition.body);
        self.use_span = outer;
        self.scope.entries.truncate(height);
        Some(result)
    }

    /// The definition of this name, if that is what it means here.
    pub fn definition(&self, name: &str) -> Option<Rc<Macro<'a>>> {
        match self.resolve(name) {
            Some(Resolved::Global(Declared { meaning: Global::Definition(d), .. })) => Some(d),
            _ => None,
        }
    }

    /// A definition whose right side did not parse, at a use of it.
    pub fn unparsed(&mut self, definition: &Macro<'a>, span: Span) {
        let name = &definition.definition.name.name;
        match definition.error {
            Some(error) => {
                let message = format!("the definition `{name}` cannot be read: {}", error.message);
                let at = error.span.unwrap_or(definition.definition.span);
                let used = self.at(span);
                let diagnostic = Diagnostic { message, ..error.clone() };
                let diagnostic = match at == used {
                    true => diagnostic,
                    false => diagnostic.note(used, "used here"),
                };
                self.report(diagnostic);
            }
            None => {
                let message = format!("the right side of `{name}` could not be parsed");
                self.error("definition-not-parsed", span, message);
            }
        }
    }
}

/// `1 parameter`, `2 parameters`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

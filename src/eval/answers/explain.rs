//! What the compiler makes of a machine, for people: how each variable is held and why it is not held
//! in fewer bits, in which order the parameters of an operation are found and at what cost, and what
//! its guard and its body have become.

use super::cells::Cells;
use crate::eval::bodies::guard::Position;
use crate::eval::bodies::substitution::{self, Body};
use crate::eval::bodies::turns::While;
use crate::eval::compile::{Compiler, Undefined};
use crate::eval::once::shared::Shared;
use crate::eval::plans::plan::{Pattern, Plan, Source, Step};
use crate::eval::run::program::{Program, guard_of};
use crate::lower::{Printer, Test};
use crate::machine::parts::Part;
use crate::machine::{
    Conjunct, Expr, Guard, LocalId, OpId, Operation, Pred, PredKind, Type, VarId,
};
use crate::source::Span;
use crate::state::expect::{self, Expected};
use crate::state::{Axis, Coding};
use crate::value::Shape;
use serde::Serialize;

/// How a variable is held in a state.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Held {
    pub name: String,
    /// Bits of the state's own words.
    pub bits: u64,
    pub form: String,
    /// Why its values stand elsewhere, where they do.
    pub why_interned: Option<&'static str>,
}

/// One step of a piece of code.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// How many enumerations it stands in.
    pub depth: usize,
    /// What is done, in the words of the machine.
    pub what: String,
    /// Expected number of candidates, where it gives any.
    pub candidates: Option<f64>,
    /// The lowered code, where it has a word form.
    pub code: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainedOperation {
    pub name: String,
    /// Whether only carrying out the body tells if it is enabled.
    pub runs: bool,
    pub cells: Cells,
    /// The variables by whose values its transitions are remembered, where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remembered_by: Option<Vec<String>>,
    /// Conditions that other operations have, too: asked once of each state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<String>,
    pub guard: Vec<Line>,
    pub body: Vec<Line>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Explanation {
    /// Words in a state.
    pub words: usize,
    pub variables: Vec<Held>,
    /// The conjuncts of the invariant.
    pub invariant: Vec<Line>,
    /// Those of the assertions.
    pub assertions: Vec<Line>,
    pub operations: Vec<ExplainedOperation>,
}

/// Explains a program. `source`: the text at a place.
pub fn explain(program: &Program, source: &dyn Fn(Span) -> String) -> Explanation {
    let compiler = Compiler::new(program.in_code(), program.layout.clone(), false);
    let printer = Printer { machine: compiler.machine(), layout: &program.layout };
    let shared = Shared::of(&compiler);
    let teller = Teller { compiler: &compiler, shared, printer, source };
    let machine = compiler.machine();
    let held = |i: usize| teller.held(VarId(i as u32));
    let demanded = |clause: &[Conjunct]| {
        let mut lines = Vec::new();
        let conjuncts = clause.iter().flat_map(|c| c.pred.conjuncts());
        conjuncts.for_each(|p| teller.test(p, 0, &mut lines));
        lines
    };
    let operations = (0..).map(OpId).zip(machine.operations.iter()).filter(|(_, o)| o.visible);
    Explanation {
        words: program.layout.words,
        variables: (0..machine.variables.len()).map(held).collect(),
        invariant: demanded(&machine.invariant),
        assertions: demanded(&machine.assertions),
        operations: operations.map(|(id, o)| teller.operation(id, o)).collect(),
    }
}

struct Teller<'t, 'a> {
    compiler: &'t Compiler<'a>,
    shared: Shared,
    printer: Printer<'t>,
    source: &'t dyn Fn(Span) -> String,
}

impl Teller<'_, '_> {
    fn held(&self, id: VarId) -> Held {
        let field = self.compiler.layout.field(id);
        let (bits, form) = match &field.coding {
            Coding::Word { bits } => (u64::from(*bits), form_of(&field.shape).to_owned()),
            Coding::Bits { words } => (64 * *words as u64, "a set, a bit for each element".into()),
            Coding::Integer { low, bits } if *bits == 32 => {
                (32, format!("an integer from {low} on; others stand beside the state"))
            }
            Coding::Integer { low, bits } => {
                let high = low + (1i64 << bits) - 2;
                let form = format!("an integer, {low} to {high}; others stand beside the state");
                (u64::from(*bits), form)
            }
            Coding::Text { texts, bits } => {
                let few = "strings; others stand beside the state";
                (u64::from(*bits), format!("the number of one of {} {few}", texts.len()))
            }
            Coding::Members { axis, .. } => {
                let of = match axis {
                    Axis::Interval { low, size } => {
                        format!("integers, a bit for each of {low} to {}", low + *size as i64 - 1)
                    }
                    Axis::Texts(texts) => format!("strings, a bit for each of {}", texts.len()),
                    Axis::Tuple { record: true, .. } => {
                        format!("records, a bit for each of {}", axis.size())
                    }
                    _ => format!("pairs, a bit for each of {}", axis.size()),
                };
                (axis.size() + 1, format!("a set of {of}"))
            }
            Coding::Function { domain, width, .. } => {
                let bits = domain.size() * u64::from(*width) + 1;
                (bits, format!("a function, {width} bits for each of {}", arguments(domain)))
            }
            Coding::Record { axis, bits } => {
                let form = match axis {
                    Axis::Couple(_) => {
                        "a pair, its sides side by side; others stand beside the state"
                    }
                    _ => "a record, its fields side by side; others stand beside the state",
                };
                (u64::from(*bits), form.to_owned())
            }
            Coding::Interned => (32, "the number of a value".to_owned()),
        };
        let why_interned = match (&field.coding, &field.shape) {
            (Coding::Interned, shape) => {
                let expected = expect::of_variable(self.compiler.instance, id);
                Some(why_interned(shape, &expected))
            }
            _ => None,
        };
        let name = self.compiler.machine().variable(id).name.to_string();
        Held { name, bits, form, why_interned }
    }

    fn operation(&self, id: OpId, o: &Operation) -> ExplainedOperation {
        let compiler = self.compiler;
        let of = guard_of(compiler, o);
        let plan = compiler.plan(&o.parameters, &of.guard, Undefined::Guard);
        let mut guard = Vec::new();
        let depth = self.plan(&plan, 0, &mut guard);
        let body = compiler.subst(of.body, Position::Guard { open: of.open });
        let mut lines = Vec::new();
        self.body(&body, of.body.span, depth, &mut lines);
        ExplainedOperation {
            name: o.name.to_string(),
            runs: Guard::before(compiler.machine(), of.body) == Guard::Runs,
            cells: Cells::of(compiler.instance, id),
            remembered_by: self.remembered_by(id, o),
            shared: self.shared.of_operation(id).iter().map(|(p, _)| self.text(p.span)).collect(),
            guard,
            body: lines,
        }
    }

    fn remembered_by(&self, id: OpId, o: &Operation) -> Option<Vec<String>> {
        let code = crate::eval::run::program::operation(self.compiler, &self.shared, id, o);
        let variables = match &code.straight {
            Some(straight) => straight.remembered_by()?,
            None => &code.reuse.as_ref()?.variables,
        };
        let name = |id: &VarId| self.compiler.machine().variable(*id).name.to_string();
        Some(variables.iter().map(name).collect())
    }

    /// The steps of a plan: how many enumerations what follows stands in.
    fn plan(&self, plan: &Plan, mut depth: usize, lines: &mut Vec<Line>) -> usize {
        for step in &plan.steps {
            let (what, code) = match step {
                Step::Test(pred) => {
                    self.test(pred, depth, lines);
                    continue;
                }
                Step::Bind(pattern, e) => {
                    let what = format!("let {} = {}", self.pattern(pattern), self.text(e.span));
                    (what, Some(self.code(e)))
                }
                Step::Generate(pattern, source) => {
                    let (from, code) = self.from(source);
                    let codes = match source {
                        Source::Set(set) => self.compiler.codes(pattern, set),
                        _ => None,
                    };
                    let code = codes.map(|codes| self.printer.word(&codes.set)).or(code);
                    (format!("for each {} {from}", self.pattern(pattern)), code)
                }
                Step::Solve(solve) => {
                    let names: Vec<&str> = solve.locals.iter().map(|id| self.name(*id)).collect();
                    (format!("solve for {}", names.join(", ")), None)
                }
            };
            let gives = !matches!(step, Step::Bind(..));
            let candidates = gives.then(|| self.compiler.step_cost(step));
            lines.push(Line { depth, what, candidates, code });
            depth += usize::from(gives);
        }
        depth
    }

    fn from(&self, source: &Source) -> (String, Option<String>) {
        let list = |es: &[Expr], none: &str| match es {
            [] => none.to_owned(),
            es => es.iter().map(|e| self.text(e.span)).collect::<Vec<_>>().join(", "),
        };
        match source {
            Source::Set(set) => (format!("in {}", self.text(set.span)), self.built(set)),
            Source::Interval { low, high } | Source::Type { low, high }
                if !low.is_empty() || !high.is_empty() =>
            {
                (format!("from {} to {}", list(low, "MININT"), list(high, "MAXINT")), None)
            }
            Source::Interval { .. } | Source::Type { .. } => ("of its type".to_owned(), None),
            Source::Either(_, plans) => (format!("by any of {} plans", plans.len()), None),
            Source::Parts(.., whole) => (format!("as parts of {}", self.text(whole.span)), None),
            Source::UpTo(set, longest) => {
                let (set, longest) = (self.text(set.span), self.text(longest.span));
                (format!("in {set}, no longer than {longest}"), None)
            }
            Source::Cases(cases, _) => (format!("by the first of {} cases", cases.len()), None),
        }
    }

    fn body(&self, body: &Body, span: Span, depth: usize, lines: &mut Vec<Line>) {
        match body {
            Body::Step(step) => self.step(step, span, depth, lines),
            Body::Each(_) => {
                let what = format!("then each outcome of {}", self.text(span));
                lines.push(Line { depth, what, candidates: None, code: None });
            }
        }
    }

    fn step(&self, step: &substitution::Step, span: Span, depth: usize, lines: &mut Vec<Line>) {
        let line = |depth, what: String| Line { depth, what, candidates: None, code: None };
        match step {
            substitution::Step::Writes(writes) if writes.is_empty() => {
                lines.push(line(depth, "then skip".to_owned()));
            }
            substitution::Step::Writes(writes) => {
                let then = |w| line(depth, format!("then {}", self.printer.write(w)));
                lines.extend(writes.iter().map(then));
            }
            substitution::Step::First(parts) => {
                for (test, step) in parts {
                    let when = match test {
                        Test::Always(true) => "otherwise".to_owned(),
                        test => format!("if {}", self.printer.test(test)),
                    };
                    lines.push(line(depth, when));
                    self.step(step, span, depth + 1, lines);
                }
            }
            substitution::Step::All(parts) => {
                parts.iter().for_each(|part| self.step(part, span, depth, lines));
            }
            substitution::Step::Sequence(chain) if !step.runs() => {
                lines.push(line(depth, "in turn".to_owned()));
                let parts = chain.parts.iter().map(|part| &part.step).chain([&*chain.last]);
                parts.for_each(|part| self.step(part, span, depth + 1, lines));
            }
            substitution::Step::Var(slots, inner) if !step.runs() => {
                let names: Vec<&str> = slots.iter().map(|slot| self.name(slot.id())).collect();
                lines.push(line(depth, format!("with {}", names.join(", "))));
                self.step(inner, span, depth + 1, lines);
            }
            substitution::Step::While(of) if !step.runs() => {
                let While { turn, body, .. } = &**of;
                lines.push(line(depth, format!("while {}", self.printer.test(&turn.condition))));
                let checked =
                    format!("test {} before each turn", self.printer.test(&turn.invariant));
                lines.push(line(depth + 1, checked));
                self.step(body, span, depth + 1, lines);
            }
            // The text of the whole tells more than that of some parts.
            substitution::Step::Run(_)
            | substitution::Step::Sequence(_)
            | substitution::Step::Var(..)
            | substitution::Step::While(_) => {
                lines.push(line(depth, format!("then {}", self.text(span))));
            }
        }
    }

    /// A test, and below it the plans of the quantifiers in it.
    fn test(&self, pred: &Pred, depth: usize, lines: &mut Vec<Line>) {
        let code = self.printer.test(&self.compiler.test(pred));
        let what = format!("test {}", self.text(pred.span));
        lines.push(Line { depth, what, candidates: None, code: Some(code) });
        self.quantifiers(pred, depth + 1, lines);
    }

    fn quantifiers(&self, pred: &Pred, depth: usize, lines: &mut Vec<Line>) {
        match &pred.kind {
            PredKind::Exists(locals, body) => {
                let plan = self.compiler.plan(locals, body, Undefined::Tell);
                self.plan(&plan, depth, lines);
            }
            PredKind::Forall(locals, left, right) => {
                let premise = self.compiler.premise(locals, left, right);
                let plan = self.compiler.plan(locals, &premise, Undefined::Tell);
                let depth = self.plan(&plan, depth, lines);
                self.test(right, depth, lines);
            }
            _ => pred.parts(&mut |part| {
                if let Part::Pred(part) = part {
                    self.quantifiers(part, depth, lines);
                }
            }),
        }
    }

    fn code(&self, e: &Expr) -> String {
        self.printer.code(&self.compiler.expr(e))
    }

    /// The code of a set whose members are gone through, if it is built.
    fn built(&self, set: &Expr) -> Option<String> {
        let is_walked = self.compiler.tests_by_structure(set) || self.compiler.is_infinite(set);
        (!is_walked).then(|| self.code(set))
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Local(id) => self.name(*id).to_owned(),
            Pattern::Value(e) | Pattern::Moved { number: e, .. } => {
                format!("({})", self.text(e.span))
            }
            Pattern::Pair(l, r, _) => format!("{} |-> {}", self.pattern(l), self.pattern(r)),
            Pattern::Record(fields, ty) => {
                let Type::Record(names) = ty else { unreachable!("a record's type: {ty:?}") };
                let fields = names.iter().zip(fields);
                let fields = fields.map(|((name, _), f)| format!("{name}: {}", self.pattern(f)));
                format!("rec({})", fields.collect::<Vec<_>>().join(", "))
            }
            Pattern::Construct(of, number, argument, _) => {
                let freetype = &self.compiler.machine().freetypes[of.0 as usize];
                let constructor = &freetype.constructors[*number as usize].name;
                format!("{constructor}({})", self.pattern(argument))
            }
        }
    }

    fn name(&self, id: LocalId) -> &str {
        &self.compiler.machine().local(id).name
    }

    fn text(&self, span: Span) -> String {
        (self.source)(span)
    }
}

fn form_of(shape: &Shape) -> &'static str {
    use crate::value::shape::IndexKind;
    match shape.index().map(|u| &u.kind) {
        Some(IndexKind::Bool) => "true or false",
        Some(IndexKind::Element(_)) => "an element's number",
        Some(IndexKind::Pair(..)) => "a pair's number",
        _ => "a set, a bit for each element",
    }
}

/// Whether a function is expected whose arguments are finitely many.
fn has_few_arguments(arguments: &Shape, expected: &Expected) -> bool {
    match expected {
        Expected::Function(from, _) => {
            let is_bounded = matches!(**from, Expected::Interval { .. } | Expected::Pair(..));
            is_bounded || arguments.index().is_some()
        }
        _ => false,
    }
}

fn why_interned(shape: &Shape, expected: &Expected) -> &'static str {
    match shape {
        Shape::Set(_) if matches!(expected, Expected::Sequence { .. }) => {
            "it is a sequence, of whose items no two fit 63 bits: nothing bounds them, or they have \
             parts that are no members of finite sets"
        }
        Shape::Set(of) => match &**of {
            Shape::Pair(sides) if has_few_arguments(&sides.0, expected) => {
                "it is a function whose points do not fit 1024 bits, or have results of no fixed \
                 number of bits: integers that nothing bounds have codes for up to 64 arguments, \
                 where the machine speaks of no number above 1000"
            }
            Shape::Index(_) => "its elements are of a universe with more than 4096 members",
            Shape::Integer => "the invariant does not say between which numbers its elements are",
            Shape::Pair(_) => {
                "its pairs are over an infinite type, and the invariant does not say that it is a \
                 function between intervals or finite sets"
            }
            _ => "its elements are of an infinite type",
        },
        Shape::String => {
            "the machine mentions no string, or an external function makes others than those"
        }
        Shape::Real | Shape::Free(_) => "its type is infinite",
        Shape::Pair(_) | Shape::Record(_) => "it has parts that are no members of finite sets",
        _ => "it has no form of a fixed number of bits",
    }
}

/// The arguments that have a code.
fn arguments(axis: &Axis) -> String {
    match axis {
        Axis::Universe(n) => format!("{n} arguments"),
        Axis::Interval { low, size } => {
            format!("the arguments {low} to {}", low + *size as i64 - 1)
        }
        Axis::Record(_) | Axis::Couple(_) | Axis::Tuple { .. } | Axis::Map(_) | Axis::Subset(_) => {
            "the values".to_owned()
        }
        Axis::Pair(_) => format!("{} pairs", axis.size()),
        Axis::Texts(texts) => format!("{} strings", texts.len()),
    }
}

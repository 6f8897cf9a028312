//! Packages for tests, written with formulas of classical B. A name `new_x` stands for `x'`.

use burnside::source::Sources;
use burnside::syntax::ast::{BinaryOp, Constant, Node, NodeKind, Quantifier, UnaryOp};
use burnside::syntax::parse_formula;

/// An event: `(label, formula)` for guards, theorems and actions.
#[derive(Clone, Default)]
pub struct Event {
    pub name: &'static str,
    pub status: Option<&'static str>,
    pub refines: &'static [&'static str],
    pub any: &'static [&'static str],
    pub guards: &'static [(&'static str, &'static str)],
    pub theorems: &'static [(&'static str, &'static str)],
    /// `x := E`, `x :: S`, `x, y :| P`.
    pub actions: &'static [(&'static str, &'static str)],
    pub with: &'static [(&'static str, &'static str)],
}

#[derive(Clone, Default)]
pub struct Machine {
    pub name: &'static str,
    pub refines: Option<&'static str>,
    pub variables: &'static [&'static str],
    pub invariants: &'static [(&'static str, &'static str)],
    pub theorems: &'static [(&'static str, &'static str)],
    pub variant: Option<&'static str>,
    pub events: Vec<Event>,
}

#[derive(Clone, Copy, Default)]
pub struct Context {
    pub sets: &'static [&'static str],
    pub constants: &'static [&'static str],
    pub axioms: &'static [(&'static str, &'static str)],
}

/// The text of a package: machines from the most refined one up.
pub fn package(machines: &[Machine], context: Context) -> String {
    let machines: Vec<String> = machines.iter().map(machine).collect();
    let context = format!(
        "event_b_context(none,c,[extends(none,[]),sets(none,[{}]),constants(none,[{}]),axioms(none,[{}])])",
        identifiers(context.sets),
        identifiers(context.constants),
        labelled(context.axioms)
    );
    format!("package(load_event_b_project([{}],[{context}],[],_)).", machines.join(","))
}

fn machine(m: &Machine) -> String {
    let refines = m.refines.map_or(String::new(), |name| format!("refines(none,{name}),"));
    let variant = m.variant.map_or(String::new(), |v| format!("variant(none,{}),", formula(v)));
    let events: Vec<String> = m.events.iter().map(event).collect();
    format!(
        "event_b_model(none,{},[{refines}sees(none,[c]),variables(none,[{}]),invariant(none,[{}]),\
         theorems(none,[{}]),{variant}events(none,[{}])])",
        m.name,
        identifiers(m.variables),
        labelled(m.invariants),
        labelled(m.theorems),
        events.join(",")
    )
}

fn event(e: &Event) -> String {
    let actions: Vec<String> = e.actions.iter().map(|(l, a)| action(l, a)).collect();
    let with = e
        .with
        .iter()
        .map(|(name, p)| format!("witness(none,identifier(none,{}),{})", atom(name), formula(p)));
    format!(
        "event(none,{},{}(none),[{}],[{}],[{}],[{}],[{}],[{}])",
        atom(e.name),
        e.status.unwrap_or("ordinary"),
        e.refines.iter().map(|r| atom(r)).collect::<Vec<_>>().join(","),
        identifiers(e.any),
        labelled(e.guards),
        labelled(e.theorems),
        actions.join(","),
        with.collect::<Vec<_>>().join(",")
    )
}

fn action(label: &str, text: &str) -> String {
    let position = format!("rodinpos({label},{label})");
    for (sign, form) in [(":=", "assign"), ("::", "becomes_element_of"), (":|", "becomes_such")] {
        if let Some((targets, value)) = text.split_once(sign) {
            let targets: Vec<&str> = targets.split(',').map(str::trim).collect();
            let value = match form {
                "assign" => {
                    let values: Vec<String> = value.split(';').map(formula).collect();
                    format!("[{}]", values.join(","))
                }
                _ => formula(value),
            };
            return format!("{form}({position},[{}],{value})", identifiers(&targets));
        }
    }
    panic!("{text} is no action")
}

fn identifiers(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|x| format!("identifier(none,{})", atom(x))).collect();
    all.join(",")
}

fn atom(name: &str) -> String {
    match name.strip_prefix("new_") {
        Some(x) => format!("'{x}\\''"),
        None => format!("'{name}'"),
    }
}

fn labelled(formulas: &[(&str, &str)]) -> String {
    let all: Vec<String> = formulas
        .iter()
        .map(|(label, text)| {
            formula(text).replacen("none", &format!("rodinpos({label},{label})"), 1)
        })
        .collect();
    all.join(",")
}

/// A formula of classical B as a term.
pub fn formula(text: &str) -> String {
    let mut sources = Sources::new();
    let id = sources.add("formula", text.trim());
    term(&parse_formula(&sources, id).unwrap_or_else(|d| panic!("{text}: {d:?}")))
}

fn term(node: &Node) -> String {
    let compound = |functor: &str, operands: &[&Node]| {
        let operands: Vec<String> = operands.iter().map(|n| format!(",{}", term(n))).collect();
        format!("{functor}(none{})", operands.concat())
    };
    let list = |nodes: &[Node]| nodes.iter().map(term).collect::<Vec<_>>().join(",");
    match &node.kind {
        NodeKind::Name(name) => format!("identifier(none,{})", atom(name)),
        NodeKind::Integer(n) => format!("integer(none,{n})"),
        NodeKind::Constant(Constant::Natural) => "natural_set(none)".to_owned(),
        NodeKind::Constant(Constant::Integer) => "integer_set(none)".to_owned(),
        NodeKind::Constant(Constant::EmptySet) => "empty_set(none)".to_owned(),
        NodeKind::Constant(Constant::BoolSet) => "bool_set(none)".to_owned(),
        NodeKind::Constant(Constant::True) => "boolean_true(none)".to_owned(),
        NodeKind::Constant(Constant::False) => "boolean_false(none)".to_owned(),
        NodeKind::Conjunction(parts) => format!("conjunct(none,{})", list(parts)),
        NodeKind::Disjunction(parts) => format!("disjunct(none,{})", list(parts)),
        NodeKind::Unary(UnaryOp::Not, p) => compound("negation", &[p]),
        NodeKind::Unary(UnaryOp::Minus, e) => compound("unary_minus", &[e]),
        NodeKind::SetExtension(items) => format!("set_extension(none,[{}])", list(items)),
        NodeKind::At(operator, parts) if &*operator.name == "partition" => {
            format!("partition(none,{},[{}])", term(&parts[0]), list(&parts[1..]))
        }
        NodeKind::Call(f, arguments) => {
            format!("function(none,{},[{}])", term(f), list(arguments))
        }
        NodeKind::Builtin(burnside::syntax::ast::Builtin::Card, s) => compound("card", &[&s[0]]),
        NodeKind::Quantifier(q, ids, p) => {
            let functor = if *q == Quantifier::Forall { "forall" } else { "exists" };
            let ids: Vec<&str> = ids.iter().map(|x| &*x.name).collect();
            format!("{functor}(none,[{}],{})", identifiers(&ids), term(p))
        }
        NodeKind::Binary(op, l, r) => compound(functor(*op), &[l, r]),
        kind => panic!("no term for {kind:?}"),
    }
}

fn functor(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Implies => "implication",
        Equal => "equal",
        NotEqual => "not_equal",
        Member => "member",
        NotMember => "not_member",
        Subset => "subset",
        Less => "less",
        LessEqual => "less_equal",
        Greater => "greater",
        GreaterEqual => "greater_equal",
        Plus => "add",
        Minus => "minus",
        Times => "multiplication",
        Modulo => "modulo",
        Interval => "interval",
        Union => "union",
        SetMinus => "set_subtraction",
        Maplet => "couple",
        Override => "overwrite",
        TotalFunctions => "total_function",
        PartialFunctions => "partial_function",
        op => panic!("no functor for {op:?}"),
    }
}

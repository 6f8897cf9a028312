//! Where the symmetry of each set comes from and where it went, as data and as lines of text.

use super::SetupOptions;
use super::asymmetric::Reason;
use super::sizes::{SetInfo, SizeSource};
use super::static_symmetry::{Domain, Partition, StaticSymmetry};
use crate::machine::{ConstId, SetId};
use crate::source::Span;
use crate::state::Instance;
use crate::symmetry::Order;
use crate::symmetry::orbit::factorial;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why the elements of a set are not interchangeable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asymmetry {
    /// They can stand inside values of this free type.
    Freetype(Arc<str>),
    /// This external function chooses, orders or prints them.
    Function(String),
    /// They can stand inside infinite sets that are kept as values.
    Symbolic,
}

impl Asymmetry {
    pub fn text(&self) -> String {
        match self {
            Asymmetry::Freetype(name) => {
                format!("its elements can stand inside values of the free type {name}")
            }
            Asymmetry::Symbolic => {
                "its elements can stand inside infinite sets that are kept as values".to_owned()
            }
            Asymmetry::Function(name) => {
                format!("the external function {name} tells its elements apart")
            }
        }
    }
}

/// What fixes an element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FixedBy {
    /// Static symmetry gave it to this constant.
    Constant(Arc<str>),
    /// The goal names it.
    Goal,
}

/// An element that no permutation moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FixedElement {
    pub element: u32,
    /// As it prints.
    pub name: Arc<str>,
    /// As it is declared: `S1`.
    pub declared: Arc<str>,
    pub by: FixedBy,
    /// The declaration of the constant, or the goal.
    pub place: Option<Span>,
}

/// A rule of static symmetry that ordered elements without fixing them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrderedBy {
    /// This constant is the set of the first element.
    Single(Arc<str>, Arc<str>),
    /// These constants take elements by the index rule.
    Index(Vec<Arc<str>>),
    /// The free elements, from this one to the last, go to these parts in ascending order.
    Partition(Arc<str>, Vec<Arc<str>>),
    /// This constant pairs the elements with those of another set in order.
    Bijection(Arc<str>, Arc<str>),
    /// This constant numbers the elements in order.
    Numbering(Arc<str>),
}

/// One deferred set or set parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct SetExplanation {
    pub set: SetId,
    pub name: Arc<str>,
    pub size: u32,
    pub source: SizeSource,
    pub fixed: Vec<FixedElement>,
    pub ordered: Vec<OrderedBy>,
    /// `None`: its elements, but for the fixed ones, are interchangeable.
    pub asymmetry: Option<Asymmetry>,
    /// The expressions and declarations that make it so.
    pub places: Vec<Span>,
    /// Number of permutations of the set that may be used.
    pub order: Order,
}

/// What `--explain-symmetry` shows.
#[derive(Clone, PartialEq, Debug)]
pub struct SymmetryExplanation {
    pub sets: Vec<SetExplanation>,
    /// Whether its rules were looked for: in all sets but those of which the goal names elements.
    pub static_symmetry: bool,
    /// Order of the whole group.
    pub order: Order,
}

impl SymmetryExplanation {
    pub(super) fn new(
        instance: &Instance,
        infos: &[SetInfo],
        statics: &StaticSymmetry,
        named: (&BTreeSet<(SetId, u32)>, Option<Span>),
        asymmetric: &BTreeMap<SetId, Reason>,
        options: &SetupOptions,
    ) -> SymmetryExplanation {
        let mut whole = Order::ONE;
        let mut sets = Vec::new();
        for info in infos {
            let fixed = fixed_elements(instance, statics, named, info.set);
            let (asymmetry, places) = asymmetric.get(&info.set).cloned().unzip();
            let order = match asymmetry {
                None => factorial(info.size as usize - fixed.len()),
                Some(_) => Order::ONE,
            };
            whole = whole.times(&order);
            sets.push(SetExplanation {
                set: info.set,
                name: info.name.clone(),
                size: info.size,
                source: info.source,
                fixed,
                ordered: orderings(instance, statics, info.set),
                asymmetry,
                places: places.unwrap_or_default(),
                order,
            });
        }
        SymmetryExplanation { sets, static_symmetry: options.static_symmetry, order: whole }
    }

    /// The sets whose elements are not interchangeable whatever the set-up, each with the reason.
    pub fn asymmetries(&self) -> impl Iterator<Item = String> {
        self.sets.iter().filter_map(|set| {
            let why = set.asymmetry.as_ref()?.text();
            Some(format!("{} is not symmetric: {why}", set.name))
        })
    }

    /// The explanation for people, one paragraph for each set and the group at the end.
    pub fn lines(&self) -> Vec<String> {
        self.told().into_iter().map(|(line, _)| line).collect()
    }

    /// The same, each line with the places in the machine that make it so.
    pub fn told(&self) -> Vec<(String, Vec<Span>)> {
        let mut lines = Vec::new();
        for set in &self.sets {
            let head = format!("{}: {}, {}", set.name, elements(set.size), size_text(set));
            lines.push((head, Vec::new()));
            let fixed = set.fixed.iter();
            lines.extend(fixed.map(|f| (format!("  {}", f.text()), f.place.into_iter().collect())));
            let ordered = set.ordered.iter();
            lines.extend(ordered.map(|o| (format!("  {}", o.text(&set.name)), Vec::new())));
            lines.push((format!("  {}", set.verdict()), set.places.clone()));
        }
        if self.sets.is_empty() {
            lines.push(("no deferred sets: nothing is symmetric".to_string(), Vec::new()));
        }
        let rules = if self.static_symmetry { "on" } else { "off" };
        let group = format!("group of order {}; static symmetry of constants {rules}", self.order);
        lines.push((group, Vec::new()));
        lines
    }
}

impl SetExplanation {
    /// Whether elements that are not fixed are interchangeable and there are some.
    pub fn is_symmetric(&self) -> bool {
        let left = self.size as usize - self.fixed.len();
        self.asymmetry.is_none() && (left >= 2 || self.fixed.is_empty())
    }

    fn verdict(&self) -> String {
        if let Some(why) = &self.asymmetry {
            return format!("not symmetric: {}", why.text());
        }
        match self.size as usize - self.fixed.len() {
            0 => "not symmetric: every element is fixed".to_string(),
            1 if self.size == 1 => "symmetric: there is one element only".to_string(),
            1 => "not symmetric: all elements but one are fixed".to_string(),
            n if self.fixed.is_empty() => {
                format!("symmetric: {n} interchangeable elements, {} permutations", self.order)
            }
            n => format!("symmetric: {n} elements are left, {} permutations", self.order),
        }
    }
}

impl FixedElement {
    pub fn text(&self) -> String {
        match &self.by {
            FixedBy::Constant(c) => format!("{} is fixed: it is the constant {c}", self.declared),
            FixedBy::Goal => format!("{} is fixed: the goal names it", self.declared),
        }
    }
}

impl OrderedBy {
    pub fn text(&self, set: &str) -> String {
        match self {
            OrderedBy::Index(constants) => format!(
                "{}: each takes a used element or the first unused one",
                constants.join(", ")
            ),
            OrderedBy::Partition(from, parts) => {
                format!("the elements from {from} on go to {} in ascending order", parts.join(", "))
            }
            OrderedBy::Single(c, first) => format!("{c} is the set of {first}"),
            OrderedBy::Numbering(c) => format!("{c} numbers the elements of {set} in order"),
            OrderedBy::Bijection(c, other) => {
                format!("{c} pairs the elements of {set} and {other} in order")
            }
        }
    }
}

fn elements(n: u32) -> String {
    if n == 1 { "1 element".to_string() } else { format!("{n} elements") }
}

fn size_text(set: &SetExplanation) -> String {
    match set.source {
        SizeSource::Option => "chosen by --card".to_string(),
        SizeSource::Scope => format!("chosen by the definition scope_{}", set.name),
        SizeSource::Properties => "as the PROPERTIES ask for".to_string(),
        SizeSource::Least => "the least that the PROPERTIES allow".to_string(),
        SizeSource::Greatest => "the greatest that the PROPERTIES allow".to_string(),
        SizeSource::Default => "the default size".to_string(),
    }
}

fn fixed_elements(
    instance: &Instance,
    statics: &StaticSymmetry,
    (named, goal): (&BTreeSet<(SetId, u32)>, Option<Span>),
    set: SetId,
) -> Vec<FixedElement> {
    let names = &instance.names;
    let fixed = |element: u32, by: FixedBy, place: Option<Span>| FixedElement {
        element,
        name: names.element(set, element),
        declared: names.declared(set, element),
        by,
        place,
    };
    let constants = statics.fixed().filter(|f| f.0 == set);
    let by_goal = named.iter().filter(|(s, _)| *s == set);
    let constants = constants.map(|(_, e, c)| {
        let place = instance.machine.constant(c).span;
        fixed(e, FixedBy::Constant(name(instance, c)), Some(place))
    });
    constants.chain(by_goal.map(|(_, e)| fixed(*e, FixedBy::Goal, goal))).collect()
}

fn orderings(instance: &Instance, statics: &StaticSymmetry, set: SetId) -> Vec<OrderedBy> {
    let names = |ids: &[ConstId]| ids.iter().map(|c| name(instance, *c)).collect::<Vec<_>>();
    let mut ordered = Vec::new();
    for order in statics.orders.iter().filter(|o| o.set == set) {
        if let Some(c) = order.single {
            ordered.push(OrderedBy::Single(name(instance, c), instance.names.element(set, 0)));
        }
        if !order.indexed.is_empty() {
            ordered.push(OrderedBy::Index(names(&order.indexed)));
        }
        if let Some(Partition { parts, free, .. }) = &order.partition {
            let first = instance.names.element(set, free.start);
            ordered.push(OrderedBy::Partition(first, names(parts)));
        }
    }
    if let Some(b) = &statics.bijection {
        let constant = name(instance, b.constant);
        let set_name = |set: SetId| instance.machine.set(set).name.clone();
        match b.from {
            Domain::Set(from) if from == set => {
                ordered.push(OrderedBy::Bijection(constant, set_name(b.to)));
            }
            Domain::Set(from) if b.to == set => {
                ordered.push(OrderedBy::Bijection(constant, set_name(from)));
            }
            Domain::Interval(_) if b.to == set => ordered.push(OrderedBy::Numbering(constant)),
            _ => {}
        }
    }
    ordered
}

fn name(instance: &Instance, id: ConstId) -> Arc<str> {
    instance.machine.constant(id).name.clone()
}

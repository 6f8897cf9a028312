//! How many elements a deferred set has, and the integer limits.
//!
//! In this order: `--card`, a `scope_` definition, what the PROPERTIES say (`card(S) = n`, an
//! enumeration by distinct constants, a bijection with a set of known size or a product, parts of known
//! sizes). Where all that leaves several sizes, the first from the default of 2 on, and else before it,
//! that they are seen to allow: at least as many elements as they ask for (`card(S) > n`, pairwise distinct
//! constants, parts that have members), no more than they allow (`card(S) <= n`), and so that what they say
//! of several sizes holds ([`conditions`](super::conditions)). A result then says that nobody chose the size.

use super::SetupOptions;
use super::cardinalities::Cardinalities;
use super::conditions::{Assigned, Conditions, Met, Range};
use super::properties::{Reader, carrier_card, singletons};
use crate::diagnostic::Diagnostic;
use crate::machine::{
    Comparison, Expr, ExprKind, Machine, Pred, PredKind, SetId, SetKind, preferences,
};
use crate::printable;
use crate::source::Span;
use crate::syntax::suggest::closest;
use crate::value::Sizes;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Largest number of elements of a deferred set.
pub const LARGEST_SET: u64 = 1 << 20;

/// Where the size of a set comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeSource {
    Option,
    Scope,
    Properties,
    /// The PROPERTIES are seen to refute those from the default to before this one, and not all others.
    Least,
    /// The PROPERTIES are seen to refute those from the default on and down to this one, and not all others.
    Greatest,
    Default,
}

impl SizeSource {
    /// Whether the machine may as well have another size: nobody chose this one.
    pub fn is_open(self) -> bool {
        matches!(self, SizeSource::Least | SizeSource::Greatest | SizeSource::Default)
    }

    pub fn name(self) -> &'static str {
        match self {
            SizeSource::Option => "option",
            SizeSource::Scope => "scope",
            SizeSource::Properties => "properties",
            SizeSource::Least => "least",
            SizeSource::Greatest => "greatest",
            SizeSource::Default => "default",
        }
    }
}

/// A deferred set or set parameter after set-up.
#[derive(Clone, PartialEq, Debug)]
pub struct SetInfo {
    pub set: SetId,
    pub name: Arc<str>,
    pub size: u32,
    pub source: SizeSource,
    /// Elements that a constant or a goal singles out, by name.
    pub fixed: Vec<String>,
    pub symmetric: bool,
}

type Chosen = BTreeMap<SetId, (u64, SizeSource)>;

pub struct Limits {
    pub min_int: i64,
    pub max_int: i64,
    default_size: u64,
}

/// Where nothing says anything else.
const LIMITS: Limits = Limits { min_int: -1, max_int: 3, default_size: 2 };

pub struct Sized {
    pub sizes: Sizes,
    pub infos: Vec<SetInfo>,
}

/// The integer limits and the default size of sets: options before preferences of the command line,
/// these before the machine's, these before the defaults.
pub fn limits(
    machine: &Machine,
    options: &SetupOptions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Limits, Vec<Diagnostic>> {
    let mut limits = LIMITS;
    let mut said = SaidBy::default();
    for pref in &machine.preferences {
        match limits.set(&pref.name, &pref.value) {
            Ok(()) => said.note(&pref.name, Said::Definition(pref.span)),
            Err(message) => {
                warnings.push(Diagnostic::warning("preference-ignored", pref.span, message));
            }
        }
    }
    let mut problems = Vec::new();
    for (name, value) in &options.preferences {
        match limits.set(name, value) {
            Ok(()) => said.note(name, Said::Preference),
            Err(message) => problems.push(Diagnostic::without_place("preference", message)),
        }
    }
    if let Some(min) = options.min_int {
        (limits.min_int, said.min) = (min, Said::Option);
    }
    if let Some(max) = options.max_int {
        (limits.max_int, said.max) = (max, Said::Option);
    }
    if limits.min_int > limits.max_int {
        problems.push(said.no_integer(&limits));
    }
    if problems.is_empty() { Ok(limits) } else { Err(problems) }
}

/// What a limit of the integers was said by.
#[derive(Clone, Copy, Default)]
enum Said {
    #[default]
    Nothing,
    Definition(Span),
    Preference,
    Option,
}

impl Said {
    fn words(self, name: &str) -> String {
        match self {
            Said::Nothing => "by default".to_owned(),
            Said::Definition(_) => format!("SET_PREF_{name}"),
            Said::Preference => format!("--pref {name}"),
            Said::Option => format!("--{}", name.to_lowercase()),
        }
    }

    fn span(self) -> Option<Span> {
        match self {
            Said::Definition(span) => Some(span),
            _ => None,
        }
    }
}

/// What both limits were said by.
#[derive(Default)]
struct SaidBy {
    min: Said,
    max: Said,
}

impl SaidBy {
    fn note(&mut self, name: &str, by: Said) {
        match name {
            "MININT" => self.min = by,
            "MAXINT" => self.max = by,
            _ => {}
        }
    }

    /// The refusal of limits that no integer is between: at the definition that says one of them, if some does.
    fn no_integer(&self, limits: &Limits) -> Diagnostic {
        let message = format!(
            "MININT is {} ({}) and MAXINT is {} ({}): there is no integer between them",
            limits.min_int,
            self.min.words("MININT"),
            limits.max_int,
            self.max.words("MAXINT")
        );
        let mut spans = [self.min.span(), self.max.span()].into_iter().flatten();
        let diagnostic = Diagnostic::without_place("integer-limits", message);
        let mut diagnostic = Diagnostic { span: spans.next(), ..diagnostic };
        for span in spans {
            diagnostic = diagnostic.note(span, "and this");
        }
        match (self.min, self.max) {
            (_, Said::Nothing) => {
                diagnostic.hint("say what MAXINT is, too: SET_PREF_MAXINT, --maxint")
            }
            (Said::Nothing, _) => {
                diagnostic.hint("say what MININT is, too: SET_PREF_MININT, --minint")
            }
            _ => diagnostic,
        }
    }
}

/// The size of sets of which nothing says how large they are, as the machine has it.
pub fn default_size(machine: &Machine) -> u64 {
    let mut limits = LIMITS;
    for pref in &machine.preferences {
        // What is wrong with one was told when the machine was set up.
        let _ = limits.set(&pref.name, &pref.value);
    }
    limits.default_size
}

impl Limits {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || {
            value
                .trim()
                .parse::<i64>()
                .map_err(|_| format!("{name} needs an integer, not `{value}`"))
        };
        match name {
            "MAXINT" => self.max_int = number()?,
            "MININT" => self.min_int = number()?,
            "DEFAULT_SETSIZE" => {
                self.default_size = u64::try_from(number()?)
                    .ok()
                    .filter(|n| *n > 0)
                    .ok_or("DEFAULT_SETSIZE must be at least 1")?;
            }
            // They were read while the machine was typed.
            _ if preferences::is_switch(name) => {
                if !matches!(value.trim(), "TRUE" | "FALSE") {
                    return Err(format!("{name} is TRUE or FALSE, not `{value}`"));
                }
            }
            // The others steer tools, not the meaning of the machine.
            _ if preferences::is_known(name) => {}
            _ => {
                return Err(match closest(name, preferences::names()) {
                    Some(close) => format!("there is no preference {name}: did you mean {close}?"),
                    None => format!("there is no preference {name}"),
                });
            }
        }
        Ok(())
    }
}

/// Most columns of a name in a message.
const MOST_COLUMNS: usize = 60;

/// The size of every set.
pub fn resolve(
    machine: &Machine,
    options: &SetupOptions,
    limits: &Limits,
) -> Result<Sized, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut chosen = Chosen::new();
    for (name, size) in &options.cards {
        let shown = printable::clipped(name, MOST_COLUMNS);
        match machine.sets.iter().position(|s| &*s.name == name) {
            Some(i) if machine.is_sized(SetId(i as u32)) => {
                let before = chosen.insert(SetId(i as u32), (*size, SizeSource::Option));
                if let Some((before, _)) = before {
                    problems.push(Diagnostic::without_place(
                        "card",
                        format!(
                            "--card {shown}={before} and --card {shown}={size}: {shown} has one size"
                        ),
                    ));
                }
            }
            Some(_) => problems.push(Diagnostic::without_place(
                "card",
                format!("--card {shown}={size}: {shown} is an enumerated set, its size is fixed"),
            )),
            None => {
                let sized =
                    machine.sets.iter().filter(|s| !matches!(s.kind, SetKind::Enumerated(_)));
                let names: Vec<&str> = sized.map(|s| &*s.name).collect();
                let hint = match names.is_empty() {
                    true => "the machine has no deferred set".to_string(),
                    false => format!("its deferred sets are {}", names.join(", ")),
                };
                problems.push(
                    Diagnostic::without_place(
                        "card",
                        format!("--card {shown}={size}: there is no set {shown}"),
                    )
                    .hint(hint),
                );
            }
        }
    }
    for scope in &machine.scope_sizes {
        chosen.entry(scope.set).or_insert((scope.size, SizeSource::Scope));
    }
    Facts::of(machine, limits).choose(machine, limits.default_size, &mut chosen);
    let mut infos = Vec::new();
    for (i, set) in machine.sets.iter().enumerate() {
        let id = SetId(i as u32);
        let Some((size, source)) = chosen.get(&id).copied() else { continue };
        let complain = |message: String| match source {
            SizeSource::Option => Diagnostic::without_place("set-size", message),
            _ => Diagnostic::error("set-size", set.span, message),
        };
        if size < 1 {
            problems.push(complain(format!(
                "the set {} cannot have {size} elements: at least 1 is needed",
                set.name
            )));
        } else if size > LARGEST_SET {
            problems.push(complain(format!(
                "the set {} would have {size} elements; at most {LARGEST_SET} are possible",
                set.name
            )));
        }
        let size = size.clamp(1, LARGEST_SET) as u32;
        infos.push(SetInfo {
            set: id,
            name: set.name.clone(),
            size,
            source,
            fixed: Vec::new(),
            symmetric: true,
        });
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let sizes = Sizes::new(machine, |id| infos.iter().find(|i| i.set == id).map_or(1, |i| i.size));
    Ok(Sized { sizes, infos })
}

/// What the PROPERTIES say about sizes.
struct Facts {
    exact: Assigned,
    least: Assigned,
    most: Assigned,
    conditions: Conditions,
}

impl Facts {
    fn of(machine: &Machine, limits: &Limits) -> Facts {
        let reader = Reader::new(machine, limits.min_int, limits.max_int);
        let least = reader.cliques().into_iter().map(|(s, c)| (s, c.len() as u64)).collect();
        let conditions = Conditions::of(machine, &reader);
        let mut facts = Facts { exact: Assigned::new(), least, most: Assigned::new(), conditions };
        for p in reader.conjuncts() {
            facts.read(&reader, p);
        }
        let of_parts = Cardinalities::of(&reader);
        for (set, n) in of_parts.exact() {
            facts.exact.entry(set).or_insert(n);
        }
        for (set, n) in of_parts.least() {
            let least = facts.least.entry(set).or_insert(0);
            *least = n.max(*least);
        }
        facts.most.extend(of_parts.most());
        facts
    }

    /// Chooses the sizes that are left.
    fn choose(&self, machine: &Machine, default: u64, chosen: &mut Chosen) {
        let sets = (0..machine.sets.len() as u32).map(SetId);
        let sized: Vec<SetId> = sets.filter(|set| machine.is_sized(*set)).collect();
        for (set, n) in self.exact.iter().filter(|(set, _)| sized.contains(set)) {
            chosen.entry(*set).or_insert((*n, SizeSource::Properties));
        }
        let open = sized.into_iter().filter(|set| !chosen.contains_key(set));
        let ranges: BTreeMap<SetId, Range> =
            open.map(|set| (set, self.range(set, default))).collect();
        let fixed: Assigned = chosen.iter().map(|(set, (n, _))| (*set, *n)).collect();
        let met = self.conditions.meet(&ranges, &fixed).unwrap_or_else(|| {
            // Nothing meets them that was tried: whoever solves the PROPERTIES says what is wrong.
            Conditions::default().meet(&ranges, &fixed).unwrap_or_default()
        });
        for Met { set, size, is_open } in met {
            let source = match size {
                _ if !is_open => SizeSource::Properties,
                _ if size > default => SizeSource::Least,
                _ if size < default => SizeSource::Greatest,
                _ => SizeSource::Default,
            };
            chosen.insert(set, (size, source));
        }
    }

    /// The sizes that a set may have by itself.
    fn range(&self, set: SetId, default: u64) -> Range {
        let least = self.least.get(&set).copied().unwrap_or(1).max(1);
        let most = self.most.get(&set).map(|most| (*most).max(least));
        Range { least, most, first: default }
    }

    fn read(&mut self, reader: &Reader<'_>, p: &Pred) {
        if let PredKind::Partition(set, parts) = &p.kind {
            self.partition(reader, set, parts);
        }
        let PredKind::Compare(op, a, b) = &p.kind else { return };
        if *op == Comparison::Equal {
            for (a, b) in [(a, b), (b, a)] {
                self.exactly(a, reader.number(b));
                self.enumeration(reader, a, b);
            }
        }
    }

    /// `card(S) = n`
    fn exactly(&mut self, card: &Expr, n: Option<i64>) {
        if let Some((set, n)) = carrier_card(card).zip(n) {
            self.exact.entry(set).or_insert(n.max(0) as u64);
        }
    }

    /// `S = {a, b, c}` with pairwise distinct constants.
    fn enumeration(&mut self, reader: &Reader<'_>, set: &Expr, items: &Expr) {
        let ExprKind::Carrier(s) = set.kind else { return };
        if let Some(ids) = singletons(items)
            && reader.pairwise_distinct(&ids)
        {
            self.exact.entry(s).or_insert(ids.len() as u64);
        }
    }

    /// `partition(S, {a}, {b, c})` with pairwise distinct constants.
    fn partition(&mut self, reader: &Reader<'_>, set: &Expr, parts: &[Expr]) {
        let ExprKind::Carrier(s) = set.kind else { return };
        let ids: Option<Vec<_>> = parts.iter().map(singletons).collect();
        if let Some(ids) = ids.map(|ids| ids.concat())
            && reader.pairwise_distinct(&ids)
        {
            self.exact.entry(s).or_insert(ids.len() as u64);
        }
    }
}

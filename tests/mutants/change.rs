//! One change of a syntax tree that keeps its types, or nearly.

use super::generate::Dice;
use super::walk::{self, Part};
use burnside::machine::visit::Visitor;
use burnside::machine::{Machine, Type};
use burnside::source::Span;
use burnside::syntax::ast::{
    BinaryOp, Builtin, Constant, Fold, MachineFile, Node, NodeKind, Quantifier, Substitution,
    SubstitutionKind, UnaryOp,
};
use std::collections::HashMap;

/// A machine that mutants are made of.
pub struct Stock {
    file: MachineFile,
    /// Types of the expressions, by where they stand.
    types: HashMap<Span, Type>,
    /// Expressions of each type, to be put in each other's place.
    donors: Vec<(Type, Vec<Node>)>,
    substitutions: Vec<Substitution>,
}

impl Stock {
    /// `file`: as it was parsed; `machine`: as it was typed from the same text.
    pub fn new(file: MachineFile, mut machine: Machine) -> Stock {
        let mut types = HashMap::new();
        let mut doubtful = Vec::new();
        let note = &mut |e: &mut burnside::machine::Expr| {
            // A use of a definition gives its span to all that it stands for.
            if types.insert(e.span, e.ty.clone()).is_some_and(|old| old != e.ty) {
                doubtful.push(e.span);
            }
        };
        Visitor::of(note).machine(&mut machine);
        doubtful.iter().for_each(|span| {
            types.remove(span);
        });
        let mut stock = Stock { file, types, donors: Vec::new(), substitutions: Vec::new() };
        let mut copy = stock.file.clone();
        walk::machine(&mut copy, &mut |part| {
            match part {
                Part::Node(n) => {
                    if let Some(ty) = stock.types.get(&n.span) {
                        match stock.donors.iter_mut().find(|(t, _)| t == ty) {
                            Some((_, known)) => known.push(n.clone()),
                            None => stock.donors.push((ty.clone(), vec![n.clone()])),
                        }
                    }
                }
                Part::Substitution(s) => stock.substitutions.push(s.clone()),
            }
            true
        });
        stock
    }

    /// A copy with up to three changes.
    pub fn mutant(&self, dice: &mut Dice) -> MachineFile {
        let mut file = self.file.clone();
        let changes = *dice.pick(&[1, 1, 1, 2, 3]);
        let mut made = 0;
        for _ in 0..60 {
            if made == changes {
                break;
            }
            made += usize::from(self.change(&mut file, dice));
        }
        file
    }

    /// Tries one change at a random place.
    fn change(&self, file: &mut MachineFile, dice: &mut Dice) -> bool {
        let mut parts = 0;
        walk::machine(file, &mut |_| {
            parts += 1;
            true
        });
        if parts == 0 {
            return false;
        }
        let chosen = dice.below(parts);
        let (mut at, mut made) = (0, false);
        walk::machine(file, &mut |part| {
            if at == chosen {
                made = match part {
                    Part::Node(n) => self.change_node(n, dice),
                    Part::Substitution(s) => self.change_substitution(s, dice),
                };
            }
            at += 1;
            at <= chosen
        });
        made
    }

    fn change_node(&self, n: &mut Node, dice: &mut Dice) -> bool {
        if dice.chance(40) && self.replace(n, dice) {
            return true;
        }
        if is_predicate(n) && dice.chance(15) {
            let inner = Box::new(n.clone());
            n.kind = NodeKind::Unary(UnaryOp::Not, inner);
            return true;
        }
        match &mut n.kind {
            NodeKind::Integer(i) => {
                let steps: [i64; 5] = [-1, 1, 2, -2, 5];
                let new = &*i + *dice.pick(&steps);
                *i = if new.sign() == num_bigint::Sign::Minus { 0.into() } else { new };
                true
            }
            NodeKind::Constant(c) => match other_constant(*c, dice) {
                Some(other) => {
                    *c = other;
                    true
                }
                None => false,
            },
            NodeKind::Binary(op, a, b) => {
                if *op != BinaryOp::Comma && dice.chance(35) {
                    std::mem::swap(a, b);
                    return true;
                }
                other_operator(op, dice)
            }
            NodeKind::Builtin(op, arguments) => {
                if arguments.len() == 2 && dice.chance(50) {
                    arguments.swap(0, 1);
                    return true;
                }
                other_builtin(op, dice)
            }
            NodeKind::Conjunction(all) | NodeKind::Disjunction(all) if dice.chance(70) => {
                all.remove(dice.below(all.len()));
                if all.len() == 1 {
                    *n = all.remove(0);
                }
                true
            }
            NodeKind::Conjunction(all) => {
                n.kind = NodeKind::Disjunction(std::mem::take(all));
                true
            }
            NodeKind::Disjunction(all) => {
                n.kind = NodeKind::Conjunction(std::mem::take(all));
                true
            }
            NodeKind::Unary(UnaryOp::Not | UnaryOp::Inverse | UnaryOp::Minus, inner) => {
                *n = (**inner).clone();
                true
            }
            NodeKind::SetExtension(items) | NodeKind::SequenceExtension(items) => {
                if items.len() > 1 && dice.chance(50) {
                    items.remove(dice.below(items.len()));
                } else {
                    let copy = dice.pick(items).clone();
                    items.push(copy);
                }
                true
            }
            NodeKind::Quantifier(q, _, body) => match (*q, &mut body.kind) {
                (Quantifier::Forall, NodeKind::Binary(BinaryOp::Implies, p, q_)) => {
                    let both = vec![(**p).clone(), (**q_).clone()];
                    body.kind = NodeKind::Conjunction(both);
                    *q = Quantifier::Exists;
                    true
                }
                (Quantifier::Exists, NodeKind::Conjunction(all)) => {
                    let last = all.pop().expect("two conjuncts");
                    let first = match all.len() {
                        1 => all.remove(0),
                        _ => Node { kind: NodeKind::Conjunction(all.clone()), span: body.span },
                    };
                    body.kind = NodeKind::Binary(BinaryOp::Implies, first.into(), last.into());
                    *q = Quantifier::Forall;
                    true
                }
                _ => false,
            },
            NodeKind::Fold(fold, ..) => {
                *fold = match fold {
                    Fold::Sigma => Fold::Pi,
                    Fold::Pi => Fold::Sigma,
                    Fold::Union => Fold::Inter,
                    Fold::Inter => Fold::Union,
                    Fold::Lambda => return false,
                };
                true
            }
            NodeKind::If(branches, last) => {
                let i = dice.below(branches.len());
                std::mem::swap(&mut branches[i].1, last);
                true
            }
            NodeKind::Previous(name) => {
                n.kind = NodeKind::Name(name.clone());
                true
            }
            _ => false,
        }
    }

    /// Puts another expression of the same type in this one's place.
    fn replace(&self, n: &mut Node, dice: &mut Dice) -> bool {
        let Some(ty) = self.types.get(&n.span) else { return false };
        let Some((_, donors)) = self.donors.iter().find(|(t, _)| t == ty) else { return false };
        let donor = dice.pick(donors);
        let new = donor.kind != n.kind;
        *n = donor.clone();
        new
    }

    fn change_substitution(&self, s: &mut Substitution, dice: &mut Dice) -> bool {
        use SubstitutionKind::*;
        if dice.chance(10) {
            *s = dice.pick(&self.substitutions).clone();
            return true;
        }
        if dice.chance(8) {
            let skip = Substitution { kind: Skip, span: s.span };
            let both = vec![s.clone(), skip];
            s.kind = if dice.chance(50) { Choice(both) } else { Block(Box::new(both[1].clone())) };
            return true;
        }
        match &mut s.kind {
            Parallel(all) | Sequence(all) if dice.chance(50) => {
                if dice.chance(60) {
                    all.remove(dice.below(all.len()));
                } else {
                    let (i, j) = (dice.below(all.len()), dice.below(all.len()));
                    all.swap(i, j);
                }
                if let [one] = &all[..] {
                    *s = one.clone();
                }
                true
            }
            Parallel(all) => {
                let parts = std::mem::take(all);
                s.kind = Sequence(parts);
                blocked(s);
                true
            }
            Sequence(all) => {
                let parts = std::mem::take(all);
                s.kind = Parallel(parts);
                blocked(s);
                true
            }
            Choice(all) => {
                if all.len() > 2 && dice.chance(50) {
                    all.remove(dice.below(all.len()));
                } else {
                    let copy = dice.pick(all).clone();
                    all.push(copy);
                }
                true
            }
            If(branches, last) | Select(branches, last) if dice.chance(60) => {
                if branches.len() > 1 && dice.chance(60) {
                    branches.remove(dice.below(branches.len()));
                } else if let Some(body) = last {
                    if dice.chance(50) {
                        *last = None;
                    } else {
                        std::mem::swap(&mut branches[0].1, body);
                    }
                } else {
                    let body = dice.pick(&self.substitutions).clone();
                    *last = Some(Box::new(body));
                }
                true
            }
            If(branches, last) => {
                s.kind = Select(std::mem::take(branches), last.take());
                true
            }
            Select(branches, last) => {
                s.kind = If(std::mem::take(branches), last.take());
                true
            }
            Precondition(p, body) => {
                let (p, body) = (p.clone(), body.clone());
                s.kind = match dice.below(3) {
                    0 => Select(vec![(*p, *body)], None),
                    1 => Assert(p, body),
                    _ => return false,
                };
                true
            }
            Assert(_, body) | Block(body) => {
                *s = (**body).clone();
                true
            }
            Case { branches, otherwise, .. } => {
                if branches.len() > 1 && dice.chance(50) {
                    branches.remove(dice.below(branches.len()));
                } else {
                    *otherwise = None;
                }
                true
            }
            Assign(targets, values) => {
                let [value] = &values[..] else {
                    let (i, j) = (dice.below(values.len()), dice.below(values.len()));
                    values.swap(i, j);
                    return i != j;
                };
                let set = NodeKind::SetExtension(vec![value.clone()]);
                let set = Box::new(Node { kind: set, span: value.span });
                s.kind = BecomesElement(std::mem::take(targets), set);
                true
            }
            While { condition, body, invariant, variant } => {
                let inside =
                    std::mem::replace(&mut **body, Substitution { kind: Skip, span: s.span });
                **body = match dice.below(3) {
                    0 => dice.pick(&self.substitutions).clone(),
                    1 => Substitution { kind: Block(Box::new(inside)), span: s.span },
                    _ => {
                        std::mem::swap(condition, invariant);
                        inside
                    }
                };
                variant.span = s.span;
                true
            }
            _ => false,
        }
    }
}

/// `;` and `||` change their neighbours when they stand beside them.
fn blocked(s: &mut Substitution) {
    s.kind = SubstitutionKind::Block(Box::new(s.clone()));
}

fn is_predicate(n: &Node) -> bool {
    use BinaryOp::*;
    match &n.kind {
        NodeKind::Conjunction(_) | NodeKind::Disjunction(_) | NodeKind::Quantifier(..) => true,
        NodeKind::Unary(op, _) => *op == UnaryOp::Not,
        NodeKind::Binary(op, ..) => matches!(
            op,
            Implies
                | Iff
                | Equal
                | NotEqual
                | Member
                | NotMember
                | Subset
                | NotSubset
                | StrictSubset
                | NotStrictSubset
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
        ),
        _ => false,
    }
}

/// Another one of the same row.
fn other<T: Copy + PartialEq>(rows: &[&[T]], of: &mut T, dice: &mut Dice) -> bool {
    let Some(row) = rows.iter().find(|row| row.contains(of)) else { return false };
    let new = *dice.pick(row);
    let changed = new != *of;
    *of = new;
    changed
}

fn other_operator(op: &mut BinaryOp, dice: &mut Dice) -> bool {
    use BinaryOp::*;
    let rows: [&[BinaryOp]; 12] = [
        &[Equal, NotEqual],
        &[Member, NotMember],
        &[Subset, NotSubset, StrictSubset, NotStrictSubset, Equal, NotEqual],
        &[Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual],
        &[Implies, Iff],
        &[Union, Intersection, SetMinus],
        &[DomainRestrict, DomainSubtract],
        &[RangeRestrict, RangeSubtract],
        &[Plus, Minus, Times, Divide, Modulo],
        &[
            Relations,
            PartialFunctions,
            TotalFunctions,
            PartialInjections,
            TotalInjections,
            PartialSurjections,
            TotalSurjections,
            PartialBijections,
            TotalBijections,
            TotalRelations,
            SurjectiveRelations,
            TotalSurjectiveRelations,
        ],
        &[Override, Union, Intersection],
        &[Take, Drop],
    ];
    other(&rows, op, dice)
}

fn other_builtin(op: &mut Builtin, dice: &mut Dice) -> bool {
    use Builtin::*;
    let rows: [&[Builtin]; 8] = [
        &[Pow, Pow1, Fin, Fin1],
        &[Dom, Ran],
        &[Union, Inter],
        &[Max, Min, Card],
        &[Closure, Closure1],
        &[Seq, Seq1, Iseq, Iseq1, Perm],
        &[First, Last],
        &[Front, Tail, Rev],
    ];
    other(&rows, op, dice)
}

fn other_constant(c: Constant, dice: &mut Dice) -> Option<Constant> {
    use Constant::*;
    let rows: [&[Constant]; 4] = [
        &[True, False],
        &[Truth, Falsity],
        &[Natural, Natural1, Int, Nat, Nat1, Integer],
        &[MaxInt, MinInt],
    ];
    let mut new = c;
    other(&rows, &mut new, dice).then_some(new)
}

//! Why an evaluation ended without a result.

use crate::clock::Stopped;
use crate::machine::{Cell, ClaimId, Machine, OpId, UnaryOp, VarId};
use crate::source::Span;
use crate::state::Denied;
use crate::syntax::{self, ast::ClaimKind};
use crate::value::relation::ApplyError;
use std::sync::Arc;

/// Cheap on purpose: an undefined guard is an everyday event. What exactly was undefined is found by
/// evaluating once more with [`Env::explain`](super::Env) set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Something is undefined or a substitution's condition does not hold.
    Fault(SiteId),
    /// The value depends on an enumeration that was cut off: it is unknown, and nothing may be
    /// concluded from it.
    Cut(CutId),
    /// An integer left 64 bits: evaluate again with unbounded integers.
    Overflow,
    /// A limit was reached or the user interrupted; the clock knows which.
    Halted,
}

/// A [`Stop`] in one word: with it the result of code for words fits two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Raised(u64);

impl From<Stop> for Raised {
    #[inline]
    fn from(stop: Stop) -> Raised {
        Raised(match stop {
            Stop::Fault(SiteId(n)) => u64::from(n) << 2,
            Stop::Cut(CutId(n)) => u64::from(n) << 2 | 1,
            Stop::Overflow => 2,
            Stop::Halted => 3,
        })
    }
}

impl From<Raised> for Stop {
    #[inline]
    fn from(Raised(word): Raised) -> Stop {
        let number = (word >> 2) as u32;
        match word & 3 {
            0 => Stop::Fault(SiteId(number)),
            1 => Stop::Cut(CutId(number)),
            2 => Stop::Overflow,
            _ => Stop::Halted,
        }
    }
}

impl From<Stopped> for Stop {
    fn from(Stopped: Stopped) -> Stop {
        Stop::Halted
    }
}

/// Number of a site in the frame where the fault happened ([`Env::site`](super::Env::site)). A number
/// keeps the result of every closure small enough for two registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SiteId(pub u32);

/// Number of a place where an enumeration was cut off, in the frame where that happened
/// ([`Env::cut_at`](super::Env::cut_at)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CutId(pub u32);

impl From<ApplyError> for FaultKind {
    fn from(why: ApplyError) -> FaultKind {
        match why {
            ApplyError::OutsideDomain => FaultKind::OutsideDomain,
            ApplyError::NotFunctional => FaultKind::NotFunctional,
        }
    }
}

/// Where an enumeration was cut off: the place, what was enumerated there, and as far as what.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutSite {
    pub span: Span,
    pub name: Arc<str>,
    pub within: Within,
}

impl CutSite {
    /// What was enumerated, as it is told: what the formula gives a name in backquotes, other sets in words.
    pub fn subject(&self) -> String {
        let is_word = self.name.contains(' ') || syntax::reserved().any(|word| *word == *self.name);
        if is_word { self.name.to_string() } else { format!("`{}`", self.name) }
    }
}

/// The values among which members of an unbounded set were looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Within {
    /// Numbers from MININT to MAXINT.
    Limits,
    /// Strings that the machine mentions or has made.
    Strings,
    /// Sequences of at most MAXINT items.
    Lengths,
    /// Trees of a few nodes.
    Trees,
    /// Constructors within each other to a small depth.
    Nesting,
    /// Nothing was looked for: how infinite sets compare, or what is made of one, is not seen from their descriptions.
    Descriptions,
}

impl Within {
    /// What is not known where nothing was looked for.
    pub const NOT_TOLD: &'static str =
        "an infinite set is known by its description, which does not tell this";
}

/// Where a fault can happen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    pub kind: FaultKind,
    pub span: Span,
}

impl Site {
    /// The message, with the name of the variable that it is about.
    pub fn message(&self, machine: &Machine) -> String {
        let name = match self.kind {
            FaultKind::Broken(_, claim) => {
                return machine.claims[claim.0 as usize].broken.to_string();
            }
            FaultKind::CalledOutside(called) => {
                let name = &machine.operation(called).name;
                return format!("the precondition of `{name}` does not hold");
            }
            FaultKind::NotXml(line, column) => {
                return format!("{}: line {line}, column {column}", self.kind.message());
            }
            FaultKind::ReadBeforeWritten(Cell::Local(id)) => &machine.local(id).name,
            FaultKind::ReadBeforeWritten(Cell::Variable(id)) | FaultKind::LeftUnwritten(id) => {
                &machine.variable(id).name
            }
            _ => return self.kind.message().to_string(),
        };
        let is_result = |id| machine.operations.iter().any(|o| o.results.contains(&id));
        let what = match self.kind {
            FaultKind::ReadBeforeWritten(Cell::Local(id)) if is_result(id) => {
                return format!("result `{name}` read before it was written");
            }
            _ => format!("variable `{name}`"),
        };
        self.kind.message().replacen("variable", &what, 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    DivisionByZero,
    /// `m mod n` with `m < 0` or `n <= 0`.
    ModuloDomain,
    NegativeExponent,
    /// A real number that is too large to be held, or none at all.
    RealOutOfRange,
    OutsideDomain,
    NotFunctional,
    MaxOfEmpty,
    MinOfEmpty,
    InterOfEmpty,
    /// The greatest or least solution of what has none.
    NoOptimum,
    InfiniteSet,
    /// A function that mentions itself is asked for while a constant that it needs is still looked for.
    ConstantNotSolved,
    NotASequence,
    NotATree,
    /// A place or a son that a tree does not have, or an operator that needs two sons.
    OutsideTree,
    /// What this operator needs a member of.
    EmptySequence(UnaryOp),
    TakeOutOfRange,
    NegativeIteration,
    ReadBeforeWritten(Cell),
    /// An outcome of the initialisation that has not written this variable.
    LeftUnwritten(VarId),
    /// The right side of a nested assignment's path (`f(x)(y) := E` with `x` outside `dom(f)`).
    AssignOutsideDomain,
    PreconditionFailed,
    /// An operation is called where its precondition does not hold.
    CalledOutside(OpId),
    /// What is claimed of the event does not hold.
    Broken(ClaimKind, ClaimId),
    AssertFailed,
    LoopInvariantFailed,
    VariantNotNatural,
    VariantNotDecreasing,
    /// A function or set that mentions itself is evaluated within itself too often, or is asked what is being asked of it
    /// already.
    RecursionTooDeep,
    /// An external function that refuses its arguments: what it asks of them.
    External(&'static str),
    /// A file that is not read.
    File(Denied),
    /// What stands in a file is not what it is read as.
    FileUnfit,
    /// Where a file is no well-formed XML: line and column.
    NotXml(u32, u32),
    /// An external function whose result depends on what was read before, or on the moment.
    NoMoment,
    /// An external function that tells of the search, or of the program that runs it.
    NotToldHere,
}

impl From<Denied> for FaultKind {
    fn from(denied: Denied) -> FaultKind {
        FaultKind::File(denied)
    }
}

impl FaultKind {
    /// Whether no value stands for what is undefined, also where another conjunct may be false: something outside is
    /// not to be had.
    pub fn is_final(self) -> bool {
        use FaultKind::{File, FileUnfit, NoMoment, NotToldHere, NotXml};
        matches!(self, File(_) | FileUnfit | NotXml(..) | NoMoment | NotToldHere)
    }

    /// The message, without the values.
    pub fn message(self) -> &'static str {
        match self {
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::ModuloDomain => {
                "`mod` needs a left side of at least 0 and a right side above 0"
            }
            FaultKind::RealOutOfRange => "the result is no real number that can be held",
            FaultKind::NegativeExponent => "negative exponent",
            FaultKind::OutsideDomain => "function applied outside its domain",
            FaultKind::NotFunctional => "relation applied where it gives more than one value",
            FaultKind::MaxOfEmpty => "max of the empty set",
            FaultKind::MinOfEmpty => "min of the empty set",
            FaultKind::InterOfEmpty => "intersection over the empty set",
            FaultKind::NoOptimum => "the best member of the empty set",
            FaultKind::InfiniteSet => "an infinite set where a finite one is needed",
            FaultKind::ConstantNotSolved => "a constant is asked for before it has a value",
            FaultKind::NotASequence => "not a sequence",
            FaultKind::NotATree => "not a tree",
            FaultKind::OutsideTree => "the tree has no such part",
            FaultKind::EmptySequence(UnaryOp::SeqFirst) => "`first` needs a non-empty sequence",
            FaultKind::EmptySequence(UnaryOp::SeqLast) => "`last` needs a non-empty sequence",
            FaultKind::EmptySequence(UnaryOp::Front) => "`front` needs a non-empty sequence",
            FaultKind::EmptySequence(_) => "`tail` needs a non-empty sequence",
            FaultKind::TakeOutOfRange => "index outside the sequence",
            FaultKind::NegativeIteration => "negative number of iterations",
            FaultKind::ReadBeforeWritten(Cell::Local(_)) => {
                "local variable read before it was written"
            }
            FaultKind::ReadBeforeWritten(Cell::Variable(_)) => {
                "variable read before it was written"
            }
            FaultKind::LeftUnwritten(_) => "variable left unwritten",
            FaultKind::AssignOutsideDomain => "assignment into a value outside the domain",
            FaultKind::Broken(..) => "a claim does not hold",
            FaultKind::PreconditionFailed | FaultKind::CalledOutside(_) => {
                "precondition does not hold"
            }
            FaultKind::AssertFailed => "ASSERT does not hold",
            FaultKind::LoopInvariantFailed => "loop invariant does not hold",
            FaultKind::VariantNotNatural => "loop variant is negative",
            FaultKind::VariantNotDecreasing => "loop variant does not decrease",
            FaultKind::RecursionTooDeep => "recursion without end, or of more than 50000 levels",
            FaultKind::External(asked) => asked,
            FaultKind::File(Denied::NotAllowed) => {
                "no file is read without leave (--allow-files: those below the folder of the machine)"
            }
            FaultKind::File(Denied::Elsewhere) => {
                "a file that does not lie below the folder of the machine is not read"
            }
            FaultKind::File(Denied::Unreadable) => "the file is not there, or cannot be read",
            FaultKind::FileUnfit => "what stands in the file does not fit",
            FaultKind::NotXml(..) => "what stands in the file is no well-formed XML",
            FaultKind::NoMoment => {
                "what this gives depends on the moment it is asked, and a search has no order of moments"
            }
            FaultKind::NotToldHere => {
                "what this gives depends on the search or on the program that runs it, and a formula does not see these"
            }
        }
    }
}

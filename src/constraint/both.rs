//! What is claimed where a formula is true, and where it is false.

use super::claim::{Claim, Poster};
use super::literal::Lit;

/// Of most formulas one claim says both. A formula that may be undefined, or unknown in part, has one for each side.
#[derive(Clone)]
pub enum Truth {
    /// True where the claim is, false where it is not.
    Exact(Claim),
    Apart {
        holds: Claim,
        fails: Claim,
    },
}

impl Truth {
    /// Nothing is known of it.
    pub const NEITHER: Truth = Truth::Apart { holds: Claim::FALSE, fails: Claim::FALSE };

    pub fn apart(holds: Claim, fails: Claim) -> Truth {
        match (&holds, &fails) {
            (Claim::Lit(yes), Claim::Lit(no)) if yes.negated() == *no => Truth::Exact(holds),
            _ => Truth::Apart { holds, fails },
        }
    }

    pub fn holds(self) -> Claim {
        match self {
            Truth::Exact(claim) => claim,
            Truth::Apart { holds, .. } => holds,
        }
    }

    pub fn fails(self) -> Claim {
        match self {
            Truth::Exact(claim) => claim.negated(),
            Truth::Apart { fails, .. } => fails,
        }
    }

    /// That it is not false.
    pub fn not_false(self) -> Claim {
        match self {
            Truth::Exact(claim) => claim,
            Truth::Apart { fails, .. } => fails.negated(),
        }
    }

    /// Whether it is known to be true, or to be false.
    pub fn is(&self, truth: bool) -> bool {
        matches!(self, Truth::Exact(Claim::Lit(lit)) if *lit == Lit::known(truth))
    }

    /// Whether it is true or false of whatever there may be.
    pub fn is_exact(&self) -> bool {
        matches!(self, Truth::Exact(_))
    }

    /// Whether nothing is known of it.
    pub fn is_neither(&self) -> bool {
        matches!(self, Truth::Apart { holds: Claim::FALSE, fails: Claim::FALSE })
    }

    pub fn negated(self) -> Truth {
        match self {
            Truth::Exact(claim) => Truth::Exact(claim.negated()),
            Truth::Apart { holds, fails } => Truth::Apart { holds: fails, fails: holds },
        }
    }

    /// Known only where the literal is true.
    pub fn where_defined(self, defined: Lit) -> Truth {
        if defined == Lit::Always {
            return self;
        }
        let guarded = |claim| Claim::and([Claim::Lit(defined), claim]);
        Truth::apart(guarded(self.clone().holds()), guarded(self.fails()))
    }

    /// True only where the formula is and all that there is was looked at; and likewise false.
    pub fn never_holds(self) -> Truth {
        Truth::apart(Claim::FALSE, self.fails())
    }

    pub fn never_fails(self) -> Truth {
        Truth::apart(self.holds(), Claim::FALSE)
    }

    pub fn and(parts: Vec<Truth>) -> Truth {
        if parts.iter().all(Truth::is_exact) {
            return Truth::Exact(Claim::and(parts.into_iter().map(Truth::holds)));
        }
        let holds = Claim::and(parts.iter().map(|part| part.clone().holds()));
        Truth::apart(holds, Claim::or(parts.into_iter().map(Truth::fails)))
    }

    /// True also where the condition is not.
    pub fn or_not(self, condition: Truth) -> Truth {
        if condition.is(true) { self } else { Truth::or(vec![condition.negated(), self]) }
    }

    pub fn or(parts: Vec<Truth>) -> Truth {
        if parts.iter().all(Truth::is_exact) {
            return Truth::Exact(Claim::or(parts.into_iter().map(Truth::holds)));
        }
        Truth::and(parts.into_iter().map(Truth::negated).collect()).negated()
    }

    /// Where it is true, and where it is false, as literals.
    pub fn lits(self, poster: &mut Poster) -> (Lit, Lit) {
        match self {
            Truth::Exact(claim) => {
                let lit = poster.lit(claim);
                (lit, lit.negated())
            }
            Truth::Apart { holds, fails } => (poster.lit(holds), poster.lit(fails)),
        }
    }
}

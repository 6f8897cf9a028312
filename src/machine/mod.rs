//! The typed machine: what every room to the right works on.
//!
//! [`types`] holds the types and the declarations, [`formula`] expressions and predicates,
//! [`substitution`] substitutions, [`make`] makes formulas of others, [`external`] the signatures of external functions, [`symbolic`] infinite
//! sets as values, [`notation`] how values are written, [`preferences`] the names of settings, `feasible` what says
//! whether an operation is enabled, [`opened`] what it chooses then, [`unwritten`] which locals may be read too early; [`footprint`], [`places`], [`parts`], [`rewrite`] and [`visit`]
//! walk the trees. Nothing here evaluates anything.

pub mod external;
mod feasible;
pub mod footprint;
pub mod formula;
pub mod make;
pub mod notation;
pub mod opened;
pub mod parts;
pub mod places;
pub mod preferences;
pub mod rewrite;
pub mod substitution;
pub mod symbolic;
pub mod types;
pub mod unwritten;
pub mod visit;

pub use feasible::Guard;
pub use formula::TreeOp;
pub use formula::{
    BasicSet, BinaryOp, Comparison, Expr, ExprKind, External, Fold, Pred, PredKind, UnaryOp,
};
pub use notation::{Named, Notation, Notations};
pub use places::{Effect, Key, Place, Places};
pub use substitution::{Access, Cell, Subst, SubstKind, Target};
pub use symbolic::{Kept, Symbolic, SymbolicSet};
pub use types::{
    Abbreviation, Asked, Asymmetric, CarrierSet, ClaimId, Conjunct, ConstId, Constructor, FreeId,
    Freetype, Global, Local, LocalId, Machine, OpId, Operation, Origin, Preference, Question,
    ScopeDefinition, SetId, SetKind, StandAlone, TopCondition, TopKind, Type, VarId,
};

//! What says more together than one by one, where something is counted or is different: it is found among what has
//! been claimed, and posted beside it. It relies on [`claim`](super::claim); what is said of counts, on
//! [`pictures`](super::pictures), too.
//!
//! | file | subject |
//! |---|---|
//! | `exclusive` | of what one is true at most |
//! | [`packing`], [`counts`] | counts of what excludes each other; what else counts say |
//! | [`cliques`] | what differs pair by pair |
//! | [`places`] | what needs a place each |
//! | [`covers`] | numbers that the same sums have to hit |

pub mod cliques;
pub mod counts;
pub mod covers;
pub(super) mod exclusive;
pub mod packing;
pub mod places;

//! Input that is wrong in every way.

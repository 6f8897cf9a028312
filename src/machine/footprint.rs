//! Footprints: which variables a formula reads and a substitution writes.

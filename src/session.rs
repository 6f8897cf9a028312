//! One machine under work: loading, reloading, checking in the background, stepping.

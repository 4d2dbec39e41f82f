//! Serves generated sites and writes them to disk.
fn main() {}

//! The library as its callers use it: laws, and the paper's worked examples.

mod apriori;
mod examples;
#[allow(dead_code, unreachable_pub)]
mod generate;
mod join;

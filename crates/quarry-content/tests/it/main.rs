//! One test binary for the crate.
#![allow(clippy::unwrap_used)]

mod decode;
mod fresh;
mod mime;

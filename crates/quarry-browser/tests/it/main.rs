//! Pages shown by a real Chromium, from answers that a test gives.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod documents;
mod faults;
mod site;
mod states;

//! Does the fetcher hold its promises against real sockets? Servers on loopback, scripted per test.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod codings;
mod conformance;
mod connections;
mod guard;
mod hostile;
mod hostile_http2;
mod proxies;
mod redirects;
mod server;
mod tls;

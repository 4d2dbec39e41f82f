//! Does the fetcher hold its promises against real sockets? Servers on loopback, scripted per test.

mod conformance;
mod server;

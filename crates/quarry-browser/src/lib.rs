//! Shows pages as their scripts leave them: Chromium, started without a network of its own.
//!
//! [`Chromium`] implements the `Renderer` port. Every request of a page is paused by the browser and answered by the caller's
//! `PartSource`; the browser cannot resolve a name or reach an address by itself.
//!
//! The way of a page: `launch` (the browser, found and started) → `pipe` (messages of the DevTools protocol) → `page` (one
//! page from its request to quiet) → `intercept` (its requests) → `steps` (what is done to its controls) → the document.

mod chromium;
mod graphql;
mod intercept;
mod launch;
mod page;
mod pipe;
mod steps;

pub use chromium::{BrowserSettings, Chromium};
pub use launch::{LaunchError, find_browser};

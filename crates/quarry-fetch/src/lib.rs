//! The HTTP client: the only client sockets of Quarry.
//!
//! [`HttpFetcher`] implements the `Fetcher` port over HTTP/1.1 and HTTP/2. What sets it apart from a
//! general client: it follows redirects by hand and keeps every hop; keeps bodies as they were sent
//! beside what they mean; holds every limit (time, bytes, header size) and keeps what came until
//! then; and never connects to an address inside the network it runs in, unless the user named the
//! host.
//!
//! ```no_run
//! use quarry_fetch::{FetchSettings, HttpFetcher};
//! use quarry_model::{Fetcher, Outcome, Request};
//!
//! # async fn example() -> Result<(), quarry_fetch::FetchError> {
//! let settings = FetchSettings { max_body_bytes: 1 << 20, ..FetchSettings::default() };
//! let fetcher = HttpFetcher::new(settings)?;
//! let stay = |url: &str| url.starts_with("https://example.com/");
//! let fetched = fetcher.fetch(&Request::get("https://example.com/"), &stay).await;
//! match fetched.outcome {
//!     Outcome::Response(exchange) => println!("{}", exchange.response.status),
//!     Outcome::Failed(failure) => println!("{failure}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The way of a request: `target` (what is asked) → `pool` (an idle connection?) → `connect`
//! (`resolve` and `guard`, `dial`, `proxy`, `tls`) → `wire` (send, head) → `body` (limits, decoding)
//! → `redirect` (the next hop).

mod body;
mod connect;
mod cookie_parse;
mod cookies;
mod dial;
mod failure;
mod fetcher;
mod fields;
mod guard;
mod pool;
mod proxy;
mod redirect;
mod resolve;
mod settings;
mod stream;
mod target;
mod tls;
mod wire;

pub use fetcher::HttpFetcher;
pub use guard::is_public;
pub use settings::{FetchError, FetchSettings};

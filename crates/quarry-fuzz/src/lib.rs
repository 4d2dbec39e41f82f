//! Does anything that comes from outside bring Quarry down, or make it say two different things?
//!
//! One function per reader of outside bytes. Each takes any bytes, must return soon, and panics
//! where a law is broken. They are called by libFuzzer (`fuzz/fuzz_targets/`, by `scripts/fuzz`) and
//! by the quick test (`tests/smoke.rs`), which needs nothing but a stable compiler.
//!
//! A target that needs more than one input takes it in lines, so that seeds can be written and
//! read by people: `charset` has the content type in its first line, `url` a base and a reference,
//! `robots` the product and the path, `content` the codings and the limit.

mod charset;
mod content;
mod html;
mod robots;
mod sitemap;
mod stages;
mod url;
mod warc;
mod xpath;

pub use charset::charset;
pub use content::content;
pub use html::html;
pub use robots::robots;
pub use sitemap::sitemap;
pub use stages::stages;
pub use url::url;
pub use warc::warc;
pub use xpath::xpath;

/// A function that takes any bytes.
pub type Target = fn(&[u8]);

/// Every target by its name, which is also that of its seeds' folder and of its dictionary.
pub const TARGETS: &[(&str, Target)] = &[
    ("charset", charset),
    ("content", content),
    ("html", html),
    ("robots", robots),
    ("sitemap", sitemap),
    ("stages", stages),
    ("url", url),
    ("warc", warc),
    ("xpath", xpath),
];

/// The first line, as text, and what follows it.
fn split_line(data: &[u8]) -> (String, &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let rest = data.get(end + 1..).unwrap_or_default();
    (String::from_utf8_lossy(&data[..end]).into_owned(), rest)
}

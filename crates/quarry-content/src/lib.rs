//! The meaning of a response body: content codings are undone under a byte limit, and the media type is
//! detected from the bytes.
//!
//! Both the fetcher (bytes from a socket, piece by piece) and the archive (bytes from a WARC
//! record, all at once) need the same answers, so they stand here once. So does the question how long an answer holds. Nothing here fails on
//! content: what cannot be decoded is kept as far as it could be, with a word on why.
//!
//! ```
//! use quarry_content::{Coding, Decoder, DecodeProgress, detect_mime};
//!
//! let codings = Coding::parse(["identity"]);
//! let mut decoder = Decoder::new(&codings, 16);
//! assert_eq!(decoder.push(b"<!doctype html>"), DecodeProgress::More);
//! assert_eq!(decoder.push(b"<title>too long"), DecodeProgress::Full);
//! let decoded = decoder.finish();
//! assert_eq!(decoded.bytes, b"<!doctype html><");
//! assert_eq!(detect_mime(&decoded.bytes, None), "text/html");
//! ```

mod coding;
mod decode;
mod fresh;
mod mime;
mod stage;

pub use coding::Coding;
pub use decode::{DecodeProgress, Decoded, Decoder, decode, decode_body};
pub use fresh::fresh_until;
pub use mime::detect_mime;

//! Maps hyper's errors to the failures of the `Fetcher` port.

use std::error::Error;
use std::io;

use quarry_model::Failure;

/// What an error before the end of the response head means.
pub(crate) fn before_head(error: &hyper::Error, max_header_bytes: usize) -> Failure {
    if error.is_parse() {
        // hyper tells its clients this case by its words only.
        let detail = match words(error) {
            text if text.contains("too large") => {
                format!(
                    "the header is larger than {max_header_bytes} bytes, or has too many fields"
                )
            }
            text => text,
        };
        return Failure::Protocol { detail };
    }
    if let Some(io) = find::<io::Error>(error)
        && io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some()
    {
        return Failure::Tls { detail: io.to_string() };
    }
    let broke_off = error.is_incomplete_message()
        || error.is_canceled()
        || error.is_closed()
        || find::<h2::Error>(error).is_some_and(h2::Error::is_remote)
        || find::<io::Error>(error).is_some();
    match broke_off {
        true => Failure::Reset { detail: words(error) },
        false => Failure::Protocol { detail: words(error) },
    }
}

/// The error with its causes, each once.
fn words(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

fn find<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

//! Reads a body, as sent and decoded, each under the byte limit and all of it under the time limits;
//! what came before a limit is kept.
//!
//! The archive gets the bytes as sent up to and including the piece in which a limit was reached,
//! so that decoding them again under the same limit gives the same content.

use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::Incoming;
use quarry_content::{Coding, DecodeProgress, Decoder};
use quarry_model::{Headers, Truncation};
use tokio::time::{Instant, timeout_at};

/// The limits on a body, from the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyLimits {
    pub(crate) bytes: usize,
    pub(crate) time: Duration,
    pub(crate) stall: Duration,
}

/// A body, as far as it came.
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) decoded: Option<Vec<u8>>,
    pub(crate) truncated: Option<Truncation>,
    /// Whether the connection is at the end of the message and can carry another.
    pub(crate) whole: bool,
}

pub(crate) async fn collect(mut body: Incoming, headers: &Headers, limits: BodyLimits) -> Body {
    let mut sink = Sink::new(headers, limits.bytes);
    let deadline = Instant::now() + limits.time;
    let mut whole = false;
    let cut = loop {
        // The time is asked only when there is something to wait for.
        let frame = timeout_at(deadline, with_stall(&mut body, limits.stall)).await;
        match frame {
            Err(_) | Ok(Next::Stalled) => break Some(Truncation::Time),
            Ok(Next::BrokeOff) => break Some(Truncation::Disconnect),
            Ok(Next::End) => {
                whole = true;
                break None;
            }
            Ok(Next::Data(data)) => {
                if let Some(cut) = sink.push(&data) {
                    break Some(cut);
                }
            }
            Ok(Next::Trailers) => {}
        }
    };
    let (bytes, decoded, odd) = sink.finish();
    Body { bytes, decoded, truncated: cut.or(odd), whole }
}

enum Next {
    Data(bytes::Bytes),
    Trailers,
    End,
    BrokeOff,
    Stalled,
}

async fn with_stall(body: &mut Incoming, stall: Duration) -> Next {
    match tokio::time::timeout(stall, body.frame()).await {
        Err(_) => Next::Stalled,
        Ok(None) => Next::End,
        Ok(Some(Err(_))) => Next::BrokeOff,
        Ok(Some(Ok(frame))) => frame.into_data().map_or(Next::Trailers, Next::Data),
    }
}

struct Sink {
    bytes: Vec<u8>,
    limit: usize,
    decoder: Option<Decoder>,
}

impl Sink {
    fn new(headers: &Headers, limit: usize) -> Self {
        let codings = Coding::of(headers);
        let decoder = (!codings.is_empty()).then(|| Decoder::new(&codings, limit));
        // What the server says is a hint, not a promise.
        let length: Option<usize> = headers.get("content-length").and_then(|v| v.parse().ok());
        let room = length.unwrap_or(0).min(limit).min(256 * 1024);
        Self { bytes: Vec::with_capacity(room), limit, decoder }
    }

    /// Takes a piece; says why no more is wanted, when that is so.
    fn push(&mut self, data: &[u8]) -> Option<Truncation> {
        let room = self.limit - self.bytes.len();
        let taken = &data[..data.len().min(room)];
        self.bytes.extend_from_slice(taken);
        // After an error in the coding the rest is kept as sent, for whoever can read it.
        let full = self.decoder.as_mut().is_some_and(|d| d.push(taken) == DecodeProgress::Full);
        (full || taken.len() < data.len()).then_some(Truncation::Length)
    }

    fn finish(self) -> (Vec<u8>, Option<Vec<u8>>, Option<Truncation>) {
        match self.decoder {
            Some(decoder) if !self.bytes.is_empty() => {
                let decoded = decoder.finish();
                (self.bytes, Some(decoded.bytes), decoded.truncated)
            }
            _ => (self.bytes, None, None),
        }
    }
}

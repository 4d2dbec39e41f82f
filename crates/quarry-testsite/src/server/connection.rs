//! Serves a connection: reads requests with their bodies and answers them one after another.

use std::sync::Arc;

use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

use super::wire::{self, After};
use super::{LogLine, Shared, socks};
use crate::site::SiteRequest;

/// Longest head and longest body of a request.
const HEAD: usize = 64 * 1024;
const BODY: usize = 1024 * 1024;

/// A request as it came.
struct Incoming {
    request: SiteRequest,
    agent: String,
    close: bool,
}

/// Serves one connection until either side has had enough.
pub(crate) async fn converse(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut buffer = Vec::with_capacity(4096);
    if shared.has_hosts() && !socks::greet(&mut stream).await {
        return;
    }
    while let Some(incoming) = read(&mut stream, &mut buffer).await {
        let close = incoming.close;
        let (request, response) = shared.answer(incoming.request);
        shared.write(LogLine {
            method: request.method.clone(),
            target: match shared.has_hosts() {
                true => format!("http://{}{}", request.host, request.target),
                false => request.target.clone(),
            },
            status: wire::status(&response),
            bytes: response.body.len(),
            agent: incoming.agent,
            body: request.body.clone(),
            violation: response.violation,
            at: LogLine::now(),
        });
        let head_only = request.method == "HEAD";
        match wire::send(&mut stream, response, head_only, close).await {
            Ok(After::KeepAlive) if !close => {}
            Ok(After::Reset) => {
                let _ = stream.set_zero_linger();
                return;
            }
            _ => return,
        }
    }
}

/// The next request; `None` when there is none or it cannot be read.
async fn read(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Incoming> {
    let (mut incoming, head_length, body_length) = loop {
        if let Some(parsed) = parse(buffer)? {
            break parsed;
        }
        if buffer.len() > HEAD || stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    if body_length > BODY {
        return None;
    }
    let whole = head_length + body_length;
    while buffer.len() < whole {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    incoming.request.body = String::from_utf8_lossy(&buffer[head_length..whole]).into_owned();
    buffer.drain(..whole);
    Some(incoming)
}

/// The head in the buffer, with its length and that of the body: `Some(None)` when it is not whole
/// yet, `None` when it is not HTTP.
#[allow(clippy::option_option, reason = "read, not yet, never: three outcomes of one small parser")]
fn parse(buffer: &[u8]) -> Option<Option<(Incoming, usize, usize)>> {
    let mut fields = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Request::new(&mut fields);
    let length = match head.parse(buffer).ok()? {
        httparse::Status::Complete(length) => length,
        httparse::Status::Partial => return Some(None),
    };
    let target = head.path.unwrap_or("/");
    // A proxy-style request line names the whole address.
    let target = match target.strip_prefix("http://") {
        Some(rest) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => target,
    };
    let mut incoming = Incoming {
        request: SiteRequest {
            method: head.method.unwrap_or("GET").to_owned(),
            target: target.to_owned(),
            ..SiteRequest::default()
        },
        agent: String::new(),
        close: head.version == Some(0),
    };
    let mut body = 0;
    for field in head.headers.iter() {
        let value = String::from_utf8_lossy(field.value).into_owned();
        let request = &mut incoming.request;
        match field.name.to_ascii_lowercase().as_str() {
            "host" => request.host = value,
            "cookie" => request.cookie = Some(value),
            "accept-encoding" => request.gzip = value.contains("gzip"),
            "if-none-match" => request.if_none_match = Some(value),
            "if-modified-since" => request.if_modified_since = Some(value),
            "user-agent" => incoming.agent = value,
            "content-length" => body = value.trim().parse().ok()?,
            "connection" => incoming.close |= value.eq_ignore_ascii_case("close"),
            _ => {}
        }
    }
    Some(Some((incoming, length, body)))
}

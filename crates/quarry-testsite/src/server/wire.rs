//! Writes answers to the socket, with the faults that were ordered.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::faults::Fault;
use crate::site::SiteResponse;

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    KeepAlive,
    Close,
    Reset,
}

/// The status that the log shows: 0 when no head is sent.
pub(crate) fn status(response: &SiteResponse) -> u16 {
    match response.fault {
        Some(Fault::ResetBeforeHead | Fault::Stall | Fault::Garbage) => 0,
        _ => response.status,
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Other",
    }
}

/// The head up to the field that frames the body.
fn head(response: &SiteResponse, close: bool) -> String {
    let status = response.status;
    let mut head = String::with_capacity(256);
    let _ = write!(head, "HTTP/1.1 {status} {}\r\nServer: testsite\r\n", reason(status));
    for (name, value) in &response.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if close {
        head.push_str("Connection: close\r\n");
    }
    head
}

/// Sends an answer.
pub(crate) async fn send(
    stream: &mut TcpStream,
    mut response: SiteResponse,
    head_only: bool,
    close: bool,
) -> io::Result<After> {
    let fault = response.fault.take();
    match &fault {
        Some(Fault::Latency { ms }) => sleep(Duration::from_millis(*ms)).await,
        Some(fault) => return misbehave(stream, &response, fault).await,
        None => {}
    }
    let mut bytes = head(&response, close);
    if response.status != 304 {
        let _ = write!(bytes, "Content-Length: {}\r\n", response.body.len());
    }
    bytes.push_str("\r\n");
    let mut bytes = bytes.into_bytes();
    if !head_only {
        bytes.extend_from_slice(&response.body);
    }
    stream.write_all(&bytes).await?;
    Ok(if close { After::Close } else { After::KeepAlive })
}

async fn misbehave(
    stream: &mut TcpStream,
    response: &SiteResponse,
    fault: &Fault,
) -> io::Result<After> {
    let body = &response.body;
    let framed =
        |length: usize| format!("{}Content-Length: {length}\r\n\r\n", head(response, true));
    match fault {
        Fault::Stall => {
            // Until the client goes away, or the server is stopped.
            let mut one = [0u8; 1];
            let _ = tokio::io::AsyncReadExt::read(stream, &mut one).await;
            Ok(After::Close)
        }
        Fault::ResetBeforeHead => Ok(After::Reset),
        Fault::ResetMidBody => {
            stream.write_all(framed(body.len()).as_bytes()).await?;
            stream.write_all(&body[..body.len() / 2]).await?;
            stream.flush().await?;
            // The client must have the first half before the reset throws away what is unread.
            sleep(Duration::from_millis(20)).await;
            Ok(After::Reset)
        }
        Fault::EndlessBody => {
            stream.write_all(format!("{}\r\n", head(response, true)).as_bytes()).await?;
            stream.write_all(body).await?;
            let filler = "<p>And so it goes on, and on, and on.</p>\n".repeat(200);
            loop {
                stream.write_all(filler.as_bytes()).await?;
            }
        }
        Fault::SlowDrip { ms } => {
            stream.write_all(framed(body.len()).as_bytes()).await?;
            for piece in body.chunks(64) {
                stream.write_all(piece).await?;
                sleep(Duration::from_millis(*ms)).await;
            }
            Ok(After::Close)
        }
        Fault::GzipBomb { mib } => {
            let bomb = bomb(body, *mib)?;
            let head = format!(
                "{}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
                head(response, true),
                bomb.len()
            );
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(&bomb).await?;
            Ok(After::Close)
        }
        Fault::LengthTooLong => {
            stream.write_all(framed(body.len() + 1000).as_bytes()).await?;
            stream.write_all(body).await?;
            Ok(After::Close)
        }
        Fault::LengthTooShort => {
            stream.write_all(framed(body.len() / 2).as_bytes()).await?;
            stream.write_all(body).await?;
            Ok(After::Close)
        }
        Fault::Garbage => {
            stream.write_all(b"\x16\x03\x01 this is not HTTP \xff\xfe\r\n\r\n").await?;
            Ok(After::Close)
        }
        Fault::BrokenChunks => {
            let head = format!("{}Transfer-Encoding: chunked\r\n\r\n", head(response, true));
            stream.write_all(head.as_bytes()).await?;
            let half = &body[..body.len() / 2];
            stream.write_all(format!("{:x}\r\n", half.len()).as_bytes()).await?;
            stream.write_all(half).await?;
            stream.write_all(b"\r\nnot-a-length\r\n").await?;
            Ok(After::Close)
        }
        // Everything else has been done to the content already.
        _ => {
            stream.write_all(framed(body.len()).as_bytes()).await?;
            stream.write_all(body).await?;
            Ok(After::Close)
        }
    }
}

/// A page followed by so many mebibytes of blanks, compressed.
fn bomb(page: &[u8], mib: u32) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(9));
    encoder.write_all(page)?;
    let blanks = vec![b' '; 1024 * 1024];
    for _ in 0..mib {
        encoder.write_all(&blanks)?;
    }
    encoder.finish()
}

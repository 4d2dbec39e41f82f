//! Answers as a SOCKS 5 proxy (RFC 1928) whose every host is this server: clients reach generated hosts by name.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const VERSION: u8 = 5;
const SUCCEEDED: u8 = 0;
const REFUSED: u8 = 5;
const BY_NAME: u8 = 3;
/// Generated hosts speak plain HTTP.
const HTTP: u16 = 80;

/// Shakes hands if the client speaks SOCKS; true where HTTP may follow.
pub(crate) async fn greet(stream: &mut TcpStream) -> bool {
    let mut first = [0u8; 1];
    match stream.peek(&mut first).await {
        Ok(1) if first[0] == VERSION => {}
        Ok(count) => return count == 1,
        Err(_) => return false,
    }
    shake_hands(stream).await.unwrap_or(false)
}

async fn shake_hands(stream: &mut TcpStream) -> std::io::Result<bool> {
    let mut head = [0u8; 2];
    stream.read_exact(&mut head).await?;
    let mut methods = vec![0u8; usize::from(head[1])];
    stream.read_exact(&mut methods).await?;
    stream.write_all(&[VERSION, 0]).await?;
    let mut request = [0u8; 4];
    stream.read_exact(&mut request).await?;
    let length = match request[3] {
        BY_NAME => usize::from(stream.read_u8().await?),
        1 => 4,
        _ => 16,
    };
    let mut host = vec![0u8; length];
    stream.read_exact(&mut host).await?;
    let port = stream.read_u16().await?;
    let allowed = request[3] == BY_NAME && port == HTTP;
    let answer = if allowed { SUCCEEDED } else { REFUSED };
    stream.write_all(&[VERSION, answer, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    Ok(allowed)
}

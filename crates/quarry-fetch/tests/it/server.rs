//! Servers for the tests: each connection is given to a script.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use quarry_fetch::{FetchSettings, HttpFetcher};
use quarry_model::{Exchange, Failure, Fetched, Fetcher, Outcome, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server on loopback; it ends with the test's runtime.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Runs `script` for every connection.
    pub(crate) async fn start<F, S>(script: S) -> Self
    where
        S: Fn(TcpStream) -> F + Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(script(stream));
            }
        });
        Self { address, connections }
    }

    /// Answers every request with what `answer` makes of it, over connections kept open.
    pub(crate) async fn answering<A, B>(answer: A) -> Self
    where
        A: Fn(&Received) -> B + Clone + Send + Sync + 'static,
        B: Into<Vec<u8>> + Send,
    {
        Self::start(move |mut stream| {
            let answer = answer.clone();
            async move {
                while let Some(received) = read_request(&mut stream).await {
                    let bytes: Vec<u8> = answer(&received).into();
                    if stream.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
            }
        })
        .await
    }

    /// Answers the first request of every connection with `bytes`, then closes.
    pub(crate) async fn once(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes: Arc<Vec<u8>> = Arc::new(bytes.into());
        Self::start(move |mut stream| {
            let bytes = Arc::clone(&bytes);
            async move {
                read_request(&mut stream).await;
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
            }
        })
        .await
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// How many connections have been made.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// A request as a server sees it.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) method: String,
    pub(crate) path: String,
    /// The header fields as one text.
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Reads one request; `None` at the end of the connection.
pub(crate) async fn read_request<S: AsyncReadExt + Unpin>(stream: &mut S) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let length = head
        .lines()
        .find_map(|l| l.strip_prefix("Content-Length: ").or(l.strip_prefix("content-length: ")))
        .map_or(0, |v| v.parse().unwrap());
    while bytes.len() < end + 4 + length {
        stream.read_buf(&mut bytes).await.ok()?;
    }
    let body = String::from_utf8(bytes[end + 4..].to_vec()).unwrap();
    let mut words = head.lines().next().unwrap().split(' ');
    let (method, path) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    Some(Received { method, path, head, body })
}

/// An answer with `Content-Length`.
pub(crate) fn reply(status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes =
        format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

pub(crate) fn ok(body: &str) -> Vec<u8> {
    reply("200 OK", "Content-Type: text/html\r\n", body.as_bytes())
}

/// Settings under which loopback addresses may be asked.
pub(crate) fn local() -> FetchSettings {
    FetchSettings {
        allowed_private_hosts: ["127.0.0.1".to_owned()].into(),
        ..FetchSettings::default()
    }
}

pub(crate) fn fetcher(settings: FetchSettings) -> HttpFetcher {
    HttpFetcher::new(settings).unwrap()
}

/// Fetches, following everything.
pub(crate) async fn fetch(fetcher: &HttpFetcher, request: &Request) -> Fetched {
    fetcher.fetch(request, &|_| true).await
}

/// The response that a GET ends with.
pub(crate) async fn get(fetcher: &HttpFetcher, url: &str) -> Exchange {
    match fetch(fetcher, &Request::get(url)).await.outcome {
        Outcome::Response(exchange) => *exchange,
        Outcome::Failed(failure) => panic!("{url} failed: {failure:?}"),
    }
}

/// The failure that a GET ends with.
pub(crate) async fn failure(fetcher: &HttpFetcher, url: &str) -> Failure {
    match fetch(fetcher, &Request::get(url)).await.outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Response(exchange) => panic!("{url} answered: {:?}", exchange.response),
    }
}

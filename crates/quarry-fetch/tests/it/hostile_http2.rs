//! What does each way of answering badly over HTTP/2 turn into?

use std::time::Duration;

use bytes::Bytes;
use h2::Reason;
use h2::server::SendResponse;
use quarry_fetch::FetchSettings;
use quarry_model::{Failure, Phase, Truncation};
use tokio::net::TcpStream;

use crate::server::{Server, failure, fetcher, get};
use crate::tls::{acceptor, trusting};

/// Gives every request on every connection to `script`.
async fn server<F>(
    script: impl Fn(SendResponse<Bytes>) -> F + Clone + Send + Sync + 'static,
) -> Server
where
    F: Future<Output = ()> + Send + 'static,
{
    let acceptor = acceptor(&["h2"]);
    Server::start(move |stream: TcpStream| {
        let (acceptor, script) = (acceptor.clone(), script.clone());
        async move {
            let stream = acceptor.accept(stream).await.unwrap();
            let mut connection = h2::server::handshake(stream).await.unwrap();
            while let Some(Ok((_, respond))) = connection.accept().await {
                tokio::spawn(script(respond));
            }
        }
    })
    .await
}

fn https(server: &Server) -> String {
    format!("https://{}/", server.address)
}

fn head() -> http::Response<()> {
    http::Response::new(())
}

#[tokio::test]
async fn a_stream_that_is_reset_before_the_head_is_a_reset() {
    for reason in [Reason::INTERNAL_ERROR, Reason::REFUSED_STREAM, Reason::CANCEL] {
        let server = server(move |mut respond| async move { respond.send_reset(reason) }).await;
        let failure = failure(&fetcher(trusting()), &https(&server)).await;
        assert!(matches!(failure, Failure::Reset { .. }), "{reason:?}: {failure:?}");
    }
}

#[tokio::test]
async fn a_stream_that_is_reset_in_the_body_keeps_what_came() {
    let server = server(|mut respond| async move {
        let mut body = respond.send_response(head(), false).unwrap();
        // Twice the client's window: room for the second half means that it has taken of the first.
        let mut sent = 0;
        while sent < 2 << 20 {
            body.reserve_capacity(16_384);
            let room = std::future::poll_fn(|cx| body.poll_capacity(cx)).await.unwrap().unwrap();
            body.send_data(Bytes::from(vec![b'x'; room]), false).unwrap();
            sent += room;
        }
        body.send_reset(Reason::INTERNAL_ERROR);
    })
    .await;
    let response = get(&fetcher(trusting()), &https(&server)).await.response;
    assert_eq!(response.truncated, Some(Truncation::Disconnect));
    assert!(response.body.len() > 16_384, "{}", response.body.len());
}

#[tokio::test]
async fn an_endless_body_ends_at_the_limit() {
    let server = server(|mut respond| async move {
        let mut body = respond.send_response(head(), false).unwrap();
        loop {
            body.reserve_capacity(16_384);
            let Some(Ok(room)) = std::future::poll_fn(|cx| body.poll_capacity(cx)).await else {
                return;
            };
            if body.send_data(Bytes::from(vec![b'x'; room]), false).is_err() {
                return;
            }
        }
    })
    .await;
    let fetcher = fetcher(FetchSettings { max_body_bytes: 3 << 20, ..trusting() });
    for _ in 0..3 {
        let response = get(&fetcher, &https(&server)).await.response;
        assert_eq!((response.body.len(), response.truncated), (3 << 20, Some(Truncation::Length)));
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn too_large_a_head_is_refused() {
    let server = server(|mut respond| async move {
        let mut head = head();
        for i in 0..100 {
            let name: http::HeaderName = format!("x-{i}").try_into().unwrap();
            head.headers_mut().insert(name, "y".repeat(4096).try_into().unwrap());
        }
        let _ = respond.send_response(head, true);
    })
    .await;
    let failure = failure(&fetcher(trusting()), &https(&server)).await;
    assert!(matches!(failure, Failure::Protocol { .. } | Failure::Reset { .. }), "{failure:?}");
}

#[tokio::test]
async fn a_silent_stream_runs_into_the_time_limit() {
    let server = server(|respond| async move {
        std::future::pending::<()>().await;
        drop(respond);
    })
    .await;
    let first_byte_timeout = Duration::from_millis(150);
    let fetcher = fetcher(FetchSettings { first_byte_timeout, ..trusting() });
    let expect = Failure::Timeout { phase: Phase::FirstByte };
    assert_eq!(failure(&fetcher, &https(&server)).await, expect);
    // The connection is not trusted with the next request.
    assert_eq!(failure(&fetcher, &https(&server)).await, expect);
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn bytes_that_are_not_http2_are_a_failure() {
    let acceptor = acceptor(&["h2"]);
    let server = Server::start(move |stream: TcpStream| {
        let acceptor = acceptor.clone();
        async move {
            use tokio::io::AsyncWriteExt;
            let mut stream = acceptor.accept(stream).await.unwrap();
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await;
            let _ = stream.flush().await;
            std::future::pending::<()>().await;
        }
    })
    .await;
    let failure = failure(&fetcher(trusting()), &https(&server)).await;
    assert!(matches!(failure, Failure::Protocol { .. }), "{failure:?}");
}

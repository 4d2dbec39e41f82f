//! What does each way of answering badly turn into?

use std::time::Duration;

use quarry_fetch::FetchSettings;
use quarry_model::{Failure, Outcome, Phase, Request, Truncation};
use tokio::io::AsyncWriteExt;

use crate::server::{Server, failure, fetch, fetcher, get, local, ok, read_request, reply};

/// Short enough for a test, long enough for a busy machine where nothing is to be waited for.
const SHORT: Duration = Duration::from_millis(150);

async fn failure_of(answer: &[u8]) -> Failure {
    let server = Server::once(answer).await;
    failure(&fetcher(local()), &server.url("/")).await
}

#[tokio::test]
async fn what_is_not_http_is_a_protocol_failure() {
    for answer in [
        b"\0\x01\x02\xff garbage\r\n\r\n".as_slice(),
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"<html>no head at all</html>\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    ] {
        let failure = failure_of(answer).await;
        let text = String::from_utf8_lossy(answer);
        assert!(matches!(failure, Failure::Protocol { .. }), "{text}: {failure:?}");
    }
}

#[tokio::test]
async fn a_server_that_breaks_off_before_the_head_is_a_reset() {
    for answer in ["", "H", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 100 Continue\r\n\r\n"] {
        let failure = failure_of(answer.as_bytes()).await;
        assert!(matches!(failure, Failure::Reset { .. }), "{answer}: {failure:?}");
    }
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        stream.set_zero_linger().unwrap();
    })
    .await;
    let failure = failure(&fetcher(local()), &server.url("/")).await;
    assert!(matches!(failure, Failure::Reset { .. }), "{failure:?}");
}

#[tokio::test]
async fn nobody_listening_is_a_connect_failure() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let failure = failure(&fetcher(local()), &format!("http://{closed}/")).await;
    assert!(matches!(failure, Failure::Connect { .. }), "{failure:?}");
}

#[tokio::test]
async fn a_name_without_address_is_a_dns_failure() {
    // A label of more than 63 bytes: the resolver says no without asking anybody.
    let url = format!("http://{}.test/", "a".repeat(64));
    let failure = failure(&fetcher(local()), &url).await;
    assert!(matches!(failure, Failure::Dns { .. }), "{failure:?}");
}

#[tokio::test]
async fn odd_but_readable_answers_are_read() {
    async fn check(answer: &str, status: u16, body: &str, truncated: Option<Truncation>) {
        let server = Server::once(answer).await;
        let response = get(&fetcher(local()), &server.url("/")).await.response;
        let text = String::from_utf8_lossy(&response.body);
        assert_eq!((response.status, &*text), (status, body), "{answer}");
        assert_eq!(response.truncated, truncated, "{answer}");
    }
    const CUT: Option<Truncation> = Some(Truncation::Disconnect);
    // Where a body ends.
    check("HTTP/1.0 200 OK\r\n\r\nto the end", 200, "to the end", None).await;
    check("HTTP/1.1 200 OK\r\n\r\nto the end", 200, "to the end", None).await;
    check("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmore than that", 200, "more", None).await;
    check("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nless", 200, "less", CUT).await;
    check("HTTP/1.1 204 No Content\r\n\r\nbody", 204, "", None).await;
    check("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, "", None).await;
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    check(&format!("{chunked}3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"), 200, "abcde", None).await;
    check(&format!("{chunked}3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n"), 200, "abc", None).await;
    check(&format!("{chunked}3\r\nabc\r\n"), 200, "abc", CUT).await;
    check(&format!("{chunked}3\r\nabc\r\nzz\r\nde"), 200, "abc", CUT).await;
    check(&format!("{chunked}ffffffffffffffffffff\r\nabc"), 200, "", CUT).await;
    // Before the head that counts.
    check(
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
         HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        200,
        "ok",
        None,
    )
    .await;
    // Lines that the standard does not have.
    check("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", 200, "ok", None).await;
    check("HTTP/1.1 999 Request denied\r\nContent-Length: 2\r\n\r\nno", 999, "no", None).await;
    check("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, "ok", None).await;
    check(
        "HTTP/1.1 200 OK\r\nX-Folded: a\r\n  b\r\nContent-Length : 2\r\nno colon here\r\n\r\nok",
        200,
        "ok",
        None,
    )
    .await;
}

#[tokio::test]
async fn transfer_encoding_is_gone_and_latin_1_is_read() {
    let server = Server::once(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Latin: caf\xe9\r\nX-Utf: \xc3\xa9\r\n\
          \r\n1\r\na\r\n0\r\n\r\n",
    )
    .await;
    let response = get(&fetcher(local()), &server.url("/")).await.response;
    assert_eq!(response.headers.get("transfer-encoding"), None);
    assert_eq!(response.headers.get("x-latin"), Some("café"));
    assert_eq!(response.headers.get("x-utf"), Some("é"));
    assert_eq!(response.version, "HTTP/1.1");
}

#[tokio::test]
async fn a_reset_in_the_body_keeps_what_came() {
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfirst part";
        stream.write_all(head).await.unwrap();
        stream.set_zero_linger().unwrap();
    })
    .await;
    // Whether the system hands over what came before the reset is its own choice.
    let fetched = fetch(&fetcher(local()), &Request::get(server.url("/"))).await;
    match fetched.outcome {
        Outcome::Response(exchange) => {
            assert!(b"first part".starts_with(&exchange.response.body));
            assert_eq!(exchange.response.truncated, Some(Truncation::Disconnect));
        }
        Outcome::Failed(failure) => assert!(matches!(failure, Failure::Reset { .. })),
    }
}

fn short_body() -> FetchSettings {
    FetchSettings { body_timeout: SHORT, ..local() }
}

#[tokio::test]
async fn an_endless_header_ends_at_the_limit() {
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX: ").await;
        while stream.write_all(&[b'a'; 4096]).await.is_ok() {}
    })
    .await;
    let failure = failure(&fetcher(local()), &server.url("/")).await;
    assert!(
        matches!(&failure, Failure::Protocol { detail } if detail.contains("65536")),
        "{failure:?}"
    );
}

#[tokio::test]
async fn endless_header_fields_end_at_the_limit() {
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
        while stream.write_all(b"X-Field: some value or other\r\n").await.is_ok() {}
    })
    .await;
    let failure = failure(&fetcher(local()), &server.url("/")).await;
    assert!(matches!(failure, Failure::Protocol { .. }), "{failure:?}");

    let fields: String = (0..200).map(|i| format!("Set-Cookie: c{i}=1\r\n")).collect();
    let server = Server::once(reply("200 OK", &fields, b"many cookies")).await;
    let response = get(&fetcher(local()), &server.url("/")).await.response;
    assert_eq!(response.headers.all("set-cookie").count(), 200);
}

#[tokio::test]
async fn an_endless_body_ends_at_the_limit() {
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        while stream.write_all(&[b'a'; 4096]).await.is_ok() {}
    })
    .await;
    let settings = FetchSettings { max_body_bytes: 100_000, ..local() };
    let response = get(&fetcher(settings), &server.url("/")).await.response;
    assert_eq!(response.body.len(), 100_000);
    assert_eq!(response.truncated, Some(Truncation::Length));
}

#[tokio::test]
async fn a_body_of_just_the_limit_is_whole() {
    let server = Server::answering(|_: &_| ok("12345")).await;
    for (limit, truncated) in [(6, None), (5, None), (4, Some(Truncation::Length))] {
        let settings = FetchSettings { max_body_bytes: limit, ..local() };
        let response = get(&fetcher(settings), &server.url("/")).await.response;
        assert_eq!((response.body.len(), response.truncated), (limit.min(5), truncated));
    }
}

#[tokio::test]
async fn a_dripping_body_ends_at_the_time_limit() {
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n").await;
        while stream.write_all(b".").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let response = get(&fetcher(short_body()), &server.url("/")).await.response;
    assert_eq!(response.truncated, Some(Truncation::Time));
    assert!(!response.body.is_empty() && response.body.len() < 1_000);
}

#[tokio::test]
async fn a_stalled_body_ends_before_the_whole_time_is_up() {
    let server = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart").await;
        std::future::pending::<()>().await;
    })
    .await;
    let settings = FetchSettings { stall_timeout: SHORT, ..local() };
    let response = get(&fetcher(settings), &server.url("/")).await.response;
    assert_eq!(
        (response.body.as_slice(), response.truncated),
        (&b"part"[..], Some(Truncation::Time))
    );
}

#[tokio::test]
async fn a_silent_server_and_endless_interim_responses_run_into_the_time_limit() {
    let settings = FetchSettings { first_byte_timeout: SHORT, ..local() };
    let fetcher = fetcher(settings);
    let silent = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        std::future::pending::<()>().await;
    })
    .await;
    let interim = Server::start(|mut stream| async move {
        read_request(&mut stream).await;
        while stream.write_all(b"HTTP/1.1 102 Processing\r\n\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    for server in [silent, interim] {
        let failure = failure(&fetcher, &server.url("/")).await;
        assert_eq!(failure, Failure::Timeout { phase: Phase::FirstByte });
    }
}

#[tokio::test]
async fn a_silent_tls_server_runs_into_the_connect_limit() {
    let server = Server::start(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
    })
    .await;
    let settings = FetchSettings {
        connect_timeout: SHORT,
        extra_roots: crate::tls::authority().pem.into_bytes(),
        ..local()
    };
    let url = server.url("/").replace("http:", "https:");
    let failure = failure(&fetcher(settings), &url).await;
    assert_eq!(failure, Failure::Timeout { phase: Phase::Connect });
}

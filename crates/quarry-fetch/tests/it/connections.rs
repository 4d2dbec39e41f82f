//! Are connections used again, and only when that is safe?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use quarry_fetch::FetchSettings;
use quarry_model::{Failure, Fetcher, Outcome, Request};
use tokio::io::AsyncWriteExt;
use tokio::sync::Notify;

use crate::server::{Server, failure, fetch, fetcher, get, local, ok, read_request, reply};

#[tokio::test]
async fn a_connection_carries_many_requests() {
    let server = Server::answering(|_: &_| ok("hello")).await;
    let fetcher = fetcher(local());
    for i in 0..50 {
        let exchange = get(&fetcher, &server.url(&format!("/{i}"))).await;
        assert_eq!(exchange.response.body, b"hello");
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn as_many_connections_as_requests_under_way() {
    let server = Server::answering(|_: &_| ok("hello")).await;
    let fetcher = Arc::new(fetcher(local()));
    for _ in 0..5 {
        let mut tasks = tokio::task::JoinSet::new();
        for i in 0..8 {
            let (fetcher, url) = (Arc::clone(&fetcher), server.url(&format!("/{i}")));
            tasks.spawn(async move { get(&fetcher, &url).await.response.status });
        }
        assert_eq!(tasks.join_all().await, [200; 8]);
    }
    assert!(server.connections() <= 8, "{}", server.connections());
}

#[tokio::test]
async fn close_means_close() {
    let fields = "Connection: close\r\n";
    let server = Server::answering(move |_: &_| reply("200 OK", fields, b"bye")).await;
    let fetcher = fetcher(local());
    for _ in 0..3 {
        get(&fetcher, &server.url("/")).await;
    }
    assert_eq!(server.connections(), 3);
    // Idle connections can be ruled out altogether.
    let server = Server::answering(|_: &_| ok("hello")).await;
    let fetcher = crate::server::fetcher(FetchSettings { max_idle: 0, ..local() });
    for _ in 0..3 {
        get(&fetcher, &server.url("/")).await;
    }
    assert_eq!(server.connections(), 3);
}

/// Answers one request; goes away when the second has come.
async fn leaves_at_the_second_request() -> (Server, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    let server = Server::start(move |mut stream| {
        let count = Arc::clone(&count);
        async move {
            read_request(&mut stream).await;
            count.fetch_add(1, Ordering::SeqCst);
            let _ = stream.write_all(&ok("hello")).await;
            if read_request(&mut stream).await.is_some() {
                count.fetch_add(1, Ordering::SeqCst);
            }
        }
    })
    .await;
    (server, requests)
}

#[tokio::test]
async fn a_get_is_asked_again_when_an_idle_connection_was_dead() {
    let (server, requests) = leaves_at_the_second_request().await;
    let fetcher = fetcher(local());
    for _ in 0..3 {
        assert_eq!(get(&fetcher, &server.url("/")).await.response.body, b"hello");
    }
    assert_eq!((server.connections(), requests.load(Ordering::SeqCst)), (3, 5));
}

#[tokio::test]
async fn a_post_is_never_sent_twice() {
    let (server, requests) = leaves_at_the_second_request().await;
    let fetcher = fetcher(local());
    get(&fetcher, &server.url("/")).await;
    let fetched = fetch(&fetcher, &Request::post(server.url("/"), "buy=1")).await;
    let Outcome::Failed(Failure::Reset { .. }) = fetched.outcome else { panic!("{fetched:?}") };
    assert_eq!((server.connections(), requests.load(Ordering::SeqCst)), (1, 2));
}

#[tokio::test]
async fn bytes_after_a_response_are_not_taken_for_the_next_one() {
    let server = Server::start(|mut stream| async move {
        while let Some(received) = read_request(&mut stream).await {
            let mut answer = ok(&received.path);
            answer.extend_from_slice(&ok("smuggled"));
            if stream.write_all(&answer).await.is_err() {
                return;
            }
        }
    })
    .await;
    let fetcher = fetcher(local());
    for i in 0..5 {
        let path = format!("/{i}");
        assert_eq!(get(&fetcher, &server.url(&path)).await.response.body, path.as_bytes());
    }
}

#[tokio::test]
async fn a_fetch_that_is_dropped_leaves_nothing_behind() {
    let asked = Arc::new(Notify::new());
    let notify = Arc::clone(&asked);
    let server = Server::start(move |mut stream| {
        let notify = Arc::clone(&notify);
        async move {
            while let Some(received) = read_request(&mut stream).await {
                if received.path == "/slow" {
                    notify.notify_one();
                    std::future::pending::<()>().await;
                }
                let _ = stream.write_all(&ok(&received.path)).await;
            }
        }
    })
    .await;
    let fetcher = fetcher(local());
    get(&fetcher, &server.url("/first")).await;
    let slow = Request::get(server.url("/slow"));
    tokio::select! {
        _ = fetcher.fetch(&slow, &|_| true) => panic!("/slow never answers"),
        () = asked.notified() => {}
    }
    assert_eq!(get(&fetcher, &server.url("/after")).await.response.body, b"/after");
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn long_and_odd_addresses_are_asked_or_refused() {
    let server = Server::answering(|received: &crate::server::Received| ok(&received.path)).await;
    let fetcher = fetcher(local());
    for path in ["/a|b^c?x={y}|`\\^[z]", "/%zz?%", "/ä ö?ü=ß&q=<>\"'", "/a//b/../c?", "/;p?a=b?c"]
    {
        let url = server.url(path);
        let asked = String::from_utf8(get(&fetcher, &url).await.response.body).unwrap();
        let parsed = url::Url::parse(&url).unwrap();
        assert_eq!(asked, parsed[url::Position::BeforePath..url::Position::AfterQuery]);
    }
    let long = server.url(&format!("/?q={}", "x".repeat(30_000)));
    assert_eq!(get(&fetcher, &long).await.response.status, 200);
    let too_long = server.url(&format!("/?q={}", "x".repeat(70_000)));
    assert!(matches!(failure(&fetcher, &too_long).await, Failure::BadUrl { .. }));
}

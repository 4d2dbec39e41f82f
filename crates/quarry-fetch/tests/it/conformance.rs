//! Does it pass the suite of its port?

use std::fmt::Write;

use quarry_model::Method;
use quarry_model::conformance::fetcher as suite;

use crate::server::{Received, Server, fetcher, local, reply};

/// Plays the suite's fixtures.
fn play(received: &Received) -> Vec<u8> {
    let host = received.head.lines().find_map(|l| l.strip_prefix("Host: ")).unwrap();
    let base = format!("http://{host}");
    let wanted = |method: Method, url: &str, body: &str| {
        received.method == method.as_str()
            && format!("{base}{}", received.path) == url
            && received.body == body
    };
    let site = suite::fixtures(&base);
    let fixture = site.iter().find(|fixture| {
        let request = &fixture.request;
        wanted(request.method, &request.url, request.body.as_deref().unwrap_or(""))
    });
    let Some(fixture) = fixture else { return reply("404 Not Found", "", b"nothing here") };
    let mut fields = String::new();
    for (name, value) in &fixture.response.headers.0 {
        write!(fields, "{name}: {value}\r\n").unwrap();
    }
    reply(&format!("{} Fixture", fixture.response.status), &fields, &fixture.response.body)
}

#[tokio::test]
async fn the_fetcher_suite_passes() {
    let server = Server::answering(play).await;
    suite::check(&fetcher(local()), &server.base()).await;
    assert_eq!(server.connections(), 1, "one connection carries it all");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_fetcher_suite_passes_on_threads() {
    let server = Server::answering(play).await;
    suite::check(&fetcher(local()), &server.base()).await;
}

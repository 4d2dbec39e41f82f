//! What goes along from hop to hop, and what stays behind?

use std::net::IpAddr;

use quarry_fetch::FetchSettings;
use quarry_model::{Failure, Outcome, Request};

use crate::server::{Received, Server, fetch, fetcher, get, local, ok, reply};

/// Hosts `a.test` and `b.test`, both at the server.
fn two_hosts() -> FetchSettings {
    let loopback: Vec<IpAddr> = vec!["127.0.0.1".parse().unwrap()];
    let hosts = ["a.test", "b.test"];
    FetchSettings {
        allowed_private_hosts: hosts.map(str::to_owned).into(),
        resolve: hosts.map(|host| (host.to_owned(), loopback.clone())).into(),
        ..FetchSettings::default()
    }
}

/// `/to/URL` redirects to URL (`PORT` stands for the server's); all else shows its request head.
async fn mirror() -> Server {
    Server::answering(|received: &Received| match received.path.strip_prefix("/to/") {
        Some(to) => {
            let port = received.head.lines().find_map(|l| l.strip_prefix("Host: ")).unwrap();
            let to = to.replace("PORT", port.rsplit(':').next().unwrap());
            reply("302 Found", &format!("Location: {to}\r\nSet-Cookie: hop=1; path=/\r\n"), b"")
        }
        None => ok(&received.head),
    })
    .await
}

async fn seen(settings: FetchSettings, server: &Server, path: &str) -> String {
    let url = format!("http://a.test:{}{path}", server.address.port());
    String::from_utf8(get(&fetcher(settings), &url).await.response.body).unwrap()
}

#[tokio::test]
async fn secrets_stay_with_the_host() {
    let server = mirror().await;
    let headers = vec![
        ("Authorization".to_owned(), "Bearer token".to_owned()),
        ("Cookie".to_owned(), "login=1".to_owned()),
        ("X-Open".to_owned(), "yes".to_owned()),
    ];
    let settings = FetchSettings { headers, ..two_hosts() };
    let same = seen(settings.clone(), &server, "/to//there").await;
    assert!(same.contains("Authorization: Bearer token"), "{same}");
    assert!(same.contains("Cookie: login=1; hop=1"), "{same}");

    let other = seen(settings.clone(), &server, "/to/http://b.test:PORT/").await;
    assert!(other.contains("Host: b.test:") && other.contains("X-Open: yes"), "{other}");
    assert!(!other.contains("token") && !other.contains("Cookie"), "{other}");

    let back = seen(settings, &server, "/to/http://b.test:PORT/to/http://a.test:PORT/").await;
    assert!(back.contains("Host: a.test:") && back.contains("Cookie: hop=1"), "{back}");
    assert!(!back.contains("token") && !back.contains("login"), "{back}");
}

#[tokio::test]
async fn cookies_apply_between_hops_and_can_be_off() {
    let server = mirror().await;
    assert!(seen(two_hosts(), &server, "/to//x").await.contains("Cookie: hop=1"));
    let settings = FetchSettings { cookies: false, ..two_hosts() };
    assert!(!seen(settings, &server, "/to//x").await.contains("Cookie"));
}

#[tokio::test]
async fn what_was_sent_is_told() {
    let server = mirror().await;
    let mut request = Request::get(server.url("/"));
    request.unless.etag = Some("\"v1\"".to_owned());
    request.unless.last_modified = Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned());
    let fetched = fetch(&fetcher(local()), &request).await;
    let Outcome::Response(exchange) = fetched.outcome else { panic!("no response") };
    let sent: String =
        exchange.sent.0.iter().map(|(name, value)| format!("\r\n{name}: {value}")).collect();
    let seen = String::from_utf8(exchange.response.body).unwrap();
    assert_eq!(seen, format!("GET / HTTP/1.1{sent}"), "names, values and order");
    assert!(sent.contains("\r\nIf-None-Match: \"v1\"\r\nIf-Modified-Since: Sun, 06 Nov"), "{sent}");
    assert!(sent.contains("\r\nUser-Agent: quarry/"), "{sent}");
    assert_eq!(exchange.remote, Some("127.0.0.1".parse().unwrap()));
    assert!(exchange.at.0 > 1_700_000_000_000 && !exchange.took.is_zero());
}

#[tokio::test]
async fn not_modified_is_a_response() {
    let server = Server::answering(|received: &Received| {
        assert!(received.head.contains("If-None-Match: \"v1\""));
        b"HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".to_vec()
    })
    .await;
    let mut request = Request::get(server.url("/"));
    request.unless.etag = Some("\"v1\"".to_owned());
    let fetcher = fetcher(local());
    for _ in 0..2 {
        let fetched = fetch(&fetcher, &request).await;
        let Outcome::Response(exchange) = fetched.outcome else { panic!("no response") };
        assert_eq!((exchange.response.status, exchange.response.body.len()), (304, 0));
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn validators_do_not_follow() {
    let server = mirror().await;
    let mut request = Request::get(server.url("/to//x"));
    request.unless.etag = Some("\"v1\"".to_owned());
    let fetched = fetch(&fetcher(local()), &request).await;
    let Outcome::Response(exchange) = fetched.outcome else { panic!("no response") };
    let seen = String::from_utf8(exchange.response.body).unwrap();
    assert!(!seen.contains("If-None-Match"), "{seen}");
    assert_eq!(fetched.hops[0].sent.get("if-none-match"), Some("\"v1\""));
}

#[tokio::test]
async fn the_limit_counts_redirects() {
    let server = Server::answering(|received: &Received| {
        match received.path.trim_start_matches('/').parse::<u32>() {
            Ok(0) => ok("arrived"),
            Ok(n) => reply("302 Found", &format!("Location: /{}\r\n", n - 1), b""),
            Err(_) => panic!("odd path {}", received.path),
        }
    })
    .await;
    let fetcher = fetcher(FetchSettings { max_redirects: 3, ..local() });
    let three = fetch(&fetcher, &Request::get(server.url("/3"))).await;
    assert_eq!(three.hops.len(), 3);
    assert!(matches!(three.outcome, Outcome::Response(_)));
    let four = fetch(&fetcher, &Request::get(server.url("/4"))).await;
    assert_eq!(four.outcome, Outcome::Failed(Failure::TooManyRedirects { limit: 3 }));
    assert_eq!(four.hops.len(), 4, "the redirect too many is kept as well");
}

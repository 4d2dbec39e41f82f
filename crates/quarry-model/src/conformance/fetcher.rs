//! The conformance suite of [`Fetcher`]: it gives back what a site answered, redirect by redirect.
//!
//! [`fixtures`] is a small site as a list of exchanges. Put it behind the implementation (serve it
//! on loopback, write it into an archive), then let [`check`] ask for its pages:
//!
//! ```text
//! let base = "http://127.0.0.1:8080";       // or any origin, for an archive
//! for exchange in fetcher::fixtures(base) { /* serve it, or archive it */ }
//! fetcher::check(&implementation, base).await;
//! ```
//!
//! Only what an archive can keep is demanded: no cookies, no timing, no addresses of servers. A
//! server that plays the fixtures may add header fields of its own (`Date`, `Content-Length`); one
//! that keeps connections open after a fixture must do so correctly.

use std::sync::Mutex;
use std::time::Duration;

use crate::{
    Exchange, Failure, Fetched, Fetcher, Headers, Method, Outcome, Request, Response, Timestamp,
};

/// A page that no fixture answers: 404 over HTTP, [`Failure::NotArchived`] from an archive.
pub const UNKNOWN_PATH: &str = "/no-fixture-has-this-path";

/// Where the redirect at `/away` points: another origin, which [`check`] does not let be followed.
pub const AWAY: &str = "http://elsewhere.invalid/landing?from=away";

/// `<!doctype html><title>Packed</title><p>` and twelve times `packed and unpacked `, gzipped.
const PACKED: [u8; 69] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0xb3, 0x51, 0x4c, 0xc9, 0x4f, 0x2e,
    0xa9, 0x2c, 0x48, 0x55, 0xc8, 0x28, 0xc9, 0xcd, 0xb1, 0xb3, 0x29, 0xc9, 0x2c, 0xc9, 0x49, 0xb5,
    0x0b, 0x48, 0x4c, 0xce, 0x4e, 0x4d, 0xb1, 0xd1, 0x87, 0xf0, 0x6c, 0x0a, 0xec, 0x0a, 0xc0, 0x02,
    0x0a, 0x89, 0x79, 0x29, 0x0a, 0xa5, 0x79, 0x50, 0xce, 0x70, 0x16, 0x03, 0x00, 0x2b, 0xb7, 0x41,
    0xb5, 0x17, 0x01, 0x00, 0x00,
];

/// The site: every exchange it takes part in. `base` is an origin such as `http://127.0.0.1:8080`,
/// without a slash at its end. No two exchanges have the same [`Request::key`].
#[must_use]
pub fn fixtures(base: &str) -> Vec<Exchange> {
    let html = ("Content-Type", "text/html; charset=utf-8");
    let get = |path: &str| Request::get(format!("{base}{path}"));
    let post = |path: &str, body: &str| Request::post(format!("{base}{path}"), body);
    let page = |request, text: &str| exchange(request, 200, &[html], text.as_bytes());
    let to = |request, status, location: &str| {
        exchange(request, status, &[html, ("Location", location)], b"<p>over there")
    };
    let bytes: Vec<u8> = (0..=255).collect();
    let mut packed = exchange(
        get("/packed"),
        200,
        &[html, ("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")],
        &PACKED,
    );
    packed.response.decoded = Some(packed_text());

    vec![
        // Statuses: each is a response, none a failure.
        page(get("/"), "<!doctype html><title>Home</title><a href=/list>list</a>"),
        page(get("/list?page=2&sort=name"), "<ul><li>a<li>b</ul>"),
        exchange(get("/empty"), 200, &[html], b""),
        exchange(get("/gone"), 410, &[html], b"<h1>Gone</h1>"),
        exchange(get("/missing"), 404, &[html], b"<h1>Not found</h1>"),
        exchange(get("/broken"), 500, &[html], b"<h1>Error</h1>"),
        exchange(get("/busy"), 503, &[html, ("Retry-After", "120")], b"later"),
        // Bodies and header fields as they were sent.
        exchange(get("/bytes"), 200, &[("Content-Type", "application/octet-stream")], &bytes),
        packed,
        exchange(
            get("/fields"),
            200,
            &[html, ("X-Part", "one"), ("X-Part", "two"), ("ETag", "\"v1\"")],
            b"fields",
        ),
        // One address, three requests.
        page(get("/search"), "<form method=post><input name=q></form>"),
        page(post("/search", "q=apple"), "<p>one apple"),
        page(post("/search", "q=pear"), "<p>no pear"),
        // A chain: relative, absolute and path-relative, each way of redirecting a GET.
        to(get("/hop/1"), 301, "2"),
        to(get("/hop/2"), 302, &format!("{base}/hop/3?x=1#part")),
        to(get("/hop/3?x=1"), 303, "//"),
        to(get("/hop/4"), 307, "../hop/5"),
        to(get("/hop/5"), 308, "/hop/end"),
        page(get("/hop/end"), "<p>arrived"),
        // What a POST becomes.
        to(post("/buy", "item=1"), 303, "/bought"),
        page(get("/bought"), "<p>thank you"),
        to(post("/old", "item=2"), 302, "/new"),
        page(get("/new"), "<p>asked with GET"),
        page(post("/new", "item=2"), "<p>asked with POST"),
        to(post("/moved", "item=2"), 308, "/new"),
        // Ends of chains.
        to(get("/away"), 302, AWAY),
        to(get("/nearly-away"), 302, "/away"),
        to(get("/loop/a"), 302, "/loop/b"),
        to(get("/loop/b"), 302, "/loop/a"),
        exchange(get("/nowhere"), 302, &[html], b"no Location field"),
        to(get("/nonsense"), 302, "http://[nonsense"),
        to(get("/mail"), 302, "mailto:somebody@example.com"),
    ]
}

/// Asks for the pages of [`fixtures`]`(base)` and compares.
///
/// # Panics
/// At the first answer that is not what the fixtures say.
pub async fn check<F: Fetcher>(fetcher: &F, base: &str) {
    let case = Case { site: fixtures(base), base, fetcher };

    // A page that is no redirect is its own outcome, and nobody is asked about following.
    for path in [
        "/",
        "/list?page=2&sort=name",
        "/empty",
        "/gone",
        "/missing",
        "/broken",
        "/busy",
        "/bytes",
        "/packed",
        "/fields",
        "/nowhere",
    ] {
        case.chain(&case.get(path), &[]).await;
    }

    // GET and POST to one address are different pages, and so are two bodies.
    case.chain(&case.get("/search"), &[]).await;
    case.chain(&case.post("/search", "q=apple"), &[]).await;
    case.chain(&case.post("/search", "q=pear"), &[]).await;

    // Redirects. `//` names no host, so the third hop of the first chain is where it ends.
    case.chain(&case.get("/hop/1"), &[case.get("/hop/2"), case.get("/hop/3?x=1")]).await;
    case.chain(&case.get("/hop/4"), &[case.get("/hop/5"), case.get("/hop/end")]).await;
    case.chain(&case.post("/buy", "item=1"), &[case.get("/bought")]).await;
    case.chain(&case.post("/old", "item=2"), &[case.get("/new")]).await;
    case.chain(&case.post("/moved", "item=2"), &[case.post("/new", "item=2")]).await;

    // A redirect to what is no http or https address is the outcome; nobody is asked about it.
    case.chain(&case.get("/nonsense"), &[]).await;
    case.chain(&case.get("/mail"), &[]).await;

    case.refused_redirects().await;
    case.redirect_loop().await;
    case.unknown_pages().await;
}

struct Case<'a, F> {
    site: Vec<Exchange>,
    base: &'a str,
    fetcher: &'a F,
}

impl<F: Fetcher> Case<'_, F> {
    fn get(&self, path: &str) -> Request {
        Request::get(format!("{}{path}", self.base))
    }

    fn post(&self, path: &str, body: &str) -> Request {
        Request::post(format!("{}{path}", self.base), body)
    }

    /// Fetches, following what `allow` allows; also gives the addresses that it was asked about.
    async fn fetch(&self, request: &Request, allow: fn(&str) -> bool) -> (Fetched, Vec<String>) {
        let asked = Mutex::new(Vec::new());
        let may_follow = |url: &str| {
            asked.lock().expect("nobody panics while holding it").push(url.to_owned());
            allow(url)
        };
        let fetched = self.fetcher.fetch(request, &may_follow).await;
        (fetched, asked.into_inner().expect("nobody panics while holding it"))
    }

    /// `request` must lead through `then`; the last of the chain is the outcome.
    async fn chain(&self, request: &Request, then: &[Request]) {
        let (fetched, asked) = self.fetch(request, |_| true).await;
        let expected: Vec<&Request> = std::iter::once(request).chain(then).collect();
        let next: Vec<&str> = then.iter().map(|r| r.url.as_str()).collect();
        assert_eq!(asked, next, "may_follow is asked about each next address, for {request:?}");
        self.compare(&fetched, &expected);
    }

    fn compare(&self, fetched: &Fetched, expected: &[&Request]) {
        let Outcome::Response(last) = &fetched.outcome else {
            panic!("a response was expected for {:?}, not {:?}", expected[0], fetched.outcome)
        };
        let exchanges: Vec<&Exchange> = fetched.hops.iter().chain([last.as_ref()]).collect();
        let urls: Vec<&str> = exchanges.iter().map(|e| e.request.url.as_str()).collect();
        let expected_urls: Vec<&str> = expected.iter().map(|r| r.url.as_str()).collect();
        assert_eq!(urls, expected_urls, "hops and outcome of {:?}", expected[0]);
        for (exchange, request) in exchanges.iter().zip(expected) {
            assert_eq!(exchange.request.method, request.method, "method for {}", request.url);
            assert_eq!(exchange.request.body, request.body, "request body for {}", request.url);
            let fixture = self
                .site
                .iter()
                .find(|fixture| fixture.request.key() == request.key())
                .expect("the suite asks for its fixtures only");
            same_response(&exchange.response, &fixture.response, &request.key());
        }
    }

    /// The redirect that may not be followed is the outcome, at once or after other hops.
    async fn refused_redirects(&self) {
        let stay: fn(&str) -> bool = |url| !url.contains("elsewhere");
        let (fetched, asked) = self.fetch(&self.get("/away"), stay).await;
        assert_eq!(asked, [AWAY], "may_follow is asked about another origin");
        self.compare(&fetched, &[&self.get("/away")]);

        let (fetched, asked) = self.fetch(&self.get("/nearly-away"), stay).await;
        assert_eq!(asked, [format!("{}/away", self.base).as_str(), AWAY]);
        self.compare(&fetched, &[&self.get("/nearly-away"), &self.get("/away")]);

        let (fetched, asked) = self.fetch(&self.get("/hop/1"), |_| false).await;
        assert_eq!(asked.len(), 1, "a refused redirect ends the chain");
        self.compare(&fetched, &[&self.get("/hop/1")]);
    }

    /// A loop ends with the failure that says so; the hops up to there are kept.
    async fn redirect_loop(&self) {
        let (fetched, _) = self.fetch(&self.get("/loop/a"), |_| true).await;
        let Outcome::Failed(Failure::TooManyRedirects { limit }) = fetched.outcome else {
            panic!("a redirect loop must end in TooManyRedirects, not {:?}", fetched.outcome)
        };
        assert!(limit > 0, "the limit is the one in force");
        assert!(fetched.hops.len() >= 2, "the hops of a loop are kept");
        for (i, hop) in fetched.hops.iter().enumerate() {
            let path = if i % 2 == 0 { "/loop/a" } else { "/loop/b" };
            assert_eq!(hop.request.url, format!("{}{path}", self.base), "hop {i} of the loop");
        }
    }

    /// What the site does not have is no panic and no other page.
    async fn unknown_pages(&self) {
        for request in [
            self.get(UNKNOWN_PATH),
            self.post("/search", "q=plum"),
            self.post("/empty", ""),
            self.get("/search?q=apple"),
        ] {
            let (fetched, _) = self.fetch(&request, |_| true).await;
            assert!(fetched.hops.is_empty(), "no hops for the unknown {request:?}");
            match fetched.outcome {
                Outcome::Failed(Failure::NotArchived) => {}
                Outcome::Response(exchange) if exchange.response.status == 404 => {}
                other => panic!("404 or NotArchived was expected for {request:?}, not {other:?}"),
            }
        }
        for url in ["", "no address", "ftp://host.invalid/file", "http://", "/relative"] {
            let (fetched, _) = self.fetch(&Request::get(url), |_| true).await;
            assert!(
                matches!(
                    fetched.outcome,
                    Outcome::Failed(Failure::BadUrl { .. } | Failure::NotArchived)
                ),
                "{url:?} cannot be asked, yet gave {:?}",
                fetched.outcome
            );
        }
    }
}

/// Status, bytes and meaning are equal; every header field of the fixture is there, in order.
fn same_response(response: &Response, fixture: &Response, key: &str) {
    assert_eq!(response.status, fixture.status, "status of {key}");
    assert_eq!(response.truncated, None, "{key} is whole");
    assert_eq!(response.body, fixture.body, "body as sent of {key}");
    assert_eq!(response.content(), fixture.content(), "body as meant of {key}");
    assert_eq!(response.location(), fixture.location(), "location of {key}");
    for (name, _) in &fixture.headers.0 {
        let values: Vec<&str> = response.headers.all(name).collect();
        let expected: Vec<&str> = fixture.headers.all(name).collect();
        assert_eq!(values, expected, "header field {name} of {key}");
    }
}

fn exchange(request: Request, status: u16, fields: &[(&str, &str)], body: &[u8]) -> Exchange {
    let own = |fields: &[(&str, &str)]| {
        Headers(fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect())
    };
    let host = request.url.split('/').nth(2).unwrap_or_default().to_owned();
    let mut sent = own(&[("Host", &host), ("User-Agent", "conformance"), ("Accept", "*/*")]);
    if request.method == Method::Post {
        let form = "application/x-www-form-urlencoded";
        sent.0.push(("Content-Type".to_owned(), form.to_owned()));
        let length = request.body.as_ref().map_or(0, String::len);
        sent.0.push(("Content-Length".to_owned(), length.to_string()));
    }
    let response = Response {
        rendering: None,
        status,
        version: "HTTP/1.1".to_owned(),
        headers: own(fields),
        body: body.to_vec(),
        decoded: None,
        truncated: None,
    };
    let at = Timestamp(1_794_772_800_000);
    Exchange { request, sent, response, remote: None, at, took: Duration::from_millis(5) }
}

fn packed_text() -> Vec<u8> {
    let mut text = b"<!doctype html><title>Packed</title><p>".to_vec();
    text.extend_from_slice("packed and unpacked ".repeat(12).as_bytes());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn fixtures_have_different_keys() {
        let site = fixtures("http://host.test");
        let keys: BTreeSet<_> = site.iter().map(|e| e.request.key().into_owned()).collect();
        assert_eq!(keys.len(), site.len());
    }
}

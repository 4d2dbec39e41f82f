//! The conformance suite of [`PageStore`]: what is put comes back, body and all; the newest capture
//! of a request counts; what is no page of the site is archived, but not listed.

use std::net::IpAddr;
use std::time::Duration;

use crate::{
    Capture, Exchange, Headers, PageRow, PageStore, Request, Response, Timestamp, Truncation,
    Validators,
};

const NOW: Timestamp = Timestamp(1_794_772_800_123);

/// Runs the whole suite; `new` gives an empty store at every call.
///
/// # Panics
/// At the first broken promise, with a message that names it.
pub fn check<S: PageStore>(mut new: impl FnMut() -> S) {
    an_empty_store_has_no_pages(new());
    exchanges_come_back_as_they_went_in(new());
    rows_say_what_was_archived(new());
    pages_come_in_the_order_of_putting(new());
    the_newest_capture_counts(new());
    get_and_post_differ(new());
    what_is_no_page_is_not_listed(new());
    the_same_body_twice(new());
    not_modified(new());
    many_pages(new());
}

/// A promise of the port that storage errors do not excuse within the suite.
fn kept<T, E: std::error::Error>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("the store's storage failed: {error}"),
    }
}

/// An answer to a GET: 200, `text/html`.
#[must_use]
pub fn page(url: &str, body: &[u8]) -> Exchange {
    Exchange {
        request: Request::get(url),
        sent: headers(&[("Host", "shop.example"), ("User-Agent", "conformance")]),
        response: Response {
            rendering: None,
            status: 200,
            version: "HTTP/1.1".to_owned(),
            headers: headers(&[("Content-Type", "text/html; charset=utf-8")]),
            body: body.to_vec(),
            decoded: None,
            truncated: None,
        },
        remote: Some(IpAddr::from([192, 0, 2, 7])),
        at: NOW,
        took: Duration::from_millis(42),
    }
}

/// A capture of a page at depth 0.
#[must_use]
pub fn capture(exchange: &Exchange) -> Capture<'_> {
    Capture { exchange, depth: 0, via: None, mime_detected: "text/html", is_page: true }
}

fn headers(fields: &[(&str, &str)]) -> Headers {
    Headers(fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect())
}

fn put<S: PageStore>(store: &mut S, exchange: &Exchange) -> PageRow {
    kept(store.put(&capture(exchange)))
}

fn rows<S: PageStore>(store: &S) -> Vec<PageRow> {
    let mut rows = Vec::new();
    kept(store.each(&mut |row| rows.push(row)));
    rows
}

fn an_empty_store_has_no_pages<S: PageStore>(mut store: S) {
    assert_eq!(rows(&store), [], "a new store is empty");
    assert_eq!(kept(store.find("https://shop.example/")), None);
    kept(store.commit());
    assert_eq!(rows(&store), [], "committing nothing adds nothing");
}

/// Exchanges of every kind that a crawl meets.
#[must_use]
pub fn exchanges() -> Vec<Exchange> {
    let mut all = vec![
        page("https://shop.example/", b"<!doctype html><title>Home</title>"),
        page("https://shop.example/empty", b""),
        page("https://shop.example/bytes", &(0..=255).collect::<Vec<u8>>()),
        page("https://shop.example/crlf", b"\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\n\r\n"),
    ];

    let mut post = page("https://shop.example/search?lang=de", b"<p>one result");
    post.request = Request::post("https://shop.example/search?lang=de", "q=h%C3%BCte&page=2");
    post.sent.0.push(("Content-Type".into(), "application/x-www-form-urlencoded".into()));
    post.sent.0.push(("Content-Length".into(), "18".into()));
    all.push(post);

    let mut redirect = page("https://shop.example/old", b"moved");
    redirect.response.status = 301;
    redirect.response.headers.0.push(("Location".into(), "/new?x=1".into()));
    all.push(redirect);

    let mut missing = page("https://shop.example/missing", b"<h1>Not here</h1>");
    missing.response.status = 404;
    missing.response.version = "HTTP/1.0".to_owned();
    all.push(missing);

    let mut http2 = page("https://shop.example/h2", b"two");
    http2.response.version = "HTTP/2.0".to_owned();
    http2.response.headers =
        headers(&[("content-type", "text/html"), ("set-cookie", "a=1"), ("set-cookie", "b=2")]);
    http2.remote = "2001:db8::1".parse().ok();
    all.push(http2);

    let mut conditional = page("https://shop.example/changed", b"new version");
    conditional.request.unless = Validators {
        etag: Some("\"v1\"".to_owned()),
        last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
    };
    conditional.sent.0.push(("If-None-Match".into(), "\"v1\"".into()));
    conditional.sent.0.push(("If-Modified-Since".into(), "Sun, 06 Nov 1994 08:49:37 GMT".into()));
    all.push(conditional);

    for (path, truncated) in
        [("/l", Truncation::Length), ("/t", Truncation::Time), ("/d", Truncation::Disconnect)]
    {
        let mut cut = page(&format!("https://shop.example{path}"), b"only the beginn");
        cut.response.headers.0.push(("Content-Length".into(), "4711".into()));
        cut.response.truncated = Some(truncated);
        cut.remote = None;
        all.push(cut);
    }

    let mut packed = page("https://shop.example/packed", &PACKED);
    packed.response.headers.0.push(("Content-Encoding".into(), "gzip".into()));
    packed.response.headers.0.push(("Content-Length".into(), PACKED.len().to_string()));
    packed.response.decoded = Some(b"packed ".repeat(4));
    all.push(packed.clone());
    // Cut at a limit of the decoded body.
    packed.request.url = "https://shop.example/packed-and-cut".to_owned();
    packed.response.decoded = Some(b"packed pac".to_vec());
    packed.response.truncated = Some(Truncation::Length);
    all.push(packed);

    let mut accents = page("https://shop.example/caf%C3%A9?a=b%20c&d=[1]", "caf\u{e9}".as_bytes());
    accents.response.headers.0.push(("X-Name".into(), "caf\u{e9} \u{4e2d}".into()));
    accents.response.headers.0.push(("X-Empty".into(), String::new()));
    all.push(accents);

    all.push(page("https://shop.example/large", &vec![b'x'; 3_000_000]));
    all
}

/// `packed ` four times, gzipped.
const PACKED: [u8; 30] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x2b, 0x48, 0x4c, 0xce, 0x4e, 0x4d,
    0x51, 0x28, 0xc0, 0x46, 0x01, 0x00, 0xd1, 0x71, 0x55, 0x45, 0x1c, 0x00, 0x00, 0x00,
];

fn exchanges_come_back_as_they_went_in<S: PageStore>(mut store: S) {
    let all = exchanges();
    let put_rows: Vec<PageRow> = all.iter().map(|exchange| put(&mut store, exchange)).collect();
    for (row, exchange) in put_rows.iter().zip(&all) {
        let read = kept(store.read(row));
        assert_eq!(read.response.body.len(), exchange.response.body.len(), "{}", row.url);
        assert_eq!(&read, exchange, "before the commit, {} is as it was put", row.url);
    }
    kept(store.commit());
    assert_eq!(rows(&store), put_rows, "each row is listed as put returned it");
    for (row, exchange) in put_rows.iter().zip(&all) {
        assert_eq!(&kept(store.read(row)), exchange, "after the commit, {} is, too", row.url);
        assert_eq!(kept(store.find(&row.key)).as_ref(), Some(row), "{} is found", row.key);
    }
}

fn rows_say_what_was_archived<S: PageStore>(mut store: S) {
    let mut exchange = page("https://shop.example/a", b"abc");
    exchange.response.status = 302;
    exchange.response.headers.0.push(("Location".into(), "b".into()));
    exchange.response.truncated = Some(Truncation::Time);
    let via = "https://shop.example/start";
    let row = kept(store.put(&Capture {
        exchange: &exchange,
        depth: 3,
        via: Some(via),
        mime_detected: "text/plain",
        is_page: true,
    }));
    kept(store.commit());
    assert_eq!(row.url, "https://shop.example/a");
    assert_eq!(row.key, row.url, "the key of a GET is its address");
    assert_eq!(row.fetch_time, NOW);
    assert_eq!(row.fetch_status, 302);
    assert_eq!(row.content_mime_detected, "text/plain");
    assert_eq!(row.content_mime_type.as_deref(), Some("text/html; charset=utf-8"));
    assert_eq!(row.content_digest, "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "SHA-1 of abc in base 32");
    assert_eq!(row.fetch_redirect.as_deref(), Some("b"));
    assert_eq!(row.content_truncated, Some(Truncation::Time));
    assert_eq!(row.depth, 3);
    assert_eq!(row.via.as_deref(), Some(via));
    assert_eq!(rows(&store), [row], "and the list says the same");
}

fn pages_come_in_the_order_of_putting<S: PageStore>(mut store: S) {
    let paths = ["/b", "/a", "/d", "/c"];
    for path in paths {
        put(&mut store, &page(&format!("https://shop.example{path}"), path.as_bytes()));
        kept(store.commit());
    }
    let listed: Vec<String> = rows(&store).into_iter().map(|row| row.url).collect();
    assert_eq!(listed, paths.map(|path| format!("https://shop.example{path}")));
}

fn the_newest_capture_counts<S: PageStore>(mut store: S) {
    let first = page("https://shop.example/a", b"one");
    let mut second = page("https://shop.example/a", b"two");
    second.at = NOW.plus(Duration::from_secs(60));
    let first_row = put(&mut store, &first);
    let second_row = put(&mut store, &second);
    kept(store.commit());
    assert_eq!(rows(&store).len(), 2, "both captures are kept");
    assert_eq!(kept(store.find("https://shop.example/a")), Some(second_row.clone()));
    assert_eq!(kept(store.read(&first_row)), first, "the older one can still be read");
    assert_eq!(kept(store.read(&second_row)), second);
}

fn get_and_post_differ<S: PageStore>(mut store: S) {
    let url = "https://shop.example/search";
    let mut answers = Vec::new();
    for (request, body) in [
        (Request::get(url), &b"form"[..]),
        (Request::post(url, "q=red"), b"red things"),
        (Request::post(url, "q=blue"), b"blue things"),
    ] {
        let mut exchange = page(url, body);
        exchange.request = request;
        put(&mut store, &exchange);
        answers.push(exchange);
    }
    kept(store.commit());
    for exchange in answers {
        let key = exchange.request.key();
        let row = kept(store.find(&key)).unwrap_or_else(|| panic!("{key} was put"));
        assert_eq!(row.key, key);
        assert_eq!(row.url, url, "the address is the same for each");
        assert_eq!(kept(store.read(&row)), exchange);
    }
    assert_eq!(kept(store.find("POST https://shop.example/search q=green")), None);
}

fn what_is_no_page_is_not_listed<S: PageStore>(mut store: S) {
    let robots = page("https://shop.example/robots.txt", b"User-agent: *");
    let row = kept(store.put(&Capture { is_page: false, ..capture(&robots) }));
    let home = put(&mut store, &page("https://shop.example/", b"home"));
    kept(store.commit());
    assert_eq!(rows(&store), [home], "robots.txt is no page");
    assert_eq!(kept(store.find("https://shop.example/robots.txt")), None);
    assert_eq!(kept(store.read(&row)), robots, "but it is archived");
}

fn the_same_body_twice<S: PageStore>(mut store: S) {
    let body = b"the same text at two addresses. ".repeat(100);
    let first = page("https://shop.example/a", &body);
    let mut second = page("https://shop.example/b", &body);
    second.response.status = 404;
    second.response.headers.0.push(("X-Which".into(), "second".into()));
    second.at = NOW.plus(Duration::from_secs(1));
    let mut third = page("https://shop.example/c", &body);
    third.at = NOW.plus(Duration::from_secs(2));
    let rows: Vec<PageRow> =
        [&first, &second, &third].into_iter().map(|exchange| put(&mut store, exchange)).collect();
    kept(store.commit());
    assert_eq!(rows[0].content_digest, rows[1].content_digest);
    for (row, exchange) in rows.iter().zip([&first, &second, &third]) {
        assert_eq!(&kept(store.read(row)), exchange, "each has its own head and the body");
    }
}

fn not_modified<S: PageStore>(mut store: S) {
    let first = page("https://shop.example/a", b"version one");
    put(&mut store, &first);
    let mut second = page("https://shop.example/a", b"");
    second.response.status = 304;
    second.at = NOW.plus(Duration::from_secs(1));
    let row = put(&mut store, &second);
    let mut unknown = page("https://shop.example/never-seen", b"");
    unknown.response.status = 304;
    let unknown_row = put(&mut store, &unknown);
    kept(store.commit());
    assert_eq!(kept(store.read(&row)), second, "a 304 answer is kept as it came");
    let found = kept(store.find(&row.key)).expect("it was put");
    assert_eq!(kept(store.read(&found)).response.body, b"version one", "the page is what it says");
    assert_eq!(kept(store.read(&unknown_row)), unknown, "also where the page was never seen");
}

fn many_pages<S: PageStore>(mut store: S) {
    let url = |n: usize| format!("https://shop.example/item/{n}");
    let body = |n: usize| format!("<h1>Item {n}</h1>").repeat(n % 50 + 1).into_bytes();
    for n in 0..500 {
        put(&mut store, &page(&url(n), &body(n)));
        if n % 100 == 0 {
            kept(store.commit());
        }
    }
    kept(store.commit());
    let rows = rows(&store);
    assert_eq!(rows.len(), 500);
    for (n, row) in rows.iter().enumerate().step_by(7) {
        assert_eq!(row.url, url(n));
        assert_eq!(kept(store.read(row)).response.body, body(n));
    }
}

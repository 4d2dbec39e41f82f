//! Answers the requests of one page: which are asked for, which get nothing, and how an answer is handed to the browser.

use std::sync::Arc;

use data_encoding::BASE64;
use quarry_model::{Exchange, PartKind, PartRefusal, Request, Response, Timestamp};
use serde_json::{Value, json};
use url::Url;

use crate::graphql::only_reads;

/// A transparent picture of one pixel: pages see their pictures load, and none is asked for.
const PIXEL: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// Fields that describe the transfer, not the content, or that make the browser do something later.
const LEFT_OUT: [&str; 13] = [
    "content-encoding",
    "content-length",
    "transfer-encoding",
    "set-cookie",
    "strict-transport-security",
    "alt-svc",
    "clear-site-data",
    "report-to",
    "nel",
    "refresh",
    "link",
    "content-disposition",
    "service-worker-allowed",
];

/// A paused request, as far as it matters.
#[derive(Debug, Clone)]
pub(crate) struct Paused {
    pub(crate) id: String,
    pub(crate) session: String,
    pub(crate) url: String,
    method: String,
    kind: String,
    frame: String,
    /// What is sent with it, as text.
    body: Option<String>,
}

/// What is to be done with a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It is for the page itself.
    Page,
    /// Scripts, or a refresh, lead the page to another address.
    Leads,
    /// It is asked for.
    Ask(PartKind),
    /// It gets an empty picture.
    Pixel,
    /// It gets an error.
    Refuse,
}

impl Paused {
    /// Reads the event.
    pub(crate) fn of(session: &str, params: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Some(Self {
            id: text(&params["requestId"])?,
            session: session.to_owned(),
            url: text(&params["request"]["url"])?,
            method: text(&params["request"]["method"]).unwrap_or_default(),
            kind: text(&params["resourceType"]).unwrap_or_default(),
            frame: text(&params["frameId"]).unwrap_or_default(),
            body: text(&params["request"]["postData"]),
        })
    }

    /// Decides by kind and method; whether it may be asked for is the caller's to say.
    pub(crate) fn decide(&self, main_frame: &str, page: &Url, is_loaded: bool) -> Decision {
        let Ok(url) = Url::parse(&self.url) else { return Decision::Refuse };
        if !matches!(url.scheme(), "http" | "https") {
            return Decision::Refuse;
        }
        match self.kind.as_str() {
            "Document" if self.frame == main_frame => match (is_loaded, self.method.as_str()) {
                (false, _) => Decision::Page,
                (true, "GET") => Decision::Leads,
                (true, _) => Decision::Refuse,
            },
            // Frames of other hosts are advertisements and players.
            "Document" if url.host() == page.host() && self.method == "GET" => {
                Decision::Ask(PartKind::Furniture)
            }
            "Image" => Decision::Pixel,
            "Script" | "Stylesheet" if self.method == "GET" => Decision::Ask(PartKind::Furniture),
            "XHR" | "Fetch" if self.method == "GET" => Decision::Ask(PartKind::Data),
            // GraphQL reads by POST, too.
            "XHR" | "Fetch"
                if self.method == "POST" && self.body.as_deref().is_some_and(only_reads) =>
            {
                Decision::Ask(PartKind::Data)
            }
            // Scripts of workers; not the icon that a browser asks for by itself.
            "Other" if self.method == "GET" && !url.path().ends_with(".ico") => {
                Decision::Ask(PartKind::Furniture)
            }
            _ => Decision::Refuse,
        }
    }

    /// The request as it is sent, with the page's clock in place of the time.
    pub(crate) fn request(&self, clock: Timestamp) -> Request {
        let url = with_fixed_times(&self.url, clock);
        match &self.body {
            Some(body) if self.method == "POST" => Request::post(url, body.clone()),
            _ => Request::get(url),
        }
    }
}

/// The parameters of the command that answers with this response.
pub(crate) fn fulfilment(id: &str, response: &Response, content: &[u8]) -> Value {
    let left_out = |name: &str| LEFT_OUT.iter().any(|other| name.eq_ignore_ascii_case(other));
    let is_printable = |text: &str| text.bytes().all(|b| b == b'\t' || (32..127).contains(&b));
    let headers: Vec<Value> = response
        .headers
        .0
        .iter()
        .filter(|(name, value)| !left_out(name) && is_printable(value))
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    // A redirect that was not followed leads nowhere.
    let status = if (300..400).contains(&response.status) { 404 } else { response.status };
    json!({
        "requestId": id,
        "responseCode": status,
        "responseHeaders": headers,
        "body": BASE64.encode(content),
    })
}

/// The same for a part of a page.
pub(crate) fn answer(id: &str, part: &Result<Arc<Exchange>, PartRefusal>) -> Option<Value> {
    let exchange = part.as_ref().ok()?;
    Some(fulfilment(id, &exchange.response, exchange.response.sent_content()))
}

/// The same for a picture.
pub(crate) fn pixel(id: &str) -> Value {
    let headers = [json!({ "name": "content-type", "value": "image/gif" })];
    json!({
        "requestId": id,
        "responseCode": 200,
        "responseHeaders": headers,
        "body": BASE64.encode(PIXEL),
    })
}

/// How far a number in an address may be from the page's clock to be taken for the time, in seconds.
const CLOCK_SPAN: i64 = 86_400;

/// The address with the page's clock in place of times that its scripts put in against caches: the same page then asks for
/// the same addresses whenever it is rendered.
pub(crate) fn with_fixed_times(address: &str, clock: Timestamp) -> String {
    let Ok(mut url) = Url::parse(address) else { return address.to_owned() };
    url.set_fragment(None);
    let is_time = |value: &str| {
        let number = value.parse::<i64>().ok()?;
        let (millis, seconds) = (clock.0, clock.0 / 1_000);
        if value.len() == 13 && (number - millis).abs() < CLOCK_SPAN * 1_000 {
            return Some(millis.to_string());
        }
        (value.len() == 10 && (number - seconds).abs() < CLOCK_SPAN).then(|| seconds.to_string())
    };
    let Some(query) = url.query() else { return url.into() };
    let fixed = |pair: &str| match pair.split_once('=') {
        Some((name, value)) => match is_time(value) {
            Some(time) => format!("{name}={time}"),
            None => pair.to_owned(),
        },
        None => is_time(pair).unwrap_or_else(|| pair.to_owned()),
    };
    let query = query.split('&').map(fixed).collect::<Vec<_>>().join("&");
    url.set_query(Some(&query));
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_addresses_are_the_clock() {
        let clock = Timestamp(1_790_000_000_000);
        for (asked, sent) in [
            ("http://h/a?ts=1790000005300", "http://h/a?ts=1790000000000"),
            ("http://h/a?x=1&_=1790000005300#f", "http://h/a?x=1&_=1790000000000"),
            ("http://h/a?1790000007", "http://h/a?1790000000"),
            ("http://h/a?id=1690000005300", "http://h/a?id=1690000005300"),
            ("http://h/a?id=12", "http://h/a?id=12"),
        ] {
            assert_eq!(with_fixed_times(asked, clock), sent);
        }
    }

    #[test]
    fn requests_are_told_apart_by_kind_and_method() {
        let page = Url::parse("http://h/list").unwrap();
        let decide = |url: &str, method: &str, kind: &str, frame: &str, is_loaded| {
            let request = json!({ "url": url, "method": method });
            let params = json!({
                "requestId": "1", "request": request, "resourceType": kind, "frameId": frame,
            });
            Paused::of("s", &params).unwrap().decide("main", &page, is_loaded)
        };
        let data = Decision::Ask(PartKind::Data);
        let furniture = Decision::Ask(PartKind::Furniture);
        for (url, method, kind, frame, is_loaded, expect) in [
            ("http://h/list", "GET", "Document", "main", false, Decision::Page),
            ("http://h/other", "GET", "Document", "main", true, Decision::Leads),
            ("http://h/other", "POST", "Document", "main", true, Decision::Refuse),
            ("http://ads/", "GET", "Document", "child", true, Decision::Refuse),
            (
                "http://h/frame",
                "GET",
                "Document",
                "child",
                true,
                Decision::Ask(PartKind::Furniture),
            ),
            ("http://h/a.js", "GET", "Script", "main", true, furniture),
            ("http://h/api", "GET", "Fetch", "main", true, data),
            ("http://h/api", "POST", "Fetch", "main", true, Decision::Refuse),
            ("http://h/api", "DELETE", "XHR", "main", true, Decision::Refuse),
            ("http://h/a.png", "GET", "Image", "main", true, Decision::Pixel),
            ("http://h/ping", "POST", "Ping", "main", true, Decision::Refuse),
            ("http://h/events", "GET", "EventSource", "main", true, Decision::Refuse),
            ("ws://h/", "GET", "WebSocket", "main", true, Decision::Refuse),
            ("file:///etc/passwd", "GET", "Fetch", "main", true, Decision::Refuse),
        ] {
            assert_eq!(decide(url, method, kind, frame, is_loaded), expect, "{method} {url}");
        }
        for (query, expect) in [
            ("{ books { title } }", Decision::Ask(PartKind::Data)),
            ("mutation { clear }", Decision::Refuse),
        ] {
            let body = json!({ "query": query }).to_string();
            let request = json!({ "url": "http://h/graphql", "method": "POST", "postData": body });
            let params = json!({
                "requestId": "1", "request": request, "resourceType": "Fetch", "frameId": "main",
            });
            let paused = Paused::of("s", &params).unwrap();
            assert_eq!(paused.decide("main", &page, true), expect, "{query}");
            assert_eq!(paused.request(Timestamp(0)), Request::post("http://h/graphql", body));
        }
    }
}

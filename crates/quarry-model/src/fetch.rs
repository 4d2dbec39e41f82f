//! The [`Fetcher`] port: requests, responses and the redirects between them.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Rendering, Timestamp};

/// The two HTTP methods that a crawl may use.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Ask for a page.
    #[default]
    Get,
    /// Submit a search or facet form.
    Post,
}

impl Method {
    /// The method as it stands in a request line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// What a server said about the version we hold, for a conditional request.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Validators {
    /// The `ETag` of the version we hold.
    pub etag: Option<String>,
    /// The `Last-Modified` of the version we hold.
    pub last_modified: Option<String>,
}

/// One thing to ask a server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Request {
    /// GET or POST.
    pub method: Method,
    /// The absolute, normalised address.
    pub url: String,
    /// The form-encoded body of a POST.
    pub body: Option<String>,
    /// Ask only if the page has changed since this version.
    pub unless: Validators,
}

impl Request {
    /// A plain GET.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }

    /// A form submission.
    #[must_use]
    pub fn post(url: impl Into<String>, body: impl Into<String>) -> Self {
        Self { method: Method::Post, url: url.into(), body: Some(body.into()), ..Self::default() }
    }

    /// The request with a body that a key names; `None` for the key of a plain one.
    #[must_use]
    pub fn of_query(key: &str) -> Option<Self> {
        let (url, body) = key.strip_prefix("POST ")?.split_once(' ')?;
        Some(Self::post(url, body))
    }

    /// What makes two requests the same: the address, and for a POST method and body too.
    #[must_use]
    pub fn key(&self) -> Cow<'_, str> {
        match self.method {
            Method::Get => Cow::Borrowed(&self.url),
            Method::Post => {
                Cow::Owned(format!("POST {} {}", self.url, self.body.as_deref().unwrap_or("")))
            }
        }
    }
}

/// Header fields in the order in which they came. Values that are not UTF-8 are read as Latin-1.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Headers(pub Vec<(String, String)>);

impl Headers {
    /// The first value of the field `name`, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// Every value of the field `name`, in any case.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }
}

/// Why a body is shorter than what the server had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Truncation {
    /// The decoded body reached the byte limit.
    Length,
    /// The time limit for the whole body ran out.
    Time,
    /// The server closed the connection early.
    Disconnect,
}

/// A response: head, body as sent, and body as meant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// `HTTP/1.1`, `HTTP/2.0`.
    pub version: String,
    /// The header fields as received, less `Transfer-Encoding` (the body below is whole).
    pub headers: Headers,
    /// The body as sent: still content-encoded, no longer chunked. This is what the archive keeps.
    pub body: Vec<u8>,
    /// The body with its content encoding undone; `None` where `body` is not encoded.
    pub decoded: Option<Vec<u8>>,
    /// Why the body is not whole, if it is not.
    pub truncated: Option<Truncation>,
    /// What the page's scripts made of it, where they were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendering: Option<Box<Rendering>>,
}

impl Response {
    /// What is read of the page: the document that its scripts left, or else the body with its content encoding undone.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        match &self.rendering {
            Some(rendering) => &rendering.document,
            None => self.sent_content(),
        }
    }

    /// The body as the server meant it, with its content encoding undone.
    #[must_use]
    pub fn sent_content(&self) -> &[u8] {
        self.decoded.as_deref().unwrap_or(&self.body)
    }

    /// Where a 3xx response points, as the header says it (not resolved).
    #[must_use]
    pub fn location(&self) -> Option<&str> {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
            .then(|| self.headers.get("location"))
            .flatten()
    }
}

/// One request as it was sent, with the response as it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was asked. Its `url` is this hop's address.
    pub request: Request,
    /// The header fields that were sent.
    pub sent: Headers,
    /// What came back.
    pub response: Response,
    /// The address that answered.
    pub remote: Option<IpAddr>,
    /// When the request was sent.
    pub at: Timestamp,
    /// From sending the request to the end of the body.
    pub took: Duration,
}

impl Exchange {
    /// A request and its response without times and addresses of the network: for fetchers that are not the network.
    #[must_use]
    pub fn of(request: Request, response: Response) -> Self {
        let (sent, at) = (Headers::default(), Timestamp::default());
        Self { request, sent, response, remote: None, at, took: Duration::ZERO }
    }
}

/// A stage of a request that has its own time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Until the connection stands.
    Connect,
    /// Until the response head is there.
    FirstByte,
}

/// Why a request brought no response at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "failure", rename_all = "snake_case")]
pub enum Failure {
    /// The address is not one that can be asked (scheme, syntax).
    BadUrl {
        /// What is wrong with it.
        detail: String,
    },
    /// The host resolves to an address that is not on the public internet, and the user did not
    /// name that host.
    PrivateAddress {
        /// The host asked for.
        host: String,
        /// The address that it resolved to.
        address: IpAddr,
    },
    /// The host name has no address.
    Dns {
        /// The resolver's words.
        detail: String,
    },
    /// The connection could not be made.
    Connect {
        /// The system's words.
        detail: String,
    },
    /// The certificate or the handshake was not acceptable.
    Tls {
        /// The TLS library's words.
        detail: String,
    },
    /// A time limit ran out.
    Timeout {
        /// Which one.
        phase: Phase,
    },
    /// The server broke off before the response head was whole.
    Reset {
        /// The system's words.
        detail: String,
    },
    /// More redirects than the limit.
    TooManyRedirects {
        /// The limit.
        limit: u32,
    },
    /// What came was not HTTP.
    Protocol {
        /// What was wrong.
        detail: String,
    },
    /// A replay was asked for a page that the archive does not hold.
    NotArchived,
    /// A state of a page could not be shown by a browser.
    NotRendered {
        /// Why.
        detail: String,
    },
}

impl Failure {
    /// Whether the same request may well succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Dns { .. } | Self::Connect { .. } | Self::Timeout { .. } | Self::Reset { .. }
        )
    }

    /// One word for counting.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::BadUrl { .. } => "bad_url",
            Self::PrivateAddress { .. } => "private_address",
            Self::Dns { .. } => "dns",
            Self::Connect { .. } => "connect",
            Self::Tls { .. } => "tls",
            Self::Timeout { .. } => "timeout",
            Self::Reset { .. } => "reset",
            Self::TooManyRedirects { .. } => "too_many_redirects",
            Self::Protocol { .. } => "protocol",
            Self::NotArchived => "not_archived",
            Self::NotRendered { .. } => "not_rendered",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadUrl { detail } => write!(f, "not an address that can be fetched: {detail}"),
            Self::PrivateAddress { host, address } => write!(
                f,
                "{host} resolves to the private address {address}; name the host on the command \
                 line to allow it"
            ),
            Self::Dns { detail } => write!(f, "no address for the host: {detail}"),
            Self::Connect { detail } => write!(f, "cannot connect: {detail}"),
            Self::Tls { detail } => write!(f, "no secure connection: {detail}"),
            Self::Timeout { phase: Phase::Connect } => write!(f, "connecting took too long"),
            Self::Timeout { phase: Phase::FirstByte } => write!(f, "the answer took too long"),
            Self::Reset { detail } => write!(f, "the server broke off: {detail}"),
            Self::TooManyRedirects { limit } => write!(f, "more than {limit} redirects"),
            Self::Protocol { detail } => write!(f, "the answer is not valid HTTP: {detail}"),
            Self::NotArchived => write!(f, "the archive does not hold this page"),
            Self::NotRendered { detail } => write!(f, "not rendered: {detail}"),
        }
    }
}

/// The end of a chain of exchanges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A response, of any status.
    Response(Box<Exchange>),
    /// None came.
    Failed(Failure),
}

/// Everything that one request led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetched {
    /// The redirects that were followed, oldest first.
    pub hops: Vec<Exchange>,
    /// What the chain ended with. Its response is a redirect where the next hop was not allowed.
    pub outcome: Outcome,
}

impl From<Exchange> for Fetched {
    /// An answer without redirects before it.
    fn from(exchange: Exchange) -> Self {
        Self { hops: Vec::new(), outcome: Outcome::Response(Box::new(exchange)) }
    }
}

/// Answers requests: over HTTP, from an archive, or from anywhere else.
///
/// ```
/// use quarry_model::{Exchange, Fetched, Fetcher, Request, Response};
///
/// struct Empty;
///
/// impl Fetcher for Empty {
///     async fn fetch(&self, request: &Request, _: &(dyn Fn(&str) -> bool + Send + Sync)) -> Fetched {
///         Exchange::of(request.clone(), Response { status: 404, ..Response::default() }).into()
///     }
/// }
/// ```
///
/// `crates/quarry-crawl/examples/custom_fetcher.rs` crawls with one.
///
/// Implementations pass [`crate::conformance::fetcher`].
pub trait Fetcher: Send + Sync {
    /// Asks, and follows redirects as long as `may_follow` says yes to the next address (absolute).
    /// A redirect that may not be followed is itself the outcome.
    fn fetch(
        &self,
        request: &Request,
        may_follow: &(dyn Fn(&str) -> bool + Send + Sync),
    ) -> impl Future<Output = Fetched> + Send;
}

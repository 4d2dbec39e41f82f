//! Fetches a request hop by hop, until a response is not a redirect or a limit is reached.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use quarry_model::{
    Exchange, Failure, Fetched, Fetcher, Outcome, Phase, Request, Response, Timestamp,
};

use crate::body::{BodyLimits, collect};
use crate::connect::{Connection, Connector};
use crate::cookies::CookieJar;
use crate::fields::{Fields, as_received, as_sent};
use crate::pool::Pool;
use crate::proxy::Proxy;
use crate::redirect;
use crate::settings::{FetchError, FetchSettings};
use crate::target::Target;
use crate::wire::{Message, Unanswered};

/// Answers requests over HTTP. Holds connections and cookies; needs a tokio runtime with I/O and
/// time, of any flavour. Share it by reference or in an `Arc`.
pub struct HttpFetcher {
    connector: Connector,
    pool: Pool,
    fields: Fields,
    cookies: Option<CookieJar>,
    body_limits: BodyLimits,
    settings: FetchSettings,
}

impl HttpFetcher {
    /// A fetcher with these settings. Opens nothing yet.
    ///
    /// # Errors
    /// Where a setting cannot be used: a header field, the proxy, the extra certificates.
    pub fn new(settings: FetchSettings) -> Result<Self, FetchError> {
        Ok(Self {
            connector: Connector::new(&settings)?,
            pool: Pool::new(&settings),
            fields: Fields::new(&settings)?,
            cookies: settings.cookies.then(CookieJar::default),
            body_limits: BodyLimits {
                bytes: settings.max_body_bytes,
                time: settings.body_timeout,
                stall: settings.stall_timeout,
            },
            settings,
        })
    }

    /// One hop: what was asked and what came. `trusted` says whether the user's secrets may be
    /// sent.
    async fn exchange(
        &self,
        request: Request,
        target: &Target,
        trusted: bool,
    ) -> Result<Exchange, Failure> {
        let at = now();
        let cookies = self.cookies.as_ref().and_then(|jar| jar.header(target, at));
        let fields = self.fields.of(&request, target, cookies, trusted);
        let message = Message {
            method: request.method,
            target,
            fields: &fields,
            body: request.body.as_deref(),
            proxy_authorization: self.connector.proxy.as_ref().and_then(Proxy::authorization),
        };
        let origin = target.origin();
        let (at, started, connection, response) = self.answer(&message, &origin).await?;
        let sent = as_sent(&fields, connection.is_http1());

        let (head, body) = response.into_parts();
        let headers = as_received(&head.headers);
        if let Some(jar) = &self.cookies {
            jar.store(target, &headers, at);
        }
        let body = collect(body, &headers, self.body_limits).await;
        let remote = connection.remote;
        if body.whole && connection.is_http1() && head.status != 101 {
            self.pool.put(origin, connection);
        }
        let response = Response {
            status: head.status.as_u16(),
            version: format!("{:?}", head.version),
            headers,
            body: body.bytes,
            decoded: body.decoded,
            truncated: body.truncated,
            rendering: None,
        };
        Ok(Exchange { request, sent, response, remote, at, took: started.elapsed() })
    }

    /// Sends over an idle connection if there is one, and over a new one if that turns out dead.
    async fn answer(
        &self,
        message: &Message<'_>,
        origin: &str,
    ) -> Result<(Timestamp, Instant, Connection, hyper::Response<hyper::body::Incoming>), Failure>
    {
        let mut idle = self.pool.take(origin);
        loop {
            let reused = idle.is_some();
            let mut connection = match idle.take() {
                Some(connection) => connection,
                None => {
                    let connection = self.connector.connect(message.target).await?;
                    // HTTP/2 carries other requests at the same time.
                    if let Some(shared) = connection.share() {
                        self.pool.put(origin.to_owned(), shared);
                    }
                    connection
                }
            };
            let (at, started) = (now(), Instant::now());
            let limit = self.settings.first_byte_timeout;
            let max_header_bytes = self.connector.max_header_bytes;
            match connection.send(message, limit, max_header_bytes).await {
                Ok(response) => return Ok((at, started, connection, response)),
                // The server closed it while we did not look. Others of that age went the same way.
                Err(Unanswered { again: true, .. }) if reused => self.pool.forget(origin),
                Err(Unanswered { failure, .. }) => {
                    if failure == (Failure::Timeout { phase: Phase::FirstByte }) {
                        self.pool.forget(origin);
                    }
                    return Err(failure);
                }
            }
        }
    }
}

impl Fetcher for HttpFetcher {
    async fn fetch(
        &self,
        request: &Request,
        may_follow: &(dyn Fn(&str) -> bool + Send + Sync),
    ) -> Fetched {
        let mut hops: Vec<Exchange> = Vec::new();
        let mut target = match Target::parse(&request.url) {
            Ok(target) => target,
            Err(failure) => return Fetched { hops, outcome: Outcome::Failed(failure) },
        };
        let mut request = request.clone();
        let mut trusted = true;
        loop {
            let exchange = match self.exchange(request, &target, trusted).await {
                Ok(exchange) => exchange,
                Err(failure) => return Fetched { hops, outcome: Outcome::Failed(failure) },
            };
            let next = redirect::next(&exchange.request, &target, &exchange.response)
                .filter(|next| may_follow(&next.url));
            let Some((next, next_target)) =
                next.and_then(|next| Target::parse(&next.url).ok().map(|target| (next, target)))
            else {
                return Fetched { hops, outcome: Outcome::Response(Box::new(exchange)) };
            };
            let limit = self.settings.max_redirects;
            let over = hops.len() >= limit as usize;
            hops.push(exchange);
            if over {
                let failure = Failure::TooManyRedirects { limit };
                return Fetched { hops, outcome: Outcome::Failed(failure) };
            }
            // Once a chain has left the host, secrets stay behind, even if it comes back.
            trusted &= target.trusts(&next_target);
            (request, target) = (next, next_target);
        }
    }
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

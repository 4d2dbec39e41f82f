//! Sends one request on a connection and reads the response head.

use std::time::Duration;

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION};
use http::{HeaderName, HeaderValue, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use quarry_model::{Failure, Method, Phase};

use crate::connect::{Connection, Sender};
use crate::failure::before_head;
use crate::target::Target;

/// One request, ready to be sent over whatever connection there is.
pub(crate) struct Message<'a> {
    pub(crate) method: Method,
    pub(crate) target: &'a Target,
    pub(crate) fields: &'a [(HeaderName, HeaderValue)],
    pub(crate) body: Option<&'a str>,
    /// For a proxy that reads the request; not among `fields`, which the archive keeps.
    pub(crate) proxy_authorization: Option<HeaderValue>,
}

/// Why no head came.
pub(crate) struct Unanswered {
    pub(crate) failure: Failure,
    /// Whether the request may be sent again over another connection: the server had closed this
    /// one, and either it has not seen the request or seeing it twice does no harm.
    pub(crate) again: bool,
}

impl Connection {
    /// Sends, and waits for the response head.
    pub(crate) async fn send(
        &mut self,
        message: &Message<'_>,
        first_byte: Duration,
        max_header_bytes: usize,
    ) -> Result<hyper::Response<Incoming>, Unanswered> {
        let request = message
            .request(matches!(self.sender, Sender::Http2(_)), self.absolute_form)
            .map_err(|failure| Unanswered { failure, again: false })?;
        let answer = async {
            match &mut self.sender {
                Sender::Http1(sender) => {
                    if let Err(error) = sender.ready().await {
                        return Err((error, true));
                    }
                    let answer = sender.try_send_request(request).await;
                    answer.map_err(|mut e| (e.take_message().is_some(), e.into_error()))
                }
                Sender::Http2(sender) => {
                    if let Err(error) = sender.ready().await {
                        return Err((error, true));
                    }
                    let answer = sender.try_send_request(request).await;
                    answer.map_err(|mut e| (e.take_message().is_some(), e.into_error()))
                }
            }
            .map_err(|(unsent, error)| (error, unsent))
        };
        match tokio::time::timeout(first_byte, answer).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err((error, unsent))) => {
                let failure = before_head(&error, max_header_bytes);
                let broke_off = matches!(failure, Failure::Reset { .. });
                Err(Unanswered { failure, again: unsent || broke_off && message.is_harmless() })
            }
            Err(_) => {
                let failure = Failure::Timeout { phase: Phase::FirstByte };
                Err(Unanswered { failure, again: false })
            }
        }
    }

    pub(crate) fn is_http1(&self) -> bool {
        matches!(self.sender, Sender::Http1(_))
    }
}

impl Message<'_> {
    fn is_harmless(&self) -> bool {
        self.method == Method::Get
    }

    fn request(
        &self,
        http2: bool,
        absolute_form: bool,
    ) -> Result<hyper::Request<Full<Bytes>>, Failure> {
        let uri = match http2 || absolute_form {
            true => Uri::try_from(self.target.absolute()),
            false => Uri::try_from(self.target.path_and_query()),
        };
        let uri = uri.map_err(|e| Failure::BadUrl { detail: e.to_string() })?;
        let body = self.body.map(|b| Bytes::copy_from_slice(b.as_bytes())).unwrap_or_default();
        let mut request = hyper::Request::new(Full::new(body));
        *request.uri_mut() = uri;
        *request.method_mut() = match self.method {
            Method::Get => hyper::Method::GET,
            Method::Post => hyper::Method::POST,
        };
        let headers = request.headers_mut();
        headers.reserve(self.fields.len() + 1);
        for (name, value) in self.fields {
            // HTTP/2 says it as :authority.
            if !(http2 && *name == HOST) {
                headers.append(name, value.clone());
            }
        }
        if absolute_form && let Some(value) = &self.proxy_authorization {
            headers.insert(PROXY_AUTHORIZATION, value.clone());
        }
        Ok(request)
    }
}

//! Makes a connection: resolve and guard, dial, proxy, TLS, then the HTTP version
//! that both sides speak; all under one time limit.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use quarry_model::{Failure, Phase};

use crate::dial::dial;
use crate::failure::before_head;
use crate::guard::Guard;
use crate::proxy::{Kind, Proxy};
use crate::resolve::{Resolver, addresses_of};
use crate::settings::{FetchError, FetchSettings};
use crate::stream::Stream;
use crate::target::Target;
use crate::tls::{Peer, Tls};

/// What a stream of an HTTP/2 connection may send before we have taken it (the protocol's own
/// 64 KiB make every long body wait for round trips).
const HTTP2_STREAM_WINDOW: u32 = 1 << 20;
/// The same for all its streams.
const HTTP2_CONNECTION_WINDOW: u32 = 4 << 20;
/// Fields of a response head; some sites set dozens of cookies.
const MAX_HEADER_FIELDS: usize = 256;
/// hyper's smallest buffer.
const MIN_HEADER_BYTES: usize = 8 * 1024;

pub(crate) type Http1 = http1::SendRequest<Full<Bytes>>;
pub(crate) type Http2 = http2::SendRequest<Full<Bytes>>;

/// A connection that stands. Its other half runs as a task until both sides are done.
pub(crate) struct Connection {
    pub(crate) sender: Sender,
    /// The server's address, where we know it.
    pub(crate) remote: Option<IpAddr>,
    /// Whether requests name the whole address, because a proxy reads them.
    pub(crate) absolute_form: bool,
}

pub(crate) enum Sender {
    Http1(Http1),
    Http2(Http2),
}

pub(crate) struct Connector {
    resolver: Resolver,
    pub(crate) proxy: Option<Proxy>,
    tls: Tls,
    timeout: Duration,
    pub(crate) max_header_bytes: usize,
}

impl Connector {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Self, FetchError> {
        let guard = Guard::new(&settings.allowed_private_hosts);
        Ok(Self {
            resolver: Resolver::new(guard, &settings.resolve),
            proxy: settings.proxy.as_deref().map(Proxy::parse).transpose()?,
            tls: Tls::new(settings)?,
            timeout: settings.connect_timeout,
            max_header_bytes: settings.max_header_bytes.max(MIN_HEADER_BYTES),
        })
    }

    pub(crate) async fn connect(&self, target: &Target) -> Result<Connection, Failure> {
        match tokio::time::timeout(self.timeout, self.establish(target)).await {
            Ok(result) => result,
            Err(_) => Err(Failure::Timeout { phase: Phase::Connect }),
        }
    }

    async fn establish(&self, target: &Target) -> Result<Connection, Failure> {
        let (stream, remote) = match &self.proxy {
            None => {
                let stream = dial(&self.resolver.permitted(target).await?).await?;
                let remote = stream.peer_addr().ok().map(|a| a.ip());
                (Stream::Tcp(stream), remote)
            }
            Some(proxy) => self.through(proxy, target).await?,
        };
        let absolute_form =
            !target.https && self.proxy.as_ref().is_some_and(Proxy::takes_absolute_form);
        let stream = match target.https {
            false => stream,
            true => Stream::Tls(self.tls.wrap(stream, &target.host, Peer::Origin).await?),
        };
        let sender = match speaks_http2(&stream) {
            true => Sender::Http2(self.http2(stream).await?),
            false => Sender::Http1(self.http1(stream).await?),
        };
        Ok(Connection { sender, remote, absolute_form })
    }

    /// A stream to the proxy, and through it unless the proxy reads requests itself. The guard
    /// sees the target first: its address where we resolve it (SOCKS 5), a literal always, a name
    /// that the proxy resolves as far as our resolver knows it. A name is kept from our resolver
    /// where the user chose `socks5h`; then the proxy alone decides what it means.
    async fn through(
        &self,
        proxy: &Proxy,
        target: &Target,
    ) -> Result<(Stream, Option<IpAddr>), Failure> {
        let address = match proxy.kind {
            Kind::Socks5 => self.resolver.permitted(target).await?.first().copied(),
            Kind::Socks5h => self.resolver.screen(target, false).await.map(|()| None)?,
            Kind::Http | Kind::Https => self.resolver.screen(target, true).await.map(|()| None)?,
        };
        let tcp = dial(&addresses_of(&proxy.host, proxy.port).await?).await?;
        let mut stream = Stream::Tcp(tcp);
        if proxy.kind == Kind::Https {
            stream = Stream::Tls(self.tls.wrap(stream, &proxy.host, Peer::Proxy).await?);
        }
        if target.https || !proxy.takes_absolute_form() {
            proxy.tunnel(&mut stream, target, address).await?;
        }
        Ok((stream, address.map(|a| a.ip())))
    }

    async fn http1(&self, stream: Stream) -> Result<Http1, Failure> {
        let (sender, connection) = http1::Builder::new()
            .title_case_headers(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .allow_spaces_after_header_name_in_responses(true)
            .ignore_invalid_headers_in_responses(true)
            .max_headers(MAX_HEADER_FIELDS)
            .max_header_size(self.max_header_bytes)
            .max_buf_size(self.max_header_bytes.max(128 * 1024))
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|e| before_head(&e, self.max_header_bytes))?;
        // What goes wrong there is told to the request that is under way.
        tokio::spawn(async move { drop(connection.await) });
        Ok(sender)
    }

    async fn http2(&self, stream: Stream) -> Result<Http2, Failure> {
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(HTTP2_STREAM_WINDOW)
            .initial_connection_window_size(HTTP2_CONNECTION_WINDOW)
            .max_header_list_size(u32::try_from(self.max_header_bytes).unwrap_or(u32::MAX))
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|e| before_head(&e, self.max_header_bytes))?;
        tokio::spawn(async move { drop(connection.await) });
        Ok(sender)
    }
}

fn speaks_http2(stream: &Stream) -> bool {
    match stream {
        Stream::Tcp(_) => false,
        Stream::Tls(tls) => tls.get_ref().1.alpn_protocol() == Some(b"h2"),
    }
}

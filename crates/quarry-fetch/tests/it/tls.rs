//! Does https work, with HTTP/2 where the server speaks it, and only with those who prove who they
//! are?

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use quarry_fetch::{FetchError, FetchSettings, HttpFetcher};
use quarry_model::conformance::fetcher as suite;
use quarry_model::{Failure, Outcome, Request, Truncation};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use crate::server::{Server, failure, fetch, fetcher, get, local};

/// A certificate authority made for this run, and a server that it vouches for.
#[derive(Clone)]
pub(crate) struct Authority {
    pub(crate) pem: String,
    config: rustls::ServerConfig,
}

pub(crate) fn authority() -> Authority {
    static AUTHORITY: OnceLock<Authority> = OnceLock::new();
    AUTHORITY.get_or_init(make_authority).clone()
}

fn make_authority() -> Authority {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let names = ["127.0.0.1", "tls.test", "proxy.test"].map(str::to_owned);
    let leaf = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![leaf.der().clone()], key)
        .unwrap();
    Authority { pem: issuer.pem(), config }
}

/// Accepts TLS, offering `protocols`.
pub(crate) fn acceptor(protocols: &[&str]) -> TlsAcceptor {
    let mut config = authority().config;
    config.alpn_protocols = protocols.iter().map(|p| p.as_bytes().to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

pub(crate) fn trusting() -> FetchSettings {
    FetchSettings { extra_roots: authority().pem.into_bytes(), ..local() }
}

/// A web server with TLS: plays the fixtures of the suite, and some paths of its own.
pub(crate) async fn site(protocols: &'static [&'static str]) -> Server {
    let acceptor = acceptor(protocols);
    Server::start(move |stream: TcpStream| {
        let acceptor = acceptor.clone();
        async move {
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
            let io = TokioIo::new(stream);
            let service = service_fn(answer);
            if http2 {
                let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                let _ = builder.serve_connection(io, service).await;
            } else {
                let builder = hyper::server::conn::http1::Builder::new();
                let _ = builder.serve_connection(io, service).await;
            }
        }
    })
    .await
}

async fn answer(
    request: hyper::Request<hyper::body::Incoming>,
) -> Result<hyper::Response<Full<Bytes>>, Infallible> {
    let authority = match request.uri().authority() {
        Some(authority) => authority.to_string(),
        None => request.headers()["host"].to_str().unwrap().to_owned(),
    };
    let (method, path) = (request.method().to_string(), request.uri().path_and_query().cloned());
    let path = path.unwrap().to_string();
    let fields = format!("{:?}", request.headers());
    let body = request.into_body().collect().await.unwrap().to_bytes();
    if path == "/fields" && authority.starts_with("tls.test") {
        return Ok(hyper::Response::new(Full::from(fields)));
    }
    if path == "/large" {
        return Ok(hyper::Response::new(Full::from(vec![b'x'; 3 << 20])));
    }
    let url = format!("https://{authority}{path}");
    let site = suite::fixtures(&format!("https://{authority}"));
    let fixture = site.into_iter().find(|f| {
        f.request.method.as_str() == method
            && f.request.url == url
            && f.request.body.as_deref().unwrap_or("").as_bytes() == body
    });
    let mut response = hyper::Response::new(Full::from("nothing here"));
    *response.status_mut() = hyper::StatusCode::NOT_FOUND;
    if let Some(fixture) = fixture {
        *response.body_mut() = Full::from(fixture.response.body);
        *response.status_mut() = fixture.response.status.try_into().unwrap();
        for (name, value) in fixture.response.headers.0 {
            let name = hyper::header::HeaderName::try_from(name).unwrap();
            response.headers_mut().append(name, value.try_into().unwrap());
        }
    }
    Ok(response)
}

fn https(server: &Server, path: &str) -> String {
    format!("https://{}{path}", server.address)
}

#[tokio::test]
async fn http2_is_spoken_where_the_server_does() {
    let server = site(&["h2", "http/1.1"]).await;
    let fetcher = fetcher(trusting());
    let exchange = get(&fetcher, &https(&server, "/")).await;
    assert_eq!((exchange.response.status, &*exchange.response.version), (200, "HTTP/2.0"));
    assert_eq!(exchange.sent.get("host"), Some(&*server.address.to_string()));
    assert_eq!(exchange.remote, Some(server.address.ip()));
    suite::check(&fetcher, &https(&server, "")).await;
    assert_eq!(server.connections(), 1, "one connection carries it all");
}

#[tokio::test]
async fn http1_is_spoken_where_the_server_knows_no_other_or_the_user_wants_it() {
    let old = site(&[]).await;
    let fetcher_ = fetcher(trusting());
    assert_eq!(get(&fetcher_, &https(&old, "/")).await.response.version, "HTTP/1.1");
    suite::check(&fetcher_, &https(&old, "")).await;
    let new = site(&["h2", "http/1.1"]).await;
    let settings = FetchSettings { http2: false, ..trusting() };
    assert_eq!(get(&fetcher(settings), &https(&new, "/")).await.response.version, "HTTP/1.1");
}

#[tokio::test]
async fn http2_requests_share_a_connection() {
    let server = site(&["h2"]).await;
    let fetcher = Arc::new(fetcher(trusting()));
    get(&fetcher, &https(&server, "/")).await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (fetcher, url) = (Arc::clone(&fetcher), https(&server, "/large"));
        tasks.spawn(async move { get(&fetcher, &url).await.response.body.len() });
    }
    assert_eq!(tasks.join_all().await, [3 << 20; 16]);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn http2_bodies_are_cut_and_the_connection_lives_on() {
    let server = site(&["h2"]).await;
    let fetcher = fetcher(FetchSettings { max_body_bytes: 100_000, ..trusting() });
    for _ in 0..3 {
        let response = get(&fetcher, &https(&server, "/large")).await.response;
        assert_eq!(response.truncated, Some(Truncation::Length));
        assert_eq!(response.body.len(), 100_000);
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn http2_sends_the_same_fields() {
    let server = site(&["h2"]).await;
    let settings = FetchSettings {
        resolve: [("tls.test".to_owned(), vec![server.address.ip()])].into(),
        allowed_private_hosts: ["tls.test".to_owned()].into(),
        ..trusting()
    };
    let url = format!("https://tls.test:{}/fields", server.address.port());
    let exchange = get(&fetcher(settings), &url).await;
    let seen = String::from_utf8(exchange.response.body).unwrap();
    for name in ["user-agent", "accept", "accept-encoding"] {
        assert!(seen.contains(exchange.sent.get(name).unwrap()), "{name} in {seen}");
    }
    assert!(!seen.contains("\"host\""), "{seen}");
}

#[tokio::test]
async fn http2_that_goes_away_is_connected_anew() {
    let acceptor = acceptor(&["h2"]);
    let server = Server::start(move |stream: TcpStream| {
        let acceptor = acceptor.clone();
        async move {
            let stream = acceptor.accept(stream).await.unwrap();
            let (done, wait) = tokio::sync::oneshot::channel::<()>();
            let done = std::sync::Mutex::new(Some(done));
            let service = service_fn(|request| {
                drop(done.lock().unwrap().take());
                answer(request)
            });
            let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            let mut connection =
                std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = wait => connection.as_mut().graceful_shutdown(),
            }
            let _ = connection.await;
        }
    })
    .await;
    let fetcher = fetcher(trusting());
    for _ in 0..3 {
        assert_eq!(get(&fetcher, &https(&server, "/")).await.response.status, 200);
    }
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn strangers_are_refused() {
    let server = site(&["h2"]).await;
    // Nobody vouches for it: the authority is unknown, or there is none at all.
    let stranger = failure(&fetcher(local()), &https(&server, "/")).await;
    assert!(matches!(stranger, Failure::Tls { .. }), "{stranger:?}");
    // Somebody else's certificate.
    let settings = FetchSettings {
        resolve: [("other.test".to_owned(), vec![server.address.ip()])].into(),
        allowed_private_hosts: ["other.test".to_owned()].into(),
        ..trusting()
    };
    let url = format!("https://other.test:{}/", server.address.port());
    let other = failure(&fetcher(settings), &url).await;
    assert!(matches!(other, Failure::Tls { .. }), "{other:?}");
    // Gone before the handshake.
    let gone = Server::start(|stream| async move { drop(stream) }).await;
    let failure = failure(&fetcher(trusting()), &https(&gone, "/")).await;
    assert!(matches!(failure, Failure::Reset { .. }), "{failure:?}");
}

#[tokio::test]
async fn plain_http_on_an_https_port_is_a_tls_failure() {
    let server = Server::start(|mut stream| async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let mut hello = [0; 64];
        let _ = stream.read(&mut hello).await;
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n").await;
        let _ = stream.read(&mut hello).await;
    })
    .await;
    let fetched = fetch(&fetcher(trusting()), &Request::get(https(&server, "/"))).await;
    assert!(matches!(fetched.outcome, Outcome::Failed(Failure::Tls { .. })), "{fetched:?}");
}

#[test]
fn extra_roots_must_be_certificates() {
    let no_certificate = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec();
    for extra_roots in [b"no PEM".to_vec(), no_certificate] {
        let settings = FetchSettings { extra_roots, ..FetchSettings::default() };
        let error = HttpFetcher::new(settings).err().expect("refused");
        assert!(matches!(error, FetchError::BadRoots { .. }), "{error}");
    }
}

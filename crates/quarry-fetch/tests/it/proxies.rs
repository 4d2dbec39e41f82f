//! Do requests go through the proxy that the user set, and does the guard still see them?

use std::net::{IpAddr, SocketAddr};

use quarry_fetch::{FetchError, FetchSettings, HttpFetcher};
use quarry_model::Failure;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

use crate::server::{Server, failure, fetcher, get, ok, read_request};
use crate::tls::{acceptor, authority, site};

/// An address that is public as far as the guard knows; the proxies here connect elsewhere.
const PUBLIC: &str = "93.184.215.14";

/// Settings for `tls.test` and `plain.test`, which are public, through a proxy.
fn through(proxy: String) -> FetchSettings {
    let public: Vec<IpAddr> = vec![PUBLIC.parse().unwrap()];
    let hosts = ["tls.test", "plain.test"];
    FetchSettings {
        proxy: Some(proxy),
        resolve: hosts.map(|host| (host.to_owned(), public.clone())).into(),
        extra_roots: authority().pem.into_bytes(),
        ..FetchSettings::default()
    }
}

/// Serves one connection to an HTTP proxy: `CONNECT` goes to `upstream`, anything else is shown.
async fn http_proxy<S: AsyncRead + AsyncWrite + Unpin>(mut client: S, upstream: SocketAddr) {
    while let Some(received) = read_request(&mut client).await {
        if received.method != "CONNECT" {
            let _ = client.write_all(&ok(&received.head)).await;
            let _ = client.flush().await;
            continue;
        }
        if !received.head.contains("Proxy-Authorization: Basic bWU6cEBzcw==") {
            let answer = b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n";
            let _ = client.write_all(answer).await;
            let _ = client.flush().await;
            return;
        }
        if !received.path.starts_with("tls.test:") {
            let _ = client.write_all(b"HTTP/1.1 502 Bad Gateway\r\n\r\n").await;
            let _ = client.flush().await;
            return;
        }
        let mut server = TcpStream::connect(upstream).await.unwrap();
        let _ = client.write_all(b"HTTP/1.1 200 Connected\r\nVia: test\r\n\r\n").await;
        let _ = client.flush().await;
        let _ = copy_bidirectional(&mut client, &mut server).await;
        return;
    }
}

#[tokio::test]
async fn an_http_proxy_reads_http_and_tunnels_https() {
    let upstream = site(&["h2"]).await;
    let address = upstream.address;
    let proxy = Server::start(move |stream| http_proxy(stream, address)).await;
    let fetcher_ = fetcher(through(format!("http://me:p%40ss@{}", proxy.address)));

    let exchange = get(&fetcher_, "http://plain.test/a?b").await;
    let seen = String::from_utf8(exchange.response.body).unwrap();
    assert!(
        seen.starts_with("GET http://plain.test/a?b HTTP/1.1\r\nHost: plain.test\r\n"),
        "{seen}"
    );
    assert!(seen.contains("Proxy-Authorization: Basic bWU6cEBzcw=="), "{seen}");
    assert_eq!(exchange.sent.get("proxy-authorization"), None, "the archive does not learn it");
    assert_eq!(exchange.remote, None, "who answered the proxy is not known");

    let exchange = get(&fetcher_, "https://tls.test/").await;
    assert_eq!((exchange.response.status, &*exchange.response.version), (200, "HTTP/2.0"));
    assert_eq!(upstream.connections(), 1);

    let no_login = fetcher(through(proxy.address.to_string()));
    let refused = failure(&no_login, "https://tls.test/").await;
    assert!(matches!(&refused, Failure::Connect { detail } if detail.contains("407")), "{refused}");
    let refused = failure(&fetcher_, "https://plain.test/").await;
    assert!(matches!(&refused, Failure::Connect { detail } if detail.contains("502")), "{refused}");
}

#[tokio::test]
async fn an_https_proxy_is_spoken_to_over_tls() {
    let upstream = site(&["h2"]).await;
    let address = upstream.address;
    let acceptor = acceptor(&["http/1.1"]);
    let proxy = Server::start(move |stream| {
        let acceptor = acceptor.clone();
        async move {
            if let Ok(stream) = acceptor.accept(stream).await {
                http_proxy(stream, address).await;
            }
        }
    })
    .await;
    let fetcher = fetcher(through(format!("https://me:p%40ss@{}", proxy.address)));
    let exchange = get(&fetcher, "https://tls.test/").await;
    assert_eq!((exchange.response.status, &*exchange.response.version), (200, "HTTP/2.0"));
    let exchange = get(&fetcher, "http://plain.test/").await;
    assert!(exchange.response.body.starts_with(b"GET http://plain.test/ HTTP/1.1"));
}

/// Serves one connection to a SOCKS 5 proxy that wants a login; the answer is what it was asked
/// for, or a tunnel to `upstream` for port 443.
async fn socks_proxy(mut client: TcpStream, upstream: SocketAddr) {
    async fn read(client: &mut TcpStream, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        client.read_exact(&mut bytes).await.unwrap();
        bytes
    }
    assert_eq!(read(&mut client, 4).await, [5, 2, 0, 2]);
    client.write_all(&[5, 2]).await.unwrap();
    assert_eq!(read(&mut client, 9).await, b"\x01\x02me\x04p@ss");
    client.write_all(&[1, 0]).await.unwrap();
    let head = read(&mut client, 4).await;
    assert_eq!(head[..3], [5, 1, 0]);
    let asked = match head[3] {
        1 => {
            let ip: [u8; 4] = read(&mut client, 4).await.try_into().unwrap();
            IpAddr::from(ip).to_string()
        }
        3 => {
            let length = read(&mut client, 1).await[0];
            String::from_utf8(read(&mut client, length.into()).await).unwrap()
        }
        other => panic!("address type {other}"),
    };
    let port = u16::from_be_bytes(read(&mut client, 2).await.try_into().unwrap());
    if port == 1 {
        client.write_all(&[5, 5, 0, 1, 0, 0, 0, 0, 0, 0]).await.unwrap();
        return;
    }
    client.write_all(&[5, 0, 0, 3, 2, b'o', b'k', 0, 0]).await.unwrap();
    if port == 443 {
        let mut server = TcpStream::connect(upstream).await.unwrap();
        let _ = copy_bidirectional(&mut client, &mut server).await;
        return;
    }
    let received = read_request(&mut client).await.unwrap();
    let _ = client.write_all(&ok(&format!("{asked} {}", received.path))).await;
}

#[tokio::test]
async fn a_socks_proxy_gets_the_address_or_the_name() {
    let upstream = site(&["h2"]).await;
    let address = upstream.address;
    let proxy = Server::start(move |stream| socks_proxy(stream, address)).await;
    for (scheme, asked, remote) in
        [("socks5", PUBLIC, Some(PUBLIC.parse().unwrap())), ("socks5h", "plain.test", None)]
    {
        let fetcher = fetcher(through(format!("{scheme}://me:p%40ss@{}", proxy.address)));
        let exchange = get(&fetcher, "http://plain.test/path").await;
        let body = String::from_utf8(exchange.response.body).unwrap();
        assert_eq!(body, format!("{asked} /path"), "{scheme}");
        assert_eq!(exchange.remote, remote, "{scheme}");
        let exchange = get(&fetcher, "https://tls.test/").await;
        assert_eq!((exchange.response.status, &*exchange.response.version), (200, "HTTP/2.0"));
        let refused = failure(&fetcher, "http://plain.test:1/").await;
        let expect = "the proxy refused: connection refused".to_owned();
        assert_eq!(refused, Failure::Connect { detail: expect }, "{scheme}");
    }
}

#[tokio::test]
async fn the_guard_looks_through_proxies() {
    let proxy = Server::start(|_| async { panic!("nobody should come here") }).await;
    for scheme in ["http", "https", "socks5", "socks5h"] {
        let mut settings = through(format!("{scheme}://{}", proxy.address));
        settings.resolve.insert("inside.test".to_owned(), vec!["10.0.0.1".parse().unwrap()]);
        let fetcher = fetcher(settings);
        for url in [
            "http://127.0.0.1/",
            "https://[::1]/",
            "http://169.254.169.254/latest",
            "http://localhost/",
            "https://inside.test/",
        ] {
            let failure = failure(&fetcher, url).await;
            assert!(
                matches!(failure, Failure::PrivateAddress { .. }),
                "{scheme} {url} {failure:?}"
            );
        }
    }
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_proxy_that_speaks_nonsense_is_a_connect_failure() {
    for scheme in ["http", "socks5"] {
        let proxy = Server::start(|mut stream| async move {
            let _ = stream.write_all(b"220 mail.test ESMTP\r\n\r\n").await;
            let _ = stream.read(&mut [0; 512]).await;
        })
        .await;
        let fetcher = fetcher(through(format!("{scheme}://{}", proxy.address)));
        let failure = failure(&fetcher, "https://tls.test/").await;
        assert!(matches!(failure, Failure::Connect { .. }), "{scheme}: {failure:?}");
    }
}

#[test]
fn odd_proxies_are_refused() {
    for proxy in ["ftp://host", "http://", "socks4://host:1", "http://a b"] {
        let settings = FetchSettings { proxy: Some(proxy.to_owned()), ..FetchSettings::default() };
        let error = HttpFetcher::new(settings).err().expect("refused");
        assert!(matches!(error, FetchError::BadProxy { .. }), "{error}");
    }
}

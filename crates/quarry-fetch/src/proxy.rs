//! Connects through a proxy: HTTP `CONNECT` (RFC 9110 §9.3.6) and SOCKS 5
//! (RFC 1928, RFC 1929).

use std::net::{IpAddr, SocketAddr};

use data_encoding::BASE64;
use http::HeaderValue;
use quarry_model::Failure;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

use crate::settings::FetchError;
use crate::stream::Stream;
use crate::target::Target;

/// More than this in an answer to `CONNECT` is nonsense.
const MAX_ANSWER: usize = 16 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Http,
    Https,
    /// We resolve names.
    Socks5,
    /// The proxy resolves names.
    Socks5h,
}

/// A proxy that the user set.
#[derive(Clone)]
pub(crate) struct Proxy {
    pub(crate) kind: Kind,
    pub(crate) host: String,
    pub(crate) port: u16,
    login: Option<(String, String)>,
}

impl Proxy {
    /// As users write it: an address, or just `host:port` for an HTTP proxy.
    pub(crate) fn parse(text: &str) -> Result<Self, FetchError> {
        let with_scheme =
            if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let bad = |reason: &str| FetchError::BadProxy {
            proxy: without_login(text),
            reason: reason.to_owned(),
        };
        let url = Url::parse(&with_scheme).map_err(|e| bad(&e.to_string()))?;
        let (kind, port) = match url.scheme() {
            "http" => (Kind::Http, 80),
            "https" => (Kind::Https, 443),
            "socks5" => (Kind::Socks5, 1080),
            "socks5h" => (Kind::Socks5h, 1080),
            other => return Err(bad(&format!("unknown scheme {other}"))),
        };
        let host = url.host_str().filter(|h| !h.is_empty()).ok_or_else(|| bad("no host in it"))?;
        let host = crate::guard::normalise(host);
        let login = (!url.username().is_empty() || url.password().is_some())
            .then(|| login_of(&url).ok_or_else(|| bad("odd escapes in user name or password")))
            .transpose()?;
        if let Some((user, password)) = &login
            && (user.len() > 255 || password.len() > 255)
        {
            return Err(bad("user name or password longer than 255 bytes"));
        }
        Ok(Self { kind, host, port: url.port().unwrap_or(port), login })
    }

    /// The `Proxy-Authorization` field, for an HTTP proxy that wants one.
    pub(crate) fn authorization(&self) -> Option<HeaderValue> {
        self.login.as_ref().map(|(user, password)| basic(user, password))
    }

    /// Whether plain http requests go to the proxy itself, in absolute form.
    pub(crate) fn takes_absolute_form(&self) -> bool {
        matches!(self.kind, Kind::Http | Kind::Https)
    }

    /// Has the proxy connect `stream` to `target`; for SOCKS with names resolved here, to
    /// `address`.
    pub(crate) async fn tunnel(
        &self,
        stream: &mut Stream,
        target: &Target,
        address: Option<SocketAddr>,
    ) -> Result<(), Failure> {
        match self.kind {
            Kind::Http | Kind::Https => self.connect_method(stream, target).await,
            Kind::Socks5 | Kind::Socks5h => self.socks(stream, target, address).await,
        }
    }

    async fn connect_method(&self, stream: &mut Stream, target: &Target) -> Result<(), Failure> {
        let host = target.url.host_str().unwrap_or_default();
        let port = target.port;
        let mut head = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n");
        if let Some(value) = self.authorization() {
            let value = value.to_str().expect("base 64 is text").to_owned();
            head.push_str(&format!("Proxy-Authorization: {value}\r\n"));
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await.map_err(broke_off)?;
        stream.flush().await.map_err(broke_off)?;

        // The server behind a tunnel waits for us to speak, so nothing follows the head.
        let mut answer = Vec::with_capacity(512);
        while !answer.windows(4).any(|w| w == b"\r\n\r\n") {
            let read = stream.read_buf(&mut answer).await.map_err(broke_off)?;
            if read == 0 || answer.len() > MAX_ANSWER {
                return Err(refused("its answer is not HTTP".to_owned()));
            }
        }
        let line = String::from_utf8_lossy(answer.split(|&b| b == b'\r').next().unwrap_or(b""));
        let status = line
            .strip_prefix("HTTP/1.")
            .and_then(|rest| rest.split(' ').nth(1))
            .and_then(|status| status.parse::<u16>().ok());
        match status {
            Some(200..=299) => Ok(()),
            Some(407) => Err(refused("it wants a user name and password (407)".to_owned())),
            Some(_) => Err(refused(line.into_owned())),
            None => Err(refused("its answer is not HTTP".to_owned())),
        }
    }

    async fn socks(
        &self,
        stream: &mut Stream,
        target: &Target,
        address: Option<SocketAddr>,
    ) -> Result<(), Failure> {
        let greeting: &[u8] = if self.login.is_some() { &[5, 2, 0, 2] } else { &[5, 1, 0] };
        stream.write_all(greeting).await.map_err(broke_off)?;
        stream.flush().await.map_err(broke_off)?;
        match (read::<2>(stream).await?, &self.login) {
            ([5, 0], _) => {}
            ([5, 2], Some((user, password))) => {
                let mut message = vec![1, user.len() as u8];
                message.extend_from_slice(user.as_bytes());
                message.push(password.len() as u8);
                message.extend_from_slice(password.as_bytes());
                stream.write_all(&message).await.map_err(broke_off)?;
                stream.flush().await.map_err(broke_off)?;
                if read::<2>(stream).await?[1] != 0 {
                    return Err(refused("wrong user name or password".to_owned()));
                }
            }
            ([5, 0xff], _) => return Err(refused("it wants another way to log in".to_owned())),
            _ => return Err(refused("its answer is not SOCKS 5".to_owned())),
        }

        let mut message = vec![5, 1, 0];
        let literal = address.map(|a| a.ip()).or_else(|| target.host.parse().ok());
        match literal {
            Some(IpAddr::V4(ip)) => {
                message.push(1);
                message.extend_from_slice(&ip.octets());
            }
            Some(IpAddr::V6(ip)) => {
                message.push(4);
                message.extend_from_slice(&ip.octets());
            }
            None => {
                let length = u8::try_from(target.host.len())
                    .map_err(|_| refused("the host name is too long for it".to_owned()))?;
                message.extend_from_slice(&[3, length]);
                message.extend_from_slice(target.host.as_bytes());
            }
        }
        message.extend_from_slice(&target.port.to_be_bytes());
        stream.write_all(&message).await.map_err(broke_off)?;
        stream.flush().await.map_err(broke_off)?;

        let [version, reply, _, kind] = read::<4>(stream).await?;
        if version != 5 {
            return Err(refused("its answer is not SOCKS 5".to_owned()));
        }
        if reply != 0 {
            return Err(refused(socks_reply(reply).to_owned()));
        }
        // The address that the proxy connects from, which nobody needs.
        let length = match kind {
            1 => 4,
            4 => 16,
            3 => usize::from(read::<1>(stream).await?[0]),
            _ => return Err(refused("its answer is not SOCKS 5".to_owned())),
        };
        let mut bound = vec![0; length + 2];
        stream.read_exact(&mut bound).await.map_err(broke_off)?;
        Ok(())
    }
}

/// `Basic` credentials, marked as a secret.
pub(crate) fn basic(user: &str, password: &str) -> HeaderValue {
    let login = BASE64.encode(format!("{user}:{password}").as_bytes());
    let mut value =
        HeaderValue::from_str(&format!("Basic {login}")).expect("base 64 fits in a header field");
    value.set_sensitive(true);
    value
}

/// User name and password of an address, percent-decoded.
pub(crate) fn login_of(url: &Url) -> Option<(String, String)> {
    Some((percent_decode(url.username())?, percent_decode(url.password().unwrap_or(""))?))
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

/// The proxy as an error may show it.
fn without_login(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((before, host)) => {
            let scheme = before.split_once("://").map_or("", |(scheme, _)| scheme);
            format!("{scheme}{}…@{host}", if scheme.is_empty() { "" } else { "://" })
        }
        None => text.to_owned(),
    }
}

async fn read<const N: usize>(stream: &mut Stream) -> Result<[u8; N], Failure> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await.map_err(broke_off)?;
    Ok(bytes)
}

fn refused(detail: String) -> Failure {
    Failure::Connect { detail: format!("the proxy refused: {detail}") }
}

fn broke_off(error: std::io::Error) -> Failure {
    Failure::Connect { detail: format!("the proxy broke off: {error}") }
}

fn socks_reply(reply: u8) -> &'static str {
    match reply {
        1 => "general failure",
        2 => "not allowed by its rules",
        3 => "network unreachable",
        4 => "host unreachable",
        5 => "connection refused",
        6 => "time to live expired",
        7 => "command not supported",
        8 => "address type not supported",
        _ => "unknown reason",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_proxies() {
        fn check(text: &str, expect: (Kind, &str, u16, Option<(&str, &str)>)) {
            let p = Proxy::parse(text).unwrap();
            let login = p.login.as_ref().map(|(u, p)| (u.as_str(), p.as_str()));
            assert_eq!((p.kind, p.host.as_str(), p.port, login), expect, "{text}");
        }
        check("proxy.test:3128", (Kind::Http, "proxy.test", 3128, None));
        check("http://proxy.test", (Kind::Http, "proxy.test", 80, None));
        check("https://proxy.test", (Kind::Https, "proxy.test", 443, None));
        check("socks5://[::1]", (Kind::Socks5, "::1", 1080, None));
        check("socks5h://a:b%40c@p.test:9", (Kind::Socks5h, "p.test", 9, Some(("a", "b@c"))));
    }

    #[test]
    fn errors_keep_the_password_back() {
        for text in ["ftp://me:secret@proxy.test", "me:secret@:x", "http://me:sec%ret@p.test"] {
            let error = Proxy::parse(text).err().expect("not a proxy").to_string();
            assert!(!error.contains("sec"), "{error}");
        }
    }
}

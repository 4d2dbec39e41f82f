//! Settings of the fetcher, and the errors of wrong ones.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::time::Duration;

/// How to fetch. Every limit is finite.
#[derive(Debug, Clone)]
pub struct FetchSettings {
    /// Who we say we are. Default: `quarry/` and the version.
    pub user_agent: String,
    /// Further header fields for every request; they replace our own of the same name. Secrets
    /// (`Authorization`, `Cookie`) do not follow a redirect to another host. Default: none.
    pub headers: Vec<(String, String)>,
    /// The hosts (`host`) or origins (`https://host:port`) that get the secrets among `headers`. Empty
    /// (the default): every host that is asked directly.
    pub credential_hosts: BTreeSet<String>,
    /// User names and passwords by origin (`https://host:port`), for basic authentication there and
    /// nowhere else. Default: none.
    pub logins: BTreeMap<String, (String, String)>,
    /// `http://`, `https://`, `socks5://` (we resolve names) or `socks5h://` (the proxy resolves
    /// them), with `user:password@` where it wants that. Default: none.
    pub proxy: Option<String>,
    /// Until the connection stands: name resolution, TCP, proxy, TLS. Default: 10 s.
    pub connect_timeout: Duration,
    /// From sending the request until the response head is there. Default: 30 s.
    pub first_byte_timeout: Duration,
    /// From the head until the end of the body; what came until then is kept. Default: 60 s.
    pub body_timeout: Duration,
    /// Between two pieces of a body; what came until then is kept. Default: 20 s.
    pub stall_timeout: Duration,
    /// Bytes of a body, both as sent and decoded; what is beyond is cut. Default: 16 MiB.
    pub max_body_bytes: usize,
    /// Bytes of a response head; at least 8 KiB are always allowed. Default: 64 KiB.
    pub max_header_bytes: usize,
    /// How many redirects to follow. Default: 10.
    pub max_redirects: u32,
    /// The hosts (`host` or `host:port`) that the user named: they may be at private addresses, if
    /// they are there when they are first resolved. Default: none.
    pub allowed_private_hosts: BTreeSet<String>,
    /// Addresses of hosts, instead of asking the resolver (as curl's `--resolve`); the guard against
    /// private addresses sees these, too. Default: none.
    pub resolve: BTreeMap<String, Vec<IpAddr>>,
    /// Certificates in PEM form to trust besides those of the system. Default: none.
    pub extra_roots: Vec<u8>,
    /// Whether to offer HTTP/2 to https servers. Default: yes.
    pub http2: bool,
    /// Whether to keep cookies, in memory, each site for itself. Default: yes.
    pub cookies: bool,
    /// Idle connections to keep for one host: as many as requests will be under way there at once.
    /// Default: 16.
    pub max_idle_per_host: usize,
    /// Idle connections to keep in all. Default: 256.
    pub max_idle: usize,
    /// How long an idle connection is worth trying again. Default: 30 s.
    pub idle_timeout: Duration,
}

impl Default for FetchSettings {
    fn default() -> Self {
        Self {
            user_agent: concat!("quarry/", env!("CARGO_PKG_VERSION")).to_owned(),
            headers: Vec::new(),
            credential_hosts: BTreeSet::new(),
            logins: BTreeMap::new(),
            proxy: None,
            connect_timeout: Duration::from_secs(10),
            first_byte_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(60),
            stall_timeout: Duration::from_secs(20),
            max_body_bytes: 16 << 20,
            max_header_bytes: 64 << 10,
            max_redirects: 10,
            allowed_private_hosts: BTreeSet::new(),
            resolve: BTreeMap::new(),
            extra_roots: Vec::new(),
            http2: true,
            cookies: true,
            max_idle_per_host: 16,
            max_idle: 256,
            idle_timeout: Duration::from_secs(30),
        }
    }
}

/// What is wrong with the settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// A header field that cannot be sent.
    #[error("the header field {name:?} cannot be sent: {reason}")]
    BadHeader {
        /// Its name.
        name: String,
        /// What is wrong, never its value.
        reason: &'static str,
    },
    /// A proxy that cannot be used.
    #[error(
        "the proxy {proxy:?} cannot be used: {reason}; write it as http://host:port, \
         https://host:port, socks5://host:port or socks5h://host:port"
    )]
    BadProxy {
        /// The proxy, without its password.
        proxy: String,
        /// What is wrong.
        reason: String,
    },
    /// Certificates that cannot be read.
    #[error("the extra root certificates cannot be used: {reason}; give certificates in PEM form")]
    BadRoots {
        /// What is wrong.
        reason: String,
    },
}

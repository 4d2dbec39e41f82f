//! Serves a site: one small HTTP/1.1 server on loopback, in a thread of its
//! own. It speaks HTTP by hand, because half of what it is for is speaking it wrongly.

mod connection;
mod log;
mod socks;
mod wire;

pub use log::LogLine;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::site::{Site, SiteRequest, SiteResponse};
use crate::web::TestWeb;

/// A site that is being served. It stops when dropped.
///
/// ```
/// use quarry_testsite::{Server, Site, SiteSpec};
/// let site = Site::generate(SiteSpec { entities: 10, ..SiteSpec::default() });
/// let server = Server::start(site, None).unwrap();
/// assert!(server.url().starts_with("http://127.0.0.1:"));
/// assert_eq!(server.requests(), 0);
/// ```
#[derive(Debug)]
pub struct Server {
    server: Running,
    site: Arc<RwLock<Arc<Site>>>,
}

/// A web that is being served: every host at one address, which also speaks SOCKS 5, so that a client reaches hosts by
/// name through it as a proxy (`socks5h://…`). It stops when dropped.
#[derive(Debug)]
pub struct WebServer {
    server: Running,
    web: Arc<TestWeb>,
}

/// A server at work.
#[derive(Debug)]
struct Running {
    url: String,
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What is served.
#[derive(Debug)]
enum Content {
    Site(Arc<RwLock<Arc<Site>>>),
    Web(Arc<TestWeb>),
}

/// What connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    content: Content,
    count: AtomicU64,
    attempts: Mutex<BTreeMap<String, u32>>,
    log: Mutex<Log>,
}

#[derive(Debug, Default)]
struct Log {
    lines: Vec<LogLine>,
    file: Option<BufWriter<File>>,
}

impl Shared {
    /// Answers a request and counts it.
    pub(crate) fn answer(&self, mut request: SiteRequest) -> (SiteRequest, SiteResponse) {
        request.count = self.count.fetch_add(1, Ordering::Relaxed);
        let site = match &self.content {
            Content::Site(site) => Arc::clone(&site.read().unwrap_or_else(PoisonError::into_inner)),
            Content::Web(web) => {
                let response = web.respond(&request);
                return (request, response);
            }
        };
        if site.spec().faults.counts_attempts() {
            let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
            let n = attempts.entry(request.target.clone()).or_default();
            *n += 1;
            request.attempt = *n;
        }
        let response = site.respond(&request);
        (request, response)
    }

    /// Whether hosts are told apart by name.
    pub(crate) fn has_hosts(&self) -> bool {
        matches!(self.content, Content::Web(_))
    }

    pub(crate) fn write(&self, line: LogLine) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &mut log.file {
            // A full disk must not stop the site; the lines are in memory too.
            let _ = writeln!(file, "{line}").and_then(|()| file.flush());
        }
        log.lines.push(line);
    }
}

impl Server {
    /// Serves a site at an address; by default at a free port of 127.0.0.1.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub fn start(site: Site, address: Option<SocketAddr>) -> io::Result<Self> {
        Self::launch(site, address, None)
    }

    /// The same, with the access log written to a file as well.
    ///
    /// # Errors
    /// When the address or the file cannot be had.
    pub fn start_logging(
        site: Site,
        address: Option<SocketAddr>,
        access_log: &Path,
    ) -> io::Result<Self> {
        Self::launch(site, address, Some(BufWriter::new(File::create(access_log)?)))
    }

    fn launch(
        site: Site,
        address: Option<SocketAddr>,
        file: Option<BufWriter<File>>,
    ) -> io::Result<Self> {
        let site = Arc::new(RwLock::new(Arc::new(site)));
        let server = Running::launch(Content::Site(Arc::clone(&site)), address, file)?;
        Ok(Self { server, site })
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// The site as it is now.
    #[must_use]
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.site.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Puts another site in its place, as after a redesign; address, counts and log go on.
    pub fn replace(&self, site: Site) {
        *self.site.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(site);
    }

    /// Requests so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.server.requests()
    }

    /// The access log so far.
    #[must_use]
    pub fn log(&self) -> Vec<LogLine> {
        self.server.log()
    }

    /// The requests that stepped into a trap.
    #[must_use]
    pub fn violations(&self) -> Vec<LogLine> {
        self.server.log().into_iter().filter(|line| line.violation.is_some()).collect()
    }
}

impl WebServer {
    /// Serves a web at an address; by default at a free port of 127.0.0.1.
    ///
    /// # Errors
    /// When the address cannot be had.
    pub fn start(web: TestWeb, address: Option<SocketAddr>) -> io::Result<Self> {
        Self::launch(web, address, None)
    }

    /// The same, with the access log written to a file as well.
    ///
    /// # Errors
    /// When the address or the file cannot be had.
    pub fn start_logging(
        web: TestWeb,
        address: Option<SocketAddr>,
        access_log: &Path,
    ) -> io::Result<Self> {
        Self::launch(web, address, Some(BufWriter::new(File::create(access_log)?)))
    }

    fn launch(
        web: TestWeb,
        address: Option<SocketAddr>,
        file: Option<BufWriter<File>>,
    ) -> io::Result<Self> {
        let web = Arc::new(web);
        let server = Running::launch(Content::Web(Arc::clone(&web)), address, file)?;
        Ok(Self { server, web })
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end: the search engine.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.server.url
    }

    /// `socks5h://127.0.0.1:PORT`: the proxy through which hosts are reached by name.
    #[must_use]
    pub fn proxy(&self) -> String {
        format!("socks5h://{}", self.server.address)
    }

    /// The web.
    #[must_use]
    pub fn web(&self) -> &TestWeb {
        &self.web
    }

    /// Requests so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.server.requests()
    }

    /// The access log so far; targets are whole addresses.
    #[must_use]
    pub fn log(&self) -> Vec<LogLine> {
        self.server.log()
    }
}

impl Running {
    fn launch(
        content: Content,
        address: Option<SocketAddr>,
        file: Option<BufWriter<File>>,
    ) -> io::Result<Self> {
        let address = address.unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            content,
            count: AtomicU64::new(0),
            attempts: Mutex::default(),
            log: Mutex::new(Log { lines: Vec::new(), file }),
        });
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("testsite".to_owned()).spawn(move || {
            runtime.block_on(serve(listener, for_thread, stopped));
            runtime.shutdown_background();
        })?;
        let url = format!("http://{address}");
        Ok(Self { url, address, shared, stop: Some(stop), thread: Some(thread) })
    }

    fn requests(&self) -> u64 {
        self.shared.count.load(Ordering::Relaxed)
    }

    fn log(&self) -> Vec<LogLine> {
        self.shared.log.lock().unwrap_or_else(PoisonError::into_inner).lines.clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may have ended already.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

async fn serve(
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
    mut stopped: oneshot::Receiver<()>,
) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            accepted = listener.accept() => {
                // A failed accept concerns one client only.
                if let Ok((stream, _)) = accepted {
                    let _ = stream.set_nodelay(true);
                    tokio::spawn(connection::converse(stream, Arc::clone(&shared)));
                }
            }
        }
    }
}

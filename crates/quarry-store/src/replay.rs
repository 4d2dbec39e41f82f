//! Replays an archive: a [`Fetcher`] that answers from an archive: a project, or WARC
//! files of whoever wrote them.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use quarry_model::{
    Exchange, Failure, Fetched, Fetcher, Method, Outcome, PageStore, Request, Validators,
};
use url::Url;

use crate::catalog::Catalog;
use crate::warc::{ReadLimits, WarcIssue};
use crate::{Project, StoreError, StoreSettings};

/// Answers requests from an archive. What it does not hold fails with [`Failure::NotArchived`].
pub struct ReplayFetcher {
    archive: Archive,
    /// A chain of more redirects than this fails. 10, as over HTTP.
    pub max_redirects: u32,
}

enum Archive {
    /// Its connection serves one request at a time.
    Project(Box<Mutex<Project>>),
    Files(Catalog),
}

impl ReplayFetcher {
    /// Answers from a project folder, also while it is being written.
    pub fn from_project(dir: &Path) -> Result<Self, StoreError> {
        let project = Project::open_read_only(dir, &StoreSettings::default())?;
        Ok(Self { archive: Archive::Project(Box::new(Mutex::new(project))), max_redirects: 10 })
    }

    /// Answers from WARC files, which are read through once.
    pub fn from_warc(files: &[PathBuf], limits: &ReadLimits) -> Result<Self, StoreError> {
        let catalog = Catalog::scan(files, limits)?;
        Ok(Self { archive: Archive::Files(catalog), max_redirects: 10 })
    }

    /// What was wrong with the files.
    #[must_use]
    pub fn issues(&self) -> &[WarcIssue] {
        match &self.archive {
            Archive::Project(_) => &[],
            Archive::Files(catalog) => &catalog.issues,
        }
    }

    /// The newest answer to a request, if there is one.
    pub fn find(&self, request: &Request) -> Result<Option<Exchange>, StoreError> {
        let key = request.key();
        match &self.archive {
            Archive::Project(project) => {
                let project = project.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                project.find_capture(&key)?.map(|row| project.read(&row)).transpose()
            }
            Archive::Files(catalog) => {
                catalog.find(&key).map(|capture| catalog.read(capture)).transpose()
            }
        }
    }

    fn answer(&self, request: &Request, may_follow: &dyn Fn(&str) -> bool) -> Fetched {
        let mut hops: Vec<Exchange> = Vec::new();
        let mut request = request.clone();
        loop {
            if let Err(detail) = web_address(&request.url) {
                return failed(hops, Failure::BadUrl { detail });
            }
            let exchange = match self.find(&request) {
                Ok(Some(exchange)) => exchange,
                Ok(None) => return failed(hops, Failure::NotArchived),
                Err(error) => {
                    return failed(hops, Failure::Protocol { detail: error.to_string() });
                }
            };
            match next_request(&exchange) {
                Some(next) if may_follow(&next.url) => {
                    hops.push(exchange);
                    if hops.len() > self.max_redirects as usize {
                        let limit = self.max_redirects;
                        return failed(hops, Failure::TooManyRedirects { limit });
                    }
                    request = next;
                }
                _ => return Fetched { hops, outcome: Outcome::Response(Box::new(exchange)) },
            }
        }
    }
}

impl Fetcher for ReplayFetcher {
    async fn fetch(
        &self,
        request: &Request,
        may_follow: &(dyn Fn(&str) -> bool + Send + Sync),
    ) -> Fetched {
        self.answer(request, may_follow)
    }
}

fn failed(hops: Vec<Exchange>, failure: Failure) -> Fetched {
    Fetched { hops, outcome: Outcome::Failed(failure) }
}

fn web_address(address: &str) -> Result<Url, String> {
    let url = Url::parse(address).map_err(|error| error.to_string())?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        scheme => Err(format!("{scheme} is not http or https")),
    }
}

/// What a redirect leads to, as browsers do it (Fetch standard, "HTTP-redirect fetch"): a POST
/// stays one with 307 and 308 only, and a fragment is not sent.
fn next_request(exchange: &Exchange) -> Option<Request> {
    let location = exchange.response.location()?;
    let base = Url::parse(&exchange.request.url).ok()?;
    let mut next = web_address(base.join(location).ok()?.as_str()).ok()?;
    next.set_fragment(None);
    let keeps =
        matches!(exchange.response.status, 307 | 308) && exchange.request.method == Method::Post;
    Some(Request {
        method: if keeps { Method::Post } else { Method::Get },
        body: if keeps { exchange.request.body.clone() } else { None },
        url: next.into(),
        unless: Validators::default(),
    })
}

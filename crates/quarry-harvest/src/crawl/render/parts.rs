//! Fetches what pages ask for while they are rendered: once a session, by robots.txt of every host, at the host's pace, within
//! the budget of requests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use quarry_crawl::Ticket;
use quarry_crawl::robots::Rules;
use quarry_model::{
    BoxedFuture, Exchange, Fetched, Fetcher, Outcome, PartKind, PartRefusal, PartSource, Request,
};
use url::Url;

use super::{MAX_PAUSE, lock};

/// Bytes of answers that are remembered for later pages of the site: scripts, styles, indexes.
const REMEMBERED: usize = 128 << 20;

/// What the pages of a site have asked for.
pub(super) struct SiteParts {
    product: String,
    obey_robots: bool,
    answers: Mutex<Answers>,
    hosts: Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<HostTurn>>>>,
    unclaimed: Mutex<Vec<Exchange>>,
    /// Addresses of scripts that hold no data.
    without_data: Mutex<BTreeSet<String>>,
}

#[derive(Default)]
struct Answers {
    by_address: BTreeMap<String, Arc<Exchange>>,
    bytes: usize,
}

/// One request to a host at a time.
#[derive(Default)]
struct HostTurn {
    /// Not before.
    next: Option<Instant>,
    /// Of hosts other than the page's.
    robots: Option<Rules>,
}

impl SiteParts {
    pub(super) fn new(product: &str, obey_robots: bool) -> Self {
        Self {
            product: product.to_owned(),
            obey_robots,
            answers: Mutex::default(),
            hosts: Mutex::default(),
            unclaimed: Mutex::default(),
            without_data: Mutex::default(),
        }
    }

    /// Keeps an answer for whoever asks for the same.
    pub(super) fn remember(&self, url: &str, answer: Arc<Exchange>) {
        let size = answer.response.sent_content().len();
        let mut answers = lock(&self.answers);
        if answers.bytes + size <= REMEMBERED
            && answers.by_address.insert(url.to_owned(), answer).is_none()
        {
            answers.bytes += size;
        }
    }

    fn find(&self, url: &str) -> Option<Arc<Exchange>> {
        lock(&self.answers).by_address.get(url).cloned()
    }

    /// Keeps what was fetched for a page that is not archived with it.
    pub(super) fn unclaimed(&self, parts: Vec<Exchange>) {
        lock(&self.unclaimed).extend(parts);
    }

    pub(super) fn take_unclaimed(&self) -> Vec<Exchange> {
        std::mem::take(&mut lock(&self.unclaimed))
    }

    fn turn(&self, host: &str) -> Arc<tokio::sync::Mutex<HostTurn>> {
        Arc::clone(lock(&self.hosts).entry(host.to_owned()).or_default())
    }
}

/// What one page asks for.
pub(super) struct PageParts<'a, F> {
    fetcher: &'a F,
    ticket: &'a Ticket,
    site: &'a SiteParts,
    fetched: Mutex<Vec<Exchange>>,
    /// What its scripts asked for themselves and got, in this order.
    data: Mutex<Vec<Arc<Exchange>>>,
    /// The scripts and what else it is made of.
    furniture: Mutex<Vec<Arc<Exchange>>>,
}

impl<'a, F: Fetcher> PageParts<'a, F> {
    pub(super) fn new(fetcher: &'a F, ticket: &'a Ticket, site: &'a SiteParts) -> Self {
        let (fetched, data, furniture) = Default::default();
        Self { fetcher, ticket, site, fetched, data, furniture }
    }

    /// What was fetched since the last time.
    pub(super) fn take(&self) -> Vec<Exchange> {
        std::mem::take(&mut lock(&self.fetched))
    }

    /// What its scripts asked for themselves and got.
    pub(super) fn data(&self) -> Vec<Arc<Exchange>> {
        lock(&self.data).clone()
    }

    /// The scripts and what else it is made of, but for those that hold no data.
    pub(super) fn furniture(&self) -> Vec<Arc<Exchange>> {
        let empty = lock(&self.site.without_data);
        let own = lock(&self.furniture);
        own.iter().filter(|own| !empty.contains(&own.request.url)).cloned().collect()
    }

    /// Keeps that a script holds no data: other pages have it, too.
    pub(super) fn note_without_data(&self, url: &str) {
        lock(&self.site.without_data).insert(url.to_owned());
    }

    /// A page itself, to be shown in one of its states.
    pub(super) async fn page(&self, url: &str) -> Result<Arc<Exchange>, PartRefusal> {
        self.ask(&Request::get(url), PartKind::Furniture).await
    }

    async fn ask(&self, request: &Request, kind: PartKind) -> Result<Arc<Exchange>, PartRefusal> {
        let refused = PartRefusal::Rules;
        let (url, key) = (&request.url, request.key());
        if let Some(known) = self.site.find(&key) {
            return Ok(known);
        }
        let address = Url::parse(url).map_err(|_| refused)?;
        let origin = address.origin().ascii_serialization();
        let turn = self.site.turn(&origin);
        let mut turn = turn.lock().await;
        // Somebody may have asked the same meanwhile.
        if let Some(known) = self.site.find(&key) {
            return Ok(known);
        }
        let is_own = *origin == *self.ticket.host;
        if !is_own && self.site.obey_robots {
            if turn.robots.is_none() {
                turn.robots = Some(self.robots_of(&origin, &mut turn.next).await);
            }
            let path = &address[url::Position::BeforePath..url::Position::AfterQuery];
            if turn.robots.as_ref().is_some_and(|rules| !rules.allows(path)) {
                return Err(refused);
            }
        }
        let is_data = kind == PartKind::Data;
        if !self.ticket.gate.allows_subresource(url, is_data) {
            return Err(refused);
        }
        let gate = Arc::clone(&self.ticket.gate);
        let may_follow = move |to: &str| gate.allows_subresource(to, is_data);
        let fetched = self.send(request, &may_follow, &mut turn.next).await;
        drop(turn);
        let Outcome::Response(last) = fetched.outcome else { return Err(PartRefusal::Failed) };
        let answer = Arc::new(*last);
        let mut own = lock(&self.fetched);
        own.extend(fetched.hops);
        own.push((*answer).clone());
        drop(own);
        if (200..300).contains(&answer.response.status) {
            self.site.remember(&key, Arc::clone(&answer));
        }
        Ok(answer)
    }

    /// Sends a request when the host's turn has come.
    async fn send(
        &self,
        request: &Request,
        may_follow: &(dyn Fn(&str) -> bool + Send + Sync),
        next: &mut Option<Instant>,
    ) -> Fetched {
        if let Some(at) = *next {
            tokio::time::sleep(at.saturating_duration_since(Instant::now()).min(MAX_PAUSE)).await;
        }
        let fetched = self.fetcher.fetch(request, may_follow).await;
        *next = Some(Instant::now() + self.ticket.pause);
        fetched
    }

    /// The robots.txt of a host that is not the page's. Where it cannot be had, nothing is asked (RFC 9309 §2.3.1.4).
    async fn robots_of(&self, origin: &str, next: &mut Option<Instant>) -> Rules {
        let none = || Rules::parse(b"User-agent: *\nDisallow: /\n", &self.site.product);
        let url = format!("{origin}/robots.txt");
        if !self.ticket.gate.allows_subresource(&url, false) {
            return none();
        }
        let own = origin.to_owned();
        let may_follow = move |to: &str| to.starts_with(&own);
        let fetched = self.send(&Request::get(&url), &may_follow, next).await;
        let Outcome::Response(last) = fetched.outcome else { return none() };
        let rules = match last.response.status {
            200..=299 => Rules::parse(last.response.sent_content(), &self.site.product),
            500.. => none(),
            _ => Rules::allow_all(),
        };
        lock(&self.fetched).push(*last);
        rules
    }
}

impl<F: Fetcher> PartSource for PageParts<'_, F> {
    fn get(
        &self,
        request: Request,
        kind: PartKind,
    ) -> BoxedFuture<'_, Result<Arc<Exchange>, PartRefusal>> {
        Box::pin(async move {
            let answer = self.ask(&request, kind).await?;
            let kept = match kind {
                PartKind::Data => &self.data,
                PartKind::Furniture => &self.furniture,
            };
            lock(kept).push(Arc::clone(&answer));
            Ok(answer)
        })
    }
}

//! Requests that are not for pages: robots.txt, sitemaps, and the address that cannot exist.

use std::sync::Arc;

use quarry_model::{
    Candidate, End, Entry, Exchange, Failure, Fetched, Frontier, Issue, IssueKind, Outcome,
    Request, RequestRole, RobotsRecord, Timestamp,
};

use super::answer::issue;
use super::offer::SITEMAP_PRIORITY;
use super::{Engine, Refusal};
use crate::Address;
use crate::host::{HostId, Probe, Robots, backoff, retry_after, splitmix};
use crate::reader::{Observation, Reading, mime_of};
use crate::robots::{self, Rules};
use crate::rules::GateKind;
use crate::ticket::{OwnedCapture, Purpose, Reaction, Ticket};

/// Most levels of sitemap indexes: the protocol knows one.
const SITEMAP_LEVELS: u32 = 3;

/// Pages that a sitemap names are as far from the seeds as if a seed linked to them.
const SITEMAP_PAGE_DEPTH: u32 = 1;

impl Engine {
    pub(super) fn robots_ticket(&mut self, id: HostId, now: Timestamp) -> Ticket {
        let host = &mut self.hosts[id.0 as usize];
        if let Robots::Unknown { attempts, stale } = &mut host.robots {
            host.robots = Robots::Asked { attempts: *attempts, stale: stale.take() };
        }
        let address = address_at(&host.name, "/robots.txt");
        let request = Request::get(address.as_str());
        self.ticket(id, Purpose::Robots, request, address, GateKind::Anywhere, None, now)
    }

    pub(super) fn observe_robots<F: Frontier>(
        &mut self,
        frontier: &mut F,
        id: HostId,
        observation: Observation,
        now: Timestamp,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let politeness = &self.settings.politeness;
        let Observation { fetched, reading, .. } = observation;
        let (status, wait) = match &fetched.outcome {
            Outcome::Response(exchange) => {
                (Some(exchange.response.status), retry_after(&exchange.response, now))
            }
            Outcome::Failed(_) => (None, None),
        };
        let host = &mut self.hosts[id.0 as usize];
        let record = RobotsRecord { at: now, status, body: String::new() };
        match verdict(&fetched, reading) {
            Verdict::Rules(rules, body) => {
                let asked = rules.crawl_delay().unwrap_or_default();
                if asked > politeness.max_crawl_delay {
                    let most = politeness.max_crawl_delay.as_secs_f64();
                    let detail = format!(
                        "robots.txt asks for a pause of {} s; {most} s are kept",
                        asked.as_secs_f64()
                    );
                    let url = format!("{}/robots.txt", host.name);
                    reaction.issues.push(Issue { kind: IssueKind::CrawlDelay, url, detail });
                }
                host.troubles = 0;
                let url = format!("{}/robots.txt", host.name);
                for detail in rules.notices() {
                    let (url, detail) = (url.clone(), detail.clone());
                    reaction.issues.push(Issue { kind: IssueKind::OwnerNotice, url, detail });
                }
                let rules = if self.settings.obey_owner_notices && rules.denies_a_use() {
                    let detail =
                        "robots.txt denies a use of its content, so nothing is asked of the host"
                            .to_owned();
                    reaction.issues.push(Issue { kind: IssueKind::OwnerNotice, url, detail });
                    Arc::new(Rules::disallow_all())
                } else {
                    rules
                };
                host.learn_robots(rules, RobotsRecord { body, ..record }, politeness);
                self.add_sitemaps(frontier, id, reaction)?;
            }
            Verdict::None => {
                host.troubles = 0;
                let rules = Arc::new(Rules::allow_all());
                // A redirect that led nowhere is remembered as what it means: not there.
                let status =
                    Some(status.filter(|status| (400..500).contains(status)).unwrap_or(404));
                host.learn_robots(rules, RobotsRecord { status, ..record }, politeness);
                self.add_sitemaps(frontier, id, reaction)?;
            }
            Verdict::Unreachable { why, hopeless } => {
                let attempts = match &host.robots {
                    Robots::Asked { attempts, .. } => attempts + 1,
                    Robots::Unknown { .. } | Robots::Known { .. } => 1,
                };
                if !host.robots_failed(now, record) {
                    let key = crate::address::fingerprint(&host.name);
                    let retry = &self.settings.retry;
                    let wait = wait.map(|wait| wait.min(politeness.max_retry_after));
                    let wait = wait.unwrap_or_default();
                    let wait = wait.max(backoff(retry, attempts, self.settings.seed, key));
                    host.hold(now.plus(wait));
                    if hopeless || attempts >= retry.robots_attempts {
                        host.given_up = true;
                        let refusal = Refusal::Unreachable {
                            host: host.name.to_string(),
                            why: match status {
                                Some(status) => format!("its robots.txt has status {status}"),
                                None => why.clone(),
                            },
                        };
                        *self.refusals.entry(refusal).or_default() += 1;
                        let url = format!("{}/robots.txt", host.name);
                        let detail =
                            format!("{why}; nothing is asked of the host, its queue is kept");
                        let kind = IssueKind::RobotsUnreachable;
                        reaction.issues.push(Issue { kind, url, detail });
                    }
                }
            }
        }
        keep_aside(fetched, 0, None, reaction);
        Ok(())
    }

    /// Queues the sitemaps that robots.txt names, or the one at the usual place.
    pub(super) fn add_sitemaps<F: Frontier>(
        &mut self,
        frontier: &mut F,
        id: HostId,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        if !self.settings.sitemaps {
            return Ok(());
        }
        let host = &self.hosts[id.0 as usize];
        let Robots::Known { rules, .. } = &host.robots else { return Ok(()) };
        let origin = address_at(&host.name, "/robots.txt");
        if !self.rules.bounds.reaches_host(&origin) {
            return Ok(());
        }
        let named = rules.sitemaps().iter().filter_map(|url| Address::normalise(url).ok());
        let mut addresses: Vec<(Address, bool)> = named.map(|address| (address, true)).collect();
        if addresses.is_empty() {
            addresses.push((address_at(&host.name, "/sitemap.xml"), false));
        }
        let batch: Vec<Candidate> = addresses
            .into_iter()
            .filter(|(address, _)| self.rules.bounds.reaches_host(address))
            .map(|(address, named)| sitemap(address, 0, named.then(|| origin.as_str().to_owned())))
            .collect();
        self.add(frontier, &batch, reaction)?;
        Ok(())
    }

    pub(super) fn keep_sitemap<F: Frontier>(
        &mut self,
        frontier: &mut F,
        entry: Entry,
        hops: Vec<Exchange>,
        last: Exchange,
        reading: Reading,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Candidate { request, depth, via, .. } = &entry.candidate;
        frontier.finish(entry.id, &End::Done)?;
        let address = Address::normalise(&request.url);
        let problem = match last.response.status {
            200..=299 | 304 => reading.problem.clone(),
            // Nobody promised that there is one at the usual place.
            _ if via.is_none() => None,
            status => Some(format!("status {status}")),
        };
        if let (Some(problem), Ok(address)) = (problem, &address) {
            reaction.issues.push(issue(IssueKind::BadSitemap, address, &problem));
        }
        self.skip_links(address.as_ref().map_or("", Address::host), &reading, reaction);
        if let Ok(address) = &address {
            let is_offered = self.settings.sitemap_pages;
            let offered = reading.links.iter().filter(|_| is_offered);
            let pages = offered.map(|link| &link.address);
            self.offer_all(frontier, pages, SITEMAP_PAGE_DEPTH, address, reaction)?;
            if depth + 1 < SITEMAP_LEVELS {
                let nested = reading.sitemaps.into_iter();
                let batch: Vec<Candidate> = nested
                    .filter(|nested| self.rules.bounds.reaches_host(nested))
                    .map(|nested| sitemap(nested, depth + 1, Some(address.as_str().to_owned())))
                    .collect();
                self.add(frontier, &batch, reaction)?;
            }
        }
        let outcome = Outcome::Response(Box::new(last));
        keep_aside(Fetched { hops, outcome }, *depth, via.as_deref(), reaction);
        Ok(())
    }

    /// The request for an address that cannot exist, unless robots.txt forbids even that.
    pub(super) fn probe_ticket(
        &mut self,
        id: HostId,
        rules: &Arc<Rules>,
        now: Timestamp,
    ) -> Option<Ticket> {
        let host = &mut self.hosts[id.0 as usize];
        let name = splitmix(self.settings.seed ^ crate::address::fingerprint(&host.name));
        let root = address_at(&host.name, "/");
        let folder = self.rules.bounds.folder_of(&root);
        let address = address_at(&host.name, &format!("{folder}no-such-page-{name:016x}"));
        let probe = std::mem::replace(&mut host.probe, Probe::Known(None));
        let Probe::Wanted(first) = probe else { return None };
        if !rules.allows(address.path_and_query()) {
            return None;
        }
        host.probe = Probe::Asked(first);
        let request = Request::get(address.as_str());
        let kind = GateKind::Host { host: Arc::clone(&host.name), robots: Arc::clone(rules) };
        Some(self.ticket(id, Purpose::Probe, request, address, kind, None, now))
    }

    pub(super) fn observe_probe(
        &mut self,
        id: HostId,
        observation: Observation,
        reaction: &mut Reaction,
    ) {
        let host = &mut self.hosts[id.0 as usize];
        let Observation { fetched, reading, .. } = observation;
        let first = match std::mem::replace(&mut host.probe, Probe::Known(None)) {
            Probe::Asked(first) => first,
            Probe::NotYet | Probe::Wanted(_) | Probe::Known(_) => None,
        };
        let status = match &fetched.outcome {
            Outcome::Response(exchange) => exchange.response.status,
            Outcome::Failed(_) => 0,
        };
        // A redirect (to the front page, as a rule) is seen as such when pages do the same.
        if status == 200
            && fetched.hops.is_empty()
            && let Some(missing) = reading.signature
        {
            // A site that answers everything alike has no missing page to tell from others.
            let everything = first.is_some_and(|first| missing.is_like(&first));
            if !everything {
                host.probe = Probe::Known(Some(Arc::new(missing)));
            }
        }
        keep_aside(fetched, 0, None, reaction);
    }
}

/// What an answer to the request for robots.txt means (RFC 9309 §2.3.1).
enum Verdict {
    Rules(Arc<Rules>, String),
    /// There is none: everything is allowed.
    None,
    /// It cannot be had: nothing is allowed.
    Unreachable {
        why: String,
        hopeless: bool,
    },
}

fn verdict(fetched: &Fetched, reading: Reading) -> Verdict {
    match &fetched.outcome {
        Outcome::Response(exchange) => match (exchange.response.status, reading.robots) {
            (200..=299, Some(rules)) => {
                let content = exchange.response.content();
                let content = &content[..content.len().min(robots::MAX_BYTES)];
                Verdict::Rules(rules, String::from_utf8_lossy(content).into_owned())
            }
            (status @ (429 | 500..=599), _) => {
                Verdict::Unreachable { why: format!("status {status}"), hopeless: false }
            }
            _ => Verdict::None,
        },
        // More redirects than anyone follows, and an archive without it: not there.
        Outcome::Failed(
            Failure::TooManyRedirects { .. } | Failure::NotArchived | Failure::NotRendered { .. },
        ) => Verdict::None,
        Outcome::Failed(failure) => Verdict::Unreachable {
            why: failure.to_string(),
            hopeless: matches!(failure, Failure::PrivateAddress { .. } | Failure::BadUrl { .. }),
        },
    }
}

fn sitemap(address: Address, depth: u32, via: Option<String>) -> Candidate {
    Candidate {
        host: address.host().to_owned(),
        request: Request::get(address.into_string()),
        role: RequestRole::Sitemap,
        depth,
        priority: SITEMAP_PRIORITY,
        via,
    }
}

/// Archives what is no page.
fn keep_aside(fetched: Fetched, depth: u32, via: Option<&str>, reaction: &mut Reaction) {
    let last = match fetched.outcome {
        Outcome::Response(exchange) => Some(*exchange),
        Outcome::Failed(_) => None,
    };
    for exchange in fetched.hops.into_iter().chain(last) {
        let mime = mime_of(&exchange);
        let via = via.map(str::to_owned);
        reaction.captures.push(OwnedCapture {
            exchange,
            depth,
            via,
            mime,
            is_page: false,
            is_asked: true,
        });
    }
}

/// An address on a known host.
fn address_at(host: &str, path: &str) -> Address {
    Address::normalise(&format!("{host}{path}")).expect("a host's name came from an address")
}

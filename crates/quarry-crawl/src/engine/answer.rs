//! Handles the answer to a frontier entry: keeps it, tries again or gives up, and offers its links.

use std::time::Duration;

use quarry_model::{
    Candidate, End, Entry, Exchange, Failure, Fetched, Frontier, Issue, IssueKind, Outcome,
    Request, RequestRole, Response, SkipReason, Timestamp, Truncation, Validators,
};

use super::{Engine, Flight};
use crate::Address;
use crate::host::{HostId, Probe, backoff, retry_after};
use crate::reader::{Observation, Reading, mime_of};
use crate::strategy::PageView;
use crate::ticket::{OwnedCapture, Reaction};

/// An answer, by what must be done about it.
enum Reply {
    /// To be kept.
    Kept,
    /// 429 or 503: the host wants to be left alone, for as long as it says.
    Refused { status: u16, wait: Option<Duration> },
    /// 403: perhaps this page only, perhaps the host.
    Forbidden,
    /// Something went wrong; if `again`, it may go well later. What came of it is kept at the end.
    Broken { what: String, again: bool, failure: bool },
}

fn judge(fetched: &Fetched, now: Timestamp) -> Reply {
    match &fetched.outcome {
        Outcome::Response(exchange) => judge_response(&exchange.response, now),
        Outcome::Failed(failure) => Reply::Broken {
            what: failure.to_string(),
            again: failure.is_transient(),
            failure: true,
        },
    }
}

fn judge_response(response: &Response, now: Timestamp) -> Reply {
    match response.status {
        403 => Reply::Forbidden,
        status @ (429 | 503) => Reply::Refused { status, wait: retry_after(response, now) },
        status @ 500..=599 => Reply::Broken {
            what: format!("status {status}"),
            again: matches!(status, 500 | 502 | 504),
            failure: false,
        },
        _ if response.truncated == Some(Truncation::Disconnect) => Reply::Broken {
            what: "the server broke off in the middle of the body".to_owned(),
            again: true,
            failure: true,
        },
        _ => Reply::Kept,
    }
}

/// Counts requests and bytes.
pub(super) fn count(fetched: &Fetched, reaction: &mut Reaction) {
    let received = |exchange: &Exchange| exchange.response.body.len() as u64;
    reaction.requests = fetched.hops.len() as u64;
    reaction.bytes = fetched.hops.iter().map(received).sum();
    match &fetched.outcome {
        Outcome::Response(exchange) => {
            let rendering = exchange.response.rendering.as_deref();
            // The state of a page is shown by a browser, not sent by a server.
            if !rendering.is_some_and(|rendering| rendering.is_state) {
                reaction.requests += 1;
                reaction.bytes += received(exchange);
            }
            let parts = rendering.map(|rendering| rendering.parts.as_slice()).unwrap_or_default();
            reaction.requests += parts.len() as u64;
            reaction.bytes += parts.iter().map(received).sum::<u64>();
        }
        Outcome::Failed(failure) => reaction.requests += u64::from(was_sent(failure)),
    }
}

/// Answers that count as pages: redirects on the way, and what came at the end, kept or not. A request that failed
/// without an answer counts as a request only.
pub(super) fn answers(fetched: &Fetched, is_asked: bool) -> u64 {
    let last = u64::from(matches!(fetched.outcome, Outcome::Response(_)));
    last + if is_asked { fetched.hops.len() as u64 } else { 0 }
}

/// Whether anything went out before it failed.
fn was_sent(failure: &Failure) -> bool {
    !matches!(
        failure,
        Failure::BadUrl { .. }
            | Failure::PrivateAddress { .. }
            | Failure::NotArchived
            | Failure::NotRendered { .. }
            | Failure::TooManyRedirects { .. }
    )
}

impl Engine {
    pub(super) fn observe_entry<F: Frontier>(
        &mut self,
        frontier: &mut F,
        flight: Flight,
        observation: Observation,
        now: Timestamp,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Flight { host: id, address, entry: Some(entry), is_asked, .. } = flight else {
            return Ok(());
        };
        if !is_asked {
            return self.keep(frontier, id, entry, address, observation, false, reaction);
        }
        let retry = &self.settings.retry;
        let attempts = entry.attempts + 1;
        let mut reply = judge(&observation.fetched, now);
        // What was only guessed may be refused like something that is not there.
        if matches!(reply, Reply::Forbidden) {
            if entry.candidate.role == RequestRole::Sitemap {
                reply = Reply::Kept;
            } else if self.guesses.contains(&address.fingerprint()) {
                return frontier.finish(entry.id, &End::Done);
            }
        }
        let again = match reply {
            Reply::Kept => {
                self.answered(id, &observation.fetched);
                return self.keep(frontier, id, entry, address, observation, true, reaction);
            }
            Reply::Refused { status, wait } => {
                let what = format!("refused with status {status}");
                let first = self.refused(id, wait, now);
                self.note_trouble(id, IssueKind::Refused, &what, now, reaction);
                let last = attempts >= self.settings.retry.refused_attempts;
                if first || last {
                    reaction.issues.push(issue(IssueKind::Refused, &address, &what));
                }
                let due = self.hosts[id.0 as usize].not_before;
                if last { Err(what) } else { Ok(due) }
            }
            Reply::Forbidden => {
                let what = "refused with status 403".to_owned();
                let host = &mut self.hosts[id.0 as usize];
                // One page may be forbidden for its own sake; two in a row are about us.
                if host.troubles > 0 {
                    host.pace.refused();
                }
                let wait = self.wait(attempts, &entry);
                let last = attempts >= self.settings.retry.forbidden_attempts;
                self.note_trouble(id, IssueKind::Refused, &what, now, reaction);
                if last {
                    reaction.issues.push(issue(IssueKind::Refused, &address, &what));
                }
                if last { Err(what) } else { Ok(now.plus(wait)) }
            }
            Reply::Broken { what, again, failure } => {
                let last = !again || attempts >= retry.attempts;
                let wait = self.wait(attempts, &entry);
                if says_something_of_the_host(&observation.fetched) {
                    self.note_trouble(id, IssueKind::FetchFailed, &what, now, reaction);
                }
                if last {
                    let kind = if failure { IssueKind::FetchFailed } else { IssueKind::HttpError };
                    reaction.issues.push(issue(kind, &address, &what));
                    return self.keep_broken(frontier, entry, what, observation, reaction);
                }
                Ok(now.plus(wait))
            }
        };
        match again {
            Ok(due) => {
                // While the whole host is down, an attempt says nothing about this request.
                let attempted =
                    self.hosts[id.0 as usize].troubles <= self.settings.retry.pause_after;
                frontier.put_back(entry.id, due, attempted)?;
                self.hosts[id.0 as usize].waiting.insert(due);
            }
            Err(what) => frontier.finish(entry.id, &End::Failed(what))?,
        }
        Ok(())
    }

    /// A good answer ends a row of troubles.
    pub(super) fn answered(&mut self, id: HostId, fetched: &Fetched) {
        let host = &mut self.hosts[id.0 as usize];
        host.troubles = 0;
        if let Outcome::Response(exchange) = &fetched.outcome {
            host.pace.answered(exchange.took);
        }
    }

    /// Leaves a host alone for as long as it asks, or longer each time. True for the first refusal
    /// in a row.
    pub(super) fn refused(&mut self, id: HostId, wait: Option<Duration>, now: Timestamp) -> bool {
        let host = &mut self.hosts[id.0 as usize];
        host.pace.refused();
        let wait = match wait {
            Some(wait) => wait.min(self.settings.politeness.max_retry_after),
            None => {
                let key = crate::address::fingerprint(&host.name);
                let retry = &self.settings.retry;
                backoff(retry, host.troubles + 1, self.settings.seed, key)
            }
        };
        host.hold(now.plus(wait));
        host.troubles == 0
    }

    pub(super) fn note_trouble(
        &mut self,
        id: HostId,
        kind: IssueKind,
        what: &str,
        now: Timestamp,
        reaction: &mut Reaction,
    ) {
        let host = &mut self.hosts[id.0 as usize];
        if host.trouble(now, &self.settings.retry) {
            reaction.issues.push(Issue {
                kind,
                url: host.name.to_string(),
                detail: format!(
                    "left alone for the rest of the session after {} troubles in a row, the last: \
                     {what}; its queue is kept",
                    host.troubles
                ),
            });
        }
    }

    fn wait(&self, attempts: u32, entry: &Entry) -> Duration {
        let key = crate::address::fingerprint(&entry.candidate.request.key());
        backoff(&self.settings.retry, attempts, self.settings.seed, key)
    }

    /// Keeps an answer: archives it, follows it. What was read of a 304 answer is the page that it confirms.
    #[expect(clippy::too_many_arguments, reason = "what one observation consists of")]
    fn keep<F: Frontier>(
        &mut self,
        frontier: &mut F,
        id: HostId,
        entry: Entry,
        address: Address,
        observation: Observation,
        is_asked: bool,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Observation { fetched, address: landed, mime, reading, .. } = observation;
        let request = Request { unless: Validators::default(), ..entry.candidate.request.clone() };
        let landed = landed.unwrap_or_else(|| address.clone());
        let Outcome::Response(last) = fetched.outcome else { return Ok(()) };
        let status = last.response.status;
        if entry.candidate.role == RequestRole::Sitemap {
            return self.keep_sitemap(frontier, entry, fetched.hops, *last, reading, reaction);
        }
        if status == 200 && reading.is_document {
            let host = &mut self.hosts[id.0 as usize];
            let seed = self.rules.bounds.is_seed(address.as_str());
            if host.guard.drops(reading.looks_missing && !seed) {
                reaction.skip(SkipReason::SoftNotFound);
                return frontier.finish(entry.id, &End::Skipped(SkipReason::SoftNotFound));
            }
        }
        let depth = entry.candidate.depth;
        let via = entry.candidate.via.clone();
        // Pages that are gone lead back, too; what has changed something has a cookie to say so.
        let sets_cookie = |hop: &Exchange| hop.response.headers.get("set-cookie").is_some();
        let led_back =
            fetched.hops.iter().any(sets_cookie) && via.as_deref() == Some(landed.as_str());
        self.bounced.record(&address, led_back);
        self.keep_hops(frontier, &entry, &address, fetched.hops, reaction)?;
        if landed != address {
            let claimed = frontier.claim(&redirected(&landed, depth, via.as_deref()))?;
            if !claimed {
                reaction.skip(SkipReason::DuplicateRedirect);
                return frontier.finish(entry.id, &End::Skipped(SkipReason::DuplicateRedirect));
            }
        }
        frontier.finish(entry.id, &End::Done)?;
        report_oddities(&landed, &last, &reading, reaction);
        let is_redirect = last.response.location().is_some();
        reaction.pages += u64::from(!is_redirect);
        let is_page = true;
        reaction.captures.push(OwnedCapture {
            exchange: *last,
            depth,
            via,
            mime,
            is_page,
            is_asked,
        });
        self.skip_links(landed.host(), &reading, reaction);
        if is_redirect {
            // As far from the seeds as the address that led there.
            let target = reading.links.iter().map(|link| &link.address);
            return self.offer_all(frontier, target, depth, &landed, reaction);
        }
        self.want_probe(id, &reading);
        let view = PageView {
            request: &request,
            address: &landed,
            depth,
            links: &reading.links,
            facts: &reading.facts,
        };
        self.follow(frontier, &view, reaction)
    }

    /// Archives redirects: each address once, whoever asked for it.
    fn keep_hops<F: Frontier>(
        &mut self,
        frontier: &mut F,
        entry: &Entry,
        own: &Address,
        hops: Vec<Exchange>,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Candidate { depth, via, .. } = &entry.candidate;
        for (n, hop) in hops.into_iter().enumerate() {
            let first = n == 0;
            let new = first
                || match Address::normalise(&hop.request.url) {
                    Ok(address) if address == *own => false,
                    Ok(address) => frontier.claim(&redirected(&address, *depth, via.as_deref()))?,
                    Err(_) => false,
                };
            if new {
                let (depth, via, mime) = (*depth, via.clone(), mime_of(&hop));
                reaction.captures.push(OwnedCapture {
                    exchange: hop,
                    depth,
                    via,
                    mime,
                    is_page: true,
                    is_asked: true,
                });
            }
        }
        Ok(())
    }

    /// Ends an entry that failed for good. An error page, and half a page, are archived.
    fn keep_broken<F: Frontier>(
        &mut self,
        frontier: &mut F,
        entry: Entry,
        what: String,
        observation: Observation,
        reaction: &mut Reaction,
    ) -> Result<(), F::Error> {
        let Observation { fetched, mime, .. } = observation;
        frontier.finish(entry.id, &End::Failed(what))?;
        if fetched.hops.is_empty()
            && entry.candidate.role == RequestRole::Page
            && let Outcome::Response(last) = fetched.outcome
        {
            let Candidate { depth, via, .. } = entry.candidate;
            reaction.pages += 1;
            let (is_page, is_asked) = (true, true);
            reaction.captures.push(OwnedCapture {
                exchange: *last,
                depth,
                via,
                mime,
                is_page,
                is_asked,
            });
        }
        Ok(())
    }

    /// The first page of a host makes the question for a missing one worth while.
    fn want_probe(&mut self, id: HostId, reading: &Reading) {
        let host = &mut self.hosts[id.0 as usize];
        if self.settings.probe_missing && reading.is_document && matches!(host.probe, Probe::NotYet)
        {
            host.probe = Probe::Wanted(reading.signature.clone());
        }
    }
}

/// Whether the answer counts as trouble with the host, and not just with one address.
fn says_something_of_the_host(fetched: &Fetched) -> bool {
    match &fetched.outcome {
        Outcome::Response(_) => true,
        Outcome::Failed(failure) => !matches!(
            failure,
            Failure::BadUrl { .. }
                | Failure::TooManyRedirects { .. }
                | Failure::NotArchived
                | Failure::NotRendered { .. }
        ),
    }
}

fn redirected(address: &Address, depth: u32, via: Option<&str>) -> Candidate {
    Candidate {
        request: Request::get(address.as_str()),
        host: address.host().to_owned(),
        role: RequestRole::Page,
        depth,
        priority: 0,
        via: via.map(str::to_owned),
    }
}

pub(super) fn issue(kind: IssueKind, address: &Address, detail: &str) -> Issue {
    Issue { kind, url: address.as_str().to_owned(), detail: detail.to_owned() }
}

fn report_oddities(
    address: &Address,
    exchange: &Exchange,
    reading: &Reading,
    reaction: &mut Reaction,
) {
    let response = &exchange.response;
    if !response.body.is_empty()
        && response.content().is_empty()
        && let Some(coding) = response.headers.get("content-encoding")
    {
        let what = format!("its content coding, {coding}, could not be undone: the page is lost");
        reaction.issues.push(issue(IssueKind::Truncated, address, &what));
    }
    if let Some(notice) = &reading.notice {
        reaction.issues.push(issue(IssueKind::OwnerNotice, address, notice));
    }
    if response.status >= 400 || response.status < 200 {
        let what = format!("status {}", response.status);
        reaction.issues.push(issue(IssueKind::HttpError, address, &what));
    }
    match response.truncated {
        Some(Truncation::Length) => {
            let what = "the body was cut at the byte limit";
            reaction.issues.push(issue(IssueKind::Truncated, address, what));
        }
        Some(Truncation::Time) => {
            let what = "the body was cut at the time limit";
            reaction.issues.push(issue(IssueKind::Truncated, address, what));
        }
        Some(Truncation::Disconnect) | None => {}
    }
    if reading.says_nofollow {
        let what =
            "the page says nofollow, so its links are left alone; --nofollow ignore follows them";
        reaction.issues.push(issue(IssueKind::Nofollow, address, what));
    }
    if reading.cut.any() {
        let what = format!("the document was cut at its limit of {}", reading.cut);
        reaction.issues.push(issue(IssueKind::DocumentLimit, address, &what));
    }
}

//! The only loop over the network: asks the engine what to do, lets the fetcher do it, archives
//! what came, commits.
//!
//! 1. `engine.next` hands out tickets until it must wait.
//! 2. The fetcher answers them, many at a time. Where the answer is that nothing has changed, the archive
//!    has the page.
//! 3. Answers that have come are read on all cores (`read_answer` is pure).
//! 4. `engine.observe` takes them in one by one: new addresses into the frontier, captures and
//!    counts to the store.
//! 5. About once a second everything since the last time is committed together.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use quarry_crawl::{
    AnswerReader, BudgetKind, Engine, HostState, Observation, Reaction, Step, Stop,
    StrategyProgress, Ticket, read_answer, read_unchanged,
};
use quarry_model::{
    Capture, CrawlStore, Exchange, Fetched, Fetcher, Issue, IssueKind, Outcome, PortError, Request,
    Timestamp, Validators,
};
use rayon::prelude::*;

use super::render::SiteRendering;
use crate::HarvestError;
use crate::observer::{CrawlStatus, Observer, StopSignal};

/// Answers that are taken in before the next tickets are handed out.
const BATCH: usize = 64;
/// A batch with more bytes than this is read on all cores; below, waking them costs more.
const PARALLEL_BYTES: usize = 256 << 10;
/// Less than this is read without another thread: it takes a few milliseconds whatever it holds.
const READ_AT_ONCE: usize = 64 << 10;
/// Counting what the strategy has found may take one part in so many of the time.
const COUNTING: u32 = 50;

/// The present moment: the only clock of a harvest.
#[must_use]
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// What the loop itself must know of the settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// Work that a crash may undo, at most.
    pub(super) commit_every: Duration,
    /// Pages after which the budget ends the crawl, for the estimate.
    pub(super) limit: u64,
}

/// How long what is in flight or being read may still take once the crawl is told to stop or its time is over. What is not
/// done then is asked again by the next session.
const GRACE: Duration = Duration::from_millis(1_200);

/// Crawls until the engine says that it is over.
pub(super) async fn drive<S: CrawlStore, F: Fetcher>(
    engine: &mut Engine,
    store: &mut S,
    (fetcher, rendering): (&F, &SiteRendering),
    terms: Terms,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<Stop, HarvestError> {
    let mut is_stopping = false;
    // When the session ends, whatever is still under way.
    let mut leave_at = engine.deadline().map(|deadline| deadline.plus(GRACE));
    let mut left = Stop::Budget(BudgetKind::Time);
    let reader = engine.reader();
    let mut in_flight = FuturesUnordered::new();
    let strategy = (StrategyProgress::All, now());
    let mut session = Loop { store, observer, terms, committed: now(), strategy };
    loop {
        let mut wake = None;
        loop {
            match engine.next(session.store, now()).map_err(PortError::new)? {
                Step::Fetch(mut ticket) => {
                    if rendering.is_on() {
                        session.want_whole(&mut ticket)?;
                    }
                    in_flight.push(ask(fetcher, rendering, ticket, true));
                }
                Step::Recall(ticket) => in_flight.push(ask(fetcher, rendering, ticket, false)),
                Step::Settled(reaction) => session.account(*reaction)?,
                Step::WaitUntil(at) => {
                    wake = Some(at);
                    break;
                }
                Step::Busy => break,
                Step::Done(stop) => {
                    session.commit()?;
                    session.show(engine, true)?;
                    return Ok(stop);
                }
            }
        }
        session.show(engine, false)?;
        // The more has come, the more time is kept for the work after it.
        if let (Some(at), Some(deadline)) = (leave_at, engine.deadline()) {
            leave_at = Some(at.min(deadline.plus(GRACE)));
        }
        if leave_at.is_some_and(|at| now() >= at) {
            session.commit()?;
            session.show(engine, true)?;
            return Ok(left);
        }
        let mut pause = session.pause(wake, now());
        if let Some(at) = leave_at {
            pause = pause.min(at.since(now()).max(Duration::from_millis(1)));
        }
        tokio::select! {
            biased;
            () = stop.stopped(), if !is_stopping => {
                is_stopping = true;
                let soon = now().plus(GRACE);
                leave_at = Some(leave_at.map_or(soon, |at| at.min(soon)));
                left = Stop::Interrupted;
                session.observer.line("stopping: waiting for what is in flight; Ctrl-C again leaves at once");
                engine.stop(Stop::Interrupted);
            }
            Some(first) = in_flight.next(), if !in_flight.is_empty() => {
                let mut batch = vec![first];
                while batch.len() < BATCH
                    && let Some(Some(more)) = in_flight.next().now_or_never()
                {
                    batch.push(more);
                }
                let answers = session.complete(batch)?;
                let reading = read_aside(answers, &reader);
                let observations = tokio::select! {
                    biased;
                    read = reading => read,
                    at = leaving(stop, leave_at) => {
                        if stop.is_stopped() {
                            left = Stop::Interrupted;
                        }
                        leave_at = Some(at);
                        None
                    }
                };
                // A page that takes too long to read is not waited for; the next session asks for it again.
                let Some(observations) = observations else { continue };
                for observation in observations {
                    session.tell(&observation);
                    let reaction = engine.observe(session.store, observation, now());
                    let reaction = reaction.map_err(PortError::new)?;
                    session.account(reaction)?;
                }
                rendering.take_lines().iter().for_each(|line| session.observer.line(line));
                session.keep_parts(&rendering.take_unclaimed())?;
            }
            () = tokio::time::sleep(pause) => {}
        }
        if now().since(session.committed) >= session.terms.commit_every {
            session.commit()?;
        }
    }
}

/// Pages that are read again at a time.
const RECALLED: usize = 256;

/// Shows the strategy what earlier sessions have archived.
pub(super) fn recall<S: CrawlStore>(
    engine: &mut Engine,
    store: &mut S,
    stop: &StopSignal,
) -> Result<(), HarvestError> {
    let reader = engine.reader();
    // The request that redirects on the way to a page began with.
    let mut began: Option<(Request, String)> = None;
    for pages in store.archived_pages()?.chunks(RECALLED) {
        if stop.is_stopped() {
            break;
        }
        let mut exchanges = Vec::with_capacity(pages.len());
        for &(id, depth) in pages {
            let mut exchange = match store.read_page(id) {
                Ok(exchange) => exchange,
                // One damaged record does not block the project: its page is not shown to the strategy.
                Err(error) => {
                    let (kind, url, detail) =
                        (IssueKind::Archive, String::new(), error.to_string());
                    store.note_issue(&Issue { kind, url, detail }, now())?;
                    continue;
                }
            };
            let request = exchange.request.clone();
            let first = match began.take() {
                Some((first, target)) if target == request.url => first,
                _ => request.clone(),
            };
            let target = exchange.response.location().and_then(|to| resolve(&request.url, to));
            match target {
                Some(target) => began = Some((first, target)),
                None => {
                    let address = std::mem::replace(&mut exchange.request, first).url;
                    exchanges.push((exchange, address, depth));
                }
            }
        }
        let recalled: Vec<_> = exchanges
            .par_iter()
            .filter_map(|(exchange, address, depth)| reader.recall(exchange, address, *depth))
            .collect();
        for page in &recalled {
            engine.recall(store, page).map_err(PortError::new)?;
        }
    }
    Ok(())
}

/// Where a redirect leads.
fn resolve(from: &str, to: &str) -> Option<String> {
    Some(url::Url::parse(from).ok()?.join(to).ok()?.into())
}

/// What came of a ticket; nothing, if the archive has it.
type Came = (Box<Ticket>, Option<Fetched>);

async fn ask<F: Fetcher>(
    fetcher: &F,
    rendering: &SiteRendering,
    ticket: Box<Ticket>,
    is_asked: bool,
) -> Came {
    // An address that names a state of a page is not sent, whatever else holds.
    if let Some(state) = SiteRendering::state_of(&ticket.request) {
        let shown = rendering.show_state(&state, &ticket, fetcher).await;
        return (ticket, Some(shown));
    }
    if !is_asked {
        return (ticket, None);
    }
    let gate = ticket.gate.clone();
    let mut fetched = fetcher.fetch(&ticket.request, &move |url| gate.allows(url)).await;
    rendering.complete(&mut fetched, &ticket, fetcher).await;
    (ticket, Some(fetched))
}

/// An answer, and the archived page that it says has not changed.
struct Answer {
    ticket: Box<Ticket>,
    fetched: Fetched,
    held: Option<Exchange>,
}

impl Answer {
    fn read(self, reader: &AnswerReader) -> Observation {
        match &self.held {
            Some(held) => read_unchanged(&self.ticket, self.fetched, held, reader),
            None => read_answer(&self.ticket, self.fetched, reader),
        }
    }

    /// Bytes that are to be read.
    fn size(&self) -> usize {
        match (&self.held, &self.fetched.outcome) {
            (Some(held), _) => held.response.content().len(),
            (None, Outcome::Response(exchange)) => exchange.response.content().len(),
            (None, Outcome::Failed(_)) => 0,
        }
    }
}

/// Reads a batch on another thread. `None` if that thread died of it.
async fn read_aside(batch: Vec<Answer>, reader: &AnswerReader) -> Option<Vec<Observation>> {
    if batch.iter().map(Answer::size).sum::<usize>() <= READ_AT_ONCE {
        return Some(read_batch(batch, reader));
    }
    let (done, read) = tokio::sync::oneshot::channel();
    let reader = reader.clone();
    rayon::spawn(move || drop(done.send(read_batch(batch, &reader))));
    read.await.ok()
}

/// Waits until the session must end, and says when that was.
async fn leaving(stop: &StopSignal, leave_at: Option<Timestamp>) -> Timestamp {
    let by_time = async {
        match leave_at {
            Some(at) => tokio::time::sleep(at.since(now())).await,
            None => std::future::pending().await,
        }
    };
    let by_signal = async {
        stop.stopped().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        () = by_time => {}
        () = by_signal => {}
    }
    now()
}

fn read_batch(batch: Vec<Answer>, reader: &AnswerReader) -> Vec<Observation> {
    let read = |answer: Answer| answer.read(reader);
    if batch.len() > 1 && batch.iter().map(Answer::size).sum::<usize>() > PARALLEL_BYTES {
        batch.into_par_iter().map(read).collect()
    } else {
        batch.into_iter().map(read).collect()
    }
}

/// What the loop carries along: where things go, and when that last happened.
struct Loop<'a, S> {
    store: &'a mut S,
    observer: &'a mut dyn Observer,
    terms: Terms,
    committed: Timestamp,
    /// How far the strategy is, and when to look again.
    strategy: (StrategyProgress, Timestamp),
}

impl<S: CrawlStore> Loop<'_, S> {
    /// Takes from the archive what was not sent: pages that are still fresh, and those that have not changed.
    fn complete(&self, batch: Vec<Came>) -> Result<Vec<Answer>, HarvestError> {
        let complete = |(ticket, came): Came| {
            let held = |url: &Request| self.store.archived_answer(&url.key());
            let (fetched, held) = match came {
                Some(fetched) => {
                    let confirmed = match &fetched.outcome {
                        Outcome::Response(last)
                            if last.response.status == 304 && fetched.hops.is_empty() =>
                        {
                            held(&last.request)?
                        }
                        _ => None,
                    };
                    (fetched, confirmed)
                }
                None => {
                    let gone = || HarvestError::NotArchived { url: ticket.request.url.clone() };
                    let exchange = held(&ticket.request)?.ok_or_else(gone)?;
                    let outcome = Outcome::Response(Box::new(exchange));
                    (Fetched { hops: Vec::new(), outcome }, None)
                }
            };
            Ok(Answer { ticket, fetched, held })
        };
        batch.into_iter().map(complete).collect()
    }

    /// A page whose scripts were run is asked for as a whole: that the server's part of it has not changed says nothing of the
    /// rest.
    fn want_whole(&self, ticket: &mut Ticket) -> Result<(), HarvestError> {
        let unless = &ticket.request.unless;
        if unless.etag.is_none() && unless.last_modified.is_none() {
            return Ok(());
        }
        let held = self.store.archived_answer(&ticket.request.key())?;
        if held.is_some_and(|held| held.response.rendering.is_some()) {
            ticket.request.unless = Validators::default();
        }
        Ok(())
    }

    /// Archives what was fetched to see whether pages need rendering, and counts it.
    fn keep_parts(&mut self, parts: &[Exchange]) -> Result<(), HarvestError> {
        for part in parts {
            let declared = part.response.headers.get("content-type").unwrap_or_default();
            let mime_detected = declared.split(';').next().unwrap_or_default().trim();
            let (depth, via, is_page) = (0, None, false);
            let capture = Capture { exchange: part, depth, via, mime_detected, is_page };
            self.store.put(&capture).map_err(PortError::new)?;
        }
        let bytes = parts.iter().map(|part| part.response.body.len() as u64).sum();
        self.store.add_counters(parts.len() as u64, bytes);
        Ok(())
    }

    /// Archives and counts what the engine decided.
    fn account(&mut self, reaction: Reaction) -> Result<(), HarvestError> {
        for capture in &reaction.captures {
            if capture.is_asked {
                self.store.put(&capture.as_capture()).map_err(PortError::new)?;
            } else {
                let key = capture.exchange.request.key();
                self.store.put_fresh(&key, capture.depth, capture.via.as_deref())?;
            }
        }
        for issue in &reaction.issues {
            self.observer
                .detail(&|| format!("{}: {} ({})", issue.kind.as_str(), issue.url, issue.detail));
            self.store.note_issue(issue, now())?;
        }
        for (reason, count) in reaction.skipped {
            self.store.count_skipped(reason, count);
        }
        self.store.add_counters(reaction.requests, reaction.bytes);
        Ok(())
    }

    fn tell(&self, observation: &Observation) {
        self.observer.detail(&|| match &observation.fetched().outcome {
            Outcome::Response(exchange) => format!(
                "{} {} {} ms  {}",
                exchange.request.method.as_str(),
                exchange.response.status,
                exchange.took.as_millis(),
                exchange.request.url
            ),
            Outcome::Failed(failure) => format!("failed: {failure}"),
        });
    }

    fn commit(&mut self) -> Result<(), HarvestError> {
        self.store.commit().map_err(PortError::new)?;
        self.committed = now();
        Ok(())
    }

    /// How long to wait for an answer before looking around again.
    fn pause(&self, wake: Option<Timestamp>, now: Timestamp) -> Duration {
        let until_commit = self.committed.plus(self.terms.commit_every).since(now);
        let until_wake = wake.map_or(self.terms.commit_every, |at| at.since(now));
        // The clock counts whole milliseconds; waking within one would only spin.
        until_wake.min(until_commit.max(Duration::from_millis(50))).max(Duration::from_millis(1))
    }

    /// Shows where the crawl stands, if it is time; at the end in any case.
    fn show(&mut self, engine: &Engine, is_over: bool) -> Result<(), HarvestError> {
        let now = now();
        if !self.observer.is_due(now, is_over) {
            return Ok(());
        }
        if is_over || now >= self.strategy.1 {
            let progress = engine.strategy_progress();
            let after = self::now();
            self.strategy = (progress, after.plus(after.since(now) * COUNTING));
        }
        let counts = self.store.counts().map_err(PortError::new)?;
        let progress = engine.progress();
        let mut hosts: Vec<_> =
            progress.hosts().filter(|host| host.state != HostState::Idle).collect();
        hosts.sort_by_key(|host| std::cmp::Reverse((host.in_flight, host.requests)));
        let hosts =
            hosts.iter().map(|host| (host.host.to_owned(), state(host.state, now))).collect();
        let standing = CrawlStatus {
            pages: progress.pages,
            bytes: progress.bytes,
            queued: counts.queued,
            in_flight: progress.in_flight,
            failed: counts.failed,
            limit: self.terms.limit,
            strategy: self.strategy.0,
            hosts,
        };
        self.observer.progress(&standing, now);
        Ok(())
    }
}

/// What a host is doing, in words.
fn state(state: HostState, now: Timestamp) -> String {
    match state {
        HostState::AskingRobots => "asking for robots.txt".to_owned(),
        HostState::Asking => "asking".to_owned(),
        HostState::Due(at) => format!("next in {:.1} s", at.since(now).as_secs_f64()),
        HostState::Paused(at) => format!("left alone for {:.0} s", at.since(now).as_secs_f64()),
        HostState::GivenUp => "given up".to_owned(),
        HostState::Idle => "nothing to ask".to_owned(),
    }
}

//! The crawl engine: the caller asks for the next step, fetches the ticket, and hands in the answer. No
//! I/O, time as a value; the same events give the same steps. `docs/algorithms/crawl.md` has the loop
//! in numbered steps.

mod answer;
mod bounced;
mod budget;
mod groups;
mod offer;
mod progress;
mod refusals;
mod special;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quarry_model::{
    Candidate, End, Entry, Frontier, HostHold, Request, RequestRole, SkipReason, Timestamp,
};

use crate::Address;
use crate::growth::Growth;
use crate::host::{Host, HostId, Probe, Robots};
use crate::link::date_shape;
use crate::query::QueryGraph;
use crate::reader::{AnswerReader, Observation, RecalledPage};
use crate::recent::Recent;
use crate::robots::Rules;
use crate::rules::{GateKind, RedirectPolicy, RequestBudget, Rulebook};
use crate::schedule::Schedule;
use crate::settings::{CrawlSettings, SettingsError, Spent};
use crate::strategy::{PageView, Strategy, StrategyProgress, StrategyReport};
use crate::ticket::{Purpose, Reaction, Step, Stop, Ticket, TicketId};

use bounced::Bounced;
use groups::PaceGroups;
pub use progress::{CrawlProgress, HostProgress, HostState};
pub use refusals::{Refusal, Refusals};

/// Entries that one call of [`Engine::next`] may settle without a request, so that it stays short.
const SETTLED_AT_ONCE: usize = 256;

/// How long to wait before looking for work that other crawlers may have added.
const OTHERS_WORK: std::time::Duration = std::time::Duration::from_millis(500);

/// The longest such wait, after looks that found nothing; it doubles with each. A look goes over the hosts that others have.
const MAX_OTHERS_WORK: std::time::Duration = std::time::Duration::from_secs(4);

/// Most sitemaps that a session asks for. With 50,000 addresses each, as the protocol allows, they list ten
/// million pages; an index that leads to ever more of them is endless.
const MAX_SITEMAPS: u32 = 200;

/// The crawl.
///
/// The caller owns the frontier, the sockets and the clock:
///
/// ```
/// use quarry_crawl::{CrawlSettings, Engine, MemoryFrontier, Step, Stop, read_answer};
/// use quarry_model::{Failure, Fetched, Outcome, Timestamp};
///
/// let mut frontier = MemoryFrontier::default();
/// let mut engine = Engine::new(CrawlSettings::new(["https://shop.example/"])).unwrap();
/// let mut now = Timestamp(0);
/// engine.start(&mut frontier, now).unwrap();
/// loop {
///     match engine.next(&mut frontier, now).unwrap() {
///         Step::Fetch(ticket) => {
///             // Here a fetcher would ask; this world has no network.
///             let detail = "no such host".to_owned();
///             let outcome = Outcome::Failed(Failure::Dns { detail });
///             let fetched = Fetched { hops: vec![], outcome };
///             let observation = read_answer(&ticket, fetched, &engine.reader());
///             let reaction = engine.observe(&mut frontier, observation, now).unwrap();
///             // Archive `reaction.captures`, record `reaction.issues`, add up the counts.
///             assert_eq!(reaction.requests, 1);
///         }
///         Step::Recall(_) => unreachable!("a frontier in memory has no archive"),
///         Step::WaitUntil(at) => now = at,
///         Step::Settled(_reaction) => {}
///         Step::Busy => unreachable!("every answer comes at once"),
///         Step::Done(why) => break assert_eq!(why, Stop::Finished),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Engine {
    settings: CrawlSettings,
    rules: Arc<Rulebook>,
    seeds: Vec<Address>,
    strategy: Strategy,
    hosts: Vec<Host>,
    names: BTreeMap<Arc<str>, HostId>,
    schedule: Schedule,
    groups: PaceGroups,
    flights: BTreeMap<TicketId, Flight>,
    pages_in_flight: u64,
    tickets: u64,
    growth: Growth,
    bounced: Bounced,
    /// Addresses that were lately given to the frontier, with their depth.
    offered: Recent,
    /// Addresses that were lately counted as skipped.
    counted: Recent,
    /// Addresses that are asked although nothing is known to link to them.
    guesses: BTreeSet<u64>,
    spent: Spent,
    requests: u64,
    budget: Arc<RequestBudget>,
    /// Sitemaps that were asked.
    sitemaps: u32,
    started: Timestamp,
    stop: Option<Stop>,
    /// Whether the frontier has been asked for forgotten work since the last ticket.
    reconciled: bool,
    /// When further hosts are looked for, where others share the frontier.
    next_look: Timestamp,
    /// How long after the last look.
    look_pause: std::time::Duration,
    /// What was settled without a request.
    notes: Reaction,
    /// What could not be had in this session.
    refusals: Refusals,
}

/// A ticket that is out.
#[derive(Debug)]
struct Flight {
    host: HostId,
    purpose: Purpose,
    address: Address,
    /// Of a page or sitemap.
    entry: Option<Entry>,
    is_asked: bool,
}

impl Engine {
    /// An engine for these settings.
    pub fn new(settings: CrawlSettings) -> Result<Self, SettingsError> {
        let seeds = settings.seed_addresses()?;
        let positive = [
            ("the number of requests per host", settings.politeness.per_host),
            ("the number of requests in flight", settings.politeness.max_in_flight),
            ("the number of attempts", settings.retry.attempts),
        ];
        if let Some((name, _)) = positive.iter().find(|(_, value)| *value == 0) {
            return Err(SettingsError::TooSmall { name, least: 1 });
        }
        Ok(Self {
            rules: Arc::new(Rulebook::new(&settings, &seeds)?),
            seeds,
            strategy: Strategy::new(&settings.strategy),
            hosts: Vec::new(),
            names: BTreeMap::new(),
            schedule: Schedule::default(),
            groups: PaceGroups::default(),
            flights: BTreeMap::new(),
            pages_in_flight: 0,
            tickets: 0,
            growth: Growth::new(settings.growth.clone()),
            bounced: Bounced::default(),
            offered: Recent::new(),
            counted: Recent::new(),
            guesses: BTreeSet::new(),
            spent: settings.spent,
            requests: 0,
            budget: Arc::new(RequestBudget::new(settings.budget.requests, settings.spent.requests)),
            sitemaps: 0,
            started: Timestamp(0),
            stop: None,
            reconciled: false,
            next_look: Timestamp(0),
            look_pause: OTHERS_WORK,
            notes: Reaction::default(),
            refusals: Refusals::new(),
            settings,
        })
    }

    /// What answers are read by, for [`crate::read_answer`] on any thread. After [`Engine::start`] it
    /// knows the robots.txt of the seeds' hosts, for [`AnswerReader::recall`].
    #[must_use]
    pub fn reader(&self) -> AnswerReader {
        let known = self.hosts.iter().filter_map(|host| {
            let rules = host.robots.rules()?;
            Some((Arc::clone(&host.name), Arc::clone(rules)))
        });
        AnswerReader { rules: Arc::clone(&self.rules), robots: Arc::new(known.collect()) }
    }

    /// Begins a session: leases of an earlier one are released, seeds go in, hosts that have work
    /// are remembered.
    pub fn start<F: Frontier>(&mut self, frontier: &mut F, now: Timestamp) -> Result<(), F::Error> {
        self.started = now;
        frontier.release_leases()?;
        let candidate =
            |request: Request, host: String| Candidate { request, host, ..Candidate::default() };
        if self.settings.guessed_seeds {
            self.guesses.extend(self.seeds.iter().map(Address::fingerprint));
        }
        let seeds = self.seeds.iter();
        let seeds =
            seeds.map(|seed| candidate(Request::get(seed.as_str()), seed.host().to_owned()));
        let queries = self.settings.queries.iter().filter_map(|query| {
            let host = Address::normalise(&query.url).ok()?.host().to_owned();
            Some(candidate(query.clone(), host))
        });
        let candidates: Vec<Candidate> = seeds.chain(queries).collect();
        let mut notes = std::mem::take(&mut self.notes);
        self.add(frontier, &candidates, &mut notes)?;
        self.find_work(frontier, now)?;
        // Where robots.txt will not be asked now, its sitemaps must be found from what is known.
        let hosts: BTreeSet<String> =
            self.seeds.iter().map(|seed| seed.host().to_owned()).collect();
        for host in &hosts {
            let id = self.host_id(frontier, host)?;
            self.add_sitemaps(frontier, id, &mut notes)?;
        }
        self.notes = notes;
        Ok(())
    }

    /// What to do now.
    pub fn next<F: Frontier>(
        &mut self,
        frontier: &mut F,
        now: Timestamp,
    ) -> Result<Step, F::Error> {
        for _ in 0..SETTLED_AT_ONCE {
            if self.stop.is_none() {
                self.stop = self.used_up(now).map(Stop::Budget);
            }
            if let Some(why) = self.stop {
                return Ok(self.settled().unwrap_or(if self.flights.is_empty() {
                    Step::Done(why)
                } else {
                    Step::Busy
                }));
            }
            if self.is_full() {
                return Ok(Step::Busy);
            }
            let Some((due, id)) = self.schedule.first() else {
                if !self.flights.is_empty() {
                    if self.looks_further(frontier, now)? {
                        continue;
                    }
                    return Ok(self.settled().unwrap_or(Step::Busy));
                }
                // Work that only the frontier remembers, such as put back by an earlier session.
                if !self.reconciled && self.find_work(frontier, now)? {
                    self.reconciled = true;
                    continue;
                }
                if self.ask_strategy(frontier)? {
                    continue;
                }
                if !frontier.is_over()? {
                    self.reconciled = false;
                    return Ok(self.settled().unwrap_or(Step::WaitUntil(now.plus(OTHERS_WORK))));
                }
                return Ok(self.settled().unwrap_or(Step::Done(Stop::Finished)));
            };
            if due > now && self.looks_further(frontier, now)? {
                continue;
            }
            if due > now {
                let mut until = self.deadline().map_or(due, |deadline| deadline.min(due));
                if frontier.wants_work() {
                    until = until.min(self.next_look);
                }
                return Ok(self.settled().unwrap_or(Step::WaitUntil(until)));
            }
            if let Some(ticket) = self.serve(frontier, id, now)? {
                self.reconciled = false;
                let ticket = Box::new(ticket);
                return Ok(match ticket.is_asked {
                    true => Step::Fetch(ticket),
                    false => Step::Recall(ticket),
                });
            }
        }
        Ok(self.settled().unwrap_or(Step::WaitUntil(now)))
    }

    /// Takes the answer to a ticket.
    pub fn observe<F: Frontier>(
        &mut self,
        frontier: &mut F,
        observation: Observation,
        now: Timestamp,
    ) -> Result<Reaction, F::Error> {
        let mut reaction = std::mem::take(&mut self.notes);
        let Some(flight) = self.flights.remove(&observation.ticket) else { return Ok(reaction) };
        let id = flight.host;
        self.reconciled = false;
        if flight.purpose == Purpose::Page {
            self.pages_in_flight -= 1;
        }
        let is_asked = flight.is_asked;
        if is_asked {
            answer::count(&observation.fetched, &mut reaction);
        }
        if flight.purpose == Purpose::Page {
            reaction.answers = answer::answers(&observation.fetched, is_asked);
            let host = &self.hosts[id.0 as usize].name;
            refusals::count(&mut self.refusals, host, &observation.fetched);
        }
        self.requests += reaction.requests;
        self.spent.requests += reaction.requests;
        self.spent.bytes += reaction.bytes;
        let host = &mut self.hosts[id.0 as usize];
        host.in_flight -= 1;
        host.requests += reaction.requests;
        match flight.purpose {
            Purpose::Page | Purpose::Sitemap => {
                self.observe_entry(frontier, flight, observation, now, &mut reaction)?;
            }
            Purpose::Robots => {
                self.observe_robots(frontier, id, observation, now, &mut reaction)?;
            }
            Purpose::Probe => self.observe_probe(id, observation, &mut reaction),
        }
        self.spent.pages += reaction.answers;
        let host = &mut self.hosts[id.0 as usize];
        host.pages += reaction.pages;
        // A page that was not asked has cost the host nothing.
        let pause = if is_asked && self.settings.politeness.per_host == 1 {
            host.pace.delay()
        } else {
            std::time::Duration::ZERO
        };
        host.hold(now.plus(pause));
        if let Some(record) = host.record_to_save(now) {
            frontier.save_host(record)?;
        }
        if is_asked {
            let pause = if self.settings.politeness.per_host == 1 {
                self.settings.politeness.delay
            } else {
                std::time::Duration::ZERO
            };
            self.groups.answered(&host.groups, now.plus(pause));
        }
        self.plan_groups(id);
        Ok(reaction)
    }

    /// Whether the strategy must be shown the archived pages of earlier sessions, in their order,
    /// by [`Engine::recall`] after [`Engine::start`].
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.settings.strategy.remembers()
    }

    /// Shows the strategy a page of an earlier session.
    pub fn recall<F: Frontier>(
        &mut self,
        frontier: &mut F,
        page: &RecalledPage,
    ) -> Result<(), F::Error> {
        let RecalledPage { request, address, depth, reading } = page;
        let view = PageView {
            request,
            address,
            depth: *depth,
            links: &reading.links,
            facts: &reading.facts,
        };
        // Nothing that was found then is counted again.
        self.follow(frontier, &view, &mut Reaction::default())
    }

    /// What came of the strategy so far.
    #[must_use]
    pub fn report(&self) -> StrategyReport {
        self.strategy.report()
    }

    /// How far the strategy is. Takes time in proportion to what it has found: not for every page.
    #[must_use]
    pub fn strategy_progress(&self) -> StrategyProgress {
        self.strategy.progress()
    }

    /// The query graphs that the strategy has recovered, one for each seed.
    #[must_use]
    pub fn query_graphs(&self) -> Vec<&QueryGraph> {
        self.strategy.graphs()
    }

    /// What could not be had in this session, and how often.
    #[must_use]
    pub fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// Hands out no more tickets; once those in flight have come back, the session is over.
    pub fn stop(&mut self, why: Stop) {
        self.stop.get_or_insert(why);
    }

    fn settled(&mut self) -> Option<Step> {
        let any = !self.notes.is_empty();
        any.then(|| Step::Settled(Box::new(std::mem::take(&mut self.notes))))
    }

    /// Looks for hosts that others have left, while those of this crawler must be waited for. False if it is not time to.
    fn looks_further<F: Frontier>(
        &mut self,
        frontier: &mut F,
        now: Timestamp,
    ) -> Result<bool, F::Error> {
        if now < self.next_look || !frontier.wants_work() {
            return Ok(false);
        }
        let known = self.schedule.len();
        self.find_work(frontier, now)?;
        let has_found = self.schedule.len() > known;
        self.look_pause =
            if has_found { OTHERS_WORK } else { MAX_OTHERS_WORK.min(self.look_pause * 2) };
        self.next_look = now.plus(self.look_pause);
        Ok(true)
    }

    /// Learns from the frontier which hosts have entries. True if one of them can be asked.
    fn find_work<F: Frontier>(
        &mut self,
        frontier: &mut F,
        now: Timestamp,
    ) -> Result<bool, F::Error> {
        let mut any = false;
        for work in frontier.work()? {
            let id = self.host_id(frontier, &work.host)?;
            let host = &mut self.hosts[id.0 as usize];
            if work.due <= now {
                host.has_work = true;
            } else {
                host.waiting.insert(work.due);
            }
            any |= !host.given_up;
            self.plan(id);
        }
        Ok(any)
    }

    fn host_id<F: Frontier>(&mut self, frontier: &F, name: &str) -> Result<HostId, F::Error> {
        if let Some(id) = self.names.get(name) {
            return Ok(*id);
        }
        let (host, groups) = self.remembered(frontier, name)?;
        let id = HostId(self.hosts.len() as u32);
        self.names.insert(Arc::clone(&host.name), id);
        self.hosts.push(host);
        self.join_groups(id, &groups);
        Ok(id)
    }

    /// A host as the frontier remembers it, and the groups whose pause it keeps.
    fn remembered<F: Frontier>(
        &self,
        frontier: &F,
        name: &str,
    ) -> Result<(Host, Vec<String>), F::Error> {
        let named = self.seeds.iter().any(|seed| seed.host() == name && seed.is_loopback());
        let politeness = &self.settings.politeness;
        let spared = named && politeness.no_delay_on_loopback;
        let record = frontier.host(name)?;
        let groups = match &record {
            Some(record) if !spared && !politeness.delay.is_zero() => record.groups.clone(),
            _ => Vec::new(),
        };
        let (product, retry) = (&self.rules.product, &self.settings.retry);
        Ok((Host::new(name, record, spared, product, politeness, retry), groups))
    }

    /// Takes over a host that another crawler may have asked: its robots.txt and its pace are what the frontier remembers.
    fn remember_again<F: Frontier>(&mut self, frontier: &F, id: HostId) -> Result<(), F::Error> {
        let old = &self.hosts[id.0 as usize];
        if old.in_flight == 0 {
            let (mut fresh, groups) = self.remembered(frontier, &Arc::clone(&old.name))?;
            let old = &mut self.hosts[id.0 as usize];
            (fresh.pages, fresh.requests, fresh.has_work) = (old.pages, old.requests, true);
            (fresh.groups, fresh.last_ticket) = (std::mem::take(&mut old.groups), old.last_ticket);
            *old = fresh;
            self.join_groups(id, &groups);
        }
        self.plan(id);
        Ok(())
    }

    /// Puts a host where it now belongs in the schedule.
    fn plan(&mut self, id: HostId) {
        let host = &mut self.hosts[id.0 as usize];
        let politeness = &self.settings.politeness;
        let due = host.due(politeness, &self.settings.retry);
        let due = due.and_then(|due| self.groups.due(id, &host.groups, due, politeness.per_host));
        self.schedule.plan(id, host, due);
    }

    /// The next request to a host whose turn it is: its robots.txt, an address that cannot exist,
    /// or an entry of the frontier. `None` if it had no request, but entries that were settled
    /// without one, or nothing at all.
    fn serve<F: Frontier>(
        &mut self,
        frontier: &mut F,
        id: HostId,
        now: Timestamp,
    ) -> Result<Option<Ticket>, F::Error> {
        let host = &mut self.hosts[id.0 as usize];
        self.schedule.take(id, host);
        match frontier.hold(&host.name)? {
            HostHold::Held => {}
            HostHold::Taken => {
                self.remember_again(frontier, id)?;
                return Ok(None);
            }
            HostHold::Refused => {
                host.has_work = false;
                host.waiting.clear();
                self.plan_groups(id);
                return Ok(None);
            }
        }
        host.check_age(now);
        let rules = match &host.robots {
            Robots::Known { rules, .. } => Arc::clone(rules),
            Robots::Unknown { .. } | Robots::Asked { .. } => {
                return Ok(Some(self.robots_ticket(id, now)));
            }
        };
        if matches!(host.probe, Probe::Wanted(_))
            && let Some(ticket) = self.probe_ticket(id, &rules, now)
        {
            return Ok(Some(ticket));
        }
        let host = &mut self.hosts[id.0 as usize];
        let Some(entry) = frontier.lease(&host.name, now)? else {
            host.has_work = false;
            host.waiting = host.waiting.split_off(&Timestamp(now.0.saturating_add(1)));
            self.plan_groups(id);
            return Ok(None);
        };
        host.has_work = true;
        match self.admit(&entry, &rules) {
            Ok(address) => Ok(Some(self.entry_ticket(id, entry, address, rules, now))),
            Err(reason) => {
                frontier.finish(entry.id, &End::Skipped(reason))?;
                self.notes.skip(reason);
                if reason == SkipReason::Robots
                    && let Ok(address) = Address::normalise(&entry.candidate.request.url)
                    && let Some(line) = rules.refusing_line(address.path_and_query())
                {
                    let host = address.host().to_owned();
                    *self.refusals.entry(Refusal::Robots { host, line }).or_default() += 1;
                }
                self.plan(id);
                Ok(None)
            }
        }
    }

    /// Judges an entry again, now that its turn has come: settings may have changed since it was
    /// queued, and the host's robots.txt is known.
    fn admit(&mut self, entry: &Entry, robots: &Rules) -> Result<Address, SkipReason> {
        let candidate = &entry.candidate;
        let Ok(address) = Address::normalise(&candidate.request.url) else {
            return Err(SkipReason::BadUrl);
        };
        match candidate.role {
            RequestRole::Sitemap => {
                if self.sitemaps >= MAX_SITEMAPS {
                    return Err(SkipReason::Budget);
                }
                self.sitemaps += 1;
                if !self.rules.bounds.reaches_host(&address) {
                    return Err(SkipReason::OutOfScope);
                }
                // A sitemap that robots.txt names is meant to be read; a guess must be allowed.
                if candidate.via.is_none() && !robots.allows(address.path_and_query()) {
                    return Err(SkipReason::Robots);
                }
            }
            RequestRole::Page => {
                self.rules.bounds.judge_depth(candidate.depth)?;
                self.rules.judge_from(&address, &candidate.host, robots)?;
                if self.growth.is_trap(&address, date_shape(&address)) {
                    return Err(SkipReason::Trap);
                }
                if !self.settings.follow_actions
                    && !self.rules.bounds.is_seed(address.as_str())
                    && self.bounced.only_lead_back(&address)
                {
                    return Err(SkipReason::Unsafe);
                }
                if entry.attempts == 0 {
                    self.growth.asked(&address);
                }
            }
        }
        Ok(address)
    }

    fn entry_ticket(
        &mut self,
        id: HostId,
        entry: Entry,
        address: Address,
        rules: Arc<Rules>,
        now: Timestamp,
    ) -> Ticket {
        let host = Arc::clone(&self.hosts[id.0 as usize].name);
        let (purpose, kind) = match entry.candidate.role {
            RequestRole::Page => {
                (Purpose::Page, GateKind::Host { host, robots: Arc::clone(&rules) })
            }
            RequestRole::Sitemap => (Purpose::Sitemap, GateKind::Site),
        };
        let request = entry.candidate.request.clone();
        let mut ticket = self.ticket(id, purpose, request, address, kind, Some(entry), now);
        ticket.robots = rules;
        ticket
    }

    /// Hands out a ticket: from now on it is in flight.
    #[expect(clippy::too_many_arguments, reason = "the one place where a ticket is put together")]
    fn ticket(
        &mut self,
        id: HostId,
        purpose: Purpose,
        request: Request,
        address: Address,
        kind: GateKind,
        entry: Option<Entry>,
        now: Timestamp,
    ) -> Ticket {
        self.tickets += 1;
        self.take_turn(id, now);
        let politeness = &self.settings.politeness;
        let is_fresh = purpose == Purpose::Page
            && entry.as_ref().and_then(|entry| entry.fresh_until).is_some_and(|until| now < until);
        let is_asked = !is_fresh;
        if is_asked {
            // `next` has seen that one is left, or a redirect took it just now: that is one too many.
            self.budget.take();
        }
        let host = &mut self.hosts[id.0 as usize];
        host.in_flight += 1;
        // With one request at a time the pause begins when the answer has come.
        let (pause, of_groups) = if politeness.per_host > 1 && is_asked {
            (host.pace.delay(), politeness.delay)
        } else {
            Default::default()
        };
        host.hold(now.plus(pause));
        if is_asked {
            self.groups.asked(&host.groups, now.plus(of_groups));
        }
        let missing = match (&host.probe, purpose) {
            (Probe::Known(Some(signature)), Purpose::Page) => Some(Arc::clone(signature)),
            _ => None,
        };
        let ticket = Ticket {
            id: TicketId(self.tickets),
            request,
            gate: Arc::new(RedirectPolicy {
                rules: Arc::clone(&self.rules),
                kind,
                budget: Arc::clone(&self.budget),
            }),
            purpose,
            depth: entry.as_ref().map_or(0, |entry| entry.candidate.depth),
            host: Arc::clone(&host.name),
            pause: host.pace.delay(),
            address: address.clone(),
            robots: Arc::default(),
            missing,
            sign: purpose == Purpose::Probe
                || (self.settings.probe_missing && matches!(host.probe, Probe::NotYet)),
            is_asked,
        };
        if purpose == Purpose::Page {
            self.pages_in_flight += 1;
        }
        self.flights.insert(ticket.id, Flight { host: id, purpose, address, entry, is_asked });
        self.plan_groups(id);
        ticket
    }
}

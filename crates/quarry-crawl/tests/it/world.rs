//! A web without a network: scripted sites, a clock that jumps, and a driver that runs the engine.

use std::collections::BTreeMap;
use std::time::Duration;

use quarry_crawl::{
    CrawlSettings, Engine, MemoryFrontier, Purpose, Reaction, Step, Stop, StrategyReport, Ticket,
    read_answer,
};
use quarry_model::{
    Exchange, Failure, Fetched, Headers, Issue, IssueKind, Outcome, Request, Response, SkipReason,
    Timestamp, Truncation,
};

/// 2026-11-15T20:00:00Z.
pub(crate) const START: Timestamp = Timestamp(1_794_772_800_000);

/// Most hops that the fetcher of this world follows.
const MAX_HOPS: usize = 10;

/// What a server says.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) failure: Option<Failure>,
    pub(crate) truncated: Option<Truncation>,
}

pub(crate) fn status(status: u16) -> Answer {
    let (headers, body) = (Vec::new(), format!("status {status}").into_bytes());
    Answer { status, headers, body, failure: None, truncated: None }
}

pub(crate) fn text(body: &str) -> Answer {
    Answer { body: body.as_bytes().to_vec(), ..status(200) }.header("Content-Type", "text/plain")
}

/// A page with a title, a paragraph and links.
pub(crate) fn page(title: &str, links: &[&str]) -> Answer {
    let links: String = links.iter().map(|to| format!("<a href=\"{to}\">{title}</a>\n")).collect();
    html(&format!(
        "<title>{title}</title><p>This page is about {title} and little else.</p>{links}"
    ))
}

pub(crate) fn html(body: &str) -> Answer {
    let body = format!("<!doctype html>{body}").into_bytes();
    Answer { body, ..status(200) }.header("Content-Type", "text/html; charset=utf-8")
}

pub(crate) fn redirect(to: &str) -> Answer {
    Answer { body: Vec::new(), ..status(302) }.header("Location", to)
}

pub(crate) fn fails(failure: Failure) -> Answer {
    Answer { failure: Some(failure), ..status(0) }
}

pub(crate) fn reset() -> Answer {
    fails(Failure::Reset { detail: "connection reset by peer".to_owned() })
}

impl Answer {
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// One request on the wire (redirect hops are part of it).
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) url: String,
    pub(crate) host: String,
    pub(crate) purpose: Purpose,
    pub(crate) start: Timestamp,
    pub(crate) end: Timestamp,
}

type Script = Box<dyn Fn(&str, u32) -> Option<Answer>>;

/// Every server there is.
pub(crate) struct World {
    pages: BTreeMap<String, Vec<Answer>>,
    scripts: Vec<Script>,
    asked: BTreeMap<String, u32>,
    latency: Box<dyn Fn(&str) -> Duration>,
    pub(crate) now: Timestamp,
    pub(crate) log: Vec<Sent>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            pages: BTreeMap::new(),
            scripts: Vec::new(),
            asked: BTreeMap::new(),
            latency: Box::new(|_| Duration::from_millis(50)),
            now: START,
            log: Vec::new(),
        }
    }

    /// At this address stands this answer.
    pub(crate) fn at(mut self, url: &str, answer: Answer) -> Self {
        self.pages.insert(url.to_owned(), vec![answer]);
        self
    }

    /// At this address stand these answers, one after the other; the last one stays.
    pub(crate) fn at_first(mut self, url: &str, answers: Vec<Answer>) -> Self {
        self.pages.insert(url.to_owned(), answers);
        self
    }

    /// Whatever this function says; it is given the address and how often it was asked before.
    pub(crate) fn script(mut self, script: impl Fn(&str, u32) -> Option<Answer> + 'static) -> Self {
        self.scripts.push(Box::new(script));
        self
    }

    pub(crate) fn latency(mut self, latency: impl Fn(&str) -> Duration + 'static) -> Self {
        self.latency = Box::new(latency);
        self
    }

    fn answer(&mut self, url: &str) -> Answer {
        let asked = self.asked.entry(url.to_owned()).or_default();
        let before = *asked;
        *asked += 1;
        if let Some(answers) = self.pages.get(url) {
            return answers[(before as usize).min(answers.len() - 1)].clone();
        }
        self.scripts.iter().find_map(|script| script(url, before)).unwrap_or_else(|| status(404))
    }

    fn fetch(&mut self, ticket: &Ticket) -> (Fetched, Duration) {
        let mut hops = Vec::new();
        let mut request = ticket.request.clone();
        let mut took = Duration::ZERO;
        loop {
            let answer = self.answer(&request.url);
            let hop_took = (self.latency)(&request.url);
            let at = self.now.plus(took);
            took += hop_took;
            if let Some(failure) = answer.failure {
                return (Fetched { hops, outcome: Outcome::Failed(failure) }, took);
            }
            let response = Response {
                rendering: None,
                status: answer.status,
                version: "HTTP/1.1".to_owned(),
                headers: Headers(answer.headers),
                body: answer.body,
                decoded: None,
                truncated: answer.truncated,
            };
            let target = response.location().and_then(|to| {
                url::Url::parse(&request.url).unwrap().join(to).ok().map(String::from)
            });
            let exchange = Exchange {
                request: request.clone(),
                sent: Headers::default(),
                response,
                remote: None,
                at,
                took: hop_took,
            };
            match target {
                Some(target) if ticket.gate.allows(&target) => {
                    hops.push(exchange);
                    if hops.len() > MAX_HOPS {
                        let limit = MAX_HOPS as u32;
                        let failure = Failure::TooManyRedirects { limit };
                        return (Fetched { hops, outcome: Outcome::Failed(failure) }, took);
                    }
                    request = Request::get(target);
                }
                _ => {
                    return (
                        Fetched { hops, outcome: Outcome::Response(Box::new(exchange)) },
                        took,
                    );
                }
            }
        }
    }

    /// The addresses asked for as pages and sitemaps, in order.
    pub(crate) fn asked_pages(&self) -> Vec<&str> {
        let pages = self.log.iter().filter(|sent| sent.purpose == Purpose::Page);
        pages.map(|sent| sent.url.as_str()).collect()
    }

    pub(crate) fn times_asked(&self, url: &str) -> u32 {
        self.asked.get(url).copied().unwrap_or(0)
    }
}

/// What a session brought.
#[derive(Debug, Default)]
pub(crate) struct Crawled {
    /// Addresses with a row, in order of archiving; redirect hops included.
    pub(crate) rows: Vec<(String, u16)>,
    /// Archived, but no pages.
    pub(crate) aside: Vec<String>,
    pub(crate) skipped: BTreeMap<SkipReason, u64>,
    pub(crate) issues: Vec<Issue>,
    pub(crate) requests: u64,
    pub(crate) bytes: u64,
    pub(crate) pages: u64,
    pub(crate) stop: Option<Stop>,
    pub(crate) most_in_flight: usize,
}

impl Crawled {
    pub(crate) fn urls(&self) -> Vec<&str> {
        self.rows.iter().map(|(url, _)| url.as_str()).collect()
    }

    pub(crate) fn sorted(&self) -> Vec<&str> {
        let mut urls = self.urls();
        urls.sort_unstable();
        urls
    }

    pub(crate) fn skipped(&self, reason: SkipReason) -> u64 {
        self.skipped.get(&reason).copied().unwrap_or(0)
    }

    pub(crate) fn issues(&self, kind: IssueKind) -> Vec<&Issue> {
        self.issues.iter().filter(|issue| issue.kind == kind).collect()
    }

    fn account(&mut self, reaction: Reaction) {
        for capture in reaction.captures {
            let (url, status) = (capture.exchange.request.url, capture.exchange.response.status);
            if capture.is_page {
                self.rows.push((url, status));
            } else {
                self.aside.push(url);
            }
        }
        for (reason, count) in reaction.skipped {
            *self.skipped.entry(reason).or_default() += count;
        }
        self.issues.extend(reaction.issues);
        self.requests += reaction.requests;
        self.bytes += reaction.bytes;
        self.pages += reaction.pages;
    }
}

/// Settings with nothing that asks for more than the pages themselves.
pub(crate) fn plain(seeds: &[&str]) -> CrawlSettings {
    let mut settings = CrawlSettings::new(seeds.iter().copied());
    settings.politeness.obey_robots = false;
    settings.probe_missing = false;
    settings
}

/// Runs a session to its end on a new frontier.
pub(crate) fn crawl(world: &mut World, settings: CrawlSettings) -> Crawled {
    crawl_on(world, settings, &mut MemoryFrontier::default(), usize::MAX)
}

/// Runs a session on a frontier, for at most so many steps; then everything is dropped, as in a
/// crash.
pub(crate) fn crawl_on(
    world: &mut World,
    settings: CrawlSettings,
    frontier: &mut MemoryFrontier,
    steps: usize,
) -> Crawled {
    let mut session = Session::new(settings);
    session.engine.start(frontier, world.now).unwrap();
    for _ in 0..steps {
        if session.step(world, frontier) {
            break;
        }
    }
    session.crawled
}

/// Runs a session to its end on a new frontier, and says what the strategy says of it.
pub(crate) fn crawl_with_account(
    world: &mut World,
    settings: CrawlSettings,
) -> (Crawled, StrategyReport) {
    let mut frontier = MemoryFrontier::default();
    let mut session = Session::new(settings);
    session.engine.start(&mut frontier, world.now).unwrap();
    while !session.step(world, &mut frontier) {}
    (session.crawled, session.engine.report())
}

/// A session that can be looked at between steps.
pub(crate) struct Session {
    pub(crate) engine: Engine,
    pub(crate) crawled: Crawled,
    in_flight: BTreeMap<(Timestamp, u64), (Ticket, Fetched)>,
}

impl Session {
    pub(crate) fn new(settings: CrawlSettings) -> Self {
        let engine = Engine::new(settings).unwrap();
        Self { engine, crawled: Crawled::default(), in_flight: BTreeMap::new() }
    }

    /// One step. True once the session is over.
    pub(crate) fn step(&mut self, world: &mut World, frontier: &mut MemoryFrontier) -> bool {
        match self.engine.next(frontier, world.now).unwrap() {
            Step::Fetch(ticket) => {
                let (fetched, took) = world.fetch(&ticket);
                let end = world.now.plus(took);
                world.log.push(Sent {
                    url: ticket.request.url.clone(),
                    host: ticket.host.to_string(),
                    purpose: ticket.purpose,
                    start: world.now,
                    end,
                });
                self.in_flight.insert((end, ticket.id.0), (*ticket, fetched));
                let flying = self.in_flight.len();
                self.crawled.most_in_flight = self.crawled.most_in_flight.max(flying);
            }
            Step::WaitUntil(at) => match self.in_flight.first_key_value() {
                Some(((end, _), _)) if *end <= at => self.land(world, frontier),
                _ => {
                    assert!(at >= world.now, "time runs forward");
                    world.now = at;
                }
            },
            Step::Recall(_) => unreachable!("a frontier in memory has no archive"),
            Step::Busy => self.land(world, frontier),
            Step::Settled(reaction) => self.crawled.account(*reaction),
            Step::Done(why) => {
                assert!(self.in_flight.is_empty(), "done, but something is in flight");
                self.crawled.stop = Some(why);
                return true;
            }
        }
        false
    }

    fn land(&mut self, world: &mut World, frontier: &mut MemoryFrontier) {
        let ((end, _), (ticket, fetched)) =
            self.in_flight.pop_first().expect("busy, but nothing is in flight");
        world.now = world.now.max(end);
        let observation = read_answer(&ticket, fetched, &self.engine.reader());
        let reaction = self.engine.observe(frontier, observation, world.now).unwrap();
        self.crawled.account(reaction);
    }
}

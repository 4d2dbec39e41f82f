//! Reads answers: robots.txt, sitemaps and pages with their links. Pure, and safe to run on any thread,
//! so that the engine's own step is short.

mod links;
mod page;
mod resolve;

use std::collections::BTreeMap;
use std::sync::Arc;

use quarry_content::detect_mime;
use quarry_dom::Cut;
use quarry_model::{Exchange, Fetched, Outcome, Request, SkipReason, Validators};

use crate::Address;
use crate::missing::Signature;
use crate::robots::Rules;
use crate::rules::Rulebook;
use crate::sitemap;
use crate::strategy::PageFacts;
use crate::ticket::{Purpose, Ticket, TicketId};

use links::LinkList;

/// The rules that answers are read by; cheap to clone. [`crate::Engine::reader`] gives one.
#[derive(Debug, Clone)]
pub struct AnswerReader {
    pub(crate) rules: Arc<Rulebook>,
    /// The robots.txt of hosts that earlier sessions have met.
    pub(crate) robots: Arc<BTreeMap<Arc<str>, Arc<Rules>>>,
}

/// A link of a page: normalised, within scope and rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLink {
    /// Where it leads.
    pub address: Address,
}

/// An answer that has been read, for [`crate::Engine::observe`].
#[derive(Debug)]
pub struct Observation {
    pub(crate) ticket: TicketId,
    pub(crate) fetched: Fetched,
    /// The address that gave the final response.
    pub(crate) address: Option<Address>,
    pub(crate) mime: &'static str,
    pub(crate) reading: Reading,
}

impl Observation {
    /// The ticket that this is the answer to.
    #[must_use]
    pub fn ticket(&self) -> TicketId {
        self.ticket
    }

    /// The answer as it came.
    #[must_use]
    pub fn fetched(&self) -> &Fetched {
        &self.fetched
    }
}

/// What was read from the final response.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Where it leads, each address once.
    pub(crate) links: Vec<FoundLink>,
    /// Further sitemaps.
    pub(crate) sitemaps: Vec<Address>,
    /// Fingerprints of addresses that the rules leave out.
    pub(crate) skipped: Vec<(u64, SkipReason)>,
    /// Of these, the lines of robots.txt that refuse some.
    pub(crate) refused: BTreeMap<u64, String>,
    pub(crate) robots: Option<Arc<Rules>>,
    /// The page's own signature, where it was wanted.
    pub(crate) signature: Option<Signature>,
    pub(crate) looks_missing: bool,
    pub(crate) cut: Cut,
    pub(crate) problem: Option<String>,
    /// What the strategy reads from the page.
    pub(crate) facts: PageFacts,
    /// Whether a page was read, so that `links` has all of its links.
    pub(crate) is_document: bool,
    /// What the page says to robots about uses: its `X-Robots-Tag` and meta robots.
    pub(crate) notice: Option<String>,
    /// Whether the page asks that its links be not followed, and is obeyed.
    pub(crate) says_nofollow: bool,
}

/// Reads the answer to a ticket.
#[must_use]
pub fn read_answer(ticket: &Ticket, fetched: Fetched, reader: &AnswerReader) -> Observation {
    let mut observation = Observation {
        ticket: ticket.id,
        fetched,
        address: None,
        mime: "",
        reading: Reading::default(),
    };
    let Outcome::Response(exchange) = &observation.fetched.outcome else { return observation };
    observation.mime = mime_of(exchange);
    let address = if exchange.request.url == ticket.request.url {
        Ok(ticket.address.clone())
    } else {
        Address::normalise(&exchange.request.url)
    };
    observation.reading = match &address {
        Ok(address) => read(ticket, exchange, address, observation.mime, reader),
        Err(_) => Reading::default(),
    };
    observation.address = address.ok();
    observation
}

/// Reads the answer to a ticket where the page has not changed (304): its links are those of the archived
/// page.
#[must_use]
pub fn read_unchanged(
    ticket: &Ticket,
    fetched: Fetched,
    held: &Exchange,
    reader: &AnswerReader,
) -> Observation {
    let reading = read(ticket, held, &ticket.address, mime_of(held), reader);
    Observation {
        ticket: ticket.id,
        fetched,
        address: Some(ticket.address.clone()),
        mime: mime_of(held),
        reading,
    }
}

/// An archived page that has been read again, for [`crate::Engine::recall`].
#[derive(Debug)]
pub struct RecalledPage {
    pub(crate) request: Request,
    pub(crate) address: Address,
    pub(crate) depth: u32,
    pub(crate) reading: Reading,
}

impl AnswerReader {
    /// Reads an archived page again. Its request is the one that was proposed; redirects may have led
    /// from there to `address`. `None` for pages that strategies do not read.
    #[must_use]
    pub fn recall(&self, exchange: &Exchange, address: &str, depth: u32) -> Option<RecalledPage> {
        let address = Address::normalise(address).ok()?;
        let mut reading = Reading::default();
        // By the robots.txt that held then: each request is judged again before it is sent.
        let robots = self.robots.get(address.host()).cloned();
        let robots = robots.unwrap_or_else(|| Arc::new(Rules::allow_all()));
        match exchange.response.status {
            _ if !is_html(mime_of(exchange)) => return None,
            200..=299 => {
                page::read_links(&exchange.response, &address, &robots, self, &mut reading);
            }
            400.. if self.rules.strategy.reads_error_pages() => {
                reading.facts = page::read_facts(&exchange.response, &address, &robots, self);
            }
            _ => return None,
        }
        let request = Request { unless: Validators::default(), ..exchange.request.clone() };
        Some(RecalledPage { request, address, depth, reading })
    }
}

/// The media type, detected from the bytes.
pub(crate) fn mime_of(exchange: &Exchange) -> &'static str {
    let response = &exchange.response;
    detect_mime(response.content(), response.headers.get("content-type"))
}

fn read(
    ticket: &Ticket,
    exchange: &Exchange,
    address: &Address,
    mime: &'static str,
    reader: &AnswerReader,
) -> Reading {
    let response = &exchange.response;
    let mut reading = Reading::default();
    match (ticket.purpose, response.status) {
        (Purpose::Robots, 200..=299) => {
            let rules = Rules::parse(response.content(), &reader.rules.product);
            reading.robots = Some(Arc::new(rules));
        }
        (Purpose::Sitemap, 200..=299) => {
            let mut links = LinkList::new(&ticket.host, &ticket.robots, reader, address);
            let text = sitemap::read(response.content());
            for page in &text.pages {
                links.add(page);
            }
            reading.refused = links.take_refused();
            (reading.links, reading.skipped) = links.into_parts();
            let nested = text.sitemaps.iter().filter_map(|url| Address::normalise(url).ok());
            reading.sitemaps = nested.collect();
            reading.problem = text.problem;
        }
        (Purpose::Page | Purpose::Probe, 200..=299) if is_html(mime) => {
            page::read(ticket, response, address, reader, &mut reading);
        }
        (Purpose::Page, 400..) if is_html(mime) && reader.rules.strategy.reads_error_pages() => {
            reading.facts = page::read_facts(response, address, &ticket.robots, reader);
        }
        // A redirect that the gate did not let pass leads on like a link.
        (Purpose::Page | Purpose::Sitemap, 300..=399) => {
            if let Some(target) = response.location() {
                let mut links = LinkList::new(&ticket.host, &ticket.robots, reader, address);
                links.add(target);
                (reading.links, reading.skipped) = links.into_parts();
            }
        }
        _ => {}
    }
    reading
}

fn is_html(mime: &str) -> bool {
    matches!(mime, "text/html" | "application/xhtml+xml")
}

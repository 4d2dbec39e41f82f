//! A small crawl whose pages stay in memory: to look at a site before it is worth a project.

use quarry_crawl::{CrawlSettings, Engine, MemoryFrontier, Step, read_answer};
use quarry_dom::{Document, Limits};
use quarry_model::{Fetcher, PortError, SkipReason, Timestamp};
use url::Url;

use crate::HarvestError;
use crate::crawl::now;
use crate::observer::StopSignal;

/// Whether pauses between requests are waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// They are: the requests go to real servers.
    #[default]
    Real,
    /// They are over at once: the answers come from memory.
    Simulated,
}

/// What came of a small crawl.
#[derive(Debug, Default)]
pub struct SiteSample {
    /// The pages that answered with content.
    pub pages: Vec<(Url, Document)>,
    /// Requests that were sent.
    pub requests: u64,
    /// Why there are no pages, as far as is known.
    pub failure: Option<String>,
}

/// Crawls as the settings say, one request at a time, and keeps the pages.
///
/// # Errors
/// When the settings cannot be used.
pub async fn sample_site<F: Fetcher>(
    settings: CrawlSettings,
    fetcher: &F,
    pace: Pace,
    stop: &StopSignal,
) -> Result<SiteSample, HarvestError> {
    let mut engine = Engine::new(settings)?;
    let reader = engine.reader();
    let mut frontier = MemoryFrontier::default();
    let mut sample = SiteSample::default();
    let mut time = clock(pace, Timestamp(0));
    engine.start(&mut frontier, time).map_err(PortError::new)?;
    while !stop.is_stopped() {
        time = clock(pace, time);
        let reaction = match engine.next(&mut frontier, time).map_err(PortError::new)? {
            Step::Fetch(ticket) => {
                let gate = ticket.gate.clone();
                let may_follow = move |url: &str| gate.allows(url);
                let fetched = fetcher.fetch(&ticket.request, &may_follow).await;
                let observation = read_answer(&ticket, fetched, &reader);
                engine
                    .observe(&mut frontier, observation, clock(pace, time))
                    .map_err(PortError::new)?
            }
            Step::Settled(reaction) => *reaction,
            Step::WaitUntil(at) => {
                if pace == Pace::Real {
                    let pause = tokio::time::sleep(at.since(time));
                    tokio::select! { () = pause => {} () = stop.stopped() => {} }
                }
                time = time.max(at);
                continue;
            }
            Step::Busy | Step::Recall(_) | Step::Done(_) => break,
        };
        sample.requests += reaction.requests;
        if reaction.skipped.contains_key(&SkipReason::Robots) {
            sample.failure.get_or_insert_with(|| "robots.txt disallows it".to_owned());
        }
        for issue in &reaction.issues {
            sample.failure.get_or_insert_with(|| issue.detail.clone());
        }
        for capture in reaction.captures.into_iter().filter(|capture| capture.is_page) {
            let exchange = capture.exchange;
            let status = exchange.response.status;
            let Some(url) = Url::parse(&exchange.request.url).ok().filter(|_| status == 200) else {
                sample.failure.get_or_insert_with(|| format!("status {status}"));
                continue;
            };
            let kind = exchange.response.headers.get("content-type");
            let document = Document::parse(exchange.response.content(), kind, &Limits::default());
            sample.pages.push((url, document));
        }
    }
    if !sample.pages.is_empty() {
        sample.failure = None;
    } else if sample.failure.is_none() {
        sample.failure = Some("no answer".to_owned());
    }
    Ok(sample)
}

fn clock(pace: Pace, simulated: Timestamp) -> Timestamp {
    match pace {
        Pace::Real => now(),
        Pace::Simulated => simulated,
    }
}

//! Explains what could not be had: which line of robots.txt refused how many addresses, which host answered what, pages whose
//! links are not to be followed, and pages that only a script fills.

use quarry_crawl::{Engine, Refusal};
use quarry_dom::{Document, Limits, NodeId, Tag};
use quarry_model::{ModelStore, RunReport};
use serde::{Deserialize, Serialize};

use super::SiteStore;
use crate::HarvestError;
use crate::text::counted;

/// The file in the project's `models`.
const FILE: &str = "refusals.json";
/// Pages that are looked at to see whether scripts fill them, the first of the crawl.
const LOOKED_AT: usize = 20;
/// Characters of visible text below which a page with scripts says nothing without them.
const BARE_TEXT: usize = 400;
/// Links below which such a page leads nowhere.
const BARE_LINKS: usize = 5;

/// Addresses that could not be had for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusalCount {
    /// `robots`, `status`, `failed`, `unreachable`, `nofollow` or `script`.
    pub reason: String,
    /// `scheme://host:port`; empty where it does not matter.
    #[serde(default)]
    pub host: String,
    /// The line of robots.txt, the status, or what came of asking.
    #[serde(default)]
    pub detail: String,
    /// How many addresses, requests or pages.
    pub count: u64,
}

impl RefusalCount {
    /// In a line.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { reason, host, detail, count, .. } = self;
        let (addresses, requests, pages) =
            (counted(*count, "address"), counted(*count, "request"), counted(*count, "page"));
        match reason.as_str() {
            "robots" => {
                format!("robots.txt of {host} refuses {addresses}: {detail} (see --robots)")
            }
            "status" => format!("{host} answered {requests} with status {detail}"),
            "failed" => format!("{host} did not answer {requests}"),
            "unreachable" => format!("nothing could be asked of {host}: {detail}"),
            "nofollow" => {
                format!("nofollow on {pages}: their links were not followed (see --nofollow)")
            }
            _ => format!(
                "scripts fill {pages} of the first ones, which show next to nothing without"
            ),
        }
    }
}

/// What could not be had, over all sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RefusalReport {
    /// By reason, the most frequent first.
    pub counts: Vec<RefusalCount>,
}

impl RefusalReport {
    fn add(&mut self, reason: &str, host: &str, detail: String, count: u64) {
        let same = |known: &&mut RefusalCount| {
            known.reason == reason && known.host == host && known.detail == detail
        };
        match self.counts.iter_mut().find(same) {
            Some(known) => known.count += count,
            None => {
                let (reason, host) = (reason.to_owned(), host.to_owned());
                self.counts.push(RefusalCount { reason, host, detail, count });
            }
        }
    }

    /// What could not be had, a line each.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.counts.iter().map(RefusalCount::line)
    }
}

/// What earlier sessions have kept.
pub fn read_refusals(store: &dyn ModelStore) -> Result<RefusalReport, HarvestError> {
    let Some(text) = store.read_model(FILE)? else { return Ok(RefusalReport::default()) };
    serde_json::from_str(&text).map_err(|source| HarvestError::Damaged {
        place: store.model_place(FILE),
        remedy: "remove it, the next crawl writes it anew",
        source,
    })
}

/// Adds what a session could not have.
pub(super) fn keep(store: &mut dyn ModelStore, engine: &Engine) -> Result<(), HarvestError> {
    if engine.refusals().is_empty() {
        return Ok(());
    }
    let mut report = read_refusals(store)?;
    for (refusal, count) in engine.refusals() {
        match refusal {
            Refusal::Robots { host, line } => report.add("robots", host, line.clone(), *count),
            Refusal::Status { host, status } => {
                report.add("status", host, status.to_string(), *count);
            }
            Refusal::Failed { host } => report.add("failed", host, String::new(), *count),
            Refusal::Unreachable { host, why } => {
                report.add("unreachable", host, why.clone(), *count);
            }
        }
    }
    write(store, &report)
}

/// Adds what the whole crawl shows: pages that say nofollow, and pages that scripts fill.
pub(super) fn complete<S: SiteStore>(
    store: &mut S,
    run: &RunReport,
) -> Result<RefusalReport, HarvestError> {
    let mut report = read_refusals(store)?;
    report.counts.retain(|count| !matches!(count.reason.as_str(), "nofollow" | "script"));
    let nofollow = run.issues.get("nofollow").copied().unwrap_or(0);
    if nofollow > 0 {
        report.add("nofollow", "", String::new(), nofollow);
    }
    let mut bare = 0;
    for (id, _) in store.archived_pages()?.into_iter().take(LOOKED_AT) {
        let Ok(exchange) = store.read_page(id) else { continue };
        let kind = exchange.response.headers.get("content-type");
        let is_html = kind.is_some_and(|kind| kind.contains("html"));
        let is_page = (200..300).contains(&exchange.response.status)
            && is_html
            && exchange.response.rendering.is_none();
        if is_page {
            let document = Document::parse(exchange.response.content(), kind, &Limits::default());
            bare += u64::from(is_filled_by_scripts(&document));
        }
    }
    if bare > 0 {
        report.add("script", "", String::new(), bare);
    }
    report.counts.sort_by_key(|count| std::cmp::Reverse(count.count));
    if !report.counts.is_empty() {
        write(store, &report)?;
    }
    Ok(report)
}

/// Whether a page has scripts, hardly any text, and leads nowhere.
fn is_filled_by_scripts(document: &Document) -> bool {
    document.elements(Tag::SCRIPT).next().is_some()
        && document.folded_len(NodeId::ROOT) < BARE_TEXT
        && document.elements(Tag::A).count() < BARE_LINKS
        && document.elements(Tag::FORM).next().is_none()
}

fn write(store: &mut dyn ModelStore, report: &RefusalReport) -> Result<(), HarvestError> {
    let text = serde_json::to_string_pretty(report).map_err(HarvestError::print("the refusals"))?;
    Ok(store.write_model(FILE, &text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_a_line() {
        let mut report = RefusalReport::default();
        report.add("robots", "https://a.example", "Disallow: /x".to_owned(), 3);
        report.add("robots", "https://a.example", "Disallow: /x".to_owned(), 4);
        report.add("status", "https://a.example", "403".to_owned(), 1);
        let lines: Vec<String> = report.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("robots.txt of https://a.example refuses 7 addresses"));
        assert!(lines[1].contains("status 403"));
    }

    #[test]
    fn pages_without_text_are_filled_by_scripts() {
        let page = |body: &str| {
            let text = format!("<title>Things</title><script src=app.js></script>{body}");
            Document::parse(text.as_bytes(), Some("text/html"), &Limits::default())
        };
        assert!(is_filled_by_scripts(&page("<div id=root></div>")));
        assert!(!is_filled_by_scripts(&page(&"<p>Some words of a page.</p>".repeat(30))));
    }
}

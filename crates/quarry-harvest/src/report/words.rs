//! What a harvest tells people in single lines: on a terminal and in the report alike.

use std::collections::BTreeMap;

use quarry_extract::site::SiteFit;
use quarry_model::{ColumnRow, EntityCell, RoundReport, RunReport};

use crate::crawl::CrawlOutcome;
use crate::text::{bytes, shorten, thousands};

/// Pages that fit less on average were read with doubt.
const DOUBTFUL: f64 = 0.6;

/// What the user should look at.
pub(crate) fn warnings(crawls: &[CrawlOutcome], sites: &[(String, SiteFit)]) -> Vec<String> {
    let mut warnings = Vec::new();
    let sum = |of: fn(&RunReport) -> u64| crawls.iter().map(|crawl| of(&crawl.run)).sum::<u64>();
    let (failed, queued) = (sum(|run| run.failed), sum(|run| run.queued));
    if failed > 0 {
        let failed = thousands(failed);
        warnings.push(format!("{failed} addresses failed; `quarry report` says why"));
    }
    if queued > 0 {
        let queued = thousands(queued);
        warnings.push(format!("{queued} addresses are still queued: the table is not whole"));
    }
    warnings.extend(crawls.iter().flat_map(|crawl| crawl.coverage.lines()));
    for (site, fit) in sites {
        if let Some(mean) = fit.mean().filter(|mean| *mean < DOUBTFUL) {
            warnings.push(format!(
                "{site}: many pages do not match the learned templates (fit {mean:.2}); `quarry records` shows them"
            ));
        }
        let has_data =
            crawls.iter().flat_map(|crawl| &crawl.data).any(|own| own.page.starts_with(site));
        if fit.lists == 0 && fit.entity_pages == 0 && !has_data {
            warnings.push(format!("{site}: neither lists nor pages of entities were found"));
        }
    }
    warnings
}

/// Why a table has no rows, as far as the crawls tell.
pub(crate) fn why_empty(crawls: &[CrawlOutcome]) -> String {
    let refused = crawls.iter().flat_map(|crawl| crawl.refusals.lines()).next();
    let pages: u64 = crawls.iter().map(|crawl| crawl.run.pages).sum();
    let reason = match refused {
        Some(line) => line,
        None if pages == 0 && !crawls.is_empty() => "no page could be fetched".to_owned(),
        None => "no page lists or describes several things of one kind".to_owned(),
    };
    format!("the table is empty or has no columns: {reason}")
}

/// What was read of a site.
#[must_use]
pub fn site_line(site: &str, counts: &SiteFit) -> String {
    let fit = counts.mean().map(|fit| format!(", fit {fit:.2}")).unwrap_or_default();
    format!(
        "{}: {} pages, {} of entities, {} lists with {} records{fit}",
        shorten(site, 40),
        thousands(counts.pages as u64),
        thousands(counts.entity_pages as u64),
        thousands(counts.lists as u64),
        thousands(counts.records as u64),
    )
}

/// The kinds of entities that have columns, the one with most values first.
pub(super) fn kinds_of(columns: &[ColumnRow]) -> Vec<String> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for of in columns.iter().flat_map(|column| &column.kinds) {
        *counts.entry(&of.entity_kind).or_default() += of.entities;
    }
    let mut kinds: Vec<(&str, u64)> = counts.into_iter().collect();
    kinds.sort_by_key(|&(_, values)| std::cmp::Reverse(values));
    kinds.into_iter().map(|(kind, _)| kind.to_owned()).collect()
}

/// Whether entities of a kind have a column.
pub(super) fn has_kind(column: &ColumnRow, kind: &str) -> bool {
    column.kinds.iter().any(|of| of.entity_kind == kind)
}

/// The type of a column, in words.
pub(super) fn column_type(column: &ColumnRow) -> String {
    let list = if column.list { " list" } else { "" };
    match &column.unit {
        Some(unit) => format!("{} {unit}{list}", column.kind.as_str()),
        None => format!("{}{list}", column.kind.as_str()),
    }
}

/// A cell in at most so many characters.
pub(super) fn cell_text(cell: &EntityCell, most: usize) -> String {
    match cell {
        EntityCell::Null => String::new(),
        EntityCell::Boolean(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        EntityCell::Number(number) => number.to_string(),
        EntityCell::Text(text) => shorten(text, most),
        EntityCell::List(texts) => shorten(&texts.join(", "), most),
    }
}

/// What came of asking again, in a line.
#[must_use]
pub fn asked_again(round: &RoundReport) -> String {
    let mut found = vec![
        format!("{} not changed", thousands(round.not_modified + round.unchanged)),
        format!("{} changed", thousands(round.changed)),
        format!("{} new", thousands(round.new)),
        format!("{} gone", thousands(round.gone + round.unreached)),
    ];
    if round.fresh > 0 {
        found.push(format!("{} still fresh and not asked", thousands(round.fresh)));
    }
    format!(
        "asked {} pages again: {}; {} instead of {}",
        thousands(round.asked),
        found.join(", "),
        bytes(round.bytes),
        bytes(round.bytes + round.bytes_saved)
    )
}

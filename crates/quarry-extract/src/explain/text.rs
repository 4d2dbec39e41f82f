//! Says in words why a region won, what the runner-up lacked, and where the record boundaries came
//! from. Text for people.

use std::fmt::Write as _;

use quarry_dom::{Document, fold_whitespace};

use super::fields::single_fields;
use crate::find::{Boundary, PageRecords, Region};
use crate::lines::record_text;
use crate::region::RegionEvidence;
use crate::region::rank::Weights;

/// Lines of evidence shown for each region: those that count most.
const SHOWN: usize = 8;
/// Lines of difference shown for a list that lost.
const DIFFERENCES: usize = 4;
/// Fields named that each record has once.
const FIELDS: usize = 5;
/// Records quoted, and characters of each.
const QUOTED: (usize, usize) = (3, 60);

/// Explains what was found on a page.
///
/// ```text
/// 2.html: cluster 0, 2 regions
/// region 1: /html/body/div[2]/ul, score 0.99, 10 records
///   boundaries: each record is one element (li); 14 sets of like leaves propose it
///   once in a record: h3/a.title (10 of 10), p (10 of 10), span.price (8 of 10)
///   for     coverage       0.82 ×  4.3 =  3.53  share of the page's fresh text in the records
///   against stale          0.10 × -2.6 = -0.26  share of the records' text that other pages show as well
/// ```
pub fn explain(document: &Document, found: &PageRecords) -> String {
    let mut text = String::new();
    let count = match found.regions.len() {
        0 => "no region: no list of records is more likely an answer than not".to_owned(),
        1 => "1 region".to_owned(),
        more => format!("{more} regions"),
    };
    push(&mut text, format_args!("{}: cluster {}, {count}", found.page, found.cluster));
    for (number, region) in (1..).zip(&found.regions) {
        explain_region(document, &format!("region {number}"), region, &mut text);
    }
    text
}

/// [`explain`], and what lost: the next best list, the best one in another place, and what each of
/// them lacked. `considered` is the same page found with
/// [`RecordsConfig::considered`](crate::find::RecordsConfig::considered).
pub fn explain_choice(
    document: &Document,
    found: &PageRecords,
    considered: &PageRecords,
) -> String {
    let mut text = explain(document, found);
    let Some((best, others)) = considered.regions.split_first() else {
        push(&mut text, format_args!("no list of records was considered: nothing repeats"));
        return text;
    };
    if found.regions.is_empty() {
        explain_region(document, "closest", best, &mut text);
    }
    let elsewhere = others.iter().find(|other| !overlap(document, best, other));
    let next = others.first().filter(|next| elsewhere.is_none_or(|other| other.node != next.node));
    if let Some(next) = next {
        compare(document, "runner-up", best, next, &mut text);
    }
    if let Some(other) = elsewhere {
        compare(document, "best elsewhere", best, other, &mut text);
    }
    push(&mut text, format_args!("{} lists of records were considered", considered.regions.len()));
    text
}

fn explain_region(document: &Document, what: &str, region: &Region, text: &mut String) {
    headline(document, what, region, text);
    let first = region.records.first().and_then(|record| record.nodes.first());
    let name = first.map_or("", |&node| document.tag_name(node));
    let boundaries = match region.boundary {
        Boundary::Element => format!("each record is one element ({name})"),
        Boundary::Run { lead: 0 } => format!("each record is a run of siblings from {name} on"),
        Boundary::Run { lead } => {
            format!("each record is a run of siblings from {name} on, {lead} before its anchor")
        }
        Boundary::Chain => {
            format!("each record ({name}) ends where the next one, inside it, begins")
        }
    };
    let sets = region.anchor_sets;
    push(text, format_args!("  boundaries: {boundaries}; {sets} sets of like leaves propose it"));
    let (fields, records) = single_fields(document, &region.records);
    if !fields.is_empty() {
        let named: Vec<String> = fields
            .iter()
            .take(FIELDS)
            .map(|field| format!("{} ({} of {records})", field.name, field.records))
            .collect();
        push(text, format_args!("  once in a record: {}", named.join(", ")));
    }
    for (number, record) in (1..).zip(region.records.iter().take(QUOTED.0)) {
        let quote = shortened(&record_text(document, record), QUOTED.1);
        push(text, format_args!("  record {number}: {quote}"));
    }
    let parts = largest_first(|part| (part.value * part.weight).abs(), &region.evidence);
    for Part { name, meaning, value, weight } in parts.into_iter().take(SHOWN) {
        let product = value * weight;
        let side = if product > 0.0 { "for" } else { "against" };
        push(
            text,
            format_args!(
                "  {side:<7} {name:<13} {value:>5.2} × {weight:>4.1} = {product:>5.2}  {meaning}"
            ),
        );
    }
}

fn headline(document: &Document, what: &str, region: &Region, text: &mut String) {
    let (path, score) = (document.xpath(region.node), region.score);
    let records = match region.records.len() {
        1 => "1 record".to_owned(),
        more => format!("{more} records"),
    };
    push(text, format_args!("{what}: {path}, score {score:.2}, {records}"));
}

/// What a list that lost lacks beside the best.
fn compare(document: &Document, what: &str, best: &Region, other: &Region, text: &mut String) {
    headline(document, what, other, text);
    let weights = Weights::default();
    let behind = weights.sum(&best.evidence) - weights.sum(&other.evidence);
    push(text, format_args!("  {behind:.2} behind the best:"));
    let theirs = best.evidence.values();
    let place = |name: &str| RegionEvidence::NAMES.iter().position(|own| *own == name).unwrap_or(0);
    let difference = |part: &Part| (part.value - theirs[place(part.name)]) * part.weight;
    let parts = largest_first(|part| difference(part).abs(), &other.evidence);
    for part in parts.into_iter().take(DIFFERENCES) {
        let side = if difference(&part) < 0.0 { "lost by" } else { "gained by" };
        let Part { name, value, .. } = part;
        push(
            text,
            format_args!(
                "  {side:<9} {name:<13} {value:>5.2} beside {:>5.2}: {:>5.2}  {}",
                theirs[place(name)],
                difference(&part),
                part.meaning
            ),
        );
    }
}

/// Whether two lists share part of the page.
fn overlap(document: &Document, one: &Region, other: &Region) -> bool {
    let nodes = |region: &Region| {
        let nodes = region.records.iter().flat_map(|record| record.nodes.iter().copied());
        let mut spans: Vec<_> = nodes.map(|node| (node, document.subtree_end(node))).collect();
        spans.sort_unstable();
        spans
    };
    let (one, other) = (nodes(one), nodes(other));
    let (mut at, mut beside) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(at), other.get(beside)) {
        if a.0 < b.1 && b.0 < a.1 {
            return true;
        }
        if a.1 <= b.1 { at += 1 } else { beside += 1 }
    }
    false
}

/// A figure of the evidence.
struct Part {
    name: &'static str,
    meaning: &'static str,
    value: f64,
    weight: f64,
}

/// The weighed figures, by size; equal ones by name.
fn largest_first(size: impl Fn(&Part) -> f64, evidence: &RegionEvidence) -> Vec<Part> {
    let figures = evidence.values().into_iter().zip(Weights::default().evidence.values());
    let mut parts: Vec<Part> = RegionEvidence::NAMES
        .iter()
        .zip(figures)
        .map(|(&name, (value, weight))| Part { name, meaning: meaning(name), value, weight })
        .filter(|part| size(part) >= 0.005)
        .collect();
    let by_size = |one: &Part, other: &Part| size(other).total_cmp(&size(one));
    parts.sort_by(|one, other| by_size(one, other).then(one.name.cmp(other.name)));
    parts
}

/// What a figure of the evidence says, in few words.
fn meaning(name: &str) -> &'static str {
    match name {
        "records" => "how many records (log, at most 30)",
        "chars" => "mean characters of a record (log, at most 400)",
        "thin" => "how far records fall short of 30 characters",
        "coverage" => "share of the page's fresh text in the records",
        "linked" => "share of the records' text in links",
        "stale" => "share of the records' text that other pages show as well",
        "regular" => "share of the text in fields that most records have",
        "fields" => "fields that most records have (log)",
        "distinct" => "share of records with a text of their own",
        "purity" => "share of the region's text in records",
        "with_link" => "share of records with a link",
        "with_heading" => "share of records with a heading",
        "uneven" => "how much the lengths of the records vary",
        "votes" => "sets of like leaves that propose this list (log)",
        "before" => "share of the page's text before the first record",
        "boilerplate" => "levels around it named like menus, footers, side boxes",
        "answers" => "levels around it named like results",
        "own_boilerplate" => "the records themselves are named like boilerplate",
        "runs" => "records are runs of siblings",
        "nested" => "records hold a longer list",
        "targets" => "share of records whose link leads where no other does",
        "repeats" => "how often a record repeats a field (log)",
        "support" => "how sure the other pages are of the same list",
        "leaves" => "share of the page's texts that records hold beside one each",
        "choices" => "share of the records' text that names choices of a form",
        "echo" => "share of the searched words that a record repeats",
        "groups" => "records are groups of a longer list",
        "within" => "lies in one record of another list",
        "left_out" => "share of elements built like the records that are not among them",
        _ => "",
    }
}

fn shortened(text: &str, chars: usize) -> String {
    let text = fold_whitespace(text);
    match text.char_indices().nth(chars) {
        None => text.into_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes everything");
}

#[cfg(test)]
mod tests {
    use super::{RegionEvidence, meaning};

    #[test]
    fn every_figure_has_a_meaning() {
        for name in RegionEvidence::NAMES {
            assert_ne!(meaning(name), "", "{name}");
        }
    }
}

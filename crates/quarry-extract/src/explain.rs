//! Why did this region win, and where did the record boundaries come from? Text for people.

use std::fmt::Write as _;

use quarry_dom::Document;

use crate::find::{Boundary, PageRecords, Region};
use crate::region::Evidence;
use crate::region::rank::WEIGHTS;

/// Lines of evidence shown for each region: those that count most.
const SHOWN: usize = 8;

/// Explains what was found on a page. Call [`find_records`](crate::find::find_records) with
/// `overlapping` and a `min_score` of 0 to see what lost as well.
///
/// ```text
/// 2.html: cluster 0, 2 regions
/// region 1: /html/body/div[2]/ul, score 0.99, 10 records
///   boundaries: each record is one element (li); 14 sets of like leaves propose it
///   for   coverage       0.82 × 4.7 = 3.85
///   against stale        0.10 × -2.5 = -0.25
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
        explain_region(document, number, region, &mut text);
    }
    text
}

fn explain_region(document: &Document, number: usize, region: &Region, text: &mut String) {
    let path = document.xpath(region.node);
    let records = region.records.len();
    push(
        text,
        format_args!("region {number}: {path}, score {:.2}, {records} records", region.score),
    );
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
    let values = region.evidence.values();
    let weights = WEIGHTS.values();
    let mut parts: Vec<(&str, f64, f64)> = Evidence::NAMES
        .iter()
        .zip(values.iter().zip(&weights))
        .map(|(name, (&value, &weight))| (*name, value, weight))
        .filter(|(_, value, weight)| value * weight != 0.0)
        .collect();
    let size = |part: &(&str, f64, f64)| (part.1 * part.2).abs();
    parts.sort_by(|one, other| size(other).total_cmp(&size(one)).then(one.0.cmp(other.0)));
    for (name, value, weight) in parts.into_iter().take(SHOWN) {
        let side = if value * weight > 0.0 { "for" } else { "against" };
        let product = value * weight;
        push(text, format_args!("  {side:<7} {name:<14} {value:.2} × {weight} = {product:.2}"));
    }
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("a string takes everything");
}

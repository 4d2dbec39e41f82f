//! Shows an explanation: a sentence, then what stands behind it.

use anyhow::Result;

use quarry_harvest::explain::{Explanation, QueryPlace, query_name};
use quarry_harvest::text::{shorten, thousands};

use crate::printer::Printer;

/// Queries that are named in a row.
const NAMED: usize = 4;
/// Columns of a line.
const WIDTH: usize = 100;
/// Columns for an address in a table.
const ADDRESS: usize = 46;

pub(super) fn show(found: &Explanation, printer: &mut Printer) -> Result<()> {
    printer.line(&found.url)?;
    lines(printer, &found.what)?;
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(place) = &found.query {
        rows.extend(about(place));
    }
    if let Some(page) = &found.fetched {
        let via = page.via.as_ref().map_or_else(String::new, |via| format!(", from {via}"));
        rows.push(("fetched", format!("{}, status {}{via}", page.at, page.status)));
    } else if let Some(why) = &found.unasked {
        rows.push(("fetched", format!("no: {why}")));
    }
    if let Some(page) = &found.offered_on {
        rows.push(("offered on", page.clone()));
    }
    if !rows.is_empty() {
        printer.line("")?;
        printer.table(
            &[],
            &[],
            rows.into_iter().map(|(name, text)| vec![name.to_owned(), text]),
        )?;
    }
    if !found.decisions.is_empty() {
        printer.line("")?;
        printer.line("decided")?;
        for decision in &found.decisions {
            lines(printer, &format!("- {decision}"))?;
        }
    }
    if !found.links.is_empty() {
        printer.line("")?;
        let rows = found.links.iter().map(|fate| {
            let examples: Vec<String> = fate.examples.iter().map(|e| shorten(e, 24)).collect();
            let examples = match examples.as_slice() {
                [] => String::new(),
                some => format!(" ({})", some.join(", ")),
            };
            vec![
                fate.links.to_string(),
                format!("{}{examples}", fate.what),
                if fate.asked { "yes" } else { "no" }.to_owned(),
                fate.why.clone(),
            ]
        });
        printer.table(&["links", "what", "asked", "why"], &[0], rows)?;
    }
    if !found.values.is_empty() {
        printer.line("")?;
        let own_page = found.values.iter().any(|value| value.shown.is_some());
        let rows = found.values.iter().map(|value| {
            let mut row = vec![
                shorten(&value.attribute, 20),
                shorten(&value.value, 24),
                format!("{:.2}", value.confidence),
                shorten(&value.page, ADDRESS),
            ];
            if own_page {
                row.push(if value.shown == Some(true) { "yes" } else { "no" }.to_owned());
            }
            row
        });
        let header = ["attribute", "value", "sure", "list page", "on its page"];
        printer.table(&header[..4 + usize::from(own_page)], &[2], rows)?;
    }
    Ok(())
}

/// A sentence in lines that fit.
fn lines(printer: &mut Printer, text: &str) -> Result<()> {
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            printer.line(&line)?;
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    Ok(printer.line(line)?)
}

fn about(place: &QueryPlace) -> Vec<(&'static str, String)> {
    let number = |n: usize| thousands(n as u64);
    let said = match place.claimed {
        Some(claimed) if claimed == place.entities as u64 => {
            ", as many as the site says".to_owned()
        }
        Some(claimed) => format!(", the site says {}", thousands(claimed)),
        None => String::new(),
    };
    let state = match place.state {
        "whole" => "all its pages were read",
        "short" => "its list ends before all entities were shown",
        "asked" if place.query.is_empty() => "read as far as its values needed",
        "asked" => "not all its pages were read",
        _ => "not counted",
    };
    let mut rows = vec![
        (
            "entities",
            format!(
                "{} here, {} in all{said}",
                number(place.entities_here),
                number(place.entities)
            ),
        ),
        ("state", format!("{}: {state}", place.state)),
    ];
    for (title, queries) in [("narrows", &place.parents), ("same as", &place.same)] {
        if !queries.is_empty() {
            let names: Vec<String> = queries.iter().take(NAMED).map(|q| query_name(q)).collect();
            let more = queries.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" | and {more} more") } else { String::new() };
            let why = if title == "same as" { " (the same entities)" } else { "" };
            rows.push((title, format!("{}{more}{why}", names.join(" | "))));
        }
    }
    rows
}

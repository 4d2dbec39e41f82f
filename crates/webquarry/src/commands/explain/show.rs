//! Shows an explanation: a sentence, then what stands behind it.

use anyhow::Result;

use quarry_harvest::explain::Explanation;
use quarry_harvest::report::TextTable;
use quarry_harvest::text::shorten;

use crate::printer::Printer;

/// Columns of a line.
const WIDTH: usize = 100;
/// Columns for an address in a table.
const ADDRESS: usize = 46;

pub(super) fn show(found: &Explanation, printer: &mut Printer) -> Result<()> {
    printer.line(&found.url)?;
    lines(printer, &found.what)?;
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some(place) = &found.query {
        rows.extend(place.facts());
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
        printer.text_table(TextTable::facts(rows))?;
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

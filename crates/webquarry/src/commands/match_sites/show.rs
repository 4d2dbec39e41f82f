//! Shows what came of a match: progress per site, a table of values, and the reasons.

use anyhow::Result;
use quarry_extract::attribute::{SeedDb, SiteMatch};
use quarry_harvest::matching::MatchLine;
use quarry_harvest::text::shorten;

use crate::printer::Printer;
use crate::screen;

/// What is odd about the seed.
pub(super) fn issues(seeds: &SeedDb) {
    for issue in seeds.issues() {
        screen::write_line(&issue.to_string());
    }
}

/// For each attribute the chosen position, its support, examples and the runner-up.
pub(super) fn explain(
    site: &str,
    found: &SiteMatch,
    seeds: &SeedDb,
    pages: &[&str],
    printer: &mut Printer,
) -> Result<()> {
    printer.line(format!("{site}: {} pages", pages.len()))?;
    for placed in &found.placed {
        let name = &seeds.attributes()[placed.attribute.index()];
        let chosen = found.model.attributes.iter().any(|rule| rule.attribute == *name);
        let state = if chosen { "" } else { ", not placed: too doubtful" };
        printer.line(format!("  {name}: confidence {:.2}{state}", placed.confidence))?;
        printer.line(format!("    at        {}", placed.path))?;
        if let Some(label) = &placed.label {
            printer.line(format!("    label     {}", shorten(label, 60)))?;
        }
        printer.line(format!(
            "    support   {} of {} pages that have it",
            placed.support, placed.pages
        ))?;
        for (page, text, value) in &placed.examples {
            let page = shorten(pages[*page], 20);
            let (text, value) = (shorten(text, 34), shorten(value, 34));
            printer.line(format!("    match     {page}: {text} = {value}"))?;
        }
        if let Some((path, text)) = &placed.runner_up {
            let (best, second) = placed.scores;
            printer.line(format!("    runner-up {path} ({})", shorten(text, 40)))?;
            printer.line(format!("    scores    {best:.2} against {second:.2}"))?;
        }
        let evidence = placed.evidence.iter().filter(|(_, figure)| figure.abs() >= 0.005);
        let evidence: Vec<String> =
            evidence.map(|(name, figure)| format!("{name} {figure:.2}")).collect();
        printer.line(format!("    evidence  {}", evidence.join(", ")))?;
    }
    Ok(())
}

/// The values as a table.
pub(super) fn table(lines: &[MatchLine], printer: &mut Printer) -> Result<()> {
    let rows = lines.iter().map(|line| {
        vec![
            shorten(&line.site, 20),
            shorten(&line.page, 20),
            line.attribute.clone(),
            shorten(&line.value, 44),
            format!("{:.2}", line.confidence),
            line.seed_record.map(|record| record.to_string()).unwrap_or_default(),
        ]
    });
    let header = ["site", "page", "attribute", "value", "confidence", "seed"];
    Ok(printer.table(&header, &[4, 5], rows)?)
}

//! Shows what came of a crawl's strategy, for `crawl` and `report`.

use anyhow::Result;
use quarry_crawl::{IndexReport, ProbeReport, QueryReport, StrategyReport};

use crate::printer::Printer;
use quarry_harvest::text::{shorten, thousands};

/// Attributes and short queries that are shown.
const SHOWN: usize = 12;

/// Shows it as a short table.
pub(crate) fn show(printer: &mut Printer, report: &StrategyReport) -> Result<()> {
    match report {
        StrategyReport::All => Ok(()),
        StrategyReport::Probe(sites) => sites.iter().try_for_each(|site| show_probe(printer, site)),
        StrategyReport::Query(sites) => sites.iter().try_for_each(|site| show_query(printer, site)),
        StrategyReport::Index(sites) => sites.iter().try_for_each(|site| show_index(printer, site)),
    }
}

fn show_index(printer: &mut Printer, site: &IndexReport) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("walked", site.host.clone())];
    if let Some(category) = &site.category {
        let entry = site.entry.as_deref().unwrap_or("no entry page found");
        rows.push(("category", format!("{category}: {entry}")));
    }
    rows.push((
        "pages",
        format!(
            "{}: {} targets ({:.0} %), {} indexes",
            number(site.pages),
            number(site.targets),
            site.precision * 100.0,
            number(site.indexes)
        ),
    ));
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    let followed = |leads_to: &str| matches!(leads_to, "targets" | "indexes");
    let rows: Vec<Vec<String>> = site
        .collections
        .iter()
        .filter(|collection| followed(&collection.leads_to))
        .map(|collection| {
            let (leads_to, example) = (collection.leads_to.clone(), &collection.example);
            vec![leads_to, number(collection.links), shorten(example, 80)]
        })
        .take(SHOWN)
        .collect();
    if !rows.is_empty() {
        printer.line("")?;
        printer.table(&["links to", "links", "for example"], &[1], rows)?;
    }
    Ok(())
}

fn show_probe(printer: &mut Printer, site: &ProbeReport) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("probed", site.host.clone())];
    if let Some(form) = &site.form {
        rows.push(("search form", form.clone()));
        let queries = site.listed + site.seen + site.nonsense;
        rows.push((
            "queries",
            format!(
                "{}: {} listed words, {} seen on its pages, {} nonsense",
                number(queries),
                number(site.listed),
                number(site.seen),
                number(site.nonsense)
            ),
        ));
        let classes: Vec<String> = site.classes.iter().map(|&pages| number(pages)).collect();
        let text = match classes.as_slice() {
            [] => "none".to_owned(),
            classes => format!(
                "{} in {} classes of pages ({})",
                number(site.answers),
                classes.len(),
                classes.join(", ")
            ),
        };
        rows.push(("answers", text));
        if site.found > 0 {
            rows.push(("led to", format!("{} pages", number(site.found))));
        }
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    Ok(())
}

fn show_query(printer: &mut Printer, site: &QueryReport) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let total = match site.total {
        Some(total) => format!(" of {} that the site names", thousands(total)),
        None => String::new(),
    };
    let per_request = site.triples as f64 / (site.requests.max(1)) as f64;
    let mut rows = vec![
        ("queried", site.root.clone()),
        ("entities", format!("{}{total}", number(site.entities))),
        (
            "values",
            format!("{} of {} attributes", number(site.triples), number(site.attributes.len())),
        ),
        (
            "queries",
            format!(
                "{} asked, {} of them complete by the site's own count",
                number(site.queries),
                number(site.complete)
            ),
        ),
        ("requests", format!("{}, {per_request:.1} values each", thousands(site.requests))),
        (
            "saved",
            format!(
                "{} combinations of facets, {} other views of the same lists, {} queries met again",
                thousands(site.saved.combinations),
                thousands(site.saved.views),
                thousands(site.saved.equivalent)
            ),
        ),
    ];
    if let Some(hidden) = site.hidden {
        let pages = number(site.details.len());
        let share = (hidden * 100.0).round();
        rows.push((
            "hidden",
            format!("{share} % of the values are on no entity page ({pages} looked at)"),
        ));
    }
    if !site.short.is_empty() {
        let missing: u64 = site.short.iter().map(|(_, missing)| missing).sum();
        rows.push((
            "cut off",
            format!(
                "{} queries lack {} entities: their lists end before that",
                number(site.short.len()),
                thousands(missing)
            ),
        ));
    }
    if !site.rejected.is_empty() {
        let names: Vec<String> = site.rejected.iter().map(|name| shorten(name, 20)).collect();
        rows.push(("no attributes", shorten(&names.join(", "), 160)));
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    if !site.attributes.is_empty() {
        printer.line("")?;
        let rows = site.attributes.iter().take(SHOWN).map(|attribute| {
            vec![shorten(&attribute.name, 40), number(attribute.values), number(attribute.pairs)]
        });
        printer.table(&["attribute", "values", "pairs"], &[1, 2], rows)?;
        if site.attributes.len() > SHOWN {
            printer.line(format!("… {} more attributes", site.attributes.len() - SHOWN))?;
        }
    }
    Ok(())
}

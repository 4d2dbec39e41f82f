//! Writes the report of a harvest for people: one self-contained page with figures, columns, pictures and samples.

mod crawled;
mod sections;
mod words;

use std::fmt::{self, Write as _};

use quarry_crawl::{QueryReport, StrategyReport};
use quarry_discover::DiscoveryState;
use quarry_extract::model::SiteModel;
use quarry_extract::site::SiteFit;
use quarry_extract::template::line::template_line;
use quarry_model::{ColumnRow, TableStore};

use crate::crawl::CrawlOutcome;
use crate::read::samples::SamplePage;
use crate::text::{bytes, seconds, thousands};
use crate::{HarvestError, draw};

pub use crawled::{TextTable, projects_table, run_table, strategy_tables};
pub use sections::{KindSection, sections};
pub use words::{asked_again, site_line};
use words::{cell_text, column_type};
pub(crate) use words::{warnings, why_empty};

const STYLE: &str = include_str!("report.css");
/// Rows of the preview.
const ROWS: usize = 20;
/// Columns of the preview.
const COLUMNS: usize = 8;
/// Queries in the picture, above which they are drawn together.
const QUERIES: usize = 120;

/// Text that is safe in a page.
struct Esc<'a>(&'a str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// What the report is about.
pub(crate) struct ReportContent<'a> {
    pub(crate) sites: &'a [(String, SiteFit)],
    pub(crate) crawls: &'a [CrawlOutcome],
    pub(crate) models: &'a [SiteModel],
    pub(crate) samples: &'a [SamplePage],
    pub(crate) warnings: &'a [String],
    pub(crate) discovered: Option<&'a DiscoveryState>,
}

/// The report as HTML.
pub(crate) fn html(
    store: &dyn TableStore,
    content: &ReportContent<'_>,
) -> Result<String, HarvestError> {
    let columns = store.columns()?;
    let entities = store.first_entities(0)?.0;
    let title = content.sites.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         img-src data:; form-action 'none'; base-uri 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Harvest of {0}</title><style>\n{STYLE}</style></head><body>\n\
         <h1>{0}</h1>\n",
        Esc(&title)
    );
    for choice in content.crawls.iter().filter_map(|crawl| crawl.choice.as_ref()) {
        let name = choice.strategy.as_str();
        let _ = writeln!(html, "<p>Crawled by strategy <b>{name}</b>: {}.</p>", Esc(&choice.why));
    }
    figures(&mut html, store.count_values()?, content, entities, &columns);
    if !content.warnings.is_empty() {
        html.push_str("<h2>Look here first</h2>\n<ul>");
        for warning in content.warnings {
            let _ = write!(html, "<li>{}</li>", Esc(warning));
        }
        html.push_str("</ul>\n");
    }
    for section in sections(store, ROWS, ROWS)? {
        let of = section.kind.as_ref().map(|kind| format!("{kind}: "));
        let title = |one: &str, of_kind: &str| match &of {
            Some(kind) => format!("{kind}{of_kind}"),
            None => one.to_owned(),
        };
        column_table(&mut html, &section.columns, &title("Columns", "columns"));
        preview(&mut html, &section, &title("Entities", "entities"));
    }
    if let Some(state) = content.discovered {
        discovered_sites(&mut html, state);
    }
    for crawl in content.crawls {
        for (at, table) in strategy_tables(&crawl.report).iter().enumerate() {
            html.push_str(if at == 0 { "<h2>What the crawl did</h2>\n" } else { "" });
            text_table(&mut html, table);
        }
    }
    pictures(&mut html, content);
    for sample in content.samples {
        let _ = writeln!(
            html,
            "<h2>{}</h2>\n<p class=quiet>{}</p>\n<iframe sandbox title=\"{}\" srcdoc=\"{}\"></iframe>",
            Esc(&sample.what),
            Esc(&sample.page),
            Esc(&sample.what),
            Esc(&sample.html)
        );
    }
    html.push_str(
        "<h2>Where things are</h2>\n<p>Every value with its source, page and node path is in \
         <code>tables/values.parquet</code>; one row per entity in <code>tables/entities.parquet</code>; the \
         pages in <code>pages/*.warc.gz</code>, of several sites in <code>sites/*/pages</code>. The same tables \
         are there as CSV and JSON lines, and all in <code>tables/harvest.sqlite</code>.</p>\n</body></html>\n",
    );
    Ok(html)
}

/// The sites that a discovery judged, the relevant ones with their reasons.
fn discovered_sites(html: &mut String, state: &DiscoveryState) {
    let relevant = state.judged.iter().filter(|line| line.relevant).count();
    let _ = write!(
        html,
        "<h2>Discovered sites</h2>\n<p>{relevant} of {} sites that were looked at in {} rounds are relevant.</p>\n\
         <table><tr><th>site</th><th>round</th><th>score</th><th>home page</th><th>why</th></tr>\n",
        state.judged.len(),
        state.round
    );
    for line in state.judged.iter().filter(|line| line.relevant) {
        let home =
            line.home_page.map_or_else(String::new, |probability| format!("{probability:.2}"));
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{:.2}</td><td>{home}</td><td>{}</td></tr>",
            Esc(&line.site),
            line.round,
            line.score,
            Esc(&line.reason)
        );
    }
    html.push_str("</table>\n");
}

fn figures(
    html: &mut String,
    values: u64,
    content: &ReportContent<'_>,
    entities: u64,
    columns: &[ColumnRow],
) {
    let pages: usize = content.sites.iter().map(|(_, counts)| counts.pages).sum();
    let mut boxes = vec![
        ("entities", thousands(entities)),
        ("columns", columns.len().to_string()),
        ("values", thousands(values)),
        ("pages read", thousands(pages as u64)),
    ];
    let runs = || content.crawls.iter().map(|crawl| &crawl.run);
    let requests: u64 = runs().map(|run| run.requests).sum();
    if requests > 0 {
        boxes.push(("requests", thousands(requests)));
        boxes.push(("received", bytes(runs().map(|run| run.bytes).sum())));
        let longest = runs().map(|run| run.elapsed_s).fold(0.0, f64::max);
        boxes.push(("time", seconds(longest)));
    }
    let queried: Vec<&QueryReport> = content
        .crawls
        .iter()
        .filter_map(|crawl| match &crawl.report {
            StrategyReport::Query(sites) => Some(sites),
            _ => None,
        })
        .flatten()
        .collect();
    if !queried.is_empty() {
        let saved: u64 = queried.iter().map(|s| s.saved.combinations + s.saved.views).sum();
        boxes.push(("requests saved", thousands(saved)));
        let hidden: Vec<f64> = queried.iter().filter_map(|site| site.hidden).collect();
        if !hidden.is_empty() {
            let share = hidden.iter().sum::<f64>() / hidden.len() as f64;
            boxes
                .push(("of the facet values on no entity page", format!("{:.0} %", 100.0 * share)));
        }
    }
    html.push_str("<div class=figures>");
    for (what, figure) in boxes {
        let _ = write!(html, "<div><b>{}</b>{what}</div>", Esc(&figure));
    }
    html.push_str("</div>\n");
    for (site, counts) in content.sites {
        let _ = writeln!(html, "<p class=quiet>{}</p>", Esc(&site_line(site, counts)));
    }
    for again in content.crawls.iter().filter_map(|crawl| crawl.run.again.as_ref()) {
        let _ = writeln!(html, "<p class=quiet>{}</p>", Esc(&asked_again(again)));
    }
}

fn column_table(html: &mut String, columns: &[ColumnRow], title: &str) {
    let _ = writeln!(html, "<h2>{}</h2>", Esc(title));
    html.push_str(
        "<div class=wide><table><tr><th>name<th>type<th>filled<th>values<th>from\
         <th>called<th>examples</tr>\n",
    );
    for column in columns {
        let sources: String = column
            .sources
            .iter()
            .map(|s| format!("<span class=tag>{}</span>", s.as_str()))
            .collect();
        let percent = 100.0 * column.fill;
        let conflicts = match column.conflicts {
            0 => String::new(),
            n => format!("<br><span class=quiet>{} conflicts</span>", thousands(n)),
        };
        let _ = writeln!(
            html,
            "<tr><td><b>{}</b><td>{}<td><span class=bar><i style=\"width:{percent:.0}%\"></i></span>\
             {percent:.0} %<td class=n>{}{conflicts}<td>{sources}<td title=\"{}\">{}<td>{}</tr>",
            Esc(&column.name),
            Esc(&column_type(column)),
            thousands(column.distinct),
            Esc(&column.merged.join("\n")),
            Esc(&column.names.join("; ")),
            Esc(&column.examples.join(" | "))
        );
    }
    html.push_str("</table></div>\n");
}

/// A small table of text, such as what came of a crawl.
fn text_table(html: &mut String, table: &TextTable) {
    html.push_str("<div class=wide><table>");
    if !table.header.is_empty() {
        html.push_str("<tr>");
        for name in &table.header {
            let _ = write!(html, "<th>{name}");
        }
        html.push_str("</tr>");
    }
    for row in &table.rows {
        html.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let class = if table.numbers.contains(&column) { " class=n" } else { "" };
            let _ = write!(html, "<td{class}>{}", Esc(cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</table></div>\n");
}

fn preview(html: &mut String, section: &KindSection, title: &str) {
    let _ = write!(
        html,
        "<h2>{}</h2>\n<p class=quiet>The first {} of {}.</p>\n<div class=wide><table><tr><th>title",
        Esc(title),
        section.rows.len(),
        thousands(section.entities)
    );
    for column in section.columns.iter().take(COLUMNS) {
        let _ = write!(html, "<th>{}", Esc(&column.name));
    }
    html.push_str("</tr>\n");
    for row in &section.rows {
        let title = row.title.as_deref().unwrap_or(&row.entity);
        let _ = write!(html, "<tr><td class=cut title=\"{}\">{}", Esc(&row.entity), Esc(title));
        for cell in row.cells.iter().take(COLUMNS) {
            let text = cell_text(cell, usize::MAX);
            let _ = write!(html, "<td class=cut>{}", Esc(&text));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
}

fn pictures(html: &mut String, content: &ReportContent<'_>) {
    for crawl in content.crawls.iter().filter(|crawl| !crawl.graphs.is_empty()) {
        let picture = draw::svg(&draw::queries(&crawl.graphs, QUERIES));
        let _ = writeln!(html, "<h2>Queries</h2>\n<div class=picture>{picture}</div>");
    }
    for ((site, _), model) in content.sites.iter().zip(content.models) {
        if model.templates.is_empty() {
            continue;
        }
        let lines: Vec<_> = model.templates.iter().take(3).map(template_line).collect();
        let picture = draw::svg(&draw::templates(&lines));
        let of = if content.sites.len() > 1 { format!(" of {site}") } else { String::new() };
        let _ = writeln!(
            html,
            "<h2>Record template{}</h2>\n<div class=picture>{picture}</div>",
            Esc(&of)
        );
    }
}

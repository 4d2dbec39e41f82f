//! `quarry inspect`: what the document model sees in a page, and which records it holds.

mod found;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_dom::{CharsetSource, Document, Limits, NodeId};
use quarry_harvest::JobOutcome;
use quarry_harvest::pages::unknown_address;
use quarry_harvest::report::TextTable;
use quarry_harvest::text::{bytes, shorten, thousands};
use quarry_model::PageStore;
use quarry_store::{Project, StoreSettings, open_input};
use url::Url;

use crate::args::{InspectArgs, Show};
use crate::printer::Printer;

/// Headings, links of a kind and options that a summary names.
const SHOWN: usize = 8;

pub(crate) fn run(args: &InspectArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let page = match &args.project {
        Some(folder) => from_project(folder, &args.page)?,
        None => from_file(Path::new(&args.page), args.url.as_deref())?,
    };
    let document = Document::parse(&page.content, page.content_type.as_deref(), &Limits::default());
    let root = match &args.at {
        Some(path) => document
            .node_at(path)
            .with_context(|| format!("{path} leads to no node of {}", args.page))?,
        None => NodeId::ROOT,
    };
    let mut reasons = None;
    if matches!(args.show, Show::Summary | Show::Records) || args.html.is_some() {
        let project: Vec<_> = args.project.iter().cloned().collect();
        let inputs = if args.with.is_empty() { &project } else { &args.with };
        let others = found::others(inputs, &args.page, &page.content)?;
        let findings = found::look(&args.page, &document, &others)?;
        reasons = Some(findings.text(&document, others.len()));
        if let Some(file) = &args.html {
            findings.write_copy(&document, file)?;
        }
    }
    let reasons = reasons.unwrap_or_default();
    match args.show {
        Show::Summary => {
            summary(&page, &document, printer)?;
            printer.line("")?;
            printer.text(&reasons)?;
        }
        Show::Records => printer.text(&reasons)?,
        Show::Tree => printer.text(&document.dump_subtree(root))?,
        Show::Text => printer.line(document.folded_text(root))?,
        Show::Links => links(&page, &document, root, printer)?,
        Show::Forms => forms(&page, &document, printer)?,
    }
    Ok(JobOutcome::Done)
}

/// A page as it was found.
struct InspectedPage {
    url: Url,
    content_type: Option<String>,
    content: Vec<u8>,
}

fn from_project(folder: &Path, key: &str) -> Result<InspectedPage> {
    let project = Project::open_read_only(folder, &StoreSettings::default())?;
    let with_slash = format!("{key}/");
    let row = match project.find(key)? {
        Some(row) => row,
        None => project.find(&with_slash)?.with_context(|| {
            format!(
                "{} holds no page {key}; `quarry export -p {} --table pages` lists them",
                folder.display(),
                folder.display()
            )
        })?,
    };
    let exchange = project.read(&row)?;
    let url = Url::parse(&row.url).with_context(|| format!("the archive says {}", row.url))?;
    Ok(InspectedPage {
        url,
        content_type: exchange.response.headers.get("content-type").map(str::to_owned),
        content: exchange.response.content().to_vec(),
    })
}

fn from_file(path: &Path, url: Option<&str>) -> Result<InspectedPage> {
    if path.to_str().is_some_and(|text| text.contains("://")) {
        bail!("{} is an address; say which project holds it with -p DIR", path.display());
    }
    let page = open_input(&[path.to_owned()], None)?
        .pages()
        .next()
        .with_context(|| format!("{} holds no page", path.display()))??;
    let url = match url {
        Some(url) => Url::parse(url).with_context(|| format!("'{url}' is not a web address"))?,
        None => unknown_address(),
    };
    Ok(InspectedPage { url, content_type: page.content_type, content: page.bytes })
}

fn summary(page: &InspectedPage, document: &Document, printer: &mut Printer) -> Result<()> {
    let charset = document.charset();
    let said_by = match charset.source() {
        CharsetSource::ByteOrderMark => "byte order mark",
        CharsetSource::Header => "Content-Type header",
        CharsetSource::Meta => "the page itself",
        CharsetSource::Detected => "looks like it",
        CharsetSource::Text => "given as text",
    };
    let malformed = if charset.malformed() { ", with bytes that make no sense" } else { "" };
    let deepest = document.all().map(|node| document.depth(node)).max().unwrap_or(0);
    let mut rows = vec![
        ("address", page.url.to_string()),
        ("title", document.title().map(std::borrow::Cow::into_owned).unwrap_or_default()),
        ("size", bytes(page.content.len() as u64)),
        ("charset", format!("{} ({said_by}{malformed})", charset.name())),
        ("nodes", format!("{}, {deepest} deep", thousands(document.len() as u64))),
        ("language", document.lang().unwrap_or("not said").to_owned()),
        (
            "visible text",
            format!("{} characters", thousands(document.folded_chars(NodeId::ROOT) as u64)),
        ),
    ];
    if document.cut().any() {
        rows.push(("cut at", document.cut().to_string()));
    }
    let links = document.links(&page.url);
    let mut hosts: BTreeMap<&str, usize> = BTreeMap::new();
    for link in &links {
        *hosts.entry(link.url.host_str().unwrap_or(link.url.scheme())).or_default() += 1;
    }
    let mut most: Vec<_> = hosts.into_iter().collect();
    most.sort_by_key(|(host, count)| (std::cmp::Reverse(*count), *host));
    let named: Vec<_> = most.iter().take(SHOWN).map(|(host, n)| format!("{n} {host}")).collect();
    rows.push(("links", format!("{} ({})", links.len(), named.join(", "))));
    for form in document.forms(&page.url) {
        let controls: Vec<_> =
            form.controls.iter().map(|c| format!("{}:{}", c.name, c.kind.as_str())).collect();
        let action = form.action.as_ref().map_or("no address", Url::as_str);
        rows.push((
            "form",
            shorten(&format!("{:?} {action}  {}", form.method, controls.join(" ")), 84),
        ));
    }
    for heading in document.headings().all().take(SHOWN) {
        rows.push((
            "heading",
            format!(
                "{} {}",
                document.tag_name(heading),
                shorten(&document.folded_text(heading), 70)
            ),
        ));
    }
    Ok(printer.text_table(TextTable::facts(rows))?)
}

fn links(
    page: &InspectedPage,
    document: &Document,
    root: NodeId,
    printer: &mut Printer,
) -> Result<()> {
    let end = document.subtree_end(root);
    let paths = document.xpaths();
    let links = document.links(&page.url);
    let inside = links.iter().filter(|link| link.node >= root && link.node < end);
    if printer.is_terminal() {
        let rows = inside.map(|link| vec![shorten(&link.text, 32), shorten(link.url.as_str(), 62)]);
        printer.table(&["text", "address"], &[], rows)?;
    } else {
        for link in inside {
            printer.json(&serde_json::json!({
                "path": paths.xpath(link.node),
                "kind": format!("{:?}", link.kind).to_lowercase(),
                "href": link.url.as_str(),
                "text": link.text,
                "rel": link.rel,
            }))?;
        }
    }
    Ok(())
}

fn forms(page: &InspectedPage, document: &Document, printer: &mut Printer) -> Result<()> {
    for form in document.forms(&page.url) {
        let action = form.action.as_ref().map_or("no address", Url::as_str);
        printer.line(format!("form {}: {:?} {action}", form.index, form.method))?;
        let rows = form.controls.iter().map(|control| {
            let options: Vec<_> =
                control.options.iter().take(SHOWN).map(|o| o.label.as_ref()).collect();
            let more = control.options.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" … {more} more") } else { String::new() };
            vec![
                format!("  {}", control.name),
                control.kind.as_str().to_owned(),
                control.label.as_ref().map(|label| label.text.to_string()).unwrap_or_default(),
                shorten(&control.value, 20),
                format!("{}{more}", options.join(" | ")),
            ]
        });
        printer.table(&["  name", "type", "label", "value", "options"], &[], rows)?;
    }
    Ok(())
}

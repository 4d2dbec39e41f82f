//! `quarry cluster`, `quarry records`, `quarry forms`: one stage over the pages of one site, wherever
//! they are kept. JSON lines in a pipe, a readable table on a terminal.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_dom::{Document, Limits};
use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages};
use quarry_extract::explain::explain;
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::forms::forms_line;
use quarry_extract::lines::{PageLine, unit_line};
use quarry_extract::model::SiteModel;
use quarry_extract::template::{TemplateConfig, learn};
use quarry_store::{InputPage, open_input, write_whole};
use rayon::prelude::*;
use serde::Serialize;
use url::Url;

use super::{Ending, unknown_address};
use crate::args::{LineFormat, RecordsArgs, StageArgs};
use crate::printer::{Printer, shorten};

/// Records of a page that a table shows.
const RECORDS_SHOWN: usize = 5;

/// A page of the input, parsed.
pub(super) struct Page {
    pub(super) id: String,
    pub(super) url: Option<String>,
    size: usize,
    pub(super) document: Document,
}

pub(super) fn read(args: &StageArgs) -> Result<Vec<Page>> {
    read_pages(&args.input, args.urls.as_deref())
}

/// Reads and parses the pages, on all cores.
pub(super) fn read_pages(input: &[PathBuf], urls: Option<&Path>) -> Result<Vec<Page>> {
    let input = open_input(input, urls)?;
    let pages = input.pages().collect::<Result<Vec<InputPage>, _>>()?;
    Ok(pages.into_par_iter().map(parse).collect())
}

pub(super) fn parse(page: InputPage) -> Page {
    let InputPage { id, url, content_type, bytes } = page;
    let kind = content_type.as_deref().or_else(|| saved_as_utf8(&bytes));
    let document = Document::parse(&bytes, kind, &Limits::default());
    Page { id, url, size: bytes.len(), document }
}

/// Browsers save pages as UTF-8 and leave the old encoding's name in them. Text of another encoding with letters outside ASCII
/// is hardly ever valid UTF-8 throughout.
fn saved_as_utf8(bytes: &[u8]) -> Option<&'static str> {
    let valid = !bytes.is_ascii() && std::str::from_utf8(bytes).is_ok();
    valid.then_some("text/html; charset=utf-8")
}

pub(crate) fn cluster(args: &StageArgs, printer: &mut Printer) -> Result<Ending> {
    let pages = read(args)?;
    let signatures: Vec<PageSignature> =
        pages.par_iter().map(|page| PageSignature::of(&page.document, page.size)).collect();
    let names: Vec<String> = pages.iter().map(|page| page.id.clone()).collect();
    let found = cluster_pages(&signatures, &ClusterConfig::default());
    let mut out = Lines::new(args, printer)?;
    if out.as_table() {
        let rows = found.lines(&names).map(|line| {
            vec![line.rank.to_string(), line.cluster.to_string(), shorten(&line.page, 80)]
        });
        printer.table(&["rank", "cluster", "page"], &[0, 1], rows)?;
        return Ok(Ending::Done);
    }
    for line in found.lines(&names) {
        out.write(&line)?;
    }
    out.finish()
}

/// The records of the pages of one site.
pub(super) fn find(pages: &[Page]) -> Vec<PageRecords> {
    let input = |page| {
        let Page { id, document, .. }: &Page = page;
        PageInput { id, document, cluster: None }
    };
    let inputs: Vec<PageInput<'_>> = pages.iter().map(input).collect();
    find_records(&inputs, &RecordsConfig::default())
}

/// The templates of these records.
pub(super) fn learn_templates(pages: &[Page], found: &[PageRecords]) -> SiteModel {
    let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
    learn(&documents, found, &TemplateConfig::default())
}

pub(crate) fn records(args: &RecordsArgs, printer: &mut Printer) -> Result<Ending> {
    let pages = read(&args.stage)?;
    let found = find(&pages);
    if args.explain {
        for (found, page) in found.iter().zip(&pages) {
            printer.raw(explain(&page.document, found).as_bytes())?;
        }
        return Ok(Ending::Done);
    }
    let model = learn_templates(&pages, &found);
    let lines: Vec<PageLine> = found
        .par_iter()
        .zip(&pages)
        .map(|(found, page)| unit_line(&page.document, found, &model))
        .collect();
    let mut out = Lines::new(&args.stage, printer)?;
    if out.as_table() {
        for line in lines {
            show_records(&line, printer)?;
        }
        return Ok(Ending::Done);
    }
    for line in lines {
        out.write(&line)?;
    }
    out.finish()
}

fn show_records(line: &PageLine, printer: &mut Printer) -> Result<()> {
    printer.line(format!("{} (cluster {})", shorten(&line.page, 80), line.cluster))?;
    if line.regions.is_empty() {
        printer.line("  no records")?;
    }
    for region in line.regions.iter().take(1) {
        let count = region.records.len();
        printer.line(format!("  {count} records at {}, score {:.2}", region.path, region.score))?;
        for record in region.records.iter().take(RECORDS_SHOWN) {
            printer.line(format!("    {}", shorten(&record.text, 94)))?;
        }
        if count > RECORDS_SHOWN {
            printer.line(format!("    … {} more", count - RECORDS_SHOWN))?;
        }
    }
    Ok(())
}

pub(crate) fn forms(args: &StageArgs, printer: &mut Printer) -> Result<Ending> {
    let pages = read(args)?;
    let line = |page: &Page| {
        let address = page.url.as_deref().and_then(|url| Url::parse(url).ok());
        forms_line(&page.document, &address.unwrap_or_else(unknown_address), &page.id)
    };
    let lines: Vec<_> = pages.par_iter().map(line).collect();
    let mut out = Lines::new(args, printer)?;
    if out.as_table() {
        let rows = lines.iter().flat_map(|line| {
            line.forms.iter().map(|form| {
                let fields: Vec<_> = form.fields.iter().map(|field| field.name.as_str()).collect();
                vec![
                    shorten(&line.page, 26),
                    form.index.to_string(),
                    form.kind.as_str().to_owned(),
                    format!("{:.2}", form.score),
                    shorten(form.action.as_deref().unwrap_or(""), 24),
                    shorten(&fields.join(" "), 18),
                ]
            })
        });
        printer.table(&["page", "form", "kind", "score", "action", "fields"], &[1, 3], rows)?;
        return Ok(Ending::Done);
    }
    for line in &lines {
        out.write(line)?;
    }
    out.finish()
}

/// JSON lines on their way out: to standard output, or to a file that appears when it is whole.
pub(super) struct Lines<'a> {
    args: &'a StageArgs,
    as_table: bool,
    text: Vec<u8>,
    printer: Option<Box<dyn Write + Send>>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(args: &'a StageArgs, printer: &mut Printer) -> Result<Self> {
        let as_table = match (args.format, &args.output) {
            (Some(LineFormat::Table), _) => true,
            (None, None) => printer.is_terminal(),
            (Some(LineFormat::Jsonl), _) | (None, Some(_)) => false,
        };
        let printer: Option<Box<dyn Write + Send>> =
            if args.output.is_none() { Some(Box::new(printer.writer())) } else { None };
        Ok(Self { args, as_table, text: Vec::new(), printer })
    }

    pub(super) fn as_table(&self) -> bool {
        self.as_table
    }

    pub(super) fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let sink: &mut dyn Write = match &mut self.printer {
            Some(out) => out,
            None => &mut self.text,
        };
        serde_json::to_writer(&mut *sink, line).context("cannot print a line")?;
        sink.write_all(b"\n").context("cannot print a line")
    }

    pub(super) fn finish(mut self) -> Result<Ending> {
        if let Some(out) = &mut self.printer {
            out.flush().context("cannot print the lines")?;
        }
        if let Some(path) = &self.args.output {
            write_whole(path, &self.text)?;
        }
        Ok(Ending::Done)
    }
}

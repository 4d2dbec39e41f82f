//! What the verbs of single stages share: pages in, from wherever they are kept; JSON lines or a readable table out.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_harvest::{JobOutcome, ParsedPage};
use quarry_model::InputPage;
use quarry_store::{open_input, write_whole};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::{LineFormat, StageArgs};
use crate::printer::Printer;

pub(crate) fn read(args: &StageArgs) -> Result<Vec<ParsedPage>> {
    read_pages(&args.input, args.urls.as_deref())
}

/// Reads and parses the pages, on all cores.
pub(crate) fn read_pages(input: &[PathBuf], urls: Option<&Path>) -> Result<Vec<ParsedPage>> {
    let input = open_input(input, urls)?;
    let pages = input.pages().collect::<Result<Vec<InputPage>, _>>()?;
    Ok(pages.into_par_iter().map(ParsedPage::parse).collect())
}

/// JSON lines on their way out: to standard output, or to a file that appears when it is whole.
pub(crate) struct Lines<'a> {
    args: &'a StageArgs,
    as_table: bool,
    text: Vec<u8>,
    printer: Option<Box<dyn Write + Send>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(args: &'a StageArgs, printer: &mut Printer) -> Result<Self> {
        let as_table = match (args.format, &args.output) {
            (Some(LineFormat::Table), _) => true,
            (None, None) => printer.is_terminal(),
            (Some(LineFormat::Jsonl), _) | (None, Some(_)) => false,
        };
        let printer: Option<Box<dyn Write + Send>> =
            if args.output.is_none() { Some(Box::new(printer.writer())) } else { None };
        Ok(Self { args, as_table, text: Vec::new(), printer })
    }

    pub(crate) fn as_table(&self) -> bool {
        self.as_table
    }

    pub(crate) fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let sink: &mut dyn Write = match &mut self.printer {
            Some(out) => out,
            None => &mut self.text,
        };
        serde_json::to_writer(&mut *sink, line).context("cannot print a line")?;
        sink.write_all(b"\n").context("cannot print a line")
    }

    pub(crate) fn finish(mut self) -> Result<JobOutcome> {
        if let Some(out) = &mut self.printer {
            out.flush().context("cannot print the lines")?;
        }
        if let Some(path) = &self.args.output {
            write_whole(path, &self.text)?;
        }
        Ok(JobOutcome::Done)
    }
}

//! The one place that writes to standard output: tables on a terminal of 100
//! columns, plain lines in a pipe.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use quarry_crawl::StrategyReport;
use quarry_harvest::report::{TextTable, run_table, strategy_tables};
use quarry_model::RunReport;

use crate::visible::{VisibleWriter, visible};

/// Widest table on a terminal.
const WIDTH: u16 = 100;

/// Writes to standard output. A reader that went away (`quarry … | head`) is not an error.
#[derive(Debug)]
pub(crate) struct Printer {
    out: io::Stdout,
}

impl Printer {
    pub(crate) fn new() -> Self {
        Self { out: io::stdout() }
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.out.is_terminal()
    }

    /// Standard output for a whole table; a reader that goes away ends it without complaint.
    pub(crate) fn writer(&mut self) -> impl Write + Send + use<> {
        let out = io::BufWriter::new(io::stdout());
        let out: Box<dyn Write + Send> = match self.is_terminal() {
            true => Box::new(VisibleWriter::new(out)),
            false => Box::new(out),
        };
        Patient(out)
    }

    /// One line of text.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        self.raw(visible(text.as_ref()).as_bytes())?;
        self.raw(b"\n")
    }

    /// Lines of text that may come from pages.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.raw(visible(text).as_bytes())
    }

    /// One value as a line of JSON.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        match self.is_terminal() {
            true => self.raw(visible(&line).as_bytes()),
            false => self.raw(line.as_bytes()),
        }
    }

    /// Bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.out.lock().write_all(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// A table with a header row; columns named in `right` are aligned to the right.
    pub(crate) fn table(
        &mut self,
        header: &[impl AsRef<str>],
        right: &[usize],
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> io::Result<()> {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(WIDTH);
        if !header.is_empty() {
            table.set_header(header.iter().map(|name| Cell::new(name.as_ref().to_uppercase())));
        }
        for row in rows {
            table.add_row(row.iter().map(|cell| visible(cell).into_owned()));
        }
        for index in right {
            if let Some(column) = table.column_mut(*index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in table.lines() {
            self.line(line.trim_end())?;
        }
        Ok(())
    }

    /// What came of a crawl into a folder.
    pub(crate) fn crawled(
        &mut self,
        folder: &Path,
        counts: &RunReport,
        strategy: &StrategyReport,
    ) -> io::Result<()> {
        self.text_table(run_table(&folder.display().to_string(), counts))?;
        for table in strategy_tables(strategy) {
            self.line("")?;
            self.text_table(table)?;
        }
        Ok(())
    }

    /// A small table of text.
    pub(crate) fn text_table(&mut self, table: TextTable) -> io::Result<()> {
        self.table(&table.header, &table.numbers, table.rows)
    }
}

/// A writer for which a reader that went away has read everything.
struct Patient<W: Write>(W);

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            other => other,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// An error that ends the program, with its causes and what can be done, on standard error.
pub(crate) fn complain(error: &anyhow::Error) {
    let advice = quarry_store::advice(error.as_ref()).map(|advice| format!("; {advice}"));
    // A standard error that is gone leaves nobody to tell.
    let text = format!("quarry: {error:#}{}", advice.unwrap_or_default());
    let _ = writeln!(io::stderr().lock(), "{}", visible(&text));
}

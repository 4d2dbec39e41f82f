//! `quarry export`: a project's tables, for other programs.

use anyhow::{Result, bail};
use quarry_harvest::JobOutcome;
use quarry_store::table::{TableFormat, TableOut};
use quarry_store::{Project, StoreSettings};

use crate::args::{ExportArgs, Format, Table};
use crate::printer::Printer;

pub(crate) fn run(args: &ExportArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let ending = args.output.as_ref().and_then(|path| path.extension()).and_then(|e| e.to_str());
    let format = match (args.format, ending) {
        (Some(Format::Csv), _) | (None, Some("csv")) if args.csv_safe => TableFormat::SafeCsv,
        (Some(Format::Csv), _) | (None, Some("csv")) => TableFormat::Csv,
        (Some(Format::Parquet), _) | (None, Some("parquet")) => TableFormat::Parquet,
        (Some(Format::Sqlite), _) | (None, Some("sqlite" | "db")) => TableFormat::Sqlite,
        (Some(Format::Jsonl), _) | (None, _) => TableFormat::Jsonl,
    };
    if args.csv_safe && format != TableFormat::SafeCsv {
        bail!("--csv-safe is for CSV; add --format csv");
    }
    let table = match args.table {
        Table::Pages => quarry_store::Table::Pages,
        Table::Entities => quarry_store::Table::Entities,
        Table::Columns => quarry_store::Table::Columns,
        Table::Values => quarry_store::Table::Values,
        Table::Queries => quarry_store::Table::Queries,
        Table::Things => quarry_store::Table::Things,
    };
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    match &args.output {
        Some(path) => {
            project.export(table, format, TableOut::File(path))?;
        }
        None if format == TableFormat::Sqlite => {
            bail!("a database cannot be written to standard output; name a file with -o");
        }
        None if format == TableFormat::Parquet && printer.is_terminal() => {
            bail!("Parquet is not for reading on a terminal; name a file with -o");
        }
        None => {
            let out = printer.writer();
            project.export(table, format, TableOut::Stream(Box::new(out)))?;
        }
    }
    Ok(JobOutcome::Done)
}

//! `quarry graph`: the queries that a site answers, as lines or as a picture.

use std::io::Write;

use anyhow::{Context, Result, bail};
use quarry_harvest::crawl::{query_lines, read_graphs};
use quarry_harvest::{JobOutcome, draw};
use quarry_store::{Project, StoreSettings, write_whole};

use crate::args::{GraphArgs, GraphFormat};
use crate::printer::Printer;

pub(crate) fn run(args: &GraphArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let graphs = read_graphs(&project)?;
    if graphs.is_empty() {
        let folder = args.project.display();
        bail!("{folder} has no query graph; `quarry crawl URL -p DIR --strategy query` makes one");
    }
    let ending = args.output.as_ref().and_then(|path| path.extension()).and_then(|e| e.to_str());
    let format = match (args.format, ending) {
        (Some(format), _) => format,
        (None, Some("svg")) => GraphFormat::Svg,
        (None, Some("dot" | "gv")) => GraphFormat::Dot,
        (None, _) => GraphFormat::Jsonl,
    };
    let picture = || draw::queries(&graphs, args.nodes);
    let text = match format {
        GraphFormat::Svg => draw::svg(&picture()).into_bytes(),
        GraphFormat::Dot => draw::dot(&picture()).into_bytes(),
        GraphFormat::Jsonl => {
            let mut text = Vec::new();
            for line in query_lines(&graphs) {
                serde_json::to_writer(&mut text, &line).context("cannot print a line")?;
                text.push(b'\n');
            }
            text
        }
    };
    match &args.output {
        None => printer.writer().write_all(&text).context("cannot print the graph")?,
        Some(path) => write_whole(path, &text)?,
    }
    Ok(JobOutcome::Done)
}

//! `quarry graph`: the queries that a site answers, as lines or as a picture.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, bail};
use quarry_crawl::query::{EntityId, QueryGraph, QueryId};
use quarry_harvest::crawl::read_graphs;
use quarry_harvest::{JobOutcome, draw};
use quarry_store::{Project, StoreSettings, write_whole};
use serde::Serialize;

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
        GraphFormat::Jsonl => lines(&graphs)?,
    };
    match &args.output {
        None => printer.writer().write_all(&text).context("cannot print the graph")?,
        Some(path) => write_whole(path, &text)?,
    }
    Ok(JobOutcome::Done)
}

/// A query as a line.
#[derive(Serialize)]
struct Line {
    /// Its pairs `attribute=value`, sorted; none for the query for everything.
    query: Vec<String>,
    url: String,
    entities: usize,
    /// As many as the site says.
    claimed: Option<u64>,
    pages: u32,
    state: &'static str,
    /// Queries with one pair less.
    parents: Vec<Vec<String>>,
    /// Other queries with the same entities.
    same: Vec<Vec<String>>,
}

fn lines(graphs: &[QueryGraph]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for graph in graphs {
        let name = |id: &QueryId| graph.name(&graph[*id]);
        let same = same_answers(graph);
        for (id, query) in graph.queries().filter(|(_, q)| q.is_answered()) {
            let others = same.get(&query.entities()).into_iter().flatten();
            let line = Line {
                query: graph.name(query),
                url: query.request.clone(),
                entities: query.answers.len(),
                claimed: query.claimed(),
                pages: query.pages,
                state: query.state.as_str(),
                parents: graph.parents(query).iter().map(name).collect(),
                same: others.filter(|other| **other != id).map(name).collect(),
            };
            serde_json::to_writer(&mut text, &line).context("cannot print a line")?;
            text.push(b'\n');
        }
    }
    Ok(text)
}

/// Queries by their answers: those that share one are equivalent as far as was seen (§3). Queries
/// without entities are left out, and the query for everything, which is never read to its end.
fn same_answers(graph: &QueryGraph) -> BTreeMap<Vec<EntityId>, Vec<QueryId>> {
    let mut groups: BTreeMap<Vec<EntityId>, Vec<QueryId>> = BTreeMap::new();
    for (id, query) in graph.queries().skip(1) {
        if query.is_answered() && !query.answers.is_empty() {
            groups.entry(query.entities()).or_default().push(id);
        }
    }
    groups
}

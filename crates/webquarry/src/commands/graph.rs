//! `quarry graph`: the queries that a site answers, as lines or as a picture.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, bail};
use quarry_crawl::query::QueryGraph;
use quarry_store::{Project, StoreSettings, write_whole};
use serde::Serialize;

use super::{Ending, strategy};
use crate::args::{GraphArgs, GraphFormat};
use crate::draw;
use crate::printer::Printer;

pub(crate) fn run(args: &GraphArgs, printer: &mut Printer) -> Result<Ending> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let graphs = strategy::read_graphs(&project)?;
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
    Ok(Ending::Done)
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
        let name = |id: &u32| graph.name(&graph.queries[*id as usize]);
        let same = same_answers(graph);
        for (id, query) in graph.queries.iter().enumerate().filter(|(_, q)| QueryGraph::counts(q)) {
            let others = same.get(&answer_of(graph, id)).into_iter().flatten();
            let line = Line {
                query: graph.name(query),
                url: query.request.clone(),
                entities: query.answers.len(),
                claimed: query.claimed(),
                pages: query.pages,
                state: query.state.as_str(),
                parents: graph.parents(query).iter().map(name).collect(),
                same: others.filter(|other| **other as usize != id).map(name).collect(),
            };
            serde_json::to_writer(&mut text, &line).context("cannot print a line")?;
            text.push(b'\n');
        }
    }
    Ok(text)
}

/// The entities of a query, in order of their numbers.
pub(super) fn answer_of(graph: &QueryGraph, query: usize) -> Vec<u32> {
    let answers = graph.queries[query].answers.iter();
    let mut entities: Vec<u32> = answers.map(|answer| answer.entity).collect();
    entities.sort_unstable();
    entities
}

/// Queries by their answers: those that share one are equivalent as far as was seen (§3). Empty
/// answers say nothing, and the query for everything is never read to its end.
fn same_answers(graph: &QueryGraph) -> BTreeMap<Vec<u32>, Vec<u32>> {
    let mut groups: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    for (id, query) in graph.queries.iter().enumerate().skip(1) {
        if QueryGraph::counts(query) && !query.answers.is_empty() {
            groups.entry(answer_of(graph, id)).or_default().push(id as u32);
        }
    }
    groups
}

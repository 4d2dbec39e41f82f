//! How good are recovered triples? Compared with the truth of a generated site, as the scorer does.

use std::collections::BTreeSet;

use quarry_crawl::query::QueryGraph;
use quarry_testsite::Site;

use crate::generated::ROOT;

/// (entity, attribute, value).
pub(crate) type Triple = (String, String, String);

/// Shares of what was found and of what there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Score {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) found: usize,
    pub(crate) truth: usize,
}

/// The facet triples of a site as it was at the start, and those that hold at any time.
pub(crate) fn truth(site: &Site) -> (BTreeSet<Triple>, BTreeSet<Triple>) {
    let steps = 0..=site.spec().changes.most;
    let mut always: Option<BTreeSet<Triple>> = None;
    let mut ever = BTreeSet::new();
    for step in steps.step_by(20) {
        let mut now = BTreeSet::new();
        for line in site.truth_at(step) {
            for facet in &line.facets {
                let values = line.attributes.get(facet).map_or(&[][..], |values| values.texts());
                now.extend(values.iter().map(|v| (line.url.clone(), facet.clone(), v.clone())));
            }
        }
        ever.extend(now.iter().cloned());
        always = Some(match always {
            None => now,
            Some(before) => before.intersection(&now).cloned().collect(),
        });
    }
    (always.unwrap_or_default(), ever)
}

pub(crate) fn found(graphs: &[QueryGraph]) -> BTreeSet<Triple> {
    let rows = graphs.iter().flat_map(QueryGraph::values);
    rows.map(|row| {
        let entity = row.entity.strip_prefix(ROOT).unwrap_or(row.entity).to_owned();
        (entity, row.attribute.to_owned(), row.value.to_owned())
    })
    .collect()
}

/// What holds throughout must be found; what never holds must not.
pub(crate) fn score(site: &Site, graphs: &[QueryGraph]) -> Score {
    let (always, ever) = truth(site);
    let found = found(graphs);
    let right = found.intersection(&ever).count() as f64;
    let got = found.intersection(&always).count() as f64;
    Score {
        precision: right / (found.len() as f64).max(1.0),
        recall: got / (always.len() as f64).max(1.0),
        found: found.len(),
        truth: always.len(),
    }
}

/// Names of attributes that only the site has, and that only the crawl has.
pub(crate) fn odd_attributes(site: &Site, graphs: &[QueryGraph]) -> [BTreeSet<String>; 2] {
    let names = |triples: BTreeSet<Triple>| triples.into_iter().map(|(_, name, _)| name).collect();
    let (there, got): (BTreeSet<String>, BTreeSet<String>) =
        (names(truth(site).1), names(found(graphs)));
    [&there - &got, &got - &there]
}

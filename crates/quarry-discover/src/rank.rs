//! Ranks candidate sites by the ids that lead to them and by the hubs that link to them, and merges the two rankings
//! (DEXTER §3.1.1 to §3.1.3; the numbers of equations are the paper's).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// How candidates are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankMethod {
    /// By search alone.
    Search,
    /// By backlinks alone.
    Backlinks,
    /// By the better position in either ranking.
    Union,
    /// By the harmonic mean of the positions in both.
    #[default]
    Intersection,
}

/// A site with its place in the rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedSite {
    /// The site.
    pub site: String,
    /// What it is ranked by, from 0 to 1.
    pub score: f64,
    /// The share of the ids that lead to it (eq. 1); `None` where none does.
    pub search: Option<f64>,
    /// The weighted share of the hubs that link to it (eq. 5); `None` where none does.
    pub backlinks: Option<f64>,
}

/// Sites by their scores, best first; equal scores by name.
pub type ScoredSites = Vec<(String, f64)>;

fn sorted(scores: BTreeMap<&str, f64>) -> ScoredSites {
    let mut list: ScoredSites =
        scores.into_iter().map(|(site, score)| (site.to_owned(), score)).collect();
    list.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    list
}

/// The share of the queries that return each site (eq. 1 and 2).
pub fn search_scores<'a>(
    answers: impl ExactSizeIterator<Item = &'a BTreeSet<String>>,
    skip: &dyn Fn(&str) -> bool,
) -> ScoredSites {
    let queries = answers.len().max(1) as f64;
    let mut votes: BTreeMap<&str, f64> = BTreeMap::new();
    for sites in answers {
        for site in sites.iter().filter(|site| !skip(site)) {
            *votes.entry(site).or_default() += 1.0;
        }
    }
    votes.values_mut().for_each(|count| *count /= queries);
    sorted(votes)
}

/// The share of the known sites that each hub links to (eq. 3 and 4). Hubs that link to fewer than `min_sites` of them are
/// left out: the paper prunes those of a single site, which needs more than a few known sites.
#[must_use]
pub fn hub_scores(
    backlinks: &BTreeMap<String, Vec<String>>,
    known: &BTreeSet<&str>,
    min_sites: usize,
) -> BTreeMap<String, f64> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, hubs) in backlinks.iter().filter(|(site, _)| known.contains(site.as_str())) {
        for hub in hubs {
            *votes.entry(hub).or_default() += 1;
        }
    }
    let sites = known.len().max(1) as f64;
    let kept = votes.into_iter().filter(|(_, count)| *count >= min_sites);
    kept.map(|(hub, count)| (hub.to_owned(), count as f64 / sites)).collect()
}

/// The hubs that link to each site, weighted by their scores (eq. 5 and 6).
pub fn forward_scores(
    hubs: &BTreeMap<String, f64>,
    links: &BTreeMap<String, Vec<String>>,
    skip: &dyn Fn(&str) -> bool,
) -> ScoredSites {
    let all: f64 = hubs.values().sum();
    let mut scores: BTreeMap<&str, f64> = BTreeMap::new();
    for (hub, score) in hubs {
        let sites = links.get(hub).into_iter().flatten();
        for site in sites.filter(|site| !skip(site)) {
            *scores.entry(site).or_default() += score / all.max(f64::MIN_POSITIVE);
        }
    }
    sorted(scores)
}

/// Merges the two rankings by the positions in them, not by scores, which are not comparable (§3.1.3).
///
/// A site of only one ranking has an intersection score of 0; those come last, by their union score, so that the
/// intersection goes on where no site is left in both rankings.
#[must_use]
pub fn merge(method: RankMethod, search: &ScoredSites, backlinks: &ScoredSites) -> Vec<RankedSite> {
    let mut sites: BTreeMap<&str, RankedSite> = BTreeMap::new();
    let mut positions: BTreeMap<&str, [f64; 2]> = BTreeMap::new();
    for (which, ranking) in [search, backlinks].into_iter().enumerate() {
        let length = ranking.len() as f64;
        for (place, (site, score)) in ranking.iter().enumerate() {
            let ranked = sites.entry(site).or_insert_with(|| RankedSite {
                site: site.clone(),
                score: 0.0,
                search: None,
                backlinks: None,
            });
            if which == 0 {
                ranked.search = Some(*score);
            } else {
                ranked.backlinks = Some(*score);
            }
            // rScore: 1 for the first place, 1 / length for the last.
            positions.entry(site).or_default()[which] = (length - place as f64) / length;
        }
    }
    let mut list: Vec<(f64, RankedSite)> = Vec::new();
    for (name, mut site) in sites {
        let [by_search, by_links] = positions.get(name).copied().unwrap_or_default();
        let union = by_search.max(by_links);
        let both = by_search + by_links;
        site.score = match method {
            RankMethod::Search if site.search.is_none() => continue,
            RankMethod::Backlinks if site.backlinks.is_none() => continue,
            RankMethod::Search => by_search,
            RankMethod::Backlinks => by_links,
            RankMethod::Union => union,
            RankMethod::Intersection => 2.0 * by_search * by_links / both.max(f64::MIN_POSITIVE),
        };
        list.push((union, site));
    }
    list.sort_by(|(one_union, one), (other_union, other)| {
        other
            .score
            .total_cmp(&one.score)
            .then_with(|| other_union.total_cmp(one_union))
            .then_with(|| one.site.cmp(&other.site))
    });
    list.into_iter().map(|(_, site)| site).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(names: &[&str]) -> ScoredSites {
        names.iter().zip(1..).map(|(name, at)| ((*name).to_owned(), 1.0 / f64::from(at))).collect()
    }

    fn order(method: RankMethod) -> Vec<(String, f64)> {
        let (search, links) = (ranking(&["a", "b", "c", "d"]), ranking(&["e", "b"]));
        let merged = merge(method, &search, &links);
        merged.into_iter().map(|site| (site.site, (site.score * 1000.0).round() / 1000.0)).collect()
    }

    #[test]
    fn the_four_rankings() {
        let expect = |list: &[(&str, f64)]| -> Vec<(String, f64)> {
            list.iter().map(|(name, score)| ((*name).to_owned(), *score)).collect()
        };
        assert_eq!(
            order(RankMethod::Search),
            expect(&[("a", 1.0), ("b", 0.75), ("c", 0.5), ("d", 0.25)])
        );
        assert_eq!(order(RankMethod::Backlinks), expect(&[("e", 1.0), ("b", 0.5)]));
        assert_eq!(
            order(RankMethod::Union),
            expect(&[("a", 1.0), ("e", 1.0), ("b", 0.75), ("c", 0.5), ("d", 0.25)])
        );
        // 2 · 0.75 · 0.5 / 1.25 = 0.6; the others are in one ranking only.
        assert_eq!(
            order(RankMethod::Intersection),
            expect(&[("b", 0.6), ("a", 0.0), ("e", 0.0), ("c", 0.0), ("d", 0.0)])
        );
    }

    #[test]
    fn sites_are_scored_by_the_share_of_ids() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let answers: Vec<BTreeSet<String>> = vec![set(&["a", "b"]), set(&["a", "known"]), set(&[])];
        let scores = search_scores(answers.iter(), &|site| site == "known");
        assert_eq!(scores, [("a".to_owned(), 2.0 / 3.0), ("b".to_owned(), 1.0 / 3.0)]);
    }

    #[test]
    fn hubs_count_by_the_known_sites_they_link_to() {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let backlinks: BTreeMap<String, Vec<String>> = [
            ("s1".to_owned(), list(&["good", "fair", "once"])),
            ("s2".to_owned(), list(&["good", "fair"])),
            ("s3".to_owned(), list(&["good"])),
            ("rejected".to_owned(), list(&["once"])),
        ]
        .into();
        let hubs = hub_scores(&backlinks, &["s1", "s2", "s3"].into(), 2);
        let expect = [("fair".to_owned(), 2.0 / 3.0), ("good".to_owned(), 1.0)];
        assert_eq!(hubs, expect.into());
        let links =
            [("good".to_owned(), list(&["x", "s1"])), ("fair".to_owned(), list(&["x", "y"]))];
        let scores = forward_scores(&hubs, &links.into(), &|site| site.starts_with('s'));
        assert_eq!(scores.len(), 2);
        assert_eq!(scores[0].0, "x");
        assert!((scores[0].1 - 1.0).abs() < 1e-9);
        assert!((scores[1].1 - 0.4).abs() < 1e-9);
    }
}

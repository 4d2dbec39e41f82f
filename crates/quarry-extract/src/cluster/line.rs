//! The printed forms of clusters. One JSON line a page for programs, and a text for people.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::Clustering;

/// What `quarry cluster` says of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterLine {
    /// The page's id.
    pub page: String,
    /// Its cluster.
    pub cluster: usize,
    /// The rank of the cluster; 1 is the cluster most likely to hold answers.
    pub rank: usize,
}

impl Clustering {
    /// A line for each page. `names` are the ids of the pages in the order in which they were
    /// clustered.
    pub fn lines<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = ClusterLine> + use<'a> {
        self.assignment.iter().zip(names).map(|(cluster, page)| ClusterLine {
            page: page.clone(),
            cluster: *cluster,
            rank: self.clusters[*cluster].rank,
        })
    }

    /// The clusters as text: what each one's rank follows from, and some of its pages.
    ///
    /// ```
    /// use quarry_extract::cluster::{ClusterConfig, cluster_pages};
    /// let none = cluster_pages(&[], &ClusterConfig::default());
    /// assert_eq!(none.dump(&[]), "0 pages in 0 clusters, internal similarity 1.000\n");
    /// ```
    #[must_use]
    pub fn dump(&self, names: &[String]) -> String {
        let mut out = format!(
            "{} pages in {} clusters, internal similarity {:.3}\n",
            self.assignment.len(),
            self.clusters.len(),
            self.similarity
        );
        for (number, cluster) in self.clusters.iter().enumerate() {
            let _ = writeln!(
                out,
                "#{} cluster {number}: {} pages, score {:.3} (terms {:.1}, fan-out {:.1}, bytes {:.0})",
                cluster.rank,
                cluster.pages,
                cluster.score,
                cluster.criteria.terms,
                cluster.criteria.fan_out,
                cluster.criteria.bytes
            );
            let mut pages: Vec<&String> = (self.assignment.iter().zip(names))
                .filter(|(at, _)| **at == number)
                .map(|(_, name)| name)
                .collect();
            pages.sort();
            for page in pages.iter().take(SHOWN) {
                let _ = writeln!(out, "    {page}");
            }
            if pages.len() > SHOWN {
                let _ = writeln!(out, "    and {} more", pages.len() - SHOWN);
            }
        }
        out
    }
}

/// Pages of a cluster that a dump names.
const SHOWN: usize = 5;

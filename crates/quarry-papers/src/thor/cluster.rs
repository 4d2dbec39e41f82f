//! THOR's clusters of answer pages (§3.1): tag signatures with TF-IDF weights, cosine, k-means with ten restarts,
//! the number of clusters told.

use quarry_extract::cluster::{
    Bag, Clustering, KMeansConfig, PageSignature, Weighting, group_bags, k_means, rank_groups,
};

/// Clusters pages into at most `k` clusters by their tags, ranked by how likely they hold answers.
pub fn thor_clusters(pages: &[PageSignature], k: usize) -> Clustering {
    let bags: Vec<&Bag> = pages.iter().map(|page| &page.tags).collect();
    let (groups, similarity) = group_bags(&bags, Weighting::TfIdf, |vectors, times| {
        k_means(vectors, times, k, &KMeansConfig::default())
    });
    Clustering { similarity, ..rank_groups(pages, &groups) }
}

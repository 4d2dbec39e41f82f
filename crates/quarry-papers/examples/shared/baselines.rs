//! The signatures that THOR compares its own with (§4.1): raw tags, content, URL, size, chance. Each is told the number of
//! classes.

use std::collections::BTreeSet;

use quarry_dom::{Document, NodeId};
use quarry_extract::cluster::{Bag, KMeansConfig, PageSignature, Vectors, Weighting, k_means};
use rust_stemmers::{Algorithm, Stemmer};

use crate::probed::Answer;

fn grouped(vectors: &Vectors, k: usize) -> Vec<usize> {
    let found = k_means(vectors, &vec![1; vectors.len()], k, &KMeansConfig::default());
    found.groups.iter().map(|group| *group as usize).collect()
}

fn tf_idf(bags: &[Bag], k: usize) -> Vec<usize> {
    let bags: Vec<&Bag> = bags.iter().collect();
    grouped(&Vectors::of_bags(&bags, &vec![1; bags.len()], Weighting::TfIdf), k)
}

/// Counts as they are.
fn raw(bags: &[Bag], k: usize) -> Vec<usize> {
    let entries = bags.iter().flat_map(|bag| bag.entries().iter().map(|e| e.0));
    let features: Vec<u64> = entries.collect::<BTreeSet<u64>>().into_iter().collect();
    let place = |f: u64| features.binary_search(&f).expect("the feature was collected") as u32;
    let row = |bag: &Bag| bag.entries().iter().map(|(f, n)| (place(*f), *n as f32)).collect();
    grouped(&Vectors::of_rows(features.len(), bags.iter().map(row)), k)
}

pub fn signature_baselines(pages: &[PageSignature], k: usize) -> Vec<(&'static str, Vec<usize>)> {
    let tags: Vec<Bag> = pages.iter().map(|page| page.tags.clone()).collect();
    let paths: Vec<Bag> = pages.iter().map(|page| page.paths.clone()).collect();
    vec![
        ("tag TF-IDF (the paper)", tf_idf(&tags, k)),
        ("raw tags", raw(&tags, k)),
        ("path TF-IDF", tf_idf(&paths, k)),
    ]
}

pub fn other_baselines(answers: &[Answer], k: usize) -> Vec<(&'static str, Vec<usize>)> {
    let stemmer = Stemmer::create(Algorithm::English);
    let content: Vec<Bag> = answers
        .iter()
        .map(|answer| {
            let document = Document::from_html(&answer.html);
            let text = document.folded_text(NodeId::ROOT).to_lowercase();
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
            Bag::count(words.map(|w| number(&stemmer.stem(w))).collect())
        })
        .collect();
    // K-means on one number: the distance is the difference.
    let sizes: Vec<f64> = answers.iter().map(|a| a.html.len() as f64).collect();
    let by_size = medoids(sizes.len(), k, |a, b| (sizes[a] - sizes[b]).abs());
    let urls: Vec<Vec<u8>> = answers.iter().map(|a| a.address.clone().into_bytes()).collect();
    let by_url = medoids(urls.len(), k, |a, b| edit_distance(&urls[a], &urls[b]) as f64);
    let mut state = 1u64;
    let chance = answers.iter().map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % k
    });
    vec![
        ("content TF-IDF", tf_idf(&content, k)),
        ("raw content", raw(&content, k)),
        ("size", by_size),
        ("URL", by_url),
        ("chance", chance.collect()),
    ]
}

/// The same number for the same word.
fn number(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// K-medoids for distances that have no mean; farthest first, then until nothing changes.
fn medoids(n: usize, k: usize, distance: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let all: Vec<Vec<f64>> = (0..n).map(|a| (0..n).map(|b| distance(a, b)).collect()).collect();
    let mut centres = vec![0];
    while centres.len() < k {
        let far = |row: usize| centres.iter().map(|c| all[row][*c]).fold(f64::MAX, f64::min);
        let next = (0..n).max_by(|a, b| far(*a).total_cmp(&far(*b))).expect("there are rows");
        centres.push(next);
    }
    let mut groups = vec![0; n];
    for _ in 0..20 {
        for (row, group) in groups.iter_mut().enumerate() {
            *group = (0..k)
                .min_by(|a, b| all[row][centres[*a]].total_cmp(&all[row][centres[*b]]))
                .expect("there are centres");
        }
        for (group, centre) in centres.iter_mut().enumerate() {
            let inside: Vec<usize> = (0..n).filter(|row| groups[*row] == group).collect();
            let cost = |row: usize| inside.iter().map(|other| all[row][*other]).sum::<f64>();
            let best = inside.iter().copied().min_by(|a, b| cost(*a).total_cmp(&cost(*b)));
            *centre = best.unwrap_or(*centre);
        }
    }
    groups
}

fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

//! Page clusters: how pure they are on generated sites, and what never changes them.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quarry_dom::{Document, Limits};
use quarry_extract::cluster::{Bag, ClusterConfig, Clustering, PageSignature, cluster_pages};
use quarry_testsite::{PageClass, Site};
use rayon::prelude::*;

use super::probed::{entropy, probe, specs};

fn signature(html: &str) -> PageSignature {
    PageSignature::of(&Document::from_html(html), html.len())
}

/// Entropy, clusters and classes of a site's answers.
struct Scored {
    entropy: f64,
    clusters: usize,
    classes: usize,
    best_holds_answers: bool,
}

fn score(site: &Site) -> Scored {
    let answers = probe(site, 40);
    let pages: Vec<PageSignature> = answers.iter().map(|a| signature(&a.html)).collect();
    let classes: Vec<PageClass> = answers.iter().map(|a| a.class).collect();
    let distinct = classes.iter().collect::<BTreeSet<_>>().len();
    let measured = |found: &Clustering| {
        let assigned = found.assignment.iter().copied().zip(classes.iter().copied());
        entropy(&assigned.collect::<Vec<_>>())
    };
    let found = cluster_pages(&pages, &ClusterConfig::default());
    let best = (0..pages.len()).filter(|page| found.assignment[*page] == 0);
    let best_holds_answers = best.into_iter().all(|page| {
        matches!(classes[page], PageClass::List | PageClass::Entity | PageClass::OneMatch)
    });
    Scored {
        entropy: measured(&found),
        clusters: found.clusters.len(),
        classes: distinct,
        best_holds_answers,
    }
}

/// The paper reports 0.04 over 50 sites when it is told k; so do we when told nothing.
#[test]
fn answers_of_generated_sites_come_apart() {
    let scored: Vec<Scored> =
        specs(54).into_par_iter().map(|spec| score(&Site::generate(spec))).collect();
    let mean = |of: fn(&Scored) -> f64| scored.iter().map(of).sum::<f64>() / scored.len() as f64;
    let ours = mean(|s| s.entropy);
    assert!(ours <= 0.035, "entropy {ours:.3}");
    for site in &scored {
        assert!(site.clusters <= 2 * site.classes, "{} of {}", site.clusters, site.classes);
        assert!(site.best_holds_answers);
    }
}

#[test]
fn odd_input_is_answered() {
    let check = |pages: &[PageSignature], clusters: usize| {
        let found = cluster_pages(pages, &ClusterConfig::default());
        assert_eq!(found.assignment.len(), pages.len());
        assert_eq!(found.clusters.len(), clusters, "{}", found.dump(&[]));
    };
    check(&[], 0);
    check(&[signature("")], 1);
    check(&[signature("<p>one")], 1);
    check(&vec![PageSignature::default(); 5], 1);
    check(&vec![signature("<ul><li>a<li>b</ul>"); 1000], 1);
    let unrelated = [
        "<table><tr><td>a<td>b</table>",
        "<article><h1>x</h1><p>y</article>",
        "<form><input><select><option>1</select></form>",
    ];
    check(&unrelated.map(signature), 3);
    let binary: Vec<u8> = (0..4096u32).map(|i| (i * 31 % 251) as u8).collect();
    let document = Document::parse(&binary, None, &Limits::default());
    check(&[PageSignature::of(&document, binary.len()), signature("")], 1);
}

#[test]
fn long_lists_belong_to_short_ones() {
    let list = |n: usize| {
        let records = "<li><a href=/x>name</a> <b>12</b></li>".repeat(n);
        signature(&format!("<h1>Found</h1><ul>{records}</ul><p>end</p>"))
    };
    let nothing = || signature("<h1>Sorry</h1><div class=hint><p>Nothing</p><p>here</p></div>");
    let pages = [list(2), nothing(), list(30), list(50_000), nothing(), list(1)];
    let found = cluster_pages(&pages, &ClusterConfig::default());
    assert_eq!(found.assignment, [0, 1, 0, 0, 1, 0]);
}

#[test]
fn one_thread_or_many_make_no_difference() {
    let site = Site::generate(specs(1).remove(0));
    let pages: Vec<PageSignature> = probe(&site, 30).iter().map(|a| signature(&a.html)).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| cluster_pages(&pages, &ClusterConfig::default()))
    };
    assert_eq!(on(1), on(4));
}

fn pages() -> impl Strategy<Value = Vec<PageSignature>> {
    let page = (0u64..4, prop::collection::vec(0u64..12, 0..8), 0u32..50).prop_map(
        |(template, extra, terms)| {
            let base = (0..20).map(|i| 100 + template * 15 + i);
            let features: Vec<u64> = base.chain(extra).collect();
            PageSignature {
                tags: Bag::count(features.iter().map(|f| f % 9).collect()),
                paths: Bag::count(features),
                distinct_terms: terms,
                fan_out: terms % 7,
                bytes: 1000 + u64::from(terms),
            }
        },
    );
    prop::collection::vec(page, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_pages_does_not_matter(pages in pages(), seed in any::<u64>()) {
        let config = ClusterConfig::default();
        let found = cluster_pages(&pages, &config);
        let mut order: Vec<usize> = (0..pages.len()).collect();
        order.sort_by_key(|page| (*page as u64 + 1).wrapping_mul(seed | 1));
        let shuffled: Vec<PageSignature> = order.iter().map(|page| pages[*page].clone()).collect();
        let again = cluster_pages(&shuffled, &config);
        prop_assert_eq!(&found.clusters, &again.clusters);
        for (place, page) in order.iter().enumerate() {
            prop_assert_eq!(again.assignment[place], found.assignment[*page]);
        }
    }

    #[test]
    fn clusters_are_a_partition_in_order_of_rank(pages in pages()) {
        let found = cluster_pages(&pages, &ClusterConfig::default());
        prop_assert!(found.clusters.len() <= ClusterConfig::default().most);
        prop_assert_eq!(found.clusters.iter().map(|c| c.pages).sum::<usize>(), pages.len());
        for (number, cluster) in found.clusters.iter().enumerate() {
            prop_assert_eq!(cluster.rank, number + 1);
            let members = found.assignment.iter().filter(|a| **a == number).count();
            prop_assert_eq!(members, cluster.pages);
            prop_assert!(number == 0 || found.clusters[number - 1].score >= cluster.score);
        }
    }
}

//! Sites of a family show the same things in different words.

use quarry_testsite::{FamilySpec, SiteFamily, SiteSpec, Vertical};

use crate::get;

#[test]
fn shared_entities_are_printed_differently() {
    let base = SiteSpec {
        vertical: Vertical::Restaurants,
        entities: 100,
        seed: 21,
        ..SiteSpec::default()
    };
    let spec = FamilySpec { base, sites: 6, overlap: 0.5, ..FamilySpec::default() };
    let family = SiteFamily::generate(&spec);
    let again = SiteFamily::generate(&spec);
    let mut themes = Vec::new();
    let mut different = 0;
    for (i, site) in family.sites.iter().enumerate() {
        assert_eq!(get(site, "/").body, get(&again.sites[i], "/").body);
        themes.push(site.spec().theme);
        let lines: Vec<_> = site.truth().collect();
        let first: Vec<_> = family.sites[0].truth().collect();
        for (a, b) in family.shared(0, i) {
            let (one, other) = (&first[a.0 as usize], &lines[b.0 as usize]);
            assert_eq!(one.base, other.base);
            different += usize::from(one.attributes != other.attributes);
        }
    }
    themes.dedup();
    assert_eq!(themes.len(), 6);
    assert!(different > 100, "{different}");
}

#[test]
fn sites_lack_some_attributes() {
    let base = SiteSpec { entities: 40, vertical: Vertical::Books, ..SiteSpec::default() };
    let spec = FamilySpec { base, sites: 4, missing: 0.4, ..FamilySpec::default() };
    let family = SiteFamily::generate(&spec);
    let counts: Vec<usize> = family.sites.iter().map(|s| s.attributes().len()).collect();
    assert!(counts[1..].iter().any(|c| *c < counts[0]), "{counts:?}");
    // Hidden or dropped, no page mentions what the site does not have.
    for site in &family.sites {
        let names: Vec<String> = site.attributes().into_iter().map(|a| a.name).collect();
        for truth in site.truth() {
            assert!(truth.attributes.keys().all(|n| names.contains(n)));
        }
    }
}

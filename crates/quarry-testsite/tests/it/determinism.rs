//! Same specification, same bytes; another seed, other bytes.

use std::collections::BTreeMap;

use quarry_testsite::{Changes, Site, SiteChange, SiteRequest, SiteSpec};

use crate::{get, small};

#[test]
fn the_same_specification_gives_the_same_bytes() {
    for preset in SiteSpec::presets() {
        let spec = SiteSpec { entities: 40, ..small(preset.name) };
        let (a, b) = (Site::generate(spec.clone()), Site::generate(spec.clone()));
        // The second in another order: what was asked before must not matter.
        let addresses = a.addresses();
        let first: Vec<_> = addresses.iter().map(|url| get(&a, url)).collect();
        let mut second: Vec<_> = addresses.iter().rev().map(|url| get(&b, url)).collect();
        second.reverse();
        assert!(first == second, "{}", preset.name);
    }
}

#[test]
fn another_seed_gives_other_bytes() {
    for preset in SiteSpec::presets() {
        let spec = small(preset.name);
        let other = SiteSpec { seed: spec.seed + 1, ..spec.clone() };
        let (a, b) = (Site::generate(spec), Site::generate(other));
        let (a, b) = (get(&a, "/"), get(&b, "/"));
        // A redirect says the same wherever it leads.
        if !(300..400).contains(&a.status) {
            assert_ne!(a.body, b.body, "{}", preset.name);
        }
    }
}

/// A fingerprint of one page: when it changes, every figure measured on generated sites changes
/// with it, which should not happen by accident.
#[test]
fn the_shop_is_pinned() {
    let site = Site::generate(SiteSpec::preset("shop").unwrap());
    let truth: Vec<String> = site.truth().take(2).map(|t| t.url).collect();
    assert_eq!(truth, PINNED);
}

const PINNED: [&str; 2] =
    ["/shoe/balonale-ember-halra-clogs-1", "/shoe/ravwell-aero-yarline-boots-2"];

#[test]
fn a_specification_survives_json() {
    for preset in SiteSpec::presets() {
        let spec = preset.spec();
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<SiteSpec>(&text).unwrap(), spec);
    }
}

#[test]
fn unchanged_pages_are_not_sent_again() {
    let site = Site::generate(small("shop"));
    let first = get(&site, "/");
    let etag = first.header("ETag").unwrap().to_owned();
    let modified = first.header("Last-Modified").unwrap().to_owned();
    let check = |request: SiteRequest, status: u16| {
        let response = site.respond(&request);
        assert_eq!((response.status, response.body.is_empty()), (status, status == 304));
    };
    check(SiteRequest { if_none_match: Some(etag), ..SiteRequest::get("/") }, 304);
    check(SiteRequest { if_none_match: Some("\"x\"".into()), ..SiteRequest::get("/") }, 200);
    check(SiteRequest { if_modified_since: Some(modified), ..SiteRequest::get("/") }, 304);
}

#[test]
fn the_same_site_later_differs_where_something_changed() {
    let at = |passed| SiteSpec { changes: Changes::fixed(9, passed), ..small("shop") };
    let (before, after) = (Site::generate(at(0)), Site::generate(at(9)));
    let lines = |site: &Site| site.truth().map(|line| (line.url.clone(), line)).collect();
    let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) = (lines(&before), lines(&after));
    for change in after.changes() {
        match change {
            SiteChange::Added(e) => {
                let url = after.entity_url(*e);
                assert!(!old.contains_key(&url) && new.contains_key(&url));
                assert_eq!((get(&before, &url).status, get(&after, &url).status), (404, 200));
            }
            SiteChange::Removed(e) => {
                let url = before.entity_url(*e);
                assert!(old.contains_key(&url) && !new.contains_key(&url));
                assert_eq!((get(&before, &url).status, get(&after, &url).status), (200, 404));
            }
            SiteChange::Repriced(..) => {}
        }
    }
    let same = old.keys().filter(|url| get(&before, url).body == get(&after, url).body).count();
    assert!(same * 2 > old.len(), "{same} of {} pages are the same", old.len());
    let mut gone = at(9);
    gone.changes.gone = true;
    let url = old.keys().find(|url| !new.contains_key(*url)).expect("one vanished");
    assert_eq!(get(&Site::generate(gone), url).status, 410);
}

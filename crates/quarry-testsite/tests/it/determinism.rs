//! Same specification, same bytes; another seed, other bytes.

use quarry_testsite::{Site, SiteRequest, SiteSpec};

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
        assert_ne!(get(&a, "/").body, get(&b, "/").body, "{}", preset.name);
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

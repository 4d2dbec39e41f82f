//! The conformance suite of [`EvidenceStore`]: everything comes back, entity by entity, in an order that does not depend on
//! that of adding; repetitions are left out; entities are joined and sites forgotten.

use crate::{
    EntityEvidence, Evidence, EvidenceRole, EvidenceStore, MAX_REPETITIONS, NameOrigin, PortError,
    ValueSource,
};

const SITE: &str = "http://shop.test";
const OTHER: &str = "http://other.test";

/// Runs the whole suite; `new` gives an empty store at every call.
///
/// # Panics
/// At the first broken promise, with a message that names it.
pub fn check<S: EvidenceStore>(mut new: impl FnMut() -> S) {
    an_empty_store_has_no_entities(new());
    evidence_comes_back_as_it_went_in(new());
    the_order_of_adding_does_not_matter(new(), new());
    spellings_of_an_address_are_one_entity(new());
    repetitions_are_left_out(new());
    joined_entities_come_as_one(new());
    a_site_is_forgotten(new());
    one_site_at_a_time(new());
    evidence_can_be_added_between_readings(new());
    an_error_of_the_visitor_ends_the_reading(new());
    many_entities(new());
}

/// A piece of evidence: entity, attribute, value.
#[must_use]
pub fn evidence(site: &str, entity: &str, attribute: &str, value: &str) -> Evidence {
    Evidence {
        site: site.to_owned(),
        entity: format!("{site}{entity}"),
        role: EvidenceRole::Attribute,
        attribute: attribute.to_owned(),
        naming: NameOrigin::Printed,
        slot: None,
        value: value.to_owned(),
        source: ValueSource::Spec,
        page: format!("{site}{entity}"),
        path: "/html/body/dl/dd".to_owned(),
        confidence: 0.75,
    }
}

fn kept<T>(result: Result<T, PortError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("the store's storage failed: {error}"),
    }
}

fn all<S: EvidenceStore>(store: &mut S, site: Option<&str>) -> Vec<EntityEvidence> {
    let mut all = Vec::new();
    kept(store.each_entity(site, &mut |entity| {
        all.push(entity);
        Ok(())
    }));
    all
}

fn values(entity: &EntityEvidence) -> Vec<&str> {
    entity.evidence.iter().map(|own| own.value.as_str()).collect()
}

fn an_empty_store_has_no_entities<S: EvidenceStore>(mut store: S) {
    assert!(all(&mut store, None).is_empty(), "an empty store has no entities");
}

fn evidence_comes_back_as_it_went_in<S: EvidenceStore>(mut store: S) {
    let mut own = evidence(SITE, "/lamp/1", "Farbe", "Weiß \u{1f4a1}\0\n");
    own.slot = Some("s1.c2".to_owned());
    own.naming = NameOrigin::Guessed;
    own.source = ValueSource::List;
    own.page = format!("{SITE}/list?page=2");
    let title = Evidence { role: EvidenceRole::Title, ..evidence(SITE, "/lamp/1", "title", "Arc") };
    let key = Evidence { role: EvidenceRole::Key, ..evidence(SITE, "/lamp/1", "", "") };
    let sources = [
        ValueSource::Facet,
        ValueSource::Page,
        ValueSource::Spec,
        ValueSource::Embedded,
        ValueSource::Match,
    ];
    let others = sources.map(|source| Evidence {
        source,
        naming: NameOrigin::Slot,
        ..evidence(SITE, "/lamp/1", "Size", "27 in")
    });
    let mut put = vec![title, key];
    put.extend(others);
    put.push(own);
    for own in put.iter().rev() {
        kept(store.add(own.clone()));
    }
    let back = all(&mut store, None);
    assert_eq!(back.len(), 1, "one address is one entity");
    assert_eq!(back[0].site, SITE);
    for own in &put {
        assert!(back[0].evidence.contains(own), "comes back as it went in: {own:?}");
    }
    assert_eq!(back[0].evidence.len(), put.len(), "nothing is invented");
    assert_eq!(all(&mut store, None), back, "reading twice gives the same");
}

fn the_order_of_adding_does_not_matter<S: EvidenceStore>(mut store: S, mut turned: S) {
    let put: Vec<Evidence> = (0..40)
        .map(|n| {
            let site = if n % 3 == 0 { OTHER } else { SITE };
            evidence(site, &format!("/p/{}", n * 7 % 11), &format!("a{}", n % 4), &n.to_string())
        })
        .collect();
    put.iter().for_each(|own| kept(store.add(own.clone())));
    put.iter().rev().for_each(|own| kept(turned.add(own.clone())));
    let back = all(&mut store, None);
    assert_eq!(back, all(&mut turned, None), "the order of adding does not matter");
    let order: Vec<(&str, &str)> =
        back.iter().map(|own| (&*own.site, &*own.evidence[0].entity)).collect();
    assert!(order.is_sorted(), "entities come by site and address: {order:?}");
}

fn spellings_of_an_address_are_one_entity<S: EvidenceStore>(mut store: S) {
    for (n, entity) in ["/lamp/1", "/lamp/1/", "/lamp/1#top", "/lamp/10"].iter().enumerate() {
        kept(store.add(evidence(SITE, entity, "n", &n.to_string())));
    }
    kept(store.add(evidence(SITE, "/list#record-1", "n", "a")));
    kept(store.add(evidence(SITE, "/list#record-2", "n", "b")));
    let back = all(&mut store, None);
    let found: Vec<Vec<&str>> = back.iter().map(values).collect();
    assert_eq!(found, [vec!["0", "1", "2"], vec!["3"], vec!["a"], vec!["b"]]);
    assert_eq!(back[0].evidence[1].entity, format!("{SITE}/lamp/1/"), "addresses stay as found");
}

fn repetitions_are_left_out<S: EvidenceStore>(mut store: S) {
    for n in (0..9).rev() {
        let own = evidence(SITE, "/lamp/1", "Brand", "Norva");
        kept(store.add(Evidence { page: format!("{SITE}/list?page={n}"), ..own }));
    }
    let back = all(&mut store, None);
    let pages: Vec<&str> = back[0].evidence.iter().map(|own| own.page.as_str()).collect();
    assert_eq!(pages.len(), MAX_REPETITIONS, "equal evidence is kept a few times");
    assert!(pages[0].ends_with('0') && pages[2].ends_with('2'), "of the first places: {pages:?}");
}

fn joined_entities_come_as_one<S: EvidenceStore>(mut store: S) {
    kept(store.add(evidence(SITE, "/red/1", "n", "1")));
    kept(store.add(evidence(SITE, "/lamp/1", "n", "2")));
    kept(store.add(evidence(SITE, "/lamp/2", "n", "3")));
    kept(store.add(evidence(OTHER, "/red/1", "n", "4")));
    kept(store.join(SITE, &format!("{SITE}/red/1"), &format!("{SITE}/lamp/1")));
    kept(store.add(evidence(SITE, "/red/1/", "n", "5")));
    let back = all(&mut store, None);
    let found: Vec<Vec<&str>> = back.iter().map(values).collect();
    assert_eq!(found, [vec!["4"], vec!["1", "2", "5"], vec!["3"]], "joined in one site only");
}

fn a_site_is_forgotten<S: EvidenceStore>(mut store: S) {
    kept(store.add(evidence(SITE, "/lamp/1", "n", "1")));
    kept(store.add(evidence(OTHER, "/lamp/1", "n", "2")));
    kept(store.forget_site(SITE));
    kept(store.add(evidence(SITE, "/lamp/1", "n", "3")));
    let back = all(&mut store, None);
    let found: Vec<Vec<&str>> = back.iter().map(values).collect();
    assert_eq!(found, [["2"], ["3"]], "what was added before is gone, what came later is there");
}

fn one_site_at_a_time<S: EvidenceStore>(mut store: S) {
    kept(store.add(evidence(SITE, "/lamp/1", "n", "1")));
    kept(store.add(evidence(OTHER, "/lamp/1", "n", "2")));
    let back = all(&mut store, Some(OTHER));
    let found: Vec<Vec<&str>> = back.iter().map(values).collect();
    assert_eq!(found, [["2"]], "only that site's entities come");
    assert!(all(&mut store, Some("http://shop")).is_empty(), "a site is known by its whole name");
}

fn evidence_can_be_added_between_readings<S: EvidenceStore>(mut store: S) {
    kept(store.add(evidence(SITE, "/lamp/1", "n", "1")));
    assert_eq!(all(&mut store, None).len(), 1);
    kept(store.add(evidence(SITE, "/lamp/1", "n", "2")));
    assert_eq!(values(&all(&mut store, None)[0]), ["1", "2"], "later evidence is there, too");
}

fn an_error_of_the_visitor_ends_the_reading<S: EvidenceStore>(mut store: S) {
    for n in 0..5 {
        kept(store.add(evidence(SITE, &format!("/p/{n}"), "n", "1")));
    }
    let mut visits = 0;
    let ended = store.each_entity(None, &mut |_| {
        visits += 1;
        if visits == 2 { Err(PortError::new("enough")) } else { Ok(()) }
    });
    match ended {
        Err(error) => assert_eq!(error.to_string(), "enough", "the visitor's error comes back"),
        Ok(()) => panic!("the visitor's error comes back"),
    }
    assert_eq!(visits, 2, "the first error ends the reading");
    assert_eq!(all(&mut store, None).len(), 5, "and the next reading is whole again");
}

fn many_entities<S: EvidenceStore>(mut store: S) {
    const ENTITIES: usize = 3_000;
    for n in 0..ENTITIES * 3 {
        let entity = format!("/p/{}", n * 7_919 % ENTITIES);
        kept(store.add(evidence(SITE, &entity, &format!("a{}", n / ENTITIES), "value")));
    }
    let back = all(&mut store, None);
    assert_eq!(back.len(), ENTITIES);
    assert!(back.iter().all(|entity| entity.evidence.len() == 3), "each has all its evidence");
}

//! Links entities of several sites: hand-made cases, generated sites with known truth, laws.

use quarry_assemble::link::{LinkConfig, LinkEntity, LinkInput, LinkWeights, Links, link};
use quarry_model::{ColumnKind, EntityCell, ThingRow};
use quarry_testsite::Vertical;

#[allow(dead_code, clippy::disallowed_methods, reason = "examples read files and fit weights")]
#[path = "../../examples/linking/mod.rs"]
mod linking;

/// An entity as these tests write it: site, name, attributes.
type Row<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

fn linked(rows: &[Row<'_>]) -> Links {
    let mut input = LinkInput::default();
    for (number, (site, name, values)) in rows.iter().enumerate() {
        let entity = format!("http://{site}.test/{number}");
        let name = (!name.is_empty()).then_some(*name);
        input.add(&LinkEntity { site, entity: &entity, kind: "", name, values });
    }
    link(input, &LinkConfig::default())
}

/// The things that have several entities.
fn shared(links: &Links) -> Vec<Vec<u32>> {
    links.things().iter().filter(|thing| thing.len() > 1).cloned().collect()
}

fn things(links: &Links) -> Vec<ThingRow> {
    let mut rows = Vec::new();
    let written = links.write_things(&mut |row| {
        rows.push(row);
        Ok(())
    });
    written.expect("rows in memory");
    rows
}

/// Lamps of two shops with other names of attributes, other units, and no ids.
const LAMPS: [Row<'_>; 10] = [
    (
        "a",
        "Norva Arc 300",
        &[("Brand", "Norva"), ("Height", "120 cm"), ("Colour", "black"), ("Price", "45 EUR")],
    ),
    (
        "a",
        "Norva Arc 400",
        &[("Brand", "Norva"), ("Height", "140 cm"), ("Colour", "white"), ("Price", "55 EUR")],
    ),
    (
        "a",
        "Teldo Bow",
        &[("Brand", "Teldo"), ("Height", "99 cm"), ("Colour", "red"), ("Price", "20 EUR")],
    ),
    (
        "a",
        "Teldo Crane",
        &[("Brand", "Teldo"), ("Height", "180 cm"), ("Colour", "black"), ("Price", "89 EUR")],
    ),
    (
        "a",
        "Ulmo Drift",
        &[("Brand", "Ulmo"), ("Height", "33 cm"), ("Colour", "blue"), ("Price", "12 EUR")],
    ),
    (
        "b",
        "arc 300 by Norva",
        &[("Marke", "Norva"), ("Höhe", "1.2 m"), ("Colour", "black"), ("Preis", "44 EUR")],
    ),
    (
        "b",
        "Arc 400 by Norva",
        &[("Marke", "Norva"), ("Höhe", "1.4 m"), ("Colour", "white"), ("Preis", "51 EUR")],
    ),
    (
        "b",
        "Bow by Teldo",
        &[("Marke", "Teldo"), ("Höhe", "0.99 m"), ("Colour", "green"), ("Preis", "21 EUR")],
    ),
    (
        "b",
        "Crane by Teldo",
        &[("Marke", "Teldo"), ("Höhe", "1.8 m"), ("Colour", "black"), ("Preis", "79 EUR")],
    ),
    (
        "b",
        "Echo by Velm",
        &[("Marke", "Velm"), ("Höhe", "0.5 m"), ("Colour", "blue"), ("Preis", "15 EUR")],
    ),
];

#[test]
fn names_and_agreeing_values_link_entities() {
    assert_eq!(shared(&linked(&LAMPS)), [vec![0, 5], vec![1, 6], vec![2, 7], vec![3, 8]]);
}

#[test]
fn columns_are_aligned_by_values_units_are_converted_and_conflicts_kept() {
    let links = linked(&LAMPS);
    let columns = links.thing_columns();
    let column = |name: &str| {
        let found =
            columns.iter().position(|own| own.printed.iter().any(|printed| printed == name));
        found.unwrap_or_else(|| panic!("no column {name}: {columns:#?}"))
    };
    let (brand, height, colour) = (column("Brand"), column("Height"), column("Colour"));
    assert_eq!(columns[brand].printed, ["Brand", "Marke"]);
    assert_eq!(columns[height].printed, ["Height", "Höhe"]);
    assert_eq!(columns[height].kind, ColumnKind::Number);
    assert_eq!(columns[height].unit.as_deref(), Some("cm"));
    let rows = things(&links);
    let bow =
        rows.iter().find(|row| row.entities.len() == 2 && row.entities[0].ends_with("/2")).unwrap();
    assert_eq!(bow.sites, ["a", "b"]);
    assert_eq!(bow.cells[brand], EntityCell::Text("Teldo".to_owned()));
    // One site says 99 cm, the other 0.99 m.
    assert_eq!(bow.cells[height], EntityCell::Number(99.0));
    // One says red, the other green: both are kept.
    assert_eq!(bow.cells[colour], EntityCell::List(vec!["red".to_owned(), "green".to_owned()]));
}

#[test]
fn entities_of_one_site_are_different_things_unless_the_site_repeats_them() {
    let spec: &[(&str, &str)] = &[("weight", "2 kg"), ("colour", "black")];
    let other: &[(&str, &str)] = &[("weight", "3 kg"), ("colour", "black")];
    let rows: [Row<'_>; 4] = [
        ("a", "Norva Arc", spec),
        ("a", "Norva Arc", other),
        ("a", "Norva Arc", spec),
        ("b", "Norva Arc", other),
    ];
    let links = linked(&rows);
    assert_eq!(links.things(), [vec![0, 2], vec![1, 3]]);
}

#[test]
fn ids_link_entities_whatever_they_are_called() {
    let rows: [Row<'_>; 7] = [
        ("a", "Der Drachenläufer", &[("Nummer", "9781573222457")]),
        ("a", "Notizen eines Schützen", &[("Nummer", "9781848325654")]),
        ("a", "Saras Wunder", &[("Nummer", "9780736929684")]),
        ("b", "The Kite Runner", &[("x", "1-57322-245-3")]),
        ("b", "No Ordinary Joe", &[("x", "9780099509356")]),
        ("b", "Notes of a Sniper", &[("x", "978-1848325654")]),
        // The same name with another number is another book.
        ("b", "Saras Wunder", &[("x", "9780306406157")]),
    ];
    assert_eq!(shared(&linked(&rows)), [vec![0, 3], vec![1, 5]]);
}

#[test]
fn an_explanation_names_the_evidence() {
    let links = linked(&LAMPS);
    let entity = links.find("http://a.test/2").expect("it was added");
    let why = links.explain(entity).expect("it is there");
    let pair = why.pairs.iter().find(|pair| pair.is_linked).expect("it was linked");
    assert_eq!(pair.entity, "http://b.test/7");
    assert!(pair.probability.is_some_and(|probability| probability > 0.5));
    assert!(pair.evidence.iter().any(|(name, worth)| *name == "name_cosine" && *worth > 0.0));
    let height = pair.columns.iter().find(|column| column.column == "Height").expect("aligned");
    assert_eq!(height.values, (vec!["99 cm".to_owned()], vec!["0.99 m".to_owned()]));
    assert!(height.worth > 0.0);
}

#[test]
fn odd_entities_are_linked_with_nothing() {
    let rows: [Row<'_>; 5] = [
        ("a", "", &[]),
        ("b", "", &[]),
        ("a", "—", &[("x", "")]),
        ("b", "(…)", &[("x", "n/a")]),
        ("b", "", &[("x", "n/a")]),
    ];
    assert!(shared(&linked(&rows)).is_empty());
    assert!(linked(&[]).things().is_empty());
}

#[test]
fn generated_sites_are_linked_with_ids_and_without() {
    for (name, vertical) in
        [("restaurants", Vertical::Restaurants), ("electronics", Vertical::Electronics)]
    {
        for (with_ids, least) in [(true, 0.98), (false, 0.95)] {
            let collection = linking::generated(name, vertical, with_ids, 3, 0.2);
            let links = collection.link(&LinkWeights::default());
            let (pairs, columns) =
                (collection.score(&links, false), collection.score_columns(&links));
            assert!(pairs.f1() >= least, "{name} {with_ids}: {pairs}");
            assert!(columns.precision() >= 0.97, "{name} {with_ids}: {columns}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let collection = linking::generated("shoes", Vertical::Shoes, false, 5, 0.3);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let links = collection.link(&LinkWeights::default());
            (links.things().to_vec(), links.aligned().to_vec(), things(&links))
        })
    };
    assert_eq!(run(1), run(3));
}

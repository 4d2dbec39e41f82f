//! Small tables, case by case.

use quarry_assemble::{Typed, ValueType};
use quarry_model::ValueSource::{Facet, List, Match, Page, Spec};
use quarry_model::{EvidenceRole, ValueRow};

use crate::{check, row};

const MAKERS: [&str; 8] =
    ["Norva", "Ostrel", "Pellham", "Quist", "Rennick", "Solveig", "Tarn", "Umber"];

/// Rows of entities 0, 1, … by a function from the entity's number.
fn column(
    rows: &mut Vec<ValueRow>,
    source: quarry_model::ValueSource,
    name: &str,
    count: usize,
    value: impl Fn(usize) -> String,
) {
    rows.extend((0..count).map(|at| row(&format!("/{at}"), source, name, &value(at))));
}

#[test]
fn an_unnamed_slot_takes_the_name_of_its_column() {
    let mut rows = Vec::new();
    column(&mut rows, Facet, "Brand", 20, |at| MAKERS[at * 5 % 8].to_owned());
    column(&mut rows, List, "#7", 20, |at| MAKERS[at * 5 % 8].to_uppercase());
    column(&mut rows, Spec, "Manufacturer", 20, |at| MAKERS[at * 5 % 8].to_owned());
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        assert_eq!(table.columns[0].name, "Brand");
        assert_eq!(table.columns[0].sources, [Facet, List, Spec]);
        assert!(table.values.iter().all(|row| row.attribute == "Brand"));
        let value = &table.entities[0].cells[0].values[0];
        assert!((value.confidence - (1.0 - 0.2_f64.powi(3))).abs() < 1e-9);
    });
}

#[test]
fn what_repeats_the_title_is_the_title() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "title", 14, |at| format!("Lamp {} no {at}", MAKERS[at % 8]));
    column(&mut rows, List, "#1", 14, |at| format!("Lamp {} no {at}", MAKERS[at % 8]));
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        assert_eq!(table.columns[0].role, EvidenceRole::Title);
        assert_eq!(table.entities[0].title.as_deref(), Some("Lamp Norva no 0"));
    });
}

#[test]
fn words_around_a_number_are_no_other_value() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Reviews", 90, |at| (at * 3 + 2).to_string());
    column(&mut rows, Page, "#1", 90, |at| format!("{} customer reviews", at * 3 + 2));
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        let of_source = |source| table.values.iter().filter(move |row| row.source == source);
        assert_eq!(of_source(Page).count(), 90);
        let numbers =
            of_source(Page).all(|row| row.value.bytes().all(|byte| byte.is_ascii_digit()));
        assert!(numbers, "{:?}", of_source(Page).next());
    });
}

/// Rows of several values of entities 0, 1, …
fn several(
    rows: &mut Vec<ValueRow>,
    source: quarry_model::ValueSource,
    name: &str,
    values: impl Fn(usize) -> Vec<&'static str>,
) {
    for at in 0..120 {
        let values = values(at).into_iter();
        rows.extend(values.map(|value| row(&format!("/{at}"), source, name, value)));
    }
}

#[test]
fn all_values_beside_each_entity_are_not_its_values() {
    let mut rows = Vec::new();
    // Two tags of each entity, and a cloud of six of eight tags on every page.
    let own = |at: usize| vec![MAKERS[at % 8], MAKERS[(at * 3 + at / 8 + 1) % 8]];
    several(&mut rows, Facet, "Zuka", own);
    several(&mut rows, List, "zu", own);
    several(&mut rows, Spec, "Zuka", |_| MAKERS[1..].to_vec());
    check(&rows, |table| {
        let column = table.columns.iter().find(|column| column.sources.contains(&Facet)).unwrap();
        assert_eq!(column.sources, [Facet, List], "{}", table.dump());
    });
}

#[test]
fn a_part_of_what_a_list_holds_is_not_the_list() {
    let mut rows = Vec::new();
    // The family, and the same among categories that have two further words each.
    column(&mut rows, Spec, "Zuka", 120, |at| MAKERS[at % 4].to_owned());
    several(&mut rows, List, "kategorio", |at| {
        vec!["Mirenul", MAKERS[at % 4], MAKERS[4 + at / 4 % 3]]
    });
    check(&rows, |table| assert_eq!(table.columns.len(), 2, "{}", table.dump()));
}

#[test]
fn constant_columns_never_merge_by_values() {
    let mut rows = Vec::new();
    column(&mut rows, Facet, "Stock", 500, |_| "In stock".to_owned());
    column(&mut rows, Spec, "Availability", 500, |_| "In stock".to_owned());
    column(&mut rows, List, "#3", 500, |_| "In stock".to_owned());
    check(&rows, |table| assert_eq!(table.columns.len(), 3, "{}", table.dump()));
}

#[test]
fn columns_that_read_the_same_nodes_are_one_even_if_constant() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Condition", 10, |_| "New".to_owned());
    column(&mut rows, Match, "State", 10, |_| "New".to_owned());
    rows.iter_mut().for_each(|row| row.path = "/html/body/td".to_owned());
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        assert_eq!(table.columns[0].name, "Condition");
        // One node is one witness.
        assert!((table.entities[0].cells[0].values[0].confidence - 0.8).abs() < 1e-9);
    });
}

#[test]
fn what_one_source_prints_side_by_side_stays_apart() {
    let mut rows = Vec::new();
    column(&mut rows, Facet, "Brand", 30, |at| MAKERS[at * 5 % 8].to_owned());
    column(&mut rows, Spec, "Brand", 30, |at| MAKERS[at * 5 % 8].to_owned());
    column(&mut rows, Spec, "Made by", 30, |at| MAKERS[at * 5 % 8].to_owned());
    check(&rows, |table| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["Brand", "Made by"]);
    });
}

#[test]
fn bands_of_the_same_name_stay_apart() {
    let mut rows = Vec::new();
    column(&mut rows, Facet, "Price", 20, |at| {
        (if at < 10 { "Under $50" } else { "$50 and more" }).to_owned()
    });
    column(&mut rows, List, "Price", 20, |at| format!("${}.99", at * 5));
    check(&rows, |table| {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["Price", "Price (list)"], "{}", table.dump());
        assert_eq!(table.columns[1].kind, ValueType::Price { currency: "$" });
        assert_eq!(table.columns[0].apart.len(), 1);
    });
}

#[test]
fn lists_are_taken_apart_by_the_values_of_facets() {
    let colors = ["Black", "White", "Red", "Blue"];
    let mut rows = Vec::new();
    for at in 0..40_usize {
        let (first, second) = (colors[at % 4], colors[(at / 4 + at + 1) % 4]);
        let mut own = vec![first];
        if first != second {
            own.push(second);
        }
        for color in &own {
            rows.push(row(&format!("/{at}"), Facet, "Color", color));
        }
        rows.push(row(&format!("/{at}"), Spec, "Finish", &own.join(", ")));
    }
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        let column = &table.columns[0];
        assert!(column.list && column.distinct == 4 && column.conflicts == 0);
        assert!(table.values.iter().all(|row| colors.contains(&row.value.as_str())));
        assert!(
            table.entities.iter().all(|e| e.cells[0].values.iter().all(|v| v.confidence > 0.9))
        );
    });
}

#[test]
fn an_address_is_not_its_town() {
    let towns = ["Port Ellery", "Mill Cross", "Oakhurst", "Dunmore", "Selby"];
    let mut rows = Vec::new();
    column(&mut rows, Facet, "Town", 60, |at| towns[at * 7 % 5].to_owned());
    column(&mut rows, Spec, "Address", 60, |at| {
        format!("{} Mill St., {}", at * 3, towns[at * 7 % 5])
    });
    check(&rows, |table| assert_eq!(table.columns.len(), 2, "{}", table.dump()));
}

#[test]
fn conflicts_are_kept_and_ranked() {
    let mut rows = Vec::new();
    column(&mut rows, Facet, "Brand", 30, |at| MAKERS[at * 5 % 8].to_owned());
    column(&mut rows, Spec, "Brand", 30, |at| MAKERS[at * 5 % 8].to_owned());
    column(&mut rows, List, "#b", 30, |at| MAKERS[if at == 0 { 3 } else { at * 5 % 8 }].to_owned());
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        assert_eq!(table.columns[0].conflicts, 1);
        let entity = table.entities.iter().find(|entity| entity.cells[0].conflict).unwrap();
        let values: Vec<&str> =
            entity.cells[0].values.iter().map(|value| value.text.as_str()).collect();
        assert_eq!(values, ["Norva", "Quist"]);
        let [first, second] = [0, 1].map(|at| entity.cells[0].values[at].confidence);
        // Odds 24 (two sources) to 4 (one), and 1 for neither.
        assert!((first - 24.0 / 29.0).abs() < 1e-9 && (second - 4.0 / 29.0).abs() < 1e-9);
    });
}

#[test]
fn types_come_from_all_values() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Weight", 20, |at| {
        if at.is_multiple_of(2) { format!("{at} kg") } else { format!("{at}00 g") }
    });
    column(&mut rows, Spec, "Added", 20, |at| format!("{}/13/2024", 1 + at % 12));
    column(&mut rows, Spec, "New", 20, |at| (if at % 2 == 0 { "yes" } else { "no" }).to_owned());
    column(&mut rows, Spec, "Cost", 20, |at| format!("{at},50 €"));
    column(
        &mut rows,
        Spec,
        "Text",
        20,
        |at| if at < 5 { "12".to_owned() } else { format!("t{at}") },
    );
    check(&rows, |table| {
        let of = |name: &str| {
            let at = table.columns.iter().position(|column| column.name == name).unwrap();
            let entity =
                table.entities.iter().find(|e| e.address.ends_with("/3")).expect("the entity");
            let cell = entity.cells.iter().find(|cell| cell.column == at).unwrap();
            (table.columns[at].kind, cell.values[0].typed.clone())
        };
        let number = |n: f64| Some(Typed::Number(n));
        assert_eq!(of("Weight"), (ValueType::Number { unit: Some("g") }, number(300.0)));
        assert_eq!(of("Added"), (ValueType::Date, Some(Typed::Date("2024-04-13".to_owned()))));
        assert_eq!(of("New"), (ValueType::Boolean, Some(Typed::Boolean(false))));
        assert_eq!(of("Cost"), (ValueType::Price { currency: "EUR" }, number(3.5)));
        assert_eq!(of("Text").0, ValueType::Text);
    });
}

#[test]
fn people_in_one_text_are_a_list() {
    let people = ["Mira Hartley", "Emil Rook", "Ada Finch", "Jon Vale"];
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Author", 24, |at| {
        let (a, b) = (people[at % 4], people[(at + 1 + at / 4) % 4]);
        if a == b { a.to_owned() } else { format!("{a}, {b}") }
    });
    column(&mut rows, Spec, "Place", 24, |at| {
        format!("{}, {}", ["Bern", "Ulm", "Graz"][at % 3], ["CH", "DE", "AT"][at % 3])
    });
    check(&rows, |table| {
        let list = |name: &str| table.columns.iter().find(|c| c.name == name).unwrap().list;
        assert!(list("Author") && !list("Place"), "{}", table.dump());
    });
}

#[test]
fn entities_are_joined_by_spelling_and_by_key() {
    let rows = [
        row("/lamp/1", Spec, "key", "AB-1234"),
        row("/red/lamp-1?x=1", List, "key", "ab 1234"),
        row("/lamp/1/", Facet, "Brand", "Norva"),
        row("/lamp/1#top", List, "Brand", "Norva"),
        row("/lamp/2", Spec, "key", "CD-1234"),
        row("/lamp/3", Spec, "key", "-"),
        row("/lamp/4", Spec, "key", "-"),
    ];
    let mut ids = Vec::new();
    check(&rows, |table| {
        let addresses: Vec<&str> = table
            .entities
            .iter()
            .map(|e| e.address.trim_start_matches("http://shop.test"))
            .collect();
        assert_eq!(addresses, ["/lamp/1", "/lamp/2", "/lamp/3", "/lamp/4"]);
        assert_eq!(table.entities[0].also.len(), 3);
        ids.extend(table.entities.iter().map(|entity| entity.id.clone()));
    });
    // Ids do not depend on what else there is.
    check(&rows[4..5], |table| assert_eq!(table.entities[0].id, ids[1]));
}

#[test]
fn nothing_gives_nothing() {
    check(&[], |table| assert!(table.entities.is_empty() && table.columns.is_empty()));
}

#[test]
fn a_word_before_a_value_is_no_name_of_its_own() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Author", 30, |at| MAKERS[at * 5 % 8].to_owned());
    column(&mut rows, Spec, "By", 30, |at| MAKERS[at * 5 % 8].to_owned());
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        assert_eq!(table.columns[0].name, "Author");
    });
}

#[test]
fn people_in_a_row_are_several_even_if_few_recur() {
    let first = ["Mira", "Emil", "Sana", "Theo", "Nina"];
    let last = ["Hallo", "Rook", "Winter", "Marsh", "Kelby", "Stone", "Fair"];
    let name = |at: usize| format!("{} {}", first[at % 5], last[at % 7]);
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Author", 24, |at| match at % 3 {
        0 => format!("{}, {}", name(at), name(at + 40)),
        _ => name(at),
    });
    check(&rows, |table| {
        assert!(table.columns[0].list, "{}", table.dump());
        assert!(table.values.iter().all(|row| !row.value.contains(',')));
    });
    // A place is one value, whatever it has in common with others.
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Place", 24, |at| format!("{}, Old Merrow", last[at % 7]));
    check(&rows, |table| assert!(!table.columns[0].list, "{}", table.dump()));
}

#[test]
fn dashes_are_nothing() {
    let mut rows = Vec::new();
    let value =
        |at: usize| if at.is_multiple_of(2) { "—".to_owned() } else { MAKERS[at % 8].to_owned() };
    column(&mut rows, Spec, "Brand", 20, value);
    column(&mut rows, Spec, "Stock", 20, |at| format!("{at} pieces"));
    check(&rows, |table| {
        let brand = table.columns.iter().find(|column| column.name == "Brand").expect("the column");
        assert_eq!(brand.entities, 10, "{}", table.dump());
        assert!(table.values.iter().all(|row| row.value != "—"));
    });
}

#[test]
fn few_entities_with_several_texts_make_a_list() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Author", 60, |at| MAKERS[at % 8].to_owned());
    rows.push(row("/3", Spec, "Author", "Vale"));
    rows.push(row("/9", Spec, "Author", "Wick"));
    check(&rows, |table| {
        assert!(table.columns[0].list, "{}", table.dump());
        let cell = &table
            .entities
            .iter()
            .find(|own| own.address.ends_with("/3"))
            .expect("the entity")
            .cells[0];
        assert_eq!(cell.values.len(), 2);
    });
}

#[test]
fn sorted_lists_are_lists_and_fixed_parts_are_not() {
    let mut rows = Vec::new();
    let sorted = |at: usize| {
        let mut own: Vec<&str> = (0..=at % 3).map(|n| MAKERS[(at * 3 + n * 2) % 8]).collect();
        own.sort_unstable();
        own.dedup();
        own.join(", ")
    };
    column(&mut rows, Spec, "Brands", 40, sorted);
    let parts = |at: usize| match at % 5 {
        0 => "4-year".to_owned(),
        n => format!("{}-year, {}", 2 + 2 * (at % 2), ["private", "public"][n % 2]),
    };
    column(&mut rows, Spec, "Kind", 40, parts);
    check(&rows, |table| {
        let is_list = |name: &str| table.columns.iter().any(|own| own.name == name && own.list);
        assert!(is_list("Brands") && !is_list("Kind"), "{}", table.dump());
    });
}

#[test]
fn plain_numbers_beside_prices_are_prices() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Price", 20, |at| format!("${}.50", at + 1));
    column(&mut rows, List, "Price", 20, |at| format!("{}.50", at + 1));
    check(&rows, |table| {
        assert_eq!(table.columns.len(), 1, "{}", table.dump());
        assert!(matches!(table.columns[0].kind, ValueType::Price { .. }), "{}", table.dump());
    });
}

#[test]
fn kinds_have_columns_of_their_own() {
    let mut rows = Vec::new();
    column(&mut rows, Spec, "Rating", 12, |at| format!("{} of 10", at % 9));
    let people = |at: usize| row(&format!("/p/{at}"), Spec, "Rating", ["good", "fair"][at % 2]);
    rows.extend((0..12).map(people));
    let mut store: quarry_assemble::MemoryEvidence = rows.iter().map(crate::evidence).collect();
    for own in &rows {
        let kind = if own.entity.contains("/p/") { "people" } else { "films" };
        let kind = quarry_model::Evidence {
            role: EvidenceRole::Kind,
            value: kind.to_owned(),
            ..crate::evidence(own)
        };
        quarry_model::EvidenceStore::add(&mut store, kind).expect("in memory");
    }
    let table = crate::table(&mut store, &quarry_assemble::AssembleConfig::default());
    let ratings: Vec<_> =
        table.columns.iter().filter(|own| own.name.starts_with("Rating")).collect();
    assert_eq!(ratings.len(), 2, "{}", table.dump());
    assert!(ratings.iter().all(|own| own.fill == 1.0 && own.kinds.len() == 1), "{}", table.dump());
    assert_eq!(table.kinds.len(), 2);
}

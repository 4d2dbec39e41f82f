//! What changed between two harvests?

use quarry_assemble::{Change, Snapshot, compare};
use quarry_model::ValueRow;
use quarry_model::ValueSource::{Facet, List, Spec};

use crate::{check, row};

fn snapshot(rows: &[ValueRow]) -> Snapshot {
    let mut taken = Snapshot::default();
    check(rows, |table| taken = table.snapshot());
    let text = serde_json::to_string(&taken).expect("plain data");
    let read: Snapshot = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, taken);
    read
}

#[test]
fn entities_are_new_same_changed_or_removed() {
    let old = snapshot(&[
        row("/1", Spec, "Price", "$5.00"),
        row("/1", Spec, "Brand", "Norva"),
        row("/2", Spec, "Price", "$6.00"),
        row("/3", Spec, "Price", "$7.00"),
        row("/4/", List, "title", "Lamp"),
    ]);
    let new = snapshot(&[
        // Another format, another case: nothing changed.
        row("/1", Spec, "Price", "USD 5"),
        row("/1", Spec, "BRAND", "norva"),
        row("/2", Spec, "Price", "$6.50"),
        row("/4", List, "title", "Big lamp"),
        row("/5", Facet, "Brand", "Tarn"),
    ]);
    let changes = compare(&old, &new);
    let brief: Vec<(&str, Change)> = changes
        .iter()
        .map(|change| (change.address.trim_start_matches("http://shop.test"), change.change))
        .collect();
    assert_eq!(
        brief,
        [
            ("/1", Change::Changed),
            ("/2", Change::Changed),
            ("/4", Change::Changed),
            ("/5", Change::New),
            ("/3", Change::Removed),
        ]
    );
    assert_eq!(changes[1].columns[0].before, ["$6.00"]);
    assert_eq!(changes[1].columns[0].now, ["$6.50"]);
    assert_eq!(changes[2].columns[0].column, "title");
}

#[test]
fn a_column_under_another_name_is_known_by_its_values() {
    let makers = ["Norva", "Tarn", "Vell", "Oskar", "Imber"];
    let rows = |name: &str| {
        let row = |(n, maker): (usize, &&str)| row(&format!("/{n}"), Spec, name, maker);
        let weights =
            (0..5).map(|n| self::row(&format!("/{n}"), Spec, "Weight", &format!("{n} kg")));
        makers.iter().enumerate().map(row).chain(weights).collect::<Vec<_>>()
    };
    let (old, new) = (snapshot(&rows("Maker")), snapshot(&rows("Built by")));
    assert!(compare(&old, &new).iter().all(|change| change.change == Change::Same));
    let fates = quarry_assemble::compare_columns(&old, &new);
    let names: Vec<(&[String], &[String])> =
        fates.iter().map(|fate| (&*fate.before, &*fate.now)).collect();
    let (maker, built) = (["Maker".to_owned()], ["Built by".to_owned()]);
    assert!(names.contains(&(&maker, &built)), "{names:?}");
    assert_eq!(names.len(), 2);
}

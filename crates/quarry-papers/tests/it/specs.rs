//! DEXTER's heuristic on tables and lists.

use quarry_dom::{Document, NodeId};
use quarry_papers::dexter::heuristic_pairs;

#[test]
fn rows_and_items_become_pairs() {
    let document = Document::from_html(
        "<table><tr><th>Weight</th><td>3</td><td>kg</td></tr><tr><td>only a name</td></tr></table>\
         <ul><li>Colour: red</li><li>no colon</li></ul>",
    );
    let pairs = heuristic_pairs(&document, NodeId::ROOT);
    let texts: Vec<(&str, &str)> =
        pairs.iter().map(|pair| (pair.name.as_str(), pair.value.as_str())).collect();
    assert_eq!(texts, [("Weight", "3 kg"), ("Colour", "red")]);
}

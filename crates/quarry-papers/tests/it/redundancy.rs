//! FINDATTRPOS on pages with a block that some lack and a list of other entities.

use quarry_dom::Document;
use quarry_extract::attribute::{SeedAttributeId, SeedDb};
use quarry_papers::redundancy::{FindAttrPosConfig, find_attr_pos};

const FIRST: [&str; 8] = ["Golden", "Silver", "Old", "Blue", "Little", "Royal", "Happy", "Lucky"];
const SECOND: [&str; 5] = ["Dragon", "Anchor", "Garden", "Kettle", "Harbour"];
const KITCHENS: [&str; 4] = ["Thai", "Italian", "Greek", "Seafood"];

fn name(n: usize) -> String {
    format!("{} {}", FIRST[n % FIRST.len()], SECOND[(n / FIRST.len()) % SECOND.len()])
}

fn phone(n: usize) -> (usize, usize) {
    (200 + (n * 37) % 700, 1000 + (n * 7919) % 9000)
}

fn page(n: usize) -> Document {
    let (exchange, line) = phone(n);
    let advert = if n.is_multiple_of(3) { "<div><p>Open on Sundays</p></div>" } else { "" };
    let others: String = (1..4).map(|k| format!("<li>{}</li>", name(n + k * 3))).collect();
    Document::from_html(&format!(
        "<title>{name} | Town Guide</title><body><div>Town Guide</div>{advert}<div id='main'><h1>{name}</h1>\
         <p><b>Telephone:</b> <span>(212) {exchange}-{line}</span></p>\
         <p><b>Kitchen:</b> <span>{kitchen}</span></p></div><h3>Others</h3><ul>{others}</ul></body>",
        name = name(n),
        kitchen = KITCHENS[n % KITCHENS.len()],
    ))
}

#[test]
fn related_restaurants_are_pruned_and_paths_must_be_equal() {
    let pages: Vec<Document> = (0..40).map(page).collect();
    let documents: Vec<&Document> = pages.iter().collect();
    let mut seeds = SeedDb::new(["name", "phone", "cuisine"].map(str::to_owned));
    for n in 0..40 {
        let ids = seeds.attribute_ids();
        let (exchange, line) = phone(n);
        let kitchen = format!("{} food", KITCHENS[n % KITCHENS.len()]);
        let number = format!("212/{exchange}.{line}");
        seeds.add("seed", None, ids.zip([name(n).to_uppercase(), number, kitchen]));
    }
    let found = find_attr_pos(&documents, &seeds, &FindAttrPosConfig::default());
    // Two in three pages have no advert; absolute paths cover those.
    let place = |attribute: u32| {
        found.positions.iter().find(|p| p.attribute.0 == attribute).map(|p| p.path.as_str())
    };
    assert_eq!(place(0), Some("/html/body/div[2]/h1/text()"));
    let phone_place = place(1).unwrap();
    assert!(phone_place.starts_with("/html/body/div[2]/p[1]"), "{phone_place}");
    assert!(found.support >= 10);
    let levels = &found.levels;
    assert!(
        levels[0][&SeedAttributeId(0)] > levels[1][&SeedAttributeId(0)],
        "pairs leave fewer positions: {levels:?}"
    );
}

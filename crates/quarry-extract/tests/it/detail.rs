//! Detail pages without printed names, and embedded data, on pages made for the purpose.

use quarry_dom::Document;
use quarry_extract::attribute::model::Reader;
use quarry_extract::detail::learn_details;
use quarry_extract::embedded::{EmbeddedThing, Syntax, embedded_things, subject_of};

const MAKERS: [&str; 5] = ["Orvel", "Tamsin", "Quill & Sons", "Brae", "Ludlow"];

/// A page about one lamp; an optional notice moves everything below it.
fn lamp(n: usize) -> String {
    let notice = if n.is_multiple_of(3) { "<p class=n>Only today</p>" } else { "" };
    let maker = MAKERS[n % MAKERS.len()];
    format!(
        "<title>Lamp Arc {n}00 | Lamp House</title><body><nav><a href=/>Home</a><a href=/all>All lamps</a></nav>{notice}\
         <main><h1>Lamp Arc {n}00</h1><div class=xk2><span>{maker}</span><b>{}.50 EUR</b></div>\
         <p class=qq>A lamp with {n} arms, made by hand in {} days.</p></main><footer>All prices with tax</footer>",
        20 + 7 * n,
        n + 2
    )
}

#[test]
fn values_without_printed_names_are_slots() {
    let pages: Vec<Document> = (1..=12).map(|n| Document::from_html(&lamp(n))).collect();
    let pages: Vec<&Document> = pages.iter().collect();
    let template = learn_details(&pages).unwrap();
    assert!(template.subject > 0.9, "{}", template.subject);
    let reader = Reader::new(&template.slots);
    for (page, n) in pages.iter().zip(1..) {
        let found = reader.read(page);
        let values: Vec<&str> = found.iter().map(|found| found.value.as_str()).collect();
        let price = format!("{}.50 EUR", 20 + 7 * n);
        for wanted in [format!("Lamp Arc {n}00").as_str(), MAKERS[n % MAKERS.len()], &price] {
            assert!(values.contains(&wanted), "page {n} lacks {wanted}: {values:?}");
        }
        for boilerplate in ["Home", "All lamps", "All prices with tax"] {
            assert!(!values.contains(&boilerplate), "page {n}: {values:?}");
        }
    }
}

fn field<'t>(things: &'t [EmbeddedThing], name: &str) -> Vec<&'t str> {
    let fields = things.iter().flat_map(|thing| &thing.fields);
    fields.filter(|field| field.name == name).map(|field| field.value.as_str()).collect()
}

#[test]
fn json_ld_is_flattened_to_readable_names() {
    let page = Document::from_html(
        r#"<title>Soup of leeks - Kitchen</title><h1>Soup of leeks</h1><script type="application/ld+json">
        {"@context": "https://schema.org", "@graph": [
          {"@type": "WebSite", "name": "Kitchen", "url": "https://kitchen.example/"},
          {"@type": "Recipe", "name": "Soup of leeks", "author": {"@type": "Person", "name": "Ada"},
           "recipeIngredient": ["3 leeks", "1 l water"], "recipeYield": 4,
           "nutrition": {"calories": "120 kcal"},
           "recipeInstructions": [{"@type": "HowToStep", "text": "Cut &amp; wash."}, {"@type": "HowToStep", "text": "Boil."}],}
        ]}</script>"#,
    );
    let things = subject_of(&page, embedded_things(&page));
    assert_eq!(things.len(), 1);
    assert_eq!((things[0].syntax, things[0].kind.as_deref()), (Syntax::JsonLd, Some("Recipe")));
    assert_eq!(field(&things, "author"), ["Ada"]);
    assert_eq!(field(&things, "recipe ingredient"), ["3 leeks", "1 l water"]);
    assert_eq!(field(&things, "recipe yield"), ["4"]);
    assert_eq!(field(&things, "calories"), ["120 kcal"]);
    assert_eq!(field(&things, "recipe instructions"), ["Cut & wash.", "Boil."]);
    let author = things[0].fields.iter().find(|field| field.name == "author").unwrap();
    assert_eq!(author.pointer.as_deref(), Some("/@graph/1/author/name"));
}

#[test]
fn microdata_rdfa_and_meta_tags_are_read() {
    let page = Document::from_html(
        "<title>Desk 7</title><meta property=og:title content='Desk 7'><meta name=viewport content='width=1'>\
         <meta property=product:price:amount content=99.00><h1>Desk 7</h1>\
         <div itemscope itemtype=https://schema.org/Product><span itemprop=name>Desk 7</span>\
         <div itemprop=offers itemscope><meta itemprop=price content=99.00><link itemprop=availability href=https://schema.org/InStock></div>\
         <span itemprop=brand itemscope><b itemprop=name>Orvel</b></span></div>\
         <div vocab=https://schema.org/ typeof=Product><span property=name>Desk 7</span><i property=sku>D-7</i></div>",
    );
    let things = subject_of(&page, embedded_things(&page));
    let syntaxes: Vec<Syntax> = things.iter().map(|thing| thing.syntax).collect();
    assert_eq!(syntaxes, [Syntax::Microdata, Syntax::Rdfa, Syntax::Meta]);
    assert_eq!(field(&things, "price"), ["99.00"]);
    assert_eq!(field(&things, "brand"), ["Orvel"]);
    assert_eq!(field(&things, "sku"), ["D-7"]);
    assert_eq!(field(&things, "price amount"), ["99.00"]);
    assert!(field(&things, "viewport").is_empty());
}

#[test]
fn scripts_that_are_no_json_are_left_alone() {
    let page = Document::from_html(
        "<title>x</title><script type=application/ld+json>alert(1); {]}</script><script>var a = {\"@type\": \"x\"}</script>",
    );
    assert_eq!(embedded_things(&page), []);
}

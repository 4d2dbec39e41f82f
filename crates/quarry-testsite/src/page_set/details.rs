//! Pages about one entity each whose data does not stand in a specification.

use super::{PageSet, SetEntity, SetPage, page, values};
use crate::prng::Rng;
use crate::text::{NameKind, invent_many, slug};

const ENTITIES: usize = 24;

/// What is told of an entity.
struct Facts {
    name: String,
    author: String,
    price: String,
    place: String,
    year: String,
}

fn facts(seed: u64) -> Vec<Facts> {
    let mut rng = Rng::of(seed, "facts", 0);
    let names = invent_many(NameKind::Book, ENTITIES, seed);
    let authors = invent_many(NameKind::Person, ENTITIES, seed);
    let places = invent_many(NameKind::Town, ENTITIES, seed);
    let all = names.into_iter().zip(authors).zip(places);
    all.map(|((name, author), place)| Facts {
        name,
        author,
        price: format!("${}.{:02}", rng.between(5, 90), rng.between(0, 99)),
        place,
        year: rng.between(1950, 2024).to_string(),
    })
    .collect()
}

fn entity(facts: &Facts, path: &str) -> SetEntity {
    let values = values([
        ("author", facts.author.clone()),
        ("price", facts.price.clone()),
        ("place", facts.place.clone()),
        ("year", facts.year.clone()),
    ]);
    SetEntity { kind: "books", path: path.to_owned(), title: facts.name.clone(), values }
}

/// A set with one page for each entity.
fn set(seed: u64, html: impl Fn(usize, &Facts) -> String) -> PageSet {
    let (mut pages, mut entities) = (Vec::new(), Vec::new());
    for (at, facts) in facts(seed).iter().enumerate() {
        let path = format!("/books/{}", slug(&facts.name));
        entities.push(entity(facts, &path));
        pages.push(SetPage { path, html: html(at, facts) });
    }
    PageSet { pages, entities }
}

pub(super) fn unlabelled() -> PageSet {
    set(21, |_, own| {
        let Facts { name, author, price, place, year } = own;
        let body = format!(
            "<div class=\"top\"><h1>The Book Barn</h1></div><div class=\"main\"><h2>{name}</h2><h3>{author}</h3>\
             <p><b>{price}</b></p><p>{place}<br>{year}</p></div><div class=\"foot\">Open daily, 9 to 5</div>"
        );
        page(&format!("{name} - The Book Barn"), "", &body)
    })
}

pub(super) fn embedded() -> PageSet {
    set(22, |at, own| {
        let data = serde_json::json!({"props": {"pageProps": {
            "session": {"user": null, "locale": "en", "theme": "light"},
            "book": {"name": own.name, "author": {"name": own.author}, "offers": {"price": own.price},
                "place": own.place, "year": own.year, "sku": format!("B-{at:04}")},
        }}, "buildId": "a91c"});
        let head =
            format!("<script id=\"__NEXT_DATA__\" type=\"application/json\">{data}</script>");
        let body = format!("<div id=\"__next\"><h1>{}</h1></div>", own.name);
        page(&format!("{} | Shelf", own.name), &head, &body)
    })
}

pub(super) fn disagreement() -> PageSet {
    set(23, |at, own| {
        let Facts { name, author, price, place, year } = own;
        // Every third page embeds last week's price.
        let told = if at % 3 == 0 { "1.00" } else { price.trim_start_matches('$') };
        let data = serde_json::json!({"@context": "https://schema.org", "@type": "Book", "name": name,
            "author": {"@type": "Person", "name": author},
            "offers": {"@type": "Offer", "price": told, "priceCurrency": "USD"}});
        let head = format!("<script type=\"application/ld+json\">{data}</script>");
        let body = format!(
            "<main><h1>{name}</h1><p class=\"by\">{author}</p><table><tr><th>Price</th><td>{price}</td></tr>\
             <tr><th>Place</th><td>{place}</td></tr><tr><th>Year</th><td>{year}</td></tr></table></main>"
        );
        page(&format!("{name} | Shelf"), &head, &body)
    })
}

pub(super) fn modern() -> PageSet {
    set(24, |at, own| {
        let Facts { name, author, price, place, year } = own;
        let field = |label: &str, value: &str| {
            format!(
                "<div class=\"flex gap-2 py-1\"><div class=\"w-1/3\"><span class=\"css-1q8x{label_len}\">{label}</span></div>\
                 <div class=\"w-2/3\"><div><x-value class=\"sc-{at:x}bdVaJa\">{value}</x-value></div></div></div>",
                label_len = label.len()
            )
        };
        let fields = [("author", author), ("price", price), ("place", place), ("year", year)];
        let fields: String = fields.iter().map(|(label, value)| field(label, value)).collect();
        let body = format!(
            "<x-app><div class=\"min-h-screen\"><div><div class=\"mx-auto max-w-7xl\"><x-header><a href=\"/\">Shelf</a></x-header>\
             <div><div><div class=\"text-3xl font-bold\"><div role=\"heading\" aria-level=\"1\">{name}</div></div>{fields}</div></div>\
             </div></div></div></x-app>"
        );
        page(&format!("{name} · Shelf"), "", &body)
    })
}

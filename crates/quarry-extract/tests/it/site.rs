//! What does a site say of its entities? Small sites, page by page.

use quarry_dom::Document;
use quarry_extract::model::SiteModel;
use quarry_extract::site::{PageData, SitePage, learn_site, read_page};
use url::Url;

const MAKERS: [&str; 5] = ["Norva", "Ostrel", "Pellham", "Quist", "Tarn"];
const COLORS: [&str; 3] = ["Red", "Dark blue", "Green"];

/// Lists of ten records each and the pages that they lead to.
fn site(
    record: &dyn Fn(usize) -> String,
    detail: &dyn Fn(usize) -> String,
) -> Vec<(Url, Document)> {
    let page = |path: String, body: String| {
        let html = format!("<html><title>Lamps</title><body>{body}</body></html>");
        let url = Url::parse(&format!("http://shop.test{path}")).expect("an address");
        (url, Document::from_html(&html))
    };
    let list = |number: usize| {
        let records: String = (10 * number..10 * number + 10).map(record).collect();
        page(format!("/lamps?page={number}"), format!("<h1>Lamps</h1><div id=list>{records}</div>"))
    };
    let own = |n: usize| page(format!("/lamp/{n}"), format!("<h1>Lamp {n}</h1>{}", detail(n)));
    (0..3).map(list).chain((0..30).map(own)).collect()
}

fn read(pages: &[(Url, Document)]) -> (SiteModel, Vec<PageData>) {
    let pages: Vec<SitePage<'_>> = pages
        .iter()
        .map(|(address, document)| SitePage { id: address.as_str(), address, document })
        .collect();
    let model = learn_site(&pages);
    let data = pages.iter().map(|page| read_page(page, &model)).collect();
    (model, data)
}

/// The named values of a record.
fn said(data: &PageData, record: usize) -> Vec<(String, String)> {
    let units = data.records[record].units.iter().filter(|unit| unit.attribute.is_none());
    let named = units.filter_map(|unit| Some((unit.label.clone()?, unit.text.clone())));
    named.collect()
}

fn has(data: &PageData, record: usize, label: &str, text: &str) -> bool {
    said(data, record).iter().any(|(name, value)| name == label && value == text)
}

fn link(n: usize) -> String {
    format!("<a class=name href='/lamp/{n}'>Lamp {} no {n}</a>", MAKERS[n % 5])
}

#[test]
fn a_word_before_a_value_names_it() {
    let record = |n: usize| {
        format!(
            "<div class=card><h3>{}</h3><p>by <cite>{}</cite></p></div>",
            link(n),
            MAKERS[n % 5]
        )
    };
    let (_, data) = read(&site(&record, &|_| String::new()));
    assert!(has(&data[0], 3, "by", "Quist"), "{:?}", said(&data[0], 3));
}

#[test]
fn a_small_number_beside_reviews_is_a_rating() {
    let record = |n: usize| {
        let rating = 10 + n * 7 % 40;
        let (whole, tenths, votes) = (rating / 10, rating % 10, 3 + n * 11);
        format!(
            "<div class=card><h3>{}</h3><div class=gold>{whole}.{tenths}</div>\
             <div class=muted>{votes} reviews</div></div>",
            link(n)
        )
    };
    let (_, data) = read(&site(&record, &|_| String::new()));
    assert!(has(&data[0], 1, "Rating", "1.7"), "{:?}", said(&data[0], 1));
    assert!(has(&data[0], 1, "reviews", "14 reviews"), "{:?}", said(&data[0], 1));
}

#[test]
fn names_inside_a_text_part_it() {
    let record = |n: usize| {
        let (maker, color) = (MAKERS[n * 3 % 5], COLORS[n * 2 % 3]);
        format!(
            "<div class=card><h3>{}</h3><p>Maker: {maker} Color of shade: {color} Weight: {} g</p></div>",
            link(n),
            200 + 7 * n
        )
    };
    let (_, data) = read(&site(&record, &|_| String::new()));
    for (label, text) in [("Maker", "Ostrel"), ("Color of shade", "Dark blue"), ("Weight", "214 g")]
    {
        let found = said(&data[0], 2);
        let own = |(name, value): &(String, String)| name == label && value.ends_with(text);
        assert!(found.iter().any(own), "{label}: {found:?}");
    }
}

#[test]
fn lines_of_names_and_values_are_units_of_their_own() {
    let record = |n: usize| {
        format!(
            "<div class=card><h3>{}</h3><p>Maker: <font>{}</font><br>Color: <font>{}</font><br>\
             Weight: <font>{} g</font><br></p></div>",
            link(n),
            MAKERS[n * 3 % 5],
            COLORS[n * 2 % 3],
            200 + 7 * n
        )
    };
    let (_, data) = read(&site(&record, &|_| String::new()));
    for (label, text) in [("Maker", "Ostrel"), ("Color", "Dark blue")] {
        let found = said(&data[0], 2);
        let own = |(name, value): &(String, String)| name == label && value.ends_with(text);
        assert!(found.iter().any(own), "{label}: {found:?}");
    }
    assert_eq!(said(&data[0], 2).iter().filter(|(name, _)| name == "Weight").count(), 1);
}

#[test]
fn records_of_several_elements_begin_with_their_first() {
    let record = |n: usize| {
        let badge = if n.is_multiple_of(4) { "<dd class=badge>New</dd>" } else { "" };
        format!("<dt>{}</dt>{badge}<dd class=cost>{}.50 €</dd>", link(n), 20 + n)
    };
    let (model, data) = read(&site(&record, &|_| String::new()));
    assert_eq!(
        (model.records, model.following),
        (vec!["dt".into()], vec!["dd.badge".into(), "dd.cost".into()])
    );
    for (n, record) in data[1].records.iter().enumerate() {
        assert_eq!(record.entity, format!("http://shop.test/lamp/{}", 10 + n));
        let cost = format!("{}.50 €", 30 + n);
        assert!(record.units.iter().any(|unit| unit.text == cost), "{record:?}");
    }
}

#[test]
fn what_stands_in_records_of_others_is_not_said_of_the_entity() {
    let fact = |n: usize| format!("<p class=fact>Maker: <b>{}</b></p>", MAKERS[n % 5]);
    let record = |n: usize| format!("<div class=card><h3>{}</h3>{}</div>", link(n), fact(n));
    let detail = |n: usize| {
        let row = |name: &str, value: String| format!("<tr><th>{name}</th><td>{value}</td></tr>");
        let rows = row("Weight", format!("{} g", 200 + 7 * n))
            + &row("Width", format!("{} cm", 10 + n))
            + &row("FrameRole", COLORS[n % 3].to_owned())
            + &row("Model number", format!("MX-{}", 700 + n));
        let related: String = (n + 1..n + 4).map(|n| record(n % 30)).collect();
        format!("<h2>Specification</h2><table>{rows}</table><h2>See also</h2>{related}")
    };
    let (_, data) = read(&site(&record, &detail));
    for data in &data[3..] {
        let names: Vec<&str> =
            data.specs.iter().flat_map(|spec| &spec.pairs).map(|pair| pair.name.as_str()).collect();
        assert_eq!(names, ["Weight", "Width", "FrameRole", "Model number"]);
    }
}

/// A blog: addresses begin with the day, tags stand in a row behind a word.
fn dated(entities: usize) -> Vec<(Url, Document)> {
    let page = |path: String, body: String| {
        let html = format!("<html><title>Gost</title><body>{body}</body></html>");
        let url = Url::parse(&format!("http://blog.test{path}")).expect("an address");
        (url, Document::from_html(&html))
    };
    let path = |n: usize| format!("/{}/{}/{}/n{n}/", 2014 + n % 7, 1 + n % 12, 1 + n * 5 % 27);
    let tags = |n: usize| -> Vec<&str> {
        COLORS
            .into_iter()
            .chain(MAKERS)
            .enumerate()
            .filter(|(at, _)| (n + at).is_multiple_of(3) || (*at == 0 && n.is_multiple_of(2)))
            .map(|(_, tag)| tag)
            .collect()
    };
    let own = |n: usize| {
        let links: Vec<String> = tags(n)
            .iter()
            .map(|tag| format!("<a href='/t/{}/'>{tag}</a>", tag.to_lowercase()))
            .collect();
        page(
            path(n),
            format!(
                "<article><h1>Borl {n} fam</h1><p>Plo {n} vel.</p><p>Zemt {}</p></article>",
                links.join(", ")
            ),
        )
    };
    let list = |number: usize| {
        let rows: String = (10 * number..10 * number + 10)
            .map(|n| {
                format!(
                    "<li><h2><a href='{}'>Borl {n} fam</a></h2><p>Plo {n} vel.</p></li>",
                    path(n)
                )
            })
            .collect();
        page(format!("/p/{number}/"), format!("<h1>Gost</h1><ul>{rows}</ul>"))
    };
    (0..entities / 10).map(list).chain((0..entities).map(own)).collect()
}

#[test]
fn days_in_addresses_are_no_kinds_and_every_tag_is_read() {
    let pages = dated(60);
    let (model, data) = read(&pages);
    assert_eq!(model.kinds.len(), 1, "{:?}", model.kinds);
    for (read, (url, document)) in data.iter().zip(&pages).skip(6) {
        let wanted: Vec<String> = document
            .elements(quarry_dom::Tag::A)
            .map(|link| document.folded_text(link).into_owned())
            .collect();
        let specs = read.specs.iter().flat_map(|spec| &spec.pairs).map(|pair| &pair.value);
        let values: Vec<&String> =
            specs.chain(read.fields.iter().map(|field| &field.value)).collect();
        for tag in &wanted {
            assert!(values.contains(&tag), "{url} lacks {tag}: {values:?}");
        }
    }
}

#[test]
fn what_the_crawl_knows_to_be_a_list_is_no_entity() {
    let record = |n: usize| format!("<div class=card><h3>{}</h3><b>{n}0 EUR</b></div>", link(n));
    let pages = site(&record, &|n| format!("<dl><dt>Arms</dt><dd>{n}</dd></dl>"));
    let known =
        |url: &Url| url.path().ends_with("/3").then_some(quarry_extract::links::PageKind::List);
    let pages: Vec<SitePage<'_>> = pages
        .iter()
        .map(|(address, document)| SitePage { id: address.as_str(), address, document })
        .collect();
    let model = learn_site(&pages);
    let reader = quarry_extract::site::SiteReader::new(&model).knowing(&known);
    let rows: Vec<String> =
        reader.read(&pages[0]).records.into_iter().map(|record| record.entity).collect();
    assert_eq!(rows.len(), 9, "{rows:?}");
    assert!(!rows.iter().any(|row| row.ends_with("/3")), "{rows:?}");
}

//! Names and values in mark-up that only several pages, or several fragments of one page, explain.

use std::collections::BTreeSet;

use quarry_dom::Document;
use quarry_extract::spec::{
    KnownPairs, SpecConfig, SpecPage, extract_specs, learn_specs, read_specs,
};

/// Pages of the small sites here; enough for agreement.
const PAGES: usize = 12;

/// Names of attributes in no language, with values that vary from page to page.
fn facts(page: usize) -> Vec<(&'static str, String)> {
    vec![
        ("Gromel", ["Rusk", "Tavel", "Orm"][page % 3].to_owned()),
        ("Fertan", format!("{} klo", 10 + 7 * page)),
        ("Hibbel", format!("Mar {}, {}", page % 28 + 1, 1960 + page)),
        ("Skarn", format!("{}-{}", page % 3 + 5, page % 11)),
    ]
}

fn page(number: usize, facts: &str) -> Document {
    Document::from_html(&format!(
        "<nav><a href=/>Plim</a> <a href=/o>Orvan</a></nav><h1>Lorum {number}</h1><main>{facts}</main>\
         <div class=t><p>Some words of prose about number {number}, which say nothing else.</p></div>\
         <footer><p>Plim 2026</p></footer>"
    ))
}

/// Every page gives its own facts, read together and by the learned model.
fn check(html: impl Fn(&[(&str, String)]) -> String) {
    let documents: Vec<Document> =
        (0..PAGES).map(|number| page(number, &html(&facts(number)))).collect();
    let ids: Vec<String> = (0..PAGES).map(|number| format!("{number:02}")).collect();
    let pages: Vec<SpecPage<'_>> =
        ids.iter().zip(&documents).map(|(id, document)| SpecPage { id, document }).collect();
    let config = SpecConfig::default();
    let together = read_specs(&pages, &KnownPairs::default(), &config);
    let model = learn_specs(&pages, &KnownPairs::default(), &config);
    for (number, specs) in together.iter().enumerate() {
        let facts = facts(number);
        let expected: BTreeSet<(&str, &str)> =
            facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let again = extract_specs(&documents[number], &model, &config);
        for specs in [specs, &again] {
            let found: BTreeSet<(&str, &str)> = specs
                .iter()
                .flat_map(|spec| &spec.pairs)
                .map(|pair| (pair.name.as_str(), pair.value.as_str()))
                .collect();
            assert_eq!(found, expected, "page {number}");
        }
    }
}

fn each(facts: &[(&str, String)], html: impl Fn(&str, &str) -> String) -> String {
    facts.iter().map(|(name, value)| html(name, value)).collect()
}

/// Values before their names on three pages, in classes that say nothing; some values are on all pages, and twice on each.
#[test]
fn names_behind_their_values_differ_on_a_page_and_recur_on_others() {
    let tags = |n: usize| {
        [
            ("Zolldiagonale", ["27 Zoll", "23.8 Zoll", "31.5 Zoll"][n]),
            ("Aufdrosung", ["2560x1440", "1920x1080", "3840x2160"][n]),
            ("Paneltyp", ["IPS", "VA", "IPS"][n]),
            ("Hohenverstell", "ja"),
            ("Lautsprechung", "ja"),
            ("Drehbarkeit", ["nein", "ja", "nein"][n]),
        ]
    };
    let html = |n: usize| {
        let tag = |(name, value): (&str, &str)| {
            format!(
                "<div class=qa><span class=qb>{value}</span> <span class=qc>{name}</span></div>"
            )
        };
        let all: String = tags(n).into_iter().map(tag).collect();
        format!("<div class=q>{all}</div>")
    };
    let documents: Vec<Document> = (0..3).map(|number| page(number, &html(number))).collect();
    let ids = ["a", "b", "c"];
    let pages: Vec<SpecPage<'_>> =
        ids.iter().zip(&documents).map(|(id, document)| SpecPage { id, document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    for (number, specs) in found.iter().enumerate() {
        let pairs: Vec<(&str, &str)> = specs
            .iter()
            .flat_map(|spec| &spec.pairs)
            .map(|pair| (pair.name.as_str(), pair.value.as_str()))
            .collect();
        assert_eq!(pairs, tags(number));
    }
}

#[test]
fn several_names_in_one_text_are_parted() {
    check(|facts| {
        let run: Vec<String> =
            facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("<div class=bio>{}</div>", run.join(" "))
    });
    check(|facts| {
        let run: Vec<String> =
            facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!("<div class=bio>{}</div>", run.join(" | "))
    });
}

#[test]
fn a_row_of_plain_cells_names_the_row_below_it() {
    check(|facts| {
        let names = each(facts, |name, _| format!("<td>{name}</td>"));
        let values = each(facts, |_, value| format!("<td>{value}</td>"));
        format!("<table><tr>{names}</tr><tr>{values}</tr></table>")
    });
}

#[test]
fn pages_agree_that_the_value_stands_before_its_name() {
    check(|facts| {
        let tiles = each(facts, |name, value| {
            format!("<div><div class=q1>{value}</div><div class=q2>{name}</div></div>")
        });
        format!("<div class=tiles>{tiles}</div>")
    });
}

/// The rows of a plain specification.
fn rows(facts: &[(&str, String)]) -> String {
    each(facts, |name, value| format!("<tr><th>{name}</th><td>{value}</td></tr>"))
}

#[test]
fn a_link_that_ends_all_values_is_no_part_of_them() {
    check(|facts| {
        let rows = each(facts, |name, value| {
            format!("<tr><th>{name}</th><td>{value} <a href=/x>Blorm alk</a></td></tr>")
        });
        format!("<table>{rows}</table>")
    });
}

#[test]
fn a_unit_that_ends_all_values_is_part_of_them() {
    let documents: Vec<Document> = (0..PAGES)
        .map(|number| {
            let facts = facts(number);
            let unit = format!("<tr><th>Dorp</th><td>{} <small>klo</small></td></tr>", 10 + number);
            page(number, &format!("<table>{}{unit}</table>", rows(&facts)))
        })
        .collect();
    let pages: Vec<SpecPage<'_>> =
        documents.iter().map(|document| SpecPage { id: "", document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    let mut values = found[0].iter().flat_map(|spec| &spec.pairs);
    let unit = values.find(|pair| pair.name == "Dorp").map(|pair| pair.value.as_str());
    assert_eq!(unit, Some("10 klo"));
}

#[test]
fn a_heading_over_a_list_apart_from_all_names_is_no_name() {
    check(|facts| {
        let items: String = (0..3)
            .map(|number| format!("<li><a href=/v{number}>{} {number}</a></li>", facts[1].1))
            .collect();
        format!(
            "<table>{}</table><div><div><div><div><div class=box><h3>Vorn</h3><ul>{items}</ul></div></div></div></div></div>",
            rows(facts)
        )
    });
}

#[test]
fn lines_are_values_of_their_own_where_their_number_varies() {
    let documents: Vec<Document> = (0..PAGES)
        .map(|number| {
            let lines: String =
                (0..number % 3 + 1).map(|line| format!("Blik {line}<br>")).collect();
            let address = format!("<tr><th>Ulm</th><td>{number} Orp Lane<br>Tarn</td></tr>");
            let list = format!("<tr><th>Dorp</th><td>{lines}</td></tr>");
            page(number, &format!("<table>{}{list}{address}</table>", rows(&facts(number))))
        })
        .collect();
    let pages: Vec<SpecPage<'_>> =
        documents.iter().map(|document| SpecPage { id: "", document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    let values = |name: &str| -> Vec<&str> {
        let pairs = found[2].iter().flat_map(|spec| &spec.pairs);
        pairs.filter(|pair| pair.name == name).map(|pair| pair.value.as_str()).collect()
    };
    assert_eq!(values("Dorp"), ["Blik 0", "Blik 1", "Blik 2"]);
    assert_eq!(values("Ulm"), ["2 Orp Lane Tarn"]);
}

#[test]
fn a_list_that_all_pages_share_is_a_value() {
    let documents: Vec<Document> = (0..PAGES)
        .map(|number| {
            let more = if number % 3 == 0 { "<li>Fim</li>" } else { "" };
            let more = format!("{more}<li>Gon</li>");
            let list = format!(
                "<tr><th>Dorp</th><td><ul><li>Aps</li><li>Bol</li><li>Cim</li><li>Dun</li>{more}</ul></td></tr>"
            );
            page(number, &format!("<table>{}{list}</table>", rows(&facts(number))))
        })
        .collect();
    let pages: Vec<SpecPage<'_>> =
        documents.iter().map(|document| SpecPage { id: "", document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    let pairs = found[1].iter().flat_map(|spec| &spec.pairs);
    let values: Vec<&str> =
        pairs.filter(|pair| pair.name == "Dorp").map(|pair| pair.value.as_str()).collect();
    assert_eq!(values, ["Aps", "Bol", "Cim", "Dun", "Gon"]);
}

#[test]
fn a_table_inside_a_row_is_no_value() {
    check(|facts| {
        let inner = ["Aps", "Bol", "Cim", "Dun", "Erk"];
        let inner: String =
            inner.map(|name| format!("<span>{name}</span> <span>{}</span> ", facts[1].1)).concat();
        format!("<table>{}<tr><th>Grust</th><td>{inner}</td></tr></table>", rows(facts))
    });
}

fn read(html: &str) -> Vec<(String, String)> {
    let document = Document::from_html(html);
    let config = SpecConfig { min_score: 0.0, min_names: 1, ..SpecConfig::default() };
    let pages = [SpecPage { id: "page", document: &document }];
    let found = read_specs(&pages, &KnownPairs::default(), &config);
    let pairs = found[0].iter().flat_map(|spec| &spec.pairs);
    pairs.map(|pair| (pair.name.clone(), pair.value.clone())).collect()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn an_empty_value_does_not_take_the_next_name() {
    let html = "<div><h4>Weight:</h4><p>2 kg</p><h4>Height:</h4><p></p><h4>Depth:</h4><p></p>\
                <h4>Width:</h4><p>40 cm</p></div>";
    assert_eq!(read(html), owned(&[("Weight", "2 kg"), ("Width", "40 cm")]));
    let html = "<table><tr><th>Weight</th><th>Height</th><th>Width</th></tr>\
                <tr><td>2 kg</td><td></td><td>40 cm</td></tr></table>";
    assert_eq!(read(html), owned(&[("Weight", "2 kg"), ("Width", "40 cm")]));
}

#[test]
fn two_links_alike_are_values_of_the_name_before_them() {
    let link = |text: &str| format!("<a class=k href='/{text}'>{text}</a>");
    let row = |name: &str, values: &str| format!("<div><div>{name}</div><div>{values}</div></div>");
    let rows = [
        row("Gromel", &link("Rusk")),
        row("Hibbel", &[link("Tavel"), link("Orm")].concat()),
        row("Skarn", &[link("Ib"), link("Uld")].concat()),
    ];
    let found = read(&format!("<div>{}</div>", rows.concat()));
    let names: BTreeSet<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["Gromel", "Hibbel", "Skarn"]), "{found:?}");
}

#[test]
fn lines_below_a_name_are_values_of_it() {
    let html = "<div><b>Cast</b><br>Ann Lee<br>Bo Roe<br><br><b>Genre</b><br>Drama<br></div>";
    assert_eq!(read(html), owned(&[("Cast", "Ann Lee"), ("Cast", "Bo Roe"), ("Genre", "Drama")]));
}

#[test]
fn a_short_section_is_part_of_the_specification_around_it() {
    let row = |name: &str, value: &str| format!("<li><span>{name}</span><span>{value}</span></li>");
    let long: String = [
        ("Weight", "2 kg"),
        ("Height", "40 cm"),
        ("Width", "12 cm"),
        ("Power", "60 W"),
        ("Colour", "black"),
        ("Voltage", "230 V"),
        ("Length", "1.2 m"),
    ]
    .map(|(name, value)| row(name, value))
    .concat();
    let html = format!(
        "<h1>Lamp</h1><div class=specs><h3>Technical specifications</h3><ul>{long}</ul>\
         <h3>Krumel</h3><ul>{}</ul></div>",
        row("Blarg", "yes")
    );
    let document = Document::from_html(&html);
    let pages = [SpecPage { id: "page", document: &document }];
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    let names: Vec<&str> =
        found[0].iter().flat_map(|spec| &spec.pairs).map(|pair| pair.name.as_str()).collect();
    assert!(names.contains(&"Weight") && names.contains(&"Blarg"), "{names:?}");
}

#[test]
fn a_heading_over_a_table_of_several_columns_names_no_values() {
    let grid = "<table><tr><th>Kop</th><th>Lim</th><th>Mun</th></tr><tr><td>Aps</td><td>3</td><td>4</td></tr>\
                <tr><td>Bol</td><td>5</td><td>6</td></tr></table>";
    let html = format!("<div><div class=n>Vrest</div>{grid}</div>");
    assert!(read(&html).iter().all(|(name, _)| name != "Vrest"), "{:?}", read(&html));
}

#[test]
fn a_note_behind_a_value_does_not_hide_the_name_before_a_colon() {
    let documents: Vec<Document> = (0..PAGES)
        .map(|page_number| {
            let notes = 13 * page_number + 7;
            let grade = ["A", "B", "C", "D"][page_number % 4];
            page(
                page_number,
                &format!(
                    "<table>{}</table><table class=g><tr><td><b>Orvals:</b></td></tr><tr><td><i>{grade}</i></td></tr>\
                     <tr><td><a href=/n>{notes} nids</a></td></tr></table>",
                    rows(&facts(page_number))
                ),
            )
        })
        .collect();
    let ids: Vec<String> = (0..PAGES).map(|number| format!("{number:02}")).collect();
    let pages: Vec<SpecPage<'_>> =
        ids.iter().zip(&documents).map(|(id, document)| SpecPage { id, document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    for (number, specs) in found.iter().enumerate() {
        let values: Vec<&str> = specs
            .iter()
            .flat_map(|spec| &spec.pairs)
            .filter(|pair| pair.name == "Orvals")
            .map(|pair| pair.value.as_str())
            .collect();
        assert_eq!(values, [["A", "B", "C", "D"][number % 4]]);
    }
}

/// The pairs of each page, read together: the facts of the page and `more` rows of its number.
fn with_rows(more: impl Fn(usize) -> String) -> Vec<BTreeSet<(String, String)>> {
    let html = |number: usize| {
        page(number, &format!("<table>{}{}</table>", rows(&facts(number)), more(number)))
    };
    let documents: Vec<Document> = (0..PAGES).map(html).collect();
    let ids: Vec<String> = (0..PAGES).map(|number| format!("{number:02}")).collect();
    let pages: Vec<SpecPage<'_>> =
        ids.iter().zip(&documents).map(|(id, document)| SpecPage { id, document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    let pairs = found.into_iter().map(|specs| {
        let pairs = specs.into_iter().flat_map(|spec| spec.pairs);
        pairs.map(|pair| (pair.name, pair.value)).collect()
    });
    pairs.collect()
}

fn has(pairs: &BTreeSet<(String, String)>, name: &str, value: &str) -> bool {
    pairs.contains(&(name.to_owned(), value.to_owned()))
}

fn row(name: &str, value: &str) -> String {
    format!("<tr><th>{name}</th><td>{value}</td></tr>")
}

/// `Drov: 3` and `Zenk: 780` below `Plimmer` on all pages.
fn counts(heading: &str, number: usize) -> String {
    let items =
        format!("<ul><li>Drov: {}</li><li>Zenk: {}</li></ul>", number + 3, 10 * number + 78);
    row(heading, &items)
}

#[test]
fn names_below_a_heading_are_names_of_their_own() {
    for (number, pairs) in with_rows(|number| counts("Plimmer", number)).iter().enumerate() {
        assert!(has(pairs, "Drov", &format!("{}", number + 3)), "{pairs:?}");
        assert!(has(pairs, "Zenk", &format!("{}", 10 * number + 78)), "{pairs:?}");
        assert!(pairs.iter().all(|(name, _)| name != "Plimmer"), "{pairs:?}");
    }
}

#[test]
fn the_same_name_below_two_headings_is_told_apart_by_them() {
    let two = |number: usize| counts("Plimmer", number) + &counts("Ostrel", number + 40);
    for (number, pairs) in with_rows(two).iter().enumerate() {
        assert!(has(pairs, "Plimmer | Drov", &format!("{}", number + 3)), "{pairs:?}");
        assert!(has(pairs, "Ostrel | Drov", &format!("{}", number + 43)), "{pairs:?}");
    }
}

#[test]
fn kinds_of_a_value_before_a_colon_are_part_of_it() {
    let kind = |number: usize| ["Urk: Bal", "Fenn: Ost", "Wag: Bal"][number % 3];
    let found = with_rows(|number| row("Settel", kind(number)));
    for (number, pairs) in found.iter().enumerate() {
        assert!(has(pairs, "Settel", kind(number)), "{pairs:?}");
    }
}

#[test]
fn a_link_that_is_one_text_around_the_title_is_no_value() {
    let link = |number: usize| format!("<a href=/v/{number}>Dram ov Lorum {number} sken</a>");
    for pairs in with_rows(|number| row("Viddel", &link(number))) {
        assert!(pairs.iter().all(|(name, _)| name != "Viddel"), "{pairs:?}");
        assert!(pairs.iter().any(|(name, _)| name == "Skarn"), "{pairs:?}");
    }
    // The same text without a link may be what the thing is called.
    let name = |number: usize| format!("Dram ov Lorum {number} sken");
    for (number, pairs) in with_rows(|number| row("Viddel", &name(number))).iter().enumerate() {
        assert!(has(pairs, "Viddel", &name(number)), "{pairs:?}");
    }
}

fn has_name(pairs: &BTreeSet<(String, String)>, name: &str) -> bool {
    pairs.iter().any(|(own, _)| own == name)
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("<li>{item}</li>")).collect()
}

#[test]
fn links_that_lead_elsewhere_from_every_page_are_no_values() {
    for pairs in with_rows(|number| row("Viddel", &format!("<a href=/r/{number}>Zov</a>"))) {
        assert!(!has_name(&pairs, "Viddel") && has_name(&pairs, "Skarn"), "{pairs:?}");
    }
    // The same text with one address is a value that all pages share.
    for pairs in with_rows(|_| row("Viddel", "<a href=/zov>Zov</a>")) {
        assert!(has(&pairs, "Viddel", "Zov"), "{pairs:?}");
    }
}

#[test]
fn a_link_at_the_end_of_all_lists_is_no_value() {
    let values = |number: usize| {
        let items = (0..=number % 3).map(move |item| format!("<a href=/b/{item}>Bal {item}</a>"));
        row("Settel", &format!("<ul>{}<li><a href=/add>Zov</a></ul>", list(items)))
    };
    for (number, pairs) in with_rows(values).iter().enumerate() {
        assert!(has(pairs, "Settel", &format!("Bal {}", number % 3)), "{pairs:?}");
        assert!(!has(pairs, "Settel", "Zov"), "{pairs:?}");
    }
}

#[test]
fn a_list_that_holds_the_subject_of_the_page_is_about_others() {
    let values = |number: usize| {
        let first = number / 6 * 6;
        let items = (first..first + 6).map(|item| format!("<a href=/{item}>Lorum {item}</a>"));
        row("Settel", &format!("<ul>{}</ul>", list(items)))
    };
    for pairs in with_rows(values) {
        assert!(!has_name(&pairs, "Settel") && has_name(&pairs, "Skarn"), "{pairs:?}");
    }
}

#[test]
fn names_before_a_colon_stand_over_lists_some_of_whose_items_are_links() {
    let values = |number: usize| {
        let items = (0..number % 4 + 3).map(|item| match (item + number) % 2 {
            0 => format!("<a href=/p/{item}>Bal {item}</a><br>"),
            _ => format!("<i>Bal {item}</i><br>"),
        });
        row("Settel:", &items.collect::<String>())
    };
    for (number, pairs) in with_rows(values).iter().enumerate() {
        for item in 0..number % 4 + 3 {
            assert!(has(pairs, "Settel", &format!("Bal {item}")), "{pairs:?}");
        }
    }
}

#[test]
fn headlines_with_a_word_and_a_colon_are_no_pairs() {
    let news = |number: usize| {
        let items = (0..8).map(|item| match (item + number) % 8 {
            0 => format!("<a href=/n/{number}>Viddel: orm {number} plim tavel</a>"),
            _ => format!("<a href=/n/{number}-{item}>Tavel {item} orm {number} plim</a>"),
        });
        format!("</table><ul>{}</ul><table>", list(items))
    };
    for pairs in with_rows(news) {
        assert!(!has_name(&pairs, "Viddel") && has_name(&pairs, "Skarn"), "{pairs:?}");
    }
}

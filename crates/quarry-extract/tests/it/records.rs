//! Records of whole pages: one case for each way in which pages lay out their answers.

use quarry_dom::Document;
use quarry_extract::explain::explain;
use quarry_extract::find::{Boundary, PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::lines::{page_line, record_text};

/// Words that differ from page to page and from record to record.
const WORDS: &[&str] = &[
    "amber",
    "basalt",
    "cobalt",
    "dolomite",
    "emerald",
    "feldspar",
    "granite",
    "hematite",
    "iolite",
    "jasper",
    "kyanite",
    "lapis",
    "malachite",
    "nephrite",
    "obsidian",
    "peridot",
    "quartz",
    "ruby",
    "sapphire",
    "topaz",
    "unakite",
    "vesuvian",
    "wulfenite",
    "xenotime",
    "yttrium",
    "zircon",
];

pub(crate) fn word(seed: usize) -> &'static str {
    WORDS[seed.wrapping_mul(7) % WORDS.len()]
}

pub(crate) fn title(page: usize, record: usize) -> String {
    let seed = page * 31 + record * 3;
    format!("{} {} ring {}", word(seed), word(seed + 1), page * 100 + record)
}

pub(crate) fn snippet(page: usize, record: usize) -> String {
    let seed = page * 17 + record * 5;
    format!(
        "A {} piece with {} and {}, number {} of the {} series",
        word(seed),
        word(seed + 2),
        word(seed + 3),
        page * 100 + record,
        word(seed + 4)
    )
}

/// A page as shops make them: menu, facets, the answers, footer.
pub(crate) fn shop(page: usize, answers: &str) -> String {
    let menu: String =
        (0..14).map(|n| format!("<li><a href='/c/{n}'>Section {}</a></li>", word(n))).collect();
    let facets: String = (0..9)
        .map(|n| {
            format!("<li><a href='?f={n}'>{}</a> <span>({})</span></li>", word(n * 2), page + n)
        })
        .collect();
    format!(
        "<html><head><title>Stones</title></head><body>\
         <div class='header'><ul class='nav'>{menu}</ul></div>\
         <div class='page'><div class='sidebar'><h4>Refine by stone</h4><ul>{facets}</ul></div>\
         <div class='main'><h1>Results for query {page}</h1>{answers}</div></div>\
         <div class='footer'><p>About this shop and its terms of sale</p><p>Imprint and contact</p></div>\
         </body></html>"
    )
}

pub(crate) fn find(pages: &[String], config: &RecordsConfig) -> (Vec<Document>, Vec<PageRecords>) {
    let documents: Vec<Document> = pages.iter().map(|html| Document::from_html(html)).collect();
    let ids: Vec<String> = (0..pages.len()).map(|n| format!("{n:03}.html")).collect();
    let inputs: Vec<PageInput<'_>> = documents
        .iter()
        .zip(&ids)
        .map(|(document, id)| PageInput { id, document, cluster: None })
        .collect();
    let found = find_records(&inputs, config);
    (documents, found)
}

/// The texts of the records of a page's first region.
fn texts(document: &Document, found: &PageRecords) -> Vec<String> {
    let region = found.regions.first();
    let records = region.map(|region| region.records.as_slice()).unwrap_or_default();
    records.iter().map(|record| record_text(document, record)).collect()
}

/// Lays out pages of `counts` records with `layout` and expects each record to hold its own title
/// and snippet, and nobody else's.
fn check(name: &str, counts: &[usize], layout: fn(usize, usize) -> String) {
    let html: Vec<String> =
        counts.iter().enumerate().map(|(page, &count)| shop(page, &layout(page, count))).collect();
    let (documents, found) = find(&html, &RecordsConfig::default());
    for (page, &count) in counts.iter().enumerate() {
        let texts = texts(&documents[page], &found[page]);
        let shown = explain(&documents[page], &found[page]);
        assert_eq!(texts.len(), count, "{name}, page {page}: {texts:#?}\n{shown}");
        for (record, text) in texts.iter().enumerate() {
            for part in [title(page, record), snippet(page, record)] {
                assert!(text.contains(&part), "{name}, page {page}: {part:?} not in {text:?}");
            }
            let others = (0..count).filter(|&other| other != record);
            for other in others.map(|other| format!("number {} of", page * 100 + other)) {
                assert!(!text.contains(&other), "{name}, page {page}: {other:?} in {text:?}");
            }
        }
    }
}

fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

fn card(page: usize, record: usize) -> String {
    let (title, snippet) = (title(page, record), snippet(page, record));
    format!(
        "<img src='/i/{page}-{record}.jpg'><h3><a href='/p/{page}-{record}'>{title}</a></h3>\
         <p>{snippet}</p><span class='price'>${record}.99</span>"
    )
}

/// Tables of rulings under dates: those of some days lack the column that the others have.
#[test]
fn a_list_has_all_parts_that_are_built_like_its_records() {
    let row = |n: usize| {
        format!(
            "<tr><td>S-23-{n}</td><td>31{n} Rep. {n}</td><td><a href='/{n}'>State v. {} {}</a></td></tr>",
            word(n),
            word(n + 11)
        )
    };
    let day = |day: usize| {
        let rows: String = (0..1 + day % 4).map(|n| row(day * 10 + n)).collect();
        format!("<div class=day><h4>May {day}</h4><div><table>{rows}</table></div></div>")
    };
    let html: String = (1..=9).map(day).collect();
    let document = Document::from_html(&format!("<p>Opinions of the court</p><div>{html}</div>"));
    let pages = [PageInput { id: "a", document: &document, cluster: None }];
    let found = find_records(&pages, &RecordsConfig::default());
    let rows = (1..=9).map(|day| 1 + day % 4).sum::<usize>();
    assert_eq!(found[0].regions[0].records.len(), rows);
}

#[test]
fn one_element_for_each_record() {
    check("list", &[8, 10, 6], |page, count| {
        format!("<ul>{}</ul>", many(count, |n| format!("<li>{}</li>", card(page, n))))
    });
    check("one page alone", &[8], |page, count| {
        format!("<ul>{}</ul>", many(count, |n| format!("<li>{}</li>", card(page, n))))
    });
}

#[test]
fn classes_that_vary() {
    check("alternate and promoted rows", &[9, 8], |page, count| {
        many(count, |n| {
            let class = ["row", "rowalt", "row promoted", "row first sale"][n % 4];
            format!("<div class='{class}'>{}</div>", card(page, n))
        })
    });
}

#[test]
fn optional_parts() {
    check("optional parts", &[12, 9], |page, count| {
        many(count, |n| {
            let sale = if n % 3 == 0 { "<b class='sale'>Sale</b>" } else { "" };
            let stars =
                if n % 2 == 0 { "<div class='stars'><i>4 of 5</i> from 12</div>" } else { "" };
            format!("<div class='hit'>{sale}{}{stars}</div>", card(page, n))
        })
    });
}

#[test]
fn grids_of_cards() {
    check("rows of three", &[9, 12], |page, count| {
        many(count / 3, |row| {
            let cards = many(3, |n| format!("<div class='cell'>{}</div>", card(page, row * 3 + n)));
            format!("<div class='row'>{cards}</div>")
        })
    });
}

#[test]
fn tables() {
    check("header row", &[8, 7], |page, count| {
        let rows = many(count, |n| {
            let (title, snippet) = (title(page, n), snippet(page, n));
            format!(
                "<tr><td><a href='/{page}/{n}'>{title}</a></td><td>{snippet}</td><td>{n}.50</td></tr>"
            )
        });
        format!("<table><tr><th>Name</th><th>About</th><th>Price</th></tr>{rows}</table>")
    });
    check("pairs of rows", &[8, 9], |page, count| {
        let rows = many(count, |n| {
            let (title, snippet) = (title(page, n), snippet(page, n));
            format!(
                "<tr><td colspan=2><a href='/{page}/{n}'>{title}</a></td></tr>\
                 <tr><td><font size=1>{snippet}</font></td><td><i>{n}.50</i></td></tr>"
            )
        });
        format!("<table>{rows}</table>")
    });
}

#[test]
fn no_container_for_a_record() {
    check("heading and paragraph", &[8, 6], |page, count| {
        let flat = many(count, |n| {
            let (title, snippet) = (title(page, n), snippet(page, n));
            format!("<h3><a href='/{page}/{n}'>{title}</a></h3><p>{snippet}</p><hr>")
        });
        format!("<div class='results'>{flat}</div>")
    });
    check("term and description", &[8, 6], |page, count| {
        let flat = many(count, |n| {
            let (title, snippet) = (title(page, n), snippet(page, n));
            format!("<dt><a href='/{page}/{n}'>{title}</a><dd>{snippet}")
        });
        format!("<dl>{flat}</dl>")
    });
    check("plain text and line breaks", &[8, 6], |page, count| {
        let flat = many(count, |n| {
            let (title, snippet) = (title(page, n), snippet(page, n));
            format!("<a href='/{page}/{n}'>{title}</a><br>{snippet}<br><br>")
        });
        format!("<div class='results'>{flat}</div>")
    });
}

#[test]
fn sections_and_rows_loaded_later() {
    check("headed sections", &[10, 8], |page, count| {
        let half = count / 2;
        let list = |from: usize, to: usize| -> String {
            (from..to).map(|n| format!("<li class='hit'>{}</li>", card(page, n))).collect()
        };
        format!(
            "<div class='group'><h2>In stock</h2><ul>{}</ul></div>\
             <div class='group'><h2>To order</h2><ul>{}</ul></div>",
            list(0, half),
            list(half, count)
        )
    });
    check("rows in a box of their own", &[10, 12], |page, count| {
        let hit = |n: usize| format!("<div class='hit'>{}</div>", card(page, n));
        let (first, later) = (count / 2, count - count / 2);
        format!(
            "<div class='results'>{}<div class='more'>{}</div></div>",
            many(first, hit),
            many(later, |n| hit(first + n))
        )
    });
}

#[test]
fn few_results_are_found_by_the_other_pages() {
    check("one result", &[10, 1, 9, 2], |page, count| {
        format!("<ul class='hits'>{}</ul>", many(count, |n| format!("<li>{}</li>", card(page, n))))
    });
}

#[test]
fn records_that_end_where_the_next_begins_inside() {
    let html: Vec<String> = (0..2)
        .map(|page| {
            let chain = many(8, |n| {
                let (title, snippet) = (title(page, n), snippet(page, n));
                format!("<div class='hit'><a href='/{n}'>{title}</a> <i>{snippet}</i>")
            });
            shop(page, &format!("<div class='results'>{chain}</div>"))
        })
        .collect();
    let (documents, found) = find(&html, &RecordsConfig::default());
    for (page, document) in documents.iter().enumerate() {
        assert_eq!(found[page].regions[0].boundary, Boundary::Chain);
        let texts = texts(document, &found[page]);
        assert_eq!(texts.len(), 8);
        // What follows the last record is not told apart from the end of the page.
        for (record, text) in texts.iter().enumerate().take(7) {
            assert_eq!(*text, format!("{} {}", title(page, record), snippet(page, record)));
        }
    }
}

/// A table of tools before the list, and a second part of the list in a table of its own: records of two rows begin with the
/// first of them all the same.
#[test]
fn rows_before_a_list_do_not_shift_its_records() {
    let html: Vec<String> = (0..3)
        .map(|page| {
            let rows = |from: usize, to: usize| -> String {
                (from..to)
                    .map(|n| {
                        format!(
                            "<tr><td><a href='/{page}/{n}'>{}</a></td></tr><tr><td>{}</td></tr>",
                            title(page, n),
                            snippet(page, n)
                        )
                    })
                    .collect()
            };
            let tools = "<table><tr><td>Showing all</td></tr></table>";
            let parts = format!(
                "{tools}<table><tr><th>Offers</th></tr>{}</table><table>{}</table>",
                rows(0, 3),
                rows(3, 10)
            );
            shop(page, &parts)
        })
        .collect();
    let (documents, found) = find(&html, &RecordsConfig::default());
    for (page, document) in documents.iter().enumerate() {
        let texts = texts(document, &found[page]);
        let whole = |n: usize| format!("{} {}", title(page, n), snippet(page, n));
        let right = (0..10).filter(|&n| texts.contains(&whole(n))).count();
        assert!(right >= 7, "{}", explain(document, &found[page]));
    }
}

#[test]
fn side_lists_that_all_pages_share_are_left_out() {
    let html: Vec<String> = (0..3)
        .map(|page| {
            let hits = many(6, |n| format!("<li class='card'>{}</li>", card(page, n)));
            let picks = many(4, |n| format!("<li class='card'>{}</li>", card(77, n)));
            shop(page, &format!("<ul class='hits'>{hits}</ul><ul class='picks'>{picks}</ul>"))
        })
        .collect();
    let (documents, found) = find(&html, &RecordsConfig::default());
    for (page, document) in documents.iter().enumerate() {
        assert_eq!(texts(document, &found[page]).len(), 6, "{}", explain(document, &found[page]));
    }
}

#[test]
fn pages_without_answers_have_no_region() {
    let none =
        (0..3).map(|page| shop(page, &format!("<p>Nothing was found for {}.</p>", word(page))));
    let (documents, found) = find(&none.collect::<Vec<_>>(), &RecordsConfig::default());
    for (document, found) in documents.iter().zip(&found) {
        assert!(found.regions.is_empty(), "{}", explain(document, found));
        assert!(explain(document, found).contains("no region"));
    }
}

#[test]
fn lines_are_as_the_contract_has_them() {
    let html = shop(1, &format!("<ul>{}</ul>", many(5, |n| format!("<li>{}</li>", card(1, n)))));
    let (documents, found) = find(&[html], &RecordsConfig::default());
    let line = serde_json::to_value(page_line(&documents[0], &found[0])).unwrap();
    assert_eq!(line["page"], "000.html");
    assert_eq!(line["cluster"], 0);
    let region = &line["regions"][0];
    assert_eq!(region["path"], "/html/body/div[2]/div[2]/ul");
    assert!(region["score"].as_f64().unwrap() > 0.5);
    let record = &region["records"][2];
    assert_eq!(record["paths"], serde_json::json!(["/html/body/div[2]/div[2]/ul/li[3]"]));
    assert_eq!(record["text"], format!("{} {} $2.99", title(1, 2), snippet(1, 2)));
    assert_eq!(record["units"], serde_json::json!([]));
}

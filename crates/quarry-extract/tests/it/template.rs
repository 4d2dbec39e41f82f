//! Are data units found, named and kept apart? Small pages with one thing each to get right.

use quarry_dom::Document;
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::lines::unit_line;
use quarry_extract::model::{LabelSource, SiteModel};
use quarry_extract::template::line::template_line;
use quarry_extract::template::{
    Aligner, RecordInput, TemplateConfig, UnitReader, extract, learn, mine,
};
use quarry_value::ValueKind;

const NAMES: [&str; 8] = [
    "Alder chair",
    "Birch table",
    "Cedar stool",
    "Damson lamp",
    "Elder shelf",
    "Fir bench",
    "Gorse desk",
    "Hazel bed",
];

fn page(item: impl Fn(usize) -> String) -> Document {
    let items: String = (0..NAMES.len()).map(|at| format!("<li>{}</li>", item(at))).collect();
    Document::from_html(&format!("<div><p>Shop</p></div><ul>{items}</ul>"))
}

fn found(document: &Document) -> PageRecords {
    let pages = [PageInput { id: "page.html", document, cluster: None }];
    find_records(&pages, &RecordsConfig::default()).remove(0)
}

fn learned(document: &Document) -> (PageRecords, SiteModel) {
    let found = found(document);
    let model = learn(&[document], std::slice::from_ref(&found), &TemplateConfig::default());
    (found, model)
}

/// The shown texts of the records, slot by slot.
fn units(document: &Document) -> Vec<Vec<(String, String)>> {
    let (found, model) = learned(document);
    let aligned = extract(document, &found, &model).remove(0);
    let shown = |unit: quarry_extract::template::DataUnit| {
        unit.attribute.is_none().then_some((unit.slot, unit.text))
    };
    aligned.into_iter().map(|record| record.units.into_iter().filter_map(shown).collect()).collect()
}

#[test]
fn the_same_unit_has_the_same_slot() {
    let document = page(|at| {
        let sale = if at % 3 == 0 { "<em class=sale>Sale today</em>" } else { "" };
        format!(
            "<h3><a href='/{at}'>{}</a></h3>{sale}<span class=price>${at}9.50</span>",
            NAMES[at]
        )
    });
    let records = units(&document);
    assert_eq!(records.len(), NAMES.len());
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record.first().unwrap(), &("1.1".to_owned(), NAMES[at].to_owned()));
        let price = record.last().unwrap();
        assert_eq!(price, &(records[0].last().unwrap().0.clone(), format!("${at}9.50")));
        assert_eq!(record.len(), if at % 3 == 0 { 3 } else { 2 });
    }
}

#[test]
fn highlighted_words_do_not_part_a_text() {
    let prose =
        "is made of solid wood from the valley, takes an hour to put together and lasts for years";
    let document = page(|at| {
        let words: Vec<&str> = prose.split(' ').collect();
        let marked: Vec<String> =
            words
                .iter()
                .enumerate()
                .map(|(number, word)| {
                    if number % 7 == at % 5 { format!("<b>{word}</b>") } else { (*word).to_owned() }
                })
                .collect();
        format!(
            "<h3><a href='/{at}'>{}</a></h3><p class=about>{} {}</p>",
            NAMES[at],
            NAMES[at],
            marked.join(" ")
        )
    });
    for (at, record) in units(&document).iter().enumerate() {
        assert_eq!(record.len(), 2, "{record:?}");
        assert_eq!(record[1].1, format!("{} {prose}", NAMES[at]));
    }
}

#[test]
fn missing_cells_leave_gaps() {
    let document = page(|at| {
        let colour = if at % 2 == 0 { "<p>Colour: red</p>" } else { "" };
        format!(
            "<h3><a href='/{at}'>{}</a></h3>{colour}<p>Weight: {at}4 kg</p><p>Stock: {at}2</p>",
            NAMES[at]
        )
    });
    let (found, model) = learned(&document);
    for (at, record) in extract(&document, &found, &model)[0].iter().enumerate() {
        let weight =
            record.units.iter().find(|unit| unit.label.as_deref() == Some("Weight")).unwrap();
        assert_eq!(weight.label_source, Some(LabelSource::Text));
        assert!(weight.text.contains(&format!("{at}4 kg")), "{weight:?}");
        assert!((0.0..=1.0).contains(&record.fit));
    }
    let line = template_line(&model.templates[0]);
    let colour = line.slots.iter().find(|slot| slot.label.as_deref() == Some("Colour")).unwrap();
    assert!(colour.optional && colour.support == 4);
}

#[test]
fn a_mark_between_values_parts_them() {
    let days = [
        "3 May 2021",
        "4 June 2022",
        "5 July 2020",
        "6 May 2019",
        "7 June 2018",
        "8 July 2023",
        "9 May 2024",
        "1 June 2017",
    ];
    let document = page(|at| {
        let kind = ["Oak", "Pine", "Beech"][at % 3];
        format!("<h3><a href='/{at}'>{}</a></h3><p>{kind} | {}</p>", NAMES[at], days[at])
    });
    for (at, record) in units(&document).iter().enumerate() {
        assert_eq!(record.len(), 3, "{record:?}");
        assert_eq!(record[2].1, days[at]);
    }
}

#[test]
fn labels_before_values_are_no_slots() {
    let document = page(|at| {
        format!(
            "<h3><a href='/{at}'>{}</a></h3><dl><dt>Maker</dt><dd>Maker {at} &amp; sons</dd></dl><i>In stock</i>",
            NAMES[at]
        )
    });
    let (_, model) = learned(&document);
    let line = template_line(&model.templates[0]);
    let shown: Vec<_> = line.slots.iter().filter(|slot| slot.attribute.is_none()).collect();
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert_eq!(shown[1].label.as_deref(), Some("Maker"));
    assert!(shown[2].constant && shown[2].samples == ["In stock"]);
}

#[test]
fn attributes_that_differ_are_slots_of_their_own() {
    let document = page(|at| {
        format!(
            "<a href='/thing/{at}'><img src='/{at}.jpg' alt='{0}'></a><h3>{0}</h3><time datetime='2024-05-1{at}'>May 1{at}</time>",
            NAMES[at]
        )
    });
    let (found, model) = learned(&document);
    let line =
        serde_json::to_value(unit_line(&document, &found, &UnitReader::new(&model))).unwrap();
    let units = line["regions"][0]["records"][3]["units"].as_array().unwrap();
    let value = |name: &str| {
        let unit = units.iter().find(|unit| unit["attribute"] == name).unwrap();
        (unit["text"].as_str().unwrap().to_owned(), unit["kind"].as_str().unwrap().to_owned())
    };
    assert_eq!(value("href"), ("/thing/3".to_owned(), ValueKind::Link.as_str().to_owned()));
    assert_eq!(value("src"), ("/3.jpg".to_owned(), "link".to_owned()));
    assert_eq!(value("datetime"), ("2024-05-13".to_owned(), "date".to_owned()));
}

#[test]
fn new_parts_are_said_to_be_new() {
    let item = |at: usize| {
        format!("<h3><a href='/{at}'>{}</a></h3><span class=price>${at}9.50</span>", NAMES[at])
    };
    let document = page(item);
    let (_, model) = learned(&document);
    let other =
        page(|at| format!("{}<blockquote><p>A word of praise {at}</p></blockquote>", item(at)));
    let nodes = found(&other).regions[0].records[2].nodes.clone();
    let aligner = Aligner::new(&model.templates[0]);
    let aligned = aligner.align(RecordInput { document: &other, nodes: &nodes });
    assert!(aligned.fit < 1.0 && aligned.fit > 0.3, "{}", aligned.fit);
    let new: Vec<&str> = aligned
        .units
        .iter()
        .filter(|unit| unit.slot == "1.new")
        .map(|unit| unit.text.as_str())
        .collect();
    assert_eq!(new, ["A word of praise 2"]);
}

/// Templates that know no place of a region are not tried: what is chosen is what trying all of them gives.
#[test]
fn a_region_is_read_by_the_template_that_fits_it_best() {
    let sites = [
        page(|at| format!("<h3><a href='/{at}'>{}</a></h3><p>{at} left</p>", NAMES[at])),
        page(|at| format!("<div><b>{}</b> <i>number {at}</i></div>", NAMES[at])),
        page(|at| format!("<dl><dt>Name</dt><dd><a href='/{at}'>{}</a></dd></dl>", NAMES[at])),
        page(|at| format!("<div><div><a href='/{at}'><b>{}</b></a></div></div>", NAMES[at])),
        page(|at| {
            format!("<span>{0}</span><h3><a href='/{at}'>{0} <b>new</b></a></h3>", NAMES[at])
        }),
    ];
    let pages: Vec<PageRecords> = sites.iter().map(found).collect();
    let documents: Vec<&Document> = sites.iter().collect();
    let model = learn(&documents, &pages, &TemplateConfig::default());
    assert!(model.templates.len() > 2, "{} templates", model.templates.len());
    let units = UnitReader::new(&model);
    let aligners: Vec<Aligner<'_>> = model.templates.iter().map(Aligner::new).collect();
    for (document, own) in sites.iter().zip(&pages) {
        let read = units.read(document, own.regions.iter());
        for (region, read) in own.regions.iter().zip(read) {
            let all = |aligner: &Aligner<'_>| -> Vec<_> {
                let records = region.records.iter();
                records
                    .map(|own| aligner.align(RecordInput { document, nodes: &own.nodes }))
                    .collect()
            };
            let fit = |aligner: &Aligner<'_>| all(aligner).iter().map(|own| own.fit).sum::<f64>();
            let best = aligners.iter().map(fit).fold(0.0, f64::max);
            let first = aligners.iter().find(|aligner| fit(aligner) == best);
            assert_eq!(read, all(first.expect("a template")));
        }
    }
}

#[test]
fn a_model_is_plain_text() {
    let document = page(|at| format!("<h3><a href='/{at}'>{}</a></h3><b>${at}9.50</b>", NAMES[at]));
    let (found, model) = learned(&document);
    let text = serde_json::to_string_pretty(&model).unwrap();
    let read: SiteModel = serde_json::from_str(&text).unwrap();
    assert_eq!(read, model);
    assert_eq!(extract(&document, &found, &read), extract(&document, &found, &model));
}

#[test]
fn nothing_gives_an_empty_template() {
    let template = mine(&[], &TemplateConfig::default());
    assert!(template.slots.is_empty() && template.edges.is_empty());
    let document = Document::from_html("");
    let nodes = [quarry_dom::NodeId::ROOT];
    let template =
        mine(&[RecordInput { document: &document, nodes: &nodes }], &TemplateConfig::default());
    assert!(template.slots.is_empty());
}

//! Does each rule beside the detectors do what it says, and no more? For each rule records that it is for, and records
//! that look alike and are none of its business.

use proptest::prelude::*;
use quarry_dom::{Document, NodeId, Tag};
use quarry_extract::model::Template;
use quarry_extract::template::{Aligner, RecordInput, TemplateConfig, mine};

const RECORDS: usize = 12;
const WORDS: [&str; 12] = [
    "amber", "basalt", "copper", "dolomite", "emerald", "feldspar", "granite", "hematite", "iron",
    "jasper", "kaolin", "lime",
];

/// Some words that differ from record to record.
fn words(at: usize, count: usize) -> String {
    let word = |number: usize| WORDS[(at * 5 + number * 7 + number * number) % WORDS.len()];
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// Mines records and gives the shown texts of each, with slots.
fn mined(item: impl Fn(usize) -> String) -> (Template, Vec<Vec<(String, String)>>) {
    let items: String = (0..RECORDS).map(|at| format!("<li>{}</li>", item(at))).collect();
    let document = Document::from_html(&format!("<ul>{items}</ul>"));
    let list = document.elements(Tag::UL).next().expect("the page has a list");
    let nodes: Vec<[NodeId; 1]> = document.child_elements(list).map(|item| [item]).collect();
    let records: Vec<RecordInput<'_>> =
        nodes.iter().map(|nodes| RecordInput { document: &document, nodes }).collect();
    let template = mine(&records, &TemplateConfig::default());
    let aligner = Aligner::new(&template);
    let units = records
        .iter()
        .map(|&record| {
            let units = aligner.align(record).units;
            let shown = units.into_iter().filter(|unit| unit.attribute.is_none());
            shown.map(|unit| (unit.slot, unit.text)).collect()
        })
        .collect();
    (template, units)
}

fn texts(units: &[(String, String)]) -> Vec<&str> {
    units.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn a_body_of_paragraphs_is_one_unit() {
    let paragraph = |at: usize, number: usize| {
        format!(
            "<p>{} and <a href='/x'>{}</a> again.</p>",
            words(at + number, 12),
            words(number, 2)
        )
    };
    let body = |at: usize| (0..1 + at % 3).map(|number| paragraph(at, number)).collect::<String>();
    let (_, records) =
        mined(|at| format!("<h3>{}</h3><div class=body>{}</div>", words(at, 3), body(at)));
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record.len(), 2, "{record:?}");
        assert!(record[1].1.matches("again.").count() == 1 + at % 3, "{record:?}");
    }
}

#[test]
fn paragraphs_of_a_template_stay_apart() {
    let (_, records) = mined(|at| {
        format!(
            "<div class=body><p>{}</p><p>{} {}</p><p>{at} May 2024</p></div>",
            words(at, 2),
            words(at + 1, 12),
            words(at + 2, 12)
        )
    });
    assert!(records.iter().all(|record| record.len() == 3), "{:?}", records[0]);
}

#[test]
fn links_on_words_of_prose_do_not_part_it() {
    let (_, records) = mined(|at| {
        let (before, behind) = (words(at, 9 + at % 4), words(at + 3, 11));
        format!(
            "<h3>{}</h3><p class=about>{before} <a href='/{at}'>{}</a> {behind}</p>",
            words(at, 2),
            words(at + 6, 2)
        )
    });
    assert!(records.iter().all(|record| record.len() == 2), "{:?}", records[0]);
}

#[test]
fn a_title_beside_a_name_and_prose_is_no_word_of_it() {
    let (_, records) = mined(|at| {
        format!(
            "<a class=title href='/{at}'>{}</a> by <a href='/u{at}'>{}</a> <div>{} {}.</div>",
            words(at, 4),
            words(at + 2, 1),
            words(at + 4, 12),
            words(at + 5, 12)
        )
    });
    for (at, record) in records.iter().enumerate() {
        assert_eq!(texts(record)[0], words(at, 4), "{record:?}");
    }
}

#[test]
fn classes_that_differ_in_every_record_are_no_kinds() {
    let id = |at: usize| format!("{}{}", WORDS[at % 12], WORDS[(at * 7 + 3) % 12]);
    let (template, records) = mined(|at| {
        format!(
            "<h3>{}</h3><p><a class='author id-{}' href='/u{at}'>user {at}</a></p>",
            words(at, 3),
            id(at)
        )
    });
    assert!(records.iter().all(|record| record[1].0 == records[0][1].0), "{records:?}");
    assert!(template.places.iter().all(|place| !place.path.contains("id-")));
    // Classes that say what a few records are stay.
    let (template, _) = mined(|at| {
        let kind = if at % 4 == 0 { "sale" } else { "price" };
        format!("<h3>{}</h3><b class={kind}>${at}.50</b>", words(at, 3))
    });
    assert!(template.places.iter().any(|place| place.path.contains("sale")));
}

#[test]
fn a_word_alone_on_a_line_with_a_value_is_its_label() {
    let (template, records) = mined(|at| {
        format!(
            "<h3>{}</h3><div><i>Maker</i> <u>{}</u></div><em>In stock</em>",
            words(at, 3),
            words(at + 2, 2)
        )
    });
    assert_eq!(template.slots[1].label.as_deref(), Some("Maker"));
    assert_eq!(records[0].len(), 3, "{:?}", records[0]);
    // The caption of a control names nothing but the control.
    let (_, records) = mined(|at| {
        format!(
            "<h3>{}</h3><label for=c{at}>Compare</label><input id=c{at} type=checkbox><b>${at}.50</b>",
            words(at, 3)
        )
    });
    assert_eq!(texts(&records[0])[1], "Compare");
}

#[test]
fn marks_between_elements_part_them() {
    let (_, records) = mined(|at| {
        let rating = if at % 2 == 0 { format!(" · <span>{at}.5</span>") } else { String::new() };
        format!(
            "<h3>{}</h3><p>Kind: <span>{}</span> · Made: <span>{at} May 2019</span>{rating} · <b>${at}.00</b></p>",
            words(at, 3),
            words(at + 1, 1)
        )
    });
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record.len(), if at % 2 == 0 { 5 } else { 4 }, "{record:?}");
        assert_eq!(texts(record)[2], format!("{at} May 2019"));
    }
}

#[test]
fn a_false_record_does_not_turn_a_constant_into_data() {
    let (template, _) = mined(|at| match at {
        7 => "<div><em>Read our news</em></div>".to_owned(),
        _ => format!(
            "<h3>{}</h3><p>{at} kg</p><b>${at}.00</b><div><em>In stock</em></div>",
            words(at, 3)
        ),
    });
    let constant: Vec<_> = template.slots.iter().filter(|slot| slot.constant).collect();
    assert_eq!(constant.len(), 1, "{:?}", template.slots);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Lists of different length whose entries do not repeat are aligned from their start: the first entries share a slot.
    #[test]
    fn lists_align_from_their_start(counts in prop::collection::vec(1..6usize, RECORDS)) {
        let (_, records) = mined(|at| {
            let tag = |tag: usize| format!("<a class=tag href='/t{tag}'>tag {at} {tag}</a>");
            let tags: String = (0..counts[at]).map(tag).collect();
            format!("<h3>{}</h3><div>{tags}</div>", words(at, 3))
        });
        for (record, count) in records.iter().zip(&counts) {
            prop_assert_eq!(record.len(), 1 + count);
            prop_assert_eq!(&record[1].0, &records[0][1].0);
        }
    }
}

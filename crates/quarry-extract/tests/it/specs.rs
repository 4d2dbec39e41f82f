//! Specifications: every mark-up read right, nothing found where there is nothing, generated shops, laws.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quarry_dom::{Document, Limits};
use quarry_extract::embedded::embedded_things;
use quarry_extract::spec::{
    IdKind, KnownPairs, Spec, SpecConfig, SpecFeatures, SpecMethod, SpecModel, SpecPage, Trees,
    embedded_specs, extract_specs, find_specs, induce, learn_specs, product_id, read_specs,
    specs_line,
};
use quarry_testsite::{
    FamilySpec, Site, SiteFamily, SiteRequest, SiteSpec, SpecStyle, Theme, Vertical,
};

/// Every candidate, whatever its score.
fn all() -> SpecConfig {
    SpecConfig { min_score: 0.0, min_names: 1, ..SpecConfig::default() }
}

fn pairs(specs: &[Spec]) -> Vec<(String, String)> {
    specs.iter().flat_map(|spec| &spec.pairs).map(|p| (p.name.clone(), p.value.clone())).collect()
}

/// The pairs that are read from a body, detector aside.
fn read(html: &str) -> Vec<(String, String)> {
    let document = Document::from_html(html);
    let found = find_specs(&[SpecPage { id: "page", document: &document }], &all());
    pairs(&found[0])
}

fn check(html: &str, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    assert_eq!(read(html), expected, "{html}");
}

const TWO: &[(&str, &str)] = &[("Weight", "2 kg"), ("Height", "40 cm")];

#[test]
fn every_mark_up_gives_the_same_pairs() {
    check(
        "<table><tr><th>Weight</th><td>2 kg</td></tr><tr><th>Height</th><td>40 cm</td></tr></table>",
        TWO,
    );
    check(
        "<table><tr><td>Weight:</td><td>2 kg</td></tr><tr><td>Height:</td><td>40 cm</td></tr></table>",
        TWO,
    );
    check("<table><tr><th>Weight</th><td>2 kg</td><th>Height</th><td>40 cm</td></tr></table>", TWO);
    check(
        "<table><tr><th>Weight</th><th>Height</th></tr><tr><td>2 kg</td><td>40 cm</td></tr></table>",
        TWO,
    );
    check("<dl><dt>Weight</dt><dd>2 kg</dd><dt>Height</dt><dd>40 cm</dd></dl>", TWO);
    check(
        "<dl><div><dt>Weight</dt><dd>2 kg</dd></div><div><dt>Height</dt><dd>40 cm</dd></div></dl>",
        TWO,
    );
    check("<ul><li>Weight: 2 kg</li><li>Height: 40 cm</li></ul>", TWO);
    check("<ul><li>Weight=2 kg</li><li>Height=40 cm</li></ul>", TWO);
    check("<ul><li><b>Weight:</b> 2 kg</li><li><b>Height:</b> 40 cm</li></ul>", TWO);
    check("<ul><li>Weight: <span>2 kg</span></li><li>Height: <span>40 cm</span></li></ul>", TWO);
    check(
        "<div><div><i>Weight</i><div><span>2 kg</span></div></div><div><i>Height</i><div><span>40 cm</span></div></div></div>",
        TWO,
    );
    check(
        "<div><span class=k>Weight</span><span class=v>2 kg</span><span class=k>Height</span><span class=v>40 cm</span></div>",
        TWO,
    );
    check(
        "<div><span class=value>2 kg</span><span class=label>Weight</span></div><div><span class=value>40 cm</span><span class=label>Height</span></div>",
        TWO,
    );
    check("<p>Weight: 2 kg<br>Height: 40 cm</p>", TWO);
    check("<p><b>Weight:</b> 2 kg<br><b>Height:</b> 40 cm</p>", TWO);
    check(
        "<div style='display:none'><table><tr><td>Weight</td><td>2 kg</td></tr><tr><td>Height</td><td>40 cm</td></tr></table></div>",
        TWO,
    );
    let wrapped = |name: &str, value: &str| {
        format!("<tr><td><table><tr><td>{name}</td><td>{value}</td></tr></table></td></tr>")
    };
    check(
        &format!("<table>{}{}</table>", wrapped("Weight", "2 kg"), wrapped("Height", "40 cm")),
        TWO,
    );
}

#[test]
fn an_empty_cell_does_not_take_the_next_name() {
    check(
        "<table><tr><th>Weight</th><td>2 kg</td><th>Width</th><td>3 cm</td></tr>
         <tr><th>Height</th><td>40 cm</td><th>Depth</th><td></td></tr>
         <tr><th>Colour</th><td></td><th>Power</th><td>9 W</td></tr>
         <tr><th>Sound</th><td></td><th>Smell</th><td></td></tr></table>",
        &[("Weight", "2 kg"), ("Width", "3 cm"), ("Height", "40 cm"), ("Power", "9 W")],
    );
}

/// More rows, siblings and objects than used to be looked at.
#[test]
fn long_tables_are_read_to_their_end() {
    const MANY: usize = 2_500;
    let of = |element: &dyn Fn(usize) -> String| -> String { (0..MANY).map(element).collect() };
    let rows = of(&|n| format!("<tr><th>Part {n}</th><td>Value {n}</td></tr>"));
    let boxes = of(&|n| format!("<div><b>Part {n}</b><i>Value {n}</i></div>"));
    for html in [format!("<table>{rows}</table>"), format!("<div>{boxes}</div>")] {
        let found = read(&html);
        let last = (format!("Part {}", MANY - 1), format!("Value {}", MANY - 1));
        assert!(found.contains(&last), "{} pairs", found.len());
    }
    let objects =
        of(&|n| format!(",{{\"@type\":\"Product\",\"name\":\"Thing {n}\",\"sku\":\"S{n}\"}}"));
    let script = format!("<script type=application/ld+json>[0{objects}]</script>");
    let things = embedded_things(&Document::from_html(&script));
    assert_eq!(things.len(), MANY);
}

#[test]
fn groups_sections_lists_and_icons() {
    let document = Document::from_html(
        "<h2>Size</h2><table><tr><td rowspan=2>Outside</td><td>Height</td><td>4 cm</td></tr><tr><td>Width</td><td>3 cm</td></tr>
         <tr><td colspan=3>Radio</td></tr><tr><td>Radio</td><td>Wireless</td><td><img alt=Yes src=y.png></td></tr></table>",
    );
    let found = find_specs(&[SpecPage { id: "page", document: &document }], &all());
    let read: Vec<_> = found[0][0]
        .pairs
        .iter()
        .map(|p| (p.section.as_deref(), p.name.as_str(), p.value.as_str(), p.attribute))
        .collect();
    assert_eq!(
        read,
        [
            (Some("Outside"), "Height", "4 cm", None),
            (Some("Outside"), "Width", "3 cm", None),
            (Some("Radio"), "Wireless", "Yes", Some("alt")),
        ]
    );
    let document = Document::from_html(
        "<dl><dt>Colours</dt><dd><a href=/r>Red</a>, <a href=/b>Blue</a></dd><dt>Mass</dt><dd>1 kg</dd></dl>",
    );
    let found = find_specs(&[SpecPage { id: "page", document: &document }], &all());
    let items: Vec<_> =
        found[0][0].pairs.iter().map(|p| (p.name.as_str(), p.value.as_str(), p.item)).collect();
    assert_eq!(items, [("Colours", "Red", 1), ("Colours", "Blue", 2), ("Mass", "1 kg", 0)]);
}

#[test]
fn pages_without_specification_have_none() {
    let check = |html: &str| {
        let document = Document::from_html(html);
        let found =
            find_specs(&[SpecPage { id: "page", document: &document }], &SpecConfig::default());
        assert!(found[0].is_empty(), "{html}: {:?}", pairs(&found[0]));
    };
    check("");
    check(
        "<nav><ul><li><a href=/a>Home</a><li><a href=/b>Shop: all</a></ul></nav><p>Note: we are closed today.</p>",
    );
    check(
        "<form><table><tr><td>E-mail:</td><td><input name=e></td></tr><tr><td>Password:</td><td><input name=p></td></tr></table></form>",
    );
    let result = |n: u32| {
        format!(
            "<li><h3><a href=/{n}>Result {n}</a></h3><p>Some words about the thing that was found, number {n}.</p></li>"
        )
    };
    check(&format!("<h1>Search</h1><ol>{}</ol>", (0..10).map(result).collect::<String>()));
}

#[test]
fn titles_choices_and_players_are_no_pairs() {
    check(
        "<table><tr><th>Attribute</th><th>Value</th></tr><tr><td>Weight</td><td>2 kg</td></tr><tr><td>Height</td><td>40 cm</td></tr></table>",
        TWO,
    );
    let choice =
        |name: &str| format!("<td><input type=checkbox name={name}><label>{name}</label></td>");
    let row = |name: &str| format!("<tr>{}{}</tr>", choice(name), choice(&format!("{name}-talk")));
    check(&format!("<form><table>{}{}</table></form>", row("Help"), row("Template")), &[]);
    check(
        "<div class=vjs-control-bar><div><span>Current Time</span> 0:00</div><div><span>Duration Time</span> 0:00</div></div>",
        &[],
    );
}

/// A page's id, the page, and its true pairs.
type ShopPage = (String, Document, BTreeSet<(String, String)>);

fn shop_pages(shop: &Site, count: usize) -> Vec<ShopPage> {
    let key = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = |truth: quarry_testsite::TruthLine| {
        let answer = shop.respond(&SiteRequest::get(truth.url.clone()));
        let document = Document::parse(
            answer.text().as_bytes(),
            Some("text/html; charset=utf-8"),
            &Limits::default(),
        );
        (
            truth.url,
            document,
            truth.specs.iter().map(|(name, value)| (key(name), key(value))).collect(),
        )
    };
    shop.truth().take(count).map(page).collect()
}

#[test]
fn generated_shops_in_every_style() {
    let mut sum = 0.0;
    for (number, &style) in SpecStyle::ALL.iter().enumerate() {
        let theme = Theme::ALL[(number + 1) % Theme::ALL.len()];
        let vertical = [Vertical::Electronics, Vertical::Shoes, Vertical::Phones][number % 3];
        let shop = Site::generate(SiteSpec {
            specs: style,
            theme,
            vertical,
            entities: 12,
            seed: 5,
            ..SiteSpec::default()
        });
        let pages = shop_pages(&shop, 6);
        let inputs: Vec<SpecPage<'_>> =
            pages.iter().map(|(id, document, _)| SpecPage { id, document }).collect();
        let found = find_specs(&inputs, &SpecConfig::default());
        let (mut right, mut out, mut wanted) = (0, 0, 0);
        let mut wrong = BTreeSet::new();
        for (specs, (_, _, truth)) in found.iter().zip(&pages) {
            let read: BTreeSet<(String, String)> = pairs(specs).into_iter().collect();
            right += read.intersection(truth).count();
            out += read.len();
            wanted += truth.len();
            wrong.extend(read.difference(truth).cloned());
        }
        // One theme prints maker and rating in the list that has the price; of the three the truth has the price only.
        let least = if matches!(theme, Theme::Definitions) { 0.94 } else { 0.97 };
        let f1 = 2.0 * f64::from(right as u32) / f64::from((out + wanted) as u32);
        assert!(
            f1 >= least,
            "{style:?} {theme:?} {vertical:?}: F1 {f1:.3}, {right} right of {out}, {wanted} wanted, wrong: {wrong:?}"
        );
        sum += f1;
    }
    let mean = sum / SpecStyle::ALL.len() as f64;
    assert!(mean >= 0.99, "mean F1 {mean:.3}");
}

#[test]
fn a_model_reads_later_pages_and_survives_being_written() {
    let shop =
        Site::generate(SiteSpec { specs: SpecStyle::Divs, entities: 16, ..SiteSpec::default() });
    let pages = shop_pages(&shop, 10);
    let inputs: Vec<SpecPage<'_>> =
        pages.iter().map(|(id, document, _)| SpecPage { id, document }).collect();
    let config = SpecConfig::default();
    let model = learn_specs(&inputs[..6], &KnownPairs::default(), &config);
    let written = serde_json::to_string(&model).expect("plain data becomes JSON");
    let model: SpecModel = serde_json::from_str(&written).expect("as it was written");
    for (_, document, truth) in &pages[6..] {
        let read: BTreeSet<_> =
            pairs(&extract_specs(document, &model, &config)).into_iter().collect();
        assert_eq!(&read, truth);
    }
}

#[test]
fn known_pairs_teach_where_names_and_values_stand() {
    let base = SiteSpec {
        specs: SpecStyle::Paragraphs,
        vertical: Vertical::Electronics,
        entities: 20,
        ..SiteSpec::default()
    };
    let family = SiteFamily::generate(&FamilySpec {
        base,
        sites: 2,
        overlap: 0.6,
        vary_format: false,
        ..FamilySpec::default()
    });
    let mut known = KnownPairs::default();
    for (name, value) in family.sites[1].truth().flat_map(|truth| truth.specs) {
        known.add(&name, &value);
    }
    let pages = shop_pages(&family.sites[0], 8);
    let documents: Vec<&Document> = pages.iter().map(|(_, document, _)| document).collect();
    let wrapper = induce(&documents, &known).expect("the rules are paired");
    assert_ne!(wrapper.name, wrapper.value);
    let inputs: Vec<SpecPage<'_>> =
        pages.iter().map(|(id, document, _)| SpecPage { id, document }).collect();
    for (specs, (_, _, truth)) in
        read_specs(&inputs, &known, &SpecConfig::default()).iter().zip(&pages)
    {
        assert_eq!(specs[0].method, SpecMethod::Wrapper);
        assert_eq!(&pairs(specs).into_iter().collect::<BTreeSet<_>>(), truth);
    }
    assert_eq!(induce(&documents, &KnownPairs::default()), None);
    let lines = "{\"name\": \"Weight\", \"value\": \"2 kg\"}\n{\"specs\": [{\"pairs\": [{\"name\": \"a\", \"value\": \"b\"}]}]}\n";
    assert!(!KnownPairs::from_lines(lines).expect("both forms").is_empty());
    assert!(KnownPairs::from_lines("no JSON").expect_err("an error").starts_with("line 1"));
}

#[test]
fn embedded_data_is_read_and_never_invented() {
    let document = Document::from_html(
        "<script type='application/ld+json'>{\"@graph\": [{\"@type\": \"Product\", \"name\": \"Lamp\", \"gtin13\": \"4006381333931\",
         \"brand\": {\"name\": \"Norva\"}, \"additionalProperty\": [{\"name\": \"Socket\", \"value\": \"E27\"},
         {\"name\": \"Power\", \"value\": 9, \"unitText\": \"W\"}]}]}</script>
         <div itemscope itemtype='https://schema.org/Product'><meta itemprop=color content=red><b itemprop=material>steel</b></div>
         <script type='application/ld+json'>{broken</script>",
    );
    let found = embedded_specs(&document);
    let read: BTreeSet<(String, String)> = pairs(&found).into_iter().collect();
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let expected = BTreeSet::from([
        pair("gtin13", "4006381333931"),
        pair("brand", "Norva"),
        pair("Socket", "E27"),
        pair("Power", "9 W"),
        pair("color", "red"),
        pair("material", "steel"),
    ]);
    assert_eq!(read, expected);
    assert!(found.iter().all(|spec| spec.method == SpecMethod::Embedded));
    let line = specs_line(&document, "lamp.html", &found);
    assert_eq!(line.ids.len(), 1);
}

#[test]
fn product_ids_by_label_and_check_digit() {
    let check = |name: &str, value: &str, expected: Option<(IdKind, &str)>| {
        let found = product_id(name, value).map(|found| (found.kind, found.id));
        assert_eq!(found, expected.map(|(kind, id)| (kind, id.to_owned())), "{name}: {value}");
    };
    check("EAN", "4006381333931", Some((IdKind::Gtin, "04006381333931")));
    check("EAN", "4006381333932", None);
    check("ISBN-10", "0-306-40615-2", Some((IdKind::Isbn, "09780306406157")));
    check("Mfr. Part Number", "ABC-123", Some((IdKind::Mpn, "ABC-123")));
    check("Herst.-Artikelnummer", "60005830", Some((IdKind::Mpn, "60005830")));
    check("Artikelnummer", "60005830", Some((IdKind::Sku, "60005830")));
    check("Model", "X100", Some((IdKind::Model, "X100")));
    check("Modelling clay", "100 g", None);
    check("Weight", "4006381333931", None);
}

#[test]
fn trees_are_read_as_written() {
    let text = "version 1\nbias 0.5\ntree\nsplit rows 3 1 2\nleaf -1\nleaf 2\n";
    let trees = Trees::parse(text, SpecFeatures::NAMES).expect("sound");
    assert_eq!(trees.to_text(SpecFeatures::NAMES), text);
    let mut features = SpecFeatures { rows: 5.0, ..SpecFeatures::default() };
    assert!((trees.log_odds(&features.values()) - 2.5).abs() < 1e-6);
    features.rows = 1.0;
    assert!((trees.log_odds(&features.values()) + 0.5).abs() < 1e-6);
    let wrong = |text: &str| assert!(Trees::parse(text, SpecFeatures::NAMES).is_err(), "{text}");
    wrong("bias 0");
    wrong("version 1\nleaf 1");
    wrong("version 1\ntree\nsplit rows 3 0 1\nleaf 1");
    wrong("version 1\ntree\nsplit no_such_figure 3 1 2\nleaf 1\nleaf 1");
}

fn anything() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<table>",
        "</table>",
        "<tr>",
        "<td rowspan=3>",
        "<td colspan=2>",
        "<th>",
        "<dl>",
        "<dt>",
        "<dd>",
        "</dl>",
        "<ul>",
        "<li>",
        "</ul>",
        "<div class=k>",
        "<div class=v>",
        "</div>",
        "<span>",
        "</span>",
        "<b>",
        "</b>",
        "<br>",
        "Name: ",
        "value",
        "=",
        ":",
        " ",
        "12 kg",
        "<img alt=Yes>",
        "<i class=check></i>",
        "<select>",
        "</select>",
        "<a href=/>",
        "</a>",
        "<p>",
        "<script>",
        "</script>",
        "：",
        "ß",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn pairs_stand_on_the_page_and_order_does_not_matter(pages in prop::collection::vec(anything(), 1..4)) {
        let documents: Vec<Document> = pages.iter().map(|html| Document::from_html(html)).collect();
        let ids: Vec<String> = (0..pages.len()).map(|number| number.to_string()).collect();
        let inputs: Vec<SpecPage<'_>> = documents.iter().zip(&ids).map(|(document, id)| SpecPage { id, document }).collect();
        let found = find_specs(&inputs, &all());
        for (specs, document) in found.iter().zip(&documents) {
            let line = specs_line(document, "page", specs);
            for (spec, written) in specs.iter().zip(&line.specs) {
                for (pair, written) in spec.pairs.iter().zip(&written.pairs) {
                    prop_assert!(!pair.name.is_empty() && !pair.value.is_empty());
                    prop_assert_eq!(document.node_at(&written.name_path), Some(pair.name_node));
                    prop_assert_eq!(document.node_at(&written.value_path), Some(pair.place(document)));
                    prop_assert!(document.contains(spec.node, pair.name_node));
                }
            }
        }
        let mut turned = inputs.clone();
        turned.reverse();
        let mut again = find_specs(&turned, &all());
        again.reverse();
        for (one, other) in found.iter().zip(&again) {
            prop_assert_eq!(pairs(one), pairs(other));
        }
        let model = learn_specs(&inputs, &KnownPairs::default(), &all());
        for document in &documents {
            extract_specs(document, &model, &all());
        }
    }
}

/// A page with names and values in mark-up that no rule of rows knows, made-up words and hashed classes.
fn odd_page(n: usize) -> String {
    const KINDS: [&str; 4] = ["Zarn", "Wobel", "Trisk", "Quon"];
    format!(
        "<nav><a href=/>Plim</a> <a href=/o>Orvan</a></nav><div class=k1><p>Lorum {n}</p></div>\
         <div class=z9><section><i class=q7>Gromel</i><article><u>{}</u></article></section>\
         <section><i class=q7>Fertan</i><article><u>{} klo</u></article></section>\
         <section><i class=q7>Hibbel</i><article><u>Mar {}</u></article></section></div>\
         <p>Skarn: {} dop</p><footer>Plim 2026</footer>",
        KINDS[n % KINDS.len()],
        10 + 7 * n,
        n % 5,
        3 * n + 1,
    )
}

#[test]
fn names_before_values_are_found_in_any_mark_up() {
    let documents: Vec<Document> = (0..12).map(|n| Document::from_html(&odd_page(n))).collect();
    let ids: Vec<String> = (0..12).map(|n| format!("{n:02}")).collect();
    let pages: Vec<SpecPage<'_>> =
        ids.iter().zip(&documents).map(|(id, document)| SpecPage { id, document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    for (n, specs) in found.iter().enumerate() {
        let pairs: BTreeSet<(&str, &str)> = specs
            .iter()
            .flat_map(|spec| &spec.pairs)
            .map(|pair| (pair.name.as_str(), pair.value.as_str()))
            .collect();
        let (weight, amount) = (format!("{} klo", 10 + 7 * n), format!("{} dop", 3 * n + 1));
        assert!(pairs.contains(&("Fertan", weight.as_str())), "page {n}: {pairs:?}");
        assert!(pairs.contains(&("Skarn", amount.as_str())), "page {n}: {pairs:?}");
        assert!(pairs.iter().any(|pair| pair.0 == "Gromel"), "page {n}: {pairs:?}");
        assert!(
            pairs.iter().all(|pair| !["Plim", "Orvan"].contains(&pair.0)),
            "page {n}: {pairs:?}"
        );
    }
}

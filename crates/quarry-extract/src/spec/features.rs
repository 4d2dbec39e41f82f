//! The features of a fragment that speak for or against a specification. The features of the paper
//! (§4.1), those of Wang and Hu for tables, and more: names and values as words, what the box is
//! called, what the other pages of the site have.

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::boxes::Boxes;
use super::fragment::Fragment;
use super::outline::{Outline, Span};
use super::pair::Pair;
use super::row::{RowKind, ends_in_colon};
use super::site::SiteFigures;
use super::words;
use quarry_value::{ValueKind, kind};

macro_rules! features {
    ($($name:ident,)*) => {
        /// The features of a fragment. -1 stands for "not known".
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct SpecFeatures { $(
            #[doc = concat!("`", stringify!($name), "`; docs/algorithms/spec.md has the list")]
            pub $name: f32,
        )* }

        impl SpecFeatures {
            /// The names, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// The features, in the order of their names.
            pub fn values(&self) -> Vec<f32> {
                vec![$(self.$name),*]
            }
        }
    };
}

features! {
    // The paper's.
    links_per_row, rows, row_chars, row_chars_deviation, depth, depth_deviation, images_per_row, spec_words, markup,
    capital_number,
    // Wang and Hu's.
    columns, columns_deviation, value_chars_deviation, value_digit_share, value_link_share, value_image_share,
    value_kind_agreement, control_share,
    // Names and values.
    name_chars, name_chars_max, name_words, name_colons, names_distinct, names_linked, names_upper, names_with_digit,
    value_chars, value_chars_max, values_numeric, values_short, values_prose, values_price, values_date, values_equal,
    attribute_words, other_words, names_repeated, names_elsewhere, name_role, value_role, pairs_per_row,
    // The place.
    called_spec, called_boilerplate, heading_spec, hidden, in_form, in_link, position, page_share, page_links, page_product,
    like_fragments, like_rows, rows_of_most, page_fragments,
    // The site.
    site_pages, site_support, site_variety, site_constant, site_key_pages,
}

/// What is the same for all fragments of a page.
#[derive(Debug)]
pub(crate) struct PageFeatures {
    boxes: Boxes,
    leaves: usize,
    chars: u32,
    links: f32,
    product: bool,
    most_rows: usize,
    fragments: usize,
}

impl PageFeatures {
    pub(crate) fn new(outline: &Outline<'_>, fragments: &[Fragment]) -> Self {
        let all = outline.span(NodeId::ROOT);
        let chars = outline.chars(all);
        Self {
            boxes: Boxes::new(outline.document, fragments.iter().map(|fragment| fragment.node)),
            leaves: outline.leaves.len(),
            chars,
            links: outline.linked_chars(all) as f32 / chars.max(1) as f32,
            product: says_product(outline.document),
            most_rows: fragments.iter().map(|fragment| fragment.rows.len()).max().unwrap_or(0),
            fragments: fragments.len(),
        }
    }
}

/// Whether the page itself says that it is about a product.
fn says_product(document: &Document) -> bool {
    document.all().filter(|&node| document.is_element(node)).any(|node| {
        let typed = document
            .known_attr(node, Attr::ITEMTYPE)
            .is_some_and(|kind| kind.ends_with("/Product"));
        let graph = document.is(node, Tag::META)
            && document.known_attr(node, Attr::PROPERTY) == Some("og:type")
            && document
                .known_attr(node, Attr::CONTENT)
                .is_some_and(|kind| kind.contains("product"));
        let linked = document.is(node, Tag::SCRIPT)
            && document.known_attr(node, Attr::TYPE) == Some("application/ld+json")
            && document.text_content(node).contains("\"Product\"");
        typed || graph || linked
    })
}

/// What the other fragments of the page have in common with one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SharedNames {
    /// Fragments with the same key, itself included, and their rows.
    pub(crate) fragments: usize,
    pub(crate) rows: usize,
    /// The share of its names that others with the same key have too, as the records of a list do.
    pub(crate) names_repeated: f32,
    /// The share of its names that any other fragment has.
    pub(crate) names_elsewhere: f32,
}

/// The features of a fragment.
pub(crate) fn features(
    outline: &Outline<'_>,
    fragment: &Fragment,
    page: &PageFeatures,
    shared: &SharedNames,
    site: &SiteFigures,
) -> SpecFeatures {
    let document = outline.document;
    let rows = &fragment.rows;
    let count = rows.len() as f32;
    let spans: Vec<Span> = rows
        .iter()
        .map(|row| Span { first: row.cells[0].first, end: row.cells[row.cells.len() - 1].end })
        .collect();
    let sum =
        |feature: &dyn Fn(Span) -> u32| spans.iter().map(|&span| feature(span)).sum::<u32>() as f32;
    let chars = Series::of(spans.iter().map(|&span| outline.chars(span) as f32));
    let depths = Series::of(rows.iter().map(|row| document.depth(row.cells[0].first) as f32));
    let columns = Series::of(rows.iter().map(|row| row.cells.len().max(2) as f32));
    let (linked_names, linked_values) = linked(outline, fragment);
    let around = surroundings(outline, fragment, &page.boxes);
    let names = NameFigures::of(&fragment.pairs);
    let values = ValueFigures::of(&fragment.pairs);
    let colons = rows.iter().filter(|row| has_colon(outline, row)).count() as f32;
    let role = |at: usize| {
        let node = rows[0].cells.get(at).map(|cell| cell.first);
        let role = node.and_then(|node| document.classes(node).find_map(words::class_role));
        role.map_or(0.0, |is_name| if is_name == (at == 0) { 1.0 } else { -1.0 })
    };
    let first = outline.leaf_range(spans[0]).start as f32;
    SpecFeatures {
        links_per_row: sum(&|span| outline.links(span)) / count,
        rows: count,
        row_chars: chars.mean,
        row_chars_deviation: chars.deviation,
        depth: depths.mean,
        depth_deviation: depths.deviation,
        images_per_row: sum(&|span| outline.images(span)) / count,
        spec_words: around.spec_words,
        markup: markup(fragment.kind, document, fragment.node),
        capital_number: names.capital_number,
        columns: columns.mean,
        columns_deviation: columns.deviation,
        value_chars_deviation: values.chars.deviation,
        value_digit_share: values.digits,
        value_link_share: linked_values,
        value_image_share: fragment.pairs.iter().filter(|pair| pair.attribute.is_some()).count()
            as f32
            / fragment.pairs.len() as f32,
        value_kind_agreement: values.agreement,
        control_share: outline.controls(outline.span(fragment.node)) as f32 / count,
        name_chars: names.chars.mean,
        name_chars_max: names.chars.max,
        name_words: names.words,
        name_colons: colons / count,
        names_distinct: names.distinct,
        names_linked: linked_names,
        names_upper: names.upper,
        names_with_digit: names.with_digit,
        value_chars: values.chars.mean,
        value_chars_max: values.chars.max,
        values_numeric: values.numeric,
        values_short: values.short,
        values_prose: values.prose,
        values_price: values.price,
        values_date: values.date,
        values_equal: values.equal,
        attribute_words: names.attribute,
        other_words: names.other,
        names_repeated: shared.names_repeated,
        names_elsewhere: shared.names_elsewhere,
        name_role: role(0),
        value_role: role(1),
        pairs_per_row: fragment.pairs.len() as f32 / count,
        called_spec: around.called_spec,
        called_boilerplate: around.boilerplate,
        heading_spec: around.heading_spec,
        hidden: f32::from(u8::from(document.is_hidden(fragment.node))),
        in_form: f32::from(u8::from(document.ancestor_named(fragment.node, Tag::FORM).is_some())),
        in_link: f32::from(u8::from(document.ancestor_named(fragment.node, Tag::A).is_some())),
        position: first / page.leaves.max(1) as f32,
        page_share: chars.mean * count / page.chars.max(1) as f32,
        page_links: page.links,
        page_product: f32::from(u8::from(page.product)),
        like_fragments: shared.fragments as f32,
        like_rows: shared.rows as f32,
        rows_of_most: count / page.most_rows.max(1) as f32,
        page_fragments: page.fragments as f32,
        site_pages: site.pages,
        site_support: site.support,
        site_variety: site.variety,
        site_constant: site.constant,
        site_key_pages: site.key_pages,
    }
}

fn has_colon(outline: &Outline<'_>, row: &super::row::Row) -> bool {
    row.kind == RowKind::Colon || ends_in_colon(&outline.text(row.cells[0]))
}

fn markup(kind: RowKind, document: &Document, node: NodeId) -> f32 {
    let list = matches!(document.tag(node), Some(Tag::UL | Tag::OL));
    match kind {
        RowKind::Table => 0.0,
        RowKind::Header => 1.0,
        RowKind::Terms => 2.0,
        RowKind::Parts | RowKind::Turns if list => 3.0,
        RowKind::Colon if list => 4.0,
        RowKind::Parts => 5.0,
        RowKind::Turns => 6.0,
        RowKind::Colon => 7.0,
    }
}

/// The shares of characters in links, in names and in values.
fn linked(outline: &Outline<'_>, fragment: &Fragment) -> (f32, f32) {
    let (mut names, mut values) = ((0, 0), (0, 0));
    for row in &fragment.rows {
        for (at, &cell) in row.cells.iter().enumerate() {
            let sums = if at + 1 < row.cells.len() { &mut names } else { &mut values };
            sums.0 += outline.linked_chars(cell);
            sums.1 += outline.chars(cell);
        }
    }
    let share = |(linked, all): (u32, u32)| linked as f32 / all.max(1) as f32;
    (share(names), share(values))
}

#[derive(Default)]
struct Surroundings {
    spec_words: f32,
    called_spec: f32,
    heading_spec: f32,
    boilerplate: f32,
}

/// How many texts before the fragment may be its heading.
const HEADING_LEAVES: usize = 3;

fn surroundings(outline: &Outline<'_>, fragment: &Fragment, boxes: &Boxes) -> Surroundings {
    let document = outline.document;
    let mut found = Surroundings {
        called_spec: boxes.called_spec(document, fragment.node) as f32,
        boilerplate: f32::from(boxes.boilerplate(fragment.node)),
        ..Surroundings::default()
    };
    let first = outline.leaf_range(Span {
        first: fragment.rows[0].cells[0].first,
        end: fragment.rows[0].cells[0].end,
    });
    let before = &outline.leaves[first.start.saturating_sub(HEADING_LEAVES)..first.start];
    let heads = before.iter().filter(|leaf| leaf.chars > 0 && leaf.chars < 60);
    let near = heads.filter(|leaf| words::speaks_of_specs(document.text(leaf.node))).count();
    found.heading_spec = near as f32;
    let section = fragment.rows.iter().filter_map(|row| row.section).map(|span| outline.text(span));
    let sections = section.filter(|text| words::speaks_of_specs(text)).count();
    found.spec_words = found.called_spec + found.heading_spec + f32::from(u8::from(sections > 0));
    found
}

/// Mean, deviation and maximum.
#[derive(Clone, Copy, Default)]
struct Series {
    mean: f32,
    deviation: f32,
    max: f32,
}

impl Series {
    fn of(values: impl Iterator<Item = f32>) -> Self {
        let values: Vec<f32> = values.collect();
        let count = values.len().max(1) as f32;
        let mean = values.iter().sum::<f32>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count;
        Self { mean, deviation: variance.sqrt(), max: values.iter().copied().fold(0.0, f32::max) }
    }
}

struct NameFigures {
    chars: Series,
    words: f32,
    distinct: f32,
    upper: f32,
    with_digit: f32,
    attribute: f32,
    other: f32,
    capital_number: f32,
}

impl NameFigures {
    fn of(pairs: &[Pair]) -> Self {
        let first: Vec<&Pair> = pairs.iter().filter(|pair| pair.item <= 1).collect();
        let count = first.len().max(1) as f32;
        let share = |test: &dyn Fn(&str) -> bool| {
            first.iter().filter(|pair| test(&pair.name)).count() as f32 / count
        };
        let mut distinct: Vec<&str> = first.iter().map(|pair| pair.name.as_str()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let capital = first.iter().filter(|pair| capitals_then_number(pair)).count();
        Self {
            chars: Series::of(first.iter().map(|pair| pair.name.chars().count() as f32)),
            words: first.iter().map(|pair| pair.name.split(' ').count() as f32).sum::<f32>()
                / count,
            distinct: distinct.len() as f32 / count,
            upper: share(&|name| name.chars().next().is_some_and(char::is_uppercase)),
            with_digit: share(&|name| name.chars().any(|char| char.is_ascii_digit())),
            attribute: share(&words::names_an_attribute),
            other: share(&words::names_something_else),
            capital_number: capital as f32 / count,
        }
    }
}

/// The paper's pattern: two capitalised words and a number behind them, "Weight Max 40 pounds".
fn capitals_then_number(pair: &Pair) -> bool {
    let words: Vec<&str> = pair.name.split(' ').chain(pair.value.split(' ')).take(8).collect();
    words.windows(3).any(|three| {
        let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
        capital(three[0])
            && capital(three[1])
            && three[2].starts_with(|char: char| char.is_ascii_digit())
    })
}

struct ValueFigures {
    chars: Series,
    digits: f32,
    numeric: f32,
    short: f32,
    prose: f32,
    price: f32,
    date: f32,
    equal: f32,
    agreement: f32,
}

/// Values above this many words are prose.
const PROSE_WORDS: usize = 25;
/// Values up to this many characters are short.
const SHORT_CHARS: usize = 25;

impl ValueFigures {
    fn of(pairs: &[Pair]) -> Self {
        let count = pairs.len().max(1) as f32;
        let mut kinds = [0_usize; 5];
        for pair in pairs {
            kinds[kind(&pair.value) as usize] += 1;
        }
        let share = |test: &dyn Fn(&str) -> bool| {
            pairs.iter().filter(|pair| test(&pair.value)).count() as f32 / count
        };
        let mut distinct: Vec<&str> = pairs.iter().map(|pair| pair.value.as_str()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        Self {
            chars: Series::of(pairs.iter().map(|pair| pair.value.chars().count() as f32)),
            digits: share(&|value| value.chars().any(|char| char.is_ascii_digit())),
            numeric: kinds[ValueKind::Number as usize] as f32 / count,
            short: share(&|value| value.chars().count() <= SHORT_CHARS),
            prose: share(&|value| value.split(' ').count() > PROSE_WORDS),
            price: kinds[ValueKind::Price as usize] as f32 / count,
            date: kinds[ValueKind::Date as usize] as f32 / count,
            equal: distinct.len() as f32 / count,
            agreement: kinds.iter().copied().max().unwrap_or(0) as f32 / count,
        }
    }
}

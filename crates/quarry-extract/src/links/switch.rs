//! Finds links that show the same entities in another way: sort orders, page sizes, exports; and removals,
//! which show more of them.

use std::collections::BTreeSet;

use quarry_dom::Kind;
use url::Url;

use super::anchor::{Anchor, Anchors, Frame};
use super::attribute::RowLabels;
use super::count;
use super::entity::PageList;
use super::shape::{UrlChange, changes};
use super::words::{
    EXPORT, EXPORT_ENDINGS, REMOVE, REMOVE_MARKS, SIZE, SIZE_KEYS, SORT, SORT_KEYS, has, plain,
    says,
};
use super::{LabelledLink, LinkMap, SizeLink};
use crate::text::name_parts;

/// Records of a list up to which its end is uncertain; then switches may seem to stand in one.
const MAX_UNCERTAIN_RECORDS: usize = 2;

/// Siblings before a link that are looked at for the predicate that it takes away.
const LABEL_SIBLINGS: usize = 40;

/// Takes the switches out of the links that are left.
pub(super) fn take(anchors: &mut Anchors<'_>, found: &PageList, map: &mut LinkMap) {
    let forms = alternates(anchors, map);
    // A cross in every record takes the record away, as in a cart.
    let crosses = anchors
        .list
        .iter()
        .filter(|anchor| is_mark(&anchor.text) && found.in_records(anchors.document, anchor.node));
    let in_each = crosses.count() > 2.max(found.entities.len() / 2);
    let mut labels = RowLabels::new();
    let mut known: BTreeSet<(Switch, String)> = BTreeSet::new();
    known.extend(map.exports.iter().map(|export| (Switch::Export, export.href.clone())));
    for at in 0..anchors.list.len() {
        let anchor = &anchors.list[at];
        if anchor.taken || anchor.jumps || found.is_entity(at) {
            continue;
        }
        let changes = &anchor.changes;
        let href = || anchor.url.to_string();
        let mut is_new = |switch: Switch| known.insert((switch, href()));
        if forms.has(&href(), changes) || is_export(anchor, changes) {
            let label = anchor.text.clone();
            if is_new(Switch::Export) {
                map.exports.push(LabelledLink { label, href: href() });
            }
        } else if found.entities.len() > MAX_UNCERTAIN_RECORDS
            && found.in_records(anchors.document, anchor.node)
            && (in_each || !is_mark(&anchor.text))
        {
            continue;
        } else if let Some(label) = removal(anchors, anchor, changes) {
            if is_new(Switch::Removal) {
                map.removals.push(LabelledLink { label, href: href() });
            }
        } else if anchor.frame == Frame::Edge {
            continue;
        } else if is_sort(anchors, at, changes, &mut labels) {
            let label = anchor.text.clone();
            if !anchor.is_self && is_new(Switch::Sort) {
                map.sorts.push(LabelledLink { label, href: href() });
            }
        } else if let Some(size) = size(anchors, at, changes, &mut labels) {
            let label = anchor.text.clone();
            if !anchor.is_self && is_new(Switch::Size) {
                map.sizes.push(SizeLink { label, href: href(), size });
            }
        } else {
            continue;
        }
        anchors.list[at].taken = true;
    }
}

/// What a link does to the list.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Switch {
    Export,
    Removal,
    Sort,
    Size,
}

/// What a page declares itself (`<link rel=alternate>`) to be the same content in another form or language.
#[derive(Default)]
struct OtherForms {
    addresses: BTreeSet<String>,
    /// Parameters in which these addresses differ from the page's own, each the only one.
    parameters: BTreeSet<String>,
}

impl OtherForms {
    fn add(&mut self, url: &Url, page: &Url) {
        if let [UrlChange::Added { name, .. } | UrlChange::Changed { name, .. }] =
            &changes(page, url)[..]
        {
            self.parameters.insert(name.clone());
        }
        if url != page {
            self.addresses.insert(url.to_string());
        }
    }

    /// Whether a link leads to such a form.
    fn has(&self, href: &str, changes: &[UrlChange]) -> bool {
        let by_parameter = match changes {
            [UrlChange::Added { name, .. } | UrlChange::Changed { name, .. }] => {
                self.parameters.contains(name)
            }
            _ => false,
        };
        by_parameter || self.addresses.contains(href)
    }
}

/// `<link rel=alternate>`: those to data are exports of the page.
fn alternates(anchors: &Anchors<'_>, map: &mut LinkMap) -> OtherForms {
    use quarry_dom::{Attr, Tag};
    let document = anchors.document;
    let mut base = None;
    let mut forms = OtherForms::default();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for node in document.elements(Tag::LINK) {
        let rel = document.known_attr(node, Attr::REL).unwrap_or_default();
        let kind = document.known_attr(node, Attr::TYPE).unwrap_or_default();
        if !rel.split_whitespace().any(|r| r.eq_ignore_ascii_case("alternate")) {
            continue;
        }
        let is_data =
            has(kind, &["json", "rss", "atom", "csv", "xml", "rdf"]) && !kind.contains("oembed");
        let Some(href) = document.known_attr(node, Attr::HREF) else { continue };
        let base = base.get_or_insert_with(|| document.base_url(&anchors.page));
        let Ok(mut url) = base.join(href) else { continue };
        url.set_fragment(None);
        forms.add(&url, &anchors.page);
        let label = document.known_attr(node, Attr::TITLE).unwrap_or(kind).to_owned();
        if is_data && known.insert(url.to_string()) {
            map.exports.push(LabelledLink { label, href: url.to_string() });
        }
    }
    forms
}

fn is_export(anchor: &Anchor<'_>, changes: &[UrlChange]) -> bool {
    if changes.contains(&UrlChange::Elsewhere) && anchor.parts.origin.is_empty() {
        return false;
    }
    let ending = anchor.parts.segments.last().and_then(|last| last.rsplit_once('.'));
    let ending = ending.map(|(_, ending)| ending.to_ascii_lowercase());
    let by_file = ending.is_some_and(|ending| EXPORT_ENDINGS.contains(&ending.as_str()));
    let names_form = says(&plain(&anchor.text), EXPORT, 2);
    let by_param = changes.iter().any(|change| match change {
        UrlChange::Added { name, value } | UrlChange::Changed { name, to: value, .. } => {
            has(
                name,
                &[
                    "format", "output", "export", "print", "feed", "type", "alt", "wt", "view",
                    "mode",
                ],
            ) && (EXPORT.contains(&plain(value).as_str())
                || has(name, &["print", "export", "feed"]))
        }
        UrlChange::SegmentsAdded(added) => {
            added.last().is_some_and(|last| EXPORT.contains(&plain(last).as_str()))
        }
        _ => false,
    });
    by_param
        || (by_file && (names_form || anchor.text.chars().count() <= 24))
        || (names_form && {
            // The word alone: a short text beside other such words ("RSS", "Print").
            let words = plain(&anchor.text);
            EXPORT.contains(&words.as_str())
                && anchor
                    .parts
                    .segments
                    .iter()
                    .chain(anchor.parts.params.iter().map(|(_, v)| v))
                    .any(|part| {
                        name_parts(part)
                            .any(|part| EXPORT.contains(&part.as_str()) || part == "feeds")
                    })
        })
}

/// Whether a text begins or ends with a cross.
fn is_mark(text: &str) -> bool {
    text.trim_start_matches(['[', '(', ' ']).starts_with(REMOVE_MARKS)
        || text.trim_end_matches([']', ')', ' ']).ends_with(REMOVE_MARKS)
}

/// The label of a link that takes a predicate away.
fn removal(anchors: &Anchors<'_>, anchor: &Anchor<'_>, changes: &[UrlChange]) -> Option<String> {
    let document = anchors.document;
    let text = anchor.text.trim();
    let title = document.attr(anchor.node, "title").unwrap_or_default();
    let aria = document.attr(anchor.node, "aria-label").unwrap_or_default();
    let words = plain(text);
    let by_mark = is_mark(text);
    let removes = changes
        .iter()
        .any(|change| matches!(change, UrlChange::Removed { .. } | UrlChange::SegmentsRemoved(_)));
    let adds =
        changes.iter().any(|c| matches!(c, UrlChange::Added { .. } | UrlChange::SegmentsAdded(_)));
    let says_so = |text: &str| {
        let text = plain(text);
        says(&text, REMOVE, 0)
            || says(&text, &["remove", "clear", "entfernen", "supprimer", "quitar"], 4)
    };
    let by_word =
        words != "all" && words != "any" && says_so(text) || says_so(title) || says_so(aria);
    let again = removes && !adds && anchors.is_selected(anchor);
    let any =
        removes && !adds && matches!(words.as_str(), "all" | "any" | "alle" | "tous" | "todos");
    if !(by_mark || (by_word && (removes || !adds)) || again || any) {
        return None;
    }
    if by_mark && adds && !removes {
        return None;
    }
    // What is taken away stands in the link or before it.
    let own = text.trim_matches(REMOVE_MARKS).trim();
    if !own.is_empty() && !says(&plain(own), REMOVE, 0) {
        return Some(own.to_owned());
    }
    // The nearest text before it, in its element or in the one before.
    let siblings =
        std::iter::successors(document.prev_sibling(anchor.node), |&n| document.prev_sibling(n));
    let mut before = siblings.take(LABEL_SIBLINGS).filter(|&sibling| {
        let shows = document.folded_text(sibling);
        shows.chars().any(char::is_alphanumeric)
    });
    let before = before.next().map(|node| match document.kind(node) {
        Kind::Text => document.text(node).to_owned(),
        _ => document.folded_text(node).into_owned(),
    });
    let before = before.unwrap_or_default();
    let before = before.trim().trim_matches(['·', '|', ',', ';', '-', '–']).trim();
    let tail = before.rsplit('·').next().unwrap_or_default();
    let before = if count::alone(tail).is_some() {
        before[..before.len() - tail.len()].trim_end_matches('·').trim()
    } else {
        before
    };
    Some(if before.is_empty() { text.to_owned() } else { before.to_owned() })
}

fn is_sort(
    anchors: &Anchors<'_>,
    at: usize,
    changes: &[UrlChange],
    labels: &mut RowLabels,
) -> bool {
    let anchor = &anchors.list[at];
    let by_key = changes.iter().any(|change| match change {
        UrlChange::Added { name, .. } | UrlChange::Changed { name, .. } => is_sort_key(name),
        _ => false,
    });
    let others = changes.iter().any(|change| match change {
        UrlChange::Added { name, .. } => !is_sort_key(name),
        UrlChange::SegmentsAdded(_) | UrlChange::Elsewhere => true,
        _ => false,
    });
    if by_key && !others {
        return true;
    }
    let label = labels.text_before(anchors, at);
    let named =
        label.is_some_and(|label| label.split_whitespace().count() <= 4 && has(label, SORT));
    named
        && anchor.text.split_whitespace().count() <= 6
        && !has(&anchor.text, &["cart", "checkout"])
}

pub(super) fn is_sort_key(name: &str) -> bool {
    let whole: String =
        name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    SORT_KEYS.contains(&whole.as_str()) || has(name, &["sort", "sortby", "orderby", "sorting"])
}

pub(super) fn is_size_key(name: &str) -> bool {
    let whole: String =
        name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    SIZE_KEYS.contains(&whole.as_str())
}

/// Whether a parameter that sets a size says that it is the page's.
fn has_page_word(name: &str) -> bool {
    let name = name.to_lowercase();
    ["page", "limit", "rpp", "ipp", "hits", "rows", "ppp", "maxresults", "numresults"]
        .iter()
        .any(|word| name.contains(word))
}

/// Whether the text before some numbers says that they are page sizes.
pub(super) fn is_size_label(label: &str) -> bool {
    says(&plain(label), SIZE, 1)
}

/// The number of records that a page-size switch asks for; the inner `None` is "all".
fn size(
    anchors: &Anchors<'_>,
    at: usize,
    changes: &[UrlChange],
    labels: &mut RowLabels,
) -> Option<Option<u32>> {
    let anchor = &anchors.list[at];
    let words = plain(&anchor.text);
    let number = words.split(' ').find_map(|word| word.parse::<u32>().ok());
    let is_all = matches!(
        words.as_str(),
        "all" | "alle" | "tous" | "todos" | "tutti" | "show all" | "view all"
    );
    if (number.is_none() && !is_all) || words.split(' ').count() > 4 {
        return None;
    }
    // A facet can be called size, too: then values are counted or stand under that heading.
    if anchors.counted(anchor).count.is_some() {
        return None;
    }
    let by_key = changes.iter().any(|change| match change {
        UrlChange::Added { name, value } | UrlChange::Changed { name, to: value, .. } => {
            is_size_key(name)
                && has_page_word(name)
                && number.is_none_or(|n| *value == n.to_string())
        }
        _ => false,
    });
    let says_size = |text: &str| says(&plain(text), SIZE, 1);
    let by_text =
        number.is_some() && says_size(words.trim_matches(|c: char| c.is_ascii_digit() || c == ' '));
    let by_label = labels.text_before(anchors, at).is_some_and(is_size_label);
    let near = !changes.contains(&UrlChange::Elsewhere);
    (near && (by_label || by_text || (by_key && number.is_some()))).then_some(number)
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use url::Url;

    use crate::links::read_links;

    /// What narrows a list, by its page: addresses of links in groups.
    fn grouped(head: &str, links: &str) -> Vec<String> {
        let rows: String = (0..9)
            .map(|n| {
                format!("<tr><td><a href='/zu/{n}'>Borl {n}</a><td>Wex of {n}<td>Fro {n}</tr>")
            })
            .collect();
        let html = format!("<head>{head}</head><h3>Qua</h3><ul>{links}</ul><table>{rows}</table>");
        let map = read_links(&Document::from_html(&html), &Url::parse("http://h/zu").unwrap());
        map.groups.iter().flat_map(|group| &group.links).map(|link| link.href.clone()).collect()
    }

    #[test]
    fn what_a_page_declares_to_be_its_other_forms_narrows_nothing() {
        let links: String = ["plo", "fam", "ix"]
            .iter()
            .map(|form| format!("<li><a href='/zu?k={form}'>The same as {form}</a></li>"))
            .collect();
        let head = |rest: &str| format!("<link rel=alternate {rest}>");
        assert_eq!(grouped("", &links).len(), 3, "nothing says what these are");
        // One declared form tells what the parameter does, also of a form that is this page.
        let json = head("type=application/json href='/zu?k=plo'");
        assert!(grouped(&json, &links).is_empty());
        let language = head("hreflang=de href='/zu?k=plo'");
        assert!(grouped(&language, &links).is_empty());
        // A feed of one of its values says nothing of the parameter.
        let feed = head("type=application/atom+xml href='/zu?k=plo&feed=1'");
        assert_eq!(grouped(&feed, &links).len(), 3);
    }
}

//! Lays out the nodes in document order, in one walk over the finished links: parents
//! before children, so that a subtree is a range. The walk also settles depth, visibility and breaks.

use super::continued::Continued;
use super::links::{Link, NONE, Tree};
use crate::charset::Charset;
use crate::document::{AttrSpan, BREAK_BEFORE, Document, HIDDEN, Kind, MATHML, Node, NodeId, SVG};
use crate::limits::Limits;
use crate::name::{Attr, Tag};
use crate::sheet::{StyleSheet, Styled};
use crate::visibility;

/// An element that the walk is inside of.
struct Open {
    /// Its id in the document.
    id: u32,
    /// Its id in the tree.
    link: u32,
    /// Whether the line of text ends behind it.
    block: bool,
    /// Whether its content is hidden.
    hidden: bool,
    /// Whether that is the work of a style sheet.
    by_sheet: bool,
    /// Its range has ended although more of its content follows: see [`Walk::parent`].
    sealed: bool,
}

/// Lays out `tree` in document order.
pub(super) fn compact(tree: Tree, limits: Limits) -> Document {
    let Tree { links, attrs, text, values, tags, attr_names, owners, cut, .. } = tree;
    let full = tags.full || attr_names.full;
    let (tags, attr_names) = (tags.names, attr_names.names);
    let nodes = Vec::with_capacity(links.len().min(limits.nodes));
    let charset = Charset::default();
    let owned = Vec::new();
    let mut document =
        Document { nodes, attrs, text, values, tags, attr_names, owners: owned, charset, cut };
    document.cut.attributes |= full;

    let mut controls = Controls::new(owners);
    let continued = Continued::new(&links);
    let sheet = style_sheet(&document, &links);
    let mut walk = Walk {
        links: &links,
        limits,
        breaks: false,
        controls: &mut controls,
        continued,
        sheet,
        shown: 0,
        hidden_by_sheet: 0,
    };
    walk.run(&mut document);
    // A page that hides most of itself waits for its scripts to show it.
    if walk.hidden_by_sheet > walk.shown {
        document.nodes.clear();
        (walk.sheet, walk.continued) = (StyleSheet::default(), Continued::new(&links));
        walk.run(&mut document);
    }
    document.owners = controls.finish();

    document.nodes.shrink_to_fit();
    document.attrs.shrink_to_fit();
    document.text.shrink_to_fit();
    document.values.shrink_to_fit();
    document.tags.shrink();
    document.attr_names.shrink();
    document
}

struct Walk<'a> {
    links: &'a [Link],
    limits: Limits,
    /// A block ended since the last node.
    breaks: bool,
    controls: &'a mut Controls,
    continued: Continued<'a>,
    sheet: StyleSheet,
    /// Bytes of text that is shown.
    shown: usize,
    /// Bytes of text that nothing but a style sheet hides.
    hidden_by_sheet: usize,
}

impl Walk<'_> {
    fn run(&mut self, document: &mut Document) {
        let mut open: Vec<Open> = Vec::with_capacity(64);
        let mut at = 0;
        loop {
            if document.nodes.len() >= self.limits.nodes {
                document.cut.nodes = true;
                break;
            }
            let link = &self.links[at as usize];
            let parent = self.parent(&open, link.kind);
            if !(link.kind == Kind::Text && merge_text(document, parent, link)) {
                self.emit(document, &mut open, parent, at);
            }
            // Down, else to the next sibling of the node or of the nearest ancestor that has one.
            if link.first != NONE {
                at = link.first;
                continue;
            }
            if matches!(link.kind, Kind::Element | Kind::Document) {
                self.close(document, &mut open);
            }
            let mut next = link.next;
            while next == NONE {
                let Some(parent) = open.last() else { return };
                next = self.links[parent.link as usize].next;
                self.close(document, &mut open);
            }
            at = next;
        }
        while !open.is_empty() {
            self.close(document, &mut open);
        }
    }

    /// The parent of a node that comes next. Where the innermost open element stands at the depth
    /// limit, an element becomes its next sibling instead of its child, and so does text that
    /// follows such an element: a subtree must stay a range.
    fn parent(&self, open: &[Open], kind: Kind) -> u32 {
        let Some(inner) = open.last() else { return 0 };
        let flat = open.len() > self.limits.depth && (inner.sealed || kind == Kind::Element);
        if flat { open[self.limits.depth - 1].id } else { inner.id }
    }

    fn emit(&mut self, document: &mut Document, open: &mut Vec<Open>, parent: u32, at: u32) {
        let link = &self.links[at as usize];
        let id = document.nodes.len() as u32;
        let (mut hidden, mut by_sheet) = (false, false);
        if let Some(inner) = open.last_mut() {
            (hidden, by_sheet) = (inner.hidden, inner.by_sheet);
            if parent != inner.id {
                document.cut.depth = true;
                if !inner.sealed {
                    inner.sealed = true;
                    self.breaks |= inner.block;
                    document.nodes[inner.id as usize].end = id;
                }
            }
        }
        let depth = document.nodes.get(parent as usize).map_or(0, |parent| parent.depth + 1);
        if id > 0 {
            document.nodes[parent as usize].len += 1;
        }
        let mut node = Node {
            parent,
            end: id + 1,
            start: link.start,
            len: link.len,
            tag: link.tag,
            depth,
            attrs: 0,
            kind: link.kind,
            flags: link.flags & (SVG | MATHML),
        };
        let (mut block, mut hides_content) = (false, false);
        if link.kind == Kind::Element {
            node.attrs = link.len as u16;
            node.len = 0;
            let tag = Tag(link.tag);
            let html = node.flags == 0;
            if !hidden {
                let is_hidden = |link: &Link| hidden_by(document, &self.sheet, link).is_some();
                let found = hidden_by(document, &self.sheet, link)
                    .filter(|_| !self.continued.has(document, at, is_hidden));
                by_sheet = found == Some(HiddenBy::StyleSheet);
                hidden = found.is_some() || is_never_shown(document, tag, html, link);
            }
            block = html && !hidden && tag.is_block();
            hides_content = html && tag.holds_fallback();
            self.breaks |= block || (html && !hidden && tag == Tag::BR);
        } else if link.kind == Kind::Document {
            node.len = 0;
        }
        if hidden {
            node.flags |= HIDDEN;
        }
        if self.breaks {
            node.flags |= BREAK_BEFORE;
            self.breaks = false;
        }
        document.nodes.push(node);
        match link.kind {
            Kind::Element | Kind::Document => {
                self.controls.placed(at, id);
                let hidden = hidden || hides_content;
                open.push(Open { id, link: at, block, hidden, by_sheet, sealed: false });
            }
            Kind::Text if by_sheet => self.hidden_by_sheet += link.len as usize,
            Kind::Text if !hidden => self.shown += link.len as usize,
            Kind::Text | Kind::Comment => {}
        }
    }

    fn close(&mut self, document: &mut Document, open: &mut Vec<Open>) {
        if let Some(Open { id, block, sealed: false, .. }) = open.pop() {
            document.nodes[id as usize].end = document.nodes.len() as u32;
            self.breaks |= block;
        }
    }
}

/// Whether elements of this kind show nothing.
fn is_never_shown(document: &Document, tag: Tag, html: bool, link: &Link) -> bool {
    // SVG has scripts and style sheets of its own.
    (tag.is_never_shown() && (html || matches!(tag, Tag::SCRIPT | Tag::STYLE)))
        || (html && tag == Tag::INPUT && {
            let is_hidden = |attr: &AttrSpan| {
                Attr(attr.name) == Attr::TYPE
                    && document.value(attr).trim().eq_ignore_ascii_case("hidden")
            };
            attrs(document, link).iter().any(is_hidden)
        })
}

/// What hides an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HiddenBy {
    Attribute,
    StyleSheet,
}

/// Whether an attribute or a style sheet of the page hides the element.
fn hidden_by(document: &Document, sheet: &StyleSheet, link: &Link) -> Option<HiddenBy> {
    let html = link.flags & (SVG | MATHML) == 0;
    let mut shown = Styled { name: "", id: None, classes: "" };
    let mut is_shown = false;
    for attr in attrs(document, link) {
        let value = document.value(attr);
        match Attr(attr.name) {
            Attr::HIDDEN if html && !value.eq_ignore_ascii_case("until-found") => {
                return Some(HiddenBy::Attribute);
            }
            Attr::STYLE if visibility::style_hides(value) => return Some(HiddenBy::Attribute),
            // A style of its own that says how it is shown has the last word.
            Attr::STYLE if visibility::style_shows(value) => is_shown = true,
            Attr::ID => shown.id = Some(value),
            Attr::CLASS => shown.classes = value,
            _ => {}
        }
    }
    if is_shown || !html || sheet.is_empty() {
        return None;
    }
    shown.name = document.tags.get(link.tag);
    sheet.hides(&shown).then_some(HiddenBy::StyleSheet)
}

/// The style sheets in a page that hold on a screen. What one shows where no scripts run, scripts show.
fn style_sheet(document: &Document, links: &[Link]) -> StyleSheet {
    let is_sheet = |link: &&Link| {
        let is_of = |attr: &AttrSpan| {
            document.attr_names.get(attr.name) == "media"
                && !["", "all", "screen"].contains(&document.value(attr).trim())
        };
        link.kind == Kind::Element
            && Tag(link.tag) == Tag::STYLE
            && !attrs(document, link).iter().any(is_of)
    };
    let sheet = |sheet: &Link| {
        let text = links.get(sheet.first as usize).filter(|text| text.kind == Kind::Text)?;
        let start = text.start as usize;
        let around = std::iter::successors(links.get(sheet.parent as usize), |above| {
            links.get(above.parent as usize).filter(|_| above.kind != Kind::Document)
        });
        let holds_never = |tag: u16| matches!(Tag(tag), Tag::NOSCRIPT | Tag::TEMPLATE);
        let holds = !around.into_iter().any(|above| holds_never(above.tag));
        Some((document.text.get(start..start + text.len as usize)?, holds))
    };
    StyleSheet::read(links.iter().filter(is_sheet).filter_map(sheet))
}

fn attrs<'d>(document: &'d Document, link: &Link) -> &'d [AttrSpan] {
    let start = link.start as usize;
    &document.attrs[start..start + link.len as usize]
}

/// Joins the text with the node before, where that is a text of the same parent. True where it
/// did. Texts that do not follow each other in the string are copied to its end.
fn merge_text(document: &mut Document, parent: u32, link: &Link) -> bool {
    let Some(last) = document.nodes.last() else { return false };
    if last.kind != Kind::Text || last.parent != parent {
        return false;
    }
    let (start, len) = (last.start, last.len);
    let joined = if start + len == link.start {
        (start, len + link.len)
    } else {
        let (old, added) = (start as usize, link.start as usize);
        let at = if (start + len) as usize == document.text.len() {
            start
        } else {
            let at = document.text.len() as u32;
            document.text.extend_from_within(old..old + len as usize);
            at
        };
        document.text.extend_from_within(added..added + link.len as usize);
        (at, len + link.len)
    };
    let last = document.nodes.last_mut().expect("it was there above");
    (last.start, last.len) = joined;
    true
}

/// Follows the controls and their forms from tree ids to document ids.
struct Controls {
    /// (control, form) by tree id, ordered by control.
    owners: Vec<(u32, u32)>,
    /// The tree ids that matter, ordered, and the document ids that they got.
    ids: Vec<(u32, Option<u32>)>,
}

impl Controls {
    fn new(mut owners: Vec<(u32, u32)>) -> Self {
        owners.sort_unstable();
        let mut ids: Vec<u32> =
            owners.iter().flat_map(|&(control, form)| [control, form]).collect();
        ids.sort_unstable();
        ids.dedup();
        Self { owners, ids: ids.into_iter().map(|id| (id, None)).collect() }
    }

    fn placed(&mut self, link: u32, id: u32) {
        if let Ok(at) = self.ids.binary_search_by_key(&link, |&(link, _)| link) {
            self.ids[at].1 = Some(id);
        }
    }

    fn finish(self) -> Vec<(NodeId, NodeId)> {
        let place = |link: u32| {
            let at = self.ids.binary_search_by_key(&link, |&(link, _)| link).ok()?;
            self.ids[at].1.map(NodeId)
        };
        let mut owners: Vec<_> = (self.owners.iter())
            .filter_map(|&(control, form)| Some((place(control)?, place(form)?)))
            .collect();
        owners.sort_unstable();
        owners.shrink_to_fit();
        owners
    }
}

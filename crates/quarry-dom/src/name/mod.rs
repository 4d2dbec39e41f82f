//! Names of elements and attributes: they are small integers: the well known ones are
//! constants, the others stand in a table of the document that uses them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use html5ever::LocalName;

mod known;

/// The name of an element. Compare it with the constants: `document.tag(node) == Some(Tag::LI)`.
///
/// Names outside the constants are numbered per document; compare those by
/// [`Document::tag_name`](crate::Document::tag_name).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tag(pub(crate) u16);

/// The name of an attribute, with constants for the usual ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attr(pub(crate) u16);

impl Tag {
    /// The well known tag of this (lower case) name.
    ///
    /// ```
    /// use quarry_dom::Tag;
    /// assert_eq!(Tag::known("td"), Some(Tag::TD));
    /// assert_eq!(Tag::known("my-card"), None);
    /// ```
    pub fn known(name: &str) -> Option<Tag> {
        Tag::of(&LocalName::from(name))
    }

    /// The well known tag of an atom.
    #[inline]
    pub(crate) fn of(atom: &LocalName) -> Option<Tag> {
        TAGS.get(atom).map(Tag)
    }

    /// Whether a line of text ends before and after such an element when a page is shown with the
    /// style sheet that the standard suggests (HTML §15.3, "flow content" and "tables"). Cells,
    /// list items and options count: their texts are not one word.
    pub fn is_block(self) -> bool {
        #[rustfmt::skip]
        let block = matches!(
            self,
            Tag::ADDRESS | Tag::ARTICLE | Tag::ASIDE | Tag::BLOCKQUOTE | Tag::BODY | Tag::CAPTION
                | Tag::CENTER | Tag::COL | Tag::COLGROUP | Tag::DD | Tag::DETAILS | Tag::DIALOG
                | Tag::DIR | Tag::DIV | Tag::DL | Tag::DT | Tag::FIELDSET | Tag::FIGCAPTION
                | Tag::FIGURE | Tag::FOOTER | Tag::FORM | Tag::FRAME | Tag::FRAMESET | Tag::H1
                | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::HEADER | Tag::HGROUP
                | Tag::HR | Tag::HTML | Tag::LEGEND | Tag::LI | Tag::LISTING | Tag::MAIN
                | Tag::MARQUEE | Tag::MENU | Tag::MULTICOL | Tag::NAV | Tag::OL | Tag::OPTGROUP
                | Tag::OPTION | Tag::P | Tag::PLAINTEXT | Tag::PRE | Tag::SEARCH | Tag::SECTION
                | Tag::SELECT | Tag::SUMMARY | Tag::TABLE | Tag::TBODY | Tag::TD | Tag::TEXTAREA
                | Tag::TFOOT | Tag::TH | Tag::THEAD | Tag::TITLE | Tag::TR | Tag::UL | Tag::XMP
        );
        block
    }

    /// Whether the element never has content (HTML §13.1.2, "void elements", with the obsolete
    /// ones that parsers treat alike).
    pub fn is_void(self) -> bool {
        #[rustfmt::skip]
        let void = matches!(
            self,
            Tag::AREA | Tag::BASE | Tag::BASEFONT | Tag::BGSOUND | Tag::BR | Tag::COL | Tag::EMBED
                | Tag::FRAME | Tag::HR | Tag::IMAGE | Tag::IMG | Tag::INPUT | Tag::KEYGEN
                | Tag::LINK | Tag::META | Tag::PARAM | Tag::SOURCE | Tag::TRACK | Tag::WBR
        );
        void
    }

    /// Whether the content is text whatever it looks like (script, style, textarea, title …).
    pub(crate) fn is_raw_text(self) -> bool {
        #[rustfmt::skip]
        let raw = matches!(
            self,
            Tag::IFRAME | Tag::NOEMBED | Tag::NOFRAMES | Tag::SCRIPT | Tag::STYLE | Tag::TEXTAREA
                | Tag::TITLE | Tag::XMP
        );
        raw
    }

    /// Whether nothing of the element is shown: it has no box in the suggested style sheet
    /// (HTML §15.3.1, "hidden elements").
    pub(crate) fn is_never_shown(self) -> bool {
        #[rustfmt::skip]
        let unseen = matches!(
            self,
            Tag::AREA | Tag::BASE | Tag::BASEFONT | Tag::DATALIST | Tag::HEAD | Tag::LINK
                | Tag::META | Tag::NOEMBED | Tag::NOFRAMES | Tag::PARAM | Tag::RP | Tag::SCRIPT
                | Tag::STYLE | Tag::TEMPLATE | Tag::TITLE
        );
        unseen
    }

    /// Whether the content is only for clients that cannot show the element itself.
    pub(crate) fn holds_fallback(self) -> bool {
        matches!(self, Tag::AUDIO | Tag::CANVAS | Tag::IFRAME | Tag::VIDEO)
    }

    /// The elements of the list of active formatting elements (HTML §13.2.4.3).
    pub(crate) fn is_formatting(self) -> bool {
        #[rustfmt::skip]
        let formatting = matches!(
            self,
            Tag::A | Tag::B | Tag::BIG | Tag::CODE | Tag::EM | Tag::FONT | Tag::I | Tag::NOBR
                | Tag::S | Tag::SMALL | Tag::STRIKE | Tag::STRONG | Tag::TT | Tag::U
        );
        formatting
    }

    /// The level of a heading, 1 to 6.
    pub fn heading_level(self) -> Option<u8> {
        match self {
            Tag::H1 => Some(1),
            Tag::H2 => Some(2),
            Tag::H3 => Some(3),
            Tag::H4 => Some(4),
            Tag::H5 => Some(5),
            Tag::H6 => Some(6),
            _ => None,
        }
    }
}

/// The atoms that the tree builder asks for, without a look-up.
pub(crate) fn tag_atom(tag: Tag) -> Option<&'static LocalName> {
    known::TAG_ATOMS.get(usize::from(tag.0))
}

/// Names of one kind: the well known ones and those that this document added.
#[derive(Debug)]
pub(crate) struct Names {
    known: &'static [&'static str],
    added: Vec<Box<str>>,
}

/// A document may add this many names of its own; a page with more is hostile, and all further
/// names become this last one.
const MAX_ADDED: usize = 32_768;
/// What an element is called whose name no longer fitted into the table.
const NO_ROOM: &str = "x-name-table-full";

impl Names {
    pub(crate) fn tags() -> Self {
        Self { known: known::TAG_NAMES, added: Vec::new() }
    }

    pub(crate) fn attrs() -> Self {
        Self { known: known::ATTR_NAMES, added: Vec::new() }
    }

    pub(crate) fn get(&self, id: u16) -> &str {
        let id = usize::from(id);
        match self.known.get(id) {
            Some(name) => name,
            None => self.added.get(id - self.known.len()).map_or(NO_ROOM, |name| name),
        }
    }

    pub(crate) fn shrink(&mut self) {
        self.added.shrink_to_fit();
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.added.capacity() * size_of::<Box<str>>()
            + self.added.iter().map(|name| name.len()).sum::<usize>()
    }
}

/// Turns the parser's atoms into ids, adding to a [`Names`] table where it must.
pub(crate) struct Interner {
    known: &'static AtomTable,
    /// Ordered, not hashed: the page chooses these names, and may choose them to collide.
    added: BTreeMap<LocalName, u16>,
    /// The atoms of `names.added`, in the same order.
    atoms: Vec<LocalName>,
    pub(crate) names: Names,
    /// Set when a name did not fit any more.
    pub(crate) full: bool,
}

impl Interner {
    pub(crate) fn tags() -> Self {
        Self::new(&TAGS, Names::tags())
    }

    pub(crate) fn attrs() -> Self {
        Self::new(&ATTRS, Names::attrs())
    }

    fn new(known: &'static AtomTable, names: Names) -> Self {
        Self { known, added: BTreeMap::new(), atoms: Vec::new(), names, full: false }
    }

    /// The atom of a name that this document added.
    pub(crate) fn atom(&self, id: u16) -> LocalName {
        let added = usize::from(id) - self.names.known.len();
        self.atoms.get(added).cloned().unwrap_or_else(|| LocalName::from(NO_ROOM))
    }

    #[inline]
    pub(crate) fn intern(&mut self, atom: &LocalName) -> u16 {
        match self.known.get(atom) {
            Some(id) => id,
            None => self.intern_other(atom),
        }
    }

    /// Interns `prefix:atom`, as the attributes of SVG have it (`xlink:href`).
    #[cold]
    pub(crate) fn intern_prefixed(&mut self, prefix: &str, atom: &LocalName) -> u16 {
        self.intern_other(&LocalName::from(format!("{prefix}:{atom}")))
    }

    fn intern_other(&mut self, atom: &LocalName) -> u16 {
        if let Some(&id) = self.added.get(atom) {
            return id;
        }
        let next = self.names.known.len() + self.names.added.len();
        if self.names.added.len() >= MAX_ADDED {
            self.full = true;
            return u16::MAX;
        }
        let id = u16::try_from(next).expect("the known names and MAX_ADDED fit into 16 bits");
        self.names.added.push((**atom).into());
        self.atoms.push(atom.clone());
        self.added.insert(atom.clone(), id);
        id
    }
}

/// A small open-addressed table from the well known atoms to their ids. The atoms carry their
/// hash, so that a look-up is one probe and one comparison of integers.
struct AtomTable {
    slots: Vec<Option<(LocalName, u16)>>,
}

impl AtomTable {
    const SLOTS: usize = 2048;

    fn new(atoms: &'static [LocalName]) -> Self {
        let mut slots = vec![None; Self::SLOTS];
        for (id, atom) in (0u16..).zip(atoms) {
            let mut at = Self::slot(atom);
            while slots[at].is_some() {
                at = (at + 1) % Self::SLOTS;
            }
            slots[at] = Some((atom.clone(), id));
        }
        Self { slots }
    }

    fn slot(atom: &LocalName) -> usize {
        let hash = atom.get_hash();
        (hash ^ (hash >> 17) ^ (hash >> 41)) as usize % Self::SLOTS
    }

    #[inline]
    fn get(&self, atom: &LocalName) -> Option<u16> {
        let mut at = Self::slot(atom);
        while let Some((known, id)) = &self.slots[at] {
            if known == atom {
                return Some(*id);
            }
            at = (at + 1) % Self::SLOTS;
        }
        None
    }
}

static TAGS: LazyLock<AtomTable> = LazyLock::new(|| AtomTable::new(known::TAG_ATOMS));
static ATTRS: LazyLock<AtomTable> = LazyLock::new(|| AtomTable::new(known::ATTR_ATOMS));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_finds_its_own_id() {
        let mut tags = Interner::tags();
        for (id, name) in known::TAG_NAMES.iter().enumerate() {
            assert_eq!(usize::from(tags.intern(&LocalName::from(*name))), id, "{name}");
        }
        let mut attrs = Interner::attrs();
        for (id, name) in known::ATTR_NAMES.iter().enumerate() {
            assert_eq!(usize::from(attrs.intern(&LocalName::from(*name))), id, "{name}");
        }
        assert_eq!(tags.names.added.len() + attrs.names.added.len(), 0);
    }

    #[test]
    fn other_names_are_numbered_once_and_the_table_has_an_end() {
        let mut tags = Interner::tags();
        let first = tags.intern(&LocalName::from("my-card"));
        assert_eq!(tags.intern(&LocalName::from("my-card")), first);
        assert_eq!(tags.names.get(first), "my-card");
        for n in 0..MAX_ADDED {
            tags.intern(&LocalName::from(format!("x-{n}")));
        }
        assert!(tags.full);
        let beyond = tags.intern(&LocalName::from("one-more"));
        assert_eq!(tags.names.get(beyond), NO_ROOM);
        assert_eq!(tags.intern(&LocalName::from("my-card")), first);
    }
}

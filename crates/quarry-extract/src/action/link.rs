//! Judges a link by how it is written on its page: its attributes, its text, its role and the form around it.

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::address::Parts;
use super::lexicon::{ACT, DROP, FILLER, LEAVE, OBJECT, PUT, VERB, fold, split};
use super::part::Part;
use super::{ActionSign, SignPlace};

/// Nodes and bytes of a link that are read for its text: what does something says so in a few words.
const TEXT_NODES: u32 = 40;
const TEXT_BYTES: usize = 160;
/// Most words of a text that says what a link does, with the name of a thing inside (`Add Blue Shirt to cart`).
const MAX_WORDS: usize = 14;
/// Ancestors that are looked at for headings and forms.
const ANCESTORS: usize = 24;

/// Attributes whose value is the method of the request, or that send a request other than GET themselves.
const METHODS: &[&str] = &[
    "data-method",
    "data-turbo-method",
    "data-http-method",
    "data-ajax-method",
    "data-type-method",
];
const SENDERS: &[&str] =
    &["hx-post", "hx-put", "hx-delete", "hx-patch", "formaction", "data-post", "data-delete-url"];
/// Attributes that make the browser ask before it goes on.
const QUESTIONS: &[&str] = &[
    "data-confirm",
    "data-turbo-confirm",
    "data-confirm-message",
    "hx-confirm",
    "data-confirmation",
];
/// Attributes that name what a script does with the link.
const NAMES: &[&str] =
    &["data-action", "data-command", "data-event", "data-target-action", "data-role"];

/// How a link is written, as far as that says that it does something.
#[derive(Debug, Clone, Default)]
pub struct LinkMarks {
    /// Decides alone.
    certain: Option<ActionSign>,
    /// The link's text names an action; an address that leads to something to read outweighs it.
    text: Option<ActionSign>,
    /// The text is more than one word: it can hardly be a title.
    is_phrase: bool,
    /// The text may name an action.
    weak: Option<ActionSign>,
    is_button: bool,
    is_nofollow: bool,
    posts: bool,
    in_heading: bool,
}

impl LinkMarks {
    /// Reads the marks of a link.
    #[must_use]
    pub fn of(document: &Document, node: NodeId) -> Self {
        let mut marks = Self { certain: certain(document, node), ..Self::default() };
        let class = document.known_attr(node, Attr::CLASS).unwrap_or_default();
        let role = document.known_attr(node, Attr::ROLE).unwrap_or_default();
        let rel = document.known_attr(node, Attr::REL).unwrap_or_default();
        marks.is_button = role.eq_ignore_ascii_case("button")
            || class.split_ascii_whitespace().any(|name| {
                let name = name.to_ascii_lowercase();
                name.starts_with("btn") || name.ends_with("btn") || name.contains("button")
            });
        marks.is_nofollow =
            rel.split_ascii_whitespace().any(|r| r.eq_ignore_ascii_case("nofollow"));
        marks.read_text(document, node);
        if marks.text.is_none() {
            marks.read_names(document, node, class);
        }
        if marks.text.is_some() || marks.weak.is_some() {
            marks.look_around(document, node);
        }
        marks
    }

    /// Whether nothing about the link hints at an action.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.certain.is_none() && self.text.is_none() && self.weak.is_none()
    }

    /// Whether an attribute of the link decides alone.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.certain.is_some()
    }

    /// What says that following the link could change something, if it leads to this path and query.
    #[must_use]
    pub fn judge(&self, path: &str, query: Option<&str>) -> Option<&ActionSign> {
        if self.is_plain() {
            return None;
        }
        if self.certain.is_some() {
            return self.certain.as_ref();
        }
        let parts = Parts::of(path, query);
        let is_title = self.in_heading || (parts.looks_like_content() && query.is_none());
        let stressed = self.is_button || self.is_nofollow || self.posts;
        // A search for “delete” is called that.
        let is_value = |sign: &&ActionSign| parts.has_value(&fold(&sign.text));
        if let Some(sign) = &self.text
            && !is_value(&sign)
            && (!is_title || (stressed && self.is_phrase && !self.in_heading))
        {
            return Some(sign);
        }
        let is_weak = parts.has_weak_verb() && stressed
            || self.is_nofollow && (self.is_button || self.posts) && !is_title;
        self.weak.as_ref().filter(|_| is_weak)
    }

    fn read_text(&mut self, document: &Document, node: NodeId) {
        let shown = document.folded_head(node, TEXT_NODES, TEXT_BYTES);
        let hidden = [Attr::ARIA_LABEL, Attr::TITLE];
        let hidden = hidden.into_iter().filter_map(|name| document.known_attr(node, name));
        let image = || {
            let nodes = document.subtree(node).take(TEXT_NODES as usize);
            let mut images = nodes.filter(|&n| document.is(n, Tag::IMG));
            images.find_map(|image| document.known_attr(image, Attr::ALT))
        };
        let alternative = if shown.is_empty() { image() } else { None };
        for text in std::iter::once(shown.as_ref()).chain(alternative).chain(hidden) {
            match reading(text) {
                Some((Strength::Weak, _)) => {
                    self.weak.get_or_insert_with(|| sign(SignPlace::Text, text));
                }
                Some((_, is_phrase)) => {
                    self.text = Some(sign(SignPlace::Text, text));
                    self.is_phrase = is_phrase;
                    return;
                }
                None => {}
            }
        }
    }

    /// Classes, ids and names for scripts: `class="btn add_to_cart_button"`, `id=logout`.
    fn read_names(&mut self, document: &Document, node: NodeId, class: &str) {
        let id = document.known_attr(node, Attr::ID);
        let names = NAMES.iter().filter_map(|name| document.attr(node, name));
        for name in class.split_ascii_whitespace().take(16).chain(id).chain(names) {
            let part = Part::of(name);
            if part.is(LEAVE) || part.joins_verb_and_object() || part.is_only(DROP) {
                self.text = Some(sign(SignPlace::Mark, name));
                self.is_phrase = part.known_words > 1;
                return;
            }
        }
    }

    fn look_around(&mut self, document: &Document, node: NodeId) {
        let is_heading = |n: NodeId| {
            [Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]
                .iter()
                .any(|&tag| document.is(n, tag))
        };
        self.in_heading = document.subtree(node).take(TEXT_NODES as usize).any(is_heading);
        for (steps, above) in document.ancestors(node).take(ANCESTORS).enumerate() {
            // A heading is close; what stands further up is a section.
            self.in_heading |= steps < 3 && is_heading(above);
            if document.is(above, Tag::FORM) {
                let method = document.known_attr(above, Attr::METHOD).unwrap_or_default();
                self.posts |= method.trim().eq_ignore_ascii_case("post");
            }
        }
    }
}

/// What decides alone: a method other than GET, a question before going on, a form that is sent.
fn certain(document: &Document, node: NodeId) -> Option<ActionSign> {
    for name in METHODS {
        if let Some(method) = document.attr(node, name)
            && !method.trim().is_empty()
            && !method.trim().eq_ignore_ascii_case("get")
        {
            return Some(sign(SignPlace::Mark, &format!("{name}={method}")));
        }
    }
    let has = |name: &&&str| document.attr(node, name).is_some_and(|value| !value.is_empty());
    if let Some(name) = SENDERS.iter().chain(QUESTIONS).find(has) {
        return Some(sign(SignPlace::Mark, name));
    }
    let script = document.known_attr(node, Attr::ONCLICK).unwrap_or_default();
    let script = &script[..script.floor_char_boundary(2_000)];
    let calls =
        ["confirm(", ".submit(", "method='post'", "method=\"post\"", "'DELETE'", "\"DELETE\""];
    calls
        .iter()
        .find(|call| script.contains(**call))
        .map(|call| sign(SignPlace::Mark, &format!("onclick={call}…")))
}

fn sign(place: SignPlace, text: &str) -> ActionSign {
    ActionSign { place, text: text.trim().to_owned() }
}

/// How clearly a text says that a link does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strength {
    Clear,
    /// One word that also names harmless things.
    Weak,
}

/// What a text says, and whether it is more than one word.
fn reading(text: &str) -> Option<(Strength, bool)> {
    if text.is_empty() || text.len() > TEXT_BYTES {
        return None;
    }
    let words: Vec<&str> = text
        .split(|c: char| {
            !c.is_alphanumeric()
                && !('\u{900}'..='\u{e7f}').contains(&c)
                && !matches!(c, '\'' | '’' | '·')
        })
        .filter(|word| !word.is_empty() && !word.chars().all(|c| c.is_ascii_digit()))
        .collect();
    if words.is_empty() || words.len() > MAX_WORDS {
        return None;
    }
    let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let kept: Vec<&str> = folded.iter().map(String::as_str).filter(|word| word.len() > 1).collect();
    if let Some(found) = split(&folded.concat()).or_else(|| split(&kept.concat())) {
        let is_phrase = kept.len() > 1 || found.words > 1;
        if found.classes & (LEAVE | DROP) != 0 {
            return Some((Strength::Clear, is_phrase));
        }
        if found.classes & VERB != 0 && found.classes & OBJECT != 0 && found.words > 1 {
            return Some((Strength::Clear, true));
        }
        let verb = found.classes & (PUT | ACT) != 0;
        return (verb && found.words == 1).then_some((Strength::Weak, false));
    }
    // A thing's name between verb and object: `Add Blue Shirt to cart`, `Blue Shirt in den Warenkorb legen`.
    let classes = |text: String| split(&text).map(|split| split.classes).unwrap_or_default();
    let n = kept.len();
    (n > 2).then_some(())?;
    let first = classes(kept[0].to_owned()) | classes(kept[..2].concat());
    let last = classes(kept[n - 1].to_owned());
    let longer_end = |wanted: u8| {
        (2..=4.min(n - 1)).any(|count| {
            split(&kept[n - count..].concat()).is_some_and(|end| {
                end.classes & wanted == wanted && (end.words > 1 || wanted & VERB == 0)
            })
        })
    };
    // The object must stand with a small word before it, else `Add Colour Comment` would do.
    let to_object = longer_end(FILLER | OBJECT) || classes(kept[n - 2..].concat()) & DROP != 0;
    let says = (first & (PUT | DROP) != 0 && last & OBJECT != 0 && to_object)
        || (last & PUT != 0 && longer_end(PUT | OBJECT))
        || (last & DROP != 0 && longer_end(DROP | OBJECT));
    says.then_some((Strength::Clear, true))
}

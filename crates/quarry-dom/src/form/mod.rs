//! The forms of a page with every control, its label and its options
//! (HTML §4.10).

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use url::Url;

use crate::document::{Document, NodeId};
use crate::link::has_token;
use crate::name::{Attr, Tag};

mod control;
mod label;

pub use control::{Choice, Control, ControlKind};
pub use label::{ControlLabelSource, Label};

/// How many options of `datalist`s are given for the controls of one page, together: any number of
/// controls can name the same list.
const LISTED_OPTIONS: usize = 100_000;

/// How a form is sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormMethod {
    /// As a query in the address; what a form does that says nothing.
    Get,
    /// In the body.
    Post,
    /// Not at all: it closes a dialog.
    Dialog,
}

/// How the body of a `POST` is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Enctype {
    /// `application/x-www-form-urlencoded`
    UrlEncoded,
    /// `multipart/form-data`
    Multipart,
    /// `text/plain`
    TextPlain,
}

/// A form of a page.
#[derive(Clone, Debug)]
pub struct Form<'a> {
    /// The `form` element.
    pub node: NodeId,
    /// It is the n-th form of the page, from 0.
    pub index: usize,
    /// Where it is sent: the page itself where the form does not say. `None` where what it says
    /// makes no address.
    pub action: Option<Url>,
    /// How it is sent.
    pub method: FormMethod,
    /// How its body is written.
    pub enctype: Enctype,
    /// Its controls in document order, wherever on the page they stand.
    pub controls: Vec<Control<'a>>,
}

impl Document {
    /// All forms in document order. `page` is the page's address.
    ///
    /// ```
    /// use quarry_dom::{ControlKind, Document, ControlLabelSource};
    /// let page = Document::from_html(
    ///     "<form action=/find><label>Search <input name=q type=search></label></form>");
    /// let address = url::Url::parse("https://shop.example/").unwrap();
    /// let forms = page.forms(&address);
    /// let control = &forms[0].controls[0];
    /// assert_eq!(forms[0].action.as_ref().unwrap().as_str(), "https://shop.example/find");
    /// assert_eq!((control.kind, control.name), (ControlKind::Search, "q"));
    /// let label = control.label.as_ref().unwrap();
    /// assert_eq!((&*label.text, label.source), ("Search", ControlLabelSource::Wrapping));
    /// ```
    pub fn forms(&self, page: &Url) -> Vec<Form<'_>> {
        let nodes: Vec<NodeId> = self.elements(Tag::FORM).collect();
        if nodes.is_empty() {
            return Vec::new();
        }
        let base = self.base_url(page);
        let mut forms: Vec<Form<'_>> = (nodes.iter().enumerate())
            .map(|(index, &node)| self.form(node, index, page, &base))
            .collect();
        let ids = Ids::of(self);
        for node in self.all() {
            let Some(kind) = self.control_kind(node) else { continue };
            let Some(owner) = self.form_owner(node, &ids) else { continue };
            if let Ok(at) = nodes.binary_search(&owner) {
                forms[at].controls.push(self.control(node, kind, owner, &ids));
            }
        }
        forms
    }

    fn form(&self, node: NodeId, index: usize, page: &Url, base: &Url) -> Form<'_> {
        let action = self.known_attr(node, Attr::ACTION).unwrap_or_default().trim();
        let action = if action.is_empty() { Some(page.clone()) } else { base.join(action).ok() };
        let word = |attr| self.known_attr(node, attr).unwrap_or_default().to_ascii_lowercase();
        let method = match word(Attr::METHOD).as_str() {
            "post" => FormMethod::Post,
            "dialog" => FormMethod::Dialog,
            _ => FormMethod::Get,
        };
        let enctype = match word(Attr::ENCTYPE).as_str() {
            "multipart/form-data" => Enctype::Multipart,
            "text/plain" => Enctype::TextPlain,
            _ => Enctype::UrlEncoded,
        };
        Form { node, index, action, method, enctype, controls: Vec::new() }
    }

    /// HTML §4.10.17.3, "reset the form owner": what the control says, else the form that was open
    /// when the parser met it, else the form around it.
    fn form_owner(&self, control: NodeId, ids: &Ids<'_>) -> Option<NodeId> {
        if let Some(id) = self.known_attr(control, Attr::FORM) {
            return ids.elements.get(id).copied().filter(|&owner| self.is(owner, Tag::FORM));
        }
        match self.owners.binary_search_by_key(&control, |&(control, _)| control) {
            Ok(at) => Some(self.owners[at].1),
            Err(_) => self.ancestor_named(control, Tag::FORM),
        }
    }
}

/// The elements that controls refer to by id.
struct Ids<'a> {
    elements: BTreeMap<&'a str, NodeId>,
    /// Labels by the id in their `for`; the first one counts.
    labels: BTreeMap<&'a str, NodeId>,
    /// How many options of lists may still be given.
    listed: Cell<usize>,
}

impl<'a> Ids<'a> {
    fn of(document: &'a Document) -> Self {
        let listed = Cell::new(LISTED_OPTIONS);
        let mut ids = Self { elements: BTreeMap::new(), labels: BTreeMap::new(), listed };
        for node in document.all() {
            if let Some(id) = document.id(node) {
                ids.elements.entry(id).or_insert(node);
            }
            if document.is(node, Tag::LABEL)
                && let Some(id) = document.known_attr(node, Attr::FOR)
            {
                ids.labels.entry(id).or_insert(node);
            }
        }
        ids
    }
}

fn owned(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    (!text.is_empty()).then_some(text)
}

fn says(list: Option<&str>, token: &str) -> bool {
    list.is_some_and(|list| has_token(list, token))
}

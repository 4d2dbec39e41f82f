//! Reads form controls as facets and paging: selects, radio buttons and boxes as facets, with the names
//! that the page gives them, and submit buttons that lead to other pages.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use quarry_dom::{
    Attr, Control, ControlKind, Document, Form, FormMethod, Headings, NodeId, Tag, fold_whitespace,
};
use url::Url;

use super::anchor::has_word;
use super::count;
use super::paging::{is_page_key, role_of};
use super::switch::{is_size_key, is_sort_key};
use super::words::{FACET_MARKS, REMOVE, has, plain};
use super::{
    ControlMeaning, FacetControl, FacetControlKind, FacetOption, FormFacets, PagingButton,
    PagingRole,
};
use crate::forms::{FormKind, Submission, classify_forms};

/// The forms that search or narrow the list, or page it.
pub(super) fn read(document: &Document, address: &Url) -> Vec<FormFacets> {
    let forms = document.forms(address);
    let kinds = classify_forms(document, &forms);
    let headings = OnceCell::new();
    let mut found = Vec::new();
    for (form, classified) in forms.iter().zip(kinds) {
        let paging_buttons = paging_buttons(form);
        let wanted = matches!(classified.kind, FormKind::Search | FormKind::Refine);
        let controls = controls(document, form, &headings);
        // Counts beside the options, what the form is called, or that it only chooses and leads back to the page
        // say that it may narrow a list.
        let narrows = classified.kind == FormKind::Other
            && !controls.is_empty()
            && (counted(&controls)
                || has_word(document, form.node, FACET_MARKS)
                || leads_back(form, address));
        if !wanted && !narrows && paging_buttons.is_empty() {
            continue;
        }
        let Some(submission) = Submission::of(form) else { continue };
        found.push(FormFacets {
            form: form.index,
            kind: classified.kind,
            safe: classified.safe,
            submission,
            controls,
            paging_buttons,
        });
    }
    found
}

/// Whether a form shows the page again by what is chosen in it, and nothing can be typed there.
fn leads_back(form: &Form<'_>, page: &Url) -> bool {
    let chooses = |control: &Control<'_>| {
        matches!(
            control.kind,
            ControlKind::Select
                | ControlKind::Radio
                | ControlKind::Checkbox
                | ControlKind::Hidden
                | ControlKind::Submit
                | ControlKind::Image
                | ControlKind::Reset
                | ControlKind::Button
        )
    };
    let is_here = form
        .action
        .as_ref()
        .is_some_and(|to| to.origin() == page.origin() && to.path() == page.path());
    form.method == FormMethod::Get && is_here && form.controls.iter().all(chooses)
}

/// Whether most of what can be chosen is counted.
fn counted(controls: &[FacetControl]) -> bool {
    let options = || controls.iter().flat_map(|control| &control.options);
    options().filter(|option| option.count.is_some()).count() * 2 > options().count()
}

fn controls<'a>(
    document: &'a Document,
    form: &Form<'_>,
    headings: &OnceCell<Headings<'a>>,
) -> Vec<FacetControl> {
    let mut found: Vec<FacetControl> = Vec::new();
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    let mut legends = Legends::default();
    for control in form.controls.iter().filter(|c| !c.disabled && !c.name.is_empty()) {
        let kind = match control.kind {
            ControlKind::Select => FacetControlKind::Select,
            ControlKind::Radio => FacetControlKind::Radio,
            ControlKind::Checkbox => FacetControlKind::Checkbox,
            _ => continue,
        };
        let options = options(control, kind);
        let any = any_of(control, kind);
        if let Some(&known) = by_name.get(control.name) {
            found[known].options.extend(options);
            found[known].any = found[known].any.take().or(any);
            continue;
        }
        by_name.insert(control.name, found.len());
        let own = control.label.as_ref().map(|label| label.text.to_string());
        let label = match kind {
            FacetControlKind::Select => own.or_else(|| legends.of(document, control.node)),
            FacetControlKind::Radio | FacetControlKind::Checkbox => {
                let headings = headings.get_or_init(|| document.headings());
                let heading = || heading(document, headings, control.node);
                let before = || text_before(document, control, own.as_deref());
                legends.of(document, control.node).or_else(before).or_else(heading)
            }
        };
        let label = label.map(|label| label.trim_end_matches([':', '：']).trim().to_owned());
        let meaning = if is_sort_key(control.name) {
            ControlMeaning::Sort
        } else if is_size_key(control.name) && numbers(&options) {
            ControlMeaning::Size
        } else if is_page_key(control.name) && numbers(&options) {
            ControlMeaning::Page
        } else if has(control.name, &["op", "operator", "operation", "column", "comparison"]) {
            ControlMeaning::Operator
        } else {
            ControlMeaning::Facet
        };
        let name = control.name.to_owned();
        found.push(FacetControl { name, label, kind, meaning, options, any });
    }
    found.retain(|control| !control.options.is_empty());
    found
}

fn numbers(options: &[FacetOption]) -> bool {
    options.iter().all(|option| option.value.parse::<u64>().is_ok() || option.value == "all")
}

fn options(control: &Control<'_>, kind: FacetControlKind) -> Vec<FacetOption> {
    let option = |value: &str, label: &str, selected: bool| {
        let counted = count::split(label);
        FacetOption {
            value: value.to_owned(),
            label: counted.value,
            count: counted.count,
            selected,
        }
    };
    if kind == FacetControlKind::Select {
        let choices = control.options.iter().filter(|choice| !choice.disabled);
        let choices = choices.filter(|choice| !is_any(&choice.value, &choice.label));
        return choices.map(|c| option(&c.value, &c.label, c.selected)).collect();
    }
    let label = control.label.as_ref().map_or(control.value.as_ref(), |label| label.text.as_ref());
    if is_any(&control.value, label) {
        return Vec::new();
    }
    vec![option(&control.value, label, control.checked)]
}

/// What a control sends to take the predicate away, if it can.
fn any_of(control: &Control<'_>, kind: FacetControlKind) -> Option<String> {
    if kind == FacetControlKind::Select {
        let mut choices = control.options.iter().filter(|choice| !choice.disabled);
        let any = choices.find(|choice| is_any(&choice.value, &choice.label));
        return any.map(|choice| choice.value.to_string());
    }
    let label = control.label.as_ref().map_or(control.value.as_ref(), |label| label.text.as_ref());
    is_any(&control.value, label).then(|| control.value.to_string())
}

/// Whether an option takes the predicate away instead of setting it.
fn is_any(value: &str, label: &str) -> bool {
    let words = plain(label);
    value.is_empty()
        || (REMOVE.contains(&words.as_str()) && matches!(value, "0" | "all" | "any" | "-1" | "*"))
}

/// The legends of field sets, each looked for once.
#[derive(Default)]
struct Legends(BTreeMap<NodeId, Option<String>>);

impl Legends {
    fn of(&mut self, document: &Document, node: NodeId) -> Option<String> {
        let set = document.ancestor_named(node, Tag::FIELDSET)?;
        let legend = || {
            let mut children = document.child_elements(set);
            let legend = children.find(|&child| document.is(child, Tag::LEGEND))?;
            Some(document.folded_text(legend).into_owned()).filter(|text| !text.is_empty())
        };
        self.0.entry(set).or_insert_with(legend).clone()
    }
}

/// Nodes before a box that are looked at for the text that names its set.
const NODES_BEFORE: u32 = 60;
/// Characters of such a text, at most: longer ones explain.
const MAX_NAME_CHARS: usize = 60;

/// The text right before the first box of a set, inside its form: what the boxes have in common. `own` is what the box itself is
/// called, which may stand before it, too. What stands right behind another box is said of that.
fn text_before(document: &Document, control: &Control<'_>, own: Option<&str>) -> Option<String> {
    let form = document.ancestor_named(control.node, Tag::FORM)?;
    if is_of_records(document, control.node, form) {
        return None;
    }
    let first = control.node.0.saturating_sub(NODES_BEFORE).max(form.0 + 1);
    let mut name: Option<String> = None;
    for node in (first..control.node.0).rev().map(NodeId) {
        if is_box(document, node) {
            return None;
        }
        if !document.is_text(node) || document.is_hidden(node) {
            continue;
        }
        let text = fold_whitespace(document.text(node));
        let text = text.trim();
        if text.is_empty() || own.is_some_and(|own| own.contains(text)) {
            continue;
        }
        if name.is_some() {
            return name;
        }
        let tags = [Tag::SELECT, Tag::TEXTAREA, Tag::BUTTON];
        let is_inside = tags.iter().any(|&tag| document.ancestor_named(node, tag).is_some());
        if is_inside
            || !text.chars().any(char::is_alphabetic)
            || text.chars().nth(MAX_NAME_CHARS).is_some()
        {
            return None;
        }
        name = Some(text.to_owned());
    }
    name
}

/// Whether a link stands between a box and the next one: a box for each record, to mark it.
fn is_of_records(document: &Document, control: NodeId, form: NodeId) -> bool {
    let last = document.subtree_end(form).0.min(control.0 + 1 + NODES_BEFORE);
    let behind = (control.0 + 1..last).map(NodeId);
    let mut until = behind.take_while(|&node| !is_box(document, node));
    until.any(|node| document.is(node, Tag::A))
}

fn is_box(document: &Document, node: NodeId) -> bool {
    let kind = || document.known_attr(node, Attr::TYPE).unwrap_or_default().to_lowercase();
    document.is(node, Tag::INPUT) && matches!(kind().as_str(), "checkbox" | "radio")
}

/// The last heading above a box inside its form.
fn heading(document: &Document, headings: &Headings<'_>, node: NodeId) -> Option<String> {
    let form = document.ancestor_named(node, Tag::FORM)?;
    let last = *headings.of(node).last()?;
    document.contains(form, last).then(|| document.folded_text(last).into_owned())
}

/// Submit buttons whose name or text says that they lead to another page.
fn paging_buttons(form: &Form<'_>) -> Vec<PagingButton> {
    let buttons = form.controls.iter().filter(|control| {
        control.kind == ControlKind::Submit && !control.name.is_empty() && !control.disabled
    });
    let mut found: Vec<PagingButton> = Vec::new();
    for button in buttons {
        let text = button.label.as_ref().map_or(button.value.as_ref(), |label| label.text.as_ref());
        let number = plain(text).parse::<u32>().ok();
        let role = match (role_of(text), number) {
            (Some(role), _) => role,
            (None, Some(_)) => PagingRole::Page,
            (None, None) => continue,
        };
        if number.is_some() && !is_page_key(button.name) {
            continue;
        }
        found.push(PagingButton {
            name: button.name.to_owned(),
            value: button.value.to_string(),
            role,
            number,
        });
    }
    found
}

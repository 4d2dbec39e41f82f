//! Controls of forms, and what each would send.

use std::borrow::Cow;

use super::{Ids, Label};
use crate::document::{Document, NodeId};
use crate::name::{Attr, Tag};
use crate::text::fold_whitespace;

/// The kinds of controls: the types of `input` and `button`, `select` and `textarea`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum ControlKind {
    Text,
    Search,
    Tel,
    Url,
    Email,
    Password,
    Number,
    Range,
    Date,
    Month,
    Week,
    Time,
    DatetimeLocal,
    Color,
    Checkbox,
    Radio,
    File,
    Hidden,
    Submit,
    Image,
    Reset,
    Button,
    Select,
    Textarea,
    Output,
}

#[rustfmt::skip]
const INPUT_TYPES: [(&str, ControlKind); 22] = [
    ("text", ControlKind::Text), ("search", ControlKind::Search), ("tel", ControlKind::Tel),
    ("url", ControlKind::Url), ("email", ControlKind::Email), ("password", ControlKind::Password),
    ("number", ControlKind::Number), ("range", ControlKind::Range), ("date", ControlKind::Date),
    ("month", ControlKind::Month), ("week", ControlKind::Week), ("time", ControlKind::Time),
    ("datetime-local", ControlKind::DatetimeLocal), ("color", ControlKind::Color),
    ("checkbox", ControlKind::Checkbox), ("radio", ControlKind::Radio), ("file", ControlKind::File),
    ("hidden", ControlKind::Hidden), ("submit", ControlKind::Submit), ("image", ControlKind::Image),
    ("reset", ControlKind::Reset), ("button", ControlKind::Button),
];

impl ControlKind {
    /// The word that HTML uses: the `type` of an input, else the element's name.
    pub fn as_str(self) -> &'static str {
        match self {
            ControlKind::Select => "select",
            ControlKind::Textarea => "textarea",
            ControlKind::Output => "output",
            kind => INPUT_TYPES.iter().find(|(_, known)| *known == kind).map_or("text", |(n, _)| n),
        }
    }

    /// Whether a user types text into it.
    pub fn takes_text(self) -> bool {
        #[rustfmt::skip]
        let text = matches!(
            self,
            ControlKind::Text | ControlKind::Search | ControlKind::Tel | ControlKind::Url
                | ControlKind::Email | ControlKind::Password | ControlKind::Textarea
        );
        text
    }

    /// Whether it is pressed.
    pub fn is_button(self) -> bool {
        #[rustfmt::skip]
        let button = matches!(
            self,
            ControlKind::Submit | ControlKind::Image | ControlKind::Reset | ControlKind::Button
        );
        button
    }
}

/// A control of a form.
#[derive(Clone, Debug)]
pub struct Control<'a> {
    /// The element.
    pub node: NodeId,
    /// What kind of control it is.
    pub kind: ControlKind,
    /// The name that it is sent under; a control without a name is not sent.
    pub name: &'a str,
    /// What it sends when nobody touches it (a box or radio button: when it is checked).
    pub value: Cow<'a, str>,
    /// What the page calls it.
    pub label: Option<Label<'a>>,
    /// What can be chosen: the options of a `select`, or of the `datalist` of an input.
    pub options: Vec<Choice<'a>>,
    /// Whether a box or radio button is checked.
    pub checked: bool,
    /// Whether it is not sent and cannot be changed.
    pub disabled: bool,
    /// Whether it is sent but cannot be changed.
    pub readonly: bool,
    /// Whether the form cannot be sent without it.
    pub required: bool,
    /// Whether several options, files or addresses can be given.
    pub multiple: bool,
}

/// One option of a `select` or `datalist`.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    /// The `option` element.
    pub node: NodeId,
    /// What is sent.
    pub value: Cow<'a, str>,
    /// What the user sees.
    pub label: Cow<'a, str>,
    /// The label of its `optgroup`.
    pub group: Option<&'a str>,
    /// Whether it is chosen when nobody touches the control.
    pub selected: bool,
    /// Whether it cannot be chosen.
    pub disabled: bool,
}

impl Document {
    /// The kind of control that the node is, if it is one.
    pub fn control_kind(&self, node: NodeId) -> Option<ControlKind> {
        let tag = self.tag(node)?;
        let kind_word = || self.known_attr(node, Attr::TYPE).map_or("", str::trim);
        let kind = match tag {
            Tag::INPUT => {
                let word = kind_word();
                let known = INPUT_TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
                known.map_or(ControlKind::Text, |&(_, kind)| kind)
            }
            Tag::BUTTON => match kind_word().to_ascii_lowercase().as_str() {
                "reset" => ControlKind::Reset,
                "button" => ControlKind::Button,
                _ => ControlKind::Submit,
            },
            Tag::SELECT => ControlKind::Select,
            Tag::TEXTAREA => ControlKind::Textarea,
            Tag::OUTPUT => ControlKind::Output,
            _ => return None,
        };
        self.is(node, tag).then_some(kind)
    }

    pub(super) fn control<'a>(
        &'a self,
        node: NodeId,
        kind: ControlKind,
        form: NodeId,
        ids: &Ids<'a>,
    ) -> Control<'a> {
        let has = |attr| self.known_attr(node, attr).is_some();
        let multiple = has(Attr::MULTIPLE);
        let options = self.options(node, kind, multiple, ids);
        Control {
            node,
            kind,
            name: self.known_attr(node, Attr::NAME).unwrap_or_default(),
            value: self.control_value(node, kind, &options),
            label: self.label(node, kind, form, ids),
            checked: matches!(kind, ControlKind::Checkbox | ControlKind::Radio)
                && has(Attr::CHECKED),
            disabled: has(Attr::DISABLED) || self.is_in_disabled_fieldset(node),
            readonly: has(Attr::READONLY),
            required: has(Attr::REQUIRED),
            multiple,
            options,
        }
    }

    fn control_value<'a>(
        &'a self,
        node: NodeId,
        kind: ControlKind,
        options: &[Choice<'a>],
    ) -> Cow<'a, str> {
        let value = self.known_attr(node, Attr::VALUE);
        match kind {
            ControlKind::Select => {
                let selected = options.iter().find(|option| option.selected);
                selected.map(|option| option.value.clone()).unwrap_or_default()
            }
            ControlKind::Textarea | ControlKind::Output => self.text_content(node),
            ControlKind::Checkbox | ControlKind::Radio => Cow::Borrowed(value.unwrap_or("on")),
            _ => Cow::Borrowed(value.unwrap_or_default()),
        }
    }

    /// HTML §4.10.19.5: a fieldset disables what is in it, but not what is in its first legend.
    fn is_in_disabled_fieldset(&self, node: NodeId) -> bool {
        self.ancestors(node).any(|fieldset| {
            self.is(fieldset, Tag::FIELDSET)
                && self.known_attr(fieldset, Attr::DISABLED).is_some()
                && !(self.child_elements(fieldset).find(|&child| self.is(child, Tag::LEGEND)))
                    .is_some_and(|legend| self.contains(legend, node))
        })
    }

    fn options<'a>(
        &'a self,
        node: NodeId,
        kind: ControlKind,
        multiple: bool,
        ids: &Ids<'a>,
    ) -> Vec<Choice<'a>> {
        let list = if kind == ControlKind::Select {
            Some(node)
        } else {
            let list = self.known_attr(node, Attr::LIST).and_then(|id| ids.elements.get(id));
            list.copied().filter(|&list| self.is(list, Tag::DATALIST))
        };
        let Some(list) = list else { return Vec::new() };
        let options = self.descendants(list).filter(|&option| self.is(option, Tag::OPTION));
        let options = options.map(|option| self.option(option, list));
        if kind != ControlKind::Select {
            let options: Vec<_> = options.take(ids.listed.get()).collect();
            ids.listed.set(ids.listed.get() - options.len());
            return options;
        }
        let mut options: Vec<_> = options.collect();
        if !multiple {
            self.select_one(node, &mut options);
        }
        options
    }

    fn option(&self, node: NodeId, list: NodeId) -> Choice<'_> {
        let has = |attr| self.known_attr(node, attr).is_some();
        let group = self.ancestors(node).take_while(|&ancestor| ancestor > list);
        let group = group.into_iter().find(|&ancestor| self.is(ancestor, Tag::OPTGROUP));
        // Options of a datalist are hidden; their text counts all the same.
        let text = match self.text_content(node) {
            Cow::Borrowed(text) => fold_whitespace(text),
            Cow::Owned(text) => Cow::Owned(fold_whitespace(&text).into_owned()),
        };
        let label = self.known_attr(node, Attr::LABEL).filter(|label| !label.is_empty());
        let label = label.map_or_else(|| text.clone(), Cow::Borrowed);
        Choice {
            node,
            value: self.known_attr(node, Attr::VALUE).map_or(text, Cow::Borrowed),
            label,
            group: group.and_then(|group| self.known_attr(group, Attr::LABEL)),
            selected: has(Attr::SELECTED),
            disabled: has(Attr::DISABLED)
                || group.is_some_and(|group| self.known_attr(group, Attr::DISABLED).is_some()),
        }
    }

    /// HTML §4.10.7, "selectedness setting algorithm": the last one marked, else the first that can
    /// be chosen, unless the control shows several rows.
    fn select_one(&self, select: NodeId, options: &mut [Choice<'_>]) {
        let size = self.known_attr(select, Attr::SIZE).and_then(|size| size.trim().parse().ok());
        let chosen = match options.iter().rposition(|option| option.selected) {
            Some(chosen) => Some(chosen),
            None if size.unwrap_or(1) > 1 => None,
            None => options.iter().position(|option| !option.disabled),
        };
        for (at, option) in options.iter_mut().enumerate() {
            option.selected = Some(at) == chosen;
        }
    }
}

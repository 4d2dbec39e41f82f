//! Classifies a form. Each fact about it speaks for or against a kind with a weight; the kind
//! with the largest sum wins.
//!
//! The weights were set by hand on the forms of one half of the hosts of a labelled collection and
//! checked on the other half; `docs/algorithms/forms.md` has the figures.

use crate::logistic::logistic;
use quarry_dom::{Control, ControlKind, Document, Form, FormMethod, NodeId, Tag};

use super::words::{
    BUY, DISPLAY, EMAIL, LOGIN, PASSWORD, PERSON, QUERY, REFINE, REGISTER, SEARCH, WRITE, Words,
};
use super::{ClassifiedForm, FormEvidence, FormKind};

/// A form is of a kind when the weights that speak for it come to at least this.
const ENOUGH: f64 = 1.7;
/// Only so much of a form's text is read: more is content, not a caption.
const LONGEST_TEXT: usize = 300;

/// What every form of a page is for.
#[must_use]
pub fn classify_forms(document: &Document, forms: &[Form<'_>]) -> Vec<ClassifiedForm> {
    forms.iter().map(|form| classify_form(document, form)).collect()
}

/// What a form is for.
#[must_use]
pub fn classify_form(document: &Document, form: &Form<'_>) -> ClassifiedForm {
    let facts = FormFacts::of(document, form);
    let mut weights = FormWeights::default();
    facts.weigh_search(&mut weights);
    facts.weigh_refine(&mut weights);
    facts.weigh_login(&mut weights);
    let (search, refine, login) =
        (weights.of(FormKind::Search), weights.of(FormKind::Refine), weights.of(FormKind::Login));
    let best = [(login, FormKind::Login), (search, FormKind::Search), (refine, FormKind::Refine)]
        .into_iter()
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .expect("there are three kinds");
    let chance = logistic(best.0 - ENOUGH);
    let (kind, score) =
        if best.0 >= ENOUGH { (best.1, chance) } else { (FormKind::Other, 1.0 - chance) };
    let safe = facts.is_harmless() && may_be_sent(form, kind);
    let mut evidence = weights.0;
    evidence.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    ClassifiedForm { index: form.index, kind, score, safe, evidence }
}

/// Whether a form may be sent without fear of changing anything: by GET, or by POST where it is a
/// search, or narrows a list by choices alone; never with a password or a file; never where its words speak of accounts, orders or mail.
#[must_use]
pub fn is_safe_to_submit(document: &Document, form: &Form<'_>) -> bool {
    classify_form(document, form).safe
}

fn may_be_sent(form: &Form<'_>, kind: FormKind) -> bool {
    let address = form.action.as_ref().is_some_and(|a| matches!(a.scheme(), "http" | "https"));
    let secret =
        form.controls.iter().any(|c| matches!(c.kind, ControlKind::Password | ControlKind::File));
    let method = match form.method {
        FormMethod::Get => kind != FormKind::Login,
        // What only narrows a list takes choices and no text.
        FormMethod::Post => {
            let takes_text =
                |c: &Control<'_>| c.kind.takes_text() || c.kind == ControlKind::Textarea;
            let chooses = |c: &Control<'_>| {
                matches!(c.kind, ControlKind::Select | ControlKind::Radio | ControlKind::Checkbox)
            };
            let narrows =
                !form.controls.iter().any(takes_text) && form.controls.iter().any(chooses);
            kind == FormKind::Search || kind == FormKind::Refine && narrows
        }
        FormMethod::Dialog => false,
    };
    address && !secret && method
}

/// What speaks for and against each kind.
#[derive(Default)]
struct FormWeights(Vec<FormEvidence>);

impl FormWeights {
    fn say(&mut self, kind: FormKind, what: &'static str, weight: f64, when: bool) {
        if when {
            self.0.push(FormEvidence { kind, what, weight });
        }
    }

    fn of(&self, kind: FormKind) -> f64 {
        self.0.iter().filter(|e| e.kind == kind).map(|e| e.weight).sum()
    }
}

/// What a form consists of and what it is called.
struct FormFacts<'a> {
    form: &'a Form<'a>,
    /// Visible controls that take one line of text, without those for passwords.
    texts: Vec<&'a Control<'a>>,
    /// Selects, boxes, radio buttons and ranges.
    choices: Vec<&'a Control<'a>>,
    passwords: usize,
    areas: usize,
    /// Id, class and name of the form.
    names: String,
    /// Path and query of the address.
    action: String,
    /// Names, ids and classes of the text controls.
    text_names: Vec<String>,
    /// Labels, titles, placeholders and first values of the text controls.
    text_labels: Vec<String>,
    /// Names and labels of the other controls that a visitor can see.
    choice_names: Vec<String>,
    /// What the buttons say and are called.
    buttons: Vec<String>,
    hidden: Vec<&'a str>,
    /// The beginning of the form's own text.
    text: String,
    /// Said by the page: `role=search`, `<search>`.
    search_role: bool,
    in_header: bool,
    in_footer: bool,
}

impl<'a> FormFacts<'a> {
    fn of(document: &'a Document, form: &'a Form<'a>) -> Self {
        let attr = |node, name| document.attr(node, name).unwrap_or_default();
        let marks = |node| format!("{} {}", attr(node, "id"), attr(node, "class"));
        let role = |node, roles: &[&str]| {
            attr(node, "role").split_ascii_whitespace().any(|r| roles.contains(&r))
        };
        let mut facts = Self {
            form,
            texts: Vec::new(),
            choices: Vec::new(),
            passwords: 0,
            areas: 0,
            names: format!("{} {}", marks(form.node), attr(form.node, "name")),
            action: form.action.as_ref().map_or_else(String::new, |a| {
                format!("{} {}", a.path(), a.query().unwrap_or_default())
            }),
            text_names: Vec::new(),
            text_labels: Vec::new(),
            choice_names: Vec::new(),
            buttons: Vec::new(),
            hidden: Vec::new(),
            text: own_text(document, form.node),
            search_role: role(form.node, &["search"])
                || document
                    .ancestors(form.node)
                    .any(|a| document.is(a, Tag::SEARCH) || role(a, &["search"])),
            in_header: false,
            in_footer: false,
        };
        for ancestor in document.ancestors(form.node) {
            facts.in_header |= document.is(ancestor, Tag::HEADER)
                || document.is(ancestor, Tag::NAV)
                || role(ancestor, &["banner", "navigation"]);
            facts.in_footer |=
                document.is(ancestor, Tag::FOOTER) || role(ancestor, &["contentinfo"]);
        }
        for control in &form.controls {
            let node = control.node;
            let label = control.label.as_ref().map_or("", |l| &l.text);
            let names = format!("{} {}", control.name, marks(node));
            let said = format!(
                "{label} {} {} {}",
                attr(node, "title"),
                attr(node, "placeholder"),
                attr(node, "alt")
            );
            match control.kind {
                ControlKind::Hidden => facts.hidden.push(control.name),
                ControlKind::Password => facts.passwords += 1,
                ControlKind::Textarea => facts.areas += 1,
                kind if kind.is_button() => {
                    let icons = inner_marks(document, node);
                    facts.buttons.push(format!("{names} {said} {} {icons}", control.value));
                }
                kind if kind.takes_text() => {
                    facts.texts.push(control);
                    facts.text_names.push(names);
                    facts.text_labels.push(format!("{said} {}", control.value));
                }
                ControlKind::File | ControlKind::Output => {}
                _ => {
                    facts.choices.push(control);
                    facts.choice_names.push(format!("{names} {label}"));
                }
            }
        }
        facts
    }

    fn any(words: &Words, texts: &[String]) -> bool {
        texts.iter().any(|text| words.are_in(text))
    }

    fn has(&self, kind: ControlKind) -> bool {
        self.form.controls.iter().any(|c| c.kind == kind)
    }

    fn weigh_search(&self, weights: &mut FormWeights) {
        let mut say = |what, weight, when| weights.say(FormKind::Search, what, weight, when);
        let (names, labels) = (&self.text_names, &self.text_labels);
        say("a control of type search", 3.0, self.has(ControlKind::Search));
        say("the page calls it a search", 3.0, self.search_role);
        let named = |c: &&Control<'_>| QUERY.are_in(c.name) || SEARCH.are_in(c.name);
        say("a text field named like a query", 2.5, self.texts.iter().any(named));
        say("a text field whose id or class says search", 1.0, Self::any(&SEARCH, names));
        say("a text field labelled search", 2.0, Self::any(&SEARCH, labels));
        say("the address says search", 2.0, SEARCH.are_in(&self.action));
        say("the form is called search", 1.5, SEARCH.are_in(&self.names));
        say("a button says search", 2.0, Self::any(&SEARCH, &self.buttons));
        say("its text says search", 0.7, SEARCH.are_in(&self.text));
        say("a search service's hidden field", 1.5, self.hidden.contains(&"cx"));
        say("sent by GET", 0.7, self.form.method == FormMethod::Get);
        say("sent by POST", -0.7, self.form.method == FormMethod::Post);
        say("one text field", 0.5, self.texts.len() == 1);
        say("in the header", 0.3, self.in_header);
        say("in the footer", -0.3, self.in_footer && !self.in_header);
        let choices_only = self.texts.is_empty() && !self.choices.is_empty();
        say("no text field", -0.7, choices_only);
        say("nothing to fill in", -5.0, self.texts.is_empty() && self.choices.is_empty());
        say("only sorts or filters", -3.0, choices_only && self.refines());
        say("a password", -6.0, self.passwords > 0);
        say("a password typed as text", -3.0, self.texts.iter().any(|c| PASSWORD.are_in(c.name)));
        say("a file", -5.0, self.has(ControlKind::File));
        say("a text area", -3.0, self.areas > 0);
        let mail =
            self.has(ControlKind::Email) || Self::any(&EMAIL, names) || Self::any(&EMAIL, labels);
        say("an e-mail address", -3.5, mail);
        let persons = names.iter().zip(labels);
        let persons = persons.filter(|(n, l)| PERSON.are_in(n) || PERSON.are_in(l)).count();
        say("names, phones, addresses", -1.5, persons > 0);
        say("several names, phones, addresses", -1.5, persons > 2);
        let own = format!("{} {} {}", self.names, self.action, self.buttons.join(" "));
        say("it says newsletter, comment, contact", -2.5, WRITE.are_in(&own));
        let buys =
            BUY.are_in(&own) || Self::any(&BUY, names) || Self::any(&BUY, &self.choice_names);
        say("it says cart or quantity", -2.5, buys);
        say("it says login or register", -2.0, LOGIN.are_in(&own) || REGISTER.are_in(&own));
        say("it chooses language, currency, style", -2.0, self.displays());
    }

    fn refines(&self) -> bool {
        REFINE.are_in(&self.names)
            || Self::any(&REFINE, &self.choice_names)
            || Self::any(&REFINE, &self.buttons)
    }

    fn displays(&self) -> bool {
        DISPLAY.are_in(&self.names)
            || self.choices.iter().chain(&self.texts).any(|c| DISPLAY.are_in(c.name))
    }

    fn weigh_refine(&self, weights: &mut FormWeights) {
        let mut say = |what, weight, when| weights.say(FormKind::Refine, what, weight, when);
        let own = format!("{} {}", self.names, self.buttons.join(" "));
        say("something to choose", 1.0, !self.choices.is_empty());
        say("nothing to choose", -3.0, self.choices.is_empty());
        say("it says sort, filter or page size", 1.7, self.refines());
        say("many choices", 0.8, self.choices.len() > 3);
        say("sent by GET", 0.3, self.form.method == FormMethod::Get);
        say("a text field", -1.0, !self.texts.is_empty());
        say(
            "passwords, files, long texts",
            -5.0,
            self.passwords + self.areas > 0 || self.has(ControlKind::File),
        );
        say("it says newsletter, comment, contact", -2.5, WRITE.are_in(&own));
        say(
            "it says cart or quantity",
            -2.5,
            BUY.are_in(&own) || Self::any(&BUY, &self.choice_names),
        );
        say("it says login or register", -2.5, LOGIN.are_in(&own) || REGISTER.are_in(&own));
        say("it chooses language, currency, style", -2.5, self.displays());
    }

    fn weigh_login(&self, weights: &mut FormWeights) {
        let mut say = |what, weight, when| weights.say(FormKind::Login, what, weight, when);
        let own = format!("{} {} {}", self.names, self.action, self.buttons.join(" "));
        let typed = self.texts.iter().filter(|c| PASSWORD.are_in(c.name)).count();
        let passwords = if self.passwords > 0 { self.passwords } else { typed };
        let texts = self.texts.len() - if self.passwords > 0 { 0 } else { typed };
        say("one password", 3.0, passwords == 1);
        say("several passwords", -3.0, passwords > 1);
        say("it says login", 1.5, LOGIN.are_in(&own));
        say("no password", -1.0, passwords == 0);
        say("it says register", -2.5, REGISTER.are_in(&own) && !LOGIN.are_in(&own));
        say("many text fields", -2.5, texts > 3);
        say("choices like those of a registration", -1.0, self.choices.len() > 2);
        say("a text area", -2.0, self.areas > 0);
    }

    /// Whether nothing on the form speaks of accounts, orders or mail.
    fn is_harmless(&self) -> bool {
        let own = format!("{} {} {}", self.names, self.action, self.buttons.join(" "));
        let shown = SEARCH.are_in(&own) || self.search_role;
        let quantity = Self::any(&BUY, &self.text_names) || Self::any(&BUY, &self.choice_names);
        let mail = Self::any(&EMAIL, &self.text_names) || self.has(ControlKind::Email);
        let typed = self.texts.iter().any(|c| PASSWORD.are_in(c.name));
        !typed
            && !mail
            && (shown
                || !(quantity
                    || WRITE.are_in(&own)
                    || BUY.are_in(&own)
                    || LOGIN.are_in(&own)
                    || REGISTER.are_in(&own)))
    }
}

/// The beginning of the text of a form, without that of its options.
fn own_text(document: &Document, form: NodeId) -> String {
    let mut text = String::new();
    let mut at = form.0;
    let end = document.subtree_end(form).0;
    while at < end && text.len() < LONGEST_TEXT {
        let node = NodeId(at);
        if document.is(node, Tag::SELECT) {
            at = document.subtree_end(node).0;
            continue;
        }
        if document.is_text(node) && !document.is_hidden(node) {
            text.push_str(document.text(node).trim());
            text.push(' ');
        }
        at += 1;
    }
    text
}

/// Classes and texts for screen readers inside a button: `<i class="icon-search">`.
fn inner_marks(document: &Document, button: NodeId) -> String {
    let mut marks = String::new();
    for node in document.descendants(button).take(12) {
        for name in ["class", "alt", "title", "aria-label"] {
            marks.push_str(document.attr(node, name).unwrap_or_default());
            marks.push(' ');
        }
    }
    marks
}

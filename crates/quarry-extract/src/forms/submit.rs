//! Makes the request that sends a form. What a browser would send after typing a query and pressing
//! Enter (HTML §4.10.22): the query in its field, everything else as the page set it, choices
//! changed on request.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Control, ControlKind, Form, FormMethod};
use quarry_model::Request;
use url::Url;
use url::form_urlencoded::Serializer;

use super::words::{EMAIL, PERSON, QUERY, SEARCH};

/// The control that takes the query: the one that is named and labelled most like it.
#[must_use]
pub fn query_control<'f, 'a>(form: &'f Form<'a>) -> Option<&'f Control<'a>> {
    let fits = |control: &Control<'_>| -> i32 {
        let label = control.label.as_ref().map_or("", |label| &label.text);
        let yes = |when: bool, points: i32| if when { points } else { 0 };
        yes(control.kind == ControlKind::Search, 4)
            + yes(QUERY.are_in(control.name), 3)
            + yes(SEARCH.are_in(control.name), 3)
            + yes(SEARCH.are_in(label), 2)
            + yes(SEARCH.are_in(&control.value), 1)
            - yes(EMAIL.are_in(control.name) || control.kind == ControlKind::Email, 6)
            - yes(PERSON.are_in(control.name), 3)
    };
    let takes = |c: &&Control<'_>| {
        let text = matches!(c.kind, ControlKind::Text | ControlKind::Search);
        text && !c.name.is_empty() && !c.disabled && !c.readonly
    };
    // The first of the best.
    form.controls.iter().filter(takes).reduce(
        |best, next| {
            if fits(next) > fits(best) { next } else { best }
        },
    )
}

/// The request that asks a form for `query`. `choices` are names of selects, boxes, radio buttons or hidden
/// controls with the values to send in place of the page's; all others keep their defaults. A form
/// without a text field is sent with its choices only. `None` where the form has no address that
/// can be asked or closes a dialog.
///
/// Whether the form *may* be sent is [`super::is_safe_to_submit`]'s to say.
#[must_use]
pub fn submission(form: &Form<'_>, query: &str, choices: &[(&str, &str)]) -> Option<Request> {
    Submission::of(form).map(|submission| submission.request(query, choices))
}

/// A form as it is sent: its pairs of name and value, free of the page that it stood on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    method: FormMethod,
    action: Url,
    pairs: Vec<Pair>,
    alternatives: Vec<(String, Vec<String>)>,
}

/// A name with the value that is sent for it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pair {
    name: String,
    value: String,
    is_query: bool,
    /// Sent only when chosen: a box or button that is not ticked on the page.
    is_off: bool,
    /// The value is one of several that a choice selects among by sending this pair or not.
    is_box: bool,
    /// The button that Enter presses.
    is_button: bool,
}

impl Submission {
    /// What the form sends. `None` where it has no address that can be asked or closes a dialog.
    #[must_use]
    pub fn of(form: &Form<'_>) -> Option<Self> {
        let mut action = form.action.clone()?;
        if !matches!(action.scheme(), "http" | "https") || form.method == FormMethod::Dialog {
            return None;
        }
        action.set_fragment(None);
        let alternatives = alternatives(form);
        let alternatives = alternatives.into_iter().map(|(name, values)| {
            (name.to_owned(), values.into_iter().map(str::to_owned).collect())
        });
        Some(Self {
            method: form.method,
            action,
            pairs: pairs(form),
            alternatives: alternatives.collect(),
        })
    }

    /// The name of the field that takes the query.
    #[must_use]
    pub fn query_name(&self) -> Option<&str> {
        self.pairs.iter().find(|pair| pair.is_query).map(|pair| pair.name.as_str())
    }

    /// What can be chosen beside the query; see [`alternatives`].
    #[must_use]
    pub fn alternatives(&self) -> &[(String, Vec<String>)] {
        &self.alternatives
    }

    /// The request that asks for `query`; see [`submission`].
    #[must_use]
    pub fn request(&self, query: &str, choices: &[(&str, &str)]) -> Request {
        self.send(Some(query), choices, None)
    }

    /// The request that a press of this submit button sends: everything as the page set it, and the
    /// button in place of the one that Enter presses.
    #[must_use]
    pub fn press(&self, name: &str, value: &str) -> Request {
        self.send(None, &[], Some((name, value)))
    }

    fn send(
        &self,
        query: Option<&str>,
        choices: &[(&str, &str)],
        button: Option<(&str, &str)>,
    ) -> Request {
        let mut out = Serializer::new(String::new());
        let mut given: BTreeSet<&str> = BTreeSet::new();
        let pressed = |pair: &&Pair| button.is_none() || !pair.is_button;
        for pair in self.pairs.iter().filter(pressed) {
            let chosen =
                choices.iter().find(|(name, _)| *name == pair.name).map(|(_, value)| *value);
            let value = match chosen {
                _ if pair.is_query => Some(query.unwrap_or(&pair.value)),
                Some(value) if pair.is_box => (value == pair.value).then_some(value),
                Some(_) if given.contains(pair.name.as_str()) => None,
                Some(value) => Some(value),
                None => (!pair.is_off).then_some(pair.value.as_str()),
            };
            if let Some(value) = value {
                out.append_pair(&pair.name, value);
                given.insert(&pair.name);
            }
        }
        if let Some((name, value)) = button {
            out.append_pair(name, value);
        }
        let data = out.finish();
        match self.method {
            FormMethod::Post => Request::post(self.action.clone(), data),
            FormMethod::Get | FormMethod::Dialog => {
                let mut url = self.action.clone();
                url.set_query(Some(&data));
                Request::get(url)
            }
        }
    }

    /// The query that a request asks this form for, if it is one of this form's.
    ///
    /// ```
    /// use quarry_dom::Document;
    /// use quarry_extract::forms::Submission;
    /// let page = Document::from_html("<form action=/find><input name=q><input type=hidden name=a value=1></form>");
    /// let forms = page.forms(&url::Url::parse("https://shop.example/").unwrap());
    /// let form = Submission::of(&forms[0]).unwrap();
    /// assert_eq!(form.query_of(&form.request("red shoe", &[])).as_deref(), Some("red shoe"));
    /// ```
    #[must_use]
    pub fn query_of(&self, request: &Request) -> Option<String> {
        let name = self.query_name()?;
        let address = Url::parse(&request.url).ok()?;
        let same = address.origin() == self.action.origin() && address.path() == self.action.path();
        let data = match (self.method, request.method) {
            (FormMethod::Get, quarry_model::Method::Get) => address.query()?,
            (FormMethod::Post, quarry_model::Method::Post) => request.body.as_deref()?,
            _ => return None,
        };
        let mut pairs = url::form_urlencoded::parse(data.as_bytes());
        let query = pairs.find(|(key, _)| key == name)?.1.into_owned();
        same.then_some(query)
    }
}

fn pairs(form: &Form<'_>) -> Vec<Pair> {
    let asked = query_control(form).map(|control| control.node);
    let mut out: Vec<Pair> = Vec::new();
    let mut pressed = false;
    for control in &form.controls {
        if control.disabled || control.name.is_empty() {
            // A button without a name is pressed all the same.
            pressed |= is_submit(control) && !control.disabled;
            continue;
        }
        let plain = |name: &str, value: &str| Pair {
            name: name.to_owned(),
            value: value.to_owned(),
            is_query: false,
            is_off: false,
            is_box: false,
            is_button: false,
        };
        if Some(control.node) == asked {
            out.push(Pair { is_query: true, ..plain(control.name, &control.value) });
            continue;
        }
        match control.kind {
            ControlKind::Checkbox | ControlKind::Radio => out.push(Pair {
                is_off: !control.checked,
                is_box: true,
                ..plain(control.name, &control.value)
            }),
            ControlKind::Submit | ControlKind::Image => {
                // Enter presses the first one only.
                if !pressed {
                    pressed = true;
                    if control.kind == ControlKind::Image {
                        for part in ["x", "y"] {
                            let name = format!("{}.{part}", control.name);
                            out.push(Pair { is_button: true, ..plain(&name, "0") });
                        }
                    } else {
                        let pair = plain(control.name, &control.value);
                        out.push(Pair { is_button: true, ..pair });
                    }
                }
            }
            ControlKind::Button
            | ControlKind::Reset
            | ControlKind::Output
            | ControlKind::File
            | ControlKind::Password => {}
            ControlKind::Select => {
                let mut selected = control.options.iter().filter(|o| o.selected && !o.disabled);
                match selected.next() {
                    Some(first) => {
                        out.push(plain(control.name, &first.value));
                        out.extend(selected.map(|option| plain(control.name, &option.value)));
                    }
                    // Nothing is selected, but something can be chosen.
                    None => out.push(Pair { is_off: true, ..plain(control.name, "") }),
                }
            }
            _ => out.push(plain(control.name, &control.value)),
        }
    }
    out
}

fn is_submit(control: &Control<'_>) -> bool {
    matches!(control.kind, ControlKind::Submit | ControlKind::Image)
}

/// What can be chosen on a form beside the query: the name of each select and group of radio
/// buttons with its values, in the order of the page.
#[must_use]
pub fn alternatives<'f>(form: &'f Form<'_>) -> Vec<(&'f str, Vec<&'f str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut add = |name: &'f str, value: &'f str| {
        if !known.insert((name, value)) {
            return;
        }
        let place = *places.entry(name).or_insert_with(|| {
            found.push((name, Vec::new()));
            found.len() - 1
        });
        found[place].1.push(value);
    };
    for control in form.controls.iter().filter(|c| !c.disabled && !c.name.is_empty()) {
        match control.kind {
            ControlKind::Select => {
                for option in control.options.iter().filter(|o| !o.disabled) {
                    add(control.name, &option.value);
                }
            }
            ControlKind::Radio => add(control.name, &control.value),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;
    use url::Url;

    use super::*;

    fn check(html: &str, query: &str, choices: &[(&str, &str)], expect: &str) {
        let page = Document::from_html(html);
        let forms = page.forms(&Url::parse("http://a.example/x?y=1#z").unwrap());
        let request = submission(&forms[0], query, choices);
        let found = request.map(|r| r.key().into_owned()).unwrap_or_default();
        assert_eq!(found, expect, "{html}");
    }

    #[test]
    fn forms_are_sent_as_a_browser_does() {
        check("<form><input name=q></form>", "a b&c", &[], "http://a.example/x?q=a+b%26c");
        check(
            "<form action=/s?old=1 method=post><input name=q value=old></form>",
            "é",
            &[],
            "POST http://a.example/s?old=1 q=%C3%A9",
        );
        check(
            "<form action=s><input name=email><input name=keywords><input type=hidden name=h value=1>\
             <input type=checkbox name=c checked><input type=checkbox name=d>\
             <input name=off disabled><input><select name=cat><option value=1>a<option value=2 selected>b</select>\
             <button name=go value=yes>Go</button><button name=other value=no>x</button></form>",
            "w",
            &[],
            "http://a.example/s?email=&keywords=w&h=1&c=on&cat=2&go=yes",
        );
        check("<form method=dialog><input name=q></form>", "w", &[], "");
        check("<form action='javascript:go()'><input name=q></form>", "w", &[], "");
        check(
            "<form><input name=q><input type=image name=i></form>",
            "w",
            &[],
            "http://a.example/x?q=w&i.x=0&i.y=0",
        );
        check(
            "<form><input name=q><input type=submit><input type=submit name=b value=1></form>",
            "w",
            &[],
            "http://a.example/x?q=w",
        );
    }

    #[test]
    fn choices_replace_defaults() {
        let html = "<form><input type=search name=q><select name=cat><option value=1>a<option value=2>b</select>\
             <input type=radio name=r value=1 checked><input type=radio name=r value=2></form>";
        check(html, "w", &[], "http://a.example/x?q=w&cat=1&r=1");
        check(html, "w", &[("cat", "2"), ("r", "2")], "http://a.example/x?q=w&cat=2&r=2");
        let page = Document::from_html(html);
        let forms = page.forms(&Url::parse("http://a.example/").unwrap());
        let found = alternatives(&forms[0]);
        let pressed = Submission::of(&forms[0]).unwrap().press("page", "2");
        assert_eq!(pressed.url, "http://a.example/?q=&cat=1&r=1&page=2");
        assert_eq!(found, [("cat", vec!["1", "2"]), ("r", vec!["1", "2"])]);
    }
}

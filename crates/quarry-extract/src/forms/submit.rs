//! How is a form sent? What a browser would send after typing a query and pressing Enter (HTML
//! §4.10.22): the query in its field, everything else as the page set it, choices changed on
//! request.

use std::collections::BTreeMap;

use quarry_dom::{Control, ControlKind, Form, Method};
use quarry_model::Request;
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
    let mut url = form.action.clone()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let data = encode(form, query, choices);
    url.set_fragment(None);
    match form.method {
        Method::Get => {
            url.set_query(Some(&data));
            Some(Request::get(url))
        }
        Method::Post => Some(Request::post(url, data)),
        Method::Dialog => None,
    }
}

fn encode(form: &Form<'_>, query: &str, choices: &[(&str, &str)]) -> String {
    let asked = query_control(form).map(|control| control.node);
    let mut given: BTreeMap<&str, &str> = choices.iter().copied().collect();
    let mut out = Serializer::new(String::new());
    let mut pressed = false;
    for control in &form.controls {
        if control.disabled || control.name.is_empty() {
            // A button without a name is pressed all the same.
            pressed |= is_submit(control) && !control.disabled;
            continue;
        }
        if Some(control.node) == asked {
            out.append_pair(control.name, query);
            continue;
        }
        let chosen = choices.iter().find(|(name, _)| *name == control.name).map(|(_, v)| *v);
        match control.kind {
            ControlKind::Checkbox | ControlKind::Radio => match chosen {
                Some(value) if value == control.value => {
                    out.append_pair(control.name, value);
                    given.remove(control.name);
                }
                None if control.checked => {
                    out.append_pair(control.name, &control.value);
                }
                _ => {}
            },
            ControlKind::Submit | ControlKind::Image => {
                // Enter presses the first one only.
                if !pressed {
                    pressed = true;
                    if control.kind == ControlKind::Image {
                        out.append_pair(&format!("{}.x", control.name), "0");
                        out.append_pair(&format!("{}.y", control.name), "0");
                    } else {
                        out.append_pair(control.name, &control.value);
                    }
                }
            }
            ControlKind::Button
            | ControlKind::Reset
            | ControlKind::Output
            | ControlKind::File
            | ControlKind::Password => {}
            _ if chosen.is_some() => {
                if let Some(value) = given.remove(control.name) {
                    out.append_pair(control.name, value);
                }
            }
            ControlKind::Select => {
                for option in control.options.iter().filter(|o| o.selected && !o.disabled) {
                    out.append_pair(control.name, &option.value);
                }
            }
            _ => {
                out.append_pair(control.name, &control.value);
            }
        }
    }
    out.finish()
}

fn is_submit(control: &Control<'_>) -> bool {
    matches!(control.kind, ControlKind::Submit | ControlKind::Image)
}

/// What can be chosen on a form beside the query: the name of each select and group of radio
/// buttons with its values, in the order of the page.
#[must_use]
pub fn alternatives<'f>(form: &'f Form<'_>) -> Vec<(&'f str, Vec<&'f str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut add = |name: &'f str, value: &'f str| match found.iter_mut().find(|f| f.0 == name) {
        Some((_, values)) if values.contains(&value) => {}
        Some((_, values)) => values.push(value),
        None => found.push((name, vec![value])),
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
        assert_eq!(found, [("cat", vec!["1", "2"]), ("r", vec!["1", "2"])]);
    }
}

//! Recognises elements that a style sheet in the page hides. Only simple selectors hide (names of elements, classes and
//! ids in one compound), and only where no other rule could show the element again: not one for a screen of another
//! size, nor one that waits for a class or a state. So what a script shows in turn stays text.

use std::collections::HashMap;

use crate::index::key;

/// Longer style sheets are read up to here, in bytes.
const MAX_SHEET_BYTES: usize = 1 << 20;
/// Rules about being shown that are kept.
const MAX_RULES: usize = 4_096;
/// Rules that are compared with one element because of one class; what has more is taken for shown.
const MAX_OF_CLASS: usize = 64;

/// The rules of a page that hide something, and those that show.
#[derive(Debug, Default)]
pub(crate) struct StyleSheet {
    rules: Vec<Rule>,
    /// Hiding rules by the key of an id, class or name of an element that a match must have.
    hiding: HashMap<u64, Vec<usize>>,
    /// The same of rules that show.
    showing: HashMap<u64, Vec<usize>>,
    /// Rules that show in some state or with another class, by the keys of their classes and ids.
    in_states: HashMap<u64, Vec<usize>>,
}

/// A part of a compound selector.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Id(String),
    Class(String),
    Element(String),
}

const ID: u64 = 1;
const CLASS: u64 = 2;
const ELEMENT: u64 = 3;

fn part_key(kind: u64, name: &str) -> u64 {
    key::then(kind, key::of(name))
}

impl Part {
    fn key(&self) -> u64 {
        match self {
            Self::Id(id) => part_key(ID, id),
            Self::Class(class) => part_key(CLASS, class),
            Self::Element(name) => part_key(ELEMENT, name),
        }
    }
}

#[derive(Debug)]
struct Rule {
    /// What it asks of the element itself, the rarest part first; nothing for `*`.
    parts: Vec<Part>,
    /// Whether it holds in some state only: inside an at-rule, below another element, or for a pseudo-class.
    in_some_state: bool,
    property: Property,
    hides: bool,
    is_important: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Property {
    Display,
    Visibility,
}

/// What a style sheet asks of an element.
pub(crate) struct Styled<'e> {
    pub(crate) name: &'e str,
    pub(crate) id: Option<&'e str>,
    pub(crate) classes: &'e str,
}

impl Styled<'_> {
    fn has(&self, part: &Part) -> bool {
        match part {
            Part::Element(name) => name == self.name,
            Part::Id(id) => self.id.is_some_and(|own| own.trim() == id),
            Part::Class(class) => self.classes.split_ascii_whitespace().any(|own| own == class),
        }
    }

    /// Keys of its classes, its id and its name.
    fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        let classes = self.classes.split_ascii_whitespace().map(|class| part_key(CLASS, class));
        let id = self.id.map(|id| part_key(ID, id.trim()));
        classes.chain(id).chain([part_key(ELEMENT, self.name)])
    }
}

impl StyleSheet {
    /// Reads style sheets in their order; those that do not hold can only tell what is shown in some state.
    pub(crate) fn read<'s>(sheets: impl Iterator<Item = (&'s str, bool)>) -> Self {
        let mut sheet = Self::default();
        for (css, holds) in sheets {
            let mut end = css.len().min(MAX_SHEET_BYTES);
            while !css.is_char_boundary(end) {
                end -= 1;
            }
            let css = without_comments(&css[..end]);
            each_rule(&css, !holds, &mut |selectors, declarations, in_at_rule| {
                sheet.add(selectors, declarations, in_at_rule);
            });
        }
        if !sheet.rules.iter().any(|rule| rule.hides) {
            return Self::default();
        }
        for (number, rule) in sheet.rules.iter().enumerate() {
            let Some(first) = rule.parts.first() else { continue };
            let add = |to: &mut HashMap<u64, Vec<usize>>, part: &Part| {
                let rules = to.entry(part.key()).or_default();
                if rules.len() < MAX_OF_CLASS {
                    rules.push(number);
                }
            };
            add(if rule.hides { &mut sheet.hiding } else { &mut sheet.showing }, first);
            if !rule.hides && (rule.in_some_state || rule.parts.len() > 1) {
                let named = rule.parts.iter().filter(|part| !matches!(part, Part::Element(_)));
                named.for_each(|part| add(&mut sheet.in_states, part));
            }
        }
        sheet
    }

    /// Whether there is nothing that it hides.
    pub(crate) fn is_empty(&self) -> bool {
        self.hiding.is_empty()
    }

    fn add(&mut self, selectors: &str, declarations: &str, in_at_rule: bool) {
        for (property, hides, is_important) in declared(declarations) {
            for selector in selectors.split(',') {
                if self.rules.len() == MAX_RULES {
                    return;
                }
                let Some((mut parts, in_state)) = subject(selector.trim()) else { continue };
                let in_some_state = in_state || in_at_rule;
                // What is hidden in some state is shown in another; all of a page is never hidden.
                if hides && (in_some_state || parts.is_empty() || is_page(&parts)) {
                    continue;
                }
                parts.sort_unstable();
                self.rules.push(Rule { parts, in_some_state, property, hides, is_important });
            }
        }
    }

    /// Whether an element is hidden for certain.
    pub(crate) fn hides(&self, element: &Styled<'_>) -> bool {
        let matching = |rules: &HashMap<u64, Vec<usize>>| -> Vec<usize> {
            let found = element.keys().filter_map(|key| rules.get(&key)).flatten().copied();
            found.filter(|&at| self.rules[at].parts.iter().all(|part| element.has(part))).collect()
        };
        let hiding = matching(&self.hiding);
        let mut shown = element.keys().filter_map(|key| self.showing.get(&key));
        if hiding.is_empty() || shown.any(|rules| rules.len() >= MAX_OF_CLASS) {
            return false;
        }
        let showing = matching(&self.showing);
        [Property::Display, Property::Visibility].into_iter().any(|property| {
            let of_property = |at: &&usize| self.rules[**at].property == property;
            let hidden = hiding.iter().filter(of_property).copied();
            let Some(hidden) = hidden.max_by_key(|&at| self.weight(at)) else { return false };
            let is_shown = showing
                .iter()
                .filter(of_property)
                .any(|&at| self.rules[at].in_some_state || self.weight(at) > self.weight(hidden));
            let has_states = self.rules[hidden].parts.iter().any(|part| {
                let rules = self.in_states.get(&part.key()).into_iter().flatten();
                rules.into_iter().any(|at| of_property(&at) && !showing.contains(at))
            });
            !(is_shown || has_states)
        })
    }

    /// Which of two rules wins: the important, the more special, the later one.
    fn weight(&self, at: usize) -> (bool, [usize; 3], usize) {
        let rule = &self.rules[at];
        let count = |is: fn(&Part) -> bool| rule.parts.iter().filter(|part| is(part)).count();
        let special = [
            count(|part| matches!(part, Part::Id(_))),
            count(|part| matches!(part, Part::Class(_))),
            count(|part| matches!(part, Part::Element(_))),
        ];
        (rule.is_important, special, at)
    }
}

fn is_page(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Element(name) if name == "html" || name == "body"))
}

/// What a block declares about being shown: property, whether it hides, whether that is important.
fn declared(declarations: &str) -> Vec<(Property, bool, bool)> {
    let mut found: Vec<(Property, bool, bool)> = Vec::new();
    for declaration in declarations.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let property = match property.trim() {
            name if name.eq_ignore_ascii_case("display") => Property::Display,
            name if name.eq_ignore_ascii_case("visibility") => Property::Visibility,
            _ => continue,
        };
        let (value, flag) = value.split_once('!').unwrap_or((value, ""));
        let words: &[&str] = match property {
            Property::Display => &["none"],
            Property::Visibility => &["hidden", "collapse"],
        };
        let hides = words.iter().any(|word| value.trim().eq_ignore_ascii_case(word));
        found.retain(|&(known, ..)| known != property);
        found.push((property, hides, flag.trim().eq_ignore_ascii_case("important")));
    }
    found
}

/// What a selector asks of the element itself, and whether it asks for more than that. `None` where it is of no form that
/// is read here.
fn subject(selector: &str) -> Option<(Vec<Part>, bool)> {
    let start = selector.rfind([' ', '>', '+', '~', '\n', '\t', '\r']).map_or(0, |at| at + 1);
    let (mut rest, mut in_state) = (&selector[start..], start > 0);
    let mut parts = Vec::new();
    while let Some(mark) = rest.chars().next() {
        match mark {
            '*' => rest = &rest[1..],
            ':' | '[' => {
                in_state = true;
                // The rest of the compound is not read: it can only ask for more.
                break;
            }
            '.' | '#' => {
                let (name, after) = identifier(&rest[1..])?;
                parts.push(if mark == '.' { Part::Class(name) } else { Part::Id(name) });
                rest = after;
            }
            _ => {
                let (name, after) = identifier(rest)?;
                parts.push(Part::Element(name.to_ascii_lowercase()));
                rest = after;
            }
        }
    }
    Some((parts, in_state))
}

/// A name at the start, without the backslashes before characters of it, and what follows.
fn identifier(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    let mut end = text.len();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => name.push(chars.next()?.1),
            '-' | '_' => name.push(c),
            _ if c.is_alphanumeric() || !c.is_ascii() => name.push(c),
            _ => {
                end = at;
                break;
            }
        }
    }
    (!name.is_empty()).then(|| (name, &text[end..]))
}

/// Calls `found` with the selectors and the declarations of each rule, also of those inside at-rules about conditions.
fn each_rule(mut css: &str, in_at_rule: bool, found: &mut impl FnMut(&str, &str, bool)) {
    while let Some(at) = css.find(['{', ';', '}']) {
        let prelude = css[..at].trim();
        if !css[at..].starts_with('{') {
            css = &css[at + 1..];
            continue;
        }
        let (block, rest) = block(&css[at + 1..]);
        css = rest;
        let keyword = prelude.strip_prefix('@').map(str::to_ascii_lowercase);
        match keyword {
            None => found(prelude, outside_blocks(block), in_at_rule),
            Some(_) if in_at_rule => {}
            Some(rule)
                if ["media", "supports", "layer", "container"]
                    .iter()
                    .any(|name| rule.starts_with(name)) =>
            {
                each_rule(block, true, found);
            }
            Some(_) => {}
        }
    }
}

/// The content of a block up to its end, and what follows.
fn block(css: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, byte) in css.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return (&css[..at], &css[at + 1..]),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    (css, "")
}

/// Declarations before the first rule inside of a rule.
fn outside_blocks(block: &str) -> &str {
    let Some(inner) = block.find('{') else { return block };
    block[..inner].rfind(';').map_or("", |end| &block[..end])
}

fn without_comments(css: &str) -> String {
    let mut text = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(start) = rest.find("/*") {
        text.push_str(&rest[..start]);
        rest = rest[start + 2..].split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(css: &str, element: (&str, Option<&str>, &str), hides: bool) {
        let sheet = StyleSheet::read([(css, true)].into_iter());
        let (name, id, classes) = element;
        assert_eq!(sheet.hides(&Styled { name, id, classes }), hides, "{css}");
    }

    #[test]
    fn simple_selectors_hide() {
        check(".x{display:none}", ("div", None, "a x"), true);
        check(".x{display:none}", ("div", None, "xx"), false);
        check("div.x , p { color:red; Display : NONE }", ("div", None, "x"), true);
        check("div.x{display:none}", ("p", None, "x"), false);
        check("#m{visibility:hidden}", ("ul", Some("m"), ""), true);
        check("/* .y{} */ .md\\:x{display:none!important}", ("b", None, "md:x"), true);
        check("@charset \"utf-8\"; .x{display:none", ("b", None, "x"), true);
    }

    #[test]
    fn what_another_rule_shows_stays() {
        check(".x{display:none}.y{display:block}", ("b", None, "x y"), false);
        check(".y{display:block}.x{display:none}", ("b", None, "x y"), true);
        check(".x{display:none!important}.x.y{display:block}", ("b", None, "x y"), true);
        check(".x{display:none}.x.open{display:block}", ("b", None, "x open"), false);
        // A state that a script or the mouse brings about.
        check(".x{display:none}.x.open{display:block}", ("b", None, "x"), false);
        check(".x{display:none} .open .x{display:block}", ("b", None, "x"), false);
        check(".x{display:none} .x:target{display:block}", ("b", None, "x"), false);
        // A screen of another size.
        check(".x{display:none}@media(min-width:9em){.x{display:block}}", ("b", None, "x"), false);
        check(
            ".x{display:none}@media(min-width:9em){.y{display:block}}",
            ("b", None, "x y"),
            false,
        );
        check("@media print{.x{display:none}}", ("b", None, "x"), false);
        check("@keyframes a{from{visibility:hidden}}", ("from", None, ""), false);
        check("body{display:none}", ("body", None, ""), false);
        check("a .x{display:none}.x:hover{display:none}", ("b", None, "x"), false);
    }

    #[test]
    fn broken_sheets_are_read_as_far_as_they_go() {
        for css in ["}}}.x{display:none}", "{{{", ".{display:none}", "@", "/*", ".x{display", "\\"]
        {
            let sheet = StyleSheet::read([(css, true)].into_iter());
            sheet.hides(&Styled { name: "b", id: None, classes: "x" });
        }
    }
}

//! Works the controls of a page: takes the steps that lead to a state, and brings all rows of its lists into the document.
//!
//! No control is worked that could change something on the site: the judgement of links holds for buttons.

use std::collections::BTreeSet;
use std::time::Instant;

use quarry_dom::{Document, Limits, Tag};
use quarry_extract::action::LinkMarks;
use quarry_model::{PageStep, RenderFailure, Rendered, StepKind};
use serde_json::{Value, json};

use crate::page::{PageError, PageRun};

/// Words of buttons that bring further rows, folded to lower case. They only say what to try: a press that brings nothing new
/// is not repeated.
const MORE: [&str; 42] = [
    "load more",
    "show more",
    "view more",
    "see more",
    "more results",
    "more items",
    "more products",
    "show all",
    "view all",
    "next",
    "next page",
    "older",
    "mehr",
    "weitere",
    "weiter",
    "nächste",
    "alle anzeigen",
    "plus de",
    "afficher plus",
    "voir plus",
    "charger plus",
    "suivant",
    "más",
    "siguiente",
    "mostra altr",
    "carica altr",
    "vedi altr",
    "successiv",
    "mais",
    "próxim",
    "meer",
    "volgende",
    "więcej",
    "następn",
    "ещё",
    "еще",
    "далее",
    "следующ",
    "もっと",
    "次",
    "更多",
    "下一",
];
/// Signs that turn a page where they stand alone.
const ARROWS: [&str; 6] = ["›", "»", "→", ">", ">>", "▶"];
/// Scrolls in a row that bring nothing before the list counts as whole.
const IDLE_SCROLLS: u32 = 2;
/// Rows of a page that may have more of them.
const MIN_ROWS: u64 = 3;
/// Buttons that are pressed once because they stand behind the longest list, whatever they are called.
const TRIED_BY_PLACE: usize = 2;
/// Height of a window that most lists do not fit into, in pixels.
const LOW_WINDOW: u32 = 700;

impl PageRun<'_> {
    /// Does what leads to the wanted state.
    pub(crate) async fn take_steps(&mut self) -> Result<(), PageError> {
        for step in self.job.steps {
            self.take_step(step).await?;
        }
        Ok(())
    }

    async fn take_step(&mut self, step: &PageStep) -> Result<(), PageError> {
        let missing = || {
            let (kind, group, value) = (step.kind.as_str(), &step.group, &step.value);
            let step = format!("{kind}.{group}={value}");
            PageError::Failed(RenderFailure::NoSuchControl { step })
        };
        if step.kind == StepKind::Go {
            let before = self.evaluate("quarry.mutations()").await?;
            self.evaluate(&format!("quarry.go({})", json!(step.value))).await?;
            self.settle().await?;
            // A place on the page, not another view of it.
            let after = self.evaluate("quarry.mutations()").await?;
            return if after == before { Err(missing()) } else { Ok(()) };
        }
        let controls = self.evaluate("quarry.controls()").await?;
        let is_meant = |control: &&Value| {
            control["kind"] == step.kind.as_str()
                && control["group"] == step.group.as_str()
                && (step.kind == StepKind::Type || control["value"] == step.value.as_str())
        };
        let control = controls.as_array().and_then(|all| all.iter().find(is_meant));
        let control = control.filter(|control| is_safe(control)).ok_or_else(missing)?;
        if control["on"] == true {
            return Ok(());
        }
        let id = &control["id"];
        if step.kind != StepKind::Type {
            self.evaluate(&format!("quarry.press({id})")).await?;
            return self.settle().await;
        }
        let before = self.evaluate("quarry.mutations()").await?;
        self.evaluate(&format!("quarry.type({id}, {})", json!(step.value))).await?;
        self.settle().await?;
        if self.evaluate("quarry.mutations()").await? == before {
            // It does not search while one types.
            self.evaluate(&format!("quarry.enter({id})")).await?;
            self.settle().await?;
        }
        Ok(())
    }

    /// Presses what brings further rows, and scrolls, until nothing new comes. Rows that leave the document meanwhile are kept.
    /// Gives back the page as it was before a press that led away from it, if there was one.
    pub(crate) async fn unfold(&mut self) -> Result<Option<Rendered>, PageError> {
        if self.evaluate("quarry.refuseCookies()").await? == true {
            self.settle().await?;
        }
        let mut rows = self.collect().await?;
        // Pages of this template with as many rows had no more of them.
        let is_known_idle = self.job.idle_rows.is_some_and(|idle| rows <= idle);
        let mut tried = Tried { last_number: 1, ..Tried::default() };
        let most = self.settings.continuations;
        let mut before_trying = None;
        while !self.is_over(most) {
            let found = self.evaluate("quarry.continuations()").await?;
            let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
            let Some((button, reason)) = tried.next(found) else { break };
            if reason == Reason::Place && is_known_idle {
                break;
            }
            // Nothing but its place speaks for this button: it may as well lead back.
            if reason == Reason::Place && before_trying.is_none() {
                before_trying = Some(self.read().await?);
                continue;
            }
            let place = self.evaluate("location.href").await?;
            // The same button again, as long as it is there and brings something; a number once.
            let code = format!("quarry.press({})", button["id"]);
            let mut has_brought = false;
            while !self.is_over(most) {
                let longest = self.evaluate("quarry.rowsOfLongest()").await?.as_u64();
                if self.evaluate(&code).await? != true {
                    // One that brought rows may have been replaced by another of the same name.
                    if !has_brought {
                        tried.note(button, reason, false);
                    }
                    break;
                }
                self.settle().await?;
                let after = self.collect().await?;
                let now = self.evaluate("quarry.rowsOfLongest()").await?.as_u64();
                let is_longer = now > longest;
                let leads_away =
                    now < longest || (!is_longer && self.evaluate("location.href").await? != place);
                if reason == Reason::Place && leads_away {
                    return Ok(before_trying);
                }
                let is_more = after > rows && (reason != Reason::Place || is_longer);
                rows = rows.max(after);
                tried.note(button, reason, is_more);
                if !is_more {
                    break;
                }
                self.continued += 1;
                has_brought = true;
                if reason == Reason::Number {
                    break;
                }
            }
        }
        self.scroll_through(&mut rows, most).await?;
        if rows >= MIN_ROWS && !is_known_idle && !self.is_over(most) {
            self.scroll_on(&mut rows, most).await?;
        }
        self.rows = rows;
        Ok(None)
    }

    /// Looks at the rows of the page; how many there have been.
    async fn collect(&mut self) -> Result<u64, PageError> {
        Ok(self.evaluate("quarry.collect()").await?.as_u64().unwrap_or_default())
    }

    /// Scrolls from the beginning to the end.
    async fn scroll_through(&mut self, rows: &mut u64, most: u32) -> Result<(), PageError> {
        let mut idle = 0;
        while idle < IDLE_SCROLLS && !self.is_over(most) {
            if self.evaluate("quarry.scroll()").await? != true {
                break;
            }
            self.settle().await?;
            let after = self.collect().await?;
            if after > *rows {
                self.continued += 1;
                (*rows, idle) = (after, 0);
            } else {
                idle += 1;
            }
        }
        Ok(())
    }

    /// Scrolls to the end again and again in a window that is not as high as the page: lists that wait for their end to come into
    /// sight do not go on while it stays there.
    async fn scroll_on(&mut self, rows: &mut u64, most: u32) -> Result<(), PageError> {
        self.resize(LOW_WINDOW).await?;
        let mut idle = 0;
        if self.evaluate("quarry.scrolls()").await? != true {
            // All of it is in sight: nothing comes into sight any more.
            self.settle().await?;
            if self.collect().await? <= *rows && self.evaluate("quarry.scrolls()").await? != true {
                return Ok(());
            }
        }
        while idle < IDLE_SCROLLS && !self.is_over(most) {
            for code in ["quarry.scrollTo(false)", "quarry.scrollTo(true)"] {
                self.evaluate(code).await?;
                self.settle().await?;
            }
            let after = self.collect().await?;
            if after > *rows {
                self.continued += 1;
                (*rows, idle) = (after, 0);
            } else {
                idle += 1;
            }
        }
        Ok(())
    }

    fn is_over(&mut self, most: u32) -> bool {
        let late = self.is_late(Instant::now());
        if late {
            self.limit.get_or_insert("time");
        }
        if self.continued >= most {
            self.limit.get_or_insert("rows");
        }
        late || self.continued >= most
    }

    /// The controls that may get an address: as the page's script names them.
    pub(crate) async fn safe_controls(&mut self) -> Result<Vec<String>, PageError> {
        let controls = self.evaluate("quarry.controls()").await?;
        let controls = controls.as_array().map(Vec::as_slice).unwrap_or_default();
        let name = |control: &Value| {
            let text = |name: &str| control[name].as_str().unwrap_or_default().to_owned();
            format!("{}.{}={}", text("kind"), text("group"), text("value"))
        };
        Ok(controls.iter().filter(|control| is_safe(control)).map(name).collect())
    }
}

/// Why a button is pressed for further rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    /// It says so.
    Words,
    /// It is the next in a row of page numbers.
    Number,
    /// It stands behind the longest list.
    Place,
}

/// Which buttons were pressed for further rows.
#[derive(Debug, Default)]
struct Tried {
    done: BTreeSet<String>,
    /// The last page number that brought rows.
    last_number: u64,
    /// Numbers turn no pages, or other buttons have turned them.
    are_numbers_done: bool,
    /// Buttons that were pressed for their place only.
    by_place: usize,
}

impl Tried {
    /// The button to press next: words first, then numbers, then the place.
    fn next<'b>(&self, found: &'b [Value]) -> Option<(&'b Value, Reason)> {
        let is_open =
            |button: &&Value| !self.done.contains(&name_of(button)) && is_safe_button(button);
        let number = |button: &&Value| button["number"].as_u64().unwrap_or_default();
        let by_words = found.iter().filter(|button| brings_more(button)).find(is_open);
        let by_number = || {
            let next = |button: &&Value| {
                !self.are_numbers_done
                    && number(button) == self.last_number + 1
                    && is_safe_button(button)
            };
            found.iter().find(next)
        };
        let by_place = || {
            let is_last = |button: &&Value| button["behind"] == true && number(button) == 0;
            let may = self.by_place < TRIED_BY_PLACE;
            found.iter().filter(is_last).find(is_open).filter(|_| may)
        };
        (by_words.map(|button| (button, Reason::Words)))
            .or_else(|| Some((by_number()?, Reason::Number)))
            .or_else(|| Some((by_place()?, Reason::Place)))
    }

    /// Takes what came of a press.
    fn note(&mut self, button: &Value, reason: Reason, is_more: bool) {
        match reason {
            Reason::Number if is_more => self.last_number += 1,
            Reason::Number => self.are_numbers_done = true,
            _ if is_more => self.are_numbers_done = true,
            _ => {
                self.done.insert(name_of(button));
                self.by_place += usize::from(reason == Reason::Place);
            }
        }
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn name_of(button: &Value) -> String {
    format!("{} {}", text(button, "text"), text(button, "name"))
}

/// Whether a button says that it brings more.
fn brings_more(button: &Value) -> bool {
    let says = |words: &str| {
        let words = words.trim().to_lowercase();
        // A sentence is not the name of a button.
        words.chars().count() <= 40
            && (ARROWS.contains(&words.as_str())
                || MORE.iter().any(|more| match words.strip_prefix(more) {
                    Some(rest) => {
                        !more.is_ascii() || !rest.starts_with(|c: char| c.is_alphanumeric())
                    }
                    None => false,
                }))
    };
    says(text(button, "text")) || says(text(button, "name"))
}

/// What the judgement of links says of an element, by its start tag and text.
fn marks(tag: &str) -> Option<LinkMarks> {
    let document =
        Document::parse(tag.as_bytes(), Some("text/html; charset=utf-8"), &Limits::default());
    let body = document.elements(Tag::BODY).next()?;
    let own = document.child_elements(body).next()?;
    Some(LinkMarks::of(&document, own))
}

/// Whether pressing a button changes nothing, as far as can be told: in doubt not.
fn is_safe_button(button: &Value) -> bool {
    marks(text(button, "tag")).is_some_and(|marks| marks.is_plain())
}

/// The same for a control that chooses what is shown.
fn is_safe(control: &Value) -> bool {
    match text(control, "kind") {
        "press" => is_safe_button(control),
        // A choice alone sends nothing; one that says otherwise is left alone.
        _ => marks(text(control, "tag")).is_none_or(|marks| marks.judge("/", None).is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_that_bring_more_say_so() {
        let button = |text: &str, name: &str| json!({ "text": text, "name": name });
        for (words, name) in [
            ("Load more results", ""),
            ("Next", ""),
            ("", "Next page"),
            ("Mehr anzeigen", ""),
            ("›", ""),
            ("もっと見る", ""),
            ("Show more (20)", ""),
        ] {
            assert!(brings_more(&button(words, name)), "{words} {name}");
        }
        for words in ["Nextcloud", "Read more about us", "Buy now", "Delete", "Less", "Moreover"] {
            assert!(!brings_more(&button(words, "")), "{words}");
        }
    }

    #[test]
    fn numbers_are_pressed_in_their_order_and_buttons_behind_the_list_last() {
        let button = |text: &str, number: u64, behind: bool| {
            json!({ "text": text, "name": "", "number": number, "behind": behind,
                "tag": format!("<button>{text}</button>") })
        };
        let found = [
            button("Colophon", 0, false),
            button("Daha fazla", 0, true),
            button("1", 1, true),
            button("2", 2, true),
            button("3", 3, true),
        ];
        let mut tried = Tried { last_number: 1, ..Tried::default() };
        for (expect, reason, is_more) in [
            ("2", Reason::Number, true),
            ("3", Reason::Number, false),
            ("Daha fazla", Reason::Place, false),
        ] {
            let (button, why) = tried.next(&found).unwrap();
            assert_eq!((text(button, "text"), why), (expect, reason));
            tried.note(button, why, is_more);
        }
        assert_eq!(tried.next(&found), None);
    }

    #[test]
    fn buttons_that_could_change_something_are_left_alone() {
        let button = |tag: &str| json!({ "kind": "press", "tag": tag });
        assert!(is_safe(&button("<button class=pager>Next</button>")));
        assert!(is_safe(&button("<button role=tab>Reviews</button>")));
        for tag in [
            "<button>Delete all</button>",
            "<button data-confirm='Sure?'>Next</button>",
            "<button class=add-to-cart>More</button>",
            "<button hx-post='/x'>Load more</button>",
            "<button>Log out</button>",
        ] {
            assert!(!is_safe(&button(tag)), "{tag}");
        }
    }
}

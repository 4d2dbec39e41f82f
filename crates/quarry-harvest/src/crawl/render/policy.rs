//! Decides which pages are rendered: a few of each template are compared both ways, and the rest of the template follows.
//!
//! Cheap signs only say where to look first. A site that needs no rendering costs at most [`LOOKS`] of them, one a template.

use std::collections::BTreeSet;

use super::compare::PageSketch;

/// For which pages scripts are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RenderMode {
    /// For pages of templates where that adds something.
    #[default]
    Auto,
    /// For none.
    Never,
    /// For all.
    Always,
}

/// Renderings that add nothing after which pages are only rendered if they look empty.
const LOOKS: u32 = 5;
/// Comparisons of one template that agree before it is decided.
const AGREE: u32 = 2;
/// Pages of a template that had as many rows, and no further ones, after which others with as many are not tried for them. More than one:
/// a list that is cut into parts may be as long as one part by chance.
const IDLE_PAGES: usize = 5;
/// Share of element paths that pages of one template have in common.
const SAME_TEMPLATE: f64 = 0.6;
/// A page with fewer element paths than this is told from others by its address.
const FEW_PATHS: usize = 16;
/// Added texts, or choices, that make a rendering worth while; fewer are a clock or a greeting.
const MIN_ADDED: usize = 3;

/// What was found out about a template.
#[derive(Debug)]
struct TemplateLook {
    paths: BTreeSet<u64>,
    place: String,
    /// Texts, links and fields to type into that scripts added to its first page: what they add to every page is furniture.
    furniture: Option<BTreeSet<u64>>,
    added: u32,
    same: u32,
    /// Whether a choice was tried and the page stayed as it was: boxes that mark rows for an action, not facets.
    has_redundant_choices: Option<bool>,
    decision: Option<bool>,
    /// The most rows that pages had whose lists had no further ones, [`IDLE_PAGES`] of them, in rising order.
    idle: Vec<u64>,
}

/// What was tried for further rows of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowsTried {
    /// Rows of its lists.
    pub(super) rows: u64,
    /// Whether any way brought some.
    pub(super) has_more: bool,
}

/// What to do with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// It is read as it was sent.
    Plain,
    /// It is rendered, as one of this template.
    Render(usize),
}

/// What came of a comparison.
#[derive(Debug, Default)]
pub(super) struct Verdict {
    /// Whether the rendering is what later stages read.
    pub(super) is_used: bool,
    /// To be said.
    pub(super) line: Option<String>,
}

/// The decisions of a session.
#[derive(Debug)]
pub(super) struct Policy {
    mode: RenderMode,
    templates: Vec<TemplateLook>,
    /// Renderings that added nothing.
    in_vain: u32,
}

impl Policy {
    pub(super) fn new(mode: RenderMode) -> Self {
        Self { mode, templates: Vec::new(), in_vain: 0 }
    }

    /// What to do with a page that came.
    pub(super) fn choose(&mut self, page: &PageSketch) -> Choice {
        if self.mode == RenderMode::Never {
            return Choice::Plain;
        }
        let template = self.template(page);
        let look = &self.templates[template];
        let is_wanted = match look.decision {
            _ if self.mode == RenderMode::Always => true,
            Some(decision) => decision,
            None => page.looks_empty || look.added > 0 || self.in_vain < LOOKS,
        };
        if is_wanted { Choice::Render(template) } else { Choice::Plain }
    }

    fn template(&mut self, page: &PageSketch) -> usize {
        let is_same = |look: &TemplateLook| {
            let few = page.paths.len() < FEW_PATHS || look.paths.len() < FEW_PATHS;
            if few && look.place != page.place {
                return false;
            }
            let common = page.paths.intersection(&look.paths).count() as f64;
            let all = page.paths.union(&look.paths).count().max(1) as f64;
            common / all >= SAME_TEMPLATE
        };
        if let Some(known) = self.templates.iter().position(is_same) {
            return known;
        }
        self.templates.push(TemplateLook {
            paths: page.paths.clone(),
            place: page.place.clone(),
            furniture: None,
            added: 0,
            same: 0,
            has_redundant_choices: None,
            decision: None,
            idle: Vec::new(),
        });
        self.templates.len() - 1
    }

    /// Rows up to which trying everything for further ones was in vain on enough pages of a template.
    pub(super) fn idle_rows(&self, template: usize) -> Option<u64> {
        let idle = &self.templates[template].idle;
        (idle.len() >= IDLE_PAGES).then(|| idle[0])
    }

    /// Takes what came of trying to get further rows.
    pub(super) fn note_rows(&mut self, template: usize, tried: RowsTried) {
        let look = &mut self.templates[template];
        if !tried.has_more {
            look.idle.push(tried.rows);
            look.idle.sort_unstable();
            if look.idle.len() > IDLE_PAGES {
                look.idle.remove(0);
            }
        } else {
            look.idle.retain(|rows| *rows < tried.rows);
        }
    }

    /// Choices to be tried before this page is judged: it offers them, and nobody knows whether they do anything.
    pub(super) fn choices_to_try(
        &self,
        template: usize,
        before: &PageSketch,
        after: &PageSketch,
    ) -> Vec<String> {
        let is_known = self.templates[template].has_redundant_choices.is_some();
        // A page that only looked empty: its scripts had nothing to fill in.
        let is_filled = before.looks_empty
            && (after.texts.difference(&before.texts).count() >= MIN_ADDED
                || !after.links.is_subset(&before.links));
        let is_asked = self.mode == RenderMode::Auto && !is_known && !is_filled;
        if is_asked { after.sampled_choices.clone() } else { Vec::new() }
    }

    /// Takes what came of choices that were tried: how many did nothing, and whether all of them.
    pub(super) fn note_choices(&mut self, template: usize, in_vain: u32, are_redundant: bool) {
        self.in_vain += in_vain;
        self.templates[template].has_redundant_choices = Some(are_redundant);
    }

    /// Takes a page that was rendered: `before` as it was sent, `after` as its scripts left it.
    pub(super) fn learn(
        &mut self,
        template: usize,
        before: &PageSketch,
        after: &PageSketch,
    ) -> Verdict {
        if self.mode == RenderMode::Always {
            return Verdict { is_used: true, line: None };
        }
        let look = &mut self.templates[template];
        let texts: BTreeSet<u64> = after.texts.difference(&before.texts).copied().collect();
        let links: BTreeSet<u64> = after.links.difference(&before.links).copied().collect();
        let states: BTreeSet<u64> = after.states.difference(&before.states).copied().collect();
        let new: BTreeSet<u64> = texts.iter().chain(&links).chain(&states).copied().collect();
        let furniture = look.furniture.get_or_insert_default();
        let is_first = look.added + look.same == 0;
        let own = |added: &BTreeSet<u64>| added.difference(furniture).count();
        let (own_texts, own_links, states) = (own(&texts), own(&links), own(&states));
        let adds_choices = look.has_redundant_choices != Some(true)
            && (states >= MIN_ADDED || (before.looks_empty && states > 0));
        let adds_content = own_links > 0 || own_texts >= MIN_ADDED;
        let adds = adds_content || adds_choices;
        if is_first {
            *furniture = new;
        }
        if look.decision.is_some() {
            return Verdict { is_used: adds, line: None };
        }
        if adds {
            look.added += 1;
            if look.added == AGREE || (before.looks_empty && adds_content) {
                look.decision = Some(true);
                let kind = if own_links >= MIN_ADDED { "list pages" } else { "pages" };
                let place = look.place.split(' ').nth(2).filter(|first| !first.is_empty());
                let place = place.map(|first| format!(" below /{first}/")).unwrap_or_default();
                let line = format!("{kind}{place} are filled by scripts: rendered");
                return Verdict { is_used: true, line: Some(line) };
            }
        } else {
            look.same += 1;
            self.in_vain += 1;
            if look.added == 0 || look.same >= AGREE {
                look.decision = Some(false);
            }
        }
        Verdict { is_used: adds, line: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(html: &str) -> PageSketch {
        PageSketch::of("http://h/a/b", html.as_bytes())
    }

    fn page(n: usize, filled: &str) -> String {
        format!(
            "<html><body><div class=a><p>text {n}</p><ul id=l>{filled}</ul></div><script></script>"
        )
    }

    #[test]
    fn a_template_that_scripts_fill_is_rendered() {
        let mut policy = Policy::new(RenderMode::Auto);
        for n in 0..3 {
            let before = sketch(&page(n, ""));
            let Choice::Render(template) = policy.choose(&before) else { panic!("page {n}") };
            let rows = format!("<li><a href=/e/{n}>one</a><li><a href=/f/{n}>two</a>");
            let verdict = policy.learn(template, &before, &sketch(&page(n, &rows)));
            assert!(verdict.is_used);
            assert_eq!(verdict.line.is_some(), n == 0);
        }
    }

    #[test]
    fn a_site_that_needs_none_costs_few_renderings() {
        let mut policy = Policy::new(RenderMode::Auto);
        let mut renderings = 0;
        for n in 0..200 {
            let class = format!("c{}", n % 20);
            let rows =
                format!("<li class={class}><i class={class}><b class={class}>x</b></i>").repeat(3);
            let long = "<p>words of a page that says a lot</p>".repeat(60);
            let html = format!(
                "<div class={class}><div class={class}>{rows}{long}</div></div><script></script>"
            );
            let before = sketch(&html);
            if let Choice::Render(template) = policy.choose(&before) {
                renderings += 1;
                assert!(!policy.learn(template, &before, &before).is_used);
            }
        }
        assert_eq!(renderings, LOOKS);
    }

    #[test]
    fn choices_that_do_nothing_add_nothing() {
        let long = "<p>words of a page that says a lot</p>".repeat(60);
        let boxes: String =
            (0..9).map(|n| format!("<a href='?quarry.check.row={n}'>{n}</a>")).collect();
        for is_redundant in [true, false] {
            let mut policy = Policy::new(RenderMode::Auto);
            let (before, after) =
                (sketch(&page(1, &long)), sketch(&page(1, &format!("{long}{boxes}"))));
            let Choice::Render(template) = policy.choose(&before) else { panic!("not tried") };
            let tried = policy.choices_to_try(template, &before, &after);
            assert_eq!(tried, ["http://h/a/b?quarry.check.row=4"]);
            policy.note_choices(template, u32::from(is_redundant), is_redundant);
            assert!(policy.choices_to_try(template, &before, &after).is_empty());
            let texts_apart = PageSketch { texts: before.texts.clone(), ..after.clone() };
            assert_eq!(policy.learn(template, &before, &texts_apart).is_used, !is_redundant);
        }
    }

    #[test]
    fn choices_of_a_page_that_only_looked_empty_are_tried() {
        let mut policy = Policy::new(RenderMode::Auto);
        let boxes: String =
            (0..9).map(|n| format!("<a href='?quarry.select.size={n}'>{n}</a>")).collect();
        let before = sketch(&page(1, ""));
        assert!(before.looks_empty);
        let Choice::Render(template) = policy.choose(&before) else { panic!("not tried") };
        let after = sketch(&page(1, &boxes));
        assert_eq!(policy.choices_to_try(template, &before, &after).len(), 1);
        let filled = sketch(&page(1, &format!("<li><a href=/e/1>one</a>{boxes}")));
        assert!(policy.choices_to_try(template, &before, &filled).is_empty());
        policy.note_choices(template, 1, true);
        assert!(!policy.learn(template, &before, &after).is_used);
        assert_eq!(policy.choose(&sketch(&page(2, ""))), Choice::Plain);
    }

    #[test]
    fn further_rows_are_not_tried_for_where_that_was_in_vain() {
        let mut policy = Policy::new(RenderMode::Always);
        let Choice::Render(template) = policy.choose(&sketch(&page(1, ""))) else { panic!() };
        let tried = |rows, has_more| RowsTried { rows, has_more };
        for rows in [4, 9, 3, 9, 9] {
            assert_eq!(policy.idle_rows(template), None);
            policy.note_rows(template, tried(rows, false));
        }
        assert_eq!(policy.idle_rows(template), Some(3), "five pages had as many");
        policy.note_rows(template, tried(9, false));
        policy.note_rows(template, tried(9, false));
        assert_eq!(policy.idle_rows(template), Some(9));
        policy.note_rows(template, tried(40, true));
        assert_eq!(policy.idle_rows(template), Some(9), "long lists may go on");
        policy.note_rows(template, tried(8, true));
        assert_eq!(policy.idle_rows(template), None, "short ones do, too");
    }

    #[test]
    fn what_scripts_add_to_every_page_is_furniture() {
        let mut policy = Policy::new(RenderMode::Auto);
        let long = "<p>words of a page that says a lot</p>".repeat(60);
        let banner = "<li>We use cookies<li>Accept<li>Reject<li>More";
        let mut used = Vec::new();
        for n in 0..4 {
            let before = sketch(&page(n, &long));
            if let Choice::Render(template) = policy.choose(&before) {
                let after = sketch(&page(n, &format!("{long}{banner}")));
                used.push(policy.learn(template, &before, &after).is_used);
            }
        }
        assert_eq!(used, [true, false, false]);
    }
}

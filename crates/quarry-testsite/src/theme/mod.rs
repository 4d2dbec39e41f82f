//! Themes: the mark-up of pages. Each theme is one file that turns views into HTML in its own way, with
//! its own style sheet. To add one, write the file and name it in [`Theme`] and [`skin`].

mod cards;
mod classic;
mod definitions;
mod loose;
mod parts;
mod semantic;
mod specs;
mod utility;

use crate::format::choices;
use crate::site::Site;
use crate::view::{
    Card, EntityView, FacetGroup, Frame, HomeView, ListView, Screen, Slot, TextView,
};

choices! {
    /// Mark-up styles.
    Theme {
        /// A grid of cards, `div`s with block-element class names.
        Cards,
        /// Layout tables, records in table rows.
        Classic,
        /// Sections, articles, lists and headings.
        Semantic,
        /// Nested `div`s with utility classes.
        Utility,
        /// Definition lists.
        Definitions,
        /// Records without a box of their own: headings and paragraphs one after another.
        Loose,
    }
}

/// One theme. Every method appends HTML.
pub(crate) trait Skin: Sync {
    /// The style sheet. `--hue` is the site's colour.
    fn css(&self) -> &'static str;
    /// The order in which the parts of a record stand in the page.
    fn order(&self) -> &'static [Slot] {
        use Slot::*;
        &[
            Title, Badge, Maker, Fact, Joined, Teaser, Rating, Reviews, OldPrice, Price, Call,
            Constant,
        ]
    }
    /// From `<body>` to the beginning of the content.
    fn open(&self, out: &mut String, site: &Site, frame: &Frame);
    /// From the end of the content to `</body>`.
    fn close(&self, out: &mut String, site: &Site, frame: &Frame);
    /// A list with all that stands around it.
    fn list(&self, out: &mut String, site: &Site, view: &ListView);
    /// Records in a row, wherever they stand.
    fn records(&self, out: &mut String, site: &Site, cards: &[Card]);
    /// An entity.
    fn entity(&self, out: &mut String, site: &Site, view: &EntityView);

    /// The home page.
    fn home(&self, out: &mut String, site: &Site, view: &HomeView) {
        parts::home(out, site, view, &|out, cards| self.records(out, site, cards));
    }

    /// All values of a facet.
    fn values(&self, out: &mut String, heading: &str, group: &FacetGroup) {
        parts::values(out, heading, group);
    }

    /// A page of text.
    fn text(&self, out: &mut String, site: &Site, view: &TextView) {
        parts::text(out, site, view);
    }
}

fn skin(theme: Theme) -> &'static dyn Skin {
    match theme {
        Theme::Cards => &cards::Cards,
        Theme::Classic => &classic::Classic,
        Theme::Semantic => &semantic::Semantic,
        Theme::Utility => &utility::Utility,
        Theme::Definitions => &definitions::Definitions,
        Theme::Loose => &loose::Loose,
    }
}

/// Where a part of a record stands among the others in this theme.
pub(crate) fn place(theme: Theme, slot: Slot) -> usize {
    let order = skin(theme).order();
    order.iter().position(|s| *s == slot).unwrap_or(order.len())
}

/// The style sheet of a site.
pub(crate) fn css(site: &Site) -> String {
    format!(":root{{--hue:{}}}\n{}{}", site.hue(), parts::CSS, skin(site.spec.theme).css())
}

/// A page as HTML.
pub(crate) fn render(site: &Site, page: &crate::site::Page) -> String {
    let skin = skin(site.spec.theme);
    let mut out = String::with_capacity(24 * 1024);
    parts::head(&mut out, &page.frame);
    skin.open(&mut out, site, &page.frame);
    match &page.screen {
        Screen::Home(view) => skin.home(&mut out, site, view),
        Screen::List(view) => skin.list(&mut out, site, view),
        Screen::Entity(view) => skin.entity(&mut out, site, view),
        Screen::Values(heading, group) => skin.values(&mut out, heading, group),
        Screen::Text(view) => skin.text(&mut out, site, view),
        Screen::Redirect(_) => {}
    }
    skin.close(&mut out, site, &page.frame);
    out.push_str("</html>\n");
    out
}

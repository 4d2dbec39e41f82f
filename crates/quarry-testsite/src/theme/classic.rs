//! Layout tables and `font` tags: a site from around the year 2000. A record is two table rows.

use std::fmt::Write as _;

use super::parts::{self, put};
use super::{Skin, specs};
use crate::site::Site;
use crate::text::Esc;
use crate::view::{Card, EntityView, Frame, ListView, Slot};

pub(crate) struct Classic;

impl Skin for Classic {
    fn css(&self) -> &'static str {
        CSS
    }

    fn order(&self) -> &'static [Slot] {
        use Slot::*;
        &[
            Title, Badge, Maker, OldPrice, Price, Call, Constant, Fact, Joined, Teaser, Rating,
            Reviews,
        ]
    }

    fn open(&self, out: &mut String, site: &Site, frame: &Frame) {
        put!(
            out,
            "<body>\n<table class=\"page\" align=\"center\" cellspacing=\"0\" cellpadding=\"0\">\n\
             <tr><td class=\"banner\" colspan=\"2\"><table width=\"100%\"><tr>\
             <td><a class=\"logo\" href=\"/\">{}</a><br><small>{}</small></td><td align=\"right\">\n",
            Esc(&site.name),
            site.slogan
        );
        parts::search(out, site, frame);
        out.push_str("</td></tr></table></td></tr>\n<tr><td class=\"menu\" colspan=\"2\">");
        parts::links(out, &frame.nav, "", " | ");
        parts::links(out, &frame.account, "", " | ");
        out.push_str("</td></tr>\n<tr><td class=\"where\" colspan=\"2\">");
        parts::crumbs(out, &frame.crumbs, " &gt; ");
        out.push_str("</td></tr>\n<tr>");
    }

    fn close(&self, out: &mut String, site: &Site, frame: &Frame) {
        out.push_str("</tr>\n<tr><td class=\"bottom\" colspan=\"2\">");
        parts::links(out, &frame.footer, "", " | ");
        put!(
            out,
            "<br><small>Copyright 1999-2026 {}</small></td></tr>\n</table>\n</body>",
            Esc(&site.name)
        );
    }

    fn home(&self, out: &mut String, site: &Site, view: &crate::view::HomeView) {
        out.push_str("<td class=\"content\" colspan=\"2\">\n");
        parts::home(out, site, view, &|out, cards| self.records(out, site, cards));
        out.push_str("</td>");
    }

    fn text(&self, out: &mut String, site: &Site, view: &crate::view::TextView) {
        out.push_str("<td class=\"content\" colspan=\"2\">\n");
        parts::text(out, site, view);
        out.push_str("</td>");
    }

    fn values(&self, out: &mut String, heading: &str, group: &crate::view::FacetGroup) {
        out.push_str("<td class=\"content\" colspan=\"2\">\n");
        parts::values(out, heading, group);
        out.push_str("</td>");
    }

    fn list(&self, out: &mut String, site: &Site, view: &ListView) {
        out.push_str("<td class=\"left\" valign=\"top\">\n");
        if let Some(form) = &view.facet_form {
            parts::facet_form(out, form, &view.facets);
        }
        for group in view.facets.iter().filter(|_| view.facet_form.is_none()) {
            put!(
                out,
                "<table class=\"box\" width=\"100%\"><tr><th align=\"left\">{}</th></tr>\n<tr><td>",
                Esc(&group.name)
            );
            for value in &group.values {
                put!(out, "<a href=\"{}\">{}</a>", Esc(&value.href), Esc(&value.text));
                if let Some(n) = value.count {
                    put!(out, " ({n})");
                }
                out.push_str("<br>\n");
            }
            if let Some(more) = &group.more {
                put!(out, "<a href=\"{}\"><i>more...</i></a>", Esc(more));
            }
            out.push_str("</td></tr></table>\n");
        }
        for ad in &view.advertisements {
            put!(
                out,
                "<table class=\"ad\" width=\"100%\"><tr><td><font size=\"1\">Advertisement</font><br><b>{}</b><br>{}<br><i>{}</i></td></tr></table>\n",
                Esc(&ad.headline),
                Esc(&ad.text),
                Esc(&ad.sponsor)
            );
        }
        put!(out, "</td><td class=\"content\" valign=\"top\">\n<h1>{}</h1>\n", Esc(&view.heading));
        if !view.chosen.is_empty() {
            out.push_str("<p class=\"chosen\">Your choice: ");
            parts::chosen(out, &view.chosen, "", "; ");
            out.push_str("</p>\n");
        }
        put!(
            out,
            "<table class=\"tools\" width=\"100%\"><tr><td>{}</td><td align=\"right\">",
            Esc(&view.summary)
        );
        parts::switches(out, view);
        out.push_str("</td></tr></table>\n");
        if !view.promotions.is_empty() {
            out.push_str(
                "<table class=\"promo\" width=\"100%\"><tr><th>Special offers</th></tr><tr><td>\n",
            );
            self.records(out, site, &view.promotions);
            out.push_str("</td></tr></table>\n");
        }
        self.records(out, site, &view.cards);
        if let Some(pager) = &view.pager {
            out.push_str("<p class=\"pages\" align=\"center\">");
            parts::pager(out, pager, "&nbsp;", "&nbsp;");
            out.push_str("</p>\n");
        }
        out.push_str("</td>");
    }

    fn records(&self, out: &mut String, site: &Site, cards: &[Card]) {
        out.push_str("<table class=\"results\" width=\"100%\" cellspacing=\"0\">\n");
        for card in cards {
            put!(
                out,
                "<tr class=\"first\"><td rowspan=\"2\" width=\"110\" valign=\"top\"><a href=\"{}\">",
                Esc(&card.href)
            );
            parts::picture(out, site, card);
            put!(out, "</a></td><td><a class=\"name\" href=\"{}\">", Esc(&card.href));
            if let Some(title) = card.unit(Slot::Title) {
                parts::text_of(out, title);
            }
            out.push_str("</a>");
            if let Some(badge) = card.unit(Slot::Badge) {
                put!(out, " <font color=\"#c00000\">{}</font>", Esc(&badge.text));
            }
            if let Some(maker) = card.unit(Slot::Maker) {
                put!(out, "<br>by <i>{}</i>", Esc(&maker.text));
            }
            out.push_str("</td><td align=\"right\" valign=\"top\" width=\"150\">");
            for slot in [Slot::OldPrice, Slot::Price, Slot::Call] {
                if let Some(unit) = card.unit(slot) {
                    if let Some(label) = &unit.label {
                        put!(out, "<small>{}</small> ", Esc(label));
                    }
                    let tag = if slot == Slot::OldPrice { "s" } else { "b" };
                    put!(out, "<{tag}>{}</{tag}><br>", Esc(&unit.text));
                }
            }
            if let Some(unit) = card.unit(Slot::Constant) {
                put!(out, "<font size=\"2\" color=\"#006600\">{}</font>", Esc(&unit.text));
            }
            out.push_str("</td></tr>\n<tr class=\"second\"><td colspan=\"2\">");
            for unit in card.facts() {
                if let Some(label) = &unit.label {
                    put!(out, "{}: ", Esc(label));
                }
                out.push_str("<font color=\"#333333\">");
                parts::text_of(out, unit);
                out.push_str("</font><br>\n");
            }
            if let Some(unit) = card.unit(Slot::Teaser) {
                out.push_str("<font size=\"2\">");
                parts::text_of(out, unit);
                out.push_str("</font><br>\n");
            }
            if let Some(stars) = card.unit(Slot::Rating) {
                put!(out, "<small>Rating: <b>{}</b>", Esc(&stars.text));
                if let Some(reviews) = card.unit(Slot::Reviews) {
                    put!(
                        out,
                        " - <a href=\"{}#reviews\">{}</a>",
                        Esc(&card.href),
                        Esc(&reviews.text)
                    );
                }
                out.push_str("</small> ");
            }
            for link in card.action.iter().chain(card.compare.iter()) {
                put!(
                    out,
                    "[<a href=\"{}\" rel=\"nofollow\">{}</a>] ",
                    Esc(&link.href),
                    Esc(&link.text)
                );
            }
            out.push_str("</td></tr>\n");
        }
        out.push_str("</table>\n");
    }

    fn entity(&self, out: &mut String, site: &Site, view: &EntityView) {
        out.push_str("<td class=\"content\" colspan=\"2\">\n");
        if let Some(line) = &view.only_match {
            put!(out, "<p class=\"found\"><b>{}</b></p>\n", Esc(line));
        }
        put!(
            out,
            "<h1>{}</h1>\n<table width=\"100%\"><tr><td width=\"320\" valign=\"top\">",
            Esc(view.card.title())
        );
        parts::picture(out, site, &view.card);
        out.push_str("</td><td valign=\"top\">");
        for slot in [Slot::Maker, Slot::Price] {
            if let Some(unit) = view.card.unit(slot) {
                let label = unit.label.as_deref().unwrap_or("Price:");
                put!(out, "<p>{} <b>{}</b></p>\n", Esc(label), Esc(&unit.text));
            }
        }
        for sentence in &view.description {
            put!(out, "{} ", Esc(sentence));
        }
        out.push_str("<p>");
        parts::links(out, &view.actions, "[", "] ");
        out.push_str("</p></td></tr></table>\n");
        specs::specification(out, site.spec.specs, &view.specs);
        if !view.related.is_empty() {
            out.push_str("<h2>See also</h2>\n");
            self.records(out, site, &view.related);
        }
        out.push_str("</td>");
    }
}

const CSS: &str = "\
html{font:14px/1.4 Verdana,Arial,sans-serif;background:hsl(var(--hue),18%,80%)}
.page{width:980px;max-width:100%;background:#fff;margin:0 auto;border:1px solid #888}
.banner{background:hsl(var(--hue),45%,30%);color:#fff;padding:10px 16px}
.logo{font:bold 26px 'Times New Roman',serif;color:#fff;text-decoration:none}
.menu{background:hsl(var(--hue),30%,88%);padding:5px 16px;font-size:12px}
.where{padding:6px 16px;font-size:11px;color:#666}
.left{width:200px;padding:10px;background:#f4f4ee;font-size:12px}
.content{padding:10px 18px}
.box{border:1px solid #ccc;margin-bottom:10px;background:#fff;font-size:12px}
.box th{background:hsl(var(--hue),30%,88%);padding:3px 6px}
.box td{padding:4px 6px}
.ad{border:1px dotted #999;margin-bottom:10px;background:#fffbe8}
.promo{border:2px solid hsl(var(--hue),50%,60%);margin:8px 0}
.promo th{background:hsl(var(--hue),50%,90%)}
.tools{font-size:11px;border-top:1px solid #ccc;border-bottom:1px solid #ccc;margin-bottom:6px}
.results .first td{padding:10px 6px 2px;border-top:1px solid #ddd}
.results .second td{padding:0 6px 10px;font-size:12px}
.results img,.results svg{width:96px}
.name{font-weight:bold;font-size:15px}
.specs{border-collapse:collapse;width:100%}
.specs th,.specs td{border:1px solid #ccc;padding:4px 8px;text-align:left;font-size:12px}
.specs th{background:#eee;width:35%}
div.specs .row{display:grid;grid-template-columns:35% 1fr;border-bottom:1px dotted #bbb;padding:4px}
.found{background:#ffffcc;border:1px solid #e0d080;padding:8px}
.tiles{grid-template-columns:repeat(4,1fr)}
.tiles a{border-radius:0;border:1px solid #ccc;padding:10px}
.newsletter{border-radius:0}
.bottom{background:#eee;text-align:center;padding:12px;font-size:11px}
";

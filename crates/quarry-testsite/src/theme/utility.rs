//! Nested `div`s with utility classes: deep, anonymous, the same few class names everywhere.

use std::fmt::Write as _;

use super::parts::{self, put};
use super::{Skin, specs};
use crate::site::Site;
use crate::text::Esc;
use crate::view::{Card, EntityView, Frame, ListView, Slot};

pub(crate) struct Utility;

impl Skin for Utility {
    fn css(&self) -> &'static str {
        CSS
    }

    fn order(&self) -> &'static [Slot] {
        use Slot::*;
        &[
            Title, Maker, Fact, Joined, Teaser, Rating, Reviews, Badge, OldPrice, Price, Call,
            Constant,
        ]
    }

    fn open(&self, out: &mut String, site: &Site, frame: &Frame) {
        put!(
            out,
            "<body class=\"bg-50\">\n<div id=\"app\"><div class=\"flex col min-h\">\n\
             <div class=\"bg-white shadow sticky\"><div class=\"wrap flex items-center gap-6 py-4\">\
             <div class=\"text-xl bold\"><a class=\"brand no-line\" href=\"/\">{}</a></div>\n<div class=\"grow\">",
            Esc(&site.name)
        );
        parts::search(out, site, frame);
        out.push_str("</div>\n<div class=\"flex gap-4 text-sm\">");
        parts::links(out, &frame.account, "<div>", "</div>");
        out.push_str("</div></div>\n<div class=\"wrap flex gap-6 pb-3 text-sm\">");
        parts::links(out, &frame.nav, "<div class=\"py-1\">", "</div>\n");
        out.push_str("</div></div>\n<div class=\"wrap grow py-4\">\n");
        if !frame.crumbs.is_empty() {
            out.push_str("<div class=\"text-xs muted mb-2\">");
            parts::crumbs(out, &frame.crumbs, "<span class=\"mx-1\">/</span>");
            out.push_str("</div>\n");
        }
    }

    fn close(&self, out: &mut String, site: &Site, frame: &Frame) {
        out.push_str("</div>\n<div class=\"bg-dark text-sm py-6\"><div class=\"wrap flex gap-6\">");
        parts::links(out, &frame.footer, "<div>", "</div>\n");
        put!(
            out,
            "<div class=\"grow right muted\">{} © 2026</div></div></div>\n</div></div>\n</body>",
            Esc(&site.name)
        );
    }

    fn list(&self, out: &mut String, site: &Site, view: &ListView) {
        put!(
            out,
            "<div class=\"flex between items-end mb-4\"><div><h1 class=\"text-2xl bold\">{}</h1><div class=\"text-sm muted\">{}</div></div>\n<div class=\"text-xs flex gap-4\">",
            Esc(&view.heading),
            Esc(&view.summary)
        );
        parts::switches(out, view);
        out.push_str("</div></div>\n");
        if !view.chosen.is_empty() {
            out.push_str("<div class=\"flex gap-2 mb-4\">");
            parts::chosen(out, &view.chosen, "<div class=\"pill text-xs\">", "</div>\n");
            out.push_str("</div>\n");
        }
        if !view.promotions.is_empty() {
            out.push_str("<div class=\"bg-tint round p-4 mb-4\"><div class=\"text-sm bold mb-2\">Sponsored picks</div>\n");
            self.records(out, site, &view.promotions);
            out.push_str("</div>\n");
        }
        out.push_str("<div class=\"flex gap-8\">\n<div class=\"w-56\">\n");
        if let Some(form) = &view.facet_form {
            out.push_str("<div class=\"bg-white round shadow p-4\">");
            parts::facet_form(out, form, &view.facets);
            out.push_str("</div>\n");
        }
        for group in view.facets.iter().filter(|_| view.facet_form.is_none()) {
            put!(
                out,
                "<div class=\"bg-white round shadow p-4 mb-3\"><div class=\"text-sm bold mb-2\">{}</div>\n<div class=\"flex col gap-1\">\n",
                Esc(&group.name)
            );
            for value in &group.values {
                put!(
                    out,
                    "<div class=\"flex between text-sm\"><a class=\"no-line\" href=\"{}\">{}</a>",
                    Esc(&value.href),
                    Esc(&value.text)
                );
                if let Some(n) = value.count {
                    put!(out, "<span class=\"muted text-xs\">{n}</span>");
                }
                out.push_str("</div>\n");
            }
            if let Some(more) = &group.more {
                put!(out, "<div class=\"text-xs\"><a href=\"{}\">+ more</a></div>\n", Esc(more));
            }
            out.push_str("</div></div>\n");
        }
        for ad in &view.advertisements {
            put!(
                out,
                "<div class=\"round p-4 mb-3 bg-ad text-sm\"><div class=\"text-xs muted\">Ad · {}</div><div class=\"bold\">{}</div><div>{}</div></div>\n",
                Esc(&ad.sponsor),
                Esc(&ad.headline),
                Esc(&ad.text)
            );
        }
        out.push_str("</div>\n<div class=\"grow\">\n");
        self.records(out, site, &view.cards);
        if let Some(pager) = &view.pager {
            out.push_str("<div class=\"flex center gap-2 py-6 text-sm\">\n");
            parts::pager(out, pager, "<div class=\"pill\">", "</div>");
            out.push_str("</div>\n");
        }
        out.push_str("</div></div>\n");
    }

    fn records(&self, out: &mut String, site: &Site, cards: &[Card]) {
        let scope = parts::scope(site);
        out.push_str("<div class=\"flex col gap-3\">\n");
        for card in cards {
            put!(
                out,
                "<div class=\"bg-white round shadow p-3 flex gap-4\"{scope}><div class=\"w-32\"><div class=\"round clip\">"
            );
            parts::picture(out, site, card);
            out.push_str("</div></div>\n<div class=\"grow\"><div class=\"flex between\"><div>");
            put!(
                out,
                "<div class=\"bold\"><a class=\"no-line dark\" href=\"{}\">",
                Esc(&card.href)
            );
            if let Some(title) = card.unit(Slot::Title) {
                parts::text_of(out, title);
            }
            out.push_str("</a></div>\n");
            for unit in &card.units {
                let class = match unit.slot {
                    Slot::Maker => "text-sm muted",
                    Slot::Fact | Slot::Joined => "text-sm",
                    Slot::Teaser => "text-sm muted mt-1",
                    Slot::Rating => "text-xs gold inline",
                    Slot::Reviews => "text-xs muted inline",
                    _ => continue,
                };
                put!(out, "<div class=\"{class}\">");
                if let Some(label) = &unit.label {
                    put!(out, "<span class=\"muted\">{}</span> ", Esc(label));
                }
                out.push_str("<span>");
                parts::text_of(out, unit);
                out.push_str("</span></div>\n");
            }
            out.push_str("</div>\n<div class=\"right\">");
            for unit in &card.units {
                let class = match unit.slot {
                    Slot::Badge => "pill text-xs bg-tint",
                    Slot::OldPrice => "text-xs muted strike",
                    Slot::Price => "text-lg bold",
                    Slot::Call => "text-sm",
                    Slot::Constant => "text-xs green",
                    _ => continue,
                };
                put!(out, "<div class=\"{class}\">{}</div>\n", Esc(&unit.text));
            }
            for link in card.action.iter().chain(card.compare.iter()) {
                put!(
                    out,
                    "<div class=\"mt-1\"><a class=\"btn text-xs\" href=\"{}\" rel=\"nofollow\">{}</a></div>",
                    Esc(&link.href),
                    Esc(&link.text)
                );
            }
            out.push_str("</div></div></div></div>\n");
        }
        out.push_str("</div>\n");
    }

    fn entity(&self, out: &mut String, site: &Site, view: &EntityView) {
        if let Some(line) = &view.only_match {
            put!(out, "<div class=\"bg-tint round p-4 mb-4 bold\">{}</div>\n", Esc(line));
        }
        put!(
            out,
            "<div class=\"bg-white round shadow p-6\"{}><div class=\"flex gap-8\"><div class=\"w-96\"><div class=\"round clip\">",
            parts::scope(site)
        );
        parts::picture(out, site, &view.card);
        put!(
            out,
            "</div></div>\n<div class=\"grow\"><h1 class=\"text-2xl bold\"{}>{}</h1>\n",
            parts::prop(site, "name"),
            Esc(view.card.title())
        );
        for (slot, class) in [(Slot::Maker, "muted"), (Slot::Price, "text-2xl bold py-2")] {
            if let Some(unit) = view.card.unit(slot) {
                put!(out, "<div class=\"{class}\">{}</div>\n", Esc(&unit.text));
            }
        }
        out.push_str("<div class=\"py-2\">");
        for sentence in &view.description {
            put!(out, "<div class=\"mb-2\">{}</div>", Esc(sentence));
        }
        out.push_str("</div><div class=\"flex gap-2\">");
        for link in &view.actions {
            put!(
                out,
                "<a class=\"btn text-sm\" href=\"{}\">{}</a>",
                Esc(&link.href),
                Esc(&link.text)
            );
        }
        out.push_str("</div></div></div>\n<div class=\"py-4\">\n");
        specs::specification(out, site.spec.specs, &view.specs);
        out.push_str("</div></div>\n");
        if !view.related.is_empty() {
            out.push_str(
                "<div class=\"py-6\"><div class=\"text-lg bold mb-2\">More like this</div>\n",
            );
            self.records(out, site, &view.related);
            out.push_str("</div>\n");
        }
    }
}

const CSS: &str = "\
html{font:15px/1.5 Inter,system-ui,sans-serif;color:#1f2937}
.bg-50{background:#f3f4f6}.bg-white{background:#fff}.bg-dark{background:#1f2937;color:#d1d5db}.bg-dark a{color:#d1d5db}
.bg-tint{background:hsl(var(--hue),60%,92%)}.bg-ad{background:#fefce8;border:1px solid #fde68a}
.wrap{max-width:1180px;margin:0 auto;padding-left:20px;padding-right:20px;width:100%}
.flex{display:flex;flex-wrap:nowrap}.col{flex-direction:column}.grow{flex:1;min-width:0}.between{justify-content:space-between}.center{justify-content:center}
.items-center{align-items:center}.items-end{align-items:flex-end}.min-h{min-height:100vh}
.gap-1{gap:3px}.gap-2{gap:8px}.gap-3{gap:12px}.gap-4{gap:16px}.gap-6{gap:24px}.gap-8{gap:32px}
.p-3{padding:12px}.p-4{padding:16px}.p-6{padding:24px}.py-1{padding:4px 0}.py-2{padding:8px 0}.py-4{padding-top:16px;padding-bottom:16px}.py-6{padding-top:24px;padding-bottom:24px}.pb-3{padding-bottom:12px}
.mb-2{margin-bottom:8px}.mb-3{margin-bottom:12px}.mb-4{margin-bottom:16px}.mt-1{margin-top:4px}.mx-1{margin:0 6px}
.text-xs{font-size:.75rem}.text-sm{font-size:.875rem}.text-lg{font-size:1.125rem}.text-xl{font-size:1.35rem}.text-2xl{font-size:1.55rem;margin:0}
.bold{font-weight:700}.muted{color:#6b7280}.gold{color:#b45309}.green{color:#047857}.dark{color:#111827}.strike{text-decoration:line-through}
.round{border-radius:12px}.clip{overflow:hidden}.shadow{box-shadow:0 1px 3px rgba(0,0,0,.12)}.right{text-align:right}.inline{display:inline-block;margin-right:8px}
.no-line{text-decoration:none}.brand{color:hsl(var(--hue),60%,35%)}
.w-32{width:120px;flex:none}.w-56{width:225px;flex:none}.w-96{width:400px;flex:none}
.w-32 img,.w-32 svg,.w-96 img,.w-96 svg{width:100%}
.pill{display:inline-block;border-radius:999px;padding:2px 12px;background:#fff;border:1px solid #e5e7eb}
.btn{display:inline-block;background:hsl(var(--hue),60%,40%);color:#fff;border-radius:8px;padding:6px 14px;text-decoration:none}
.search{display:flex;gap:8px}.search input{flex:1;border-radius:8px}
.switch a,.switch strong{margin-left:6px}
.specs{width:100%;border-collapse:collapse}
.specs th,.specs td{text-align:left;padding:8px 12px;font-size:.875rem}
.specs tr:nth-child(odd){background:#f9fafb}
div.specs .row{display:grid;grid-template-columns:1fr 2fr;padding:8px 12px;font-size:.875rem}
div.specs .row:nth-child(odd){background:#f9fafb}
dl.specs{display:grid;grid-template-columns:1fr 2fr;gap:6px;font-size:.875rem}dl.specs dd{margin:0}
.hero{background:hsl(var(--hue),60%,40%);color:#fff;border-radius:16px;padding:40px;margin-bottom:20px}
.hero h1{font-size:2.2rem;margin:0 0 6px}
";

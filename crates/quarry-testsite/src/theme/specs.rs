//! Mark-up of specifications: eight styles, whatever the theme.

use std::fmt::Write as _;

use super::parts::put;
use crate::spec::SpecStyle;
use crate::text::Esc;
use crate::view::SpecGroup;

/// A specification in a style.
pub(crate) fn specification(out: &mut String, style: SpecStyle, groups: &[SpecGroup]) {
    if groups.is_empty() {
        return;
    }
    let pairs = || groups.iter().flat_map(|g| g.pairs.iter());
    match style {
        SpecStyle::Table => {
            out.push_str("<h2>Specifications</h2>\n<table class=\"specs\"><tbody>\n");
            for (name, value) in pairs() {
                put!(out, "<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", Esc(name), Esc(value));
            }
            out.push_str("</tbody></table>\n");
        }
        SpecStyle::PlainTable => {
            out.push_str("<h2>Product details</h2>\n<table class=\"specs\">\n");
            for (name, value) in pairs() {
                put!(out, "<tr><td>{}:</td><td>{}</td></tr>\n", Esc(name), Esc(value));
            }
            out.push_str("</table>\n");
        }
        SpecStyle::Definitions => {
            out.push_str("<h2>Facts</h2>\n<dl class=\"specs\">\n");
            for (name, value) in pairs() {
                put!(out, "<dt>{}</dt><dd>{}</dd>\n", Esc(name), Esc(value));
            }
            out.push_str("</dl>\n");
        }
        SpecStyle::Divs => {
            out.push_str("<h2>Specification</h2>\n<div class=\"specs\">\n");
            for (name, value) in pairs() {
                put!(
                    out,
                    "<div class=\"row\"><div class=\"k\">{}</div><div class=\"v\"><span>{}</span></div></div>\n",
                    Esc(name),
                    Esc(value)
                );
            }
            out.push_str("</div>\n");
        }
        SpecStyle::Items => {
            out.push_str("<h2>At a glance</h2>\n<ul class=\"specs\">\n");
            for (name, value) in pairs() {
                put!(out, "<li>{}: {}</li>\n", Esc(name), Esc(value));
            }
            out.push_str("</ul>\n");
        }
        SpecStyle::ThreeColumns => {
            out.push_str("<h2>Technical data</h2>\n<table class=\"specs\">\n");
            for group in groups {
                for (i, (name, value)) in group.pairs.iter().enumerate() {
                    let section = if i == 0 { group.title.as_str() } else { "" };
                    put!(
                        out,
                        "<tr><td class=\"section\">{}</td><td>{}</td><td>{}</td></tr>\n",
                        Esc(section),
                        Esc(name),
                        Esc(value)
                    );
                }
            }
            out.push_str("</table>\n");
        }
        SpecStyle::Sections => {
            out.push_str("<h2>Specifications</h2>\n");
            for group in groups {
                put!(
                    out,
                    "<section class=\"spec-section\"><h3>{}</h3>\n<table class=\"specs\">\n",
                    Esc(&group.title)
                );
                for (name, value) in &group.pairs {
                    put!(out, "<tr><th>{}</th><td>{}</td></tr>\n", Esc(name), Esc(value));
                }
                out.push_str("</table></section>\n");
            }
        }
        SpecStyle::Paragraphs => {
            out.push_str("<h2>Details</h2>\n<div class=\"specs\">\n");
            for (name, value) in pairs() {
                put!(out, "<p><b>{}:</b> {}</p>\n", Esc(name), Esc(value));
            }
            out.push_str("</div>\n");
        }
    }
}

//! Pages of a flat site: a paragraph and links, for measuring crawls.

use super::Site;
use crate::prng::Rng;
use crate::spec::Layout;
use crate::text::{NameKind, invent};

impl Site {
    /// How many pages a flat site has; 0 for other sites.
    pub(crate) fn flat_pages(&self) -> usize {
        if matches!(self.spec.layout, Layout::Flat { .. }) { self.spec.entities } else { 0 }
    }

    /// The page of a number. Page `n` links to the pages `n·k+1 …` (a tree, so that all are
    /// reached) and to others by chance.
    pub(crate) fn flat_page(&self, number: usize) -> String {
        let Layout::Flat { links, bytes } = self.spec.layout else { return String::new() };
        let pages = self.spec.entities.max(1);
        let mut rng = Rng::of(self.spec.seed, "flat", number as u64);
        let title = format!("{} {number}", invent(NameKind::Town, &mut rng));
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n<body><h1>{title}</h1>\n<ul>\n"
        );
        let half = (links / 2).max(1);
        for i in 0..links {
            let to = if i < half { number * half + i + 1 } else { rng.below(pages) };
            let to = if to < pages { to } else { rng.below(pages) };
            html.push_str(&format!("<li><a href=\"/p/{to}.html\">Page {to}</a></li>\n"));
        }
        html.push_str("</ul>\n<p>");
        while html.len() + 30 < bytes {
            html.push_str(&invent(NameKind::Street, &mut rng));
            html.push_str(if rng.chance(0.1) { ". " } else { ", " });
        }
        html.push_str("</p></body></html>\n");
        html
    }
}

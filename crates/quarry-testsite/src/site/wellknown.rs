//! robots.txt and sitemaps.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::Site;
use crate::catalogue::CatalogueEntityId;
use crate::spec::{Robots, Sitemap};

/// Addresses in one part of a sitemap.
const PART: usize = 1000;

impl Site {
    /// Status, content type and text of robots.txt.
    pub(crate) fn robots(&self, host: &str) -> (u16, &'static str, String) {
        let plain = "text/plain; charset=utf-8";
        let protocol = &self.spec.protocol;
        let mut text = String::from("User-agent: *\n");
        match protocol.robots {
            Robots::Missing => return (404, plain, "not found\n".to_owned()),
            Robots::Forbidden => return (403, plain, "forbidden\n".to_owned()),
            Robots::Error => return (500, plain, "internal error\n".to_owned()),
            Robots::Html => {
                let html = "<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>\n";
                return (200, "text/html; charset=utf-8", html.to_owned());
            }
            Robots::DisallowAll => text.push_str("Disallow: /\n"),
            Robots::DisallowEntities => {
                let entity = self.urls().entity(CatalogueEntityId(0));
                let folder = entity.trim_start_matches('/').split('/').next().unwrap_or("");
                let _ = writeln!(text, "Disallow: /{folder}/");
            }
            Robots::Allow | Robots::Huge => {
                for path in ["/cart", "/wishlist/", "/account/", "/admin/", "/login", "/compare"] {
                    let _ = writeln!(text, "Disallow: {path}");
                }
            }
        }
        if protocol.crawl_delay > 0 {
            let _ = writeln!(text, "Crawl-delay: {}", protocol.crawl_delay);
        }
        if protocol.robots == Robots::Huge {
            for i in 0..30_000 {
                let _ = writeln!(text, "Disallow: /archive/{i:08}/old/");
            }
        }
        if protocol.sitemap != Sitemap::None {
            let _ = write!(text, "\nSitemap: http://{host}/sitemap.xml\n");
        }
        (200, plain, text)
    }

    /// Addresses that a sitemap lists.
    fn mapped(&self, step: u32) -> Vec<String> {
        if self.flat_pages() > 0 {
            return (0..self.flat_pages()).map(|n| format!("/p/{n}.html")).collect();
        }
        let mut all = vec!["/".to_owned(), self.root()];
        let alive = self.catalogue.entities().filter(|e| self.timeline.alive(*e, step));
        all.extend(alive.map(|e| self.urls().entity(e)));
        all
    }

    /// The sitemap, or one part of it: content type and bytes. `None` when there is none.
    pub(crate) fn sitemap(
        &self,
        part: Option<usize>,
        host: &str,
        step: u32,
    ) -> Option<(&'static str, Vec<u8>)> {
        const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        const SPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
        let style = self.spec.protocol.sitemap;
        let all = self.mapped(step);
        let parts = all.len().div_ceil(PART);
        let compressed = style == Sitemap::Compressed;
        let mut xml = String::from(HEAD);
        match (style, part) {
            (Sitemap::None, _) => return None,
            (Sitemap::Index | Sitemap::Compressed, None) => {
                let _ = writeln!(xml, "<sitemapindex xmlns=\"{SPACE}\">");
                let suffix = if compressed { ".gz" } else { "" };
                for n in 1..=parts {
                    let _ = writeln!(
                        xml,
                        "<sitemap><loc>http://{host}/sitemap-{n}.xml{suffix}</loc></sitemap>"
                    );
                }
                xml.push_str("</sitemapindex>\n");
                return Some(("application/xml", xml.into_bytes()));
            }
            (Sitemap::Plain, Some(_)) => return None,
            (_, part) => {
                let chunk = match part {
                    None => &all[..],
                    Some(n) => all.chunks(PART).nth(n.checked_sub(1)?)?,
                };
                let _ = writeln!(xml, "<urlset xmlns=\"{SPACE}\">");
                for path in chunk {
                    let path = crate::text::Esc(path);
                    let _ = writeln!(
                        xml,
                        "<url><loc>http://{host}{path}</loc><lastmod>2026-01-15</lastmod></url>"
                    );
                }
                xml.push_str("</urlset>\n");
            }
        }
        if compressed {
            return Some(("application/gzip", gzip(xml.as_bytes())));
        }
        Some(("application/xml", xml.into_bytes()))
    }
}

/// Compresses bytes; the same bytes come out every time.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::new(3));
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory cannot fail")
}

//! Answers a request: faults that change the content first, then the route, the
//! page, validators and compression.

use super::urls::{Route, read_form};
use super::wellknown::gzip;
use super::{Site, SiteRequest, SiteResponse};
use crate::faults::Fault;
use crate::prng::hash;
use crate::spec::{FacetStyle, Layout};
use crate::theme;
use crate::view::{PageClass, Screen};
use crate::write::rewrite_links;

const HTML: &str = "text/html; charset=utf-8";

impl Site {
    /// Answers a request. The same request gives the same answer.
    #[must_use]
    pub fn respond(&self, request: &SiteRequest) -> SiteResponse {
        let fault = self.spec.faults.strike(self.spec.seed, &request.target, request.attempt);
        if let Some(response) = fault.and_then(|f| self.answer_instead(f, request)) {
            return response;
        }
        if let Some(response) = self.records(request) {
            return response;
        }
        let mut response = match self.asked_by_script(request) {
            Some(page) => Self::as_content(self.plain(&page)),
            None => self.plain(request),
        };
        self.leave_to_scripts(&mut response);
        if let Some(fault) = fault {
            damage(&mut response, fault);
            return response;
        }
        self.finish(&mut response, request);
        response
    }

    /// The answer without validators, compression and faults.
    fn plain(&self, request: &SiteRequest) -> SiteResponse {
        if let Some(pattern) = self.pattern() {
            return match pattern.respond(&request.target, &request.host) {
                (302, _, to) => redirect(&to),
                (status, HTML, text) => page(status, text, PageClass::Flat, None),
                (status, kind, text) => asset(status, kind, text.into_bytes()),
            };
        }
        let step = self.step(request.count);
        if self.spec.faults.rules.iter().any(|r| r.fault == Fault::RedirectLoop)
            && request.target.starts_with("/loop?to=")
        {
            return redirect(&request.target["/loop?to=".len()..]);
        }
        let (route, params, session, posted) = self.read(request);
        match &route {
            Route::Robots => {
                let (status, kind, text) = self.robots(&request.host);
                return asset(status, kind, text.into_bytes());
            }
            Route::Sitemap(part) => {
                if let Some((kind, bytes)) = self.sitemap(*part, &request.host, step) {
                    return asset(200, kind, bytes);
                }
            }
            Route::Css => {
                let css = self.css.get_or_init(|| theme::css(self));
                return asset(200, "text/css; charset=utf-8", css.clone().into_bytes());
            }
            Route::Picture(base) => {
                return asset(200, "image/svg+xml", self.picture(*base).into_bytes());
            }
            Route::Icon => return asset(200, "image/svg+xml", self.picture(0).into_bytes()),
            Route::Export(kind, query) => return self.export(kind, query, step),
            Route::Flat(number) if *number < self.flat_pages() => {
                return page(200, self.flat_page(*number), PageClass::Flat, None);
            }
            Route::Home if matches!(self.spec.layout, Layout::Flat { .. }) => {
                return page(200, self.flat_page(0), PageClass::Flat, None);
            }
            _ => {}
        }
        let shown = self.show(&route, step, &params, posted);
        if let Screen::Redirect(to) = &shown.screen {
            return redirect(to);
        }
        let mut html = theme::render(self, &shown);
        if self.spec.traps.sessions {
            let session = session.unwrap_or_else(|| {
                format!("{:016x}", hash(self.spec.seed, &request.target, request.count))
            });
            html = rewrite_links(&html, |href| Some(with_session(href, &session)));
        }
        page(shown.status, html, shown.class, shown.violation)
    }

    /// The route of a request, its parameters, its session id, and whether it was a form sent by
    /// POST.
    pub(crate) fn read(
        &self,
        request: &SiteRequest,
    ) -> (Route, Vec<(String, String)>, Option<String>, bool) {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let mut params = read_form(query);
        let posted = request.method.eq_ignore_ascii_case("POST");
        if posted {
            params.extend(read_form(&request.body));
        }
        let mut session = None;
        if self.spec.traps.sessions
            && let Some(at) = params.iter().position(|(k, _)| k == "sid")
        {
            session = Some(params.remove(at).1);
        }
        let mut route = self.urls().read(path, &params);
        if let (Route::List(query), FacetStyle::PostForm, false) =
            (&mut route, self.spec.facets.style, posted)
        {
            query.predicates.clear();
        }
        (route, params, session, posted)
    }

    /// Faults that answer in place of the page.
    fn answer_instead(&self, fault: &Fault, request: &SiteRequest) -> Option<SiteResponse> {
        let failed = |status: u16, heading: &str, line: &str| {
            let shown = self.text(status, PageClass::Failure, heading, vec![line.to_owned()]);
            page(status, theme::render(self, &shown), PageClass::Failure, None)
        };
        Some(match fault {
            Fault::ServerError { status } => {
                failed(*status, "Something went wrong", "Please try again in a moment.")
            }
            Fault::TooManyRequests { retry_after } => {
                let mut response = failed(429, "Too many requests", "Please slow down.");
                response.headers.push(("Retry-After".to_owned(), retry_after.to_string()));
                response
            }
            Fault::Forbidden => failed(403, "Access denied", "You may not see this page."),
            Fault::Soft404 => {
                let shown = self.not_found(200);
                page(200, theme::render(self, &shown), PageClass::Failure, None)
            }
            Fault::RedirectLoop => redirect(&format!("/loop?to={}", request.target)),
            Fault::RedirectTo { to } => redirect(to),
            Fault::CookieWall => {
                let value = format!("{:08x}", hash(self.spec.seed, "cookie", 0) as u32);
                let wanted = format!("visitor={value}");
                if request.cookie.as_deref().is_some_and(|c| c.contains(&wanted)) {
                    return None;
                }
                let mut response = redirect(&request.target);
                response.headers.push(("Set-Cookie".to_owned(), format!("{wanted}; Path=/")));
                response
            }
            Fault::DeepNesting { depth } => {
                let mut html = String::from("<!DOCTYPE html><html><body>");
                html.extend(std::iter::repeat_n("<div>", *depth as usize));
                html.push_str("<a href=\"/\">deep</a>");
                page(200, html, PageClass::Failure, None)
            }
            Fault::EmptyBody => page(200, String::new(), PageClass::Failure, None),
            Fault::Binary => {
                let mut response = page(200, String::new(), PageClass::Failure, None);
                response.body =
                    (0..4096u64).map(|i| hash(self.spec.seed, "binary", i) as u8).collect();
                response
            }
            _ => return None,
        })
    }

    fn export(&self, kind: &str, query: &super::urls::Query, step: u32) -> SiteResponse {
        let answer = self.answer(query, step);
        let (_, ids) = self.page(query, &answer);
        let title =
            |e: &crate::catalogue::CatalogueEntityId| self.catalogue.titles[e.0 as usize].as_str();
        let (content_type, body) = match kind {
            "json" => {
                let rows: Vec<_> = ids
                    .iter()
                    .map(|e| serde_json::json!({"title": title(e), "url": self.entity_url(*e)}))
                    .collect();
                ("application/json", serde_json::Value::from(rows).to_string())
            }
            "csv" => {
                let rows =
                    ids.iter().map(|e| format!("\"{}\",{}\n", title(e), self.entity_url(*e)));
                ("text/csv", rows.collect())
            }
            _ => {
                let items = ids.iter().map(|e| {
                    let text = crate::text::Esc(title(e)).to_string();
                    format!(
                        "<item><title>{text}</title><link>{}</link></item>",
                        self.entity_url(*e)
                    )
                });
                let items: String = items.collect();
                let name = crate::text::Esc(&self.name);
                let xml = format!(
                    "<rss version=\"2.0\"><channel><title>{name}</title>{items}</channel></rss>"
                );
                ("application/rss+xml", xml)
            }
        };
        let mut response = asset(200, content_type, body.into_bytes());
        response.violation = Some("export");
        response
    }

    /// Validators and compression.
    fn finish(&self, response: &mut SiteResponse, request: &SiteRequest) {
        let protocol = &self.spec.protocol;
        if protocol.max_age > 0 && response.status == 200 {
            let value = format!("max-age={}", protocol.max_age);
            response.headers.push(("Cache-Control".to_owned(), value));
        }
        if protocol.validators && response.status == 200 && request.method != "POST" {
            let etag = format!("\"{:016x}\"", xxhash_rust::xxh3::xxh3_64(&response.body));
            // The day follows the number of changes: a fixed clock, the same for everybody.
            let day = 1 + self.step(request.count) % 28;
            let modified = format!("{} Jan 2026 08:00:00 GMT", two_digits(day));
            let modified = format!(
                "{}, {modified}",
                ["Wed", "Thu", "Fri", "Sat", "Sun", "Mon", "Tue"][(day % 7) as usize]
            );
            let same = match (&request.if_none_match, &request.if_modified_since) {
                (Some(tags), _) => tags.split(',').any(|t| t.trim() == etag || t.trim() == "*"),
                (None, Some(date)) => *date == modified,
                (None, None) => false,
            };
            response.headers.push(("ETag".to_owned(), etag));
            response.headers.push(("Last-Modified".to_owned(), modified));
            if same {
                response.status = 304;
                response.body.clear();
                return;
            }
        }
        let text = response
            .header("Content-Type")
            .is_some_and(|t| t.starts_with("text/") || t.contains("xml") || t.contains("json"));
        if protocol.gzip && request.gzip && text && response.body.len() > 512 {
            response.body = gzip(&response.body);
            response.headers.push(("Content-Encoding".to_owned(), "gzip".to_owned()));
            response.headers.push(("Vary".to_owned(), "Accept-Encoding".to_owned()));
        }
    }
}

/// Faults that need the page first.
fn damage(response: &mut SiteResponse, fault: &Fault) {
    let latin = |text: &str| -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
    };
    match fault {
        Fault::WrongCharset => {
            let text = response.text().replace("</h1>", " – Café Déjà vu</h1>");
            response.body = latin(&text);
        }
        Fault::MissingCharset => {
            let text = response.text().replace("<meta charset=\"utf-8\">", "");
            response.body = latin(&text.replace("</h1>", " Café Déjà vu naïve façade</h1>"));
            for (name, value) in &mut response.headers {
                if name == "Content-Type" {
                    "text/html".clone_into(value);
                }
            }
        }
        Fault::GzipTruncated => {
            let mut body = gzip(&response.body);
            body.truncate(body.len() * 2 / 3);
            response.body = body;
            response.headers.push(("Content-Encoding".to_owned(), "gzip".to_owned()));
        }
        Fault::HugeHeaders { kib } => {
            for i in 0..*kib {
                response.headers.push((format!("X-Filler-{i}"), "f".repeat(1000)));
            }
        }
        _ => response.fault = Some(fault.clone()),
    }
}

fn two_digits(n: u32) -> String {
    format!("{n:02}")
}

pub(super) fn page(
    status: u16,
    html: String,
    class: PageClass,
    violation: Option<&'static str>,
) -> SiteResponse {
    SiteResponse {
        status,
        headers: vec![("Content-Type".to_owned(), HTML.to_owned())],
        body: html.into_bytes(),
        class,
        fault: None,
        violation,
    }
}

pub(super) fn asset(status: u16, content_type: &str, body: Vec<u8>) -> SiteResponse {
    SiteResponse {
        status,
        headers: vec![("Content-Type".to_owned(), content_type.to_owned())],
        body,
        class: PageClass::Asset,
        fault: None,
        violation: None,
    }
}

fn redirect(to: &str) -> SiteResponse {
    let mut response = asset(302, HTML, b"<p>This page has moved.</p>\n".to_vec());
    response.headers.push(("Location".to_owned(), to.to_owned()));
    response
}

fn with_session(href: &str, session: &str) -> String {
    if !href.starts_with('/') || href.starts_with("/assets/") || href.starts_with("/img/") {
        return href.to_owned();
    }
    let mark = if href.contains('?') { "&amp;" } else { "?" };
    format!("{href}{mark}sid={session}")
}

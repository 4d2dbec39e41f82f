//! Pages whose content comes by scripts: from state in the page, fetched, or put in place of the same content.

use super::urls::read_form;
use super::{Site, SiteRequest, SiteResponse};
use crate::spec::Scripts;

/// Where scripts fetch the content of a page.
const CONTENT: &str = "/api/page?of=";

impl Site {
    /// The request whose page a script asks the content of, if this is such a request.
    pub(super) fn asked_by_script(&self, request: &SiteRequest) -> Option<SiteRequest> {
        if self.spec.scripts != Scripts::Fetched || !request.target.starts_with(CONTENT) {
            return None;
        }
        let query = request.target.split_once('?')?.1;
        let (_, target) = read_form(query).into_iter().find(|(name, _)| name == "of")?;
        Some(SiteRequest { target, ..request.clone() })
    }

    /// The content of a page, as a script fetches it.
    pub(super) fn as_content(mut page: SiteResponse) -> SiteResponse {
        let html = String::from_utf8_lossy(&page.body).into_owned();
        let body = parts(&html).map_or(html.as_str(), |(_, body, _)| body);
        page.body = serde_json::json!({ "html": body }).to_string().into_bytes();
        page.headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
        page
    }

    /// Leaves the content of a page to scripts, where the site is one that does.
    pub(super) fn leave_to_scripts(&self, page: &mut SiteResponse) {
        let is_html = page.headers.iter().any(|(_, value)| value.starts_with("text/html"));
        if self.spec.scripts == Scripts::Absent || page.status != 200 || !is_html {
            return;
        }
        let html = String::from_utf8_lossy(&page.body).into_owned();
        let Some((head, body, foot)) = parts(&html) else { return };
        let filled = match self.spec.scripts {
            Scripts::Absent | Scripts::Records | Scripts::Bundled | Scripts::Sections => return,
            Scripts::State => {
                // The end of a script must not stand in a script.
                let state = serde_json::json!(body).to_string().replace("</", "<\\/");
                format!(
                    "<div id=\"root\"></div><script type=\"application/json\" id=\"state\">{state}</script>\
                     <script>root.innerHTML = JSON.parse(state.textContent)</script>"
                )
            }
            Scripts::Fetched => format!(
                "<div id=\"root\"></div><noscript>This site needs JavaScript.</noscript><script>\
                 fetch('{CONTENT}' + encodeURIComponent(location.pathname + location.search))\
                 .then(answer => answer.json()).then(page => {{ root.innerHTML = page.html }})</script>"
            ),
            Scripts::Hydrated => format!(
                "<div id=\"root\">{body}</div><script>root.innerHTML = root.innerHTML</script>"
            ),
        };
        page.body = format!("{head}{filled}{foot}").into_bytes();
    }
}

/// What stands before, in and behind the body.
fn parts(html: &str) -> Option<(&str, &str, &str)> {
    let open = html.find("<body")?;
    let start = open + html[open..].find('>')? + 1;
    let end = html.rfind("</body>")?;
    (start <= end).then(|| (&html[..start], &html[start..end], &html[end..]))
}

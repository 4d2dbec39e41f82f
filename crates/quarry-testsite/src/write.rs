//! How does a site become files?

/// Rewrites the addresses in `href`, `src` and `action` attributes. `None` leaves one as it is.
pub(crate) fn rewrite_links(html: &str, mut to: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    loop {
        let found = ["href=\"", "src=\"", "action=\""]
            .iter()
            .filter_map(|mark| rest.find(mark).map(|at| at + mark.len()))
            .min();
        let Some(start) = found else { break };
        let Some(len) = rest[start..].find('"') else { break };
        out.push_str(&rest[..start]);
        let address = &rest[start..start + len];
        match to(address) {
            Some(new) => out.push_str(&new),
            None => out.push_str(address),
        }
        rest = &rest[start + len..];
    }
    out.push_str(rest);
    out
}

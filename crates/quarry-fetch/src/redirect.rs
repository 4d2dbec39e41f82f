//! The next request after a redirect: RFC 9110 §15.4, as browsers do it.

use quarry_model::{Method, Request, Response};

use crate::target::Target;

/// The request that a redirect asks for; `None` where the response is no redirect or points to what
/// cannot be asked.
pub(crate) fn next(request: &Request, from: &Target, response: &Response) -> Option<Request> {
    let location = response.location()?.trim();
    if location.is_empty() {
        return None;
    }
    let mut url = from.url.join(location).ok()?;
    url.set_fragment(None);
    let target = Target::of(url).ok()?;
    let keeps_method = match response.status {
        307 | 308 => true,
        303 => false,
        _ => request.method == Method::Get,
    };
    let url = target.url.into();
    Some(match (keeps_method, request.method) {
        (true, Method::Post) => {
            Request { method: Method::Post, url, body: request.body.clone(), ..Request::default() }
        }
        _ => Request::get(url),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::Headers;

    #[test]
    fn follows_as_browsers_do() {
        fn check(method: Method, status: u16, location: &str, expect: Option<&str>) {
            let mut request = Request::get("http://h.test/a/b?c#d");
            if method == Method::Post {
                request = Request::post(request.url, "x=1");
            }
            let from = Target::parse(&request.url).unwrap();
            let headers = Headers(vec![("location".to_owned(), location.to_owned())]);
            let response = Response { status, headers, ..Response::default() };
            let next = next(&request, &from, &response).map(|r| r.key().into_owned());
            assert_eq!(next.as_deref(), expect, "{status} {location}");
        }
        use Method::{Get, Post};
        check(Get, 301, "/x#frag", Some("http://h.test/x"));
        check(Get, 302, "x", Some("http://h.test/a/x"));
        check(Get, 303, "?q=ä", Some("http://h.test/a/b?q=%C3%A4"));
        check(Get, 307, "//o.test", Some("http://o.test/"));
        check(Get, 308, " HTTPS://O.test/ ", Some("https://o.test/"));
        check(Post, 301, "/x", Some("http://h.test/x"));
        check(Post, 302, "/x", Some("http://h.test/x"));
        check(Post, 303, "/x", Some("http://h.test/x"));
        check(Post, 307, "/x", Some("POST http://h.test/x x=1"));
        check(Post, 308, "/x", Some("POST http://h.test/x x=1"));
        check(Get, 300, "/x", None);
        check(Get, 304, "/x", None);
        check(Get, 200, "/x", None);
        check(Get, 302, "", None);
        check(Get, 302, "http://[x", None);
        check(Get, 302, "//", None);
        check(Get, 302, "mailto:a@b.test", None);
        check(Get, 302, "file:///etc/passwd", None);
        check(Get, 302, "javascript:alert(1)", None);
    }
}

//! Header fields: those that are sent, and the reading of those that come.

use std::collections::{BTreeMap, BTreeSet};

use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE,
    EXPECT, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use quarry_model::{Headers, Method, Request};

use crate::guard::normalise;
use crate::proxy::{basic, login_of};
use crate::settings::{FetchError, FetchSettings};
use crate::target::Target;

const ACCEPTED: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const CODINGS: &str = "gzip, br, zstd, deflate";
const FORM: &str = "application/x-www-form-urlencoded";
/// What a body is sent as that scripts ask with; a form never begins like JSON.
const JSON: &str = "application/json";

/// Fields that describe the connection or the body; they follow from the request.
const OURS: [HeaderName; 9] = [
    HOST,
    CONNECTION,
    CONTENT_LENGTH,
    EXPECT,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// The fields that every request has, made once.
pub(crate) struct Fields {
    common: Vec<(HeaderName, HeaderValue)>,
    secret: Vec<(HeaderName, HeaderValue)>,
    secret_hosts: BTreeSet<String>,
    logins: BTreeMap<String, HeaderValue>,
}

/// What a secret is archived as.
const REDACTED: &str = "[redacted]";

/// Parts of names of fields whose value is a secret.
const SECRET_NAMES: [&str; 8] =
    ["auth", "cookie", "token", "secret", "key", "session", "password", "credential"];

impl Fields {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Self, FetchError> {
        let agent = HeaderValue::from_bytes(settings.user_agent.as_bytes()).map_err(|_| {
            FetchError::BadHeader { name: "user-agent".to_owned(), reason: "odd characters" }
        })?;
        let mut common = vec![
            (USER_AGENT, agent),
            (ACCEPT, HeaderValue::from_static(ACCEPTED)),
            (ACCEPT_ENCODING, HeaderValue::from_static(CODINGS)),
        ];
        let ours = common.len();
        let mut secret = Vec::new();
        for (name, value) in &settings.headers {
            let bad = |reason| FetchError::BadHeader { name: name.clone(), reason };
            let name = HeaderName::from_bytes(name.trim().as_bytes())
                .map_err(|_| bad("not a field name"))?;
            let mut value = HeaderValue::from_bytes(value.trim().as_bytes())
                .map_err(|_| bad("control characters in its value"))?;
            if OURS.contains(&name) {
                return Err(bad("it is set for each request as that needs it"));
            }
            if SECRET_NAMES.iter().any(|part| name.as_str().contains(part)) {
                value.set_sensitive(true);
                secret.push((name, value));
            } else if let Some(own) = common[..ours].iter_mut().find(|(n, _)| *n == name) {
                own.1 = value;
            } else {
                common.push((name, value));
            }
        }
        let secret_hosts = settings.credential_hosts.iter().map(|h| normalise(h)).collect();
        let logins = settings.logins.iter();
        let logins =
            logins.map(|(origin, (user, password))| (origin.clone(), basic(user, password)));
        Ok(Self { common, secret, secret_hosts, logins: logins.collect() })
    }

    /// The fields of one request, in the order in which they are sent. `trusted` says whether the
    /// target may have the user's secrets as far as redirects are concerned.
    pub(crate) fn of(
        &self,
        request: &Request,
        target: &Target,
        cookies: Option<String>,
        trusted: bool,
    ) -> Vec<(HeaderName, HeaderValue)> {
        let mut fields = Vec::with_capacity(self.common.len() + 6);
        let mut push = |name: HeaderName, value: &str| {
            // A field that cannot be said is left out: it came from a server (a validator, a
            // cookie), and the request makes sense without it.
            if let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) {
                fields.push((name, value));
            }
        };
        push(HOST, target.authority());
        fields.extend(self.common.iter().cloned());
        self.push_secrets(&mut fields, target, cookies, trusted);
        let mut push = |name: HeaderName, value: Option<&str>| {
            if let Some(value) = value.and_then(|v| HeaderValue::from_bytes(v.as_bytes()).ok()) {
                fields.push((name, value));
            }
        };
        push(IF_NONE_MATCH, request.unless.etag.as_deref());
        push(IF_MODIFIED_SINCE, request.unless.last_modified.as_deref());
        if request.method == Method::Post {
            let length = request.body.as_ref().map_or(0, String::len);
            fields.retain(|(name, _)| *name != CONTENT_TYPE);
            let is_json = request.body.as_ref().is_some_and(|body| body.starts_with(['{', '[']));
            let kind = if is_json { JSON } else { FORM };
            fields.push((CONTENT_TYPE, HeaderValue::from_static(kind)));
            fields.push((CONTENT_LENGTH, HeaderValue::from(length)));
        }
        fields
    }

    fn push_secrets(
        &self,
        fields: &mut Vec<(HeaderName, HeaderValue)>,
        target: &Target,
        cookies: Option<String>,
        trusted: bool,
    ) {
        let origin = target.origin();
        let given = trusted
            && (self.secret_hosts.is_empty()
                || self.secret_hosts.contains(&target.host)
                || self.secret_hosts.contains(&origin));
        let secrets = if given { self.secret.as_slice() } else { &[] };
        let mut jar: Vec<u8> = Vec::new();
        for (name, value) in secrets {
            if *name == COOKIE {
                join_cookies(&mut jar, value.as_bytes());
            } else {
                fields.push((name.clone(), value.clone()));
            }
        }
        if !target.url.username().is_empty()
            && !fields.iter().any(|(name, _)| *name == AUTHORIZATION)
            && let Some((user, password)) = login_of(&target.url)
        {
            fields.push((AUTHORIZATION, basic(&user, &password)));
        }
        if trusted
            && !fields.iter().any(|(name, _)| *name == AUTHORIZATION)
            && let Some(login) = self.logins.get(&origin)
        {
            fields.push((AUTHORIZATION, login.clone()));
        }
        if let Some(cookies) = cookies {
            join_cookies(&mut jar, cookies.as_bytes());
        }
        if !jar.is_empty()
            && let Ok(mut value) = HeaderValue::from_bytes(&jar)
        {
            value.set_sensitive(true);
            fields.push((COOKIE, value));
        }
    }
}

fn join_cookies(jar: &mut Vec<u8>, more: &[u8]) {
    if !jar.is_empty() {
        jar.extend_from_slice(b"; ");
    }
    jar.extend_from_slice(more);
}

/// The fields as they were sent: with capitals in HTTP/1, as hyper writes them; secrets redacted.
pub(crate) fn as_sent(fields: &[(HeaderName, HeaderValue)], http1: bool) -> Headers {
    let name = |name: &HeaderName| match http1 {
        true => title_case(name.as_str()),
        false => name.as_str().to_owned(),
    };
    // Archives are passed on; a secret in them would be, too.
    let value = |value: &HeaderValue| match value.is_sensitive() {
        true => REDACTED.to_owned(),
        false => text(value.as_bytes()),
    };
    Headers(fields.iter().map(|(n, v)| (name(n), value(v))).collect())
}

/// The fields that came, less `Transfer-Encoding`. hyper gives names in lower case and puts fields
/// of one name together.
pub(crate) fn as_received(map: &HeaderMap) -> Headers {
    let fields = map.iter().filter(|(name, _)| *name != TRANSFER_ENCODING);
    Headers(fields.map(|(n, v)| (n.as_str().to_owned(), text(v.as_bytes()))).collect())
}

/// UTF-8, or else Latin-1, in which every byte is a character.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

fn title_case(name: &str) -> String {
    let mut start = true;
    let capital = |c: char| {
        let cased = if start { c.to_ascii_uppercase() } else { c };
        start = c == '-';
        cased
    };
    name.chars().map(capital).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::Validators;

    fn sent(settings: &FetchSettings, request: &Request, trusted: bool) -> String {
        let fields = Fields::new(settings).unwrap();
        let target = Target::parse(&request.url).unwrap();
        let list = fields.of(request, &target, Some("sid=1".to_owned()), trusted);
        let line = |(name, value): &(HeaderName, HeaderValue)| {
            format!("{}: {}\n", title_case(name.as_str()), text(value.as_bytes()))
        };
        list.iter().map(line).collect()
    }

    #[test]
    fn secrets_are_archived_as_such() {
        let headers = [("X-Api-Key", "k"), ("Cookie", "own=2"), ("X-Note", "n")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let origin = "http://h.test".to_owned();
        let logins = [(origin, ("anna".to_owned(), "pass".to_owned()))].into();
        let settings = FetchSettings { headers, logins, ..FetchSettings::default() };
        let fields = Fields::new(&settings).unwrap();
        let target = |url: &str| Target::parse(url).unwrap();
        let list =
            fields.of(&Request::get("http://h.test/"), &target("http://h.test/"), None, true);
        let archived = as_sent(&list, true);
        for name in ["Authorization", "X-Api-Key", "Cookie"] {
            assert_eq!(archived.get(name), Some(REDACTED), "{name}");
        }
        assert_eq!(archived.get("X-Note"), Some("n"));
        // The login is for its origin alone.
        let other = Request::get("http://h.test:81/");
        let list = fields.of(&other, &target(&other.url), None, true);
        assert_eq!(as_sent(&list, true).get("Authorization"), None);
    }

    #[test]
    fn a_request_says_what_it_must() {
        let settings = FetchSettings {
            user_agent: "test".to_owned(),
            headers: vec![
                ("accept".to_owned(), "text/html".to_owned()),
                ("X-Key".to_owned(), "é".to_owned()),
                ("Cookie".to_owned(), "own=2".to_owned()),
                ("authorization".to_owned(), "Bearer t".to_owned()),
            ],
            ..FetchSettings::default()
        };
        let mut request = Request::post("http://h.test:81/x", "a=b");
        let unless = Validators { etag: Some("\"e\"".to_owned()), last_modified: None };
        request.unless = unless;
        assert_eq!(
            sent(&settings, &request, true),
            "Host: h.test:81\nUser-Agent: test\nAccept: text/html\n\
             Accept-Encoding: gzip, br, zstd, deflate\nX-Key: é\nAuthorization: Bearer t\n\
             Cookie: own=2; sid=1\nIf-None-Match: \"e\"\n\
             Content-Type: application/x-www-form-urlencoded\nContent-Length: 3\n"
        );
        let elsewhere = sent(&settings, &request, false);
        assert!(!elsewhere.contains("Bearer") && !elsewhere.contains("own=2"), "{elsewhere}");
        assert!(elsewhere.contains("Cookie: sid=1\n"), "{elsewhere}");

        let only = ["other.test".to_owned()].into();
        let settings = FetchSettings { credential_hosts: only, ..settings };
        assert!(!sent(&settings, &request, true).contains("Bearer"));
        let request = Request::get("http://other.test/");
        assert!(sent(&settings, &request, true).contains("Bearer"));
    }

    #[test]
    fn a_login_in_the_address_is_used() {
        let request = Request::get("http://me:p%40ss@h.test/");
        let expect = "Authorization: Basic bWU6cEBzcw==\n";
        assert!(sent(&FetchSettings::default(), &request, true).contains(expect));
    }

    #[test]
    fn odd_fields_are_refused_without_showing_them() {
        for (name, value) in [("bad name", "secret"), ("X", "secret\r\nY: z"), ("Host", "secret")] {
            let headers = vec![(name.to_owned(), value.to_owned())];
            let settings = FetchSettings { headers, ..FetchSettings::default() };
            let error = Fields::new(&settings).err().expect("refused").to_string();
            assert!(error.contains(name) && !error.contains("secret"), "{error}");
        }
    }
}

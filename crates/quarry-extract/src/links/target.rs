//! What the addresses of links say that they lead to: `/author/ann.html`, `/tag/blue`, `?genre=7`. A site's own word for the values
//! of a slot, in the site's language.

use std::collections::BTreeSet;

use url::Url;

use super::shape::Parts;
use crate::embedded::readable_name;

/// Fewer different addresses do not show which part of them varies.
const MIN_TARGETS: usize = 3;
/// A word has at least so many letters: `en` and `p` name nothing.
const MIN_LETTERS: usize = 3;
/// Longer parts of addresses are slugs.
const MAX_CHARS: usize = 30;

/// The name before the part of these addresses that varies: the path segment before it, or its parameter. `None` where more than one
/// part varies, or nothing names it.
pub(crate) fn target_name<'a>(hrefs: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Addresses are compared with each other, so any base does.
    let base = Url::parse("http://site.invalid/").ok()?;
    let urls: BTreeSet<Url> = hrefs.into_iter().filter_map(|href| base.join(href).ok()).collect();
    if urls.len() < MIN_TARGETS {
        return None;
    }
    let parts: Vec<Parts> = urls.iter().map(Parts::of).collect();
    let (first, others) = parts.split_first()?;
    let is_alike = |other: &Parts| {
        other.origin == first.origin && other.segments.len() == first.segments.len()
    };
    if !others.iter().all(is_alike) {
        return None;
    }
    let varies = |at: &usize| others.iter().any(|other| other.segments[*at] != first.segments[*at]);
    let varying: Vec<usize> = (0..first.segments.len()).filter(varies).collect();
    let name = match varying[..] {
        [] => varying_parameter(&parts)?,
        [at] => first.segments[..at].last()?.as_str(),
        _ => return None,
    };
    let name = readable_name(&[name.to_owned()]);
    let letters = name.chars().filter(|char| char.is_alphabetic()).count();
    let is_word = letters >= MIN_LETTERS
        && name.chars().count() <= MAX_CHARS
        && name.chars().all(|char| char.is_alphabetic() || char == ' ');
    is_word.then_some(name)
}

/// The only parameter with several values.
fn varying_parameter(parts: &[Parts]) -> Option<&str> {
    let names: BTreeSet<&str> =
        parts.iter().flat_map(|parts| parts.params.iter().map(|(name, _)| name.as_str())).collect();
    let mut varying = names.into_iter().filter(|name| {
        let values: BTreeSet<Option<&str>> = parts
            .iter()
            .map(|parts| {
                let own = parts.params.iter().find(|(own, _)| own == name);
                own.map(|(_, value)| value.as_str())
            })
            .collect();
        values.len() > 1
    });
    varying.next().filter(|_| varying.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_what_they_lead_to() {
        let check = |hrefs: &[&str], expected: Option<&str>| {
            assert_eq!(target_name(hrefs.iter().copied()).as_deref(), expected, "{hrefs:?}");
        };
        check(&["/author/ann.html", "/author/bob.html", "../author/cid.html"], Some("author"));
        check(&["/schlagwort/rot", "/schlagwort/blau", "/schlagwort/grün"], Some("schlagwort"));
        check(&["/q?genre=1&x=2", "/q?genre=3&x=2", "/q?genre=4&x=2"], Some("genre"));
        check(&["/q?genre=1&x=2", "/q?genre=3&x=3", "/q?genre=4&x=2"], None);
        check(&["/author/ann", "/author/bob"], None);
        check(&["/a", "/b", "/c"], None);
        check(&["/en/a", "/en/b", "/en/c"], None);
        check(&["/x1/a", "/x1/b", "/x1/c"], None);
        check(&["/tag/a", "/tag/b/c", "/tag/d"], None);
    }
}

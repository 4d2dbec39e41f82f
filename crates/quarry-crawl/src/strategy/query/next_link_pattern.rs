//! Recognises the link to the next page by the one that led here: on further pages, where links to both neighbours stand side
//! by side in a language that nobody knows, the link with the same text at the same place leads on.

use quarry_model::Request;

use super::facts::QueryFacts;

/// A link that has led to a further page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NextLinkPattern {
    path_key: u64,
    text: String,
}

impl NextLinkPattern {
    /// How a page writes its link to the next one. Numbers of pages say nothing of other pages' links.
    fn of(facts: &QueryFacts, next: &Request) -> Option<Self> {
        let link = facts.links.iter().find(|link| link.address == next.url)?;
        let says_something = link.text.chars().any(char::is_alphabetic);
        says_something.then(|| Self { path_key: link.path_key, text: link.text.clone() })
    }

    /// Learns from the link to the next page, where a page has one; else the request for the only link that is written like it, on
    /// pages behind the first.
    pub(super) fn follow(
        known: &mut Option<Self>,
        facts: &QueryFacts,
        next: Option<&Request>,
        number: u32,
    ) -> Option<Request> {
        if let Some(next_link_pattern) = next.and_then(|next| Self::of(facts, next)) {
            *known = Some(next_link_pattern);
        }
        let known = known.as_ref().filter(|_| number > 1 && next.is_none());
        known.and_then(|next_link_pattern| next_link_pattern.find(facts)).map(Request::get)
    }

    /// Where the only such link of a page leads.
    fn find<'f>(&self, facts: &'f QueryFacts) -> Option<&'f str> {
        let is_same = |text: &str, key: u64| text == self.text && key == self.path_key;
        let same = facts.links.iter().filter(|link| is_same(&link.text, link.path_key));
        let mut addresses = same.map(|link| link.address.as_str());
        let first = addresses.next()?;
        addresses.all(|other| other == first).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::super::facts::ListLink;
    use super::*;

    fn page(links: &[(&str, &str)]) -> QueryFacts {
        let link = |(text, address): &(&str, &str)| ListLink {
            address: format!("http://a.example{address}"),
            path: String::new(),
            path_key: 7,
            text: (*text).to_owned(),
        };
        QueryFacts { links: links.iter().map(link).collect(), ..QueryFacts::default() }
    }

    #[test]
    fn the_link_that_led_here_leads_on() {
        let next = |address: &str| Request::get(format!("http://a.example{address}"));
        let first = page(&[("Vaspor", "/x?c=kq8")]);
        let next_link_pattern = NextLinkPattern::of(&first, &next("/x?c=kq8")).unwrap();
        let second = page(&[("Ulgen", "/x"), ("Vaspor", "/x?c=m2z")]);
        assert_eq!(next_link_pattern.find(&second), Some("http://a.example/x?c=m2z"));
        assert_eq!(next_link_pattern.find(&page(&[("Ulgen", "/x?c=kq8")])), None);
        assert_eq!(next_link_pattern.find(&page(&[("Vaspor", "/a"), ("Vaspor", "/b")])), None);
        assert_eq!(NextLinkPattern::of(&page(&[("2", "/x?p=2")]), &next("/x?p=2")), None);
    }
}

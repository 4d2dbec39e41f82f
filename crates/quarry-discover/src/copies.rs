//! Copies of sites on other hosts: which of two sites with the same pages is the original?
//!
//! The one that more hubs link to, weighed as candidates are: people who list shops list the shop, not its mirror. Which of
//! the two was met first says nothing. A site that the user named is never taken for a copy.

use std::collections::BTreeSet;

use crate::discovery::SiteDiscovery;
use crate::home::is_same_home;
use crate::in_site::InSiteVerdict;
use crate::rank::hub_scores;

impl SiteDiscovery {
    /// The known site that has this home page, too.
    pub(crate) fn same_home(&self, home_links: Option<&BTreeSet<u64>>) -> Option<&str> {
        let links = home_links?;
        let known = self.state.known.iter();
        let mut same = known.filter(|(_, known)| is_same_home(&known.home_links, links));
        same.next().map(|(site, _)| site.as_str())
    }

    /// Whether a site, and not the known one that has the same pages, is the original.
    pub(crate) fn is_original(&self, site: &str, known: &str) -> bool {
        if self.state.known.get(known).is_none_or(|facts| facts.round == 0) {
            return false;
        }
        // Hubs are weighed without the known site: else those that link to it would count for more.
        let others = self.state.known.keys().map(String::as_str).filter(|own| *own != known);
        let hubs = hub_scores(&self.web.backlinks, &others.collect::<BTreeSet<&str>>(), 1);
        let weight = |site: &str| -> f64 {
            let links = |hub: &String| {
                self.web.forward.get(hub).is_some_and(|to| to.iter().any(|own| own == site))
            };
            hubs.iter().filter(|(hub, _)| links(hub)).map(|(_, score)| score).sum()
        };
        weight(site) > weight(known)
    }

    /// The known copy of a site that takes its place: by home page or product pages, and by who links to them.
    pub(crate) fn copy_to_replace(
        &self,
        site: &str,
        home_links: Option<&BTreeSet<u64>>,
        verdict: &InSiteVerdict,
    ) -> Option<String> {
        let known =
            self.same_home(home_links).map(str::to_owned).or_else(|| verdict.copy_of.clone())?;
        self.is_original(site, &known).then_some(known)
    }

    /// Takes back that a site is relevant: it is a copy of another. Gives what is to be said of the other.
    pub(crate) fn drop_copy(&mut self, copy: &str, original: &str) -> String {
        self.state.known.remove(copy);
        self.amend(copy, |line| {
            line.relevant = false;
            line.in_site = Some(false);
            line.reason += &format!("; a copy of {original}, which more hubs link to");
        });
        format!("; more hubs link to it than to {copy}, its copy")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::KnownSite;

    fn discovery() -> SiteDiscovery {
        let mut discovery = SiteDiscovery::default();
        let known = |round| KnownSite {
            url: String::new(),
            round,
            ids: Vec::new(),
            fingerprints: BTreeSet::new(),
            home_links: (0..9).collect(),
        };
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        discovery.state.known.insert("seed".to_owned(), known(0));
        discovery.state.known.insert("copy".to_owned(), known(3));
        let hubs = [("seed", &["one", "two"][..]), ("copy", &["spam", "one"][..])];
        let backlinks = hubs.map(|(site, hubs)| (site.to_owned(), list(hubs)));
        discovery.web.backlinks = backlinks.into();
        let links = [
            ("one", &["seed", "copy", "original"][..]),
            ("two", &["seed", "original"][..]),
            ("spam", &["copy"][..]),
        ];
        discovery.web.forward = links.map(|(hub, sites)| (hub.to_owned(), list(sites))).into();
        discovery
    }

    #[test]
    fn the_original_is_what_more_hubs_link_to() {
        let discovery = discovery();
        assert!(discovery.is_original("original", "copy"), "spam links to the copy only");
        assert!(!discovery.is_original("nobody", "copy"));
        assert!(!discovery.is_original("original", "seed"), "the user named it");
    }

    #[test]
    fn the_original_takes_the_place_of_its_copy() {
        let mut discovery = discovery();
        let home = (0..9).collect();
        discovery.state.known.remove("seed");
        let verdict = InSiteVerdict {
            is_relevant: true,
            matching: vec![0, 1],
            with_known_id: 1,
            copy_of: None,
            is_undecided: false,
        };
        // Without another known site no hub has a weight.
        assert_eq!(discovery.copy_to_replace("original", Some(&home), &verdict), None);
        let other =
            KnownSite { home_links: BTreeSet::new(), ..discovery.state.known["copy"].clone() };
        discovery.state.known.insert("seed".to_owned(), other);
        let copy = discovery.copy_to_replace("original", Some(&home), &verdict);
        assert_eq!(copy.as_deref(), Some("copy"));
        discovery.drop_copy("copy", "original");
        assert!(!discovery.state.known.contains_key("copy"));
    }
}

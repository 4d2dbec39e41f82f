//! The reasons of a site's line, in words: who voted for it, and what each filter said.

use quarry_model::site_of;

use crate::discovery::SiteDiscovery;
use crate::home::HomeVerdict;
use crate::in_site::InSiteVerdict;
use crate::ports::SiteFacts;
use crate::state::{SiteCandidate, SiteLine};

/// Ids and hubs that a line names.
const NAMED_VOTERS: usize = 5;

impl SiteDiscovery {
    /// The line of a candidate as far as its home page says.
    pub(crate) fn line(
        &self,
        candidate: &SiteCandidate,
        home: &SiteFacts,
        verdict: Option<HomeVerdict>,
    ) -> SiteLine {
        let SiteCandidate { site, score, search, backlinks } = candidate.clone();
        let leads = |urls: &Vec<String>| {
            urls.iter().any(|url| site_of(url).as_deref() == Some(site.as_str()))
        };
        let searched = self.web.searched.iter().filter(|(_, urls)| leads(urls));
        let ids: Vec<String> = searched.map(|(query, _)| query.clone()).collect();
        let scores = self.hub_scores();
        let linking =
            |hub: &&String| self.web.forward.get(*hub).is_some_and(|sites| sites.contains(&site));
        let hubs: Vec<String> = scores.keys().filter(linking).cloned().collect();
        let mut reason = voters(ids.len(), self.web.searched.len(), hubs.len());
        match verdict {
            Some(verdict) if verdict.passes => {}
            Some(verdict) => {
                let words = home.home.iter().flat_map(|page| self.state.filter.explain(page, 3));
                let words: Vec<String> = words
                    .filter(|(_, part)| *part < 0.0)
                    .map(|(name, _)| name.to_owned())
                    .collect();
                reason += &format!("; stopped by its home page ({:.2}", verdict.probability);
                if !words.is_empty() {
                    reason += &format!(": {}", words.join(", "));
                }
                reason.push(')');
            }
            None => {
                let why = home.failure.as_deref().unwrap_or("no page");
                reason += &format!("; its home page could not be had: {why}");
            }
        }
        SiteLine {
            site,
            score,
            search,
            backlinks,
            home_page: verdict.map(|verdict| verdict.probability),
            in_site: None,
            round: self.state.round,
            reason,
            relevant: false,
            url: home.url.clone(),
            ids: ids.into_iter().take(NAMED_VOTERS).collect(),
            hubs: hubs.into_iter().take(NAMED_VOTERS).collect(),
            pages: (home.pages, 0),
        }
    }
}

fn voters(ids: usize, of_ids: usize, hubs: usize) -> String {
    match (ids, hubs) {
        (0, hubs) => format!("{hubs} hubs link to it"),
        (ids, 0) => format!("{ids} of {of_ids} ids lead to it"),
        (ids, hubs) => format!("{ids} of {of_ids} ids lead to it, {hubs} hubs link to it"),
    }
}

pub(crate) fn found_inside(products: usize, verdict: &InSiteVerdict, facts: &SiteFacts) -> String {
    let pages = facts.pages;
    if let Some(original) = &verdict.copy_of {
        return format!("a copy of {original}");
    }
    if let Some(failure) = &facts.failure {
        return format!("could not be looked into: {failure}");
    }
    match (products, verdict.matching.len()) {
        (0, _) => format!("none of {pages} pages has a specification"),
        (products, 0) => {
            format!("{products} of {pages} pages have specifications, none of this category")
        }
        (_, matching) => format!(
            "{matching} of {pages} pages have specifications of this category, {} of them known ids",
            verdict.with_known_id
        ),
    }
}

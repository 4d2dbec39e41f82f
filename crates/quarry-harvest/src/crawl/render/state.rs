//! Reads addresses of states of pages: the page's own address, and what is done to it.

use quarry_model::{PageStep, STATE_PREFIX, StepKind};
use url::Url;

/// A state of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawl) struct PageState {
    /// The address of the page.
    pub(super) page: String,
    /// What is done to it, in order.
    pub(super) steps: Vec<PageStep>,
}

impl PageState {
    /// The state that an address names, if it names one.
    pub(super) fn parse(address: &str) -> Option<Self> {
        let mut url = Url::parse(address).ok()?;
        let (mut steps, mut own) = (Vec::new(), Vec::new());
        for (name, value) in url.query_pairs() {
            let Some(control) = name.strip_prefix(STATE_PREFIX) else {
                own.push((name.into_owned(), value.into_owned()));
                continue;
            };
            let (kind, group) = control.split_once('.')?;
            let (group, value) = (group.to_owned(), value.into_owned());
            steps.push(PageStep { kind: StepKind::parse(kind)?, group, value });
        }
        if steps.is_empty() {
            return None;
        }
        // Typed words come before choices: what can be chosen often depends on them.
        steps.sort_by_key(|step| step.kind);
        if own.is_empty() {
            url.set_query(None);
        } else {
            url.query_pairs_mut().clear().extend_pairs(own);
        }
        Some(Self { page: url.into(), steps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_page_and_steps() {
        let state = PageState::parse(
            "http://h/list?a=1&quarry.check.section=Net+%26+web&quarry.type.search=x",
        );
        let state = state.unwrap();
        assert_eq!(state.page, "http://h/list?a=1");
        let steps: Vec<_> = state
            .steps
            .iter()
            .map(|step| (step.kind, step.group.as_str(), step.value.as_str()))
            .collect();
        let expect = [(StepKind::Type, "search", "x"), (StepKind::Check, "section", "Net & web")];
        assert_eq!(steps, expect);
        for plain in ["http://h/list?a=1", "http://h/", "http://h/?quarry.fly.a=1"] {
            assert_eq!(PageState::parse(plain), None, "{plain}");
        }
    }
}

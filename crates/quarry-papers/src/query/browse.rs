//! Fetches each page once and counts the paper's two measures of overhead (§5): crawled pages and page
//! scans.

use std::rc::Rc;

use super::page::PageLinks;
use quarry_crawl::query::Interner;

/// Where pages come from.
pub trait Web {
    /// The links of the page at an address; `None` where there is no page.
    fn read(&mut self, url: &str) -> Option<PageLinks>;
}

/// The budget is spent.
#[derive(Debug)]
pub(super) struct Spent;

/// A page with its links as numbers.
#[derive(Debug)]
pub(super) struct ReadPage {
    pub(super) page: PageLinks,
    /// Numbers of `page.links`, in their order.
    pub(super) targets: Vec<u32>,
}

/// Pages by number, each fetched once.
pub(super) struct Browser<'w> {
    web: &'w mut dyn Web,
    pub(super) urls: Interner,
    pages: Vec<Option<Option<Rc<ReadPage>>>>,
    pub(super) fetched: usize,
    pub(super) scans: usize,
    budget: usize,
}

impl<'w> Browser<'w> {
    pub(super) fn new(web: &'w mut dyn Web, budget: usize) -> Self {
        Self { web, urls: Interner::default(), pages: Vec::new(), fetched: 0, scans: 0, budget }
    }

    /// The page of a number, fetched if that was not done.
    pub(super) fn page(&mut self, url: u32) -> Result<Option<Rc<ReadPage>>, Spent> {
        let at = url as usize;
        if self.pages.len() <= at {
            self.pages.resize(at + 1, None);
        }
        if let Some(known) = &self.pages[at] {
            return Ok(known.clone());
        }
        if self.fetched == self.budget {
            return Err(Spent);
        }
        self.fetched += 1;
        let page = self.web.read(self.urls.text(url)).map(|page| {
            let targets = page.links.iter().map(|link| self.urls.intern(&link.url)).collect();
            Rc::new(ReadPage { page, targets })
        });
        self.pages[at] = Some(page.clone());
        Ok(page)
    }

    /// The page if it is a list.
    pub(super) fn list(&mut self, url: u32) -> Result<Option<Rc<ReadPage>>, Spent> {
        Ok(self.page(url)?.filter(|read| read.page.is_list()))
    }
}

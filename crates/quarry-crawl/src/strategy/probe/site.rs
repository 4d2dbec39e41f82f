//! The probing of one site: its form, the queries that were sent, the results pages, and what to send
//! next.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::cluster::{ClusterConfig, Clustering, PageSignature, cluster_pages};
use quarry_extract::forms::names_search;

use super::choice::{Draw, Rates};
use super::facts::{ProbeFacts, SearchForm};
use super::result_links::ResultLinks;
use super::{ProbeReport, ProbeSettings, words};
use crate::Address;
use crate::strategy::{PageView, ProbeProgress, Proposal};
use quarry_model::Request;

/// Queries of a batch: one of nonsense, the others from the list and from the site's own pages, more
/// from the source that found more.
const BATCH: usize = 11;

/// Results pages whose new links decide whether a sweep goes on.
const SWEEP_WINDOW: usize = 5 * BATCH;
/// New links per results page below which a sweep ends.
const MIN_NEW_LINKS: f64 = 0.1;
/// Share of the results that may be missing, by estimate, when a sweep ends.
const MISSING_SHARE: f64 = 0.01;
/// Results pages by which sources of words are rated during a sweep: the time to cluster them grows
/// with their number.
const RATED_PAGES: usize = 110;

/// Where a query came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    List,
    Own,
    Nonsense,
}

/// The state of one site's probing.
#[derive(Debug, Default)]
pub(super) struct SiteProbe {
    /// Pages that were read in search of a form.
    looked: BTreeSet<Address>,
    /// Links to pages that may have a form: addresses that name search first, then in the order found.
    links: BTreeSet<(bool, usize, Address)>,
    met: BTreeSet<Address>,
    form: Option<Form>,
    asked: BTreeMap<String, Source>,
    /// The queries in the order of their results pages.
    queries: Vec<String>,
    answers: Vec<PageSignature>,
    own: BTreeMap<String, WordUse>,
    /// Pages that the words come from.
    pages: u32,
    listed: usize,
    result_links: ResultLinks,
    /// Further pages of results that are to be asked for.
    further: Vec<Request>,
    /// Further pages of results that were or will be asked for, by request.
    further_keys: BTreeSet<String>,
    end: Option<String>,
}

/// A word of the site's own pages.
#[derive(Debug, Clone, Copy)]
struct WordUse {
    /// On how many pages.
    pages: u32,
    /// The path key of the element where it was first found.
    path_key: u64,
}

/// The form that is asked.
#[derive(Debug)]
struct Form {
    form: SearchForm,
    page: Address,
    depth: u32,
    language: &'static str,
}

impl SiteProbe {
    pub(super) fn observe(
        &mut self,
        page: &PageView<'_>,
        facts: &ProbeFacts,
        settings: &ProbeSettings,
    ) {
        let collects = settings.sweep > 0 || settings.details;
        if self.further_keys.contains(&*page.request.key()) {
            let new = self.add_results(page);
            self.read_on(facts, new);
            return self.learn_words(facts);
        }
        if let Some(form) = &self.form
            && let Some(query) = form.form.submission.query_of(page.request)
        {
            // After a restart results pages come before anything was sent.
            let source =
                if is_nonsense(&query, settings) { Source::Nonsense } else { Source::List };
            self.asked.entry(query.clone()).or_insert(source);
            match source {
                Source::Nonsense if collects => self.result_links.add_frame(page.links),
                Source::List | Source::Own if collects => {
                    let new = self.add_results(page);
                    self.read_on(facts, new);
                }
                _ => {}
            }
            self.queries.push(query);
            self.answers.push(facts.signature.clone());
            self.learn_words(facts);
            return;
        }
        if self.asked.is_empty() && self.looked.insert(page.address.clone()) {
            self.result_links.add_frame(page.links);
            self.consider(page, facts);
            let most = 4 * settings.pages_for_form;
            for link in page.links.iter().filter(|link| link.address.host() == page.address.host())
            {
                if self.met.len() < most && self.met.insert(link.address.clone()) {
                    let elsewhere = !names_search(link.address.path());
                    self.links.insert((elsewhere, self.met.len(), link.address.clone()));
                }
            }
        }
    }

    /// Adds the links of a results page. Returns how many are new.
    fn add_results(&mut self, page: &PageView<'_>) -> usize {
        let form = self.form.as_ref();
        let asks = |address: &Address| {
            let request = Request::get(address.as_str());
            form.is_some_and(|form| form.form.submission.query_of(&request).is_some())
        };
        self.result_links.add(page.links, &asks)
    }

    /// Asks for the next page of results after one that had something new.
    fn read_on(&mut self, facts: &ProbeFacts, new: usize) {
        let Some(next) = facts.next.as_ref().filter(|_| new > 0) else { return };
        let Ok(address) = Address::normalise(&next.url) else { return };
        let request = Request { url: address.into_string(), ..next.clone() };
        if self.further_keys.insert(request.key().into_owned()) {
            self.further.push(request);
        }
    }

    /// Proposes further pages of results; once words are over, also the pages of results.
    fn propose_found(
        &mut self,
        with_details: bool,
        depth: u32,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) -> bool {
        let further = std::mem::take(&mut self.further);
        let any = !further.is_empty();
        for Request { url, body, .. } in further {
            if let Ok(address) = Address::normalise(&url) {
                propose(Proposal {
                    address: Cow::Owned(address),
                    body,
                    depth,
                    priority: 0,
                    is_guess: false,
                });
            }
        }
        let details = if with_details { self.result_links.take() } else { Vec::new() };
        for address in details {
            let address = Cow::Owned(address);
            propose(Proposal {
                address,
                body: None,
                depth: depth + 1,
                priority: 1,
                is_guess: false,
            });
        }
        any
    }

    /// Takes the page's form if it is better than the one known.
    fn consider(&mut self, page: &PageView<'_>, facts: &ProbeFacts) {
        let Some(form) = &facts.form else { return };
        if self.form.as_ref().is_some_and(|known| !form.is_better_than(&known.form)) {
            return;
        }
        let language = words::language(
            facts.language.as_deref(),
            facts.words.iter().map(|word| word.text.as_str()),
        );
        let (page, depth) = (page.address.clone(), page.depth);
        self.form = Some(Form { form: form.clone(), page, depth, language });
        self.learn_words(facts);
    }

    fn learn_words(&mut self, facts: &ProbeFacts) {
        self.pages += 1;
        for word in &facts.words {
            match self.own.get_mut(&word.text) {
                Some(seen) => seen.pages += 1,
                None => {
                    self.own
                        .insert(word.text.clone(), WordUse { pages: 1, path_key: word.path_key });
                }
            }
        }
    }

    /// Nothing is in flight: looks for a form on a further page, or sends the next batch.
    pub(super) fn idle(
        &mut self,
        settings: &ProbeSettings,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        let depth = self.form.as_ref().map_or(0, |form| form.depth + 1);
        let is_over = self.end.is_some();
        // What a word has found is read to its end before further words are sent.
        if self.propose_found(is_over && settings.details, depth, propose) || is_over {
            return;
        }
        let allowed = self.form.as_ref().filter(|form| form.form.forbidden.is_none());
        let Some(Form { form, .. }) = allowed else {
            return self.look_further(settings, propose);
        };
        let submission = form.submission.clone();
        let over = self.is_over(settings);
        let swept = match &over {
            Some(_) if settings.sweep > 0 && self.finds() => self.sweep_is_over(settings),
            over => over.clone(),
        };
        let mut batch = match (&over, &swept) {
            (_, Some(_)) => Vec::new(),
            (None, None) => self.batch(settings),
            (Some(_), None) => self.sweep(),
        };
        if batch.is_empty() {
            self.end = swept.or_else(|| Some("there are no more words to ask for".to_owned()));
        }
        if settings.details && over.is_some() {
            self.propose_found(true, depth, propose);
        }
        batch.retain(|(query, _)| !self.asked.contains_key(query));
        for (query, source) in batch {
            let choices =
                if settings.vary_choices { self.choices(&submission) } else { Vec::new() };
            let choices: Vec<(&str, &str)> = choices.iter().map(|(n, v)| (&**n, &**v)).collect();
            let request = submission.request(&query, &choices);
            self.asked.insert(query, source);
            if let Ok(address) = Address::normalise(&request.url) {
                let address = Cow::Owned(address);
                propose(Proposal {
                    address,
                    body: request.body,
                    depth,
                    priority: 0,
                    is_guess: false,
                });
            }
        }
    }

    fn look_further(
        &mut self,
        settings: &ProbeSettings,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        let next = self.links.pop_first().filter(|_| self.looked.len() < settings.pages_for_form);
        let Some((_, _, address)) = next else {
            let pages = self.looked.len();
            let forbidden = self.form.as_ref().and_then(|form| form.form.forbidden);
            self.end = Some(match forbidden {
                Some(reason) => format!("the search form may not be sent ({reason})"),
                None => format!("no search form on {pages} pages"),
            });
            return;
        };
        propose(Proposal {
            address: Cow::Owned(address),
            body: None,
            depth: 1,
            priority: 0,
            is_guess: false,
        });
    }

    /// The n-th query takes the n-th value of every choice in turn.
    fn choices(&self, submission: &quarry_extract::forms::Submission) -> Vec<(String, String)> {
        let n = self.asked.len();
        let values = submission.alternatives().iter().filter(|(_, values)| !values.is_empty());
        values.map(|(name, values)| (name.clone(), values[n % values.len()].clone())).collect()
    }

    fn count(&self, source: Source) -> usize {
        self.asked.values().filter(|&&own| own == source).count()
    }

    /// Why probing is over, if it is.
    fn is_over(&self, settings: &ProbeSettings) -> Option<String> {
        let (asked, answers) = (self.asked.len(), self.answers.len());
        if asked >= BATCH && answers == 0 {
            return Some(format!("none of {asked} queries was answered with a page"));
        }
        let same = |page: &PageSignature| page.paths == self.answers[0].paths;
        if answers >= 3 * BATCH && self.answers.iter().all(same) {
            let why = "every query brings the same page; its results may come from a script";
            return Some(why.to_owned());
        }
        let words = self.count(Source::List) + self.count(Source::Own);
        if words >= settings.words && self.count(Source::Nonsense) >= settings.nonsense {
            return Some("all queries were asked".to_owned());
        }
        if answers < settings.least || answers <= settings.steady {
            return None;
        }
        let classes = self.classes();
        let earlier: BTreeSet<usize> =
            classes.assignment[..answers - settings.steady].iter().copied().collect();
        let settled = classes.clusters.len() == earlier.len() && earlier.len() > 1;
        settled
            .then(|| format!("the last {} answers brought no new class of pages", settings.steady))
    }

    /// Whether results pages differ, so that further words may find more.
    fn finds(&self) -> bool {
        !self.answers.is_empty() && self.result_links.results().next().is_some()
    }

    /// Why sweeping is over, if it is.
    fn sweep_is_over(&self, settings: &ProbeSettings) -> Option<String> {
        let words = self.count(Source::List) + self.count(Source::Own);
        if words >= settings.words + settings.sweep {
            let missing = self.result_links.missing().round();
            return Some(format!(
                "all queries were asked, {missing} pages may be missing; --sweep allows more"
            ));
        }
        let recent = self.result_links.recent(SWEEP_WINDOW)?;
        let found = self.result_links.results().count() as f64;
        let is_complete = self.result_links.missing() <= MISSING_SHARE * found;
        (recent < MIN_NEW_LINKS && is_complete)
            .then(|| format!("the last {SWEEP_WINDOW} answers led to hardly anything new"))
    }

    /// The next words of a sweep: all from the site's own pages.
    fn sweep(&mut self) -> Vec<(String, Source)> {
        let rates = self.rates_of_last(RATED_PAGES);
        // All pages of an answer are read, so that words of many pages bring most.
        let new = self.own.iter().filter(|(word, _)| !self.asked.contains_key(*word));
        let mut frequent: Vec<(u32, &String)> =
            new.map(|(word, seen)| (seen.pages, word)).collect();
        frequent.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        let frequent = frequent.into_iter().map(|(_, word)| word.clone()).take(BATCH);
        let mut words: Vec<String> = frequent.collect();
        let others = self.own_words(2 * BATCH, &rates).into_iter();
        let others: Vec<String> = others.filter(|word| !words.contains(word)).take(BATCH).collect();
        words.extend(others);
        words.into_iter().map(|word| (word, Source::Own)).collect()
    }

    fn classes(&self) -> Clustering {
        cluster_pages(&self.answers, &ClusterConfig::default())
    }

    /// The next queries.
    fn batch(&mut self, settings: &ProbeSettings) -> Vec<(String, Source)> {
        let mut batch: Vec<(String, Source)> = Vec::new();
        let nonsense = self.count(Source::Nonsense);
        let words = self.count(Source::List) + self.count(Source::Own);
        // As the paper has it, one in eleven; all that is left once the words are used up.
        let room = settings.nonsense.saturating_sub(nonsense);
        let due = if words + BATCH > settings.words { room } else { room.min(1) };
        for n in nonsense..nonsense + due {
            batch.push((words::nonsense(n), Source::Nonsense));
        }
        let room = settings.words.saturating_sub(words).min(BATCH.saturating_sub(due.min(1)));
        let rates = self.rates();
        // A user's own words come first, as many as there are.
        let own_list = !settings.own_words.is_empty() || !settings.adapt;
        let share = if own_list { room } else { room - rates.share_of_own(room) };
        let mut chosen: Vec<(String, Source)> = Vec::new();
        while chosen.len() < share
            && let Some(word) = self.next_listed(settings)
        {
            chosen.push((word, Source::List));
        }
        let left = if settings.adapt { room - chosen.len() } else { 0 };
        let own = self.own_words(left, &rates);
        chosen.extend(own.into_iter().map(|word| (word, Source::Own)));
        while chosen.len() < room
            && let Some(word) = self.next_listed(settings)
        {
            chosen.push((word, Source::List));
        }
        batch.extend(chosen);
        batch.retain(|(query, _)| !self.asked.contains_key(query));
        batch
    }

    fn next_listed(&mut self, settings: &ProbeSettings) -> Option<String> {
        let language = self.form.as_ref().map_or("en", |form| form.language);
        loop {
            let word = match settings.own_words.as_slice() {
                [] => words::list(language)?.nth(self.listed)?.to_owned(),
                own => own.get(self.listed)?.clone(),
            };
            self.listed += 1;
            if !self.asked.contains_key(&word) {
                return Some(word);
            }
        }
    }

    /// How often words of each kind found something.
    fn rates(&self) -> Rates {
        self.rates_of_last(self.answers.len())
    }

    /// The same, by some of the answers.
    fn rates_of_last(&self, answers: usize) -> Rates {
        let from = self.answers.len().saturating_sub(answers);
        // Those of the first batch stay, since they have the nonsense.
        let kept = |at: usize| at < BATCH || at >= from;
        let kept: Vec<usize> = (0..self.answers.len()).filter(|at| kept(*at)).collect();
        let pages: Vec<PageSignature> = kept.iter().map(|at| self.answers[*at].clone()).collect();
        let classes = cluster_pages(&pages, &ClusterConfig::default()).assignment;
        let source = |query: &String| self.asked.get(query).copied();
        let answers = || kept.iter().map(|at| &self.queries[*at]).zip(&classes);
        let nothing: BTreeSet<usize> = answers()
            .filter(|(query, _)| source(query) == Some(Source::Nonsense))
            .map(|(_, class)| *class)
            .collect();
        let mut rates = Rates::default();
        for (query, class) in answers() {
            let hit = !nothing.contains(class);
            match source(query) {
                Some(Source::List) => rates.listed.count(hit),
                Some(Source::Own) => rates.own.count(hit),
                Some(Source::Nonsense) | None => continue,
            }
            if let Some(seen) = self.own.get(query) {
                rates.path_keys.entry(seen.path_key).or_default().count(hit);
            }
        }
        rates
    }

    /// Words of the site's own pages, from elements whose words found something before: rare ones,
    /// which tend to match one entity, and as many that are frequent, but not on every page, which
    /// tend to match several.
    fn own_words(&self, count: usize, rates: &Rates) -> Vec<String> {
        let mut new: Vec<(Draw, &String, u32)> = self
            .own
            .iter()
            .filter(|(word, seen)| {
                !self.asked.contains_key(*word) && (seen.pages == 1 || seen.pages * 2 <= self.pages)
            })
            .map(|(word, seen)| (Draw::of(word, rates.path_key(seen.path_key)), word, seen.pages))
            .collect();
        new.sort_unstable();
        let mut chosen: Vec<&String> = new
            .iter()
            .filter(|(_, _, pages)| *pages > 1)
            .map(|(_, w, _)| *w)
            .take(count / 2)
            .collect();
        let rest = count - chosen.len();
        let rare = new.iter().filter(|(_, _, pages)| *pages == 1).map(|(_, word, _)| *word);
        chosen.extend(rare.take(rest));
        chosen.into_iter().cloned().collect()
    }

    pub(super) fn progress(&self, settings: &ProbeSettings) -> ProbeProgress {
        let asked = self.asked.len();
        let over = self.end.is_some() || self.form.is_none();
        let most = if over { 0 } else { settings.words + settings.nonsense + settings.sweep };
        ProbeProgress {
            looked: self.looked.len(),
            forms: usize::from(self.form.is_some()),
            asked,
            answers: self.answers.len(),
            left: most.saturating_sub(asked),
        }
    }

    pub(super) fn report(&self, host: &str) -> ProbeReport {
        let form = self.form.as_ref().map(|Form { form, page, language, .. }| {
            let request = form.submission.request("…", &[]);
            let field = form.submission.query_name().unwrap_or_default();
            let address = request.url.split('?').next().unwrap_or_default();
            format!(
                "{} {address}, field {field} (score {:.2}, {language}), on {}",
                request.method.as_str(),
                form.score,
                page.as_str(),
            )
        });
        ProbeReport {
            host: host.to_owned(),
            form,
            listed: self.count(Source::List),
            seen: self.count(Source::Own),
            nonsense: self.count(Source::Nonsense),
            answers: self.answers.len(),
            classes: self.classes().clusters.iter().map(|cluster| cluster.pages).collect(),
            found: self.result_links.results().count(),
            end: self.end.clone(),
        }
    }
}

fn is_nonsense(query: &str, settings: &ProbeSettings) -> bool {
    (0..settings.nonsense).any(|n| words::nonsense(n) == query)
}

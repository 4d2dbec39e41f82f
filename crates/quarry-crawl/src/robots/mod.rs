//! Parses robots.txt as RFC 9309 has it, with the published corner
//! cases of the open-sourced parser that the RFC's authors maintain.

mod pattern;

use std::time::Duration;

use pattern::{Pattern, matching_form};

/// A crawler must read at least this much of a robots.txt (RFC 9309 §2.5); the rest is ignored.
pub const MAX_BYTES: usize = 500 * 1024;

/// How long an answer may be used without asking again (RFC 9309 §2.4).
pub const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The rules of a robots.txt that concern one crawler.
///
/// ```
/// use quarry_crawl::robots::Rules;
///
/// let text = b"User-agent: *\nDisallow: /cart\nAllow: /cart/help$\nCrawl-delay: 2\n";
/// let rules = Rules::parse(text, "quarry");
/// assert!(rules.allows("/products?page=2"));
/// assert!(!rules.allows("/cart/help?x"));
/// assert!(rules.allows("/cart/help"));
/// assert_eq!(rules.refusing_line("/cart/7").as_deref(), Some("Disallow: /cart"));
/// assert_eq!(rules.crawl_delay().unwrap().as_secs(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    /// The most specific first, and `Allow` before `Disallow` of the same length.
    rules: Vec<Rule>,
    /// The second byte of what a rule can match, 0 where that can be any: most rules are ruled out
    /// by looking at one byte.
    seconds: Vec<u8>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
    /// What the owner says about uses, line by line.
    notices: Vec<String>,
    everything: Option<bool>,
}

/// Most lines about uses that are kept.
const MAX_NOTICES: usize = 20;
/// Longest of them, in bytes.
const MAX_NOTICE_BYTES: usize = 300;

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    pattern: Pattern,
}

/// The rules of one kind of group while the text is read.
#[derive(Debug, Default)]
struct Group {
    named: bool,
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

impl Rules {
    /// Everything may be asked: the host has no robots.txt.
    #[must_use]
    pub fn allow_all() -> Self {
        Self { everything: Some(true), ..Self::default() }
    }

    /// Nothing may be asked: the host's robots.txt cannot be had.
    #[must_use]
    pub fn disallow_all() -> Self {
        Self { everything: Some(false), ..Self::default() }
    }

    /// Reads a robots.txt as the crawler with this product token. Never fails: what is not
    /// understood is passed over.
    #[must_use]
    pub fn parse(text: &[u8], product: &str) -> Self {
        let text = String::from_utf8_lossy(&text[..text.len().min(MAX_BYTES)]);
        let text = text.trim_start_matches('\u{feff}');
        let (mut ours, mut everyone) = (Group::default(), Group::default());
        let (mut in_ours, mut in_everyone) = (false, false);
        let mut naming = false;
        let mut sitemaps = Vec::new();
        let mut notices: Vec<String> = Vec::new();
        for line in text.split(['\n', '\r']) {
            let Some((key, value)) = key_and_value(line) else { continue };
            match Key::of(key) {
                Some(Key::UserAgent) => {
                    if !naming {
                        // Rules came before: this line begins the next group.
                        (in_ours, in_everyone, naming) = (false, false, true);
                    }
                    if value == "*" || value.starts_with("* ") || value.starts_with("*\t") {
                        in_everyone = true;
                        everyone.named = true;
                    } else if product_token(value).eq_ignore_ascii_case(product) {
                        in_ours = true;
                        ours.named = true;
                    }
                }
                Some(Key::Allow | Key::Disallow) => {
                    naming = false;
                    let allow = Key::of(key) == Some(Key::Allow);
                    let Some(pattern) = Pattern::parse(value) else { continue };
                    // Cut off, it would allow what the host does not.
                    if allow && pattern.is_cut {
                        continue;
                    }
                    for (group, is_in) in [(&mut ours, in_ours), (&mut everyone, in_everyone)] {
                        if is_in {
                            group.rules.push(Rule { allow, pattern: pattern.clone() });
                        }
                    }
                }
                // Not of the standard, so it neither ends a list of user agents nor begins rules.
                Some(Key::CrawlDelay) => {
                    let Some(delay) = seconds(value) else { continue };
                    for (group, is_in) in [(&mut ours, in_ours), (&mut everyone, in_everyone)] {
                        if is_in {
                            group.crawl_delay = group.crawl_delay.max(Some(delay));
                        }
                    }
                }
                Some(Key::Sitemap) => sitemaps.push(value.to_owned()),
                Some(Key::Notice) => {
                    let line = format!("{key}: {value}");
                    if line.len() <= MAX_NOTICE_BYTES
                        && notices.len() < MAX_NOTICES
                        && !notices.contains(&line)
                    {
                        notices.push(line);
                    }
                }
                None => {}
            }
        }
        let group = if ours.named { ours } else { everyone };
        Self { notices, ..Self::of_rules(group, sitemaps) }
    }

    fn of_rules(group: Group, sitemaps: Vec<String>) -> Self {
        let mut rules = group.rules;
        rules.sort_by_key(|rule| (std::cmp::Reverse(rule.pattern.len()), !rule.allow));
        let seconds = rules.iter().map(|rule| rule.pattern.second_byte()).collect();
        Self {
            rules,
            seconds,
            crawl_delay: group.crawl_delay,
            sitemaps,
            notices: Vec::new(),
            everything: None,
        }
    }

    /// Whether the crawler may ask for this path and query (normalised, as
    /// [`crate::Address::path_and_query`] gives it).
    #[must_use]
    pub fn allows(&self, path_and_query: &str) -> bool {
        if path_and_query == "/robots.txt" {
            return true;
        }
        if let Some(everything) = self.everything {
            return everything;
        }
        if self.rules.is_empty() {
            return true;
        }
        let path = matching_form(path_and_query);
        let second = path.as_bytes().get(1).copied().unwrap_or(0);
        for (rule, &head) in self.rules.iter().zip(&self.seconds) {
            if (head == 0 || head == second) && rule.pattern.matches(&path) {
                return rule.allow;
            }
        }
        true
    }

    /// The line that keeps the crawler from this path and query; `None` where it may ask.
    #[must_use]
    pub fn refusing_line(&self, path_and_query: &str) -> Option<String> {
        if self.allows(path_and_query) {
            return None;
        }
        if self.everything == Some(false) {
            return Some("(it could not be had, so nothing may be asked)".to_owned());
        }
        let path = matching_form(path_and_query);
        let rule = self.rules.iter().find(|rule| rule.pattern.matches(&path))?;
        Some(format!("Disallow: {}", rule.pattern))
    }

    /// The pause that the host asks for, if it does.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps that it names, as they are written.
    #[must_use]
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// What the owner says about uses: `Content-Signal`, `Content-Usage` and `License` lines, as written.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Whether one of these lines denies a use (`ai-train=no`, `train-ai=n`).
    #[must_use]
    pub fn denies_a_use(&self) -> bool {
        let denies = |pair: &str| {
            let value = pair.split_once('=').map(|(_, value)| value.trim().trim_matches('"'));
            value.is_some_and(|value| {
                value.eq_ignore_ascii_case("no") || value.eq_ignore_ascii_case("n")
            })
        };
        let values = self.notices.iter().filter_map(|line| line.split_once(':'));
        values.flat_map(|(_, value)| value.split([',', ';', ' '])).any(denies)
    }

    /// Whether nothing at all may be asked.
    #[must_use]
    pub fn forbids_everything(&self) -> bool {
        self.everything == Some(false)
    }
}

/// The product token at the start of a user agent: `Quarry/1.0 (+https://…)` gives `Quarry`.
#[must_use]
pub fn product_token(user_agent: &str) -> &str {
    let end = user_agent
        .find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'))
        .unwrap_or(user_agent.len());
    &user_agent[..end]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
    Notice,
}

impl Key {
    /// The keys in any case, with the misspellings that crawlers agree to understand.
    fn of(key: &str) -> Option<Self> {
        const KEYS: [(&str, Key); 17] = [
            ("user-agent", Key::UserAgent),
            ("useragent", Key::UserAgent),
            ("user agent", Key::UserAgent),
            ("allow", Key::Allow),
            ("disallow", Key::Disallow),
            ("dissallow", Key::Disallow),
            ("dissalow", Key::Disallow),
            ("disalow", Key::Disallow),
            ("diasllow", Key::Disallow),
            ("disallaw", Key::Disallow),
            ("crawl-delay", Key::CrawlDelay),
            ("crawldelay", Key::CrawlDelay),
            ("sitemap", Key::Sitemap),
            ("site-map", Key::Sitemap),
            ("content-signal", Key::Notice),
            ("content-usage", Key::Notice),
            ("license", Key::Notice),
        ];
        KEYS.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, key)| *key)
    }
}

/// `key: value`, without comment and blanks. A missing colon is understood where two words stand.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let line = line.split_once('#').map_or(line, |(before, _)| before).trim();
    let (key, value) = match line.split_once(':') {
        Some(both) => both,
        None => {
            let both = line.split_once([' ', '\t'])?;
            if both.1.trim().contains([' ', '\t']) {
                return None;
            }
            both
        }
    };
    Some((key.trim(), value.trim()))
}

fn seconds(value: &str) -> Option<Duration> {
    let number: f64 = value.parse().ok()?;
    (number >= 0.0).then(|| Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}

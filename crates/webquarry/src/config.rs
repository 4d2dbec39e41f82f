//! Resolves the settings and remembers where each came from: defaults, then `quarry.toml`, then the
//! environment, then flags; the last one that speaks wins.

pub(crate) mod types;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use quarry_harvest::ColumnRules;
use quarry_harvest::StrategyName;
use quarry_harvest::expect::Expect;
use quarry_store::{write_private, write_whole};
use serde::{Deserialize, Serialize};

use types::{Bytes, Span};

/// The name of the settings file in a project folder.
pub(crate) const FILE: &str = "quarry.toml";

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) enum Origin {
    Default,
    Verb,
    File(PathBuf),
    Environment(String),
    Flag(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Verb => f.write_str("default of the command"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => write!(f, "${name}"),
            Self::Flag(name) => write!(f, "--{name}"),
        }
    }
}

/// One setting as `quarry config` shows it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Line {
    pub(crate) key: &'static str,
    pub(crate) value: toml::Value,
    pub(crate) origin: String,
    pub(crate) about: &'static str,
}

/// The scope of a crawl, as a user names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScopeName {
    /// The hosts of the seeds
    Host,
    /// The registrable domains of the seeds, with their subdomains
    Domain,
    /// The folders of the seeds
    Prefix,
    /// Anywhere
    Any,
}

/// How to crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StrategyFlag {
    /// Look at the site and decide
    Auto,
    /// Crawl a faceted site by queries: every value that its facets show, with few requests
    Query,
    /// Ask the site's search form for words and keep the answers
    Probe,
    /// Walk from categories through their index pages to the product pages, and fetch little else
    Index,
    /// Every page, breadth first
    All,
}

/// Which marks against following links are obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NofollowFlag {
    /// Of whole pages: meta robots and X-Robots-Tag
    Pages,
    /// Of single links (rel=nofollow), too
    Links,
    /// None
    Ignore,
}

/// For which pages scripts are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RenderFlag {
    /// For pages of templates where that adds something, by comparing a few
    Auto,
    /// For none
    Never,
    /// For all
    Always,
}

/// What the pause between two requests holds for, where crawlers share a frontier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, clap::ValueEnum)]
pub(crate) enum PauseFlag {
    /// Each host
    Host,
    /// Each host and each registered domain
    Domain,
    /// Each host, each registered domain and each IP address
    #[default]
    Address,
}

impl StrategyFlag {
    /// As a harvest knows it.
    pub(crate) fn name(self) -> StrategyName {
        match self {
            Self::Auto => StrategyName::Auto,
            Self::Query => StrategyName::Query,
            Self::Probe => StrategyName::Probe,
            Self::Index => StrategyName::Index,
            Self::All => StrategyName::All,
        }
    }
}

/// Declares each setting once: its layer (all optional: flags, a file, the environment), its
/// resolved form, and its line in `quarry config`.
macro_rules! settings {
    ($( $(#[doc = $doc:literal])+ $(#[arg($($arg:tt)*)])? $name:ident: $type:ty = $default:expr; )*) => {
        /// Settings of one layer; what it does not say is `None`.
        #[derive(Debug, Clone, Default, PartialEq, Args, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct Layer {
            $(
                $(#[doc = $doc])+
                $(#[arg($($arg)*)])?
                #[serde(skip_serializing_if = "Option::is_none")]
                pub(crate) $name: Option<$type>,
            )*
        }

        impl Layer {
            /// The settings of this layer, and those of `below` where it has none.
            pub(crate) fn over(self, below: Self) -> Self {
                Self { $( $name: self.$name.or(below.$name), )* }
            }
        }

        /// The settings that hold.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        pub(crate) struct Settings {
            $( pub(crate) $name: $type, )*
        }

        impl Settings {
            const KEYS: &[&str] = &[$( stringify!($name), )*];

            /// Lays the layers over the defaults, the last one uppermost.
            pub(crate) fn resolve(layers: Vec<(Source, Layer)>) -> (Self, Vec<Line>) {
                let mut origins: BTreeMap<&'static str, Origin> = BTreeMap::new();
                let mut settings = Self { $( $name: $default, )* };
                for (source, layer) in layers {
                    $( if let Some(value) = layer.$name {
                        settings.$name = value;
                        origins.insert(stringify!($name), source.of(stringify!($name)));
                    } )*
                }
                let shown = settings.without_secrets();
                let lines = vec![$( Line {
                    key: stringify!($name),
                    value: toml::Value::try_from(&shown.$name)
                        .expect("every setting has a form in TOML"),
                    origin: origins.get(stringify!($name)).unwrap_or(&Origin::Default).to_string(),
                    about: concat!($($doc),+).trim_ascii(),
                }, )*];
                (settings, lines)
            }
        }
    };
}

settings! {
    /// How to crawl
    #[arg(long, value_enum, value_name = "NAME")]
    strategy: StrategyFlag = StrategyFlag::Auto;
    /// Words to ask a search form for at the most, with --strategy probe
    #[arg(long, value_name = "N")]
    probes: usize = 100;
    /// Queries that should match nothing, with --strategy probe
    #[arg(long, value_name = "N")]
    nonsense: usize = 10;
    /// Further words to ask for as long as they lead to new pages, with --strategy probe [harvest: 1000]
    #[arg(long, value_name = "N")]
    sweep: usize = 0;
    /// The category to walk to, with --strategy index; all categories without it
    #[arg(long, value_name = "NAME")]
    category: String = String::new();
    /// Words that stand in the category, with --strategy index ('lens,tripod')
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    examples: Vec<String> = Vec::new();
    /// Words to ask for in place of the built-in ones (a file, one a line)
    #[arg(long, value_name = "FILE")]
    words: PathBuf = PathBuf::new();
    /// Words to search for where nothing can be browsed (a file, one a line), with --strategy query
    #[arg(long, value_name = "FILE")]
    keywords: PathBuf = PathBuf::new();
    /// Whether every entity's own page is fetched, with --strategy query and probe; else ten are, or none [harvest: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    details: bool = false;
    /// Whether selects of a search form are varied, or keep the page's choice
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    vary_choices: bool = false;
    /// For which pages scripts are run, by the system's Chromium
    #[arg(long, value_enum, value_name = "WHICH")]
    render: RenderFlag = RenderFlag::Auto;
    /// The Chromium to run scripts with; the system's if none is named
    #[arg(long, value_name = "PATH")]
    browser: PathBuf = PathBuf::new();
    /// How far from the seeds a crawl may go
    #[arg(long, value_enum, value_name = "SCOPE")]
    scope: ScopeName = ScopeName::Host;
    /// Fetch only addresses that match one of these regular expressions
    #[arg(long, value_name = "REGEX")]
    include: Vec<String> = Vec::new();
    /// Leave out addresses that match one of these regular expressions
    #[arg(long, value_name = "REGEX")]
    exclude: Vec<String> = Vec::new();
    /// Links to follow from a seed at the most
    #[arg(long, value_name = "N")]
    depth: u32 = 50;
    /// Pages to fetch at the most; redirects and answers that are not kept count
    #[arg(long, short = 'n', value_name = "N")]
    limit: u64 = 10_000;
    /// Requests to send at the most: redirects, robots.txt, sitemaps and repeated attempts count; 0 is ten times the limit
    #[arg(long, value_name = "N")]
    max_requests: u64 = 0;
    /// Bytes to fetch at the most
    #[arg(long, value_name = "SIZE")]
    max_bytes: Bytes = Bytes(10 << 30);
    /// Time to spend at the most
    #[arg(long, value_name = "TIME")]
    max_time: Span = Span(std::time::Duration::from_secs(24 * 3_600));
    /// Pause between two requests to a host; a robots.txt may ask for more
    #[arg(long, value_name = "TIME")]
    delay: Span = Span(std::time::Duration::from_secs(1));
    /// Requests in flight over all hosts
    #[arg(long, short = 'c', value_name = "N")]
    concurrency: usize = 16;
    /// Requests in flight at one host
    #[arg(long, value_name = "N")]
    per_host: usize = 1;
    /// How to introduce ourselves
    #[arg(long, value_name = "TEXT")]
    user_agent: String = concat!("quarry/", env!("CARGO_PKG_VERSION")).to_owned();
    /// Header fields to send along, as 'Name: value'
    #[arg(long = "header", short = 'H', value_name = "FIELD")]
    headers: Vec<String> = Vec::new();
    /// Proxy for all requests (http, https, socks5, socks5h)
    #[arg(long, value_name = "URL")]
    proxy: String = String::new();
    /// Whether robots.txt is obeyed
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    robots: bool = true;
    /// Which nofollow is obeyed: that of whole pages, that of single links too, or none
    #[arg(long, value_enum, value_name = "WHICH")]
    nofollow: NofollowFlag = NofollowFlag::Pages;
    /// Whether a host is left alone whose robots.txt denies a use of its content (Content-Signal, Content-Usage)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    obey_notices: bool = false;
    /// Whether links are followed that could change something (log out, delete, add to cart)
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    follow_actions: bool = false;
    /// Whether sitemaps are read for addresses
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    sitemaps: bool = true;
    /// Tries per address when a server fails
    #[arg(long, value_name = "N")]
    retries: u32 = 3;
    /// Time for connecting
    #[arg(long, value_name = "TIME")]
    connect_timeout: Span = Span(std::time::Duration::from_secs(10));
    /// Time until the first byte of an answer
    #[arg(long, value_name = "TIME")]
    first_byte_timeout: Span = Span(std::time::Duration::from_secs(30));
    /// Time for a whole body
    #[arg(long, value_name = "TIME")]
    body_timeout: Span = Span(std::time::Duration::from_secs(60));
    /// Bytes of a decoded body that are kept
    #[arg(long, value_name = "SIZE")]
    max_body: Bytes = Bytes(16 << 20);
    /// Certificate authorities to trust beside the usual ones (a PEM file)
    #[arg(long, value_name = "FILE")]
    ca_file: PathBuf = PathBuf::new();
    /// Work that a crash may undo, at the most
    #[arg(long, value_name = "TIME")]
    commit_every: Span = Span(std::time::Duration::from_secs(1));
    /// Size at which a new archive file is begun
    #[arg(long, value_name = "SIZE")]
    warc_size: Bytes = Bytes(1 << 30);
}

impl Settings {
    /// The settings as they may be shown and stored: header fields and the proxy without their secrets.
    pub(crate) fn without_secrets(&self) -> Self {
        Self {
            headers: self.headers.iter().map(|field| redacted_field(field)).collect(),
            proxy: redacted_proxy(&self.proxy),
            ..self.clone()
        }
    }
}

/// A header field without its value: what users send along is a secret as often as not.
fn redacted_field(field: &str) -> String {
    match field.split_once(':') {
        Some((name, _)) => format!("{name}: [redacted]"),
        None => field.to_owned(),
    }
}

/// A proxy without user name and password.
fn redacted_proxy(proxy: &str) -> String {
    match (proxy.split_once("://"), proxy.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://[redacted]@{host}"),
        _ => proxy.to_owned(),
    }
}

/// Where a layer comes from as a whole.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    Verb,
    File(PathBuf),
    Environment,
    Flags,
}

impl Source {
    fn of(&self, key: &str) -> Origin {
        match self {
            Self::Verb => Origin::Verb,
            Self::File(path) => Origin::File(path.clone()),
            Self::Environment => Origin::Environment(variable(key)),
            Self::Flags => Origin::Flag(match key {
                "headers" => "header".to_owned(),
                key => key.replace('_', "-"),
            }),
        }
    }
}

/// The environment variable of a setting.
fn variable(key: &str) -> String {
    format!("QUARRY_{}", key.to_ascii_uppercase())
}

/// A `quarry.toml`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    /// Where the crawl begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) seeds: Vec<String>,
    /// Settings of the crawl.
    #[serde(default)]
    pub(crate) crawl: Layer,
    /// What the table should be like.
    #[serde(default, skip_serializing_if = "Expect::is_empty")]
    pub(crate) expect: Expect,
    /// What the user says of columns.
    #[serde(default, skip_serializing_if = "ColumnRules::is_empty")]
    pub(crate) columns: ColumnRules,
}

impl File {
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the settings in {}", path.display()))?;
        toml::from_str(&text).with_context(|| {
            format!(
                "{} is not a valid settings file; `quarry config` lists the keys",
                path.display()
            )
        })
    }

    /// Writes the file beside its place and moves it there, so that a crash leaves no half file.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let body = toml::to_string_pretty(self).context("cannot print the settings")?;
        let text = format!(
            "# A Quarry project. `quarry config -p .` lists every setting with its default.\n\n{body}"
        );
        match self.has_secrets() {
            true => Ok(write_private(path, text)?),
            false => Ok(write_whole(path, text)?),
        }
    }

    /// Whether the file has to hold passwords and the like.
    fn has_secrets(&self) -> bool {
        let has_login = |address: &String| address.contains('@');
        self.seeds.iter().any(has_login)
            || self.crawl.proxy.as_ref().is_some_and(has_login)
            || self.crawl.headers.as_ref().is_some_and(|headers| !headers.is_empty())
    }
}

/// What the project's settings file expects of its table.
pub(crate) fn expectations(folder: &Path) -> Result<Expect> {
    let path = folder.join(FILE);
    Ok(if path.exists() { File::read(&path)?.expect } else { Expect::default() })
}

/// What the project's settings file says of columns.
pub(crate) fn column_rules(folder: &Path) -> Result<ColumnRules> {
    let path = folder.join(FILE);
    Ok(if path.exists() { File::read(&path)?.columns } else { ColumnRules::default() })
}

/// What the environment says, each variable read as TOML, or as plain text where it is none.
pub(crate) fn environment(read: impl Fn(&str) -> Option<String>) -> Result<Layer> {
    let mut table = toml::Table::new();
    for key in Settings::KEYS {
        let Some(text) = read(&variable(key)) else { continue };
        let value = toml::from_str::<toml::Table>(&format!("v = {text}"))
            .ok()
            .and_then(|mut one| one.remove("v"))
            .unwrap_or(toml::Value::String(text));
        table.insert((*key).to_owned(), value);
    }
    let names = table.keys().map(|key| variable(key)).collect::<Vec<_>>().join(", ");
    Layer::deserialize(toml::Value::Table(table))
        .with_context(|| format!("cannot use the environment ({names})"))
}

/// Everything a command needs to know about settings.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    pub(crate) lines: Vec<Line>,
    /// What the settings file says.
    pub(crate) file: File,
}

impl Config {
    /// Lays the project's own file, `explicit`, environment and flags over the defaults of a command, in this order.
    pub(crate) fn load(
        explicit: Option<&Path>,
        project: Option<&Path>,
        (verb, flags): (Layer, Layer),
    ) -> Result<Self> {
        let own = project.map(|folder| folder.join(FILE)).filter(|path| path.exists());
        let mut file = File::default();
        let mut layers = vec![(Source::Verb, verb)];
        for path in [own.as_deref(), explicit].into_iter().flatten() {
            let read = File::read(path)?;
            layers.push((Source::File(path.to_owned()), read.crawl.clone()));
            file.crawl = read.crawl;
            if !read.expect.is_empty() {
                file.expect = read.expect;
            }
            if !read.columns.is_empty() {
                file.columns = read.columns;
            }
            if !read.seeds.is_empty() {
                file.seeds = read.seeds;
            }
        }
        layers.push((Source::Environment, environment(|name| std::env::var(name).ok())?));
        layers.push((Source::Flags, flags));
        let (settings, lines) = Settings::resolve(layers);
        Ok(Self { settings, lines, file })
    }

    /// Whether no file, variable or flag sets it.
    pub(crate) fn is_default(&self, key: &str) -> bool {
        self.lines.iter().any(|line| line.key == key && line.origin == Origin::Default.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_layer_that_speaks_wins() {
        let file: File =
            toml::from_str("[crawl]\ndelay = 2\nlimit = 5\nmax_body = \"1MB\"").unwrap();
        let env = environment(|name| match name {
            "QUARRY_LIMIT" => Some("7".into()),
            "QUARRY_EXCLUDE" => Some("['a', 'b']".into()),
            "QUARRY_USER_AGENT" => Some("mine/1.0".into()),
            _ => None,
        })
        .unwrap();
        let flags = Layer { limit: Some(9), ..Layer::default() };
        let (settings, lines) = Settings::resolve(vec![
            (Source::File("quarry.toml".into()), file.crawl),
            (Source::Environment, env),
            (Source::Flags, flags),
        ]);
        assert_eq!(settings.limit, 9);
        assert_eq!(settings.delay.to_string(), "2s");
        assert_eq!(settings.exclude, ["a", "b"]);
        assert_eq!(settings.user_agent, "mine/1.0");
        let origin = |key: &str| lines.iter().find(|l| l.key == key).unwrap().origin.clone();
        assert_eq!(origin("limit"), "--limit");
        assert_eq!(origin("delay"), "quarry.toml");
        assert_eq!(origin("exclude"), "$QUARRY_EXCLUDE");
        assert_eq!(origin("depth"), "default");
    }

    #[test]
    fn what_a_command_does_by_default_gives_way_to_files_and_variables() {
        let harvest = Layer { details: Some(true), sweep: Some(1_000), ..Layer::default() };
        let env = environment(|name| (name == "QUARRY_DETAILS").then(|| "false".into())).unwrap();
        let layers = vec![(Source::Verb, harvest), (Source::Environment, env)];
        let (settings, lines) = Settings::resolve(layers);
        assert_eq!((settings.details, settings.sweep), (false, 1_000));
        let origin = |key: &str| lines.iter().find(|line| line.key == key).unwrap().origin.clone();
        assert_eq!(origin("details"), "$QUARRY_DETAILS");
        assert_eq!(origin("sweep"), "default of the command");
    }

    #[test]
    fn an_unknown_key_is_an_error_that_names_it() {
        let error = toml::from_str::<File>("[crawl]\ndeley = 2").unwrap_err().to_string();
        assert!(error.contains("deley"), "{error}");
    }

    #[test]
    fn a_bad_variable_is_an_error_that_names_it() {
        let error =
            environment(|name| (name == "QUARRY_DEPTH").then(|| "deep".into())).unwrap_err();
        assert!(format!("{error:#}").contains("QUARRY_DEPTH"), "{error:#}");
    }
}

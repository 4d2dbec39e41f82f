//! The command line as written; nothing here does anything.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use quarry_discover::rank::RankMethod;

use crate::config::{Layer, PauseFlag};

/// Point it at a web site; get its database back as tables
#[derive(Debug, Parser)]
#[command(name = "quarry", version, max_term_width = 100)]
#[command(arg_required_else_help = true, args_override_self = true)]
#[command(
    after_help = "Exit status: 0 done; 1 done, but pages failed, entities are missing, the table is empty or an expectation was not met; \
                        2 could not run; 3 interrupted, and resumes with the same command."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Say more on standard error (-vv for everything)
    #[arg(long, short, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Say nothing on standard error but errors
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Read settings from this file too
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fetch a site into a project folder; the same command again goes on where it stopped
    Crawl(CrawlArgs),
    /// The whole job: crawl a site, learn its templates, read every page, leave tables
    Harvest(HarvestArgs),
    /// Find further sites with the same kind of data: by the ids of known products, and by who links to known sites
    Discover(DiscoverArgs),
    /// Read new pages with what a harvest has learned of their site
    Extract(ExtractArgs),
    /// Compare a project's table with what its quarry.toml expects
    Check(CheckArgs),
    /// Show what a project's crawl did
    Report(ReportArgs),
    /// Write a project's tables to a file
    Export(ExportArgs),
    /// Show what a page consists of, which records it holds, and why
    Inspect(InspectArgs),
    /// Group the pages of a site by template; rank 1 is the group most likely to hold answers
    Cluster(StageArgs),
    /// Find the answer region of each page and split it into records
    Records(RecordsArgs),
    /// Mine the template of a site's records: slots, their labels, which follows which
    Template(TemplateArgs),
    /// Find the specification of each product page: names of attributes and their values
    Specs(SpecsArgs),
    /// Tell what each form of a page is for: search, refine, login, other
    Forms(StageArgs),
    /// Tell what the links of each page lead to: entities, facet values, other pages, orders
    Links(StageArgs),
    /// Label the attributes of new sites by agreement with known records, the records growing site by site
    Match(MatchArgs),
    /// Find the entities of several sites that are one thing, and the columns that are one attribute
    Link(LinkArgs),
    /// Draw the queries that a site answers, as a crawl by queries has found them
    Graph(GraphArgs),
    /// Say what an address is: which query and page, or which entity, and why others were not asked
    Explain(ExplainArgs),
    /// List every setting, its value and where that came from
    Config(ConfigArgs),
    /// Serve a generated shop on this machine, crawl it, and show what was found
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages into a folder
    Man {
        /// The folder
        #[arg(default_value = ".")]
        folder: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CrawlArgs {
    /// Where to begin; may be left out when a project is resumed
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// The project folder [default: a folder named after the first host]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Once the crawl is over, go through the site again and ask only what may have changed
    #[arg(long)]
    pub(crate) again: bool,
    /// Say what would be done, fetch and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Answer requests from this project or these WARC files instead of the network
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) replay: Vec<PathBuf>,
    /// Share the frontier with other crawlers: a PostgreSQL database, postgres://user@host/database. Pages stay in this project
    #[arg(long, value_name = "URL", conflicts_with = "again")]
    pub(crate) frontier: Option<String>,
    /// With --frontier: what the pause between two requests holds for, each host, each registered domain too, or each IP address too
    #[arg(long, value_enum, value_name = "WHAT", default_value_t, requires = "frontier")]
    pub(crate) pause_per: PauseFlag,
    #[command(flatten, next_help_heading = "Settings (also in quarry.toml and the environment)")]
    pub(crate) settings: Layer,
}

/// Memory of a harvest for the values that it reads, in megabytes: a million records stay below 600 MB in all.
pub(crate) const DEFAULT_MEMORY_MB: usize = 256;

#[derive(Debug, Args)]
pub(crate) struct HarvestArgs {
    /// Where sites begin; or WARC files, HTML files and folders of them, or a project
    #[arg(value_name = "URL|PATH")]
    pub(crate) input: Vec<String>,
    /// The project folder [default: a folder named after the first host]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Harvest the sites that `quarry discover` has found for this project
    #[arg(long, requires = "project", conflicts_with = "input")]
    pub(crate) discovered: bool,
    /// Share the sites with other programs: a PostgreSQL database, postgres://user@host/database. Each site is harvested by one of them
    #[arg(long, value_name = "URL", requires = "project")]
    pub(crate) frontier: Option<String>,
    /// Do not fetch the own page of every entity
    #[arg(long)]
    pub(crate) no_details: bool,
    /// Addresses of HTML files, as {"file": …, "url": …} lines
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,
    /// Known records, which label the attributes of these sites: JSON lines or CSV, a record a line; or another project
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) seed: Vec<PathBuf>,
    /// Learn the sites anew, whatever earlier harvests have learned
    #[arg(long)]
    pub(crate) relearn: bool,
    /// Memory for the values that are read, in megabytes; beyond it they go to the disk
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEMORY_MB)]
    pub(crate) memory: usize,
    #[command(flatten, next_help_heading = "Settings (also in quarry.toml and the environment)")]
    pub(crate) settings: Layer,
}

/// How candidate sites are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankFlag {
    /// By the ids that lead to them
    Search,
    /// By the hubs that link to them
    Backlinks,
    /// By the better of both places
    Union,
    /// By the harmonic mean of both places
    Intersection,
}

impl RankFlag {
    pub(crate) fn ranking(self) -> RankMethod {
        match self {
            Self::Search => RankMethod::Search,
            Self::Backlinks => RankMethod::Backlinks,
            Self::Union => RankMethod::Union,
            Self::Intersection => RankMethod::Intersection,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DiscoverArgs {
    /// The project folder; the same command goes on where it stopped
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
    /// Sites to begin with: addresses, projects, WARC files
    #[arg(long, value_name = "PROJECT|URL", required = true, num_args = 1..)]
    pub(crate) from: Vec<String>,
    /// Ids of further products of the category, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) ids: Option<PathBuf>,
    /// Who is asked: searxng=URL, brave, template=ADDRESS#PATH, graph=VERTICES,EDGES, urls=FILE, pages=PATH
    #[arg(long, value_name = "PROVIDER")]
    pub(crate) provider: Vec<String>,
    /// Rounds in all, those of earlier runs included
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) rounds: u32,
    /// Sites that are judged in a round
    #[arg(long, value_name = "K", default_value_t = 10)]
    pub(crate) top: usize,
    /// Search for ids that this many known sites print; where too few sites are known, for those that most of them print
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) tau: usize,
    /// How candidates are ranked
    #[arg(long, value_enum, default_value = "intersection")]
    pub(crate) method: RankFlag,
    /// Pages of a candidate to look at, at the most
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) site_pages: u64,
    /// Begin with what another discovery has learned of home pages (its models/discover-filter.txt)
    #[arg(long, value_name = "FILE")]
    pub(crate) filter: Option<PathBuf>,
    /// Print the sites that were turned down, too
    #[arg(long)]
    pub(crate) all: bool,
    /// In which form [default: a table on a terminal, else jsonl]
    #[arg(long, value_enum)]
    pub(crate) format: Option<LineFormat>,
    #[command(flatten, next_help_heading = "Settings (also in quarry.toml and the environment)")]
    pub(crate) settings: Layer,
}

/// Forms in which a stage's lines can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineFormat {
    /// JSON lines
    Jsonl,
    /// A table for reading
    Table,
}

#[derive(Debug, Args)]
pub(crate) struct StageArgs {
    /// The pages of one site: a project folder, WARC files, HTML files or a folder of them
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) input: Vec<PathBuf>,
    /// A file of {"file": …, "url": …} lines that gives HTML files their addresses
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,
    /// In which form [default: a table on a terminal, else jsonl]
    #[arg(long, value_enum)]
    pub(crate) format: Option<LineFormat>,
    /// Where to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) stage: StageArgs,
    /// The project folder of the harvest
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The project folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
    /// Print a section `[expect]` for quarry.toml that the table meets as it is
    #[arg(long)]
    pub(crate) suggest: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RecordsArgs {
    #[command(flatten)]
    pub(crate) stage: StageArgs,
    /// Say for each page why its region won and where the record boundaries came from
    #[arg(long)]
    pub(crate) explain: bool,
    /// Print every list of records that was considered, also those that overlap better ones
    #[arg(long)]
    pub(crate) candidates: bool,
    /// Whose algorithm chooses the region
    #[arg(long, value_enum, default_value = "quarry")]
    pub(crate) method: StageMethod,
}

/// Whose algorithm a stage runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StageMethod {
    /// What scores best, and what a harvest uses
    Quarry,
    /// The published algorithm, to compare with
    Paper,
}

#[derive(Debug, Args)]
pub(crate) struct SpecsArgs {
    #[command(flatten)]
    pub(crate) stage: StageArgs,
    /// Names and values of other sites, which teach where this site has its own: lines of `quarry specs`, or of
    /// {"name": …, "value": …}
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
    /// Whose algorithm reads a specification
    #[arg(long, value_enum, default_value = "quarry")]
    pub(crate) method: StageMethod,
}

/// How `match` finds positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchMethod {
    /// Seven kinds of node locator, weighed by agreement, values and labels
    Agreement,
    /// Absolute paths, found as the published algorithm does
    Paper,
}

#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// Each INPUT is a site; sites are taken in turn
    #[command(flatten)]
    pub(crate) stage: StageArgs,
    /// Known records: JSON lines or CSV, one record a line, a column per attribute; `_site` says where from
    #[arg(long, value_name = "FILE", required_unless_present = "model")]
    pub(crate) seed: Option<PathBuf>,
    /// Do not add the records of a site to the seed of the next
    #[arg(long)]
    pub(crate) no_grow: bool,
    /// Show for each attribute the chosen position, its support, examples and the runner-up
    #[arg(long)]
    pub(crate) explain: bool,
    /// How positions are found
    #[arg(long, value_enum, default_value = "agreement")]
    pub(crate) method: MatchMethod,
    /// Leave attributes out that are less likely placed right
    #[arg(long, value_name = "SHARE")]
    pub(crate) min_confidence: Option<f64>,
    /// Write what was learned, to read later pages without the seed
    #[arg(long, value_name = "FILE")]
    pub(crate) model_out: Option<PathBuf>,
    /// Read pages with what --model-out wrote; no seed is needed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "model_out", "explain"])]
    pub(crate) model: Option<PathBuf>,
}

/// Forms in which templates can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TemplateFormat {
    /// JSON lines
    Jsonl,
    /// A table for reading
    Table,
    /// The graph as text for Graphviz
    Dot,
    /// A picture of the graph
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct TemplateArgs {
    /// The pages of one site: a project folder, WARC files, HTML files or a folder of them
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) input: Vec<PathBuf>,
    /// A file of {"file": …, "url": …} lines that gives HTML files their addresses
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,
    /// In which form [default: a table on a terminal, else jsonl]
    #[arg(long, value_enum)]
    pub(crate) format: Option<TemplateFormat>,
    /// Where to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Forms in which a query graph can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// JSON lines, one a query
    Jsonl,
    /// The graph as text for Graphviz
    Dot,
    /// A picture of the graph
    Svg,
}

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// The project folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
    /// In which form [default: by the ending of FILE, else jsonl]
    #[arg(long, value_enum)]
    pub(crate) format: Option<GraphFormat>,
    /// Draw each query in a box of its own up to this many; above, a box per set of attributes
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) nodes: usize,
    /// Where to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// An address of the site: a list page, an entity, or a link that was not followed
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    /// The project folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
    /// One JSON object, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The project folder; those of all crawlers that share a frontier are counted together
    #[arg(long, short, value_name = "DIR", required = true, num_args = 1..)]
    pub(crate) project: Vec<PathBuf>,
    /// One JSON object, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// Forms in which a table can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// JSON lines
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Apache Parquet
    Parquet,
    /// An SQLite database
    Sqlite,
}

/// Tables of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Table {
    /// One row per entity, a column per attribute
    Entities,
    /// One row per column of the entities: its type, its sources, how full it is
    Columns,
    /// One row per archived page
    Pages,
    /// One row per (entity, attribute, value)
    Values,
    /// One row per query that the site answers
    Queries,
    /// One row per thing: entities of several sites that are one
    Things,
}

#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    /// Projects whose entities are linked [default: the project given by -p, if it has several sites]
    #[arg(value_name = "PROJECT")]
    pub(crate) input: Vec<PathBuf>,
    /// The project folder that gets the table of things
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
    /// Say which evidence linked this entity, and write nothing
    #[arg(long, value_name = "ENTITY")]
    pub(crate) explain: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The project folder
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: PathBuf,
    /// Which table
    #[arg(long, value_enum)]
    pub(crate) table: Table,
    /// In CSV, put an apostrophe before texts that a spreadsheet would run as a formula
    #[arg(long)]
    pub(crate) csv_safe: bool,
    /// In which form [default: by the ending of FILE, else jsonl]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Where to [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// An HTML file, or an address in the project given by -p
    #[arg(value_name = "PAGE")]
    pub(crate) page: String,
    /// The project folder that holds the page
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The address to resolve the links of an HTML file against
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// What to show
    #[arg(long, value_enum, default_value = "summary")]
    pub(crate) show: Show,
    /// Only what is below this node
    #[arg(long, value_name = "XPATH")]
    pub(crate) at: Option<String>,
    /// Other pages of the site, beside which the page is looked at: a project folder, WARC files,
    /// HTML files or a folder of them [default: the project given by -p]
    #[arg(long, value_name = "INPUT")]
    pub(crate) with: Vec<PathBuf>,
    /// Write a copy of the page with frames around regions and records; it runs and loads nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Views of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    /// Encoding, size, links and forms in short, and why its records are what they are
    Summary,
    /// Why its region won, what lost, and where the record boundaries came from
    Records,
    /// The tree, a line a node
    Tree,
    /// The visible text
    Text,
    /// Links, a line each
    Links,
    /// Forms with every control
    Forms,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// The project folder whose settings count
    #[arg(long, short, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Settings")]
    pub(crate) settings: Layer,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where to leave the project
    #[arg(long, short, value_name = "DIR", default_value = "quarry-demo")]
    pub(crate) project: PathBuf,
    /// Only serve the shop, until Ctrl-C, to look at it in a browser
    #[arg(long)]
    pub(crate) serve: bool,
    /// Serve three shops with common products; what the first teaches labels the others
    #[arg(long)]
    pub(crate) overlap: bool,
}

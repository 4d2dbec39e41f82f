//! Serves generated sites and writes them to disk.

#![allow(clippy::print_stdout, reason = "printing is what a command is for")]

use std::error::Error;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use quarry_testsite::{PageSet, Server, Site, SiteSpec, TestWeb, WebServer, WebSpec};

/// Generated web sites with known truth.
#[derive(Debug, Parser)]
#[command(name = "testsite", version)]
struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve a site on loopback until the process is ended.
    Serve {
        #[command(flatten)]
        choice: Choice,
        /// Port of 127.0.0.1; 0 takes a free one.
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Folder for the truth and access.log.
        #[arg(long, short, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Serve a web of many sites, told apart by host name, until the process is ended.
    Web {
        /// Where chance starts.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many sites.
        #[arg(long, default_value_t = 300)]
        sites: usize,
        /// Port of 127.0.0.1; 0 takes a free one.
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Folder for truth.jsonl, products.jsonl, vertices.txt.gz, edges.txt.gz and access.log.
        #[arg(long, short, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Write the files and end.
        #[arg(long, requires = "out")]
        only_files: bool,
    },
    /// Write a site as files.
    Write {
        #[command(flatten)]
        choice: Choice,
        /// Folder for the pages (in `pages/`), `pages.jsonl` and the truth.
        #[arg(long, short, value_name = "DIR")]
        out: PathBuf,
        /// Write `site.warc.gz` in place of a folder of pages.
        #[arg(long)]
        warc: bool,
    },
    /// Show a site's specification, attributes and least number of requests.
    Show {
        #[command(flatten)]
        choice: Choice,
    },
    /// Write a small set of pages for one question: as HTML files with `urls.jsonl`.
    Pages {
        /// The set; `testsite presets` lists them.
        set: String,
        /// Folder for the pages.
        #[arg(long, short, value_name = "DIR")]
        out: PathBuf,
    },
    /// List the presets.
    Presets,
}

/// Which site.
#[derive(Debug, Args)]
struct Choice {
    /// A preset; `testsite presets` lists them.
    #[arg(long, default_value = "shop")]
    preset: String,
    /// Where chance starts.
    #[arg(long)]
    seed: Option<u64>,
    /// How many entities.
    #[arg(long)]
    entities: Option<usize>,
    /// Set a knob, as in `--set paging.size=48`; can be given several times.
    #[arg(long = "set", value_name = "KNOB=VALUE")]
    knobs: Vec<String>,
}

impl Choice {
    fn site(&self) -> Result<Site, Box<dyn Error>> {
        let mut spec = SiteSpec::preset(&self.preset)?;
        spec.seed = self.seed.unwrap_or(spec.seed);
        spec.entities = self.entities.unwrap_or(spec.entities);
        for knob in &self.knobs {
            let (name, value) =
                knob.split_once('=').ok_or_else(|| format!("{knob:?} is not KNOB=VALUE"))?;
            spec.set(name, value)?;
        }
        Ok(Site::generate(spec))
    }
}

fn main() -> ExitCode {
    match run(Command::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let mut message = error.to_string();
            let mut cause = error.source();
            while let Some(inner) = cause {
                message = format!("{message}: {inner}");
                cause = inner.source();
            }
            #[allow(clippy::print_stderr, reason = "the one place where errors are shown")]
            {
                eprintln!("error: {message}");
            }
            ExitCode::from(2)
        }
    }
}

fn run(verb: Verb) -> Result<(), Box<dyn Error>> {
    match verb {
        Verb::Serve { choice, port, out } => {
            let site = choice.site()?;
            let address = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
            let start = format!("{}: {} entities", site.name(), site.truth().count());
            let server = match &out {
                Some(folder) => {
                    site.write_truth(folder)?;
                    Server::start_logging(site, address, &folder.join("access.log"))?
                }
                None => Server::start(site, address)?,
            };
            println!("{}/", server.url());
            println!("{start}");
            loop {
                std::thread::park();
            }
        }
        Verb::Web { seed, sites, port, out, only_files } => {
            let web = TestWeb::generate(WebSpec { seed, sites, ..WebSpec::default() });
            if let Some(folder) = &out {
                web.write(folder)?;
            }
            if only_files {
                return Ok(());
            }
            let first = web.sites()[0].host.clone();
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            let server = match &out {
                Some(folder) => {
                    WebServer::start_logging(web, Some(address), &folder.join("access.log"))?
                }
                None => WebServer::start(web, Some(address))?,
            };
            println!("search engine (SearXNG's API): {}/", server.url());
            println!("the sites, by name: --proxy {}", server.proxy());
            println!("one of them: http://{first}/");
            loop {
                std::thread::park();
            }
        }
        Verb::Write { choice, out, warc } => {
            let site = choice.site()?;
            fs::create_dir_all(&out)?;
            site.write_truth(&out)?;
            site.write_pages_truth(&out.join("pages.jsonl"))?;
            let pages = if warc {
                site.write_warc(&out.join("site.warc.gz"))?
            } else {
                site.write_static(&out.join("pages"))?
            };
            println!("{pages} pages in {}", out.display());
        }
        Verb::Show { choice } => {
            let site = choice.site()?;
            println!("{}", serde_json::to_string_pretty(site.spec())?);
            print!("{}", site.catalogue().dump());
            let least = site.least_requests();
            println!("least requests: {} ({least:?})", least.total());
        }
        Verb::Pages { set, out } => {
            let pages = PageSet::named(&set).ok_or_else(|| format!("there is no set {set:?}"))?;
            pages.write(&out)?;
            println!("{} pages in {}", pages.pages.len(), out.display());
        }
        Verb::Presets => {
            let mut table = comfy_table::Table::new();
            table.load_style(comfy_table::presets::NOTHING);
            table.set_header(["preset", "entities", "theme", "purpose"]);
            for preset in SiteSpec::presets() {
                let spec = preset.spec();
                let theme = format!("{:?}", spec.theme).to_lowercase();
                table.add_row([
                    preset.name.to_owned(),
                    spec.entities.to_string(),
                    theme,
                    preset.purpose.to_owned(),
                ]);
            }
            println!("{table}");
            println!("\nsets of pages (`testsite pages SET -o DIR`):");
            for (name, purpose) in PageSet::all() {
                println!("{name:14} {purpose}");
            }
        }
    }
    Ok(())
}

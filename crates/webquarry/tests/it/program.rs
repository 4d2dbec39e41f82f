//! How do the tests run the program? As a user would: its binary, its arguments, its output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use quarry_testsite::{Server, Site, SiteSpec};
use serde_json::Value;
use tempfile::TempDir;

/// A folder that is gone after the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// The program, to be run in no particular folder and without settings from the environment.
pub(crate) fn quarry<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarry"));
    command.args(arguments).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("QUARRY_")) {
            command.env_remove(name);
        }
    }
    command
}

/// What a run printed and how it ended.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn from(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Fails the test unless the program ended like this.
    #[track_caller]
    pub(crate) fn ended(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// The lines of standard output as JSON.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Runs the program to its end.
pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    Ran::from(quarry(arguments).output().unwrap())
}

/// A site on loopback.
pub(crate) fn serve(spec: SiteSpec) -> Server {
    Server::start(Site::generate(spec), None).unwrap()
}

/// Where to begin at a served site.
pub(crate) fn front(server: &Server) -> String {
    format!("{}{}", server.url(), server.site().root())
}

/// Arguments of a crawl as fast as the site allows.
pub(crate) fn crawl(url: &str, project: &Path, more: &[&str]) -> Vec<String> {
    let project = project.to_str().unwrap();
    let mut arguments = vec!["crawl", url, "-p", project, "--per-host", "4", "--delay", "0"];
    if !more.contains(&"--strategy") {
        arguments.extend(["--strategy", "all"]);
    }
    arguments.extend(more);
    arguments.into_iter().map(str::to_owned).collect()
}

/// The project's pages, in a form that two crawls of the same site share.
pub(crate) fn pages(project: &Path) -> Vec<(String, u64, String)> {
    let ran = run(["export", "-p", project.to_str().unwrap(), "--table", "pages"]).ended(0);
    let mut pages: Vec<_> = ran
        .lines()
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            (text("url"), row["fetch_status"].as_u64().unwrap(), text("content_digest"))
        })
        .collect();
    pages.sort();
    pages
}

/// The project's counts.
pub(crate) fn report(project: &Path) -> Value {
    run(["report", "-p", project.to_str().unwrap(), "--json"]).ended(0).lines().remove(0)
}

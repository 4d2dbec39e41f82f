//! Finds the browser of the system and starts it so that it can reach nothing by itself.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use thiserror::Error;

/// Names under which systems have a Chromium, in the order in which they are tried.
const NAMES: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Switches of the browser. It is told that no name has an address, which holds for numbers, too, and to do nothing in the
/// background. Checks between origins are off because requests are judged outside.
const SWITCHES: [&str; 29] = [
    "--headless",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-search-engine-choice-screen",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-web-security",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,OptimizationHints,MediaRouter,Translate,AutofillServerCommunication,CertificateTransparencyComponentUpdater,SafeBrowsing,NetworkTimeServiceQuerying,DialMediaRouteProvider,WebRtcHideLocalIpsWithMdns",
    "--disable-popup-blocking",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
    "--js-flags=--max-old-space-size=1024",
    "--lang=en-US",
];

/// Why no browser runs.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// None of the usual names is on the path.
    #[error(
        "no Chromium on this machine; install chromium or google-chrome, or name it with --browser PATH"
    )]
    NotFound,
    /// The named file is not there.
    #[error("there is no browser at {}; name an installed Chromium with --browser PATH", path.display())]
    NoSuchFile {
        /// The path as given.
        path: PathBuf,
    },
    /// It could not be started.
    #[error("cannot start {}: {source}", path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// The system's words.
        source: std::io::Error,
    },
}

/// The program at `named`, or the first Chromium on the path.
///
/// # Errors
/// Where there is none.
pub fn find_browser(named: Option<&Path>) -> Result<PathBuf, LaunchError> {
    if let Some(path) = named.filter(|path| !path.as_os_str().is_empty()) {
        let path = path.to_owned();
        return if path.is_file() { Ok(path) } else { Err(LaunchError::NoSuchFile { path }) };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let found = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    found.into_iter().find(|path| path.is_file()).ok_or(LaunchError::NotFound)
}

/// A browser that runs, and its profile, which goes when it ends.
pub(crate) struct Started {
    pub(crate) child: Child,
    pub(crate) profile: PathBuf,
}

/// How the folders of browsers are called: then the number of the process, and their own.
const FOLDER: &str = "quarry-browser-";

/// Folders that were used later than this may be of a process that only another container sees.
const LEFT_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes folders that killed processes left behind, where the system tells which processes there are.
fn remove_left_folders(place: &Path, left_for: Duration) {
    let processes = Path::new("/proc");
    if !processes.join("self").exists() {
        return;
    }
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((process, _)) =
            name.to_str().and_then(|name| name.strip_prefix(FOLDER)?.split_once('-'))
        else {
            continue;
        };
        let used = entry.metadata().and_then(|folder| folder.modified()).ok();
        let is_old = used.and_then(|at| at.elapsed().ok()).is_some_and(|age| age >= left_for);
        if is_old && process.parse::<u32>().is_ok() && !processes.join(process).exists() {
            // Those of other users cannot be removed, and need not be.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// A new folder that only this user may read.
fn new_folder() -> std::io::Result<PathBuf> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    static CLEANED: std::sync::Once = std::sync::Once::new();
    CLEANED.call_once(|| remove_left_folders(&std::env::temp_dir(), LEFT_FOR));
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{FOLDER}{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&folder) {
            Ok(()) => return Ok(folder),
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 10_000 => {}
            Err(error) => return Err(error),
        }
    }
}

/// Starts the browser. It reads commands from its descriptor 3 and writes to 4; a shell puts our pipes there.
pub(crate) fn start(program: &Path) -> Result<Started, LaunchError> {
    let failed = |source| LaunchError::Start { path: program.to_owned(), source };
    let profile = new_folder().map_err(failed)?;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null", "sh"]).arg(program);
    command.args(SWITCHES);
    let mut folder = std::ffi::OsString::from("--user-data-dir=");
    folder.push(&profile);
    command.arg(folder);
    if is_root(&profile) {
        // Chromium's sandbox does not work for root; docs/security.md says what remains.
        command.arg("--no-sandbox");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // Nothing of the user's environment is of use to pages: proxies, sessions, tokens.
    command.env_clear();
    for name in ["PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("HOME", &profile).env("TZ", "UTC");
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        // Ctrl-C is for the crawl, which ends the browser itself.
        command.process_group(0);
    }
    let child = command.spawn().map_err(failed)?;
    Ok(Started { child, profile })
}

#[cfg(unix)]
fn is_root(own: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // The folder was made by this process: its owner is the user that we run as.
    std::fs::metadata(own).is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(unix))]
fn is_root(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_browser_must_be_there() {
        let missing = Path::new("/no/such/browser");
        let error = find_browser(Some(missing)).unwrap_err();
        assert!(error.to_string().contains("/no/such/browser"), "{error}");
        assert_eq!(find_browser(Some(Path::new("/bin/sh"))).unwrap(), Path::new("/bin/sh"));
    }

    #[test]
    fn folders_of_processes_that_are_gone_are_removed() {
        let place = std::env::temp_dir().join(format!("left-folders-{}", std::process::id()));
        let own = format!("{FOLDER}{}-0", std::process::id());
        // No process has this number: Linux counts to 2^22.
        let gone = format!("{FOLDER}4294967295-0");
        for name in [&own, &gone] {
            std::fs::create_dir_all(place.join(name).join("Default")).unwrap();
        }
        remove_left_folders(&place, LEFT_FOR);
        assert!(place.join(&own).exists() && place.join(&gone).exists());
        remove_left_folders(&place, Duration::ZERO);
        assert!(place.join(&own).exists());
        assert_eq!(place.join(&gone).exists(), !Path::new("/proc/self").exists());
        std::fs::remove_dir_all(place).unwrap();
    }
}

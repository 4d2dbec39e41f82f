//! Does a harvest survive? Killed at any stage, on a full disk, in folders that cannot be written to, with damaged files: it says
//! what is wrong and what to do, loses nothing, and the same command ends with the same tables.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use quarry_testsite::{Server, SiteSpec};

use crate::crash::Lot;
use crate::interchange::skipped;
use crate::program::{Folder, Ran, front, quarry, run, serve};

fn site() -> Server {
    serve(SiteSpec { entities: 12, ..SiteSpec::preset("shop").unwrap() })
}

fn harvest(server: &Server, project: &Path) -> Vec<String> {
    let project = project.to_str().unwrap();
    let url = front(server);
    let flags = ["--per-host", "1", "--commit-every", "10ms"];
    ["harvest", &url, "-p", project].into_iter().chain(flags).map(str::to_owned).collect()
}

/// The file in `models` that keeps what was learned of the site.
fn model(server: &Server) -> String {
    let host = server.url().trim_start_matches("http://").trim_end_matches('/');
    format!("site-{}.json", host.replace(':', "-"))
}

/// The tables that a project has, but for the table of pages, which says when they came.
fn tables(project: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut tables = BTreeMap::new();
    for entry in fs::read_dir(project.join("tables")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(!name.ends_with(".partial"), "{name} was left behind");
        if !name.starts_with("pages.") && !name.ends_with(".sqlite") {
            tables.insert(name, fs::read(&path).unwrap());
        }
    }
    assert_eq!(tables.len(), 12, "{:?}", tables.keys());
    tables
}

/// Fails the test unless both projects have the same tables.
#[track_caller]
fn assert_same(project: &Path, calm: &BTreeMap<String, Vec<u8>>) {
    let found = tables(project);
    assert_eq!(found.keys().collect::<Vec<_>>(), calm.keys().collect::<Vec<_>>());
    for (name, bytes) in found {
        if bytes != calm[&name] {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (left, right) = (text(&bytes), text(&calm[&name]));
            let differ = left.lines().zip(right.lines()).find(|(one, other)| one != other);
            panic!("{name} differs from an undisturbed run's: {differ:?}");
        }
    }
}

/// All that was in the archive is there still; a site that is asked again adds to it.
#[track_caller]
fn assert_kept(project: &Path, before: &BTreeMap<PathBuf, Vec<u8>>) {
    let now = archive(project);
    for (file, bytes) in before {
        assert!(now[file].starts_with(bytes), "{}", file.display());
    }
}

/// The archive files of a project, by name.
fn archive(project: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(project.join("pages")).unwrap().map(|entry| entry.unwrap().path());
    let warc = files.filter(|path| path.extension().is_some_and(|ending| ending == "gz"));
    warc.map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// When the process is killed.
enum Moment {
    /// After so many requests.
    Requests(u64),
    /// When this file has come, or has been replaced.
    File(String),
}

/// Kills the process at the moment, and a little later; false if it was over before.
fn kill(mut child: Child, server: &Server, project: &Path, moment: &Moment, lot: &mut Lot) -> bool {
    if !wait_for(&mut child, server, project, moment, lot) {
        return false;
    }
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

/// Waits for the moment, and a little longer; false if the process was over before.
fn wait_for(
    child: &mut Child,
    server: &Server,
    project: &Path,
    moment: &Moment,
    lot: &mut Lot,
) -> bool {
    let inode = |name: &str| fs::metadata(project.join(name)).ok().map(|file| file.ino());
    let before = match moment {
        Moment::File(name) => inode(name),
        Moment::Requests(_) => None,
    };
    let asked = server.requests();
    loop {
        let is_time = match moment {
            Moment::Requests(more) => server.requests() >= asked + more,
            Moment::File(name) => inode(name).is_some_and(|now| Some(now) != before),
        };
        if is_time {
            break;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::yield_now();
    }
    let (started, later) = (Instant::now(), Duration::from_micros(lot.below(4_000)));
    while started.elapsed() < later {
        std::thread::yield_now();
    }
    true
}

#[test]
fn killed_while_the_settings_are_written() {
    let folder = Folder::new();
    let server = site();
    let project = folder.join("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("quarry.toml.partial"), "seeds = [").unwrap();
    run(harvest(&server, &project)).ended(0);
    // What is of somebody else is not touched.
    let foreign = folder.join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.tex"), "text").unwrap();
    run(harvest(&server, &foreign)).ended(2);
}

#[test]
fn killed_at_every_stage_and_nothing_lost() {
    let folder = Folder::new();
    let server = site();
    let calm = folder.join("calm");
    run(harvest(&server, &calm)).ended(0);
    let calm = tables(&calm);

    let project = folder.join("shaken");
    let arguments = harvest(&server, &project);
    let mut lot = Lot(11);
    let mut moments: Vec<Moment> = (0..6).map(|_| Moment::Requests(1 + lot.below(20))).collect();
    moments.extend(
        [
            "models/choice.json",
            "models/strategy.json",
            &format!("models/{}", model(&server)),
            "tables/entities.parquet.partial",
            "tables/entities.parquet",
            "tables/values.parquet",
            "tables/values.csv",
            "tables/harvest.sqlite.partial",
            "models/columns.txt",
            "tables/entities.jsonl",
        ]
        .map(|name| Moment::File(name.to_owned())),
    );
    let mut finished = false;
    for moment in moments {
        let child = quarry(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        finished |= !kill(child.unwrap(), &server, &project, &moment, &mut lot);
    }
    run(&arguments).ended(0);
    if finished {
        // Between two looks a process was over; what came after was a second harvest.
        skipped("a harvest was over before it could be killed");
        return;
    }
    assert_same(&project, &calm);
    assert!(project.join("report.html").is_file());
    // The next one is a second harvest.
    run(&arguments).ended(0);
    let entities = String::from_utf8(tables(&project)["entities.jsonl"].clone()).unwrap();
    assert!(entities.lines().all(|line| line.ends_with("\"_state\":\"same\"}")), "{entities}");
}

#[test]
fn interrupted_at_drawn_moments_and_nothing_lost() {
    let folder = Folder::new();
    let server = site();
    let calm = folder.join("calm");
    let before = server.requests();
    run(harvest(&server, &calm)).ended(0);
    let first = server.requests() - before;
    let tables_of_first = tables(&calm);
    run(harvest(&server, &calm)).ended(0);
    // A second round asks for what the first one asked for.
    let second = server.requests() - before - first;
    assert!(second <= first + first / 10, "{first} requests, then {second}");

    let mut lot = Lot(3);
    for number in 0..6 {
        let project = folder.join(&format!("interrupted-{number}"));
        let arguments = harvest(&server, &project);
        let mut is_over = false;
        for _ in 0..3 {
            let mut child =
                quarry(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // Requests come in fits: many moments lie between two ways of asking.
            let moment = Moment::Requests(1 + lot.below(first / 3));
            if wait_for(&mut child, &server, &project, &moment, &mut lot) {
                Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            }
            let code = child.wait().unwrap().code();
            assert!(matches!(code, Some(0 | 3)), "{code:?}");
            is_over = code == Some(0);
            if is_over {
                break;
            }
        }
        if !is_over {
            run(&arguments).ended(0);
        }
        assert_same(&project, &tables_of_first);
    }
}

/// The program with files that cannot grow beyond some size: what happens on a full disk.
fn on_a_full_disk(blocks: u32, arguments: &[String]) -> Ran {
    let program = quarry(arguments);
    let mut command = Command::new("sh");
    // A process that does not listen to the signal is told that the file is too large.
    command.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""), "sh"]);
    command.arg(program.get_program()).args(program.get_args()).stdin(Stdio::null());
    Ran::from(command.output().unwrap())
}

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let folder = Folder::new();
    let server = site();
    let calm = folder.join("calm");
    run(harvest(&server, &calm)).ended(0);
    let calm = tables(&calm);
    let project = folder.join("tight");
    let arguments = harvest(&server, &project);
    let mut places = Vec::new();
    for blocks in [8, 80, 200, 330] {
        let ran = on_a_full_disk(blocks, &arguments);
        if ran.status == 0 {
            break;
        }
        let ran = ran.ended(2);
        assert!(ran.err.contains(project.to_str().unwrap()), "{blocks}: {}", ran.err);
        assert!(ran.err.contains("the same command goes on"), "{}", ran.err);
        places.push(ran.err);
    }
    assert!(places.len() > 2, "{places:?}");
    run(&arguments).ended(0);
    assert_same(&project, &calm);
    #[cfg(target_os = "linux")]
    {
        let project = project.to_str().unwrap();
        for format in ["csv", "jsonl", "parquet"] {
            let table = ["export", "-p", project, "--table", "values", "--format", format];
            let full = run(table.into_iter().chain(["-o", "/dev/full"])).ended(2);
            assert!(full.err.contains("/dev/full"), "{}", full.err);
            assert!(full.err.contains("space"), "{}", full.err);
        }
    }
}

/// Takes the right to write from everything below a folder, or gives it back.
fn writable(path: &Path, yes: bool) {
    let is_folder = path.is_dir();
    let (all, read) = if is_folder { (0o755, 0o555) } else { (0o644, 0o444) };
    fs::set_permissions(path, Permissions::from_mode(if yes { all } else { read })).unwrap();
    if is_folder {
        for entry in fs::read_dir(path).unwrap() {
            writable(&entry.unwrap().path(), yes);
        }
    }
}

/// The program as somebody who may not write where he has no right to; none where that cannot be had.
fn as_anybody(folder: &Folder, arguments: &[&str]) -> Option<Ran> {
    let is_root = fs::metadata("/proc/self").or_else(|_| fs::metadata("/")).unwrap().uid() == 0
        && fs::write(folder.join("test"), b"").is_ok()
        && fs::metadata(folder.join("test")).unwrap().uid() == 0;
    let mut command = quarry(arguments);
    if is_root {
        // Nobody: the user that owns nothing.
        command.uid(65_534).gid(65_534).current_dir("/");
    }
    command.output().ok().map(Ran::from)
}

#[test]
fn folders_that_cannot_be_written_to() {
    let folder = Folder::new();
    fs::set_permissions(folder.join("."), Permissions::from_mode(0o755)).unwrap();
    let server = site();
    let project = folder.join("site");
    run(harvest(&server, &project)).ended(0);
    let (before, warc) = (tables(&project), archive(&project));
    let name = project.to_str().unwrap();
    let (url, at) = (front(&server), ["-p", name]);
    writable(&project, false);
    let Some(ran) = as_anybody(&folder, &["harvest", &url, at[0], at[1]]) else {
        writable(&project, true);
        skipped("nobody may run the program here");
        return;
    };
    let ran = ran.ended(2);
    assert!(ran.err.contains(name) && ran.err.contains("change the permissions"), "{}", ran.err);
    let ran = as_anybody(&folder, &["harvest", name]).unwrap().ended(2);
    assert!(ran.err.contains(name) && ran.err.contains("change the permissions"), "{}", ran.err);
    // What is there can be read all the same.
    let table = ["export", "-p", name, "--table", "values"];
    let values = as_anybody(&folder, &table).unwrap().ended(0).out;
    as_anybody(&folder, &["report", "-p", name]).unwrap().ended(0);
    assert_eq!(values.as_bytes(), before["values.jsonl"]);
    writable(&project, true);
    assert_eq!(tables(&project), before);
    assert_eq!(archive(&project), warc);
}

#[test]
fn tables_that_cannot_be_replaced() {
    let folder = Folder::new();
    let server = site();
    let project = folder.join("site");
    let arguments = harvest(&server, &project);
    run(&arguments).ended(0);
    let states = |state: &str| {
        let entities = String::from_utf8(tables(&project)["entities.jsonl"].clone()).unwrap();
        let end = format!("\"_state\":\"{state}\"}}");
        assert!(entities.lines().all(|line| line.ends_with(&end)), "not {state}: {entities}");
    };
    states("new");
    // Something else stands where a table or the report is to be.
    for place in ["tables/values.csv", "tables/harvest.sqlite", "report.html"] {
        let path = project.join(place);
        fs::remove_file(&path).unwrap();
        fs::create_dir_all(path.join("inside")).unwrap();
        let ran = run(&arguments).ended(2);
        assert!(ran.err.contains(path.to_str().unwrap()), "{}", ran.err);
        fs::remove_dir_all(&path).unwrap();
    }
    run(&arguments).ended(0);
    states("same");
}

/// Ways in which a file comes to harm.
fn harmed(bytes: &[u8]) -> [Vec<u8>; 3] {
    [Vec::new(), bytes[..bytes.len() / 2].to_vec(), b"\0\xff{[not this".repeat(40)]
}

#[test]
fn damaged_models_are_named_and_made_anew() {
    let folder = Folder::new();
    let server = site();
    let project = folder.join("site");
    let arguments = harvest(&server, &project);
    run(&arguments).ended(0);
    run(&arguments).ended(0);
    // Everything is `same` from here on.
    let (before, warc) = (tables(&project), archive(&project));
    let mut refused = Vec::new();
    let learned = model(&server);
    for (name, harm) in
        [("choice.json", 0), ("choice.json", 2), ("strategy.json", 1), (&*learned, 0)]
    {
        let path = project.join("models").join(name);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &harmed(&whole)[harm]).unwrap();
        let ran = run(&arguments);
        // Some are made anew without being asked for.
        if ran.status != 0 {
            let ran = ran.ended(2);
            assert!(ran.err.contains(path.to_str().unwrap()), "{name}: {}", ran.err);
            assert!(ran.err.contains("is damaged; remove it"), "{name}: {}", ran.err);
            assert_eq!(tables(&project), before, "{name}");
            refused.push(name);
            fs::remove_file(&path).unwrap();
            run(&arguments).ended(0);
        }
        assert_same(&project, &before);
    }
    assert!(refused.contains(&"choice.json"), "{refused:?}");
    assert_kept(&project, &warc);
}

#[test]
fn a_damaged_state_is_named_and_the_archive_is_kept() {
    let folder = Folder::new();
    let server = site();
    let project = folder.join("site");
    let arguments = harvest(&server, &project);
    run(&arguments).ended(0);
    let warc = archive(&project);
    let before = tables(&project);
    let path = project.join("state.sqlite");
    assert!(!project.join("state.sqlite-wal").exists(), "a copy of the file alone is a copy");
    let whole = fs::read(&path).unwrap();
    for damaged in harmed(&whole) {
        fs::write(&path, &damaged).unwrap();
        let ran = run(&arguments).ended(2);
        assert!(ran.err.contains("state.sqlite"), "{}", ran.err);
        assert!(ran.err.contains("restore it"), "{}", ran.err);
        assert_eq!(archive(&project), warc, "the archive is as it was");
        assert_eq!(tables(&project), before);
    }
    // The archive gives the tables again, without the state.
    let pages = project.join("pages");
    let anew = folder.join("anew");
    run(["harvest", pages.to_str().unwrap(), "-p", anew.to_str().unwrap()]).ended(0);
    let rows = |project: &Path| fs::read_to_string(project.join("tables/entities.jsonl")).unwrap();
    assert_eq!(rows(&anew).lines().count(), rows(&project).lines().count());
    // And so does the state, once it is back.
    for rest in ["state.sqlite-wal", "state.sqlite-shm"] {
        fs::remove_file(project.join(rest)).unwrap_or(());
    }
    fs::write(&path, &whole).unwrap();
    run(&arguments).ended(0);
    assert_kept(&project, &warc);
}

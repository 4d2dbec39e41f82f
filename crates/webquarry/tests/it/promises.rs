//! Promises that hold under attack: budgets, the end of a session, where requests go, secrets, terminals. Each is one row
//! of the table in `docs/security.md`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quarry_testsite::SiteSpec;

use crate::program::{Folder, front, quarry, report, run, serve};

/// What a session may take beyond its time, starting the program on a busy machine included.
const LEAVING: Duration = Duration::from_secs(3);

/// The heads of all requests that came.
type Log = Arc<Mutex<Vec<String>>>;

/// A server that answers by the path; `None` is never answered.
fn raw(answer: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static) -> (String, Log) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (log, answer) = (Log::default(), Arc::new(answer));
    let seen = Arc::clone(&log);
    std::thread::spawn(move || {
        let mut silent = Vec::new();
        for stream in listener.incoming().flatten() {
            let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
            if let Some(stream) = talk(stream, &seen, &*answer) {
                silent.push(stream);
            }
        }
    });
    (url, log)
}

/// Answers one request; a connection that gets no answer stays open.
fn talk(
    mut stream: TcpStream,
    seen: &Log,
    answer: &dyn Fn(&str, &str) -> Option<String>,
) -> Option<TcpStream> {
    let mut head = Vec::new();
    let mut buffer = [0; 4096];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return None,
            Ok(n) => head.extend_from_slice(&buffer[..n]),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
    seen.lock().unwrap().push(head.clone());
    let Some(text) = answer(&path, &head) else { return Some(stream) };
    drop(stream.write_all(text.as_bytes()));
    None
}

fn ok(fields: &str, body: &str) -> Option<String> {
    let length = body.len();
    Some(format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n{fields}Content-Length: {length}\r\n\r\n{body}"
    ))
}

fn redirect(to: &str) -> Option<String> {
    Some(format!(
        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    ))
}

fn missing() -> Option<String> {
    Some("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".to_owned())
}

fn end_of(mut child: Child, since: Instant) -> Duration {
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("still running after 30 seconds");
        }
        std::thread::park_timeout(Duration::from_millis(5));
    }
    since.elapsed()
}

#[test]
fn time_and_ctrl_c_end_a_session_whatever_the_server_does() {
    // Silence on every page, and a page of links without end.
    let links: String = (0..60_000).map(|n| format!("<a href=/p{n}>Item {n}</a> ")).collect();
    for big in [false, true] {
        let links = links.clone();
        let (url, log) = raw(move |path, _| match path {
            "/robots.txt" => missing(),
            "/" if big => ok("", &links),
            "/" => ok("", "<a href=/silent>x</a>"),
            _ => None,
        });
        for strategy in ["all", "query"] {
            let folder = Folder::new();
            let project = folder.join("project");
            let arguments =
                ["crawl", &url, "-p", project.to_str().unwrap(), "--strategy", strategy];
            let begun = Instant::now();
            let timed = [&arguments[..], &["--max-time", "2s", "--quiet"]].concat();
            let child = quarry(timed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let took = end_of(child, begun);
            assert!(took < Duration::from_secs(2) + LEAVING, "{strategy}: {took:?}");

            let project = folder.join("interrupted");
            let before = log.lock().unwrap().len();
            let arguments =
                ["crawl", &url, "-p", project.to_str().unwrap(), "--strategy", strategy, "--quiet"];
            let child =
                quarry(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            while log.lock().unwrap().len() < before + 2 {
                std::thread::park_timeout(Duration::from_millis(5));
            }
            let stopped = Instant::now();
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            let took = end_of(child, stopped);
            assert!(took < LEAVING, "{strategy} after Ctrl-C: {took:?}");
        }
    }
}

/// Pages with lists, rows and choices enough that learning and reading them takes long.
fn pages_that_take_long() -> [String; 2] {
    let lists: String = (0..20_000)
        .map(|n| {
            format!(
                "<div class=c{n}><p><a href=/a{n}>A{n}</a> $1<p><a href=/b{n}>B{n}</a> $2</div>"
            )
        })
        .collect();
    let rows: String =
        (0..60_000).map(|n| format!("<tr><td>{n}<td>a{}<td>x<td>{}", n % 9, n * 7)).collect();
    [lists, format!("<a href=/two>two</a><table>{rows}</table>")]
}

#[test]
fn a_harvest_ends_in_its_time_whatever_a_page_holds() {
    for body in pages_that_take_long() {
        let (url, _) = raw(move |path, _| match path {
            "/robots.txt" => missing(),
            _ => ok("", &body),
        });
        let folder = Folder::new();
        let project = folder.join("project");
        let project = project.to_str().unwrap();
        let limited = ["harvest", &url, "-p", project, "--render", "never", "--max-time", "3s"];
        let begun = Instant::now();
        let child = quarry(limited).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let took = end_of(child, begun);
        assert!(took < Duration::from_secs(3) + LEAVING, "{took:?}");
        // The project opens, and says what it has.
        run(["report", "-p", project]).ended(0);
    }
}

#[test]
fn ctrl_c_ends_a_harvest_that_is_busy_with_one_page() {
    for body in pages_that_take_long() {
        let (url, log) = raw(move |path, _| match path {
            "/robots.txt" => missing(),
            _ => ok("", &body),
        });
        for wait in [Duration::from_millis(300), Duration::from_secs(3)] {
            let folder = Folder::new();
            let project = folder.join("project");
            let project = project.to_str().unwrap();
            let before = log.lock().unwrap().len();
            let mut child =
                quarry(["harvest", &url, "-p", project, "--render", "never", "--quiet"])
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .spawn()
                    .unwrap();
            while log.lock().unwrap().len() < before + 2 {
                std::thread::park_timeout(Duration::from_millis(5));
            }
            let begun = Instant::now();
            while begun.elapsed() < wait && child.try_wait().unwrap().is_none() {
                std::thread::park_timeout(Duration::from_millis(5));
            }
            let stopped = Instant::now();
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            let took = end_of(child, stopped);
            assert!(took < LEAVING, "{wait:?} after the first page: {took:?}");
            // The project opens, and says what it has.
            run(["report", "-p", project]).ended(0);
        }
    }
}

#[test]
fn a_page_of_redirects_costs_no_more_than_the_limit() {
    let links: String = (0..600).map(|n| format!("<a href=/r{n}>r</a>")).collect();
    let (url, log) = raw(move |path, _| match path {
        "/robots.txt" => missing(),
        "/" => ok("", &links),
        _ if path.starts_with("/r") => redirect("/end"),
        _ => missing(),
    });
    let folder = Folder::new();
    let project = folder.join("project");
    let project = project.to_str().unwrap();
    let crawl = |more: &[&str]| {
        run([&["crawl", &url, "-p", project, "--strategy", "all", "--sitemaps", "false"], more]
            .concat())
    };
    crawl(&["--limit", "10"]);
    let sent = log.lock().unwrap().len();
    assert!(sent <= 16, "{sent} requests with --limit 10");
    crawl(&["--limit", "500", "--max-requests", "40"]);
    let sent = log.lock().unwrap().len();
    assert!(sent <= 40, "{sent} requests with --max-requests 40");
}

#[test]
fn robots_and_pages_do_not_lead_to_another_port_of_this_machine() {
    let (inside, log) = raw(|_, _| ok("", "secret"));
    let target = inside.clone();
    let (url, _) = raw(move |path, _| match path {
        "/" => ok("", &format!("<a href={target}/admin>x</a><a href=/go>y</a>")),
        _ => redirect(&format!("{target}/admin")),
    });
    let folder = Folder::new();
    let project = folder.join("project");
    run(["crawl", &url, "-p", project.to_str().unwrap(), "--strategy", "all", "--scope", "any"]);
    assert_eq!(log.lock().unwrap().len(), 0, "{:?}", log.lock().unwrap());
}

#[test]
fn secrets_go_to_their_origin_and_into_no_file_that_is_passed_on() {
    let (other, log_of_other) = raw(|_, _| ok("", "other"));
    let elsewhere = other.clone();
    let (url, log) = raw(move |path, head| match path {
        "/robots.txt" => missing(),
        // annA:s3cret
        _ if !head.contains("YW5uQTpzM2NyZXQ=") => Some(
            "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                .to_owned(),
        ),
        "/" => ok("", &format!("<a href={elsewhere}/>x</a><a href=/two>two</a>")),
        _ => ok("", "two"),
    });
    let folder = Folder::new();
    let project = folder.join("project");
    let seed = url.replace("http://", "http://annA:s3cret@");
    let plain_other = other.replace("http://", "");
    run([
        "crawl",
        &seed,
        "-p",
        project.to_str().unwrap(),
        "--strategy",
        "all",
        "--scope",
        "any",
        "--header",
        "X-Api-Key: k3y-of-mine",
        "--robots",
        "false",
        "--include",
        &url.replace("http://", ""),
        "--include",
        &plain_other,
        "--delay",
        "0",
        "-v",
    ]);
    assert!(
        log.lock()
            .unwrap()
            .iter()
            .any(|head| head.starts_with("GET /two") && head.contains("k3y-of-mine"))
    );
    for head in log_of_other.lock().unwrap().iter() {
        assert!(!head.contains("YW5uQTpzM2NyZXQ=") && !head.contains("k3y-of-mine"), "{head}");
    }
    let mut files: Vec<_> = Vec::new();
    let mut folders = vec![project.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    for path in files {
        let mut bytes = std::fs::read(&path).unwrap();
        if path.extension().is_some_and(|ending| ending == "gz") {
            let mut plain = Vec::new();
            flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).unwrap();
            bytes = plain;
        }
        let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        let found = ["s3cret", "YW5uQTpzM2NyZXQ=", "k3y-of-mine"].into_iter().any(holds);
        if path.ends_with("quarry.toml") {
            use std::os::unix::fs::PermissionsExt;
            assert!(found, "the project must go on");
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        } else {
            assert!(!found, "{}", path.display());
        }
    }
    let shown = run(["config", "-p", project.to_str().unwrap()]).ended(0).out;
    assert!(!shown.contains("k3y-of-mine"), "{shown}");
}

#[test]
fn nothing_on_a_page_steers_the_terminal() {
    let folder = Folder::new();
    let page = folder.join("page.html");
    let rows: String = (0..5)
        .map(|n| format!("<li><a href=/i{n}>Item \x1b[31m{n}</a> \u{202e}abc \u{9b}2J</li>"))
        .collect();
    std::fs::write(&page, format!("<title>\x1b]0;owned\x07</title><ul>{rows}</ul>")).unwrap();
    let page = page.to_str().unwrap();
    for arguments in [
        vec!["inspect", page],
        vec!["links", page, "--format", "table"],
        vec!["inspect", page, "--show", "text"],
    ] {
        let out = run(&arguments).ended(0).out;
        assert!(!out.contains(['\x1b', '\u{202e}', '\u{9b}', '\x07']), "{arguments:?}: {out:?}");
    }
}

#[test]
fn a_harvest_that_was_interrupted_is_no_baseline() {
    let spec = SiteSpec { entities: 40, ..SiteSpec::preset("shop").unwrap() };
    let server = serve(spec);
    let folder = Folder::new();
    let project = folder.join("project");
    let url = front(&server);
    let arguments =
        ["harvest", &url, "-p", project.to_str().unwrap(), "--delay", "20ms", "--quiet"];
    let child = quarry(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while server.requests() < 30 {
        std::thread::park_timeout(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3));
    run(["harvest", &url, "-p", project.to_str().unwrap(), "--delay", "0", "--quiet"]);
    let mut states: BTreeMap<String, usize> = BTreeMap::new();
    let text = std::fs::read_to_string(project.join("tables/entities.jsonl")).unwrap();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        *states.entry(row["_state"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    assert_eq!(states.keys().collect::<Vec<_>>(), ["new"], "{states:?}");
    assert!(report(&project)["requests"].as_u64().unwrap() > 30);
}

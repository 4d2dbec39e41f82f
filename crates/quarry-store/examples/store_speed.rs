//! What does a page cost? CPU time per small page that is leased, archived, finished and read for
//! 20 links, and the memory that a growing frontier takes.
//!
//! ```text
//! cargo run --release -p quarry-store --example store_speed -- [PAGES] [QUEUED] [DIR]
//! ```

#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use quarry_model::{
    Candidate, Capture, End, Exchange, Frontier, Headers, Request, Response, Timestamp,
};
use quarry_model::{PageStore, Validators};
use quarry_store::{Project, StoreError, StoreSettings};

const HOST: &str = "http://127.0.0.1:8080";
const NOW: Timestamp = Timestamp(1_794_772_800_000);
const COMMIT_EVERY: usize = 5_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let pages: usize = args.next().map_or(Ok(20_000), |n| n.parse())?;
    let queued: usize = args.next().map_or(Ok(1_000_000), |n| n.parse())?;
    let scratch = tempfile::tempdir()?;
    let dir = args.next().map_or(scratch.path().to_owned(), Into::into);
    let mut settings = StoreSettings::default();
    if let Some(level) = std::env::var("LEVEL").ok().and_then(|level| level.parse().ok()) {
        settings.archive.level = level;
    }

    println!("| what | µs CPU each | MB resident |");
    println!("|---|---|---|");
    let mut project = Project::create_or_open(&dir, &settings)?;
    crawl(&mut project, pages)?;
    grow(&mut project, queued)?;
    crawl_on(&mut project, pages / 4)?;
    drop(project);
    let (began, wall) = (cpu(), Instant::now());
    let project = Project::create_or_open(&dir, &settings)?;
    let queued = project.counts()?.queued;
    let (spent, wall) = (cpu() - began, wall.elapsed());
    println!("| open with {queued} queued (ms: CPU, wall) | {} | |", pair(spent, wall));
    let began = cpu();
    let (mut rows, mut bytes) = (Vec::new(), 0);
    project.each(&mut |row| rows.push(row))?;
    for row in rows.iter().step_by(10) {
        bytes += project.read(row)?.response.body.len();
    }
    let each = (cpu() - began).as_secs_f64() * 1e6 / (rows.len() / 10) as f64;
    println!("| list ten pages and read one ({bytes} bytes read) | {each:.1} | |");
    Ok(())
}

fn pair(cpu: Duration, wall: Duration) -> String {
    format!("{}, {}", cpu.as_millis(), wall.as_millis())
}

/// A page of about 2 KB: a header, 20 links, some text that differs.
fn body(n: usize) -> Vec<u8> {
    let mut html = format!(
        "<!doctype html><html><head><title>Item {n} of the catalogue</title></head><body><ul>"
    );
    for link in links(n) {
        html.push_str(&format!("<li><a href=\"/item/{link}\">Item number {link}</a>"));
    }
    html.push_str("</ul><table>");
    let mut seed = n as u64 * 0x9e37_79b9_7f4a_7c15 + 1;
    while html.len() < 2_000 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        html.push_str(&format!("<tr><td>{:x}</td></tr>", seed >> 40));
    }
    html.into_bytes()
}

/// How many pages are known at first, and under way at a time.
const AHEAD: usize = 64;

/// Mostly neighbours, as a catalogue has them; one of them is new.
fn links(n: usize) -> impl Iterator<Item = usize> {
    (0..20).map(move |k| (n + AHEAD).saturating_sub(k * 7))
}

fn url(n: usize) -> String {
    format!("{HOST}/item/{n}")
}

fn candidate(n: usize, via: usize) -> Candidate {
    Candidate {
        request: Request::get(url(n)),
        host: HOST.to_owned(),
        depth: 1,
        via: Some(url(via)),
        ..Candidate::default()
    }
}

fn exchange(request: Request, n: usize) -> Exchange {
    let fields = |fields: &[(&str, &str)]| {
        Headers(fields.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect())
    };
    let body = body(n);
    let length = body.len().to_string();
    Exchange {
        request: Request { unless: Validators::default(), ..request },
        sent: fields(&[
            ("Host", "127.0.0.1:8080"),
            ("User-Agent", "quarry/0.1 (+https://example.org/quarry)"),
            ("Accept", "text/html,application/xhtml+xml,*/*;q=0.5"),
            ("Accept-Encoding", "gzip, br, zstd, deflate"),
        ]),
        response: Response {
            rendering: None,
            status: 200,
            version: "HTTP/1.1".to_owned(),
            headers: fields(&[
                ("Server", "nginx/1.26.3"),
                ("Date", "Sun, 15 Nov 2026 20:00:00 GMT"),
                ("Content-Type", "text/html"),
                ("Content-Length", &length),
                ("Last-Modified", "Sun, 15 Nov 2026 19:00:00 GMT"),
                ("Connection", "keep-alive"),
                ("ETag", "\"6918d0c0-800\""),
                ("Accept-Ranges", "bytes"),
            ]),
            body,
            decoded: None,
            truncated: None,
        },
        remote: Some([127, 0, 0, 1].into()),
        at: NOW.plus(Duration::from_millis(n as u64)),
        took: Duration::from_millis(1),
    }
}

/// Leases, archives, finishes and adds links: all that a page costs the store. Pages and links are
/// made beforehand, in pieces, so that making them is not measured.
fn crawl(project: &mut Project, pages: usize) -> Result<(), StoreError> {
    project.add(&(0..AHEAD).map(|n| candidate(n, 0)).collect::<Vec<_>>())?;
    crawl_on(project, pages)
}

fn crawl_on(project: &mut Project, pages: usize) -> Result<(), StoreError> {
    let (mut parts, mut done, mut wall) = ([Duration::ZERO; 5], 0, Duration::ZERO);
    while done < pages {
        let piece = COMMIT_EVERY.min(pages - done);
        let entries = {
            let (began, wall_began) = (cpu(), Instant::now());
            let mut entries = Vec::new();
            while entries.len() < piece.min(AHEAD) {
                let Some(entry) = project.lease(HOST, NOW)? else { break };
                entries.push(entry);
            }
            parts[0] += cpu() - began;
            wall += wall_began.elapsed();
            entries
        };
        let work: Vec<_> = entries
            .into_iter()
            .map(|entry| {
                let url = &entry.candidate.request.url;
                let n = url.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
                let found: Vec<Candidate> = links(n).map(|link| candidate(link, n)).collect();
                (exchange(entry.candidate.request.clone(), n), found, entry)
            })
            .collect();
        if work.is_empty() {
            break;
        }
        let wall_began = Instant::now();
        for (exchange, found, entry) in &work {
            let t0 = cpu();
            project.put(&Capture {
                exchange,
                depth: entry.candidate.depth,
                via: entry.candidate.via.as_deref(),
                mime_detected: "text/html",
                is_page: true,
            })?;
            let t1 = cpu();
            project.finish(entry.id, &End::Done)?;
            let t2 = cpu();
            project.add(found)?;
            let t3 = cpu();
            parts[1] += t1 - t0;
            parts[2] += t2 - t1;
            parts[3] += t3 - t2;
        }
        let before = done;
        done += work.len();
        if before / COMMIT_EVERY != done / COMMIT_EVERY || done >= pages {
            let began = cpu();
            project.commit()?;
            parts[4] += cpu() - began;
        }
        wall += wall_began.elapsed();
    }
    let each = |time: Duration| time.as_secs_f64() * 1e6 / done as f64;
    for (name, time) in ["lease", "put", "finish", "add 20 links", "commit"].iter().zip(parts) {
        println!("| {name} | {:.1} | |", each(time));
    }
    let total: Duration = parts.iter().sum();
    println!("| **page, all of it** ({done} pages) | **{:.1}** | {:.0} |", each(total), resident());
    println!("| (wall clock) | {:.1} | |", each(wall));
    Ok(())
}

/// Adds candidates that are all new, as from a huge sitemap.
fn grow(project: &mut Project, queued: usize) -> Result<(), StoreError> {
    let steps = 10;
    for step in 0..steps {
        let piece = queued / steps;
        let mut spent = Duration::ZERO;
        for chunk in 0..piece / 1_000 {
            let first = 10_000_000 + step * piece + chunk * 1_000;
            let found: Vec<Candidate> = (first..first + 1_000).map(|n| candidate(n, 0)).collect();
            let began = cpu();
            project.add(&found)?;
            if chunk % 20 == 19 {
                project.commit()?;
            }
            spent += cpu() - began;
        }
        project.commit()?;
        let each = spent.as_secs_f64() * 1e6 / piece as f64;
        let total = project.counts()?.queued;
        println!("| new candidate, {total} queued | {each:.1} | {:.0} |", resident());
    }
    Ok(())
}

/// CPU time of this process: user and system.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Resident memory in MB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) / 1_000.0
}

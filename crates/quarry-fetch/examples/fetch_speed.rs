//! What does a request cost? CPU time of the client alone: the server is another process, and the
//! client runs on one thread with 16 requests under way.
//!
//! ```text
//! cargo run --release -p quarry-fetch --example fetch_speed [REQUESTS]
//! ```

#![allow(clippy::print_stdout, reason = "a measurement prints its result")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use quarry_fetch::{FetchSettings, HttpFetcher};
use quarry_model::{Fetcher, Outcome, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const IN_FLIGHT: usize = 16;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime can be made");
    if arguments.first().is_some_and(|a| a == "serve") {
        return runtime.block_on(serve());
    }
    let requests = arguments.first().and_then(|a| a.parse().ok()).unwrap_or(40_000);
    let program = std::env::current_exe().expect("this program has a path");
    let mut server = Command::new(program)
        .arg("serve")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server can be started");
    let mut base = String::new();
    let stdout = server.stdout.take().expect("it was piped");
    BufReader::new(stdout).read_line(&mut base).expect("the server says where it is");
    for path in ["/plain", "/gzip"] {
        for _ in 0..3 {
            runtime.block_on(measure(&format!("{}{path}", base.trim()), requests));
        }
    }
    server.kill().expect("the server can be stopped");
    server.wait().expect("the server has ended");
}

async fn measure(url: &str, requests: usize) {
    let settings = FetchSettings {
        allowed_private_hosts: ["127.0.0.1".to_owned()].into(),
        ..FetchSettings::default()
    };
    let fetcher = Arc::new(HttpFetcher::new(settings).expect("the settings are good"));
    let (cpu, wall) = (cpu_nanos(), Instant::now());
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..IN_FLIGHT {
        let (fetcher, request) = (Arc::clone(&fetcher), Request::get(url));
        tasks.spawn(async move {
            for _ in 0..requests / IN_FLIGHT {
                let fetched = fetcher.fetch(&request, &|_| true).await;
                let Outcome::Response(exchange) = fetched.outcome else {
                    panic!("no response: {:?}", fetched.outcome)
                };
                assert_eq!(exchange.response.content().len(), 2048);
            }
        });
    }
    tasks.join_all().await;
    let micros = |nanos: u128| nanos as f64 / requests as f64 / 1_000.0;
    let cpu = micros(u128::from(cpu_nanos() - cpu));
    let wall = micros(wall.elapsed().as_nanos());
    println!(
        "{url}: {cpu:.1} µs CPU and {wall:.1} µs per request, {:.0} per CPU-second",
        1e6 / cpu
    );
}

/// Time that this thread has run, from Linux's scheduler.
fn cpu_nanos() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this is Linux");
    text.split(' ').next().and_then(|n| n.parse().ok()).expect("the first field is a number")
}

/// A server that costs little: a ready answer for whatever comes.
async fn serve() {
    let page = "<p>some words of a page, ".repeat(100).into_bytes()[..2048].to_vec();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&page).expect("memory can be written to");
    let gzip = encoder.finish().expect("memory can be written to");
    let answer = |coding: &str, body: &[u8]| {
        let mut bytes = format!(
            "HTTP/1.1 200 OK\r\nServer: nginx/1.26\r\nDate: Sun, 15 Nov 2026 20:00:00 GMT\r\n\
             Content-Type: text/html\r\nLast-Modified: Sun, 15 Nov 2026 20:00:00 GMT\r\n\
             Connection: keep-alive\r\nETag: \"abc-123\"\r\nAccept-Ranges: bytes\r\n\
             {coding}Content-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        Arc::new(bytes)
    };
    let plain = answer("", &page);
    let gzip = answer("Content-Encoding: gzip\r\n", &gzip);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback is there");
    println!("http://{}", listener.local_addr().expect("a bound socket has an address"));
    loop {
        let Ok((mut stream, _)) = listener.accept().await else { continue };
        let (plain, gzip) = (Arc::clone(&plain), Arc::clone(&gzip));
        tokio::spawn(async move {
            let mut request = vec![0; 8192];
            loop {
                let answer = match stream.read(&mut request).await {
                    Ok(0) | Err(_) => return,
                    Ok(_) if request.starts_with(b"GET /gzip") => &gzip,
                    Ok(_) => &plain,
                };
                if stream.write_all(answer).await.is_err() {
                    return;
                }
            }
        });
    }
}

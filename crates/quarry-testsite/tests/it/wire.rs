//! Every fault can be met over a real socket.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use quarry_testsite::{Fault, FaultRule, Faults, Server, Site, SiteSpec};

/// What came: the bytes before the end or the error.
pub(crate) struct Came {
    bytes: Vec<u8>,
    error: Option<ErrorKind>,
}

impl Came {
    fn head(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        text.split("\r\n\r\n").next().unwrap_or("").to_owned()
    }

    fn body(&self) -> &[u8] {
        let at = self.bytes.windows(4).position(|w| w == b"\r\n\r\n");
        at.map_or(&[], |at| &self.bytes[at + 4..])
    }

    fn length(&self) -> usize {
        let head = self.head();
        let line = head.lines().find_map(|l| l.strip_prefix("Content-Length: "));
        line.unwrap_or_else(|| panic!("no length in {head}")).parse().unwrap()
    }
}

fn ask_with(server: &Server, target: &str, fields: &str, most: usize) -> Came {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let request = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut came = Came { bytes: Vec::new(), error: None };
    let mut piece = [0; 16 * 1024];
    while came.bytes.len() < most {
        match stream.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => came.bytes.extend_from_slice(&piece[..n]),
            Err(error) => {
                came.error = Some(error.kind());
                break;
            }
        }
    }
    came
}

pub(crate) fn ask(server: &Server, target: &str) -> Came {
    ask_with(server, target, "", usize::MAX)
}

fn serve(fault: Fault) -> Server {
    let spec =
        SiteSpec { entities: 30, faults: Faults::one("/shoes*", fault), ..SiteSpec::default() };
    Server::start(Site::generate(spec), None).unwrap()
}

fn check(fault: Fault, expect: impl Fn(&Server, &Came) -> bool) {
    let server = serve(fault.clone());
    let came = ask(&server, "/shoes");
    let head = came.head();
    assert!(expect(&server, &came), "{fault:?}: {head} {:?} {}", came.error, came.bytes.len());
    // The rest of the site is well.
    let well = ask(&server, "/about");
    assert!(well.head().starts_with("HTTP/1.1 200 OK"), "{fault:?}: {}", well.head());
    assert_eq!(well.length(), well.body().len());
}

#[test]
fn answers_that_are_late_or_wrong() {
    check(Fault::Latency { ms: 5 }, |_, c| c.head().starts_with("HTTP/1.1 200"));
    check(Fault::ServerError { status: 503 }, |_, c| c.head().starts_with("HTTP/1.1 503"));
    check(Fault::TooManyRequests { retry_after: 7 }, |_, c| {
        c.head().starts_with("HTTP/1.1 429") && c.head().contains("Retry-After: 7")
    });
    check(Fault::Forbidden, |_, c| c.head().starts_with("HTTP/1.1 403"));
    check(Fault::Soft404, |_, c| {
        c.head().starts_with("HTTP/1.1 200")
            && String::from_utf8_lossy(c.body()).contains("Page not found")
    });
    check(Fault::EmptyBody, |_, c| c.head().starts_with("HTTP/1.1 200") && c.body().is_empty());
    check(Fault::Binary, |_, c| c.body().len() == 4096 && std::str::from_utf8(c.body()).is_err());
    check(Fault::DeepNesting { depth: 9000 }, |_, c| {
        String::from_utf8_lossy(c.body()).matches("<div>").count() == 9000
    });
    check(Fault::HugeHeaders { kib: 70 }, |_, c| c.head().len() > 70 * 1000);
}

#[test]
fn redirects_that_lead_nowhere() {
    check(Fault::RedirectLoop, |server, c| {
        let back = ask(server, "/loop?to=/shoes");
        c.head().contains("Location: /loop?to=/shoes") && back.head().contains("Location: /shoes")
    });
    check(Fault::RedirectTo { to: "http://169.254.169.254/latest".into() }, |_, c| {
        c.head().contains("Location: http://169.254.169.254/latest")
    });
    check(Fault::CookieWall, |server, c| {
        let head = c.head();
        let cookie = head.lines().find_map(|l| l.strip_prefix("Set-Cookie: ")).unwrap();
        let cookie = cookie.split(';').next().unwrap();
        let again = ask_with(server, "/shoes", &format!("Cookie: {cookie}\r\n"), usize::MAX);
        head.starts_with("HTTP/1.1 302") && again.head().starts_with("HTTP/1.1 200")
    });
}

#[test]
fn charsets_that_lie() {
    check(Fault::WrongCharset, |_, c| {
        c.head().contains("charset=utf-8") && std::str::from_utf8(c.body()).is_err()
    });
    check(Fault::MissingCharset, |_, c| {
        !c.head().contains("charset")
            && !String::from_utf8_lossy(c.body()).contains("charset")
            && c.body().windows(4).any(|w| w == b"Caf\xe9")
    });
}

#[test]
fn connections_that_break() {
    check(Fault::ResetBeforeHead, |_, c| {
        c.bytes.is_empty() && c.error == Some(ErrorKind::ConnectionReset)
    });
    check(Fault::ResetMidBody, |_, c| {
        c.error == Some(ErrorKind::ConnectionReset) || c.body().len() < c.length()
    });
    check(Fault::LengthTooLong, |_, c| c.length() == c.body().len() + 1000);
    check(Fault::LengthTooShort, |_, c| c.length() == c.body().len() / 2);
    check(Fault::Garbage, |_, c| !c.bytes.starts_with(b"HTTP") && !c.bytes.is_empty());
    check(Fault::BrokenChunks, |_, c| {
        c.head().contains("Transfer-Encoding: chunked")
            && c.bytes.ends_with(b"\r\nnot-a-length\r\n")
    });
    check(Fault::SlowDrip { ms: 0 }, |_, c| c.length() == c.body().len());
}

#[test]
fn bodies_that_do_not_end() {
    let server = serve(Fault::EndlessBody);
    let came = ask_with(&server, "/shoes", "", 5_000_000);
    assert!(came.bytes.len() >= 5_000_000 && came.error.is_none());
    let server = serve(Fault::GzipBomb { mib: 50 });
    let came = ask(&server, "/shoes");
    assert!(came.head().contains("Content-Encoding: gzip") && came.body().len() < 200_000);
    let mut decoded = 0;
    let mut decoder = flate2::read::GzDecoder::new(came.body());
    let mut piece = vec![0; 1 << 20];
    while let Ok(n @ 1..) = decoder.read(&mut piece) {
        decoded += n;
    }
    assert!(decoded > 50 << 20);
    let server = serve(Fault::GzipTruncated);
    let came = ask(&server, "/shoes");
    let mut rest = Vec::new();
    assert!(flate2::read::GzDecoder::new(came.body()).read_to_end(&mut rest).is_err());
}

#[test]
fn a_stalled_server_says_nothing_until_the_client_leaves() {
    let server = serve(Fault::Stall);
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    stream.write_all(b"GET /shoes HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut piece = [0; 10];
    let kind = stream.read(&mut piece).unwrap_err().kind();
    assert!(matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut));
    drop(stream);
    assert!(ask(&server, "/about").head().starts_with("HTTP/1.1 200"));
}

#[test]
fn some_faults_pass() {
    let rule = FaultRule {
        path: "/shoes".into(),
        rate: 1.0,
        times: 2,
        fault: Fault::ServerError { status: 500 },
    };
    let spec =
        SiteSpec { entities: 30, faults: Faults { rules: vec![rule] }, ..SiteSpec::default() };
    let server = Server::start(Site::generate(spec), None).unwrap();
    let status = || ask(&server, "/shoes").head()[9..12].to_owned();
    assert_eq!([status(), status(), status()], ["500", "500", "200"]);
}

#[test]
fn bodies_are_compressed_for_those_who_accept_it() {
    let server =
        Server::start(Site::generate(SiteSpec { entities: 30, ..SiteSpec::default() }), None)
            .unwrap();
    let came = ask_with(&server, "/shoes", "Accept-Encoding: gzip\r\n", usize::MAX);
    assert!(came.head().contains("Content-Encoding: gzip"));
    let mut html = String::new();
    flate2::read::GzDecoder::new(came.body()).read_to_string(&mut html).unwrap();
    assert!(html.contains("All shoes"));
    // Several requests on one connection.
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let post = "POST /search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nq=zzz";
    stream
        .write_all(
            format!("{post}GET /about HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes(),
        )
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 2);
}

#[test]
fn a_redesign_keeps_the_address() {
    let spec = SiteSpec { entities: 30, ..SiteSpec::default() };
    let server = Server::start(Site::generate(spec.clone()), None).unwrap();
    let before = ask(&server, "/shoes").body().to_vec();
    server.replace(Site::generate(SiteSpec { theme: quarry_testsite::Theme::Classic, ..spec }));
    let after = ask(&server, "/shoes").body().to_vec();
    assert_ne!(before, after);
    assert_eq!(server.requests(), 2);
}

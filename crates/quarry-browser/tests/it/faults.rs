//! Pages that misbehave stay within their limits, and reach nothing that they are not given.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use quarry_browser::BrowserSettings;

use crate::site::{Site, browser};

fn settings() -> BrowserSettings {
    BrowserSettings {
        quiet_timeout: Duration::from_secs(2),
        requests: 50,
        document_bytes: 1 << 20,
        ..BrowserSettings::default()
    }
}

#[tokio::test]
async fn pages_that_misbehave_stay_within_limits() {
    let Some(browser) = browser(settings()) else { return };
    for (name, script) in [
        ("a loop that does not end", "setTimeout(() => { for (;;) {} }, 10)"),
        (
            "requests without end",
            "const f = () => fetch('/x' + Math.random()).catch(() => 0).then(f); f()",
        ),
        (
            "nodes without end",
            "setInterval(() => { for (let i = 0; i < 2500; i++) document.body.append(document.createElement('p')) }, 250)",
        ),
        ("megabytes", "document.body.insertAdjacentHTML('beforeend', '<p>' + 'x'.repeat(5e6))"),
        ("timers without end", "const f = () => setTimeout(f, 0); f()"),
        (
            "alerts",
            "alert(1); if (confirm('?')) document.body.innerHTML = 'confirmed'; prompt('?')",
        ),
        (
            "a print and a popup",
            "print(); window.open('/popup'); document.body.onclick = () => window.open('/p')",
        ),
    ] {
        let page = format!("<!DOCTYPE html><body><h1>Kept</h1><script>{script}</script>");
        let site = Site::new(&page);
        let began = Instant::now();
        let rendered = site.show(&browser, &[]).await;
        assert!(began.elapsed() < Duration::from_secs(40), "{name}: {:?}", began.elapsed());
        let rendered = rendered.unwrap_or_else(|failure| panic!("{name}: {failure}"));
        let html = String::from_utf8(rendered.document).unwrap();
        assert!(html.contains("Kept"), "{name}: {html:.300}");
        assert!(html.len() <= (1 << 20) + 100, "{name}: {} bytes", html.len());
        assert!(site.asked().len() <= 50, "{name}: {} requests", site.asked().len());
        assert!(!site.asked().iter().any(|url| url.contains("popup")), "{name}");
    }
}

/// Asks for what it may not have, in every way that a page has.
const REACHING: &str = r#"<!DOCTYPE html><head>
      <link rel=preconnect href="http://127.0.0.1:PORT/"><link rel=dns-prefetch href="//example.com/">
      <link rel=prefetch href="http://127.0.0.1:PORT/prefetch"></head><body><h1>Kept</h1>
      <img src="http://127.0.0.1:PORT/a.png"><iframe src="http://127.0.0.1:PORT/frame"></iframe>
      <script>
        const base = 'http://127.0.0.1:PORT/';
        const tries = [() => fetch(base + 'fetch').catch(() => 0), () => new WebSocket('ws://127.0.0.1:PORT/'),
          () => navigator.sendBeacon(base + 'beacon', 'x'), () => new EventSource(base + 'events'),
          () => navigator.serviceWorker.register('/sw.js'), () => new RTCPeerConnection(),
          () => fetch('/change', {method: 'POST', body: 'x'}).catch(() => 0),
          () => fetch('http://169.254.169.254/latest/').catch(() => 0),
          () => new Worker(URL.createObjectURL(new Blob([`fetch('${base}worker').catch(() => 0)`])))];
        for (const f of tries) { try { f() } catch (e) {} }
      </script>"#;

#[tokio::test]
async fn nothing_is_reached_that_is_not_given() {
    let Some(browser) = browser(settings()) else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let site = Site::new(&REACHING.replace("PORT", &port.to_string()));
    let html = site.html(&browser, &[]).await;
    assert!(html.contains("Kept"));
    assert!(listener.accept().is_err(), "the browser opened a connection");
    let asked = site.asked();
    assert!(!asked.iter().any(|url| url.contains("change") || url.contains("beacon")), "{asked:?}");
    // What scripts asked for came to the one who judges it.
    assert!(asked.iter().any(|url| url.contains("169.254.169.254")), "{asked:?}");
    assert!(asked.iter().any(|url| url.ends_with("/fetch")), "{asked:?}");
}

/// A page whose requests are all answered is the same where the browser has no network at all: it uses none.
#[cfg(target_os = "linux")]
#[tokio::test]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
async fn a_browser_without_a_network_shows_the_same() {
    use std::os::unix::fs::PermissionsExt;

    let alone = ["--user", "--map-current-user", "--net"];
    let may = std::process::Command::new("unshare").args(alone).arg("true").status();
    if !may.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: no network namespaces here");
    }
    let Some(with_network) = browser(settings()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("browser");
    let found = quarry_browser::find_browser(None).unwrap();
    let script =
        format!("#!/bin/sh\nexec unshare {} {} \"$@\"\n", alone.join(" "), found.display());
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let without = BrowserSettings { program: Some(program), ..settings() };
    let Some(without_network) = browser(without) else { return };
    let page = format!("{}<script src=/list.js></script>", REACHING.replace("PORT", "9"));
    let script = "fetch('/rows.json').then(r => r.json()).then(rows => rows.forEach(row => \
        document.body.insertAdjacentHTML('beforeend', `<p>${row}</p>`)))";
    let site = || {
        Site::new(&page).with("/list.js", "text/javascript", script).with(
            "/rows.json",
            "application/json",
            "[\"one\", \"two\", \"three\"]",
        )
    };
    let (one, other) = (site(), site());
    let html = one.html(&with_network, &[]).await;
    assert!(html.contains("<p>three</p>"), "{html}");
    assert_eq!(other.html(&without_network, &[]).await, html);
    let asked = |site: &Site| site.asked().into_iter().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(asked(&other), asked(&one));
}

#[tokio::test]
async fn where_scripts_lead_is_a_link() {
    let Some(browser) = browser(settings()) else { return };
    let site = Site::new("<!DOCTYPE html><body><h1>Kept</h1><script>location = '/next'</script>");
    let html = site.html(&browser, &[]).await;
    assert!(html.contains("href=\"http://site.test/next\""), "{html}");
    assert!(site.asked().is_empty(), "{:?}", site.asked());
}

#[tokio::test]
async fn a_browser_that_dies_is_replaced() {
    let Some(browser) = browser(settings()) else { return };
    let site =
        Site::new("<!DOCTYPE html><body><p id=p></p><script>p.textContent = 'filled'</script>");
    for _ in 0..3 {
        assert!(site.html(&browser, &[]).await.contains("filled"));
        browser.kill().await;
    }
}

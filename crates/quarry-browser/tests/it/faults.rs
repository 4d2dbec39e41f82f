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

#[tokio::test]
async fn nothing_is_reached_that_is_not_given() {
    let Some(browser) = browser(settings()) else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let page = r#"<!DOCTYPE html><head>
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
    let site = Site::new(&page.replace("PORT", &port.to_string()));
    let html = site.html(&browser, &[]).await;
    assert!(html.contains("Kept"));
    assert!(listener.accept().is_err(), "the browser opened a connection");
    let asked = site.asked();
    assert!(!asked.iter().any(|url| url.contains("change") || url.contains("beacon")), "{asked:?}");
    // What scripts asked for came to the one who judges it.
    assert!(asked.iter().any(|url| url.contains("169.254.169.254")), "{asked:?}");
    assert!(asked.iter().any(|url| url.ends_with("/fetch")), "{asked:?}");
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

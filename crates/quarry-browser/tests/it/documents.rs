//! What scripts put into a page is in its document: rows that were fetched, loaded on demand, or have left it again.

use quarry_browser::BrowserSettings;

use crate::site::{Site, browser};

/// A list of 23 rows behind `rows.json`, and the code to show the first `shown`.
const ROWS: &str = "const all = Array.from({length: 23}, (_, n) => `Row ${n}`);
    const item = (t, n) => `<li><a href=\"/e/${n}\">${t}</a></li>`;";

fn count(html: &str) -> usize {
    (0..23).filter(|n| html.contains(&format!(">Row {n}<"))).count()
}

#[tokio::test]
async fn lists_are_whole_however_they_are_filled() {
    let Some(browser) = browser(BrowserSettings::default()) else { return };
    let pages = [
        ("state in the page", "<ul id=l></ul><script id=s type=application/json>[]</script>
            <script>ROWS l.innerHTML = all.map(item).join('')</script>"),
        ("after a timer", "<ul id=l></ul><script>ROWS
            setTimeout(() => { l.innerHTML = all.map(item).join('') }, 600)</script>"),
        ("fetched", "<ul id=l></ul><script>ROWS
            fetch('/rows.json').then(r => r.json()).then(r => { l.innerHTML = r.map(item).join('') })</script>"),
        ("load more", "<ul id=l></ul><button id=b>Load more</button><script>ROWS let n = 0;
            b.onclick = () => { l.innerHTML = all.slice(0, n += 5).map(item).join(''); b.hidden = n >= 23 };
            b.onclick()</script>"),
        ("next page, rows replaced", "<ul id=l></ul><button id=b>Next</button><script>ROWS let n = -5;
            b.onclick = () => { n = Math.min(n + 5, 20);
              l.innerHTML = all.slice(n, n + 5).map((t, i) => item(t, n + i)).join('') };
            b.onclick()</script>"),
        ("endless scrolling", "<ul id=l></ul><div id=end style='height:10px'></div><script>ROWS let n = 0;
            const more = () => { if (n >= 23) return;
              fetch('/rows.json').then(r => r.json()).then(r => {
                l.insertAdjacentHTML('beforeend', r.slice(n, n + 8).map((t, i) => item(t, n + i)).join('')); n += 8;
                l.style.minHeight = n * 500 + 'px' }) };
            more(); addEventListener('scroll', () => {
              if (innerHeight + scrollY >= document.documentElement.scrollHeight - 600) more() })</script>"),
        ("virtual scrolling", "<div id=box style='height:300px;overflow-y:auto'>
            <div style='height:2300px;position:relative'><ul id=l></ul></div></div><script>ROWS
            const show = () => { const first = Math.floor(box.scrollTop / 100);
              l.innerHTML = all.slice(first, first + 5).map((t, i) => item(t, first + i)).join('') };
            box.addEventListener('scroll', show); show()</script>"),
        ("in a shadow tree", "<my-list></my-list><script>ROWS
            customElements.define('my-list', class extends HTMLElement { connectedCallback() {
              this.attachShadow({mode: 'open'}).innerHTML = '<ul>' + all.map(item).join('') + '</ul>' } })</script>"),
        ("by a client-side route", "<div id=app></div><script>ROWS history.pushState({}, '', '/list');
            app.innerHTML = '<ul>' + all.map(item).join('') + '</ul>'</script>"),
    ];
    let rows: Vec<String> = (0..23).map(|n| format!("\"Row {n}\"")).collect();
    let rows = format!("[{}]", rows.join(","));
    for (name, page) in pages {
        let page = format!("<!DOCTYPE html><body>{}", page.replace("ROWS", ROWS));
        let site = Site::new(&page).with("/rows.json", "application/json", &rows);
        let html = site.html(&browser, &[]).await;
        assert_eq!(count(&html), 23, "{name}: {html}");
        assert!(html.starts_with('\u{feff}'), "the document says that it is UTF-8");
    }
}

#[tokio::test]
async fn a_page_is_the_same_whenever_it_is_shown() {
    let Some(browser) = browser(BrowserSettings::default()) else { return };
    let site = Site::new(
        "<p id=p></p><script>p.textContent = [Date.now(), new Date().getFullYear(), Math.random(),
           crypto.randomUUID(), Intl.DateTimeFormat().resolvedOptions().timeZone].join(' ');
           fetch('/x?ts=' + Date.now())</script>",
    );
    let first = site.html(&browser, &[]).await;
    assert!(first.contains("2026"), "the clock is the archive's: {first}");
    assert!(first.contains("UTC"), "{first}");
    browser.kill().await;
    assert_eq!(site.html(&browser, &[]).await, first);
    assert_eq!(site.asked(), ["http://site.test/x?ts=1790000000000"; 2]);
}

#[tokio::test]
async fn hydration_changes_no_text() {
    let Some(browser) = browser(BrowserSettings::default()) else { return };
    let site = Site::new(
        "<!DOCTYPE html><html><head><title>T</title></head><body><ul id=l><li><a href=\"/e/1\">One</a></li></ul>
         <noscript>Enable scripts</noscript><script>for (const a of document.links) a.onclick = () => 1;
         l.innerHTML = l.innerHTML</script></body></html>",
    );
    let html = site.html(&browser, &[]).await;
    assert!(html.contains("<li><a href=\"/e/1\">One</a></li>"), "{html}");
    assert!(!html.contains("Enable scripts"), "scripts ran: {html}");
}

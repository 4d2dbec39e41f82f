//! Controls without addresses get one, and an address leads to the state that it names.

use quarry_browser::BrowserSettings;
use quarry_model::RenderFailure;

use crate::site::{Site, browser};

const SHOP: &str = r#"<!DOCTYPE html><body>
  <input type=search placeholder=Search id=q>
  <fieldset><legend>Colour</legend>
    <label><input type=checkbox value=red> Red (2)</label>
    <label><input type=checkbox value=blue> Blue (1)</label>
  </fieldset>
  <label for=s>Size</label><select id=s><option>all</option><option>small</option><option>large</option></select>
  <div><h3>Kind</h3><button aria-pressed=false class=k>Chair</button><button aria-pressed=false class=k>Table</button></div>
  <button onclick="fetch('/delete')">Delete all</button>
  <ul id=l></ul>
  <script>
    const all = [['Rose', 'red', 'small', 'Chair'], ['Brick', 'red', 'large', 'Table'], ['Sky', 'blue', 'small', 'Chair']];
    const state = { colours: new Set(), size: 'all', kind: '', word: '' };
    const show = () => { l.innerHTML = all.filter(([name, colour, size, kind]) =>
        (!state.colours.size || state.colours.has(colour)) && (state.size === 'all' || size === state.size) &&
        (!state.kind || kind === state.kind) && name.toLowerCase().includes(state.word))
      .map(([name]) => `<li><a href="/${name}">${name}</a></li>`).join('') };
    for (const box of document.querySelectorAll('[type=checkbox]')) box.onchange = () => {
      state.colours[box.checked ? 'add' : 'delete'](box.value); show() };
    s.onchange = () => { state.size = s.value; show() };
    for (const k of document.querySelectorAll('.k')) k.onclick = () => { state.kind = k.textContent; show() };
    let timer; q.oninput = () => { clearTimeout(timer); timer = setTimeout(() => { state.word = q.value; show() }, 300) };
    show();
  </script>"#;

fn names(html: &str) -> Vec<&str> {
    ["Rose", "Brick", "Sky"]
        .into_iter()
        .filter(|name| html.contains(&format!("/{name}\"")))
        .collect()
}

#[tokio::test]
async fn controls_have_addresses_and_addresses_lead_to_states() {
    let Some(browser) = browser(BrowserSettings::default()) else { return };
    let site = Site::new(SHOP);
    let html = site.html(&browser, &[]).await;
    assert_eq!(names(&html), ["Rose", "Brick", "Sky"]);
    for address in [
        "quarry.check.colour=Red",
        "quarry.check.colour=Blue",
        "quarry.select.size=small",
        "quarry.press.kind=Chair",
        "name=\"quarry.type.search\"",
    ] {
        assert!(html.contains(address), "{address}: {html}");
    }
    for (steps, expect) in [
        (&["check.colour=Red"][..], &["Rose", "Brick"][..]),
        (&["check.colour=Red", "check.colour=Blue"], &["Rose", "Brick", "Sky"]),
        (&["select.size=small", "check.colour=Red"], &["Rose"]),
        (&["press.kind=Chair"], &["Rose", "Sky"]),
        (&["type.search=br"], &["Brick"]),
    ] {
        assert_eq!(names(&site.html(&browser, steps).await), expect, "{steps:?}");
    }
    let red = site.html(&browser, &["check.colour=Red"]).await;
    assert!(red.contains("quarry.check.colour=Red&amp;quarry.check.colour=Blue"), "adds: {red}");
    assert_eq!(
        site.show(&browser, &["check.colour=Green"]).await,
        Err(RenderFailure::NoSuchControl { step: "check.colour=Green".to_owned() })
    );
    assert!(!site.asked().iter().any(|url| url.contains("delete")), "{:?}", site.asked());
}

#[tokio::test]
async fn rows_of_shadow_trees_numbered_pages_and_unnamed_buttons_are_all_read() {
    let Some(browser) = browser(BrowserSettings::default()) else { return };
    let components = "<my-list></my-list><script>
        customElements.define('my-row', class extends HTMLElement { connectedCallback() {
          this.attachShadow({mode: 'open'}).innerHTML = '<b>Row ' + this.dataset.n + '.</b>' } });
        customElements.define('my-list', class extends HTMLElement { connectedCallback() {
          const root = this.attachShadow({mode: 'open'}); let n = 4;
          const show = () => { root.innerHTML = '<section>' + [...Array(n).keys()].map(i => `<my-row data-n=${i}></my-row>`).join('') + '</section>' +
            (n < 12 ? '<button>Daha</button>' : ''); const b = root.querySelector('button'); if (b) b.onclick = () => { n += 4; show() } };
          show() } });</script>";
    let numbers = "<ul id=l></ul><div id=p></div><script>
        const show = page => { l.innerHTML = [0,1,2,3].map(i => `<li>Row ${page * 4 - 4 + i}.</li>`).join('') };
        for (const n of [1, 2, 3]) { const a = document.createElement('a'); a.href = 'javascript:void 0'; a.textContent = n; a.onclick = () => show(n); p.append(a) }
        show(1)</script>";
    for page in [components, numbers] {
        let html = Site::new(page).html(&browser, &[]).await;
        for n in 0..12 {
            assert!(html.contains(&format!("Row {n}.")), "row {n} of {html}");
        }
    }
}

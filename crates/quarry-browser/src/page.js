// Runs in a world of its own beside the page's scripts: they share the document, not this code.
// Reads the page, works its controls, and writes the document down with an address for every state.
(() => {
  if (globalThis.quarry) return;
  const PREFIX = "quarry.";
  const MAX_NODES = 300000;
  const MIN_VIEWS = 3; // fewer links to missing places are mistakes
  const fold = (text) => (text || "").replace(/\s+/g, " ").trim();
  const slug = (text) => fold(text).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  const visible = (el) => el.getClientRects().length > 0 && getComputedStyle(el).visibility !== "hidden";
  const textOf = (el) => fold(el.innerText || el.textContent).slice(0, 200);
  const withoutCount = (text) => fold(text.replace(/\s*[([{]\s*[\d.,\s]+[)\]}]\s*$/, "")) || text;

  let mutations = 0;
  const observer = new MutationObserver((records) => {
    for (const r of records) mutations += r.addedNodes.length + r.removedNodes.length + (r.type === "characterData" ? 1 : 0);
  });
  const CHANGES = { childList: true, subtree: true, characterData: true };
  observer.observe(document, CHANGES);

  // All elements, those of open shadow trees included. Changes inside these are seen from then on.
  const shadows = new WeakSet();
  let hasShadows = false;
  function* everything(root) {
    for (const el of root.querySelectorAll("*")) {
      yield el;
      const inner = el.shadowRoot;
      if (!inner) continue;
      if (!shadows.has(inner)) {
        shadows.add(inner);
        hasShadows = true;
        observer.observe(inner, CHANGES);
        mutations += inner.childNodes.length;
      }
      yield* everything(inner);
    }
  }
  const changes = () => {
    for (const _ of everything(document));
    return mutations;
  };
  // The element around, the one that a shadow tree hangs on included.
  const above = (el) => el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  // A copy with what shadow trees show in place of what they replace.
  function flat(node) {
    const made = node.cloneNode(false);
    if (node.nodeType !== Node.ELEMENT_NODE || node.localName === "template") return made;
    const given = node.localName === "slot" ? node.assignedNodes() : [];
    const inner = given.length ? given : (node.shadowRoot || node).childNodes;
    for (const child of inner) made.appendChild(flat(child));
    return made;
  }
  const copyOf = (row) => (hasShadows ? flat(row) : row.cloneNode(true));
  // The text of a row, shadow trees included; style sheets in these are none of it.
  const contentOf = (row) => {
    if (!hasShadows) return row.textContent;
    const copy = flat(row);
    for (const style of copy.querySelectorAll("style, script")) style.remove();
    return copy.textContent;
  };

  // ---- rows: children of one parent that repeat, kept when they leave the document -------------------------
  const kept = new Map(); // path of the list -> Map(row key -> row)
  const pathOf = (el) => {
    const parts = [];
    for (let n = el; n && above(n) && parts.length < 40; n = above(n)) {
      let at = 1;
      for (let s = n.previousElementSibling; s; s = s.previousElementSibling) if (s.localName === n.localName) at++;
      parts.push(n.localName + at);
    }
    return parts.join("/");
  };
  const rowKey = (row) => {
    const link = row.localName === "a" ? row : (hasShadows ? flat(row) : row).querySelector("a[href]");
    return (link ? link.getAttribute("href") : "") + "|" + fold(contentOf(row)).slice(0, 400);
  };
  function lists() {
    const found = [];
    for (const el of everything(document)) {
      if (el.childElementCount < 3) continue;
      const counts = new Map();
      for (const child of el.children) counts.set(child.localName, (counts.get(child.localName) || 0) + 1);
      let [name, most] = ["", 0];
      for (const [n, c] of counts) if (c > most) [name, most] = [n, c];
      if (most < 3 || /^(script|style|link|meta|br|option|p|head|body)$/.test(name)) continue;
      const rows = [...el.children].filter((child) => child.localName === name && (seen.has(child) || fold(contentOf(child))));
      if (rows.length > 1) found.push([el, rows]);
    }
    // A row is kept as a whole: what is listed inside the rows of a longer list belongs to these.
    const many = new Map();
    for (const [, rows] of found) for (const row of rows) many.set(row, rows.length);
    return found.filter(([el, rows]) => {
      for (let n = el; n; n = above(n)) if (many.get(n) > rows.length) return false;
      return true;
    });
  }
  const holds = (row, inner) => {
    for (let n = inner; n; n = above(n)) if (n === row) return true;
    return false;
  };
  const seen = new WeakMap(); // row -> its text when it was last looked at
  const keys = new WeakMap(); // row -> its key then
  const sizes = new WeakMap(); // list -> its rows then
  function collect() {
    let all = 0;
    const grown = []; // lists with other rows, and how many they have
    // Lists inside others come first.
    for (const [list, rows] of lists().reverse()) {
      const path = pathOf(list);
      let known = kept.get(path) || new Map();
      let fresh = 0, changed = 0;
      for (const row of rows) {
        const text = contentOf(row);
        const before = seen.get(row);
        if (before === text) continue;
        if (before === undefined) fresh++;
        seen.set(row, text);
        const key = rowKey(row);
        const old = keys.get(row);
        keys.set(row, key);
        if (known.has(key)) continue;
        changed++;
        const clone = row.outerHTML.length < 100000 ? copyOf(row) : null;
        // What holds a longer list that got other rows is still the same; a row that is used again for another record is not.
        const isFrame = before !== undefined && grown.some(([inner, many]) => many >= rows.length && holds(row, inner));
        if (isFrame && known.has(old)) known = new Map([...known].map(([k, v]) => (k === old ? [key, clone] : [k, v])));
        else known.set(key, clone);
      }
      kept.set(path, known);
      // Rows that are used again for other records say so only of lists that are longer than what is around them.
      if (fresh || changed || sizes.get(list) !== rows.length) grown.push([list, fresh ? rows.length : rows.length - 1]);
      sizes.set(list, rows.length);
    }
    for (const rows of kept.values()) all += rows.size;
    return all;
  }
  // The longest list, and the rows that are known of it.
  let longest = null, longestPath = "";
  function findLongest() {
    let most = 0;
    for (const [list, rows] of lists()) if (rows.length > most) [longest, most] = [list, rows.length];
    longestPath = longest ? pathOf(longest) : "";
  }
  const rowsOfLongest = () => (kept.get(longestPath) || new Map()).size;

  // ---- controls ------------------------------------------------------------------------------------------------
  const heading = (el) => {
    const set = el.closest("fieldset, [role=group], [role=radiogroup], [role=listbox], [role=tablist]");
    if (set) {
      const legend = set.querySelector(":scope > legend");
      if (legend && fold(legend.textContent)) return fold(legend.textContent);
      const by = (set.getAttribute("aria-labelledby") || "").split(" ")[0];
      const named = set.getAttribute("aria-label") || (by && document.getElementById(by) || {}).textContent;
      if (fold(named)) return fold(named);
    }
    const details = el.closest("details");
    const summary = details && details.querySelector(":scope > summary");
    if (summary && fold(summary.textContent)) return fold(summary.textContent);
    let up = el;
    for (let level = 0; level < 6 && up.parentElement; level++) {
      for (let s = up.previousElementSibling, n = 0; s && n < 60; s = s.previousElementSibling, n++) {
        const head = s.matches("h1,h2,h3,h4,h5,h6,legend,summary,dt,b,strong,label:not([for])") ? s : null;
        if (head && !head.querySelector("input") && fold(head.textContent)) return fold(head.textContent).slice(0, 60);
      }
      up = up.parentElement;
      if (up === document.body) break;
    }
    return "";
  };
  const labelOf = (el) => {
    const label = el.labels && el.labels[0];
    if (label && fold(label.textContent)) return textOf(label);
    const own = el.getAttribute("aria-label") || el.getAttribute("placeholder") || el.getAttribute("title");
    if (fold(own)) return fold(own);
    const next = el.nextSibling && fold(el.nextSibling.textContent);
    return next || fold(el.name) || fold(el.value);
  };
  // The text of a label without the controls in it.
  const wordsOf = (label) => {
    if (!label) return "";
    const copy = label.cloneNode(true);
    for (const control of copy.querySelectorAll("select, input, textarea, button")) control.remove();
    return fold(copy.textContent).replace(/\s*[::]$/, "").slice(0, 60);
  };
  const isScripted = (el) => {
    // A form with a real action and a named field is sent by its address; that is no work for a browser.
    const form = el.form;
    if (!form) return true;
    const action = form.getAttribute("action");
    const real = action !== null && !/^\s*(javascript:|#|about:)/i.test(action) && action.trim() !== "";
    return !(el.name && (real || (action === null && form.querySelector("[type=submit], button:not([type])") && !form.onsubmit)));
  };
  const inRow = (el) => {
    // Controls that stand in every row of a list belong to its rows.
    const name = textOf(el) || el.getAttribute("aria-label") || "";
    let row = el.parentElement;
    for (let level = 0; level < 8 && row && row !== document.body; level++, row = row.parentElement) {
      const list = row.parentElement;
      if (!list || list.childElementCount < 3 || !row.querySelector("a[href]")) continue;
      const same = [...list.children].filter((c) => c !== row && c.localName === row.localName && c.querySelector("a[href]") &&
        [...c.querySelectorAll(el.localName)].some((o) => (textOf(o) || o.getAttribute("aria-label") || "") === name));
      if (same.length >= 2) return true;
    }
    return false;
  };
  const startTag = (el) => {
    const copy = el.cloneNode(false);
    copy.textContent = textOf(el) || fold(el.value);
    return copy.outerHTML.slice(0, 600);
  };
  let handles = new Map();
  // What was chosen, of each group that has one choice, before anything was worked.
  let initial = null;
  const isSingle = (control, el) => control.kind === "select" || el.type === "radio" || el.matches("[role=tab], [role=radio], [role=option]");
  function controls() {
    const found = findControls();
    if (!initial) initial = new Set(found.filter((c) => c.on && isSingle(c, handles.get(c.id))).map(nameOf));
    return found;
  }
  const nameOf = (control) => control.kind + "." + control.group + "=" + control.value;
  function findControls() {
    handles = new Map();
    const found = [];
    const groups = new Map();
    const add = (el, kind, group, value, on) => {
      const id = handles.size;
      handles.set(id, el);
      found.push({ id, kind, group: slug(group) || kind, value, on: !!on, tag: startTag(el) });
    };
    for (const el of everything(document)) {
      if (el.disabled) continue;
      const type = (el.getAttribute("type") || "text").toLowerCase();
      if (el.localName === "input" && (type === "checkbox" || type === "radio")) {
        const label = labelOf(el);
        if (!label || !isScripted(el)) continue;
        add(el, "check", heading(el) || el.name, withoutCount(label), el.checked);
      } else if (el.localName === "input" && /^(text|search)$/.test(type)) {
        if (visible(el) && isScripted(el) && !el.readOnly) add(el, "type", labelOf(el) || el.name || "text", "", false);
      } else if (el.localName === "select") {
        if (!isScripted(el) || el.multiple) continue;
        const group = wordsOf(el.labels && el.labels[0]) || el.getAttribute("aria-label") || el.name || heading(el) || "select";
        for (const option of el.options) {
          const label = fold(option.label);
          if (!label) continue;
          const id = handles.size;
          handles.set(id, option);
          found.push({ id, kind: "select", group: slug(group) || "select", value: withoutCount(label), on: option.selected, tag: startTag(el) });
        }
      } else if (el.matches("[role=tab], [role=radio], [role=checkbox], [role=option], button[aria-pressed], button, [role=button]")) {
        const label = textOf(el) || el.getAttribute("aria-label") || "";
        if (!label || label.length > 60 || !visible(el) || inRow(el)) continue;
        if (el.localName === "button" && el.form && el.type === "submit") continue;
        if (el.closest("a[href]") || pageNumber(el)) continue;
        const parent = el.parentElement && el.parentElement.childElementCount === 1 ? el.parentElement.parentElement : el.parentElement;
        if (!groups.has(parent)) groups.set(parent, []);
        groups.get(parent).push([el, label]);
      }
    }
    for (const members of groups.values()) {
      const marked = members.filter(([el]) => el.matches("[role=tab], [role=radio], [role=checkbox], [role=option], [aria-pressed], [aria-selected]"));
      if (members.length < 2 || (marked.length === 0 && members.length < 3)) continue;
      for (const [el, label] of members) {
        const on = ["aria-pressed", "aria-selected", "aria-checked"].some((name) => el.getAttribute(name) === "true");
        add(el, "press", heading(el) || "choice", withoutCount(label), on);
      }
    }
    return found;
  }
  const isButton = (el) => {
    const href = el.getAttribute("href");
    return el.matches("button, [role=button], input[type=button]") ||
      (el.localName === "a" && (href === null || /^(#.*|javascript:.*|)$/i.test(href.trim())));
  };
  // The number of a page: a button that is called so, beside one with the number before or behind it.
  function pageNumber(el) {
    const number = (one) => (/^\p{Nd}{1,4}$/u.test(fold(one.textContent)) ? parseInt(fold(one.textContent), 10) || 0 : 0);
    const own = number(el);
    if (!own) return 0;
    let around = el.parentElement;
    while (around && around.childElementCount < 2) around = around.parentElement;
    if (!around) return 0;
    const beside = [...around.querySelectorAll("*")].slice(0, 200).filter((one) => !one.childElementCount).map(number);
    return beside.includes(own + 1) || beside.includes(own - 1) ? own : 0;
  }
  // Whether a button stands directly behind the longest list, or behind what holds it.
  function isBehindLongest(el) {
    for (let part = longest, level = 0; part && level < 4 && part !== document.body; part = above(part), level++) {
      let after = part.nextElementSibling;
      for (let n = 0; after && n < 2; after = after.nextElementSibling) {
        if (!visible(after)) continue;
        n++;
        if (after === el || (holds(after, el) && after.querySelectorAll("a[href], input, select, textarea").length === 0)) return true;
      }
    }
    return false;
  }
  // Buttons that may bring further rows; which of them may be pressed is judged outside.
  function continuations() {
    handles = new Map();
    const found = [];
    findLongest();
    for (const el of everything(document)) {
      if (!isButton(el) || el.disabled || el.getAttribute("aria-disabled") === "true" || !visible(el)) continue;
      if (el.localName === "button" && el.form && el.type === "submit" && el.form.getAttribute("action")) continue;
      const text = textOf(el) || fold(el.value);
      const name = fold(el.getAttribute("aria-label") || el.getAttribute("title"));
      if ((!text && !name) || text.length > 60 || inRow(el)) continue;
      const id = handles.size;
      handles.set(id, el);
      found.push({ id, text, name, tag: startTag(el), number: pageNumber(el), behind: isBehindLongest(el) });
    }
    return found;
  }
  function press(id) {
    const el = handles.get(id);
    if (!el || !el.isConnected || el.disabled || (el.localName !== "option" && el.type !== "checkbox" && el.type !== "radio" && !visible(el))) return false;
    if (el.localName === "option") {
      const select = el.closest("select");
      select.value = el.value;
      select.dispatchEvent(new Event("input", { bubbles: true }));
      select.dispatchEvent(new Event("change", { bubbles: true }));
      return true;
    }
    el.click();
    return true;
  }
  const keyboard = (el, type, key) => el.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true }));
  function type(id, text) {
    const el = handles.get(id);
    if (!el || !el.isConnected) return false;
    el.focus();
    const last = text.slice(-1);
    keyboard(el, "keydown", last);
    el.value = text;
    el.dispatchEvent(new InputEvent("input", { bubbles: true, data: text, inputType: "insertText" }));
    keyboard(el, "keyup", last);
    el.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  }
  function enter(id) {
    const el = handles.get(id);
    if (!el || !el.isConnected) return false;
    keyboard(el, "keydown", "Enter");
    keyboard(el, "keyup", "Enter");
    if (el.form) el.form.requestSubmit();
    return true;
  }
  const canScroll = (el) => el.matches("div,ul,ol,main,section,tbody,table") || el.localName.includes("-");
  // Whether anything is higher than what shows it.
  function scrolls() {
    const root = document.scrollingElement;
    if (root && root.scrollHeight > innerHeight + 10) return true;
    return [...everything(document)].some((el) => canScroll(el) && el.scrollHeight > el.clientHeight + 10 && el.clientHeight > 50 && /auto|scroll/.test(getComputedStyle(el).overflowY));
  }
  // Goes on by most of a window in whatever can be scrolled; false at the end.
  function scroll() {
    let moved = false;
    const on = (el, height, root) => {
      const before = el.scrollTop;
      el.scrollTop = before + Math.max(50, Math.floor(height * 0.8));
      if (el.scrollTop > before) {
        moved = true;
        (root ? document : el).dispatchEvent(new Event("scroll", { bubbles: !!root }));
      }
    };
    if (document.scrollingElement) on(document.scrollingElement, innerHeight, true);
    for (const el of everything(document)) {
      if (canScroll(el) && el.scrollHeight > el.clientHeight + 10 && el.clientHeight > 50 && /auto|scroll/.test(getComputedStyle(el).overflowY)) on(el, el.clientHeight, false);
    }
    return moved;
  }
  // To the end of whatever can be scrolled, or some windows before it.
  function scrollTo(isEnd) {
    const on = (el, height) => {
      const end = el.scrollHeight - height;
      el.scrollTop = isEnd ? end : Math.max(0, end - 3 * height);
      (el === document.scrollingElement ? document : el).dispatchEvent(new Event("scroll", { bubbles: el === document.scrollingElement }));
    };
    if (document.scrollingElement) on(document.scrollingElement, innerHeight);
    for (const el of everything(document)) {
      if (canScroll(el) && el.scrollHeight > el.clientHeight + 10 && el.clientHeight > 50 && /auto|scroll/.test(getComputedStyle(el).overflowY)) on(el, el.clientHeight);
    }
    return true;
  }
  // Another view of the page, by the part of its address behind the #.
  function go(route) {
    location.hash = "#" + route;
    return true;
  }
  const REFUSE = /\b(reject|decline|refuse|deny|necessary only|only necessary|essential only|only essential|ablehnen|nur notwendige|nur erforderliche|refuser|rechazar|rifiuta|recusar|weigeren|odrzuć|отклонить)\b/i;
  // Cookie banners are answered with the least that can be chosen.
  function refuseCookies() {
    for (const box of document.querySelectorAll("[role=dialog], [id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i]")) {
      if (!/cookie|consent|datenschutz|privacy/i.test(box.textContent)) continue;
      for (const button of box.querySelectorAll("button, [role=button], input[type=button]")) {
        if (visible(button) && REFUSE.test(textOf(button) || button.value || "")) { button.click(); return true; }
      }
    }
    return false;
  }

  // Grids that are tables by their roles (WAI-ARIA) are written as tables.
  function asTables(root) {
    const GRID = "[role=grid], [role=table], [role=treegrid]";
    const CELL = "[role=gridcell], [role=cell], [role=columnheader], [role=rowheader]";
    const like = (el, name) => {
      const made = document.createElement(name);
      if (el.getAttribute("class")) made.setAttribute("class", el.getAttribute("class"));
      return made;
    };
    for (const grid of root.querySelectorAll(GRID)) {
      if (grid.localName === "table" || grid.querySelector("table")) continue;
      const rows = [...grid.querySelectorAll("[role=row]")].filter((row) => row.closest(GRID) === grid);
      const table = document.createElement("table");
      const head = document.createElement("thead"), body = document.createElement("tbody");
      for (const row of rows) {
        const made = like(row, "tr");
        for (const cell of row.querySelectorAll(CELL)) {
          if (cell.closest("[role=row]") !== row) continue;
          const own = like(cell, cell.getAttribute("role") === "columnheader" ? "th" : "td");
          while (cell.firstChild) own.appendChild(cell.firstChild);
          made.appendChild(own);
        }
        if (!made.childElementCount) continue;
        (made.querySelector("td") || body.childElementCount ? body : head).appendChild(made);
      }
      if (body.childElementCount < 2) continue;
      for (const row of rows) row.remove();
      table.append(head, body);
      grid.appendChild(table);
    }
  }

  // ---- the document as it stands ---------------------------------------------------------------------------
  function snapshot(address, allowed, mostBytes, leads) {
    const state = new URL(address);
    const reserved = [...state.searchParams].filter(([name]) => name.startsWith(PREFIX));
    const href = (control, isOneOf) => {
      const name = PREFIX + control.kind + "." + control.group;
      const url = new URL(state);
      const kept = [...url.searchParams].filter(([n, v]) => !(n === name && (isOneOf || v === control.value)));
      // What was chosen at first is the page without that choice.
      const isBack = isOneOf ? !control.on && initial.has(nameOf(control)) : control.on;
      url.search = new URLSearchParams(isBack ? kept : [...kept, [name, control.value]]).toString();
      return url.href;
    };
    let nodes = 0, cut = false;
    const copies = new Map();
    const copy = (node) => {
      if (++nodes > MAX_NODES) { cut = true; return null; }
      if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE || node.localName === "noscript") return null;
      const made = node.cloneNode(false);
      copies.set(node, made);
      if (node.localName === "slot" && node.assignedNodes().length) {
        for (const child of node.assignedNodes()) { const c = copy(child); if (c) made.appendChild(c); }
        return made;
      }
      const from = node.localName === "template" ? [] : (node.shadowRoot || node).childNodes;
      for (const child of from) { const c = copy(child); if (c) made.appendChild(c); }
      return made;
    };
    // What has changed since the last look.
    collect();
    const pages = controls();
    const root = copy(document.documentElement);
    const may = new Set(allowed);
    const selects = new Map();
    for (const control of pages) {
      if (!may.has(nameOf(control))) continue;
      const live = handles.get(control.id);
      const name = PREFIX + control.kind + "." + control.group;
      if (control.kind === "select") {
        const select = live.closest("select");
        if (!selects.has(select)) selects.set(select, []);
        selects.get(select).push([control, href(control, true)]);
        continue;
      }
      const made = copies.get(live);
      if (!made || !made.parentNode) continue;
      if (control.kind === "type") {
        for (const [n, v] of [...made.attributes].map((a) => [a.name, a.value])) if (/^on/.test(n)) made.removeAttribute(n);
        made.setAttribute("name", name);
        if (live.value) made.setAttribute("value", live.value);
        let form = made.closest("form");
        if (!form) {
          form = document.createElement("form");
          made.parentNode.replaceChild(form, made);
          form.appendChild(made);
        }
        form.setAttribute("method", "get");
        form.setAttribute("role", "search");
        form.setAttribute("action", state.origin + state.pathname);
        for (const [n, v] of state.searchParams) {
          if (n === name) continue;
          const hidden = document.createElement("input");
          hidden.setAttribute("type", "hidden"); hidden.setAttribute("name", n); hidden.setAttribute("value", v);
          form.appendChild(hidden);
        }
        continue;
      }
      const link = document.createElement("a");
      link.setAttribute("href", href(control, isSingle(control, live)));
      if (control.on) link.setAttribute("aria-current", "true");
      if (control.kind === "check") {
        const label = live.labels && live.labels[0] && copies.get(live.labels[0]);
        if (label) {
          while (label.firstChild) { const c = label.firstChild; label.removeChild(c); if (c !== made) link.appendChild(c); }
          label.appendChild(link);
        } else {
          link.textContent = control.value;
          made.parentNode.insertBefore(link, made);
        }
        made.remove();
      } else {
        while (made.firstChild) link.appendChild(made.firstChild);
        const wrap = document.createElement("span");
        wrap.setAttribute("class", made.getAttribute("class") || "");
        made.parentNode.replaceChild(wrap, made);
        wrap.appendChild(link);
      }
    }
    for (const [select, options] of selects) {
      const made = copies.get(select);
      if (!made || !made.parentNode) continue;
      const list = document.createElement("ul");
      for (const [control, to] of options) {
        const item = document.createElement("li"), link = document.createElement("a");
        link.setAttribute("href", to); link.textContent = control.value;
        if (control.on) link.setAttribute("aria-current", "true");
        item.appendChild(link); list.appendChild(item);
      }
      made.parentNode.replaceChild(list, made);
    }
    // Rows that have left the document stand where they stood, in the order in which they came.
    for (const [list, rows] of lists()) {
      const known = kept.get(pathOf(list));
      const made = copies.get(list);
      if (!known || !made) continue;
      const present = new Map(rows.map((row) => [rowKey(row), copies.get(row)]));
      if (![...known.keys()].some((key) => !present.has(key))) continue;
      const before = rows.length && copies.get(rows[rows.length - 1]) ? copies.get(rows[rows.length - 1]).nextSibling : null;
      for (const row of present.values()) if (row && row.parentNode === made) made.removeChild(row);
      for (const [key, row] of known) {
        const use = present.get(key) || (row && copy(row));
        if (use) made.insertBefore(use, before && before.parentNode === made ? before : null);
      }
    }
    asTables(root);
    // Views of the page that have an address behind the # are states of it.
    const here = location.href.split("#")[0];
    // Links to places that are not on the page lead to views of it, where there are several.
    const dangling = new Set();
    for (const link of root.querySelectorAll("a[href^='#']")) {
      const place = link.getAttribute("href").trim().slice(1);
      const isPlace = [place, decoded(place)].some((name) => document.getElementById(name) || document.getElementsByName(name).length);
      if (place && !/^(top|[!/].*)$/i.test(place) && !isPlace) dangling.add(place);
    }
    for (const link of root.querySelectorAll("a[href*='#']")) {
      const to = link.getAttribute("href").trim();
      const route = to.startsWith("#") ? to.slice(1) : to.startsWith(here + "#") ? to.slice(here.length + 1) : "";
      const isView = /^!?\//.test(route) || (dangling.size >= MIN_VIEWS && dangling.has(route));
      if (!isView) continue;
      const [before, behind] = route.split("?");
      // A place on what is shown now.
      const isPlace = "#" + before === location.hash.split("?")[0] && [...new URLSearchParams(behind || "").values()].some((id) => document.getElementById(id));
      if (isPlace) { link.setAttribute("href", state.href); continue; }
      const url = new URL(stripped(state));
      if (!/^!?\/$/.test(route)) url.searchParams.append(PREFIX + "go.route", route);
      link.setAttribute("href", url.href);
    }
    // Where scripts wanted to lead the page is a link of it.
    const body = root.querySelector("body");
    for (const to of leads) {
      if (!body) break;
      const link = document.createElement("a");
      link.setAttribute("href", to); link.textContent = to;
      body.appendChild(link);
    }
    const head = root.querySelector("head");
    if (head && location.href.split("#")[0] !== stripped(state).split("#")[0] && !head.querySelector("base")) {
      const base = document.createElement("base");
      base.setAttribute("href", location.href);
      head.insertBefore(base, head.firstChild);
    }
    let html = "<!DOCTYPE html>\n" + root.outerHTML;
    if (html.length > mostBytes) { html = html.slice(0, mostBytes); cut = true; }
    return { html, nodes, cut, mutations };
  }
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const stripped = (state) => {
    const url = new URL(state);
    url.search = new URLSearchParams([...url.searchParams].filter(([name]) => !name.startsWith(PREFIX))).toString();
    return url.href;
  };
  globalThis.quarry = { controls, continuations, press, type, enter, scroll, scrolls, scrollTo, go, collect, refuseCookies, snapshot, rowsOfLongest, mutations: changes };
})();

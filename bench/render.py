#!/usr/bin/env python3
"""Pages that only scripts fill: rendered pages a second beside Playwright, memory over many pages, and a browser that is killed.

    python3 bench/render.py [--pages 200] [--kill-every 20] [--kill-program-every 0] [--per-host 1] [--browser /usr/bin/chromium] [--no-peer]

Serves pages whose texts stand in an attribute, encoded; harvests them with `quarry` (once undisturbed, once while its browser is
killed again and again) and shows them with Playwright, with the same Chromium. Linux only: memory is read from /proc.
"""

import argparse
import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import peers

SCRIPT = (
    "<script>const d=JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(document.body.dataset.d),c=>c.charCodeAt(0))));"
    "document.body.insertAdjacentHTML('beforeend',d)</script>"
)
TOWNS = ["Aarhus", "Bergen", "Cork", "Delft", "Evora"]
KINDS = ["chair", "table", "lamp", "shelf"]


def page(number, pages):
    """The HTML of a page; 0 is the list of all."""
    if number == 0:
        rows = "".join(f'<li><a href="/t/{n}">Thing number {n}</a></li>' for n in range(1, pages + 1))
        body = f"<h1>Things</h1><ul>{rows}</ul>"
    else:
        facts = {"Town": TOWNS[number % 5], "Kind": KINDS[number % 4], "Weight": f"{number * 7 % 900 + 3} g"}
        cells = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items())
        body = f"<h1>Thing number {number}</h1><p>It is one of {pages} things, found in drawer {number * 31 % 977}.</p><dl>{cells}</dl>"
    data = base64.b64encode(json.dumps(body).encode()).decode()
    return f'<!DOCTYPE html><html><head><meta charset=utf-8><title>Things</title></head><body data-d="{data}">{SCRIPT}</body></html>'


class Site:
    """The pages on a loopback port; counts what was asked for."""

    def __init__(self, pages):
        site = self
        self.served = 0

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                part = self.path.strip("/")
                number = int(part[2:]) if part.startswith("t/") and part[2:].isdigit() else 0 if part == "" else None
                found = number is not None and number <= pages
                content = (page(number, pages) if found else "<h1>Not found</h1>").encode()
                site.served += bool(number)
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def below(process):
    """The processes that a process has started, and those that these have."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rsplit(")", 1)[1].split()[1])
    found, open_ = [], [process]
    while open_:
        own = [child for child, parent in parents.items() if parent in open_]
        found += own
        open_ = own
    return found


def memory(process):
    """Proportional memory in MB."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def harvest(quarry, site, project, browser, kill_every=0, kill_program_every=0, per_host=1):
    """Harvests the site; returns seconds, rows of its table, kills and memory over time."""
    began, kills, seen = time.monotonic(), 0, []
    command = [quarry, "harvest", site.url, "-p", project, "--browser", browser, "--per-host", str(per_host), "-q"]
    next_program = kill_program_every
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    site.served, next_kill, next_look = 0, kill_every, 0.0
    while process.poll() is None:
        time.sleep(0.02)
        if kill_every and site.served >= next_kill:
            children = below(process.pid)
            if children:
                os.kill(children[0], signal.SIGKILL)
                kills, next_kill = kills + 1, site.served + kill_every
        if kill_program_every and site.served >= next_program:
            # As the kernel does it where memory ends: the browser goes with its pipe. The same command goes on.
            process.kill()
            process.wait()
            kills, next_program = kills + 1, site.served + kill_program_every
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if time.monotonic() > next_look:
            next_look = time.monotonic() + 2
            own = memory(process.pid)
            seen.append((site.served, own, sum(memory(child) for child in below(process.pid))))
    wall = time.monotonic() - began
    rows = [json.loads(line) for line in (Path(project) / "tables" / "entities.jsonl").open()]
    keep = lambda row: {key: value for key, value in row.items() if not key.startswith("_") and key not in ("site", "entity")}
    return wall, sorted(json.dumps(keep(row), sort_keys=True) for row in rows), kills, seen


PEER = """
import asyncio, sys, time
from playwright.async_api import async_playwright
async def main(url, pages, browser, tabs):
    async with async_playwright() as p:
        b = await p.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        context = await b.new_context()
        todo = list(range(pages, 0, -1))
        async def work():
            while todo:
                page = await context.new_page()
                await page.goto(f"{url}t/{todo.pop()}", wait_until="WAIT")
                assert "Town" in await page.content()
                await page.close()
        began = time.monotonic()
        await asyncio.gather(*(work() for _ in range(tabs)))
        print(time.monotonic() - began)
        await b.close()
asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], 4))
"""


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pages", type=int, default=200)
    options.add_argument("--kill-every", type=int, default=20)
    options.add_argument("--kill-program-every", type=int, default=0)
    options.add_argument("--per-host", type=int, default=1)
    options.add_argument("--browser", default=shutil.which("chromium") or "google-chrome")
    options.add_argument("--quarry", help="a program that is built already")
    options.add_argument("--no-peer", action="store_true")
    chosen = options.parse_args()
    quarry, site = chosen.quarry or peers.quarry(), Site(chosen.pages)
    with tempfile.TemporaryDirectory() as folder:
        wall, rows, _, seen = harvest(quarry, site, f"{folder}/whole", chosen.browser, per_host=chosen.per_host)
        print(f"quarry harvest: {len(rows)} rows, {chosen.pages / wall:.1f} rendered pages a second ({wall:.0f} s in all)")
        for share in (0.1, 0.5, 0.9):
            at = seen[int(share * (len(seen) - 1))]
            print(f"  after {at[0]} pages: quarry {at[1]:.0f} MB, Chromium {at[2]:.0f} MB")
        print(f"  most: quarry {max(s[1] for s in seen):.0f} MB, Chromium {max(s[2] for s in seen):.0f} MB")
        if chosen.kill_every:
            wall, again, kills, _ = harvest(quarry, site, f"{folder}/killed", chosen.browser, chosen.kill_every)
            same = "the same" if again == rows else f"ANOTHER: {len(set(rows) ^ set(again))} rows differ"
            print(f"browser killed {kills} times: {len(again)} rows, {same} table, {wall:.0f} s")
        if chosen.kill_program_every:
            wall, again, kills, _ = harvest(quarry, site, f"{folder}/resumed", chosen.browser, 0, chosen.kill_program_every)
            same = "the same" if again == rows else f"ANOTHER: {len(set(rows) ^ set(again))} rows differ"
            print(f"quarry killed {kills} times and started again: {len(again)} rows, {same} table, {site.served} pages asked for, {wall:.0f} s")
        if not chosen.no_peer:
            python = peers.venv("playwright")
            for wait in ("load", "networkidle"):
                command = [python, "-c", PEER.replace("WAIT", wait), site.url, str(chosen.pages), chosen.browser]
                seconds = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                print(f"Playwright, 4 pages at a time, until {wait}: {chosen.pages / seconds:.1f} pages a second")


if __name__ == "__main__":
    main()

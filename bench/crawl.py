#!/usr/bin/env python3
"""Crawl speed: Quarry (archive on) beside Scrapy and `wget -r` on one static site behind nginx.

    bench/crawl.py [--pages 20000] [--rounds 3]

Politeness is off for all three. What counts is pages per CPU-second of the crawler (user and system time
of its process), not wall-clock time: the server shares the machine. Needs nginx and wget.
"""

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import peers

SPIDER = '''
import scrapy


class Everything(scrapy.Spider):
    name = "everything"
    start_urls = ["{url}"]
    custom_settings = dict(
        ROBOTSTXT_OBEY=False, CONCURRENT_REQUESTS=16, CONCURRENT_REQUESTS_PER_DOMAIN=16,
        DOWNLOAD_DELAY=0, LOG_LEVEL="ERROR", COOKIES_ENABLED=False, TELNETCONSOLE_ENABLED=False,
    )
    pages = 0

    def parse(self, response):
        Everything.pages += 1
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse)

    def closed(self, reason):
        print("pages", Everything.pages)
'''

WORDS = "amber basin cedar delta ember flint grove harbor inlet jasper kettle lagoon meadow nettle orchard".split()


def write_site(folder, pages):
    """`pages` pages of about 2 KB with 20 links each; page i links to its children, neighbours and the front."""
    for number in range(pages):
        links = [0, (number - 1) % pages, (number + 1) % pages]
        links += [10 * number + k for k in range(1, 11) if 10 * number + k < pages]
        links += [(number * 7 + 31 * k) % pages for k in range(20 - len(links))]
        items = "".join(
            f'<li class="item"><a href="/{link // 1000}/{link}.html" title="Page {link}">'
            f"The {WORDS[link % 15]} of {WORDS[link // 15 % 15]} {link}</a></li>\n" for link in links
        )
        text = " ".join(WORDS[(number * 13 + k * k) % 15] for k in range(60))
        path = folder / str(number // 1000) / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page {number}</title></head>'
            f'<body><header><h1>Page {number}</h1></header><main><p>{text}.</p><ul class="links">\n{items}'
            f"</ul></main><footer>End of page {number}</footer></body></html>\n"
        )
    (folder / "index.html").write_text('<!DOCTYPE html><title>Front</title><a href="/0/0.html">Begin</a>')


def serve(site, folder, port):
    """Starts nginx on loopback for the site."""
    config = folder / "nginx.conf"
    config.write_text(
        f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        "events { worker_connections 512; }\n"
        f"http {{ access_log off; sendfile on; keepalive_requests 1000000; types {{ text/html html; }}\n"
        f" client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};\n"
        f" uwsgi_temp_path {folder}; scgi_temp_path {folder}; open_file_cache max=4000;\n"
        f" server {{ listen 127.0.0.1:{port}; root {site}; }} }}\n"
    )
    server = subprocess.Popen(["nginx", "-c", config, "-p", folder], stderr=subprocess.DEVNULL)
    for _ in range(50):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/").read()
            return server
        except OSError:
            time.sleep(0.1)
    sys.exit("crawl.py: nginx does not answer; see " + str(folder / "error.log"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=18_080)
    parser.add_argument("--skip", action="append", default=[], help="leave out a peer")
    options = parser.parse_args()
    for program in ["nginx", "wget"]:
        if not shutil.which(program):
            sys.exit(f"crawl.py: {program} is missing; apt-get install nginx-light wget")
    quarry = peers.quarry()
    scrapy = peers.venv("scrapy")
    url = f"http://127.0.0.1:{options.port}/"
    with tempfile.TemporaryDirectory(prefix="quarry-bench-") as name:
        folder = Path(name)
        site = folder / "site"
        write_site(site, options.pages)
        (folder / "spider.py").write_text(SPIDER.format(url=url))
        server = serve(site, folder, options.port)
        results = {"quarry": [], "wget": [], "scrapy": []}
        try:
            for round_number in range(options.rounds):
                for tool in results:
                    if tool in options.skip or (tool == "scrapy" and round_number > 0):
                        continue  # one round of Scrapy takes minutes, and differs little from the next
                    out = folder / f"{tool}-{round_number}"
                    log = folder / f"{tool}-{round_number}.log"
                    command = {
                        "quarry": [quarry, "crawl", url, "-p", out, "--limit", "1000000", "--delay", "0",
                                   "--per-host", "16", "--concurrency", "16", "--robots", "false",
                                   "--sitemaps", "false", "--quiet"],
                        "wget": ["wget", "-r", "-l", "inf", "-nv", "-e", "robots=off", "-P", out, url],
                        "scrapy": [scrapy, "-m", "scrapy", "runspider", folder / "spider.py"],
                    }[tool]
                    run = peers.timed([str(part) for part in command], log, cwd=folder)
                    run["pages"] = count(tool, quarry, out, log)
                    results[tool].append(run)
                    print(f"  {tool}: {run['pages']} pages, {run['cpu']:.1f} CPU-s, {run['wall']:.1f} s, "
                          f"{run['peak_mb']:.0f} MB", file=sys.stderr)
                    shutil.rmtree(out, ignore_errors=True)
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    rows = []
    for tool, runs in results.items():
        if not runs:
            continue
        best = max(runs, key=lambda run: run["pages"] / run["cpu"])
        rows.append({"tool": tool, "pages": best["pages"], "pages/CPU-s": round(best["pages"] / best["cpu"]),
                     "pages/s": round(best["pages"] / best["wall"]), "peak MB": round(best["peak_mb"])})
    ours = rows[0]["pages/CPU-s"]
    for row in rows:
        row["quarry is"] = f"{ours / row['pages/CPU-s']:.1f} x"
    peers.table(rows, list(rows[0]))
    peers.save("crawl", results)


def count(tool, quarry, out, log):
    """Pages that a tool has fetched, by its own account."""
    if tool == "quarry":
        report = subprocess.run([quarry, "report", "-p", out, "--json"], capture_output=True, check=True)
        return json.loads(report.stdout)["pages"]
    if tool == "wget":
        return sum(1 for _ in out.rglob("*.html"))
    return int(log.read_text().split("pages")[-1])


if __name__ == "__main__":
    main()

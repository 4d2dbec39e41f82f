#!/usr/bin/env python3
"""The whole job on a generated shop of about 20,000 pages: pages per second by stage, the share of parsing, memory.

    bench/pipeline.py [--entities 12000] [--keep DIR]

Then the archive alone is read again, on one thread and on two: the tables must be the same byte for byte. Beside it, in the same
run, a script with hand-written XPaths for this one theme (warcio and lxml) reads the same archive.
"""

import argparse
import hashlib
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import peers

# What somebody who writes selectors would write for this shop.
SELECTORS = """
import glob, json, sys
from lxml import html
from warcio.archiveiterator import ArchiveIterator
pages = values = 0
for path in sorted(glob.glob(sys.argv[1] + "/pages/*.warc.gz")):
    for record in ArchiveIterator(open(path, "rb")):
        if record.rec_type != "response" or "html" not in (record.http_headers.get_header("content-type") or ""):
            continue
        tree = html.fromstring(record.content_stream().read())
        pages += 1
        rows = []
        for card in tree.xpath('//div[@class="card"]'):
            row = {"entity": card.xpath('.//a[@class="card__title"]/@href')}
            for name in ("title", "maker", "fact", "teaser", "stars", "reviews", "old", "price", "stock"):
                row[name] = [node.text_content() for node in card.xpath(f'.//*[@class="card__{name}"]')]
            rows.append(row)
        title = tree.xpath('//h1[@class="product__title"]/text()')
        pairs = {tr.xpath("string(th)"): tr.xpath("string(td)") for tr in tree.xpath('//table[@class="specs"]//tr')}
        rows.append({"title": title, **pairs})
        values += sum(len(row) for row in rows)
        json.dumps(rows)
print("pages", pages, "values", values)
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def digest(folder):
    """One number for all tables, and their names."""
    files = sorted(path for path in (folder / "tables").iterdir())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def seconds(text):
    """`1 min 4 s` and the like, in seconds."""
    units = {"h": 3600, "min": 60, "s": 1, "ms": 0.001}
    return sum(float(n) * units[unit] for n, unit in re.findall(r"([\d.]+) (h|min|ms|s)\b", text))


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--entities", type=int, default=12_000)
    flags.add_argument("--keep", type=Path)
    flags = flags.parse_args()
    python = peers.venv("warcio==1.8.1", "lxml==6.0.2")
    quarry = peers.quarry()
    peers.cargo("-p", "quarry-testsite", "--bin", "testsite")
    testsite = Path(quarry).parent / "testsite"
    with tempfile.TemporaryDirectory() as scratch:
        folder = flags.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        port = free_port()
        server = subprocess.Popen(
            [testsite, "serve", "--preset", "shop", "--entities", str(flags.entities), "--port", str(port)],
            stdout=subprocess.PIPE,
        )
        server.stdout.readline()
        log = folder / "log"
        url = f"http://127.0.0.1:{port}/"
        run = [quarry, "harvest", "-v", "--limit", "1000000", "--per-host", "8"]
        whole = peers.timed([*run, url, "-p", folder / "site"], log)
        text = log.read_text()
        server.kill()
        if whole["status"] != 0:
            sys.exit(text)
        pages = int(re.search(r": ([\d,]+) pages, ", text)[1].replace(",", ""))
        stages, parsing = re.search(r"^time: (.*); parsing, on all threads, (.*)$", text, re.M).groups()
        rows = []
        for stage in stages.split(", "):
            name, took = re.match(r"([a-z ]+?) ([\d.].*)", stage).groups()
            rows.append({"stage": name, "seconds": f"{seconds(took):.1f}", "pages/s": f"{pages / seconds(took):.0f}"})
        print(f"{pages} pages, {whole['wall']:.0f} s, {whole['cpu']:.0f} CPU-s, {whole['peak_mb']:.0f} MB")
        peers.table(rows, ["stage", "seconds", "pages/s"])

        print("\nthe archive alone")
        rows, digests = [], []
        for threads in (1, 2):
            out = folder / f"again-{threads}"
            environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
            took = peers.timed([quarry, "harvest", "-v", folder / "site", "-p", out], log, env=environment)
            if took["status"] != 0:
                sys.exit(log.read_text())
            parsing = seconds(re.search(r"on all threads, (.*)$", log.read_text(), re.M)[1])
            digests.append(digest(out))
            rows.append({
                "who": f"quarry, {threads} threads", "wall s": f"{took['wall']:.1f}", "CPU s": f"{took['cpu']:.1f}",
                "pages/CPU-s": f"{pages / took['cpu']:.0f}", "parsing": f"{100 * parsing / took['cpu']:.0f} %",
                "MB": f"{took['peak_mb']:.0f}",
            })
        script = folder / "by_hand.py"
        script.write_text(SELECTORS)
        took = peers.timed([python, script, folder / "site"], log)
        if took["status"] != 0:
            sys.exit(log.read_text())
        rows.append({
            "who": "lxml, XPaths by hand", "wall s": f"{took['wall']:.1f}", "CPU s": f"{took['cpu']:.1f}",
            "pages/CPU-s": f"{pages / took['cpu']:.0f}", "MB": f"{took['peak_mb']:.0f}",
        })
        peers.table(rows, ["who", "wall s", "CPU s", "pages/CPU-s", "parsing", "MB"])
        same = digests[0] == digests[1]
        differ = [name for name in digests[0] if digests[0][name] != digests[1].get(name)]
        print("\ntables on one and two threads: " + ("the same, byte for byte" if same else f"DIFFERENT: {differ}"))
        peers.save("pipeline", rows)
        sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()

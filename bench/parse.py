#!/usr/bin/env python3
"""Parse speed: Quarry beside `scraper` (Rust), lxml and selectolax (Python around C) on the same pages.

    bench/parse.py FOLDER…

Each parses every page, walks the whole tree and takes the text of all text nodes; the best of three rounds counts,
in MB of HTML per CPU-second. The two Rust parsers run in one process (`parse_speed`), the two Python ones in another.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import peers

ENDINGS = (".html", ".htm", ".xhtml", ".testhtml")

PYTHON = r'''
import json, sys, time
from pathlib import Path
import lxml.etree, lxml.html
from selectolax.lexbor import LexborHTMLParser

files = json.load(sys.stdin)
pages = [Path(f).read_bytes() for f in files]

def with_lxml(page):
    try:
        tree = lxml.html.document_fromstring(page)
    except (lxml.etree.ParserError, ValueError):
        return 0
    total = 0
    for node in tree.iter():
        if isinstance(node.tag, str):
            total += len(node.text or "")
        total += len(node.tail or "")
    return total

def with_selectolax(page):
    total = 0
    for node in LexborHTMLParser(page).root.traverse(include_text=True):
        if node.tag == "-text":
            total += len(node.text_content or "")
    return total

for name, parse in [("lxml", with_lxml), ("selectolax", with_selectolax)]:
    best = None
    for _ in range(3):
        began = time.process_time()
        for page in pages:
            parse(page)
        spent = time.process_time() - began
        best = min(best or spent, spent)
    print(name, sum(map(len, pages)) / 1e6 / best)
'''


def main():
    folders = sys.argv[1:]
    if not folders:
        sys.exit(__doc__)
    peers.cargo("-p", "quarry-dom", "--example", "parse_speed")
    target = Path(os.environ.get("CARGO_TARGET_DIR", peers.ROOT / "target"))
    python = peers.venv("lxml", "selectolax")
    rows = []
    for folder in folders:
        files = sorted(str(p) for p in Path(folder).rglob("*") if p.suffix in ENDINGS)
        if not files:
            print(f"parse.py: no pages in {folder}", file=sys.stderr)
            continue
        rust = subprocess.run([target / "release/examples/parse_speed", folder], check=True, capture_output=True, text=True).stdout
        speeds = {name: float(speed) for name, speed in re.findall(r"(\w+)\s+([\d.]+) MB/s", rust)}
        out = subprocess.run([python, "-c", PYTHON], input=json.dumps(files), check=True, capture_output=True, text=True).stdout
        speeds |= {line.split()[0]: float(line.split()[1]) for line in out.splitlines()}
        heap = re.search(r"heap ([\d.]+) x", rust)
        row = {"pages": Path(folder).name, "heap": (heap.group(1) + " x") if heap else ""}
        for name, speed in speeds.items():
            ratio = "" if name == "quarry" else f" ({speeds['quarry'] / speed:.1f} x)"
            row[name] = f"{speed:.0f}{ratio}"
        rows.append(row)
    peers.table(rows, ["pages", "quarry", "scraper", "lxml", "selectolax", "heap"])
    print("MB of HTML per CPU-second; in brackets, how many times faster Quarry is; heap of a document by input")
    peers.save("parse", rows)


if __name__ == "__main__":
    main()

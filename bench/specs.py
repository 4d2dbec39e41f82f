#!/usr/bin/env python3
"""Specifications: Quarry beside `pandas.read_html` and `extruct` on the same product pages.

    bench/specs.py FOLDER…

Each reads every page of the folders from its bytes, one page at a time on one core; the best of three rounds counts, in pages
per CPU-second. They do not do the same: read_html reads all tables and tells no specification from the rest, extruct reads
what is embedded for machines only.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import peers

ENDINGS = (".html", ".htm")

PYTHON = r'''
import io, json, sys, time, warnings
from pathlib import Path
warnings.filterwarnings("ignore")
import extruct, pandas

pages = [Path(f).read_bytes().decode("utf-8", "replace") for f in json.load(sys.stdin)]

def with_pandas(page):
    try:
        return sum(len(table) for table in pandas.read_html(io.StringIO(page)))
    except (ValueError, AttributeError, IndexError):
        return 0

def with_extruct(page):
    try:
        found = extruct.extract(page, syntaxes=["json-ld", "microdata", "rdfa"])
        return sum(map(len, found.values()))
    except Exception:
        return 0

for name, read in [("pandas.read_html", with_pandas), ("extruct", with_extruct)]:
    best = None
    for _ in range(3):
        began = time.process_time()
        for page in pages:
            read(page)
        spent = time.process_time() - began
        best = min(best or spent, spent)
    print(json.dumps([name, len(pages) / best]))
'''


def main():
    folders = sys.argv[1:]
    if not folders:
        sys.exit(__doc__)
    peers.cargo("-p", "quarry-extract", "--example", "spec_speed")
    target = Path(os.environ.get("CARGO_TARGET_DIR", peers.ROOT / "target"))
    python = peers.venv("pandas", "lxml", "extruct")
    rows = []
    for folder in folders:
        files = sorted(str(p) for p in Path(folder).rglob("*") if p.suffix in ENDINGS)
        if not files:
            print(f"specs.py: no pages in {folder}", file=sys.stderr)
            continue
        environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
        out = subprocess.run([target / "release/examples/spec_speed", folder], check=True, capture_output=True, text=True, env=environment).stdout
        speeds = {"quarry": float(re.search(r"([\d.]+) pages/s", out).group(1))}
        out = subprocess.run([python, "-c", PYTHON], input=json.dumps(files), check=True, capture_output=True, text=True).stdout
        speeds |= dict(map(json.loads, out.splitlines()))
        row = {"pages": f"{Path(folder).name} ({len(files)})"}
        for name, speed in speeds.items():
            row[name] = f"{speed:.1f}/s"
            if name != "quarry":
                row[f"quarry / {name}"] = f"{speeds['quarry'] / speed:.1f}"
        rows.append(row)
    if rows:
        peers.table(rows, list(rows[0]))
        peers.save("specs", rows)


if __name__ == "__main__":
    main()

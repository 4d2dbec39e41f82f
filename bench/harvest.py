#!/usr/bin/env python3
"""Harvest quality: generated sites of every preset, harvested from the front page with defaults, beside their truth.

    bench/harvest.py [--preset NAME …] [--entities 200] [--seed N] [--theme NAME] [--turns 2] [--show]

Turn 1 is each preset as it is; each further turn takes another seed and the next theme. Compared is (entity, attribute,
value) over the attributes that the truth names, all sources together and one by one: what a source shows is what the truth
says it shows. A column is right if it holds all that was found of one attribute and nothing of another. `--show` lists
what is wrong, with examples. Needs `cargo build --release --workspace --bins`.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
THEMES = ["cards", "classic", "semantic", "utility", "definitions", "loose"]
SOURCES = ["facet", "list", "spec"]
# Sites of links alone: no entities, nothing to compare.
WITHOUT_DATA = {"flat"}
# Sites that take long because they fail on purpose: fewer entities.
SLOW = {"faulty": 30}
# The share of a column's rows of one source that agree with an attribute before they are said to be this attribute.
SAME = 0.6


def fold(text):
    """A text as it is compared: `score crawl` does it alike."""
    return "".join(unicodedata.normalize("NFKC", str(text)).casefold().split())


def presets():
    """Name, number of entities and theme of each preset."""
    lines = subprocess.run([TARGET / "testsite", "presets"], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split() for line in lines[1:]]
    return [(row[0], int(row[1]), row[2]) for row in rows if row and row[0] not in WITHOUT_DATA]


def cases(arguments):
    """The sites to harvest: arguments for `testsite` by name."""
    for name, most, theme in presets():
        if arguments.preset and name not in arguments.preset:
            continue
        for turn in range(arguments.turns):
            own = arguments.theme or THEMES[(THEMES.index(theme) + turn) % len(THEMES)]
            options = ["--preset", name, "--entities", str(min(most, arguments.entities, SLOW.get(name, most))), "--set", f"theme={own}"]
            if arguments.seed is not None or turn:
                options += ["--seed", str((arguments.seed or 1000) + turn)]
            yield f"{name} {own}", options


class Truth:
    """What a site shows: values by entity and attribute, and which source shows which attribute."""

    def __init__(self, folder):
        self.values = collections.defaultdict(set)
        # Values that hold throughout, where a site changes meanwhile.
        self.lasting = {}
        self.names, self.shows = {}, collections.defaultdict(set)
        self.entities, self.certain = set(), None
        for file in ["truth.jsonl", "truth_end.jsonl"]:
            if not (folder / file).exists():
                continue
            seen = set()
            for line in map(json.loads, (folder / file).open()):
                seen.add(line["url"])
                for name, texts in line["attributes"].items():
                    texts = texts if isinstance(texts, list) else [texts]
                    self.names[fold(name)] = name
                    key, texts = (line["url"], fold(name)), set(map(fold, texts))
                    self.values[key] |= texts
                    self.lasting[key] = self.lasting.get(key, texts) & texts
                for name, _ in line["specs"]:
                    self.shows["spec"].add((line["url"], fold(name)))
            self.entities |= seen
            self.certain = seen if self.certain is None else self.certain & seen
        for line in map(json.loads, (folder / "attributes.jsonl").open()):
            for source in ["facet", "list"]:
                if line[source]:
                    keys = [(url, fold(line["name"])) for url in self.entities]
                    self.shows[source].update(key for key in keys if key in self.values)

    def triples(self, source=None):
        """(entity, attribute, value), of all that is there throughout, or of what a source shows."""
        return {(url, name, value) for (url, name), values in self.lasting.items() for value in values
                if url in self.certain and (source is None or (url, name) in self.shows[source])}


def harvest(name, options, folder):
    """Serves a site, harvests it, and gives its figures."""
    started = time.monotonic()
    site = subprocess.Popen([TARGET / "testsite", "serve", *options, "--out", folder / "truth"], stdout=subprocess.PIPE, text=True)
    try:
        url = site.stdout.readline().strip()
        ran = subprocess.run([TARGET / "quarry", "harvest", url, "-p", folder / "site"], capture_output=True, text=True, timeout=600)
    finally:
        site.kill()
        site.wait()
    tables = {}
    for table in ["values", "entities", "columns"]:
        out = subprocess.run([TARGET / "quarry", "export", "-p", folder / "site", "--table", table, "--format", "jsonl"],
                             capture_output=True, text=True)
        tables[table] = [json.loads(line) for line in out.stdout.splitlines()]
    strategy = [line.split()[1].rstrip(":") for line in ran.stderr.splitlines() if line.startswith("strategy")]
    figures = compare(Truth(folder / "truth"), tables)
    figures.update(name=name, strategy=(strategy or ["?"])[-1], status=ran.returncode, seconds=time.monotonic() - started)
    return figures


def path_of(url):
    """Path and query of an address."""
    parts = urllib.parse.urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def ratio(part, whole):
    return part / whole if whole else None


def score(truth, found):
    """Precision and recall of triples."""
    right = len(truth & found)
    return ratio(right, len(found)), ratio(right, len(truth))


def compare(truth, tables):
    rows = [(path_of(row["entity"]), fold(row["attribute"]), fold(row["value"]), row["source"], row) for row in tables["values"]]
    entities = {path_of(row["entity"]) for row in tables["entities"] if row.get("_state") != "removed"}
    figures = {"entities": (ratio(len(entities & truth.entities), len(entities)), ratio(len(entities & truth.certain), len(truth.certain)))}
    triples = truth.triples()
    # What holds for a while only is no mistake.
    passing = {(e, a, v) for (e, a), values in truth.values.items() for v in values} - triples
    known = [row for row in rows if row[1] in truth.names]
    figures["all"] = score(triples, {row[:3] for row in known} - passing)
    wrong, missing = collections.defaultdict(list), collections.defaultdict(list)
    for source in SOURCES:
        shown = truth.triples(source)
        found = {row[:3] for row in known if row[3] == source} - passing
        figures[source] = (score(triples, found)[0], score(shown, found)[1])
        for entity, attribute, value in sorted(shown - found):
            missing[source, attribute].append((entity, value))
    for entity, attribute, value, source, row in known:
        if (entity, attribute, value) not in triples | passing:
            wrong[source, attribute].append((row["value"], sorted(truth.values[entity, attribute])))
    found = {row[:3] for row in rows}
    for entity, attribute, value in sorted(triples - found):
        missing["all", attribute].append((entity, value))
    figures.update(columns(truth, rows), wrong=wrong, missing=missing, shown=len(tables["columns"]))
    figures["extra"] = sorted(entities - truth.entities)
    return figures


def columns(truth, rows):
    """Which attributes stand in one column of their own, and which of these have their name."""
    held = collections.defaultdict(list)
    for entity, attribute, value, source, _ in rows:
        held[attribute, source].append((entity, value))
    of_attribute, of_column = collections.defaultdict(set), collections.defaultdict(set)
    for (column, source), values in sorted(held.items()):
        best = (0.0, False, "")
        for name in sorted(truth.names):
            agree = sum(value in truth.values.get((entity, name), ()) for entity, value in values) / len(values)
            # Two attributes can say the same of every entity.
            best = max(best, (round(agree, 3), name == column, name))
        if best[0] >= SAME:
            of_attribute[best[2]].add(column)
            of_column[column].add(best[2])
    attributes = {name for _, name in truth.values}
    alone = {name for name in attributes if len(of_attribute[name]) == 1 and of_column[next(iter(of_attribute[name]))] == {name}}
    named = {name for name in attributes if name in of_attribute[name]}
    faults = [f"{truth.names[name]} in {sorted(of_attribute[name]) or 'no column'}" for name in sorted(attributes - alone)]
    faults += [f"{column} holds {sorted(names)}" for column, names in sorted(of_column.items()) if len(names) > 1]
    return {"merged": (len(alone), len(attributes)), "named": (len(named), len(attributes)), "faults": faults}


def text(figure):
    return "   - " if figure is None else f"{figure:.3f}"


def show(figures):
    """What is wrong, worst first."""
    if figures["extra"]:
        print(f"    {len(figures['extra'])} entities too many: {figures['extra'][:3]}")
    for fault in figures["faults"]:
        print(f"    column: {fault}")
    for kind in ["wrong", "missing"]:
        for (source, attribute), found in sorted(figures[kind].items(), key=lambda item: -len(item[1]))[:12]:
            print(f"    {kind} {len(found):5} {source} {attribute}: {found[0]} {found[len(found) // 2]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", action="append", help="only this preset; can be given several times")
    parser.add_argument("--entities", type=int, default=200, help="entities of a site at most (default 200)")
    parser.add_argument("--seed", type=int, help="where chance starts, instead of the presets' own seeds")
    parser.add_argument("--theme", choices=THEMES, help="one mark-up for all")
    parser.add_argument("--turns", type=int, default=2, help="sites of each preset (default 2)")
    parser.add_argument("--jobs", type=int, default=2, help="harvests at a time (default 2)")
    parser.add_argument("--show", action="store_true", help="list what is wrong, with examples")
    parser.add_argument("--keep", type=Path, help="folder for truth and projects, instead of a passing one")
    arguments = parser.parse_args()
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="quarry-harvest-"))
    head = ["entities P", "R", "all P", "R"] + [f"{source} {x}" for source in SOURCES for x in "PR"] + ["merged", "named", "columns"]
    print("| site | strategy | " + " | ".join(head) + " | s |\n|" + "---|" * (len(head) + 3))
    results = []

    def one(case):
        place = folder / case[0].replace(" ", "-")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        try:
            return harvest(*case, place)
        except subprocess.TimeoutExpired:
            return {"name": case[0]}
        finally:
            if not arguments.keep:
                shutil.rmtree(place, ignore_errors=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for figures in pool.map(one, cases(arguments)):
            if "all" not in figures:
                print(f"| {figures['name']} | took more than ten minutes |")
                continue
            results.append(figures)
            cells = [text(x) for key in ["entities", "all", *SOURCES] for x in figures[key]]
            cells += ["{}/{}".format(*figures[key]) for key in ["merged", "named"]] + [str(figures["shown"])]
            status = "" if figures["status"] == 0 else f" (exit {figures['status']})"
            print(f"| {figures['name']} | {figures['strategy']}{status} | " + " | ".join(cells) + f" | {figures['seconds']:.1f} |", flush=True)
            if arguments.show:
                show(figures)
    for label, pick in [("mean", lambda xs: sum(xs) / len(xs)), ("least", min)]:
        cells = []
        for key in ["entities", "all", *SOURCES]:
            for at in range(2):
                xs = [figures[key][at] for figures in results if figures[key][at] is not None]
                cells.append(text(pick(xs) if xs else None))
        for key in ["merged", "named"]:
            xs = [part / whole for figures in results for part, whole in [figures[key]] if whole]
            cells.append(text(pick(xs) if xs else None))
        print(f"| {label} | | " + " | ".join(cells) + " | | |")
    if not arguments.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

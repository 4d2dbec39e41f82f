#!/usr/bin/env python3
"""From one shop of a generated web and nothing else: discover, harvest, things, beside the truth.

    bench/discover.py [--sites 300] [--seed 921] [--category television] [--rounds 12] [--kills 3] [--keep DIR]

Real processes and sockets on loopback: `testsite web` is served, `quarry discover` begins with one shop (of those with this
category alone the one of median size), `quarry harvest --discovered` goes on with the sites that were found. Both are killed
(SIGKILL) `--kills` times on the way and started again. Printed are

- the sites found, beside those that publish specifications of the category;
- the category's products and their values in the table `things`, beside all that those sites print;
- pairs of entities of different sites that are one thing;
- what the servers' log says: requests that robots.txt forbids, steps into traps, hosts that are none of the web's, requests
  to a candidate. The graph names a private address, which many hubs link to: it must be a candidate (of the last round, which
  goes by links alone), and refused.

A value is right if it is printed on any page of the product, as a text or as a number (things give numbers in one unit).
Exit status 1 where a request was not allowed. Needs `cargo build --release --workspace --bins`.
"""

import argparse
import collections
import gzip
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
import urllib.parse
import urllib.request
import urllib.robotparser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
# A host that no request may reach.
PRIVATE = "10.0.0.7"
SITE_PAGES = 40
# Columns of `things` that are no attributes.
OWN = {"thing", "name", "sites", "entities"}
# The share of a column's values that an attribute must have before the column is said to be that attribute.
SAME = 0.6
# Factors between units that pages print and the unit of a column.
FACTORS = [1, 2.54, 1 / 2.54, 10, 0.1, 25.4, 1 / 25.4, 1000, 0.001, 0.45359237, 1 / 0.45359237, 28.349523, 1 / 28.349523]


def fold(text):
    return "".join(unicodedata.normalize("NFKC", str(text)).casefold().split())


def numbers(text):
    """The first number of a text, as it may be meant."""
    found = re.search(r"\d[\d.,' \u00a0\u202f]*", str(text))
    if not found:
        return []
    digits = re.sub(r"[' \u00a0\u202f]", "", found[0]).rstrip(".,")
    plain, german = digits.replace(",", ""), digits.replace(".", "").replace(",", ".")
    values = []
    for form in [plain, german]:
        try:
            values.append(float(form))
        except ValueError:
            pass
    return values


class Printed:
    """What pages print of one attribute of one product."""

    def __init__(self):
        self.texts, self.numbers = set(), []

    def add(self, texts):
        for text in texts if isinstance(texts, list) else [texts]:
            self.texts.add(fold(text))
            self.numbers += numbers(text)

    def holds(self, value, factor=1):
        if fold(value) in self.texts:
            return True
        if not isinstance(value, (int, float)) and not re.fullmatch(r"\s*[-+]?[\d.]+\s*[^\d\s]{0,6}\s*", str(value)):
            return False
        return any(abs(own * factor - number) <= 0.006 * abs(number) for own in numbers(value) for number in self.numbers)


def lines(path):
    with path.open() as file:
        return [json.loads(line) for line in file]


def host_of(url):
    return urllib.parse.urlsplit(url).netloc


class Web:
    """The served web and its truth."""

    def __init__(self, arguments, folder):
        self.folder = folder
        shape = ["--sites", str(arguments.sites), "--seed", str(arguments.seed), "--out", str(folder)]
        self.process = subprocess.Popen([TARGET / "testsite", "web", *shape], stdout=subprocess.PIPE, text=True)
        words = [self.process.stdout.readline().split()[-1] for _ in range(3)]
        self.search, self.proxy = words[0].rstrip("/"), words[1]
        self.sites = {line["host"]: line for line in lines(folder / "truth.jsonl")}
        self.category = arguments.category
        self.relevant = {host for host, line in self.sites.items() if self.category in line["relevant"]}
        # Product by address; what is printed by product and attribute; sites by product.
        self.product, self.printed = {}, collections.defaultdict(Printed)
        self.sellers = collections.defaultdict(set)
        for line in lines(folder / "products.jsonl"):
            if line["category"] != self.category:
                continue
            self.product[line["url"]] = line["base"]
            self.sellers[line["base"]].add(host_of(line["url"]))
            for name, texts in line["attributes"].items():
                self.printed[line["base"], name].add(texts)
        self.add_private_host()

    def add_private_host(self):
        """All hubs, directories and price comparisons link to a private address, says the graph."""
        vertices = gzip.decompress((self.folder / "vertices.txt.gz").read_bytes()).decode()
        edges = gzip.decompress((self.folder / "edges.txt.gz").read_bytes()).decode()
        number = vertices.count("\n")
        hubs = []
        for line in vertices.splitlines():
            at, reversed_host = line.split("\t")
            if self.sites[".".join(reversed(reversed_host.split(".")))]["kind"] in {"hub", "directory", "comparison"}:
                hubs.append(at)
        vertices += f"{number}\t{'.'.join(reversed(PRIVATE.split('.')))}\n"
        edges += "".join(f"{at}\t{number}\n" for at in hubs)
        (self.folder / "vertices.txt.gz").write_bytes(gzip.compress(vertices.encode()))
        (self.folder / "edges.txt.gz").write_bytes(gzip.compress(edges.encode()))

    def shop(self):
        """Of the shops with this category alone the one of median size."""
        alone = [line for line in self.sites.values() if line["kind"] == "shop" and line["relevant"] == [self.category]]
        alone.sort(key=lambda line: (line["products"], line["host"]))
        return alone[len(alone) // 2]

    def log(self):
        """Host and target of every request so far, and the trap that it stepped into."""
        found = []
        for line in (self.folder / "access.log").read_text().splitlines():
            match = re.search(r'"\w+ (http://\S+) HTTP/1.1" (\d+) .*?(?: violation=(\S+))?$', line)
            if match:
                parts = urllib.parse.urlsplit(match[1])
                found.append((parts.netloc, parts.path + (f"?{parts.query}" if parts.query else ""), match[3]))
        return found

    def robots(self, host):
        request = urllib.request.Request(f"{self.search}/robots.txt", headers={"Host": host})
        rules = urllib.robotparser.RobotFileParser()
        rules.parse(urllib.request.urlopen(request).read().decode().splitlines())
        return rules

    def stop(self):
        self.process.kill()
        self.process.wait()


def shaken(command, web, kills, every):
    """Runs a command that is killed each time it has sent so many requests more, and then left to finish."""
    killed, started, spent = 0, time.monotonic(), len(web.log())
    while True:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if killed == kills:
            out, _ = process.communicate()
            return out, process.returncode, killed, time.monotonic() - started
        while process.poll() is None and len(web.log()) < spent + every * (killed + 1):
            time.sleep(0.05)
        if process.poll() is not None:
            return process.stdout.read(), process.returncode, killed, time.monotonic() - started
        process.kill()
        process.wait()
        killed += 1


def ratio(part, whole):
    return part / whole if whole else 0.0


def site_figures(web, found, start):
    right = [site for site in found if site in web.relevant]
    wanted = web.relevant - {start}
    print(f"sites: {len(found)} found, P {ratio(len(right), len(found)):.3f}, R {ratio(len(right), len(wanted)):.3f} of {len(wanted)}")
    for site in sorted(set(found) - set(right)):
        print(f"    wrong: {site}, {web.sites[site]['kind'] if site in web.sites else 'none of the web'}")


def pair_figures(web, things):
    """Pairs of entities of different sites, by the products that they are."""
    entities = [(address, at) for at, thing in enumerate(things) for address in thing["entities"] if address in web.product]
    linked = right = 0
    for thing in things:
        for one, other in itertools.combinations([own for own in thing["entities"] if own in web.product], 2):
            if host_of(one) != host_of(other):
                linked += 1
                right += web.product[one] == web.product[other]
    by_product = collections.defaultdict(list)
    for address, _ in entities:
        by_product[web.product[address]].append(address)
    true = sum(host_of(one) != host_of(other) for own in by_product.values() for one, other in itertools.combinations(own, 2))
    p, r = ratio(right, linked), ratio(right, true)
    print(f"linked pairs: P {p:.3f}, R {r:.3f}, F1 {ratio(2 * p * r, p + r):.3f} of {true}")
    return set(by_product)


def columns_of(web, rows):
    """The attribute that each column is, and the factor between its unit and the pages'."""
    names = {name for _, name in web.printed}
    found = {}
    for column in {column for _, thing in rows for column in thing if column not in OWN}:
        cells = [(base, value) for base, thing in rows for value in values_of(thing.get(column))]
        best = (0.0, 0.0, "", 1)
        for name in names:
            for factor in FACTORS:
                agree = sum((base, name) in web.printed and web.printed[base, name].holds(value, factor) for base, value in cells)
                best = max(best, (ratio(agree, len(cells)), -abs(factor - 1), name, factor))
        if best[0] >= SAME:
            found[column] = best[2:]
    return found


def values_of(cell):
    return [] if cell is None else cell if isinstance(cell, list) else [cell]


def value_figures(web, things, seen, found):
    rows = []
    for thing in things:
        bases = collections.Counter(web.product[own] for own in thing["entities"] if own in web.product)
        if bases:
            rows.append((bases.most_common(1)[0][0], thing))
    columns = columns_of(web, rows)
    right = shown = 0
    covered, wrong = set(), collections.defaultdict(list)
    for base, thing in rows:
        for column, (name, factor) in columns.items():
            for value in values_of(thing.get(column)):
                shown += 1
                if (base, name) in web.printed and web.printed[base, name].holds(value, factor):
                    right += 1
                    covered.add((base, name))
                else:
                    wrong[name].append((value, sorted(web.printed[base, name].texts)[:3] if (base, name) in web.printed else None))
    products = set(web.sellers)
    at_found = {base for base, sellers in web.sellers.items() if sellers & found}
    print(f"products: {len(seen)} in things; R {ratio(len(seen), len(products)):.3f} of {len(products)} of all sites with the category, "
          f"{ratio(len(seen & at_found), len(at_found)):.3f} of {len(at_found)} of the sites found")
    every = set(web.printed)
    theirs = {key for key in every if key[0] in at_found}
    print(f"values: P {ratio(right, shown):.3f} of {shown}; R {ratio(len(covered & every), len(every)):.3f} of {len(every)} (product, attribute) "
          f"of all sites, {ratio(len(covered & theirs), len(theirs)):.3f} of the sites found")
    for name in sorted({name for _, name in every}):
        own = {key for key in theirs if key[1] == name}
        held = sorted(column for column, (of, _) in columns.items() if of == name)
        print(f"    {name:20} R {ratio(len(covered & own), len(own)):.3f} in {held or 'no column'}", end="")
        print(f"; wrong {len(wrong[name])}: {wrong[name][0]}" if wrong[name] else "")


def politeness(web, before, judged, kills):
    """What the servers' log says; true if all was allowed."""
    log = web.log()
    rules, forbidden, outside, trapped = {}, [], [], []
    address = host_of(web.search)
    for host, target, trap in log:
        name = host.removeprefix("www.")
        if trap:
            trapped.append((host, target, trap))
        if name == address:
            if not target.startswith("/search?") and target != "/robots.txt":
                outside.append((host, target))
            continue
        if name not in web.sites:
            outside.append((host, target))
            continue
        if target != "/robots.txt":
            if name not in rules:
                rules[name] = web.robots(name)
            if not rules[name].can_fetch("quarry", f"http://{host}{target}"):
                forbidden.append((host, target))
    by_host = collections.Counter(host for host, _, _ in log[:before] if host != address)
    most = max(by_host.values(), default=0)
    # A kill asks the group of sites again that was being looked at. Home page and its robots.txt come before.
    allowed = (2 * SITE_PAGES + 4) * (1 + kills)
    refused = [line for line in judged if line["site"] == PRIVATE]
    print(f"log: {len(log)} requests, {before} of them before the harvest; {len(forbidden)} against robots.txt, {len(trapped)} into traps, "
          f"{len(outside)} to other hosts; at most {most} to a candidate (allowed: {allowed})")
    for name, bad in [("against robots.txt", forbidden), ("into a trap", trapped), ("to another host", outside)]:
        for case in bad[:3]:
            print(f"    {name}: {case}")
    print(f"private address: {refused[0]['reason'] if refused else 'never a candidate'}")
    is_refused = bool(refused) and all(not line["relevant"] and line["pages"] == [0, 0] for line in refused)
    return not (forbidden or trapped or outside) and most <= allowed and is_refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=300)
    parser.add_argument("--seed", type=int, default=921)
    parser.add_argument("--category", default="television")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--kills", type=int, default=3, help="of each of the two commands")
    parser.add_argument("--keep", type=Path, help="folder for truth and project, instead of a passing one")
    arguments = parser.parse_args()
    folder = arguments.keep or Path(tempfile.mkdtemp(prefix="quarry-discover-"))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    web = Web(arguments, folder / "web")
    try:
        start = web.shop()
        named = [name for name in start["categories"]]
        print(f"web {arguments.seed}: {len(web.sites)} sites, {len(web.relevant)} with the category; from {start['host']}, {start['products']} products of {named}")
        project = str(folder / "project")
        graph = ",".join(str(web.folder / name) for name in ["vertices.txt.gz", "edges.txt.gz"])
        common = ["-p", project, "--proxy", web.proxy, "--delay", "0s"]
        # Most categories are printed in the plural.
        category = arguments.category + ("" if arguments.category == "software" else "es" if arguments.category.endswith("s") else "s")
        discover = [TARGET / "quarry", "discover", *common, "--from", f"http://{start['host']}/", "--category", category,
                    "--provider", f"searxng={web.search}", "--provider", f"graph={graph}", "--site-pages", str(SITE_PAGES),
                    "--all", "--format", "jsonl", "--rounds"]
        _, status, killed, seconds = shaken([*discover, str(arguments.rounds)], web, arguments.kills, 700)
        # One more round by links alone: what many hubs link to comes first.
        last = [*discover, str(arguments.rounds + 1), "--method", "backlinks", "--top", "3"]
        out = subprocess.run(last, capture_output=True, text=True, check=True).stdout
        judged = [json.loads(line) for line in out.splitlines()]
        found = [line["site"] for line in judged if line["relevant"]]
        before = len(web.log())
        print(f"discover: exit {status}, killed {killed} times, {seconds:.0f} s, {before} requests, {len(judged)} sites judged")
        site_figures(web, found, start["host"])
        _, status, killed, seconds = shaken([TARGET / "quarry", "harvest", "--discovered", *common], web, arguments.kills, 500)
        print(f"harvest: exit {status}, killed {killed} times, {seconds:.0f} s, {len(web.log()) - before} requests")
        table = subprocess.run([TARGET / "quarry", "export", "-p", project, "--table", "things", "--format", "jsonl"],
                               capture_output=True, text=True, check=True)
        things = [json.loads(line) for line in table.stdout.splitlines()]
        strangers = [own for thing in things for own in thing["entities"] if own not in web.product]
        print(f"things: {len(things)}, {sum(len(thing['entities']) for thing in things)} entities, {len(strangers)} of them no product of the category")
        seen = pair_figures(web, things)
        value_figures(web, things, seen, set(found) | {start["host"]})
        return 0 if politeness(web, before, judged, arguments.kills) else 1
    finally:
        web.stop()
        if not arguments.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

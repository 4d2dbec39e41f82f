#!/usr/bin/env python3
"""Redesigns: a generated site is harvested in one theme, then in another. Is it noticed, relearned, and read right?

    bench/redesign.py [--preset shop] [--entities 80]

Every theme to every other one; and, to see false alarms, every theme to itself after some of its data has changed. For each pair:
whether drift was reported, whether the new model was taken, the entities that count as the same, and the triples of the truth that the
second table has.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

import peers

THEMES = ["semantic", "utility", "classic", "cards", "definitions", "loose"]


def write(testsite, folder, preset, entities, theme, *knobs):
    """The site as an archive, and its truth."""
    knobs = [f"theme={theme}", *knobs]
    sets = [part for knob in knobs for part in ("--set", knob)]
    subprocess.run(
        [testsite, "write", "--preset", preset, "--entities", str(entities), *sets, "--warc", "--out", folder],
        check=True, stdout=subprocess.DEVNULL,
    )
    return folder / "site.warc.gz"


def truth(folder):
    """(address, attribute, value) triples."""
    found = set()
    for line in (folder / "truth.jsonl").read_text().splitlines():
        entity = json.loads(line)
        for name, values in entity["attributes"].items():
            for value in values if isinstance(values, list) else [values]:
                found.add((entity["url"], plain(name), value))
    return found


def plain(name):
    return re.sub(r"\W", "", name.lower())


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--preset", default="shop")
    flags.add_argument("--entities", type=int, default=80)
    flags = flags.parse_args()
    quarry = peers.quarry()
    peers.cargo("-p", "quarry-testsite", "--bin", "testsite")
    testsite = Path(quarry).parent / "testsite"
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        size = (flags.preset, flags.entities)
        first = {theme: write(testsite, scratch / theme, *size, theme) for theme in THEMES}
        later = {
            theme: write(testsite, scratch / f"{theme}-later", *size, theme, "changes.every=1000000000", "changes.most=20", "changes.passed=20")
            for theme in THEMES
        }
        for before in THEMES:
            for after in THEMES:
                second = later[after] if before == after else first[after]
                project = scratch / f"{before}-{after}"
                run = lambda archive: subprocess.run(
                    [quarry, "harvest", archive, "-p", project], capture_output=True, text=True
                )
                run(first[before])
                said = run(second).stderr
                table = lambda name: [
                    json.loads(line)
                    for line in subprocess.run(
                        [quarry, "export", "-p", project, "--table", name], capture_output=True, text=True
                    ).stdout.splitlines()
                ]
                states = [row["_state"] for row in table("entities")]
                real = truth(second.parent)
                read = {
                    (re.sub(r"^https?://[^/]+", "", row["entity"]), plain(row["attribute"]), row["value"])
                    for row in table("values")
                }
                names = {name for _, name, _ in real}
                shown = {triple for triple in read if triple[1] in names}
                # What only facets show is in no archive of pages by itself.
                rows.append({
                    "before": before, "after": after,
                    "noticed": "yes" if "changed its look" in said else "",
                    "learned": "anew" if "learned anew" in said else "kept" if "kept the old" in said else "",
                    "same": f"{states.count('same')}/{len(states)}",
                    "precision": f"{len(real & shown) / max(1, len(shown)):.3f}",
                    "recall": f"{len(real & shown) / len(real):.3f}",
                })
    peers.table(rows, list(rows[0]))
    changed = [row for row in rows if row["before"] != row["after"]]
    noticed = sum(row["noticed"] == "yes" for row in changed)
    alarms = sum(row["noticed"] == "yes" for row in rows) - noticed
    print(f"\nnoticed {noticed} of {len(changed)} redesigns; {alarms} false alarms in {len(rows) - len(changed)}")
    peers.save("redesign", rows)


if __name__ == "__main__":
    main()

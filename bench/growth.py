#!/usr/bin/env python3
"""Time and memory of a harvest while the records of a site grow to a million.

    bench/growth.py [--records 100000,300000,1000000] [--program PATH]

List pages of 100 records each, written as files: a linked name, maker, price, date, rating and a line of text. Time per record and peak
memory must stay flat.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import peers

PER_PAGE = 100
MAKERS = ["Orvel", "Saldo", "Vesna", "Kirkdal", "Tamber", "Ulm & Sons", "Nordlight", "Pexa", "Quill", "Reda"]
WORDS = "arc stone river amber field north glass copper linen harbour cedar plain orbit velvet summit ember".split()


def record(number, draw):
    name = f"{draw.choice(WORDS).title()} {draw.choice(WORDS)} {number}"
    return (
        f'<li class=card><h3><a href="/item/{number}">{name}</a></h3><span class=maker>{draw.choice(MAKERS)}</span>'
        f"<b class=price>{draw.randint(5, 900)}.{draw.randint(0, 99):02} EUR</b>"
        f'<time>20{draw.randint(10, 26)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}</time>'
        f'<i class=rating>{draw.randint(10, 50) / 10}</i><p class=note>{" ".join(draw.choices(WORDS, k=9))}.</p></li>'
    )


def write_site(folder, records):
    folder.mkdir(parents=True)
    draw = random.Random(2026)
    for page in range(records // PER_PAGE):
        items = "".join(record(page * PER_PAGE + n, draw) for n in range(PER_PAGE))
        html = (
            f"<!DOCTYPE html><title>Catalogue, page {page + 1}</title><header><a href=/>Home</a> <a href=/about>About</a></header>"
            f'<h1>Catalogue</h1><ul class=list>{items}</ul><nav><a href="/list/{page + 2}">Next</a></nav>'
        )
        (folder / f"{page:06}.html").write_text(html)


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--records", default="100000,300000,1000000")
    flags.add_argument("--program", help="a build of quarry; else the release build is made")
    flags = flags.parse_args()
    quarry = flags.program or peers.quarry()
    rows = []
    for records in map(int, flags.records.split(",")):
        with tempfile.TemporaryDirectory() as scratch:
            site, log = Path(scratch) / "site", Path(scratch) / "log"
            write_site(site, records)
            took = peers.timed([quarry, "harvest", site, "-p", Path(scratch) / "project"], log)
            if took["status"] != 0:
                sys.exit(log.read_text())
            with open(Path(scratch) / "project" / "tables" / "entities.jsonl", "rb") as table:
                entities = sum(1 for _ in table)
            rows.append({
                "records": records, "entities": entities, "wall s": f"{took['wall']:.0f}", "CPU s": f"{took['cpu']:.0f}",
                "CPU µs a record": f"{1e6 * took['cpu'] / records:.0f}", "MB": f"{took['peak_mb']:.0f}",
            })
    peers.table(rows, ["records", "entities", "wall s", "CPU s", "CPU µs a record", "MB"])
    peers.save("growth", rows)


if __name__ == "__main__":
    main()

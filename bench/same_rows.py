#!/usr/bin/env python3
"""Do the program, the Python package and Spark give the same tables, row for row?

    target/python-venv/bin/python bench/same_rows.py FOLDER… [--pages 60] [--sites 60] [--partitions 2,16]

Each FOLDER has HTML pages of one site (of `swde`, say); `--sites` adds generated ones. Spark runs as `local-cluster[2,1,2048]`: two worker
processes with a core each. Numbers are compared as they are, to the last bit. Needs the package with its extra `spark`, and Java 17.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["PYSPARK_PYTHON"] = sys.executable
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "crates" / "quarry-py" / "tests"))

import pyarrow as pa
import pyarrow.parquet as pq
import webquarry as wq
from pyspark.sql import SparkSession
from webquarry import spark as quarry

import conftest
import test_spark

# Exactly the same: the tests of the package compare numbers to fourteen digits.
test_spark.rounded = list
assert_same = test_spark.assert_same


class Folder:
    """The pages of a folder as a site of its own."""

    def __init__(self, number, source, pages, base):
        self.origin, self.folder = f"http://folder{number:02}.test", base / f"folder{number:02}"
        self.urls, self.rows = base / f"folder{number:02}-urls.jsonl", []
        self.folder.mkdir()
        files = sorted(path for path in source.iterdir() if path.suffix in (".htm", ".html"))[:pages]
        with open(self.urls, "w") as urls:
            for path in files:
                name, url = f"f{number:02}-{path.name}", f"{self.origin}/{path.name}"
                content = path.read_bytes()
                (self.folder / name).write_bytes(content)
                urls.write(json.dumps({"file": name, "url": url}) + "\n")
                self.rows.append({"page": name, "url": url, "content": content})

    harvest = conftest.GeneratedSite.harvest


def generated(count, base):
    program = os.environ.get("QUARRY_TESTSITE") or str(ROOT / "target" / "release" / "testsite")
    for number in range(count):
        out = base / f"written{number}"
        preset = conftest.PRESETS[number % len(conftest.PRESETS)]
        choice = ["--preset", preset, "--seed", str(number + 1), "--entities", str(20 + number)]
        subprocess.run([program, "write", *choice, "--warc", "--out", out], check=True, capture_output=True)
        yield conftest.GeneratedSite(number, next(out.glob("*.warc.gz")), base / f"site{number}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--sites", type=int, default=0)
    parser.add_argument("--partitions", default="2,16")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        sites = [Folder(number, folder, given.pages, base) for number, folder in enumerate(given.folder)]
        sites += generated(given.sites, base)
        expected, values = {}, 0
        for number, site in enumerate(sites):
            tables = expected[site.origin] = site.harvest(base / f"project{number}")
            pages = pa.Table.from_pylist(site.rows)
            made = wq.assemble(wq.learn(pages).read(pages))
            for name in ("entities", "values", "columns"):
                own, program = (getattr(each, name).to_pyarrow() for each in (made, tables))
                assert own.schema == program.schema and own.to_pylist() == program.to_pylist(), (site.origin, name)
            values += len(tables.values)
        print(f"{len(sites)} sites, {sum(len(site.rows) for site in sites)} pages, {values} values: the package gives the rows of the program", flush=True)
        spark = (
            SparkSession.builder.master("local-cluster[2,1,2048]").appName("same rows").config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").config("spark.executor.memory", "2g")
            .config("spark.sql.shuffle.partitions", "8").getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        path = base / "pages.parquet"
        pq.write_table(pa.Table.from_pylist([row for site in sites for row in site.rows]), path, row_group_size=64)
        for partitions in map(int, given.partitions.split(",")):
            made = quarry.harvest(spark.read.parquet(str(path)), partitions=partitions, batch=64)
            assert_same(made, expected)
            assert made.issues.count() == 0
            made.unpersist()
            print(f"Spark, {partitions} partitions: the same rows", flush=True)
        spark.stop()


if __name__ == "__main__":
    main()

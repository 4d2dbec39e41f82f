#!/usr/bin/env python3
"""How fast is the package beside the program, and Spark beside both?

    python bench/spark.py [--entities 1500] [--cores 2] [--quick]

Needs the package built for release (`pip install ./crates/quarry-py`), pyspark, lxml, and `testsite` (built if it is not there). All run on the same
pages of a generated site, one after the other on one machine:

- `records`: the program, and `webquarry.records` on 1,000 pages, in CPU seconds; and by a pool of two threads, in seconds;
- a harvest by the program, and by Spark on so many cores, in seconds and in pages a second per core;
- Spark with `mapInPandas`, lxml and XPaths written by hand, which read the titles and the pairs of specifications.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

os.environ["PYSPARK_PYTHON"] = sys.executable
ROOT = Path(__file__).resolve().parent.parent


def cpu():
    own, children = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measured(work):
    """Seconds, and CPU seconds."""
    began, spent = time.monotonic(), cpu()
    result = work()
    return time.monotonic() - began, cpu() - spent, result


def testsite():
    build = ["cargo", "build", "--quiet", "--locked", "-p", "quarry-testsite", "--message-format", "json"]
    out = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return next(path for line in out.splitlines() if (path := json.loads(line).get("executable")))


def program(*arguments):
    command = [sys.executable, "-m", "webquarry", *map(str, arguments)]
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def by_hand(batches):
    """What a careful job without the package does: lxml, and XPaths that somebody wrote for this site."""
    import pandas as pd
    from lxml import html

    for frame in batches:
        rows = []
        for url, content in zip(frame["url"], frame["content"]):
            document = html.document_fromstring(content)
            title = document.xpath("string(//h1)").strip()
            for row in document.xpath("//table//tr[count(*) = 2]"):
                rows.append((url, title, row[0].text_content().strip(), row[1].text_content().strip()))
            for term in document.xpath("//dl/dt"):
                rows.append((url, title, term.text_content().strip(), (term.getnext().text_content() if term.getnext() is not None else "").strip()))
            for link in document.xpath("//li//a[@href] | //article//a[@href] | //div[contains(@class, 'card')]//a[@href]"):
                rows.append((url, title, link.get("href"), link.text_content().strip()))
        yield pd.DataFrame(rows, columns=["url", "title", "name", "value"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=1500)
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args()
    import webquarry as wq
    from pyspark.sql import SparkSession
    from webquarry import spark as quarry

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        written = [testsite(), "write", "--preset", "d5-electronics", "--entities", str(given.entities), "--warc", "--out", folder / "site"]
        subprocess.run(written, check=True, capture_output=True)
        archive = next((folder / "site").glob("*.warc.gz"))
        pages = wq.read_warc(archive).to_pyarrow()
        size = sum(len(content) for content in pages.column("content").to_pylist())
        print(f"{len(pages)} pages, {size / 1e6:.1f} MB")

        some = pages.slice(0, 1000)
        (folder / "some").mkdir()
        for number, content in enumerate(some.column("content").to_pylist()):
            (folder / "some" / f"{number:05}.html").write_bytes(content)
        _, program_cpu, _ = measured(lambda: program("records", folder / "some"))
        _, nothing, _ = measured(lambda: program("--version"))
        seconds, python_cpu, _ = measured(lambda: wq.records(some))
        program_cpu -= nothing
        print(f"records of {len(some)} pages: program {program_cpu:.2f} CPU s, Python {python_cpu:.2f} CPU s, ratio {python_cpu / program_cpu:.2f}")

        # Two threads with a core each, against one.
        child = (
            "import sys, time, pyarrow.parquet as pq, webquarry as wq\n"
            "from concurrent.futures import ThreadPoolExecutor\n"
            "pages = pq.read_table(sys.argv[1]); model = wq.learn(pages)\n"
            "parts = [pages.slice(at, 64) for at in range(0, len(pages), 64)]\n"
            "def run(threads):\n"
            "    began = time.monotonic()\n"
            "    with ThreadPoolExecutor(threads) as pool: list(pool.map(model.read, parts))\n"
            "    return time.monotonic() - began\n"
            "run(1); print(run(1), run(2))\n"
        )
        pq.write_table(some, folder / "some.parquet")
        # Each thread does its work itself.
        env = {**os.environ, "RAYON_NUM_THREADS": "1"}
        one, two = map(float, subprocess.run([sys.executable, "-c", child, folder / "some.parquet"], env=env, check=True, capture_output=True, text=True).stdout.split())
        print(f"reading by two threads: {one / two:.2f} times as fast as by one")

        os.environ["RAYON_NUM_THREADS"] = str(given.cores)
        program_s, program_cpu, _ = measured(lambda: program("--quiet", "harvest", archive, "-p", folder / "p"))
        print(f"harvest by the program on {given.cores} threads: {program_s:.1f} s, {program_cpu:.1f} CPU s, "
              f"{len(pages) / program_cpu:.0f} pages per CPU second")
        del os.environ["RAYON_NUM_THREADS"]

        path = str(folder / "pages.parquet")
        pq.write_table(pages.select(["url", "content_type", "content"]), path, row_group_size=64)
        spark = (
            SparkSession.builder.master(f"local[{given.cores}]").appName("bench").config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", str(2 * given.cores))
            .config("spark.driver.memory", "2g").config("spark.sql.files.maxPartitionBytes", str(4 << 20)).getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        frame = spark.read.parquet(path)
        partitions = 4 * given.cores
        spark.range(1000).mapInArrow(lambda batches: batches, "id long").count()
        hand_s, _, _ = measured(
            lambda: frame.repartition(partitions).mapInPandas(by_hand, "url string, title string, name string, value string").count()
        )
        spark_s, _, tables = measured(lambda: quarry.harvest(frame, partitions=partitions))
        print(f"harvest by Spark: {spark_s:.1f} s, {len(pages) / spark_s / given.cores:.0f} pages a second per core, "
              f"{program_s / spark_s:.2f} × the program's speed; {tables.values.count()} values")
        print(f"mapInPandas with lxml and XPaths by hand: {hand_s:.1f} s, {len(pages) / hand_s / given.cores:.0f} pages a second per core")
        again_s, _, _ = measured(lambda: quarry.harvest(frame, partitions=partitions, models=tables.models))
        print(f"with models that are known already: {again_s:.1f} s, {len(pages) / again_s / given.cores:.0f} pages a second per core")
        spark.stop()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How fast is the package beside the program, and Spark beside both?

    python bench/spark.py [--entities 6000] [--cores 2] [--rounds 3] [--partitions 8]

Needs the package built for release (`pip install ./crates/quarry-py`), pyspark, lxml, and `testsite` (that of QUARRY_TESTSITE, or built). All run on
the same pages of a generated site, in turns, so that other programs on the machine disturb all alike:

- `records`: the program, and `webquarry.records` on 1,000 pages, in CPU seconds; and by a pool of two threads, in seconds;
- a harvest by the program, and by Spark on so many cores, in pages per CPU second (all processes of Spark are counted);
- Spark with `mapInPandas`, lxml and XPaths written by hand for this shop, without the assembling into tables.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

os.environ["PYSPARK_PYTHON"] = sys.executable
ROOT = Path(__file__).resolve().parent.parent


def processes():
    """Of every process its parent, and its CPU seconds with those of children that it has waited for."""
    known, tick = {}, os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split() if entry.name.isdigit() else None
        except OSError:
            continue
        if fields:
            known[int(entry.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / tick)
    return known


def cpu():
    """CPU seconds of this process and of all that it has started: Spark's, too."""
    known, own = processes(), os.getpid()

    def is_ours(pid):
        while pid in known and pid != own:
            pid = known[pid][0]
        return pid == own

    return sum(seconds for pid, (_, seconds) in known.items() if is_ours(pid))


def measured(work):
    """Seconds, and CPU seconds."""
    began, spent = time.monotonic(), cpu()
    result = work()
    return time.monotonic() - began, cpu() - spent, result


def testsite():
    if "QUARRY_TESTSITE" in os.environ:
        return os.environ["QUARRY_TESTSITE"]
    build = ["cargo", "build", "--quiet", "--locked", "-p", "quarry-testsite", "--message-format", "json"]
    out = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return next(path for line in out.splitlines() if (path := json.loads(line).get("executable")))


def program(*arguments):
    command = [sys.executable, "-m", "webquarry", *map(str, arguments)]
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def by_hand(batches):
    """What a careful job without the package does: lxml, and the XPaths that `bench/pipeline.py` has for this shop."""
    import pandas as pd
    from lxml import html

    for frame in batches:
        rows = []
        for url, content in zip(frame["url"], frame["content"]):
            tree = html.fromstring(content)
            for card in tree.xpath('//div[@class="card"]'):
                entity = "".join(card.xpath('.//a[@class="card__title"]/@href'))
                for name in ("title", "maker", "fact", "teaser", "stars", "reviews", "old", "price", "stock"):
                    rows.extend((url, entity, name, node.text_content()) for node in card.xpath(f'.//*[@class="card__{name}"]'))
            rows.extend((url, url, "title", title) for title in tree.xpath('//h1[@class="product__title"]/text()'))
            rows.extend((url, url, tr.xpath("string(th)"), tr.xpath("string(td)")) for tr in tree.xpath('//table[@class="specs"]//tr'))
        yield pd.DataFrame(rows, columns=["url", "entity", "name", "value"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=6_000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--partitions", type=int, help="spread pages into so many parts; by default they are read as they come")
    given = parser.parse_args()
    import webquarry as wq
    from pyspark.sql import SparkSession
    from webquarry import spark as quarry

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        written = [testsite(), "write", "--preset", "shop", "--entities", str(given.entities), "--warc", "--out", folder / "site"]
        subprocess.run(written, check=True, capture_output=True)
        archive = next((folder / "site").glob("*.warc.gz"))
        pages = wq.read_warc(archive).to_pyarrow()
        size = sum(len(content) for content in pages.column("content").to_pylist())
        print(f"{len(pages)} pages, {size / 1e6:.1f} MB")

        some = pages.slice(0, 1000)
        (folder / "some").mkdir()
        for number, content in enumerate(some.column("content").to_pylist()):
            (folder / "some" / f"{number:05}.html").write_bytes(content)
        _, nothing, _ = measured(lambda: program("--version"))
        ratios = []
        for _ in range(given.rounds):
            _, program_cpu, _ = measured(lambda: program("records", folder / "some"))
            _, python_cpu, _ = measured(lambda: wq.records(some))
            ratios.append((python_cpu / (program_cpu - nothing), program_cpu - nothing, python_cpu))
        ratio, program_cpu, python_cpu = sorted(ratios)[len(ratios) // 2]
        print(f"records of {len(some)} pages: program {program_cpu:.2f} CPU s, Python {python_cpu:.2f} CPU s, ratio {ratio:.2f} (median of {given.rounds})", flush=True)

        # Two threads with a core each, against one.
        # On a busy machine two threads may get no more of it than one: also measured is how many were running or could have, and their CPU time.
        child = (
            "import sys, time, pyarrow.parquet as pq, webquarry as wq\n"
            "from concurrent.futures import ThreadPoolExecutor\n"
            "pages = pq.read_table(sys.argv[1]); model = wq.learn(pages)\n"
            "parts = [pages.slice(at, 64) for at in range(0, len(pages), 64)]\n"
            "def able():\n"
            "    return sum(map(int, open('/proc/thread-self/schedstat').read().split()[:2])) / 1e9\n"
            "def read(part):\n"
            "    began, spent = able(), time.thread_time()\n"
            "    model.read(part)\n"
            "    return able() - began, time.thread_time() - spent\n"
            "def run(threads):\n"
            "    began = time.monotonic()\n"
            "    with ThreadPoolExecutor(threads) as pool: done = list(pool.map(read, parts))\n"
            "    took = time.monotonic() - began\n"
            "    return took, sum(own[0] for own in done) / took, sum(own[1] for own in done)\n"
            "run(1)\n"
            "for _ in range(int(sys.argv[2])): print(*run(1), *run(2))\n"
        )
        pq.write_table(some, folder / "some.parquet")
        # Each thread does its work itself.
        env = {**os.environ, "RAYON_NUM_THREADS": "1"}
        command = [sys.executable, "-c", child, folder / "some.parquet", str(given.rounds)]
        lines = subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.splitlines()
        rounds = [list(map(float, line.split())) for line in lines]
        gain, able, cost = (statistics.median(own) for own in zip(*((one / two, at_once, cpu_two / cpu_one) for one, _, cpu_one, two, at_once, cpu_two in rounds)))
        print(f"reading by two threads: {gain:.2f} times as fast as by one; {able:.2f} threads at a time were running or waiting for a core, for {cost:.2f} times "
              f"the CPU seconds of one: {able / cost:.2f} times as fast where two cores are free (medians of {given.rounds})", flush=True)

        path = str(folder / "pages.parquet")
        pq.write_table(pages.select(["url", "content_type", "content"]), path, row_group_size=64)
        spark = (
            SparkSession.builder.master(f"local[{given.cores}]").appName("bench").config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1").config("spark.sql.shuffle.partitions", str(2 * given.cores))
            .config("spark.driver.memory", "2g").config("spark.sql.files.maxPartitionBytes", str(4 << 20)).getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        frame = spark.read.parquet(path)
        spread = frame if given.partitions is None else frame.repartition(given.partitions)
        spark.range(1000).mapInArrow(lambda batches: batches, "id long").count()

        def by_program():
            os.environ["RAYON_NUM_THREADS"] = str(given.cores)
            program("--quiet", "harvest", archive, "-p", folder / f"p{time.monotonic_ns()}")
            del os.environ["RAYON_NUM_THREADS"]

        def by_spark(models=None):
            tables = quarry.harvest(frame, partitions=given.partitions, models=models)
            tables.unpersist()
            return tables.models

        columns = "url string, entity string, name string, value string"
        ways = {
            "the program": by_program,
            "Spark": by_spark,
            "mapInPandas with lxml and XPaths by hand": lambda: spread.mapInPandas(by_hand, columns).count(),
            "Spark with models that are known already": lambda: by_spark(models),
        }
        models, rates = by_spark(), {name: [] for name in ways}
        for number in range(given.rounds):
            for name, work in ways.items():
                seconds, spent, _ = measured(work)
                # Where a process of Spark ended meanwhile and nobody waited for it, its seconds are gone.
                if spent > 0:
                    rates[name].append(len(pages) / spent)
                print(f"round {number + 1}, {name}: {seconds:.1f} s, {spent:.1f} CPU s, load {os.getloadavg()[0]:.1f}", flush=True)
        rate = {name: statistics.median(own) for name, own in rates.items()}
        for name, own in rate.items():
            print(f"{name}: {own:.0f} pages a CPU second, {own / rate['the program']:.2f} × the program's")
        print(f"Spark / by hand: {rate['Spark'] / rate['mapInPandas with lxml and XPaths by hand']:.2f}")
        spark.stop()


if __name__ == "__main__":
    main()

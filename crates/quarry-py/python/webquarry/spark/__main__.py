"""Harvests pages in a cluster: `spark-submit -m webquarry.spark`, or `python -m webquarry.spark --input … --output …`."""

import argparse
import os
import sys

from pyspark.sql import SparkSession

from . import BATCH_PAGES, MEMORY_MB, harvest, warc_pages


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m webquarry.spark", description=__doc__)
    parser.add_argument("--input", nargs="+", required=True, help="WARC files (`*` allowed), or Parquet of pages or of index rows")
    parser.add_argument("--output", required=True, help="where the tables go, as Parquet partitioned by site")
    parser.add_argument("--archives", default="", help="what stands before warc_filename in index rows, such as s3://commoncrawl/")
    parser.add_argument("--partitions", type=int, help="into how many parts pages are spread before they are read")
    parser.add_argument("--batch", type=int, default=BATCH_PAGES, help=f"pages in an Arrow batch (default {BATCH_PAGES})")
    parser.add_argument("--memory", type=int, default=MEMORY_MB, help=f"megabytes of evidence a task keeps (default {MEMORY_MB})")
    parser.add_argument("--overwrite", action="store_true", help="replace tables that are there")
    given = parser.parse_args()
    if "SPARK_ENV_LOADED" not in os.environ:
        # Not by spark-submit: workers are this Python, which has the package.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("webquarry").getOrCreate()
    is_warc = all(name.endswith((".warc", ".warc.gz")) for name in given.input)
    pages = warc_pages(spark, given.input) if is_warc else spark.read.parquet(*given.input)
    tables = harvest(
        pages, partitions=given.partitions, batch=given.batch, memory=given.memory, archives=given.archives
    )
    tables.write(given.output, mode="overwrite" if given.overwrite else "errorifexists")
    counts = {name: getattr(tables, name).count() for name in ("entities", "values", "columns", "issues")}
    print(", ".join(f"{count} {name}" for name, count in counts.items()), "in", given.output)
    spark.stop()


if __name__ == "__main__":
    main()

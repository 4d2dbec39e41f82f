"""Spark gives the rows of the program: however pages are spread, whatever happens to workers, with bad pages among them."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import webquarry as wq
from conftest import GeneratedSite, program, rounded
from pyspark.sql import SparkSession
from webquarry import spark as quarry

TABLES = ("entities", "values", "columns")


@pytest.fixture(scope="module")
def spark():
    """A cluster of two worker processes with a core each."""
    session = (
        SparkSession.builder.master("local-cluster[2,1,2048]")
        .appName("webquarry tests")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.task.maxFailures", "20")
        .config("spark.deploy.maxExecutorRetries", "-1")
        .config("spark.excludeOnFailure.enabled", "false")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def expected(sites, tmp_path_factory):
    """What the program makes of each site alone."""
    base = tmp_path_factory.mktemp("expected")
    return {site.origin: site.harvest(base / str(n)) for n, site in enumerate(sites)}


@pytest.fixture(scope="module")
def pages(sites, spark, tmp_path_factory):
    """The pages of all sites as Parquet, mixed."""
    rows = [row for site in sites for row in site.rows]
    random.Random(7).shuffle(rows)
    path = tmp_path_factory.mktemp("pages") / "pages.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    return spark.read.parquet(str(path))


def in_order(rows):
    return sorted(rounded(rows), key=lambda row: json.dumps(row, sort_keys=True, default=str))


def assert_same(made, expected):
    """Row for row: values, entities with their cells, columns in their order."""
    values = [row.asDict() for row in made.values.collect()]
    assert in_order(values) == in_order(row for tables in expected.values() for row in tables.values.to_pylist())
    columns = [row.asDict() for row in made.columns.orderBy("site", "position").collect()]
    for site, tables in expected.items():
        own = [row for row in columns if row["site"] == site]
        names = tables.columns.column_names
        assert rounded({name: row[name] for name in names} for row in own) == rounded(tables.columns.to_pylist()), site
    entities = [row.asDict() for row in made.entities.collect()]
    for site, tables in expected.items():
        own = sorted((row for row in entities if row["site"] == site), key=lambda row: row["_id"])
        rows = sorted(tables.entities.to_pylist(), key=lambda row: row["_id"])
        assert len(own) == len(rows)
        for row, expect in zip(own, rows):
            fixed = {name: row[name] for name in ("site", "entity", "entity_kind", "title", "_id", "_state")}
            assert fixed == {name: expect.pop(name) for name in fixed}
            assert row["cells"] == {name: text(value) for name, value in expect.items() if value is not None}


def text(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("partitions", [2, 16])
def test_the_same_rows_however_pages_are_spread(pages, expected, partitions):
    made = quarry.harvest(pages, partitions=partitions, batch=64)
    assert_same(made, expected)
    assert made.issues.count() == 0 and made.models.count() == len(expected)
    made.unpersist()


def test_a_site_has_the_typed_table_of_the_program(pages, expected):
    made = quarry.harvest(pages)
    for site, tables in list(expected.items())[:3]:
        own = made.table(site)
        assert own.columns == tables.entities.column_names
        rows = [row.asDict() for row in own.collect()]
        assert in_order(rows) == in_order(tables.entities.to_pylist())
    made.unpersist()


def test_bad_pages_cost_themselves(pages, expected, sites, spark):
    odd = [None, b"", b"\xff\x00" * 500, b"<div>" * 60_000]
    rows = [(f"odd{n}", f"{sites[0].origin}/zz/{n}", own) for n, own in enumerate(odd)]
    rows += [("lone", "http://lone.test/", None), ("none", None, b"<p>")]
    bad = spark.createDataFrame(rows, "page string, url string, content binary")
    taught = wq.learn(pa.Table.from_pylist(sites[0].rows))
    made = quarry.harvest(pages.unionByName(bad), models=spark.createDataFrame([(taught.site, taught.text)], "site string, text string"))
    issues = {row.page or row.site: row.issue for row in made.issues.collect()}
    assert issues["odd0"] == "no content" and issues["lone"] == "no content"
    others = {site: tables for site, tables in expected.items() if site != sites[0].origin}
    kept = [row for row in made.values.collect() if row.site in others]
    assert len(kept) == sum(len(tables.values) for tables in others.values())
    own = [row.asDict() for row in made.values.where(f"site = '{sites[0].origin}' AND page NOT LIKE 'odd%'").collect()]
    assert len(own) >= len(expected[sites[0].origin].values)
    made.unpersist()


def test_one_site_may_have_most_of_the_pages(testsite, spark, tmp_path):
    made = []
    for number, entities in ((71, 400), (72, 12)):
        out = tmp_path / f"w{number}"
        subprocess.run([testsite, "write", "--preset", "d5-electronics", "--seed", str(number), "--entities", str(entities),
                        "--warc", "--out", out], check=True, capture_output=True)
        made.append(GeneratedSite(number, next(out.glob("*.warc.gz")), tmp_path / f"s{number}"))
    assert len(made[0].rows) > 300, "more pages than a site is learned from"
    expected = {site.origin: site.harvest(tmp_path / f"p{site.origin[-7:-5]}") for site in made}
    path = tmp_path / "skewed.parquet"
    pq.write_table(pa.Table.from_pylist([row for site in made for row in site.rows]), path)
    tables = quarry.harvest(spark.read.parquet(str(path)), partitions=8)
    assert_same(tables, expected)
    tables.unpersist()


def executors(spark):
    """The processes of the executors of this session."""
    name = spark.sparkContext.applicationId
    found = subprocess.run(["pgrep", "-f", f"CoarseGrainedExecutorBackend.*{name}"], capture_output=True, text=True)
    return [int(pid) for pid in found.stdout.split()]


def test_killed_executors_do_not_change_a_row(pages, expected, spark):
    drawn = random.Random(2026)
    over = threading.Event()
    killed = []

    def kill():
        while len(killed) < 3 and not over.wait(drawn.uniform(1.0, 2.5)):
            running = executors(spark)
            if running:
                os.kill(drawn.choice(running), signal.SIGKILL)
                killed.append(time.monotonic())

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        made = quarry.harvest(pages, partitions=12, batch=64)
        assert_same(made, expected)
    finally:
        over.set()
        thread.join()
    assert killed, "the job was over before an executor was killed"
    made.unpersist()


def test_index_rows_are_read_by_range(sites, testsite, spark, tmp_path):
    out = tmp_path / "written"
    subprocess.run([testsite, "write", "--preset", "books", "--entities", "25", "--warc", "--out", out], check=True, capture_output=True)
    archive = next(out.glob("*.warc.gz"))
    project = tmp_path / "p"
    program("--quiet", "harvest", archive, "-p", project)
    expect = wq.open_project(project)
    whole = quarry.harvest(quarry.warc_pages(spark, str(tmp_path / "written" / "*.warc.gz")))
    assert in_order(row.asDict() for row in whole.values.collect()) == in_order(expect.values.to_pylist())
    index = index_of(archive)
    frame = spark.createDataFrame(index, "url string, warc_filename string, warc_record_offset bigint, warc_record_length bigint")
    by_range = quarry.harvest(frame, archives=str(archive.parent) + "/")
    assert in_order(row.asDict() for row in by_range.values.collect()) == in_order(expect.values.to_pylist())


def index_of(archive):
    """Address, file, offset and length of the pages of an archive, by warcio."""
    from warcio.archiveiterator import ArchiveIterator

    rows = []
    with open(archive, "rb") as stream:
        records = ArchiveIterator(stream)
        for record in records:
            is_page = record.rec_type == "response" and record.http_headers.get_header("content-type", "").startswith("text/html")
            url = record.rec_headers.get_header("WARC-Target-URI")
            is_page = is_page and record.http_headers.get_statuscode() == "200"
            record.content_stream().read()
            offset, length = records.get_record_offset(), records.get_record_length()
            if is_page:
                rows.append((url, archive.name, offset, length))
    return rows


def test_the_command_writes_tables(pages, expected, tmp_path):
    path = tmp_path / "pages"
    pages.write.parquet(str(path))
    run = subprocess.run(
        [sys.executable, "-m", "webquarry.spark", "--input", str(path), "--output", str(tmp_path / "out")],
        capture_output=True, text=True, env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"},
    )
    assert run.returncode == 0, run.stderr[-2000:]
    values = pq.read_table(tmp_path / "out" / "values")
    assert len(values) == sum(len(tables.values) for tables in expected.values())

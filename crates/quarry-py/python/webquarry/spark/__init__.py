"""Harvests in Apache Spark: what `quarry harvest` does, for every site in a DataFrame of pages.

    from webquarry import spark as quarry
    tables = quarry.harvest(spark.read.parquet("s3a://…/pages"))
    tables.values.show()
    tables.write("s3a://…/tables")

The DataFrame has pages (`url, content`, and where known `content_type`, `fetch_time`, `page`, `site`), or rows of Common Crawl's index
(`url, warc_filename, warc_record_offset, warc_record_length`), whose records are read by range.

| step | how it is spread |
|---|---|
| sample | 300 pages of each site, evenly in the order of their names; only names are moved |
| learn | one task a site, on its sample; a small table of models |
| read | page by page with the model of the site, wherever the page is |
| merge | evidence by a hash of site and entity |
| assemble | one task a site, over its evidence, which goes to disk beyond a bound |

No task holds the pages of a site. All steps are functions of their input: a task that is run again, after a lost executor, gives the same rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from pyspark import StorageLevel
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from .. import _native
from . import _tasks
from ._archives import warc_pages

__all__ = ["SparkTables", "harvest", "warc_pages"]

#: Pages in an Arrow batch. Spark's own default of 10,000 pages would be gigabytes.
BATCH_PAGES = 128
#: Megabytes of evidence that a task keeps in memory; the same as the program's default, so that both decide by the same sample.
MEMORY_MB = 256
#: Columns of the input that are looked at.
_PAGE_COLUMNS = ["url", "page", "site", "content_type", "content_mime_type", "content"]
_INDEX_COLUMNS = ["url", "page", "site", "warc_filename", "warc_record_offset", "warc_record_length"]


@dataclass(frozen=True)
class SparkTables:
    """The tables of a harvest as DataFrames."""

    #: One row per entity: `site, entity, entity_kind, title, _id, _state` and `cells`, a map from the names of columns to texts.
    entities: DataFrame
    #: One row per entity, attribute and value, each with its source, page and node.
    values: DataFrame
    #: One row per column of a site's entities; `position` orders them, the most wanted first.
    columns: DataFrame
    #: What was learned of each site: `site, text`; `webquarry.SiteModel.from_text` reads it.
    models: DataFrame
    #: Pages and sites that were left out, and why.
    issues: DataFrame
    _kept: DataFrame

    def table(self, site: str) -> DataFrame:
        """The entities of one site with a typed column per attribute: the program's table `entities`."""
        columns = self.columns.where(F.col("site") == site).select("name", "type", "position").distinct()
        cells = []
        for row in columns.orderBy("position").collect():
            cell = F.col("cells")[F.lit(row.name)]
            kind = {"integer": "bigint", "float": "double", "date": "date", "boolean": "boolean"}.get(row.type)
            if row.type == "list":
                cell = F.from_json(cell, "array<string>")
            elif kind is not None:
                cell = cell.cast(kind)
            cells.append(cell.alias(row.name))
        own = self.entities.where(F.col("site") == site)
        return own.select("site", "entity", "entity_kind", "title", *cells, "_id", "_state")

    def write(self, path: str, mode: str = "errorifexists") -> None:
        """Writes all tables below a path, as Parquet partitioned by site."""
        # The rows of a site are in one part each: nothing needs to be moved.
        for name in ("entities", "values", "columns", "models", "issues"):
            frame = getattr(self, name)
            frame.write.mode(mode).partitionBy("site").parquet(f"{path.rstrip('/')}/{name}")

    def unpersist(self) -> None:
        """Frees what is kept of the tables."""
        self._kept.unpersist()


def harvest(
    pages: DataFrame,
    *,
    partitions: Optional[int] = None,
    batch: int = BATCH_PAGES,
    memory: int = MEMORY_MB,
    archives: str = "",
    models: Optional[DataFrame] = None,
) -> SparkTables:
    """Harvests every site in a DataFrame of pages or of index rows.

    `partitions`: into how many parts pages are spread by a hash of their names before they are read, where the parts that they come in are
    uneven; by default they stay where they are. `archives` is put before `warc_filename`. `models` are those of an earlier harvest
    (`site, text`): sites that they have are not learned again.
    """
    spark = pages.sparkSession
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))
    is_index = "content" not in pages.columns
    if is_index and "warc_filename" not in pages.columns:
        raise ValueError(
            "the DataFrame has neither `content` nor `warc_filename`, `warc_record_offset` and `warc_record_length`; "
            f"it has {', '.join(pages.columns)}"
        )
    pages = _newest(_useful(pages))
    wanted = _INDEX_COLUMNS if is_index else _PAGE_COLUMNS
    pages = pages.select(*[name for name in wanted if name in pages.columns])
    learned = _learn(pages, archives, models)
    rows = learned.collect()
    texts = {row.site: row.text for row in rows if row.text is not None}
    kept_models = spark.createDataFrame([(site, text) for site, text in sorted(texts.items())], "site string, text string")
    shared = spark.sparkContext.broadcast(_tasks.pack_models(texts))

    spread = pages
    if partitions is not None:
        spread = pages.repartition(partitions, F.xxhash64(_name(pages)))
    elif is_index:
        spread = pages.repartition(F.xxhash64(_name(pages)))
    evidence = spread.mapInArrow(_tasks.reader(shared, archives), _tasks.PACKED)
    merged = evidence.repartition("site", "bucket").mapInArrow(_tasks.merger(memory), _tasks.PACKED)
    by_site = merged.repartition("site").sortWithinPartitions("site")
    tables = by_site.mapInArrow(_tasks.assembler(memory), _tasks.PACKED)
    tables = tables.persist(StorageLevel.MEMORY_AND_DISK)
    tables.count()

    def part(name: str) -> DataFrame:
        packed = tables.where(F.col("kind") == name).select("site", "packed")
        return packed.mapInArrow(_tasks.unpack, _tasks.TABLES[name])

    unlearned = [(row.site, None, "learn", row.issue) for row in rows if row.issue is not None]
    issues = part("issues").union(
        spark.createDataFrame(unlearned, "site string, page string, stage string, issue string")
    )
    return SparkTables(part("entities"), part("values"), part("columns"), kept_models, issues, tables)


def _name(pages: DataFrame):
    """What a page is known by: its name, or its address."""
    return F.coalesce(*[F.col(name) for name in ("page", "url") if name in pages.columns])


def _useful(pages: DataFrame) -> DataFrame:
    """Of an archive: pages that were answered with success and hold HTML, as the program takes them."""
    if "fetch_status" in pages.columns:
        pages = pages.where(F.col("fetch_status").isNull() | F.col("fetch_status").between(200, 299))
    if "content_mime_detected" in pages.columns:
        html = F.col("content_mime_detected").isin("text/html", "application/xhtml+xml")
        pages = pages.where(F.col("content_mime_detected").isNull() | html)
    return pages.where(_name(pages).isNotNull())


def _newest(pages: DataFrame) -> DataFrame:
    """Of several pages of one name the newest. Pages are moved only if there are such."""
    own = pages.select(_name(pages).alias("name"))
    if not own.groupBy("name").count().where("count > 1").take(1):
        return pages
    order = [F.col(name).desc_nulls_last() for name in ("fetch_time", "warc_filename", "warc_record_offset") if name in pages.columns]
    if "content" in pages.columns:
        order.append(F.xxhash64("content"))
    window = Window.partitionBy(_name(pages)).orderBy(*order)
    return pages.withColumn("_newest", F.row_number().over(window)).where("_newest = 1").drop("_newest")


def _learn(pages: DataFrame, archives: str, models: Optional[DataFrame]) -> DataFrame:
    """What is learned of each site: `site, text, issue`."""
    named = [name for name in ("url", "page", "site") if name in pages.columns]
    names = pages.select(*named).mapInArrow(_tasks.name_sites, "site string, name string")
    if models is not None:
        names = names.join(F.broadcast(models.select("site")), "site", "left_anti")
    of_site = Window.partitionBy("site")
    ranked = names.withColumn("rank", (F.row_number().over(of_site.orderBy("name")) - 1).cast("bigint"))
    ranked = ranked.withColumn("pages", F.count("*").over(of_site))
    # The n-th of so many pages stands at n × pages ÷ count, as the program has it.
    ranked = ranked.withColumn("taught", F.least("pages", F.lit(_native.LEARNED_FROM).cast("bigint")))
    ranked = ranked.withColumn("nth", F.expr("(rank * taught + pages - 1) div pages"))
    sample = ranked.where("nth < taught AND (nth * pages) div taught = rank").select(F.col("site").alias("_site"), "name")
    taught = pages.withColumn("name", _name(pages)).join(F.broadcast(sample), "name").drop("name")
    learned = taught.groupBy("_site").applyInArrow(_tasks.learner(archives), "site string, text string, issue string")
    if models is not None:
        learned = models.select("site", "text", F.lit(None).cast("string").alias("issue")).union(learned)
    return learned

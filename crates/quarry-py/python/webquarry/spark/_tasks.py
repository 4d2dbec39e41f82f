"""What runs in Spark's workers: functions of Arrow batches. Nothing here needs a Spark session."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
import zlib
from collections import OrderedDict
from typing import Any, Callable, Iterable, Iterator

import pyarrow as pa

from .. import _native
from . import _archives

#: What was found of entities, as `SiteModel.read` gives it. A row with the role `issue` says what was wrong with a page.
_EVIDENCE = (
    "site string, entity_key string, entity string, role string, attribute string, naming string, slot string, value string, "
    "source string, page string, path string, confidence double"
)
#: The tables of a harvest.
TABLES = {
    "entities": (
        "site string, entity string, entity_kind string, title string, _id string, _state string, cells map<string,string>"
    ),
    "values": (
        "site string, entity string, entity_kind string, attribute string, value string, source string, page string, path string, "
        "confidence double"
    ),
    "columns": (
        "site string, position int, name string, entity_kind string, kind string, unit string, list boolean, entities bigint, "
        "fill double, distinct bigint, conflicts bigint, sources array<string>, names array<string>, examples array<string>, "
        "merged array<string>, type string"
    ),
    "issues": "site string, page string, stage string, issue string",
}
#: How evidence and tables go from task to task: many rows of one site as one value, an Arrow stream. Spark would take rows apart, field by
#: field, each time that it moves them. (Spark compresses what it moves.)
PACKED = "kind string, site string, bucket int, packed binary"

_TEXTS = pa.list_(pa.string())
_TYPES = {
    "string": pa.string(),
    "binary": pa.binary(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "array<string>": _TEXTS,
    "map<string,string>": pa.map_(pa.string(), pa.string()),
}


def _schema(text: str) -> pa.Schema:
    pairs = (field.split(" ", 1) for field in text.split(", "))
    return pa.schema([pa.field(name, _TYPES[kind]) for name, kind in pairs])


_EVIDENCE_SCHEMA = _schema(_EVIDENCE)
_PACKED_SCHEMA = _schema(PACKED)
_TABLE_SCHEMAS = {name: _schema(text) for name, text in TABLES.items()}

#: Parts that the evidence of a large site is spread to by a hash of its entities, to be merged.
_BUCKETS = 32
#: Rows of a site in one batch of pages from which on they are spread.
_SPREAD_FROM = 1_024
#: Rows that are packed together, at most: Spark moves a batch of such values at a time.
_PACKED_ROWS = 1_024

#: Models that a worker keeps parsed.
_MAX_PARSED = 4_096


def _one_thread() -> None:
    """A task has one core; other tasks have the others."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")


def name_sites(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The site and the name of every page."""
    _one_thread()
    for batch in batches:
        if batch.num_rows:
            sites, names = zip(*_native.site_names(batch))
            yield pa.RecordBatch.from_arrays([pa.array(sites, pa.string()), pa.array(names, pa.string())], ["site", "name"])


def learner(archives: str) -> Callable[[pa.Table], pa.Table]:
    """Learns a site from its sample. A site that cannot be learned costs itself and an issue."""

    def learn(pages: pa.Table) -> pa.Table:
        _one_thread()
        site = pages.column("_site")[0].as_py()
        text = issue = None
        try:
            with warnings.catch_warnings():
                # Pages that cannot be read become issues when they are read.
                warnings.simplefilter("ignore")
                pages = _archives.with_content(pages.drop_columns(["_site"]), archives)
                text = _native.learn(pages, site=site).text
        except Exception as error:
            issue = f"the site could not be learned: {error}"
        columns = [pa.array([value], pa.string()) for value in (site, text, issue)]
        return pa.Table.from_arrays(columns, names=["site", "text", "issue"])

    return learn


def pack_models(texts: dict[str, str]) -> dict[str, bytes]:
    """Models as they are sent to the workers."""
    return {site: zlib.compress(text.encode()) for site, text in texts.items()}


_parsed: "OrderedDict[tuple[int, str], Any]" = OrderedDict()


def _model(key: int, packed: dict[str, bytes], site: str) -> Any:
    """The model of a site, parsed once a worker; none if it was not learned."""
    if (key, site) in _parsed:
        _parsed.move_to_end((key, site))
        return _parsed[key, site]
    own = packed.get(site)
    model = None if own is None else _native.SiteModel.from_text(zlib.decompress(own).decode())
    _parsed[key, site] = model
    if len(_parsed) > _MAX_PARSED:
        _parsed.popitem(last=False)
    return model


#: Rows of one site: their kind, the site, their part of its evidence.
_Part = tuple[str, str, int, pa.Table]


def _pack(parts: Iterable[_Part]) -> Iterator[pa.RecordBatch]:
    """Rows as they go from task to task."""
    columns: tuple[list[Any], ...] = ([], [], [], [])
    for kind, site, bucket, table in parts:
        for start in range(0, table.num_rows, _PACKED_ROWS):
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as out:
                out.write_table(table.slice(start, _PACKED_ROWS))
            for column, value in zip(columns, (kind, site, bucket, sink.getvalue().to_pybytes())):
                column.append(value)
    if columns[0]:
        arrays = [pa.array(column, field.type) for column, field in zip(columns, _PACKED_SCHEMA)]
        yield pa.RecordBatch.from_arrays(arrays, schema=_PACKED_SCHEMA)


def _unpack(batch: pa.RecordBatch) -> Iterator[tuple[str, pa.Table]]:
    """Sites, and rows of them."""
    for site, packed in zip(batch.column("site"), batch.column("packed")):
        # As bytes, whose place in memory suits any type of column.
        with pa.ipc.open_stream(packed.as_py()) as stream:
            yield site.as_py(), stream.read_all()


def _evidence_parts(evidence: pa.Table, is_spread: bool) -> Iterator[_Part]:
    """Evidence by site, and that of large sites by entity."""
    if evidence.num_rows == 0:
        return
    import pyarrow.compute as pc

    sites = evidence.column("site").combine_chunks().dictionary_encode("encode")
    codes = pc.multiply(sites.indices.cast(pa.int64()), _BUCKETS)
    if is_spread:
        counts = {row["values"]: row["counts"] for row in sites.indices.value_counts().to_pylist()}
        is_large = pa.array([counts.get(site, 0) >= _SPREAD_FROM for site in range(len(sites.dictionary))])
        keys = evidence.column("entity_key").combine_chunks().dictionary_encode("encode")
        hashes = (zlib.crc32((key or "").encode()) % _BUCKETS for key in keys.dictionary.to_pylist())
        buckets = pa.array(hashes, pa.int64()).take(keys.indices)
        codes = pc.add(codes, pc.if_else(is_large.take(sites.indices), buckets, 0))
    order = pc.array_sort_indices(codes)
    evidence, runs = evidence.take(order), pc.run_end_encode(codes.take(order))
    start = 0
    for end, code in zip(runs.run_ends.to_pylist(), runs.values.to_pylist()):
        yield "evidence", sites.dictionary[code // _BUCKETS].as_py(), code % _BUCKETS, evidence.slice(start, end - start)
        start = end


def reader(shared: Any, archives: str) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Reads every page with the model of its site."""
    key = shared.id if hasattr(shared, "id") else id(shared)

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _one_thread()
        packed = shared.value
        for batch in batches:
            if batch.num_rows == 0:
                continue
            sites = sorted({site for site, _ in _native.site_names(batch)})
            models = [model for site in sites if (model := _model(key, packed, site)) is not None]
            evidence, issues = _read(models, _archives.with_content(batch, archives))
            yield from _pack(_evidence_parts(pa.concat_tables([evidence.cast(_EVIDENCE_SCHEMA), _issue_rows(issues)]), True))

    return read


def _read(models: list[Any], pages: Any) -> tuple[pa.Table, pa.Table]:
    """Reads a batch; if that fails as a whole, page by page, so that a page costs itself alone."""
    try:
        evidence, issues = _native.read_sites(models, pages)
        return pa.table(evidence), pa.table(issues)
    except Exception as error:
        if pages.num_rows == 1:
            [(site, name)] = _native.site_names(pages)
            issue = pa.table({"site": [site], "page": [name], "stage": ["read"], "issue": [str(error)]})
            return _EVIDENCE_SCHEMA.empty_table(), issue
    parts = [_read(models, pages.slice(row, 1)) for row in range(pages.num_rows)]
    return pa.concat_tables(own for own, _ in parts), pa.concat_tables(own for _, own in parts)


def _issue_rows(issues: pa.Table) -> pa.Table:
    """Issues as rows of evidence: they travel with it to the task of their site."""
    count = issues.num_rows
    columns = {
        "site": issues.column("site"),
        # Spread as evidence is.
        "entity_key": issues.column("page"),
        "role": pa.array(["issue"] * count, pa.string()),
        "page": issues.column("page"),
        "source": issues.column("stage"),
        "value": issues.column("issue"),
    }
    arrays = [columns[field.name].cast(field.type) if field.name in columns else pa.nulls(count, field.type) for field in _EVIDENCE_SCHEMA]
    return pa.Table.from_arrays(arrays, schema=_EVIDENCE_SCHEMA)


def _apart(rows: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Evidence, and issues."""
    import pyarrow.compute as pc

    is_issue = pc.equal(rows.column("role"), "issue")
    return rows.filter(pc.invert(is_issue)), rows.filter(is_issue)


class _Spill:
    """Packed rows on their way through a file: a task makes more of them than fit its memory."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, "rows.arrow")
        self.writer = pa.ipc.new_stream(self.path, _PACKED_SCHEMA)

    def write(self, parts: Iterable[_Part]) -> None:
        for batch in _pack(parts):
            self.writer.write_batch(batch)

    def batches(self) -> Iterator[pa.RecordBatch]:
        self.writer.close()
        with pa.ipc.open_stream(self.path) as stream:
            yield from stream
        os.unlink(self.path)


def merger(memory: int) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Puts the evidence of each entity together and leaves repetitions out."""

    def merge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _one_thread()
        folder = tempfile.mkdtemp(prefix="webquarry-merge-")
        try:
            assembler = _native.Assembler(os.path.join(folder, "evidence"), memory)
            for batch in batches:
                for _, rows in _unpack(batch):
                    evidence, issues = _apart(rows)
                    assembler.add(evidence)
                    yield from _pack(_evidence_parts(issues, False))
            spill = _Spill(folder)
            assembler.merged(lambda table: spill.write(_evidence_parts(pa.table(table), False)))
            yield from spill.batches()
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return merge


def assembler(memory: int) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Assembles the tables of sites whose evidence comes site by site."""

    def assemble(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        _one_thread()
        folder = tempfile.mkdtemp(prefix="webquarry-assemble-")
        site, own = None, None
        try:
            for batch in batches:
                for part_site, part in _unpack(batch):
                    if part_site != site:
                        if own is not None:
                            yield from _site_rows(site, own, folder)
                        site = part_site
                        own = _native.Assembler(os.path.join(folder, "evidence"), memory)
                    evidence, issues = _apart(part)
                    own.add(evidence)
                    if issues.num_rows:
                        yield from _pack([("issues", site, 0, _issues(issues))])
            if own is not None:
                yield from _site_rows(site, own, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return assemble


def _issues(rows: pa.Table) -> pa.Table:
    columns = [rows.column(name) for name in ("site", "page", "source", "value")]
    return pa.Table.from_arrays(columns, schema=_TABLE_SCHEMAS["issues"])


def _site_rows(site: str, assembler: Any, folder: str) -> Iterator[pa.RecordBatch]:
    spill = _Spill(folder)

    def emit(name: str, made: Any) -> None:
        table, schema = pa.table(made), _TABLE_SCHEMAS[name]
        if name == "columns":
            count = table.num_rows
            table = table.add_column(0, "position", pa.array(range(count), pa.int32()))
            table = table.add_column(0, "site", pa.array([site] * count, pa.string()))
        spill.write([(name, site, 0, table.select(schema.names).cast(schema))])

    assembler.tables(emit)
    yield from spill.batches()


def unpack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of a table."""
    for batch in batches:
        for _, rows in _unpack(batch):
            yield from rows.to_batches()

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
EVIDENCE = (
    "site string, entity_key string, entity string, role string, attribute string, naming string, slot string, value string, "
    "source string, page string, path string, confidence double"
)
_VALUES = (
    "site string, entity string, entity_kind string, attribute string, value string, source string, page string, path string, "
    "confidence double"
)
_ENTITIES = (
    "site string, entity string, entity_kind string, title string, _id string, _state string, cells map<string,string>"
)
_COLUMNS = (
    "site string, position int, name string, entity_kind string, kind string, unit string, list boolean, entities bigint, "
    "fill double, distinct bigint, conflicts bigint, sources array<string>, names array<string>, examples array<string>, "
    "merged array<string>, type string"
)
_ISSUES = "site string, page string, stage string, issue string"


def _struct(schema: str) -> str:
    """A schema as a type of Spark: `struct<site:string,…>`."""
    return "struct<" + ",".join(field.replace(" ", ":", 1) for field in schema.split(", ")) + ">"


#: The rows of all tables; `kind` says which of the others is filled.
ROWS = (
    f"kind string, entities {_struct(_ENTITIES)}, values {_struct(_VALUES)}, columns {_struct(_COLUMNS)}, "
    f"issues {_struct(_ISSUES)}"
)

_TEXTS = pa.list_(pa.string())
_TYPES = {
    "string": pa.string(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "boolean": pa.bool_(),
    "array<string>": _TEXTS,
    "map<string,string>": pa.map_(pa.string(), pa.string()),
}


def _fields(schema: str) -> list[pa.Field]:
    pairs = (field.split(" ", 1) for field in schema.split(", "))
    return [pa.field(name, _TYPES[kind]) for name, kind in pairs]


_STRUCTS = {
    "entities": pa.struct(_fields(_ENTITIES)),
    "values": pa.struct(_fields(_VALUES)),
    "columns": pa.struct(_fields(_COLUMNS)),
    "issues": pa.struct(_fields(_ISSUES)),
}
_ROW_SCHEMA = pa.schema([pa.field("kind", pa.string()), *(pa.field(name, kind) for name, kind in _STRUCTS.items())])
_EVIDENCE_SCHEMA = pa.schema(_fields(EVIDENCE))

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
            yield from evidence.to_batches()
            yield from _issue_rows(issues)

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


def _issue_rows(issues: pa.Table) -> Iterator[pa.RecordBatch]:
    """Issues as rows of evidence: they travel with it to the task of their site."""
    count = issues.num_rows
    if count == 0:
        return
    columns = {
        "site": issues.column("site"),
        # Spread as evidence is.
        "entity_key": issues.column("page"),
        "role": pa.array(["issue"] * count),
        "page": issues.column("page"),
        "source": issues.column("stage"),
        "value": issues.column("issue"),
    }
    arrays = [columns.get(field.name, pa.nulls(count, field.type)) for field in _EVIDENCE_SCHEMA]
    yield from pa.Table.from_arrays(arrays, schema=_EVIDENCE_SCHEMA).to_batches()


def _apart(batch: pa.RecordBatch) -> tuple[pa.RecordBatch, pa.RecordBatch]:
    """Evidence, and issues."""
    import pyarrow.compute as pc

    is_issue = pc.equal(batch.column("role"), "issue")
    return batch.filter(pc.invert(is_issue)), batch.filter(is_issue)


class _Spill:
    """Record batches on their way through a file: a task makes more rows than fit its memory."""

    def __init__(self, schema: pa.Schema, folder: str) -> None:
        self.path = os.path.join(folder, "rows.arrow")
        self.schema = schema
        self.writer = pa.ipc.new_stream(self.path, schema)

    def write(self, table: pa.Table) -> None:
        self.writer.write_table(table.cast(self.schema))

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
                evidence, issues = _apart(batch)
                assembler.add(evidence)
                if issues.num_rows:
                    yield issues
            spill = _Spill(_EVIDENCE_SCHEMA, folder)
            assembler.merged(lambda table: spill.write(pa.table(table)))
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
                for part_site, part in _by_site(batch):
                    if part_site != site:
                        if own is not None:
                            yield from _site_rows(site, own, folder)
                        site = part_site
                        own = _native.Assembler(os.path.join(folder, "evidence"), memory)
                    evidence, issues = _apart(part)
                    own.add(evidence)
                    if issues.num_rows:
                        yield from _as_rows("issues", _issues(issues))
            if own is not None:
                yield from _site_rows(site, own, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    return assemble


def _by_site(batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """The parts of a batch, sorted by site, that are of one site each."""
    sites = batch.column("site").to_pylist()
    start = 0
    for end in range(1, len(sites) + 1):
        if end == len(sites) or sites[end] != sites[start]:
            yield sites[start], batch.slice(start, end - start)
            start = end


def _issues(rows: pa.RecordBatch) -> pa.Table:
    columns = [rows.column(name) for name in ("site", "page", "source", "value")]
    return pa.Table.from_arrays(columns, names=["site", "page", "stage", "issue"])


def _site_rows(site: str, assembler: Any, folder: str) -> Iterator[pa.RecordBatch]:
    spill = _Spill(_ROW_SCHEMA, folder)

    def emit(name: str, made: Any) -> None:
        table = pa.table(made)
        if name == "columns":
            count = table.num_rows
            table = table.add_column(0, "position", pa.array(range(count), pa.int32()))
            table = table.add_column(0, "site", pa.array([site] * count, pa.string()))
        for batch in _as_rows(name, table):
            spill.write(pa.Table.from_batches([batch]))

    assembler.tables(emit)
    yield from spill.batches()


def _as_rows(name: str, table: pa.Table) -> Iterator[pa.RecordBatch]:
    """Rows of one table among those of all."""
    fields = list(_STRUCTS[name])
    for batch in table.select([field.name for field in fields]).to_batches():
        arrays = [array.cast(field.type) for array, field in zip(batch.columns, fields)]
        own = pa.StructArray.from_arrays(arrays, fields=fields)
        count = batch.num_rows
        others = [own if other == name else pa.nulls(count, kind) for other, kind in _STRUCTS.items()]
        yield pa.RecordBatch.from_arrays([pa.array([name] * count, pa.string()), *others], schema=_ROW_SCHEMA)

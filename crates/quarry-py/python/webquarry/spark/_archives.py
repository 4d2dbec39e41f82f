"""Reads archives in Spark's workers: whole WARC files, or single records by range."""

from __future__ import annotations

import fnmatch
import glob
import os
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Union

import pyarrow as pa

from .. import _native, iter_pages

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_PAGES = "page string, url string, content_type string, content binary, warc_filename string"
#: Bytes of an archive that are copied at once.
_COPIED = 8 << 20


def _open(place: str) -> Any:
    """A file of any file system that Arrow knows, opened to be read from any offset."""
    if "://" not in place:
        return open(place, "rb")
    from pyarrow import fs

    system, path = fs.FileSystem.from_uri(place.replace("s3a://", "s3://", 1))
    return system.open_input_file(path)


def with_content(pages: Any, archives: str) -> pa.Table:
    """Pages with their content: index rows are read from their archives. A record that cannot be read has none."""
    table = pages if isinstance(pages, pa.Table) else pa.Table.from_batches([pages])
    if "content" in table.column_names:
        return table
    rows = zip(*(table.column(f"warc_{name}").to_pylist() for name in ("filename", "record_offset", "record_length")))
    records: list[bytes] = []
    opened: dict[str, Any] = {}
    try:
        for file, offset, length in rows:
            place = archives + file
            try:
                if place not in opened:
                    opened[place] = _open(place)
                opened[place].seek(offset)
                records.append(opened[place].read(length))
            except OSError:
                records.append(b"")
    finally:
        for file in opened.values():
            file.close()
    read = pa.table(_native.warc_records(records))
    kept = [name for name in ("url", "page", "site") if name in table.column_names]
    columns = [*(table.column(name) for name in kept), read.column("content_type"), read.column("content")]
    return pa.Table.from_arrays(columns, names=[*kept, "content_type", "content"])


def _matching(pattern: str) -> list[str]:
    """The files that a pattern names, here or in a file system that Arrow knows."""
    if "://" not in pattern:
        return sorted(os.path.abspath(path) for path in glob.glob(pattern, recursive=True))
    from pyarrow import fs

    scheme, rest = pattern.split("://", 1)
    folder = rest.split("*", 1)[0].rsplit("/", 1)[0]
    system, path = fs.FileSystem.from_uri(f"{scheme.replace('s3a', 's3')}://{folder}")
    found = system.get_file_info(fs.FileSelector(path, recursive=True))
    files = (info.path for info in found if info.type == fs.FileType.File)
    return sorted(f"{scheme}://{file.lstrip('/')}" for file in files if fnmatch.fnmatch(file.lstrip("/"), rest.lstrip("/")))


def warc_pages(spark: "SparkSession", patterns: Union[str, Iterable[str]]) -> "DataFrame":
    """The pages of WARC files as a DataFrame, a task for each file. Patterns may have `*` in them."""
    many = [patterns] if isinstance(patterns, str) else list(patterns)
    files = sorted({file for pattern in many for file in _matching(pattern)})
    if not files:
        raise FileNotFoundError(f"no file is named {' or '.join(many)}")
    frame = spark.createDataFrame([(file,) for file in files], "file string")
    return frame.repartition(len(files), "file").mapInArrow(_read_files, _PAGES)


def _read_files(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for place in batch.column("file").to_pylist():
            with tempfile.TemporaryDirectory(prefix="webquarry-warc-") as folder:
                path = place if "://" not in place else _copy(place, folder)
                for made in iter_pages(path, batch=128):
                    table = pa.table(made)
                    yield from table.append_column("warc_filename", pa.array([place] * len(table))).to_batches()


def _copy(place: str, folder: str) -> str:
    """Copies a remote archive here: it is gone through twice."""
    path = os.path.join(folder, os.path.basename(place))
    with _open(place) as source, open(path, "wb") as out:
        while chunk := source.read(_COPIED):
            out.write(chunk)
    return path

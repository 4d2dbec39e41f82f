"""Point it at a web site; get its database back as tables.

Pages go in as bytes, text, a list of these, or as any Arrow table with the columns `url` and `content` (pyarrow, Polars, DuckDB, pandas);
`content_type`, `page` (a name) and `site` are looked at where they are there. Results come out as `Table`, which the same libraries take
without a copy.

    pages = webquarry.read_warc("shop.warc.gz")
    model = webquarry.learn(pages)
    tables = webquarry.assemble(model.read(pages))
    print(tables.entities)

All functions release the interpreter lock and use all cores (`RAYON_NUM_THREADS` bounds them).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union

from . import _native
from ._native import SiteModel, Table, __version__, cluster, embedded, forms, links, records
from .errors import (
    HarvestError,
    InputError,
    ModelError,
    PageWarning,
    QuarryError,
    StoreError,
)

__all__ = [
    "HarvestError",
    "InputError",
    "ModelError",
    "PageWarning",
    "QuarryError",
    "SiteModel",
    "StoreError",
    "Table",
    "Tables",
    "__version__",
    "assemble",
    "cluster",
    "embedded",
    "forms",
    "harvest",
    "iter_pages",
    "learn",
    "link",
    "links",
    "match",
    "open_project",
    "read_pages",
    "read_warc",
    "records",
    "specs",
    "things",
]

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True, repr=False)
class Tables:
    """The tables of a harvest."""

    #: One row per entity: `site, entity, entity_kind, title`, a column per attribute, `_id, _state`.
    entities: Table
    #: One row per entity, attribute and value, each with its source, page and node.
    values: Table
    #: One row per column of `entities`, the most wanted first.
    columns: Table
    #: The project folder that they are of, where there is one.
    project: Optional[Path] = None

    def __repr__(self) -> str:
        counts = f"{len(self.entities)} entities, {len(self.values)} values, {len(self.columns)} columns"
        where = "" if self.project is None else f" in {self.project}"
        return f"webquarry.Tables: {counts}{where}\n{self.entities!r}"


def specs(pages: Any, *, known: Optional[str] = None) -> Table:
    """The specifications of each page as names and values: what `quarry specs` prints. `known` is the text of JSON lines with `name` and
    `value`, from other sites, that teach where this site has its own."""
    return _native.specs(pages, known=known)


def learn(pages: Any, *, site: Optional[str] = None, seed: Union[bytes, str, PathLike, None] = None) -> SiteModel:
    """Learns a site from its pages, as `quarry harvest` does: from 300 of them, evenly over all in the order of their names.

    `seed` has known records, which label attributes: a path, or the bytes of JSON lines or CSV, one record a line.
    """
    return _native.learn(pages, site=site, seed=_seed(seed))


def match(pages: Any, seed: Union[bytes, str, PathLike], *, site: Optional[str] = None) -> Table:
    """The attributes of known records on the pages of a site: what `quarry match` prints."""
    given = _seed(seed)
    if given is None:
        raise InputError("give known records as a seed: a path, or the bytes of JSON lines or CSV")
    return _native.match_pages(pages, given, site=site)


def _seed(seed: Union[bytes, str, PathLike, None]) -> Optional[bytes]:
    if seed is None or isinstance(seed, bytes):
        return seed
    try:
        return Path(seed).read_bytes()
    except OSError as error:
        raise StoreError(f"cannot read the seed {os.fspath(seed)}: {error.strerror}", path=os.fspath(seed)) from error


def assemble(evidence: Any, *, memory: int = 256) -> Tables:
    """Assembles what `SiteModel.read` gave, of one site or several, into tables. `memory` is in megabytes; what does not fit goes to a
    temporary folder."""
    return Tables(*_native.assemble(evidence, memory=memory))


def read_warc(path: Union[PathLike, Sequence[PathLike]]) -> Table:
    """The pages of WARC files: those that were answered with success and hold HTML, of each address the newest."""
    return read_pages(path)


def read_pages(path: Union[PathLike, Sequence[PathLike]], *, urls: Optional[PathLike] = None) -> Table:
    """The pages of WARC files, HTML files, folders of them, or projects: `page, url, content_type, content`.

    `urls` is a file of `{"file": …, "url": …}` lines that gives HTML files their addresses.
    """
    tables: list[Table] = []
    _native.page_batches(_paths(path), tables.append, urls=urls, batch=sys.maxsize)
    return tables[0]


def iter_pages(
    path: Union[PathLike, Sequence[PathLike]], *, urls: Optional[PathLike] = None, batch: int = 256
) -> Iterator[Table]:
    """The same, so many pages at a time: memory does not grow with the archive."""
    import queue
    import threading

    made: queue.Queue = queue.Queue(maxsize=2)
    over = threading.Event()

    def put(item: Any) -> None:
        while not over.is_set():
            try:
                return made.put(item, timeout=0.1)
            except queue.Full:
                continue
        raise GeneratorExit

    def read() -> None:
        try:
            _native.page_batches(_paths(path), put, urls=urls, batch=batch)
            put(None)
        except GeneratorExit:
            pass
        except BaseException as error:  # handed to the reader, who raises it
            put(error)

    threading.Thread(target=read, daemon=True).start()
    try:
        while (item := made.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            if len(item):
                yield item
    finally:
        over.set()


def _paths(path: Union[PathLike, Sequence[PathLike]]) -> list[str]:
    many = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    return [os.fspath(own) for own in many]


def open_project(folder: PathLike) -> Tables:
    """The tables that the last harvest left in a project folder."""
    return Tables(*_native.project_tables(os.fspath(folder)), project=Path(folder))


def harvest(
    inputs: Union[PathLike, Sequence[PathLike]],
    *,
    project: Optional[PathLike] = None,
    seed: Sequence[PathLike] = (),
    urls: Optional[PathLike] = None,
    relearn: bool = False,
    memory: Optional[int] = None,
    settings: Optional[dict[str, Any]] = None,
    verbose: bool = False,
) -> Tables:
    """The whole job: crawls addresses, or takes WARC files, HTML folders or projects, and returns the tables.

    It is what `quarry harvest` does, in a process of its own: it can be interrupted, and the same call goes on. `project` is the folder that
    keeps everything; without one, a temporary folder is used and removed. `settings` are options of the program, `{"max-pages": 500}`.
    """
    many = _paths(inputs)
    if not many:
        raise InputError("give an address, a file or a folder to harvest")
    if project is None:
        with tempfile.TemporaryDirectory(prefix="webquarry-") as folder:
            made = harvest(
                many, project=folder, seed=seed, urls=urls, relearn=relearn, memory=memory, settings=settings, verbose=verbose
            )
            return Tables(made.entities, made.values, made.columns)
    arguments = ["harvest", *many, "-p", os.fspath(project)]
    for own in seed:
        arguments += ["--seed", os.fspath(own)]
    if urls is not None:
        arguments += ["--urls", os.fspath(urls)]
    if relearn:
        arguments.append("--relearn")
    if memory is not None:
        arguments += ["--memory", str(memory)]
    for name, value in (settings or {}).items():
        option = "--" + name.replace("_", "-")
        arguments += [option] if value is True else [option, str(value)]
    _run(arguments, os.fspath(project), verbose)
    return open_project(project)


def link(inputs: Union[PathLike, Sequence[PathLike]] = (), *, project: PathLike, verbose: bool = False) -> Any:
    """Links the entities of several projects, or of one that has several sites, to things: what `quarry link` does, in a process of its own.

    Returns the table of things, one row for each, as a pyarrow table; it stays in `project`. Needs pyarrow.
    """
    _run(["link", *_paths(inputs), "-p", os.fspath(project)], os.fspath(project), verbose)
    return things(project)


def things(folder: PathLike) -> Any:
    """The things that the last harvest or linking left in a project folder, as a pyarrow table. Needs pyarrow."""
    import importlib

    parquet = importlib.import_module("pyarrow.parquet")
    path = Path(folder) / "tables" / "things.parquet"
    if not path.exists():
        raise StoreError(f"{os.fspath(folder)} has no things; webquarry.link makes them of several sites", path=os.fspath(path))
    return parquet.read_table(path)


def _run(arguments: list[str], project: str, verbose: bool) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "webquarry", *([] if verbose else ["--quiet"]), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=None if verbose else subprocess.PIPE,
        text=True,
    )
    # 1: done, but pages failed or expectations were not met.
    if run.returncode not in (0, 1):
        said = (run.stderr or "").strip().splitlines()
        message = said[-1].removeprefix("quarry: ") if said else f"quarry {arguments[0]} ended with status {run.returncode}"
        raise HarvestError(message, path=project, status=run.returncode)

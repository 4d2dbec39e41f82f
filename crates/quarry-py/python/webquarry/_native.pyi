"""The native part of the package; use the functions of `webquarry`."""

from os import PathLike
from typing import Any, Callable, Optional, Sequence

LEARNED_FROM: int
__version__: str

class Table:
    """Rows of typed columns, which pyarrow, Polars, DuckDB and pandas take without a copy."""

    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def to_pyarrow(self) -> Any:
        """The table as `pyarrow.Table`, without a copy."""
    def to_pandas(self) -> Any:
        """The table as a pandas data frame."""
    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as a list of dictionaries."""

class SiteModel:
    """What was learned of a site. Pickles as its text, which is versioned."""

    @staticmethod
    def from_text(text: str) -> "SiteModel": ...
    @property
    def text(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def kinds(self) -> list[str]: ...
    def read(self, pages: Any) -> Table:
        """What pages of the site say: one row for each value of each entity, with the node that it was read from."""

class Assembler:
    """Takes evidence of any size, with bounded memory."""

    def __init__(self, folder: str | PathLike[str], memory: int) -> None: ...
    def add(self, evidence: Any) -> None: ...
    def merged(self, emit: Callable[[Table], object]) -> None: ...
    def tables(self, emit: Callable[[str, Table], object]) -> None: ...

def records(pages: Any) -> Table:
    """The answer regions of each page, their records and data units: what `quarry records` prints."""

def specs(pages: Any, *, known: Optional[str] = None) -> Table: ...
def links(pages: Any) -> Table:
    """What each page leads to: what `quarry links` prints."""

def forms(pages: Any) -> Table:
    """The forms of each page: what `quarry forms` prints."""

def cluster(pages: Any) -> Table:
    """Which pages of a site are of one kind: what `quarry cluster` prints."""

def embedded(pages: Any) -> Table:
    """The data that each page embeds for machines, one row for each name and value."""

def learn(pages: Any, *, site: Optional[str] = None, seed: Optional[bytes] = None) -> SiteModel: ...
def match_pages(pages: Any, seed: bytes, *, site: Optional[str] = None) -> Table: ...
def read_sites(models: Sequence[SiteModel], pages: Any) -> tuple[Table, Table]: ...
def site_names(pages: Any) -> list[tuple[str, str]]: ...
def assemble(evidence: Any, *, memory: int = 256) -> tuple[Table, Table, Table]: ...
def project_tables(folder: str | PathLike[str]) -> tuple[Table, Table, Table]: ...
def page_batches(
    paths: Sequence[str | PathLike[str]],
    emit: Callable[[Table], object],
    *,
    urls: Optional[str | PathLike[str]] = None,
    batch: int = 256,
) -> None: ...
def warc_records(records: Sequence[bytes]) -> Table: ...
def run_program(arguments: Sequence[str]) -> int: ...

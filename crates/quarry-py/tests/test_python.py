"""The functions of the package give what the program gives, and behave as Python does."""

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import webquarry as wq
from conftest import lines, program, rounded

PAGE = b"""<html><head><title>Lamps</title>
<script type="application/ld+json">{"@type": "Product", "name": "Arc lamp", "offers": {"price": "12.50"}}</script></head>
<body><form action="/s"><input name="q" type="search"></form><ul>
<li><a href="/l/1">Arc lamp</a> <b>12.50</b></li><li><a href="/l/2">Bow lamp</a> <b>13.00</b></li>
<li><a href="/l/3">Cone lamp</a> <b>14.00</b></li><li><a href="/l/4">Dome lamp</a> <b>15.00</b></li></ul></body></html>"""


def table_of(site):
    return pa.Table.from_pylist(site.rows)


def pruned(line, like):
    """A line of the program with only what the table has; what is missing is null, or an empty list."""
    if isinstance(like, dict):
        line = line or {}
        return {key: pruned(line.get(key), value) for key, value in like.items()}
    if isinstance(like, list):
        line = line or []
        assert len(line) == len(like)
        return [pruned(own, value) for own, value in zip(line, like)]
    return line


@pytest.mark.parametrize("verb", ["records", "specs", "links", "forms", "cluster"])
def test_stages_give_the_lines_of_the_program(sites, verb):
    for site in sites[:3]:
        made = getattr(wq, verb)(wq.read_pages(site.folder, urls=site.urls)).to_pylist()
        expect = lines(verb, site.folder, "--urls", site.urls)
        assert len(made) == len(expect) > 10
        for own, line in zip(made, expect):
            own = {key: value if value is not None or key == "total" else [] for key, value in own.items()}
            assert pruned(line, own) == own


def test_pages_are_given_in_many_forms(sites):
    site = sites[0]
    table = table_of(site)
    expect = wq.records(table).to_pylist()
    for pages in [table.to_batches()[0], table.cast(pa.schema([("page", pa.large_string()), ("url", pa.string_view()), ("content", pa.large_binary())])),
                  pl.DataFrame(table), pd.DataFrame(site.rows).pipe(pa.Table.from_pandas)]:
        assert wq.records(pages).to_pylist() == expect
    [one] = wq.records(PAGE).to_pylist()
    assert wq.records(PAGE.decode()).to_pylist() == wq.records([PAGE]).to_pylist() == [one]
    assert len(one["regions"][0]["records"]) == 4
    assert [form["kind"] for form in wq.forms(PAGE).to_pylist()[0]["forms"]] == ["search"]
    embedded = {row["name"]: row["value"] for row in wq.embedded(PAGE).to_pylist() if row["syntax"] == "json-ld"}
    assert embedded["price"] == "12.50"


def test_the_same_tables_as_the_program(sites, tmp_path):
    for site in sites:
        model = wq.learn(table_of(site))
        assert model.site == site.origin
        made = wq.assemble(model.read(table_of(site)))
        expect = site.harvest(tmp_path / site.origin.split("//")[1])
        for name in ("entities", "values", "columns"):
            own, program = (getattr(tables, name).to_pyarrow() for tables in (made, expect))
            assert own.schema == program.schema, name
            assert rounded(own.to_pylist()) == rounded(program.to_pylist()), name
        assert len(made.entities) > 10


def test_memory_does_not_change_the_tables_of_a_site_that_fits_the_sample(sites):
    evidence = wq.learn(table_of(sites[1])).read(table_of(sites[1]))
    small, large = wq.assemble(evidence, memory=8), wq.assemble(evidence, memory=256)
    assert small.values.to_pylist() == large.values.to_pylist()


def test_tables_are_those_that_the_project_exports(sites, tmp_path):
    tables = wq.harvest(sites[0].folder, urls=sites[0].urls, project=tmp_path / "p")
    for name in ("entities", "values", "columns"):
        parquet = pq.read_table(tmp_path / "p" / "tables" / f"{name}.parquet")
        own = getattr(tables, name).to_pyarrow()
        assert own.column_names == parquet.column_names
        assert own.to_pylist() == parquet.to_pylist()


def test_models_pickle_as_versioned_text(sites):
    model = wq.learn(table_of(sites[2]))
    again = pickle.loads(pickle.dumps(model))
    assert (again.site, again.kinds) == (model.site, model.kinds) and '"version":' in model.text
    assert model == model and model != wq.learn(table_of(sites[0]))
    assert rounded(again.read(table_of(sites[2])).to_pylist()) == rounded(model.read(table_of(sites[2])).to_pylist())
    with pytest.raises(wq.ModelError, match="version 1, this package reads version"):
        wq.SiteModel.from_text(model.text.replace('"version":2', '"version":1', 1))


def test_pages_may_come_in_batches(sites):
    table, model = table_of(sites[3]), wq.learn(table_of(sites[3]))
    whole = model.read(table).to_pylist()
    parts = [row for at in range(0, len(table), 7) for row in model.read(table.slice(at, 7)).to_pylist()]
    assert parts == whole


def test_other_libraries_take_tables(sites):
    values = wq.assemble(wq.learn(table_of(sites[0])).read(table_of(sites[0]))).values
    arrow = values.to_pyarrow()
    assert len(pl.DataFrame(values)) == len(values.to_pandas()) == len(values) == len(arrow)
    [(count,)] = duckdb.sql("SELECT count(*) FROM arrow WHERE confidence > 0").fetchall()
    assert count == len(values)


def test_a_preview_has_ten_rows(sites):
    tables = wq.assemble(wq.learn(table_of(sites[0])).read(table_of(sites[0])))
    text = repr(tables.values).splitlines()
    assert text[0].startswith("webquarry.Table: ") and text[1].startswith("site")
    assert len(text[2:12]) == 10 and "more rows" in repr(tables.values)
    assert "entities" in repr(tables) and "kinds of entities" in repr(wq.learn(table_of(sites[0])))


def test_errors_have_fields(tmp_path):
    with pytest.raises(wq.InputError) as missing:
        wq.records(pa.table({"url": ["http://a.test/"]}))
    assert missing.value.column == "content"
    with pytest.raises(wq.InputError) as wrong:
        wq.records(pa.table({"content": [1]}))
    assert wrong.value.column == "content"
    with pytest.raises(wq.InputError):
        wq.records(7)
    with pytest.raises(wq.InputError, match="several sites"):
        wq.learn(pa.table({"url": ["http://a.test/", "http://b.test/"], "content": [PAGE, PAGE]}))
    with pytest.raises(wq.StoreError) as gone:
        wq.read_warc(tmp_path / "none.warc.gz")
    assert gone.value.path == str(tmp_path / "none.warc.gz")
    with pytest.raises(wq.HarvestError) as failed:
        wq.harvest(tmp_path / "none.warc.gz", project=tmp_path / "p")
    assert failed.value.status == 2 and "none.warc.gz" in str(failed.value)
    again = pickle.loads(pickle.dumps(gone.value))
    assert (type(again), again.path, str(again)) == (wq.StoreError, gone.value.path, str(gone.value))


def test_bad_pages_cost_themselves(sites):
    rows = [dict(row) for row in sites[0].rows]
    model = wq.learn(pa.Table.from_pylist(rows))
    expect = model.read(pa.Table.from_pylist(rows)).to_pylist()
    odd = [b"", b"\xff\xfe\x00" * 999, b"<div>" * 100_000, None]
    rows += [{"page": f"odd{n}", "url": f"{sites[0].origin}/odd/{n}", "content": own} for n, own in enumerate(odd)]
    with pytest.warns(wq.PageWarning, match="1 pages were left out: odd3: no content"):
        made = model.read(pa.Table.from_pylist(rows)).to_pylist()
    assert [row for row in made if not row["page"].startswith("odd")] == expect


def test_known_records_are_found(sites, tmp_path):
    site = sites[1]
    tables = site.harvest(tmp_path / "p")
    rows = [row for row in tables.entities.to_pylist() if row["title"]][:20]
    seed = tmp_path / "seed.csv"
    pd.DataFrame({"title": [row["title"] for row in rows]}).to_csv(seed, index=False)
    made = wq.match(wq.read_pages(site.folder, urls=site.urls), seed, site=site.folder.name).to_pylist()
    expect = lines("match", site.folder, "--urls", site.urls, "--seed", seed)
    assert made == expect and len(made) > 5


def test_threads_work_side_by_side(sites):
    tables = [table_of(site) for site in sites]
    expect = [wq.records(table).to_pylist() for table in tables]
    with ThreadPoolExecutor(4) as pool:
        made = [table.to_pylist() for table in pool.map(wq.records, tables)]
    assert made == expect


def test_pages_come_one_batch_after_the_other(sites):
    site = sites[0]
    whole = wq.read_pages(site.folder, urls=site.urls).to_pylist()
    parts = [table.to_pylist() for table in wq.iter_pages(site.folder, urls=site.urls, batch=9)]
    assert [len(part) for part in parts[:-1]] == [9] * (len(parts) - 1)
    assert sum(parts, []) == whole
    next(iter(wq.iter_pages(site.folder, batch=1)))
    with pytest.raises(wq.StoreError):
        list(wq.iter_pages(site.folder / "none"))


def test_the_command_is_the_program():
    assert program("--version").stdout.startswith("quarry ")
    assert program("records", check=False).returncode == 2


def test_nothing_is_warned_of_without_a_reason(sites):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wq.links(table_of(sites[0]))


def test_things_are_those_of_the_program(sites, tmp_path):
    projects = [tmp_path / "one", tmp_path / "two"]
    for site, project in zip(sites, projects):
        site.harvest(project)
    made = wq.link(projects, project=tmp_path / "all")
    assert made.num_rows > 0 and "entities" in made.column_names
    assert made.equals(wq.things(tmp_path / "all"))
    with pytest.raises(wq.StoreError, match="has no things"):
        wq.things(projects[0])

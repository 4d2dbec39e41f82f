"""What do DuckDB, pandas and Datasette see in a folder of tables? One JSON line per reader, table and format.

usage: read.py FOLDER
"""
import asyncio
import json
import sqlite3
import sys
from pathlib import Path

import duckdb
import pandas
from datasette.app import Datasette

SHOWN = 5


def tell(reader, table, form, columns, count, rows):
    line = {"reader": reader, "table": table, "format": form}
    line |= {"columns": columns, "count": count, "rows": rows}
    print(json.dumps(line, default=plain, allow_nan=False))


def plain(value):
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value)


def by_duckdb(path, connection):
    relation = connection.sql(f"SELECT * FROM '{path}'")
    columns = [[name, str(kind)] for name, kind in zip(relation.columns, relation.types)]
    rows = [list(row) for row in relation.limit(SHOWN).fetchall()]
    count = connection.sql(f"SELECT count(*) FROM '{path}'").fetchall()[0][0]
    tell("duckdb", path.stem, path.suffix[1:], columns, count, rows)


def by_pandas(path):
    read = {
        ".parquet": pandas.read_parquet,
        ".csv": pandas.read_csv,
        ".jsonl": lambda file: pandas.read_json(file, lines=True),
    }[path.suffix]
    frame(path.stem, path.suffix[1:], read(path))


def frame(table, form, data):
    columns = [[name, str(kind)] for name, kind in data.dtypes.items()]
    head = data.head(SHOWN).astype(object)
    rows = head.where(head.notna(), None).values.tolist()
    tell("pandas", table, form, columns, len(data), rows)


async def by_datasette(path):
    # Facets are looked for in every column, which takes its time.
    site = Datasette(files=[str(path)], settings={"suggest_facets": False})
    tables = (await site.client.get(f"/{path.stem}.json")).json()["tables"]
    for table in (table["name"] for table in tables):
        answer = await site.client.get(f"/{path.stem}/{table}.json?_shape=objects&_size={SHOWN}")
        assert answer.status_code == 200, answer.text
        page = await site.client.get(f"/{path.stem}/{table}")
        assert page.status_code == 200, page.text
        data = answer.json()
        # Datasette puts the number of the row in front.
        names = data["columns"][data["columns"][0] == "rowid" :]
        columns = [[name, ""] for name in names]
        rows = [[row[name] for name in names] for row in data["rows"]]
        tell("datasette", table, "sqlite", columns, data["filtered_table_rows_count"], rows)


def main(folder):
    connection = duckdb.connect()
    # Files are small; what is read is the same with any number of threads.
    connection.execute("SET threads = 1")
    for path in sorted(folder.iterdir()):
        if path.suffix in (".parquet", ".csv", ".jsonl"):
            by_duckdb(path, connection)
            by_pandas(path)
        elif path.suffix == ".sqlite":
            asyncio.run(by_datasette(path))
            database = sqlite3.connect(path)
            tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            for (table,) in tables.fetchall():
                frame(table, "sqlite", pandas.read_sql(f'SELECT * FROM "{table}"', database))


main(Path(sys.argv[1]))

"""Does every value lead back to its node? Takes the tables of a project as DuckDB reads them, fetches each page with warcio by
file and offset, has it parsed as browsers do (html5lib), and asks lxml for the node.

usage: lead_back.py PROJECT; prints a JSON line for each value that does not, and a last one with counts by source
"""
import json
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urljoin

import duckdb
import html5lib
from lxml import etree
from warcio.archiveiterator import ArchiveIterator

QUERY = """
SELECT v.entity, v.attribute, v.value, v.source, v.page, v.path, p.warc_filename, p.warc_record_offset
FROM '{0}/values.parquet' v LEFT JOIN '{0}/pages.parquet' p ON p.key = v.page
"""


def fold(text):
    return " ".join(text.split())


def original(project, revisit):
    """The body that a revisit record stands for: that of the response with the same digest."""
    digest = revisit.rec_headers.get_header("WARC-Payload-Digest")
    for path in sorted((project / "pages").glob("*.warc.gz")):
        with open(path, "rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response" and record.rec_headers.get_header("WARC-Payload-Digest") == digest:
                    return record.content_stream().read()
    raise AssertionError(f"no response has the digest {digest}")


def page(project, name, offset):
    with open(project / name, "rb") as file:
        file.seek(offset)
        record = next(iter(ArchiveIterator(file)))
        body = original(project, record) if record.rec_type == "revisit" else record.content_stream().read()
    return html5lib.parse(body, treebuilder="lxml", namespaceHTMLElements=False)


def text(node):
    """The text of a node, or the value of an attribute."""
    return fold(node if isinstance(node, str) else "".join(node.itertext()))


def base(page):
    """The address of a page; that of a POST is known as `POST address body`."""
    return page.split(" ")[1] if page.startswith("POST ") else page


def leads_back(row, tree):
    """How the node shows the value; None if it does not."""
    entity, _, value, source, address, path = row[:6]
    nodes = tree.xpath(path)
    if len(nodes) != 1:
        return None
    if source == "facet":
        # The link that lists the entity in the answer of a query with this value.
        return "link" if urljoin(base(address), nodes[0].get("href")) == entity else None
    shown = text(nodes[0])
    if shown == value:
        return "whole"
    # One of several values of a node ("Black, Brown"), or what stands after its label ("Brand: Saldo").
    return "part" if value in shown else None


def main(project):
    trees, counts = {}, Counter()
    rows = duckdb.sql(QUERY.format(project / "tables")).fetchall()
    for row in rows:
        place = row[6], row[7]
        if None in place:
            print(json.dumps({"row": row, "why": "no such page"}))
            continue
        if place not in trees:
            trees[place] = page(project, *place)
        how = leads_back(row, trees[place])
        if how is None:
            nodes = trees[place].xpath(row[5])
            shown = [etree.tostring(n, encoding="unicode")[:200] if hasattr(n, "tag") else n for n in nodes]
            print(json.dumps({"row": row, "why": shown}))
        counts[f"{row[3]} {how}"] += 1
    print(json.dumps({"counts": counts, "rows": len(rows)}))


main(Path(sys.argv[1]))

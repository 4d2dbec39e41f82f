#!/usr/bin/env python3
"""Is one task enough to assemble a large site?

    python bench/spark_assembly.py [FOLDER] [--entities 2000] [--copies 1,4,16] [--memory 256]

Reads the pages of a generated site, or the first 400 of a folder with those of one site, and puts their evidence so many times through what Spark's last task does, each copy with entities of its own:
a site that is so many times as large. Each size runs in a process of its own. Prints CPU seconds and memory of reading and of assembling, and
how many cores must read until the one task that assembles is what the job waits for.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

os.environ["RAYON_NUM_THREADS"] = "1"


def peak_mb():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def assemble(file, copies, memory):
    """What `_tasks.assembler` does with the evidence of a site."""
    from webquarry.spark import _tasks

    def batches():
        for copy in range(copies):
            with pa.ipc.open_stream(file) as stream:
                for batch in stream:
                    table = pa.Table.from_batches([batch])
                    for name in ("entity", "entity_key"):
                        at = table.schema.get_field_index(name)
                        table = table.set_column(at, name, pc.binary_join_element_wise(table.column(at), f"?copy={copy}", ""))
                    yield from _tasks._pack(_tasks._evidence_parts(table, False))

    began, rows = time.process_time(), 0
    for made in _tasks.assembler(memory)(batches()):
        rows += made.num_rows
    print(time.process_time() - began, peak_mb(), rows)


def generated(folder, entities):
    import webquarry as wq

    from spark import testsite

    written = [testsite(), "write", "--preset", "shop", "--entities", str(entities), "--warc", "--out", folder / "site"]
    subprocess.run(written, check=True, capture_output=True)
    return wq.read_warc(next((folder / "site").glob("*.warc.gz"))).to_pyarrow()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--entities", type=int, default=2_000)
    parser.add_argument("--copies", default="1,4,16")
    parser.add_argument("--memory", type=int, default=256)
    parser.add_argument("--assemble", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.assemble:
        return assemble(given.assemble[0], int(given.assemble[1]), given.memory)
    import webquarry as wq

    from webquarry.spark import _tasks

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if given.folder:
            files = sorted(path for path in given.folder.iterdir() if path.suffix in (".htm", ".html"))[:400]
            rows = [{"page": path.name, "url": f"http://folder.test/{path.name}", "content": path.read_bytes()} for path in files]
            pages = pa.Table.from_pylist(rows)
        else:
            pages = generated(folder, given.entities)
        model = wq.learn(pages)
        began = time.process_time()
        evidence = pa.table(model.read(pages))
        reading = (time.process_time() - began) / len(pages)
        began = time.process_time()
        packed = _tasks.merger(given.memory)(_tasks._pack(_tasks._evidence_parts(evidence, False)))
        merged = pa.concat_tables(rows for batch in packed for _, rows in _tasks._unpack(batch))
        merging = (time.process_time() - began) / len(pages)
        with pa.ipc.new_stream(folder / "evidence", merged.schema) as out:
            out.write_table(merged, max_chunksize=4_096)
        print(f"{len(pages)} pages: reading {1 / reading:.0f} pages a CPU second; merging {1 / merging:.0f}, {len(evidence)} pieces of evidence -> {len(merged)}", flush=True)
        for copies in given.copies.split(","):
            command = [sys.executable, __file__, "--memory", str(given.memory), "--assemble", folder / "evidence", copies]
            seconds, peak, rows = map(float, subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())
            assembling = seconds / (len(pages) * int(copies))
            print(f"{len(pages) * int(copies)} pages: assembling {seconds:.1f} CPU s, {1 / assembling:.0f} pages a CPU second, {peak:.0f} MB, {rows:.0f} rows; "
                  f"{(reading + merging) / assembling:.1f} cores read and merge as fast as one assembles", flush=True)


if __name__ == "__main__":
    main()

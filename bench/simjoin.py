#!/usr/bin/env python3
"""The similarity join (Gulhane et al., weak similarity, cosine 0.5): Quarry and sparse_dot_topn, the same made-up records (name, address,
telephone) and the same strings, one thread each, CPU seconds. Two in a hundred strings are noisy variants of seed values. "different": nearly
no string occurs twice; "pages": the nodes of a site's pages, of which half stand on every page (equal strings are joined once).

The peer is given finished unit vectors, and only its multiplication is timed; Quarry reads the strings, splits and weighs them. Both must
find the same number of pairs in the sample. The peer's rate comes from a sample of the same strings.

    bench/simjoin.py [SEEDS STRINGS]        the comparison and the growth; SEEDS 40000, STRINGS 1000000"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import peers

SAMPLE = 4_000
GROWTH = 100_000

PEER = """
import json, sys, time
from pathlib import Path
import numpy
from scipy.sparse import csr_matrix
from sparse_dot_topn import sp_matmul_topn

def read(file):
    data = numpy.fromfile(file, dtype="<u4")
    starts, grams, weights, at = [0], [], [], 0
    while at < len(data):
        count = int(data[at])
        grams.append(data[at + 1:at + 1 + count])
        weights.append(data[at + 1 + count:at + 1 + 3 * count].view("<f8"))
        starts.append(starts[-1] + count)
        at += 1 + 3 * count
    return numpy.concatenate(weights), numpy.concatenate(grams).astype("i8"), starts

folder, seconds, found = Path(sys.argv[1]), 0.0, 0
for name in ("name", "address", "phone"):
    (w, c, r), (weights, columns, rows) = (read(folder / f"{name}.{of}") for of in ("seeds", "strings"))
    width = int(max(columns.max(), c.max())) + 1
    seeds = csr_matrix((w, c, r), shape=(len(r) - 1, width)).T.tocsr()
    strings = csr_matrix((weights, columns, rows), shape=(len(rows) - 1, width))
    began = time.process_time()
    product = sp_matmul_topn(strings, seeds, top_n=4000, threshold=0.5, sort=False, n_threads=1)
    seconds += time.process_time() - began
    found += product.nnz
print(json.dumps({"rate": (len(rows) - 1) / seconds, "matches": found}))
"""


def main():
    seeds, strings = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (40_000, 1_000_000)
    python = peers.venv("sparse_dot_topn", "scipy")
    peers.cargo("-p", "quarry-simjoin", "--example", "join_speed")
    target = Path(os.environ.get("CARGO_TARGET_DIR", str(peers.ROOT / "target")))
    program = target / "release" / "examples" / "join_speed"
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}

    def run(kind, seeds, strings, *more):
        line = subprocess.check_output([program, kind, str(seeds), str(strings), *more], env=one)
        ours = json.loads(line)
        ours["rate"] = strings / ours["join_s"]
        return ours

    def row(kind, ours, theirs=None):
        return {
            "strings": f"{ours['strings']:,} {kind}", "different": f"{ours['different']:,}", "seeds": f"{ours['seeds']:,}",
            "build s": f"{ours['build_s']:.2f}", "join s": f"{ours['join_s']:.2f}", "strings/s": f"{ours['rate']:,.0f}",
            "peak MB": ours["peak_mb"], "inputs MB": ours["inputs_mb"], "pairs": f"{ours['matches']:,}",
            **({"sparse_dot_topn strings/s": f"{theirs['rate']:,.0f}", "ratio": f"{ours['rate'] / theirs['rate']:.1f}",
                "pairs in sample": f"{ours['sample_matches']} {theirs['matches']}"} if theirs else {}),
        }

    rows = []
    for kind in ("pages", "different"):
        with tempfile.TemporaryDirectory() as scratch:
            ours = run(kind, seeds, strings, str(SAMPLE), scratch)
            theirs = json.loads(subprocess.check_output([python, "-c", PEER, scratch], env=one))
        rows.append(row(kind, ours, theirs))
    for more in (5_000, 20_000, 80_000, 160_000):
        rows.append(row("different", run("different", more, GROWTH)))
    for more in (GROWTH // 10, GROWTH):
        rows.append(row("different", run("different", seeds, more)))
    peers.table(rows, list(rows[0]))
    peers.save("simjoin", rows)


if __name__ == "__main__":
    main()

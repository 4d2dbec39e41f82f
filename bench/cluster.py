#!/usr/bin/env python3
"""K-means on the tag vectors of synthetic answer pages (THOR, section 4): Quarry and scikit-learn's KMeans, the same
vectors, 10 restarts each, 110 to 110,000 pages. Wall-clock seconds, the best of five rounds; internal similarity is the mean
cosine between a page and the centre of its cluster."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import peers

SIZES = (110, 1_100, 11_000, 110_000)

PEER = """
import json, sys, time
import numpy
from sklearn.cluster import KMeans
pages, dimensions, k = map(int, sys.argv[2:5])
vectors = numpy.fromfile(sys.argv[1], dtype="<f4").reshape(pages, dimensions)
best = None
for _ in range(5):
    began = time.perf_counter()
    found = KMeans(n_clusters=k, n_init=10, random_state=0).fit(vectors)
    took = time.perf_counter() - began
    best = took if best is None else min(best, took)
similarity = 0.0
for group in range(k):
    rows = vectors[found.labels_ == group].astype("f8")
    if len(rows):
        similarity += numpy.linalg.norm(rows.sum(axis=0))
print(json.dumps({"seconds": best, "similarity": similarity / pages}))
"""


def main():
    python = peers.venv("scikit-learn")
    peers.cargo("-p", "quarry-extract", "--example", "cluster_speed")
    target = Path(os.environ.get("CARGO_TARGET_DIR", str(peers.ROOT / "target")))
    program = target / "release" / "examples" / "cluster_speed"
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for pages in SIZES:
            file = Path(scratch) / f"{pages}.f32"
            ours = json.loads(subprocess.check_output([program, str(pages), file]))
            command = [python, "-c", PEER, file, str(pages), str(ours["dimensions"]), str(ours["k"])]
            theirs = json.loads(subprocess.check_output(command))
            rows.append({
                "pages": pages, "dimensions": ours["dimensions"], "k": ours["k"],
                "quarry ms": f"{ours['seconds'] * 1e3:.2f}", "scikit-learn ms": f"{theirs['seconds'] * 1e3:.1f}",
                "ratio": f"{theirs['seconds'] / ours['seconds']:.1f}",
                "quarry similarity": f"{ours['similarity']:.5f}", "scikit-learn similarity": f"{theirs['similarity']:.5f}",
            })
    peers.table(rows, list(rows[0]))
    peers.save("cluster", rows)


if __name__ == "__main__":
    main()

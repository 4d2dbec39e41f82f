#!/usr/bin/env python3
"""K-means on the tag vectors of synthetic answer pages (THOR, section 4): Quarry and scikit-learn's KMeans, the same
vectors, 10 restarts each, 110 to 110,000 pages, k as many as there are classes and 12. CPU milliseconds on one thread, the
best of five rounds: waiting threads of either side and other programs do not count; internal similarity is the mean
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
    began = time.process_time()
    found = KMeans(n_clusters=k, n_init=10, random_state=0).fit(vectors)
    took = time.process_time() - began
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
    one = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as scratch:
        for pages in SIZES:
            file = Path(scratch) / f"{pages}.f32"
            for line in subprocess.check_output([program, str(pages), file], env=one).splitlines():
                ours = json.loads(line)
                command = [python, "-c", PEER, file, str(pages), str(ours["dimensions"]), str(ours["k"])]
                theirs = json.loads(subprocess.check_output(command, env=one))
                rows.append({
                    "pages": pages, "k": ours["k"],
                    **{f"{name} ms": f"{figures['seconds'] * 1e3:.2f}" for name, figures in
                       (("quarry", ours["sampled"]), ("quarry, no sample", ours["whole"]), ("scikit-learn", theirs))},
                    "ratio": f"{theirs['seconds'] / ours['sampled']['seconds']:.1f}",
                    "ratio, no sample": f"{theirs['seconds'] / ours['whole']['seconds']:.1f}",
                    **{f"similarity of {name}": f"{figures['similarity']:.6f}" for name, figures in
                       (("quarry", ours["sampled"]), ("no sample", ours["whole"]), ("scikit-learn", theirs))},
                })
    peers.table(rows, list(rows[0]))
    peers.save("cluster", rows)


if __name__ == "__main__":
    main()

"""What the benchmarks share: a virtual environment with the peers, and CPU time of a child process."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "bench-venv"
# The profile that is measured: `release`, which is quick to build, or `dist`, which is quick.
PROFILE = os.environ.get("QUARRY_PROFILE", "release")


def venv(*packages):
    """A Python that has `packages`; installs what is missing."""
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    stamp = VENV / ("has-" + "-".join(packages))
    if not stamp.exists():
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        stamp.touch()
    return str(python)


def cargo(*arguments):
    """Builds with cargo."""
    subprocess.run(["cargo", "build", "--profile", PROFILE, "--quiet", *arguments], cwd=ROOT, check=True)


def quarry():
    """The program, built."""
    cargo("-p", "webquarry")
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    return str(Path(target) / PROFILE / "quarry")


def timed(command, log, **options):
    """Runs a command; returns its wall-clock and CPU seconds, peak memory in MB and exit status."""
    began = time.monotonic()
    with open(log, "wb") as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=sink, **options)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return {
        "wall": time.monotonic() - began,
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak_mb": usage.ru_maxrss / 1024,
        "status": process.returncode,
    }


def table(rows, columns):
    """Prints rows of dictionaries as a table."""
    cells = [columns] + [[str(row.get(name, "")) for name in columns] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def save(name, result):
    """Keeps a result as JSON beside the build."""
    folder = ROOT / "target" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(result, indent=1))

"""Generated sites, and the program of the package, for all tests."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import webquarry as wq

#: Spark's workers are this Python.
os.environ["PYSPARK_PYTHON"] = sys.executable

ROOT = Path(__file__).resolve().parents[3]

#: Presets of generated sites that differ in what they show and how.
PRESETS = ["shop", "books", "d4-shoes", "d5-electronics"]


def program(*arguments, check=True):
    """Runs the command `quarry` of the package."""
    run = subprocess.run([sys.executable, "-m", "webquarry", *map(str, arguments)], capture_output=True, text=True)
    assert not check or run.returncode in (0, 1), run.stderr
    return run


def lines(*arguments):
    """The JSON lines that a verb prints."""
    return [json.loads(line) for line in program(*arguments).stdout.splitlines()]


def rounded(rows):
    """Rows whose numbers have fourteen digits: models and columns are kept as JSON, whose reader may miss the last ones."""
    def digits(value):
        return float(f"{value:.14g}") if isinstance(value, float) else value

    return [{name: digits(value) for name, value in row.items()} for row in rows]


@pytest.fixture(scope="session")
def testsite():
    """The program that generates sites."""
    given = os.environ.get("QUARRY_TESTSITE")
    if given:
        return given
    build = ["cargo", "build", "--quiet", "--locked", "-p", "quarry-testsite", "--message-format", "json"]
    out = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    made = [json.loads(line).get("executable") for line in out.splitlines()]
    return next(path for path in made if path)


class GeneratedSite:
    """The pages of a generated site under an address of its own, as files for the program and as rows for everything else."""

    def __init__(self, number, archive, folder):
        self.origin = f"http://site{number:02}.test"
        self.folder = folder
        self.urls = folder.parent / f"{folder.name}-urls.jsonl"
        folder.mkdir()
        self.rows = []
        with open(self.urls, "w") as urls:
            for at, page in enumerate(wq.read_warc(archive).to_pylist()):
                url = self.origin + "/" + page["url"].split("://", 1)[1].split("/", 1)[1]
                name = f"s{number:02}-{at:05}.html"
                (folder / name).write_bytes(page["content"])
                urls.write(json.dumps({"file": name, "url": url}) + "\n")
                self.rows.append({"page": name, "url": url, "content": page["content"]})

    def harvest(self, project, *arguments):
        """What the program makes of it."""
        program("--quiet", "harvest", self.folder, "--urls", self.urls, "-p", project, *arguments)
        return wq.open_project(project)


@pytest.fixture(scope="session")
def sites(testsite, tmp_path_factory):
    """Sites of several presets."""
    base = tmp_path_factory.mktemp("sites")
    made = []
    count = int(os.environ.get("QUARRY_TEST_SITES", "8"))
    for number in range(count):
        out = base / f"written{number}"
        preset = PRESETS[number % len(PRESETS)]
        choice = ["--preset", preset, "--seed", str(number + 1), "--entities", str(20 + 5 * number)]
        subprocess.run([testsite, "write", *choice, "--warc", "--out", out], check=True, capture_output=True)
        archive = next(out.glob("*.warc.gz"))
        made.append(GeneratedSite(number, archive, base / f"site{number}"))
    return made

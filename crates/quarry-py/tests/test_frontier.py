"""Several crawlers with one frontier are one crawl, also when some of them are killed. Needs a server: `scripts/postgres pytest …`."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
import webquarry as wq

URL = os.environ.get("QUARRY_POSTGRES")
pytestmark = pytest.mark.skipif(URL is None, reason="no PostgreSQL: run with scripts/postgres")
HOSTS = 6


@pytest.fixture
def servers(testsite, tmp_path):
    """Sites on loopback, each a host of its own, with access logs."""
    running, fronts = [], []
    for number in range(HOSTS):
        out = tmp_path / f"site{number}"
        choice = ["--preset", ["shop", "books"][number % 2], "--seed", str(number + 1), "--entities", "40"]
        server = subprocess.Popen([testsite, "serve", *choice, "--out", out], stdout=subprocess.PIPE, text=True)
        running.append(server)
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:\d+\S*", said)):
            said += server.stdout.readline()
        fronts.append(found.group(0))
    yield fronts, tmp_path
    for server in running:
        server.terminate()
        server.wait()


def database(name):
    """A database of its own."""
    subprocess.run(["psql", URL, "-qc", f"CREATE DATABASE {name}"], check=True)
    return URL.rsplit("/", 1)[0] + "/" + name


def crawler(project, fronts, frontier=None, *arguments):
    shared = [] if frontier is None else ["--frontier", frontier]
    command = [sys.executable, "-m", "webquarry", "--quiet", "crawl", *fronts, "-p", project, "--strategy", "all", *shared, *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def pages_of(*projects):
    found = Counter()
    for project in projects:
        if any((project / "pages").glob("*.warc.gz")):
            found.update(row["url"] for row in wq.read_pages(project).to_pylist())
    return found


def requests(folder):
    """Requests to each site, by path, from the servers' logs."""
    counts = Counter()
    for log in folder.glob("site*/access.log"):
        for line in log.read_text().splitlines():
            counts[log.parent.name, line.split('"')[1].split(" ")[1]] += 1
    return counts


def ended(process):
    _, said = process.communicate(timeout=240)
    assert process.returncode in (0, 1), said


def test_crawlers_share_a_crawl(servers, tmp_path):
    fronts, folder = servers
    ended(crawler(tmp_path / "alone", fronts))
    expect = set(pages_of(tmp_path / "alone"))
    assert len(expect) > 100
    before = requests(folder)
    address = database("shared")
    projects = [tmp_path / f"crawler{n}" for n in range(3)]
    for process in [crawler(project, fronts, address) for project in projects]:
        ended(process)
    found = pages_of(*projects)
    assert set(found) == expect and set(found.values()) == {1}, "every page once"
    again = requests(folder) - before
    assert {path: n for (_, path), n in again.items() if path == "/robots.txt" and n > 1} == {}, "robots.txt once"
    assert sum(1 for project in projects if pages_of(project)) > 1, "more than one had work"


def test_killed_crawlers_lose_nothing(servers, tmp_path):
    fronts, folder = servers
    ended(crawler(tmp_path / "alone", fronts))
    expect = set(pages_of(tmp_path / "alone"))
    address = database("killed")
    slow = ["--per-host", "1", "--delay", "20ms"]
    projects = [tmp_path / f"crawler{n}" for n in range(3)]
    running = [crawler(project, fronts, address, *slow) for project in projects]
    # Killed once it has pages on disk and more to do.
    victim = random.Random(5).randrange(3)
    until = time.monotonic() + 60
    while not any((projects[victim] / "pages").glob("*.warc.gz")) and running[victim].poll() is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    running[victim].send_signal(signal.SIGKILL)
    running[victim].communicate()
    for number, process in enumerate(running):
        if number != victim:
            ended(process)
    assert set(pages_of(*projects)) == expect
    left = subprocess.run(["psql", address, "-Atc", "SELECT (SELECT count(*) FROM quarry.queue) + (SELECT count(*) FROM quarry.taken)"],
                          check=True, capture_output=True, text=True)
    assert left.stdout.strip() == "0"


def test_the_budget_is_common(servers, tmp_path):
    fronts, _ = servers
    address = database("budget")
    projects = [tmp_path / f"crawler{n}" for n in range(3)]
    for process in [crawler(project, fronts, address, "--limit", "50") for project in projects]:
        ended(process)
    assert 50 <= sum(pages_of(*projects).values()) + 3 * HOSTS <= 50 + 6 * HOSTS


def test_only_a_crawl_of_all_pages_is_shared(tmp_path):
    process = crawler(tmp_path / "p", ["http://127.0.0.1:1/"], URL, "--strategy", "query")
    _, said = process.communicate()
    assert process.returncode == 2

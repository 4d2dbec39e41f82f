#!/usr/bin/env python3
"""One crawl by many crawlers: killed again and again, the database restarted, beside one crawler alone.

    python3 bench/cluster_crawl.py [--hosts 200] [--pages 1000] [--workers 8] [--kills 100] [--restarts 2] [--delay 0.1]
                                   [--share 1] [--crash] [--tables] [--minutes 25] [--keep DIR]

Serves so many hosts (127.0.1.1, 127.0.1.2 … on one port; with `--share N` on N ports of each address) of so many pages each, with links within and between hosts; starts a PostgreSQL of
its own and so many processes of `quarry crawl --frontier`; kills one of them every few seconds and starts it again in its project, and
restarts the database (`--crash`: the second time without a shutdown). Then it looks whether every page is archived, how often each was
asked for, whether any host or address was asked again before its pause was over (by the server's log), whether `warcio check` finds anything, and
whether the database had one crawl's worth of pages. With `--tables`, `quarry harvest` of all projects is compared with that of a crawl by
one crawler without a database. Linux only. Needs PostgreSQL, and the program built with `--features postgres`.
"""

import argparse
import asyncio
import collections
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import peers

TOWNS = ["Aarhus", "Bergen", "Cork", "Delft", "Evora"]


def page(host, number, hosts, pages, origin):
    """The HTML of a page: an entity with its links."""
    draw = random.Random(host * 1_000_003 + number)
    links = {number * 4 + k for k in range(1, 5)} | {draw.randrange(pages) for _ in range(4)}
    own = "".join(f'<li><a href="/p/{n}">Thing {n} of {host}</a></li>' for n in sorted(links) if n < pages)
    other = draw.randrange(1, hosts + 1)
    away = f'<a href="{origin(other)}/p/{draw.randrange(pages)}">Elsewhere</a>'
    facts = f"<dl><dt>Town</dt><dd>{TOWNS[number % 5]}</dd><dt>Weight</dt><dd>{draw.randrange(3, 900)} g</dd></dl>"
    return (f"<!DOCTYPE html><html><head><title>Thing {number} of {host}</title></head><body><h1>Thing {number} of {host}</h1>"
            f"<p>It is kept in drawer {draw.randrange(977)}.</p>{facts}<ul>{own}</ul><p>{away}</p></body></html>").encode()


class Web:
    """All hosts, in a thread; `log` has the moment, host and path of each request."""

    def __init__(self, hosts, pages, share):
        self.hosts, self.pages, self.share, self.log = hosts, pages, share, []
        ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve(ready)), daemon=True).start()
        ready.wait()

    async def _serve(self, ready):
        web = self

        class Connection(asyncio.Protocol):
            def connection_made(self, transport):
                self.transport, self.rest = transport, b""
                address, port = transport.get_extra_info("sockname")
                self.host = (int(address.rsplit(".", 1)[1]) - 1) * web.share + web.ports.index(port) + 1

            def data_received(self, data):
                self.rest += data
                while b"\r\n\r\n" in self.rest:
                    head, self.rest = self.rest.split(b"\r\n\r\n", 1)
                    path = head.split(b" ", 2)[1].decode()
                    web.log.append((time.monotonic(), self.host, path))
                    number = path[3:] if path.startswith("/p/") else ""
                    found = number.isdigit() and int(number) < web.pages
                    body = page(self.host, int(number), web.hosts, web.pages, web.origin) if found else b"none"
                    status = b"200 OK" if found else b"404 Not Found"
                    kind = b"text/html; charset=utf-8" if found else b"text/plain"
                    self.transport.write(b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind, len(body), body))

        servers = [await asyncio.get_running_loop().create_server(Connection, "0.0.0.0", 0) for _ in range(self.share)]
        self.ports = [server.sockets[0].getsockname()[1] for server in servers]
        ready.set()
        await asyncio.gather(*(server.serve_forever() for server in servers))

    def address(self, host):
        """The number of a host's address."""
        return (host - 1) // self.share + 1

    def origin(self, host):
        return f"http://127.0.1.{self.address(host)}:{self.ports[(host - 1) % self.share]}"

    def seeds(self):
        return [f"{self.origin(host)}/p/0" for host in range(1, self.hosts + 1)]


class Postgres:
    """A server of its own, in a folder."""

    def __init__(self, folder):
        self.bin = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))[-1]
        self.folder = folder / "db"
        self.cpu_of_ended = 0.0
        self.as_user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"] if os.getuid() == 0 else []
        self.folder.mkdir()
        if self.as_user:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", self.folder / "data", "-U", "quarry", "--auth=trust", "--encoding=UTF8", "--locale=C")
        import socket

        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.options = (f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c max_connections=200 "
                        "-c shared_buffers=512MB -c log_min_duration_sample=0 -c log_statement_sample_rate=0.1")
        self.start()
        self.url = f"postgres://quarry@127.0.0.1:{self.port}/postgres"

    def run(self, program, *arguments):
        subprocess.run([*self.as_user, self.bin / program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-s", "-w", "-t", "300", "-l", self.folder / "log", "-o", self.options, "start")
        self.pid = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def cpu(self):
        """CPU seconds of the server and of all that it has started."""
        total = self.cpu_of_ended
        for entry in Path("/proc").iterdir():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split() if entry.name.isdigit() else None
            except OSError:
                continue
            if fields and int(entry.name) == self.pid:
                total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
            elif fields and int(fields[1]) == self.pid:
                total += sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
        return total

    def restart(self, mode):
        self.cpu_of_ended = self.cpu()
        self.run("pg_ctl", "-D", self.folder / "data", "-s", "-w", "-m", mode, "stop")
        time.sleep(1)
        self.start()

    def query(self, statement):
        psql = [self.bin / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "quarry", "-Atc", statement, "postgres"]
        return subprocess.run(list(map(str, psql)), check=True, capture_output=True, text=True).stdout.strip()

    def durations(self):
        """Milliseconds of the statements that were sampled, by their beginning."""
        kept = collections.defaultdict(list)
        names = {"WITH first AS": "take addresses", "WITH told AS MATERIALIZED": "add addresses", "WITH told AS (SELECT * FROM unnest($1::BIGINT[], $2::SMALLINT": "end",
                 "WITH RECURSIVE": "look for hosts", "UPDATE host_leases SET crawler = $2": "take a host", "INSERT INTO crawlers": "renew"}
        last = None
        for line in (self.folder / "log").read_text(errors="replace").splitlines():
            if "duration:" in line and " execute " in line:
                last = float(line.split("duration:")[1].split()[0])
                line = line.split(": ", 2)[-1]
            if last is not None:
                for begin, name in names.items():
                    if begin in line:
                        kept[name].append(last)
                        last = None
                        break
        return kept


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def rows(project):
    """The values of a project's tables, but for what known records of other sites label: of several sites the first one has no such rows, and
    which that is depends on who fetched its pages."""
    out = []
    for line in (project / "tables" / "values.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["source"] == "match":
            continue
        out.append(tuple(str(row.get(name)) for name in ("entity", "attribute", "value", "source", "page")))
    return sorted(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--share", type=int, default=1, help="hosts at one address")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=2)
    parser.add_argument("--crash", action="store_true")
    parser.add_argument("--tables", action="store_true")
    parser.add_argument("--delay", type=float, default=0.1)
    parser.add_argument("--kill-every", type=float, default=0, help="seconds; by default spread over the time that the crawl should take")
    parser.add_argument("--minutes", type=float, default=25)
    parser.add_argument("--program")
    given = parser.parse_args()
    program = given.program or peers.quarry()
    pages = given.hosts * given.pages
    folder = Path(tempfile.mkdtemp(prefix="quarry-bench-"))
    folder.chmod(0o755)
    draw = random.Random(7)
    web, database = Web(given.hosts, given.pages, given.share), Postgres(folder)
    settings = ["--delay", f"{given.delay}s", "--limit", str(10 * pages), "--depth", "100000", "--max-time", "10h", "-q"]
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}

    def start(number):
        log = open(folder / f"worker-{number}.log", "ab")
        project = folder / f"pages-{number}"
        seeds = [] if (project / "quarry.toml").exists() else web.seeds()
        command = [program, "crawl", *seeds, "-p", project, "--frontier", database.url, *settings]
        return subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    began = time.monotonic()
    processes = {number: start(number) for number in range(given.workers)}
    kills, restarts, refused, ended, curve = 0, 0, 0, {}, []
    every = given.kill_every or max(1.0, given.pages * given.share * given.delay * 1.2 / max(given.kills, 1))
    next_kill, next_look = began + every, began
    while processes and time.monotonic() - began < given.minutes * 60:
        time.sleep(0.2)
        for number, process in list(processes.items()):
            if process.poll() is not None:
                if process.returncode not in (0, 1) and refused < 1000:
                    # The database was just down when it started.
                    refused += 1
                    processes[number] = start(number)
                    continue
                ended[number] = process.returncode
                del processes[number]
        now = time.monotonic()
        if now >= next_look:
            next_look = now + 15
            curve.append((round(now - began), len(web.log), round(database.cpu(), 1)))
            print(f"{curve[-1][0]} s: {curve[-1][1]} requests, {curve[-1][2]} CPU s of the database, {kills} kills", flush=True)
        if now >= next_kill and kills < given.kills and processes:
            next_kill = now + every
            number = draw.choice(sorted(processes))
            processes[number].send_signal(signal.SIGKILL)
            processes[number].wait()
            kills += 1
            processes[number] = start(number)
        if restarts < given.restarts and kills >= (restarts + 1) * given.kills // (given.restarts + 1):
            restarts += 1
            database.restart("immediate" if given.crash and restarts == 2 else "fast")
    took = time.monotonic() - began
    for process in processes.values():
        process.send_signal(signal.SIGKILL)
    cpu = database.cpu()
    print(f"\n{given.workers} crawlers, {given.hosts} hosts, {pages} pages, {given.delay} s apart: {took:.0f} s, {kills} kills, {restarts} restarts, {refused} starts without a database; exit {sorted(ended.values())}")

    counts = collections.Counter((host, path) for _, host, path in web.log if path.startswith("/p/"))
    often = collections.Counter(counts.values())
    fetched = sum(1 for host, path in counts if int(path[3:]) < given.pages)
    print(f"asked for: {fetched} of {pages} pages; times: {dict(sorted(often.items()))}; robots.txt {sum(path == '/robots.txt' for *_, path in web.log)} times")
    for what, of in (("a host", lambda host: host), ("an address", web.address)):
        last, early, least = {}, 0, 9e9
        for at, host, _ in web.log:
            if of(host) in last:
                gap = at - last[of(host)]
                least = min(least, gap)
                # The server's clock looks when it reads; a busy machine may delay one reading more than the next.
                early += gap < given.delay * 0.9
            last[of(host)] = at
        print(f"requests to {what} before nine tenths of its pause: {early} of {len(web.log)}; shortest pause {least:.3f} s")
    print("database:", database.query("SET search_path = quarry; SELECT (SELECT count(*) FROM ended WHERE state = 3), (SELECT count(*) FROM ended WHERE state <> 3), (SELECT count(*) FROM queue), (SELECT count(*) FROM taken), (SELECT count(*) FROM seen)").splitlines()[-1],
          "(done | not | queued | taken | seen)")
    print(f"database: {cpu:.1f} CPU s, {sum(often.values()) / cpu:.0f} pages a CPU second")
    for name, values in database.durations().items():
        print(f"  {name}: {len(values)} sampled, median {quantile(values, .5):.2f} ms, p99 {quantile(values, .99):.2f} ms")

    archived, files, bad = collections.Counter(), 0, 0
    warcio = Path(peers.venv("warcio")).with_name("warcio")
    for number in range(given.workers):
        own = sorted((folder / f"pages-{number}" / "pages").glob("*.warc.gz"))
        files += len(own)
        if own:
            check = subprocess.run([warcio, "check", *own], capture_output=True, text=True)
            bad += check.returncode != 0 or "pass" not in check.stdout and check.stdout.strip() != ""
            if check.returncode:
                print(check.stdout[-400:], check.stderr[-400:])
        index = folder / f"pages-{number}" / "pages" / "index.cdxj"
        for line in index.read_text().splitlines() if index.exists() else []:
            entry = json.loads(line.split(" ", 2)[2])
            if "/p/" in entry["url"] and entry["status"] == "200":
                archived[entry["url"]] += 1
    print(f"archived: {len(archived)} pages, {sum(archived.values())} times, in {files} WARC files; warcio check: {bad} projects with faults")
    if given.tables:
        subprocess.run([program, "crawl", *web.seeds(), "-p", folder / "alone", "--strategy", "all", *[("0s" if word == f"{given.delay}s" else word) for word in settings]], check=True, stdout=subprocess.DEVNULL)
        projects = [folder / f"pages-{number}" for number in range(given.workers)]
        for inputs, name in ((projects, "together"), ([folder / "alone"], "one")):
            subprocess.run([program, "harvest", *inputs, "-p", folder / name, "-q"], check=True, stdout=subprocess.DEVNULL)
        many, one = rows(folder / "together"), rows(folder / "one")
        print(f"tables: {len(many)} values of all crawlers, {len(one)} of one alone; the same: {many == one}")
    database.run("pg_ctl", "-D", database.folder / "data", "-s", "-m", "immediate", "stop")
    peers.save("cluster_crawl", {"seconds": took, "curve": curve, "times": {str(k): v for k, v in often.items()}})
    print(f"left in {folder}")


if __name__ == "__main__":
    main()

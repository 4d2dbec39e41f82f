#!/usr/bin/env python3
"""Memory of a crawl while its frontier grows to a million addresses.

    bench/frontier.py [--addresses 1000000]

A small server on loopback gives pages with 1,000 links each, none of them seen before. The crawl stops when
the frontier holds the number asked for; its resident memory is sampled all the while.
"""

import argparse
import http.server
import json
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import peers

LINKS = 1_000


class Wide(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        tail = self.path.rsplit("/", 1)[-1]
        number = int(tail) if tail.isdigit() else 0
        links = "".join(f'<a href="/p/{number * LINKS + k}">Item {number * LINKS + k}</a>\n' for k in range(1, LINKS + 1))
        body = f"<!DOCTYPE html><title>{number}</title><body>{links}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def resident_mb(process):
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--addresses", type=int, default=1_000_000)
    options = parser.parse_args()
    quarry = peers.quarry()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wide)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/p/0"
    pages = options.addresses // LINKS
    curve = []
    with tempfile.TemporaryDirectory(prefix="quarry-bench-") as name:
        project = Path(name) / "wide"
        process = subprocess.Popen([quarry, "crawl", url, "-p", project, "--limit", str(pages), "--delay", "0",
                                    "--robots", "false", "--sitemaps", "false", "--per-host", "8", "--quiet"],
                                   stdout=subprocess.DEVNULL)
        while process.poll() is None:
            try:
                report = subprocess.run([quarry, "report", "-p", project, "--json"], capture_output=True)
                counts = json.loads(report.stdout) if report.returncode == 0 else {}
                curve.append({"addresses": counts.get("queued", 0) + counts.get("pages", 0),
                              "resident MB": round(resident_mb(process))})
            except (OSError, ValueError):
                pass
            time.sleep(0.5)
        report = json.loads(subprocess.run([quarry, "report", "-p", project, "--json"], capture_output=True).stdout)
    step = max(1, len(curve) // 12)
    peers.table(curve[::step], ["addresses", "resident MB"])
    print(f"in the end: {report['queued'] + report['pages']} addresses")
    peers.save("frontier", curve)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures a registry while fifty readers open its pages, whose browsers run the widgets.

The requests of a page are recorded from Chromium, with the moments at which they are sent, and replayed at that pace. What is
measured, and how to read it: docs/benchmarks.md.

    readers.py [--widgetd PROGRAM] [--engine FILE] [--rounds N] [--seconds N]
    readers.py load PORT SECONDS            resolves a widget 250 times a second, and prints what half and 99 of 100 took
    readers.py replay PORT RECORD COUNT SECONDS
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.dont_write_bytecode = True

import processes
import report

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WIDGET = "com.example.HarbourLog"
# The seconds of a visit: the page, Run, the first view and two taps.
VISIT = 12.0
READERS, OPEN_PAGES = 50, 128
RATIO_GOAL = 1.1
RESOLVES = 250


def ask(connection, path, accept="*/*"):
    connection.request("GET", path, headers={"Accept": accept, "Accept-Encoding": "gzip, deflate, br"})
    answer = connection.getresponse()
    return answer.status, len(answer.read())


def load(port, seconds):
    """Latencies of resolves that are due at equal distances, late ones included."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    taken, due = [], time.perf_counter()
    end = due + seconds
    while due < end:
        now = time.perf_counter()
        if now < due:
            time.sleep(due - now)
        begin = time.perf_counter()
        status, _ = ask(connection, f"/v1/widgets/{WIDGET}-1")
        if status != 200:
            raise SystemExit(f"a resolve is {status}")
        taken.append((time.perf_counter() - begin) * 1000)
        due += 1 / RESOLVES
    taken.sort()
    print(taken[len(taken) // 2], taken[len(taken) * 99 // 100])


def replay(port, record, count, seconds):
    """So many readers, each of whom begins at another moment and visits again and again."""
    visit = json.load(open(record))
    end = time.monotonic() + seconds
    faults, bytes_read = [], [0]

    def read(number):
        chance = random.Random(number)
        time.sleep(chance.uniform(0, VISIT))
        while time.monotonic() < end:
            begin = time.monotonic()
            connection = http.client.HTTPConnection("127.0.0.1", port)
            for moment, path, accept in visit:
                time.sleep(max(0, begin + moment - time.monotonic()))
                status, size = ask(connection, path, accept)
                bytes_read[0] += size
                if status != 200:
                    faults.append((path, status))
            connection.close()
            time.sleep(max(0, begin + VISIT - time.monotonic()))

    threads = [threading.Thread(target=read, args=[number], daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    time.sleep(max(0, end - time.monotonic()))
    print(bytes_read[0])
    if faults:
        raise SystemExit(f"{faults[:3]}")


def record(port, path):
    """The requests of a visit in Chromium: path, kind and the moment of each."""
    script = """
import json, sys, time
from playwright.sync_api import sync_playwright
address, out = sys.argv[1:]
with sync_playwright() as tools:
    browser = tools.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
    page = browser.new_page()
    asked, begin = [], time.monotonic()
    def note(request):
        if request.url.startswith(address):
            asked.append([time.monotonic() - begin, request.url[len(address):], request.headers.get("accept", "*/*")])
    page.on("request", note)
    page.goto(address + "/w/%s")
    page.locator("[data-act=run]").click()
    page.get_by_text("It runs in your browser").wait_for(timeout=60000)
    page.wait_for_timeout(2000)
    browser.close()
    json.dump(asked, open(out, "w"))
""" % WIDGET
    python = os.path.join(REPOSITORY, ".build/browser-tools/bin/python")
    subprocess.run([python, "-c", script, f"http://127.0.0.1:{port}", path], check=True)
    visit = json.load(open(path))
    paths = [asked for _, asked, _ in visit]
    if not any(asked.endswith("bundle.zip") for asked in paths) or not any(".wasm" in asked for asked in paths):
        raise SystemExit(f"the record has no archive or no engine: {paths}")
    return visit


def metrics(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return {line.split()[0]: float(line.split()[1]) for line in lines if line and line[0] != "#"}


def resident(number):
    with open(f"/proc/{number}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("RssAnon")) / 1024


def own(*words):
    return subprocess.Popen([sys.executable, __file__, *map(str, words)], stdout=subprocess.PIPE, text=True)


def printed(process):
    output, _ = process.communicate()
    if process.returncode:
        raise SystemExit(process.returncode)
    return [float(word) for word in output.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widgetd", metavar="PROGRAM", default=os.path.join(REPOSITORY, ".build/release/widgetd"))
    parser.add_argument("--engine", metavar="FILE", default=os.path.join(REPOSITORY, ".build/wasm/engine.wasm"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=20)
    chosen = parser.parse_args()
    missed = []
    with tempfile.TemporaryDirectory(prefix="readers-") as folder:
        log = open(os.path.join(folder, "log"), "w+")
        server = processes.start(
            [chosen.widgetd, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", f"{folder}/data",
             "--seed", os.path.join(REPOSITORY, "Bundles"), "--engine", chosen.engine],
            stdout=log, stderr=log, env={**os.environ, "WIDGETD_LOG_FORMAT": "json", "WIDGETD_LOG_REQUESTS": "false"})
        ports = None
        while ports is None:
            time.sleep(0.1)
            log.seek(0)
            lines = [json.loads(line) for line in log.read().splitlines() if '"server.listening"' in line]
            if lines:
                ports = [int(lines[0][name].rsplit(":", 1)[1]) for name in ("public", "admin")]
            elif server.poll() is not None:
                raise SystemExit("widgetd did not start")
        port, admin = ports
        visit = record(port, f"{folder}/visit.json")
        started = metrics(admin)["widgetd_cells_started_total"]
        print(f"a visit: {len(visit)} requests within {visit[-1][0]:.1f} s", flush=True)
        ratios, quiet, loud = [], [], []
        for number in range(chosen.rounds):
            pair = {}
            for kind in ("quiet", "loud") if number % 2 == 0 else ("loud", "quiet"):
                crowd = own("replay", port, f"{folder}/visit.json", READERS, chosen.seconds + VISIT) if kind == "loud" else None
                if crowd:
                    time.sleep(VISIT)
                pair[kind] = printed(own("load", port, chosen.seconds))
                if crowd:
                    print(f"round {number + 1}: {printed(crowd)[0] / 1e6:.0f} MB to {READERS} readers", flush=True)
            quiet.append(pair["quiet"][1])
            loud.append(pair["loud"][1])
            ratios.append(pair["loud"][1] / pair["quiet"][1])
        ratio = sorted(ratios)[len(ratios) // 2]
        print(f"resolve, 99 of 100: {report.number(sorted(quiet)[len(quiet) // 2])} ms alone, {report.number(sorted(loud)[len(loud) // 2])} ms "
              f"beside {READERS} readers; ratio {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f}; goal {RATIO_GOAL})")
        if ratio > RATIO_GOAL:
            missed.append(f"99 of 100 resolves: {ratio:.2f} × beside {READERS} readers, the goal is {RATIO_GOAL} ×")
        before = resident(server.pid)
        pages = [http.client.HTTPConnection("127.0.0.1", port) for _ in range(OPEN_PAGES)]
        for page in pages:
            for _, path, accept in visit:
                ask(page, path, accept)
        print(f"memory of the server: {before:.1f} MiB before, {resident(server.pid):.1f} MiB with {OPEN_PAGES} open pages")
        more = metrics(admin)["widgetd_cells_started_total"] - started
        print(f"processes started for pages: {more:.0f}")
        if more:
            missed.append(f"{more:.0f} processes were started for pages")
        for page in pages:
            page.close()
        processes.end(server)
    return report.judge(missed)


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["load"]:
        load(int(words[1]), float(words[2]))
    elif words[:1] == ["replay"]:
        replay(int(words[1]), words[2], int(words[3]), float(words[4]))
    else:
        sys.exit(main())

#!/usr/bin/env python3
"""Measures confined processes: first pages, their memory, a registry beside cells that misbehave, and a shared cell.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import html
import json
import os
import plistlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

sys.dont_write_bytecode = True

import processes
import report
from live_client import Connection, Viewing
from pages import REPOSITORY, Judge, built
from processes import Unmeasured

FIRST_GOAL, FIRST_LATE_GOAL = 25, 40
MEMORY_GOAL = 6.0
COMPANY_GOAL = 1.1
OTHERS_GOAL = 50
SPARES = 2
BUNDLES = os.path.join(REPOSITORY, "Bundles")
# The deeds of Tests/Support/Specimen/Cell that a registry must not notice.
DEEDS = ("loop", "allocate", "spawn")
PLIST = ('<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>{}</string>'
         "<key>CFBundleName</key><string>Counter</string><key>CFBundleShortVersionString</key><string>1.0</string>"
         "<key>CFBundleVersion</key><string>1</string><key>CFBundlePackageType</key><string>BNDL</string></dict></plist>")


def counter():
    """A button that counts, and one whose work takes all that an event may take."""
    def button(text, state, to):
        return {"kind": "button", "payload": {"text": text}, "on": {"tap": [{"do": "set", "state": state, "to": {"$": to}}]}}

    heavy = "SUBQUERY(numbers, $a, ANY SUBQUERY(numbers, $b, $a * $b = -1) = 1).@count + count"
    return {"schema": 1, "title": "Counter", "state": {"count": 0, "spent": 0, "numbers": list(range(2_000))}, "root": {
        "kind": "vstack", "children": [{"kind": "label", "payload": {"text": {"$": ["Count ", "$count"]}}},
                                       button("Add", "count", "count + 1"), button("Spend", "spent", heavy)]}}


def copies(folder, name, count):
    """A sample under so many identifiers, as bundles that no cell has read."""
    for number in range(count):
        target = os.path.join(folder, f"{name}{number}")
        shutil.copytree(os.path.join(BUNDLES, name), target)
        path = os.path.join(target, "Info.plist")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text.replace(f"com.example.{name}<", f"com.example.{name}{number}<"))


class Registry:
    """`widgetd serve` with a folder of bundles, from whose cells those of a specimen may be made."""

    def __init__(self, program, bundles, folder, specimen=None, deed=None):
        self.data = tempfile.mkdtemp(prefix="data-", dir=folder)
        environment = {**os.environ, "WIDGETD_PREVIEW_VIEWINGS_PER_ADDRESS": "1000", "WIDGETD_LOG_LEVEL": "warning"}
        if deed:
            environment |= {"LD_PRELOAD": preload(folder), "CELL_PROGRAM": specimen, "CELL_WORDS": f"cell act {deed}"}
        self.process = processes.start(
            [program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", self.data, "--seed", bundles],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        seen, self.port, self.admin = [], None, None
        for line in self.process.stdout:
            seen.append(line)
            if found := re.search(r"(serving on|metrics at)\s+http://127\.0\.0\.1:(\d+)", line):
                self.port, self.admin = (int(found[2]), self.admin) if found[1] == "serving on" else (self.port, int(found[2]))
            if self.port and self.admin:
                break
        else:
            raise Unmeasured(f"widgetd does not start: {''.join(seen)}")
        threading.Thread(target=lambda: [None for _ in self.process.stdout], daemon=True).start()

    def figures(self):
        connection = Connection(self.admin)
        text = connection.ask("GET", "/metrics").text
        connection.close()
        return {name: float(value) for name, value in re.findall(r"^(widgetd_cell\S*|widgetd_viewings) (\S+)$", text, re.MULTILINE)}

    def rest(self):
        """Waits until the spares are there, one of which reads the pictures."""
        end = time.monotonic() + 30
        while self.figures()["widgetd_cells_spare"] < SPARES:
            if time.monotonic() > end:
                raise Unmeasured("a spare cell is missing")
            time.sleep(0.02)
        time.sleep(0.3)

    def cells(self):
        return [process for process in processes.tree(self.process.pid) if process != self.process.pid]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        processes.end(self.process)


def preload(folder):
    out = os.path.join(folder, "cells.so")
    if not os.path.exists(out):
        source = os.path.join(REPOSITORY, "Tests", "Browser", "cells.c")
        subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O2", "-o", out, source, "-ldl"], check=True)
    return out


def place(name, ending):
    return f"/w/com.example.{name}/1.0~1/{ending}"


def spread(judge, what, times, goal=None, late_goal=None):
    times = sorted(times)
    judge.say(f"{what}, p50 of {len(times)}", statistics.median(times), " ms", goal)
    judge.say(f"{what}, p95", times[min(len(times) - 1, int(len(times) * 0.95))], " ms", late_goal)


# MARK: - First pages


def first(judge, program, folder, name, times):
    """From a request to the first HTML, of archives that no cell has read; and of one that a cell has."""
    bundles = tempfile.mkdtemp(prefix="seed-", dir=folder)
    copies(bundles, name, 2 * times)
    with Registry(program, bundles, folder) as server:
        runs, stills, again = [], [], []
        for number in range(2 * times):
            server.rest()
            connection = Connection(server.port)
            begin = time.perf_counter()
            if number % 2:
                viewing = Viewing(server.port, has_stream=False, connection=connection, begin=place(f"{name}{number}", "run"))
                viewing.load()
                runs.append((time.perf_counter() - begin) * 1000)
                viewing.end()
                begin = time.perf_counter()
                viewing = Viewing(server.port, has_stream=False, connection=connection, begin=place(f"{name}{number}", "run"))
                viewing.load()
                again.append((time.perf_counter() - begin) * 1000)
                viewing.end()
            else:
                answer = connection.ask("GET", place(f"{name}{number}", "try"))
                stills.append((time.perf_counter() - begin) * 1000)
                if answer.status != 200:
                    raise Unmeasured(f"{name}: {answer.status} {answer.text[:200]}")
            connection.close()
    spread(judge, f"{name}, not read before, POST run and GET page", runs, FIRST_GOAL, FIRST_LATE_GOAL)
    spread(judge, f"{name}, not read before, GET try", stills, FIRST_GOAL, FIRST_LATE_GOAL)
    spread(judge, f"{name}, in a cell that has read it, POST run and GET page", again)


# MARK: - Memory


def private(process):
    """Megabytes that a process has for itself, and all that it has resident."""
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            fields = dict(re.findall(r"^(\w+):\s+(\d+) kB$", file.read(), re.MULTILINE))
    except OSError as error:
        raise Unmeasured(f"the memory of a cell cannot be read, except by root: {error}") from error
    return (int(fields["Private_Clean"]) + int(fields["Private_Dirty"])) / 1024, int(fields["Rss"]) / 1024


def memory(judge, program, folder, names):
    for name in names:
        bundles = tempfile.mkdtemp(prefix="seed-", dir=folder)
        shutil.copytree(os.path.join(BUNDLES, name), os.path.join(bundles, name))
        with Registry(program, bundles, folder) as server:
            server.rest()
            before = server.cells()
            spare = private(before[0])
            viewing = Viewing(server.port, begin=place(name, "run"))
            server.rest()
            # The spare has become the cell.
            cells = [private(process) for process in server.cells() if process in before]
            viewing.end()
            if len(cells) != 1:
                raise Unmeasured(f"{len(cells)} cells are left of {len(before)}")
            judge.say(f"{name}, a cell with one viewing, private memory (resident {cells[0][1]:.1f} MB)", cells[0][0], " MB", MEMORY_GOAL)
            judge.say(f"a spare, private memory (resident {spare[1]:.1f} MB)", spare[0], " MB")


# MARK: - A registry beside cells that misbehave


def asked(port, seconds, rate=250):
    """Milliseconds of answers of a registry that is asked at a fixed rate."""
    connection, times, begin = Connection(port), [], time.perf_counter()
    for number in range(int(seconds * rate)):
        wait = begin + number / rate - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        start = time.perf_counter()
        answer = connection.ask("GET", "/v1/widgets/com.example.Counter")
        times.append((time.perf_counter() - start) * 1000)
        if answer.status != 200:
            raise Unmeasured(f"the registry answers {answer.status}")
    connection.close()
    return sorted(times)


def company(judge, program, specimen, folder, bundles, seconds, rounds):
    for deed in DEEDS:
        with Registry(program, bundles, folder, specimen, deed) as server:
            is_wanted, is_over, faults = threading.Event(), threading.Event(), []

            def misbehave():
                while not is_over.is_set():
                    if not is_wanted.wait(0.05):
                        continue
                    try:
                        # A release whose cells end again and again rests for a while.
                        connection = Connection(server.port)
                        status = connection.ask("POST", place("Counter", "run"), b"", "application/x-www-form-urlencoded").status
                        connection.close()
                        if status == 503:
                            time.sleep(0.05)
                            continue
                        viewing = Viewing(server.port, has_stream=False, begin=place("Counter", "run"))
                        viewing.load()
                        answer = viewing.connection.ask("POST", f"{viewing.part}/actions", viewing.batch([viewing.button("Add")]))
                        if answer.status != 410:
                            faults.append(answer.status)
                        viewing.close()
                    except (OSError, Unmeasured) as error:
                        faults.append(str(error))

            thread = threading.Thread(target=misbehave, daemon=True)
            thread.start()
            asked(server.port, 1)
            ratios, quiet, loud = [], [], []
            for _ in range(rounds):
                before = asked(server.port, seconds)
                is_wanted.set()
                time.sleep(0.2)
                beside = asked(server.port, seconds)
                is_wanted.clear()
                time.sleep(2.5)
                quiet.append(before[int(len(before) * 0.99)])
                loud.append(beside[int(len(beside) * 0.99)])
                ratios.append(loud[-1] / quiet[-1])
            is_over.set()
            thread.join()
            ends = {name: count for name, count in server.figures().items() if "ended" in name and count}
            if faults or not ends:
                raise Unmeasured(f"{deed}: {faults[:3]} {ends}")
            judge.say(f"p99 of /v1/widgets/{{id}} beside a cell that does `{deed}` ({statistics.median(loud):.2f} ms, quiet "
                      f"{statistics.median(quiet):.2f} ms, median of {rounds} rounds)", statistics.median(ratios), " ×", COMPANY_GOAL)


# MARK: - A shared cell


def shared(judge, program, folder, bundles, seconds, viewings=64):
    with Registry(program, bundles, folder) as server:
        spender, *others = [Viewing(server.port, number, has_stream=False, begin=place("Counter", "run")) for number in range(viewings)]
        for viewing in (spender, *others):
            viewing.load()
        spend, is_over, spent, faults = spender.button("Spend"), threading.Event(), [], []

        def spending():
            while not is_over.is_set():
                begin = time.perf_counter()
                status = spender.connection.ask("POST", f"{spender.part}/actions", spender.batch([spend])).status
                if status == 204:
                    spent.append((time.perf_counter() - begin) * 1000)
                elif status != 429:
                    faults.append(status)

        def adding(count):
            add, times = others[0].button("Add"), []
            for number in range(count):
                viewing = others[number % len(others)]
                begin = time.perf_counter()
                viewing.act(add)
                times.append((time.perf_counter() - begin) * 1000)
                time.sleep(0.005)
            return times

        adding(63)
        quiet = adding(int(seconds * 60))
        thread = threading.Thread(target=spending, daemon=True)
        thread.start()
        beside = adding(int(seconds * 60))
        is_over.set()
        thread.join()
        if faults or len(server.cells()) != 1 + SPARES or not spent:
            raise Unmeasured(f"{faults[:3]}, {len(server.cells())} cells, {len(spent)} events spent all they may")
    spread(judge, f"an event of others in a cell with {viewings} viewings, quiet", quiet)
    spread(judge, f"the same while one of them spends all it may ({statistics.median(spent):.0f} ms each, {len(spent)} times)", beside,
           None, OTHERS_GOAL)


# MARK: - Hostile bundles

# A reader waits for the order before, for a cell that reads, and for an event; then the cell has ended.
LONGEST = 12_000
FINE = {200, 204, 303, 304, 404, 409, 410, 413, 422, 429, 503}


def hostile_archives(bench, folder):
    """The bundles of the list that widgets.py and documents.py measure, by their names, each with an identifier."""
    source = os.path.join(folder, "hostile")
    subprocess.run([bench, "hostile-bundles", source], check=True)
    for number, name in enumerate(sorted(os.listdir(source))):
        info = {"CFBundleIdentifier": "", "CFBundleName": "Hostile", "CFBundleShortVersionString": "1.0", "CFBundlePackageType": "BNDL"}
        given = os.path.join(source, name, "Info.plist")
        if os.path.exists(given):
            with open(given, "rb") as file:
                info = plistlib.load(file)
        info |= {"CFBundleIdentifier": f"com.example.hostile{number}", "CFBundleVersion": "1"}
        path = os.path.join(folder, f"hostile{number}.zip")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for place, _, files in os.walk(os.path.join(source, name)):
                for file in sorted(files):
                    whole = os.path.join(place, file)
                    inner = os.path.relpath(whole, os.path.join(source, name))
                    if inner != "Info.plist":
                        archive.write(whole, f"Hostile.bundle/{inner}")
            archive.writestr("Hostile.bundle/Info.plist", plistlib.dumps(info))
        yield name, info["CFBundleIdentifier"], path


def visit(port, place, log):
    """Opens a release as a reader would: its first screen, a viewing, the first buttons of its page, and the page again."""
    connection = Connection(port)

    def ask(method, path, *content):
        begin = time.perf_counter()
        answer = connection.ask(method, path, *content)
        log.append(((time.perf_counter() - begin) * 1000, answer.status, f"{method} {path.rpartition('/')[2][:3]}"))
        return answer

    still = ask("GET", f"{place}/try")
    made = ask("POST", f"{place}/run", b"", "application/x-www-form-urlencoded")
    if still.status == 200 and made.status == 303:
        path = re.sub(r"^https?://[^/]+", "", made.fields["location"])
        page = ask("GET", path)
        if page.status == 200:
            buttons = re.findall(r'<button[^>]*\bvalue="(\[[^"]*)"', page.text)
            # The key of a form's last field is of use with its fields alone.
            events = [event for event in map(json.loads, map(html.unescape, buttons)) if event != ["enter"]]
            for serial, event in enumerate(events[:5]):
                batch = json.dumps([int(time.time() * 1000) + serial, [event]]).encode()
                ask("POST", f"{path}/a/actions", batch)
            ask("GET", path)
            ask("POST", f"{path}/end", b"", "text/plain")
    connection.close()
    return made.status == 303


def hostile(judge, program, bench, folder, bundles):
    """Every hostile bundle of this folder's other benchmarks: a cell refuses it, limits it or ends, and the registry serves."""
    with Registry(program, bundles, folder) as server:
        with open(os.path.join(server.data, "admin-token")) as file:
            token = file.read().strip()
        refused, ran, slowest, limits = 0, 0, (0, ""), []
        for name, identifier, path in hostile_archives(bench, folder):
            with open(path, "rb") as file:
                connection = Connection(server.port)
                answer = connection.ask("POST", "/v1/bundles", file.read(), "application/zip", f"Authorization: Bearer {token}\r\n")
                connection.close()
            if answer.status != 201:
                if answer.status >= 500:
                    judge.missed.append(f"{name}: publishing it answers {answer.status}")
                refused += 1
                continue
            log = []
            before = server.figures()
            ran += visit(server.port, f"/w/{identifier}/1.0~1", log)
            for what, count in server.figures().items():
                if count > before[what] and re.search("protocol|fault|forbidden|crash", what):
                    print(f"{name}: {what}", flush=True)
            time_of, status, what = max(log)
            slowest = max(slowest, (time_of, f"{what} of {name}"))
            for _, status, what in log:
                if status not in FINE:
                    judge.missed.append(f"{name}: {what} answers {status}")
            for process in server.cells():
                try:
                    with open(f"/proc/{process}/status") as file:
                        limits.append(int(re.search(r"^VmHWM:\s+(\d+)", file.read(), re.MULTILINE)[1]) / 1024)
                except (OSError, TypeError):
                    continue  # It has ended meanwhile.
            asked(server.port, 0.02)
        viewing = Viewing(server.port, begin=place("Counter", "run"))
        viewing.act(viewing.button("Add"))
        viewing.end()
        ends = {re.search(r'"(.*)"', name)[1]: int(count) for name, count in server.figures().items() if "ended" in name and count}
    print(f"hostile bundles: {refused} refused when published, {ran} ran; ends of cells: {ends}", flush=True)
    judge.say(f"hostile bundles, slowest answer ({slowest[1]})", slowest[0], " ms", LONGEST)
    judge.say("hostile bundles, most memory of a cell", max(limits), " MB", 96 + 32)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widgetd", metavar="PROGRAM", help="a built widgetd, instead of building one")
    parser.add_argument("--specimen", metavar="PROGRAM", help="a built Specimen, instead of building one")
    parser.add_argument("--bench", metavar="PROGRAM", help="a built WidgetBench, instead of building one")
    parser.add_argument("--only", metavar="PART", help="one of first, memory, company, shared, hostile")
    parser.add_argument("--quick", action="store_true", help="does it work? Not: how fast")
    chosen = parser.parse_args()
    program = os.path.abspath(chosen.widgetd or built("widgetd"))
    print(f"load when it began: {os.getloadavg()[0]:.1f}", flush=True)
    judge, quick = Judge(), chosen.quick
    with tempfile.TemporaryDirectory(prefix="cells-") as folder:
        os.chmod(folder, 0o755)
        bundles = os.path.join(folder, "seed")
        os.makedirs(os.path.join(bundles, "Counter"))
        with open(os.path.join(bundles, "Counter", "Info.plist"), "w") as file:
            file.write(PLIST.format("com.example.Counter"))
        with open(os.path.join(bundles, "Counter", "Main.widgets.json"), "w") as file:
            json.dump(counter(), file)
        parts = {
            "first": lambda: [first(judge, program, folder, name, 3 if quick else 20) for name in ("HarbourLog", "Orchestra")],
            "memory": lambda: memory(judge, program, folder, ("HarbourLog", "Orchestra", "Planetarium")),
            "company": lambda: company(judge, program, os.path.abspath(chosen.specimen or built("Specimen")), folder, bundles,
                                       1 if quick else 5, 1 if quick else 5),
            "shared": lambda: shared(judge, program, folder, bundles, 2 if quick else 8),
            "hostile": lambda: hostile(judge, program, os.path.abspath(chosen.bench or built("WidgetBench")), folder, bundles),
        }
        for name, part in parts.items():
            if chosen.only in (None, name):
                part()
    return 0 if quick else report.judge(judge.missed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unmeasured as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)

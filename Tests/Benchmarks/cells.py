#!/usr/bin/env python3
"""Measures confined processes: what a review costs its publisher, and a registry beside reviews that misbehave.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import io
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
from live_client import Connection
from pages import REPOSITORY, Judge, built
from processes import Unmeasured

COMPANY_GOAL = 1.1
# Milliseconds: a review has ten seconds at most.
LONGEST = 12_000
BUNDLES = os.path.join(REPOSITORY, "Bundles")
SAMPLES = ("HarbourLog", "Orchestra", "Planetarium")
# The deeds of Tests/Support/WidgetSpecimen/Cell that a registry must not notice.
DEEDS = ("loop", "allocate", "spawn")
FINE = {200, 404, 410}


def packed(identifier, version, *folders):
    """An archive of a bundle: files of folders with another identifier and version."""
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_DEFLATED) as archive:
        info = {"CFBundleName": "Measured", "CFBundlePackageType": "BNDL"}
        for folder in folders:
            for place, _, files in os.walk(folder):
                for file in sorted(files):
                    whole = os.path.join(place, file)
                    inner = os.path.relpath(whole, folder)
                    if inner != "Info.plist":
                        archive.write(whole, f"Measured.bundle/{inner}")
                        continue
                    with open(whole, "rb") as read:
                        info |= plistlib.load(read)
        info |= {"CFBundleIdentifier": identifier, "CFBundleShortVersionString": version, "CFBundleVersion": "1"}
        archive.writestr("Measured.bundle/Info.plist", plistlib.dumps(info))
    return archived.getvalue()


class Registry:
    """`widgetd serve` with an empty store; its reviews are made by a specimen, if one is named."""

    def __init__(self, program, folder, specimen=None, deed=None, reviews=True):
        self.data = tempfile.mkdtemp(prefix="data-", dir=folder)
        environment = {**os.environ, "WIDGETD_LOG_LEVEL": "warning", "WIDGETD_RATE_LIMIT": "off", "WIDGETD_LIMITS_DISK_RESERVE": "0",
                       "WIDGETD_POLICY_REVIEWS_SCREENS": "on" if reviews else "off"}
        if deed:
            environment |= {"LD_PRELOAD": preload(folder), "CELL_PROGRAM": specimen, "CELL_WORDS": f"cell review {deed}"}
        self.process = processes.start(
            [program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", self.data],
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
        with open(os.path.join(self.data, "admin-token")) as file:
            self.token = file.read().strip()

    def ask(self, method, path, content=None):
        """The answer, and the milliseconds that it took."""
        connection, begin = Connection(self.port), time.perf_counter()
        connection.socket.settimeout(120)
        fields = f"Authorization: Bearer {self.token}\r\n"
        answer = connection.ask(method, path, content, "application/zip", fields)
        connection.close()
        return answer, (time.perf_counter() - begin) * 1000

    def publish(self, archive):
        return self.ask("POST", "/v1/bundles", archive)

    def figures(self):
        connection = Connection(self.admin)
        text = connection.ask("GET", "/metrics").text
        connection.close()
        return {name: float(value) for name, value in re.findall(r"^(widgetd_cell\S*) (\S+)$", text, re.MULTILINE)}

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


def reviews(judge, program, folder, times):
    """Publishing samples with a review and without one, in turns."""
    with Registry(program, folder) as reviewing, Registry(program, folder, reviews=False) as plain:
        for name in SAMPLES:
            found = {reviewing: [], plain: []}
            for number in range(times):
                archive = packed(f"com.example.{name}", f"1.{number}", os.path.join(BUNDLES, name))
                for server, spent in found.items():
                    answer, milliseconds = server.publish(archive)
                    if answer.status != 201 or ("unreviewed" in answer.text):
                        raise Unmeasured(f"publishing {name} answers {answer.status}: {answer.text[:300]}")
                    spent.append(milliseconds)
            with_it, without = (statistics.median(spent) for spent in found.values())
            judge.say(f"publishing {name} with a review, p50 of {times} (without: {without:.1f} ms)", with_it, " ms")


def asked(port, seconds, rate=250):
    """Milliseconds of answers of a registry that is asked at a fixed rate."""
    connection, times, begin = Connection(port), [], time.perf_counter()
    for number in range(int(seconds * rate)):
        wait = begin + number / rate - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        start = time.perf_counter()
        answer = connection.ask("GET", "/v1/widgets/com.example.Calm")
        times.append((time.perf_counter() - start) * 1000)
        if answer.status != 200:
            raise Unmeasured(f"the registry answers {answer.status}")
    connection.close()
    return sorted(times)


def company(judge, program, specimen, folder, seconds, rounds):
    for deed in DEEDS:
        with Registry(program, folder, specimen, deed) as server:
            calm = server.publish(packed("com.example.Calm", "1.0"))[0]
            if calm.status != 201:
                raise Unmeasured(f"publishing answers {calm.status}: {calm.text[:300]}")
            is_wanted, is_over, faults = threading.Event(), threading.Event(), []

            def misbehave():
                number = 0
                while not is_over.is_set():
                    if not is_wanted.wait(0.05):
                        continue
                    number += 1
                    try:
                        # Another archive each time: one whose reviews end by faults again and again is not looked at for a while.
                        answer, _ = server.publish(packed("com.example.Wild", f"1.{number}"))
                        if answer.status != 201 or "unreviewed" not in answer.text:
                            faults.append(f"{answer.status} {answer.text[:200]}")
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
            judge.say(f"p99 of /v1/widgets/{{id}} beside a review that does `{deed}` ({statistics.median(loud):.2f} ms, quiet "
                      f"{statistics.median(quiet):.2f} ms, median of {rounds} rounds)", statistics.median(ratios), " ×", COMPANY_GOAL)


def hostile(judge, program, bench, folder):
    """Every hostile bundle of this folder's other benchmarks: it is refused or reviewed within bounds, and the registry serves."""
    source = os.path.join(folder, "hostile")
    subprocess.run([bench, "hostile-bundles", source], check=True)
    with Registry(program, folder) as server:
        server.publish(packed("com.example.Calm", "1.0"))
        refused, slowest = 0, (0, "")
        for number, name in enumerate(sorted(os.listdir(source))):
            identifier, before = f"com.example.hostile{number}", server.figures()
            answer, milliseconds = server.publish(packed(identifier, "1.0", os.path.join(source, name)))
            slowest = max(slowest, (milliseconds, name))
            refused += answer.status != 201
            if answer.status >= 500:
                judge.missed.append(f"{name}: publishing it answers {answer.status}")
            for what, count in server.figures().items():
                if count > before[what] and re.search("protocol|forbidden|crash", what):
                    print(f"{name}: {what}", flush=True)
            for path in (f"/w/{identifier}", f"/w/{identifier}/1.0~1", f"/w/{identifier}/1.0~1/try", f"/w/{identifier}/1.0~1/bundle.zip"):
                status = server.ask("GET", path)[0].status
                if status not in FINE:
                    judge.missed.append(f"{name}: {path} answers {status}")
            asked(server.port, 0.02)
        ends = {re.search(r'"(.*)"', name)[1]: int(count) for name, count in server.figures().items() if "ended" in name and count}
    print(f"hostile bundles: {refused} refused when published; ends of cells: {ends}", flush=True)
    judge.say(f"hostile bundles, slowest to publish ({slowest[1]})", slowest[0], " ms", LONGEST)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widgetd", metavar="PROGRAM", help="a built widgetd, instead of building one")
    parser.add_argument("--specimen", metavar="PROGRAM", help="a built WidgetSpecimen, instead of building one")
    parser.add_argument("--bench", metavar="PROGRAM", help="a built WidgetBench, instead of building one")
    parser.add_argument("--only", metavar="PART", help="one of reviews, company, hostile")
    parser.add_argument("--quick", action="store_true", help="does it work? Not: how fast")
    chosen = parser.parse_args()
    program = os.path.abspath(chosen.widgetd or built("widgetd"))
    print(f"load when it began: {os.getloadavg()[0]:.1f}", flush=True)
    judge, quick = Judge(), chosen.quick
    with tempfile.TemporaryDirectory(prefix="cells-") as folder:
        os.chmod(folder, 0o755)
        parts = {
            "reviews": lambda: reviews(judge, program, folder, 3 if quick else 20),
            "company": lambda: company(judge, program, os.path.abspath(chosen.specimen or built("WidgetSpecimen")), folder,
                                       1 if quick else 5, 1 if quick else 5),
            "hostile": lambda: hostile(judge, program, os.path.abspath(chosen.bench or built("WidgetBench")), folder),
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

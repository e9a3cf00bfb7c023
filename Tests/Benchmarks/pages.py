#!/usr/bin/env python3
"""Measures pages of widgets: from an archive to the first HTML, plans and frames of 10,000 nodes, and bytes on the wire.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import report

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUNDLES = ["Aviary", "HarbourLog", "Herbarium", "Planetarium", "Postcard"]
# Those whose first page is a list of what a server sent.
FEEDS = ["HarbourLog", "the demo"]
COLD_GOAL = 40
WARM_GOAL = 1.5
PLAN_GOAL = 50
FEED_GOAL = 4 << 10


def built(product):
    command = ["swift", "build", "-c", "release", "--product", product]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), product)


def ask(program, *words):
    """What a mode of WidgetBench prints: numbers by their names, each with what it is."""
    done = subprocess.run([program, *words], check=True, stdout=subprocess.PIPE, text=True)
    lines = [line.split("|") for line in done.stdout.splitlines()]
    return {name: (float(number), what) for name, number, what in lines}


class Judge:
    def __init__(self):
        self.missed = []

    def say(self, what, number, unit, goal=None):
        verdict = f" (goal {goal:,}{unit})" if goal is not None else ""
        print(f"{what}: {report.number(number)}{unit}{verdict}", flush=True)
        if goal is not None and number > goal:
            self.missed.append(f"{what}: {report.number(number)}{unit}, the goal is {goal:,}{unit}")


def cold(program, archive, times):
    """Milliseconds of whole runs, the program's start included: of the clock, and of the processor alone."""
    clock, processor = [], []
    for _ in range(times):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([program, "render", "--as", "html", archive], check=True, stdout=subprocess.DEVNULL)
        clock.append((time.perf_counter() - begin) * 1000)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000)
    return min(clock), sorted(clock)[times // 2], min(processor)


def wire(program, archive, folder):
    """Compressed bytes of a page and of its sheets, as a server sends them."""
    subprocess.run([program, "render", "--as", "html", "-q", "-o", folder, archive], check=True,
                   stdout=subprocess.DEVNULL)
    sizes = {}
    for name in sorted(os.listdir(folder)):
        kind = {"index.html": "page", "base.css": "base sheet", "screen.css": "viewing's sheet"}.get(
            name, "program's sheet" if name.endswith(".css") else None)
        if kind:
            with open(os.path.join(folder, name), "rb") as file:
                sizes[kind] = len(gzip.compress(file.read(), 9, mtime=0))
    return sizes


def peers(page_folder, plan_time, page_time):
    """What a browser and another writer of HTML take for the same page, where they are installed."""
    python = os.path.join(REPOSITORY, ".build", "browser-tools", "bin", "python")
    if not os.path.exists(python):
        print("no browser and no html5lib beside it: .ci/setup browser installs them")
        return
    peer = os.path.join(REPOSITORY, "Tests", "Benchmarks", "page_peers.py")
    done = subprocess.run([python, peer, page_folder], check=True, stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        name, number = line.split("|")
        ours = plan_time if name.startswith("Chromium") else page_time
        print(f"{name}: {report.number(float(number))} ms; ours {report.number(ours)} ms, "
              f"ratio {ours / float(number):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", metavar="PROGRAM", help="a built WidgetBench, instead of building one")
    parser.add_argument("--widget", metavar="PROGRAM", help="a built widget, instead of building one")
    parser.add_argument("--times", type=int, default=11, help="how often each archive is rendered anew (11)")
    chosen = parser.parse_args()
    bench = chosen.bench or built("WidgetBench")
    widget = chosen.widget or built("widget")
    samples = os.environ.get("WIDGET_SAMPLES", os.path.join(REPOSITORY, "..", "shared", "samples"))
    demo = os.path.join(samples, "WidgetDemo.zip")
    judge = Judge()
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        archives = []
        for name in BUNDLES:
            archive = os.path.join(folder, f"{name}.zip")
            source = os.path.join(REPOSITORY, "Bundles", name)
            subprocess.run([widget, "build", "-q", source, "-o", archive], check=True)
            archives.append((name, archive))
        if os.path.exists(demo):
            archives.append(("the demo", demo))
        for name, archive in archives:
            best, median, processor = cold(widget, archive, chosen.times)
            print(f"{name}, archive to first HTML, cold, by the clock: {report.number(best)} ms at best, "
                  f"{report.number(median)} ms in the middle")
            judge.say(f"{name}, archive to first HTML, cold", processor, " ms", COLD_GOAL)
            answers = ask(bench, "archive", archive)
            judge.say(f"{name}, {answers['first'][1]}", answers["first"][0], " ms")
            judge.say(f"{name}, {answers['warm'][1]}", answers["warm"][0], " ms", WARM_GOAL)
            judge.say(f"{name}, {answers['warm p99'][1]}", answers["warm p99"][0], " ms")
            sizes = wire(widget, archive, os.path.join(folder, f"page of {name}"))
            parts = ", ".join(f"{kind} {size:,}" for kind, size in sizes.items())
            judge.say(f"{name}, first page with its sheets, compressed ({parts})", sum(sizes.values()), " bytes",
                      FEED_GOAL if name in FEEDS else None)
        scenes = os.path.join(folder, "scenes")
        os.mkdir(scenes)
        answers = ask(bench, "scenes", scenes)
        for name, (number, what) in answers.items():
            judge.say(f"{name.split()[1]}, {what}", number, " ms", PLAN_GOAL if name.startswith("plan") else None)
        peers(scenes, answers["plan cards"][0], answers["page cards"][0])
        answers = ask(bench, "rows")
        judge.say(answers["rows sheet"][1], answers["rows sheet"][0], " bytes", 0)
        judge.say(answers["rows page"][1], answers["rows page"][0], " bytes")
        judge.say(answers["rows time"][1], answers["rows time"][0], " ms")
    return report.judge(judge.missed)


if __name__ == "__main__":
    sys.exit(main())

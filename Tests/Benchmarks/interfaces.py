#!/usr/bin/env python3
"""Measures decoding compiled interfaces: a usual one, the demo's where it is installed, and the costliest there can be.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import report

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RATE_GOAL = 50
TIME_GOAL = 50
MEMORY_GOAL = 32 << 10


def built():
    command = ["swift", "build", "-c", "release", "--product", "NibBench"]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), "NibBench")


def ask(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", default="2", help="processor time of each measurement (2)")
    parser.add_argument("--bench", metavar="PROGRAM", help="a built NibBench, instead of building one")
    chosen = parser.parse_args()
    program = chosen.bench or built()
    samples = os.environ.get("WIDGET_SAMPLES", os.path.join(REPOSITORY, "..", "shared", "samples"))
    demo = os.path.join(samples, "WidgetDemo.zip")
    missed = []
    for path in [None] + ([demo] if os.path.exists(demo) else []):
        answer = ask(program, "decode", chosen.seconds, *([path] if path else []))
        print(f"{'the demo archive' if path else 'a forged interface'}:\n{answer}")
        rate = int(re.search(r"([0-9]+) MB/s", answer).group(1))
        if rate < RATE_GOAL:
            missed.append(f"{rate} MB/s, the goal is {RATE_GOAL}")
    with tempfile.TemporaryDirectory(prefix="interfaces-") as folder:
        ask(program, "worst", folder)
        print("| the costliest files | bytes | ms | KiB | outcome |\n|---|--:|--:|--:|---|")
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            time, memory, outcome = ask(program, "one", path).split(" ", 2)
            print(f"| {name.removesuffix('.nib')} | {os.path.getsize(path):,} | {time} | {int(memory):,} | {outcome} |")
            if float(time) > TIME_GOAL:
                missed.append(f"{name}: {time} ms, the goal is {TIME_GOAL}")
            if int(memory) > MEMORY_GOAL:
                missed.append(f"{name}: {memory} KiB, the goal is {MEMORY_GOAL}")
    return report.judge(missed)


if __name__ == "__main__":
    sys.exit(main())

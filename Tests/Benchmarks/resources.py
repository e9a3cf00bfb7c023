#!/usr/bin/env python3
"""Measures reading compiled models and asset catalogues: the demo's where it is installed, and the costliest there can be.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import os
import plistlib
import subprocess
import sys
import tempfile
import time
import zipfile

sys.dont_write_bytecode = True

import report

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIME_GOAL = 50
MEMORY_GOAL = 32 << 10


def built():
    command = ["swift", "build", "-c", "release", "--product", "ResourceBench"]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), "ResourceBench")


def ask(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.strip()


def compare_models(program, archive):
    """The archive's models beside Python's plistlib, which makes values of the property list and no entities."""
    with zipfile.ZipFile(archive) as files, tempfile.TemporaryDirectory(prefix="resources-") as folder:
        for name in files.namelist():
            if not name.endswith(".mom"):
                continue
            content = files.read(name)
            path = os.path.join(folder, "Model.mom")
            with open(path, "wb") as file:
                file.write(content)
            rounds = 200
            start = time.process_time()
            for _ in range(rounds):
                plistlib.loads(content)
            peer = (time.process_time() - start) / rounds * 1000
            ours = float(ask(program, "one", path, str(rounds)).split(" ", 1)[0]) / rounds
            print(f"model to entities: {ours:.3f} ms; its property list alone by Python's plistlib: {peer:.3f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", metavar="PROGRAM", help="a built ResourceBench, instead of building one")
    program = parser.parse_args().bench or built()
    samples = os.environ.get("WIDGET_SAMPLES", os.path.join(REPOSITORY, "..", "shared", "samples"))
    demo = os.path.join(samples, "WidgetDemo.zip")
    if os.path.exists(demo):
        print(f"the demo archive:\n{ask(program, 'demo', demo)}")
        compare_models(program, demo)
    missed = []
    with tempfile.TemporaryDirectory(prefix="resources-") as folder:
        ask(program, "worst", folder)
        print("| the costliest files | bytes | ms | KiB | outcome |\n|---|--:|--:|--:|---|")
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            time, memory, outcome = ask(program, "one", path).split(" ", 2)
            print(f"| {name} | {os.path.getsize(path):,} | {time} | {int(memory):,} | {outcome} |")
            if float(time) > TIME_GOAL:
                missed.append(f"{name}: {time} ms, the goal is {TIME_GOAL}")
            if int(memory) > MEMORY_GOAL:
                missed.append(f"{name}: {memory} KiB, the goal is {MEMORY_GOAL}")
    return report.judge(missed)


if __name__ == "__main__":
    sys.exit(main())

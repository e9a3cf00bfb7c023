#!/usr/bin/env python3
"""Measures running widgets: first text, one change in a long list, memory, and what hostile bundles cost.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True

import report

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIME_GOAL = 100
MEMORY_GOAL = 64 << 10


def built():
    command = ["swift", "build", "-c", "release", "--product", "WidgetBench"]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), "WidgetBench")


def ask(program, *words):
    """What it prints, and how it ended where that was not well."""
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, text=True)
    return done.stdout.strip() if done.returncode == 0 else f"{done.stdout}ended with {done.returncode}".strip()


def hostile(program, times):
    """The limit is of one thing: reading a bundle, one event, one evaluation, one printing. What a script of a
    thousand events comes to is another column."""
    names = ask(program, "hostile-names")
    print("| hostile bundle | costliest, ms | which is | all of it, ms | KiB | stopped by |\n|---|--:|---|--:|--:|---|")
    missed = []
    for name in names.splitlines():
        answers = []
        for _ in range(times):
            text = ask(program, "hostile", name)
            if text.count("|") != 4:
                missed.append(f"{name}: {text}")
                break
            whole, costliest, what, codes, memory = text.split("|")
            answers.append((int(costliest) / 1_000, int(whole) / 1_000, int(memory), what, codes))
        if len(answers) < times:
            continue
        time, whole, memory, what, codes = min(answers)
        print(f"| {name} | {time:.1f} | {what} | {whole:.1f} | {memory:,} | {codes or 'nothing'} |", flush=True)
        if time > TIME_GOAL:
            missed.append(f"{name}: {what} takes {time:.1f} ms, the goal is {TIME_GOAL}")
        if memory > MEMORY_GOAL:
            missed.append(f"{name}: {memory:,} KiB, the goal is {MEMORY_GOAL:,}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", metavar="PROGRAM", help="a built WidgetBench, instead of building one")
    parser.add_argument("--times", type=int, default=3, help="how often each hostile bundle runs; the best counts (3)")
    parser.add_argument("--hostile", action="store_true", help="hostile bundles alone")
    chosen = parser.parse_args()
    program = chosen.bench or built()
    samples = os.environ.get("WIDGET_SAMPLES", os.path.join(REPOSITORY, "..", "shared", "samples"))
    demo = os.path.join(samples, "WidgetDemo.zip")
    if not chosen.hostile:
        print(ask(program, *([demo] if os.path.exists(demo) else [])), flush=True)
    return report.judge(hostile(program, chosen.times))


if __name__ == "__main__":
    sys.exit(main())

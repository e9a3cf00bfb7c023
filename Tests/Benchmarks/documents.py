#!/usr/bin/env python3
"""Measures documents: a table of 10,000 items seen first and after one change, and what hostile documents cost.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import subprocess
import sys

sys.dont_write_bytecode = True

import report
import widgets

# Milliseconds of the processor, by the names that WidgetBench gives its numbers.
GOALS = {
    "first": 50, "one item": 0.3, "state": 0.3, "nothing": 0.3,
    "swift first": 50, "swift one item": 0.3, "swift state": 0.3,
}
# The rows that a change evaluates again.
ROWS = {"one item": 1, "keyed one item": 1, "swift one item": 1, "swift closure": 1, "swift state": 0}
TIME_GOAL = widgets.TIME_GOAL
MEMORY_GOAL = widgets.MEMORY_GOAL


def table(program):
    done = subprocess.run([program, "documents"], check=True, stdout=subprocess.PIPE, text=True)
    missed = []
    seen = set()
    for line in done.stdout.splitlines():
        name, number, what = line.split("|")
        goal = GOALS.get(name)
        print(f"{what}: median {number} ms" + (f" (goal {goal} ms)" if goal else ""))
        if goal and float(number) > goal:
            missed.append(f"{what}: median {number} ms, the goal is {goal} ms")
        rows = ROWS.get(name)
        if rows is not None and f": {rows} rows evaluated again" not in what:
            missed.append(f"{what}: the goal is {rows} rows evaluated again")
        seen.add(name)
    return missed + [f"{name} was not measured" for name in sorted({*GOALS, *ROWS} - seen)]


def hostile(program, times):
    """The limit is of one thing: reading a bundle, one event, one evaluation, one printing."""
    names = widgets.ask(program, "hostile-document-names")
    print("| hostile document | costliest, ms | which is | all of it, ms | KiB | stopped by |\n|---|--:|---|--:|--:|---|")
    missed = []
    for name in names.splitlines():
        answers = []
        for _ in range(times):
            text = widgets.ask(program, "hostile-document", name)
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
    parser.add_argument("--times", type=int, default=3, help="how often each hostile document runs; the best counts (3)")
    parser.add_argument("--hostile", action="store_true", help="hostile documents alone")
    chosen = parser.parse_args()
    program = chosen.bench or widgets.built()
    missed = [] if chosen.hostile else table(program)
    return report.judge(missed + hostile(program, chosen.times))


if __name__ == "__main__":
    sys.exit(main())

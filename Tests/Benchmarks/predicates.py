#!/usr/bin/env python3
"""Measures predicates against GNUstep's: the same formats, the same object, turn by turn.

What is compared, and how to read the table: docs/benchmarks.md.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(REPOSITORY, "Tests", "Peers"))

import gnustep
import report

# Names of what is measured; where GNUstep has no such construct or answers wrongly, the nearest that it has.
CASES = [
    ("comparison", "age >= 18", None),
    ("equality of texts", "name == 'Großmann'", None),
    ("three with AND and OR", "age >= 18 AND (name == 'x' OR city BEGINSWITH 'Ber')", None),
    ("CONTAINS[cd]", "title CONTAINS[cd] 'FRÜCHTEN'", None),
    ("CONTAINS[cd] of ASCII", "plain CONTAINS[cd] 'LAZY'", None),
    ("LIKE", "plain LIKE '*lazy*'", None),
    ("MATCHES", "mail MATCHES '[a-z.]+@[a-z.]+'", None),
    ("IN of 100", "city IN {%s, 'Berlin'}" % ", ".join(f"'City {n}'" for n in range(99)), "city IN cities"),
    ("IN of 100 that are data", "city IN cities", None),
    ("BETWEEN", "age BETWEEN {18, 65}", "age >= 18 AND age <= 65"),
    ("SUBQUERY over 100", "SUBQUERY(items, $i, $i.price > 40 AND $i.name BEGINSWITH 'Item').@count > 10",
     "COUNT items 10 price > 40 AND name BEGINSWITH 'Item'"),
    ("ANY over 100", "ANY items.price > 98", None),
]
# What GNUstep cannot even parse; both numbers stand in the table, but there is nothing to compare.
UNPARSED = ["SUBQUERY over 100"]
PARSE_GOAL = 5
EVALUATE_GOAL = 10
PATTERN_GOAL = 10
COSTLY = os.path.join(REPOSITORY, "Tests", "Corpus", "predicates", "costly.tsv")

OBJECT = {
    "age": 42, "name": "Großmann", "city": "Berlin", "mail": "anna.maria@example.com",
    "title": "Zum Nachtisch gibt es Crème brûlée mit Früchten",
    "plain": "the quick brown fox jumps over the lazy dog",
    "cities": [f"City {n}" for n in range(99)] + ["Berlin"],
    "items": [{"price": n, "name": f"Item {n}"} for n in range(100)],
}


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="how often everything is measured (9)")
    parser.add_argument("--seconds", type=float, default=0.15, help="processor time of each measurement (0.15)")
    parser.add_argument("--quick", action="store_true", help="1 round: does it work, not how fast")
    parser.add_argument("--only", default="", metavar="WORDS", help="only cases whose name has these words")
    parser.add_argument("--ours", metavar="PROGRAM", help="a built PredicateBench, instead of building one")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.rounds, chosen.seconds = 1, 0.05
    return chosen


def built():
    command = ["swift", "build", "-c", "release", "--product", "PredicateBench"]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), "PredicateBench")


class Unmeasured(Exception):
    """A program did not do what was asked of it."""


def ask(program, mode, format_, path, amount, environment=None):
    words = [program, mode, format_, path, str(amount)]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    if done.returncode != 0 or done.stdout.startswith("error"):
        raise Unmeasured(f"{os.path.basename(program)} {mode} {format_}: {done.stdout}{done.stderr}")
    return done


def nanoseconds(program, mode, format_, path, seconds):
    time, answer = ask(program, mode, format_, path, seconds).stdout.split()
    return float(time), answer


def allocations(program, counter, format_, path):
    """For one evaluation: the difference between many and few, since starting allocates too."""
    few, many = 1_000, 11_000
    counts = []
    for times in (few, many):
        done = ask(program, "repeat", format_, path, times, {"LD_PRELOAD": counter})
        counts.append(int(done.stderr.split()[-1]))
    return (counts[1] - counts[0]) / (many - few)


def costly_patterns(program, scratch, seconds):
    """What brings down matchers that go back, each on 5,000 repetitions: milliseconds for one text."""
    path = os.path.join(scratch, "subject.json")
    times = []
    with open(COSTLY, encoding="utf-8") as opened:
        rows = [line.rstrip("\n").split("\t") for line in opened if not line.startswith("#")]
    for pattern, repeated, last in rows:
        with open(path, "w", encoding="utf-8") as opened:
            json.dump(repeated.replace("<A>", "\n") * 5_000 + last, opened)
        time, answer = nanoseconds(program, "match", pattern, path, seconds)
        if answer != "false":
            raise Unmeasured(f"{pattern} matches a text that it does not fit")
        times.append((time * 1e-6, pattern))
    return sorted(times, reverse=True)


def ratio_text(pairs):
    ratios = sorted(theirs / ours for ours, theirs in pairs)
    return statistics.median(ratios), f"{statistics.median(ratios):.1f} ({ratios[0]:.1f}–{ratios[-1]:.1f})"


def main():
    chosen = options()
    with tempfile.TemporaryDirectory(prefix="predicates-") as scratch:
        try:
            theirs = gnustep.built(scratch)
        except gnustep.Missing as missing:
            print(missing, file=sys.stderr)
            return 1
        ours = chosen.ours or built()
        counter = os.path.join(scratch, "counter.so")
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", os.path.join(HERE, "counter.c"), "-o", counter], check=True)
        path = os.path.join(scratch, "object.json")
        with open(path, "w", encoding="utf-8") as opened:
            json.dump(OBJECT, opened)
        cases = [case for case in CASES if chosen.only.lower() in case[0].lower()]
        samples = {(case[0], mode): [] for case in cases for mode in ("parse", "evaluate")}
        for number in range(chosen.rounds):
            print(f"round {number + 1} of {chosen.rounds}", file=sys.stderr, flush=True)
            for name, format_, nearest in cases:
                for mode in ("parse", "evaluate"):
                    # What GNUstep evaluates wrongly it may still parse.
                    asked = format_ if mode == "parse" and name not in UNPARSED else nearest or format_
                    turns = [(ours, format_), (theirs, asked)]
                    results = {
                        program: nanoseconds(program, mode, text, path, chosen.seconds)
                        for program, text in (turns if number % 2 == 0 else turns[::-1])
                    }
                    if mode == "evaluate" and results[ours][1] != results[theirs][1]:
                        raise Unmeasured(f"{name}: ours says {results[ours][1]}, GNUstep {results[theirs][1]}")
                    samples[name, mode].append((results[ours][0], results[theirs][0]))
        print("| case | parse, ns | GNUstep | ratio | evaluate, ns | GNUstep | ratio | allocations | GNUstep |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
        verdicts = []
        for name, format_, nearest in cases:
            cells = [name + (" ¹" if nearest else "")]
            for mode, goal in (("parse", PARSE_GOAL), ("evaluate", EVALUATE_GOAL)):
                pairs = samples[name, mode]
                ratio, text = ratio_text(pairs)
                is_compared = mode == "evaluate" or name not in UNPARSED
                medians = [f"{statistics.median(pair[index] for pair in pairs):,.0f}" for index in (0, 1)]
                cells += medians + [text] if is_compared else [medians[0], "–", "–"]
                if is_compared:
                    verdicts.append((name, mode, ratio, goal))
            cells.append(f"{allocations(ours, counter, format_, path):g}")
            cells.append(f"{allocations(theirs, counter, nearest or format_, path):g}")
            print("| " + " | ".join(cells) + " |")
        print()
        for name, _, nearest in cases:
            if nearest:
                print(f"¹ {name}: GNUstep cannot; it evaluated `{nearest}`")
        missed = [
            f"{name}, {mode}: {ratio:.1f}, the goal is ≥ {goal}"
            for name, mode, ratio, goal in verdicts if ratio < goal]
        if not chosen.only or "patterns" in chosen.only.lower():
            times = costly_patterns(ours, scratch, chosen.seconds)
            print(f"{len(times)} costly patterns, 5,000 repetitions each: median {times[len(times) // 2][0]:.2f} ms")
            print("slowest: " + ", ".join(f"`{pattern}` {time:.1f} ms" for time, pattern in times[:5]))
            for time, pattern in times:
                if time > PATTERN_GOAL:
                    missed.append(f"{pattern}: {time:.1f} ms, the goal is ≤ {PATTERN_GOAL}")
        print(f"{chosen.rounds} rounds of {chosen.seconds} s of processor time, turn by turn; medians")
    return report.judge(missed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unmeasured as reason:
        print(f"could not be measured: {reason}", file=sys.stderr)
        sys.exit(1)

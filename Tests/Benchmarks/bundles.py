#!/usr/bin/env python3
"""Measures taking in bundles: proving, judging, stripping and rewriting an archive.

CPU time against `unzip -t` and then `zip -d` of the same files from the same archive, turn by turn, and the most
memory above what the program needs for the smallest archive. What is compared, and how to read it:
docs/benchmarks.md. Part of `make bench`; alone: Tests/Benchmarks/bundles.py [--rounds N] [--quick] [--bench PROGRAM]
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import archives
import report

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The archive everything began with; it is not part of the repository, and left out where it is not found.
SAMPLES = os.environ.get("WIDGET_SAMPLES") or os.path.join(os.path.dirname(REPOSITORY), "shared", "samples")
DEMO = os.path.join(SAMPLES, "WidgetDemo.zip")
# How often one process takes in the archive, to tell the work from the start of a process.
TIMES = 20
# Ours to theirs, in a running process; and KiB above idle.
CPU_GOAL = 0.7
MEMORY_GOAL = 4 << 10


def built(name):
    """The release build, with the standard library inside as in the image."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", name]
    subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
    shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return os.path.join(shown.stdout.strip(), name)


def run(words):
    """CPU seconds of a process, and its own word about its memory in KiB."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{words[0]} ended with {process.returncode}")
    peak = re.search(r"VmHWM:\s*(\d+)", output)
    return used.ru_utime + used.ru_stime, int(peak[1]) if peak else 0, output


class Bench:
    def __init__(self, program, folder, rounds):
        self.program = program
        self.folder = folder
        self.rounds = rounds
        self.rows = []
        tiny = self.path("tiny.zip")
        archives.write(tiny, [])
        self.idle = statistics.median(self.ours(tiny)[1] for _ in range(5))

    def path(self, name):
        return os.path.join(self.folder, name)

    def ours(self, archive, times=1):
        target = self.path("out.zip")
        if os.path.exists(target):
            os.remove(target)
        cpu, peak, output = run([self.program, archive, target, str(times)])
        if not re.match(r"[0-9a-f]{64} ", output):
            raise RuntimeError(f"{archive} is refused: {output}")
        return cpu, peak

    def theirs(self, archive, dropped):
        copy = self.path("copy.zip")
        shutil.copyfile(archive, copy)
        return run(["unzip", "-tqq", copy])[0] + run(["zip", "-qd", copy, *dropped])[0]

    def compare(self, title, archive, dropped):
        alone, running, peer, memory = [], [], [], []
        for _ in range(self.rounds):
            cpu, peak = self.ours(archive)
            many = self.ours(archive, TIMES)[0]
            alone.append(cpu)
            running.append((many - cpu) / (TIMES - 1))
            memory.append(peak)
            peer.append(self.theirs(archive, dropped))
        self.rows.append((
            title, os.path.getsize(archive), alone, running, peer, max(memory) - self.idle))

    def weigh(self, title, archive):
        cpu, peak = self.ours(archive)
        self.rows.append((title, os.path.getsize(archive), [cpu], None, None, peak - self.idle))

    def missed(self):
        """The goals that these rows miss: CPU in a running process, as the registry has it, and memory."""
        lines = []
        for title, _, _, running, peer, memory in self.rows:
            if running and peer:
                ratio = statistics.median(a / b for a, b in zip(running, peer))
                if ratio > CPU_GOAL:
                    lines.append(f"{title}: {ratio:.2f} × the CPU of unzip and zip, the goal is ≤ {CPU_GOAL}")
            if memory > MEMORY_GOAL:
                lines.append(f"{title}: {memory:,.0f} KiB above idle, the goal is ≤ {MEMORY_GOAL:,}")
        return lines

    def table(self):
        def ratio(ours, peer):
            if not peer or not ours:
                return "–"
            ratios = sorted(a / b for a, b in zip(ours, peer))
            return f"{statistics.median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f})"

        def milliseconds(samples):
            return f"{statistics.median(samples) * 1000:.1f}" if samples else "–"

        lines = [
            "| archive | bytes | CPU ms | in a running process | `unzip -t` + `zip -d` | ratio | ratio, running "
            "| memory above idle, KiB |",
            "|---|--:|--:|--:|--:|--:|--:|--:|",
        ]
        for title, size, alone, running, peer, memory in self.rows:
            lines.append(
                f"| {title} | {size:,} | {milliseconds(alone)} | {milliseconds(running)} | {milliseconds(peer)} "
                f"| {ratio(alone, peer)} | {ratio(running, peer)} | {memory:,.0f} |")
        lines += ["", f"{self.rounds} rounds, medians; idle is {self.idle:,.0f} KiB"]
        return "\n".join(lines)


def measure(rounds, program=None):
    """The table, as Markdown, and a line for each goal that was missed."""
    program = program or built("BundleBench")
    with tempfile.TemporaryDirectory(prefix="bench-bundles-") as folder:
        bench = Bench(program, folder, rounds)
        mix = bench.path("mix.zip")
        bench.compare("a raw product, 200 entries", mix, archives.mix(mix, 2, 5_000_000, 200))
        if os.path.exists(DEMO):
            bench.compare("the demo archive", DEMO, ["WidgetDemo.bundle/StubService.json"])
        hostile = [
            ("60 pictures, stored, 64 MiB", lambda path: archives.pictures(path, 3, 64 << 20, 60)),
            ("4,090 entries", lambda path: archives.many(path, 4_090, 60)),
            ("4,090 entries, names of 480 bytes", lambda path: archives.many(path, 4_090, 480)),
            ("4,090 entries, long names that change", lambda path: archives.renamed(path, 4_090)),
            ("4,090 entries, each in 12 folders", lambda path: archives.many(path, 4_090, 480, deep=True)),
            ("20 files of 199,000 numbers", lambda path: archives.numbers(path, 20, False)),
            ("20 screens of 60,000 attributes", lambda path: archives.numbers(path, 20, True)),
            ("20 strings files of 1 MiB", lambda path: archives.strings(path, 20)),
            ("20 property lists of 1 MiB", lambda path: archives.lists(path, 20)),
            ("one file of 64 MiB", lambda path: archives.one(path, 5, 64 << 20)),
        ]
        for title, make in hostile:
            path = bench.path("hostile.zip")
            make(path)
            bench.weigh(title, path)
        return bench.table(), bench.missed()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="how often CPU time is measured (9)")
    parser.add_argument("--quick", action="store_true", help="2 rounds: does it work, not how fast")
    parser.add_argument("--bench", metavar="PROGRAM", help="a built BundleBench, instead of building one")
    chosen = parser.parse_args()
    table, missed = measure(2 if chosen.quick else chosen.rounds, chosen.bench)
    print(table)
    return 0 if chosen.quick else report.judge(missed)


if __name__ == "__main__":
    sys.exit(main())

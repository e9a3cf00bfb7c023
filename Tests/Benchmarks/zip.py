"""Proving and rewriting an archive, against `unzip -t` and then `zip -d` on the same file in the same run.

Usage: zip.py BENCH [ROUNDS]    BENCH is a release build of ZipBench
Prints CPU time (user + system) of each, medians with their spread, and peak memory. Seeds are fixed.
"""

import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile

DROPPED = 5


def make(path, seed, byte_count, files):
    """JSON, and images that hardly compress, as bundles have them; the first five are to be dropped."""
    generator = random.Random(seed)
    names = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("Bench.bundle") if hasattr(archive, "mkdir") else archive.writestr("Bench.bundle/", b"")
        for index in range(files):
            size = int(byte_count / files * generator.uniform(0.4, 1.6))
            if index % 5 < 2:
                words = [generator.choice(["id", "title", "value", "attrs", "elements", "true", "null", str(generator.random())]) for _ in range(size * 5 // 8)]
                data = '","'.join(words).encode()[: size * 5]
            else:
                noise = generator.randbytes(size * 9 // 10)
                data = b"\x89PNG" + noise + bytes(size // 10)
            name = f"Bench.bundle/{'a' if index < DROPPED else 'f'}{index:04}.{'json' if index % 5 < 2 else 'png'}"
            archive.writestr(name, data)
            if index < DROPPED:
                names.append(name)
    return names


def measure(words):
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    peak = re.search(r"VmHWM:\s*(\d+)", output)
    return used.ru_utime + used.ru_stime, int(peak[1]) if peak else 0


def main(bench, rounds):
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        tiny = path("tiny.zip")
        make(tiny, 1, 1_000, 1)
        idle = statistics.median(measure([bench, tiny, path("out.zip"), "0"])[1] for _ in range(5))
        cases = [("5 MB, 200 entries", path("bench.zip"), make(path("bench.zip"), 2, 5_000_000, 200))]
        cases.append(("60 MB, 2,000 entries", path("big.zip"), make(path("big.zip"), 3, 52_000_000, 2_000)))
        if len(sys.argv) > 3:
            cases.append((os.path.basename(sys.argv[3]), sys.argv[3], zipfile.ZipFile(sys.argv[3]).namelist()[1:2]))
        for title, archive, dropped in cases:
            ours, theirs, memory = [], [], []
            for _ in range(rounds if "60 MB" not in title else max(3, rounds // 5)):
                cpu, peak = measure([bench, archive, path("out.zip"), str(len(dropped))])
                ours.append(cpu)
                memory.append(peak)
                copy = path("copy.zip")
                shutil.copy(archive, copy)
                theirs.append(measure(["unzip", "-tqq", copy])[0] + measure(["zip", "-qd", copy, *dropped])[0])
            ratios = sorted(a / b for a, b in zip(ours, theirs))
            print(
                f"{title}: {os.path.getsize(archive)} bytes; ours {statistics.median(ours) * 1000:.1f} ms, "
                f"unzip -t + zip -d {statistics.median(theirs) * 1000:.1f} ms, "
                f"ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f}..{ratios[-1]:.2f}); "
                f"peak memory {max(memory)} KiB, {max(memory) - idle:.0f} above a tiny archive's"
            )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 15)

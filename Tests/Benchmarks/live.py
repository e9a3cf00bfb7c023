#!/usr/bin/env python3
"""Measures live pages of `widget run --http`: changes on the wire, events to pixels, idle viewings, first pages.

What is measured, and how to read it: docs/benchmarks.md.
"""

import argparse
import gzip
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import live_client
import live_material
import processes
from live_client import Connection, Server, Viewing
from pages import REPOSITORY, Judge, built
import report

CHANGE_GOAL = 80
INSERT_GOAL = 600
TIME_GOAL = 0.3
PIXEL_GOAL = 30
IDLE_GOAL = 1 << 30
SCRIPT_GOAL, SCRIPT_WIRE_GOAL = 16_900, 5_900
FIRST_GOAL = 4_608
# What a viewing takes in a second without being refused.
TAPS_PER_SECOND = 15
HERE = os.path.dirname(os.path.abspath(__file__))


def compressed(content):
    return len(gzip.compress(content, 9, mtime=0))


# MARK: - One change


def changes(judge, program, folder, count):
    """Taps of several viewings in turn, each sent when the event of the one before has come."""
    widget = live_material.written(folder, "Changing", live_material.changing())
    with Server(program, widget) as server:
        viewings = [Viewing(server.port, number) for number in range(4)]
        taps = [viewing.button("Change") for viewing in viewings]

        def tap(number):
            viewing = viewings[number % len(viewings)]
            begin = time.perf_counter()
            viewing.act(taps[number % len(viewings)])
            event = viewing.stream.next()
            return event, (time.perf_counter() - begin) * 1000

        for number in range(20):
            tap(number)
        idle = server.processor()
        time.sleep(2)
        idle = (server.processor() - idle) / 2
        sizes, operations, times = [], [], []
        processor, begin = server.processor(), time.perf_counter()
        for number in range(count):
            event, taken = tap(number)
            sizes.append(event.byte_count)
            operations.append(event.operations)
            times.append(taken)
            time.sleep(max(0, begin + (number + 1) / (len(viewings) * TAPS_PER_SECOND) - time.perf_counter()))
        taken = (server.processor() - processor - idle * (time.perf_counter() - begin)) * 1000 / count
        judge.say(f"one field in {live_material.ROWS:,} rows, an event of the stream ({operations[-1]})",
                  max(sizes), " bytes", CHANGE_GOAL)
        echo = [operation for operation in operations[-1] if operation[0] == "e"]
        judge.say("of these for the echo of the tap", len(str(echo[0]).replace(" ", "")) + 1 if echo else 0, " bytes")
        judge.say(f"one field in {live_material.ROWS:,} rows, the server's processor for a request, an event, an evaluation, "
                  f"a difference and a write, in the middle of {count} taps", taken, " ms", TIME_GOAL)
        judge.say("from the tap to the event, as a program sees it", statistics.median(times), " ms")
        own_changes(judge, server, viewings)
    widget = live_material.written(folder, "Inserting", live_material.inserting())
    with Server(program, widget) as server:
        viewing = Viewing(server.port)
        for title, goal, what in (("Insert", INSERT_GOAL, "a row inserted at the front"), ("Swap", None, "two rows moved")):
            events = []
            for _ in range(5):
                viewing.act(viewing.button(title))
                events.append(viewing.stream.next())
            letters = "".join(operation[0] for operation in events[-1].operations)
            judge.say(f"{what} ({letters})", max(event.byte_count for event in events), " bytes", goal)


def own_changes(judge, server, viewings):
    """The requests alone: the same number of batches with no event in them that changes anything."""
    count = 200
    processor = server.processor()
    for number in range(count):
        viewings[number % len(viewings)].connection.ask("GET", "/assets/none")
    judge.say("of these for a request that finds nothing", (server.processor() - processor) * 1000 / count, " ms")


# MARK: - Events to pixels


def numbers(text):
    return {name: float(number) for name, _, number in (line.partition("|") for line in text.splitlines()) if number}


def browser(address, count, title):
    python = os.path.join(REPOSITORY, ".build", "browser-tools", "bin", "python")
    if not os.path.exists(python):
        raise processes.Unmeasured("no browser: .ci/setup browser installs one")
    done = subprocess.run([python, os.path.join(HERE, "live_browser.py"), address, str(count), title],
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise processes.Unmeasured("the browser has failed")
    return numbers(done.stdout)


def pixels(judge, program, folder, count, rows):
    widget = live_material.written(folder, f"Rows{rows}", live_material.changing(rows))
    with Server(program, widget) as server:
        address = f"http://127.0.0.1:{server.port}/"
        crowd = None
        for others in (0, 199):
            if others:
                crowd = processes.start(
                    [sys.executable, os.path.join(HERE, "live_crowd.py"), str(server.port), str(others),
                     str(count * 1.5 + 10), "Change"], stdout=subprocess.PIPE, text=True)
                if crowd.stdout.readline() != "ready\n":
                    raise processes.Unmeasured("the others could not begin")
            processor, begin = server.processor(), time.perf_counter()
            seen = browser(address, count, "Change")
            share = (server.processor() - processor) / (time.perf_counter() - begin)
            name = f"{rows:,} rows, a browser and {others} others, a tap"
            for part, what in (("changed", "to the change of the page's elements"), ("painted", "to its pixels"),
                               ("next", "to the frame after those")):
                goal = PIXEL_GOAL if part == "painted" and others else None
                judge.say(f"{name} {what}, in the middle", seen[f"live {part} p50"], " ms")
                judge.say(f"{name} {what}, 95 of 100", seen[f"live {part} p95"], " ms", goal)
            judge.say(f"{name}: the server's processor", share * 100, " % of a core")
            if not others:
                for part in ("painted", "next"):
                    judge.say(f"the browser alone, a change by its own script, {part}, 95 of 100",
                              seen.get(f"local {part} p95", 0), " ms")
        text = crowd.stdout.read()
        crowd.wait()
        said = numbers(text)
        print(f"the others: {said['taps']:.0f} taps, {said['events']:.0f} events of {said['bytes']:.0f} bytes, "
              f"{said['refused']:.0f} refused, {said['unanswered']:.0f} under way at the end; their events came after "
              f"{said['p50']:.1f} ms in the middle, {said['p95']:.1f} for 95 of 100, {said['worst']:.1f} at worst; "
              f"they took {said['processor']:.1f} s of the processor")
        if said["refused"] or said["events"] < said["taps"] * 0.99:
            raise processes.Unmeasured("some taps were not answered by an event")


# MARK: - Idle viewings


def idle(judge, program, widget, name, count):
    mebibyte = 1 << 20
    with Server(program, widget) as server:
        Viewing(server.port).end()
        before, resident = server.memory()
        connections, viewings, opening = {}, [], []
        for number in range(count):
            address = live_client.source(number)
            connections[address] = connections.get(address) or Connection(server.port, address)
            begin = time.perf_counter()
            viewings.append(Viewing(server.port, number, has_stream=False, connection=connections[address]))
            viewings[-1].load()
            opening.append((time.perf_counter() - begin) * 1000)
        private, resident = server.memory()
        judge.say(f"{name}, {count:,} viewings, private memory", private / mebibyte, " MiB")
        judge.say(f"{name}, {count:,} viewings, resident memory", resident / mebibyte, " MiB", IDLE_GOAL // mebibyte)
        judge.say(f"{name}, one viewing", (private - before) / count / 1024, " KiB")
        opening.sort()
        judge.say(f"{name}, making a viewing and its page, in the middle", opening[count // 2], " ms")
        judge.say(f"{name}, making a viewing and its page, 99 of 100", opening[count * 99 // 100], " ms")
        for viewing in viewings:
            viewing.listen()
        live_client.drain([viewing.stream for viewing in viewings], 2)
        processor = server.processor()
        live_client.drain([viewing.stream for viewing in viewings], 5)
        processor = (server.processor() - processor) / 5
        private, resident = server.memory()
        judge.say(f"{name}, {count:,} viewings with streams, private memory", private / mebibyte, " MiB")
        judge.say(f"{name}, {count:,} viewings with streams, resident memory", resident / mebibyte, " MiB",
                  IDLE_GOAL // mebibyte)
        judge.say(f"{name}, {count:,} idle viewings, the server's processor", processor * 100, " % of a core")
        statuses = {viewing.end() for viewing in viewings}
        time.sleep(1)
        private, resident = server.memory()
        judge.say(f"{name}, after all of them have ended ({', '.join(map(str, sorted(statuses)))}), private memory",
                  private / mebibyte, " MiB")


# MARK: - First pages


def first(judge, program, widget, name, times):
    cold = []
    for _ in range(times):
        begin = time.perf_counter()
        with Server(program, widget) as server:
            connection = Connection(server.port)
            if connection.ask("GET", "/").status != 200:
                raise processes.Unmeasured(f"{name} has no first page")
            cold.append((time.perf_counter() - begin) * 1000)
    judge.say(f"{name}, from the start of the program to the first HTML, in the middle", statistics.median(cold), " ms")
    with Server(program, widget) as server:
        viewing = Viewing(server.port)
        connection, warm = viewing.connection, []
        processor = server.processor()
        for _ in range(300):
            begin = time.perf_counter()
            page = connection.ask("GET", viewing.path)
            warm.append((time.perf_counter() - begin) * 1000)
        processor = (server.processor() - processor) * 1000 / 300
        warm.sort()
        judge.say(f"{name}, page of a viewing, in the middle", warm[150], " ms")
        judge.say(f"{name}, page of a viewing, 99 of 100", warm[297], " ms")
        judge.say(f"{name}, page of a viewing, the server's processor", processor, " ms")
        raw, wire, sent = len(page.content), compressed(page.content), 0
        sheets = wire
        zipped = connection.ask("GET", viewing.path, fields="Accept-Encoding: gzip\r\n")
        sent = len(zipped.content)
        parts = [f"page {raw:,} ({wire:,})"]
        for path in re.findall(r'(?:href|src)="(/[^"]*\.(?:css|js))"', page.text):
            content = connection.ask("GET", path).content
            kind = path.rsplit("/", 1)[1]
            kind = ("script" if kind.endswith(".js") else "base sheet" if kind.startswith("base") else
                    "viewing's sheet" if re.search(r"/a/\d+\.css$", path) else "program's sheet")
            parts.append(f"{kind} {len(content):,} ({compressed(content):,})")
            raw, wire = raw + len(content), wire + compressed(content)
            sent += len(connection.ask("GET", path, fields="Accept-Encoding: gzip\r\n").content)
            if kind != "script":
                sheets += compressed(content)
            else:
                judge.say("the script", len(content), " bytes", SCRIPT_GOAL)
                judge.say("the script, compressed", compressed(content), " bytes", SCRIPT_WIRE_GOAL)
        judge.say(f"{name}, first page with its sheets, compressed by gzip -9", sheets, " bytes",
                  FIRST_GOAL)
        judge.say(f"{name}, first page with all it needs, compressed by gzip -9 ({', '.join(parts)}; {raw:,} as they are)",
                  wire, " bytes")
        judge.say(f"{name}, the same as the server sends it to a browser", sent, " bytes")


def peer():
    """A page of PyView with as many rows, where it is installed."""
    python = os.environ.get("LIVE_PEER", os.path.join(REPOSITORY, ".build", "bench-tools", "bin", "python"))
    if not os.path.exists(python):
        print("no PyView beside it: pyview-web, uvicorn and websockets from PyPI, and LIVE_PEER naming their Python")
        return
    done = subprocess.run([python, os.path.join(HERE, "live_peer.py"), str(live_material.ROWS), "200"],
                          stdout=subprocess.PIPE, text=True, check=False)
    said = numbers(done.stdout)
    if done.returncode or "insert" not in said:
        print("PyView has failed")
        return
    print(f"PyView, {live_material.ROWS:,} rows of which 100 are shown: first page {said['page']:,.0f} bytes "
          f"({said['page compressed']:,.0f} compressed) and {said['joined']:,.0f} for the script to begin with; "
          f"one change {said['change']:,.0f} bytes and {said['time']:.2f} ms of the processor, both ends together; "
          f"a row inserted {said['insert']:,.0f} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widget", metavar="PROGRAM", help="a built widget, instead of building one")
    parser.add_argument("--only", metavar="PART", help="one of change, pixels, idle, first, peer")
    parser.add_argument("--taps", type=int, default=100, help="how often the browser taps (100)")
    parser.add_argument("--quick", action="store_true", help="does it work? Not: how fast")
    chosen = parser.parse_args()
    program = chosen.widget or built("widget")
    limit = processes.raise_descriptor_limit()
    viewings = 100 if chosen.quick else min(2_000, (limit - 200) // 2)
    print(f"load when it began: {os.getloadavg()[0]:.1f}", flush=True)
    judge = Judge()
    with tempfile.TemporaryDirectory(prefix="live-") as folder:
        small = live_material.written(folder, "People", live_material.changing(20))
        sample, forge = (os.path.join(REPOSITORY, "Bundles", name) for name in ("HarbourLog", "Forge"))
        parts = {
            "change": lambda: changes(judge, program, folder, 120 if chosen.quick else 1_200),
            "pixels": lambda: pixels(judge, program, folder, 10 if chosen.quick else chosen.taps, 200),
            "idle": lambda: idle(judge, program, sample, "HarbourLog", viewings),
            "first": lambda: [first(judge, program, widget, name, 3 if chosen.quick else 11)
                              for name, widget in (("20 rows", small), ("HarbourLog", sample), ("Forge", forge))],
            "peer": peer,
        }
        for name, part in parts.items():
            if chosen.only in (None, name):
                part()
    return 0 if chosen.quick else report.judge(judge.missed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except processes.Unmeasured as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)

#!/usr/bin/env python3
"""Viewings that are used at once. Run by live.py, as a separate process.

    live_crowd.py PORT COUNT SECONDS TITLE

Each viewing taps the button of that title about once a second, at moments drawn between 0.5 and 1.5 s after the last tap,
and reads the events of its stream. Prints `name|number`, after a line `ready` when all of them have been opened.
"""

import random
import selectors
import sys
import time

sys.dont_write_bytecode = True

import live_client
import processes

SHORTEST, LONGEST = 0.5, 1.5


def main():
    port, count, seconds, title = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    processes.raise_descriptor_limit()
    chance = random.Random(25)
    viewings = [live_client.Viewing(port, number) for number in range(count)]
    chooser = selectors.DefaultSelector()
    for viewing in viewings:
        viewing.tap = viewing.button(title)
        viewing.due, viewing.sent = chance.uniform(0, LONGEST), None
        for one, what in ((viewing.stream, "stream"), (viewing.connection, "answer")):
            one.socket.setblocking(False)
            chooser.register(one.socket, selectors.EVENT_READ, (viewing, what))
    print("ready", flush=True)
    begin, processor = time.monotonic(), time.process_time()
    latencies, taps, refused, sizes = [], 0, 0, []
    for viewing in viewings:
        viewing.due += begin
    while (now := time.monotonic()) < begin + seconds:
        for viewing in viewings:
            if viewing.due <= now and viewing.sent is None:
                viewing.sent = time.monotonic()
                viewing.connection.send("POST", f"{viewing.part}/actions", viewing.batch([viewing.tap]))
                taps += 1
        wait = min((viewing.due for viewing in viewings if viewing.sent is None), default=now + 0.05) - time.monotonic()
        for key, _ in chooser.select(max(0, min(wait, 0.05))):
            viewing, what = key.data
            received = key.fileobj.recv(1 << 16)
            now = time.monotonic()
            if not received:
                raise processes.Unmeasured("the server has closed a connection")
            if what == "answer":
                refused += not received.startswith(b"HTTP/1.1 204")
                continue
            for event in viewing.stream.events(received):
                sizes.append(event.byte_count)
                if viewing.sent is not None:
                    latencies.append((now - viewing.sent) * 1000)
                    viewing.sent, viewing.due = None, now + chance.uniform(SHORTEST, LONGEST)
    latencies.sort()
    print(f"taps|{taps}\nrefused|{refused}\nevents|{len(sizes)}")
    print(f"unanswered|{sum(viewing.sent is not None for viewing in viewings)}")
    print(f"p50|{latencies[len(latencies) // 2]}\np95|{latencies[len(latencies) * 95 // 100]}")
    print(f"worst|{latencies[-1]}\nbytes|{sorted(sizes)[len(sizes) // 2]}\nprocessor|{time.process_time() - processor}")


if __name__ == "__main__":
    main()

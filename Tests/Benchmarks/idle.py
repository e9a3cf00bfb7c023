"""What a connection costs that does nothing: memory by connection, and what others feel of it."""

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

import answers
import processes
from processes import Unmeasured

PATH = "/memory/2k.zip"
PROBES = 200


@dataclass
class IdleSample:
    base: int
    bytes: float
    latency_median: float
    latency: float


def room_for(wanted):
    """How many connections the descriptor limit of one process allows."""
    return min(wanted, processes.raise_descriptor_limit() - 200)


def measure(peer, count):
    """Starts the server afresh, opens the connections, and looks."""
    holder = None
    peer.start()
    try:
        for _ in range(PROBES):
            answers.get(peer.port, PATH)
        base = processes.private_bytes(peer.root)
        holder = processes.start(
            [sys.executable, os.path.join(os.path.dirname(__file__), "holder.py"), str(peer.port), PATH, str(count)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if holder.stdout.readline() != "open\n":
            raise Unmeasured(f"{peer.name}: {count} connections could not be opened: {holder.stderr.read()[-500:]}")
        held = processes.private_bytes(peer.root)
        latencies = [_latency(peer.port) for _ in range(PROBES)]
        output, complaint = holder.communicate(timeout=60)
        if output != "alive\n":
            raise Unmeasured(f"{peer.name}: connections were not kept: {complaint[-500:]}")
        return IdleSample(base, (held - base) / count, statistics.median(latencies), max(latencies))
    finally:
        processes.end(holder)
        peer.stop()


def _latency(port):
    began = time.monotonic()
    answers.get(port, PATH)
    return (time.monotonic() - began) * 1e3

"""One run of wrk against one server, and what it cost both."""

import json
import os
import time
from dataclasses import dataclass

import heads
import processes
from processes import Unmeasured

FULL = 0.95


@dataclass
class Sample:
    """What one run showed."""
    rate: float
    throughput: float
    p50: float
    p99: float
    cpu: float
    user: float
    cpu_gb: float
    load_share: float
    # How many cores were busy with anything else meanwhile.
    others: float

    @property
    def load_is_full(self):
        """Whether wrk had no CPU left: then the rate is its own and not the server's."""
        return self.load_share > FULL


class Load:
    """wrk with a fixed number of threads."""

    def __init__(self, threads, scratch):
        self.threads, self.scratch = threads, scratch
        self._process = None

    def run(self, peer, case, seconds, expected_bytes):
        script = os.path.join(self.scratch, "request.lua")
        with open(script, "w") as file:
            file.write(heads.wrk_script(case.tag))
        before = processes.cpu_seconds(peer.root)
        busy = processes.busy_seconds()
        began = time.monotonic()
        output, usage = self._wrk([
            "wrk", "-t", str(self.threads), "-c", str(case.connections), "-d", f"{seconds}s", "--timeout", "30s",
            "-s", script, f"http://127.0.0.1:{peer.port}{case.path}"])
        elapsed = time.monotonic() - began
        busy = processes.busy_seconds() - busy
        after = processes.cpu_seconds(peer.root)
        said = self._summary(output, peer, case)
        self._check(said, peer, case, expected_bytes)
        user, system = after[0] - before[0], after[1] - before[1]
        own = usage.ru_utime + usage.ru_stime
        wall = said["microseconds"] / 1e6
        return Sample(
            rate=said["requests"] / wall, throughput=said["bytes"] / wall / 1e6,
            p50=said["p50"] / 1e3, p99=said["p99"] / 1e3,
            cpu=(user + system) * 1e6 / said["requests"], user=user * 1e6 / said["requests"],
            cpu_gb=(user + system) * 1e3 / (said["bytes"] / 1e9),
            load_share=own / elapsed / self.threads,
            others=max(0.0, (busy - own - user - system) / elapsed))

    def stop(self):
        processes.end(self._process)
        self._process = None

    def _wrk(self, arguments):
        """wrk's output, and its own use of the CPU."""
        path = os.path.join(self.scratch, "wrk.out")
        with open(path, "wb") as output:
            self._process = processes.start(arguments, stdout=output, stderr=output)
            _, status, usage = os.wait4(self._process.pid, 0)
            self._process.returncode = os.waitstatus_to_exitcode(status)
        with open(path, errors="replace") as output:
            return output.read(), usage

    @staticmethod
    def _summary(output, peer, case):
        for line in output.splitlines():
            if line.startswith('{"requests"'):
                return json.loads(line)
        raise Unmeasured(f"{case.name}, {peer.name}: wrk says nothing to count: {output[-500:]}")

    @staticmethod
    def _check(said, peer, case, expected_bytes):
        """Every answer was whole and was the one that had been compared."""
        where = f"{case.name}, {peer.name}"
        if said["requests"] == 0:
            raise Unmeasured(f"{where}: no request was answered")
        if said["errors"]:
            raise Unmeasured(f"{where}: {said['errors']} errors in {said['requests']} requests")
        surplus = said["bytes"] - said["requests"] * expected_bytes
        # Answers under way at the end have brought bytes without being counted.
        if not 0 <= surplus <= case.connections * expected_bytes:
            raise Unmeasured(f"{where}: {said['bytes']} bytes for {said['requests']} answers of {expected_bytes}")

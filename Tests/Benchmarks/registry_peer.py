"""The registry as it is shipped, with a new store."""

import http.client
import json
import os
import subprocess
import time

import answers
import processes
from processes import Unmeasured

TOKEN = "bench-token-of-more-than-thirty-two-characters"


class Registry:
    """`widgetd serve` on a port of the loopback interface."""

    name = "widgetd"

    def __init__(self, program, workers, scratch, logs_requests=False, settings=None):
        self.program, self.workers, self.logs_requests, self.settings = program, workers, logs_requests, settings or {}
        self.data = os.path.join(scratch, "registry")
        self.log = os.path.join(scratch, "registry.log")
        self.port = None
        self._process = None
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
        self.version = said.stdout.split()[-1]

    def start(self):
        environment = dict(
            os.environ, WIDGETD_ADMIN_TOKEN=TOKEN, WIDGETD_RATE_LIMIT="off",
            WIDGETD_LOG_REQUESTS="on" if self.logs_requests else "off",
            WIDGETD_WORKERS=str(self.workers), WIDGETD_LIMITS_DISK_RESERVE="0", **self.settings)
        with open(self.log, "ab") as log:
            self._process = processes.start(
                [self.program, "serve", "--listen", "127.0.0.1:0", "--data", self.data], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, env=environment)
        deadline = time.monotonic() + 15
        while self.port is None:
            self.port = self._listening()
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise Unmeasured(f"widgetd does not start: {self._said()[-2_000:]}")
            time.sleep(0.02)

    def _said(self):
        with open(self.log, errors="replace") as log:
            return log.read(1 << 20)

    def _listening(self):
        for line in self._said().splitlines():
            if "server.listening" in line:
                return int(json.loads(line)["public"].rpartition(":")[2])
        return None

    def stop(self):
        processes.end(self._process)
        self._process = None

    @property
    def root(self):
        return self._process.pid

    def tag(self, path):
        return answers.get(self.port, path).tag

    def publish(self, archive, channel="stable", connection=None):
        """Publishes an archive; returns the release."""
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        own.request(
            "POST", f"/v1/bundles?channel={channel}", archive,
            {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/zip"})
        answer = own.getresponse()
        said = answer.read()
        if connection is None:
            own.close()
        if answer.status not in (200, 201):
            raise Unmeasured(f"publishing was answered {answer.status}: {said[:500]!r}")
        return json.loads(said)

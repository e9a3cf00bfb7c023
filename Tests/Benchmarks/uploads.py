"""Bundles made for measuring, and clients that publish them."""

import http.client
import io
import plistlib
import random
import threading
import time
import zipfile
from contextlib import contextmanager

from processes import Unmeasured


def archive(identifier, size, files, build="1", seed=1):
    """A zip of a bundle with so many files of about so many bytes in all; the same for the same arguments."""
    generator = random.Random(f"{seed} {identifier} {build}")
    name = identifier.rpartition(".")[2]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        info = {"CFBundleIdentifier": identifier, "CFBundleShortVersionString": "1.0", "CFBundleVersion": build}
        target.writestr(f"{name}.bundle/Info.plist", plistlib.dumps(info, fmt=plistlib.FMT_BINARY))
        for index in range(files):
            # A font's head is all that is looked at; what follows does not compress, as pictures do not.
            content = _font(generator.randbytes(max(16, size // files)))
            target.writestr(f"{name}.bundle/f{index:04}.ttf", content)
    return buffer.getvalue()


def _font(data):
    """A TrueType file with one table."""
    return b"\0\1\0\0\0\1\0\x10\0\0\0\0" + b"data" + bytes(4) + (28).to_bytes(4, "big") + len(data).to_bytes(4, "big") + data


def together(registry, archives, clients):
    """Publishes them all, so many at a time."""
    queue, failures, lock = list(archives), [], threading.Lock()

    def client():
        connection = http.client.HTTPConnection("127.0.0.1", registry.port, timeout=120)
        while True:
            with lock:
                if not queue or failures:
                    return
                archive = queue.pop()
            try:
                registry.publish(archive, connection=connection)
            except (OSError, Unmeasured, http.client.HTTPException) as error:
                failures.append(error)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise Unmeasured(f"publishing failed: {failures[0]}")


class Publisher(threading.Thread):
    """Publishes small bundles at an even rate until it is stopped."""

    def __init__(self, registry, rate):
        super().__init__()
        self.registry, self.rate = registry, rate
        self.count = self.late = 0
        self.failure = None
        self.over = threading.Event()
        self.stamp = time.monotonic_ns()

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.registry.port, timeout=30)
        due = time.monotonic()
        try:
            while not self.over.is_set():
                self.registry.publish(
                    archive(f"com.example.Steady{self.count % 10}", 20 << 10, 16, build=f"{self.stamp}.{self.count}"),
                    connection=connection)
                self.count += 1
                due += 1 / self.rate
                left = due - time.monotonic()
                if left < 0:
                    self.late += 1
                else:
                    self.over.wait(left)
        except (OSError, Unmeasured, http.client.HTTPException) as error:
            self.failure = error


@contextmanager
def steady(registry, rate):
    publisher = Publisher(registry, rate)
    publisher.start()
    try:
        yield publisher
    finally:
        publisher.over.set()
        publisher.join()
    if publisher.failure:
        raise Unmeasured(f"publishing failed: {publisher.failure}")

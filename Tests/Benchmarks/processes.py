"""Processes as /proc shows them, and their orderly end."""

import ctypes
import os
import resource
import signal
import subprocess
import threading

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG = 1


class Unmeasured(Exception):
    """Something could not be measured; the text says what and why."""


def raise_descriptor_limit():
    """Lifts the soft limit of open files to the hard one, for this process and its children; returns it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def start(arguments, **options):
    """Starts a program that ends when this process does, for any reason."""
    library = ctypes.CDLL(None)
    return subprocess.Popen(
        arguments, start_new_session=True,
        preexec_fn=lambda: library.prctl(PR_SET_PDEATHSIG, signal.SIGTERM), **options)


def end(process):
    """Ends a program that `start` started: asked first, then made to."""
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def tree(root):
    """The process and all that descend from it, alive now."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = _stat(int(name))
            if fields:
                children.setdefault(int(fields[1]), []).append(int(name))
    found, todo = [], [root]
    while todo:
        process = todo.pop()
        found.append(process)
        todo += children.get(process, [])
    return found


def cpu_seconds(root):
    """User and system time of a whole process tree, children that have ended included.

    Whole processes are counted, not threads: the time of a thread that has ended would be missing.
    """
    user = system = 0
    for process in tree(root):
        fields = _stat(process)
        if fields:
            user += int(fields[11]) + int(fields[13])
            system += int(fields[12]) + int(fields[14])
    return user / TICKS_PER_SECOND, system / TICKS_PER_SECOND


def busy_seconds():
    """What all processors have done since the machine started, for whomever."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, *interrupts = (int(field) for field in file.readline().split()[1:9])
    return (user + nice + system + sum(interrupts)) / TICKS_PER_SECOND


def private_bytes(root):
    """Memory of a process tree that is neither shared nor a file's (RssAnon)."""
    total = 0
    for process in tree(root):
        with open(f"/proc/{process}/status") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    total += int(line.split()[1]) * 1024
    return total


def _stat(process):
    """The fields of /proc/PID/stat from the state on, or nothing when the process is gone."""
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


class Peak:
    """The most private memory a process has while something happens, above what it had before."""

    def __init__(self, pid):
        self.pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._before = self._most = 0

    def _now(self):
        with open(f"/proc/{self.pid}/status") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) * 1024
        raise Unmeasured("the system does not tell a process's private memory")

    def _watch(self):
        while not self._over.wait(0.002):
            self._most = max(self._most, self._now())

    def __enter__(self):
        self._before = self._most = self._now()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    @property
    def growth(self):
        return self._most - self._before

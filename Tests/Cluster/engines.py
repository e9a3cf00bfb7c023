"""The engines that replicas share, and the links to them, each of which can fail alone. For Tests/Cluster/run."""

import os
import select
import signal
import socket
import subprocess
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class NotStarted(Exception):
    pass


def start(arguments, environment):
    """Starts a script that prints KEY=VALUE lines and READY, and ends with its input."""
    process = subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ, **environment))
    words = {}
    for line in process.stdout:
        if line == "READY\n":
            return process, words
        key, _, value = line.strip().partition("=")
        words[key] = value
    raise NotStarted(f"{arguments[0]} did not start")


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


class Database:
    """PostgreSQL in a folder, which a later start continues with."""

    def __init__(self, folder):
        self.folder = folder
        self.start()

    def start(self):
        self.process, self.words = start(
            [f"{ROOT}/Tests/Cluster/postgres-peer", self.folder], {"PG_DURABLE": "1", "PG_MAX": "100"})

    @property
    def socket(self):
        port = self.words["PG_URL"].rsplit(":", 1)[1].split("/")[0]
        return f"{self.words['PG_DIR']}/.s.PGSQL.{port}"

    def signal(self, number):
        master = int(self.words["PG_PID"])
        children = subprocess.run(["pgrep", "-P", str(master)], capture_output=True, text=True).stdout.split()
        for process in [master, *map(int, children)]:
            send(process, number)

    def stop(self, seconds):
        self.signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.signal(signal.SIGCONT)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()
        # A process that was just being made is not among those that were killed, and ends when it notices.
        for _ in range(20):
            try:
                return self.start()
            except NotStarted:
                time.sleep(0.5)
        self.start()

    def end(self):
        self.signal(signal.SIGCONT)
        self.process.stdin.close()
        self.process.wait()


class Store:
    """OpenStack Swift with its four processes. One that was killed is started again on the same folder."""

    parts = ["proxy", "account", "container", "object"]

    def __init__(self, folder):
        self.process, self.words = start(
            [f"{ROOT}/Tests/Cluster/s3-peer", folder], {"S3_TIED": "1", "S3_BUCKET": "widgets"})
        self.port = int(self.words["S3_ENDPOINT"].rsplit(":", 1)[1])
        self.again = []
        with open(f"{self.words['S3_DIR']}/pids") as file:
            self.processes = {name: int(process) for name, process in (line.split() for line in file)}
        # Read while they run: a process that is gone has neither.
        self.commands = {}
        for name, process in self.processes.items():
            with open(f"/proc/{process}/cmdline", "rb") as words, open(f"/proc/{process}/environ", "rb") as variables:
                command = [word.decode() for word in words.read().split(b"\0")[:-1]]
                environment = dict(
                    word.decode().split("=", 1) for word in variables.read().split(b"\0")[:-1] if b"=" in word)
                self.commands[name] = (command, environment, os.stat(f"/proc/{process}").st_uid)

    def stop(self, name, seconds):
        send(self.processes[name], signal.SIGSTOP)
        time.sleep(seconds)
        send(self.processes[name], signal.SIGCONT)

    def kill(self, name):
        send(self.processes[name], signal.SIGKILL)
        command, environment, user = self.commands[name]
        time.sleep(0.2)
        with open(f"{self.words['S3_DIR']}/log/{name}", "ab") as log:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                user=user if os.getuid() == 0 else None, cwd=self.words["S3_DIR"])
        self.again.append(process)
        self.processes[name] = process.pid

    def end(self):
        for process in self.again:
            process.kill()
            process.wait()
        for process in self.processes.values():
            send(process, signal.SIGCONT)
        self.process.stdin.close()
        self.process.wait()


class Link:
    """A way from one replica to one engine: whole, slow, cut, or a hole in which bytes disappear."""

    def __init__(self, target):
        self.target, self.state = target, "whole"
        self.pairs = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def set(self, state):
        self.state = state
        if state == "cut":
            with self.lock:
                pairs, self.pairs = self.pairs, set()
            for pair in pairs:
                for end in pair:
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.state == "cut":
                near.close()
                continue
            threading.Thread(target=self.carry, args=(near,), daemon=True).start()

    def carry(self, near):
        try:
            if isinstance(self.target, int):
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
                far.settimeout(None)
            else:
                far = socket.socket(socket.AF_UNIX)
                far.connect(self.target)
        except OSError:
            near.close()
            return
        pair = (near, far)
        with self.lock:
            self.pairs.add(pair)
        try:
            while True:
                ready, _, _ = select.select(pair, [], [], 1)
                if self.state == "hole":
                    time.sleep(0.05)
                    continue
                for end in ready:
                    piece = end.recv(65536)
                    if not piece:
                        return
                    if self.state == "slow":
                        time.sleep(0.1)
                    (far if end is near else near).sendall(piece)
        except OSError:
            pass
        finally:
            with self.lock:
                self.pairs.discard(pair)
            near.close()
            far.close()

    def end(self):
        self.listener.close()
        self.set("cut")


def clock(folder, seconds):
    """The variables by which a program has another time."""
    library = f"{folder}/clock.so"
    if not os.path.exists(library):
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-o", library, f"{ROOT}/Tests/Cluster/clock.c", "-ldl"], check=True)
    return {"LD_PRELOAD": library, "CLOCK_SKEW": str(seconds)} if seconds else {}

"""A registry whose pages run widgets in cells, cells that misbehave, and a system that lacks what confines them."""

import atexit
import contextlib
import ctypes
import functools
import html
import http.client
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import struct
import subprocess
import threading
import time

from harness import ROOT, Failed, folder, program, registry_program
from live import Server, Viewing, free_port, until
from live_material import button, give, label

ERRORS = {"EPERM": 1, "ENOSYS": 38, "EINVAL": 22}
NUMBERS = {
    "x86_64": {"machine": 0xC000003E, "unshare": 272, "seccomp": 317, "prctl": 157, "landlock": 444, "clone": 56},
    "aarch64": {"machine": 0xC00000B7, "unshare": 97, "seccomp": 277, "prctl": 167, "landlock": 444, "clone": 220},
}
SET_FILTER, NO_NEW_PRIVILEGES, NEW_USER = 22, 38, 0x1000_0000


def ordinary():
    """The user that owns nothing, as which a registry should run; `None`, the present one, where this one may not become it, or
    where it may not run the program."""
    user = 65_534
    try:
        subprocess.run([registry_program(), "--version"], user=user, group=user, extra_groups=[], stdout=subprocess.DEVNULL, cwd="/",
                       check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    return user


ORDINARY = ordinary()


def specimen():
    return program("Specimen", "CELL_SPECIMEN")


@functools.cache
def preload():
    """The library that starts specimens in the place of cells."""
    out = open_folder() / "cells.so"
    compiler = next(filter(shutil.which, ("cc", "clang")), None)
    if not compiler:
        raise Failed("a compiler is missing: cc, or clang")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", out, ROOT / "Tests/Browser/cells.c", "-ldl"], check=True)
    return str(out)


def open_folder():
    """A folder that every user may enter."""
    path = folder()
    path.chmod(0o755)
    return path


def without(*parts):
    """Takes from this process and its children what a kernel may lack: `namespaces`, `landlock`, `seccomp`."""
    numbers = NUMBERS[platform.machine()]
    rules = {"namespaces": [("unshare", "EPERM")], "landlock": [("landlock", "ENOSYS")], "seccomp": [("seccomp", "ENOSYS")]}
    program = [(0x20, 0, 0, 4), (0x15, 1, 0, numbers["machine"]), (0x06, 0, 0, 0x7FFF0000), (0x20, 0, 0, 0)]
    for name, error in (rule for part in parts for rule in rules[part]):
        program += [(0x15, 0, 1, numbers[name]), (0x06, 0, 0, 0x00050000 | ERRORS[error])]
    if "seccomp" in parts:  # prctl(PR_SET_SECCOMP, …) is another way to it.
        program += [(0x15, 0, 4, numbers["prctl"]), (0x20, 0, 0, 16), (0x15, 0, 1, SET_FILTER),
                    (0x06, 0, 0, 0x00050000 | ERRORS["EINVAL"]), (0x20, 0, 0, 0)]
    if "namespaces" in parts:
        program += [(0x15, 0, 3, numbers["clone"]), (0x20, 0, 0, 16), (0x45, 0, 1, NEW_USER),
                    (0x06, 0, 0, 0x00050000 | ERRORS["EPERM"])]
    program.append((0x06, 0, 0, 0x7FFF0000))
    code = b"".join(struct.pack("=HBBI", *step) for step in program)
    kept = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(program), ctypes.addressof(kept))
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

    def install():
        buffer = ctypes.create_string_buffer(head, len(head))
        if call(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or call(SET_FILTER, 2, ctypes.addressof(buffer), 0, 0):
            raise OSError(ctypes.get_errno(), "the filter of the test")
        assert kept

    return install


def seed(*names, **documents):
    """A folder of bundles: samples by their names, and documents under names of bundles."""
    path = open_folder() / "seed"
    path.mkdir()
    for name in names:
        shutil.copytree(ROOT / "Bundles" / name, path / name)
    for name, document in documents.items():
        made = path / name
        made.mkdir()
        (made / "Info.plist").write_text(
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
            f"<key>CFBundleIdentifier</key><string>com.example.{name}</string><key>CFBundleName</key><string>{name}</string>"
            "<key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>"
            "<key>CFBundlePackageType</key><string>BNDL</string></dict></plist>")
        (made / "Main.widgets.json").write_text(json.dumps(document))
    return path


def counter():
    """A button that counts, and one whose work takes all that an event may take."""
    pairs = list(range(2_000))
    heavy = {"$": "SUBQUERY(numbers, $a, ANY SUBQUERY(numbers, $b, $a * $b = -1) = 1).@count + count"}
    return {"schema": 1, "title": "Counter", "state": {"count": 0, "spent": 0, "numbers": pairs}, "root": {
        "kind": "vstack", "children": [
            label("count", "Count ", "$count"), label("spent", "Spent ", "$spent"),
            button("add", "Add", give("count", {"$": "count + 1"})), button("spend", "Spend", give("spent", heavy))]}}


class Registry(Server):
    """`widgetd serve` with a seed; its cells are specimens if `deed` is given, `("act", "crash")` for one that crashes before
    it carries out an act."""

    def __init__(self, bundles, *words, deed=None, parts=(), lacks=(), user=None, settings=None):
        self.deed, self.parts, self.user, self.is_killed = deed, parts, user, False
        self.settings, self.preexec = settings or {}, without(*lacks) if lacks else None
        self.data, self.admin = open_folder(), free_port()
        if user is not None:
            os.chown(self.data, user, user)
        atexit.register(self.kill)
        super().__init__(bundles, *words)

    process = None

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def start(self):
        environment = {**os.environ, **self.settings}
        if self.deed:
            words = " ".join([*self.deed, *self.parts])
            environment |= {"LD_PRELOAD": preload(), "CELL_PROGRAM": specimen(), "CELL_WORDS": f"cell {words}"}
        identity = {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [registry_program(), "serve", "--listen", f"127.0.0.1:{self.port}", "--admin-listen", f"127.0.0.1:{self.admin}",
                 "--data", str(self.data), "--seed", str(self.subject), *map(str, self.words)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, preexec_fn=self.preexec, cwd="/", **identity)
        until(self.answers, lambda: f"no answer from the registry: {self.log.read_text()[-2000:]}", patience=60)

    def answers(self):
        if self.process.poll() is not None:
            raise Failed(f"the registry ended with {self.process.returncode}: {self.log.read_text()[-2000:]}")
        with contextlib.suppress(OSError):
            return self.request("GET", "/readyz")[0] == 200

    def request(self, method, path, body=None, source=None, **headers):
        """The same, from an address of this machine: the registry bounds the pages of each."""
        if source is None:
            return super().request(method, path, body, **headers)
        if method == "POST":
            headers = {"Origin": self.origin, **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20, source_address=(source, 0))
        try:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items() if text})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def metrics(self, name=None):
        """All figures about cells and pages, by their names with labels; or one of them."""
        # Other threads ask the other port meanwhile.
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.admin, timeout=20)) as connection:
            connection.request("GET", "/metrics")
            answer = connection.getresponse()
            status, body = answer.status, answer.read()
        if status != 200:
            raise Failed(f"/metrics was answered with {status}")
        found = dict(re.findall(r"^(widgetd_(?:cell|viewings)\S*) (\S+)$", body.decode(), re.MULTILINE))
        return int(found[name]) if name else found

    def ended(self, reason):
        return self.metrics(f'widgetd_cells_ended_total{{reason="{reason}"}}')

    def cells(self):
        """The numbers of the processes that are children."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = path.read_text().rpartition(")")[2].split()
                if int(fields[1]) == self.process.pid and fields[0] != "Z":
                    found.append(int(path.parent.name))
        return found

    def place(self, name, release="1.0~1"):
        return f"/w/com.example.{name}/{release}"


@contextlib.contextmanager
def registry(bundles, *words, **more):
    server = Registry(bundles, *words, **more)
    try:
        yield server
        if server.process.poll() is not None and not server.is_killed:
            raise Failed(f"the registry ended with {server.process.returncode}: {server.log.read_text()[-2000:]}")
    finally:
        if server.process.poll() is None:
            server.stop()


class Preview(Viewing):
    """A viewing in a cell, without a browser. `source` is an address of this machine that it comes from."""

    def __init__(self, server, place, source=None):
        self.server, self.place, self.source, self.serial = server, place, source, 0
        status, headers, body = server.request("POST", f"{place}/run", source=source)
        if status != 303:
            raise Failed(f"POST {place}/run was answered with {status}: {words(body)}")
        self.path = headers["Location"].removeprefix(server.origin)

    def post(self, *event):
        """Sends an event as a form, as pages without script do; the status and what the page says."""
        body = "n=1&do=" + "".join(f"%{byte:02X}" for byte in json.dumps(event, separators=(",", ":")).encode())
        status, _, answer = self.server.request("POST", self.part, body, Content_Type="application/x-www-form-urlencoded")
        return status, words(answer)


def words(page):
    """What a page says."""
    text = page.decode() if isinstance(page, bytes) else page
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text.partition("<body")[2] or text)).split())


class Watch:
    """Asks a registry for one thing again and again; the longest time, and what was not answered well."""

    def __init__(self, server, path="/v1/widgets/com.example.Counter", pause=0.02):
        self.server, self.path, self.pause = server, path, pause
        self.times, self.faults, self.is_over = [], [], threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        while not self.is_over.wait(self.pause):
            begin = time.monotonic()
            try:
                status, _, body = self.server.request("GET", self.path)
                if status != 200:
                    self.faults.append(f"{status} after {len(self.times)}: {body[:300]}")
            except OSError as error:
                self.faults.append(str(error))
            self.times.append(time.monotonic() - begin)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

    def judge(self, seconds=2):
        """Fails unless all was answered, and soon; a busy machine counts for something."""
        if self.faults or not self.times or max(self.times) > seconds:
            raise Failed(f"of {len(self.times)} requests, the longest took {max(self.times, default=0):.2f} s, {self.faults[:5]}")
        return f"{len(self.times)} requests, longest {max(self.times) * 1000:.0f} ms"


def gone(numbers):
    """True if none of these processes runs."""
    def runs(number):
        try:
            return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False
    return not any(map(runs, numbers))


def kill(server):
    """Ends a registry as the system does for want of memory."""
    server.is_killed = True
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()

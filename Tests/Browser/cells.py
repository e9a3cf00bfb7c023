"""A registry whose reviews misbehave, and systems that lack what confines them. No case of these opens a page."""

import atexit
import contextlib
import ctypes
import functools
import http.client
import io
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
import zipfile

from harness import ROOT, Failed, case, folder, program, registry_program
from live import free_port, until

ERRORS = {"EPERM": 1, "ENOSYS": 38, "EINVAL": 22}
NUMBERS = {
    "x86_64": {"machine": 0xC000003E, "unshare": 272, "seccomp": 317, "prctl": 157, "landlock": 444, "clone": 56},
    "aarch64": {"machine": 0xC00000B7, "unshare": 97, "seccomp": 277, "prctl": 167, "landlock": 444, "clone": 220},
}
SET_FILTER, NO_NEW_PRIVILEGES, NEW_USER = 22, 38, 0x1000_0000
PARTS = ("limits", "no-new-privileges", "user", "no-capabilities", "user-namespace", "network-namespace", "message-namespace",
         "landlock", "seccomp")
# What a review does before it looks at its bundle: the name of its end, and the words for it.
DEEDS = {
    "crash": ("crash", "the process of its widget has ended"),
    "loop": ("time", "did not answer within"),
    "memory": ("memory", "of memory"),
    "files": ("forbidden", "did something that widgets may not do"),
}
CALLS = ("open", "connect", "execve", "ptrace", "socket", "spawn")


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


def open_folder():
    """A folder that every user may enter."""
    path = folder()
    path.chmod(0o755)
    return path


@functools.cache
def preload():
    """The library that starts specimens in the place of cells."""
    out = open_folder() / "cells.so"
    compiler = next(filter(shutil.which, ("cc", "clang")), None)
    if not compiler:
        raise Failed("a compiler is missing: cc, or clang")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", out, ROOT / "Tests/Browser/cells.c", "-ldl"], check=True)
    return str(out)


def without(*parts):
    """Takes from this process and its children what a kernel may lack: `namespaces`, `landlock`, `seccomp`."""
    numbers = NUMBERS[platform.machine()]
    rules = {"namespaces": [("unshare", "EPERM")], "landlock": [("landlock", "ENOSYS")], "seccomp": [("seccomp", "ENOSYS")]}
    steps = [(0x20, 0, 0, 4), (0x15, 1, 0, numbers["machine"]), (0x06, 0, 0, 0x7FFF0000), (0x20, 0, 0, 0)]
    for name, error in (rule for part in parts for rule in rules[part]):
        steps += [(0x15, 0, 1, numbers[name]), (0x06, 0, 0, 0x00050000 | ERRORS[error])]
    if "seccomp" in parts:  # prctl(PR_SET_SECCOMP, …) is another way to it.
        steps += [(0x15, 0, 4, numbers["prctl"]), (0x20, 0, 0, 16), (0x15, 0, 1, SET_FILTER),
                  (0x06, 0, 0, 0x00050000 | ERRORS["EINVAL"]), (0x20, 0, 0, 0)]
    if "namespaces" in parts:
        steps += [(0x15, 0, 3, numbers["clone"]), (0x20, 0, 0, 16), (0x45, 0, 1, NEW_USER),
                  (0x06, 0, 0, 0x00050000 | ERRORS["EPERM"])]
    steps.append((0x06, 0, 0, 0x7FFF0000))
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    kept = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("@HP", len(steps), ctypes.addressof(kept))
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

    def install():
        buffer = ctypes.create_string_buffer(head, len(head))
        if call(NO_NEW_PRIVILEGES, 1, 0, 0, 0) or call(SET_FILTER, 2, ctypes.addressof(buffer), 0, 0):
            raise OSError(ctypes.get_errno(), "the filter of the test")
        assert kept

    return install


def archive(version="1.0"):
    """A bundle with one screen."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("Counter.bundle/Info.plist", f"""<plist version="1.0"><dict><key>CFBundleIdentifier</key>
            <string>com.example.Counter</string><key>CFBundleShortVersionString</key><string>{version}</string>
            <key>CFBundleVersion</key><string>1</string></dict></plist>""")
        made.writestr("Counter.bundle/Main.widgets.json", '{"schema": 1, "root": [{"kind": "label", "payload": {"text": "One"}}]}')
    return packed.getvalue()


class Registry:
    """`widgetd serve`; its cells are specimens if `deed` is given, `crash` for those that crash before a review."""

    def __init__(self, deed=None, lacks=(), user=None):
        self.port, self.admin, self.data, self.is_killed = free_port(), free_port(), open_folder(), False
        self.log = self.data.parent / f"{self.data.name}.log"
        environment = {**os.environ, "WIDGETD_LIMITS_DISK_RESERVE": "0"}
        if deed:
            environment |= {"LD_PRELOAD": preload(), "CELL_PROGRAM": program("WidgetSpecimen", "CELL_SPECIMEN"), "CELL_WORDS": f"cell review {deed}"}
        identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}
        if user is not None:
            os.chown(self.data, user, user)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [registry_program(), "serve", "--listen", f"127.0.0.1:{self.port}", "--admin-listen", f"127.0.0.1:{self.admin}",
                 "--data", str(self.data)], stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment,
                preexec_fn=without(*lacks) if lacks else None, cwd="/", **identity)
        atexit.register(self.end)
        until(self.answers, lambda: f"no answer from the registry: {self.log.read_text()[-2000:]}", patience=60)
        self.token = (self.data / "admin-token").read_text().strip()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log.unlink(missing_ok=True)

    def answers(self):
        if self.process.poll() is not None:
            raise Failed(f"the registry ended with {self.process.returncode}: {self.log.read_text()[-2000:]}")
        with contextlib.suppress(OSError):
            return self.ask("GET", "/readyz")[0] == 200

    def ask(self, method, path, body=None, port=None, **fields):
        """The status and the text of an answer."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=120)) as connection:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in fields.items()})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def publish(self, version="1.0"):
        return self.ask("POST", "/v1/bundles", archive(version), Authorization=f"Bearer {self.token}", Content_Type="application/zip")

    def figures(self):
        """All figures about cells, by their names with labels."""
        return dict(re.findall(r"^(widgetd_cell\S*) (\S+)$", self.ask("GET", "/metrics", port=self.admin)[1], re.MULTILINE))

    def ended(self, reason):
        return int(self.figures()[f'widgetd_cells_ended_total{{reason="{reason}"}}'])

    def cells(self):
        """The numbers of the processes that are children."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = path.read_text().rpartition(")")[2].split()
                if int(fields[1]) == self.process.pid and fields[0] != "Z":
                    found.append(int(path.parent.name))
        return found


@contextlib.contextmanager
def registry(**more):
    server = Registry(**more)
    try:
        yield server
        if server.process.poll() is not None and not server.is_killed:
            raise Failed(f"the registry ended with {server.process.returncode}: {server.log.read_text()[-2000:]}")
    finally:
        server.end()


def misbehaving(deed, user=None, lacks=()):
    """Publishes a bundle whose review misbehaves: it costs the release its stills alone, and is counted and said."""
    reason, said = DEEDS.get(deed, ("forbidden", "did something that widgets may not do"))
    with registry(deed=deed, user=user, lacks=lacks) as server:
        begin = time.monotonic()
        status, text = server.publish()
        seconds = time.monotonic() - begin
        if status != 201 or '"code":"unreviewed"' not in text or said not in text:
            raise Failed(f"beside {deed}, publishing is answered with {status}: {text[:1000]}")
        if server.ended(reason) != 1 or server.cells():
            raise Failed(f"after {deed} the ends are {server.figures()}, and {server.cells()} run")
        for path in ("/v1/widgets/com.example.Counter", "/w/com.example.Counter", "/w/com.example.Counter/1.0~1/try"):
            if server.ask("GET", path)[0] != 200:
                raise Failed(f"after {deed}, {path} is answered with {server.ask('GET', path)}")
    return f"{deed} {seconds:.1f} s"


@case(51, run="smoke")
def a_review_that_crashes_costs_its_release_the_stills_alone(browser):
    return misbehaving("crash")


@case(51)
def reviews_that_take_memory_or_files_or_time_cost_their_releases_the_stills_alone(browser):
    return ", ".join(misbehaving(deed) for deed in DEEDS)


@case(53)
def every_call_that_is_not_allowed_ends_the_review_for_root_and_for_an_ordinary_user(browser):
    for user in (None, ORDINARY):
        for call in CALLS:
            misbehaving(call, user)


@case(54)
def no_review_outlives_a_registry_that_is_killed(browser):
    times = []
    for user in (None, ORDINARY):
        # A machine with much to do is slow now and then.
        for _ in range(3):
            if (seconds := outlived(user)) <= 1:
                break
        else:
            raise Failed(f"a review runs on for {seconds:.1f} s after the end of its registry")
        times.append(seconds)
    return f"{max(times) * 1000:.0f} ms"


def outlived(user):
    """Seconds for which a review that spins runs on after its registry was killed."""
    with registry(deed="loop", user=user) as server:
        def publish():
            with contextlib.suppress(OSError, http.client.HTTPException):
                server.publish()

        threading.Thread(target=publish, daemon=True).start()
        until(server.cells, lambda: "no process reviews the bundle")
        time.sleep(0.3)
        cells = server.cells()
        server.is_killed = True
        begin = time.monotonic()
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        until(lambda: gone(cells), lambda: f"after the end of the registry some of {cells} run")
        return time.monotonic() - begin


def gone(numbers):
    """True if none of these processes runs."""
    def runs(number):
        try:
            return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False
    return not any(map(runs, numbers))


def check(lacks=(), user=None):
    """What `widgetd check` says of reviews, and of each part of their confinement."""
    identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    done = subprocess.run([registry_program(), "check"], capture_output=True, text=True, timeout=60, cwd="/",
                          preexec_fn=without(*lacks) if lacks else None, **identity)
    found = re.search(r"^reviews: (.*)\n((?:  .*\n)*)", done.stdout, re.MULTILINE)
    if done.returncode or not found:
        raise Failed(f"widgetd check ended with {done.returncode}: {done.stdout[-1000:]} {done.stderr}")
    return found[1], dict(line.strip().split(": ", 1) for line in found[2].splitlines())


def on(server):
    """The parts that are on, as the figures say."""
    figures = server.figures()
    return {part for part in PARTS if figures[f'widgetd_cell_confinement{{part="{part}"}}'] == "1"}


def confined(lacks, user, off, expected):
    """A registry on a system that lacks something: its reviews are confined by the rest."""
    state, parts = check(lacks, user)
    if state != "in confined processes" or any(not parts[name].startswith(said) for name, said in expected.items()):
        raise Failed(f"without {lacks}, as {user or 'root'}, reviews are {state}: {parts}")
    with registry(lacks=lacks, user=user) as server:
        if off & on(server) or "landlock" not in on(server) and "seccomp" not in on(server):
            raise Failed(f"without {lacks}, as {user or 'root'}, the figures say {on(server)}")
        status, text = server.publish()
        if status != 201 or "unreviewed" in text or "reviews.on" not in server.log.read_text():
            raise Failed(f"without {lacks}, as {user or 'root'}, publishing is answered with {status}: {text[:1000]}")
    if "seccomp" not in lacks:
        for call in ("open", "socket"):
            misbehaving(call, user, lacks)


@case(56)
def a_review_is_confined_where_namespaces_are_forbidden(browser):
    namespaces = {"user-namespace", "network-namespace", "message-namespace"}
    said = {"namespace of networks": "off, since the system does not allow it", "Landlock": "on, version", "filter of calls": "on"}
    for user in (None, ORDINARY):
        confined(("namespaces",), user, namespaces, said)


@case(56)
def a_review_is_confined_where_landlock_or_the_filter_is_missing(browser):
    for user in (None, ORDINARY):
        confined(("landlock",), user, {"landlock"}, {"Landlock": "off, since the kernel does not have it", "filter of calls": "on"})
        confined(("seccomp", "namespaces"), user, {"seccomp"}, {"Landlock": "on, version", "filter of calls": "off, since"})


@case(57)
def bundles_are_reviewed_within_the_limits_of_the_kernel_alone_where_nothing_confines(browser):
    lacks = ("landlock", "seccomp", "namespaces")
    for user in (None, ORDINARY):
        state, parts = check(lacks, user)
        if "the kernel alone" not in state or not parts["Landlock"].startswith("off") or not parts["filter of calls"].startswith("off"):
            raise Failed(f"as {user or 'root'}, reviews are {state}: {parts}")
        with registry(lacks=lacks, user=user) as server:
            before = server.ended("done")
            status, text = server.publish()
            if status != 201 or "unreviewed" in text or server.ended("done") != before + 1 or server.cells():
                raise Failed(f"as {user or 'root'}, publishing is answered with {status}: {text[:1000]}, {server.figures()}")
            if "reviews.limited" not in server.log.read_text():
                raise Failed("the log does not say that reviews are confined by the limits of the kernel alone")

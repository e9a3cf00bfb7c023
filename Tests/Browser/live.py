"""A server of live pages, pages that it serves, and a client that speaks its protocol."""

import contextlib
import http.client
import json
import pathlib
import queue
import re
import signal
import socket
import subprocess
import threading
import time

import html5lib

from harness import Failed, again, folder, program

PLIST = ('<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key>'
         "<string>com.example.Live</string></dict></plist>")
# What a policy forbids reaches the page as well as to the console.
WATCH = """
window.violations = [];
addEventListener('securitypolicyviolation', event => violations.push(`${event.violatedDirective}: ${event.blockedURI}`), true);
"""
# Seconds to wait for what has to come, on a machine with much to do: only a case that fails waits for so long. A page without
# a stream opens one by itself 45 seconds after it last heard something, which is later.
PATIENCE = 40
# The page as a reader has it: values that were typed or set are those of attributes, and what only a moment has is left out.
PLAIN = """() => {
    const page = document.querySelector('main'), plain = page.cloneNode(true);
    const shown = [...page.querySelectorAll('*')], copied = [...plain.querySelectorAll('*')];
    copied.forEach((copy, place) => {
        const it = shown[place];
        if (copy.matches('input')) copy.setAttribute('value', it.value);
        if (copy.matches('[type=checkbox], [type=radio]')) copy.toggleAttribute('checked', it.checked);
        if (copy.matches('option')) copy.toggleAttribute('selected', it.selected);
        if (copy.matches('textarea')) copy.textContent = it.value;
        copy.removeAttribute('autofocus');
        if (copy.matches('h1, h2')) copy.removeAttribute('tabindex');
    });
    plain.removeAttribute('tabindex');
    plain.querySelectorAll('input[name=n]').forEach(it => it.remove());
    return plain.outerHTML.replace(/></g, '>\\n<');
}"""


def bundle(**documents):
    """A folder of documents; the first screen is `Main`."""
    path = folder() / "Live"
    path.mkdir()
    (path / "Info.plist").write_text(PLIST)
    for name, document in documents.items():
        save(path, name, document)
    return path


def save(path, name, document):
    """Writes a document as editors do, by another file that takes its name."""
    made = path.parent / f"{name}.new"
    made.write_text(document if isinstance(document, str) else json.dumps(document))
    made.rename(path / f"{name}.widgets.json")


def free_port():
    """A port with five digits, as those of the proxies, which write one over the other."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            if (port := probe.getsockname()[1]) >= 10_000:
                return port


def until(answer, why, patience=PATIENCE):
    """Asks until there is an answer that is true; the last time it is asked is after the end of the patience."""
    end = time.monotonic() + patience
    while True:
        is_last = time.monotonic() > end
        if found := answer():
            return found
        if is_last:
            raise Failed(why() if callable(why) else why)
        time.sleep(0.02)


class Server:
    """`widget run --http` of one subject; a bare one has no workbench below the widget."""

    def __init__(self, subject, *words, port=None, bare=True):
        self.subject, self.words, self.port, self.bare = subject, words, port or free_port(), bare
        self.log = folder() / "log"
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [program(), "run", str(self.subject), f"--http=127.0.0.1:{self.port}", *["--plain"] * self.bare, *map(str, self.words)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(self.answers, lambda: f"no answer from the server: {self.log.read_text()[-2000:]}")

    def answers(self):
        if self.process.poll() is not None:
            raise Failed(f"the server ended with {self.process.returncode}: {self.log.read_text()[-2000:]}")
        with contextlib.suppress(OSError):
            return self.request("GET", "/")[0] == 200

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failed("the server did not end when it was asked to")

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def memory(self):
        """Kilobytes that the server has in memory."""
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def request(self, method, path, body=None, **headers):
        """Status, headers and body. Posts come from the server's own origin, unless `Origin` says otherwise."""
        if method == "POST":
            headers = {"Origin": self.origin, **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items() if text})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


@contextlib.contextmanager
def served(subject, *words, bare=True):
    server = Server(subject, *words, bare=bare)
    try:
        yield server
        if server.process.poll() is not None:
            raise Failed(f"the server ended with {server.process.returncode}: {server.log.read_text()[-2000:]}")
    finally:
        if server.process.poll() is None:
            server.stop()


class Viewing:
    """A page of one widget without a browser."""

    def __init__(self, server):
        self.server, self.serial = server, 0
        status, headers, body = server.request("POST", "/live")
        if status != 303:
            raise Failed(f"POST /live was answered with {status}: {body[:500]!r}")
        self.path = headers["Location"].removeprefix(server.origin)

    def html(self):
        status, _, body = self.server.request("GET", self.path)
        if status != 200:
            raise Failed(f"GET {self.path} was answered with {status}")
        return body.decode()

    @property
    def part(self):
        """The address of its widget: what forms are sent to, and what acts and files lie below."""
        return f"{self.path}/a"

    def position(self):
        return re.search(r'data-view="(\d+a\d+)"', self.html())[1]

    def button(self, id):
        """The event of the button with this name of an author."""
        found = re.search(rf'<button [^>]*data-id="{id}"[^>]*>', self.html())
        if not found:
            raise Failed(f"the page has no button {id}:\n{self.html()[:3000]}")
        return json.loads(re.search(r'value="([^"]*)"', found[0])[1].replace("&quot;", '"'))

    def act(self, *events):
        self.serial += 1
        status, headers, body = self.server.request(
            "POST", f"{self.part}/actions", json.dumps([self.serial, list(events)]), Content_Type="application/json")
        if status != 204:
            raise Failed(f"actions were answered with {status} {dict(headers)}: {body[:500]!r}")

    def tap(self, id):
        self.act(self.button(id))


class Stream:
    """The stream of a page of one widget: events as `(position, operations, bytes)`."""

    def __init__(self, viewing, after, last=None):
        self.events, self.status, self.is_over = queue.Queue(), None, False
        self.connection = http.client.HTTPConnection("127.0.0.1", viewing.server.port, timeout=60)
        self.connection.request("GET", f"{viewing.path}/events?after={after}",
                                headers={"Last-Event-ID": str(last)} if last is not None else {})
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        lines, length = {}, 0
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while line := self.answer.readline():
                length += len(line)
                text = line.decode().rstrip("\r\n")
                if text and not text.startswith(":"):
                    name, _, value = text.partition(":")
                    lines[name] = value.removeprefix(" ")
                elif not text:
                    if "data" in lines and "event" not in lines:
                        self.events.put((lines.get("id"), json.loads(lines["data"])["a"], length))
                    elif "event" in lines:
                        self.is_over = self.is_over or lines["event"] == "o"
                    lines, length = {}, 0
        self.events.put(None)

    def next(self):
        """The next event, or `None` at the end of the stream; fails if neither comes."""
        try:
            return self.events.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failed(f"no event in {PATIENCE} s") from None

    def rest(self, quiet=0.5):
        """All events until none comes for a while."""
        found = []
        with contextlib.suppress(queue.Empty):
            while event := self.events.get(timeout=quiet):
                found.append(event)
        return found

    def close(self):
        with contextlib.suppress(OSError):
            self.connection.sock and self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.connection.close()


class Proxy:
    """Lies between a browser and a server, and cuts connections."""

    def __init__(self, server):
        self.server, self.port = server, free_port()
        self.pairs, self.streams, self.lock = set(), set(), threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.server.port))
                except OSError:
                    near.close()
                    continue
                pair = (near, far)
                with self.lock:
                    self.pairs.add(pair)
                threading.Thread(target=self.carry, args=(pair, near, far, True), daemon=True).start()
                threading.Thread(target=self.carry, args=(pair, far, near, False), daemon=True).start()

    def carry(self, pair, source, sink, is_request):
        ours, theirs = str(self.port).encode(), str(self.server.port).encode()
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_request:
                    # The server knows one name; ports of equal length leave lengths as they are.
                    data = data.replace(b"127.0.0.1:" + ours, b"127.0.0.1:" + theirs)
                    if re.match(rb"GET \S+/events", data):
                        with self.lock:
                            self.streams.add(pair)
                else:
                    data = data.replace(b"127.0.0.1:" + theirs, b"127.0.0.1:" + ours)
                sink.sendall(data)
        self.end(pair)

    def end(self, pair):
        with self.lock:
            self.pairs.discard(pair)
            self.streams.discard(pair)
        for half in pair:
            with contextlib.suppress(OSError):
                half.shutdown(socket.SHUT_RDWR)
            half.close()

    def cut(self):
        """Ends all streams, and says how many there were."""
        with self.lock:
            streams = list(self.streams)
        for pair in streams:
            self.end(pair)
        return len(streams)

    def close(self):
        self.listener.close()
        for pair in list(self.pairs):
            self.end(pair)


@contextlib.contextmanager
def proxied(server):
    proxy = Proxy(server)
    try:
        yield proxy
    finally:
        proxy.close()


def watched(context, expected=()):
    """A page of a context that keeps what the console and the policy say."""
    page = context.new_page()
    page.messages, page.expected = [], list(expected)
    page.on("console", lambda message: page.messages.append(f"{message.text} {message.location.get('url', '')}"))
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    return page


def faultless(page):
    """Fails for what the console or the policy has said, but for what the case expects."""
    said = [text for text in page.messages if not any(re.search(pattern, text) for pattern in page.expected)]
    with contextlib.suppress(Exception):
        said += page.evaluate("() => window.violations ?? []")
    if said:
        raise Failed(f"the console said: {said[:5]}")


@contextlib.contextmanager
def visit(browser, origin, script=True, width=375, height=667, run=True, expected=(), init="", **more):
    """A page that has just begun to run, in a context for itself; `origin` is that of a server or a proxy."""
    context = browser.chromium.new_context(viewport={"width": width, "height": height}, java_script_enabled=script, **more)
    context.set_default_timeout(PATIENCE * 1_000)
    context.add_init_script(WATCH + init)
    page = watched(context, expected)
    page.has_script = script
    try:
        page.goto(origin)
        if run:
            begin(page, script)
        yield page
        faultless(page)
    finally:
        context.close()


def begin(page, script=True):
    """Runs the widget of a still: the script does so when it is in view, and a person by the button."""
    if not script:
        page.locator("form[action='/live'] button, [data-run] button").first.click()
    page.wait_for_url("**/live/*")
    if script:
        page.wait_for_selector("main:not([inert])")


def named(page, id):
    """The element with a name of an author."""
    return page.locator(f"main [data-id='{id}']")


def reads(page, text):
    """Waits until the page shows a text; without script, by loading it again."""
    def is_there():
        if text in page.locator("main").inner_text():
            return True
        if not page.has_script:
            again(page)
        return False

    until(is_there, lambda: f"{text} is not shown:\n{page.locator('main').inner_text()[:2000]}")


def fresh(browser, server, page):
    """The whole page of a viewing, as one who comes now has it."""
    context = browser.chromium.new_context(viewport={"width": 375, "height": 667}, java_script_enabled=False)
    try:
        other = context.new_page()
        other.goto(server.origin + re.sub(r"^https?://[^/]*", "", page.url))
        return other.evaluate(PLAIN)
    finally:
        context.close()


def agrees(browser, server, page):
    """Fails unless a page that was kept up to date becomes equal to a fresh one."""
    pair = []

    def is_equal():
        pair[:] = page.evaluate(PLAIN), fresh(browser, server, page)
        return pair[0] == pair[1]

    def difference():
        kept, new = (part.split("\n") for part in pair)
        found = [f"kept  {one}\n    fresh {other}" for one, other in zip(kept, new) if one != other]
        return f"{len(kept)} and {len(new)} lines differ, first:\n    " + "\n    ".join(found[:3])

    until(is_equal, difference)


def valid(server, path):
    """Fails unless the server's page is valid; returns its text."""
    _, headers, body = server.request("GET", path)
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(body)
    if parser.errors:
        raise Failed(f"{path} is not valid: {parser.errors[:3]} in {body[:3000]!r}")
    return body.decode()

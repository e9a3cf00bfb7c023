"""The element in two more engines: Firefox by WebDriver BiDi, and WebKitGTK by its own driver. Both get real pointers and keys."""

import base64
import contextlib
import json
import os
import pathlib
import re
import secrets
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import axe_playwright_python

from element import COUNTER, EVENTS, POLICY, Site, archive, document, element, host_page
from element_bounds import HOSTILE
from harness import ROOT, Failed, case, folder, widget
from live import until

# A widget whose button asks the app for something, which is heard outside a frame.
ASKING = archive("Asking", document([
    {"kind": "button", "id": "ask", "payload": {"text": "Ask"}, "style": {"height": 200}, "on": {"tap": {"do": "open", "url": "https://example.com/7"}}}]))


class Socket:
    """A client of a web socket, for texts."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=60)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.file = self.socket.makefile("rb")
        if b" 101 " not in self.file.readline():
            raise Failed("the browser takes no web socket")
        while self.file.readline().strip():
            pass

    def send(self, text):
        body = text.encode()
        mask = secrets.token_bytes(4)
        size = len(body)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + struct.pack(">H", size) if size < 65536 else b"\x81\xff" + struct.pack(">Q", size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(body)))

    def receive(self):
        text = b""
        while True:
            first, second = self.file.read(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.file.read(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.file.read(8))[0]
            body = self.file.read(size)
            if first & 0x0F in (0, 1):
                text += body
                if first & 0x80:
                    return text.decode()

    def close(self):
        self.file.close()
        self.socket.close()


class Firefox:
    """Debian's Firefox, by WebDriver BiDi."""

    name = "Firefox"

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="firefox-")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, "HOME": self.folder, "MOZ_DISABLE_CONTENT_SANDBOX": "1"})
        for line in self.process.stderr:
            if found := re.search(r"ws://([\d.]+):(\d+)", line):
                break
        else:
            raise Failed("Firefox does not say where it listens")
        self.socket = Socket(found[1], int(found[2]), "/session")
        self.number = 0
        self.ask("session.new", {"capabilities": {}})
        self.context = self.ask("browsingContext.getTree", {})["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", {"context": self.context, "viewport": {"width": 420, "height": 760}})

    def ask(self, method, words):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": words}))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise Failed(f"{method}: {answer['error']}: {answer['message']}")
                return answer["result"]

    def open(self, address):
        self.ask("browsingContext.navigate", {"context": self.context, "url": address, "wait": "complete"})

    def evaluate(self, expression):
        found = self.ask("script.evaluate", {
            "expression": f"Promise.resolve({expression}).then(it => JSON.stringify(it ?? null))", "target": {"context": self.context},
            "awaitPromise": True})
        if found["type"] == "exception":
            raise Failed(f"{expression}: {found['exceptionDetails']['text']}")
        return json.loads(found["result"]["value"])

    def act(self, *sources):
        self.ask("input.performActions", {"context": self.context, "actions": list(sources)})

    def close(self):
        with contextlib.suppress(OSError, Failed):
            self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class WebKit:
    """WebKitGTK in its own small browser, by its driver, on a display in memory."""

    name = "WebKitGTK"

    def __init__(self):
        display = f":{90 + os.getpid() % 900}"
        self.display = subprocess.Popen(["Xvfb", display, "-screen", "0", "1000x900x24", "-nolisten", "tcp"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            ["WebKitWebDriver", "--host=127.0.0.1", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"})
        self.address = f"http://127.0.0.1:{port}"
        until(self.listens, "the driver of WebKitGTK does not answer")
        self.session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": {
            "binary": "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser", "args": ["--automation"]}}}})["sessionId"]

    def listens(self):
        try:
            return self.ask("GET", "/status")
        except (OSError, urllib.error.URLError):
            return None

    def ask(self, method, path, words=None):
        body = None if words is None else json.dumps(words).encode()
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as refusal:
            raise Failed(f"{method} {path}: {refusal.read().decode()[:400]}") from None

    def open(self, address):
        self.ask("POST", f"/session/{self.session}/url", {"url": address})

    def evaluate(self, expression):
        script = ("const done = arguments[0]; Promise.resolve(" + expression +
                  ").then(it => done(JSON.stringify(it ?? null)), fault => done(JSON.stringify({ fault: String(fault) })))")
        return json.loads(self.ask("POST", f"/session/{self.session}/execute/async", {"script": script, "args": []}))

    def act(self, *sources):
        self.ask("POST", f"/session/{self.session}/actions", {"actions": list(sources)})

    def close(self):
        with contextlib.suppress(Exception):
            self.ask("DELETE", f"/session/{self.session}")
        for process in (self.process, self.display):
            process.terminate()
            process.wait()


def tap(browser, x, y):
    browser.act({"type": "pointer", "id": "finger", "actions": [
        {"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]})


def keys(browser, text):
    browser.act({"type": "key", "id": "keys", "actions": [
        {"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]})


def tap_on(browser, selector):
    place = browser.evaluate(
        f"(it => it && [it.x + it.width / 2, it.y + it.height / 2])(document.querySelector('widget-view').shadowRoot.querySelector({json.dumps(selector)})?.getBoundingClientRect())")
    if not place:
        raise Failed(f"{browser.name}: nothing is {selector}")
    tap(browser, *place)


def shows(browser, text):
    shown = "document.querySelector('widget-view')?.shadowRoot?.querySelector('.page')?.innerText ?? ''"
    until(lambda: text in browser.evaluate(shown), lambda: f"{browser.name} does not show {text!r}: {browser.evaluate(shown)!r}, {browser.evaluate('heard')}")


def hears(browser, kind):
    until(lambda: any(name == kind for name, _ in browser.evaluate("window.heard ?? []")),
          lambda: f"{browser.name}: no event {kind}: {browser.evaluate('window.heard')}")
    return next(detail for name, detail in browser.evaluate("heard") if name == kind)


@contextlib.contextmanager
def site(files, policy=POLICY):
    it = Site(files | {"/heard.js": EVENTS.encode()}, policy=policy)
    try:
        yield it
    finally:
        it.shutdown()
        it.server_close()


HEARD = '<script src="/heard.js"></script>'
OFFLINE = '<script src="/widget-offline.js" defer></script>'


def opens_taps_types_keeps_and_works_offline(browser):
    with site({"/page.html": host_page(element(), head=HEARD + OFFLINE), "/a.zip": COUNTER}) as it:
        browser.open(it.address + "/page.html")
        shows(browser, "Count 0")
        tap_on(browser, "[data-id=add]")
        shows(browser, "Count 1")
        tap_on(browser, "input")
        keys(browser, "Ada")
        shows(browser, "Hello Ada")
        kept = "navigator.serviceWorker.ready.then(() => caches.open('widget-offline')).then(it => it.keys()).then(it => it.length)"
        until(lambda: browser.evaluate(kept) >= 5, lambda: f"{browser.name} keeps {browser.evaluate(kept)} files")
        it.shutdown()
        it.server_close()
        browser.open(it.address + "/page.html")
        # What was counted is there, and nothing has come from the server.
        shows(browser, "Count 1")


def a_frame_has_no_origin_and_says_what_the_widget_asks(browser):
    with site({"/page.html": host_page(element(attributes="sandbox"), head=HEARD), "/a.zip": ASKING}) as it:
        browser.open(it.address + "/page.html")
        hears(browser, "ready")
        place = browser.evaluate("(it => [it.x + it.width / 2, it.y + 100])(document.querySelector('widget-view').getBoundingClientRect())")
        end = time.monotonic() + 20
        while not browser.evaluate("heard.some(([kind]) => kind == 'open')") and time.monotonic() < end:
            tap(browser, *place)
            time.sleep(0.2)
        if hears(browser, "open") != "https://example.com/7":
            raise Failed(f"{browser.name} heard {browser.evaluate('heard')}")
        if browser.evaluate("(() => { try { return document.querySelector('widget-view').shadowRoot.querySelector('iframe').contentDocument } catch { return 1 } })()"):
            raise Failed(f"{browser.name}: the page reaches into the frame")


def hostile_widgets_leave_the_page_usable(browser):
    """The page's own clicks are answered while they run, and the widget beside them counts."""
    for name, text in HOSTILE.items():
        for attributes in ("", "sandbox"):
            body = '<button id="mine">Mine</button>'
            files = {"/page.html": host_page(element("/good.zip"), element(attributes=attributes), head=HEARD, body=body),
                     "/a.zip": archive("Hostile", text), "/good.zip": COUNTER}
            with site(files) as it:
                browser.open(it.address + "/page.html")
                browser.evaluate("void (window.secret = 'kept', mine.onclick = () => { mine.dataset.clicks = +(mine.dataset.clicks ?? 0) + 1 })")
                ends = "heard.filter(([kind]) => kind == 'ready' || kind == 'fault').length"
                until(lambda: browser.evaluate(ends) >= 2, lambda: f"{browser.name}, {name}, {attributes}: {browser.evaluate('heard')}")
                for _ in range(3):
                    tap(browser, *browser.evaluate("(it => [it.x + it.width / 2, it.y + it.height / 2])(mine.getBoundingClientRect())"))
                tap_on(browser, "[data-id=add]")
                shows(browser, "Count 1")
                found = browser.evaluate("[mine.dataset.clicks, secret, document.scripts.length]")
                if found != ["3", "kept", 2]:
                    raise Failed(f"{browser.name}, {name}, {attributes}: the page is not as it was: {found}")


def axe_finds_nothing(browser):
    source = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    out = folder() / "HarbourLog.zip"
    widget("build", ROOT / "Bundles/HarbourLog", "-o", out, "-q")
    files = {"/page.html": host_page(f"<main><h1>Mine</h1>{element()}</main>", head=HEARD), "/a.zip": out.read_bytes()}
    with site(files, POLICY.replace("script-src", "script-src 'unsafe-eval'")) as it:
        browser.open(it.address + "/page.html")
        hears(browser, "ready")
        browser.evaluate(f"(() => {{ {source}\n }})()")
        found = browser.evaluate("axe.run().then(it => it.violations.map(({ id, nodes }) => [id, nodes[0].target]))")
        if found != []:
            raise Failed(f"{browser.name}: {found}")


@case(53, run="element")
def two_more_engines_run_the_element(_):
    """Firefox and WebKitGTK, with real pointers and keys."""
    for make in (Firefox, WebKit):
        for act in (opens_taps_types_keeps_and_works_offline, a_frame_has_no_origin_and_says_what_the_widget_asks,
                    hostile_widgets_leave_the_page_usable, axe_finds_nothing):
            with contextlib.closing(make()) as browser:
                act(browser)

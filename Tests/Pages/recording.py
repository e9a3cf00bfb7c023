"""Servers, a reader of pages that sends what a browser would send, and the transcript of both."""

import contextlib
import gzip
import hashlib
import html.parser
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOMENT = "2018-06-20T20:00:00Z"
# Seconds without work after which a server has done all that was asked of it: longer than the pauses between two writes to a
# stream (1/20 s). A stub of a sample answers after up to 0.4 s.
QUIET, QUIET_WITH_STUBS = 0.3, 0.8
# Seconds of a processor that a server uses within that time without having work, for its own clocks.
IDLE = 0.004
# Seconds to wait for what has to come: only a fault waits for so long.
PATIENCE = 120
VOID = {"input", "link", "meta", "img", "br", "hr"}


class Failed(Exception):
    """A visit that could not be played; the text says why."""


# Servers

class Work:
    """The processor time of a process and of those that it has started, and whether one of their threads wants to run."""

    def __init__(self, process):
        self.process = process

    def processes(self):
        found, left = [], [self.process]
        while left:
            number = left.pop()
            found.append(number)
            for children in pathlib.Path(f"/proc/{number}/task").glob("*/children"):
                with contextlib.suppress(OSError):
                    left += [int(word) for word in children.read_text().split()]
        return found

    def measure(self):
        total, is_busy = 0, False
        for number in self.processes():
            for task in pathlib.Path(f"/proc/{number}/task").glob("*"):
                with contextlib.suppress(OSError, ValueError):
                    total += int((task / "schedstat").read_text().split()[0])
                    is_busy = is_busy or (task / "stat").read_text().rpartition(")")[2].split()[0] in "RD"
        return total / 1e9, is_busy

    def settle(self, quiet):
        """Waits until there has been no work for a while, on a machine with much to do as well."""
        end = time.monotonic() + PATIENCE
        since, (start, _) = time.monotonic(), self.measure()
        while time.monotonic() - since < quiet:
            time.sleep(0.02)
            now, is_busy = self.measure()
            if is_busy or not 0 <= now - start < IDLE:
                since, start = time.monotonic(), now
            if time.monotonic() > end:
                raise Failed(f"the server works on after {PATIENCE} s")


class Server:
    """The program on a free port, which it names in a line of its output."""

    def __init__(self, words, log):
        environment = {name: text for name, text in os.environ.items()
                       if not name.startswith(("WIDGET_", "WIDGETD_")) and name != "TZ"}
        end, said = os.pipe()
        with open(log, "wb") as errors:
            self.process = subprocess.Popen(
                [str(word) for word in words], stdin=subprocess.DEVNULL, stdout=said, stderr=errors, env=environment)
        os.close(said)
        self.output = os.fdopen(end)
        for line in self.output:
            if found := re.search(r"127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                break
        else:
            self.close()
            raise Failed(f"{words[0]} does not start: {pathlib.Path(log).read_text()[-1000:]}")
        self.work = Work(self.process.pid)
        self.host = f"127.0.0.1:{self.port}"

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.output.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# Pages

class Form:
    """A form of a page: `letter` is that of its part, `controls` are `[name, value, attributes, owner]`."""

    def __init__(self, attributes, letter):
        self.attributes, self.letter = attributes, letter
        self.action = attributes.get("action")
        self.controls, self.buttons = [], []

    @property
    def is_widget(self):
        return "f" in (self.attributes.get("class") or "").split()


class Reading(html.parser.HTMLParser):
    """Everything of a page that a browser needs to send forms and acts."""

    def __init__(self, text):
        super().__init__()
        self.root, self.letters, self.lives, self.files, self.forms = {}, [], {}, [], []
        self.open, self.form, self.text_of = [], None, None
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        owner = attributes.get("data-id") or next((own for _, own in reversed(self.open) if own), None)
        if tag not in VOID:
            self.open.append((tag, attributes.get("data-id")))
        if tag == "html":
            self.root = attributes
        if "data-slot" in attributes:
            self.lives[attributes["data-slot"]] = attributes.get("data-live")
        if re.fullmatch(r"[a-z]-s", attributes.get("id") or ""):
            self.letters.append(attributes["id"][0])
        if tag in ("link", "script", "img"):
            self.files.append(attributes.get("href") or attributes.get("src"))
        if tag == "form":
            self.form = Form(attributes, self.letters[-1] if self.letters else None)
            self.forms.append(self.form)
        if not self.form:
            return
        if tag == "button":
            self.form.buttons.append([attributes.get("value", ""), "", attributes, owner])
            self.text_of = self.form.buttons[-1]
        elif tag in ("input", "textarea", "select") and attributes.get("name"):
            self.form.controls.append([attributes["name"], attributes.get("value", ""), attributes | {"tag": tag}, owner])
            if tag == "textarea":
                self.text_of = self.form.controls[-1]
        elif tag == "option" and "selected" in attributes:
            self.form.controls[-1][1] = attributes.get("value", "")

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass
        if tag == "form":
            self.form = None
        if tag in ("button", "textarea"):
            self.text_of = None

    def handle_data(self, text):
        if self.text_of:
            self.text_of[1] += text

    def widget(self, letter):
        """The form of a part."""
        for form in self.forms:
            if form.is_widget and form.letter == letter:
                return form
        raise Failed(f"the page has no form of {letter}")


def successful(form, changes):
    """The fields that a browser sends: the values of the page, but for the changes by the names that authors gave."""
    fields, left = [], dict(changes)
    for name, value, attributes, owner in form.controls:
        kind = attributes.get("type", "text")
        if kind == "file":
            continue
        if owner in changes:
            wanted = changes[owner]
            left.pop(owner, None)
            if kind == "radio" and value != wanted or kind == "checkbox" and not wanted:
                continue
            fields.append((name, (value or "on") if kind in ("checkbox", "radio") else wanted))
        elif kind not in ("checkbox", "radio") or "checked" in attributes:
            fields.append((name, value or ("on" if kind == "checkbox" else "")))
    if left:
        raise Failed(f"the page has no fields {list(left)}")
    return fields


class Stream:
    """The events of a page, read when the server has settled."""

    def __init__(self, server, path, fields):
        self.socket = socket.create_connection(("127.0.0.1", server.port))
        head = f"GET {path} HTTP/1.1\r\nHost: {server.host}\r\nAccept: text/event-stream\r\n"
        self.socket.sendall((head + "".join(f"{name}: {text}\r\n" for name, text in fields.items()) + "\r\n").encode())
        self.raw, self.text, self.is_over = b"", b"", False
        self.socket.settimeout(PATIENCE)
        while b"\r\n\r\n" not in self.raw:
            self.raw += self.socket.recv(1 << 16) or b"\r\n\r\n"
        head, _, self.raw = self.raw.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = [tuple(line.split(": ", 1)) for line in lines[1:]]
        self.socket.setblocking(False)

    def pull(self):
        """Takes what has arrived; true if that is something."""
        is_new = False
        with contextlib.suppress(BlockingIOError, ConnectionResetError):
            while piece := self.socket.recv(1 << 16):
                self.raw += piece
                is_new = True
            self.is_over = True
        return is_new

    def events(self):
        """The events that are complete, but for beats, which follow the clock."""
        while b"\r\n" in self.raw:
            size, _, rest = self.raw.partition(b"\r\n")
            count = int(size, 16)
            if len(rest) < count + 2 or not count:
                break
            self.text += rest[:count]
            self.raw = rest[count + 2:]
        found = []
        while b"\n\n" in self.text:
            block, _, self.text = self.text.partition(b"\n\n")
            block = block.decode()
            if re.fullmatch(r": *", block):
                found.append(f"(a comment of {len(block)} bytes)")
            elif not block.startswith("event: b\n"):
                found.append(block)
        return found

    def close(self):
        self.socket.close()


class Visit:
    """One visit: its server, and the steps that were recorded."""

    def __init__(self, name, folder, widget):
        self.name, self.folder, self.widget = name, pathlib.Path(folder), widget
        self.steps, self.pages, self.known, self.server = [], [], set(), None
        # True while stubs may answer to what is done.
        self.has_stubs = False
        # False where the number of arrangements of a page depends on the moment: they are numbered as they appear.
        self.has_fixed_arrangements = True

    # Starting

    @contextlib.contextmanager
    def serve(self, *words):
        with Server([self.widget, *words], self.folder / "log") as self.server:
            self.settle()
            yield self

    def run(self, subject, *words):
        return self.serve("run", subject, "--http=127.0.0.1:0", "--plain", "--clock", MOMENT, "--locale", "en_GB",
                          "--time-zone", "UTC", *words)

    def host(self, page, *words):
        path = self.folder / "page.json"
        path.write_text(json.dumps(page))
        return self.serve("host", path, "--listen=127.0.0.1:0", "--clock", MOMENT, "--locale", "en_GB",
                          "--time-zone", "UTC", *words)

    def settle(self, is_act=False):
        self.server.work.settle(QUIET_WITH_STUBS if is_act and self.has_stubs else QUIET)

    # Recording

    def plain(self, text):
        """A text without all that another run has otherwise."""
        for place, page in enumerate(self.pages):
            text = text.replace(page, f"PAGE-{place + 1}")
        text = text.replace(self.server.host, "HOST").replace(str(self.folder), "FOLDER")
        # The line about updates has the time of the machine.
        return re.sub(r"\b\d\d:\d\d:\d\d: ", "TIME: ", text)

    def body(self, kind, data, request):
        if re.match(r"text/javascript|image/|application/octet-stream", kind):
            return f"({len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()})"
        text = data.decode()
        return self.plain(text.replace(request, "REQUEST") if request else text)

    def note(self, title, method, path, posted, fields, status, headers, data=None):
        """Adds a step. The length of a body is compared here, since names of other lengths may be in it later."""
        request = dict(headers).get("Request-Id", "")
        kept = []
        for name, text in headers:
            if name == "Content-Length" and data is not None:
                is_exact = method == "HEAD" or int(text) == len(data)
                text = "exact" if is_exact else f"{text}, and the body has {len(data)}"
            if name == "Retry-After" and status == 429:
                text = "seconds"
            if name not in ("Date", "Age"):
                kept.append(f"{name}: {'REQUEST' if name == 'Request-Id' else self.plain(text)}")
        step = {"step": title, "request": f"{method} {self.plain(path)}", "fields": [self.plain(one) for one in fields],
                "status": status, "headers": kept}
        if posted is not None:
            step["posted"] = self.plain(posted)
        if ("Content-Encoding", "gzip") in headers:
            data = gzip.decompress(data)
        if data is not None:
            step["body"] = self.body(dict(headers).get("Content-Type", ""), data, request)
        self.steps.append(step)
        return step

    def ask(self, title, method, path, posted=None, kind="application/x-www-form-urlencoded", origin=True, **fields):
        """One request, as a browser sends it; returns status, headers and text."""
        fields = {name.replace("_", "-"): text for name, text in fields.items()}
        if method == "POST":
            fields |= {"Content-Type": kind} | ({"Origin": f"http://{self.server.host}"} if origin else {})
        data = posted.encode("utf-8", "surrogateescape") if isinstance(posted, str) else posted
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, data, fields)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        headers = answer.headers.items()
        if found := re.search(r"/live/([0-9a-f]{32})", dict(headers).get("Location", "")):
            if found[1] not in self.pages:
                self.pages.append(found[1])
        shown = None if data is None else data.decode("utf-8", "backslashreplace")
        self.note(title, method, path, shown, [f"{name}: {text}" for name, text in fields.items()],
                  answer.status, headers, body)
        kind = dict(headers).get("Content-Type", "")
        is_text = kind.startswith(("text/", "application/")) and "Content-Encoding" not in answer.headers
        return answer.status, dict(headers), body.decode() if is_text else ""

    def files(self, reading):
        """Sheets, scripts and pictures of a page, each once."""
        for path in reading.files:
            if path and path not in self.known and not path.startswith("data:"):
                self.known.add(path)
                self.ask("a file of the page", "GET", path)

    def write(self, path):
        lines = [json.dumps(step, ensure_ascii=False, indent=1) for step in self.steps]
        text = "[\n" + ",\n".join(lines) + "\n]\n"
        if not self.has_fixed_arrangements:
            numbers = {}
            text = re.sub(r'(data-view=\\"|"id: |after=|"Last-Event-ID: )(\d+)(?=[a-z])',
                          lambda it: f"{it[1]}{numbers.setdefault(it[2], len(numbers) + 1)}", text)
        pathlib.Path(path).write_text(text)
        return len(self.steps)


class Page:
    """A page of a viewing, as its browser knows it. It finds all addresses in what the page says."""

    def __init__(self, visit, begin="/live", **fields):
        self.visit, self.stream, self.position = visit, None, None
        method = "GET" if begin == "/" else "POST"
        status, headers, _ = visit.ask("a page begins", method, begin, "" if method == "POST" else None, **fields)
        if status != 303:
            raise Failed(f"{begin} is answered with {status}")
        self.path = re.sub(r"^https?://[^/]*|#.*$", "", headers["Location"])
        self.serial = 1000
        visit.settle(True)
        self.load()

    def load(self, title="the page"):
        """Loads the page, with all its files."""
        status, _, text = self.visit.ask(title, "GET", self.path)
        if status != 200:
            return
        self.text, self.reading = text, Reading(text)
        self.live = self.reading.root["data-live"]
        self.begin = self.reading.root.get("data-begin")
        self.position = self.reading.root["data-view"]
        # One widget was a page for itself, and parts had addresses of their kind; now each part is a letter.
        lives = self.reading.lives
        self.is_of_letters = any(
            form.is_widget and form.action == f"{self.live}/{form.letter}" for form in self.reading.forms) or (
                bool(lives) and not any(lives.values()))
        self.visit.files(self.reading)

    def part(self, letter):
        """The address of a part."""
        if self.is_of_letters:
            return f"{self.live}/{letter}"
        return self.live if not self.reading.lives else self.reading.lives.get(letter) or f"{self.live}/part/{letter}"

    def slots(self):
        """The address of acts on slots."""
        return next(form.action for form in self.reading.forms if "data-host" in form.attributes)

    # Without script

    def button(self, name, letter="a"):
        """The value of a button of a part, by its author's name or its text; the first that has it."""
        for value, text, _, owner in self.reading.widget(letter).buttons:
            if name in (owner, text.strip()) and "enter" not in value:
                return value
        raise Failed(f"{letter} has no button {name}: {self.reading.widget(letter).buttons}")

    def post(self, title, press=None, letter="a", do=None, number=None, files=(), loads=True, origin=True, **changes):
        """Sends the form of a part, and loads the page again. `do` is another event than that of a button, `number` another
        view, and `files` has what is picked in fields for files."""
        form = self.reading.widget(letter)
        fields = successful(form, changes)
        if number is not None:
            fields = [(name, str(number) if name == "n" else value) for name, value in fields]
        do = do if do is not None else self.button(press, letter) if press else '["enter"]'
        fields.append(("do", do))
        picked = [name for name, _, attributes, _ in form.controls if attributes.get("type") == "file"]
        if picked:
            body, kind = multipart(fields, [(name, files[0] if files else None) for name in picked])
        else:
            body, kind = urllib.parse.urlencode(fields), "application/x-www-form-urlencoded"
        self.visit.ask(title, "POST", form.action or self.path, body, kind, origin)
        self.visit.settle(True)
        self.pull()
        if loads:
            self.load("the page after it")

    def slot(self, title, loads=True, **fields):
        """Sends a form that acts on slots."""
        self.visit.ask(title, "POST", self.slots(), urllib.parse.urlencode(fields))
        self.visit.settle()
        self.pull()
        if loads:
            self.load("the page after it")

    # With script

    def listen(self, title="the stream", after=None, last=None):
        """Opens the stream after a position, the present one unless given."""
        self.close()
        path = f"{self.live}/events?after={urllib.parse.quote(self.position if after is None else after, safe='')}"
        fields = {} if last is None else {"Last-Event-ID": last}
        self.stream = Stream(self.visit.server, path, fields)
        self.step = self.visit.note(title, "GET", path, None, [f"{name}: {text}" for name, text in fields.items()],
                                    self.stream.status, self.stream.headers)
        self.visit.settle()
        self.pull()
        return self

    def pull(self):
        """Adds the events that have come to the last step."""
        if not self.stream:
            return
        while self.stream.pull():
            self.visit.settle()
        events = self.stream.events()
        step = self.visit.steps[-1]
        step["events"] = [self.visit.plain(one) for one in together(events)]
        if self.stream.is_over:
            step["stream"] = "has ended"
        for one in events:
            if found := re.match(r"id: (\S+)\n", one):
                self.position = found[1]

    def close(self):
        if self.stream:
            self.stream.close()
            self.stream = None
            self.visit.settle()  # The server notices it.

    def act(self, title, *events, letter="a", serial=None, text=None):
        """Sends a batch."""
        if serial is None:
            self.serial += 1
            serial = self.serial
        body = text if text is not None else json.dumps([serial, [list(event) for event in events]], separators=(",", ":"))
        self.visit.ask(title, "POST", f"{self.part(letter)}/actions", body, "text/plain;charset=UTF-8")
        self.visit.settle(True)
        self.pull()

    def press(self, title, name, letter="a"):
        self.act(title, json.loads(self.button(name, letter)), letter=letter)

    def key(self, owner, letter="a"):
        """The name of a control, by its author's."""
        for name, _, _, own in self.reading.widget(letter).controls:
            if own == owner:
                return name
        raise Failed(f"{letter} has no control {owner}")

    def type(self, title, owner, value, letter="a"):
        self.act(title, ("input", self.key(owner, letter), value), letter=letter)


def together(events):
    """Events of one step of a page with several widgets, in one order: which widget is written first depends on the moment, and
    with it the positions between. The first events of all widgets are one, so are the second ones, and the last position stays."""
    texts = [event.partition("\ndata: ") for event in events]
    of_widgets = [(head, json.loads(data)) for head, _, data in texts if data.startswith("{")]
    if len({letter for _, changes in of_widgets for letter in changes}) < 2 or len(of_widgets) < 2:
        return events
    rounds, counts = [], {}
    for _, changes in of_widgets:
        for letter, operations in changes.items():
            place = counts.get(letter, 0)
            counts[letter] = place + 1
            if place == len(rounds):
                rounds.append({})
            rounds[place][letter] = operations
    rounds = [json.dumps(dict(sorted(one.items())), ensure_ascii=False, separators=(",", ":")) for one in rounds]
    others = [event for event in events if "\ndata: {" not in event]
    return [*others[:1], *[f"data: {one}" for one in rounds[:-1]], f"{of_widgets[-1][0]}\ndata: {rounds[-1]}", *others[1:]]


def multipart(fields, files):
    """A form with files, under a boundary that is always the same."""
    mark, parts = "----transcript", []
    for name, value in fields:
        parts.append(f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    for name, file in files:
        title, kind, data = file or ("", "application/octet-stream", b"")
        head = f'--{mark}\r\nContent-Disposition: form-data; name="{name}"; filename="{title}"\r\n'
        parts.append(f"{head}Content-Type: {kind}\r\n\r\n".encode() + data + b"\r\n")
    return b"".join(parts) + f"--{mark}--\r\n".encode(), f"multipart/form-data; boundary={mark}"

"""Viewings of a live page, as a program sees them: pages, batches of events, and the stream of changes."""

import html
import json
import os
import re
import selectors
import socket
import subprocess
import time

import processes
from processes import Unmeasured

# A server takes a bounded number of viewings of one address; the addresses of the loopback network count one by one.
VIEWINGS_PER_ADDRESS = 20


def source(number):
    """The address that the viewing with this number comes from. A browser beside it has 127.0.0.1 for itself."""
    place = number // VIEWINGS_PER_ADDRESS + 2
    return f"127.0.{place // 250}.{place % 250 + 2}"


class Server:
    """`widget run --http` with one widget."""

    def __init__(self, program, widget, *options, log=None):
        self.widget = widget
        begin = time.perf_counter()
        self.process = processes.start(
            [program, "run", widget, "--http=127.0.0.1:0", "--plain", *options], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seen = []
        for line in self.process.stdout:
            seen.append(line)
            address = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if address:
                break
        else:
            raise Unmeasured(f"widget run --http does not start: {''.join(seen)}")
        self.port = int(address[1])
        self.listening = time.perf_counter() - begin
        os.set_blocking(self.process.stdout.fileno(), False)

    @property
    def pid(self):
        return self.process.pid

    def processor(self):
        """Seconds that all threads have run; much finer than the ticks of utime and stime, which are the same thing."""
        total = 0
        for task in os.listdir(f"/proc/{self.pid}/task"):
            with open(f"/proc/{self.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def memory(self):
        """Private and resident bytes."""
        fields = {}
        with open(f"/proc/{self.pid}/status") as file:
            for line in file:
                name, _, value = line.partition(":")
                fields[name] = value
        return tuple(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "VmRSS"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        processes.end(self.process)
        self.process.stdout.close()


class Answer:
    def __init__(self, status, fields, content, byte_count):
        self.status, self.fields, self.content, self.byte_count = status, fields, content, byte_count

    @property
    def text(self):
        return self.content.decode()


class Connection:
    """One connection that is kept, from an address of one's choice."""

    def __init__(self, port, address="127.0.0.2"):
        self.port = port
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The port is chosen when the connection is made: thousands of addresses need not each have one reserved.
        self.socket.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
        self.socket.bind((address, 0))
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        self._waiting = b""

    def send(self, method, path, content=None, kind="application/json", fields=""):
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{fields}"
        if content is None:
            self.socket.sendall(f"{head}\r\n".encode())
        else:
            head += f"Origin: http://127.0.0.1:{self.port}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n"
            self.socket.sendall(head.encode() + content)

    def ask(self, method, path, content=None, kind="application/json", fields=""):
        self.send(method, path, content, kind, fields)
        return self.answer()

    def answer(self):
        head = self._until(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        count = len(head)
        if fields.get("transfer-encoding") == "chunked":
            content = b""
            while size := int(self._until(b"\r\n"), 16):
                content += self._exactly(size)
                self._exactly(2)
            self._until(b"\r\n")
        else:
            content = self._exactly(int(fields.get("content-length", "0")))
        return Answer(int(lines[0].split()[1]), fields, content, count + len(content))

    def _more(self):
        received = self.socket.recv(1 << 16)
        if not received:
            raise Unmeasured("the server has closed a connection")
        self._waiting += received

    def _until(self, mark):
        while mark not in self._waiting:
            self._more()
        first, _, self._waiting = self._waiting.partition(mark)
        return first + mark if mark == b"\r\n\r\n" else first

    def _exactly(self, count):
        while len(self._waiting) < count:
            self._more()
        first, self._waiting = self._waiting[:count], self._waiting[count:]
        return first

    def close(self):
        self.socket.close()


class Event:
    """One change, with the bytes that the stream took for it."""

    def __init__(self, position, operations, byte_count):
        self.position, self.operations, self.byte_count = position, operations, byte_count


class Stream:
    """Reads the events of one page. The frames of the transfer are counted, and taken away."""

    def __init__(self, port, path, after, address):
        self.connection = Connection(port, address)
        self.connection.send("GET", f"{path}/events?after={after}", fields="Accept: text/event-stream\r\n")
        head = self.connection._until(b"\r\n\r\n").decode("latin-1")
        if " 200 " not in head.partition("\r\n")[0]:
            raise Unmeasured(f"no stream: {head.partition(chr(13))[0]}")
        self.is_chunked = "transfer-encoding: chunked" in head.lower()
        self._raw, self.connection._waiting = self.connection._waiting, b""
        self._text = b""
        self.socket = self.connection.socket

    def events(self, received):
        """The events that are complete with these bytes."""
        self._raw += received
        if self.is_chunked:
            while b"\r\n" in self._raw:
                size, _, rest = self._raw.partition(b"\r\n")
                count = int(size, 16)
                if len(rest) < count + 2:
                    break
                self._text += rest[:count]
                self._raw = rest[count + 2:]
        else:
            self._text, self._raw = self._text + self._raw, b""
        found = []
        while b"\n\n" in self._text:
            block, _, self._text = self._text.partition(b"\n\n")
            values = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line and line[:1] != b":")
            if b"id" in values and b"data" in values:
                found.append(Event(values[b"id"].decode(), json.loads(values[b"data"])["a"], len(block) + 2))
        return found

    def next(self, timeout=10):
        """Waits for an event."""
        self.socket.settimeout(timeout)
        while not (found := self.events(b"")):
            try:
                received = self.socket.recv(1 << 16)
            except TimeoutError as error:
                raise Unmeasured(f"no event within {timeout} s") from error
            if not received:
                raise Unmeasured("the server has ended a stream")
            found = self.events(received)
            if found:
                break
        return found[-1]

    def close(self):
        self.connection.close()


class Viewing:
    """A page of one widget that was opened."""

    def __init__(self, port, number=0, has_stream=True, connection=None):
        self.port, self.address = port, source(number)
        self.connection = connection or Connection(port, self.address)
        made = self.connection.ask("POST", "/live", b"", "application/x-www-form-urlencoded")
        if made.status != 303:
            raise Unmeasured(f"no viewing was made: {made.status} {made.text[:200]}")
        self.path = re.sub(r"^https?://[^/]+", "", made.fields["location"])
        # The address of its widget.
        self.part = f"{self.path}/a"
        self.page = self.position = None
        # As a script counts: from the moment of loading on, in milliseconds.
        self.serial = int(time.time() * 1000)
        self.stream = None
        if has_stream:
            self.load()
            self.listen()

    def load(self):
        self.page = self.connection.ask("GET", self.path).text
        self.position = re.search(r'data-view="(\d+a\d+)"', self.page)[1]

    def listen(self):
        self.stream = Stream(self.port, self.path, self.position, self.address)

    def button(self, title):
        """The event that a button of the page means."""
        for value, text in re.findall(r'<button[^>]*\bvalue="([^"]*)"[^>]*>(.*?)</button>', self.page, re.DOTALL):
            if re.sub(r"<[^>]*>", "", text).strip() == title:
                return json.loads(html.unescape(value))
        raise Unmeasured(f"the page has no button {title}")

    def batch(self, events):
        self.serial += 1
        return json.dumps([self.serial, events], separators=(",", ":")).encode()

    def act(self, *events):
        answer = self.connection.ask("POST", f"{self.part}/actions", self.batch(events))
        if answer.status != 204:
            raise Unmeasured(f"events were not taken: {answer.status} {answer.text[:200]}")

    def end(self):
        """Leaves the page, as a browser says it does."""
        if self.stream:
            self.stream.close()
        return self.connection.ask("POST", f"{self.path}/end", b"", "text/plain").status

    def close(self):
        if self.stream:
            self.stream.close()
        self.connection.close()


def drain(streams, seconds):
    """Reads what several streams bring for a while; returns the number of events."""
    chooser, count = selectors.DefaultSelector(), 0
    for stream in streams:
        chooser.register(stream.socket, selectors.EVENT_READ, stream)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for key, _ in chooser.select(left):
            received = key.data.socket.recv(1 << 16)
            if not received:
                chooser.unregister(key.data.socket)
            count += len(key.data.events(received))
    return count

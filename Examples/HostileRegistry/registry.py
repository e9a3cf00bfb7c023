#!/usr/bin/env python3
"""A registry that misbehaves on demand: it plays the cases under Tests/Contract/vectors to a host.

    registry.py [--vectors FOLDER] [--port N]     serves any number of cases, each at a separate address
    registry.py --case hostile/NAME [--port N]    serves one case, and says what the host is expected to do

The first form prints its address, and answers
    POST /play/{kind}/{case}/{run}   {"registry": "http://127.0.0.1:N"}, a new registry at the first step of the case.
Each registry answers hosts, and besides
    POST /-/step/{n}                 continues with a step of the case
    GET  /-/log                      the requests of hosts so far, with the bytes of archives that were sent
    GET  /-/files                    for each release, the contents that it may have: lists of paths with digests
    GET  /-/asked                    the requests of a host that watches in this step, when it waits at the newest change; with
                                     names as the query, also when it has made one of these requests
    POST /-/end                      ends this registry
README.md of the vectors describes the cases.
"""

import argparse
import base64
import copy
import email.utils
import hashlib
import io
import json
import pathlib
import re
import socket
import sys
import threading
import urllib.parse
import warnings
import zipfile
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Contract" / "vectors"


# Cases

def steps_of(case, run):
    """The steps of a run. A hostile answer is played to a host without a release, and to one with the release before."""
    if "steps" in case:
        return case["steps"]
    first = {"do": "update", "serve": {"bundle": "one", "sequence": 5}, "expect": {"end": "new", "release": "1.1~1"}}
    lie = {"do": "update", "serve": {"bundle": "two", "sequence": 6} | case["lie"], "expect": case[run]}
    # An honest answer mends everything.
    honest = {"do": "update", "serve": {"bundle": "three", "sequence": 7}, "expect": {"end": "new", "release": "1.3~1"}}
    kept = start_of(case[run].get("release"))
    return [lie, kept, honest, start_of("1.3~1")] if run == "empty" else [first, lie, kept, honest, start_of("1.3~1")]


def start_of(release):
    """A start that gives the release, whose files are then compared; or nothing."""
    releases = release if isinstance(release, list) else [release]
    ends = sorted({"started" if one else "nothing" for one in releases})
    return {"do": "start", "then": "confirm", "expect": {"end": ends, "release": release}}


def runs_of(case):
    return ["steps"] if "steps" in case else [run for run in ("empty", "installed") if run in case]


def content_of(entry):
    """The bytes of a file: a text, base64, or so many hexadecimal digits of noise."""
    if "base64" in entry:
        return base64.b64decode(entry["base64"])
    if "noise" in entry:
        digits = "".join(hashlib.sha256(b"%d %d" % (entry.get("seed", 0), n)).hexdigest()
                         for n in range(entry["noise"] // 64))
        return json.dumps([digits]).encode()
    return entry["text"].encode()


class Bundle:
    """A release: its archive, and what a resolve document says of it."""

    def __init__(self, description):
        self.description = description
        folder = description["folder"]
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Archives of a registry have an entry for the folder too, which is not a file of the bundle.
            self.add(archive, f"{folder}.bundle/", {"text": "", "method": "stored", "mode": 0o40755})
            for entry in sorted(description["files"], key=lambda entry: entry["path"].encode()):
                self.add(archive, entry.get("entry", f"{folder}.bundle/{entry['path']}"), entry)
        self.archive = target.getvalue()
        self.files = sorted((self.listed(info, folder) for info in zipfile.ZipFile(target).infolist()[1:]),
                            key=lambda file: file["path"].encode())

    @staticmethod
    def add(archive, name, entry):
        info = zipfile.ZipInfo("x", (2026, 1, 1, 0, 0, 0))
        # ZipInfo shortens names with NUL; hostile ones are set afterwards.
        info.filename = name
        info.create_system = 3
        info.external_attr = entry.get("mode", 0o100644) << 16
        stored = entry.get("method") == "stored"
        archive.writestr(info, content_of(entry), zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED)

    def listed(self, info, folder):
        head = self.archive[info.header_offset:info.header_offset + 30]
        offset = info.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        data = self.archive[offset:offset + info.compress_size]
        plain = data if info.compress_type == zipfile.ZIP_STORED else zlib.decompress(data, -15)
        return {"path": info.filename.removeprefix(folder + ".bundle/"), "size": len(plain),
                "sha256": hashlib.sha256(plain).hexdigest(), "offset": offset, "compressedSize": len(data),
                "method": "stored" if info.compress_type == zipfile.ZIP_STORED else "deflate"}

    def candidate(self, buckets=(0, 10000)):
        digest = hashlib.sha256(self.archive).hexdigest()
        return {"buckets": list(buckets), "release": self.description["release"], "sha256": digest,
                "content": content_digest(self.files), "size": len(self.archive), "name": self.description["folder"],
                "url": f"/v1/blobs/sha256/{digest}", "published": "2026-11-21T10:00:00Z", "minimumOSVersion": None,
                "minimumHostVersion": None, "files": copy.deepcopy(self.files)}


def content_digest(files):
    lines = b"".join(b"%s\0%d\0%s\n" % (file["path"].encode(), file["size"], str(file["sha256"]).encode())
                     for file in sorted(files, key=lambda file: file["path"].encode()))
    return hashlib.sha256(lines).hexdigest()


def patched(document, patch):
    """RFC 6902 without `test`, `copy` and `move`."""
    for change in patch:
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in change["path"].split("/")[1:]]
        parent = document
        for part in way:
            parent = parent[int(part)] if isinstance(parent, list) else parent[part]
        if change["op"] == "remove":
            del parent[int(last) if isinstance(parent, list) else last]
        elif isinstance(parent, list) and change["op"] == "add":
            parent.insert(len(parent) if last == "-" else int(last), change["value"])
        else:
            parent[int(last) if isinstance(parent, list) else last] = change["value"]
    return document


class Vectors:
    """The files of a folder of vectors."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.bundles = {path.stem: Bundle(json.loads(path.read_text()))
                        for path in sorted((self.folder / "bundles").glob("*.json"))}

    def case(self, name):
        return json.loads((self.folder / f"{name}.json").read_text())

    def names(self):
        return [f"{kind}/{path.stem}" for kind in ("hostile", "stories", "names", "watches")
                for path in sorted((self.folder / kind).glob("*.json"))]


# The registry

class Server(ThreadingHTTPServer):
    """A server whose clients may leave at any time."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


class Registry:
    """The registry of one run: the answers of its present step, and what hosts have asked."""

    def __init__(self, vectors, case, run, port=0):
        self.bundles = vectors.bundles | {name: Bundle(made) for name, made in case.get("bundles", {}).items()}
        self.steps = steps_of(case, run)
        self.now, self.log = {}, []
        # The feed: its newest tag, what follows each tag, and how often all streams were ended.
        self.tag, self.changes, self.breaks, self.asked = 0, [], 0, []
        self.changed = threading.Condition()
        self.server = Server(("127.0.0.1", port), Handler)
        self.server.registry = self
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.step(0)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def step(self, number):
        with self.changed:
            serve = self.steps[number].get("serve")
            feed = (serve or {}).get("feed", {})
            self.now = self.now if serve is None else serve
            # A registry that was put back to an older copy has lower tags than before.
            self.changes = [] if "tag" in feed else self.changes
            self.tag = feed.get("tag", self.tag + 1)
            self.breaks += "tag" in feed or feed.get("breaks", False)
            change = {"tag": str(self.tag), "kind": "withdraw" if "gone" in self.now else "promote",
                      "bundleIdentifier": self.now.get("identifier", "com.example.Counter"), "channel": "stable",
                      "release": "1.2~1"}
            if "sequence" in self.now:
                change["sequence"] = self.now["sequence"]
            self.changes.append((self.tag, change, "".join(feed.get("events", []))))
            self.asked = []
            self.changed.notify_all()

    def ask(self, kind):
        """Notes a request: `latest`, `resolve`, `feed` at the newest change, `behind` it, or `refused`."""
        with self.changed:
            self.asked.append(kind)
            self.changed.notify_all()

    def at_rest(self, never):
        """The requests of this step, as soon as the host waits for the next change, or has made one of some requests."""
        with self.changed:
            self.changed.wait_for(
                lambda: self.asked and (self.asked[-1] == "feed" or not never.isdisjoint(self.asked)), timeout=60)
            return list(self.asked)

    def files(self):
        """The contents of the releases, for comparisons."""
        found = {}
        for bundle in self.bundles.values():
            digests = {file["path"]: file["sha256"] for file in bundle.files}
            found.setdefault(bundle.description["release"], []).append(digests)
        return found

    def end(self):
        with self.changed:
            self.tag = None
            self.changed.notify_all()
        threading.Thread(target=lambda: (self.server.shutdown(), self.server.server_close()), daemon=True).start()

    def shown(self):
        """The candidates as bundles with their buckets."""
        now = self.now
        return now.get("candidates", [{"bundle": now["bundle"]}] if "bundle" in now else [])

    def document(self, widget, channel):
        now = self.now
        candidates = [self.bundles[one["bundle"]].candidate(one.get("buckets", (0, 10000))) for one in self.shown()]
        document = {
            "widgetIdentifier": widget, "bundleIdentifier": now.get("identifier", "com.example.Counter"),
            "channel": channel, "sequence": now.get("sequence", 1), "upToDate": False,
            "mandatory": now.get("mandatory", False), "salt": now.get("salt", "k3v9"), "candidates": candidates}
        if "withdrawn" in now:
            document["withdrawn"] = self.withdrawals()
        document = patched(document, now.get("patch", []))
        if now.get("fits"):
            for candidate in document["candidates"]:
                candidate["content"] = content_digest(candidate["files"])
        text = json.dumps(document, separators=(",", ":")).encode()
        for old, new in now.get("replace", []):
            assert old.encode() in text, f"{old} is not in the document"
            text = text.replace(old.encode(), base64.b64decode(new["base64"]) if isinstance(new, dict) else new.encode())
        return now.get("before", "").encode() + text + now.get("after", "").encode()

    def withdrawals(self):
        return [{"release": self.bundles[one["bundle"]].description["release"],
                 "content": content_digest(self.bundles[one["bundle"]].files),
                 "directive": one["directive"], "reason": one.get("reason", "crashes")}
                for one in self.now["withdrawn"]]

    def archive(self, digest):
        """The bytes at an address: those of the archive with the digest, with the changes of the case."""
        now = self.now
        found = [bundle for bundle in self.bundles.values()
                 if hashlib.sha256(bundle.archive).hexdigest() == digest]
        shown = self.bundles[self.shown()[0]["bundle"]] if self.shown() else None
        bundle = found[0] if found else shown
        if bundle is None:
            return None
        data = bytearray(bundle.archive)
        for edit in now.get("archive", []):
            if "flip" in edit:
                data[edit["flip"]] ^= 1
            elif "append" in edit:
                data += base64.b64decode(edit["append"])
            elif "insert" in edit:
                data[0:0] = base64.b64decode(edit["insert"])
            elif "invert" in edit:
                data = bytearray(byte ^ 0x5A for byte in data)
            elif "bundle" in edit:
                other = self.bundles[edit["bundle"]].archive
                data = bytearray((other + bytes(len(data)))[:len(data)])
        return bytes(data)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    @property
    def registry(self):
        return self.server.registry

    def answer(self, status, body=b"", fields=(), kind="application/json"):
        self.send_response(status)
        sent = {name.lower() for name, _ in fields}
        for name, value in fields:
            self.send_header(name, value)
        if "content-type" not in sent:
            self.send_header("Content-Type", kind)
        if "content-length" not in sent and "transfer-encoding" not in sent and status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if step := re.fullmatch(r"/-/step/(\d+)", self.path):
            self.registry.step(int(step[1]))
            self.answer(204)
        elif self.path == "/-/end":
            self.answer(204)
            self.registry.end()
        else:
            self.answer(404)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/-/log":
            return self.answer(200, json.dumps(self.registry.log).encode())
        if path == "/-/files":
            return self.answer(200, json.dumps(self.registry.files()).encode())
        if path == "/-/asked":
            return self.answer(200, json.dumps(self.registry.at_rest(set(query.split("&")))).encode())
        if self.registry.now.get("down"):
            return self.scripted({"reset": True}, b"", [])
        entry = {"path": self.path, "range": self.headers.get("Range"), "bytes": 0}
        self.registry.log.append(entry)
        if path.startswith("/v1/widgets/"):
            channel = re.search(r"(?:^|&)channel=([^&]*)", query)
            self.registry.ask("resolve")
            return self.resolve(path.split("/")[3], channel[1] if channel else "stable")
        if path.startswith("/v1/blobs/sha256/"):
            return self.blob(path.rpartition("/")[2], entry)
        if path == "/v1/changes":
            return self.feed(urllib.parse.parse_qs(query))
        return self.answer(404, b'{"type":"/problems/not-found","title":"Not found","status":404}')

    def scripted(self, script, body, fields):
        """An answer with some of its parts changed; true if that was all."""
        if script.get("reset"):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.close_connection = True
            self.connection.close()
            return True
        if "raw" in script:
            self.wfile.write(script["raw"].encode("latin-1"))
            self.close_connection = True
            return True
        fields = [(name, value) for name, value in fields if name.lower() not in
                  {other.lower() for other in script.get("fields", {})}]
        fields += [(name, value) for name, value in script.get("fields", {}).items() if value is not None]
        if "status" in script:
            self.answer(script["status"], script.get("body", "").encode(), fields)
            return True
        if "cut" in script:
            self.answer(200, body[:script["cut"]], [*fields, ("Content-Length", str(len(body)))])
            self.close_connection = True
            return True
        if "fields" in script:
            self.answer(200, body, fields)
            return True
        return False

    def resolve(self, widget, channel):
        now = self.registry.now
        if now.get("gone"):
            problem = {"type": "/problems/withdrawn", "title": "Withdrawn", "status": 410, "detail": "withdrawn",
                       "bundleIdentifier": "com.example.Counter", "withdrawn": self.registry.withdrawals()}
            return self.answer(410, json.dumps(problem).encode(), kind="application/problem+json")
        body = self.registry.document(widget, channel)
        tag = f'"{hashlib.sha256(body).hexdigest()}"'
        if self.scripted(now.get("answer", {}), body, [("ETag", tag)]):
            return None
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, fields=[("ETag", tag)])
        return self.answer(200, body, [("ETag", tag), ("Date", email.utils.formatdate(usegmt=True))])

    def blob(self, digest, entry):
        script = self.registry.now.get("blob", {})
        data = self.registry.archive(digest)
        if data is None:
            return self.answer(404, b'{"type":"/problems/no-such-blob","title":"No such blob","status":404}')
        fields = [("ETag", f'"sha256-{digest}"'), ("Accept-Ranges", "bytes")]
        if "status" in script and self.scripted(script, data, fields):
            return None
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if wanted and self.headers.get("If-Range") in (None, fields[0][1]) and int(wanted[1]) < len(data):
            return self.part(data, int(wanted[1]), min(len(data), int(wanted[2] or len(data)) + 1), fields, entry)
        if self.scripted(script, data, fields):
            return None
        entry["bytes"] = len(data)
        return self.answer(200, data, fields, "application/zip")

    def part(self, data, first, end, fields, entry):
        """A part of an archive, or what the case has in its place: `part` is a list of changes of the answer."""
        way, total, shift = self.registry.now.get("part"), len(data), 0
        if way == "whole":
            return self.answer(200, data, fields)
        if isinstance(way, int):
            return self.answer(way, fields=[("Content-Range", f"bytes */{total}")])
        if way in ("shifted", "admitted"):
            shift = -1
        body = data[first + shift:end + shift]
        field = f"bytes {first + (shift if way == 'admitted' else 0)}-{end - 1 + (shift if way == 'admitted' else 0)}/{total}"
        if way == "short":
            body = body[:-1]
        if way == "long":
            body += b"\0"
        if way == "noise":
            body = bytes(byte ^ 0x5A for byte in body)
        if way == "other size":
            field = f"bytes {first}-{end - 1}/{total + 1}"
        if way == "other tag":
            fields = [("ETag", '"other"')]
        if way == "no tag":
            fields = []
        if way != "unnamed":
            fields = [*fields, ("Content-Range", field)]
        entry["bytes"] = len(body)
        return self.answer(206, body, fields, "application/zip")

    def feed(self, query):
        """The changes after a tag, as a page or as server-sent events."""
        registry, is_stream = self.registry, "text/event-stream" in (self.headers.get("Accept") or "")
        since = (is_stream and self.headers.get("Last-Event-ID")) or query.get("since", ["0"])[0]
        with registry.changed:
            newest, breaks = registry.tag or 0, registry.breaks
        if since == "latest":
            registry.ask("latest")
            is_known = registry.now.get("feed", {}).get("latest") != 400
            seen = newest
        else:
            is_known = re.fullmatch(r"\d{1,15}", since) is not None and int(since) <= newest
            seen = int(since) if is_known else 0
            registry.ask("refused" if not is_known else "feed" if is_stream and seen == newest else "behind")
        if not is_known:
            return self.answer(400, b'{"type":"/problems/invalid-parameter","title":"Invalid parameter","status":400}',
                               kind="application/problem+json")
        widgets = query.get("widget", [])

        def after(tag):
            """The changes that concern the widgets; more than 100 are as none."""
            return [entry for entry in registry.changes if entry[0] > tag and (
                not 0 < len(widgets) <= 100 or any(one.startswith(entry[1]["bundleIdentifier"]) for one in widgets))]

        if is_stream:
            return self.stream(after, seen, breaks, [f"id: {seen}\n\n"] if since == "latest" else [])
        with registry.changed:
            items = [change for _, change, _ in after(seen)]
        return self.answer(200, json.dumps({"items": items, "next": str(newest)}).encode())

    def stream(self, after, seen, breaks, lines):
        """Server-sent events, each when it happens."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection, registry = True, self.registry
        try:
            while True:
                for line in lines:
                    self.wfile.write(line.encode())
                self.wfile.flush()
                with registry.changed:
                    registry.changed.wait_for(
                        lambda: registry.tag is None or registry.breaks != breaks or registry.tag > seen, timeout=15)
                    if registry.tag is None or registry.breaks != breaks:
                        return
                    # Other events of the case come before the change.
                    lines = [f"{events}id: {tag}\ndata: {json.dumps(change)}\n\n" for tag, change, events in after(seen)]
                    seen = registry.tag
                lines = lines or [": waiting\n\n"]
        except OSError:
            pass


class Control(Handler):
    """The address that begins cases."""

    def do_GET(self):
        names = self.server.vectors.names()
        self.answer(200, json.dumps({name: runs_of(self.server.vectors.case(name)) for name in names}).encode())

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        play = re.fullmatch(r"/play/(\w+)/([\w-]+)/(\w+)", self.path)
        if not play or f"{play[1]}/{play[2]}" not in self.server.vectors.names():
            return self.answer(404)
        registry = Registry(self.server.vectors, self.server.vectors.case(f"{play[1]}/{play[2]}"), play[3])
        # Hosts are not given the answers in advance.
        steps = [{name: value for name, value in step.items() if name != "serve"} for step in registry.steps]
        return self.answer(201, json.dumps({"registry": registry.address, "steps": steps}).encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", default=VECTORS)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--attended", action="store_true", help="end with the standard input")
    parser.add_argument("--case", help="kind and name of the one case to serve")
    parser.add_argument("--run", help="the run of the case: empty, installed or steps")
    options = parser.parse_args()
    vectors = Vectors(options.vectors)
    if not options.case:
        server = Server(("127.0.0.1", options.port), Control)
        server.vectors = vectors
        print(f"http://127.0.0.1:{server.server_port}", flush=True)
        if not options.attended:
            return server.serve_forever()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return sys.stdin.read()
    case = vectors.case(options.case)
    registry = Registry(vectors, case, options.run or runs_of(case)[-1], options.port)
    print(registry.address, flush=True)
    print(case["about"], flush=True)
    # A line of the input continues with the next step.
    for number, step in enumerate(registry.steps):
        registry.step(number)
        print(f"step {number}: {step['do']}: expected {json.dumps(step['expect'])}", flush=True)
        if not sys.stdin.readline():
            break
    return None


if __name__ == "__main__":
    main()

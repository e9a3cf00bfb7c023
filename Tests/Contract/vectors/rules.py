#!/usr/bin/env python3
"""Compares the functions of the host in Python with the tables under `rules`. PYTHONPATH names the folder of host.py."""

import base64
import contextlib
import hashlib
import http.server
import json
import pathlib
import tempfile
import threading
import types

import host
import reporting

RULES = pathlib.Path(__file__).resolve().parent / "rules"


def check_address(registry, url, address):
    """The host asks for an archive there, or refuses it."""
    try:
        found = host.archive_address(registry, url)
    except host.Refused as refused:
        found = None
        assert refused.args[0] == "foreignAddress", refused.args
    assert found == address, (registry, url, found)


def table(name):
    return json.loads((RULES / f"{name}.json").read_text())


def choice(candidate, place):
    """The candidate that a host in this bucket takes, or nothing."""
    document = {"bundleIdentifier": "com.example.Counter", "salt": "k3v9", "sequence": 1, "candidates": [candidate]}
    options = types.SimpleNamespace(widget="com.example.Counter-1", channel="stable", pin=None)
    asking = types.SimpleNamespace(
        options=options, registry="http://registry", installation="0", withdraw=lambda document: None,
        state={"current": None, "releases": {}, "seen": {}, "withdrawn": {}})
    given = {"get": lambda *words: (types.SimpleNamespace(status=200), json.dumps(document).encode()),
             "check_document": lambda *words: None, "bucket": lambda *words: place}
    with replaced(given):
        return host.Host.resolve(asking)[1]


def check_range(row, archive):
    """The host asks for the range, if any, and takes the text from it."""
    file, asked = row["file"], []

    def get(address, fields, limit):
        asked.append(fields["Range"])
        first, last = (int(number) for number in fields["Range"].removeprefix("bytes=").split("-"))
        found = {"ETag": fields["If-Range"], "Content-Range": f"bytes {first}-{last}/{1 << 20}"}
        return types.SimpleNamespace(status=206, headers=found), archive[first:last + 1]

    fetching = types.SimpleNamespace(state={"releases": {}})
    with replaced({"get": get}):
        files = host.Host.delta(fetching, {"size": 1 << 20, "files": [file]}, "http://registry/a", '"sha256-a"')
    assert asked == ([row["range"]] if row["range"] else []), (row, asked)
    assert files == {file["path"]: row["text"].encode()}, (row, files)


@contextlib.contextmanager
def replaced(functions):
    """The host with other functions."""
    before = {name: getattr(host, name) for name in functions}
    vars(host).update(functions)
    try:
        yield
    finally:
        vars(host).update(before)


def check_outcomes(steps):
    """The outcomes that are noted, and those that are taken to be sent."""
    memory = {"noted": {}, "waiting": []}
    for step in steps:
        if "take" in step:
            found = reporting.take(memory)
            assert found == step["take"], (step, found)
        elif "count" in step:
            assert len(reporting.take(memory)) == step["count"], step
        else:
            report = {"release": step["release"], "channel": "stable", "outcome": step["note"]}
            report |= {"reason": step["reason"]} if "reason" in step else {}
            for day in range(step["day"], step.get("until", step["day"]) + 1):
                for number in range(step.get("contents", 1)):
                    reporting.note(memory, report, step["content"] + (str(number) if "contents" in step else ""), day)


class Counting(http.server.BaseHTTPRequestHandler):
    """A registry that counts, or fails. `received` has each report, with what waits in the host's state meanwhile."""

    def log_message(self, *words):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        waiting = json.loads((self.server.folder / "state.json").read_text())["outcomes"]["waiting"]
        self.server.received.append((self.path, self.headers["Content-Type"], body, waiting))
        if self.server.status:
            self.send_response(self.server.status)
            self.send_header("Content-Length", "0")
            self.end_headers()


def reporting_host(folder, address):
    reporter = object.__new__(reporting.ReportingHost)
    reporter.folder, reporter.registry = folder, address
    reporter.options = types.SimpleNamespace(widget="com.example.Counter-1", channel="stable")
    return reporter


def check_sending():
    """Outcomes leave the state before they are sent, and are sent once, also to a registry that fails or is away."""
    report = {"release": "1.0~1", "channel": "stable", "outcome": "installed"}
    with tempfile.TemporaryDirectory() as name, http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counting) as server:
        server.folder, server.received = pathlib.Path(name), []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        reporter = reporting_host(server.folder, f"http://127.0.0.1:{server.server_port}")

        def send(times):
            with reporter.locked() as state:
                state["outcomes"] = {"noted": {}, "waiting": [report]}
            for _ in range(times):
                reporter.report()
            with reporter.locked() as state:
                assert state["outcomes"]["waiting"] == [], state

        # A status of 0 is a connection that ends without an answer.
        for server.status in (202, 500, 0):
            server.received.clear()
            send(2)
            wanted = ("/v1/widgets/com.example.Counter-1/outcomes", "application/json", {"outcomes": [report]}, [])
            assert server.received == [wanted], server.received
        server.shutdown()
        server.server_close()
        send(1)


def check_calls():
    """Each call reports at its end, also one that fails; a host that watches does not wait for it."""
    for name in ("update", "start", "confirm", "reject"):
        for failure in (None, host.Refused("wrongDigest")):
            def call(self):
                if failure:
                    raise failure
                return name

            before = getattr(host.Host, name)
            setattr(host.Host, name, call)
            try:
                reporter, sent = reporting_host(None, ""), []
                reporter.report = lambda: sent.append(name)
                with contextlib.suppress(host.Refused):
                    assert getattr(reporter, name)() == name and not failure
                assert sent == [name], (name, failure, sent)
                reporter.is_watching, reporter.report_later = True, lambda: sent.append("later")
                with contextlib.suppress(host.Refused):
                    getattr(reporter, name)()
                assert sent == [name, "later"], (name, failure, sent)
            finally:
                setattr(host.Host, name, before)


def main():
    buckets = table("buckets")
    for row in buckets["rows"]:
        assert host.bucket(row["installation"], row["bundle"], row["salt"]) == row["bucket"], row
    fleet = buckets["fleet"]
    names = [hashlib.sha256(str(number).encode()).hexdigest()[:32] for number in range(fleet["count"])]
    places = [host.bucket(name, fleet["bundle"], fleet["salt"]) for name in names]
    lines = "".join(f"{place}\n" for place in places)
    assert hashlib.sha256(lines.encode()).hexdigest() == fleet["sha256"]
    assert sum(place < 3000 for place in places) == fleet["inRollout"]
    for row in buckets["ranges"]:
        offered = {"buckets": row["buckets"], "content": "a"}
        assert (choice(offered, row["bucket"]) == offered) == row["has"], row
    for row in table("digests")["rows"]:
        assert host.content_of({file["path"]: file["text"].encode() for file in row["files"]}) == row["content"], row
    for row in table("addresses")["rows"]:
        check_address(row["registry"], row["url"], row["address"])
    for row in table("ranges")["rows"]:
        check_range(row, base64.b64decode(table("ranges")["archive"]))
    for row in table("outcomes")["rows"]:
        check_outcomes(row["steps"])
    check_sending()
    check_calls()
    print("vectors: the host's functions agree with the rules")


if __name__ == "__main__":
    main()

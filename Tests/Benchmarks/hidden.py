#!/usr/bin/env python3
"""Compares how long a registry takes to refuse what a reader may not see and what is not there.

A reader of one prefix asks, by token and by session, for a bundle of another prefix and for one that never was, in turns. Status,
fields and body have to be the same but for the address, and their times must not differ (|t| of Welch at most 4).

    hidden.py [--widgetd PROGRAM] [--rounds N]
"""

import argparse
import http.client
import io
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zipfile

sys.dont_write_bytecode = True

import processes

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HIDDEN, ABSENT, SEEN = "com.hidden.Clock", "com.absent.Clock", "com.seen.Clock"
PATHS = [
    "/w/{}", "/w/{}/1.0~1", "/w/{}/1.0~1/try", "/w/{}/1.0~1/bundle.zip", "/w/{}/1.0~1/still/screen-1.html", "/w/{}/feed.atom",
    "/w/{}/compare/1.0~1/1.0~1", "/w/{}/1.0~1/files/Info.plist", "/embed/{}-1", "/v1/widgets/{}-1", "/v1/widgets/{}-1/bundle",
    "/v1/bundles/{}", "/v1/bundles/{}/releases/1.0~1",
]
MOST = 4.0


def archive(identifier):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("A.bundle/Info.plist", f"""<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>{identifier}</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>""")
        packed.writestr("A.bundle/Main.widgets.json", json.dumps({"schema": 1, "root": [{"kind": "label", "payload": {"text": "Hello"}}]}))
    return out.getvalue()


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, path, fields, method="GET", body=None):
        begin = time.perf_counter()
        self.connection.request(method, path, body=body, headers=fields)
        answer = self.connection.getresponse()
        content = answer.read()
        return time.perf_counter() - begin, answer.status, dict(answer.getheaders()), content


def plain(answer, name):
    """What may not differ: all but the address that was asked for, and what differs with each answer."""
    _, status, fields, content = answer
    kept = {key: value for key, value in fields.items() if key not in ("Date", "Request-Id", "Content-Length")}
    content = content.replace(fields.get("Request-Id", "-").encode(), b"REQUEST")
    return status, {key: value.replace(name, "ID") for key, value in kept.items()}, content.replace(name.encode(), b"ID")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widgetd", metavar="PROGRAM", default=os.path.join(REPOSITORY, ".build/release/widgetd"))
    parser.add_argument("--rounds", type=int, default=400)
    chosen = parser.parse_args()
    faults, most = [], 0.0
    with tempfile.TemporaryDirectory(prefix="hidden-") as folder:
        log = open(os.path.join(folder, "log"), "w+")
        server = processes.start(
            [chosen.widgetd, "serve", "--listen", "127.0.0.1:0", "--data", f"{folder}/data"], stdout=log, stderr=log,
            env={**os.environ, "WIDGETD_LOG_FORMAT": "json", "WIDGETD_ACCESS_READ": "token", "WIDGETD_RATE_LIMIT": "false"})
        port = None
        while port is None:
            time.sleep(0.1)
            log.seek(0)
            text = log.read()
            lines = [json.loads(line) for line in text.splitlines() if '"server.listening"' in line]
            if lines:
                port = int(lines[0]["public"].rsplit(":", 1)[1])
            elif server.poll() is not None:
                raise SystemExit(f"widgetd did not start: {text[-500:]}")
        client = Client(port)
        owner = {"Authorization": f"Bearer {open(f'{folder}/data/admin-token').read().strip()}"}
        for name in (HIDDEN, SEEN):
            _, status, _, content = client.ask("/v1/bundles", {**owner, "Content-Type": "application/zip"}, "POST", archive(name))
            assert status in (200, 201), content
        made = subprocess.run(
            [chosen.widgetd, "token", "create", "reader", "--scope", "read", "--prefix", "com.seen", "--data", f"{folder}/data"],
            check=True, capture_output=True, text=True).stdout
        token = next(word for word in made.split() if word.startswith("wdg_"))
        origin = f"http://127.0.0.1:{port}"
        _, status, fields, content = client.ask(
            "/sign-in", {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin}, "POST",
            urllib.parse.urlencode({"token": token, "next": "/"}))
        assert status == 303, (status, content[:300])
        session = {"Cookie": fields["Set-Cookie"].split(";")[0], "Sec-Fetch-Site": "same-origin"}
        bearer = {"Authorization": f"Bearer {token}"}
        for way, headers in (("token", bearer), ("session", session)):
            assert client.ask(f"/w/{SEEN}" if way == "session" else f"/v1/bundles/{SEEN}", headers)[1] == 200
            for path in PATHS:
                times = {HIDDEN: [], ABSENT: []}
                for number in range(chosen.rounds):
                    names = (HIDDEN, ABSENT) if number % 2 == 0 else (ABSENT, HIDDEN)
                    answers = {name: client.ask(path.format(name), headers) for name in names}
                    for name in names:
                        times[name].append(answers[name][0])
                    if number == 0 and plain(answers[HIDDEN], HIDDEN) != plain(answers[ABSENT], ABSENT):
                        faults.append(f"{way} {path}: {plain(answers[HIDDEN], HIDDEN)} and {plain(answers[ABSENT], ABSENT)}")
                trimmed = {name: sorted(all)[: int(len(all) * 0.95)] for name, all in times.items()}
                means = {name: statistics.mean(all) for name, all in trimmed.items()}
                error = math.sqrt(sum(statistics.variance(all) / len(all) for all in trimmed.values()))
                t = (means[HIDDEN] - means[ABSENT]) / error if error else 0.0
                most = max(most, abs(t))
                halves = {name: statistics.median(all) * 1e6 for name, all in times.items()}
                print(f"{way:8} {path:34} {answers[HIDDEN][1]} {halves[HIDDEN]:7.1f} {halves[ABSENT]:7.1f} µs  t {t:+.1f}", flush=True)
                if abs(t) > MOST:
                    faults.append(f"{way} {path}: t is {t:.1f}")
        processes.end(server)
    print(f"largest |t|: {most:.1f}")
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

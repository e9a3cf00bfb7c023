"""What the drivers in this folder share: a widgetd under test, bundles to publish, figures to read."""

import hashlib
import http.client
import io
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import zipfile

# Settings of the drivers are removed for the server, which refuses settings that it does not know.
ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("WIDGETD_")}
TOKEN = "fault-drivers-admin-token-0123456789abcdef"


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)


def seed():
    number = int(os.environ.get("FAULT_SEED") or random.SystemRandom().randrange(1 << 48))
    print(f"FAULT_SEED={number}", flush=True)
    return number


def bundle(identifier, version, build="1", size=2_000, random_source=random):
    """A sound bundle; what it holds differs each time and does not compress."""
    text = "".join(random_source.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=size))
    plist = (
        f'<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>{identifier}</string>'
        f"<key>CFBundleName</key><string>Sample</string><key>CFBundleShortVersionString</key><string>{version}</string>"
        f"<key>CFBundleVersion</key><string>{build}</string></dict></plist>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Sample.bundle/Info.plist", plist)
        archive.writestr("Sample.bundle/text.json", json.dumps([text]))
    return out.getvalue()


def bomb(identifier="bomb.example.Widget"):
    """A megabyte that would become a gigabyte."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Sample.bundle/Info.plist", "<plist/>")
        archive.writestr("Sample.bundle/zeros.json", bytes(1 << 28))
    return out.getvalue()


class Server:
    """A widgetd that serves from a folder, on ports of loopback."""

    def __init__(self, program, data, log, **settings):
        self.program, self.data, self.log = program, data, log
        self.settings = {
            "WIDGETD_ADMIN_TOKEN": TOKEN,
            "WIDGETD_RATE_LIMIT": "off",
            "WIDGETD_LOG_REQUESTS": "off",
            "WIDGETD_LOG_LEVEL": "warning",
            **settings,
        }
        self.start()

    def start(self):
        before = time.monotonic()
        self.process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", self.data],
            env={**ENVIRONMENT, **self.settings},
            stdout=subprocess.PIPE,
            stderr=open(self.log, "ab"),
            text=True,
        )
        greeting = ""
        for line in self.process.stdout:
            greeting += line
            if "publish:" in line or "resolve:" in line:
                break
        found = re.findall(r"http://127\.0\.0\.1:(\d+)", greeting)
        if len(found) < 2:
            raise RuntimeError(f"it did not start: {greeting} {open(self.log).read()[-600:]}")
        self.port, self.admin = int(found[0]), int(found[1])
        for _ in range(2_000):
            try:
                if self.ask("GET", "/livez")[0] == 200:
                    return time.monotonic() - before
            except OSError:
                time.sleep(0.005)
        raise RuntimeError("it does not answer")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def ask(self, method, path, body=None, fields=None, admin=False, timeout=30):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin if admin else self.port, timeout=timeout)
        try:
            headers = {"Authorization": f"Bearer {TOKEN}", **(fields or {})}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def metric(self, name):
        text = self.ask("GET", "/metrics", admin=True)[1].decode()
        found = re.search(rf"^{name} (\S+)$", text, re.M)
        return float(found.group(1)) if found else 0.0


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path, timeout=60):
        super().__init__("control", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def connect(port):
    client = socket.create_connection(("127.0.0.1", port), timeout=10)
    return client


def wrk(url, seconds, connections, threads=1, delay_milliseconds=0, folder="/tmp"):
    """Requests a second, bytes a second, answers that were not 2xx or 3xx, and sockets that failed."""
    script = os.path.join(folder, f"wrk-{os.getpid()}.lua")
    with open(script, "w") as file:
        file.write(f"function delay() return {delay_milliseconds} end\n" if delay_milliseconds else "")
    result = subprocess.run(
        ["wrk", "-t", str(threads), "-c", str(connections), "-d", f"{seconds}s", "-s", script, url],
        capture_output=True,
        text=True,
    )
    text = result.stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    transfer = re.search(r"Transfer/sec:\s+([\d.]+)(\w+)", text)
    unit = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    sockets = re.search(r"Socket errors: (.*)", text)
    if not rate:
        raise RuntimeError(f"wrk did not run: {text}{result.stderr}")
    return {
        "rate": float(rate.group(1)),
        "bytes": float(transfer.group(1)) * unit[transfer.group(2)] if transfer else 0.0,
        "wrong": int(wrong.group(1)) if wrong else 0,
        "sockets": sockets.group(1) if sockets else "",
    }

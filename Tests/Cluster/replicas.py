"""Replicas of one registry, and bundles to publish to them. For Tests/Cluster/run and Tests/Benchmarks/replicas."""

import http.client
import io
import os
import socket
import subprocess
import threading
import zipfile

import engines

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("PROGRAM", f"{ROOT}/.build/debug/widgetd-cluster")
TOKEN = "cluster-test-token-0123456789abcdef-0123"


def archive(identifier, version):
    """A bundle that is valid."""
    plist = (
        '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
        f"<key>CFBundleIdentifier</key><string>{identifier}</string><key>CFBundleName</key><string>Sample</string>"
        f"<key>CFBundleShortVersionString</key><string>{version}</string><key>CFBundleVersion</key><string>1</string>"
        "</dict></plist>"
    )
    bytes_ = io.BytesIO()
    with zipfile.ZipFile(bytes_, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("Sample.bundle/Info.plist", plist)
        zipped.writestr("Sample.bundle/en.lproj/Localizable.strings", f'"greeting" = "{identifier} {version}";\n')
    return bytes_.getvalue()


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Replica:
    """One replica, with a link to each engine, or with none in between for what is measured (`is_direct`)."""

    def __init__(self, name, folder, database, store, clock, is_direct=False, program=PROGRAM):
        self.program = program
        self.name, self.folder, self.port = name, f"{folder}/{name}", free_port()
        self.links = {} if is_direct else {"database": engines.Link(database.socket)}
        self.environment = {
            "PATH": "/usr/bin:/bin", "WIDGETD_ADMIN_TOKEN": TOKEN, "WIDGETD_RATE_LIMIT": "off",
            "WIDGETD_LIMITS_DISK_RESERVE": "0", "WIDGETD_HOUSEKEEPING_GRACE": "20s", "WIDGETD_LOG_REQUESTS": "off",
            "WIDGETD_DATA": self.folder, "WIDGETD_LISTEN": f"127.0.0.1:{self.port}",
            "WIDGETD_POLICY_PROTECTED_CHANNELS": "none", "WIDGETD_BLOBS_URL": f"file://{folder}/shared",
            "WIDGETD_CATALOG_URL": database.words["PG_URL"] if is_direct
            else f"postgresql://widgetd@127.0.0.1:{self.links['database'].port}/widgetd",
            **engines.clock(folder, clock),
        }
        if store:
            if not is_direct:
                self.links["store"] = engines.Link(store.port)
            port = store.port if is_direct else self.links["store"].port
            self.environment |= {
                "WIDGETD_BLOBS_URL": f"s3://{store.words['S3_BUCKET']}/widgets?region={store.words['S3_REGION']}"
                f"&endpoint=http://127.0.0.1:{port}",
                "AWS_ACCESS_KEY_ID": store.words["S3_ACCESS_KEY"], "AWS_SECRET_ACCESS_KEY": store.words["S3_SECRET_KEY"],
            }
        self.lock = threading.Lock()
        self.process = None
        self.start()

    def start(self):
        with open(f"{self.folder}.log", "ab") as log:
            self.process = subprocess.Popen([self.program, "serve"], stdout=log, stderr=log, env=self.environment)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def keep_running(self):
        """A replica that could not start, because the database was away, is started again."""
        if self.process.poll() is not None:
            self.start()

    def command(self, *arguments):
        return subprocess.run(
            [self.program, *arguments], env=self.environment, capture_output=True, text=True, timeout=3600)

    def ask(self, method, target, body=None, fields=None, timeout=30):
        """Status, fields and body; None where no answer came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, target, body, {"Authorization": f"Bearer {TOKEN}", **(fields or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def is_ready(self):
        answer = self.ask("GET", "/readyz", timeout=5)
        return answer is not None and answer[0] == 200

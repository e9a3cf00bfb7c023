"""The servers that are compared, started and ended alike."""

import grp
import os
import pwd
import re
import socket
import subprocess
import time

import answers
import processes
from processes import Unmeasured


class Peer:
    """A server as a process tree on a port of the loopback interface."""

    name = version = None

    def __init__(self, workers, data, scratch):
        self.workers, self.data, self.scratch = workers, data, scratch
        self.port = None
        self._process = None

    def start(self, path="/memory/2k.zip"):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        with open(os.path.join(self.scratch, f"{self.name}.log"), "ab") as log:
            self._process = processes.start(self._arguments(), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 15
        while True:
            try:
                answers.get(self.port, path, timeout=5)
                return self
            except (OSError, Unmeasured) as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise Unmeasured(f"{self.name} does not start: {error}\n{self._log()}") from error
                time.sleep(0.05)

    def stop(self):
        processes.end(self._process)
        self._process = None

    @property
    def root(self):
        return self._process.pid

    def _log(self):
        with open(os.path.join(self.scratch, f"{self.name}.log"), errors="replace") as log:
            return log.read()[-2_000:]


class BenchServer(Peer):
    name = "widgetd"

    def __init__(self, program, *arguments):
        super().__init__(*arguments)
        self.program = program
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False,
            cwd=os.path.dirname(program))
        self.version = commit.stdout.strip() or "unknown commit"

    def _arguments(self):
        return [self.program, f"127.0.0.1:{self.port}", str(self.workers), self.data]


NGINX_CONFIGURATION = """\
{user}
daemon off;
worker_processes {workers};
worker_rlimit_nofile {descriptors};
pid {scratch}/nginx.pid;
error_log stderr error;
events {{
    worker_connections 16000;
}}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=1000 inactive=1h;
    open_file_cache_valid 1h;
    keepalive_requests 1000000000;
    keepalive_timeout 60s;
    server_tokens off;
    types {{ }}
    default_type application/zip;
    client_body_temp_path {scratch}/body;
    proxy_temp_path {scratch}/proxy;
    fastcgi_temp_path {scratch}/fastcgi;
    uwsgi_temp_path {scratch}/uwsgi;
    scgi_temp_path {scratch}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096{reuseport};
        add_header Cache-Control "public, max-age=31536000, immutable";
        add_header X-Content-Type-Options nosniff;
        add_header Request-Id $request_id;
        location /memory/ {{ alias {data}/; }}
        location /file/ {{ alias {data}/; }}
    }}
}}
"""


class Nginx(Peer):
    name = "nginx"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        said = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=True).stderr
        self.version = re.search(r"nginx/(\S+)", said).group(1)

    def _arguments(self):
        path = os.path.join(self.scratch, "nginx.conf")
        with open(path, "w") as file:
            file.write(self._configuration(
                user=self._user(), workers=self.workers, port=self.port, data=self.data, scratch=self.scratch,
                descriptors=processes.raise_descriptor_limit(), reuseport=" reuseport" if self.workers > 1 else ""))
        return ["nginx", "-c", path, "-p", self.scratch, "-e", "stderr"]

    def _configuration(self, **values):
        return NGINX_CONFIGURATION.format(**values)

    @staticmethod
    def _user():
        """As root, the workers stay what we are, or they could not read what we serve."""
        if os.geteuid() != 0:
            return ""
        user = pwd.getpwuid(os.geteuid())
        return f"user {user.pw_name} {grp.getgrgid(user.pw_gid).gr_name};"

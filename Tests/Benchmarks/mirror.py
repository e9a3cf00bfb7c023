"""nginx with the bytes and header fields that another server answered with."""

import os

import answers
import processes
from peers import NGINX_CONFIGURATION, Nginx
from processes import Unmeasured

# Left out by nginx, which is longer elsewhere (it says that it keeps the connection); padding takes its place.
LEFT_OUT = {"x-content-type-options"}
# These nginx makes itself, or cannot be kept from making.
ITS_OWN = {"content-length", "content-type", "etag", "last-modified", "accept-ranges", "server", "date", "request-id"}
# The fields that a line of our log has.
LOG_FORMAT = """log_format requests escape=json '{"time":"$time_iso8601","level":"info","event":"request",'
        '"request":"$request_id","method":"$request_method","route":"$uri","bytes":$body_bytes_sent,'
        '"milliseconds":$request_time,"client":"$remote_addr","status":$status}';"""


class Mirror(Nginx):
    """Serves each case's path with what `source` answers there.

    nginx compares If-None-Match only with tags that it has made itself, and names itself. The side with the shorter head
    adds a field of padding, so that both send as many bytes.
    """

    def __init__(self, source, cases, workers, scratch, logs_requests=False):
        super().__init__(workers, os.path.join(scratch, "mirror"), scratch)
        os.makedirs(self.data)
        self.source, self.cases = source, cases
        self.padding = {}
        self.logs_requests = logs_requests
        self._paths = sorted({case.path for case in cases})
        self._answers = {}
        for path in self._paths:
            answer, body = answers.whole(source.port, path)
            self._answers[path] = answer
            name = self._file(path)
            with open(name, "wb") as file:
                file.write(body)
            os.chmod(name, 0o644)
            os.utime(name, (1_700_000_000, 1_700_000_000))

    def _file(self, path):
        return os.path.join(self.data, f"{self._paths.index(path)}.bytes")

    def start(self):
        super().start(self._paths[0])
        # The first start shows how many bytes are missing; the second has them.
        self.padding = {path: self._missing(path) for path in self._paths}
        self.stop()
        return super().start(self._paths[0])

    def _missing(self, path):
        missing = self._answers[path].head_bytes - answers.get(self.port, path).head_bytes - len("Padding: \r\n")
        if missing < 1:
            raise Unmeasured(f"{path}: nginx's head is {1 - missing} bytes too long to be made as long as ours")
        return missing

    def _configuration(self, **values):
        text = NGINX_CONFIGURATION.format(**values)
        if self.logs_requests:
            text = text.replace("access_log off;", f"{LOG_FORMAT}\n    access_log {self.data}.log requests;")
        start, end = text.index("        add_header Cache-Control"), text.index("    }\n}")
        return text[:start] + "".join(self._location(path) for path in self._paths) + text[end:]

    def _location(self, path):
        fields = {
            name: value for name, value in self._answers[path].fields.items() if name not in ITS_OWN | LEFT_OUT}
        lines = [f'add_header {name} "{_quoted(value)}";' for name, value in fields.items()]
        lines.append("add_header Request-Id $request_id;")
        if path in self.padding:
            lines.append(f'add_header Padding "{"-" * self.padding[path]}";')
        if "last-modified" not in self._answers[path].fields:
            lines.append('add_header Last-Modified "";')
        if "accept-ranges" not in self._answers[path].fields:
            lines.append("max_ranges 0;")
        kind = self._answers[path].fields["content-type"]
        inside = "\n            ".join([f"alias {self._file(path)};", f'default_type "{kind}";', *lines])
        return f"        location = {path} {{\n            {inside}\n        }}\n"

    def tag(self, path):
        return answers.get(self.port, path).tag

    def assert_alike(self):
        """Compares every case; returns the sizes of the answers by case and peer."""
        sizes = {}
        for case in self.cases:
            both = []
            for peer in (self.source, self):
                tag = peer.tag(case.path) if case.status == 304 else None
                both.append(answers.get(peer.port, case.path, tag))
            ours, theirs = both
            for answer in both:
                # What each makes itself need not agree; that the bytes do is checked below.
                for name in ("etag", "last-modified", "accept-ranges", *LEFT_OUT):
                    answer.fields.pop(name, None)
            differs = answers.difference(ours, theirs) if case.status != 304 else None
            if differs or ours.status != case.status or theirs.status != case.status:
                raise Unmeasured(f"{case.name}: the answers differ: {differs or [ours.status, theirs.status]}")
            sizes[case.name, self.source.name] = ours.total_bytes
            sizes[case.name, self.name] = theirs.total_bytes
        return sizes


def _quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "")

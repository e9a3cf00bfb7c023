"""Whether both servers answer alike; a ratio between different answers would mean nothing."""

import hashlib
import socket
from dataclasses import dataclass

import heads
from processes import Unmeasured

# nginx says that it keeps a connection, which HTTP/1.1 need not; ours is given as many bytes of padding.
EXEMPT = {"connection", "padding"}
# These must agree in length only.
VARYING = {"server", "date", "request-id"}


@dataclass
class Answer:
    status: int
    fields: dict
    head_bytes: int
    total_bytes: int
    digest: str

    @property
    def tag(self):
        return self.fields["etag"]


def get(port, path, tag=None, timeout=30):
    """One answer over a new connection."""
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.sendall(heads.request(port, path, tag))
        return read(connection)


def whole(port, path, timeout=30):
    """One answer, and its content."""
    content = bytearray()
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.sendall(heads.request(port, path))
        return read(connection, content.extend), bytes(content)


def read(connection, keep=lambda piece: None):
    """Reads one answer, its content by the length it announces."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _some(connection)
    head, _, rest = received.partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    status = int(lines[0].split()[1])
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(": ")
        fields[name.lower()] = value
    size = 0 if status == 304 else int(fields["content-length"])
    keep(rest)
    digest = hashlib.sha256(rest)
    count = len(rest)
    while count < size:
        piece = _some(connection)
        digest.update(piece)
        keep(piece)
        count += len(piece)
    if count > size:
        raise Unmeasured(f"{count - size} bytes more than announced")
    return Answer(status, fields, len(head) + 4, len(head) + 4 + count, digest.hexdigest())


def _some(connection):
    piece = connection.recv(1 << 20)
    if not piece:
        raise Unmeasured("the connection ended within an answer")
    return piece


def difference(ours, theirs):
    """What differs between two answers, in words; nothing when they are alike."""
    if ours.status != theirs.status:
        return f"status {ours.status} against {theirs.status}"
    names = set(ours.fields) - EXEMPT, set(theirs.fields) - EXEMPT
    if names[0] != names[1]:
        return f"header fields {sorted(names[0] ^ names[1])} on one side only"
    for name in sorted(names[0]):
        mine, other = ours.fields[name], theirs.fields[name]
        if name not in VARYING and mine != other:
            return f"{name}: {mine!r} against {other!r}"
    if ours.total_bytes != theirs.total_bytes:
        return f"{ours.total_bytes} bytes in all against {theirs.total_bytes}"
    if ours.digest != theirs.digest:
        return "contents"
    return None


def assert_alike(cases, peers):
    """Compares every case between both servers; returns the sizes of the answers by case."""
    sizes = {}
    for case in cases:
        answers = []
        for peer in peers:
            tag = get(peer.port, case.path).tag if case.status == 304 else None
            answer = get(peer.port, case.path, tag)
            if answer.status != case.status:
                raise Unmeasured(f"{case.name}: {peer.name} answers {answer.status}, not {case.status}")
            case_tag = tag
            answers.append(answer)
        differs = difference(*answers)
        if differs:
            raise Unmeasured(f"{case.name}: the answers differ: {differs}")
        sizes[case.name] = answers[0].total_bytes
        case.tag = case_tag
    return sizes

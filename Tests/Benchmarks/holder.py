"""Holds many connections open, each served once: in a separate process, for the descriptors it takes.

    holder.py PORT PATH COUNT

Says `open` when all are, and ends when its input does.
"""

import socket
import sys

import answers
import heads
import processes


def main():
    port, path, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    processes.raise_descriptor_limit()
    request = heads.request(port, path)
    held = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port), 30)
        # Closing with a reset leaves no address waiting, so that the next round finds enough of them.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.sendall(request)
        answers.read(connection)
        held.append(connection)
    print("open", flush=True)
    sys.stdin.read()
    # Were they really kept? A sample is asked again.
    for connection in held[:: max(1, count // 100)]:
        connection.sendall(request)
        answers.read(connection)
    print("alive", flush=True)


if __name__ == "__main__":
    main()

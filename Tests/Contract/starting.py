"""A widgetd for the scripts of this folder, which is ready when it says so (WIDGETD_NOTIFY_FD of docs/operating.md).

    starting.py WIDGETD DATA TOKEN [OPTION…]    prints its address, passes SIGTERM on, and ends with its status
"""
import os
import signal
import subprocess
import sys


class Widgetd:
    """A server on loopback that counts no requests. It has the environment of this process, without settings."""

    def __init__(self, program, data, token=None, options=(), errors=subprocess.DEVNULL):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("WIDGET_", "WIDGETD_"))}
        environment |= {"WIDGETD_RATE_LIMIT": "off", "WIDGETD_LIMITS_DISK_RESERVE": "0"}
        environment |= {"WIDGETD_ADMIN_TOKEN": token} if token else {}
        notices, said = os.pipe()
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--data", data, *options], pass_fds=[said],
            env=environment | {"WIDGETD_NOTIFY_FD": str(said)}, stdout=subprocess.DEVNULL, stderr=errors)
        os.close(said)
        self.token, self.address = token, None
        # The server does not wait for a reader of the lines after this one: they fit into the pipe.
        self.notices = os.fdopen(notices)
        for line in self.notices:
            if line.startswith("ready "):
                self.address = f"http://{line.split()[1]}"
                return
        self.close()
        raise SystemExit(f"error: {program} did not become ready; it ended with {self.process.returncode}")

    def close(self):
        """Ends the server, and returns its status."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.notices.close()
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def main():
    program, data, token, *options = sys.argv[1:]
    # The caller may end this program before the server is ready.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with Widgetd(program, data, token, options, errors=None) as server:
        signal.signal(signal.SIGTERM, lambda *_: server.process.terminate())
        print(server.address, flush=True)
        return server.process.wait()


if __name__ == "__main__":
    sys.exit(main())

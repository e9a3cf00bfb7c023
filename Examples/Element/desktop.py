#!/usr/bin/env python3
"""A widget in a window of GTK: desktop.py FOLDER, which `widget export Clock.zip --html FOLDER` has written.

Needs Debian's python3-gi and gir1.2-webkit2-4.1.
"""

import functools
import http.server
import sys
import threading

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402


class Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *words):
        pass


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    # An address of this machine alone, with an origin: the widget's records and cached values are kept by it.
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 8765), functools.partial(Quiet, directory=sys.argv[1]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    view = WebKit2.WebView()
    window = Gtk.Window(title="Widget", default_width=400, default_height=720)
    view.connect("notify::title", lambda *_: window.set_title(view.get_title() or "Widget"))
    window.connect("destroy", Gtk.main_quit)
    window.add(view)
    view.load_uri("http://127.0.0.1:8765/")
    window.show_all()
    Gtk.main()


if __name__ == "__main__":
    main()

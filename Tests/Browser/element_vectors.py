"""The contract's vectors for hosts, played by the host in `widget-view.js`, in Chromium.

Each step is a call of the host with the storage of one context of the browser, which `play.py` knows as the folder of a cache. The
registry of the vectors sends no fields for other origins, so the browser does not ask for them here.
"""

import base64
import http.server
import io
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import zipfile

from element import ENGINE, Site
from harness import CHROMIUM, ROOT, Failed, case

# What a call does in the page: the end as a line of play.py, and the archive of a release that is started.
CALL = """async ([words, options]) => {
    const { RegistryHost, BrowserStore, Outside, digestOf } = parts;
    // A name that was given is read again by the next page.
    if (options.installation) await BrowserStore.shared.set('state', 'installation', options.installation);
    const host = new RegistryHost({
        registry: options.registry, widget: options.widget, pin: options.pin,
        store: BrowserStore.shared, sha256: digestOf, judge: archive => prover.ask('prove', {}, { archive }),
        take: files => files,
    });
    const line = await host[words]();
    if (words == 'start' && options.then) await host[options.then]();
    const { bytes, ...rest } = line;
    return { ...rest, bytes: bytes && btoa(Array.from(bytes, it => String.fromCharCode(it)).join('')) };
}"""
PARTS = """
globalThis.parts = { RegistryHost, BrowserStore, Outside, digestOf }
globalThis.prover = new Outside(document.createElement('div'))
"""
# The command that play.py calls: it hands its words to the process with the browser.
COMMAND = """
import json, sys, urllib.request
body = json.dumps(sys.argv[2:]).encode()
print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], body), timeout=110).read().decode())
"""


class Calls(http.server.ThreadingHTTPServer):
    """Takes calls of hosts, which the thread with the browser carries out."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Call)
        self.waiting = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Call(http.server.BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def do_POST(self):
        words = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        done = queue.Queue()
        self.server.waiting.put((words, done))
        body = json.dumps(done.get()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def line_of(pages, words):
    """Carries out a call; the folder of a release that is started is written where play.py looks for it."""
    options = dict(zip((word.removeprefix("--") for word in words[1::2]), words[2::2]))
    cache = options["cache"]
    found = pages(cache).evaluate(CALL, [words[0], options])
    # A start that nothing follows is one whose host has ended: so has its page.
    if words[0] == "start" and "then" not in options:
        pages(cache, anew=True)
    packed = found.pop("bytes", None)
    if found["end"] == "nothing" and "built-in" in options:
        found["end"] = "builtIn"
    if packed:
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(packed))) as archive:
            folder = pathlib.Path(cache) / "started" / (found["content"] or "none")
            archive.extractall(folder)
            found["path"] = str(next(path for path in folder.iterdir()))
    return found


@case(53, run="element")
def the_vectors_for_hosts_are_passed(browser, only=os.environ.get("VECTORS", "")):
    """All but those of hosts that watch: an element asks when it begins."""
    script = (ENGINE / "widget-view.js").read_text() + PARTS
    site = Site({"/page.html": b'<!doctype html><script type="module" src="/widget-view.js"></script>', "/widget-view.js": script.encode()},
                policy="")
    chromium = browser.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-web-security"])
    contexts = {}

    def pages(cache, anew=False):
        if cache not in contexts or anew:
            context = contexts[cache].context if anew else chromium.new_context()
            if anew:
                contexts[cache].close()
            page = context.new_page()
            page.goto(site.address + "/page.html")
            page.wait_for_function("globalThis.prover")
            contexts[cache] = page
        return contexts[cache]

    calls = Calls()
    lines = []
    try:
        for part in [only] if only else ["stories/", "names/", "hostile/"]:
            command = [sys.executable, "-c", COMMAND, f"http://127.0.0.1:{calls.server_port}/"]
            played = subprocess.Popen([sys.executable, ROOT / "Tests/Contract/vectors/play.py", "--only", part, "--", *command],
                                      stdout=subprocess.PIPE, text=True)
            while played.poll() is None:
                try:
                    words, done = calls.waiting.get(timeout=0.2)
                except queue.Empty:
                    continue
                cache = words[words.index("--cache") + 1]
                for other in [path for path in contexts if not pathlib.Path(path).exists()]:
                    contexts.pop(other).context.close()
                try:
                    done.put(line_of(pages, words))
                except Exception as failure:
                    done.put({"end": "no line", "release": None, "reason": f"{cache}: {failure}"[:600]})
            lines += played.stdout.read().splitlines()
            if played.returncode:
                raise Failed("\n".join(lines))
    finally:
        chromium.close()
        site.shutdown()
        calls.shutdown()
    return "; ".join(lines)

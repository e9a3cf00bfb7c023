"""A browser, the program, and the cases: what the files of this folder share."""

import atexit
import contextlib
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import traceback

from playwright.sync_api import Error, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = pathlib.Path(os.environ.get("WIDGET_SAMPLES", ROOT.parent / "shared" / "samples"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CASES = []


class Failed(Exception):
    """A case that found something; the text says what."""


def case(*numbers, run="check"):
    """Marks a function as a case of `make check`; "smoke" ones are a part of `make test` too, "long" ones run when asked for.

    "element" ones need the engine as WebAssembly, and are those of the part `wasm`.
    """

    def add(function):
        CASES.append((numbers, run, function))
        return function

    return add


def again(page):
    """Loads a page again. While it changes, after a form was sent, the browser may refuse once."""
    try:
        page.reload()
    except Error as refusal:
        if "Not attached to an active page" not in str(refusal):
            raise
        page.reload()


def program(name="widget", variable="WIDGET"):
    """The path of one of our programs, absolute, since some are started in other folders; a variable may name another."""
    beside = ROOT / ".build/debug" if variable == "WIDGET" else pathlib.Path(program()).parent
    return os.path.abspath(os.environ.get(variable, beside / name))


def registry_program():
    return program("widgetd", "WIDGETD")


def folder():
    """A folder that is removed at the end."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="browser-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def widget(*words, text=None):
    done = subprocess.run([program(), *map(str, words)], input=text, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise Failed(f"widget {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr[:2000]}")
    return done.stdout


MOMENT = "2018-06-20T20:00:00Z"


def options(width, height, direction="ltr", scheme="light", size="L", screen=None, script=None):
    words = ["--viewport", f"{width}x{height}@2", "--dir", direction, "--scheme", scheme, "--text-size", size]
    words += ["--clock", MOMENT, "--time-zone", "UTC0"]
    if screen:
        words += ["--screen", screen]
    if script:
        words += ["--events", script]
    return words


@functools.cache
def page_of(subject, **wanted):
    """The folder of a page that opens from disk. Cases that want the same page share it."""
    out = folder() / "page"
    widget("render", subject, "--as", "html", "-o", out, *options(**wanted))
    return out


@functools.cache
def frames_of(subject, *more, **wanted):
    return json.loads(widget("render", subject, "--as", "frames", *more, *options(**wanted)))


def script(*steps):
    path = folder() / "script.json"
    path.write_text(json.dumps(list(steps)))
    return path


class Browser:
    """One Chromium for all cases; each page has a context for itself."""

    def __init__(self):
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--font-render-hinting=none", "--disable-gpu"])

    def close(self):
        self.chromium.close()
        self.playwright.stop()

    @contextlib.contextmanager
    def page(self, path, width, height, scheme="light", script=True, scale=2, **more):
        context = self.chromium.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme=scheme,
            java_script_enabled=script, **more)
        page = context.new_page()
        page.messages = []
        page.on("console", lambda message: page.messages.append(message.text))
        page.on("pageerror", lambda error: page.messages.append(str(error)))
        file = path / "index.html" if path.is_dir() else path
        page.goto(file.as_uri())
        try:
            yield page
        finally:
            context.close()


BOXES = """() => Object.fromEntries([...document.querySelectorAll('[id]')].map(element => {
    // A field is what a person types in; the element around it has the field's border and insets.
    const typed = element.matches('input:not([type=checkbox], [type=range]), textarea');
    const box = (typed ? element.parentElement : element).getBoundingClientRect();
    return [element.id, [box.x, box.y, box.width, box.height]];
}))"""


def run(names, chosen):
    """Runs the cases of the `chosen` run, or those with one of the names, prints a line for each, and returns the number that failed."""
    browser = Browser()
    passed, failed = 0, []
    runs = {"smoke": ("smoke",), "check": ("smoke", "check"), "element": ("element",)}.get(chosen, ("smoke", "check", "long"))
    for numbers, run_of_case, function in CASES:
        title = f"{function.__name__.replace('_', ' ')} ({', '.join(map(str, numbers))})"
        if run_of_case not in runs or (names and not any(name in title for name in names)):
            continue
        begin = time.monotonic()
        try:
            said = function(browser)
            passed += 1
            print(f"passed {title}, {time.monotonic() - begin:.1f} s{': ' + said if said else ''}", flush=True)
        except Failed as failure:
            failed.append(title)
            print(f"FAILED {title}: {failure}", flush=True)
        except Exception as failure:
            failed.append(title)
            # Where in these files it was; what the driver of the browser does within is of no use.
            places = [f"{pathlib.Path(place.filename).name}:{place.lineno}" for place in traceback.extract_tb(failure.__traceback__)
                      if place.filename.startswith(str(ROOT / "Tests"))]
            print(f"FAILED {title}: {type(failure).__name__} at {' '.join(places)}: {failure}", flush=True)
    browser.close()
    print(f"browser: {passed} passed, {len(failed)} failed", flush=True)
    return len(failed) if passed or failed else 1

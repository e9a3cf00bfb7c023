"""Pages with several widgets: `widget host`."""

import contextlib
import json
import re
import subprocess

from axe_playwright_python.sync_playwright import Axe

from access import RULES
from harness import Failed, again, case, folder, program
from live import PLIST, Server, faultless, save, until, valid, visit

COUNTER = {
    "schema": 1, "title": "Counter", "state": {"count": 0, "name": ""},
    "links": {"show": {"pattern": "counter://show/{id:integer}", "scene": "Main"}},
    "root": [
        {"kind": "label", "id": "shown", "payload": {"text": {"$": ["count ", "$count", " of ", "$name"]}}},
        {"kind": "textfield", "id": "name", "payload": {"value": "$name", "placeholder": "Your name"}},
        {"kind": "button", "id": "add", "payload": {"text": "Add"},
         "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
OPENER = {
    "schema": 1, "title": "Opener",
    "root": [{"kind": "button", "id": "go", "payload": {"text": "Show the counter"},
              "on": {"tap": {"do": "open", "url": "counter://show/7"}}}]}


def made(name, document):
    """A folder of one document, whose bundle has an identifier for itself."""
    path = folder() / name
    path.mkdir()
    (path / "Info.plist").write_text(PLIST.replace("com.example.Live", f"com.example.{name}"))
    save(path, "Main", document)
    return path


class Host(Server):
    """`widget host` of a page."""

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [program(), "host", str(self.subject), f"--listen=127.0.0.1:{self.port}", *map(str, self.words)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(self.answers, lambda: f"no answer from the host: {self.log.read_text()[-2000:]}")

    def answers(self):
        if self.process.poll() is not None:
            raise Failed(f"the host ended with {self.process.returncode}: {self.log.read_text()[-2000:]}")
        with contextlib.suppress(OSError):
            status, headers, _ = self.request("GET", "/")
            if status != 303:
                return False
            # All slots have come to an end of loading.
            return b"Loading" not in self.request("GET", headers["Location"])[2]


@contextlib.contextmanager
def hosted(*slots, title="Four", words=()):
    path = folder() / "page.json"
    path.write_text(json.dumps({"title": title, "slots": list(slots)}))
    host = Host(path, *words)
    try:
        yield host
    finally:
        if host.process.poll() is None:
            host.stop()


def four(counter=None):
    counter = counter or made("Counter", COUNTER)
    return [{"title": "First", "path": str(counter), "instance": "-1"},
            {"title": "Second", "path": str(counter), "instance": "-2", "scaled": True},
            {"title": "Opener", "path": str(made("Opener", OPENER)), "size": "small"},
            {"title": "Third", "path": str(counter), "instance": "-3"}]


def order(page):
    return page.eval_on_selector_all(".slot h2", "all => all.map(it => it.textContent)")


def slot(page, title):
    return page.locator(".slot").filter(has=page.get_by_role("heading", name=title, exact=True, level=2))


def shows(place, text, page=None):
    """Waits until a slot shows a text; without script, by loading the page again."""
    def is_there():
        if page and not page.has_script:
            again(page)
        return text in place.inner_text()

    until(is_there, lambda: f"{text} is not shown: {place.inner_text()[:800]}")


def page_of(browser, host, script=True, width=1024, height=768, **more):
    return visit(browser, host.origin, script=script, run=False, width=width, height=height, **more)


@case(58)
def four_widgets_have_one_stream(browser):
    with hosted(*four()) as host, page_of(browser, host) as page, page_of(browser, host) as other:
        streams = []
        page.on("request", lambda it: "/events" in it.url and streams.append(it.url))
        again(page)
        first, second = slot(page, "First"), slot(page, "Second")
        valid(host, re.sub(r"^https?://[^/]*", "", page.url))
        second.locator("[data-id=name]").fill("Ann")
        shows(second, "count 0 of Ann")
        for count in range(3):
            first.get_by_role("button", name="Add").click()
            shows(first, f"count {count + 1} of")
        # Two widgets of one bundle share nothing, and what was typed stays.
        if "count 0 of Ann" not in second.inner_text() or second.locator("[data-id=name]").input_value() != "Ann":
            raise Failed(f"the second widget is {second.inner_text()}")
        # All pages of the host show the same widgets.
        shows(slot(other, "First"), "count 3 of")
        shows(slot(other, "Second"), "count 0 of Ann")
        if len(streams) != 1:
            raise Failed(f"the page has {len(streams)} streams")
        # A link between widgets leads to the slot that declares it.
        slot(page, "Opener").get_by_role("button", name="Show the counter").click()
        until(lambda: page.evaluate("document.activeElement.closest('.slot')?.id") == "a-slot",
              lambda: f"the focus is at {page.evaluate('document.activeElement.outerHTML.slice(0, 200)')}")
        faultless(page)


@case(58)
def several_widgets_work_without_script(browser):
    with hosted(*four()) as host, page_of(browser, host, script=False) as page:
        page.has_script = False
        first = slot(page, "First")
        first.locator("[data-id=name]").fill("Bo")
        first.get_by_role("button", name="Add").click()
        shows(slot(page, "First"), "count 1 of Bo")
        if "count 0" not in slot(page, "Second").inner_text():
            raise Failed("another widget has changed")
        slot(page, "First").get_by_role("button", name="Move First later").click()
        if order(page) != ["Second", "First", "Opener", "Third"]:
            raise Failed(f"the order is {order(page)}")


@case(58)
def axe_finds_nothing_on_a_page_of_several_widgets(browser):
    found = []
    slots = [*four(), {"title": "Gone", "path": "/nowhere.zip"}, {"title": "Later", "path": "/x.zip", "autoload": False}]
    for direction in ["ltr", "rtl"]:
        with hosted(*slots, words=["--dir", direction]) as host:
            for scheme in ["light", "dark"]:
                for width in [1280, 320]:
                    with page_of(browser, host, width=width, color_scheme=scheme) as page:
                        page.wait_for_timeout(300)
                        found += [f"{direction} {scheme} {width}: {it['id']} at {node['target'][0]}"
                                  for it in Axe().run(page, options=RULES).response["violations"] for node in it["nodes"]]
                        wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
                        if wide > 0:
                            found.append(f"{direction} {width}: wider than the window by {wide}")
    if found:
        raise Failed("\n    ".join(found[:30]))


@case(59)
def one_fails_and_three_run(browser):
    broken = made("Broken", "{")
    slots = four()
    slots[2] = {"title": "Broken", "path": str(broken)}
    with hosted(*slots) as host, page_of(browser, host) as page:
        shows(slot(page, "Broken"), "Load again")
        first = slot(page, "First")
        first.get_by_role("button", name="Add").click()
        shows(first, "count 1 of")
        # Loading again fails while the fault is there, and the others continue.
        slot(page, "Broken").get_by_role("button", name="Load again").click()
        shows(slot(page, "Broken"), "Load again")
        status, headers, _ = host.request("GET", "/widgets/com.example.Broken")
        if status not in (404, 503):
            raise Failed(f"a widget that failed is answered with {status}")
        # A save that mends it is noticed; one that breaks it again is said, and the last good one runs on.
        save(broken, "Main", COUNTER)
        shows(slot(page, "Broken"), "count 0 of")
        slot(page, "Broken").get_by_role("button", name="Add").click()
        shows(slot(page, "Broken"), "count 1 of")
        save(broken, "Main", {**COUNTER, "root": [{"kind": "label", "payload": {"text": "Another text"}}]})
        shows(slot(page, "Broken"), "Another text")
        shows(slot(page, "Broken"), "newData")
        save(broken, "Main", "{")
        shows(slot(page, "Broken"), "failed")
        shows(slot(page, "Broken"), "Another text")
        shows(first, "count 1 of")
        # The count is another view than at the start; after that, nothing is new.
        for wanted in ["newData", "noData"]:
            slot(page, "First").get_by_role("button", name="Update First").click()
            shows(slot(page, "First"), wanted)


@case(60)
def slots_are_moved_by_buttons_keys_and_dragging(browser):
    store = folder() / "store"
    counter = made("Counter", COUNTER)
    slots = four(counter)
    with hosted(*slots, words=["--store", store]) as host, page_of(browser, host, width=1280) as page:
        slot(page, "Third").locator("[data-id=name]").fill("Cy")
        shows(slot(page, "Third"), "of Cy")
        slot(page, "First").get_by_role("button", name="Move First later").click()
        until(lambda: order(page) == ["Second", "First", "Opener", "Third"], lambda: f"by a button: {order(page)}")
        # The button keeps the focus, so that a key moves the slot on.
        page.keyboard.press("ArrowRight")
        until(lambda: order(page) == ["Second", "Opener", "First", "Third"], lambda: f"by a key: {order(page)}")
        slot(page, "First").get_by_role("button", name="Move First earlier").focus()
        page.keyboard.press("ArrowLeft")
        until(lambda: order(page) == ["Second", "First", "Opener", "Third"], lambda: f"by a key back: {order(page)}")
        active = page.evaluate("document.activeElement.className")
        if active != "earlier":
            raise Failed(f"the focus has gone to {active}")
        # Dragged by its head to the place before the first one.
        start, end = slot(page, "Third").locator("h2").bounding_box(), slot(page, "Second").bounding_box()
        page.mouse.move(start["x"] + 20, start["y"] + 10)
        page.mouse.down()
        page.mouse.move(end["x"] + 60, end["y"] + 60, steps=8)
        page.mouse.up()
        until(lambda: order(page) == ["Third", "Second", "First", "Opener"], lambda: f"by dragging: {order(page)}")
        shows(slot(page, "Third"), "of Cy")
        if slot(page, "Third").locator("[data-id=name]").input_value() != "Cy":
            raise Failed("what was typed is gone")
        faultless(page)
    # The order is kept with the data, and the page's file is as it was.
    with hosted(*slots, words=["--store", store]) as host, page_of(browser, host) as page:
        if order(page) != ["Third", "Second", "First", "Opener"]:
            raise Failed(f"after a restart the order is {order(page)}")


@case(58)
def a_widget_is_sent_to_programs_in_the_form_that_they_want(browser):
    with hosted(*four()) as host:
        path = "/widgets/com.example.Counter-1"
        for accept, type in [("text/html", "text/html"), ("text/plain", "text/plain"), ("application/json", "application/json"),
                             ("application/vnd.widget-frames+json", "application/vnd.widget-frames+json"),
                             ("text/plain;q=0.4, application/*;q=0.5", "application/json"), ("*/*", "text/html")]:
            status, headers, body = host.request("GET", path, Accept=accept)
            if status != 200 or not headers["Content-Type"].startswith(type) or b"count" not in body:
                raise Failed(f"{accept} is answered with {status} {headers['Content-Type']}: {body[:200]!r}")
            if headers["Vary"] != "Accept" or "Widget-State" not in headers or "max-age" not in headers["Cache-Control"]:
                raise Failed(f"the fields are {dict(headers)}")
            status, again, body = host.request("GET", path, Accept=accept, If_None_Match=headers["ETag"])
            if status != 304 or body:
                raise Failed(f"a known tag is answered with {status}")
        for path, accept, wanted in [(path, "image/png", 406), ("/widgets/com.example.None", "*/*", 404)]:
            if (status := host.request("GET", path, Accept=accept)[0]) != wanted:
                raise Failed(f"{path} as {accept} is answered with {status}")
        status, headers, _ = host.request("POST", "/widgets/com.example.Counter-1/update", "")
        if status != 204 or headers["Widget-Update"] not in ("newData", "noData"):
            raise Failed(f"an update is answered with {status} {dict(headers)}")
        for fields in [{"Origin": "https://evil.example"}, {"Host": "evil.example"}]:
            if (status := host.request("POST", "/widgets/com.example.Counter-1/update", "", **fields)[0]) not in (403, 421):
                raise Failed(f"{fields} is answered with {status}")

"""Releases that run on the registry's pages: by the element in a frame without an origin, in the reader's browser."""

import functools
import json
import re
import urllib.request

from axe_playwright_python.sync_playwright import Axe

from access import RULES, WIDE
from element import COUNTER, ENGINE, Answers, Site, archive, document
from gallery import Registry, sign_in, visit
from harness import ROOT, Failed, case
from live import free_port, until

VIOLATIONS = "window.violations = []; addEventListener('securitypolicyviolation', it => violations.push(it.violatedDirective + ' ' + it.blockedURI))"
PLACE = "/w/com.example.Counter/1.0~1"


def service(address, **more):
    return json.dumps({"defaults": {"baseUrl": address}, "actions": {"word": {"path": "word", **more}}})


def asking(address, name="Asking"):
    """A widget that asks a server for a word, and has a stub for it."""
    return archive(name, document(
        [{"kind": "label", "payload": {"text": "$word.status.error"}, "if": "$word.status.failure"},
         {"kind": "label", "id": "answer", "payload": {"text": {"$": ["Got ", "$word.word"]}}}],
        sources={"word": {"action": "word", "service": "Service"}}),
        **{"Service.json": service(address), "StubService.json": service("", response={"word": "stubbed"})})


MAIN = document([
    {"kind": "label", "payload": {"text": "Beginning"}},
    {"kind": "button", "id": "on", "payload": {"text": "On"}, "on": {"tap": {"do": "push", "scene": "Second"}}},
])
SECOND = document([{"kind": "label", "payload": {"text": "Second screen"}}])
GREETING = document([{"kind": "button", "id": "go", "payload": {"text": "Greet"}, "on": {"tap": {"do": "push", "scene": "Greeting"}}}])
HELLO, GRUSS = (document([{"kind": "label", "payload": {"text": text}}]) for text in ("Good day", "Guten Tag"))
LINKED = document([{"kind": "label", "payload": {"text": "The first"}}], links={"other": {"pattern": "linked://other", "scene": "Second"}})
SPEAKING = document([
    {"kind": "label", "payload": {"text": "Speaking"}},
    {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "open", "url": "https://example.com/7"}}},
])


class Withheld(Answers):
    """Answers as of a server that does not let pages of other origins read them."""

    def send_header(self, name, value):
        if name != "Access-Control-Allow-Origin":
            super().send_header(name, value)


@functools.cache
def registry():
    admin = free_port()
    made = Registry(seeded=False, WIDGETD_PAGES_ENGINE=str(ENGINE / "engine.wasm"), WIDGETD_ADMIN_LISTEN=f"127.0.0.1:{admin}")
    made.figures = f"http://127.0.0.1:{admin}/metrics"
    made.publish(COUNTER)
    made.publish(archive("Two", MAIN, **{"Second.widgets.json": SECOND}))
    made.publish(archive("Linked", LINKED, **{"Second.widgets.json": SECOND}))
    made.publish(archive("Speaking", SPEAKING))
    made.publish(archive("Greeting", GREETING, **{"de.lproj/Greeting.widgets.json": GRUSS, "Base.lproj/Greeting.widgets.json": HELLO}))
    return made


def started():
    """The number of processes that the registry has started: one for the review of each bundle."""
    with urllib.request.urlopen(registry().figures, timeout=30) as answer:
        return int(re.search(rb"^widgetd_cells_started_total(?:\{[^}]*\})? (\d+)", answer.read(), re.MULTILINE)[1])


def opened(browser, path, host=None, **more):
    return visit(browser, host or registry(), path, **more)


def frame(page):
    """What is in the frame of the widget."""
    return page.frame_locator("widget-view iframe")


def shows(page, text):
    def shown():
        try:
            return frame(page).locator("widget-view .page").inner_text(timeout=1000)
        except Exception as fault:
            return str(fault)
    until(lambda: text in shown(), lambda: f"the widget does not show {text!r}: {shown()!r}, and the page says {said(page)!r}; {page.messages}")


def tap(page, name):
    """Clicks where a reader sees the element: the frame of a device is scaled, which the tool does not know of frames."""
    page.locator("widget-view").evaluate("it => it.scrollIntoView({ block: 'start' })")
    box = page.locator("widget-view").bounding_box()
    x, y, width = frame(page).locator(f"[data-id={name}]").evaluate(
        "it => { const { x, y, width, height } = it.getBoundingClientRect(); return [x + width / 2, y + height / 2, innerWidth] }")
    scale = box["width"] / width
    page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)


def said(page):
    return page.locator("[data-act=said]").inner_text()


def run(page):
    page.locator("[data-act=run]").click()


def unbroken(page):
    """Nothing that the page's policy forbids was tried, and nothing failed."""
    faults = [message for message in page.messages if not message.startswith(("log", "info", "debug"))]
    if faults:
        raise Failed(f"the page has faults: {faults}")


@case(54, run="element")
def a_release_runs_on_the_page_of_its_bundle(browser):
    """By keyboard alone; nothing is asked of the server after the start, and nothing was started there."""
    before = started()
    if not before:
        raise Failed("publishing has started no review")
    with opened(browser, "/w/com.example.Counter") as page:
        page.locator("[data-act=run]").wait_for()
        page.locator("[data-act=run]").focus()
        page.keyboard.press("Enter")
        shows(page, "Count 0")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        if page.evaluate("document.activeElement.localName") != "widget-view":
            raise Failed("the focus is not on the widget that was begun")
        # The content is reached first: it scrolls.
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        shows(page, "Count 1")
        if [address for address in asked if not address.startswith("blob:")]:
            raise Failed(f"a tap asks {asked}")
        unbroken(page)
    if started() != before:
        raise Failed(f"the page has started {started() - before} processes")
    status, _ = registry().ask("/live/0123456789abcdef0123456789abcdef")
    if status != 410:
        raise Failed(f"an address of a former live page is {status}")


@case(54, run="element")
def choices_change_a_widget_that_runs(browser):
    with opened(browser, "/w/com.example.Counter") as page:
        run(page)
        shows(page, "Count 0")
        tap(page, "add")
        shows(page, "Count 1")
        for text, name, value in (("Dark", "scheme", "dark"), ("Right to left", "dir", "rtl"), ("Largest", "text", "AX3"), ("Tablet", "size", "tablet")):
            page.get_by_role("link", name=text, exact=True).click()
            until(lambda: f"{name}={value}" in page.url, lambda: f"{text} leads to {page.url}")
            if page.get_by_role("link", name=text, exact=True).get_attribute("aria-current") != "true":
                raise Failed(f"{text} is not marked")
        shows(page, "Count 1")
        inner = frame(page).locator("widget-view .page")
        letters = frame(page).locator("[data-id=count]").evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
        width = frame(page).locator("widget-view").evaluate("it => it.getBoundingClientRect().width")
        if letters < 40 or round(width) != 768:
            raise Failed(f"letters of {letters} in a box of {width} are not the largest on a tablet")
        until(lambda: (inner.get_attribute("dir"), inner.get_attribute("data-scheme")) == ("rtl", "dark"), lambda: "the frame is not dressed")
        if "tablet" not in page.locator(".device").get_attribute("class"):
            raise Failed("the device is not a tablet")
        page.locator("[data-act=again]").click()
        shows(page, "Count 0")
        unbroken(page)


@case(54, run="element")
def a_language_is_chosen_before_it_runs_and_while_it_runs(browser):
    place = "/w/com.example.Greeting/1.0~1/try?screen=Greeting"
    for query, wanted in (("", "Good day"), ("&locale=de_AT", "Guten Tag")):
        with opened(browser, f"{place}{query}") as page:
            run(page)
            shows(page, wanted)
            unbroken(page)
    with opened(browser, "/w/com.example.Greeting") as page:
        run(page)
        for choose, wanted in ((lambda: None, "Good day"), (page.get_by_role("link", name="de", exact=True).click, "Guten Tag")):
            choose()
            shows(page, "Greet")
            tap(page, "go")
            shows(page, wanted)
        if "locale=de" not in page.url:
            raise Failed(f"the language leads to {page.url}")
        unbroken(page)


@case(54, run="element")
def what_a_widget_asks_of_its_app_is_said_below_it(browser):
    """And it is done by no one: the page stays."""
    with opened(browser, "/w/com.example.Speaking") as page:
        run(page)
        shows(page, "Speaking")
        tap(page, "go")
        log = page.locator("[data-act=log]")
        until(lambda: "https://example.com/7" in (log.text_content() or ""), lambda: f"the page says {log.text_content()!r}")
        if len(page.context.pages) != 1 or "/w/" not in page.url:
            raise Failed("the page follows a link of the widget")


@case(54, run="element")
def what_a_widget_keeps_ends_with_its_page(browser):
    with opened(browser, "/w/com.example.Counter") as page:
        run(page)
        shows(page, "Count 0")
        tap(page, "add")
        shows(page, "Count 1")
        page.reload()
        run(page)
        shows(page, "Count 0")


@case(54, run="element")
def the_inspector_says_why_each_value_is_as_it_is(browser):
    with opened(browser, f"{PLACE}/try?inspect") as page:
        run(page)
        shows(page, "Count 0")
        inspector = page.locator("[data-act=inspector]")
        inspector.get_by_role("heading", name="Budgets").wait_for()
        text = inspector.inner_text()
        for word in ("label count", "button add", "Open screens", "Log"):
            if word not in text:
                raise Failed(f"the inspector lacks {word!r}: {text[:2000]}")
        inspector.locator("summary", has_text="label count").click()
        row = inspector.locator("details[open] tr", has_text="Count 0")
        if "from" not in row.inner_text() or "Main.widgets.json" not in row.inner_text():
            raise Failed(f"a value has no origin: {row.inner_text()}")
        tap(page, "add")
        shows(page, "Count 1")
        page.get_by_role("button", name="Look again").press("Enter")
        until(lambda: "Count 1" in inspector.text_content(), lambda: "the inspector does not look again")
        for word in ("States", "Timeline", "tap add"):
            if word not in inspector.text_content():
                raise Failed(f"the inspector lacks {word!r}: {inspector.text_content()[:2000]}")
        page.get_by_role("button", name="Step back").press("Enter")
        until(lambda: "Count 0" in inspector.text_content(), lambda: "the inspector does not step back")
        shows(page, "Count 1")
        page.get_by_role("button", name="Step on").press("Enter")
        until(lambda: "as it is now" in inspector.text_content(), lambda: "the inspector does not come back")
        unbroken(page)


@case(54, run="element")
def stub_services_answer_unless_the_reader_has_the_servers_asked(browser):
    """The choice is the reader's; an answer that the browser withholds is said in words."""
    callers = []

    def word(request):
        callers.append({name: request.headers[name] for name in ("User-Agent", "Origin", "Cookie")})
        return b'{"word": "asked"}'

    open_site, closed_site = Site({"/word": word}), Site({"/word": word})
    closed_site.RequestHandlerClass = Withheld
    made = Registry(seeded=False, WIDGETD_PAGES_ENGINE=str(ENGINE / "engine.wasm"))
    try:
        made.publish(asking(open_site.address))
        made.publish(asking(closed_site.address, "Closed"))
        with opened(browser, "/w/com.example.Asking", made) as page:
            run(page)
            shows(page, "Got stubbed")
            if open_site.asked:
                raise Failed(f"the server was asked: {open_site.asked}")
            page.locator("[name=answers][value=servers]").check()
            shows(page, "Got asked")
            # By the browser, in the name of the page and without cookies, and by no one in its place.
            if not callers or any("Chrome" not in it["User-Agent"] or it["Origin"] != made.address or it["Cookie"] for it in callers):
                raise Failed(f"the server was asked by {callers}")
            unbroken(page)
        with opened(browser, "/w/com.example.Closed", made) as page:
            run(page)
            shows(page, "Got stubbed")
            page.locator("[name=answers][value=servers]").check()
            log = page.locator("[data-act=log]")
            until(lambda: "the browser gives no answer" in (log.text_content() or ""), lambda: f"the page says {log.text_content()!r}")
            if not closed_site.asked or "Got asked" in frame(page).locator("widget-view .page").inner_text():
                raise Failed(f"the server that keeps its answers was asked {closed_site.asked}")
        with opened(browser, "/w/com.example.Asking", made) as page:
            # A service that is away, or keeps its answers from pages, is the same for a page.
            open_site.shutdown()
            open_site.server_close()
            run(page)
            shows(page, "Got stubbed")
            page.locator("[name=answers][value=servers]").check()
            log = page.locator("[data-act=log]")
            until(lambda: "the browser gives no answer" in (log.text_content() or ""), lambda: f"the page says {log.text_content()!r}")
    finally:
        made.end()


@case(54, run="element")
def a_still_and_its_ways_without_script(browser):
    with opened(browser, "/w/com.example.Two/1.0~1/try", script=False) as page:
        if page.locator("[data-act=run]").is_visible() or not page.locator(".place .screen iframe").is_visible():
            raise Failed("without script there is a button, or no still")
        page.get_by_role("link", name="Second").click()
        if "screen=Second" not in page.url:
            raise Failed(f"the way leads to {page.url}")
        still = page.frame_locator(".screen iframe")
        if "Second screen" not in still.locator("body").inner_text():
            raise Failed("the still is not that of the second screen")


@case(54, run="element")
def a_screen_and_a_link_to_begin_with(browser):
    with opened(browser, "/w/com.example.Two/1.0~1/try?screen=Second") as page:
        run(page)
        shows(page, "Second screen")
        width = page.locator("widget-view").bounding_box()["width"]
        if width < 1270:
            raise Failed(f"alone in a window of 1280 it is {width} wide")
        unbroken(page)
    for query, wanted in (("", "The first"), ("?open=linked%3A%2F%2Fother", "Second screen")):
        with opened(browser, f"/w/com.example.Linked/1.0~1/try{query}") as page:
            run(page)
            shows(page, wanted)
            unbroken(page)


@case(54, run="element")
def a_server_without_an_engine_shows_stills_and_says_so(browser):
    made = Registry(seeded=False, WIDGETD_PAGES_ENGINE="/nowhere/engine.wasm")
    try:
        made.publish(COUNTER)
        for path in ("/w/com.example.Counter", PLACE, f"{PLACE}/try"):
            with opened(browser, path, made) as page:
                text = page.locator("main").inner_text()
                if "make wasm" not in text or page.locator("[data-act=run]").count() or not page.locator(".place .screen iframe").is_visible():
                    raise Failed(f"{path} says {text[:400]}")
                if page.locator("script").count():
                    raise Failed(f"{path} has a script")
    finally:
        made.end()


@case(54, run="element")
def readers_who_have_signed_in_run_what_is_closed_to_others(browser):
    made = Registry(seeded=False, WIDGETD_PAGES_ENGINE=str(ENGINE / "engine.wasm"), WIDGETD_ACCESS_READ="token")
    try:
        made.publish(COUNTER)
        for path in (PLACE, f"{PLACE}/bundle.zip", f"{PLACE}/try"):
            if made.ask(path)[0] != 401:
                raise Failed(f"{path} is {made.ask(path)[0]} without a session")
        with opened(browser, "/", made) as page:
            sign_in(page, made)
            page.goto(made.address + "/w/com.example.Counter")
            run(page)
            shows(page, "Count 0")
    finally:
        made.end()


@case(54, run="element")
def axe_finds_nothing_where_a_widget_runs_and_it_fits_a_small_phone(browser):
    for scheme in ("light", "dark"):
        for path in ("/w/com.example.Counter", PLACE, f"{PLACE}/try?inspect"):
            with opened(browser, path, width=320, height=640, scheme=scheme) as page:
                run(page)
                shows(page, "Count 0")
                if "try" not in path:
                    page.locator("[data-act=inspect]").click()
                page.locator("[data-act=inspector] h2").wait_for()
                wide = page.evaluate(WIDE)
                if wide:
                    raise Failed(f"{path} {scheme} is {wide} wider than 320")
                found = Axe().run(page, options=RULES).response["violations"]
                if found:
                    raise Failed(f"{path} {scheme}: " + "; ".join(f"{one['id']} at {one['nodes'][0]['target']}" for one in found))


@case(54, run="element")
def a_widget_that_ends_leaves_its_page(browser):
    """A widget at fault is said to have ended; the page may run it again."""
    with opened(browser, "/w/com.example.Counter") as page:
        page.route("**/bundle.zip", lambda route: route.fulfill(status=503, body="later"))
        run(page)
        until(lambda: "503" in said(page), lambda: f"the page says {said(page)!r}")
        page.unroute("**/bundle.zip")
        page.get_by_role("button", name="Run again").click()
        shows(page, "Count 0")

"""Widgets in a page of one's own: the example PageHost, with hostile styles around two widgets."""

import contextlib
import re
import subprocess

from harness import ROOT, Failed, case, program
from live import WATCH, until

TEMPLATE = re.compile(r"<template.*?</template>", re.DOTALL)
ELEMENT = re.compile(r"<widget-view.*?</widget-view>", re.DOTALL)
# One size for the element in all pages, so that a widget has the same room.
BOX = "widget-view{display:block!important;width:400px!important;height:320px!important;border:0!important;border-radius:0!important;max-height:none!important;margin:0!important}"
STYLES = """within => {
    const styles = it => Object.fromEntries([...getComputedStyle(it)].map(name => [name, getComputedStyle(it)[name]]));
    const all = root => [...root.querySelectorAll('*')];
    const elements = within == 'page' ? all(document) : all(document.querySelector(within).shadowRoot).filter(it => it.localName != 'link');
    return elements.map(it => [`${it.localName}.${it.className}#${it.id}`, styles(it)]);
}"""


class Site:
    """The example with its page, on a port of the system's choice."""

    def __init__(self):
        bundle = ROOT / "Examples/Hosts/Counter.bundle"
        self.process = subprocess.Popen(
            [program("PageHost", "PAGE_HOST"), str(bundle)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.process.stdout.readline())
        if not found:
            raise Failed("PageHost does not say its address")
        self.address = found[0]

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


@contextlib.contextmanager
def site():
    it = Site()
    try:
        yield it
    finally:
        it.close()


@contextlib.contextmanager
def visited(browser, address, scheme="light", script=True, change=None, box=False):
    """A page whose document a function changes on its way; it must not break the page's own policy."""
    context = browser.chromium.new_context(
        viewport={"width": 1000, "height": 900}, color_scheme=scheme, java_script_enabled=script)
    page = context.new_page()
    page.add_init_script(WATCH)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)

    def document(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=change(answer.text()) if change else answer.text())

    def sheet(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text() + BOX)

    page.route(address, document)
    if box:
        page.route("**/page.css", sheet)
    try:
        page.goto(address)
        page.wait_for_load_state("load")
        yield page
        faults = [fault for fault in faults if "favicon" not in fault]
        violations = page.evaluate("window.violations ?? []") if script else []
        if faults or violations:
            raise Failed(f"the page has faults: {faults} {violations}")
    finally:
        context.close()


def turned(html, direction):
    """The document and its widgets for readers of a direction."""
    return html.replace('<html lang="en">', f'<html lang="en" dir="{direction}">').replace('dir="ltr"', f'dir="{direction}"')


def same(what, first, second):
    """The computed styles of two lists of elements are equal."""
    if [name for name, _ in first] != [name for name, _ in second]:
        raise Failed(f"{what}: other elements: {[name for name, _ in first]} and {[name for name, _ in second]}")
    if not first:
        raise Failed(f"{what}: there are no elements")
    found = [f"{name}: {key}: {style[key]} and {other.get(key)}" for (name, style), (_, other) in zip(first, second)
             for key in style if style[key] != other.get(key)]
    if found:
        raise Failed(f"{what}: {len(found)} values differ: {found[:5]}")


@case(49)
def widgets_and_the_page_around_them_look_as_each_alone(browser):
    with site() as host:
        for scheme in ["light", "dark"]:
            for direction in ["ltr", "rtl"]:
                name = f"{scheme}, {direction}"

                def seen(change, *within):
                    with visited(browser, host.address, scheme, change=lambda html: turned(change(html), direction), box=True) as page:
                        return [page.evaluate(STYLES, it) for it in within]

                first, second, around = seen(
                    lambda html: html, "widget-view[data-slot=a]", "widget-view[data-slot=b]", "page")
                same(f"the page, {name}", *seen(lambda html: TEMPLATE.sub("", html), "page"), around)
                for letter, within in [("a", first), ("b", second)]:
                    def alone(html):
                        element = next(it for it in ELEMENT.findall(html) if f'data-slot="{letter}"' in it)
                        script = re.search(r"<script.*?</script>", html)[0]
                        return f'<!DOCTYPE html><html lang="en"><head><link rel="stylesheet" href="/box.css">{script}</head><body>{element}</body></html>'

                    def box(route):
                        route.fulfill(status=200, content_type="text/css", body=BOX)

                    context = browser.chromium.new_context(viewport={"width": 1000, "height": 900}, color_scheme=scheme)
                    page = context.new_page()
                    page.route("**/box.css", box)
                    page.route(host.address, lambda route: (lambda answer: route.fulfill(
                        response=answer, body=turned(alone(answer.text()), direction)))(route.fetch()))
                    page.goto(host.address)
                    page.wait_for_load_state("load")
                    found = page.evaluate(STYLES, f"widget-view[data-slot={letter}]")
                    context.close()
                    same(f"the widget {letter}, {name}", found, within)


@case(49, run="smoke")
def two_widgets_live_in_one_page(browser):
    with site() as host, visited(browser, host.address) as one, visited(browser, host.address) as other:
        def text(page, letter):
            return page.evaluate("letter => document.querySelector(`widget-view[data-slot=${letter}]`).shadowRoot.textContent", letter)

        one.locator("widget-view[data-slot=a] button:has-text('Add')").first.click()
        for page in [one, other]:
            until(lambda: "Counted to 1" in text(page, "a"), lambda: f"the widget shows {text(page, 'a')}")
        if "Counted to 0" not in text(one, "b"):
            raise Failed(f"the other widget has changed: {text(one, 'b')}")
        ids = one.evaluate("""() => [...document.querySelectorAll('widget-view')].flatMap(it => [...it.shadowRoot.querySelectorAll('[id]')]
            .map(element => element.id))""")
        if len(set(ids)) != len(ids) or not all(it[0] in "ab" for it in ids):
            raise Failed(f"identities meet: {ids}")
        # Back and a second tab have other elements.
        answer = one.request.get(host.address)
        if answer.headers.get("cache-control") != "no-store":
            raise Failed("the page may be kept by a cache")


@case(49)
def a_widget_in_a_page_is_a_form_without_script(browser):
    with site() as host, visited(browser, host.address, script=False) as page:
        page.locator("widget-view[data-slot=b] button:has-text('Add')").first.click()
        page.wait_for_load_state("load")
        if page.url != host.address:
            raise Failed(f"the form leads to {page.url}")
        found = page.locator("widget-view[data-slot=b]").first
        until(lambda: page.get_by_text("Counted to 1").count() == 1, lambda: f"the page shows {found.inner_text()}")


@case(49)
def an_element_is_moved_removed_and_put_back(browser):
    with site() as host, visited(browser, host.address) as page, visited(browser, host.address) as other:
        def add():
            other.locator("widget-view[data-slot=a] button:has-text('Add')").first.click()

        def shows(count):
            script = "() => document.querySelector('widget-view[data-slot=a]').shadowRoot.textContent"
            until(lambda: f"Counted to {count}" in page.evaluate(script), lambda: page.evaluate(script))

        page.evaluate("document.querySelector('header').append(document.querySelector('widget-view[data-slot=a]'))")
        add()
        shows(1)
        page.evaluate("window.kept = document.querySelector('widget-view[data-slot=a]'), kept.remove()")
        add()
        page.wait_for_timeout(300)
        page.evaluate("document.querySelector('.root').prepend(kept)")
        shows(2)
        add()
        shows(3)


@case(49)
def eight_widgets_share_the_connections_of_a_browser(browser):
    with site() as host:
        context = browser.chromium.new_context(viewport={"width": 1000, "height": 900})
        page = context.new_page()

        def document(route):
            answers = [route.fetch() for _ in range(4)]
            elements = [it for answer in answers for it in ELEMENT.findall(answer.text())]
            head, _, rest = answers[0].text().partition("<body>")
            route.fulfill(response=answers[0], body=f"{head}<body>{''.join(elements)}</body></html>")

        page.route(host.address, document)
        page.goto(host.address)
        shown = """() => [...document.querySelectorAll('widget-view')].map(it => it.shadowRoot.textContent.match(/Counted to (\\d+)/)[1])"""
        try:
            page.locator("widget-view").nth(7).locator("button:has-text('Add')").click()
            until(lambda: page.evaluate(shown)[7] == "1", lambda: f"the act has no effect: {page.evaluate(shown)}")
            page.locator("widget-view").nth(6).locator("button:has-text('Add')").click()
            until(lambda: page.evaluate(shown) == ["1"] * 8, lambda: f"the others stay behind: {page.evaluate(shown)}")
        finally:
            context.close()


@case(49)
def a_page_that_has_ended_is_begun_anew_with_what_was_typed(browser):
    with site() as host, visited(browser, host.address) as page:
        text = "() => document.querySelector('widget-view[data-slot=b]').shadowRoot.textContent"
        page.locator("widget-view[data-slot=b] button:has-text('Add')").first.click()
        until(lambda: "Counted to 1" in page.evaluate(text), lambda: page.evaluate(text))
        before = page.evaluate("document.querySelector('widget-view[data-slot=b]').dataset.live")
        # As when the tab was hidden for long.
        page.evaluate("live => fetch(live + '/end', {method: 'POST'})", before)
        until(lambda: page.evaluate("document.querySelector('widget-view[data-slot=b]').dataset.live") != before, "no page takes its place")
        page.locator("widget-view[data-slot=b] button:has-text('Add')").first.click()
        until(lambda: "Counted to 2" in page.evaluate(text), lambda: page.evaluate(text))

"""The workbench of an author's pages: the faults of a program, and switches for the reader and the device."""

import copy
import re

from harness import Failed, again, case
from live import bundle, named, reads, save, served, until, valid, visit

GOOD = {"schema": 1, "state": {"name": ""}, "root": [
    {"kind": "label", "id": "shown", "payload": {"text": {"$": ["Hello ", "$name"]}}},
    {"kind": "textfield", "id": "name", "payload": {"value": "$name", "placeholder": "Your name"}}]}


def broken():
    """With a kind that nothing has, and an expression that ends too early."""
    document = copy.deepcopy(GOOD)
    document["root"][1]["kind"] = "textfeld"
    document["root"][0]["payload"]["text"] = {"$": "name +"}
    return document


def bench(page):
    return page.locator("body > .bench")


def says(page, *texts, without=()):
    """Waits until the workbench says some texts, and others no longer."""
    def is_there():
        if not page.has_script:
            again(page)
        said = bench(page).inner_text()
        return all(text in said for text in texts) and not any(text in said for text in without)

    until(is_there, lambda: f"{texts} without {without} is not in {bench(page).inner_text()[:1500]}")


def chooses(page, name, selector):
    """Presses a switch, and waits for what that makes true of the page."""
    if not bench(page).locator("details.looks[open]").count():
        bench(page).locator(".looks summary").click()
    bench(page).get_by_role("button", name=name, exact=True).click()
    pressed = bench(page).locator("[aria-pressed=true]").get_by_text(name, exact=True)
    until(lambda: pressed.count() and page.locator(selector).count(), f"{selector} does not come after {name}")


def breaks_and_mends(browser, script):
    subject = bundle(Main=GOOD)
    with served(subject, bare=False) as server, visit(browser, server.origin, script=script) as page:
        named(page, "name").fill("Ann")
        if not script:
            with page.expect_navigation():
                page.keyboard.press("Enter")
        reads(page, "Hello Ann")
        save(subject, "Main", broken())
        says(page, "2 errors", "Main.widgets.json:1:", "root[1].kind", "No kind is called textfeld", "did you mean textfield?",
             "name +")
        reads(page, "Hello Ann")
        if named(page, "name").input_value() != "Ann":
            raise Failed("the last good widget has lost what was typed")
        valid(server, re.sub(r"^https?://[^/]*", "", page.url))
        valid(server, "/")
        save(subject, "Main", GOOD)
        says(page, "Look", without=("error", "textfeld"))
        reads(page, "Hello Ann")
        said = server.log.read_text()
        if said.count("No kind is called textfeld") != 1 or "hint: did you mean textfield?" not in said:
            raise Failed(f"the terminal says {said}")


@case(51, run="smoke")
def a_save_that_breaks_something_is_listed_and_the_widget_continues(browser):
    breaks_and_mends(browser, script=True)


@case(51)
def a_save_that_breaks_something_is_listed_without_script(browser):
    breaks_and_mends(browser, script=False)


@case(51)
def an_error_that_is_there_at_first_is_listed_too(browser):
    for script in (True, False):
        with served(bundle(Main=broken()), bare=False) as server:
            with visit(browser, server.origin, script=script, run=False) as page:
                says(page, "2 errors", "did you mean textfield?")


def switches(browser, script):
    with served(bundle(Main=GOOD), bare=False) as server:
        with visit(browser, server.origin, script=script, width=1_024, height=900) as page:
            named(page, "name").fill("Ann")
            if script:
                reads(page, "Hello Ann")
            # Without script the press itself sends what was typed.
            chooses(page, "Dark", "meta[content=dark]")
            reads(page, "Hello Ann")
            chooses(page, "Small phone", "main")
            box = page.locator("main").bounding_box()
            if (box["width"], box["height"]) != (320, 568):
                raise Failed(f"a small phone is {box}")
            chooses(page, "Right to left", "html[dir=rtl]")
            before = named(page, "shown").evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
            chooses(page, "AX3", "main")
            until(lambda: named(page, "shown").evaluate("it => parseFloat(getComputedStyle(it).fontSize)") > 1.5 * before,
                  "the text does not grow")
            if not page.locator("html[dir=rtl] meta[content=dark]").count():
                raise Failed("a switch has undone the others")
            if script and page.evaluate("() => document.activeElement.textContent") != "AX3":
                raise Failed("the switch that was pressed has lost the focus")
            reads(page, "Hello Ann")
            if bench(page).evaluate("it => document.querySelector('main').contains(it)"):
                raise Failed("the workbench is within the widget")
            valid(server, re.sub(r"^https?://[^/]*", "", page.url))
            chooses(page, "Window", "main")
            bench(page).get_by_role("link", name="ar", exact=True).click()
            page.wait_for_selector("html[lang=ar][dir=rtl]")


@case(51, run="smoke")
def switches_change_the_look_and_keep_what_was_typed(browser):
    switches(browser, script=True)


@case(51)
def switches_work_without_script(browser):
    switches(browser, script=False)


@case(51)
def a_first_screen_without_script_has_switches_that_begin_the_widget(browser):
    with served(bundle(Main=GOOD), bare=False) as server:
        with visit(browser, server.origin, script=False, run=False) as page:
            chooses(page, "Dark", "meta[content=dark]")
            if "/live/" not in page.url:
                raise Failed(f"the widget has not begun at {page.url}")


@case(51)
def switches_are_reached_by_keys_and_fit_a_small_window(browser):
    for scheme in ("light", "dark"):
        with served(bundle(Main=broken()), bare=False) as server:
            with visit(browser, server.origin, width=320, height=480, color_scheme=scheme) as page:
                page.locator(".looks summary").focus()
                page.keyboard.press("Enter")
                page.keyboard.press("Tab")
                if page.evaluate("() => document.activeElement.textContent") != "Window":
                    raise Failed("the first switch does not come after its summary")
                wide = page.evaluate("() => document.documentElement.scrollWidth")
                if wide > 320:
                    raise Failed(f"the page is {wide} wide in a window of 320")
                small = bench(page).locator("button, a, summary").evaluate_all(
                    "all => all.filter(it => { const box = it.getBoundingClientRect(); return box.width < 24 || box.height < 24 })"
                    ".map(it => it.textContent)")
                if small:
                    raise Failed(f"{small} are too small to be touched")
                page.keyboard.press("Tab")
                page.keyboard.press("Enter")
                page.wait_for_selector("button[aria-pressed=true]:text-is('Small phone')")

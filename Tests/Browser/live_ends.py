"""What becomes of a live page when it is left, when its server begins anew, and when its program is replaced."""

import json

from harness import CHROMIUM, Failed, case
from live import agrees, begin, named, save, served, until, visit, watched
from live_material import desk


def focus(page):
    return page.evaluate("document.activeElement.outerHTML.slice(0, 200)")


@case(34)
def back_and_forward_bring_a_live_page_back(browser):
    # Drivers of browsers switch the cache of whole pages off, which is what this is about.
    chromium = browser.playwright.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--enable-features=BackForwardCache"],
        ignore_default_args=["--disable-back-forward-cache"])
    try:
        with served(desk()) as server:
            context = chromium.new_context()
            page = watched(context)
            page.goto(server.origin)
            begin(page)
            page.evaluate("() => { window.mark = 1; addEventListener('pageshow', event => window.persisted = event.persisted) }")
            # A page that is left at once takes with it what it has not sent yet.
            with page.expect_response("**/actions"):
                named(page, "plain").fill("typed")
            with page.expect_response("**/actions"):
                named(page, "bumpLater").click()
            address = page.url
            sheet = page.evaluate("() => document.querySelector('link[rel=stylesheet]').href")
            page.goto(sheet)
            page.wait_for_timeout(900)
            page.go_back()
            if page.url != address:
                raise Failed(f"Back leads to {page.url}")
            kept = page.evaluate("() => !!window.mark && window.persisted === true")
            until(lambda: "Count 1" in page.locator("main").inner_text(), "a page from the cache is not brought up to date")
            if named(page, "plain").input_value() != "typed":
                raise Failed("what was typed is gone after Back")
            named(page, "bump").click()
            until(lambda: "Count 2" in page.locator("main").inner_text(), "a page from the cache does not go further")
            page.go_forward()
            page.go_back()
            named(page, "bump").click()
            until(lambda: "Count 3" in page.locator("main").inner_text(), "a page that came back twice does not go further")
            # A browser that has thrown the page away, as it may, does not ask its script to begin again: so it is asked here.
            page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
            named(page, "bump").click()
            page.wait_for_timeout(300)
            if "Count 4" in page.locator("main").inner_text():
                raise Failed("a page in the cache holds its stream")
            page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
            until(lambda: "Count 4" in page.locator("main").inner_text(), "a page that is shown again stays as it was")
            agrees(browser, server, page)
            if page.messages:
                raise Failed(f"the console said {page.messages[:5]}")
            return "from the cache" if kept else "this browser loads the page again"
    finally:
        chromium.close()


@case(35)
def what_was_typed_comes_back_when_the_server_begins_anew(browser):
    lost = ["Failed to load resource|ERR_|net::"]
    with served(desk()) as server, visit(browser, server.origin, expected=lost) as page:
        named(page, "plain").fill("typed before")
        named(page, "loud").fill("quiet")
        until(lambda: named(page, "loud").input_value() == "QUIET", "the field is not loud")
        address = page.url
        server.stop()
        named(page, "plain").press("End")
        page.keyboard.type(" and while it was away")
        server.start()
        until(lambda: page.evaluate("location.href") != address, "the page does not begin anew")
        has = lambda: [named(page, id).input_value() for id in ("plain", "loud")]
        until(lambda: has() == ["typed before and while it was away", "QUIET"],
              lambda: f"after the server began anew the fields have {has()}")
        named(page, "bump").click()
        until(lambda: "Count 1" in page.locator("main").inner_text(), "the new viewing does not take a tap")
        agrees(browser, server, page)


@case(36)
def a_program_is_replaced_under_a_person_who_types(browser):
    subject = desk()
    source = json.loads((subject / "Main.widgets.json").read_text())
    with served(subject) as server, visit(browser, server.origin) as page:
        revision = lambda: int(page.evaluate("document.documentElement.dataset.revision || 0"))
        attempt = lambda: int(page.evaluate("document.documentElement.dataset.attempt || 0"))
        note = lambda: page.locator("#a-s").inner_text()
        field, first, tried = named(page, "plain"), revision(), attempt()
        field.focus()
        text = "".join(chr(97 + place % 26) for place in range(60))
        for place, letter in enumerate(text):
            page.keyboard.type(letter)
            page.wait_for_timeout(25)
            if place in (15, 40):
                source["root"]["children"][1]["payload"]["text"] = {"$": [f"Version {place} ", "$said"]}
                save(subject, "Main", source)
        until(lambda: "Version 40 nothing" in page.locator("main").inner_text(), "the new program is not shown")
        if field.input_value() != text or not field.evaluate("it => it === document.activeElement"):
            raise Failed(f"of {text} there is {field.input_value()!r}, focus {focus(page)}")
        if revision() < first + 1 or attempt() <= tried:
            raise Failed(f"the revision went from {first} to {revision()}, the attempt from {tried} to {attempt()}")
        agrees(browser, server, page)
        good, now, shown = revision(), attempt(), page.locator("main").inner_text()
        save(subject, "Main", "[ { \"kind\": \"label\", ")
        until(lambda: "Main.widgets.json" in note(), "a broken save is not shown")
        over = page.locator("main").inner_text()
        if over != shown or revision() != good or attempt() <= now:
            raise Failed(f"a broken save shows {note()!r}, revision {revision()} of {good}, over {over[:300]}")
        page.keyboard.type(" more")
        until(lambda: field.input_value() == text + " more", "a person cannot type after a broken save")
        said = note()
        source["root"]["children"][1]["payload"]["text"] = {"$": ["Mended ", "$said"]}
        save(subject, "Main", source)
        until(lambda: "Mended nothing" in page.locator("main").inner_text() and note().startswith("revision"),
              lambda: f"after a save that mends the line says {note()!r}")
        if field.input_value() != text + " more":
            raise Failed(f"after the save that mends the field has {field.input_value()!r}")
        agrees(browser, server, page)
        return said[:160]

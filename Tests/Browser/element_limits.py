"""What a widget of an element may ask and keep: the app's own hand, redirects, lengths, and whose values are whose."""

import json

from element import COUNTER, ENGINE, TEXT, await_event, element, feed, heard, host_page, opened, shows
from harness import Failed, case
from live import until


@case(53, run="element")
def the_app_has_a_hand_on_each_granted_request(browser):
    def word(request):
        return json.dumps({"word": request.headers.get("X-App", "nothing")}).encode()

    for attributes in ("", "sandbox"):
        with opened(browser, {"/page.html": host_page(), "/a.zip": feed, "/api/word": word}) as page:
            page.evaluate("""attributes => {
                document.body.innerHTML = `<widget-view grant="/api/" ${attributes}></widget-view>`
                const view = document.querySelector('widget-view')
                view.request = (address, settings) => fetch(address, { ...settings, headers: new Headers([...settings.headers, ['X-App', '7']]) })
                view.src = '/a.zip'
            }""", attributes)
            await_event(page, "ready")
            within = page.frames[1] if attributes else page
            until(lambda: "Got 7" in within.evaluate(TEXT), lambda: f"{attributes}: {within.evaluate(TEXT)!r} {page.evaluate('heard')}")


@case(53, run="element")
def answers_that_lead_elsewhere_or_are_too_long_are_errors(browser):
    for answer, words in (((302, b"/api/other"), "the browser gives no answer"), (b'{"word":"' + b"x" * (8 << 20) + b'"}', "longer than 8 MB")):
        files = {"/page.html": host_page(element(attributes='grant="/api/"')), "/a.zip": feed, "/api/word": answer, "/api/other": b'{"word":"gold"}'}
        with opened(browser, files, faults_allowed=True) as page:
            await_event(page, "ready")
            until(lambda: words in page.evaluate(TEXT) + json.dumps(page.evaluate("heard")),
                  lambda: f"not {words!r}: {page.evaluate(TEXT)!r} {page.evaluate('heard')}")
            if "/api/other" in page.site.asked:
                raise Failed("the redirect was followed")


@case(53, run="element")
def an_archive_may_lie_elsewhere(browser):
    with opened(browser, {"/page.html": host_page(element("/moved.zip")), "/moved.zip": (302, b"/a.zip"), "/a.zip": COUNTER}) as page:
        shows(page, "Count 0")


@case(53, run="element")
def values_belong_to_a_source_or_to_an_instance(browser):
    views = [element(), element(), element(attributes="instance=one"), element(attributes="instance=two sandbox")]
    context = browser.chromium.new_context(viewport={"width": 420, "height": 2700})
    try:
        with opened(browser, {"/page.html": host_page(*views), "/a.zip": COUNTER}, context=context) as page:
            until(lambda: len(heard(page, "ready")) == 4, lambda: f"{page.evaluate('heard')}")
            for place, count in ((0, 1), (2, 2)):
                for number in range(1, count + 1):
                    page.locator("widget-view").nth(place).locator("[data-id=add]").click()
                    shows(page, f"Count {number}", place)
            page.reload()
            until(lambda: len(heard(page, "ready")) == 4, lambda: f"{page.evaluate('heard')}")
            for place, count in ((0, 1), (1, 1), (2, 2)):
                shows(page, f"Count {count}", place)
            until(lambda: "Count 0" in page.frames[1].evaluate(TEXT), lambda: page.frames[1].evaluate(TEXT))
    finally:
        context.close()


@case(53, run="element")
def two_tabs_keep_the_records_of_both_and_no_widget_keeps_more_than_its_share(browser):
    script = (ENGINE / "widget-view.js").read_text() + "\nglobalThis.parts = { KeptValues, BrowserStore }\n"
    context = browser.chromium.new_context()
    try:
        files = {"/page.html": host_page(), "/widget-view.js": script.encode()}
        with opened(browser, files, context=context) as page:
            other = context.new_page()
            other.goto(page.site.address + "/page.html")
            begin = """async () => {
                window.values = new parts.KeptValues(parts.BrowserStore.shared, 'here mine')
                return (await values.load(new AbortController().signal)).records ?? null
            }"""
            keep = "([number, text]) => values.save({ records: [[number, 'Note', { text }]] }).then(() => 'kept', fault => fault.code)"
            first, second = page.evaluate(begin), other.evaluate(begin)
            if first is not None or second["records"] != [[10_000, "", None]]:
                raise Failed(f"the tabs number their records alike: {first} {second}")
            said = [page.evaluate(keep, [1, "one"]), other.evaluate(keep, [10_001, "two"]), page.evaluate(keep, [2, "x" * (16 << 20)])]
            if said != ["kept", "kept", "limit"]:
                raise Failed(f"{said}")
            kept = other.evaluate("parts.BrowserStore.shared.get('state', 'values here mine').then(it => it.records)")
            if kept != {"1": ["Note", {"text": "one"}], "10001": ["Note", {"text": "two"}]}:
                raise Failed(f"{str(kept)[:300]}")
    finally:
        context.close()

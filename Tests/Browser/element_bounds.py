"""The element beside strangers, in numbers, and for readers who do not see it."""

import time

from axe_playwright_python.sync_playwright import Axe

from element import COUNTER, EVENTS, POLICY, Site, archive, await_event, document, element, heard, host_page, opened, shows
from harness import ROOT, SAMPLES, Failed, case, folder, widget
from live import until

# Widgets that a stranger has published to hurt the page: they change without pause, fill memory, or grow with each touch.
HOSTILE = {
    "changes without pause": document(
        [{"kind": "label", "payload": {"text": {"$": ["Turn ", "$n"]}}}], state={"n": 0},
        on={"change($n)": {"initial": True, "then": [{"do": "after", "seconds": 0.01, "then": {"do": "set", "state": "n", "to": {"$": "n + 1"}}}]}}),
    "texts of megabytes": document(
        [{"kind": "label", "payload": {"text": {"$": ["$t"] * 64}}} for _ in range(400)], state={"t": "y" * 20_000}),
    "a pattern that backtracks": document(
        [{"kind": "label", "payload": {"text": {"$": "TERNARY('" + "a" * 5_000 + "!' MATCHES '(a+)+b', 'yes', 'no')"}}}]),
    "markup in every text": document(
        [{"kind": "label", "payload": {"text": text}} for text in
         ("</p><script>alert(1)</script>", "\" onclick=\"alert(1)", "<img src=x onerror=alert(1)>", "javascript:alert(1)")]
        + [{"kind": "textfield", "payload": {"value": "$x", "placeholder": "\"><svg onload=alert(1)>"}}], state={"x": "'><b>"}),
    "two thousand elements": document(
        [{"kind": "hstack", "children": [{"kind": "button", "payload": {"text": f"{row} {place}"}} for place in range(20)]} for row in range(100)]),
}


@case(53, run="element")
def hostile_widgets_leave_the_page_usable(browser):
    """The page's own clicks are answered, its origin is not reached, and each widget shows or ends with a sentence."""
    said = []
    for name, text in HOSTILE.items():
        for attributes in ("", "sandbox"):
            files = {"/page.html": host_page(element(attributes=attributes), element("/good.zip"), body="<button id=mine>Mine</button>"),
                     "/a.zip": archive("Hostile", text), "/good.zip": COUNTER}
            with opened(browser, files, faults_allowed=True) as page:
                page.on("dialog", lambda dialog: (_ for _ in ()).throw(Failed("a script ran")))
                page.evaluate("void (secret = 'kept', mine.onclick = () => mine.dataset.clicks = +(mine.dataset.clicks ?? 0) + 1)")
                until(lambda: len(heard(page, "ready")) + len(heard(page, "fault")) >= 2, lambda: f"{name}: {page.evaluate('heard')}")
                for _ in range(3):
                    page.locator("#mine").click()
                longest = page.evaluate("""new Promise(done => {
                    let last = performance.now(), longest = 0, left = 40
                    const look = () => {
                        const now = performance.now()
                        longest = Math.max(longest, now - last)
                        last = now
                        left-- ? setTimeout(look, 25) : done(longest)
                    }
                    look()
                })""")
                if page.evaluate("mine.dataset.clicks") != "3" or page.evaluate("secret") != "kept":
                    raise Failed(f"{name}: the page is not as it was")
                page.locator("widget-view").nth(1).locator("[data-id=add]").click()
                shows(page, "Count 1", 1)
                if page.evaluate("document.querySelectorAll('script').length") != 1:
                    raise Failed(f"{name}: there are more scripts")
                said.append(f"{name}{', ' + attributes if attributes else ''}: {longest:.0f} ms")
    return "the longest wait of the page: " + "; ".join(said)


@case(53, run="element")
def axe_finds_nothing_in_elements(browser):
    count = 0
    for name in ("HarbourLog", "Herbarium", "Orchestra"):
        out = folder() / f"{name}.zip"
        widget("build", ROOT / f"Bundles/{name}", "-o", out, "-q")
        for scheme in ("light", "dark"):
            page_bytes = host_page(f"<main><h1>Mine</h1>{element()}</main>")
            with opened(browser, {"/page.html": page_bytes, "/a.zip": out.read_bytes()}, scheme=scheme, policy=POLICY.replace("script-src", "script-src 'unsafe-eval'")) as page:
                await_event(page, "ready")
                found = Axe().run(page)
                wrong = [f"{one['id']} at {[node['target'] for node in one['nodes']][:3]}" for one in found.response["violations"]]
                if wrong:
                    raise Failed(f"{name}, {scheme}: {'; '.join(wrong)}")
                count += 1
    return f"{count} pages"


@case(53, run="element")
def twenty_widgets_share_eight_workers(browser):
    with opened(browser, {"/page.html": host_page(*[element() for _ in range(20)]), "/a.zip": COUNTER}, height=14_000) as page:
        until(lambda: len(heard(page, "ready")) == 20, lambda: f"{len(heard(page, 'ready'))} of 20 are ready: {heard(page, 'fault')[:2]}")
        page.locator("widget-view").nth(19).locator("[data-id=add]").click()
        shows(page, "Count 1", 19)
        shows(page, "Count 0", 18)
        if len(page.workers) > 8:
            raise Failed(f"{len(page.workers)} workers")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        values = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        return f"{len(page.workers)} workers, {values['JSHeapUsedSize'] / 1e6:.1f} MB of the page's heap"


@case(53, run="element")
def first_views_are_fast(browser):
    """Milliseconds from the start of the navigation to the first view, the engine from the network or from the browser's cache."""
    out = folder() / "demo.zip"
    demo = SAMPLES / "WidgetDemo"
    subject = next((path for path in (demo, ROOT / "Bundles/HarbourLog") if path.exists()))
    widget("pack" if subject == demo else "build", subject, "-o", out, "-q")
    files = {"/page.html": host_page(element()), "/a.zip": out.read_bytes()}
    times = []
    context = browser.chromium.new_context(viewport={"width": 420, "height": 760})
    try:
        site = Site(files)
        for _ in range(4):
            page = context.new_page()
            page.add_init_script(EVENTS + "addEventListener('ready', () => window.readyAt = performance.now(), true)")
            page.goto(site.address + "/page.html")
            until(lambda: page.evaluate("window.readyAt"), lambda: f"not ready: {page.evaluate('heard')}")
            times.append(page.evaluate("readyAt"))
            time.sleep(1)
            page.close()
        site.shutdown()
        site.server_close()
    finally:
        context.close()
    return f"{subject.name}: {times[0]:.0f} ms at first, then {', '.join(f'{it:.0f}' for it in times[1:])}"

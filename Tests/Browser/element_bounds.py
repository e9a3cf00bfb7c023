"""The element beside strangers, in numbers, and for readers who do not see it."""

import hashlib
import io
import json
import os
import pathlib
import re
import time
import zipfile

from axe_playwright_python.sync_playwright import Axe

from element import (COUNTER, ENGINE, EVENTS, POLICY, Site, archive, await_event, document, element, heard, host_page, info, opened,
                     shows)
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
        # Its workers have their memory in the same process, which is the largest of those that draw pages.
        largest = max(resident(pid) for pid in os.listdir("/proc") if pid.isdigit())
        return f"{len(page.workers)} workers, {values['JSHeapUsedSize'] / 1e6:.1f} MB of the page's heap, {largest / 1e6:.0f} MB of its process"


def resident(pid):
    """The private bytes of a process that draws pages."""
    try:
        if b"--type=renderer" not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
            return 0
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(size) << 10 for size in re.findall(r"^Private_(?:Clean|Dirty): +(\d+)", lines, re.M))


@case(53, run="element")
def first_views_are_fast(browser):
    """Milliseconds from the start of the navigation to the first view, the engine from the network or from the browser's cache."""
    out = SAMPLES / "WidgetDemo.zip"
    if not out.exists():
        out = folder() / "HarbourLog.zip"
        widget("build", ROOT / "Bundles/HarbourLog", "-o", out, "-q")
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
    return f"{out.stem}: {times[0]:.0f} ms at first, then {', '.join(f'{it:.0f}' for it in times[1:])}"


@case(53, run="element")
def an_element_follows_what_its_page_does_with_it(browser):
    """Attributes that come late, properties that are switches, an element that is moved in a frame or removed and put back."""
    with opened(browser, {"/page.html": host_page("<div id=one></div><div id=two></div>"), "/a.zip": COUNTER}) as page:
        page.evaluate("void (view = document.createElement('widget-view'), one.append(view), view.src = '/a.zip')")
        shows(page, "Count 0")
        page.evaluate("view.locale = 'de-AT'")
        until(lambda: page.evaluate("view.shadowRoot.querySelector('.page')?.lang") == "de-AT", "the language did not change")
        page.evaluate("view.remove()")
        time.sleep(0.3)
        page.evaluate("two.append(view)")
        shows(page, "Count 0")
        if page.evaluate("(view.history = true, view.history === true && (view.history = false, !view.hasAttribute('history')))") is not True:
            raise Failed("a switch cannot be switched off")
        page.evaluate("view.sandbox = true")

        def is_in_a_frame():
            # The driver hears of frames while it asks.
            page.evaluate("1")
            within = "document.querySelector('widget-view')?.shadowRoot?.textContent.includes('Count 0')"
            return len(page.frames) == 2 and page.frames[1].evaluate(within)

        until(is_in_a_frame, "it did not go into a frame")
        page.evaluate("one.append(view)")
        until(is_in_a_frame, "a frame that was moved stays empty")


@case(53, run="element")
def a_field_keeps_its_focus_when_the_box_changes(browser):
    """As when the keyboard of a phone takes half of the screen, and the screen is turned."""
    with opened(browser, {"/page.html": host_page(element()), "/a.zip": COUNTER}) as page:
        shows(page, "Count 0")
        page.locator("widget-view input").click()
        page.keyboard.type("Ada")
        shows(page, "Hello Ada")
        for style in ("height:300px", "height:300px;width:320px"):
            page.evaluate("""style => {
                const sheet = new CSSStyleSheet()
                sheet.replaceSync(`widget-view{${style}}`)
                document.adoptedStyleSheets = [sheet]
                window.resized = new Promise(done => document.querySelector('widget-view').addEventListener('resize', done, { once: true }))
            }""", style)
            page.evaluate("resized.then(() => 1)")
            focused = page.evaluate("document.querySelector('widget-view').shadowRoot.activeElement?.dataset.id")
            if focused != "name":
                raise Failed(f"{style}: the focus is on {focused}")
        page.keyboard.type(" B")
        shows(page, "Hello Ada B")


@case(53, run="element")
def what_a_widget_says_late_is_kept_where_its_values_are(browser):
    """Its source changes while the answer to a touch is on its way."""
    files = {"/page.html": host_page(element()), "/a.zip": COUNTER, "/b.zip": COUNTER}
    context = browser.chromium.new_context(viewport={"width": 420, "height": 760})
    try:
        with opened(browser, files, context=context) as page:
            shows(page, "Count 0")
            page.evaluate("""() => {
                const view = document.querySelector('widget-view')
                view.shadowRoot.querySelector('[data-id=add]').click()
                queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => { view.src = '/b.zip' })))
            }""")
            until(lambda: len(heard(page, "ready")) == 2, lambda: f"the other did not begin: {page.evaluate('heard')}")
            shows(page, "Count 0")
            page.reload()
            shows(page, "Count 1")
    finally:
        context.close()


@case(53, run="element")
def a_text_that_looks_like_the_address_of_a_picture_is_a_text(browser):
    text = document([{"kind": "label", "payload": {"text": "widget-picture:x and widget-picture-1-2:y"}}])
    with opened(browser, {"/page.html": host_page(element()), "/a.zip": archive("Texts", text)}) as page:
        shows(page, "widget-picture:x and widget-picture-1-2:y")


@case(53, run="element")
def a_release_that_cannot_be_opened_gives_way_and_one_that_two_elements_begin_stays(browser):
    """A registry of files: two elements begin its first release together; its second one cannot be opened."""
    def resolved(name, version, sequence, packed):
        return lambda request: json.dumps(document_of(name, version, sequence, packed)).encode()

    def document_of(name, version, sequence, packed):
        with zipfile.ZipFile(io.BytesIO(packed)) as read:
            files = []
            for entry in sorted((one for one in read.infolist() if not one.is_dir()), key=lambda one: one.filename.split("/", 1)[1].encode()):
                data = read.read(entry)
                at = entry.header_offset + 30 + len(entry.filename.encode()) + int.from_bytes(packed[entry.header_offset + 28:entry.header_offset + 30], "little")
                files.append({"path": entry.filename.split("/", 1)[1], "size": entry.file_size, "sha256": hashlib.sha256(data).hexdigest(),
                              "offset": at, "compressedSize": entry.compress_size, "method": "deflate" if entry.compress_type else "stored"})
        content = hashlib.sha256("".join(f"{one['path']}\0{one['size']}\0{one['sha256']}\n" for one in files).encode()).hexdigest()
        digest = hashlib.sha256(packed).hexdigest()
        return {"widgetIdentifier": f"com.example.{name}-1", "bundleIdentifier": f"com.example.{name}", "channel": "stable", "sequence": sequence,
                "upToDate": False, "mandatory": False, "salt": "s", "candidates": [
                    {"buckets": [0, 10000], "release": f"{version}~1", "sha256": digest, "content": content, "size": len(packed), "name": name,
                     "url": f"/v1/blobs/sha256/{digest}", "files": files}]}

    def published(version, text):
        """An archive as a registry writes it."""
        source = folder() / "Trial"
        source.mkdir()
        (source / "Info.plist").write_text(info("Trial").replace("</dict>", f"<key>CFBundleShortVersionString</key><string>{version}</string></dict>"))
        (source / "Main.widgets.json").write_text(text)
        out = folder() / "Trial.zip"
        widget("build", source, "-o", out, "-q")
        return out.read_bytes()

    good = published("1.0", document([{"kind": "label", "payload": {"text": "The good one"}}]))
    bad = published("1.1", document([{"kind": "label", "payload": {"text": "The bad one, which is longer"}}]))
    element_of = element("/v1/widgets/com.example.Trial-1")
    files = {"/page.html": host_page(element_of, element_of)}
    for packed in (good, bad):
        digest = hashlib.sha256(packed).hexdigest()
        files[f"/v1/blobs/sha256/{digest}"] = packed
    files["/v1/widgets/com.example.Trial-1"] = resolved("Trial", "1.0", 1, good)
    script = (ENGINE / "widget-view.js").read_text()
    hook = "      const seat = seats.get(widget) ?? new EngineSeat(engine)\n"
    if hook not in script:
        raise Failed("the worker is not as this case knows it")
    # A worker that cannot open the second release.
    refuses = (f"      for (const [name, , files] of calls) if (name == 'open' && files.archive.length == {len(bad)}) "
               "throw Object.assign(new Error('it cannot be opened'), { code: 'trap' })\n")
    script = script.replace(hook, hook + refuses)
    files["/widget-view.js"] = script.encode()
    context = browser.chromium.new_context(viewport={"width": 420, "height": 1600})
    try:
        with opened(browser, files, context=context, faults_allowed=True) as page:
            for place in (0, 1):
                shows(page, "The good one", place)
            time.sleep(0.5)
            page.reload()
            for place in (0, 1):
                shows(page, "The good one", place)
            time.sleep(0.5)
            page.site.files["/v1/widgets/com.example.Trial-1"] = resolved("Trial", "1.1", 2, bad)
            for _ in range(2):
                page.reload()
                for place in (0, 1):
                    shows(page, "The good one", place)
                time.sleep(0.5)
    finally:
        context.close()


@case(53, run="element")
def a_page_may_speak_to_its_element_before_the_script_comes(browser):
    """Properties that were set on an element that was not yet one."""
    early = "const view = document.querySelector('widget-view'); view.scheme = 'light'; view.textSize = 'XL'; view.src = '/a.zip'"
    page_of = (f'<!doctype html><html lang="en"><title>Mine</title><body><widget-view></widget-view><script src="/early.js"></script>'
               f'<script type="module" src="/widget-view.js"></script>').encode()
    with opened(browser, {"/page.html": page_of, "/early.js": early.encode(), "/a.zip": COUNTER}) as page:
        shows(page, "Count 0")
        page.evaluate("document.querySelector('widget-view').scheme = 'dark'")
        found = page.evaluate("['scheme', 'text-size'].map(name => document.querySelector('widget-view').getAttribute(name))")
        if found != ["dark", "XL"]:
            raise Failed(f"the attributes are {found}")


@case(53, run="element")
def what_fails_says_where_and_what_to_do(browser):
    def fault_of(files, attributes="", source="/a.zip", **more):
        with opened(browser, {"/page.html": host_page(element(source, attributes)), **files}, faults_allowed="all", **more) as page:
            await_event(page, "fault")
            shows_it = page.locator("widget-view .fault").first
            shows_it.wait_for(state="visible")
            return heard(page, "fault")[-1] | {"shown": shows_it.inner_text()}

    def deaf(request):
        return (404, b"none") if request.headers.get("Sec-Fetch-Mode") == "cors" and request.headers.get("Origin") == "null" else SCRIPT

    script = (ENGINE / "widget-view.js").read_bytes()
    SCRIPT = script
    blind = POLICY.replace("blob:; connect", "; connect")
    for fault, code, words in (
        (fault_of({}, source="/none.zip"), "status", "/none.zip answers 404"),
        (fault_of({"/a.zip": COUNTER}, source="http://127.0.0.1:9/a.zip", grants="http://127.0.0.1:9"), "transfer", "connect-src"),
        (fault_of({"/a.zip": COUNTER}, 'text-size="HUGE"'), "misuse", "The attribute text-size"),
        (fault_of({"/a.zip": COUNTER}, policy=blind), "worker", "worker-src"),
        (fault_of({"/a.zip": COUNTER, "/widget-view.js": deaf}, "sandbox"), "engine", "widget-view.js did not come"),
    ):
        if fault["code"] != code or words not in fault["message"] or fault["shown"] != fault["message"]:
            raise Failed(f"not {code} with {words!r}: {fault}")
        if fault["message"].startswith(f"{code}:"):
            raise Failed(f"it says its code twice: {fault}")


@case(53, run="element")
def what_had_no_network_begins_when_there_is_one(browser):
    for attributes in ("", "sandbox"):
        context = browser.chromium.new_context(viewport={"width": 420, "height": 760})
        try:
            with opened(browser, {"/page.html": host_page(), "/a.zip": COUNTER}, context=context, faults_allowed="all") as page:
                context.set_offline(True)
                page.evaluate("markup => { document.body.innerHTML = markup }", element(attributes=attributes))
                await_event(page, "fault")
                if heard(page, "ready"):
                    raise Failed("it was not without a network")
                context.set_offline(False)
                await_event(page, "ready")
        finally:
            context.close()

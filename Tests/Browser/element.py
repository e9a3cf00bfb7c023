"""The element `<widget-view>`, by which a browser is the host: the engine runs in the page, and no server behind it."""

import contextlib
import http.server
import io
import json
import pathlib
import re
import subprocess
import threading
import zipfile

from harness import ROOT, Failed, case, folder, registry_program, widget
from live import WATCH, until

ENGINE = ROOT / ".build/wasm"
# The policy that a page needs, as docs/element.md has it.
POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self' {grants}; "
          "img-src blob: data:; style-src 'self'")
TYPES = {".js": "text/javascript", ".wasm": "application/wasm", ".zip": "application/zip", ".html": "text/html; charset=utf-8",
         ".css": "text/css", ".json": "application/json"}
EVENTS = """window.heard = [];
for (const kind of ['ready', 'title', 'open', 'call', 'report', 'fault']) {
    addEventListener(kind, event => event.target.localName == 'widget-view' && heard.push([kind, event.detail]), true);
}"""


def info(name):
    return (f'<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.{name}</string>'
            f"<key>CFBundleName</key><string>{name}</string></dict></plist>")


def document(root, **more):
    return json.dumps({"schema": 1, "root": root, **more})


def archive(name, text, **files):
    """An archive of one document."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(f"{name}.bundle/Info.plist", info(name))
        packed.writestr(f"{name}.bundle/Main.widgets.json", text)
        for path, content in files.items():
            packed.writestr(f"{name}.bundle/{path}", content)
    return out.getvalue()


COUNTER = archive("Counter", document([
    {"kind": "label", "id": "count", "payload": {"text": {"$": ["Count ", "$count"]}}},
    {"kind": "button", "id": "add", "payload": {"text": "Add"}, "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}},
    {"kind": "textfield", "id": "name", "payload": {"value": "$name", "placeholder": "Name"}},
    {"kind": "label", "id": "greeting", "payload": {"text": {"$": ["Hello ", "$name"]}}},
], state={"count": 0, "name": ""}, persist=["count"]))


def feed(request):
    """A widget that asks the site for a word and shows it, or why it has not got one."""
    service = json.dumps({"defaults": {"baseUrl": f"http://{request.headers['Host']}"}, "actions": {"word": {"path": "api/word"}}})
    return archive("Feed", document(
        [{"kind": "label", "payload": {"text": "$word.status.error"}, "if": "$word.status.failure"},
         {"kind": "label", "id": "answer", "payload": {"text": {"$": ["Got ", "$word.word"]}}}],
        sources={"word": {"action": "word"}}), **{"Service.json": service})


class Site(http.server.ThreadingHTTPServer):
    """A static server on loopback. `files` are bytes by their paths; what is asked is listed."""

    daemon_threads = True

    def __init__(self, files, grants="", policy=POLICY):
        super().__init__(("127.0.0.1", 0), Answers)
        self.files = {f"/{name}": (ENGINE / name).read_bytes() for name in ("widget-view.js", "widget-offline.js", "engine.wasm")}
        self.files |= files
        self.policy = policy.format(grants=grants)
        self.asked = []
        self.posted = []
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        path = self.path.split("?")[0]
        self.server.asked.append(self.path)
        found = self.server.files.get(path)
        if callable(found):
            found = found(self)
        status, body = (404, b"none") if found is None else found if isinstance(found, tuple) else (200, found)
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("Location", body.decode())
            body = b""
        ending = pathlib.PurePath(path).suffix
        self.send_header("Content-Type", TYPES.get(ending, "application/json"))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if ending == ".wasm" else "no-cache")
        if path.startswith("/v1/blobs/sha256/"):
            self.send_header("ETag", f'"sha256-{path[17:]}"')
        if ending == ".html":
            self.send_header("Content-Security-Policy", self.server.policy)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.path, dict(self.headers), body))
        self.do_GET()


def host_page(*elements, head="", body=""):
    return (f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Mine</title>{head}'
            f'<script type="module" src="/widget-view.js"></script><body>{body}{"".join(elements)}').encode()


@contextlib.contextmanager
def opened(browser, files, path="/page.html", grants="", width=420, height=760, scheme="light", faults_allowed=False, context=None, policy=POLICY):
    """A page of a static site, whose policy it does not break, unless all faults are allowed."""
    site = Site(files, grants, policy)
    own = context is None
    context = context or browser.chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
    page = context.new_page()
    page.site = site
    page.add_init_script(WATCH + EVENTS)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    try:
        page.goto(site.address + path)
        yield page
        faults = [fault for fault in faults if "favicon" not in fault]
        violations = page.evaluate("window.violations ?? []")
        if faults_allowed != "all" and (violations or (faults and not faults_allowed)):
            raise Failed(f"the page has faults: {faults} {violations}")
    finally:
        if own:
            context.close()
        else:
            page.close()
        site.shutdown()
        site.server_close()


TEXT = """place => document.querySelectorAll('widget-view')[place ?? 0].shadowRoot.querySelector('.page')?.innerText ?? ''"""


def shows(page, text, place=0, **more):
    until(lambda: text in page.evaluate(TEXT, place),
          lambda: f"the widget does not show {text!r}: {page.evaluate(TEXT, place)!r}; {page.evaluate('heard')}", **more)


def heard(page, kind):
    return [detail for name, detail in page.evaluate("heard") if name == kind]


def await_event(page, kind):
    until(lambda: heard(page, kind), lambda: f"no event {kind}: {page.evaluate('heard')}")
    return heard(page, kind)[-1]


def element(source="/a.zip", attributes="", content=""):
    return f'<widget-view src="{source}" {attributes}>{content}</widget-view>'


@case(53, run="element")
def both_put_the_script_together_alike(_):
    """What programs send is what `.ci/element` writes, without comments and indentation."""
    out = folder() / "site"
    widget("export", ROOT / "Bundles/HarbourLog", "--html", out, "-q", "--engine", ENGINE / "engine.wasm")
    written = (ENGINE / "widget-view.js").read_text().split("\n")[1:]
    lines = [line.lstrip(" \t") for line in written]
    kept = [line for line in lines if line and line != "*" and not line.startswith(("//", "/**", "* ", "*/"))]
    sent = (out / "widget-view.js").read_text().split("\n")[1:]
    if kept != sent:
        place = next((n for n, pair in enumerate(zip(kept, sent)) if pair[0] != pair[1]), min(len(kept), len(sent)))
        raise Failed(f"line {place}: {kept[place:place + 1]} and {sent[place:place + 1]}")


@case(53, run="element")
def a_widget_runs_in_a_page_without_a_server(browser):
    with opened(browser, {"/page.html": host_page(element()), "/a.zip": COUNTER}) as page:
        shows(page, "Count 0")
        page.locator("widget-view [data-id=add]").click()
        shows(page, "Count 1")
        page.locator("widget-view input").fill("Ada")
        shows(page, "Hello Ada")
        ready = await_event(page, "ready")
        if ready["identifier"] != "com.example.Counter" or page.title() != "Mine":
            raise Failed(f"{ready}, and the title is {page.title()!r}")


@case(53, run="element")
def samples_run_as_in_text(browser):
    """What the text of a screen names is on the page."""
    count = 0
    for bundle in sorted((ROOT / "Bundles").iterdir()):
        if not (bundle / "Info.plist").exists():
            continue
        out = folder() / f"{bundle.name}.zip"
        widget("build", bundle, "-o", out, "-q")
        text = widget("render", bundle, "--as", "json", "--viewport", "404x640@1", "--clock", "2018-06-20T20:00:00Z",
                      "--time-zone", "UTC0", "--locale", "en_GB")
        title = json.loads(text).get("title", "")
        clock = 'clock="2018-06-20T20:00:00Z" zone="UTC" locale="en-GB"'
        with opened(browser, {"/page.html": host_page(element(attributes=clock)), "/a.zip": out.read_bytes()}) as page:
            await_event(page, "ready")
            if title and not any(said == title for said in heard(page, "title")):
                raise Failed(f"{bundle.name}: the title is {heard(page, 'title')} and not {title!r}")
            count += 1
    if count < 5:
        raise Failed(f"only {count} samples were found")
    return f"{count} samples"


@case(53, run="element")
def two_widgets_change_nothing_of_the_page_and_the_page_nothing_of_them(browser):
    style = ("<link rel=stylesheet href=/hostile.css>")
    hostile = (".bar,.root,.f,h1,*{color:rgb(1,2,3)!important;position:static;letter-spacing:3px;text-transform:uppercase}"
               ".bar{border:9px solid red}html{font-size:31px}")
    around = '<h1>Mine</h1><div class="bar root f w page v">mine</div><main><button class="hit">mine</button></main>'
    styles = """within => [...(within == null ? document.querySelectorAll('h1,.bar,main,main button') :
        document.querySelectorAll('widget-view')[within].shadowRoot.querySelectorAll('*'))]
        .map(it => [it.localName + it.className, getComputedStyle(it)].map((it, n) => n ? ['color', 'position', 'letterSpacing', 'textTransform',
            'borderTopWidth', 'fontSize', 'display', 'backgroundColor'].map(name => it[name]).join() : it).join(' '))"""
    for scheme in ("light", "dark"):
        files = {"/a.zip": COUNTER, "/hostile.css": hostile.encode()}
        looks = []
        for head, elements in ((style, ""), (style, element() + element()), ("", element() + element())):
            with opened(browser, files | {"/page.html": host_page(elements, head=head, body=around)}, scheme=scheme) as page:
                if elements:
                    for place in (0, 1):
                        shows(page, "Count 0", place)
                looks.append([page.evaluate(styles, within) for within in (None, *((0, 1) if elements else ()))])
        if looks[0][0] != looks[1][0]:
            raise Failed(f"{scheme}: the widgets change the page: {looks[0][0]} {looks[1][0]}")
        if looks[1][1:] != looks[2][1:]:
            different = [pair for pair in zip(looks[1][1], looks[2][1]) if pair[0] != pair[1]]
            raise Failed(f"{scheme}: the page changes the widgets: {different[:3]}")


@case(53, run="element")
def a_refused_archive_says_so_where_nothing_is_slotted(browser):
    hurt = bytearray(COUNTER)
    hurt[len(hurt) // 2] ^= 0xFF
    slotted = "<p>Mine stays</p>"
    elements = (element("/hurt.zip"), element("/hurt.zip", content=slotted), element("/none.zip"), element("/page.css"))
    files = {"/page.html": host_page(*elements), "/hurt.zip": b"PK\x03\x04" + bytes(hurt), "/page.css": b"p{}"}
    # Widgets begin when they are near the window.
    with opened(browser, files, faults_allowed=True, height=3000) as page:
        until(lambda: len(heard(page, "fault")) == 4, lambda: f"not four faults: {page.evaluate('heard')}")
        for place, shown in ((0, True), (1, False), (2, True), (3, True)):
            sentence = page.locator("widget-view").nth(place).locator(".fault")
            if sentence.is_visible() != shown:
                raise Failed(f"element {place}: its sentence is {'hidden' if shown else 'shown'}")
        if not page.get_by_text("Mine stays").is_visible():
            raise Failed("what the page has put there is gone")


@case(53, run="element")
def requests_go_where_they_are_granted_without_credentials(browser):
    answered = {"word": "gold"}

    def word(request):
        if request.headers.get("Cookie") or request.headers.get("Referer"):
            return 500, b"{}"
        return json.dumps(answered).encode()

    files = {"/page.html": host_page(element(attributes='grant="/api/"')), "/bare.html": host_page(element()), "/api/word": word}

    files["/a.zip"] = feed
    with opened(browser, files, faults_allowed=True) as page:
        page.evaluate("document.cookie = 'session=1'")
        await_event(page, "ready")
        shows(page, "Got gold")
    with opened(browser, files, path="/bare.html", faults_allowed=True) as page:
        await_event(page, "ready")
        until(lambda: "is not granted" in page.evaluate(TEXT) + json.dumps(page.evaluate("heard")),
              lambda: f"it is not said that it is not granted: {page.evaluate(TEXT)!r} {page.evaluate('heard')}")
        if any("/api/" in path for path in page.site.asked):
            raise Failed("what was not granted was asked")


@case(53, run="element")
def a_widget_in_a_frame_has_no_origin_and_works(browser):
    policy = POLICY
    with opened(browser, {"/page.html": host_page(element(attributes="sandbox", content="<p>Wait</p>")), "/a.zip": COUNTER}, policy=policy) as page:
        await_event(page, "ready")
        frame = page.frames[1]
        if frame.evaluate("origin") != "null":
            raise Failed(f"the frame's origin is {frame.evaluate('origin')}")
        frame.locator("[data-id=add]").click()
        until(lambda: "Count 1" in frame.evaluate(TEXT), lambda: f"the tap did nothing: {frame.evaluate(TEXT)!r}")
        if page.get_by_text("Wait").is_visible():
            raise Failed("what was there before the widget is still shown")


@case(53, run="element")
def a_worker_that_hangs_is_ended_and_begins_anew_with_what_was_typed(browser):
    files = {"/page.html": host_page(element(), element()), "/a.zip": COUNTER}
    # The page has the script with a worker that hangs when its first widget is tapped for the second time.
    script = (ENGINE / "widget-view.js").read_text()
    hook = "  scope.onmessage = ({ data: { module, number, widget, calls, shows, ends } }) => {\n"
    if hook not in script:
        raise Failed("the worker is not as this case knows it")
    hung = script.replace(hook, hook + "    if (JSON.stringify(calls ?? '').includes('hang!')) for (;;);\n").replace("call: 5_000", "call: 500")
    files["/widget-view.js"] = hung.encode()
    with opened(browser, files) as page:
        for place in (0, 1):
            shows(page, "Count 0", place)
        page.locator("widget-view").nth(1).locator("[data-id=add]").click()
        shows(page, "Count 1", 1)
        page.locator("widget-view").nth(0).locator("input").fill("Ada")
        shows(page, "Hello Ada")
        page.evaluate("document.querySelector('widget-view').shadowRoot.querySelector('input').value = 'hang!'")
        page.locator("widget-view").nth(0).locator("input").dispatch_event("input")
        until(lambda: heard(page, "fault") or heard(page, "report"), lambda: f"nothing was said: {page.evaluate('heard')}")
        until(lambda: heard(page, "fault"), lambda: f"it continues for ever: {page.evaluate('heard')}")
        if heard(page, "fault")[0]["code"] != "time":
            raise Failed(f"another fault: {heard(page, 'fault')}")
        shows(page, "Count 1", 1)
        page.locator("widget-view").nth(1).locator("[data-id=add]").click()
        shows(page, "Count 2", 1)


@case(53, run="element")
def what_a_widget_keeps_is_there_after_a_reload_and_only_for_its_source(browser):
    files = {"/page.html": host_page(element()), "/a.zip": COUNTER, "/b.zip": COUNTER, "/other.html": host_page(element("/b.zip"))}
    for attributes in ("", "sandbox"):
        files["/page.html"] = host_page(element(attributes=attributes))
        context = browser.chromium.new_context(viewport={"width": 420, "height": 760})
        try:
            with opened(browser, files, context=context) as page:
                def within():
                    return page.frames[1] if attributes else page
                await_event(page, "ready")
                for _ in range(2):
                    within().locator("[data-id=add]").click()
                until(lambda: "Count 2" in within().evaluate(TEXT), lambda: within().evaluate(TEXT))
                page.reload()
                await_event(page, "ready")
                until(lambda: "Count 2" in within().evaluate(TEXT), lambda: f"it is forgotten: {within().evaluate(TEXT)!r}")
                page.goto(page.site.address + "/other.html")
                shows(page, "Count 0")
        finally:
            context.close()


@case(53, run="element")
def screens_are_in_the_history_if_the_element_says_so(browser):
    out = folder() / "Orchestra.zip"
    widget("build", ROOT / "Bundles/Orchestra", "-o", out, "-q")
    with opened(browser, {"/page.html": host_page(element(attributes="history")), "/a.zip": out.read_bytes()}) as page:
        await_event(page, "ready")
        before = page.evaluate("history.length")
        page.locator("widget-view").get_by_role("button", name="Programme").click()
        until(lambda: page.evaluate("history.state?.widgetView") == 1, lambda: f"no entry: {page.evaluate('history.state')}")
        if page.evaluate("history.length") != before + 1:
            raise Failed("not one more entry")
        page.go_back()
        shows(page, "Concerts")
        until(lambda: page.evaluate("history.state?.widgetView") == 0, "the entry before has another state")


@case(53, run="element")
def the_title_of_each_screen_is_told_once(browser):
    out = folder() / "Orchestra.zip"
    widget("build", ROOT / "Bundles/Orchestra", "-o", out, "-q")
    for attributes in ("sandbox", "sandbox history", ""):
        with opened(browser, {"/page.html": host_page(element(attributes=attributes)), "/a.zip": out.read_bytes()}) as page:
            await_event(page, "ready")
            within = page.frames[1] if attributes else page
            # A box of a page is not below the bar of a device.
            status = within.locator("widget-view .w").evaluate("it => parseFloat(getComputedStyle(it).getPropertyValue('--status'))")
            if status != 0:
                raise Failed(f"{attributes}: {status} points are left for a device's bar")
            within.locator("widget-view").get_by_role("button", name="Programme").click()
            until(lambda: len(heard(page, "title")) == 2, lambda: f"{attributes}: not two titles: {heard(page, 'title')}")
            page.evaluate("document.querySelector('widget-view').setAttribute('scheme', 'dark')")
            within.locator("widget-view").get_by_role("button", name="Back").click()
            until(lambda: len(heard(page, "title")) == 3, lambda: f"{attributes}: not three titles: {heard(page, 'title')}")
            if heard(page, "title")[0] != heard(page, "title")[2]:
                raise Failed(f"{attributes}: {heard(page, 'title')}")


@case(53, run="element")
def an_exported_folder_works_offline_after_the_first_visit(browser):
    out = folder() / "site"
    widget("export", ROOT / "Bundles/HarbourLog", ROOT / "Bundles/Herbarium", "--html", out, "-q", "--engine", ENGINE / "engine.wasm")
    files = {f"/sub/{path.relative_to(out)}": path.read_bytes() for path in out.rglob("*") if path.is_file()}
    context = browser.chromium.new_context(viewport={"width": 900, "height": 760})
    try:
        with opened(browser, files, path="/sub/index.html", context=context) as page:
            until(lambda: len(heard(page, "ready")) == 2, lambda: f"not both: {page.evaluate('heard')}")
            until(lambda: page.evaluate("caches.open('widget-offline').then(it => it.keys()).then(it => it.length)") >= 6,
                  lambda: page.evaluate("caches.open('widget-offline').then(it => it.keys()).then(it => it.map(it => it.url))"))
            page.site.shutdown()
            page.site.server_close()
            page.reload()
            until(lambda: len(heard(page, "ready")) == 2, lambda: f"not both without the server: {page.evaluate('heard')}")
            shows(page, "Harbour Log")
    finally:
        context.close()


@case(53, run="element")
def an_exported_page_keeps_its_widget_clear_of_what_a_device_covers(browser):
    out = folder() / "site"
    widget("export", ROOT / "Bundles/HarbourLog", "--html", out, "-q", "--engine", ENGINE / "engine.wasm")
    files = {f"/{path.relative_to(out)}": path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with opened(browser, files, path="/index.html") as page:
        await_event(page, "ready")
        session = page.context.new_cdp_session(page)
        for insets in ({"top": 47, "right": 0, "bottom": 34, "left": 0}, {"top": 0, "right": 47, "bottom": 21, "left": 47}):
            session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
            box = "(it => [it.left, it.top, innerWidth - it.right, innerHeight - it.bottom])(document.querySelector('widget-view').getBoundingClientRect())"
            wanted = [insets[side] for side in ("left", "top", "right", "bottom")]
            until(lambda: page.evaluate(box) == wanted, lambda: f"{page.evaluate(box)} and not {wanted}")
            if page.evaluate("document.documentElement.scrollHeight > innerHeight"):
                raise Failed("the page scrolls")


@case(53, run="element")
def a_widget_of_a_registry_is_resolved_and_runs_offline(browser):
    data = folder()
    bundle = folder() / "HarbourLog.zip"
    widget("build", ROOT / "Bundles/HarbourLog", "-o", bundle, "-q")
    seed = folder() / "seed"
    seed.mkdir()
    (seed / "HarbourLog.zip").write_bytes(bundle.read_bytes())
    process = subprocess.Popen(
        [registry_program(), "serve", "--listen", "127.0.0.1:0", "--data", str(data), "--seed", str(seed), "--engine", str(ENGINE / "engine.wasm")],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    context = browser.chromium.new_context(viewport={"width": 420, "height": 760})
    try:
        found = None
        for line in process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        registry = found[0]
        threading.Thread(target=lambda: [None for _ in process.stdout], daemon=True).start()
        page_bytes = host_page(element(f"{registry}/v1/widgets/com.example.HarbourLog-1")).replace(b'"/widget-view.js"', f'"{registry}/widget-view.js"'.encode())
        policy = POLICY.replace("script-src 'self'", f"script-src 'self' {registry}")
        with opened(browser, {"/page.html": page_bytes}, grants=registry, context=context, policy=policy, faults_allowed=True) as page:
            ready = await_event(page, "ready")
            if ready["identifier"] != "com.example.HarbourLog-1" or not ready["release"]:
                raise Failed(f"another release: {ready}")
            shows(page, "Harbour Log")
            # The registry goes away; the script is in the browser's cache, or the page has none.
            page.route(f"{registry}/v1/**", lambda route: route.abort())
            page.reload()
            await_event(page, "ready")
            shows(page, "Harbour Log")
    finally:
        context.close()
        process.terminate()
        process.wait()
        process.stdout.close()

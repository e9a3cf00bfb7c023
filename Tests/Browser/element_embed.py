"""The page of a widget alone, `/embed/ID`: in frames of other pages, in the window, and in apps."""

import contextlib
import http.client
import http.server
import io
import json
import re
import threading
import zipfile

from playwright.sync_api import Error

from element import COUNTER, ENGINE, POLICY, Site, await_event, document, element, host_page, opened
from gallery import Registry
from harness import ROOT, Failed, case, folder, widget
from live import WATCH, until
from others import Firefox, WebKit

ID = "com.example.Asking"
SERVICE = {"defaults": {"baseUrl": "https://api.example"}, "actions": {"word": {"path": "/v1/word"}}}


def published(name, version, content, **files):
    """An archive as it is published."""
    out = io.BytesIO()
    plist = (f'<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.{name}</string><key>CFBundleName</key>'
             f"<string>{name}</string><key>CFBundleShortVersionString</key><string>{version}</string></dict></plist>")
    with zipfile.ZipFile(out, "w") as packed:
        for path, bytes_of in {"Info.plist": plist, "Main.widgets.json": content, **files}.items():
            packed.writestr(f"{name}.bundle/{path}", bytes_of)
    return out.getvalue()


def asking(version, greeting):
    """A widget that asks a service for a word, opens links, and says who it is."""
    return published("Asking", version, document(
        [{"kind": "label", "payload": {"text": greeting}},
         {"kind": "label", "payload": {"text": "$word.status.error"}, "if": "$word.status.failure"},
         {"kind": "label", "payload": {"text": {"$": ["Got ", "$word.word"]}}},
         {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "open", "url": "https://example.com/7"}}}],
        sources={"word": {"action": "word"}}), **{"Service.json": json.dumps(SERVICE)})


TEXT = "document.querySelector('widget-view')?.shadowRoot?.querySelector('.page')?.innerText ?? ''"

# What the page around hears. It answers requests where a script says how.
AROUND = """
window.got ??= [];
addEventListener('message', ({ data, source, origin }) => {
    got.push({ origin, data });
    if (data.type == 'request' && window.answers) source.postMessage({ type: 'answer', number: data.number, ...answers(data) }, origin);
});
window.send = message => document.querySelector('iframe').contentWindow.postMessage(message, '*');
"""
ANSWERS = """window.answers = ({ url, method }) => ({ status: 200, headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ word: url == 'https://api.example/v1/word' && method == 'GET' ? 'gold' : url }) });"""


class Frames(Site):
    """A site of pages, each with a frame of a registry."""

    def __init__(self):
        super().__init__({}, policy="default-src 'self'; frame-src *; style-src 'unsafe-inline'")

    def frame(self, address, script=ANSWERS, head=""):
        page = (f'<!doctype html><html lang="en"><title>Mine</title>{head}<script src="/around.js"></script>'
                f'<iframe style="width:400px;height:600px" src="{address}"></iframe>')
        self.files |= {"/page.html": page.encode(), "/around.js": (AROUND + script).encode()}
        return f"{self.address}/page.html"


class Below(http.server.ThreadingHTTPServer):
    """A host of which one path is a registry's. Everything else there is another program's, which has nothing."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Passed)
        self.found, self.strayed = None, []
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Passed(http.server.BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def do_GET(self):
        if not self.path.startswith("/registry/"):
            self.server.strayed.append(self.path)
            return self.send_error(404)
        connection = http.client.HTTPConnection(self.server.found.address.removeprefix("http://"), timeout=20)
        fields = {name: value for name, value in self.headers.items() if name.lower() != "connection"}
        connection.request("GET", self.path.removeprefix("/registry"), headers=fields)
        answer = connection.getresponse()
        body = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return connection.close()


@contextlib.contextmanager
def registry(ancestors="self", **more):
    found = Registry(seeded=False, WIDGETD_PAGES_ENGINE=str(ENGINE / "engine.wasm"), WIDGETD_PAGES_FRAME_ANCESTORS=ancestors, **more)
    try:
        found.publish(asking("1.0", "First"))
        yield found
    finally:
        found.end()


@contextlib.contextmanager
def window(browser, address, script="", **more):
    """A page, whose frames report what their policies forbid."""
    context = browser.chromium.new_context(viewport={"width": 420, "height": 760}, locale="en-GB", **more)
    page = context.new_page()
    page.messages = []
    page.on("console", lambda message: page.messages.append(message.text)
            if message.type == "error" and "favicon" not in message.location["url"] else None)
    page.on("pageerror", lambda error: page.messages.append(str(error)))
    page.add_init_script(WATCH + script)
    try:
        page.goto(address)
        yield page
    finally:
        context.close()


def messages(page, kind):
    return [message["data"] for message in page.evaluate("got") if message["data"].get("type") == kind]


def await_message(page, kind, count=1):
    until(lambda: len(messages(page, kind)) >= count, lambda: f"no message {kind}: {page.evaluate('got')} {page.messages}")
    return messages(page, kind)[-1]


def await_widget(page):
    """Waits for the frame of a widget in a window."""
    until(lambda: page.wait_for_timeout(50) or any(frame.url == "about:srcdoc" for frame in page.frames),
          lambda: f"no widget in the window: {page.content()}")


def widget_frame(page):
    """The frame without an origin in which the widget runs."""
    found = [frame for frame in page.frames if frame.url == "about:srcdoc"]
    if not found:
        raise Failed(f"no frame runs a widget: {[frame.url for frame in page.frames]}")
    return found[0]


def text(page):
    """What a widget in a frame without an origin shows; nothing while that frame is replaced."""
    try:
        return widget_frame(page).evaluate(TEXT)
    except (Error, Failed):
        # The driver learns of frames while it waits.
        page.wait_for_timeout(50)
        return ""


def shows(page, wanted):
    until(lambda: wanted in text(page), lambda: f"not {wanted!r}: {text(page)!r}")


def violations(page):
    return [said for frame in page.frames for said in frame.evaluate("window.violations ?? []")]


@case(54, run="element")
def trusted_types_can_be_required_of_everything(browser):
    policy = POLICY + "; require-trusted-types-for 'script'; trusted-types page"
    for attributes in ("", "sandbox"):
        with opened(browser, {"/page.html": host_page(element(attributes=attributes)), "/a.zip": COUNTER}, faults_allowed="all", policy=policy) as page:
            await_event(page, "ready")
            within = page.frames[1] if attributes else page
            within.locator("[data-id=add]").click()
            until(lambda: "Count 1" in within.evaluate(TEXT), lambda: f"{attributes}: {within.evaluate(TEXT)!r}")
            if violations(page) or page.evaluate("(() => { try { document.body.innerHTML = '<b>'; return 1 } catch { return 0 } })()"):
                raise Failed(f"the page requires nothing, or has {violations(page)}")


@case(54, run="element")
def every_address_is_granted_beside_a_request_of_the_page_alone(browser):
    files = {"/page.html": host_page(element(attributes='grant="*" sandbox')), "/a.zip": asking("1.0", "First")}
    with opened(browser, files, faults_allowed=True) as page:
        await_event(page, "ready")
        until(lambda: "is not granted" in text(page), lambda: text(page))
        page.evaluate("void (document.querySelector('widget-view').request = address => { throw new Error(`no ${address} here`) })")
        page.evaluate("document.querySelector('widget-view').src = '/a.zip'")
        until(lambda: "no https://api.example/v1/word here" in text(page), lambda: text(page))
        page.evaluate("void (document.querySelector('widget-view').request = async () => new Response(JSON.stringify({ word: 'tin' })))")
        page.evaluate("document.querySelector('widget-view').src = '/a.zip'")
        until(lambda: "Got tin" in text(page), lambda: text(page))
        if any("word" in path for path in page.site.asked):
            raise Failed(f"{page.site.asked}")


@case(54, run="element")
def a_page_of_another_origin_holds_a_widget_and_answers_for_it(browser):
    site = Frames()
    # The same server under another name is a page of another site.
    other = site.address.replace("127.0.0.1", "localhost")
    for ancestor, place in ((site.address, site.address), ("http://*.localhost," + other, other), ("*", site.address)):
        with registry(ancestor) as found:
            address = site.frame(f"{found.address}/embed/{ID}?scheme=dark&locale=de_AT").replace(site.address, place)
            with window(browser, address) as page:
                ready = await_message(page, "ready")
                if ready != {"type": "ready", "identifier": ID, "release": "1.0~1", "content": ready["content"]}:
                    raise Failed(f"{ready}")
                request = await_message(page, "request")
                if request["url"] != "https://api.example/v1/word" or request["method"] != "GET" or "body" in request:
                    raise Failed(f"{request}")
                shows(page, "Got gold")
                within = widget_frame(page)
                if within.evaluate("origin") != "null" or within.evaluate("document.querySelector('widget-view').scheme") != "dark":
                    raise Failed("the widget's frame has an origin, or another place")
                if not messages(page, "title") or "title" not in messages(page, "title")[0]:
                    raise Failed(f"no title: {page.evaluate('got')}")
                within.locator("[data-id=go]").click()
                if await_message(page, "open") != {"type": "open", "address": "https://example.com/7"}:
                    raise Failed(f"{messages(page, 'open')}")
                if {message["origin"] for message in page.evaluate("got")} != {found.address}:
                    raise Failed(f"a message has another origin: {page.evaluate('got')}")
                # The embedded page and the frame within it require trusted types of everything.
                if violations(page) or page.messages:
                    raise Failed(f"{ancestor}: {violations(page)} {page.messages}")
    site.server_close()


@case(54, run="element")
def two_more_engines_speak_with_the_page_around(_):
    """Firefox does not say whose page is around, and that page may hide it."""
    site = Frames()
    with registry(site.address) as found:
        for make in (Firefox, WebKit):
            for head in ("", '<meta name="referrer" content="no-referrer">'):
                with contextlib.closing(make()) as browser:
                    browser.open(site.frame(f"{found.address}/embed/{ID}", head=head))
                    heard = lambda: [message["data"]["type"] for message in browser.evaluate("window.got ?? []")]
                    until(lambda: {"ready", "title", "request"} <= set(heard()), lambda: f"{browser.name} {head}: {browser.evaluate('got')}")
                    browser.evaluate("void send({ type: 'back' })")
                    until(lambda: "back" in heard(), lambda: f"{browser.name} {head}: {browser.evaluate('got')}")
                    if {message["origin"] for message in browser.evaluate("got")} != {found.address}:
                        raise Failed(f"{browser.name}: {browser.evaluate('got')}")
    site.server_close()


@case(54, run="element")
def a_page_that_is_not_named_gets_neither_a_widget_nor_a_message(browser):
    site = Frames()
    with registry() as found:
        with window(browser, site.frame(f"{found.address}/embed/{ID}")) as page:
            until(lambda: any("frame-ancestors" in said for said in page.messages), lambda: f"it is not refused: {page.messages}")
            page.wait_for_timeout(1_000)
            if page.evaluate("got") or any("/embed/" in frame.url for frame in page.frames):
                raise Failed(f"{page.evaluate('got')} {[frame.url for frame in page.frames]}")
        # Nor does one that has opened it as a window.
        with window(browser, site.frame("about:blank")) as page:
            with page.expect_popup() as opened:
                page.evaluate(f"window.other = open('{found.address}/embed/{ID}')")
            opened.value.wait_for_load_state()
            page.evaluate("setInterval(() => other.postMessage({ type: 'back' }, '*'), 100)")
            await_widget(opened.value)
            page.wait_for_timeout(1_000)
            if page.evaluate("got"):
                raise Failed(f"{page.evaluate('got')}")
    site.server_close()


@case(54, run="element")
def what_is_not_answered_fails_in_words(browser):
    site = Frames()
    cases = (
        ("window.answers = () => ({ failure: 'no harbour here' });", "no harbour here"),
        ("window.answers = () => ({ status: 7 });", "cannot be read"),
        ("window.answers = () => ({ status: 200, body: { word: 'gold' } });", "neither a text nor an ArrayBuffer"),
        ("window.answers = () => ({ status: 200, body: 'x'.repeat(9 << 20) });", "longer than 8 MB"),
    )
    with registry(site.address) as found:
        for script, sentence in cases:
            with window(browser, site.frame(f"{found.address}/embed/{ID}", script)) as page:
                await_message(page, "ready")
                shows(page, sentence)
        # A page that answers nothing.
        with window(browser, site.frame(f"{found.address}/embed/{ID}", "")) as page:
            await_message(page, "request")
            shows(page, "No answer came within 10 seconds.")
        # Bytes are an answer, too.
        binary = "window.answers = () => ({ status: 200, body: new TextEncoder().encode('{\"word\":\"silver\"}').buffer });"
        with window(browser, site.frame(f"{found.address}/embed/{ID}", binary)) as page:
            await_message(page, "ready")
            shows(page, "Got silver")
        # In the window a request has no one to go to, and nothing is fetched.
        with window(browser, f"{found.address}/embed/{ID}") as page:
            await_widget(page)
            shows(page, "in no frame and in no app")
            widget_frame(page).locator("[data-id=go]").click()
            leaving = page.locator(".leaving")
            leaving.wait_for()
            if ID not in leaving.inner_text() or len(page.context.pages) != 1:
                raise Failed(f"the reader does not see who leads where: {leaving.inner_text()}")
            with page.expect_popup() as opened:
                leaving.get_by_role("link").click()
            if not opened.value.url.startswith(("https://example.com/7", "about:blank", "chrome-error")):
                raise Failed(f"the link leads to {opened.value.url}")
            leaving.get_by_role("button").click()
            if page.locator(".leaving").count() or not page.title().endswith(ID):
                raise Failed(f"the bar stays, or the title hides whose widget it is: {page.title()}")
            if violations(page):
                raise Failed(f"{violations(page)}")
    site.server_close()


@case(54, run="element")
def back_closes_one_screen_and_says_whether_it_did(browser):
    site = Frames()
    out = folder() / "Orchestra.zip"
    widget("build", ROOT / "Bundles/Orchestra", "-o", out, "-q")
    with registry(site.address) as found:
        found.publish(out.read_bytes())
        address = f"{found.address}/embed/com.example.Orchestra"
        with window(browser, site.frame(address)) as page:
            await_message(page, "ready")
            entries = page.evaluate("history.length")
            page.evaluate("send({ type: 'back' })")
            if await_message(page, "back")["closed"]:
                raise Failed("the first screen was closed")
            widget_frame(page).get_by_role("button", name="Programme").click()
            await_message(page, "title", 2)
            page.evaluate("send({ type: 'back' })")
            if not await_message(page, "back", 2)["closed"]:
                raise Failed("no screen was closed")
            shows(page, "Concerts")
            await_message(page, "title", 3)
            if page.evaluate("history.length") != entries:
                raise Failed("a frame has changed the history of the page around it")
        # In the window, Back of the browser does the same.
        with window(browser, address) as page:
            await_widget(page)
            shows(page, "Concerts")
            widget_frame(page).get_by_role("button", name="Programme").click()
            until(lambda: page.evaluate("history.state?.widgetView") == 1, "no entry in the history")
            title = page.title()
            page.go_back()
            until(lambda: page.title() != title, "the title stays")
            shows(page, "Concerts")
    site.server_close()


@case(54, run="element")
def a_link_in_the_address_is_where_the_widget_begins(browser):
    site = Frames()
    main = document([{"kind": "label", "payload": {"text": "The first"}}], links={"other": {"pattern": "linked://other", "scene": "Other"}})
    other = document([{"kind": "label", "payload": {"text": "The other"}}])
    with registry(site.address) as found:
        found.publish(published("Linked", "1.0", main, **{"Other.widgets.json": other}))
        address = f"{found.address}/embed/com.example.Linked"
        for query, wanted in (("", "The first"), ("?open=linked%3A%2F%2Fother", "The other"), ("?open=linked%3A%2F%2Fnone", "The first")):
            with window(browser, site.frame(address + query)) as page:
                await_message(page, "ready")
                shows(page, wanted)
                if "none" in query and await_message(page, "report")["code"] != "not-found":
                    raise Failed(f"{messages(page, 'report')}")


@case(54, run="element")
def an_app_hears_the_same_as_text_and_speaks_by_messages(browser):
    """What a WebView of iOS and one of Android put into the page."""
    bridges = ("window.got = []; window.webkit = { messageHandlers: { widget: { postMessage: text => got.push({ data: JSON.parse(text) }) } } };",
               "window.got = []; window.widget = { postMessage: text => got.push({ data: JSON.parse(text) }) };")
    with registry("none") as found:
        for bridge in bridges:
            with window(browser, f"{found.address}/embed/{ID}", bridge) as page:
                request = await_message(page, "request")
                page.evaluate(f"""postMessage({{ type: 'answer', number: {request['number']}, status: 200, body: '{{"word":"copper"}}' }}, '*')""")
                shows(page, "Got copper")
                widget_frame(page).locator("[data-id=go]").click()
                if await_message(page, "open")["address"] != "https://example.com/7" or len(page.context.pages) != 1:
                    raise Failed(f"{page.evaluate('got')}")
                page.evaluate("postMessage({ type: 'back' }, '*')")
                if await_message(page, "back") != {"type": "back", "closed": False}:
                    raise Failed(f"{messages(page, 'back')}")


@case(54, run="element")
def a_rollout_and_a_channel_reach_the_frame_without_code(browser):
    site = Frames()
    with registry(site.address) as found:
        found.publish(asking("2.0", "Second"), "?channel=beta")
        stable, beta = (f"{found.address}/embed/{ID}{query}" for query in ("", "?channel=beta"))
        for address, greeting in ((stable, "First"), (beta, "Second")):
            with window(browser, site.frame(address)) as page:
                await_message(page, "ready")
                shows(page, greeting)
        found.publish(asking("3.0", "Third"))
        with window(browser, site.frame(stable)) as page:
            await_message(page, "ready")
            shows(page, "Third")
        # A share of none is for no reader, and one of all for each.
        for version, share, greeting in (("4.0", 0, "Third"), ("5.0", 10_000, "Release 5.0")):
            found.publish(asking(version, f"Release {version}"), f"?rollout={share}")
            with window(browser, site.frame(stable)) as page:
                await_message(page, "ready")
                shows(page, greeting)
        # What is not there is said to the page around as well.
        for address, code in ((f"{found.address}/embed/com.example.None", "no-such-widget"), (f"{stable}?channel=gamma", "no-such-channel")):
            with window(browser, site.frame(address)) as page:
                if await_message(page, "fault")["code"] != code:
                    raise Failed(f"{messages(page, 'fault')}")
    site.server_close()


@case(54, run="element")
def a_person_who_has_signed_in_sees_widgets_of_a_closed_registry(browser):
    with registry(WIDGETD_ACCESS_READ="token") as found:
        with window(browser, f"{found.address}/embed/{ID}") as page:
            if not re.search(r"/sign-in\?next=", page.url):
                raise Failed(f"it leads to {page.url}")
            page.get_by_label("Token", exact=True).fill(found.token)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url(f"**/embed/{ID}")
            await_widget(page)
            shows(page, "First")
            if violations(page):
                raise Failed(f"{violations(page)}")
            # A page of another origin of the same machine cannot read with the session, though its browser sends it.
            site = Site({"/page.html": b"<!doctype html><title>Other</title>"}, policy="default-src *")
            page.goto(f"{site.address}/page.html")
            reads = f"fetch('{found.address}/v1/bundles', {{ credentials: 'include' }}).then(it => it.status, () => 0)"
            with page.expect_request("**/v1/bundles"):
                status = page.evaluate(reads)
            if status not in (0, 401):
                raise Failed(f"a page of another origin reads: {status}")
            site.server_close()


def seen(page, sentence):
    """True for a page with a sentence above the still."""
    until(lambda: page.wait_for_timeout(50) or len(page.frames) == 2, lambda: f"no still: {page.content()}")
    said = page.locator(".said")
    return said.bounding_box()["height"] > 600 and sentence in said.inner_text() and "First" in page.frames[1].content()


@case(54, run="element")
def without_a_script_or_an_engine_the_page_has_a_sentence_and_the_still(browser):
    with registry() as found:
        with window(browser, f"{found.address}/embed/{ID}", java_script_enabled=False) as page:
            if not seen(page, "runs by a script"):
                raise Failed(f"{page.content()}")
    bare = Registry(seeded=False, WIDGETD_PAGES_ENGINE=str(folder() / "none.wasm"))
    bare.publish(asking("1.0", "First"))
    with window(browser, f"{bare.address}/embed/{ID}") as page:
        if not seen(page, "make wasm"):
            raise Failed(f"{page.content()}")
    bare.end()


@case(54, run="element")
def below_a_path_of_a_host_everything_is_asked_for_there(browser):
    host, site = Below(), Frames()
    with registry(site.address, WIDGETD_PUBLIC_URL=f"{host.address}/registry") as found:
        host.found = found
        with window(browser, f"{host.address}/registry/embed/{ID}") as page:
            await_widget(page)
            shows(page, "First")
        # Another page's element asks it as well, across origins.
        head = f'<script type="module" src="{host.address}/registry/widget-view.js"></script>'
        files = {"/page.html": f'<!doctype html><title>A</title>{head}<widget-view src="{host.address}/registry/v1/widgets/{ID}"></widget-view>'.encode()}
        other = Site(files, policy="default-src *; script-src * 'wasm-unsafe-eval'; worker-src blob:; style-src * 'unsafe-inline'; img-src * blob: data:")
        with window(browser, f"{other.address}/page.html") as page:
            until(lambda: "First" in page.evaluate(TEXT), lambda: f"{page.evaluate(TEXT)} {page.messages} {host.strayed}")
        strayed = [path for path in host.strayed if path != "/favicon.ico"]
        if strayed:
            raise Failed(f"asked of another program: {strayed}")
    for server in (host, site, other):
        server.server_close()


@case(54, run="element")
def an_address_that_could_run_in_a_page_is_not_told(browser):
    addresses = ["javascript:alert(1)", " JavaScript:alert(2)", "java\tscript:alert(3)", "data:text/html,hi", "blob:x", "file:///etc", "https://["]
    buttons = [{"kind": "button", "id": f"b{place}", "payload": {"text": f"B{place}"}, "on": {"tap": {"do": "open", "url": address}}}
               for place, address in enumerate([*addresses, "https://example.com/7"])]
    site = Frames()
    with registry(site.address) as found:
        found.publish(published("Leading", "1.0", document(buttons)))
        with window(browser, site.frame(f"{found.address}/embed/com.example.Leading")) as page:
            await_message(page, "ready")
            for place in range(len(buttons)):
                widget_frame(page).locator(f"[data-id=b{place}]").click()
            # A text that cannot be read as an address leads nowhere; the link after it is heard all the same.
            until(lambda: any(message["address"] == "https://example.com/7" for message in messages(page, "open")),
                  lambda: f"the last link is not heard: {page.evaluate('got')}")
            heard = [message["address"] for message in messages(page, "open") if message["address"] != "https://["]
            if heard != ["https://example.com/7"]:
                raise Failed(f"the page around has heard of {heard}")
    site.server_close()

"""The script of live pages by itself: pages that this file serves by the protocol, in documents and in shadow roots."""

import contextlib
import http.server
import json
import queue
import re
import threading
import time

from harness import CHROMIUM, ROOT, Failed, case
from live import PATIENCE, until

# A page, and its way over HTTP, in a function as they are sent.
SCRIPT = b'customElements.get("widget-view") || (() => {\n' + b"".join(
    (ROOT / "Sources/Engine/WidgetLive" / name).read_bytes() for name in ("page.js", "live.js")) + b"})()\n"
OPERATIONS = json.loads((ROOT / "Tests/Pages/operations.json").read_text())
# The policy of a strict document.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
          "require-trusted-types-for 'script'; trusted-types page")
# Rules of a document that reach for everything.
HOSTILE = "*{margin:7px;letter-spacing:3px}html{font-size:40px}widget-view{display:block;font-size:50px}p,h1,.w{color:red;width:3px}"


class Pages:
    """A server of pages that are written here, and of the streams that a case writes to."""

    def __init__(self):
        self.files, self.posts, self.answers, self.streams, self.lock = {}, [], {}, [], threading.Lock()
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path, _, query = self.path.partition("?")
                if path.endswith("/events"):
                    return self.stream(path.removesuffix("/events"), query)
                type, body = pages.files.get(path, (None, b""))
                self.send_response(200 if type else 204 if path == "/favicon.ico" else 404)
                if type == "text/html":
                    self.send_header("Content-Security-Policy", pages.policy)
                self.send_header("Content-Type", type or "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with pages.lock:
                    pages.posts.append((self.path, body))
                    answers = pages.answers.get(self.path)
                    status, *more = answers.pop(0) if answers else (204,)
                self.send_response(status)
                if status == 303:
                    self.send_header("Location", more.pop())
                text = more[0].encode() if more else b""
                if status != 204:
                    self.send_header("Content-Type", "text/html")
                    self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def stream(self, page, query):
                self.close_connection = True
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                stream = Stream(page, self.headers.get("Last-Event-ID") or query.partition("=")[2])
                with pages.lock:
                    pages.streams.append(stream)
                with contextlib.suppress(OSError):
                    while (text := stream.lines.get()) is not None:
                        self.wfile.write(text)
                        self.wfile.flush()
                stream.is_open = False

            def log_message(self, *_):
                pass

        self.policy = POLICY
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.file("/elsewhere", "<!DOCTYPE html><title>Elsewhere</title>")
        self.file("/live.js", SCRIPT, "text/javascript")
        self.file("/hostile.css", HOSTILE, "text/css")

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def file(self, path, text, type="text/html"):
        self.files[path] = type, text if isinstance(text, bytes) else text.encode()

    def newest(self, page):
        """The stream of a page, which may have to come yet."""
        found = []

        def is_there():
            with self.lock:
                found[:] = [stream for stream in self.streams if stream.page == page and stream.is_open]
            return found

        until(is_there, lambda: f"{page} has no stream, but there are {[stream.page for stream in self.streams]}")
        return found[-1]

    def send(self, page, changes, position="0a1"):
        self.newest(page).lines.put(f"id: {position}\ndata: {json.dumps(changes)}\n\n".encode())

    def acts(self, path, count=1):
        """What was posted to an address, once there is so much of it."""
        def found():
            with self.lock:
                return [body for to, body in self.posts if to == path]

        until(lambda: len(found()) >= count, lambda: f"{path} got {found()}, of {self.posts}")
        return found()

    def end(self):
        for stream in self.streams:
            stream.lines.put(None)
        self.server.shutdown()
        self.server.server_close()


class Stream:
    """A stream that a browser has opened."""

    def __init__(self, page, after):
        self.page, self.after, self.lines, self.is_open = page, after, queue.Queue(), True

    def is_closed_by_browser(self):
        """Writing to a stream that its browser has closed fails, the second time at the latest."""
        self.lines.put(b": \n\n")
        return not self.is_open


@contextlib.contextmanager
def pages():
    served = Pages()
    try:
        yield served
    finally:
        served.end()


@contextlib.contextmanager
def shown(browser, served, path="/", init="", chromium=None, expected=()):
    """A page, with what its console has said, which is nothing but what a case expects."""
    context = (chromium or browser.chromium).new_context(viewport={"width": 800, "height": 600})
    context.set_default_timeout(PATIENCE * 1_000)
    if init:
        context.add_init_script(init)
    page = context.new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    try:
        page.goto(served.origin + path)
        yield page
        said = [text for text in page.said if not any(word in text for word in expected)]
        if said:
            raise Failed(f"the console said {said[:3]}")
    finally:
        context.close()


def document(part, more="", attributes='data-live="/live/p" data-begin="/live" data-view="0a1"'):
    """A page of our own, of one part."""
    return (f'<!DOCTYPE html><html lang="en" {attributes}><head><title>Before</title><script src="/live.js" defer data-page></script></head>'
            f'<body>{line("a")}{part}{more}</body></html>')


def line(letter):
    return f'<p id="{letter}-s" class="status" role="status"></p>'


def element(part, letter="a", name="p", more="", mode="shadowrootmode"):
    """An element for a document of another author."""
    return (f'<widget-view id="{name}" data-live="/live/{name}" data-view="0{letter}1" data-slot="{letter}" {more}>'
            f'<template {mode}="open"><div class="page">{line(letter)}{part}</div></template></widget-view>')


def foreign(*elements, head="", body=""):
    return ('<!DOCTYPE html><html lang="en"><head><title>Before</title><link rel="stylesheet" href="/hostile.css">'
            f'<script src="/live.js" defer></script>{head}</head><body>{"".join(elements)}{body}</body></html>')


# The root of a page, by the name of an element; the document for none.
HELP = """
window.rootOf = name => name ? document.getElementById(name).shadowRoot : document;
window.holder = name => name ? document.getElementById(name) : document.documentElement;
window.find = (id, name) => rootOf(name).getElementById(id);
window.active = name => rootOf(name).activeElement?.id ?? '';
window.plain = name => {
    const part = rootOf(name).querySelector('.status').parentNode, copy = part.cloneNode(true);
    const shown = [...part.querySelectorAll('*')];
    [...copy.querySelectorAll('*')].forEach((it, place) => {
        if (it.matches('input')) it.setAttribute('value', shown[place].value);
        if (it.matches('[type=checkbox]')) it.removeAttribute('value'), it.toggleAttribute('checked', shown[place].checked);
        if (it.getAttribute('tabindex') == '-1') it.removeAttribute('tabindex');
    });
    copy.querySelector('.status').remove();
    return copy.innerHTML;
};
"""
IN = {"document": "", "shadow root": "p"}


@contextlib.contextmanager
def part_in(browser, root, part, **more):
    """A page of one part in a root: the server, the page, and the name that scripts of cases have for the root."""
    with pages() as served:
        served.file("/", document(part) if root == "document" else foreign(element(part)))
        with shown(browser, served, init=HELP, **more) as page:
            served.newest("/live/p")
            yield served, page, IN[root]


def check(name, wanted, found):
    if wanted != found:
        raise Failed(f"{name}: wanted {wanted!r}, found {found!r}")


def apply(served, page, operations, letter="a", name="", position="0a2", to="/live/p"):
    """Sends operations, and waits until they are carried out."""
    mark = f"m{time.monotonic_ns()}"
    served.send(to, {letter: [*operations, ["n", {"mark": mark}]]}, position)
    page.wait_for_function("([mark, name, letter]) => (find(letter + '-slot', name) ?? holder(name)).dataset.mark == mark", arg=[mark, name, letter])


def run_example(served, page, example, root):
    title, name = f"{example['name']}, in a {root}", IN[root]
    served.file("/", document(example["html"]) if root == "document" else foreign(element(example["html"])))
    served.streams.clear()
    page.goto(served.origin)
    served.newest("/live/p")
    page.evaluate("""() => {
        window.asked = {};
        for (const kind of ['title', 'open']) document.addEventListener(kind, it => asked[kind] = it.detail, true);
        document.addEventListener('open', it => it.preventDefault(), true);
    }""")
    for id, text in example.get("typed", {}).items():
        page.locator(f"[id='{id}']").focus()
        page.keyboard.type(text)
    if "focused" in example:
        page.evaluate("([id, name]) => find(id, name).focus()", [example["focused"], name])
    if "address" in example and root == "document":
        served.send("/live/p", {"a": example["operations"]})
        page.wait_for_url("**" + example["address"])
        return
    apply(served, page, example["operations"], name=name)
    check(title, example["after"], page.evaluate("name => plain(name)", name))
    if "focus" in example:
        check(f"{title}, focus", example["focus"], page.evaluate("name => active(name)", name))
    if "title" in example:
        check(f"{title}, title", example["title"], page.evaluate("name => name ? asked.title : document.title", name))
        check(f"{title}, the title of the document", "Before" if name else example["title"], page.title())
    if "address" in example:
        check(f"{title}, address", example["address"], page.evaluate("asked.open"))
    if "line" in example:
        check(f"{title}, line", example["line"], page.evaluate("name => find('a-s', name).textContent", name))
    for key, text in example.get("data", {}).items():
        check(f"{title}, {key}", text, page.evaluate("([key, name]) => holder(name).dataset[key]", [key, name]))
    for id, styles in example.get("styles", {}).items():
        for property, text in styles.items():
            check(f"{title}, {property}", text, page.evaluate(
                "([id, name, property]) => getComputedStyle(find(id, name))[property]", [id, name, property]))


@case(58, run="smoke")
def every_operation_does_what_its_example_says(browser):
    letters = {operation[0] for example in OPERATIONS for operation in example["operations"]}
    check("letters with an example", set("srimxcwtagfven"), letters)
    with pages() as served, shown(browser, served, "/elsewhere", init=HELP) as page:
        for example in OPERATIONS:
            for root in IN:
                run_example(served, page, example, root)
    return f"{len(OPERATIONS)} examples, each in a document and in a shadow root"


SCREEN = ('<main class="w" id="a1"><form class="f" method="post" novalidate><button class="enter" name="do" value="[&quot;enter&quot;]" '
          'tabindex="-1"></button><header><h1 id="a1.1">One</h1></header><div class="scr">'
          '<input name="1.2" id="a1.2" value=""><input name="1.3" id="a1.3" value=""><input type="checkbox" name="1.4" id="a1.4">'
          '<button id="a1.5" name="do" value="[&quot;tap&quot;,&quot;1.5&quot;]">Tap</button>'
          '<div id="a1.6" class="v">Text</div></div></form></main>')
ALERT = ('<dialog class="al" open role="alertdialog"><button id="a-1.1" class="cancel" name="do" value="[&quot;tap&quot;,&quot;-1.1&quot;]">No'
         '</button><button id="a-1.2" name="do" value="[&quot;tap&quot;,&quot;-1.2&quot;]">Yes</button></dialog>')


def events(bodies):
    return [event for body in bodies for event in json.loads(body)[1]]


def in_both(function):
    """Runs a case in a document and in a shadow root."""

    def both(browser):
        for root in IN:
            function(browser, root)

    both.__name__ = function.__name__
    return both


def value(page, id, name):
    return page.evaluate("([id, name]) => find(id, name).value", [id, name])


@case(58)
@in_both
def acts_are_sent_in_their_order_and_typed_text_once(browser, root):
    with part_in(browser, root, SCREEN, expected=["503"]) as (served, page, name):
        # While an answer is awaited, what is typed becomes one act.
        served.answers["/live/p/a/actions"] = [(503, "busy")]
        page.locator("[id='a1.5']").click()
        served.acts("/live/p/a/actions")
        page.locator("[id='a1.2']").focus()
        page.keyboard.type("abc")
        page.keyboard.press("Enter")
        page.locator("[id='a1.4']").check()
        bodies = served.acts("/live/p/a/actions", 5)
        wanted = [["tap", "1.5"], ["tap", "1.5"], ["input", "1.2", "abc"], ["submit", "1.2"], ["input", "1.4", True]]
        check(root, wanted, events(bodies))
        serials = [json.loads(body)[0] for body in bodies]
        if serials[0] != serials[1] or sorted(set(serials)) != serials[1:]:
            raise Failed(f"the serials are {serials}")


@case(58)
@in_both
def typed_text_outlives_another_screen_that_has_not_got_it(browser, root):
    with part_in(browser, root, SCREEN) as (served, page, name):
        page.locator("[id='a1.2']").focus()
        page.keyboard.type("abcdef")
        page.evaluate("name => find('a1.2', name).setSelectionRange(3, 3)", name)
        apply(served, page, [["w", SCREEN.replace('id="a1.2" value=""', 'id="a1.2" value="abc"'), ""]], name=name)
        found = page.evaluate("name => [find('a1.2', name).value, find('a1.2', name).selectionStart, active(name)]", name)
        check(root, ["abcdef", 3, "a1.2"], found)
        # Once it is in the view, the widget decides.
        apply(served, page, [["e", 9e15], ["s", "a1.2", {"value": "ABC"}]], name=name)
        check(root, "ABC", value(page, "a1.2", name))


@case(58)
@in_both
def a_text_that_is_being_composed_is_left_alone(browser, root):
    for before in ["", "ab"]:
        with part_in(browser, root, SCREEN) as (served, page, name):
            page.locator("[id='a1.2']").focus()
            if before:
                page.keyboard.type(before)
                served.acts("/live/p/a/actions")
            keys = page.context.new_cdp_session(page)
            keys.send("Input.imeSetComposition", {"text": "\u304b", "selectionStart": 1, "selectionEnd": 1})
            apply(served, page, [["s", "a1.2", {"value": "of the widget"}], ["s", "a1.6", {"text": "new"}]], name=name)
            check(root, before + "\u304b", value(page, "a1.2", name))
            sent = [event for event in events(served.acts("/live/p/a/actions", 0)) if "\u304b" in event[-1]]
            check(f"{root}, what is sent while it is composed", [], sent)
            keys.send("Input.imeSetComposition", {"text": "\u304b\u3044", "selectionStart": 2, "selectionEnd": 2})
            keys.send("Input.insertText", {"text": "\u8c9d"})
            until(lambda: ["input", "1.2", before + "\u8c9d"] in events(served.acts("/live/p/a/actions", 0)),
                  lambda: f"{root}: composed text is not sent, but {served.posts}")
            check(root, before + "\u8c9d", value(page, "a1.2", name))


@case(58)
@in_both
def an_alert_takes_the_focus_and_hands_it_back(browser, root):
    with part_in(browser, root, SCREEN) as (served, page, name):
        page.locator("[id='a1.5']").focus()
        apply(served, page, [["a", ALERT]], name=name)
        check(f"{root}, focus", "a-1.1", page.evaluate("active", name))
        page.keyboard.press("Escape")
        check(root, [["tap", "-1.1"]], events(served.acts("/live/p/a/actions")))
        apply(served, page, [["a", None]], name=name)
        check(f"{root}, focus after it", "a1.5", page.evaluate("active", name))


@case(51)
def an_alert_that_comes_with_the_first_page_has_the_focus(browser):
    with part_in(browser, "document", SCREEN) as (served, page, name):
        apply(served, page, [["w", SCREEN.replace("<header>", ALERT + "<header>"), "One"]], name=name)
        check("focus", "a-1.1", page.evaluate("active", name))


@case(58)
@in_both
def a_file_is_sent_as_the_form_of_its_part(browser, root):
    part = SCREEN.replace('name="1.3"', 'type="file" name="1.3"').replace('novalidate', 'novalidate enctype="multipart/form-data"')
    with part_in(browser, root, part, expected=["400"]) as (served, page, name):
        served.answers["/live/p/a"] = [(204,), (400, "<main><h1>Too large.</h1></main>")]
        field = page.locator("[id='a1.3']")
        for _ in range(2):
            field.set_input_files({"name": "note.txt", "mimeType": "text/plain", "buffer": b"twelve bytes"})
            # The same file can be picked again.
            check(f"{root}, the field", "", field.input_value())
        bodies = served.acts("/live/p/a", 2)
        if b'name="1.3"; filename="note.txt"' not in bodies[0] or b"twelve bytes" not in bodies[0]:
            raise Failed(f"{root}: the form is {bodies[0][:500]}")
        page.wait_for_function("name => find('a-s', name).textContent == 'Too large.'", arg=name)


@case(58)
@in_both
def an_operation_that_fails_brings_the_whole_of_its_page_alone(browser, root):
    with pages() as served:
        body = foreign(element(SCREEN), element(SCREEN, name="q"))
        served.file("/", document(SCREEN, element(SCREEN, name="q")) if root == "document" else body)
        with shown(browser, served, init=HELP, expected=["TypeError"]) as page:
            other, stream = served.newest("/live/q"), served.newest("/live/p")
            served.send("/live/p", {"a": [["s", "a1.6", {"text": "half"}], ["s", "nowhere", {"text": "x"}]]}, "0a2")
            until(lambda: served.newest("/live/p").after == "0", "the page does not ask for the whole screen")
            apply(served, page, [["w", SCREEN.replace("Text", "whole"), ""]], name=IN[root])
            check(root, "whole", page.evaluate("name => find('a1.6', name).textContent", IN[root]))
            apply(served, page, [["s", "a1.6", {"text": "other"}]], name="q", to="/live/q")
            check(root, "other", page.evaluate("find('a1.6', 'q').textContent"))
            if served.newest("/live/q") is not other or stream is served.newest("/live/p"):
                raise Failed("the other page has begun anew")


@case(58)
def three_pages_in_a_document_do_not_meet(browser):
    with pages() as served:
        served.file("/", foreign(*(element(SCREEN, name=name) for name in "pqr")))
        with shown(browser, served, init=HELP) as page:
            for place, name in enumerate("pqr"):
                page.evaluate("name => find('a1.2', name).focus()", name)
                page.keyboard.type(name * 3)
                page.evaluate("name => find('a1.5', name).click()", name)
                apply(served, page, [["s", "a1.6", {"text": f"part {name}"}], ["c", {"x": f"#a1\\.6{{opacity:0.{place + 1}}}"}],
                                     ["e", 9e15 if name == "q" else 0]], name=name, to=f"/live/{name}")
            for place, name in enumerate("pqr"):
                path = f"/live/{name}"
                acts = [["input", "1.2", name * 3], ["tap", "1.5"]]
                until(lambda: events(served.acts(path + "/a/actions", 0))[-2:] == acts, lambda: f"{name} has sent {served.posts}")
                apply(served, page, [["s", "a1.2", {"value": "of the widget"}]], name=name, to=path)
                found = page.evaluate("""name => [find('a1.2', name).value, find('a1.6', name).textContent,
                    getComputedStyle(find('a1.6', name)).opacity]""", name)
                check(name, ["of the widget" if name == "q" else name * 3, f"part {name}", f"0.{place + 1}"], found)


@case(58)
def a_document_of_another_author_keeps_its_keys_forms_and_errors(browser):
    form = '<form id="own" action="/own"><input id="field" name="own"><button id="go">Go</button></form><dialog id="box" open>Hi</dialog>'
    with pages() as served:
        served.file("/", foreign(element(SCREEN), body=form))
        served.file("/own", "<!DOCTYPE html><title>Sent</title>")
        with shown(browser, served, init=HELP, expected=["of the page"]) as page:
            served.newest("/live/p")
            found = page.evaluate("""() => {
                window.heard = [];
                for (const kind of ['input', 'keydown', 'submit']) addEventListener(kind, it => heard.push(kind + it.defaultPrevented));
                return ['onsubmit', 'onkeydown', 'oninput', 'onerror', 'onpagehide', 'onpageshow'].filter(it => window[it])
                    .concat(document.onvisibilitychange ? ['onvisibilitychange'] : []);
            }""") + [name for name in ["doc", "all", "one", "page", "parse", "pageIn", "liveIn"]
                     if page.evaluate(f"typeof {name}") != "undefined"]
            check("handlers and names of the window", [], found)
            page.locator("#field").focus()
            page.keyboard.type("a")
            page.keyboard.press("Escape")
            page.keyboard.press("Delete")
            page.evaluate("document.activeElement.blur()")
            with page.expect_event("pageerror"):
                page.evaluate("() => { setTimeout(() => { throw new Error('of the page') }) }")
            check("acts", [], served.acts("/live/p/a/actions", 0))
            check("title", "Before", page.title())
            # A form inside the element does not leave it; the page's own one is sent.
            page.evaluate("find('a1.5', 'p').click()")
            check("acts", [["tap", "1.5"]], events(served.acts("/live/p/a/actions")))
            check("forms", 0, page.evaluate("heard.filter(it => it.startsWith('submit')).length"))
            check("one stream", 1, len(served.streams))
            page.locator("#go").click()
            page.wait_for_url("**/own?own=a")


@case(58)
def a_change_takes_no_focus_from_the_document_around_an_element(browser):
    with pages() as served:
        served.file("/", foreign(element(SCREEN), body='<input id="field">'))
        with shown(browser, served, init=HELP) as page:
            served.newest("/live/p")
            page.locator("#field").focus()
            for operations in [[["w", SCREEN.replace("a1", "a2"), "Two"]], [["a", ALERT]], [["a", None]], [["x", "a2.2"]]]:
                apply(served, page, operations, name="p")
                check(str(operations)[:20], ["field", ""], page.evaluate("[document.activeElement.id, active('p')]"))
            apply(served, page, [["f", "a2.3"]], name="p")
            check("the focus that a widget wants", "a2.3", page.evaluate("active('p')"))


@case(58)
def an_element_that_is_moved_lives_on(browser):
    with pages() as served:
        part = SCREEN.replace('class="v">Text', 'class="v"><p class="tall">Text</p>')
        served.file("/tall.css", "#a1\\.6{height:50px;overflow:auto}.tall{height:900px}", "text/css")
        part = '<link rel="stylesheet" href="/tall.css">' + part
        served.file("/", foreign('<div id="one">', element(part), '</div><div id="two"></div>'))
        with shown(browser, served, init=HELP) as page:
            stream = served.newest("/live/p")
            page.locator("[id='a1.2']").focus()
            page.keyboard.type("abcdef")
            page.evaluate("() => { find('a1.2', 'p').setSelectionRange(2, 4); find('a1.6', 'p').scrollTop = 77; }")
            page.evaluate("() => new Promise(requestAnimationFrame)")
            page.wait_for_timeout(50)
            for place in ["two", "one"]:
                page.evaluate("place => document.getElementById(place).append(document.getElementById('p'))", place)
                found = page.evaluate("""() => { const it = find('a1.2', 'p');
                    return [it.value, it.selectionStart, it.selectionEnd, active('p')]; }""")
                check(f"moved to {place}", ["abcdef", 2, 4, "a1.2"], found)
                # A browser loads the sheets of what was moved again, and there is nothing to scroll before that.
                page.wait_for_function("() => find('a1.6', 'p').scrollTop == 77")
            page.evaluate("document.getElementById('two').moveBefore(document.getElementById('p'), null)")
            page.wait_for_timeout(300)
            check("streams", [stream], served.streams)
            apply(served, page, [["s", "a1.1", {"text": "after"}]], name="p")
            check("after it", "after", page.evaluate("find('a1.1', 'p').textContent"))


@case(58)
def an_element_that_is_removed_ends_and_goes_on_when_it_is_put_back(browser):
    with pages() as served:
        served.file("/", foreign(element(SCREEN), element(SCREEN, name="q")))
        with shown(browser, served, init=HELP) as page:
            stream = served.newest("/live/p")
            apply(served, page, [["s", "a1.6", {"text": "seen"}]], name="p", position="0a7")
            page.locator("#p [id='a1.2']").fill("typed")
            served.acts("/live/p/a/actions")
            page.evaluate("() => { window.kept = document.getElementById('p'); kept.remove(); }")
            until(stream.is_closed_by_browser, "the stream of an element that was removed stays open")
            page.evaluate("() => document.dispatchEvent(new Event('visibilitychange')) && dispatchEvent(new PageTransitionEvent('pageshow'))")
            page.wait_for_timeout(2_500)
            check("streams", 1, len([it for it in served.streams if it.page == "/live/p"]))
            page.evaluate("document.body.append(kept)")
            back = served.newest("/live/p")
            check("the position", "0a7", back.after)
            check("what was typed", "typed", value(page, "a1.2", "p"))
            apply(served, page, [["s", "a1.6", {"text": "again"}]], name="p")
            page.evaluate("find('a1.5', 'p').click()")
            check("acts", [["input", "1.2", "typed"], ["tap", "1.5"]], events(served.acts("/live/p/a/actions", 2)))


@case(58)
def acts_that_were_not_taken_are_sent_when_an_element_is_put_back(browser):
    with part_in(browser, "shadow root", SCREEN, expected=["503"]) as (served, page, name):
        served.answers["/live/p/a/actions"] = [(503, "busy")] * 2
        page.evaluate("find('a1.5', 'p').click()")
        served.acts("/live/p/a/actions")
        page.evaluate("() => { window.kept = document.getElementById('p'); kept.remove(); }")
        with page.expect_response("**/actions"):
            pass
        page.evaluate("document.body.append(kept)")
        bodies = served.acts("/live/p/a/actions", 3)
        check("the batch", [bodies[0]] * 3, bodies)


@case(58)
def nothing_keeps_an_element_that_was_removed(browser):
    chromium = browser.playwright.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--js-flags=--expose-gc"])
    try:
        with pages() as served:
            served.file("/", foreign(element(SCREEN), element(SCREEN, name="q")))
            with shown(browser, served, init=HELP, chromium=chromium) as page:
                served.newest("/live/p")
                apply(served, page, [["s", "a1.6", {"text": "seen"}], ["f", "a1.2"]], name="p")
                page.evaluate("""() => {
                    window.weak = [document.getElementById('p'), rootOf('p'), find('a1.2', 'p')].map(it => new WeakRef(it));
                    find('a1.5', 'p').click();
                    document.getElementById('p').remove();
                }""")
                until(lambda: page.evaluate("() => (gc(), weak.every(it => !it.deref()))"),
                      lambda: f"there is still {page.evaluate('weak.map(it => it.deref()?.nodeName)')}")
                apply(served, page, [["s", "a1.6", {"text": "seen"}]], name="q", to="/live/q")
    finally:
        chromium.close()


@case(58)
def an_element_that_a_framework_writes_as_text_begins_as_well(browser):
    makes = {
        "as text": "text => document.getElementById('place').innerHTML = text",
        "by a template": """text => { const it = document.createElement('template'); it.innerHTML = text;
            document.getElementById('place').append(document.importNode(it.content, true)); }""",
        "by its nodes": """text => { const it = document.createElement('div'); it.innerHTML = text;
            const old = it.firstChild, made = document.createElement('widget-view');
            for (const {name, value} of old.attributes) made.setAttribute(name, value);
            made.append(...old.childNodes); document.getElementById('place').append(made); }""",
    }
    for way, make in makes.items():
        with pages() as served:
            served.policy = POLICY.split("; require")[0]
            served.file("/", foreign('<div id="place"></div>'))
            with shown(browser, served, init=HELP, expected=["declarative Shadow DOM"]) as page:
                page.evaluate(make, element(SCREEN))
                apply(served, page, [["s", "a1.6", {"text": "seen"}]], name="p")
                check(way, "seen", page.evaluate("find('a1.6', 'p').textContent"))


@case(58)
def a_page_whose_stream_is_over_begins_anew_where_it_may(browser):
    with part_in(browser, "shadow root", SCREEN) as (served, page, name):
        served.newest("/live/p").lines.put(b"event: o\ndata:\n\n")
        page.wait_for_function("() => find('a-s', 'p').textContent == 'This page has ended.'")
        page.evaluate("find('a1.5', 'p').click()")
        page.wait_for_timeout(2_500)
        check("posts", [], served.posts)
        check("streams", 1, len(served.streams))
    for root in IN:
        body = document(SCREEN) if root == "document" else foreign(element(SCREEN, more='data-begin="/live"'))
        with pages() as served:
            served.file("/", body)
            served.file("/live/new", body)
            served.answers["/live"] = [(303, "/live/new")]
            with shown(browser, served, init=HELP) as page:
                with page.expect_response("**/actions"):
                    page.locator("[id='a1.2']").fill("typed")
                served.newest("/live/p").lines.put(b"event: o\ndata:\n\n")
                check(root, "0", served.newest("/live/new").after)
                check(root, [["input", "1.2", "typed"]], events(served.acts("/live/new/a/actions")))
                page.wait_for_url(served.origin + ("/live/new" if root == "document" else "/"))


@case(58)
def a_still_runs_when_it_is_seen(browser):
    run = '<form class="run" method="post" action="/live" data-run="view"><button>Run</button></form>'
    still = document(f"{run}{SCREEN}", attributes="")
    with pages() as served:
        served.file("/", still)
        served.file("/live/p", document(SCREEN))
        served.answers["/live"] = [(303, "/live/p")]
        with shown(browser, served, init=HELP) as page:
            served.newest("/live/p")
            page.wait_for_url("**/live/p")
            apply(served, page, [["w", SCREEN, "Runs"]])
            check("the button", 0, page.locator("[data-run]").count())


@case(58)
def after_run_the_heading_has_the_focus_and_nothing_hidden(browser):
    # Pressed before the script sees it.
    run = '<form class="run" method="post" action="/live" data-run><button>Run</button></form>'
    hidden = ('<button class="rf" name="do" value="[&quot;refresh&quot;,&quot;1.4&quot;]">Refresh</button>'
              '<input id="a1.9" name="1.9" type="search" aria-label="Search">')
    with pages() as served:
        served.file("/sheet.css", (".rf{position:absolute;inset:0 0 auto;padding:12px}.rf:not(:focus){opacity:0;pointer-events:none}"), "text/css")
        for headed in [True, False]:
            shown_screen = SCREEN if headed else re.sub(r"<h1.*?</h1>", "", SCREEN)
            screen = shown_screen.replace("</main>", hidden + "</main>")
            text = document(f'<link rel="stylesheet" href="/sheet.css">{run}{screen}', attributes="")
            served.file("/", text)
            served.file("/live/p", document(screen))
            served.answers["/live"] = [(303, "/live/p")]
            # That of the page before may not have ended yet.
            served.streams.clear()
            with shown(browser, served, init=HELP) as page:
                page.get_by_role("button", name="Run").focus()
                page.keyboard.press("Enter")
                page.wait_for_url("**/live/p")
                apply(served, page, [["w", screen, "Runs"]])
                where = page.evaluate("() => { const it = document.activeElement; return [it.tagName, it.className, it.checkVisibility({checkOpacity: true})]; }")
                if where[0] not in ["H1", "MAIN"] or "rf" in where[1] or not where[2]:
                    raise Failed(f"after Run the focus is on {where}")
                # Tab still reaches it.
                seen = []
                for _ in range(20):
                    page.keyboard.press("Tab")
                    seen.append(page.evaluate("document.activeElement.className"))
                if "rf" not in seen:
                    raise Failed(f"Tab does not reach Refresh, but {seen}")


@case(58)
def a_policy_that_is_missing_or_refused_is_said_once_and_needed_where_it_is_required(browser):
    plain = POLICY.split("; require")[0]
    away = "delete window.trustedTypes;"
    other = "trustedTypes.createPolicy('page', {});"
    for name, policy, init, says in [("no trustedTypes", plain, away, False), ("refused", plain + "; trusted-types other", "", True),
                                     ("taken", plain + "; trusted-types page", other, True), ("allowed", POLICY, "", False)]:
        with pages() as served:
            served.policy = policy
            served.file("/", foreign(element(SCREEN), element(SCREEN, name="q")))
            with shown(browser, served, init=HELP + init, expected=["trusted-types", "Refused", "violates"]) as page:
                for id in "pq":
                    apply(served, page, [["r", "a1.6", '<p id="a1.6">new</p>']], name=id, to=f"/live/{id}")
                    check(name, "new", page.evaluate("id => find('a1.6', id).textContent", id))
                said = [text for text in page.said if text.startswith("Live widgets need")]
                check(f"{name}, sentences", int(says), len(said))
    # Where it is required and refused, nothing can be shown, and the server is asked ever more seldom.
    hurry = "window.waits = []; const own = setTimeout; window.setTimeout = (act, time) => (waits.push(time), own(act, 0));"
    with pages() as served:
        served.policy = POLICY.replace("trusted-types page", "trusted-types other")
        served.file("/", foreign(element(SCREEN)))
        with shown(browser, served, init=hurry, expected=["trusted-types", "Trusted", "requires", "violates", "Refused"]) as page:
            for count in range(1, 4):
                served.send("/live/p", {"a": [["w", SCREEN, ""]]})
                until(lambda: len(served.streams) > count, "the page does not ask again")
                served.streams[-2].is_open = False
            check("pauses", [2_000, 4_000, 8_000], page.evaluate("waits.filter(time => time >= 1000)"))


@case(58)
def lengths_follow_the_readers_size_and_not_that_of_the_page(browser):
    for size in [16, 24]:
        chromium = browser.playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", f"--blink-settings=defaultFontSize={size}"])
        try:
            with pages() as served:
                served.file("/w.css", ".page{all:initial}.w{font-size:calc(2*var(--widget-rem));width:calc(10*var(--widget-rem))}", "text/css")
                served.file("/", foreign(element('<link rel="stylesheet" href="/w.css">' + SCREEN)))
                with shown(browser, served, init=HELP, chromium=chromium) as page:
                    # Rules of a page come after, and leave the reader's size as it is.
                    apply(served, page, [["c", {"!program": ".scr{padding-top:calc(1*var(--widget-rem))}"}]], name="p")
                    found = page.evaluate("""() => [...['.w', '.scr'].map(it => getComputedStyle(rootOf('p').querySelector(it)))
                        .map(it => [it.fontSize, it.width, it.paddingTop])]""")
                    check(f"size {size}", [[f"{2 * size}px", f"{10 * size}px", "0px"], [f"{2 * size}px", f"{10 * size}px", f"{size}px"]],
                          found)
        finally:
            chromium.close()


@case(58)
def rules_of_the_page_from_its_own_sheet_are_taken_away(browser):
    for root in IN:
        with pages() as served:
            for name, rules in [("/live/p/a/1.css", ".x{opacity:.5}.y{opacity:.5}"), ("/assets/1.css", ".x{order:3}"),
                                ("/live/p/b/1.css", ".x{flex-grow:4}")]:
                served.file(name, rules, "text/css")
            links = "".join(f'<link rel="stylesheet" href="{path}">' for path in ["/live/p/a/1.css", "/assets/1.css", "/live/p/b/1.css"])
            part = links + '<main class="w" id="a1"><form class="f"><p id="a1.1" class="x">1</p><p id="a1.2" class="y">2</p></form></main>'
            served.file("/", document(part) if root == "document" else foreign(element(part)))
            with shown(browser, served, init=HELP) as page:
                apply(served, page, [["c", {".x": None}]], name=IN[root])
                found = page.evaluate("""name => ['a1.1', 'a1.2'].map(id => getComputedStyle(find(id, name)))
                    .map(it => [it.opacity, it.order, it.flexGrow])""", IN[root])
                check(root, [["1", "3", "4"], ["0.5", "0", "0"]], found)


def slotted(letter, title, part):
    form = ('<form class="acts" method="post" action="/live/p" data-host>'
            f'<input type="hidden" name="slot" value="{letter}"><button class="earlier" name="do" value="earlier">&lt;</button>'
            '<button class="later" name="do" value="later">&gt;</button></form>')
    part = part.replace("a1", f"{letter}1").replace("<main", "<div").replace("</main", "</div").replace("h1", "h3")
    return (f'<section id="{letter}-slot" class="slot" data-slot="{letter}" tabindex="-1"><div class="head"><h2>{title}</h2>{form}</div>'
            f'<div class="frame">{line(letter)}{part}</div></section>')


@case(58)
def parts_of_a_page_have_one_stream_and_their_own_acts(browser):
    with pages() as served:
        served.file("/w.css", ".slots{display:flex}.slot{width:300px}.head{height:60px;user-select:none}", "text/css")
        slots = "".join(slotted(letter, f"Slot {letter}", SCREEN) for letter in "ab")
        served.file("/", f'<!DOCTYPE html><html lang="en" data-live="/live/p" data-begin="/live" data-view="3a1b1"><head><title>Before</title>'
                    '<link rel="stylesheet" href="/w.css"><script src="/live.js" defer data-page></script></head>'
                    f'<body class="host"><main id="slots" class="slots">{slots}</main></body></html>')
        with shown(browser, served, init=HELP) as page:
            check("the position", "3a1b1", served.newest("/live/p").after)
            page.locator("[id='b1.2']").fill("text")
            page.locator("[id='a1.5']").click()
            check("acts of b", [["input", "1.2", "text"]], events(served.acts("/live/p/b/actions")))
            check("acts of a", [["tap", "1.5"]], events(served.acts("/live/p/a/actions")))
            # An echo is about one part.
            served.send("/live/p", {"a": [["e", 9e15], ["s", "a1.6", {"text": "new a"}]],
                                    "b": [["s", "b1.2", {"value": "x"}], ["s", "b1.6", {"text": "new b"}], ["n", {"revision": "2"}]]}, "3a2b2")
            page.wait_for_function("() => find('a1.6').textContent == 'new a' && find('b1.6').textContent == 'new b'")
            check("what was typed", "text", value(page, "b1.2", ""))
            check("data", "2", page.evaluate("find('b-slot').dataset.revision"))
            # A change of the other part takes no focus.
            page.locator("[id='b1.2']").focus()
            apply(served, page, [["w", SCREEN.replace("a1", "a2").replace("<main", "<div").replace("</main", "</div"), ""]])
            check("focus", "b1.2", page.evaluate("active()"))
            # Acts on slots: by their buttons, by keys, and by dragging.
            page.locator("#a-slot .later").click()
            page.keyboard.press("ArrowLeft")
            page.locator("#b-slot .later").focus()
            page.keyboard.press("ArrowDown")
            check("forms", [b"slot=a&do=later", b"slot=a&do=earlier", b"slot=b&do=later"], served.acts("/live/p", 3))
            start, end = (page.locator(f"#{letter}-slot .head h2").bounding_box() for letter in "ba")
            for gives_up in [True, False]:
                page.mouse.move(start["x"] + 5, start["y"] + 5)
                page.mouse.down()
                page.mouse.move(end["x"] + 5, end["y"] + 5, steps=4)
                check("marks", ["slot left", "slot drag"], page.evaluate("['a-slot', 'b-slot'].map(id => find(id).className)"))
                if gives_up:
                    page.keyboard.press("Escape")
                page.mouse.up()
                check("marks", ["slot", "slot"], page.evaluate("['a-slot', 'b-slot'].map(id => find(id).className)"))
            check("forms", b"do=move&slot=b&before=a", served.acts("/live/p", 4)[3])
            check("forms", 4, len(served.acts("/live/p", 4)))
            apply(served, page, [["m", "slots", "a-slot", "b-slot"]], letter="b")
            check("order", ["b-slot", "a-slot"], page.evaluate("[...document.querySelectorAll('.slot')].map(it => it.id)"))
            check("streams", 1, len(served.streams))


@case(49)
def an_act_that_is_refused_is_said_and_typed_text_gives_way(browser):
    for root in IN:
        with part_in(browser, root, SCREEN, expected=["403"]) as (served, page, name):
            served.answers["/live/p/a/actions"] = [(403, "<main>Without a token</main>")]
            count = len(served.streams)
            page.locator("[id='a1.2']").fill("typed")
            page.wait_for_function("name => find('a-s', name).textContent.includes('Without a token')", arg=name)
            # The page asks for everything, because the widget has not got what it shows.
            until(lambda: len(served.streams) > count, "the page does not ask again")
            check("after", "0", served.newest("/live/p").after)
            apply(served, page, [["s", "a1.2", {"value": "of the widget"}]], name=name)
            check(root, "of the widget", value(page, "a1.2", name))


@case(49)
def an_element_that_has_ended_takes_nothing_and_says_so_to_its_document(browser):
    with part_in(browser, "shadow root", SCREEN) as (served, page, name):
        page.evaluate("() => document.addEventListener('end', it => window.over = it.target.id, true)")
        served.newest("/live/p").lines.put(b"event: o\ndata:\n\n")
        page.wait_for_function("() => window.over == 'p'")
        check("inert", True, page.evaluate("find('a1', 'p').inert"))


@case(49)
def a_page_begun_anew_gets_the_texts_that_no_view_has_answered(browser):
    with pages() as served:
        served.file("/", foreign(element(SCREEN, more='data-begin="/live"')))
        served.file("/live/new", "<!DOCTYPE html>")
        served.answers["/live"] = [(303, "/live/new")]
        with shown(browser, served, init=HELP) as page:
            served.newest("/live/p")
            page.locator("[id='a1.2']").fill("answered")
            until(lambda: served.posts, "the text is not sent")
            apply(served, page, [["e", 9e15]], name="p")
            served.posts.clear()
            served.newest("/live/p").lines.put(b"event: o\ndata:\n\n")
            check("after", "0", served.newest("/live/new").after)
            apply(served, page, [["s", "a1.6", {"text": "seen"}]], name="p", to="/live/new")
            # A shared widget may have another value by now.
            check("posts", ["/live"], [path for path, *_ in served.posts])

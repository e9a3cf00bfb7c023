"""Strangers: pages of other origins, other names of this machine, frames, and floods."""

import contextlib
import http.server
import threading

from harness import CHROMIUM, Failed, case
from live import Stream, Viewing, named, served, until, visit, watched
from live_material import desk

# A page of another origin that does all that a page may do to another server, without asking its reader.
EVIL = """<!doctype html><title>Evil</title><body><iframe name=sink></iframe><script>
const wait = [], to = '%(path)s', origin = '%(origin)s';
const body = JSON.stringify([9e14, [%(event)s]]);
for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json'])
    for (const mode of ['no-cors', 'cors'])
        wait.push(fetch(origin + to + '/a/actions', {method: 'POST', mode, body, credentials: 'include',
            headers: type == 'application/json' && mode == 'no-cors' ? {} : {'content-type': type}})
            .then(a => a.type, e => 'refused'));
for (const path of ['/live', to, to + '/a', to + '/end'])
    wait.push(fetch(origin + path, {method: 'POST', mode: 'no-cors', body: new URLSearchParams({do: '%(event)s'})})
        .then(a => a.type, e => 'refused'));
navigator.sendBeacon(origin + to + '/end', 'x');
wait.push(fetch(origin + to).then(a => 'read', e => 'refused'));
wait.push(new Promise(done => { const it = new EventSource(origin + to + '/events?after=0');
    it.onmessage = () => done('stream'); it.onerror = () => { it.close(); done('refused'); }; }));
const form = document.createElement('form');
Object.assign(form, {method: 'POST', action: origin + to + '/a', target: 'sink'});
const field = document.createElement('input');
Object.assign(field, {name: 'do', value: '%(event)s'});
form.append(field);
document.body.append(form);
form.submit();
Promise.all(wait).then(said => window.said = said);
</script>"""
FRAME = "<!doctype html><title>Frame</title><iframe src='%s' width=300 height=300></iframe>"


@contextlib.contextmanager
def stranger(pages):
    """A server of another origin."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@case(37)
def a_page_of_another_origin_changes_nothing(browser):
    with served(desk()) as server:
        viewing = Viewing(server)
        event = str(viewing.button("bump")).replace("'", '"')
        with stranger({"/": EVIL % {"path": viewing.path, "origin": server.origin, "event": event}}) as origin:
            with visit(browser, origin + "/", run=False, expected=["."]) as page:
                page.wait_for_function("window.said")
                said = page.evaluate("said")
        page = viewing.html()
        if "Count 0" not in page:
            raise Failed("a page of another origin has tapped a button")
        if "read" in said or "stream" in said:
            raise Failed(f"a page of another origin can read: {said}")
        for method, path, headers in (
            ("POST", "/live", {"Origin": "http://localhost:1"}), ("POST", viewing.path, {"Origin": "null"}),
            ("POST", viewing.part, {"Origin": "null"}),
            ("POST", f"{viewing.part}/actions", {"Origin": ""}), ("POST", f"{viewing.path}/end", {"Origin": "https://evil.test"}),
            ("POST", f"{viewing.part}/actions", {"Origin": server.origin + "0"}),
            ("POST", "/live", {"Origin": "", "Sec_Fetch_Site": "cross-site"}),
            ("POST", "/live", {"Origin": "", "Sec_Fetch_Site": "same-site"}),
        ):
            status, _, body = server.request(method, path, "[1,[]]", **headers)
            if status != 403:
                raise Failed(f"{method} {path} with {headers} is answered with {status}: {body[:200]!r}")
        # The page's own tap still works.
        viewing.tap("bump")
        if "Count 1" not in viewing.html():
            raise Failed("the viewing itself is harmed")


@case(37)
def another_name_of_this_machine_is_refused(browser):
    chromium = browser.playwright.chromium.launch(
        executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP evil.test 127.0.0.1"])
    try:
        with served(desk()) as server:
            page = watched(chromium.new_context())
            answer = page.goto(f"http://evil.test:{server.port}/")
            if answer.status != 421 or page.locator("form").count():
                raise Failed(f"a name that leads here is answered with {answer.status}")
            made = page.evaluate("() => fetch('/live', {method: 'POST'}).then(a => a.status, () => 0)")
            if made not in (0, 421):
                raise Failed(f"a viewing for a name that leads here: {made}")
            for host in ("evil.test", "evil.test:PORT", "127.0.0.1.evil.test", "127.0.0.1:PORT@evil.test", "0.0.0.0"):
                host = host.replace("PORT", str(server.port))
                status = server.request("GET", "/", Host=host)[0]
                if status not in (400, 421):
                    raise Failed(f"the name {host} is answered with {status}")
        with served(desk(), "--allow-host", "evil.test") as server:
            page = watched(chromium.new_context())
            answer = page.goto(f"http://evil.test:{server.port}/")
            if answer.status != 200:
                raise Failed(f"a name that is allowed is answered with {answer.status}")
            page.wait_for_url("**/live/*")
            named(page, "bump").click()
            until(lambda: "Count 1" in page.locator("main").inner_text(), "a page of an allowed name does not live")
    finally:
        chromium.close()


@case(37)
def a_frame_of_another_origin_shows_nothing(browser):
    with served(desk()) as server:
        viewing = Viewing(server)
        pages = {"/still": FRAME % (server.origin + "/"), "/live": FRAME % (server.origin + viewing.path)}
        with stranger(pages) as origin:
            for path in pages:
                with visit(browser, origin + path, run=False, expected=["frame-ancestors|X-Frame-Options|chrome-error|favicon"]) as page:
                    page.wait_for_timeout(300)
                    inner = page.frames[1]
                    if inner.url.startswith(server.origin) and inner.locator("form").count():
                        raise Failed(f"{path} is shown in a frame of another origin")
                    if not any("frame-ancestors" in text or "X-Frame" in text for text in page.messages):
                        raise Failed(f"the browser did not say that the frame was refused: {page.messages}")


@case(37)
def floods_are_refused_and_harm_no_one_else(browser):
    with served(desk()) as server, visit(browser, server.origin) as page:
        made, status = [], 303
        while len(made) < 40 and status == 303:
            status, headers, _ = server.request("POST", "/live")
            made.append(headers.get("Location"))
        if status not in (429, 503) or len(made) > 21:
            raise Failed(f"{len(made)} viewings, then {status}")
        viewing = made[0].removeprefix(server.origin)
        button = Viewing.button(Known(server, viewing), "bump")
        answers = [server.request("POST", f"{viewing}/a/actions", str([serial, [button] * 10]).replace("'", '"'),
                                  Content_Type="application/json") for serial in range(1, 30)]
        refused = [headers for status, headers, _ in answers if status == 429]
        if not refused or not refused[0].get("Retry-After"):
            raise Failed(f"290 events at once are answered with {[status for status, _, _ in answers]}")
        many = b"[1,[" + b"[1]," * 40_000 + b"]]"
        for body, wanted in ((many, (400, 413)), (b"nonsense", (400,)), (b"[" * 10_000, (400, 413))):
            status = server.request("POST", f"{viewing}/a/actions", body, Content_Type="application/json")[0]
            if status not in wanted:
                raise Failed(f"{body[:20]!r}… is answered with {status}")
        streams = [Stream(Known(server, viewing), 0) for _ in range(30)]
        all_end = all(map(ends, streams[:-1]))
        for stream in streams:
            stream.close()
        if not all_end:
            raise Failed("an older stream of a viewing is open beside the newest")
        named(page, "bump").click()
        until(lambda: "Count 1" in page.locator("main").inner_text(), "another page does not take a tap")


class Known(Viewing):
    """A viewing that there is already."""

    def __init__(self, server, path):
        self.server, self.path, self.serial = server, path, 0


def ends(stream):
    with contextlib.suppress(Failed):
        while stream.next():
            pass
        return True
    return False

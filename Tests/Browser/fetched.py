"""Pictures of the network: those that were granted are drawn, and hostile files are described."""

import contextlib
import http.server
import io
import re
import struct
import threading
import zlib

from PIL import Image

from harness import Failed, case, folder, widget
from host import hosted, made
from live import agrees, bundle, named, served, until, valid, visit

WIDE = (64, 48)
LOOPBACK = ["--grant-range", "127.0.0.0/8"]
IMAGES = """() => [...document.querySelectorAll('img')].map(it =>
    [it.alt, it.complete ? it.naturalWidth : 0, it.complete ? it.naturalHeight : 0, new URL(it.src).pathname])"""


def drawn(kind):
    file = io.BytesIO()
    Image.new("RGB", WIDE, (200, 80, 40)).save(file, kind)
    return file.getvalue()


def bomb():
    """A PNG of a few bytes whose head promises 60,000 by 60,000 pixels."""
    def chunk(type, content):
        return struct.pack(">I", len(content)) + type + content + struct.pack(">I", zlib.crc32(type + content))
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 9_000)) + chunk(b"IEND", b"")


DRAWING = b"<svg xmlns='http://www.w3.org/2000/svg' onload='window.ran = 1'><script>window.ran = 1</script></svg>"
GOOD = {"png": drawn("PNG"), "jpg": drawn("JPEG"), "gif": drawn("GIF"), "webp": drawn("WEBP")}
BAD = {"drawing": DRAWING, "page": b"<!DOCTYPE html><script>window.ran = 1</script>", "bomb": bomb(),
       "large": GOOD["png"] + bytes(9 << 20), "private": None, "gone": None}


class Pictures(http.server.ThreadingHTTPServer):
    """Pictures, other files under their names, and one that comes when it is let go."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.late, self.asked = threading.Event(), []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def address(self, name):
        return f"http://127.0.0.1:{self.server_port}/{name}"

    @property
    def grant(self):
        return ["--grant", self.address(""), *LOOPBACK]


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.strip("/")
        self.server.asked.append((name, dict(self.headers)))
        if name == "private":
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest/meta-data/")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if name == "late":
            self.server.late.wait()
        body = GOOD.get(name) or BAD.get(name) or (GOOD["png"] if name == "late" else None)
        if body is None:
            return self.send_error(404)
        self.send_response(200)
        # A type that says nothing, and a cookie that no request may bring back.
        self.send_header("Content-Type", "image/png")
        self.send_header("Set-Cookie", "visitor=1; Path=/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *words):
        pass


@contextlib.contextmanager
def pictures():
    server = Pictures()
    try:
        yield server
    finally:
        server.late.set()
        server.shutdown()
        server.server_close()


def screen(server, *names):
    """A screen with pictures whose places have a size."""
    return {"schema": 1, "title": "Pictures", "root": {"kind": "scroll", "children": [{"kind": "vstack", "children": [
        {"kind": "image", "id": name, "payload": {"url": server.address(name), "alt": f"A {name} picture"},
         "style": {"width": 100, "height": 40}} for name in names]}]}}


def shown(page):
    return {alt: (width, height, path) for alt, width, height, path in page.evaluate(IMAGES)}


def has_drawn(page, *names):
    """Waits until pictures are drawn; a page without script loads itself again."""
    def are_there():
        with contextlib.suppress(Exception):
            images = shown(page)
            return all(images.get(f"A {name} picture", (0, 0))[:2] == WIDE for name in names)

    until(are_there, lambda: f"{names} are not drawn: {page.evaluate(IMAGES)}")


def describes(page, *names):
    """Fails unless the words of pictures that cannot be shown are there for the eye and for readers of screens."""
    for name in names:
        place = named(page, name)
        if place.inner_text().strip() != f"A {name} picture" or place.get_attribute("aria-label") != f"A {name} picture":
            raise Failed(f"{name} is not described: {place.evaluate('it => it.outerHTML')}")
        if page.evaluate("window.ran"):
            raise Failed("a file of the network has run")


@case(51)
def granted_pictures_are_drawn_and_hostile_ones_described(browser):
    for script in [True, False]:
        with pictures() as server, served(bundle(Main=screen(server, *GOOD, *BAD, "late")), *server.grant) as pages:
            with visit(browser, pages.origin, script) as page:
                has_drawn(page, *GOOD)
                describes(page, *BAD)
                late = named(page, "late")
                box = late.bounding_box()
                if "A late picture" in shown(page):
                    raise Failed("a picture is there before it has come")
                server.late.set()
                has_drawn(page, "late")
                if late.bounding_box() != box:
                    raise Failed(f"a picture moves what has a size: {box} has become {late.bounding_box()}")
                if script:
                    agrees(browser, pages, page)
                path = shown(page)["A jpg picture"][2]
                valid(pages, re.sub(r"^https?://[^/]*", "", page.url))
            status, headers, body = pages.request("GET", path)
            wanted = {"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff", "Set-Cookie": None}
            if status != 200 or body != GOOD["jpg"] or any(headers[name] != value for name, value in wanted.items()):
                raise Failed(f"a picture is answered with {status}: {headers}")
            if "default-src 'none'" not in headers["Content-Security-Policy"]:
                raise Failed(f"a picture has the policy {headers['Content-Security-Policy']}")
            asked = [name for name, _ in server.asked]
            if len(asked) != len(set(asked)):
                raise Failed(f"pictures are fetched again: {asked}")
            if any({name.lower() for name in fields} - {"host", "accept", "accept-encoding"} for _, fields in server.asked):
                raise Failed(f"a request says more than it has to: {server.asked}")


@case(51)
def pictures_that_were_not_granted_have_their_address(browser):
    with pictures() as server, served(bundle(Main=screen(server, "png"))) as pages, visit(browser, pages.origin) as page:
        place = named(page, "png")
        if shown(page) or place.get_attribute("title") != server.address("png") or server.asked:
            raise Failed(f"it is {place.evaluate('it => it.outerHTML')}, and {server.asked} were asked for")


@case(51)
def a_host_fetches_the_pictures_of_its_slots_once(browser):
    with pictures() as server:
        document, grants = screen(server, "png", "drawing"), [server.address("")]
        slots = [{"path": str(made(name, document)), "grants": grants} for name in ["One", "Two"]]
        with hosted(*slots, words=LOOPBACK) as host:
            for script in [True, False]:
                with visit(browser, host.origin, script, run=False) as page:
                    until(lambda: len([it for it in page.evaluate(IMAGES) if it[1:3] == list(WIDE)]) == 2,
                          lambda: f"the slots show {page.evaluate(IMAGES)}")
                    if page.locator("[data-id=drawing]").all_inner_texts() != ["A drawing picture"] * 2:
                        raise Failed("a drawing is not described in words")
        # Each grant is one network, whose pictures all pages share; what has failed is tried again for a page that is loaded again.
        if [name for name, _ in server.asked].count("png") != 2:
            raise Failed(f"asked for {[name for name, _ in server.asked]}")


@case(51)
def a_page_on_disk_has_the_pictures_of_the_network(browser):
    with pictures() as server:
        server.late.set()
        subject, out = bundle(Main=screen(server, *GOOD, *BAD, "late")), folder() / "page"
        widget("render", subject, "--as", "html", "-o", out, *server.grant)
        with browser.page(out, 375, 667) as page:
            has_drawn(page, *GOOD, "late")
            describes(page, *BAD)
        widget("render", subject, "--as", "png", "-o", out.parent / "page.png", "--viewport", "375x667@1", *server.grant)
        picture = Image.open(out.parent / "page.png").convert("RGB")
        # The first four pictures fill the height of their places.
        colors = {place: picture.getpixel((50, place)) for place in range(80, 240, 40)}
        if not any(abs(red - 200) < 12 and abs(green - 80) < 12 for red, green, _ in colors.values()):
            raise Failed(f"the picture of the page has no picture of the network: {colors}")

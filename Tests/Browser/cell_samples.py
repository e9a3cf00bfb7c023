"""The pages of samples in cells, compared with those of `widget run --http`, whose widgets run in the server itself."""

import html
import json
import re
import subprocess

from cell_limits import SAMPLES
from cell_material import Preview, registry, seed
from harness import ROOT, SAMPLES as SHARED, Failed, case, program
from live import Viewing, served, until

ACTS = 6


def plain(page):
    """A page without what only its server knows: names of viewings, addresses that begin one, and numbers of changes."""
    text = page.decode() if isinstance(page, bytes) else page
    text = re.sub(r"/live/[0-9a-f]{32}", "/live/NAME", text)
    text = re.sub(r'(data-begin|action)="(/live|/w/[^"]*/run[^"]*)"', r'\1="BEGIN"', text)
    text = re.sub(r'data-run="(view|press)"', 'data-run="RUN"', text)
    # A server of one widget has neither an inspector nor a page about the release.
    text = re.sub(r'<nav class="ways" [^>]*>.*?</nav>', "", text, flags=re.S)
    text = re.sub(r"/([a-z])/\d+\.css", r"/\1/NUMBER.css", text)
    text = re.sub(r' data-(revision|attempt)="\d*"', "", text)
    return re.sub(r'(data-view|name="n" value)="[0-9a-z]+"', r'\1="NUMBER"', text)


def whole(server, page):
    """The page of a still with its sheets in the places of their names, which come from what is in them, and without the looks
    of the links that only one of both has."""
    def sheet(link):
        status, _, body = server.request("GET", link[1])
        if status != 200:
            raise Failed(f"{link[1]} was answered with {status}")
        return "<style>" + re.sub(r"(?m)^:is\(body,\.page\)>\.ways.*\n|^\n", "", body.decode()) + "</style>"
    return re.sub(r'<link rel="stylesheet" href="(/assets/[0-9a-z-]+\.css)">', sheet, page.decode())


def compare(what, cell, own):
    cell, own = plain(cell), plain(own)
    if cell != own:
        place = next((place for place, (one, other) in enumerate(zip(cell, own)) if one != other), min(len(cell), len(own)))
        raise Failed(f"{what}: the page of a cell differs:\n  {cell[max(0, place - 80):place + 120]!r}\n"
                     f"  {own[max(0, place - 80):place + 120]!r}")


def screens(subject):
    """The names of the screens that a page can begin with, as the program lists them."""
    done = subprocess.run([program(), "render", subject, "--screen", "no such screen"], capture_output=True, text=True, timeout=60)
    found = re.search(r"it has (.*)", done.stderr)
    if not found:
        raise Failed(f"the screens of {subject} are not known: {done.stderr[:500]}")
    return found[1].split(", ")


def offered(page):
    """The events of a page's buttons, in their order."""
    found = [json.loads(html.unescape(value)) for value in re.findall(r'<button[^>]*\svalue="([^"]*)"', page)]
    return [event for event in found if event != ["enter"]]


def agree(what, cell, other):
    """The page that both viewings have once their data have arrived; fails if they stay different."""
    pages = []

    def is_equal():
        pages[:] = cell.html(), other.html()
        return plain(pages[0]) == plain(pages[1])

    try:
        until(is_equal, what)
    except Failed:
        compare(what, *pages)
    return pages[0]


def use(name, own, cell, other):
    """Does the same to both: at each step the first event of the page that was not sent before."""
    sent = []
    for _ in range(ACTS):
        page = agree(f"{name} after {sent}", cell, other)
        event = next((event for event in offered(page) if event not in sent), None)
        if event is None:
            break
        sent.append(event)
        for viewing in (cell, other):
            viewing.act(event)
    agree(f"{name} after {sent}", cell, other)
    return len(sent)


def sample(server, subject, place):
    """All first screens of a sample, and a viewing of it."""
    names, steps = screens(subject), 0
    for name in [None, *names]:
        query = {} if name is None else {"screen": name}
        address = f"{place}/try" + "".join(f"?{key}={''.join(f'%{byte:02X}' for byte in text.encode())}" for key, text in query.items())
        status, _, body = server.request("GET", address)
        if status != 200:
            raise Failed(f"{address} was answered with {status}")
        with served(subject, *(["--screen", name] if name else [])) as own:
            if not query:
                compare(f"{place}, the first screen", whole(server, body), whole(own, own.request("GET", "/")[2]))
                steps = use(place, own, Preview(server, place), Viewing(own))
            elif b"<main" not in body:
                raise Failed(f"{address} has no screen")
            else:
                plainly = re.sub(rb'\?screen=[^"]*', b"", body)
                compare(f"{place}, {name}", whole(server, plainly), whole(own, own.request("GET", "/")[2]))
    return len(names), steps


def samples(names):
    total = [0, 0]
    with registry(seed(*names)) as server:
        for name in names:
            found = sample(server, ROOT / "Bundles" / name, server.place(name))
            total = [one + other for one, other in zip(total, found)]
        ends = {name: count for name, count in server.metrics().items() if "ended" in name and '"idle"' not in name and '"done"' not in name and count != "0"}
        if ends:
            raise Failed(f"cells have ended: {ends}")
    return f"{len(names)} samples, {total[0]} screens, {total[1]} acts"


@case(51, 52)
def a_sample_in_a_cell_has_the_pages_of_one_in_its_server(browser):
    return samples(("Postcard",))


@case(51, 52)
def all_samples_in_cells_have_the_pages_of_those_in_their_servers(browser):
    return samples(SAMPLES)


@case(51, 52)
def the_demo_in_a_cell_shows_its_screens(browser):
    demo = SHARED / "WidgetDemo.zip"
    if not demo.exists():
        return "SKIPPED: the demo is not there"
    bundles = seed()
    (bundles / "WidgetDemo.zip").write_bytes(demo.read_bytes())
    with registry(bundles) as server:
        found = re.search(r'"bundle":"([^"]*)","release":"([^"]*)","from":"WidgetDemo.zip"', server.log.read_text())
        if not found:
            raise Failed(f"the demo was not published: {server.log.read_text()[:2000]}")
        found = sample(server, demo, f"/w/{found[1]}/{found[2]}")
        if any(count != "0" for name, count in server.metrics().items() if "ended" in name and '"idle"' not in name and '"done"' not in name):
            raise Failed(f"cells have ended: {server.metrics()}")
        return f"{found[0]} screens, {found[1]} acts"

"""The picture of README: a sample as its author's storyboard, as a page and in a terminal, and the registry's catalogue."""

import base64
import html
import io
import re

from PIL import Image

from gallery import Registry
from harness import MOMENT, ROOT, Failed, folder, page_of, widget

SAMPLE = ROOT / "Bundles" / "HarbourLog"
WIDTH, HEIGHT, SCALE = 1280, 960, 1.25
PICTURE_BYTES = 160_000
COLORS = 200

# The parts of a storyboard that say something to a person, of its many.
SHOWN = re.compile(r"<(scene|viewController|navigationController|tableView|tableViewCell|imageView|label|searchBar|segue) ")
NAMES = re.compile(r' (?:storyboardIdentifier|restorationIdentifier|reuseIdentifier|text|destination|kind|identifier)="[^"]*"')

SHEET = """
:root { --ground: #f6f8fa; --panel: #fff; --line: #d0d7de; --text: #1f2328; --quiet: #59636e; --mark: #0550ae; }
:root.dark { --ground: #0d1117; --panel: #151b23; --line: #3d444d; --text: #f0f6fc; --quiet: #9198a1; --mark: #79c0ff; }
* { box-sizing: border-box; margin: 0 }
body { width: 1280px; padding: 28px; background: var(--ground); color: var(--text); font: 17px/1.35 Inter, sans-serif }
section { display: flex; align-items: stretch; gap: 12px }
figure { display: flex; flex-direction: column; min-width: 0 }
figcaption { height: 54px; color: var(--quiet) }
figcaption b { display: block; color: var(--text) }
.panel { flex: 1; overflow: hidden; border: 1px solid var(--line); border-radius: 12px; background: var(--panel) }
pre { padding: 14px 16px; font: 12.5px/1.5 "DejaVu Sans Mono", monospace; white-space: pre; color: var(--text) }
pre i { font-style: normal; color: var(--mark) }
.terminal { background: #10151b } .terminal pre { color: #d7e0e8 }
img { display: block; width: 100% }
.arrow { flex: none; align-self: center; width: 28px; padding-top: 54px; text-align: center; font-size: 28px; color: var(--quiet) }
.below { margin-top: 22px }
"""


def storyboard(columns, rows):
    """The first elements of the sample's storyboard, one in a line."""
    lines = []
    for line in (SAMPLE / "Main.storyboard").read_text().splitlines():
        found = SHOWN.search(line)
        if found:
            words = f"<{found.group(1)}{''.join(NAMES.findall(line))}>"
            depth = (len(line) - len(line.lstrip())) // 8
            text = "  " * min(depth, 5) + words
            lines.append(html.escape(text if len(text) <= columns else text[:columns - 1] + "…", quote=False))
    return re.sub(r"&lt;(\w+)", r"&lt;<i>\1</i>", "\n".join(lines[:rows]))


def terminal(rows):
    shown = widget("render", SAMPLE, "--columns", 40, "--clock", MOMENT, "--time-zone", "UTC0").splitlines()
    return html.escape("\n".join(["$ widget run HarbourLog", *shown][:rows]), quote=False)


def source(picture):
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def drawn(scheme, phone, catalogue):
    """The page that is photographed."""
    return f"""<!DOCTYPE html><html lang="en" class="{scheme}"><meta charset="utf-8"><style>{SHEET}</style><body><section>
<figure style="width: 432px"><figcaption><b>A storyboard, as Xcode writes it</b>or documents, screens as text, or Swift</figcaption>
<div class="panel"><pre>{storyboard(50, 19)}</pre></div></figure><div class="arrow">→</div>
<figure style="width: 300px"><figcaption><b>as a page</b>in browsers, WebViews and frames</figcaption>
<div class="panel"><img src="{source(phone)}" alt=""></div></figure><div class="arrow">→</div>
<figure style="flex: 1"><figcaption><b>in a terminal</b>text and JSON, for people and tests</figcaption>
<div class="panel terminal"><pre>{terminal(19)}</pre></div></figure></section>
<section class="below"><figure style="width: 100%"><figcaption><b>The registry</b>checks what is published, shows it, and gives it to
apps: all at once, or a share at a time, with a way back</figcaption><div class="panel"><img src="{source(catalogue)}" alt=""></div></figure></section>"""


def photograph(browser, registry, scheme):
    with browser.page(page_of(SAMPLE, width=375, height=520, scheme=scheme), 375, 520, scheme=scheme, scale=1) as page:
        phone = page.screenshot(animations="disabled", caret="hide")
    context = browser.chromium.new_context(viewport={"width": 1222, "height": 1500}, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(registry.address, wait_until="networkidle")
    # The row of cards that has the sample's. Stills are loaded when they come into sight, and the window is as high as all of them.
    cards = page.locator("ul.cards > li")
    middle = cards.filter(has_text="com.example.HarbourLog").bounding_box()
    boxes = [cards.nth(place).bounding_box() for place in range(cards.count())]
    row = [box for box in boxes if abs(box["y"] - middle["y"]) < 2]
    left, right = min(box["x"] for box in row), max(box["x"] + box["width"] for box in row)
    clip = {"x": left - 20, "y": middle["y"] - 20, "width": right - left + 40, "height": middle["height"] + 40}
    catalogue = page.screenshot(animations="disabled", clip=clip)
    context.close()
    path = folder() / "overview.html"
    path.write_text(drawn(scheme, phone, catalogue))
    with browser.page(path, WIDTH, HEIGHT, scheme=scheme, scale=SCALE) as page:
        return page.screenshot(full_page=True)


def draw(browser, path):
    """Writes the picture for readers of either scheme, each on a ground that belongs to it."""
    registry = Registry()
    try:
        for scheme in ["light", "dark"]:
            image = Image.open(io.BytesIO(photograph(browser, registry, scheme))).convert("RGB")
            out = io.BytesIO()
            image.quantize(COLORS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
            if out.tell() > PICTURE_BYTES:
                raise Failed(f"overview-{scheme}.png has {out.tell()} bytes, and {PICTURE_BYTES} are allowed")
            (path / f"overview-{scheme}.png").write_bytes(out.getvalue())
            print(path / f"overview-{scheme}.png")
    finally:
        registry.end()

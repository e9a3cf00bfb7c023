"""Pictures of every screen, for people: light and dark, narrow and wide."""

import io
import pathlib

from PIL import Image

import overview
from harness import ROOT, Browser, Failed, page_of
from screens import every, own

SHAPES = [(375, 667), (1024, 768)]
# In docs/pictures: the pixels of a point by the width of the window, the most bytes of a picture and of all together.
SCALES = {375: 1, 1024: 0.625}
PICTURE_BYTES = 25_000
FOLDER_BYTES = 700_000
# The colours of a palette, of which the first that is small enough is taken.
PALETTES = [256, 128, 64, 48, 32, 24, 16, 12, 8]


def draw(target=None):
    """Draws the screens of Bundles into docs/pictures, or all that are there into another folder."""
    browser = Browser()
    try:
        if target:
            everything(browser, pathlib.Path(target))
        else:
            gallery(browser, ROOT / "docs" / "pictures")
    finally:
        browser.close()
    return 0


def shot(browser, screen, width, height, scheme, scale):
    page_path = page_of(screen.subject, width=width, height=height, scheme=scheme, **screen.wanted)
    with browser.page(page_path, width, height, scheme=scheme, scale=scale, reduced_motion="reduce") as page:
        return page.screenshot(animations="disabled", caret="hide")


def everything(browser, path):
    path.mkdir(parents=True, exist_ok=True)
    for screen in every():
        for width, height in SHAPES:
            for scheme in ["light", "dark"]:
                file = path / f"{screen.name}-{width}-{scheme}.png"
                file.write_bytes(shot(browser, screen, width, height, scheme, 2))
                print(file)


def gallery(browser, path):
    """Writes the pictures and the page that shows them. A dark picture that is like the light one is left out."""
    path.mkdir(parents=True, exist_ok=True)
    for old in path.glob("*.png"):
        old.unlink()
    rows, total = [], 0
    for screen in own():
        row = {}
        for width, height in SHAPES:
            light = shot(browser, screen, width, height, "light", SCALES[width])
            pictures = {"light": light}
            if width == 375:
                dark = shot(browser, screen, width, height, "dark", SCALES[width])
                if dark != light:
                    pictures["dark"] = dark
            for scheme, picture in pictures.items():
                name = f"{screen.name}-{width}-{scheme}.png"
                small = packed(picture)
                if len(small) > PICTURE_BYTES:
                    raise Failed(f"{name} has {len(small)} bytes, and {PICTURE_BYTES} are allowed")
                (path / name).write_bytes(small)
                total += len(small)
                row[width, scheme] = name
                print(path / name)
        rows.append((screen, row))
    if total > FOLDER_BYTES:
        raise Failed(f"the pictures have {total} bytes, and {FOLDER_BYTES} are allowed")
    (path / "README.md").write_text(described(rows))
    overview.draw(browser, path)


def packed(picture):
    """The same picture with a palette, as large as it may be for the bytes allowed."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    for colors in PALETTES:
        out = io.BytesIO()
        image.quantize(colors, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if out.tell() <= PICTURE_BYTES:
            break
    return out.getvalue()


def described(rows):
    lines = [
        "# Screens of the samples", "",
        "The samples of [Bundles](../../Bundles) as [pages](../pages.md) in Chromium with the typeface Inter, 375 points wide in",
        "both schemes, and 1,024 wide. A screen without a dark picture has its author's colours in both. `make pictures` draws them, and",
        "the picture of README.",
        "", "| screen | phone | dark | wide |", "|---|---|---|---|",
    ]
    for screen, row in rows:
        title = f"{screen.subject.name}: {screen.name.split('-', 1)[1]}"

        def cell(width, scheme, shown):
            name = row.get((width, scheme))
            words = f"{title}, {width} points wide, {scheme}"
            return f'<img src="{name}" width="{shown}" alt="{words}">' if name else ""

        lines.append(f"| {title} | {cell(375, 'light', 188)} | {cell(375, 'dark', 188)} | {cell(1024, 'light', 400)} |")
    return "\n".join(lines) + "\n"

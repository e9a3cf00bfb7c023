"""Pictures of every screen, for people: light and dark, narrow and wide."""

import pathlib

from PIL import Image

from harness import ROOT, Browser, page_of
from screens import every, own

SHAPES = [(375, 667), (1024, 768)]


def draw(target=None):
    """Draws the screens of Bundles into docs/pictures, or all that are there into another folder."""
    path = pathlib.Path(target) if target else ROOT / "docs" / "pictures"
    path.mkdir(parents=True, exist_ok=True)
    browser = Browser()
    for screen in every() if target else own():
        for width, height in SHAPES:
            for scheme in ["light", "dark"]:
                page_path = page_of(screen.subject, width=width, height=height, scheme=scheme, **screen.wanted)
                file = path / f"{screen.name}-{width}-{scheme}.png"
                scale = 1 if not target else 2
                with browser.page(page_path, width, height, scheme=scheme, scale=scale) as page:
                    page.screenshot(path=file)
                if not target:
                    # A palette is enough for a picture in a document, and a third of the bytes.
                    Image.open(file).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)
                print(file)
    browser.close()
    return 0

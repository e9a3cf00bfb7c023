"""Paint: corners, borders, what is clipped, and the ways in which a picture fills its place."""

from PIL import Image

from harness import Failed, case, page_of
from material import Bundle, color, view

SIDE = 80
RED, YELLOW, BLUE, BLACK, GREEN, WHITE = (255, 0, 0), (255, 255, 0), (0, 0, 255), (0, 0, 0), (0, 255, 0), (255, 255, 255)
# By content mode: points of a place of 80 by 80, and the colours of a picture of four stripes, 40 by 20, that are there.
MODES = {
    "scaleToFill": {(5, 5): RED, (30, 40): YELLOW, (50, 75): BLUE, (75, 75): BLACK},
    "scaleAspectFit": {(5, 5): GREEN, (5, 40): RED, (30, 30): YELLOW, (75, 50): BLACK, (75, 75): GREEN},
    "scaleAspectFill": {(5, 5): YELLOW, (35, 75): YELLOW, (45, 5): BLUE, (75, 75): BLUE},
    "center": {(15, 40): GREEN, (25, 32): RED, (55, 48): BLACK, (65, 40): GREEN, (40, 20): GREEN},
    "topLeft": {(5, 5): RED, (15, 15): YELLOW, (35, 15): BLACK, (45, 5): GREEN, (5, 25): GREEN},
}
BOXES = {
    "round": {(1, 1): WHITE, (78, 78): WHITE, (10, 10): GREEN, (40, 1): GREEN},
    "bordered": {(1, 40): BLUE, (40, 2): BLUE, (78, 40): BLUE, (6, 6): GREEN, (40, 40): GREEN},
    "clipping": {(70, 70): RED, (90, 90): WHITE, (10, 10): GREEN},
    "overflowing": {(70, 70): RED, (90, 90): RED, (10, 10): GREEN},
}


def paint(key, rgb):
    return color(key, *(part / 255 for part in rgb))


def place(number):
    return (20 + number % 3 * 120, 40 + number // 3 * 120, SIDE, SIDE)


def archive():
    bundle = Bundle()
    stripes = Image.new("RGB", (40, 20))
    for number, stripe in enumerate([RED, YELLOW, BLUE, BLACK]):
        stripes.paste(stripe, (number * 10, 0, number * 10 + 10, 20))
    stripes.save(bundle.path / "stripes.png")
    pictures = [view("imageView", mode, place(number), paint("backgroundColor", GREEN), image="stripes", contentMode=mode,
                     clipsSubviews="YES") for number, mode in enumerate(MODES)]
    inner = {name: [view("view", f"{name}-inner", (60, 60, SIDE, SIDE), paint("backgroundColor", RED))]
             for name in ("clipping", "overflowing")}
    layers = {"round": {"layer.cornerRadius": ("number", 20)},
              "bordered": {"layer.borderWidth": ("number", 4), "borderColor": ("color", paint("value", BLUE))}}
    boxes = [view("view", name, place(len(MODES) + number), paint("backgroundColor", GREEN), *inner.get(name, []),
                  clipsSubviews="YES" if name == "clipping" else "NO", layer=layers.get(name))
             for number, name in enumerate(BOXES)]
    return bundle.screen("Looks", *pictures, *boxes).build()


@case(7)
def corners_borders_clips_and_content_modes_are_painted(browser):
    wrong = []
    file = page_of(archive(), width=375, height=667)
    with browser.page(file, 375, 667, scale=1) as page:
        page.screenshot(path=file / "shot.png")
    shot = Image.open(file / "shot.png").convert("RGB")
    for number, (name, points) in enumerate({**MODES, **BOXES}.items()):
        left, top = place(number)[:2]
        for (x, y), wanted in points.items():
            found = shot.getpixel((left + x, top + y))
            if max(abs(one - other) for one, other in zip(found, wanted)) > 40:
                wrong.append(f"{name}: {found} at {x}, {y} instead of {wanted}")
    if wrong:
        raise Failed("\n    ".join(wrong))

"""Frames against the boxes of the browser: one reading of the rules, printed in two ways."""

import json

from harness import BOXES, Failed, case, folder, frames_of, page_of
from screens import Screen, every

WIDTHS = [(320, 568), (375, 667), (414, 736), (600, 800), (744, 1024), (1024, 768), (1366, 1024)]
TOLERANCE = 0.5
# The share of boxes that lie where their frames say.
SHARE = 0.999

# The widths of all words that a page shows, by the font that the browser has given them.
ADVANCES = """() => {
    const context = document.createElement('canvas').getContext('2d');
    const fonts = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const measure = (element, text) => {
        const style = getComputedStyle(element);
        const size = parseFloat(style.fontSize), weight = Number(style.fontWeight), italic = style.fontStyle === 'italic';
        const name = JSON.stringify([size, weight, italic]);
        if (!fonts.has(name)) fonts.set(name, {size, weight, italic, words: {}});
        context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        context.letterSpacing = style.letterSpacing === 'normal' ? '0px' : style.letterSpacing;
        const words = fonts.get(name).words;
        for (const word of [text, text.trim(), ' ', '…', ...text.split(/\\s+/)]) {
            if (word) words[word] = context.measureText(word).width;
        }
    };
    while (walker.nextNode()) measure(walker.currentNode.parentElement, walker.currentNode.data);
    for (const field of document.querySelectorAll('input, textarea')) measure(field, field.value || field.placeholder || '');
    return [...fonts.values()];
}"""


def compare(browser, screen, width, height, direction, advances=None):
    """The boxes of a screen, and those of them that are elsewhere in the browser."""
    more = ["--advances", advances] if advances else []
    frames = frames_of(screen.subject, *more, width=width, height=height, direction=direction, **screen.wanted)
    path = page_of(screen.subject, width=width, height=height, direction=direction, **screen.wanted)
    # What turns has its box where it began.
    with browser.page(path, width, height, reduced_motion="reduce") as page:
        boxes = page.evaluate(BOXES)
        if page.messages:
            raise Failed(f"{screen.name}: {page.messages[:3]}")
    misses = []
    for element in frames["elements"]:
        box = boxes.get(f"a{element['key']}")
        frame = element["frame"]
        if box is None:
            misses.append((element["key"], element["kind"], frame, None))
        elif max(abs(one - other) for one, other in zip(frame, box)) > TOLERANCE + 1e-6:
            misses.append((element["key"], element["kind"], frame, [round(part, 2) for part in box]))
    return len(frames["elements"]), misses


def measured(browser, screen, width, height):
    """A file with the browser's own widths of all words that a screen shows."""
    path = folder() / "advances.json"
    with browser.page(page_of(screen.subject, width=width, height=height, **screen.wanted), width, height) as page:
        path.write_text(json.dumps({"fonts": page.evaluate(ADVANCES)}))
    return path


def named(element):
    """The name of an element; that of one in a row ends with the row: `title@5r2`."""
    return element["identifier"] + "".join(element["key"].partition("@")[1:])


def names(subject, **wanted):
    """The identities in a page, by the names of the elements."""
    elements = frames_of(subject, **wanted)["elements"]
    return {named(element): f"a{element['key']}" for element in elements if "identifier" in element}


def frames_by_name(subject, *more, **wanted):
    elements = frames_of(subject, *more, **wanted)["elements"]
    return {named(element): element["frame"] for element in elements if "identifier" in element}


def same(browser, subject, width, height, direction="ltr", **wanted):
    """The frames of a screen by the names of their elements, once it is clear that the browser has the same."""
    screen = Screen("material", subject)
    screen.wanted = wanted
    advances = measured(browser, screen, width, height)
    misses = compare(browser, screen, width, height, direction, advances)[1]
    if misses:
        lines = "".join(f"\n    {' '.join(map(str, miss))}" for miss in misses[:30])
        raise Failed(f"{len(misses)} boxes at {width}, {direction}, are elsewhere than their frames:{lines}")
    return frames_by_name(subject, "--advances", advances, width=width, height=height, direction=direction, **wanted)


@case(1)
def frames_and_boxes_agree_at_seven_widths_in_both_directions(browser):
    count, misses = 0, []
    for screen in every():
        advances = measured(browser, screen, *WIDTHS[1])
        for width, height in WIDTHS:
            for direction in ("ltr", "rtl"):
                more, found = compare(browser, screen, width, height, direction, advances)
                count += more
                misses += [(screen.name, width, direction, *miss) for miss in found]
    share = 1 - len(misses) / max(count, 1)
    lines = "".join(f"\n    {' '.join(map(str, miss))}" for miss in misses[:60])
    said = f"{count - len(misses)} of {count} boxes within {TOLERANCE} pt ({share:.2%}, at least {SHARE:.1%} is needed){lines}"
    if not count or share < SHARE:
        raise Failed(said)
    return said


@case(4)
def a_page_follows_the_window_without_reload(browser):
    for screen in every():
        path = page_of(screen.subject, width=375, height=667, **screen.wanted)
        with browser.page(path, 375, 667, reduced_motion="reduce") as page:
            page.set_viewport_size({"width": 667, "height": 375})
            turned = page.evaluate(BOXES)
        with browser.page(path, 667, 375, reduced_motion="reduce") as page:
            fresh = page.evaluate(BOXES)
        if turned != fresh:
            name = next(key for key in fresh if turned.get(key) != fresh[key])
            raise Failed(f"{screen.name}: {name} is at {turned.get(name)} after turning, and {fresh[name]} at once")

"""Why a box may be elsewhere than its frame. Each reason is a rule about a box that differs by itself; what lies around and
below it is moved by it. A reason never excuses what cannot be seen or touched, and all of them together at most one box of a
hundred. There are fifteen at most."""

import unicodedata

NEAR = 2
# The height of a line by the size of its font.
LINE = 1.19336
MOST = 15
SHARE = 0.01


def breaks_elsewhere(element, box, seen):
    """A text has one line more or less: a browser's font is some thousandths wider or narrower than the table."""
    if element["kind"] not in ("label", "button") or not element.get("lines"):
        return False
    more = seen["lines"].get(f"a{element['key']}", 0) - element["lines"]
    height = more * LINE * element["font"]["size"]
    return abs(more) == 1 and element["lines"] + more > 0 and abs(box[2] - element["frame"][2]) <= NEAR \
        and abs(box[3] - element["frame"][3] - height) <= NEAR


def has_signs(element, box, seen):
    """A text has signs that fonts of letters lack, such as stars and arrows: they are as wide as in the font that has them."""
    return element["kind"] in ("label", "button") and any(unicodedata.category(one) == "So" for one in element.get("text", "")) \
        and abs(box[3] - element["frame"][3]) <= NEAR


REASONS = [breaks_elsewhere, has_signs]
assert len(REASONS) <= MOST


def unexcused(elements, seen, causes):
    """Those of the boxes that differ by themselves that have no reason for it."""
    return [(key, what, by) for key, what, by in causes
            if not any(reason(elements[key], seen["boxes"][f"a{key}"], seen) for reason in REASONS)]

"""Autoresizing masks: all 64 of them, against the rule that they follow, written once more."""

import itertools

from agreement import TOLERANCE, same
from harness import Failed, case
from material import MASK, Bundle, color, view

DESIGN = (375, 667)
SIZES = [(320, 568), (375, 667), (768, 1024)]


def stretched(start, length, design, actual, flexible):
    """A start and a length in a parent of another length: the flexible parts share the change by their own lengths."""
    parts = [start, length, design - start - length]
    total = sum(part for part, flexes in zip(parts, flexible) if flexes)
    change = actual - design
    for place, flexes in enumerate(flexible):
        if flexes:
            parts[place] += change * parts[place] / total if total else change / sum(flexible)
    return parts[0], parts[1]


def frame(number):
    return (20 + 5 * (number % 8), 30 + 6 * (number // 8), 120 + 10 * (number // 8), 80 + 20 * (number % 8))


def archive():
    masks = list(itertools.product([False, True], repeat=len(MASK)))
    bundle = Bundle(DESIGN)
    bundle.screen("Masks", *(
        view("view", f"mask{number}", frame(number), color("backgroundColor", number / 64, 0.5, 0.5),
             mask=list(itertools.compress(MASK, mask)))
        for number, mask in enumerate(masks)))
    return bundle.build(), masks


@case(8)
def each_of_64_masks_shares_the_change_at_three_sizes(browser):
    subject, masks = archive()
    wrong = []
    for width, height in SIZES:
        frames = same(browser, subject, width, height)
        for number, mask in enumerate(masks):
            x, y, across, down = frame(number)
            (x, across) = stretched(x, across, DESIGN[0], width, mask[:3])
            (y, down) = stretched(y, down, DESIGN[1], height, mask[3:])
            found = frames[f"mask{number}"]
            if any(abs(one - other) > TOLERANCE for one, other in zip(found, (x, y, across, down))):
                names = " ".join(itertools.compress(MASK, mask))
                wrong.append(f"{width}x{height} {names}: {found} instead of {[x, y, across, down]}")
    if wrong:
        raise Failed("\n    ".join([f"{len(wrong)} frames are elsewhere", *wrong[:20]]))
    return f"{len(masks) * len(SIZES)} frames"

"""Stack views: every distribution with every alignment, each with a hidden child."""

import json

from agreement import frames_by_name, names as element_ids, same
from harness import Failed, case, page_of, widget
from material import Bundle, label, view

ALIGNMENTS = {"horizontal": ["fill", "top", "center", "bottom", "firstBaseline", "lastBaseline"],
              "vertical": ["fill", "leading", "center", "trailing"]}
SPACING = 6
CELL = (260, 150)
NEAR = 0.75


def stack(axis, distribution, alignment, frame, mask=()):
    """A stack view with three children, as wide and high as their texts, and a hidden one."""
    name = f"{axis}-{distribution}-{alignment}"
    return name, view(
        "stackView", name, frame,
        label(f"{name}-0", "Heron", (0, 0, 55, 24), size=20),
        label(f"{name}-1", "Grebes", (0, 0, 57.5, 20.5)),
        label(f"{name}-hidden", "Not here", hidden="YES"),
        label(f"{name}-2", "A gull", (0, 0, 34, 16), size=13, horizontalHuggingPriority=240, verticalHuggingPriority=240),
        mask=mask, axis=axis, distribution=distribution, alignment=alignment, spacing=SPACING)


def close(*numbers):
    return max(numbers) - min(numbers) <= NEAR


def faults(axis, distribution, alignment, around, children):
    """What the frames of three children break of what UIKit says of stack views."""
    along, across = (0, 1) if axis == "horizontal" else (1, 0)
    lengths = [child[along + 2] for child in children]
    starts = [child[along] for child in children]
    gaps = [after - before - length for before, after, length in zip(starts, starts[1:], lengths)]
    middles = [start + length / 2 for start, length in zip(starts, lengths)]
    if not close(starts[0], around[along]):
        yield "does not begin at the start"
    if not close(starts[-1] + lengths[-1], around[along] + around[along + 2]):
        yield "does not end at the end"
    if distribution.startswith("fill"):
        if not close(SPACING, *gaps):
            yield f"has gaps of {gaps}"
    elif min(gaps) < SPACING - NEAR:
        yield f"has gaps of {gaps}"
    if distribution == "fillEqually" and not close(*lengths):
        yield f"has lengths of {lengths}"
    if distribution == "equalSpacing" and not close(*gaps):
        yield f"has gaps of {gaps}"
    if distribution == "equalCentering" and not close(middles[1] - middles[0], middles[2] - middles[1]):
        yield f"has centres at {middles}"
    low = [child[across] - around[across] for child in children]
    high = [around[across] + around[across + 2] - child[across] - child[across + 2] for child in children]
    if min(*low, *high) < -NEAR:
        yield "leaves the stack"
    if alignment in ("fill", "top", "leading") and not close(0, *low):
        yield f"begins {low} from the edge"
    if alignment in ("fill", "bottom", "trailing") and not close(0, *high):
        yield f"ends {high} from the edge"
    if alignment == "center" and not all(close(*pair) for pair in zip(low, high)):
        yield f"is between {low} and {high}"


def material(kinds):
    """A screen with a stack view of each kind, and their names."""
    made = [stack(*kind, (place % 5 * (CELL[0] + 10), place // 5 * (CELL[1] + 10), *CELL)) for place, kind in enumerate(kinds)]
    return Bundle((1350, 1600)).screen("Stacks", *(part for _, part in made)).build(), [name for name, _ in made]


def check(kinds, names, frames):
    wrong = []
    for kind, name in zip(kinds, names):
        if f"{name}-hidden" in frames:
            wrong.append(f"{name} shows a hidden child")
        children = [frames[f"{name}-{place}"] for place in range(3)]
        wrong += [f"{name} {fault}" for fault in faults(*kind, frames[name], children)]
    if wrong:
        raise Failed("\n    ".join([f"{len(wrong)} faults", *wrong]))
    return f"{len(kinds)} stack views"


def kinds(*distributions):
    return [(axis, distribution, alignment) for axis in ALIGNMENTS for alignment in ALIGNMENTS[axis]
            for distribution in distributions]


@case(9)
def stack_views_arrange_what_is_shown(browser):
    all = kinds("fill", "fillEqually", "fillProportionally", "equalSpacing")
    subject, names = material(all)
    same(browser, subject, 1350, 1600, "rtl")
    return check(all, names, same(browser, subject, 1350, 1600))


@case(14)
def containers_that_no_sheet_can_express_are_solved(browser):
    all = kinds("equalCentering")
    subject, names = material(all)
    report = json.loads(widget("inspect", subject, "--json"))
    solved = [finding for finding in report["program"]["diagnostics"] if finding["code"] == "layout-solved"]
    if len(solved) != len(all):
        raise Failed(f"{len(solved)} of {len(all)} such containers are found by `inspect`")
    return check(all, names, same(browser, subject, 1350, 1600))


@case(14)
def a_solved_container_follows_the_window_without_script(browser):
    kind = ("horizontal", "equalCentering", "center")
    name, part = stack(*kind, (20, 100, 335, 60), mask=("width",))
    subject = Bundle().screen("Trio", part).build()
    for width in (320, 375, 768):
        check([kind], [name], same(browser, subject, width, 667))
    ids = element_ids(subject, width=375, height=667)
    with browser.page(page_of(subject, width=375, height=667), 375, 667, script=False) as page:
        page.set_viewport_size({"width": 414, "height": 667})
        boxes = {key: page.locator(f"[id='{id}']").bounding_box() for key, id in ids.items()}
    for child, wanted in frames_by_name(subject, width=414, height=667).items():
        found = boxes[child]["x"] + boxes[child]["width"] / 2
        if abs(found - wanted[0] - wanted[2] / 2) > 2:
            raise Failed(f"{child} is around {found} at 414, not around {wanted[0] + wanted[2] / 2}")

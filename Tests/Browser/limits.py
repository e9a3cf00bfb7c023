"""Bars, limits and size classes: what bounds the places that rules give."""

from agreement import names, same
from harness import BOXES, Failed, case, page_of
from material import Bundle, label, rule, view
from nibs import vary

# No mark at its end: from right to left it would be at the other one, and its kerning would be lost.
LONG = "A sentence that is far too long for one line of a phone, and too long for a tablet held upright as well, by far"


def centered(name, around="Empty-root"):
    return [label(name, "Nothing here"), rule(name, "centerX", around), rule(name, "centerY", around)]


@case(5)
def a_centered_view_is_in_the_middle_of_what_its_root_fills(browser):
    wrong = []
    for bar, top in [(None, 0), ("translucent", 0), ("opaque", 64)]:
        subject = Bundle().screen("Empty", *centered("note"), bar=bar, title="Empty").build()
        for width, height in [(375, 667), (1024, 768)]:
            x, y, across, down = same(browser, subject, width, height)["note"]
            middle = (x + across / 2, y + down / 2)
            wanted = (width / 2, top + (height - top) / 2)
            if max(abs(one - other) for one, other in zip(middle, wanted)) > 0.5:
                wrong.append(f"{bar} bar at {width}: the middle is {middle}, not {wanted}")
    if wrong:
        raise Failed("\n    ".join(wrong))


def limited():
    root = "Limits-root"
    text = {"numberOfLines": 0}
    return Bundle().screen(
        "Limits",
        label("middle", LONG, **text), rule("middle", "centerX", root), rule("middle", "top", root, constant=30),
        rule("middle", "leading", root, constant=16, relation="greaterThanOrEqual"),
        rule(root, "trailing", "middle", constant=16, relation="greaterThanOrEqual"),
        label("one-line", LONG), rule("one-line", "leading", root, constant=16), rule("one-line", "top", root, constant=250),
        rule(root, "trailing", "one-line", constant=16, relation="greaterThanOrEqual"),
        label("left", LONG, horizontalCompressionResistancePriority=749), label("right", "12 min"),
        rule("left", "leading", root, constant=16), rule("left", "top", root, constant=300),
        rule("right", "leading", "left", "trailing", constant=8, relation="greaterThanOrEqual"),
        rule("right", "top", root, constant=300), rule(root, "trailing", "right", constant=16),
        label("narrow", LONG, **text), rule("narrow", "leading", root, constant=16), rule("narrow", "top", root, constant=340),
        rule("narrow", "width", constant=200, relation="lessThanOrEqual"),
        view("view", "box", (0, 500, 375, 60),
             label("inner", LONG, horizontalCompressionResistancePriority=700), rule("inner", "centerX", "box"),
             rule("inner", "centerY", "box"), rule("inner", "width", "box", constant=-40, relation="lessThanOrEqual"),
             mask=("width",))).build()


@case(12)
def long_texts_stay_within_their_limits(browser):
    subject = limited()
    for size in ("XS", "XXL"):
        same(browser, subject, 375, 667, size=size)
    for width in (320, 375, 768, 1366):
        for direction in ("ltr", "rtl"):
            frames = same(browser, subject, width, 667, direction)
            for name in ("middle", "one-line", "left", "right", "inner"):
                x, _, across, _ = frames[name]
                room = 20 if name == "inner" else 16
                if x < room - 0.5 or x + across > width - room + 0.5:
                    raise Failed(f"{name} is from {x} to {x + across} in {width}, {direction}")
            left, right = sorted([frames["left"], frames["right"]])
            if left[0] + left[2] + 8 > right[0] + 0.5:
                raise Failed(f"{left} and {right} are too close in {width}, {direction}")
            if frames["narrow"][2] > 200.5:
                raise Failed(f"the narrow text is {frames['narrow'][2]} wide")


@case(13)
def rules_of_size_classes_change_at_744_points(browser):
    root = "Classes-root"
    subject = vary(Bundle().screen(
        "Classes", label("note", "A note", numberOfLines=0), rule("note", "leading", root, constant=31),
        rule("note", "top", root, constant=52), rule("note", "width", constant=173)).build(), {31: 64, 173: 420})
    wide, narrow = [64, 52, 420, 20.5], [31, 52, 173, 20.5]
    for width, wanted in [(375, narrow), (743, narrow), (744, wide), (1024, wide)]:
        found = same(browser, subject, width, 1024)["note"]
        if found != wanted:
            raise Failed(f"{width} wide, the note is at {found}, not {wanted}")
    # The same page follows its window from one class to the other.
    path, key = page_of(subject, width=743, height=1024), names(subject, width=743, height=1024)["note"]
    with browser.page(path, 743, 1024) as page:
        page.set_viewport_size({"width": 744, "height": 1024})
        found = page.evaluate(BOXES)[key]
    if found[0] != wide[0]:
        raise Failed(f"in a window that became wider, the note is at {found}")

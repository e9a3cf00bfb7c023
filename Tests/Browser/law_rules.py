"""Rules of UIKit that frames must follow wherever they can be computed: bars, their buttons, safe areas, rows, and controls."""

BAR, LARGE_BAR = 44, 52
NEAR = 0.75
# Controls that have a size by themselves.
SIZES = {"switch": (51, 31), "stepper": (94, 29)}
LEAVES = {"label", "button", "text-field", "text-area", "search-field", "switch", "slider", "stepper", "segments", "date-picker",
          "picker", "page-control", "progress", "activity", "image"}


def faults(frames, is_flow, systems=()):
    """What frames break: a rule, the key of an element, and details. A flow is a screen whose author leaves all places to it;
    `systems` are the names of lists with cells in a style of the system, with the style and the sign at their end."""
    width, height = frames["viewport"]["size"]
    status, rtl = frames["viewport"]["safeArea"][0], frames["viewport"]["direction"] == "rtl"
    elements = {element["key"]: element for element in frames["elements"]}
    inner = {}
    for element in elements.values():
        inner.setdefault(element.get("parent"), []).append(element)

    bottom = 0
    for bar in [element for element in elements.values() if element["kind"] == "bar" and element["frame"][1] == 0]:
        bottom = max(bottom, bar["frame"][3])
        lengths = (status + BAR, status + BAR + LARGE_BAR)
        if bar["frame"][:3] != [0, 0, width] or not any(abs(bar["frame"][3] - length) <= NEAR for length in lengths):
            yield "bar", bar["key"], f"{bar['frame']} is not the width of {width} and {lengths} high"
        yield from of_bar(bar, inner.get(bar["key"], []), width, status)
    for around, parts in inner.items():
        kind = elements.get(around, {}).get("kind")
        if kind == "list":
            yield from rows_overlap(parts)
            if (name := elements[around].get("identifier")) in systems:
                for row in parts:
                    if row["kind"] == "row":
                        texts = [one for one in elements.values() if one["kind"] == "label" and row in ancestors(elements, one)]
                        yield from of_cell(row, texts, *systems[name], rtl)
    if not is_flow:
        return
    for key, element in elements.items():
        x, y, across, down = element["frame"]
        above = list(ancestors(elements, element))
        kinds = [one["kind"] for one in above]
        if element["kind"] not in LEAVES or "bar" in kinds:
            continue
        if y < bottom - NEAR:
            yield "safe-area", key, f"{element['kind']} {element['frame']} begins above {bottom}, the end of the bar"
        if not any(scrolls_across(one) for one in above) and (x < -NEAR or x + across > width + NEAR):
            yield "across", key, f"{element['kind']} {element['frame']} leaves the width of {width}"
        # A stack view of a storyboard stretches them.
        if (wanted := SIZES.get(element["kind"])) and not above[0].get("identifier", "").startswith("stack"):
            if max(abs(across - wanted[0]), abs(down - wanted[1])) > NEAR:
                yield "own-size", key, f"{element['kind']} is {across} x {down}, not {wanted[0]} x {wanted[1]}"


def ancestors(elements, element):
    while element := elements.get(element.get("parent")):
        yield element


def scrolls_across(element):
    return element.get("content", [0])[0] > element["frame"][2] + NEAR


def of_bar(bar, parts, width, status):
    """Buttons of a bar are as high as it, begin after its margin, and lie beside each other and the title."""
    margin = 16
    parts = sorted((part for part in parts if part["kind"] in ("button", "bar-title")), key=lambda part: part["frame"][0])
    small = [part for part in parts if part["kind"] == "button" or part["frame"][1] < status + BAR]
    for part in parts:
        x, y, across, down = part["frame"]
        if part["kind"] == "button" and (y, down) != (status, BAR):
            yield "bar-button", part["key"], f"{part['frame']} is not {BAR} high below {status}"
        if across <= 0 and (part["kind"] == "button" or part.get("text")):
            yield "bar-button", part["key"], f"{part['kind']} {part['frame']} has no width"
        if x < margin - NEAR or x + across > width - margin + NEAR:
            yield "bar-button", part["key"], f"{part['kind']} {part['frame']} leaves the margins of {margin} in {width}"
    for one, other in zip(small, small[1:]):
        if one["frame"][0] + one["frame"][2] > other["frame"][0] + NEAR:
            yield "bar-button", other["key"], f"{other['frame']} lies on {one['frame']}"


def rows_overlap(parts):
    rows = sorted((part for part in parts if part["kind"] in ("row", "section-header", "section-footer")),
                  key=lambda part: part["frame"][1])
    for one, other in zip(rows, rows[1:]):
        if one["frame"][1] + one["frame"][3] > other["frame"][1] + NEAR:
            yield "rows", other["key"], f"{other['frame']} lies on {one['frame']}"


def of_cell(row, texts, style, has_sign, rtl):
    """A title begins at the margin of 16 or 20 points, a subtitle below it; a value ends at the margin, or before the sign."""
    def ends(text):
        (x, _, across, _), (start, _, length, _) = text["frame"], row["frame"]
        before, after = x - start, start + length - x - across
        return (after, before) if rtl else (before, after)

    if row["frame"][3] < 43:
        yield "cell", row["key"], f"a row of {row['frame'][3]} is lower than 44"
    title = next((text for text in texts if text.get("identifier", "").endswith("Title")), None)
    value = next((text for text in texts if text.get("identifier", "").endswith("Value")), None)
    if title and min(abs(ends(title)[0] - margin) for margin in (16, 20)) > NEAR:
        yield "cell", title["key"], f"the title begins {ends(title)[0]} from the edge"
    if title and value and style == "subtitle" and (
            abs(ends(title)[0] - ends(value)[0]) > NEAR or value["frame"][1] < title["frame"][1] + title["frame"][3] - NEAR):
        yield "cell", value["key"], f"the subtitle {value['frame']} is not below the title {title['frame']}"
    if value and style == "value":
        least, most = (28, 48) if has_sign else (16, 20)
        # A value that is too long for its line lies below the title.
        if not least - NEAR <= ends(value)[1] <= most + NEAR and value["frame"][1] < title["frame"][1] + title["frame"][3] - NEAR:
            yield "cell", value["key"], f"the value ends {ends(value)[1]} from the edge, not {least} to {most}"

"""Tables of fixed rows, as every screen of settings has them: titles of sections, signs of rows, and bars above."""

import json

from agreement import same
from harness import Failed, case, folder, frames_of, page_of
from lists import cell, diary, table, wrapping
from material import Bundle, color, element, label, view

SIGNS = ["disclosureIndicator", "detailButton", "detailDisclosureButton", "checkmark", None]
LONG = "Alerts are sent for each gull that the club has seen, and for each tern that only the keeper of the light saw."


def fixed(name, *parts, sign=None, **attributes):
    """A row that is always there."""
    more = {"accessoryType": sign} if sign else {}
    return cell(name, *parts, **more, **attributes)


def section(name, header, footer, *cells):
    made = element("tableViewSection", element("cells", *cells), id=name)
    for key, title in (("headerTitle", header), ("footerTitle", footer)):
        if title:
            made.set(key, title)
    return made


def settings(style, bar=None, ends=False, **attributes):
    """A screen of settings: each sign, a row that wraps, a view as a sign, and titles above and below."""
    signs = [fixed(f"row{place}", label(f"mask{place}", "Tern", (16, 11, 200, 20.5), mask=("width",)), sign=sign)
             for place, sign in enumerate(SIGNS)]
    switch = view("switch", "own", (0, 0, 51, 31), mask=(), opaque="NO")
    switch.set("key", "accessoryView")
    own = fixed("wide", *wrapping("text", "wide-content"))
    own.append(switch)
    tall = fixed("tall", *wrapping("many", "tall-content"), sign="disclosureIndicator", rowHeight=-1)
    tall.find(".//label").set("text", LONG)
    sections = element("sections", section("first", "Signs", None, *signs), section("second", None, LONG, tall),
                       section("third", LONG, "End", own))
    parts = [sections]
    if ends:
        for key, height in (("tableHeaderView", 70), ("tableFooterView", 30)):
            part = view("view", key, (0, 0, 375, height), color("backgroundColor", 1, 1, 0), mask=("width",))
            part.set("key", key)
            parts.insert(0, part)
    root = table("settings", *parts, style=style, dataMode="static", **attributes)
    return Bundle().screen("Settings", root, whole=True, bar=bar, title="Settings" if bar else "").build()


# The room of the titles "Signs", none, LONG above, and none, LONG, "End" below, but for further lines of text.
TITLES = {"plain": ((28, 0, 28), (0, 28, 28)), "grouped": ((38, 18, 38), (18, 31, 31))}
ROOM = {"disclosureIndicator": 33, "detailButton": 43, "detailDisclosureButton": 67, "checkmark": 39, None: 0}


def below_each_other(subject, style, frames):
    """Looks at the order and the lengths of titles and rows, from the top of the content on."""
    elements = frames_of(subject, width=375, height=667)["elements"]
    shown = [element for element in elements if element["kind"] in ("row", "section-header", "section-footer")]
    kinds = "".join({"row": "r", "section-header": "H", "section-footer": "F"}[element["kind"]] for element in shown)
    wanted = "HrrrrrHrFHrF" if style == "plain" else "HrrrrrFHrFHrF"
    if kinds.rstrip("F") != wanted.rstrip("F") or kinds.count("F") < wanted.count("F"):
        raise Failed(f"{style}: titles and rows are {kinds}, not {wanted}")
    for above, under in zip(shown, shown[1:]):
        if above["frame"][1] + above["frame"][3] != under["frame"][1]:
            raise Failed(f"{style}: {under['frame']} does not follow {above['frame']}")
    headers, footers = TITLES["plain" if style == "plain" else "grouped"]
    tops = [element["frame"][3] for element in shown if element["kind"] == "section-header"]
    first = 17.5 if style != "plain" and "tableHeaderView" not in frames else 0
    if tops[:2] != [headers[0] + first, headers[1]] or tops[2] <= headers[2]:
        raise Failed(f"{style}: the headers of sections are {tops} high")
    for place, sign in enumerate(SIGNS):
        if frames[f"row{place}"][2] - frames[f"row{place}-content"][2] != ROOM[sign]:
            raise Failed(f"{style}: {sign} leaves its row {frames[f'row{place}-content']}")


@case(10)
def sections_of_fixed_rows_lie_below_each_other(browser):
    for style in ("plain", "grouped", "insetGrouped"):
        for bar, ends, directions in ((None, True, ["ltr"]), ("translucent", False, ["ltr", "rtl"]), ("opaque", False, ["rtl"])):
            subject = settings(style, bar, ends)
            for direction in directions:
                frames = same(browser, subject, 375, 667, direction)
                if direction == "ltr":
                    below_each_other(subject, style, frames)
                top = frames["tableHeaderView"][1] if ends else min(frames[f"row{place}"][1] for place in range(5))
                least = 20 if bar is None else 64
                if top < least or ends and top != least:
                    raise Failed(f"{style}, {bar} bar: the content begins at {top}")
    # Rows that a window makes narrower need more lines, and so do the titles.
    same(browser, settings("grouped"), 320, 568)


@case(10)
def a_table_that_is_a_whole_screen_begins_below_what_covers_it(browser):
    for bar, top in ((None, 20), ("translucent", 64)):
        subject = diary(whole=True, bar=bar, title="Diary")
        for direction in ("ltr", "rtl"):
            frames = same(browser, subject, 375, 667, direction)
            if frames["diary"] != [0, 0, 375, 667] or frames["Entry@0v0"][1] != top:
                raise Failed(f"{bar} bar: the table is {frames['diary']}, its first row {frames['Entry@0v0']}")


HEADINGS = """() => [...document.querySelectorAll('.ls > *')].map(part => part.matches('ul') ? 'rows' :
    part.querySelector('h2')?.textContent ?? part.textContent)"""


@case(5)
def a_page_has_each_section_between_its_titles(browser):
    with browser.page(page_of(settings("grouped", ends=True), width=375, height=667), 375, 667) as page:
        parts = page.evaluate(HEADINGS)
        count = page.evaluate("() => document.querySelectorAll('.ls h2').length")
    wanted = ["", "Signs", "rows", "", "", "rows", LONG, LONG, "rows", "End", ""]
    if parts != wanted or count != 2:
        raise Failed(f"the list holds {parts} with {count} headings")


@case(10)
def signs_of_rows_lie_in_the_room_that_rows_leave_for_them(browser):
    subject = settings("plain")
    for direction in ("ltr", "rtl"):
        with browser.page(page_of(subject, width=375, height=667, direction=direction), 375, 667) as page:
            found = page.evaluate("() => [...document.querySelectorAll('.acc')].map(sign => "
                                  "[sign.getBoundingClientRect().width, sign.getBoundingClientRect().left,"
                                  " sign.parentElement.children[0].getBoundingClientRect().width])")
        rooms = [ROOM[sign] for sign in SIGNS if sign] + [ROOM["disclosureIndicator"]]
        if len(found) != len(rooms):
            raise Failed(f"there are {len(found)} signs, not {len(rooms)}")
        for (width, left, content), room in zip(found, rooms):
            outer = 375 - left - width if direction == "ltr" else left
            if content + room != 375 or outer != 16 or width + outer > room:
                raise Failed(f"{direction}: a sign {width} wide, {outer} from the edge, beside {content}")


def distances():
    """A document whose cells have a value behind one text, and behind two."""
    cells = [{"title": "Oslo", "subtitle": "Norway", "value": "12 km"}, {"title": "Reykjavik", "subtitle": "Is", "value": "7 km"},
             {"title": "Short", "value": "700 km"}, {"title": "Here", "subtitle": "Now", "value": "0", "accessory": "disclosure"}]
    path = folder() / "Main.widgets.json"
    table = {"kind": "table", "children": [{"kind": "cell", "payload": cell} for cell in cells]}
    path.write_text(json.dumps({"schema": 1, "root": [table]}))
    return path


VALUES = """() => [...document.querySelectorAll('li > :first-child')].map(row => {
    const words = document.createRange(), outer = row.getBoundingClientRect();
    words.selectNodeContents(row.children[1]);
    const value = words.getBoundingClientRect(), isRight = getComputedStyle(row).direction === 'rtl';
    return isRight ? value.left - outer.left : outer.right - value.right; })"""


@case(10)
def values_of_cells_end_at_the_edge_behind_one_text_and_behind_two(browser):
    subject = distances()
    for width, height in ((390, 844), (320, 568)):
        for direction in ("ltr", "rtl"):
            same(browser, subject, width, height, direction)
            with browser.page(page_of(subject, width=width, height=height, direction=direction), width, height) as page:
                ends = page.evaluate(VALUES)
            if len(ends) != 4 or any(abs(end - 20) > 1 for end in ends[:3]) or abs(ends[3] - ends[0]) > 20:
                raise Failed(f"{direction}: values end {ends} from the edges of their rows, not 20")

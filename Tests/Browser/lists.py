"""Tables and grids: rows that fit their content, what is chosen, separators, headers, and lines of a grid."""

from agreement import names, same
from harness import BOXES, SAMPLES, Failed, case, frames_of, page_of, script
from material import Bundle, color, edges, element, label, rows, rule, view

SHORT = "A gull."
LONG = "Seven terns over the bar at low water, and a diver that was not here since the spring tides of March."


def cell(name, *parts, height=44, outlets=(), segues=(), **attributes):
    """A cell of a table with views and rules in its content view; `outlets` are pairs of a property and a view."""
    content = view("tableViewCellContentView", f"{name}-content", (0, 0, 375, height), *parts)
    content.set("key", "contentView")
    content.set("tableViewCell", name)
    connections = [element("outlet", property=property, destination=view, id=f"{name}-{property}") for property, view in outlets]
    return view("tableViewCell", name, (0, 0, 375, height), content, element("connections", *connections, *segues), **attributes)


def table(name, *parts, frame=(0, 0, 375, 667), mask=("width", "height"), **attributes):
    return view("tableView", name, frame, *parts, mask=mask, dataMode=attributes.pop("dataMode", "prototypes"),
                style=attributes.pop("style", "plain"), **attributes)


def wrapping(name, around, inset=16, **attributes):
    """A label with as many lines as it needs, tied to the edges of a cell's content."""
    return [label(name, "Text", numberOfLines=0, **attributes), *edges(name, around, inset, 11, inset, 11)]


def boxes(page, ids):
    found = page.evaluate(BOXES)
    return {name: found[id] for name, id in ids.items() if id in found}


def diary(whole=False, **attributes):
    """A table with rows that are as high as their texts; a `whole` one is the root of its screen."""
    row = cell("Entry", *wrapping("text", "Entry-content"), reuseIdentifier="Entry",
               customClass="ContentTableViewCell", customModule="WidgetKit")
    bundle = Bundle().screen(
        "Diary", table("diary", element("prototypes", row), rowHeight=-1, estimatedRowHeight=44), whole=whole, **attributes,
        scheme=rows("diary", "Entry", [{"text": text} for text in (SHORT, LONG, SHORT, LONG * 2)], ["text"]))
    return bundle.build()


@case(3)
def a_row_grows_with_its_text_and_moves_those_below(browser):
    subject = diary()
    same(browser, subject, 375, 667)
    ids = names(subject, width=375, height=667)
    with browser.page(page_of(subject, width=375, height=667), 375, 667) as page:
        before = boxes(page, ids)
        page.locator(f"[id='{ids['text@1v0']}'] span").evaluate("(span, text) => span.textContent = text", LONG)
        after = boxes(page, ids)
    grown = after["Entry@1v0"][3] - before["Entry@1v0"][3]
    if grown < 20 or abs(after["Entry@1v0"][3] - before["Entry@1v1"][3]) > 0.1:
        raise Failed(f"a row with the text of another is {after['Entry@1v0'][3]} high, not {before['Entry@1v1'][3]}")
    for place in range(1, 4):
        moved = after[f"Entry@1v{place}"][1] - before[f"Entry@1v{place}"][1]
        if abs(moved - grown) > 0.1:
            raise Failed(f"row {place} moved by {moved} when the one above grew by {grown}")
    for place in range(4):
        row, text = after[f"Entry@1v{place}"], after[f"text@1v{place}"]
        if text[1] < row[1] or text[1] + text[3] > row[1] + row[3]:
            raise Failed(f"the text {text} leaves its row {row}")


@case(10)
def a_table_that_is_a_whole_screen_fills_it_below_an_opaque_bar(browser):
    subject = diary(whole=True, bar="opaque", title="Diary")
    for width, height in ((375, 667), (1024, 768)):
        frames = same(browser, subject, width, height)
        if frames["diary"] != [0, 64, width, height - 64]:
            raise Failed(f"the table is at {frames['diary']} in {width} by {height}")


@case(2)
def the_feed_of_the_demo_is_as_its_author_drew_it(browser):
    demo = SAMPLES / "WidgetDemo.zip"
    if not demo.exists():
        return "the demo is not here"
    frames = same(browser, demo, 375, 667, script=script({"wait": 1}))
    # Below the bar of 64 points and the search bar of 56.
    top, first = 120, "@3r1"
    avatar, text, time = (frames[name + first] for name in ("avatarView", "textLabel", "timeLabel"))
    if avatar != [12, top + 12, 50, 50] or text[:2] != [72, top + 31] or 375 - time[0] - time[2] != 11:
        raise Failed(f"avatar {avatar}, text {text}, time {time}")


def birds(name, layout, frame, count=7, mask=("width", "height"), size=(100, 60), **attributes):
    """A grid with numbered items."""
    inner = view("view", f"{name}-content", (0, 0, 100, 60), label(f"{name}-number", "0", (10, 10, 40, 20), mask=()))
    inner.set("key", "contentView")
    item = view("collectionViewCell", f"{name}-item", (0, 0, 100, 60), inner, reuseIdentifier="Item",
                customClass="ContentCollectionViewCell", customModule="WidgetKit")
    flow = element("collectionViewFlowLayout", element("size", key="itemSize", width=size[0], height=size[1]),
                   key="collectionViewLayout", id=f"{name}-flow", **layout)
    grid = view("collectionView", name, frame, flow, element("cells", item), mask=mask, dataMode="prototypes", **attributes)
    scheme = rows(name, "Item", [{f"{name}-number": place} for place in range(count)], [f"{name}-number"], kind="Collection")
    return Bundle().screen("Birds", grid, scheme=scheme).build()


@case(11)
def a_grid_keeps_the_gaps_of_full_lines(browser):
    for direction in ["vertical", "horizontal"]:
        layout = {"minimumLineSpacing": 10, "minimumInteritemSpacing": 10, "scrollDirection": direction}
        subject = birds("grid", layout, (0, 20, 375, 300), 7)
        for width in (320, 375, 768):
            frames = same(browser, subject, width, 667)
            items = [frames[f"grid-item@1v{place}"] for place in range(7)]
            # Columns of a grid that scrolls down, rows of one that scrolls sideways: as many as fit, and equal gaps.
            across, room, length, cross = (0, width, 100, 20) if direction == "vertical" else (1, frames["grid"][3], 60, 0)
            count = min(int((room + 10) // (length + 10)), 7)
            gap = (room - count * length) / max(count - 1, 1) if count < 7 or direction == "horizontal" else None
            for place, item in enumerate(items):
                start = frames["grid"][across] + place % count * (length + (gap or 0))
                line = frames["grid"][1 - across] + place // count * ((60 if direction == "vertical" else 100) + 10)
                if gap is not None and (abs(item[across] - start) > 0.75 or abs(item[1 - across] - line) > 0.75):
                    raise Failed(f"{direction}, {width} wide: item {place} is at {item[:2]}, across {start}, along {line}")


@case(11)
def a_grid_with_pages_stops_at_whole_pages(browser):
    layout = {"minimumLineSpacing": 0, "minimumInteritemSpacing": 0, "scrollDirection": "horizontal"}
    subject = birds("pages", layout, (0, 20, 375, 60), 4, mask=(), pagingEnabled="YES", size=(375, 60))
    path, ids = page_of(subject, width=375, height=667), names(subject, width=375, height=667)
    with browser.page(path, 375, 667) as page:
        grid = page.locator(f"[id='{ids['pages']}']")
        for pushed, wanted in [(120, 0), (300, 375), (700, 750), (5000, 1125)]:
            grid.evaluate("(grid, left) => grid.scrollTo({left, behavior: 'instant'})", pushed)
            page.wait_for_timeout(100)
            found = grid.evaluate("grid => grid.scrollLeft")
            if abs(found - wanted) > 1:
                raise Failed(f"a grid that was scrolled to {pushed} is at {found}, not {wanted}")


def framed(style, separators):
    """A table between a header and a footer view, with rows that fit their texts."""
    head = view("view", "head", (0, 0, 375, 70), color("backgroundColor", 1, 1, 0), mask=("width",))
    foot = view("view", "foot", (0, 0, 375, 30), color("backgroundColor", 0, 1, 1), mask=("width",))
    head.set("key", "tableHeaderView")
    foot.set("key", "tableFooterView")
    row = cell("Entry", *wrapping("text", "Entry-content"), accessoryType="disclosureIndicator", reuseIdentifier="Entry",
               customClass="ContentTableViewCell", customModule="WidgetKit")
    scheme = rows("table", "Entry", [{"text": text} for text in (SHORT, LONG, SHORT)], ["text"])
    return Bundle().screen("Table", table(
        "table", head, foot, element("prototypes", row), style=style, separatorStyle=separators, rowHeight=-1,
        estimatedRowHeight=44, sectionHeaderHeight=28, sectionFooterHeight=28), scheme=scheme).build()


SEPARATORS = """ids => ids.map(id => {
    const line = getComputedStyle(document.getElementById(id), '::after');
    return line.content === 'none' || line.display === 'none' ? null : [line.borderBottomWidth, line.left];
})"""


@case(10)
def tables_have_headers_separators_and_rows_that_fit(browser):
    for style in ("plain", "grouped"):
        for separators in ("none", "default"):
            subject = framed(style, separators)
            for width in (375, 768):
                frames = same(browser, subject, width, 667)
                shown = [frames[name] for name in ("head", "Entry@1v0", "Entry@1v1", "Entry@1v2", "foot")]
                for above, below in zip(shown, shown[1:]):
                    if above[1] + above[3] != below[1] or below[2] != width:
                        raise Failed(f"{style}, {width} wide: {below} does not follow {above}")
                if shown[1][3] != 44 or shown[2][3] <= 44:
                    raise Failed(f"{style}, {width} wide: the rows {shown[1:4]} do not fit their texts")
            ids = names(subject, width=375, height=667)
            with browser.page(page_of(subject, width=375, height=667), 375, 667) as page:
                lines = page.evaluate(SEPARATORS, [ids[f"Entry@1v{place}"] for place in range(3)])
            # Half a point, and never less than a pixel: a scale that is emulated does not count for borders.
            line = None if separators == "none" else ["1px", "16px"]
            if lines != [line, line, line if style == "plain" else None]:
                raise Failed(f"{style}, separators {separators}: {lines}")


def chosen(outlets=()):
    """A table whose rows have a blue background while they are chosen, and lead to a screen."""
    row = cell(
        "Entry", view("view", "ground", (0, 0, 375, 44), color("backgroundColor", 0, 0, 1), mask=("width", "height")),
        *wrapping("text", "Entry-content"), outlets=[("selectedBackgroundView", "ground")],
        segues=[element("segue", destination="Next", kind="show", id="to-next")],
        reuseIdentifier="Entry", customClass="ContentTableViewCell", customModule="WidgetKit")
    bundle = Bundle().screen(
        "Diary", table("diary", element("prototypes", row), rowHeight=-1, estimatedRowHeight=44), bar="opaque", outlets=outlets,
        scheme=rows("diary", "Entry", [{"text": SHORT}, {"text": LONG}], ["text"]))
    return bundle.screen("Next").build()


@case(6)
def the_background_of_a_chosen_row_is_shown_while_it_is_chosen(browser):
    subject = chosen()
    ids = names(subject, width=375, height=667)
    if any(name.startswith("ground") for name in same(browser, subject, 375, 667)):
        raise Failed("the background of chosen rows has a frame when no row is chosen")
    with browser.page(page_of(subject, width=375, height=667), 375, 667) as page:
        grounds = [page.locator(f"[id='{ids['text' + row]}']").locator("xpath=../*[contains(@class, 'sel')]")
                   for row in ("@1v0", "@1v1")]
        x, y, across, down = page.evaluate(BOXES)[ids["Entry@1v1"]]
        page.mouse.move(x + across / 2, y + down / 2)
        page.mouse.down()
        pressed = [ground.is_visible() for ground in grounds]
        box = grounds[1].bounding_box()
        page.mouse.up()
    if pressed != [False, True]:
        raise Failed(f"while the second of two rows is pressed, their backgrounds are shown: {pressed}")
    if [box[side] for side in ("x", "y", "width", "height")] != [x, y, across, down]:
        raise Failed(f"the background is {box}, the row {[x, y, across, down]}")
    # Back from the screen that it leads to, a row is chosen still, unless the screen knows the table as its own.
    steps = script({"select": "diary", "row": 1}, {"back": True})
    for outlets, wanted in [([], ["ground@1v1"]), ([("tableView", "diary")], [])]:
        frames = same(browser, chosen(outlets), 375, 667, script=steps)
        grounds = [name for name in frames if name.startswith("ground")]
        if grounds != wanted or any(frames[name] != frames["Entry@1v1"] for name in grounds):
            raise Failed(f"after the way back there are the backgrounds {grounds}, not {wanted}")

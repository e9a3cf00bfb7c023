"""Things that are chosen: tabs, selected buttons, checkmarks and dates, as they are seen, heard and used."""

import json

from harness import Failed, case, folder, options, script, widget
from live import agrees, bundle, named, reads, served, until, visit

SCREENS = """tabs Home initial
    tab "Notes" -> Notes
    tab "Tiles" -> Tiles
    tab "Times" -> Times

screen Notes "Notes" in stack
    column notes
        label first "The first note"
        button more "More" -> Detail

screen Detail "Detail"
    column detail
        label text "The whole note"
        textField remark placeholder "A remark"

screen Tiles "Tiles"
    column tiles
        label tile "The first tile"

screen Times "Times" in stack
    column times
        datePicker day mode date spoken "Day"
        datePicker alarm mode time spoken "Alarm"
        datePicker meeting spoken "Meeting"
        datePicker timer mode countDown spoken "Timer"
"""

CHOICES = {"schema": 1, "state": {"pick": "S"}, "root": [
    {"kind": "hstack", "children": [
        {"kind": "button", "id": word, "payload": {"text": word, "selected": {"$": f"pick == '{word[0]}'"}},
         "on": {"tap": [{"do": "set", "state": "pick", "to": word[0]}]}} for word in ["Small", "Large"]]},
    {"kind": "table", "id": "rows", "children": [
        {"kind": "cell", "id": "marked", "payload": {"title": "One", "accessory": "checkmark"},
         "on": {"select": {"do": "set", "state": "pick", "to": "S"}}},
        {"kind": "cell", "id": "plain", "payload": {"title": "Two"},
         "on": {"select": {"do": "set", "state": "pick", "to": "L"}}},
        {"kind": "cell", "id": "shown", "payload": {"title": "Three", "accessory": "checkmark"}}]}]}

# The parts of the look by which a chosen button differs from another one.
LOOK = """element => {
    const style = getComputedStyle(element);
    return [style.boxShadow, style.backgroundImage, style.outlineStyle, style.borderTopWidth].join(' ');
}"""


def screens():
    path = bundle()
    (path / "Main.screens").write_text(SCREENS)
    return path


def tabs(page):
    return page.locator("[role=tab]").evaluate_all(
        "all => all.map(it => `${it.textContent.trim()} ${it.getAttribute('aria-selected')}`)")


@case(64, run="smoke")
def tabs_switch_on_live_pages_and_keep_their_screens(browser):
    subject = screens()
    for has_script in [True, False]:
        with served(subject) as server, visit(browser, server.origin, script=has_script) as page:
            if tabs(page) != ["Notes true", "Tiles false", "Times false"]:
                raise Failed(f"the tabs are {tabs(page)}")
            named(page, "more").click()
            reads(page, "The whole note")
            if has_script:
                named(page, "remark").fill("a remark")
            page.get_by_role("tab", name="Tiles").click()
            reads(page, "The first tile")
            if tabs(page) != ["Notes false", "Tiles true", "Times false"]:
                raise Failed(f"the tabs are {tabs(page)}")
            if page.locator("h1").count():
                raise Failed("a screen outside of a stack has a bar")
            page.get_by_role("tab", name="Notes").click()
            reads(page, "The whole note")
            if has_script:
                until(lambda: named(page, "remark").input_value() == "a remark", "what was typed is lost")
                agrees(browser, server, page)
            # Another touch of the chosen tab leads to its first screen.
            page.get_by_role("tab", name="Notes").click()
            reads(page, "The first note")


@case(64)
def tabs_are_at_the_bottom_and_where_frames_have_them(browser):
    subject = screens()
    for width, height, direction in [(320, 568, "ltr"), (375, 667, "rtl"), (1024, 700, "ltr")]:
        wanted = options(width, height, direction)
        frames = json.loads(widget("render", subject, "--as", "frames", *wanted))["elements"]
        frames = {each["name"]: each["frame"] for each in frames if each["kind"] == "tab"}
        out = folder() / "page"
        widget("render", subject, "--as", "html", "-o", out, *wanted)
        with browser.page(out, width, height) as page:
            for name, (x, y, w, h) in frames.items():
                box = page.get_by_role("tab", name=name).bounding_box()
                if max(abs(box["x"] - x), abs(box["y"] - y), abs(box["width"] - w), abs(box["height"] - h)) > 1:
                    raise Failed(f"{name} is at {box}, and in frames at {[x, y, w, h]}, at {width} {direction}")
                hit = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('[role=tab]')?.textContent",
                                    [x + w / 2, y + h / 2])
                if hit != name:
                    raise Failed(f"a touch of {name} hits {hit}")


@case(65)
def a_selected_button_and_a_checkmark_are_seen_and_heard(browser):
    for more in [{}, {"color_scheme": "dark"}, {"forced_colors": "active"}]:
        subject = bundle(Main=CHOICES)
        with served(subject) as server, visit(browser, server.origin, **more) as page:
            small, large = named(page, "Small"), named(page, "Large")
            if small.get_attribute("aria-pressed") != "true" or large.get_attribute("aria-pressed") != "false":
                raise Failed("the state of the buttons is not said")
            if small.evaluate(LOOK) == large.evaluate(LOOK):
                raise Failed(f"a selected button looks like another: {small.evaluate(LOOK)}, {more}")
            large.click()
            until(lambda: large.get_attribute("aria-pressed") == "true", "the other button is not selected")
            if large.evaluate(LOOK) == small.evaluate(LOOK):
                raise Failed(f"a selected button looks like another after a touch, {more}")
            rows = page.get_by_role("checkbox").evaluate_all("all => all.map(it => it.ariaChecked)")
            if rows != ["true", "false"]:
                raise Failed(f"the rows are checked as {rows}")
            if page.get_by_role("img", name="Checked").count() != 1:
                raise Failed("the checkmark of a row without a button is not said")


@case(66)
def dates_are_picked_by_their_mode_in_the_time_zone_of_the_widget(browser):
    subject = screens()
    zone = ["--time-zone", "CET-1CEST,M3.5.0,M10.5.0/3"]
    values = {"day": "1990-05-17", "alarm": "22:30", "meeting": "2018-06-20T20:00", "timer": "90"}
    shown = {"day": "1990-05-17", "alarm": "22:30", "meeting": "2018-06-20 20:00", "timer": "1:30"}
    with served(subject, *zone) as server, visit(browser, server.origin) as page:
        page.get_by_role("tab", name="Times").click()
        page.wait_for_selector("main [data-id=day]")
        types = {name: named(page, name).get_attribute("type") for name in values}
        if types != {"day": "date", "alarm": "time", "meeting": "datetime-local", "timer": "number"}:
            raise Failed(f"the controls are {types}")
        for name, value in values.items():
            named(page, name).fill(value)
        page.get_by_role("tab", name="Notes").click()
        reads(page, "The first note")
        page.get_by_role("tab", name="Times").click()
        page.wait_for_selector("main [data-id=day]")
        kept = {name: named(page, name).input_value() for name in values}
        if kept != values:
            raise Failed(f"the values are {kept}")
        agrees(browser, server, page)
    steps = [{"tap": "Times"}] + [{"input": name, "value": text} for name, text in shown.items()]
    steps += [{"expect": text} for text in shown.values()]
    text = widget("render", subject, *zone, "--events", script(*steps))
    if not all(f"[ {value} ]" in text for value in shown.values()):
        raise Failed(text)

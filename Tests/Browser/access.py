"""What a page means, to people who do not see it or see it in another way."""

import functools
import io
import json
import re

import html5lib
from PIL import Image
from axe_playwright_python.sync_playwright import Axe

from agreement import same
from harness import Failed, case, options, page_of, script, widget
from lists import chosen
from material import Bundle, element, view
from screens import every, every_interface

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}

# What text may not be: cut off, or wider than the window.
CUT = """() => [...document.querySelectorAll('p, span, button, h1, h2, h3, label')].filter(element => {
    const style = getComputedStyle(element);
    if (!element.textContent.trim() || style.webkitLineClamp !== 'none' || style.textOverflow === 'ellipsis') return false;
    const clipped = style.overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1;
    return clipped && element.clientHeight > 0;
}).map(element => element.id || element.textContent.slice(0, 40))"""
WIDE = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
SPACING = """* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
p { margin-bottom: 2em !important }"""


def own_colors(path):
    """The colours of the sheet that all programs share and of the parts that a page has of it, as six digits."""
    sheets = "".join((path / name).read_text() for name in ("base.css", "screen.css"))
    found = re.findall(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", sheets)
    return {"#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)) for digits in found}


def axe(browser, screens, schemes, directions):
    found, authored = [], []
    for screen in screens:
        for scheme in schemes:
            for direction in directions:
                path = page_of(screen.subject, width=375, height=667, direction=direction, scheme=scheme, **screen.wanted)
                with browser.page(path, 375, 667, scheme=scheme) as page:
                    for violation in Axe().run(page, options=RULES).response["violations"]:
                        for node in violation["nodes"]:
                            line = f"{screen.name} {scheme} {direction}: {violation['id']} at {node['target'][0]}"
                            colors = {str(check["data"][side]) for check in node["any"] for side in ("fgColor", "bgColor")
                                      if check["id"] == "color-contrast"}
                            (authored if colors - own_colors(path) else found).append(line)
    if found:
        raise Failed("\n    ".join([f"{len(found)} violations", *found[:40]]))
    return f"{len(authored)} contrasts of authored colours" + "".join(f"\n    {line}" for line in sorted(set(authored))[:40])


@case(38)
def axe_finds_nothing_on_a_phone(browser):
    return axe(browser, every(), ["light"], ["ltr"])


@case(38)
def axe_finds_nothing_in_light_and_dark_in_both_directions(browser):
    return axe(browser, every(), ["light", "dark"], ["ltr", "rtl"])


@case(15)
def nothing_is_cut_off_by_other_fonts_spacing_or_zoom(browser):
    cut = []
    for screen in every():
        path = page_of(screen.subject, width=375, height=667, **screen.wanted)
        for name, sheet, width, height in [
            ("another font", "* { font-family: 'DejaVu Sans' !important }", 375, 667), ("spacing", SPACING, 375, 667),
            ("200 %", "", 188, 334), ("400 % of 1280", "", 320, 256),
        ]:
            with browser.page(path, width, height, bypass_csp=True) as page:
                if sheet:
                    page.add_style_tag(content=sheet)
                cut += [f"{screen.name}, {name}: {where}" for where in page.evaluate(CUT)]
                if page.evaluate(WIDE) > 1:
                    cut.append(f"{screen.name}, {name}: scrolls sideways by {page.evaluate(WIDE)}")
    if cut:
        raise Failed("\n    ".join([f"{len(cut)} cut off", *cut[:40]]))


# What the browser calls the roles of a document; the page prints two of them as groups of buttons.
ROLES = {"text": ["StaticText"], "img": ["image"], "spinbutton": ["group"], "slider": ["slider", "group"],
         **{role: [role] for role in ["button", "heading", "textbox", "searchbox", "switch", "radiogroup", "combobox",
                                      "progressbar"]}}


def meant(node):
    """Role, name and value of the accessible elements of a document, in its order."""
    if isinstance(node, list):
        for child in node:
            yield from meant(child)
    elif isinstance(node, dict):
        if node.get("role") in ROLES:
            yield node["role"], node.get("name"), node.get("value")
        for key, value in node.items():
            if isinstance(value, (list, dict)) and key != "diagnostics":
                yield from meant(value)


def heard(page):
    """The same of a page, by the browser's own tree for assistive technology."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def walk(node):
        yield tuple(str(node.get(part, {}).get("value", "")) for part in ("role", "name", "value"))
        for child in node.get("childIds", []):
            if child in by_id:
                yield from walk(by_id[child])

    return list(walk(nodes[0]))


@case(39)
def the_page_means_what_the_document_means(browser):
    for screen in every():
        wanted = dict(width=375, height=667, **screen.wanted)
        document = json.loads(widget("render", screen.subject, "--as", "json", *options(**wanted)))
        with browser.page(page_of(screen.subject, **wanted), 375, 667) as page:
            found = heard(page)
        if document.get("alerts"):
            # The screen around an alert is inert.
            headings = [name for role, name, _ in found if role == "heading"]
            if headings != [document["alerts"][0]["title"]]:
                raise Failed(f"{screen.name}: the headings {headings} are heard, not the alert alone")
            continue
        rest = iter(found)
        for role, name, value in meant(document):
            # Elements whose author gave no name have one of the page's. Values of groups are texts in them.
            if not any(other in ROLES[role] and (not name or same_text(name, its_name))
                       and (role not in ("textbox", "searchbox") or same_text(value or "", its_value))
                       for other, its_name, its_value in rest):
                raise Failed(f"{screen.name}: the page has no {role} {name!r} with the value {value!r} where the document has it")


def same_text(one, other):
    return "".join(one.split()) == "".join(other.split())


# What a reader must be able to tell from its ground: controls, what alerts and bars are bounded by, and chosen rows.
SEEN = ("button:not(.hit, .enter, .rf, .del, .act), .sw, .sl, .sg, .st, .tf, .ta, .sb, .dp, select, progress, .pc, .ac, .al, "
        ".bar, .selected")
CONTRAST = 3


def luminance(rgb):
    parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def parts_that_vanish(page):
    """The controls whose pixels, and those just around them, differ too little to be seen."""
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    gone = []
    for part in page.locator(SEEN).all():
        box = part.bounding_box()
        if not box or not part.is_visible() or box["width"] < 4 or box["height"] < 4:
            continue
        area = (box["x"] - 2, box["y"] - 2, box["x"] + box["width"] + 2, box["y"] + box["height"] + 2)
        area = [max(0, min(round(side), shot.size[place % 2])) for place, side in enumerate(area)]
        if area[0] >= area[2] or area[1] >= area[3]:
            continue
        colors = [color for _, color in shot.crop(area).getcolors(1 << 20)]
        darkest, lightest = min(colors, key=luminance), max(colors, key=luminance)
        if contrast(darkest, lightest) < CONTRAST:
            gone.append(part.get_attribute("id") or part.get_attribute("class"))
    return gone


@case(43)
def forced_colours_and_reduced_motion_are_followed(browser):
    for screen in every():
        path = page_of(screen.subject, width=375, height=667, **screen.wanted)
        with browser.page(path, 375, 667, scale=1, forced_colors="active", reduced_motion="reduce") as page:
            moving = page.evaluate("""() => [...document.querySelectorAll('*')].filter(element => {
                const style = getComputedStyle(element);
                return parseFloat(style.animationDuration) > 0.01 || parseFloat(style.transitionDuration) > 0.01;
            }).map(element => element.id || element.tagName)""")
            if moving:
                raise Failed(f"{screen.name}: moves: {moving[:10]}")
            if gone := parts_that_vanish(page):
                raise Failed(f"{screen.name}: in forced colours these are not seen: {gone[:20]}")


@functools.cache
def control_room():
    """A screen with a control of each kind, and a table with a chosen row."""
    kinds = {"switch": (51, 31), "slider": (200, 31), "stepper": (94, 29), "progressView": (200, 4), "pageControl": (100, 26),
             "activityIndicatorView": (20, 20), "textField": (200, 30), "textView": (200, 60), "searchBar": (300, 56),
             "pickerView": (300, 60), "datePicker": (300, 60), "button": (100, 30)}
    details = {"pageControl": {"numberOfPages": 3}, "activityIndicatorView": {"animating": "YES", "style": "gray"},
               "progressView": {"progress": 0.5}, "textField": {"borderStyle": "roundedRect"}, "stepper": {"maximumValue": 9}}
    parts, y = [], 70
    for kind, size in kinds.items():
        inner = [element("state", key="normal", title="Go")] if kind == "button" else []
        parts.append(view(kind, f"{kind}-1", (16, y, *size), *inner, **details.get(kind, {})))
        y += size[1] + 8
    parts.append(view("segmentedControl", "segments", (16, y, 200, 28), element("segments", *[
        element("segment", title=title) for title in ("One", "Two")]), selectedSegmentIndex=0))
    return Bundle((375, 900)).screen("Controls", *parts, bar="opaque", title="Controls").build()


@case(1)
def each_kind_of_control_lies_where_its_frame_says(browser):
    for direction in ("ltr", "rtl"):
        for size in ("XS", "L", "XXL"):
            same(browser, control_room(), 375, 900, direction, size=size)


@case(43)
def each_kind_of_control_is_seen_in_forced_colours(browser):
    lists = [("controls", control_room(), {}),
             ("chosen", chosen(), {"script": script({"select": "diary", "row": 1}, {"back": True})})]
    for name, subject, wanted in lists:
        path = page_of(subject, width=375, height=900, **wanted)
        for scheme in ("light", "dark"):
            with browser.page(path, 375, 900, scheme=scheme, scale=1, forced_colors="active") as page:
                if gone := parts_that_vanish(page):
                    raise Failed(f"{name}, {scheme}: in forced colours these are not seen: {gone}")


ROLES_OF_TEXT = ["--label", "--secondaryLabel", "--placeholderText", "--tint", "--link"]
# The colour of a role as it is painted on the usual background.
PAINTED = """([role, ground]) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    for (const name of [ground, role]) {
        const box = document.querySelector('main');
        box.style.setProperty('outline-color', `var(${name})`);
        canvas.fillStyle = getComputedStyle(box).outlineColor;
        canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


@case(43)
def readers_who_want_more_contrast_get_it(browser):
    path = page_of(control_room(), width=375, height=900)
    for scheme in ("light", "dark"):
        found = {}
        for wish in ("no-preference", "more"):
            with browser.page(path, 375, 900, scheme=scheme, bypass_csp=True) as page:
                page.emulate_media(contrast=wish)
                ground = page.evaluate(PAINTED, ["--background", "--background"])
                found[wish] = {role: contrast(page.evaluate(PAINTED, [role, "--background"]), ground) for role in ROLES_OF_TEXT}
        for role, more in found["more"].items():
            if more < 4.5 or more < found["no-preference"][role]:
                raise Failed(f"{scheme}: {role} has a contrast of {more:.1f}, without the wish {found['no-preference'][role]:.1f}")


CONTROLS = {"button", "link", "textbox", "searchbox", "switch", "slider", "combobox", "radiogroup", "radio", "checkbox"}


@case(44)
def every_control_of_every_screen_has_a_name(browser):
    nameless, count = [], 0
    for subject, name in every_interface():
        with browser.page(page_of(subject, width=375, height=667, screen=name), 375, 667) as page:
            page.evaluate("for (const alert of document.querySelectorAll('[inert]')) alert.inert = false")
            controls = [node for node in heard(page) if node[0] in CONTROLS]
            count += len(controls)
            nameless += [f"{subject.name} {name}: a {role} with the value {value!r}" for role, its_name, value in controls
                         if not its_name.strip()]
    if nameless or not count:
        raise Failed("\n    ".join([f"{len(nameless)} of {count} controls have no name", *nameless[:40]]))
    return f"{count} controls"


@case(23)
def every_page_is_valid(browser):
    for screen in every():
        path = page_of(screen.subject, width=375, height=667, **screen.wanted)
        text = (path / "index.html").read_text()
        parser = html5lib.HTMLParser(strict=False)
        parser.parse(text)
        faults = [f"{position}: {code} {data}" for position, code, data in parser.errors]
        if faults or " style=" in text:
            raise Failed(f"{screen.name}: {faults[:5]} {'has a style attribute' if ' style=' in text else ''}")

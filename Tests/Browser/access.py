"""What a page means, to people who do not see it or see it in another way."""

import html5lib
from axe_playwright_python.sync_playwright import Axe

from harness import Failed, case, page_of, widget, options
from screens import every

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
                            (authored if violation["id"] == "color-contrast" else found).append(line)
    if found:
        raise Failed("\n    ".join([f"{len(found)} violations", *found[:40]]))
    return f"{len(authored)} contrasts of authored colours" + "".join(f"\n    {line}" for line in sorted(set(authored))[:40])


@case(38)
def axe_finds_nothing_on_a_phone(browser):
    return axe(browser, every(), ["light"], ["ltr"])


@case(38, quick=False)
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


@case(39)
def the_page_means_what_the_document_means(browser):
    import json
    for screen in every():
        wanted = dict(width=375, height=667, **screen.wanted)
        document = json.loads(widget("render", screen.subject, "--as", "json", *options(**wanted)))
        names = [name for name in meant(document) if name]
        with browser.page(page_of(screen.subject, **wanted), 375, 667) as page:
            tree = page.locator("body").aria_snapshot()
        place = 0
        for name in names:
            at = tree.find(json.dumps(name, ensure_ascii=False)[1:-1].split("\\n")[0][:40], 0)
            if at < 0:
                raise Failed(f"{screen.name}: {name!r} is not in the page's tree:\n{tree[:3000]}")
            place = at


def meant(node):
    """The names of the accessible elements of a document, in its order."""
    if isinstance(node, list):
        for child in node:
            yield from meant(child)
    elif isinstance(node, dict):
        if "role" in node and isinstance(node.get("name"), str):
            yield node["name"]
        for key, value in node.items():
            if isinstance(value, (list, dict)) and key != "diagnostics":
                yield from meant(value)


@case(43)
def forced_colours_and_reduced_motion_are_followed(browser):
    for screen in every():
        path = page_of(screen.subject, width=375, height=667, **screen.wanted)
        with browser.page(path, 375, 667, forced_colors="active", reduced_motion="reduce") as page:
            moving = page.evaluate("""() => [...document.querySelectorAll('*')].filter(element => {
                const style = getComputedStyle(element);
                return parseFloat(style.animationDuration) > 0.01 || parseFloat(style.transitionDuration) > 0.01;
            }).map(element => element.id || element.tagName)""")
            if moving:
                raise Failed(f"{screen.name}: moves: {moving[:10]}")


@case(44)
def every_control_has_a_name(browser):
    nameless = []
    for screen in every():
        with browser.page(page_of(screen.subject, width=375, height=667, **screen.wanted), 375, 667) as page:
            for violation in Axe().run(page, options={"runOnly": ["cat.name-role-value", "cat.forms"]}).response["violations"]:
                nameless += [f"{screen.name}: {violation['id']} at {node['target'][0]}" for node in violation["nodes"]]
    if nameless:
        raise Failed("\n    ".join(nameless[:40]))


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

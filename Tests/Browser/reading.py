"""What a reader sees and touches: fields and the messages about them, dark screens, words, hairlines, labels over fields."""

import json
import subprocess

from PIL import Image

from agreement import same
from harness import Failed, case, folder, page_of, program, script
from lists import table
from material import Bundle, element, label, view
from tables import fixed, section

KINDS = ["list", "detail", "form", "feed", "document", "today"]
FIELDS = ["name", "mail"]


def new(name, kind):
    """The source of a template."""
    around = folder()
    subprocess.run([program(), "new", name, "--kind", kind], cwd=around, check=True, capture_output=True, timeout=60)
    return around / name


def document(name, *root):
    """A bundle of one document."""
    path = new(name, "document")
    for other in path.glob("*.widgets.json"):
        other.unlink()
    (path / "Main.widgets.json").write_text(json.dumps({"schema": 1, "title": name, "state": {"text": ""}, "root": list(root)}))
    return path


def inputs():
    return [{"kind": "textfield", "id": name, "payload": {"name": name, "placeholder": name, "required": True}}
            for name in FIELDS]


def refusing(*parts):
    """A form with a button that sends it."""
    send = {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}
    submit = {"do": "set", "state": "text", "to": "sent"}
    return {"kind": "form", "id": "form", "on": {"submit": submit}, "children": [*parts, send]}


def fields():
    """A form of two fields that must have a value, and a row of a field and a button."""
    form = refusing(*inputs())
    row = {"kind": "hstack", "id": "row", "children": [
        {"kind": "textfield", "id": "message", "payload": {"value": "$text", "placeholder": "Message"}},
        {"kind": "button", "id": "post", "payload": {"text": "Send"}}]}
    return document("Fields", form, row)


# The rectangles of elements with what they are, those of messages among them.
SEEN = ".er, input:not([type=hidden]), textarea, button:not(.enter), .t"
RECTANGLES = """seen => [...document.querySelectorAll(seen)].map(element => {
    const {left, top, right, bottom} = element.getBoundingClientRect();
    const kind = element.matches('.er') ? 'message' : element.tagName;
    return {kind, id: element.id || element.textContent, left, top, right, bottom};
})"""


def overlap(one, other):
    return (min(one["right"], other["right"]) - max(one["left"], other["left"]) > 0.5
            and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 0.5)


def messages(browser, subject, steps, count, width=375, height=667, **wanted):
    """Fails unless a page has `count` messages, whole and over nothing."""
    path = page_of(subject, width=width, height=height, script=script(*steps), **wanted)
    with browser.page(path, width, height) as page:
        found = page.evaluate(RECTANGLES, SEEN)
    shown = [one for one in found if one["kind"] == "message"]
    if len(shown) != count:
        raise Failed(f"there are {len(shown)} messages, not {count}")
    for one in shown:
        if one["bottom"] - one["top"] < 8:
            raise Failed(f"the message {one['id']} has no height: {one}")
        for other in found:
            if other is not one and overlap(one, other):
                raise Failed(f"the message {one['id']} and {other['kind']} {other['id']} lie over each other")


@case(14)
def fields_are_as_high_as_their_frames_say(browser):
    for size in ["L", "AX2"]:
        frames = same(browser, fields(), 375, 667, size=size)
        heights = {name: frames[name][3] for name in [*FIELDS, "message"]}
        if len(set(heights.values())) != 1 or min(heights.values()) < 34:
            raise Failed(f"at {size} fields are {heights} high")


@case(14)
def a_message_of_a_refused_form_covers_nothing(browser):
    for width, size in [(375, "L"), (320, "AX2")]:
        messages(browser, fields(), [{"tap": "send", "refused": True}], 2, width=width, size=size)


@case(14)
def a_message_within_a_fixed_height_is_beside_what_is_typed(browser):
    fixed = {"kind": "vstack", "style": {"height": 76}, "children": inputs()}
    messages(browser, document("Fixed", refusing(fixed)), [{"tap": "send", "refused": True}], 2)


# The ground behind the middle of a window, and the colours of texts on it.
PAINT = """() => {
    const parts = color => { const found = color.match(/[\\d.]+/g).map(Number); return [...found.slice(0, 3), found[3] ?? 1]; };
    const linear = part => (part /= 255) <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    const light = ([red, green, blue]) => .2126 * linear(red) + .7152 * linear(green) + .0722 * linear(blue);
    const ground = element => { for (; element; element = element.parentElement) {
        const found = parts(getComputedStyle(element).backgroundColor); if (found[3] === 1) return found; }
        return matchMedia('(prefers-color-scheme:dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1]; };
    const texts = [...document.querySelectorAll('.t > span')].filter(text => text.textContent.trim() && text.checkVisibility());
    return {ground: light(ground(document.elementFromPoint(innerWidth / 2, innerHeight - 40))), texts: texts.map(text => {
        const color = parts(getComputedStyle(text).color), behind = ground(text), below = light(behind);
        const above = light(behind.map((part, place) => color[place] * color[3] + part * (1 - color[3])));
        return [text.textContent, (Math.max(above, below) + .05) / (Math.min(above, below) + .05)]; })};
}"""


@case(12)
def every_template_is_dark_in_the_dark(browser):
    for kind in KINDS:
        subject = new(kind.title(), kind)
        for scheme in ["light", "dark"]:
            with browser.page(page_of(subject, width=375, height=667, scheme=scheme), 375, 667, scheme=scheme) as page:
                found = page.evaluate(PAINT)
            if (found["ground"] < 0.2) != (scheme == "dark"):
                raise Failed(f"{kind}, {scheme}: the ground has a luminance of {found['ground']:.2f}")
            for text, contrast in found["texts"]:
                if contrast < 4.4:
                    raise Failed(f"{kind}, {scheme}: {text!r} has a contrast of {contrast:.2f}")


# Words of texts and buttons that are on more than one line.
BROKEN = """() => {
    const broken = [], walker = document.createTreeWalker(document.querySelector('.w'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        for (const word of node.data.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) broken.push(word[0]);
        }
    }
    return broken;
}"""


def prices():
    """Rows with a long text and a short one, and with buttons."""
    rows = [("Harbour tour with the old ferry", "2,469.00"), ("A very long name of something", "Twelve"),
            ("Tea", "Another long text")]
    texts = [{"kind": "hstack", "children": [
        {"kind": "label", "id": f"{side}{place}", "payload": {"text": text}} for side, text in zip(["first", "second"], row)]}
        for place, row in enumerate(rows)]
    return document("Prices", *texts, {"kind": "hstack", "children": [
        {"kind": "textfield", "id": "field", "payload": {"value": "$text", "placeholder": "Message"}},
        {"kind": "button", "id": "send", "payload": {"text": "Send"}}]})


@case(24)
def large_text_breaks_between_words(browser):
    # Where both longest words of a row have room.
    for width, size in [(320, "L"), (320, "AX2"), (375, "AX3")]:
        with browser.page(page_of(prices(), width=width, height=667, size=size), width, 667) as page:
            broken = page.evaluate(BROKEN)
        if broken:
            raise Failed(f"at {width} and {size}, these words are broken: {broken}")


@case("C11")
def cells_in_styles_of_the_system_show_their_texts(browser):
    rows = []
    for number, (style, text, detail) in enumerate([
            ("Default", "Contact Support", None), ("Value1", "Version", "A detail of it"),
            ("Subtitle", "Do you like what you see?", "Rate the app"), ("Value2", "phone", "+49 30 1234567")]):
        made = fixed(f"row{number}", label(f"text{number}", text, (16, 5, 20, 20.5), mask=()), sign="disclosureIndicator")
        made.set("style", f"IBUITableViewCellStyle{style}")
        made.set("textLabel", f"text{number}")
        if detail:
            made.set("detailTextLabel", f"detail{number}")
            made.find(".//subviews").append(label(f"detail{number}", detail, (16, 25, 20, 14.5), mask=()))
        rows.append(made)
    root = table("styles", element("sections", section("only", None, None, *rows)), dataMode="static")
    subject = Bundle().screen("Styles", root, whole=True).build()
    for width in [320, 375, 1024]:
        frames = same(browser, subject, width, 667)
        for name in ["text0", "detail1", "text2", "detail2", "detail3"]:
            with browser.page(page_of(subject, width=width, height=667), width, 667) as page:
                cut = page.evaluate("""name => { const text = document.querySelector(`[data-id="${name}"] > span`);
                    return text.scrollWidth > text.clientWidth + 1; }""", name)
            if cut:
                raise Failed(f"at {width}, {name} is cut: {frames[name]}")


@case("touch")
def a_label_over_a_field_lets_touches_through(browser):
    parts = [view("textField", "field", (20, 100, 200, 40), mask=(), borderStyle="roundedRect"),
             label("hint", "Placeholder", (28, 108, 120, 24), mask=()),
             label("apart", "Not over it", (20, 200, 120, 24), mask=())]
    with browser.page(page_of(Bundle().screen("Hints", *parts).build(), width=375, height=667), 375, 667) as page:
        found = page.evaluate("""() => [[80, 120], [60, 212]].map(([x, y]) => {
            const hit = document.elementFromPoint(x, y); return hit.tagName + (hit.closest('[data-id]')?.dataset.id ?? ''); })""")
    if found[0] != "INPUTfield" or not found[1].endswith("apart"):
        raise Failed(f"touches are taken by {found}")


BOTTOMS = "() => [...document.querySelectorAll('.r')].map(row => row.getBoundingClientRect().bottom)"


@case(25)
def lines_between_rows_are_seen_wherever_they_lie(browser):
    """Rows that end at whole and at half points, in pictures of one, two and three pixels to a point."""
    for kind in ["list", "feed", "document"]:
        path = page_of(new(kind.title(), kind), width=375, height=667)
        for scale in [1, 2, 3]:
            with browser.page(path, 375, 667, scale=scale) as page:
                bottoms = page.evaluate(BOTTOMS)
                page.screenshot(path=path / "lines.png")
            shot = Image.open(path / "lines.png").convert("L")
            for number, bottom in enumerate(bottoms):
                # Beside the sign of a row, where nothing else is drawn.
                column = [shot.getpixel((370 * scale, round(bottom * scale) + step)) for step in range(-scale - 1, scale + 1)]
                if max(column) - min(column) < 20:
                    raise Failed(f"{kind}, {scale} pixels to a point: the line below row {number} is missing, at {bottom}")

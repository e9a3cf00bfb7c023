"""The table of what may differ between transcripts of two versions of the programs, and their comparison."""

import difflib
import json
import re

PAGE = r"/live/(?:PAGE-\d+|0123456789abcdef0123456789abcdef)"
QUOTE = r'\\?"'

# One script in the place of two: neither their names nor their bytes are compared.
SCRIPT = re.compile(rf"<script src={QUOTE}/assets/host-[^\"\\]*\.js{QUOTE} defer></script>")
# Classes and selectors that were renamed, `(before, after)`, as regular expressions. They hold for sheets and markup.
RENAMED = [
    # Headings in pages of others have other levels: the rules of the first ones hold for all six.
    (r":where\(p,h1,h2,h3,ul,", ":where(p,h1,h2,h3,h4,h5,h6,ul,"),
    (r"\.al>h2\{", ".al>:is(h1,h2,h3,h4,h5,h6){"),
    (r"\.w h1:focus,\.w h2:focus,", ".w :is(h1,h2,h3,h4,h5,h6):focus,"),
    # An element in such a page has in its root what a page has in its body.
    (r"(?m)^body:has\(>\.status\)\{", ".page,body:has(>.status){"),
    (r"(?m)^body:has\(>\.status\)>\.w\{", ".page>.w,body:has(>.status)>.w{"),
    (r"(?m)(^|\{)body>\.(status|ways)", r"\1:is(body,.page)>.\2"),
]

# Mappings of every text: the expression, what takes its place, and why.
TEXTS = [
    (r" defer data-page>", " defer>", "the script knows pages of ours by a mark"),
    (r"(id: \d+(?:[a-y]\d+)*)z9\b", r"\1", "letters that no widget has are not repeated"),
    # Addresses: a part is its letter, and a page of one widget has the part `a`.
    (rf"({PAGE})/part/([a-z])/(?:sheet|pictures)/", r"\1/\2/", "files of a part lie below its letter"),
    (rf"({PAGE})/part/([a-z])\b", r"\1/\2", "a part is its letter"),
    (rf"({PAGE})/(?:sheet|pictures)/", r"\1/a/", "files of one widget are those of its part"),
    (rf"({PAGE})/actions\b", r"\1/a/actions", "acts of one widget are those of its part"),
    (rf"({PAGE})/host\b", r"\1", "acts on slots are forms of the page"),
    (rf"(<form class={QUOTE}f{QUOTE}[^>]*?) action={QUOTE}{PAGE}/a{QUOTE}", r"\1", "the form of the part `a` had no action"),
    # The script finds a part by its letter alone.
    (rf"(<section [^>]*?) data-live={QUOTE}[^\"\\]*{QUOTE}", r"\1", "`data-live` is on the page alone"),
    # Names by digest.
    (r"/assets/(live|host)-[0-9a-f]{32}\.(css|js)", r"/assets/\1-DIGEST.\2", "names of files follow their bytes"),
]

# Mappings of transcripts of one widget whose positions are numbers.
POSITIONS = [
    (rf"data-view=({QUOTE})(\d+)({QUOTE})", r"data-view=\g<1>1a\2\3", "the position of one widget is one of a page"),
    (r"\A(id: )(\d+)\n", r"\g<1>1a\2\n", "the position of one widget is one of a page"),
    (r"(/events\?after=(?:%20)?)(?!0\Z)(-?\d+(?:%20)?)\Z", r"\g<1>1a\2", "the position of one widget is one of a page"),
    (r"\A(Last-Event-ID: )(\d+)\Z", r"\g<1>1a\2", "the position of one widget is one of a page"),
    (r"(\ndata: )(\[.*\])\Z", r'\1{"a":\2}', "an event of one widget names its letter"),
    (rf"\A(POST {PAGE})\Z", r"\1/a", "the form of one widget is that of its part"),
]


def is_of_numbers(steps):
    """True for a transcript of pages of one widget from before parts had letters."""
    return any(re.search(r'data-view="\d+"', step.get("body", "")) for step in steps)


def mapped(text, mappings):
    for expression, replacement, _ in mappings:
        text = re.sub(expression, replacement, text)
    return text


def normal(steps):
    """The one form of a transcript."""
    has_numbers, tags, found = is_of_numbers(steps), {}, []

    def text(one):
        one = mapped(SCRIPT.sub("", one), POSITIONS if has_numbers else [])
        one = mapped(one, TEXTS)
        for before, after in RENAMED:
            one = re.sub(before, after, one)
        if re.match(r"(ETag|If-None-Match): ", one):
            # Tags follow the bytes of answers, which other mappings change: they are numbered as they appear.
            one = re.sub(r'"[0-9a-f]{32}"', lambda it: f'"TAG-{tags.setdefault(it[0], len(tags) + 1)}"', one)
        return one

    for step in steps:
        is_script = re.search(r"/assets/(live|host)-[0-9a-f]{32}\.js\Z", step["request"])
        if is_script and is_script[1] == "host":
            continue
        step = {name: [text(one) for one in value] if isinstance(value, list) else text(value) if isinstance(value, str)
                else value for name, value in step.items()}
        if is_script:
            step["body"] = "(the script)"
        found.append(step)
    return found


def lines(step):
    """A step for people."""
    shown = [f"{step['request']} -> {step['status']}", *step["fields"]]
    shown += ["posted: " + step["posted"]] if "posted" in step else []
    shown += step["headers"]
    for body in [step.get("body", ""), *step.get("events", []), step.get("stream", ""), step.get("beat", "")]:
        shown += re.sub(r">(?=<)", ">\n", body).split("\n")
    return shown


def difference(before, after, is_exact=False):
    """The first difference of two transcripts in words, or `None`."""
    before, after = json.loads(before), json.loads(after)
    if not is_exact:
        before, after = normal(before), normal(after)
    for place, (one, other) in enumerate(zip(before, after)):
        if one != other:
            shown = difflib.unified_diff(lines(one), lines(other), "before", "after", n=3, lineterm="")
            shown = [line[:400] for line in shown] or [
                f"{name}: {one.get(name)!r} became {other.get(name)!r}" for name in sorted({*one, *other})
                if one.get(name) != other.get(name)]
            return "\n    ".join([f"step {place + 1} of {len(before)}, {one['step']}:", *shown[:24]])
    if len(before) != len(after):
        rest = (before if len(before) > len(after) else after)[min(len(before), len(after))]
        return f"{len(before)} steps became {len(after)}; the first that only one has is {rest['step']}: {rest['request']}"
    return None

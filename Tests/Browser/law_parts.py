"""Screens made from a seed: a small tree, which is written as a document, as a screen in text, or as a storyboard."""

import copy
import random

WORDS = ("light ferry harbour wind Tuesday evening low water table glass seven small north letter garden bread station window "
         "paper river cloud winter open blue stone morning quiet").split()
LONG_WORDS = ["Bootsanlegestelle", "Wetterbeobachtung", "Zusammenfassung"]


class Part:
    """A view of a screen: its kind, its name, what is said of it, and what lies in it."""

    def __init__(self, kind, name, parts=(), **facts):
        self.kind, self.name, self.parts, self.facts = kind, name, list(parts), facts

    def each(self):
        yield self
        for part in self.parts:
            yield from part.each()

    def copy(self):
        return copy.deepcopy(self)

    def printed(self, depth=0):
        facts = "".join(f" {key}={value!r}" for key, value in self.facts.items() if value is not None)
        lines = [f"{'    ' * depth}{self.kind} {self.name}{facts}"]
        return "\n".join(lines + [part.printed(depth + 1) for part in self.parts])


class Chance:
    """Choices that follow from a seed, and names that are used once."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def one(self, *choices):
        return self.random.choice(choices)

    def may(self, share):
        return self.random.random() < share

    def number(self, low, high):
        return self.random.randint(low, high)

    def title(self):
        return self.random.choice(WORDS).capitalize()

    def words(self, low, high):
        chosen = [self.random.choice(WORDS) for _ in range(self.number(low, high))]
        if high > 2 and self.may(0.08):
            chosen.append(self.random.choice(LONG_WORDS))
        return " ".join(chosen).capitalize()

    def text(self):
        """A text of one, some or many words."""
        return self.words(*self.one((1, 2), (1, 2), (3, 6), (8, 20)))

    def kinds(self, choices, count):
        names = list(choices)
        return self.random.choices(names, [choices[name] for name in names], k=count)


# How often a kind comes among the children of a container.
ALONE = {"label": 6, "button": 3, "field": 3, "image": 2, "switch": 1, "slider": 1, "stepper": 1, "segments": 2, "date": 1,
         "area": 1, "search": 1, "progress": 1, "spinner": 1, "dots": 1}
HOLDERS = {"row": 3, "column": 2, "view": 1, "form": 1}
IN_ROW = {"label": 5, "button": 3, "switch": 2, "image": 2, "stepper": 1, "slider": 1, "progress": 1, "field": 1, "spinner": 1,
          "column": 1}


def leaf(chance, kind, short=False):
    """A view without others; short ones fit beside others on a narrow screen."""
    facts = {}
    if kind == "label":
        facts = dict(text=chance.words(1, 2) if short else chance.text(), lines=chance.one(0, 0, 1),
                     size=chance.one(None, None, None, 13, 15, 23), bold=chance.one(None, True),
                     style=chance.one(None, None, None, "body", "headline", "caption1"))
        if facts["style"]:
            facts.update(size=None, bold=None)
    elif kind == "button":
        facts = dict(text=chance.title())
    elif kind in ("field", "search"):
        facts = dict(placeholder=chance.title(), text=chance.one(None, None, chance.title()) if kind == "field" else None)
    elif kind == "area":
        facts = dict(height=chance.one(60, 100, 140))
    elif kind == "image":
        facts = dict(height=chance.one(24, 40, 80, None) if not short else chance.one(24, 40),
                     width=chance.one(24, 40) if short else None)
    elif kind == "segments":
        facts = dict(titles=[chance.title() for _ in range(chance.number(2, 3))])
    elif kind == "dots":
        facts = dict(pages=chance.number(2, 5))
    elif kind == "date":
        facts = dict(mode=chance.one("date", "time", None))
    return Part(kind, chance.name(kind), **facts)


def several(chance, choices, low, high, depth, form):
    return [made(chance, kind, depth, form) for kind in chance.kinds(choices, chance.number(low, high))]


def made(chance, kind, depth, form, short=False):
    """A part of a kind, with what lies in it. Everything that is made can be shown at 320 points and the largest text."""
    if kind not in HOLDERS and kind not in ("scroll", "table", "grid", "layers"):
        return leaf(chance, kind, short)
    choices = form.choices(depth)
    facts = dict(spacing=chance.one(None, None, 4, 12))
    if kind == "row":
        row = {name: share for name, share in IN_ROW.items() if name in form.kinds and (name != "column" or depth < 3)}
        parts, wide = [], 0
        for name in chance.kinds(row, chance.number(2, 3)):
            # What takes all the room of a row comes once.
            if name in ("label", "slider", "progress", "field", "column"):
                wide += 1
                if wide > 1:
                    continue
            parts.append(made(chance, name, depth + 1, form, short=True))
        items = chance.one(None, "center", "start")
        if items is None and {"image", "column"} <= {part.kind for part in parts}:
            # As high as a picture whose height its author wrote, a column would have no room for its texts.
            items = "center"
        return Part(kind, chance.name(kind), parts, items=items, **facts)
    if kind == "column" and short:
        return Part(kind, chance.name(kind), [leaf(chance, "label", True) for _ in range(2)], **facts)
    if kind == "table":
        return Part(kind, chance.name(kind), rows=chance.number(1, 12), cells=chance.one("basic", "value", "subtitle", "own"),
                    accessory=chance.one(None, "arrow", "check"), grouped=chance.one(None, True),
                    texts=[chance.text() for _ in range(3)], values=[chance.title() for _ in range(3)])
    if kind == "grid":
        return Part(kind, chance.name(kind), rows=chance.number(1, 8), size=chance.one((180, 90), (200, 100)),
                    texts=[chance.title() for _ in range(3)])
    if kind == "scroll":
        return Part(kind, chance.name(kind), several(chance, choices, 4, 14, depth + 1, form), **facts)
    return Part(kind, chance.name(kind), several(chance, choices, 1, 3, depth + 1, form), **facts)


class Form:
    """The way in which a tree becomes a screen."""

    name = ""
    kinds = set()

    def choices(self, depth):
        all = {**ALONE, **(HOLDERS if depth < 3 else {})}
        return {kind: share for kind, share in all.items() if kind in self.kinds}

    def screen(self, chance):
        """The root: some views, of which one may scroll and take the rest, and the facts of the bar."""
        bar = dict(bar=chance.one(True, True, None), title=chance.title(), large=chance.one(None, None, True),
                   left=chance.one(None, None, chance.title()), right=chance.one(None, chance.title()))
        inner = self.body(chance)
        return Part("screen", "Main", inner, spacing=chance.one(None, None, 4, 12), **bar)

    def body(self, chance):
        kind = chance.one("plain", "scroll", "scroll", "scroll", "table", "table", "grid", "form")
        if kind == "plain":
            return several(chance, self.choices(2), 1, 3, 2, self)
        if kind not in self.kinds:
            kind = "scroll"
        before = several(chance, {"label": 1, "field": 1, "row": 1, "search": 1, "segments": 1} if self.name != "document" else
                         {"label": 1, "field": 1, "row": 1}, 0, 1, 3, self)
        return [*before, made(chance, kind, 1, self)]

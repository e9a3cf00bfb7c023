"""Screens as storyboards, as Xcode writes them: masks, constraints, stack views, scroll views and lists."""

from law_forms import PICTURE, scheme
from law_parts import Form, Part, leaf
from lists import cell, table
from material import Bundle, color, edges, element, font, label, rule, view

# What Xcode draws: widths and heights of controls.
DRAWN = {"switch": (51, 31), "slider": (200, 30), "stepper": (94, 32), "progress": (200, 4), "dots": (40, 37),
         "spinner": (20, 20), "field": (200, 34), "area": (200, 100), "search": (375, 56), "date": (320, 216),
         "button": (80, 30), "label": (200, 20.5), "image": (48, 48), "segments": (200, 31)}
TAGS = {"switch": "switch", "slider": "slider", "stepper": "stepper", "progress": "progressView", "dots": "pageControl",
        "spinner": "activityIndicatorView", "field": "textField", "area": "textView", "search": "searchBar", "date": "datePicker",
        "button": "button", "image": "imageView", "segments": "segmentedControl"}
# Controls that have a width by themselves, so that rules place them at one side.
NARROW = {"switch", "stepper", "spinner", "dots", "image", "button"}
NATURAL = {"label", "button", "field", "switch", "slider", "stepper", "progress", "dots", "spinner", "segments", "search"}
FLOW = {"label": 6, "button": 3, "field": 3, "image": 2, "switch": 1, "slider": 1, "stepper": 1, "segments": 2, "area": 1,
        "progress": 1, "spinner": 1, "dots": 1, "pair": 4, "stack": 3, "box": 2}


class Storyboard(Form):
    name = "storyboard"
    kinds = set(FLOW) | {"scroll", "table", "grid", "masks"}

    def choices(self, depth):
        return {kind: share for kind, share in FLOW.items() if depth < 3 or kind not in ("pair", "stack", "box")}

    def body(self, chance):
        kind = chance.one("rules", "rules", "scroll", "scroll", "scroll", "table", "table", "grid", "masks")
        if kind == "masks":
            return [Part("masks", chance.name("masks"), [self.masked(chance, place) for place in range(chance.number(2, 6))])]
        if kind == "rules":
            return [self.flow(chance, "rules", 1, 3)]
        if kind == "scroll":
            return [self.flow(chance, "scroll", 4, 14)]
        facts = dict(rows=chance.number(1, 12), texts=[chance.text() for _ in range(3)],
                     values=[chance.title() for _ in range(3)])
        if kind == "grid":
            facts.update(texts=[chance.title() for _ in range(3)], size=chance.one((180, 90), (200, 100)))
        else:
            facts.update(cells=chance.one("basic", "value", "subtitle", "own"), accessory=chance.one(None, "arrow", "check"),
                         grouped=chance.one(None, True), system=chance.one(None, True))
        return [Part(kind, chance.name(kind), **facts)]

    def flow(self, chance, kind, low, high, depth=1):
        """Views below each other, each tied to the one before it."""
        parts = [self.part(chance, name, depth) for name in chance.kinds(self.choices(depth), chance.number(low, high))]
        return Part(kind, chance.name(kind), parts, spacing=chance.one(8, 8, 12, 20), margin=chance.one(16, 20))

    def part(self, chance, kind, depth):
        if kind == "box":
            return self.flow(chance, "box", 1, 3, depth + 1)
        if kind == "pair":
            # A text that may be long, and what keeps its width beside it.
            text = leaf(chance, chance.one("label", "label", "field"))
            text.facts["size"] = text.facts["style"] = None
            beside = leaf(chance, chance.one("switch", "button", "stepper", "image", "label"), short=True)
            return Part("pair", chance.name("pair"), [text, beside], tie=chance.one("centerY", "centerY", "firstBaseline"))
        if kind == "stack":
            upright = chance.may(0.5)
            choices = {"label": 5, "button": 3, "image": 2, "switch": 2}
            choices |= {"field": 2, "segments": 1, "slider": 1} if upright else {}
            parts = [leaf(chance, name, short=True) for name in chance.kinds(choices, chance.number(2, 3))]
            made = Part("stack", chance.name("stack"), parts, upright=upright or None, spacing=chance.one(0, 8, 8, 16),
                        alignment=chance.one("fill", "center", "leading" if upright else "top"),
                        distribution=chance.one("fill", "fill", "fillEqually", "equalSpacing"))
            if not upright and made.facts["alignment"] == "fill" and any(one.kind == "image" for one in parts):
                # As high as a picture whose height its author wrote, texts would have no room for a second line.
                made.facts["alignment"] = "center"
            return made
        made = leaf(chance, kind)
        made.facts["side"] = chance.one("leading", "trailing", "center") if kind in NARROW else None
        return made

    def masked(self, chance, place):
        """A view that its mask keeps on the screen at 320 points."""
        kind = chance.one("label", "label", "button", "field", "image", "switch", "segments", "box")
        made = self.flow(chance, "box", 0, 0) if kind == "box" else leaf(chance, kind, short=True)
        wide, high = (200, 60) if kind == "box" else DRAWN[kind]
        way = chance.one("width", "right", "left", "middle") if kind not in ("field", "segments") else "width"
        x = {"width": 16, "right": 20, "left": 375 - wide - 20, "middle": (375 - wide) / 2}[way]
        made.facts.update(frame=(x, 84 + 70 * place, 343 if way == "width" else wide, high), way=way)
        return made

    # Writing.

    def write(self, root, path):
        bundle = Bundle(path=path)
        facts, part = root.facts, root.parts[0]
        (path / "star.png").write_bytes(PICTURE)
        content, self.rules, self.lists = [], [], []
        around = "Main-root"
        if part.kind == "masks":
            content = [self.view(child) for child in part.parts]
        elif part.kind == "rules":
            content = self.chain(part, around, "safe")
        elif part.kind == "scroll":
            content = [self.scroll(part, around)]
        else:
            content = [self.list(part)]
            self.rules += edges(part.name, around)
        guide = element("viewLayoutGuide", key="safeArea", id="safe")
        bundle.screen("Main", *content, *self.rules, color("backgroundColor", 1, 1, 1), guide, title=facts["title"],
                      bar="translucent" if facts["bar"] else None, scheme=scheme(self.lists) if self.lists else None)
        bundle.write()
        return path

    def scroll(self, part, around):
        inside = f"{part.name}-content"
        outer, self.rules = self.rules, []
        content = view("view", inside, (0, 0, 375, 900), *self.chain(part, inside, inside, ends=True), *self.rules, mask=None)
        self.rules = outer + edges(part.name, around)
        rules = [*edges(inside, part.name), rule(inside, "width", part.name)]
        return view("scrollView", part.name, (0, 0, 375, 667), content, *rules, mask=None, clipsSubviews="YES")

    def chain(self, part, around, top, ends=False):
        """Views below each other in a view, with their rules."""
        if ends and not part.parts and not part.facts.get("frame"):
            raise ValueError(f"nothing gives {part.name} a height")
        facts, before, made = part.facts, None, []
        for child in part.parts:
            made.append(self.view(child, None))
            name, margin = child.name, facts["margin"]
            gap = facts["spacing"] if before else margin
            self.rules.append(rule(name, "top", before or top, "bottom" if before else "top", gap))
            side = child.facts.get("side")
            if side == "center":
                self.rules.append(rule(name, "centerX", around))
            elif side == "trailing":
                self.rules.append(rule(around, "trailing", name, constant=margin))
            else:
                self.rules.append(rule(name, "leading", around, constant=margin))
                if not side:
                    self.rules.append(rule(around, "trailing", name, constant=margin))
            before = name
        if ends and before:
            self.rules.append(rule(around, "bottom", before, constant=facts["margin"]))
        return made

    def view(self, part, mask=()):
        """A view with what lies in it; rules place it, unless it has a frame."""
        facts, name, kind = part.facts, part.name, part.kind
        frame = facts.get("frame") or (16, 100, *DRAWN.get(kind, (343, 60)))
        mask = {"width": ("width",), "right": ("right",), "left": ("left",), "middle": ("left", "right")}[facts["way"]] \
            if facts.get("frame") else mask
        if kind == "label":
            made = label(name, facts["text"], frame, mask=mask, size=facts["size"] or 17, numberOfLines=facts.get("lines", 1),
                         lineBreakMode="tailTruncation")
            if facts.get("style"):
                described = made.find("fontDescription")
                described.attrib.clear()
                described.attrib.update(key="fontDescription", style=f"UICTFontTextStyle{STYLES[facts['style']]}")
            return made
        if kind in ("box", "pair"):
            outer, self.rules = self.rules, []
            inner = self.chain(part, name, name, ends=True) if kind == "box" else self.pair(part)
            made = view("view", name, frame, *inner, *self.rules, color("backgroundColor", 0.9, 0.9, 0.9), mask=mask)
            self.rules = outer
            return made
        if kind == "stack":
            inner = [self.view(child, None) for child in part.parts]
            return view("stackView", name, frame, *inner, mask=mask, axis="vertical" if facts["upright"] else "horizontal",
                        alignment=facts["alignment"], distribution=facts["distribution"], spacing=facts["spacing"])
        return self.control(part, frame, mask)

    def control(self, part, frame, mask):
        facts, name, kind = part.facts, part.name, part.kind
        parts, more = [], {}
        if kind == "button":
            parts = [element("state", key="normal", title=facts["text"])]
            more = dict(buttonType="system", lineBreakMode="middleTruncation")
        elif kind == "field":
            more = dict(borderStyle="roundedRect", placeholder=facts["placeholder"], text=facts.get("text") or "")
            parts = [font(14)]
        elif kind == "search":
            more = dict(placeholder=facts["placeholder"])
        elif kind == "image":
            more = dict(image="star", contentMode="scaleAspectFit")
        elif kind == "segments":
            parts = [element("segments", *[element("segment", title=title) for title in facts["titles"]])]
            more = dict(selectedSegmentIndex=0, segmentControlStyle="plain")
        elif kind == "dots":
            more = dict(numberOfPages=facts["pages"])
        elif kind == "spinner":
            more = dict(animating="YES", style="gray")
        elif kind == "progress":
            more = dict(progress=0.5)
        elif kind == "stepper":
            more = dict(maximumValue=9)
        elif kind == "slider":
            more = dict(maxValue=1, value=0.5)
        elif kind == "area":
            parts = [font(14)]
        own = [rule(None, "height", constant=facts["height"])] if facts.get("height") and mask is None else []
        own += [rule(None, "width", constant=facts["width"])] if facts.get("width") and mask is None else []
        if mask is None and kind == "image" and not facts.get("height"):
            own.append(rule(None, "height", constant=48))
        made = view(TAGS[kind], name, frame, *parts, *own, mask=mask, **more)
        made.append(element("accessibility", element("accessibilityTraits"), key="accessibilityConfiguration", label=name))
        return made

    def pair(self, part):
        """Two views beside each other: the second keeps its width."""
        first, second = part.parts
        name, one, other = part.name, first.name, second.name
        made = [self.view(first, None), self.view(second, None)]
        for place, child in zip((749, 751), made):
            child.set("horizontalCompressionResistancePriority", str(place))
            child.set("horizontalHuggingPriority", str(place - 500))
        tie = part.facts["tie"] if {first.kind, second.kind} <= {"label", "button", "field"} else "centerY"
        self.rules += [rule(one, "leading", name, constant=8), rule(other, "leading", one, "trailing", 8),
                       rule(name, "trailing", other, constant=8), rule(other, tie, one)]
        # The first is as high as there is room; the view is as high as the higher of both.
        self.rules += [rule(one, "top", name, constant=8), rule(name, "bottom", one, constant=8),
                       rule(other, "top", name, constant=8, relation="greaterThanOrEqual"),
                       rule(name, "bottom", other, constant=8, relation="greaterThanOrEqual")]
        return made

    @staticmethod
    def system_texts(name, facts):
        if facts["cells"] == "basic":
            return [label(f"{name}Title", "Title", (16, 0, 343, 43.5), mask=())]
        if facts["cells"] == "value":
            return [label(f"{name}Title", "Title", (16, 12, 33.5, 20.5), mask=()),
                    label(f"{name}Value", "Detail", (315, 12, 44, 20.5), mask=(), textAlignment="right")]
        return [label(f"{name}Title", "Title", (16, 5, 33.5, 20.5), mask=()),
                label(f"{name}Value", "Subtitle", (16, 25.5, 44, 14.5), mask=(), size=12)]

    def list(self, part):
        self.lists.append(part)
        facts, name = part.facts, part.name
        accessory = {"arrow": "disclosureIndicator", "check": "checkmark", None: None}[facts.get("accessory")]
        if part.kind == "grid":
            title = label(f"{name}Title", "Title", (8, 8, 80, 20), mask=None)
            pins = edges(f"{name}Title", f"{name}-inner", 8, 8, 8, None)
            content = view("view", f"{name}-inner", (0, 0, *facts["size"]), title, *pins, mask=("width", "height"))
            content.set("key", "contentView")
            one = view("collectionViewCell", f"{name}Cell", (0, 0, *facts["size"]), content, reuseIdentifier=f"{name}Cell",
                       customClass="ContentCollectionViewCell", customModule="WidgetKit")
            layout = element("collectionViewFlowLayout", key="collectionViewLayout", id=f"{name}-layout", minimumLineSpacing=10,
                             minimumInteritemSpacing=10)
            layout.append(element("size", key="itemSize", width=facts["size"][0], height=facts["size"][1]))
            return view("collectionView", name, (0, 0, 375, 667), layout, element("cells", one), mask=None, dataMode="prototypes")
        more = {"accessoryType": accessory} if accessory else {}
        if facts["system"] and facts["cells"] in SYSTEM:
            # Xcode draws the texts of such a cell where they are at 375 points.
            one = cell(f"{name}Cell", *self.system_texts(name, facts), reuseIdentifier=f"{name}Cell",
                       style=f"IBUITableViewCellStyle{SYSTEM[facts['cells']]}", textLabel=f"{name}Title",
                       customClass="ContentTableViewCell", customModule="WidgetKit", **more)
            if facts["cells"] != "basic":
                one.set("detailTextLabel", f"{name}Value")
            return table(name, element("prototypes", one), rowHeight=-1, estimatedRowHeight=44, mask=None,
                         style="grouped" if facts["grouped"] else "plain")
        texts = [label(f"{name}Title", "Title", numberOfLines=0)]
        rules = edges(f"{name}Title", f"{name}Cell-content", 16, 11, 16, 11 if facts["cells"] == "basic" else None)
        if facts["cells"] != "basic":
            texts.append(label(f"{name}Value", "Value", size=15))
            rules += [rule(f"{name}Value", "leading", f"{name}Title"), rule(f"{name}Value", "top", f"{name}Title", "bottom", 4),
                      rule(f"{name}Cell-content", "bottom", f"{name}Value", constant=11),
                      rule(f"{name}Cell-content", "trailing", f"{name}Value", constant=16, relation="greaterThanOrEqual")]
        one = cell(f"{name}Cell", *texts, *rules, reuseIdentifier=f"{name}Cell", customClass="ContentTableViewCell",
                   customModule="WidgetKit", **more)
        return table(name, element("prototypes", one), rowHeight=-1, estimatedRowHeight=44, mask=None,
                     style="grouped" if facts["grouped"] else "plain")


SYSTEM = {"basic": "Default", "value": "Value1", "subtitle": "Subtitle"}
STYLES = {"body": "Body", "headline": "Headline", "caption1": "Caption1"}

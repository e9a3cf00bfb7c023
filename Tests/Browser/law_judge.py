"""The judge: screens are rendered as text, as frames and as pages, and what a browser shows is compared with both."""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

import law_material
import law_reasons
import law_rules
from harness import MOMENT, program
from law_forms import Document, Lines
from law_parts import Chance
from law_storyboard import Storyboard

WIDTHS = [(320, 568), (375, 667), (414, 896), (768, 1024), (1024, 768), (1366, 1024)]
DIRECTIONS = ["ltr", "rtl"]
SIZES = ["L", "XXXL", "AX2"]
SETS = [(width, direction, size) for size in SIZES for direction in DIRECTIONS for width in WIDTHS]

NEAR, FAR = 2, 8
# The share of boxes within NEAR of each kind of container, width, direction and size of text that has so many boxes.
SHARE, GROUP = 0.98, 100
JUDGE = (pathlib.Path(__file__).parent / "law_page.js").read_text()
# What text and pages say in different words: signs of values, and words that stand for pictures.
SIGNS = re.compile(r"[^\W_]+")
# The value of a slider, stepper or row of dots, which a page shows as a place.
VALUES = re.compile(r"<[\d.]*>")


def scheme_of(*options):
    """Light or dark, which changes looks alone: one for each option set, so that each width, direction and size has both."""
    place = SETS.index(options)
    return "dark" if (place + place // len(WIDTHS)) % 2 else "light"


FORMS = [Document, Lines, Storyboard]


def made_from(seed):
    """The form and the tree of a seed."""
    form = FORMS[seed % len(FORMS)]()
    return form, form.screen(Chance(seed))


class Case:
    """A subject with some of the option sets, rendered in the background."""

    def __init__(self, subject, sets, seed=None, root=None):
        self.subject, self.sets, self.seed, self.root = subject, sets, seed, root
        self.desk = pathlib.Path(tempfile.mkdtemp(prefix="law-"))
        self.fault = None

    def render(self, has_text=True):
        try:
            if self.seed is not None:
                form, made = made_from(self.seed)
                self.tree = self.root or made
                path = form.write(self.tree, self.desk / "Law")
                if form.name != "document":
                    asked("build", path, "-o", self.desk / "Law.zip", "--quiet")
                    path = self.desk / "Law.zip"
                self.subject = law_material.Subject(f"seed {self.seed} {form.name}", path)
            path, words = self.subject.path, self.subject.words + ["--clock", MOMENT, "--time-zone", "UTC0"]
            self.text = asked("render", path, "--as", "text", *words) if has_text else ""
            self.frames = []
            for place, ((width, height), direction, size) in enumerate(self.sets):
                scheme = scheme_of((width, height), direction, size)
                where = ["--viewport", f"{width}x{height}@2", "--dir", direction, "--text-size", size, "--scheme", scheme]
                self.frames.append(json.loads(asked("render", path, "--as", "frames", *words, *where)))
                asked("render", path, "--as", "html", "-o", self.desk / str(place), *words, *where)
        except (Refused, ValueError, LookupError) as refused:
            self.fault = str(refused)
        return self

    @property
    def is_flow(self):
        """True for a screen that the generator made without frames of its author."""
        return self.seed is not None and not any(part.kind == "masks" for part in self.tree.each())

    @property
    def systems(self):
        """Lists with cells in a style of the system."""
        if self.seed is None:
            return {}
        return {part.name: (part.facts["cells"], bool(part.facts.get("accessory"))) for part in self.tree.each()
                if part.facts.get("system") and part.facts["cells"] != "own"}

    def end(self):
        shutil.rmtree(self.desk, ignore_errors=True)


class Refused(Exception):
    pass


def asked(*words, codes=(0,)):
    """What `widget` prints, if it ends with one of the codes."""
    done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True, timeout=120)
    if done.returncode not in codes:
        raise Refused(f"widget {words[0]} ended with {done.returncode}: {done.stderr[-1500:]}")
    return done.stdout


class Found:
    """A violation: its kind, where it was found, and what it is about."""

    def __init__(self, kind, case, options, container, key, detail):
        self.kind, self.case, self.seed = kind, case.subject.name, case.seed
        self.container, self.key, self.detail = container, key, detail
        (self.width, _), self.direction, self.size = self.options = options

    def __str__(self):
        return f"{self.kind}: {self.place} in {self.container}: {self.detail}"

    @property
    def place(self):
        return f"{self.case}, {self.width} {self.direction} {self.size}: {self.key}"


class Law:
    def __init__(self, browser):
        self.found, self.boxes, self.screens, self.faults = [], collections.Counter(), 0, []
        # Boxes that are apart for a reason.
        self.excused = 0
        # The same fault has the same sign in every screen: a violation, or a box that differs by itself.
        self.signs = collections.defaultdict(list)
        self.page = browser.chromium.new_context(
            viewport={"width": 375, "height": 667}, device_scale_factor=2, reduced_motion="reduce", bypass_csp=True).new_page()
        self.page.set_default_timeout(20_000)

    def close(self):
        self.page.context.close()

    def judge(self, case):
        if case.fault:
            self.faults.append(f"{case.subject.name if case.subject else case.seed}: {case.fault}")
            return
        for place, options in enumerate(case.sets):
            self.screens += 1
            (width, height), direction, size = options
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.goto((case.desk / str(place) / "index.html").as_uri())
            seen = self.page.evaluate(JUDGE)
            self.compare(case, options, case.frames[place], seen)

    def compare(self, case, options, frames, seen):
        if frames.get("visible") is False:
            # Hosts hide a widget that has nothing to show.
            return
        elements = {element["key"]: element for element in frames["elements"]}

        def kind_of(key):
            return elements.get(key, {}).get("kind", "part")

        def container(key):
            around = elements.get(elements.get(key, {}).get("parent"))
            if not around:
                return "screen"
            called = re.match(r"[a-z]+(?=\d)", around.get("identifier", ""))
            return called[0] if called and case.seed is not None else around["kind"]

        def add(kind, key, detail, sign=None):
            called = f"{key} {elements.get(key, {}).get('identifier', '')}".strip()
            found = Found(kind, case, options, container(key), called, detail)
            self.found.append(found)
            if sign:
                self.signs[sign].append(found)

        apart_by_itself = causes(elements, seen["boxes"])
        wrong = law_reasons.unexcused(elements, seen, apart_by_itself)
        # What lies around and below a box with a reason is moved by it.
        is_excused = apart_by_itself and not wrong
        for key, element in elements.items():
            self.boxes[container(key), options[0][0], options[1], options[2]] += 1
            box, frame = seen["boxes"].get(f"a{key}"), element["frame"]
            if box is None:
                add("no-box", key, element["kind"], f"no-box {element['kind']}")
            elif (off := max(abs(one - other) for one, other in zip(frame, box))) > NEAR + 1e-6:
                detail = f"{element['kind']} frame {frame} box {[round(side, 1) for side in box]}"
                if is_excused:
                    self.excused += 1
                else:
                    add("far" if off > FAR else "apart", key, detail)
        for key, what, by in wrong:
            sign = f"{kind_of(key)} in {container(key)}: {what}"
            self.signs[sign].append(Found(sign, case, options, container(key), key, f"{by:+.1f}"))
        for kind, key, detail in seen["broken"]:
            add(kind, key[1:], detail, f"{kind} {kind_of(key[1:])} in {container(key[1:])}")
        for rule, key, detail in law_rules.faults(frames, case.is_flow, case.systems):
            add(f"rule-{rule}", key, detail, f"rule-{rule} {kind_of(key)} in {container(key)}")
        if not frames["alerts"]:
            has = set(SIGNS.findall(seen["words"].lower()))
            missing = [word for word in SIGNS.findall(VALUES.sub("", case.text.lower())) if word not in has]
            if missing:
                add("missing-words", "", " ".join(missing[:12]), "missing-words")

    def headline(self):
        screens = len({(found.case, found.options) for found in self.found})
        kinds = collections.Counter(found.kind for found in self.found)
        said = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "nothing is found"
        return (f"{self.screens} pages, {sum(self.boxes.values())} boxes, {self.excused} of them elsewhere for a reason; "
                f"{screens} pages with findings: {said}")

    def verdict(self):
        """What breaks the law: each violation but boxes that are a little apart, and groups in which too many boxes are."""
        kinds = collections.Counter(found.kind for found in self.found if found.kind != "apart")
        faults = [f"not rendered: {fault}" for fault in self.faults]
        boxes = sum(self.boxes.values())
        if boxes >= GROUP and self.excused > law_reasons.SHARE * boxes:
            faults.append(f"{self.excused} of {boxes} boxes have a reason to be elsewhere, {law_reasons.SHARE:.0%} may have one")
        for kind, count in kinds.most_common():
            some = [found for found in self.found if found.kind == kind]
            faults += [f"{count} {kind}, first:", *[f"  {found}" for found in some[:5]]]
        for axis, value, count, apart in self.groups():
            if count >= GROUP and apart > (1 - SHARE) * count:
                faults.append(f"{axis} {value}: {apart} of {count} boxes are elsewhere than their frames, {1 - SHARE:.0%} may be")
        return faults

    def groups(self):
        """Kinds of containers, widths, directions and sizes of text: how many boxes they have, and how many are apart."""
        apart = collections.Counter()
        for found in self.found:
            if found.kind in ("far", "apart", "no-box"):
                for place, value in enumerate((found.container, found.width, found.direction, found.size)):
                    apart[place, value] += 1
        for place, axis in enumerate(("container", "width", "direction", "size")):
            all = collections.Counter()
            for where, count in self.boxes.items():
                all[where[place]] += count
            for value, count in all.most_common():
                yield axis, value, count, apart[place, value]

    def summary(self):
        kinds = collections.Counter(found.kind for found in self.found)
        lines = [self.headline()]
        lines += [f"not rendered: {fault}" for fault in self.faults[:10]]
        for kind, count in kinds.most_common():
            some = [found for found in self.found if found.kind == kind]
            lines.append(f"{kind}: {count} in {len({found.case for found in some})} screens")
            for axis in ("container", "width", "direction", "size"):
                counts = collections.Counter(getattr(found, axis) for found in some)
                lines.append(f"    {axis}: " + ", ".join(f"{value} {count}" for value, count in counts.most_common(12)))
        lines.append("what is wrong by itself, not because another box is:")
        for sign, places in sorted(self.signs.items(), key=lambda one: -len(one[1]))[:60]:
            lines.append(f"    {sign}: {len(places)} in {len({found.case for found in places})} screens, as {places[0].place} "
                         f"{places[0].detail}"[:220])
        lines.append("boxes within 2 points of their frames:")
        for axis in ("container", "width", "direction", "size"):
            lines.append(f"    {axis}: " + ", ".join(
                f"{value} {1 - apart / count:.1%} of {count}" for one, value, count, apart in self.groups() if one == axis))
        return "\n".join(lines)


def causes(elements, boxes):
    """The boxes that differ by themselves, not because another one does: key, `width`, `height`, `x` or `y`, and by how much."""
    inner, apart = collections.defaultdict(list), {}
    for key, element in elements.items():
        inner[element.get("parent")].append(key)
        if box := boxes.get(f"a{key}"):
            apart[key] = [one - other for one, other in zip(box, element["frame"])]
    found = []
    for key, differs in apart.items():
        around = elements[key].get("parent")
        beside = [apart[other] for other in inner[around] if other in apart and other != key]
        within = [apart[other] for other in inner[key] if other in apart]
        for axis, (length, place) in enumerate([("width", "x"), ("height", "y")]):
            by = differs[2 + axis]
            if abs(by) > NEAR and not any(abs(other[2 + axis]) > NEAR / 2 for other in within):
                found.append((key, length, by))
            base = apart.get(around, [0] * 4)
            moved = differs[axis] - base[axis]
            if abs(moved) > NEAR and abs(by) <= NEAR and abs(base[2 + axis]) <= NEAR and not any(
                    abs(other[2 + axis]) > NEAR / 2 for other in beside):
                found.append((key, place, moved))
    return found

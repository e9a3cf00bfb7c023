"""The cases of the law: fixed screens for `make test`, and all of the material with new seeds for `make check`."""

import os
import pathlib
import random
import re
import zlib

import law_material
import law_reach
import law_reasons
import law_reduce
import law_steps
from harness import Failed, case, folder
from law import cases, chosen_seeds, judged, sets_of
from law_judge import SETS, Case, Law
from law_parts import Part

HERE = pathlib.Path(__file__).parent
# Screens made from new seeds in one run of `make check`.
SEEDS = int(os.environ.get("LAW_SEEDS", 2_000))
# Screens on which steps are taken.
WALKS = 40
# New screens whose review is compared with their pages.
REVIEWS = 30


def lines(name):
    """The lines of a list without remarks."""
    text = (HERE / name).read_text() if (HERE / name).exists() else ""
    return [line.split("#")[0].strip() for line in text.splitlines() if line.split("#")[0].strip()]


def fixed_seeds():
    """The seeds of screens that have broken the law once, and some of each form."""
    return [int(line) for line in lines("law_seeds.txt")]


def red():
    """Names of screens that are known to break the law in one of their options."""
    return set(lines("law_red.txt"))


def said(browser, law, first=None):
    faults = law.verdict()
    if faults:
        seeds = "" if first is None else f"\nTests/Browser/run law --seeds N --from {first} judges them again"
        raise Failed("\n    ".join([*faults, *law_reduce.smallest(browser, law, 3)]) + seeds)
    return law.headline()


@case(50, run="smoke")
def the_law_holds_for_samples_templates_and_fixed_seeds(browser):
    known = red()
    subjects = [subject for subject in law_material.samples() + law_material.templates() if subject.name not in known]
    # Each has its options by its name, so that they are the same where others are missing.
    all = [Case(subject, sets_of(zlib.crc32(subject.name.encode()), 1)) for subject in subjects]
    all += [Case(None, sets_of(seed, 1), seed) for seed in fixed_seeds() if f"seed {seed}" not in known]
    return said(browser, judged(browser, all))


@case(50)
def the_law_holds_for_all_material_in_many_options(browser):
    known = red()
    all = list(cases(True, 0, 0, 12))
    headline = said(browser, judged(browser, [case for case in all if case.subject.name not in known]))
    for case in all:
        # It may break the law in any of its options, and which ones a run looks at changes with what lies before it in the list.
        if case.subject.name in known and not judged(browser, [Case(case.subject, SETS)]).verdict():
            raise Failed(f"{case.subject.name} keeps the law: take its line out of law_red.txt")
    return headline


@case(50)
def the_law_holds_for_fixed_and_new_seeds(browser):
    first = chosen_seeds()
    known = [seed for seed in fixed_seeds() if f"seed {seed}" in red()]
    all = [Case(None, sets_of(seed, 6), seed) for seed in fixed_seeds() if seed not in known]
    law = judged(browser, [*all, *cases(False, SEEDS, first, 3)])
    for seed in known:
        if not judged(browser, [Case(None, SETS, seed)]).verdict():
            raise Failed(f"seed {seed} keeps the law: take its line out of law_red.txt")
    return said(browser, law, first) + f"; seeds {first} to {first + SEEDS - 1}"


def steps(browser, subjects, chance, length):
    taken, found = 0, []
    for subject in subjects:
        walk = law_steps.walked(browser, subject, chance, length)
        taken += len(walk.taken)
        found += walk.found
    if found or not taken:
        raise Failed("\n    ".join([f"{len(found)} of {taken} steps do something else on the page", *found]))
    return f"{taken} steps"


@case(50, run="smoke")
def a_step_on_a_page_does_what_it_does_in_text(browser):
    known = red()
    wanted = ("template list NotesViewController", "sample Postcard PostcardViewController")
    subjects = [subject for subject in law_material.samples() + law_material.templates()
                if subject.name in wanted and subject.name not in known]
    return steps(browser, subjects, random.Random(50), 2)


@case(50)
def steps_on_pages_of_all_material_do_what_they_do_in_text(browser):
    subjects = [subject for subject in law_material.fixed() if not subject.words or subject.words[0] == "--screen"]
    seed = chosen_seeds()
    made = [Case(None, SETS[:1], number).render() for number in range(seed, seed + WALKS)]
    try:
        return steps(browser, subjects + [one.subject for one in made], random.Random(seed), 4) + f"; seeds from {seed}"
    finally:
        for one in made:
            one.end()


def written(name, screens):
    """A source with screens as text."""
    path = folder() / name
    path.mkdir()
    (path / "Info.plist").write_text(
        f'<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.{name}</string></dict></plist>')
    (path / "Main.screens").write_text(screens)
    return path


# Values that are not typed letter by letter: within the limits, and beyond them.
PICKED = """screen Picked "Picked" in stack
    slider level value 0.5 spoken "Level"
    slider degrees value 20 min 15 max 30 spoken "Degrees"
    slider depth value 20 min -10 max 30 spoken "Depth"
    datePicker day mode date spoken "Day"
    datePicker alarm mode time spoken "Alarm"
    datePicker meeting spoken "Meeting"
    datePicker timer mode countDown spoken "Timer"
"""


@case(50)
def sliders_and_date_pickers_take_on_a_page_what_they_take_in_text(browser):
    walk = law_steps.walked(browser, law_material.Subject("picked", written("Picked", PICKED)), random.Random(50), 10)
    if walk.found or {step["input"] for step in walk.taken} != set(re.findall(r"(?:slider|datePicker) (\w+)", PICKED)):
        raise Failed("\n    ".join([f"{walk.taken}", *walk.found]))
    return f"{len(walk.taken)} steps"


# A screen that keeps the law, faults that are planted in its page, and what the law has to say of them.
PLANTED = [
    ("#a1\\.1 { visibility: hidden }", "missing-words"),
    ("#a1\\.1 { translate: -400px 0 }", "unseen-text"),
    ("#a1\\.1 { translate: 3px 0 }", "apart"),
    ("#a1\\.1 { translate: 0 9px }", "far"),
    ("#a1\\.1 > span { height: 0 !important; overflow: hidden }", "cut-text"),
    ("#a1\\.2 { translate: 0 -28px; background: red; position: relative; z-index: 9 }", "covered-text"),
    ("#a1\\.1 > span { color: #eee !important; background: #fff }", "faint-text"),
    ("#a1\\.2 { height: 20px !important; min-height: 0 !important }", "small"),
    ("#a1\\.2 { pointer-events: none }", "covered-control"),
    ("#a1\\.2 { translate: -4000px 0 }", "unseen-control"),
    ("#a1\\.2 { width: 0 !important; min-width: 0 !important; padding: 0 !important; overflow: hidden }", "no-size"),
]


@case(50, run="smoke")
def the_law_finds_each_fault_that_is_planted(browser):
    tree = Part("screen", "Main", [Part("label", "label1", text="Low water", lines=0), Part("button", "button2", text="Ferry")],
                bar=True, title="Law")
    one = Case(None, [((375, 667), "ltr", "L")], 0, tree).render()
    law = Law(browser)
    try:
        sheet = one.desk / "0" / "screen.css"
        kept = sheet.read_text()
        wrong, before = [], set()
        for planted, kind in [("", None), *PLANTED]:
            sheet.write_text(kept + planted)
            law.found.clear()
            law.judge(one)
            new = {(found.kind, str(found)) for found in law.found} - before
            if kind is None:
                before = new
            elif kind not in {one for one, _ in new}:
                wrong.append(f"{planted}: {sorted(new)}, not {kind}; {one.fault or ''}")
        if wrong:
            raise Failed("\n    ".join(wrong))
    finally:
        law.close()
        one.end()
    return f"{len(PLANTED)} faults"


# A screen with one fault of each cause, and the elements that have them.
FAULTS = """tabs Home initial
    tab "Faults" -> Faults
screen Faults "Faults" in stack
    button tiny "Tiny" height 12
    label reached "Within reach"
    row both
        view filler width 300 height 60
        button beside "Beside"
    view middle height 80
        label behind "Behind"
    view cover centered width 320 height 300 background #ffffff
    view high height 700
    button last "Last"
"""
HIDDEN = {"tiny", "beside", "behind", "last"}


@case(50, run="smoke")
def inspect_finds_each_fault_that_keeps_an_element_out_of_reach(browser):
    path = written("Faults", FAULTS)
    said = law_reach.review(path)
    both, apart = law_reach.compared(browser, law_reach.narrow(law_material.screens_of("faults", path)))
    if apart or said.keys() != HIDDEN or both != len(HIDDEN):
        raise Failed("\n    ".join([f"inspect says {sorted(said.values())}, and the page has {both} of them", *apart]))
    return f"{both} faults"


@case(50)
def inspect_finds_out_of_reach_what_the_law_finds_so(browser):
    known = red()
    seed = chosen_seeds()
    seeds = [one for one in fixed_seeds() if f"seed {one}" not in known] + list(range(seed, seed + REVIEWS))
    cases = law_reach.narrow([one for one in law_material.fixed() if one.name not in known], seeds)
    both, apart = law_reach.compared(browser, cases)
    if apart:
        raise Failed("\n    ".join([f"{len(apart)} differences in {len(cases)} screens; seeds from {seed}", *apart]))
    return f"{len(cases)} screens, {both} elements are out of reach; seeds from {seed}"


# Screens, a sheet with which a box has a reason to be elsewhere, and one with which it has none.
EXCUSED = [
    ("breaks_elsewhere", Part("label", "label1", text="Seven small letters in the garden of the station, and a river", lines=0),
     "#a1\\.1 { letter-spacing: 2.5px !important }", "#a1\\.1 { font-size: 30px !important }"),
    ("has_signs", Part("label", "label1", text="Low water \u2b06", lines=0),
     "#a1\\.1 { width: 300px !important }", "#a1\\.1 { height: 30px !important }"),
]


@case(50, run="smoke")
def a_reason_excuses_a_box_and_nothing_else(browser):
    assert [name for name, *_ in EXCUSED] == [reason.__name__ for reason in law_reasons.REASONS]
    for name, part, sheet, other in EXCUSED:
        tree = Part("screen", "Main", [part, Part("label", "label2", text="After", lines=0)], bar=True, title="Law")
        one = Case(None, [((375, 667), "ltr", "L")], 0, tree).render()
        law = Law(browser)
        try:
            path = one.desk / "0" / "screen.css"
            kept = path.read_text()
            for planted, is_excused in [("", False), (sheet, True), (other, False)]:
                path.write_text(kept + planted)
                law.found.clear()
                law.excused = 0
                law.judge(one)
                if bool(law.excused) != is_excused or bool(law.found) != (planted == other):
                    raise Failed(f"{name}, {planted}: {law.excused} are excused, and {[str(found) for found in law.found]}")
            path.write_text(kept + sheet + "#a1\\.2 { translate: -400px 0 }")
            law.judge(one)
            if "unseen-text" not in {found.kind for found in law.found}:
                raise Failed(f"{name} excuses a text that cannot be seen")
        finally:
            law.close()
            one.end()
    return f"{len(EXCUSED)} reasons"

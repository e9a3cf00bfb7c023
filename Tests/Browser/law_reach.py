"""What `widget inspect` says is out of reach, beside what the law finds so on pages of the same width."""

import collections
import concurrent.futures
import functools
import json
import re

from law_judge import Case, Law, asked

# The window of the review.
NARROW = ((320, 568), "ltr", "L")
# Violations that keep a person from seeing or from touching something.
KINDS = {"no-size", "cut-text", "unseen-text", "covered-text", "unseen-control", "covered-control", "small", "no-box"}
# What a finding is about: its kind, then its name or its text.
SUBJECT = re.compile(r'(?:A )?([a-z-]+)(?: "(.*)"| (\S+))? (?:is|has|reaches|begins|lies) ')


@functools.cache
def review(path):
    """What the review of a bundle says, by the elements that are out of reach."""
    # An error of the bundle ends it with 1, and is listed with the others.
    found = json.loads(asked("inspect", path, "--json", codes=(0, 1)))["program"]["diagnostics"]
    said = {}
    for message in [one["message"] for one in found if one["code"] == "out-of-reach"]:
        kind, text, name = SUBJECT.match(message).groups()
        said[name or text or kind] = message
    return said


def prepared(case):
    case.render(has_text=False)
    return case, {} if case.fault else review(case.subject.path)


def name_of(element):
    return next((element[name] for name in ("identifier", "text", "name", "placeholder") if element.get(name)), element["kind"])


def compared(browser, cases):
    """The number of elements that both find, and what one of them alone does. A bundle is compared as a whole, because its
    review is one of all screens."""
    law, both, apart = Law(browser), 0, []
    reviews, pages = {}, collections.defaultdict(dict)
    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for case, said in pool.map(prepared, cases):
                law.found.clear()
                law.judge(case)
                case.end()
                if case.fault:
                    continue
                reviews[case.subject.path] = said
                elements = {element["key"]: element for element in case.frames[0]["elements"]}
                for found in law.found:
                    key = found.key.split(" ")[0]
                    element = elements.get(key)
                    # Texts of rows are those of data.
                    if element and found.kind in KINDS and not ("@" in key and found.kind.endswith("-text")):
                        pages[case.subject.path].setdefault(name_of(element), str(found))
    finally:
        law.close()
    for path, said in reviews.items():
        seen = pages[path]
        both += len(said.keys() & seen.keys())
        apart += [f"{path.name}: inspect alone: {said[name]}" for name in sorted(said.keys() - seen.keys())]
        apart += [f"{path.name}: the page alone: {seen[name]}" for name in sorted(seen.keys() - said.keys())]
    return both, law.faults + apart


def narrow(subjects, seeds=()):
    """Cases for the comparison. A script shows more than an author drew, which is all that a review knows."""
    return [Case(subject, [NARROW]) for subject in subjects if "--events" not in subject.words] + [
        Case(None, [NARROW], seed) for seed in seeds]

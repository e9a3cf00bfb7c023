"""The law of pages: what a screen says can be seen and touched in a browser, and lies where its frames say.

    Tests/Browser/run law [--seeds N] [--from SEED] [--fixed] [--sets N] [--widget PATH] [--show KIND] [--limit N]
        [--reduce N] [--red]

judges N screens made from seeds that begin with SEED (a new one each run if none is given), and with --fixed, or without
--seeds, the samples, templates, listings of the guides and interfaces of the corpus. It prints each kind of violation with
the number of times that it occurs by container, width, direction and size of text. `--widget` names the program of another
build, `--sets` the number of option sets of each screen, `--show KIND` prints each violation of a kind,
`--reduce N` the smallest screens with the N commonest faults, `--red` the names of all screens that
break the law, as `law_red.txt` has them while they are being mended.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import sys
import time

import law_material
import law_reduce
from harness import Browser
from law_judge import SETS, Case, Law


def sets_of(number, count):
    """Some of the option sets: over some screens, all of them, each width with each direction and size."""
    return [SETS[(number * 7 + place * 13) % len(SETS)] for place in range(count)]


def chosen_seeds():
    """The first of new seeds."""
    return random.randrange(1, 1 << 30)


def cases(fixed, seeds, first, count):
    number = 0
    if fixed:
        for number, subject in enumerate(law_material.fixed()):
            yield Case(subject, sets_of(number, count))
    for seed in range(first, first + seeds):
        yield Case(None, sets_of(seed, count), seed)


def judged(browser, all, workers=2):
    """Judges cases while the next ones are rendered."""
    law = Law(browser)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        waiting = collections.deque()
        for case in all:
            waiting.append(pool.submit(case.render))
            if len(waiting) > 3 * workers:
                take(law, waiting)
        while waiting:
            take(law, waiting)
    law.close()
    return law


def take(law, waiting):
    case = waiting.popleft().result()
    try:
        law.judge(case)
    finally:
        case.end()


def main(words):
    options = argparse.ArgumentParser(prog="Tests/Browser/run law", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int)
    options.add_argument("--from", type=int, dest="first")
    options.add_argument("--fixed", action="store_true")
    options.add_argument("--sets", type=int, default=3)
    options.add_argument("--widget")
    options.add_argument("--show", action="append", default=[])
    options.add_argument("--red", action="store_true")
    options.add_argument("--reduce", type=int, default=0)
    options.add_argument("--limit", type=int, default=40)
    chosen = options.parse_args(words)
    if chosen.widget:
        os.environ["WIDGET"] = chosen.widget
    first = chosen_seeds() if chosen.first is None else chosen.first
    began = time.monotonic()
    browser = Browser()
    law = judged(browser, cases(chosen.fixed or chosen.seeds is None, chosen.seeds or 0, first, chosen.sets))
    for kind in chosen.show:
        for found in [found for found in law.found if found.kind == kind or kind == "all"][:chosen.limit]:
            print(found)
    print(law.summary())
    if chosen.red:
        names = {" ".join(found.case.split()[:2]) if found.seed is not None else found.case
                 for found in law.found if found.kind != "apart"}
        print("\n".join(["breaks the law:", *sorted(names)]))
    for text in law_reduce.smallest(browser, law, chosen.reduce):
        print(text, flush=True)
    browser.close()
    print(f"seeds {first} to {first + (chosen.seeds or 0) - 1}, {time.monotonic() - began:.0f} s")
    for fault in law.verdict():
        print(f"error: {fault}")
    return 1 if law.verdict() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

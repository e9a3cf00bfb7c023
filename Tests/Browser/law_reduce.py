"""Makes a screen that breaks the law smaller, as long as it breaks it in the same way."""

import concurrent.futures
import itertools

from law_judge import Case, Law, made_from

# Facts that may be left out.
OPTIONAL = {"spacing", "size", "bold", "style", "lines", "items", "grouped", "accessory", "large", "left", "right", "bar",
            "width", "height", "mode", "side"}
TRIALS = 120
# Trees that are rendered at once.
AHEAD = 3


def smaller(root):
    """Trees with one thing less than a tree, large parts first."""
    for path in sorted(paths(root), key=len):
        count = len(at(root, path).parts)
        for kept in (slice(count // 2), slice(count // 2, count)) if count > 3 else ():
            made = root.copy()
            at(made, path).parts = at(made, path).parts[kept]
            yield made
    for path in sorted(paths(root), key=len):
        if path:
            yield without(root, path, [])
    for path in sorted(paths(root), key=len):
        part = at(root, path)
        if path and part.parts and part.kind not in ("pair", "stack", "scroll", "rules", "masks"):
            yield without(root, path, part.parts)
        for name, value in part.facts.items():
            for less in lesser(name, value):
                made = root.copy()
                at(made, path).facts[name] = less
                yield made


def lesser(name, value):
    if isinstance(value, str) and " " in value:
        words = value.split()
        yield " ".join(words[:len(words) // 2])
        yield " ".join(words[:-1])
    elif isinstance(value, int) and name == "rows" and value > 1:
        yield 1
    elif isinstance(value, list) and value and isinstance(value[0], str) and any(" " in text for text in value):
        yield [text.split()[0] for text in value]
    elif name in OPTIONAL and value:
        yield None

def paths(part, so_far=()):
    yield so_far
    for place, inner in enumerate(part.parts):
        yield from paths(inner, (*so_far, place))


def at(root, path):
    for place in path:
        root = root.parts[place]
    return root


def without(root, path, instead):
    made = root.copy()
    around = at(made, path[:-1])
    around.parts[path[-1]:path[-1] + 1] = [part.copy() for part in instead]
    return made


def reduced(browser, found, sign):
    """The smallest tree that was found to break the law with the sign."""
    _, root = made_from(found.seed)
    law, trials = Law(browser), 0
    with concurrent.futures.ThreadPoolExecutor(AHEAD) as pool:
        while trials < TRIALS:
            for some in batches(smaller(root), AHEAD):
                trials += len(some)
                cases = [Case(None, [found.options], found.seed, tree) for tree in some]
                rendered = list(pool.map(lambda one: one.render(has_text=sign == "missing-words"), cases))
                less = next((one.tree for one in rendered if breaks(law, one, sign)), None)
                for one in cases:
                    one.end()
                if less or trials >= TRIALS:
                    break
            else:
                break
            root = less or root
    law.close()
    return root


def batches(all, length):
    all = iter(all)
    while some := list(itertools.islice(all, length)):
        yield some


def breaks(law, one, sign):
    """True if a tree breaks the law with the sign."""
    law.signs.clear()
    law.judge(one)
    return sign in law.signs


def printed(browser, found, sign):
    root = reduced(browser, found, sign)
    width, height = found.options[0]
    lines = [f"{sign}: seed {found.seed}, {width}x{height} {found.direction} {found.size}", root.printed(1)]
    case = Case(None, [found.options], found.seed, root)
    case.render()
    for file in sorted((case.desk / "Law").glob("Main*")):
        text = file.read_text()
        if file.suffix != ".storyboard":
            lines += ["    " + line for line in text.splitlines()]
    case.end()
    return "\n".join(lines)


def smallest(browser, law, count):
    """The smallest screens with the commonest faults of those that are made from seeds, as texts."""
    signs = sorted(law.signs.items(), key=lambda one: -len(one[1]))
    for sign, places in [one for one in signs if any(found.seed is not None for found in one[1])][:count]:
        yield printed(browser, next(found for found in places if found.seed is not None), sign)

"""Places in Swift sources where a mistake could be made, and how each is made at run time.

A place is found in a text whose comments and strings are blanked, so that all offsets stay. Its edits keep the lines of the
file, and the mistake is made if the program is mutant N: `is_mutant(N)` is a call of the module CMutant.
"""

import bisect
import dataclasses
import functools
import hashlib
import re

CLASSES = ["deadline", "lock", "fsync", "refusal", "bound", "condition", "header", "order"]


@dataclasses.dataclass
class Place:
    kind: str
    path: str
    line: int
    text: str
    # Ranges of the file and what replaces them; N is the number of the mutant.
    edits: list
    count: int = 0
    # True if only the thread sanitizer sees it for certain.
    is_race: bool = False

    @property
    def key(self):
        return f"{self.kind}|{self.path}|{self.text}|{self.count}"

    def rank(self, seed):
        return hashlib.sha256(f"{seed}|{self.key}".encode()).hexdigest()


def blanked(text):
    """The text with comments and strings as spaces. Lines and offsets stay; code in a string's interpolation is blanked too."""
    out, at, end = list(text), 0, len(text)

    def blank(start, stop):
        for place in range(start, min(stop, end)):
            if out[place] != "\n":
                out[place] = " "

    def string_end(start):
        """The end of the string that begins here, with what is nested in it."""
        mark = re.compile(r'(#*)("""|")').match(text, start)
        hashes, quote = mark.group(1), mark.group(2)
        place = mark.end()
        while place < end:
            if text.startswith(quote + hashes, place):
                return place + len(quote + hashes)
            if text.startswith("\\" + hashes + "(", place):
                depth, place = 1, place + len(hashes) + 2
                while place < end and depth:
                    if text[place] == '"':
                        place = string_end(place)
                        continue
                    depth += {"(": 1, ")": -1}.get(text[place], 0)
                    place += 1
                continue
            if text[place] == "\\" and not hashes:
                place += 1
            elif text[place] == "\n" and quote == '"':
                return place
            place += 1
        return end

    begin = re.compile(r'//|/\*|#*"')
    while at < end:
        found = begin.search(text, at)
        if not found:
            break
        at = found.start()
        if text.startswith("//", at):
            stop = text.find("\n", at)
            stop = end if stop < 0 else stop
        elif text.startswith("/*", at):
            depth, stop = 1, at + 2
            while stop < end and depth:
                if text.startswith("/*", stop) or text.startswith("*/", stop):
                    depth += 1 if text[stop] == "/" else -1
                    stop += 1
                stop += 1
        else:
            stop = string_end(at)
        blank(at, stop)
        at = stop
    return "".join(out)


class Source:
    """A Swift file: its text, its code, and which brackets belong together."""

    def __init__(self, path, text):
        self.path, self.text, self.code = path, text, blanked(text)
        self.partner, self.around = {}, [-1] * (len(text) + 1)
        stack = []
        for place, letter in enumerate(self.code):
            if letter in ")]}" and stack:
                opened = stack.pop()
                self.partner[opened], self.partner[place] = place, opened
            # The innermost bracket around this place.
            self.around[place] = stack[-1] if stack else -1
            if letter in "([{":
                stack.append(place)
        self.ends = [found.start() for found in re.finditer("\n", text)]
        self.hidden = []
        for found in re.finditer(r"@inlinable|@_transparent|@inline\(__always\)|\bfunc withLock\b", self.code):
            body = self.code.find("{", found.end())
            if body in self.partner:
                self.hidden.append((found.start(), self.partner[body]))

    def is_hidden(self, place):
        return any(start <= place <= stop for start, stop in self.hidden)

    def line(self, place):
        return bisect.bisect_left(self.ends, place) + 1

    def shown(self, start, stop):
        return " ".join(self.text[start:stop].split())

    def place(self, kind, start, stop, edits, **more):
        return Place(kind, self.path, self.line(start), self.shown(start, stop), edits, **more)

    def pieces(self, start, stop, separators):
        """The parts of a range between separators that are in no bracket of it, as trimmed ranges."""
        parts, begin, place = [], start, start
        while place < stop:
            if self.code[place] in "([{" and place in self.partner:
                place = self.partner[place] + 1
                continue
            found = next((one for one in separators if self.code.startswith(one, place)), None)
            if found:
                parts.append((begin, place))
                begin = place = place + len(found)
                continue
            place += 1
        parts.append((begin, stop))
        return [part for part in (self.trimmed(*part) for part in parts) if part[0] < part[1]]

    def trimmed(self, start, stop):
        # Blanked strings are text as well: only real spaces are cut.
        while start < stop and self.text[start].isspace():
            start += 1
        while stop > start and self.text[stop - 1].isspace():
            stop -= 1
        return start, stop

    def statement(self, place):
        """The statement on one line that has this place, or None if it may be a part of a longer one."""
        block = self.around[place]
        while block >= 0 and self.code[block] != "{":
            block = self.around[block]
        start = max(self.code.rfind("\n", 0, place), block, self.code.rfind(";", 0, place)) + 1
        stop = self.code.find("\n", place)
        stop = len(self.code) if stop < 0 else stop
        if block >= 0 and self.partner.get(block, stop) < stop:
            stop = self.partner[block]
        begin, end = start, stop
        start, stop = self.trimmed(start, stop)
        if start >= stop or self.text[start:stop].find("//") >= 0:
            return None
        code = self.code[start:stop]
        depth = 0
        for letter in code:
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
            if depth < 0:
                return None
        before, after = self.code[max(0, begin - 200):begin].rstrip(), self.code[end:end + 200].lstrip()
        if depth or re.match(r"[.?&|+\-*/=:,)\]<>]|\bin\b", code) or re.match(r"[.?&|+\-*/=:,)<>]|else\b", after):
            return None
        # A closure's parameters are before `in`.
        if not (not before or before[-1] in "{};:)" or re.search(r"[\w`\])\"!?]$", before)) or re.match(r"in\b", after):
            return None
        if re.search(r"(=|return|throw|,|\bin|&&|\|\||\?\?|\+|-)$", before) and not before.endswith(" in"):
            return None
        return start, stop

    @functools.cached_property
    def conditions(self):
        return list(self.every_condition())

    def every_condition(self):
        """Each `if`, `guard` and `while`: its word, the ranges of its elements, and the place of its block."""
        for found in re.finditer(r"(?<![.#\w`])(if|guard|while)\b(?!:)", self.code):
            word, place = found.group(1), found.end()
            if self.code[found.start() - 2:found.start()] == "} " and word == "while":
                continue
            stop = body = None
            while place < len(self.code):
                letter = self.code[place]
                if letter == "{" and word != "guard":
                    stop = body = place
                    break
                if word == "guard" and re.compile(r"\belse\b\s*\{").match(self.code, place):
                    stop, body = place, self.code.find("{", place)
                    break
                if letter in "([{" and place in self.partner:
                    place = self.partner[place] + 1
                    continue
                if letter in ")]};":
                    break
                place += 1
            if body is None or body not in self.partner:
                continue
            yield word, self.pieces(found.end(), stop, [","]), body


BINDING = re.compile(r"(let|var|case)\b|#|_ =")
PREFIX = re.compile(r"(?:(?:try(?![?!\w])|await|unsafe)\s+)*")


def operand(source, start, stop):
    """An expression without the words before it that count for all of it, or None where such words are inside."""
    begin = start + PREFIX.match(source.code, start).end() - start
    if re.search(r"\b(try|await|unsafe)\b", source.code[begin:stop]) or re.search(r" \? ", source.code[begin:stop]):
        return None
    return begin


def dropped(source, kind, statement, **more):
    start, stop = statement
    return source.place(kind, start, stop, [(start, start, "if !is_mutant(N) { "), (stop, stop, " }")], **more)


KEYWORDS = (
    "let var return throw break continue if guard for while switch case defer do repeat func default yield import package private"
    " static struct enum class init extension typealias public internal final else fallthrough mutating nonisolated lazy weak"
    " fileprivate indirect override deinit subscript").split()


def is_plain(code):
    """True if a statement neither declares a name nor leaves its block, so that it can stand in a block."""
    return not re.match(r"[@}]|(" + "|".join(KEYWORDS) + r")\b", code)


# What ends an expression, beside a bracket, a comma and a line's end.
NEXT = re.compile(r" (?:\?\?|:|\?|\{|else)(?: |$)")
MOMENT = re.compile(
    r"(?:\w+\.)*now(?:\(\))? (<|>=|>) [\w.]*[dD]eadline|[\w.]*[dD]eadline (<=|<|>) (?:\w+\.)*now(?:\(\))?")

# Calls, sleeps and moments of a clock. Durations are seconds as well, so they are multiplied.
CALLS = re.compile(r"[cC]lock[?!]?\.(?:call|sleep|moment)\(\s*(after|every|for|at|until): ")
FAR = dict.fromkeys(("after", "every", "for"), ") * (is_mutant(N) ? 1_000_000 : 1)") | dict.fromkeys(
    ("at", "until"), ").advanced(by: is_mutant(N) ? .seconds(1_000_000) : .zero)")


def is_time(source, start, stop):
    """True if a sum that begins with the name `now` is a time: no index and no count, nor what clocks show in a zone."""
    body = source.code[max(0, source.code.rfind("func ", 0, start)):start]
    values = re.findall(r"\blet now(?:: [\w.]+)? = ([^\n]*)", body)
    isOther = values and not re.search(r"(?i:clock|time|date|moment|instant)|\bnow\b", values[-1])
    return not isOther and not re.search("[zZ]one", source.code[start:stop])


def deadlines(source):
    code = source.code
    for found in re.finditer(r"(?<![\w.])(?:\w+\.)*\w*[dD]eadline = ", code):
        statement = source.statement(found.start())
        # The other forms are those below.
        if statement and statement[0] == found.start() and not re.search(
                r"^(\.max|nil)$|\.map\b|\.now\b", code[found.end():statement[1]]):
            yield dropped(source, "deadline", statement)
    far = [
        # What comes before, what the moment is, and what a deadline that never comes is instead.
        (r"(?:timeout|deadline|wallDeadline): (\.now\(\) \+ )", "(is_mutant(N) ? .distantFuture : ", ")", 1),
        (r"(?<![\w.])(DispatchTime\.now\(\) \+ )", "(is_mutant(N) ? .distantFuture : ", ")", 1),
        (r"(?:ContinuousClock|(?<=[=:] ))\.now \+ (?=())", "(is_mutant(N) ? .seconds(1_000_000) : ", ")", 1),
        (r"(?:clock\.now|(?<![\w.])now(?:\(\))?) \+ (?=())", "(", ") * (is_mutant(N) ? 1_000_000 : 1)", 1),
    ]
    for pattern, before, after, group in far:
        for found in re.finditer(pattern, code):
            if "Semaphore(value: 0)" in code[max(0, found.start() - 60):found.start()]:
                continue
            start = found.start(group)
            stop = found.end()
            while stop < len(code) and code[stop] not in ",)]}\n;" and not NEXT.match(code, stop):
                stop = source.partner.get(stop, stop) + 1 if code[stop] in "([{" else stop + 1
            if code.startswith("now", found.start()) and not is_time(source, found.start(), stop):
                continue
            if stop > found.end() and not re.match(r"1\b", code[found.end():stop]):
                yield source.place("deadline", found.start(), stop, [(start, start, before), (stop, stop, after)])
    # The parts that make a clock are not its users.
    for found in CALLS.finditer("" if source.path.startswith("Sources/Foundations/WidgetSurroundings/") else code):
        opened = code.find("(", found.start())
        if opened in source.partner:
            start, stop = source.pieces(found.end(), source.partner[opened], [","])[0]
            edits = [(start, start, "("), (stop, stop, FAR[found.group(1)])]
            yield source.place("deadline", found.start(), source.partner[opened] + 1, edits)
    for word, elements, _ in source.conditions:
        for start, stop in elements:
            moment = MOMENT.fullmatch(code[start:stop])
            if moment:
                isAhead = moment.group(1) == "<" or moment.group(2) == ">"
                edit = " || is_mutant(N)" if isAhead else " && !is_mutant(N)"
                yield source.place("deadline", start, stop, [(start, start, "("), (stop, stop, edit + ")")])
    for found in re.finditer(r"\bCURLOPT_\w*TIMEOUT\w*|\bSO_(?:RCV|SND)TIMEO\b", code):
        statement = source.statement(found.start())
        if statement and is_plain(code[statement[0]:statement[1]]):
            yield dropped(source, "deadline", statement)


def locks(source):
    for found in re.finditer(r"\.withLock( \{|\(\{|\()", source.code):
        start, form = found.start(1), found.group(1)
        # The lock of files has a digest as its argument, and no value that threads could race for.
        isRace = form != "("
        begin = source.code.rfind("\n", 0, found.start()) + 1
        stop = source.code.find("\n", found.end())
        if form == " {":
            edit = (start, start + 1, "(isTaken: !is_mutant(N)) ")
        else:
            edit = (start + 1, start + 1, "isTaken: !is_mutant(N), ")
        yield source.place("lock", *source.trimmed(begin, stop), [edit], is_race=isRace)
    for found in re.finditer(r"\bFileLock\(of: ", source.code):
        start = found.start() + len("FileLock(")
        begin = source.code.rfind("\n", 0, found.start()) + 1
        stop = source.code.find("\n", found.end())
        yield source.place("lock", *source.trimmed(begin, stop), [(start, start, "isTaken: !is_mutant(N), ")])
    for word, elements, _ in source.conditions:
        for start, stop in elements:
            if re.search(r"\.tryLock\(", source.code[start:stop]) and not BINDING.match(source.code, start):
                begin = operand(source, start, stop)
                if begin is not None:
                    yield source.place(
                        "lock", start, stop, [(begin, begin, "(is_mutant(N) ? true : "), (stop, stop, ")")])
    for found in re.finditer(r"advisory\w*lock", source.text):
        statement = source.statement(source.text.rfind("\n", 0, found.start()) + 1 + len(
            re.match(r"\s*", source.text[source.text.rfind("\n", 0, found.start()) + 1:]).group()))
        if statement and re.match(r"(_ = )?try ", source.code[statement[0]:]):
            yield dropped(source, "lock", statement)


def fsyncs(source):
    # A closure's only expression is its value, which is 0 of a call that has worked.
    values = [found.span(1) for found in re.finditer(r"\{ (f(?:data)?sync\(\w+\)) \}", source.code)]
    for start, stop in values:
        yield source.place("fsync", start, stop, [(start, start, "is_mutant(N) ? 0 : ")])
    for found in re.finditer(r"\.synchronize\(\)|\bfsync\(|\bfdatasync\(", source.code):
        statement = source.statement(found.start())
        if statement and statement not in values and is_plain(source.code[statement[0]:statement[1]]):
            yield dropped(source, "fsync", statement)


# An error that is passed on is a failure, and no refusal.
REFUSAL = re.compile(
    r"throw (?!(?:error|failure|failed|mistake|problem)\s*$)|return (?=[^\n]{0,60}?(?:refus|Refus|problem\(|Problem\())", re.MULTILINE)


def refusals(source):
    code = source.code
    for word, elements, body in source.conditions:
        close = source.partner[body]
        start, stop = source.trimmed(body + 1, close)
        if word == "guard":
            if not REFUSAL.match(code, start) or any(BINDING.match(code, one) for one, _ in elements):
                continue
            edits = []
            for one, end in elements:
                begin = operand(source, one, end)
                if begin is None:
                    break
                edits += [(begin, begin, "(is_mutant(N) ? true : ("), (end, end, "))")]
            else:
                yield source.place("refusal", elements[0][0], stop, edits)
        elif word == "if" and not code[close + 1:].lstrip().startswith("else"):
            # The last statement of the block, which is directly in it.
            last = [found for found in REFUSAL.finditer(code, start, stop) if source.around[found.start()] == body]
            if not last:
                continue
            begin = last[-1].start()
            if code[:begin].rstrip(" ")[-1] not in "{\n;":
                continue
            # A second statement would be after it, if there were one; else the line continues.
            lines = source.pieces(begin, stop, ["\n"])
            if any(not re.match(r"[.)\]}?:&|+]", code[one:end]) for one, end in lines[1:]):
                continue
            yield source.place("refusal", begin, stop, [(begin, begin, "if !is_mutant(N) { "), (stop, stop, " }")])


BOUND = re.compile(r" (<=|>=|<|>) ")
BOUNDED = re.compile(
    r"(?i)limit|max|min\b|count|size|length|capacity|bound|end\b|index|offset|number|remaining|depth|width|room|left|most|byte|level")
NO_BOUND = re.compile(r"[cC]lock|\bnow\b|[dD]eadline|\d\.\d|[sS]econds|Date|[tT]ime|&[+-]|\bzero\b")
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def bounds(source):
    code = source.code
    for word, elements, _ in source.conditions:
        for element in elements:
            if BINDING.match(code, element[0]) or re.search(r" \? ", code[slice(*element)]):
                continue
            for start, stop in source.pieces(*element, ["&&", "||"]):
                begin = operand(source, start, stop)
                if begin is None or "\n" in code[start:stop]:
                    continue
                signs = [found for found in BOUND.finditer(code, begin, stop)
                         if source.around[found.start(1)] == source.around[begin]]
                if len(signs) != 1 or not BOUNDED.search(code[begin:stop]) or NO_BOUND.search(code[begin:stop]):
                    continue
                if '"' in source.text[begin:stop]:
                    continue
                sign = signs[0]
                other = source.text[begin:sign.start(1)] + OTHER[sign.group(1)] + source.text[sign.end(1):stop]
                yield source.place("bound", begin, stop, [(begin, begin, f"(is_mutant(N) ? {other} : "), (stop, stop, ")")])


def negations(source):
    for word, elements, _ in source.conditions:
        if word == "while":
            continue
        for start, stop in elements:
            if BINDING.match(source.code, start):
                continue
            begin = operand(source, start, stop)
            if begin is not None:
                yield source.place("condition", start, stop, [(begin, begin, "(("), (stop, stop, ") != is_mutant(N))")])


def headers(source):
    name = r'"[A-Z][A-Za-z]+(?:-[A-Z][A-Za-z0-9]+)*"'
    for found in re.finditer(r"\bFieldBlock\(\[", source.code):
        opened = found.end() - 1
        for start, stop in source.pieces(opened + 1, source.partner[opened], [","]):
            key = re.compile(f"({name}): ").match(source.text, start)
            if key:
                edits = [(start, start, '(is_mutant(N) ? "" : '), (key.end(1), key.end(1), ")")]
                yield source.place("header", start, stop, edits)
    for found in re.finditer(rf"\b(?:\w*[fF]ields|shared|partial|whole|all|head)\.add(\()({name}), ", source.text):
        if source.code[found.start(1)] == "(":
            begin = source.code.rfind("\n", 0, found.start()) + 1
            stop = source.partner[found.start(1)] + 1
            edits = [(found.start(2), found.start(2), 'is_mutant(N) ? "" : ')]
            yield source.place("header", *source.trimmed(begin, stop), edits)
    for found in re.finditer(r"\.append\(TransferField\(", source.code):
        statement = source.statement(found.start())
        if statement and is_plain(source.code[statement[0]:statement[1]]):
            yield dropped(source, "header", statement)


WRITES = re.compile(r"(?:try )?((?:self\.)?[\w.]+?)(?:\.(?:append|write|add|put|insert|begin|end|element|text)\(| \+= )")
# Members of a JSON object and header fields have no order.
UNORDERED = re.compile(r"(\w*[fF]ields|shared|partial|whole)$")
TRIED = re.compile(r"try (?:self\.)?([\w.]+)\(.*\)$")
COMPARES = re.compile(r"\$0((?:\.\w+)*) ([<>]) \$1\1(?=\s*\})")


def orders(source):
    code, text = source.code, source.text
    for found in COMPARES.finditer(code):
        body = source.around[found.start()]
        if body >= 0 and code[body] == "{" and not code[body + 1:found.start()].strip() and re.search(
                r"\b(sorted|sort|min|max)(\(by:)?\s*$", code[max(0, body - 20):body]):
            start, stop = found.start(), found.end()
            other = f"$1{found.group(1)} {found.group(2)} $0{found.group(1)}"
            yield source.place("order", start, stop, [(start, start, f"is_mutant(N) ? {other} : ")])
    lines = code.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for number in range(len(lines) - 1):
        first, second = lines[number], lines[number + 1]
        indent = len(first) - len(first.lstrip())
        if not first.strip() or len(second) - len(second.lstrip()) != indent or not second.strip():
            continue
        one = source.statement(starts[number] + indent)
        two = source.statement(starts[number + 1] + indent)
        if not one or not two or one[0] != starts[number] + indent or two[0] != starts[number + 1] + indent:
            continue
        if one[1] != starts[number] + len(text[starts[number]:starts[number + 1] - 1].rstrip()):
            continue
        codes = [code[one[0]:one[1]], code[two[0]:two[1]]]
        texts = [text[one[0]:one[1]], text[two[0]:two[1]]]
        if not all(map(is_plain, codes)) or texts[0] == texts[1] or any(" else " in part for part in codes):
            continue
        written = [WRITES.match(part) for part in codes]
        tried = [TRIED.match(part) for part in codes]
        # Both write to one thing, or both act on what is outside and may fail.
        isOne = all(written) and written[0].group(1) == written[1].group(1) and not UNORDERED.search(written[0].group(1))
        if isOne or all(tried):
            edits = [(one[0], one[1], f"if is_mutant(N) {{ {texts[1]}; {texts[0]} }} else {{ {texts[0]}; {texts[1]} }}"),
                     (two[0], two[1], "")]
            yield source.place("order", one[0], two[1], edits)


FINDERS = dict(zip(CLASSES, [deadlines, locks, fsyncs, refusals, bounds, negations, headers, orders]))


def places(sources):
    """All places of these sources, a path and a text each, by class."""
    found = {kind: [] for kind in CLASSES}
    for path, text in sources:
        source = Source(path, text)
        seen = {}
        for kind, finder in FINDERS.items():
            taken = set()
            for place in finder(source):
                spans = tuple(edit[:2] for edit in place.edits)
                if spans in taken or source.is_hidden(place.edits[0][0]):
                    continue
                taken.add(spans)
                name = (kind, place.text)
                place.count = seen[name] = seen.get(name, 0) + 1
                found[kind].append(place)
    return found


def overlaps(one, other):
    if one.path != other.path:
        return False
    a, b = (min(edit[0] for edit in place.edits) for place in (one, other))
    c, d = (max(edit[1] for edit in place.edits) for place in (one, other))
    return a <= d and b <= c


def drawn(found, seed, total, spare):
    """The places to use, and some more of each class for those that do not compile, in the order of their digests with the seed.

    Each class has the same share. What does not divide, and what a class has too few places for, goes to the classes that the
    seed names first.
    """
    order = sorted(CLASSES, key=lambda kind: hashlib.sha256(f"{seed}|{kind}".encode()).hexdigest())
    ranked = {kind: sorted(found[kind], key=lambda place: place.rank(seed)) for kind in CLASSES}
    share = {kind: 0 for kind in CLASSES}
    while sum(share.values()) < total and any(share[kind] < len(ranked[kind]) for kind in CLASSES):
        for kind in order:
            if sum(share.values()) < total and share[kind] < len(ranked[kind]):
                share[kind] += 1
    chosen = {kind: [] for kind in CLASSES}
    for kind in CLASSES:
        for place in ranked[kind]:
            if len(chosen[kind]) == share[kind] + spare:
                break
            if not any(overlaps(place, other) for others in chosen.values() for other in others):
                chosen[kind].append(place)
    return share, chosen


def rewritten(text, numbered):
    """A file's text with these places, a number and a place each, made mutants."""
    edits = sorted(((start, stop, words.replace("is_mutant(N)", f"is_mutant({number})"))
                    for number, place in numbered for start, stop, words in place.edits), reverse=True)
    for start, stop, words in edits:
        text = text[:start] + words + text[stop:]
    return "internal import CMutant; " + text if numbered else text

#!/usr/bin/env python3
"""Asks `widget predicate` and GNUstep the same predicates about the same object, and explains each disagreement.

Usage: predicates.py [--widget PROGRAM] [--all]      --all prints every disagreement with what explains it

A disagreement is explained by a row of predicates-explained.tsv: what GNUstep does, a pattern that finds the
predicates it concerns, and the clause that says what is right. A disagreement without a row, and a row that explains
nothing any more, fail the run.
"""

import argparse
import collections
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import gnustep

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))

OBJECT = {
    "age": 42, "height": 1.75, "zero": 0, "negative": -7, "name": "Anna", "city": "Berlin", "word": "straße",
    "accent": "brûlée", "empty": "", "digits": "42", "tags": ["red", "green", "blue"], "numbers": [3, 1, 2],
    "nothing": [], "address": {"street": "Main Street", "number": 5, "zip": {"code": "10115"}},
    "items": [{"price": 10, "name": "pen"}, {"price": 25, "name": "book"}, {"price": 99, "name": "lamp"}],
}


def cases():
    """Predicates of every construct that both read, and combinations of them."""
    numbers = ["age", "height", "zero", "negative", "42", "1.75", "-7", "0", "address.number", "items.@count"]
    texts = ["name", "city", "accent", "empty", "digits", "address.street", "'Anna'", "'anna'", "'Berlin'", "''", "'42'"]
    for left, sign, right in itertools.product(numbers, ["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"], numbers):
        yield f"{left} {sign} {right}"
    for left, sign, right in itertools.product(texts, ["==", "!=", "<", "<=", ">", ">="], texts):
        yield f"{left} {sign} {right}"
    parts = ["'An'", "'an'", "'na'", "'NA'", "''", "'Ber'", "'lin'", "'brû'", "'BRU'", "'é'", "'e'", "'Street'", "'x'", "name"]
    for left, word, options, right in itertools.product(
            texts[:6], ["BEGINSWITH", "ENDSWITH", "CONTAINS"], ["", "[c]", "[d]", "[cd]"], parts):
        yield f"{left} {word}{options} {right}"
    patterns = ["'A*'", "'a*'", "'*n*'", "'????'", "'B?rl*'", "'*'", "''", "'Ann'", "'*Street'", "'A\\\\*'"]
    for left, options, right in itertools.product(texts[:6], ["", "[c]", "[cd]"], patterns):
        yield f"{left} LIKE{options} {right}"
    expressions = ["'A.*'", "'[A-Z][a-z]+'", "'a.*'", "'.*n.*'", "'\\\\d+'", "'(An|Be).*'", "'[^ ]+ [^ ]+'", "'.{4}'", "''", "'nn'"]
    for left, options, right in itertools.product(texts[:6], ["", "[c]"], expressions):
        yield f"{left} MATCHES{options} {right}"
    for left, sign, right in itertools.product(texts[:5], ["==[c]", "==[cd]", "!=[c]", "==[d]"], ["'ANNA'", "'brulee'", "'Anna'", "'x'"]):
        yield f"{left} {sign} {right}"
    for word, sign, value in itertools.product(["ANY", "ALL", "NONE", "SOME"], ["==", "!=", "<", ">", ">="], ["10", "25", "99", "100", "5"]):
        yield f"{word} items.price {sign} {value}"
    for word, (sign, value) in itertools.product(
            ["ANY", "ALL", "NONE", "SOME"], [("==", "'red'"), ("BEGINSWITH", "'g'"), ("CONTAINS", "'e'"), ("LIKE", "'b*'"), ("==", "'x'")]):
        yield f"{word} tags {sign} {value}"
        yield f"{word} items.name {sign} {value}"
        yield f"{word} nothing {sign} {value}"
    for left, right in itertools.product(["'red'", "'x'", "3", "name", "age"], ["tags", "numbers", "nothing", "city"]):
        yield f"{left} IN {right}"
    for left, right in itertools.product(["tags", "numbers", "nothing"], ["'red'", "3", "'x'", "age"]):
        yield f"{left} CONTAINS {right}"
    for left, right in itertools.product(["age", "name", "'a'", "3"], ["{1, 42}", "{'a', 'Anna'}", "{3}", "{}"]):
        yield f"{left} IN {right}"
        yield f"{left} BETWEEN {right}"
    for operator, (left, right) in itertools.product(["+", "-", "*", "/", "**"], [("age", "2"), ("3", "4"), ("height", "2"), ("negative", "3")]):
        for sign, value in [(">", "10"), ("<", "0"), ("==", "6")]:
            yield f"{left} {operator} {right} {sign} {value}"
    for text in ["2 + 3 * 4 == 14", "(2 + 3) * 4 == 20", "10 - 2 - 3 == 5", "2 * 3 ** 2 == 18", "12 / 2 / 3 == 2",
                 "-age < 0", "-(2 + 3) == -5", "age + height > 43", "2 ** 3 ** 2 == 64", "10 - 2 * 3 == 4", "1 - -1 == 2"]:
        yield text
    for operator in ["sum", "avg", "min", "max"]:
        for sign, value in [("==", "134"), (">", "10"), ("==", "10"), ("==", "99"), ("<", "50")]:
            yield f"items.@{operator}.price {sign} {value}"
    yield from [f"{key}.@count {sign} {value}" for key in ["tags", "numbers", "nothing", "items"] for sign in ["==", ">", "<="] for value in ["0", "2", "3"]]
    yield from [f"{key}[{index}] == {value}" for key in ["tags", "numbers"] for index in ["0", "2", "FIRST", "LAST", "SIZE"] for value in ["'red'", "3", "2"]]
    simple = ["age > 40", "name == 'x'", "TRUEPREDICATE", "FALSEPREDICATE"]
    for first, second, third in itertools.product(simple, repeat=3):
        for one, other in itertools.product(["AND", "OR"], repeat=2):
            yield f"{first} {one} {second} {other} {third}"
            yield f"{first} {one} ({second} {other} {third})"
        yield f"NOT {first} AND {second} OR NOT {third}"
        yield f"NOT ({first} OR {second}) AND {third}"
        yield f"!({first} && {second}) || !{third}"
    yield from ["missing == nil", "missing != nil", "name == nil", "name != nil", "missing == NULL", "missing > 3", "missing < 3",
                "missing == 3", "missing CONTAINS 'a'", "missing BEGINSWITH 'a'", "age == YES", "zero == NO", "zero == FALSE", "age == TRUE",
                "address.zip.code == '10115'", "address.zip.code BEGINSWITH '10'", "SELF.age == 42", "name.length == 4",
                "name.uppercaseString == 'ANNA'", "city.lowercaseString == 'berlin'", "#name == 'Anna'", "name == \"Anna\"",
                "age == 0x2A", "height == 175e-2", "age == digits", "digits.intValue == 42", "digits.doubleValue > 41",
                "SUBQUERY(items, $i, $i.price > 20).@count == 2", "TERNARY(age > 40, 1, 2) == 1", "age > 'a'", "name > 3",
                "name contains[C] 'AN'", "true == YES", "not age > 50", "AGE == 42", "name ==  'Anna' and age==42"]


def ours(widget, predicates):
    lines = "".join(json.dumps({"format": text, "object": OBJECT}) + "\n" for text in predicates)
    done = subprocess.run([widget, "predicate", "--batch", "-", "--json"], input=lines, capture_output=True, text=True)
    answers = []
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        answers.append(f"error {answer['error']['message']}" if "error" in answer else json.dumps(answer["value"]))
    if len(answers) != len(predicates):
        raise SystemExit(f"widget predicate gave {len(answers)} answers to {len(predicates)} lines: {done.stderr}")
    return answers


def theirs(driver, path, predicates):
    """GNUstep may stop at a predicate; then that one is `crash`, and the next are asked of a new one."""
    answers = []
    while len(answers) < len(predicates):
        lines = "".join(text + "\n" for text in predicates[len(answers):])
        done = subprocess.run(
            [driver, "eval", path], input=lines, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        answers += done.stdout.splitlines()
        if len(answers) < len(predicates):
            answers.append("crash")
    return answers


def kind(answer):
    return answer.split()[0]


def explanations():
    rows = []
    with open(os.path.join(HERE, "predicates-explained.tsv"), encoding="utf-8") as opened:
        for line in opened:
            if line.strip() and not line.startswith("#"):
                name, expression, answer, clause = line.rstrip("\n").split("\t")
                rows.append((name, re.compile(expression), re.compile(answer), clause))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--widget", metavar="PROGRAM", help="a built widget, instead of building one")
    parser.add_argument("--all", action="store_true", help="print every disagreement with what explains it")
    chosen = parser.parse_args()
    widget = chosen.widget
    if not widget:
        command = ["swift", "build", "--product", "widget"]
        subprocess.run(command, cwd=REPOSITORY, check=True, stdout=sys.stderr)
        shown = subprocess.run([*command, "--show-bin-path"], cwd=REPOSITORY, check=True, capture_output=True, text=True)
        widget = os.path.join(shown.stdout.strip(), "widget")
    predicates = list(dict.fromkeys(cases()))
    with tempfile.TemporaryDirectory(prefix="peers-") as scratch:
        try:
            driver = gnustep.built(scratch)
        except gnustep.Missing as missing:
            print(missing, file=sys.stderr)
            return 1
        path = os.path.join(scratch, "object.json")
        with open(path, "w", encoding="utf-8") as opened:
            json.dump(OBJECT, opened)
        pairs = list(zip(predicates, ours(widget, predicates), theirs(driver, path, predicates)))
    rows = explanations()
    used = collections.Counter()
    unexplained = []
    for text, mine, other in pairs:
        if kind(mine) == kind(other):
            continue
        for name, expression, answer, _ in rows:
            if expression.search(text) and answer.search(f"{kind(mine)} {other}"):
                used[name] += 1
                if chosen.all:
                    print(f"{name}: {text}: ours {mine}, GNUstep {other}")
                break
        else:
            unexplained.append((text, mine, other))
    agreed = len(pairs) - sum(used.values()) - len(unexplained)
    print(f"{len(pairs)} predicates, {agreed} answered alike")
    for name, _, _, clause in rows:
        print(f"{used[name]:5} {name}: {clause}")
    for text, mine, other in unexplained:
        print(f"UNEXPLAINED {text}: ours {mine}, GNUstep {other}")
    unused = [name for name, *_ in rows if not used[name]]
    for name in unused:
        print(f"UNUSED explanation: {name}")
    print(f"total: {len(unexplained)} unexplained disagreements, {len(unused)} unused explanations")
    return 1 if unexplained or unused else 0


if __name__ == "__main__":
    sys.exit(main())

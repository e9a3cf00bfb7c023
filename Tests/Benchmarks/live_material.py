"""The widgets that live pages are measured with, written by this program."""

import json
import os

ROWS = 10_000
# The first row that `inserting` shows: every tap of Insert shows one more before it.
FIRST = 1_000


def _people(count):
    return [{"id": number, "name": f"Person {number:05}", "note": "a note"} for number in range(count)]


def _scene(state, source, buttons):
    cell = {"kind": "cell", "payload": {"title": "$person.name", "subtitle": "$person.note"}}
    return {
        "schema": 1, "title": "People", "state": state,
        "root": [*buttons, {
            "kind": "table", "items": {"in": source, "as": "person", "key": "$person.id"}, "children": [cell]}]}


def _button(title, *actions):
    return {"kind": "button", "payload": {"text": title}, "on": {"tap": list(actions)}}


def changing(count=ROWS):
    """A list in which Change writes another text into one field of the 51st row."""
    return _scene({"count": 0, "people": _people(count)}, "$people", [_button(
        "Change",
        {"do": "update", "state": "people", "at": 50, "with": {"note": {"$": ["note ", "$count"]}}},
        {"do": "set", "state": "count", "to": {"$": "count + 1"}})])


def inserting(count=ROWS):
    """A list in which Insert puts a row before all others, and Swap exchanges the fourth and the ninth."""
    swap = [{"do": "set", "state": "kept", "to": {"$": f"people[{FIRST + 3}]"}},
            {"do": "update", "state": "people", "at": FIRST + 3, "to": {"$": f"people[{FIRST + 8}]"}},
            {"do": "update", "state": "people", "at": FIRST + 8, "to": "$kept"}]
    people = [{"place": number} | person for number, person in enumerate(_people(count))]
    # Swap exchanges items, and the number that Insert looks at stays with its item, so both are at least FIRST.
    return _scene({"from": FIRST, "kept": {}, "people": people},
                  {"$": "SUBQUERY(people, $p, $p.place >= from)"},
                  [_button("Insert", {"do": "set", "state": "from", "to": {"$": "from - 1"}}), _button("Swap", *swap)])


def written(folder, name, scene):
    """The file of a document; `widget run` takes it as it is."""
    path = os.path.join(folder, f"{name}.widgets.json")
    with open(path, "w") as file:
        json.dump(scene, file)
    return path

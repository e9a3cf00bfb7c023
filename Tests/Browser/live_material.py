"""Documents that change in every way that a page can show."""

from live import bundle


def button(id, text, *actions):
    return {"kind": "button", "id": id, "payload": {"text": text}, "on": {"tap": list(actions)}}


def field(id, *, on=None, **payload):
    return {"kind": "textfield", "id": id, "payload": {"value": f"${id}", "placeholder": id.capitalize(), **payload}, "on": on or {}}


def label(id, *parts):
    return {"kind": "label", "id": id, "payload": {"text": {"$": list(parts)} if len(parts) > 1 else parts[0]}}


def give(state, to):
    return {"do": "set", "state": state, "to": to}


def later(seconds, *actions):
    return {"do": "after", "seconds": seconds, "then": list(actions)}


def entries(*names):
    return [{"name": name, "text": "1"} for name in names]


NAMES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
# A second of waiting lets a person go to another element first.
WAIT = 0.6
TICK = 0.05


def table(*on, state="rows", **more):
    cell = {"kind": "cell", "payload": {"title": "$row.name", "value": "$row.text"}, "on": {
        "select": {"do": "update", "state": state, "key": "name", "is": "$row.name", "with": {"text": "chosen"}},
        "delete": {"do": "remove", "state": state, "key": "name", "is": "$row.name"}}}
    return {"kind": "table", "id": "list", "items": {"in": f"${state}", "as": "row", "key": "$row.name"}, "children": [cell], **more}


def clock(*actions):
    """Counts while `runs` is true, and takes actions each time."""
    step = {"do": "when", "if": {"$": "runs"}, "then": [give("ticks", {"$": "ticks + 1"}), *actions]}
    return {"change($ticks)": later(TICK, step)}


def desk():
    """A list, fields, an alert, and further screens."""
    state = {"rows": entries(*NAMES), "ticks": 0, "runs": False, "plain": "", "loud": "", "note": "", "enter": "", "other": "",
             "said": "nothing", "news": False, "count": 0, "short": True}
    shuffled = entries("four", "one", "nine", "two", "ten", "three", "eight", "five", "seven", "six")
    more = [
        label("ticks", "Ticks ", "$ticks"), label("said", "Said ", "$said"), label("count", "Count ", "$count"),
        field("plain"), field("loud", on={"change": give("loud", {"$": "uppercase(input)"})}),
        field("note"), field("enter", on={"submit": give("said", {"$": ["enter ", "$enter"]})}),
        field("other", on={"submit": give("said", {"$": ["other ", "$other"]})}),
        {"kind": "switch", "id": "news", "payload": {"value": "$news", "label": "News"},
         "on": {"change": give("said", {"$": ["news ", "$argument"]})}},
        button("start", "Start", give("runs", True), give("ticks", {"$": "ticks + 1"})), button("stop", "Stop", give("runs", False)),
        button("bump", "Bump", give("count", {"$": "count + 1"})),
        button("bumpLater", "Bump later", later(WAIT, give("count", {"$": "count + 1"}))),
        button("insert", "Insert", later(WAIT, give("rows", entries("zero", *NAMES)))),
        button("shuffle", "Shuffle", later(WAIT, give("rows", shuffled))),
        button("remove", "Remove", later(WAIT, {"do": "remove", "state": "rows", "key": "name", "is": "two"})),
        button("ask", "Ask", {"do": "alert", "title": "Sure?", "message": "Think about it.", "actions": [
            {"title": "No", "style": "cancel"}, {"title": "Yes", "actions": give("count", {"$": "count + 10"})}]}),
        button("details", "Details", {"do": "push", "scene": "Details", "with": {"name": "$plain"}}),
        table(),
    ]
    main = {"schema": 1, "title": "Desk", "state": state,
            "root": {"kind": "vstack", "payload": {"spacing": 2}, "on": clock(), "children": more}}
    details = {"schema": 1, "title": "Details", "parameters": {"name": ""}, "state": {"text": ""},
               "root": [label("shown", "Name ", "$name"), {"kind": "textfield", "id": "text", "payload": {
                   "value": "$text", "placeholder": "Text"}}]}
    return bundle(Main=main, Details=details)


def typing():
    """A field to which a clock adds points, one that says everything loudly, and one that only follows."""
    main = {"schema": 1, "title": "Typing", "state": {"ticks": 0, "runs": False, "dotted": "", "loud": "", "plain": ""}, "root": {
        "kind": "vstack", "on": clock(give("dotted", {"$": ["$dotted", "."]})), "children": [
            label("ticks", "Ticks ", "$ticks"), field("dotted"), field("plain"), label("echo", "Echo ", "$plain"),
            field("loud", on={"change": give("loud", {"$": "uppercase(input)"})}),
            button("start", "Start", give("runs", True), give("ticks", {"$": "ticks + 1"})), button("stop", "Stop", give("runs", False)),
            button("clear", "Clear", give("dotted", ""), give("loud", ""), give("plain", ""))]}}
    return bundle(Main=main)


def long(count=10_000):
    """A list of many rows, one of which changes a while after a tap."""
    change = {"do": "update", "state": "rows", "key": "name", "is": "r7", "with": {"text": "7h"}}
    main = {"schema": 1, "title": "Long", "state": {"rows": [{"name": f"r{place}", "text": "6h"} for place in range(count)]},
            "root": [button("change", "Change", later(0.4, change)), table()]}
    return bundle(Main=main)


def heavy():
    """A clock of large texts: a reader who does not read would cost what all of them weigh."""
    texts = {"match": {"$": "modulus:by:(ticks, 2)"}, "cases": {"0": "even " * 800, "1": "odd " * 800}, "else": "none"}
    main = {"schema": 1, "title": "Heavy", "state": {"ticks": 0, "runs": False, "text": ""}, "root": {
        "kind": "vstack", "on": clock(), "children": [
            label("ticks", "Ticks ", "$ticks"), {"kind": "label", "payload": {"text": texts}},
            button("start", "Start", give("runs", True), give("ticks", {"$": "ticks + 1"})), button("stop", "Stop", give("runs", False))]}}
    return bundle(Main=main)

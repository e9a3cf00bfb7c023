"""Documents and screens that visits are paid to."""

import json
import pathlib

BUNDLES = pathlib.Path(__file__).resolve().parents[2] / "Bundles"
PROPERTIES = ('<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>'
              "<key>CFBundleIdentifier</key><string>com.example.{0}</string><key>CFBundleName</key><string>{0}</string>"
              "<key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>"
              "<key>CFBundlePackageType</key><string>BNDL</string>{1}</dict></plist>")


def material(folder, name, properties="", **files):
    """A folder with these files."""
    path = folder / name
    path.mkdir()
    (path / "Info.plist").write_text(PROPERTIES.format(name, properties))
    for file, content in files.items():
        (path / file).write_text(content)
    return path


def bundle(folder, name, *documents, screens=None, **schemes):
    """A bundle of documents, of which the first is shown first, or of screens as text with their schemes."""
    if screens:
        board = "<key>UIMainStoryboardFile</key><string>Main</string>"
        files = {f"{scheme}.json": json.dumps({scheme: content}) for scheme, content in schemes.items()}
        return material(folder, name, board, **{"Main.screens": screens}, **files)
    names = ["Main", "Details"]
    first = documents[0]
    documents = first if isinstance(first, tuple) else documents
    return material(folder, name, **{f"{one}.widgets.json": json.dumps(document) for one, document in zip(names, documents)})


def button(id, text, *actions):
    return {"kind": "button", "id": id, "payload": {"text": text}, "on": {"tap": list(actions)}}


def field(id, on=None, **payload):
    return {"kind": "textfield", "id": id, "payload": {"value": f"${id}", "placeholder": id.capitalize(), **payload}, "on": on or {}}


def label(id, *parts):
    return {"kind": "label", "id": id, "payload": {"text": {"$": list(parts)}}}


def give(state, to):
    return {"do": "set", "state": state, "to": to}


def scene(title, state, *root, **more):
    return {"schema": 1, "title": title, "state": state, "root": list(root), **more}


ADD = give("count", {"$": "count + 1"})
COUNTER = scene(
    "Counter", {"count": 0, "name": ""}, label("shown", "count ", "$count", " of ", "$name"), field("name"), button("add", "Add", ADD),
    links={"show": {"pattern": "counter://show/{id:integer}", "scene": "Main"}})


def entries(*names):
    return [{"name": name, "text": "1"} for name in names]


def table(state="rows"):
    cell = {"kind": "cell", "payload": {"title": "$row.name", "value": "$row.text"}, "on": {
        "select": {"do": "update", "state": state, "key": "name", "is": "$row.name", "with": {"text": "chosen"}},
        "delete": {"do": "remove", "state": state, "key": "name", "is": "$row.name"}}}
    return {"kind": "table", "id": "list", "items": {"in": f"${state}", "as": "row", "key": "$row.name"}, "children": [cell],
            "slots": {"empty": {"kind": "label", "payload": {"text": "No rows"}}},
            "on": {"refresh": give("rows", entries("new", "one", "two"))}}


NAMES = ["one", "two", "three", "four", "five", "six"]
TURN = [button("insert", "Insert", give("rows", entries("zero", *NAMES))), button("turn", "Turn", give("rows", entries(*reversed(NAMES))))]

DOCUMENTS = {
    "fields": scene(
        "Fields", {"count": 0, "plain": "", "loud": "", "note": "", "enter": "", "secret": "", "said": "nothing", "news": False},
        label("shown", "Count ", "$count", ", said ", "$said", ", plain ", "$plain"), field("plain"),
        field("loud", on={"change": give("loud", {"$": "uppercase(input)"})}), field("note", multiline=True),
        field("secret", secure=True), field("enter", on={"submit": give("said", {"$": ["enter ", "$enter"]})}),
        {"kind": "switch", "id": "news", "payload": {"value": "$news", "label": "News"},
         "on": {"change": give("said", {"$": ["news ", "$argument"]})}},
        button("count", "Count", ADD)),
    "alert": scene(
        "Alert", {"count": 0}, label("shown", "Count ", "$count"), button("add", "Add", ADD),
        button("ask", "Ask", {"do": "alert", "title": "Sure?", "message": "Think about it.", "actions": [
            {"title": "No", "style": "cancel"}, {"title": "Yes", "actions": give("count", {"$": "count + 10"})}]})),
    "ways": (
        scene("Ways", {"name": "", "count": 0}, field("name"),
              button("details", "Details", {"do": "push", "scene": "Details", "with": {"name": "$name"}})),
        scene("Details", {"text": "", "count": 0}, label("shown", "Name ", "$name", ", count ", "$count"), field("text"),
              button("count", "Count", ADD), parameters={"name": ""})),
    "rules": scene(
        "Rules", {"sent": "nothing"}, label("shown", "Sent ", "$sent"),
        {"kind": "form", "on": {"submit": give("sent", "$argument.user")}, "children": [
            {"kind": "textfield", "id": "user", "payload": {
                "name": "user", "placeholder": "User", "required": True, "pattern": "[a-z]+", "message": "Small letters, please"}},
            {"kind": "switch", "id": "terms", "payload": {"name": "terms", "label": "Terms", "required": True, "message": "Please agree"}},
            {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}]}),
    "long": scene(
        "Long", {"rows": entries(*[f"r{place}" for place in range(300)])},
        button("change", "Change", {"do": "update", "state": "rows", "key": "name", "is": "r7", "with": {"text": "7"}}), *TURN, table()),
    "list": scene("List", {"rows": entries(*NAMES)}, *TURN, button("clear", "Clear", give("rows", [])), table()),
    "addresses": scene(
        "Addresses", {"count": 0}, label("shown", "Count ", "$count"), button("count", "Count", ADD),
        *[button(name, name.capitalize(), {"do": "open", "url": url}) for name, url in [
            ("elsewhere", "https://example.com/a?b=c&d=<e>"), ("here", "/somewhere"), ("mail", "mailto:ann@example.com"),
            ("script", "javascript:alert(1)")]]),
    "opener": scene(
        "Opener", {}, button("show", "Show the counter", {"do": "open", "url": "counter://show/7"}),
        button("gone", "Show nothing", {"do": "open", "url": "nothing://at/all"})),
}

SCREENS = {"screens": """
screen Controls "Controls" in stack
    label titleLabel "Text" size 15
    slider sliderOne value 0.25
    segmented chosen segments "One" "Two" "Three" selected 0
    stepper steps value 1 max 9
    picker picked
    datePicker day mode date
    textView words height 80
    switch flag
    search finder placeholder "Search"
    textField line placeholder "Line"
    button go "Go"
""", "Controls": {"elements": {"picked": {"attrs": {"titles": ["Red", "Green", "Blue"]}}}}}

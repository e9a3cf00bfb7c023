"""The forms in which a tree of parts is written: documents, screens as text, storyboards."""

import json
import struct
import zlib

from law_parts import Form

PLIST = ('<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Law</string></dict></plist>')


def picture(side=48):
    """A PNG of one colour."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    lines = b"".join(b"\0" + b"\x33\x88\xcc" * side for _ in range(side))
    head = struct.pack(">2I5B", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


PICTURE = picture()


def source(path):
    path.mkdir()
    (path / "Info.plist").write_text(PLIST)
    (path / "star.png").write_bytes(PICTURE)
    return path


class Document(Form):
    name = "document"
    kinds = {"label", "button", "field", "area", "image", "switch", "row", "column", "view", "form", "scroll", "table", "layers",
             "spinner"}
    SAME = {"label": "label", "button": "button", "field": "textfield", "area": "textfield", "image": "image", "switch": "switch",
            "row": "hstack", "column": "vstack", "view": "box", "form": "form", "scroll": "scroll", "spinner": "spinner"}

    def write(self, root, path):
        source(path)
        scene = {"schema": 1, "root": [self.element(part) for part in root.parts]}
        if root.facts["bar"]:
            scene["title"] = root.facts["title"]
        (path / "Main.widgets.json").write_text(json.dumps(scene, indent=1))
        return path

    def element(self, part):
        facts = part.facts
        if part.kind == "table":
            return self.table(part)
        made = {"kind": self.SAME[part.kind], "id": part.name}
        payload, style = {}, {}
        if part.kind in ("label", "button"):
            payload["text"] = facts["text"]
        if part.kind == "button":
            made["on"] = {"tap": {"do": "alert", "title": "Tapped"}}
        if part.kind == "label":
            if facts.get("lines"):
                payload["lines"] = facts["lines"]
            if facts.get("style") or facts.get("size"):
                style["font"] = facts["style"] or {"size": facts["size"], **({"bold": True} if facts.get("bold") else {})}
        if part.kind in ("field", "area"):
            payload["placeholder"] = facts.get("placeholder") or "Note"
            if facts.get("text"):
                payload["value"] = facts["text"]
        if part.kind == "area":
            payload["multiline"] = True
            style["height"] = facts["height"]
        if part.kind == "image":
            payload.update(name="star", alt="Star")
            style.update({side: facts[side] for side in ("width", "height") if facts.get(side)})
        if part.kind == "switch":
            payload["label"] = "On"
        if part.kind == "spinner":
            payload["label"] = "Loading"
        if part.kind in ("row", "column", "form") and facts.get("spacing"):
            payload["spacing"] = facts["spacing"]
        if part.kind == "row" and facts.get("items"):
            payload["align"] = {"center": "center", "start": "top"}[facts["items"]]
        if part.kind == "view":
            style.update(padding=12, background="secondaryBackground")
        if part.parts:
            inner = [self.element(child) for child in part.parts]
            if part.kind == "view" and len(inner) > 1:
                inner = [{"kind": "vstack", "id": f"{part.name}Inner", "children": inner}]
            made["children"] = inner
        if payload:
            made["payload"] = payload
        if style:
            made["style"] = style
        return made

    def table(self, part):
        facts, rows = part.facts, []
        for place in range(facts["rows"]):
            text, value = facts["texts"][place % 3], facts["values"][place % 3]
            cell = {"kind": "cell", "on": {"select": {"do": "alert", "title": "Chosen"}}}
            if facts["cells"] == "own":
                cell["children"] = [{"kind": "label", "payload": {"text": text}}, {"kind": "label", "payload": {"text": value}}]
            else:
                cell["payload"] = {"title": text, **({"subtitle": value} if facts["cells"] == "subtitle" else {}),
                                   **({"value": value} if facts["cells"] == "value" else {})}
                if facts["accessory"]:
                    cell["payload"]["accessory"] = {"arrow": "disclosure", "check": "checkmark"}[facts["accessory"]]
            rows.append(cell)
        if facts["grouped"]:
            rows = [{"kind": "section", "payload": {"title": facts["values"][0]}, "children": rows}]
        return {"kind": "table", "id": part.name, "children": rows}


class Lines(Form):
    """A screen as text."""

    name = "screens"
    kinds = {*Document.kinds, "slider", "stepper", "segments", "date", "search", "progress", "dots", "grid"} - {"layers"}
    SAME = {"field": "textField", "area": "textView", "segments": "segmented", "date": "datePicker", "spinner": "activity",
            "dots": "pageControl", "grid": "collection"}

    def write(self, root, path):
        source(path)
        facts = root.facts
        bar = facts["bar"]
        head = f'screen Main "{facts["title"]}"' + (" in stack" if bar else "")
        head += " largeTitles" if bar and facts["large"] else ""
        lines = [head + self.number("spacing", facts)]
        for side in ("left", "right"):
            if bar and facts[side]:
                lines.append(f'    {side} {side}Item "{facts[side]}"')
        lists = []
        for part in root.parts:
            self.lines(part, 1, lines, lists)
        (path / "Main.screens").write_text("\n".join(lines) + "\n")
        if lists:
            (path / "Main.json").write_text(json.dumps({"Main": scheme(lists)}))
        return path

    @staticmethod
    def number(name, facts):
        return f" {name} {facts[name]}" if facts.get(name) else ""

    def lines(self, part, depth, lines, lists):
        facts, kind = part.facts, self.SAME.get(part.kind, part.kind)
        line = f"{'    ' * depth}{kind} {part.name}"
        if kind in ("label", "button", "textField") and facts.get("text"):
            line += f' "{facts["text"]}"'
        if kind == "label":
            line += f" lines {facts['lines']}" + self.number("style", facts) + self.number("size", facts)
            line += " bold" if facts.get("bold") else ""
        if facts.get("placeholder"):
            line += f' placeholder "{facts["placeholder"]}"'
        if kind == "segmented":
            line += " segments" + "".join(f' "{title}"' for title in facts["titles"])
        if kind == "image":
            line += ' picture star spoken "Star"'
        if kind == "pageControl":
            line += self.number("pages", facts)
        if kind == "datePicker":
            line += self.number("mode", facts)
        if kind in ("switch", "slider", "stepper", "textView", "segmented", "datePicker"):
            line += f' spoken "{part.name}"'
        if kind == "activity":
            line += " animating"
        if kind == "progress":
            line += " value 0.5"
        if kind in ("row", "column"):
            line += self.number("items", facts)
        if kind == "collection":
            line += " itemSize {} {}".format(*facts["size"])
        if kind == "table" and facts["grouped"]:
            line += " grouped"
        line += self.number("width", facts) + self.number("height", facts) + self.number("spacing", facts)
        lines.append(line)
        if kind in ("table", "collection"):
            lists.append(part)
            inside = "    " * (depth + 1)
            sign = f" accessory {facts['accessory']}" if facts.get("accessory") else ""
            lines.append(f"{inside}cell {part.name}Cell{sign}")
            lines.append(f"{inside}    label {part.name}Title \"Title\" lines 0")
            if kind == "table" and facts["cells"] != "basic":
                lines.append(f"{inside}    label {part.name}Value \"Value\" size 15")
        for child in part.parts:
            self.lines(child, depth + 1, lines, lists)


def items(part):
    facts = part.facts
    return [{"title": facts["texts"][place % 3], "value": facts.get("values", facts["texts"])[place % 3]}
            for place in range(facts["rows"])]


def scheme(lists):
    """What fills the lists of a screen."""
    whole = {"objects": {}, "elements": {}}
    for part in lists:
        kind, outlet = ("Table", "tableView") if part.kind == "table" else ("Collection", "collectionView")
        whole["objects"] |= {
            f"{part.name}Items": {"type": "BaseContentProvider", "attrs": {"items": items(part)}},
            f"{part.name}Shown": {"type": f"{kind}DisplayController", "attrs": {"cellIdentifier": f"{part.name}Cell"},
                                  "outlets": {"mainContentProvider": f"{part.name}Items", outlet: part.name}}}
        for text in ("Title", "Value"):
            whole["elements"][f"{part.name}{text}"] = {"bindings": [{"from": f"content.{text.lower()}"}]}
    return whole

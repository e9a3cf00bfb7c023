"""Bundles that a case writes: screens as storyboards, and the schemes that fill them."""

import itertools
import json
from xml.etree.ElementTree import Element, SubElement, tostring

from harness import folder, widget

MASK = {"left": "flexibleMinX", "width": "widthSizable", "right": "flexibleMaxX",
        "top": "flexibleMinY", "height": "heightSizable", "bottom": "flexibleMaxY"}
NUMBERS = itertools.count(1)
# The parts of a view that are not views in it.
DETAILS = {"color", "fontDescription", "state", "inset", "size", "collectionViewFlowLayout", "cells", "prototypes", "sections",
           "segments", "viewLayoutGuide", "connections"}


def element(tag, *children, **attributes):
    made = Element(tag, {key: str(value) for key, value in attributes.items()})
    made.extend(children)
    return made


def rect(frame):
    return element("rect", key="frame", **dict(zip(["x", "y", "width", "height"], frame)))


def color(key, red, green, blue, alpha=1):
    return element("color", key=key, red=red, green=green, blue=blue, alpha=alpha, colorSpace="custom", customColorSpace="sRGB")


def font(size, kind="system"):
    return element("fontDescription", key="fontDescription", type=kind, pointSize=size)


def view(kind, name, frame, *parts, mask=(), layer=None, **attributes):
    """A view with its parts: views in it, rules (`mask=None` for a view that rules place) and details such as colours.

    Its name is its id, its `wx.identifier` and what rules call it."""
    made = element(kind, rect(frame), id=name, **attributes)
    if mask is None:
        made.set("translatesAutoresizingMaskIntoConstraints", "NO")
    else:
        SubElement(made, "autoresizingMask", key="autoresizingMask", **{MASK[part]: "YES" for part in mask})
    inner = [part for part in parts if part.tag not in DETAILS and part.tag != "constraint" and "key" not in part.attrib]
    if inner:
        SubElement(made, "subviews").extend(inner)
    made.extend(part for part in parts if part.tag in DETAILS or (part.tag != "constraint" and "key" in part.attrib))
    rules = [part for part in parts if part.tag == "constraint"]
    if rules:
        SubElement(made, "constraints").extend(rules)
    own = SubElement(made, "userDefinedRuntimeAttributes")
    for path, (type, value) in {"wx.identifier": ("string", name), **(layer or {})}.items():
        attribute = SubElement(own, "userDefinedRuntimeAttribute", type=type, keyPath=path)
        if type == "number":
            SubElement(attribute, "real", key="value", value=str(value))
        elif type == "color":
            attribute.append(value)
        else:
            attribute.set("value", value)
    return made


def label(name, text, frame=(0, 0, 100, 20.5), *parts, mask=None, size=17, **attributes):
    attributes = {"textAlignment": "natural", "horizontalHuggingPriority": 251, "verticalHuggingPriority": 251, **attributes}
    return view("label", name, frame, font(size), *parts, mask=mask, text=text, **attributes)


def rule(first, attribute, second=None, other=None, constant=0, **more):
    """`first.attribute = second.other + constant`. Without `first` it is the view that holds the rule."""
    made = element("constraint", firstAttribute=attribute, constant=constant, id=f"rule{next(NUMBERS)}", **more)
    if first:
        made.set("firstItem", first)
    if second:
        made.set("secondItem", second)
        made.set("secondAttribute", other or attribute)
    return made


def edges(name, around, leading=0, top=0, trailing=0, bottom=0):
    """Rules that pin a view to the edges of another one; `None` for an edge that is free."""
    pins = [(name, "leading", around, leading), (name, "top", around, top), (around, "trailing", name, trailing),
            (around, "bottom", name, bottom)]
    return [rule(first, edge, second, constant=constant) for first, edge, second, constant in pins if constant is not None]


class Bundle:
    """A source folder. Its first screen is the one that a widget begins with."""

    def __init__(self, size=(375, 667), path=None):
        self.path = path or folder() / "Material"
        self.path.mkdir()
        self.size = size
        self.schemes = {}
        self.scenes = []
        self.first = None

    def screen(self, name, *parts, bar=None, title="", scheme=None, outlets=(), whole=False, **attributes):
        """A screen around views, or a list that is a whole screen; `bar` is "translucent", "opaque", or `None`."""
        kind, root = "viewController", None
        if whole:
            kind, (root,) = "tableViewController", parts
        else:
            kind = "viewController"
            root = view("view", f"{name}-root", (0, 0, *self.size), *parts, mask=("width", "height"))
        root.set("key", "view")
        controller = element(
            kind, root, id=name, storyboardIdentifier=name, restorationIdentifier=name,
            customClass="StandardViewController", customModule="WidgetKit", sceneMemberID="viewController", **attributes)
        SubElement(controller, "navigationItem", key="navigationItem", title=title, id=f"{name}-item")
        connections = SubElement(controller, "connections")
        for outlet, destination in outlets:
            connections.append(element("outlet", property=outlet, destination=destination, id=f"{name}-{outlet}"))
        self.scenes.append(controller)
        begin = name
        if bar:
            begin = f"{name}-bars"
            held = element("navigationController", id=begin, sceneMemberID="viewController")
            held.append(element("navigationBar", rect((0, 20, self.size[0], 44)), key="navigationBar", id=f"{name}-bar",
                                translucent="YES" if bar == "translucent" else "NO"))
            SubElement(SubElement(held, "connections"), "segue", destination=name, kind="relationship",
                       relationship="rootViewController", id=f"{name}-segue")
            self.scenes.append(held)
        self.first = self.first or begin
        if scheme:
            self.schemes[name] = scheme
        return self

    def write(self):
        document = element(
            "document", type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB", version="3.0", toolsVersion="14460.31",
            targetRuntime="iOS.CocoaTouch", propertyAccessControl="none", useAutolayout="YES", useTraitCollections="YES",
            initialViewController=self.first)
        scenes = SubElement(document, "scenes")
        for controller in self.scenes:
            scene = SubElement(scenes, "scene", sceneID=f"{controller.get('id')}-scene")
            SubElement(scene, "objects").append(controller)
        (self.path / "Main.storyboard").write_bytes(tostring(document, "utf-8", xml_declaration=True))
        for name, scheme in self.schemes.items():
            (self.path / f"{name}.json").write_text(json.dumps({name: scheme}))
        (self.path / "Info.plist").write_text(
            '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key>'
            "<string>com.example.Material</string><key>UIMainStoryboardFile</key><string>Main</string></dict></plist>")

    def build(self):
        """Writes the source, builds it, and returns the archive."""
        self.write()
        archive = self.path.parent / "Material.zip"
        widget("build", self.path, "-o", archive, "--quiet")
        return archive


def rows(list_name, cell, items, texts, **attributes):
    """A scheme that shows items in a list, a text of each in the labels of a row."""
    kind = attributes.pop("kind", "Table")
    outlet = "tableView" if kind == "Table" else "collectionView"
    return {
        "objects": {
            "items": {"type": "BaseContentProvider", "attrs": {"items": items}},
            "shown": {"type": f"{kind}DisplayController", "attrs": {"cellIdentifier": cell, **attributes},
                      "outlets": {"mainContentProvider": "items", outlet: list_name}},
        },
        "elements": {name: {"bindings": [{"from": f"content.{name}"}]} for name in texts},
    }

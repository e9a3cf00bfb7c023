"""The screens that are opened: those of Bundles, and those of the samples where these are there."""

import functools
import json

from harness import ROOT, SAMPLES, script, widget


class Screen:
    def __init__(self, name, subject, *steps):
        self.name = name
        self.subject = subject
        self.wanted = {"script": script(*steps)} if steps else {}


def _own(name, title, *steps):
    return Screen(f"{name.lower()}-{title}", ROOT / "Bundles" / name, *steps)


def own():
    jupiter = [{"select": "tableView", "row": 2}, {"wait": 1}]
    return [
        _own("HarbourLog", "log", {"wait": 1}),
        _own("HarbourLog", "search", {"wait": 1}, {"input": "searchBar", "value": "gull"}, {"wait": 1}),
        _own("HarbourLog", "entry", {"wait": 1}, {"select": "tableView", "row": 1}),
        _own("Postcard", "write", {"wait": 1}),
        _own("Postcard", "refused", {"wait": 1}, {"tap": "Post", "refused": True}),
        _own("Herbarium", "shelf", {"wait": 2}),
        _own("Herbarium", "latest", {"wait": 2}, {"tap": "latestButton"}, {"wait": 1}),
        _own("Herbarium", "add", {"wait": 2}, {"tap": "Add"}, {"wait": 1}),
        _own("Aviary", "feed", {"wait": 1}),
        _own("Planetarium", "planets", {"wait": 1}),
        _own("Planetarium", "moons", {"wait": 1}, *jupiter),
        _own("Planetarium", "moon", {"wait": 1}, *jupiter, {"select": "tableView", "row": 0}, {"wait": 1}),
        _own("Orchestra", "menu", {"wait": 1}),
        _own("Orchestra", "seats", {"select": "menu", "row": 2}),
        _own("Forge", "newest", {"wait": 1}),
    ]


def samples():
    demo = SAMPLES / "WidgetDemo.zip"
    if not demo.exists():
        return []
    return [
        Screen("demo-empty", demo),
        Screen("demo-feed", demo, {"wait": 1}),
        Screen("demo-details", demo, {"wait": 1}, {"select": "tableView", "row": 1}),
        Screen("demo-new-post", demo, {"wait": 1}, {"tap": "Add"}, {"wait": 1}),
    ]


@functools.cache
def every():
    return own() + samples()


def every_interface():
    """All screens of all bundles and samples, each with its archive or folder, even those that no script reaches."""
    sources = sorted(path.parent for path in (ROOT / "Bundles").glob("*/Info.plist"))
    archives = sorted(path for path in SAMPLES.glob("*.zip") if not path.stem.endswith("-source"))
    for source in sources + archives:
        for screen in json.loads(widget("inspect", source, "--json"))["program"]["screens"]:
            yield source, screen["name"]

"""What the law is asked of in any case: samples, templates, the listings of the guides, and interfaces of the corpus."""

import contextlib
import functools
import json
import re
import shlex
import shutil
import subprocess

from harness import ROOT, SAMPLES, Failed, folder, program, widget
from screens import every

TEMPLATES = ["list", "detail", "form", "feed", "document", "today"]
GUIDES = ["authoring.md", "tutorial-documents.md", "tutorial-today.md"]
CORPUS = ["interfaces/starter.screens", "interfaces/xcode.storyboard",
          "documents/people.json", "documents/sections.json", "documents/form.json", "documents/kinds.json"]
# Commands of a guide that change files.
CHANGES = {"mv", "sed", "rm", "cp", "mkdir"}


class Subject:
    """A screen to judge: what is rendered, with which options."""

    def __init__(self, name, path, events=None, screen=None, mode=None, kinds=None):
        self.name, self.path, self.kinds = name, path, kinds or {}
        self.words = []
        for word, value in [("--events", events), ("--screen", screen), ("--mode", mode)]:
            if value:
                self.words += [word, str(value)]


def screens_of(name, path):
    """All screens of a bundle, those that no script reaches among them."""
    found = json.loads(widget("inspect", path, "--json"))
    return [Subject(f"{name} {screen['name']}", path, screen=screen["name"]) for screen in found["program"]["screens"]]


def built(path):
    """The archive of a source: what is built once is rendered many times."""
    archive = folder() / f"{path.name}.zip"
    widget("build", path, "-o", archive, "--quiet")
    return archive


@functools.cache
def samples():
    found = []
    for screen in every():
        script = screen.wanted.get("script")
        found.append(Subject(f"sample {screen.name}", screen.subject, events=script))
    sources = sorted(path.parent for path in (ROOT / "Bundles").glob("*/Info.plist"))
    for source in sources:
        found += screens_of(f"sample {source.name}", built(source))
    archives = sorted(path for path in SAMPLES.glob("*.zip") if not path.stem.endswith("-source"))
    for archive in archives:
        found += screens_of(f"sample {archive.stem}", archive)
    return found


@functools.cache
def templates():
    desk = folder()
    found = []
    for kind in TEMPLATES:
        path = desk / f"{kind.capitalize()}Template"
        subprocess.run([program(), "new", "--kind", kind, path.name], cwd=desk, check=True, capture_output=True)
        if (path / "story.json").exists():
            found.append(Subject(f"template {kind} story", path, events=path / "story.json"))
        found += screens_of(f"template {kind}", built(path))
    return found


@functools.cache
def guides():
    return [subject for page in GUIDES for subject in Guide(page).subjects]


class Guide:
    """A page whose listings are done in their order; each `widget render` of it is a subject."""

    def __init__(self, page):
        self.page, self.subjects, self.seen = page, [], set()
        self.desk = folder()
        text = (ROOT / "docs" / page).read_text()
        for part in re.split(r"^# ", text, flags=re.M)[1:]:
            self.last = {}
            for words, listing in re.findall(r"^```(.*)\n((?:(?!```).*\n)*)```$", part, flags=re.M):
                self.perform(words.split(), listing)
            for path in self.last.values():
                self.subjects += screens_of(f"{page} {path.name}", built(path))

    def perform(self, words, listing):
        path = self.desk / words[-1]
        if words[0] == "console":
            for line in listing.splitlines():
                if line.startswith("$ "):
                    self.command(shlex.split(line[2:].rstrip("\\")))
        elif words[0] == "diff":
            path.write_text(changed(path.read_text(), listing.splitlines()))
        elif len(words) == 2:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(listing)

    def command(self, words):
        if words[0] in CHANGES and "|" not in words and "&" not in words:
            subprocess.run(words, cwd=self.desk, check=True)
        elif words[:2] == ["widget", "new"]:
            subprocess.run([program(), *words[1:]], cwd=self.desk, check=True, capture_output=True)
        elif words[:2] in (["widget", "render"], ["widget", "run"]) and "--grant" not in words and "--server" not in words:
            # Some sessions show a step that is refused.
            with contextlib.suppress(Failed):
                self.subject(self.desk / words[2], words)

    def subject(self, path, words):
        if not path.is_dir():
            return
        after = dict(zip(words, words[1:]))
        events = self.desk / after["--events"] if "--events" in after else None
        copy = folder() / path.name
        shutil.copytree(path, copy)
        if events:
            # What is printed in between is not a form that is read here.
            steps = [step for step in json.loads(events.read_text()) if "snapshot" not in step]
            events = folder() / events.name
            events.write_text(json.dumps(steps))
        content = [(str(file.relative_to(copy)), file.read_bytes()) for file in sorted(copy.rglob("*")) if file.is_file()]
        widget("render", copy, *(["--events", events] if events else []))
        key = hash((tuple(content), events and events.read_bytes(), after.get("--mode")))
        if key not in self.seen:
            self.seen.add(key)
            self.last[path] = copy
            self.subjects.append(Subject(f"{self.page} {path.name} {len(self.subjects) + 1}", copy, events=events,
                                         mode=after.get("--mode")))


def changed(text, listing):
    """A text with the change that a listing shows: lines with `-` go, lines with `+` come."""
    lines = text.split("\n")
    before = [line[1:] for line in listing if not line.startswith("+")]
    after = [line[1:] for line in listing if not line.startswith("-")]
    for place in range(len(lines) - len(before) + 1):
        if lines[place:place + len(before)] == before:
            return "\n".join(lines[:place] + after + lines[place + len(before):])
    raise Failed(f"a listing changes lines that are not there: {before[:2]}")


@functools.cache
def corpus():
    found = []
    for name in CORPUS:
        source = ROOT / "Tests/Corpus" / name
        path = folder() / re.sub(r"\W", "", name.title())
        path.mkdir()
        identifier = f"com.example.{path.name}"
        (path / "Info.plist").write_text(
            f'<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>{identifier}</string></dict></plist>')
        shutil.copy(source, path / f"Main.{'widgets.json' if source.suffix == '.json' else source.suffix[1:]}")
        found += screens_of(f"corpus {name}", built(path))
    return found


def fixed():
    return samples() + templates() + guides() + corpus()

"""Pictures that the program draws with a browser of its machine."""

import io
import os
import pathlib
import signal
import subprocess
import time

from PIL import Image, ImageChops

from harness import CHROMIUM, Failed, case, folder, options, page_of, program, script, widget
from screens import own


def drawn(subject, path, *more, **wanted):
    """The files that the program writes, beside which it leaves nothing."""
    left = folder()
    words = ["render", subject, "--as", "png", "-o", path, "--browser", CHROMIUM, *options(**wanted), *more]
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(left)
    try:
        said = widget(*words)
    finally:
        os.environ.pop("TMPDIR") if before is None else os.environ.update(TMPDIR=before)
    if any(left.iterdir()):
        raise Failed(f"{list(left.iterdir())} are left behind")
    return [pathlib.Path(line.removeprefix("wrote ")) for line in said.splitlines() if line.startswith("wrote ")]


def subject(name="HarbourLog"):
    return next(screen.subject for screen in own() if screen.subject.name == name)


@case(25)
def the_program_draws_pictures_of_each_size_in_light_and_dark(browser):
    out = folder()
    for width, height in [(375, 667), (320, 568), (1024, 768)]:
        found = {}
        for scheme in ("light", "dark"):
            path, = drawn(subject("Herbarium"), out / f"{width}-{scheme}.png", width=width, height=height, scheme=scheme)
            picture = Image.open(path)
            picture.load()
            if picture.size != (width * 2, height * 2) or picture.format != "PNG":
                raise Failed(f"{path.name} is a {picture.format} of {picture.size}")
            found[scheme] = picture.convert("L").resize((1, 1)).getpixel((0, 0))
        if found["light"] < 128 or found["dark"] > 100:
            raise Failed(f"{width}x{height}: the brightness is {found}")


@case(25)
def the_program_draws_what_the_browser_shows(browser):
    path, = drawn(subject(), folder() / "one.png", width=375, height=667)
    with browser.page(page_of(subject(), width=375, height=667), 375, 667, reduced_motion="reduce") as page:
        shown = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    difference = ImageChops.difference(Image.open(path).convert("RGB"), shown).convert("L")
    count = sum(difference.point(lambda value: 255 * (value > 32)).histogram()[255:])
    if count > shown.width * shown.height * 0.005:
        raise Failed(f"{count} pixels differ from the page in a browser")


@case(25)
def the_program_draws_each_screen_of_a_script(browser):
    out = folder() / "screens"
    taps = script({"select": "tableView", "row": 0})
    files = drawn(subject(), out, "--screens", width=320, height=568, script=taps)
    names = sorted(path.name for path in out.iterdir())
    if names != ["screen-1.png", "screen-2.png"] or sorted(path.name for path in files) != names:
        raise Failed(f"there are {names}, and {files} are named")
    if (out / "screen-1.png").read_bytes() == (out / "screen-2.png").read_bytes():
        raise Failed("both screens look the same")
    drawn(subject(), out, "--screens", width=320, height=568)
    names = [path.name for path in out.iterdir()]
    if names != ["screen-1.png"]:
        raise Failed(f"after a run without the second screen there are {names}")


@case(25)
def an_interrupted_picture_leaves_nothing(browser):
    left = folder()
    words = [program(), "render", str(subject()), "--as", "png", "-o", str(left / "one.png"), "--browser", CHROMIUM]
    running = subprocess.Popen(words, env={**os.environ, "TMPDIR": str(left)}, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    while not list(left.glob(".staged-*/browser/profile/*")):
        if running.poll() is not None or time.monotonic() > deadline:
            raise Failed(f"the program ended with {running.poll()} before its browser began")
    running.send_signal(signal.SIGINT)
    if running.wait(30) != -signal.SIGINT or any(left.iterdir()):
        raise Failed(f"it ended with {running.returncode} and left {list(left.iterdir())}")

"""Pictures that are drawn from SVG when a bundle is built, beside the browser's drawings of the same files; and the places of
pictures that are missing or larger than their button."""

import io
import pathlib
import shutil
import zipfile

from PIL import Image, ImageChops, ImageStat

from harness import ROOT, Failed, case, folder, frames_of, page_of, widget

INFO = """<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key>
<string>com.example.drawings</string></dict></plist>"""

# Drawings of 48 × 48 points, from which the fuzzer starts too.
DRAWINGS = sorted((ROOT / "Tests" / "Corpus" / "drawings").glob("*.svg"))

# By the scale: the mean difference of a channel, and the part of the channels that differ by more than a quarter. The browser
# draws lines of a pixel and less by another method, which shows at the smallest scale.
BOUNDS = {1: (2.8, 0.015), 2: (1, 0.004), 3: (1, 0.004)}


def source():
    path = folder() / "Drawings"
    path.mkdir()
    (path / "Info.plist").write_text(INFO)
    for drawing in DRAWINGS:
        shutil.copy(drawing, path)
    return path


@case(3)
def drawings_look_as_the_browser_draws_them(browser):
    path = source()
    built = folder() / "Drawings.zip"
    notes = widget("build", path, "-o", built)
    with zipfile.ZipFile(built) as archive:
        found = {pathlib.Path(name).name: io.BytesIO(archive.read(name)) for name in archive.namelist()}
    faults = []
    for name in [drawing.stem for drawing in DRAWINGS]:
        for scale in BOUNDS:
            file = found.get(f"{name}{'' if scale == 1 else f'@{scale}x'}.png")
            if not file:
                raise Failed(f"{name} at {scale} is not there: {notes}")
            with browser.page(path / f"{name}.svg", 48, 48, scale=scale) as page:
                shown = Image.open(io.BytesIO(page.screenshot()))
            drawn = Image.open(file).convert("RGBA")
            ground = Image.new("RGBA", drawn.size, "white")
            drawn = Image.alpha_composite(ground, drawn).convert("RGB")
            if drawn.size != shown.size:
                faults.append(f"{name} at {scale} is {drawn.size}, and {shown.size} in the browser")
                continue
            difference = ImageChops.difference(drawn, shown.convert("RGB"))
            mean = sum(ImageStat.Stat(difference).mean) / 3
            far = sum(sum(band.histogram()[64:]) for band in difference.split()) / (3 * drawn.size[0] * drawn.size[1])
            if mean > BOUNDS[scale][0] or far > BOUNDS[scale][1]:
                faults.append(f"{name} at {scale} differs by {mean:.2f}, and a part of {far:.4f} by a quarter")
    if faults:
        raise Failed("; ".join(faults))


VIEWS = """
<imageView image="lost" translatesAutoresizingMaskIntoConstraints="NO" id="img"><rect key="frame" x="16" y="100" width="120" height="80"/>
</imageView><label text="Beside" translatesAutoresizingMaskIntoConstraints="NO" id="lab"><rect key="frame" x="144" y="100" width="60"
 height="20"/></label>
<button buttonType="custom" translatesAutoresizingMaskIntoConstraints="NO" id="cls"><rect key="frame" x="16" y="300" width="48" height="48"/>
<state key="normal" image="close"/></button>
<button buttonType="custom" translatesAutoresizingMaskIntoConstraints="NO" id="big"><rect key="frame" x="100" y="300" width="40" height="30"/>
<state key="normal" image="lines"/></button>
"""


def constraint(number, item, attribute, second="", constant=0):
    other = f'secondItem="{second[0]}" secondAttribute="{second[1]}"' if second else ""
    return f'<constraint firstItem="{item}" firstAttribute="{attribute}" {other} constant="{constant}" id="c{number}"/>'


RULES = [
    ("img", "leading", ("root", "leading"), 16), ("img", "top", ("root", "top"), 100),
    ("lab", "leading", ("img", "trailing"), 8), ("lab", "top", ("img", "top"), 0),
    ("cls", "leading", ("root", "leading"), 16), ("cls", "top", ("root", "top"), 300),
    ("big", "leading", ("root", "leading"), 100), ("big", "top", ("root", "top"), 300),
    ("big", "width", "", 40), ("big", "height", "", 30),
]

STORYBOARD = f"""<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529"
 targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" initialViewController="vc"><scenes>
<scene sceneID="s"><objects><viewController storyboardIdentifier="Places" id="vc"><view key="view" contentMode="scaleToFill" id="root">
<rect key="frame" x="0" y="0" width="375" height="667"/><subviews>{VIEWS}</subviews><constraints>
{"".join(constraint(number, *rule) for number, rule in enumerate(RULES))}</constraints></view></viewController></objects></scene></scenes>
<resources><image name="lost" width="120" height="80"/><image name="close" width="48" height="48"/>
<image name="lines" width="48" height="48"/></resources></document>
"""


@case(3)
def missing_pictures_keep_their_places_and_large_ones_stay_in_their_button(browser):
    path = source()
    (path / "Main.storyboard").write_text(STORYBOARD)
    frames = {tuple(element["frame"]) for element in frames_of(path, width=375, height=667)["elements"]}
    with browser.page(page_of(path, width=375, height=667), 375, 667) as page:
        def box(selector):
            found = page.locator(selector).bounding_box()
            return found["x"], found["y"], found["width"], found["height"]
        wanted = {
            "span.i.ni": (16, 100, 120, 80), "button.b:has(>.ni)": (16, 300, 48, 48), "button.b>.ni": (16, 300, 48, 48),
            "button.b:has(>img)": (100, 300, 40, 30), "button.b>img": (100, 300, 40, 30),
        }
        for selector, place in wanted.items():
            if box(selector) != place:
                raise Failed(f"{selector} is at {box(selector)}, and not at {place}")
            if place not in frames:
                raise Failed(f"the frames have nothing at {place}: {sorted(frames)}")
        if page.get_by_role("button", name="close").inner_text().strip():
            raise Failed("a button shows the name of the picture that it lacks")

"""Containers that no stylesheet can express: a page has the frames of a solver, follows the window, and cuts no text off."""

from agreement import TOLERANCE
from harness import BOXES, Failed, case, folder, frames_of, page_of

PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Solved</string>
<key>CFBundleName</key><string>Solved</string><key>CFBundlePackageType</key><string>BNDL</string>
<key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>
<key>UIMainStoryboardFile</key><string>Main</string></dict></plist>
"""
DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" targetRuntime="iOS.CocoaTouch"
 useAutolayout="YES" initialViewController="scr-vc-001"><scenes><scene sceneID="scr-sc-001"><objects>
<viewController restorationIdentifier="SolvedViewController" storyboardIdentifier="SolvedViewController" id="scr-vc-001"
 customClass="StandardViewController" customModule="WidgetKit" sceneMemberID="viewController">
<view key="view" contentMode="scaleToFill" id="root"><rect key="frame" x="0" y="0" width="375" height="667"/>
<autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/><subviews>{views}</subviews>
<constraints>{rules}</constraints></view></viewController></objects></scene></scenes></document>
"""


def view(name, inner, rules):
    return (f'<view contentMode="scaleToFill" translatesAutoresizingMaskIntoConstraints="NO" id="{name}">'
            f'<rect key="frame" x="16" y="100" width="343" height="60"/><subviews>{inner}</subviews>'
            f"<constraints>{rules}</constraints></view>")


def label(name, text):
    return (f'<label text="{text}" textAlignment="natural" horizontalHuggingPriority="251" verticalHuggingPriority="251"'
            f' translatesAutoresizingMaskIntoConstraints="NO" id="{name}">'
            f'<rect key="frame" x="16" y="20" width="100" height="20.5"/>'
            f'<fontDescription key="fontDescription" type="system" pointSize="17"/></label>')


def rule(first, attribute, second=None, other=None, constant=0, relation=None, priority=None):
    beside = f' secondItem="{second}" secondAttribute="{other or attribute}"' if second else ""
    beside += f' relation="{relation}"' if relation else ""
    beside += f' priority="{priority}"' if priority else ""
    return (f'<constraint firstItem="{first}" firstAttribute="{attribute}"{beside} constant="{constant}"'
            f' id="{first}-{attribute}-{second}-{other}"/>')


def source():
    """A text begins where one in another view ends; two texts are as wide as the wider; a picture's width is a share."""
    upper = view("upper", label("one", "A text"), rule("one", "leading", "upper", constant=16)
                 + rule("one", "centerY", "upper"))
    lower = view("lower", label("two", "Another"), rule("two", "centerY", "lower"))
    rules = rule("two", "leading", "one", "trailing", 12)
    for name, top in [("upper", 100), ("lower", 180)]:
        rules += rule(name, "leading", "root", constant=16) + rule("root", "trailing", name, constant=16)
        rules += rule(name, "top", "root", constant=top) + rule(name, "height", constant=60)
    for name, top in [("long", 260), ("short", 300)]:
        rules += rule(name, "centerX", "root") + rule(name, "top", "root", constant=top)
    rules += rule("short", "width", "long")
    return written(upper + lower + label("long", "A text that is long") + label("short", "Short"), rules)


def written(views, rules):
    path = folder() / "Solved"
    path.mkdir()
    (path / "Info.plist").write_text(PLIST)
    (path / "Main.storyboard").write_text(DOCUMENT.format(views=views, rules=rules))
    (path / "SolvedViewController.json").write_text('{"SolvedViewController": {}}')
    return path


def misses(browser, subject, printed, shown):
    """The boxes of a page printed for one size and shown at another that are not where the frames of the other are."""
    frames = frames_of(subject, width=shown[0], height=shown[1])
    with browser.page(page_of(subject, width=printed[0], height=printed[1]), *shown, script=True) as page:
        boxes = page.evaluate(BOXES)
    return [
        f"{element['key']} {element['frame']} {boxes.get('a' + element['key'])} printed for {printed}, at {shown}"
        for element in frames["elements"]
        if max(abs(one - other) for one, other in zip(element["frame"], boxes["a" + element["key"]])) > TOLERANCE + 0.5]


@case(14)
def solved_containers_are_right_where_a_page_is_printed_for_and_near_it(browser):
    subject = source()
    shapes = [(375, 667), (320, 568), (414, 736), (744, 1024)]
    found = [miss for shape in shapes for miss in misses(browser, subject, shape, shape)]
    found += [miss for shape in shapes for miss in misses(browser, subject, (375, 667), shape)]
    if found:
        raise Failed("\n    ".join(found[:20]))


def column(*rules):
    """A view with a text in it, in the middle of the screen and 40 points below its top."""
    inner = label("text", "As wide as a phone, and never wider than a column of text is comfortable to read.")
    inside = rule("text", "leading", "box", constant=20) + rule("box", "trailing", "text", constant=20)
    inside += rule("text", "top", "box", constant=20) + rule("box", "bottom", "text", constant=20)
    return written(view("box", inner.replace("<label ", '<label numberOfLines="0" '), inside),
                   "".join(rules) + rule("box", "centerX", "root") + rule("box", "top", "root", constant=40))


@case(50)
def weak_lengths_give_way_to_the_distances_that_others_keep(browser):
    least = dict(relation="greaterThanOrEqual")
    far = rule("box", "leading", "root", **least) + rule("root", "trailing", "box", **least)
    shapes = [(320, 568), (375, 667), (414, 736), (540, 700), (744, 1024), (1366, 1024)]
    for subject in [column(rule("box", "width", constant=500, priority=750), far),
                    column(rule("box", "leading", "root", constant=20, priority=800),
                           rule("box", "width", constant=500, relation="lessThanOrEqual"))]:
        found = [miss for shape in shapes for miss in misses(browser, subject, (375, 667), shape)]
        if found:
            raise Failed("\n    ".join(found[:20]))


CUT = """() => [...document.querySelectorAll('p span')].filter(text => text.scrollWidth > text.clientWidth + 1)
    .map(text => text.textContent)"""


@case(14)
def solved_containers_cut_no_text_off(browser):
    path = page_of(source(), width=375, height=667)
    if (path / "screen.css").read_text().count("position:absolute") < 6:
        raise Failed("the screen needs no solver, so that this case looks at nothing")
    for sheet in ["* { font-family: 'DejaVu Sans' !important }", "* { letter-spacing: .12em !important }",
                  ":root { font-size: 150% !important }"]:
        with browser.page(path, 375, 667, bypass_csp=True) as page:
            page.add_style_tag(content=sheet)
            if cut := page.evaluate(CUT):
                raise Failed(f"{sheet} cuts off {cut}")

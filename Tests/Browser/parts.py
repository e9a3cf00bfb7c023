"""Parts of texts, states of buttons and pictures for dark schemes, as a browser shows them."""

import shutil

from harness import Failed, ROOT, case, folder, page_of

STYLE = "(element) => { const style = getComputedStyle(element); return [style.color, style.fontWeight, style.fontSize," \
    " style.textDecorationLine, style.backgroundColor].join(' ') }"

VIEWS = """
<label opaque="NO" usesAttributedText="YES" numberOfLines="0" id="lbl"><rect key="frame" x="20" y="40" width="300" height="60"/>
<attributedString key="attributedText"><fragment content="Now "><attributes><font key="NSFont" metaFont="systemBold" size="20"/>
<color key="NSColor" red="1" green="0" blue="0" alpha="1" colorSpace="custom" customColorSpace="sRGB"/></attributes></fragment>
<fragment content="cheaper"><attributes><integer key="NSUnderline" value="1"/><integer key="NSStrikethrough" value="1"/>
</attributes></fragment></attributedString></label>
<button opaque="NO" enabled="NO" buttonType="custom" id="off"><rect key="frame" x="20" y="120" width="200" height="44"/>
<state key="normal" title="Post"/><state key="disabled" title="Posted">
<color key="titleColor" red="0" green="0" blue="1" alpha="1" colorSpace="custom" customColorSpace="sRGB"/></state></button>
<button opaque="NO" buttonType="custom" id="on"><rect key="frame" x="20" y="180" width="200" height="44"/>
<state key="normal" title="Like"><color key="titleColor" red="0" green="0.5" blue="0" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>
</state><state key="highlighted"><color key="titleColor" red="1" green="0" blue="1" alpha="1" colorSpace="custom" customColorSpace="sRGB"/>
</state></button>
<imageView opaque="NO" contentMode="scaleAspectFill" clipsSubviews="YES" image="harbour" id="img">
<rect key="frame" x="20" y="240" width="120" height="90"/></imageView>
<mapView id="map"><rect key="frame" x="20" y="350" width="200" height="100"/></mapView>
"""

STORYBOARD = f"""<?xml version="1.0" encoding="UTF-8"?>
<document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" toolsVersion="13529"
 targetRuntime="iOS.CocoaTouch" propertyAccessControl="none" useAutolayout="YES" initialViewController="vc">
<dependencies><deployment identifier="iOS"/></dependencies><scenes><scene sceneID="s"><objects>
<viewController storyboardIdentifier="Parts" id="vc"><view key="view" contentMode="scaleToFill" id="root">
<rect key="frame" x="0" y="0" width="375" height="667"/>
<autoresizingMask key="autoresizingMask" widthSizable="YES" heightSizable="YES"/><subviews>{VIEWS}</subviews></view>
</viewController></objects></scene></scenes></document>
"""


def sources():
    bundle = folder() / "Parts"
    shutil.copytree(ROOT / "Bundles" / "Postcard", bundle)
    for file in [*bundle.glob("*.json"), bundle / "README.md"]:
        file.unlink()
    shutil.rmtree(bundle / "Model.xcdatamodeld")
    (bundle / "Main.storyboard").write_text(STORYBOARD)
    return bundle


@case(3)
def parts_and_states_look_as_they_were_drawn(browser):
    with browser.page(page_of(sources(), width=375, height=667), 375, 667) as page:
        parts = page.locator(".t > span > span").all()
        found = [part.evaluate(STYLE) for part in parts]
        wanted = ["rgb(255, 0, 0) 700 20px none", "rgb(0, 0, 0) 400 17px underline line-through"]
        if [part.text_content() for part in parts] != ["Now ", "cheaper"] or not all(
                style.startswith(want) for style, want in zip(found, wanted)):
            raise Failed(f"the parts are {found}")
        off = page.get_by_role("button", name="Posted")
        if off.is_enabled() or not off.evaluate(STYLE).startswith("rgb(0, 0, 255)"):
            raise Failed(f"the disabled button is {off.evaluate(STYLE)}")
        like = page.get_by_role("button", name="Like")
        before = like.evaluate(STYLE)
        like.hover()
        page.mouse.down()
        pressed = like.evaluate(STYLE)
        page.mouse.up()
        if not before.startswith("rgb(0, 128, 0)") or not pressed.startswith("rgb(255, 0, 255)"):
            raise Failed(f"the button is {before}, and {pressed} while it is pressed")
        note = page.locator(".un").text_content()
        box = page.locator(".un").bounding_box()
        if note != "MKMapView is not shown here" or (box["width"], box["height"]) != (200, 100):
            raise Failed(f"the map is {note!r} of {box}")


@case(3)
def a_picture_for_dark_schemes_lies_where_the_picture_lies(browser):
    path = page_of(sources(), width=375, height=667)
    for scheme in ["light", "dark"]:
        with browser.page(path, 375, 667, scheme=scheme, bypass_csp=True) as page:
            page.evaluate("""() => {
                const img = document.querySelector('img.i');
                const picture = document.createElement('picture');
                const source = document.createElement('source');
                source.media = '(prefers-color-scheme:dark)';
                source.srcset = img.src + '#dark';
                img.replaceWith(picture);
                picture.append(source, img);
            }""")
            img = page.locator("img.i")
            box = img.bounding_box()
            if [box[side] for side in ["x", "y", "width", "height"]] != [20, 240, 120, 90]:
                raise Failed(f"the picture lies at {box}")
            page.wait_for_function("() => document.querySelector('img.i').complete")
            if img.evaluate("img => img.currentSrc").endswith("#dark") != (scheme == "dark"):
                raise Failed(f"the picture in the {scheme} scheme is another one's")

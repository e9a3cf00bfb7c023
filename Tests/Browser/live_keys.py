"""Live pages by keyboard, and what assistive technology hears of changes."""

from harness import ROOT, SAMPLES, Failed, case
from live import named, save, served, until, visit
from live_material import desk

# The element with focus, and whether it can be seen: an outline, on it or on what shows it.
FOCUS = """() => {
    const it = document.activeElement;
    const drawn = one => {
        const style = getComputedStyle(one), after = getComputedStyle(one, '::after');
        return [style, after].some(s => (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1) || s.boxShadow !== 'none');
    };
    const box = it.getBoundingClientRect();
    return {
        name: it.getAttribute('aria-label') || it.textContent.trim().slice(0, 30) || it.id || it.tagName, id: it.id, kind: it.tagName,
        value: it.value ?? '', isBody: it === document.body,
        visible: [it, it.parentElement, it.closest('label') ?? it].some(drawn) && box.width > 0 && box.height > 0
            && box.bottom > 0 && box.top < innerHeight };
}"""


def tab(page, seen):
    page.keyboard.press("Tab")
    focus = page.evaluate(FOCUS)
    if not focus["isBody"] and not focus["visible"]:
        page.wait_for_timeout(100)
        focus = page.evaluate(FOCUS)
        if not focus["visible"]:
            raise Failed(f"the focus cannot be seen at {focus['name']} ({focus['kind']} {focus['id']})")
    seen.append(focus["name"])
    return focus


def reach(page, wanted, limit=120):
    """Presses Tab until the focus is where a question says."""
    seen = []
    for _ in range(limit):
        focus = tab(page, seen)
        if wanted(focus):
            return focus
    raise Failed(f"Tab does not lead there, but to {seen[:limit]}")


@case(40)
def a_sample_is_used_by_keyboard_alone(browser):
    demo = SAMPLES / "WidgetDemo.zip"
    with served(ROOT / "Bundles" / "HarbourLog") as server, visit(browser, server.origin) as page:
        page.wait_for_selector("main .r")
        # To the second row, into its details, and back.
        hits = []
        reach(page, lambda focus: focus["kind"] == "BUTTON" and "tap" in focus["value"] and "@" in focus["value"]
              and (hits.append(focus["id"]) or len(hits) == 2))
        page.keyboard.press("Enter")
        page.wait_for_selector("main .back")
        if page.evaluate("() => document.activeElement === document.body"):
            raise Failed("the focus is lost after a screen came")
        reach(page, lambda focus: "Back" in focus["name"] and focus["kind"] == "BUTTON", 20)
        page.keyboard.press("Enter")
        page.wait_for_selector("main .r")
        reach(page, lambda focus: focus["kind"] == "INPUT", 20)
        page.keyboard.type("gull", delay=20)
        until(lambda: "Lamp changed" not in page.locator("main").inner_text(), "the search finds what it should not")
        # Through all of the page once.
        seen = []
        while not tab(page, seen)["isBody"] and len(seen) < 100:
            pass
    if not demo.exists():
        return "the demo is not here"
    with served(demo) as server, visit(browser, server.origin) as page:
        page.wait_for_selector("main .r")
        seen = []
        while not tab(page, seen)["isBody"] and len(seen) < 150:
            pass
        return f"{len(seen)} steps through the demo"


def focused(page):
    return page.evaluate("() => { const it = document.activeElement; return `${it.tagName} ${it.dataset.id ?? it.className}`; }")


@case(41)
def the_focus_stays_near_what_a_person_did(browser):
    with served(desk()) as server, visit(browser, server.origin) as page:
        named(page, "ask").press("Enter")
        page.wait_for_selector("dialog[open]")
        until(lambda: page.evaluate("() => !!document.activeElement.closest('dialog')"),
              lambda: f"an alert has not the focus, but {focused(page)} has")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        until(lambda: focused(page) == "BUTTON ask", lambda: f"after an alert {focused(page)} has the focus")
        # The row that is deleted hands it to the next one.
        row = page.locator("main .r", has_text="three")
        row.locator(".hit").focus()
        page.keyboard.press("Delete")
        until(lambda: page.locator("main .r").count() == 9, "the row is still there")
        until(lambda: page.evaluate("() => document.activeElement.closest('.r')?.innerText.includes('four')"),
              lambda: f"after a row was deleted {focused(page)} has the focus")
        named(page, "details").press("Enter")
        page.wait_for_selector("main .back")
        until(lambda: page.evaluate("() => document.activeElement.matches('h1, main')"),
              lambda: f"on a new screen {focused(page)} has the focus")
        page.locator("main .back").press("Enter")
        page.wait_for_selector("main .r")
        until(lambda: page.evaluate("() => document.activeElement !== document.body && !!document.activeElement.closest('main')"),
              "after Back nothing has the focus")


SPOKEN = """() => {
    window.spoken = [];
    const regions = () => [...document.querySelectorAll('[aria-live], [role=status], [role=alert]')];
    for (const region of regions()) new MutationObserver(changes => {
        window.spoken.push(`${region.id}: ${region.textContent} (${changes.length})`);
    }).observe(region, {childList: true, characterData: true, subtree: true});
    return regions().map(region => region.id);
}"""


@case(42)
def a_live_region_speaks_once_for_each_change(browser):
    subject = desk()
    with served(subject) as server, visit(browser, server.origin) as page:
        regions = page.evaluate(SPOKEN)
        if "a-s" not in regions:
            raise Failed(f"the line of the page is not one of {regions}")
        for _ in range(5):
            named(page, "bump").click()
        until(lambda: "Count 5" in page.locator("main").inner_text(), "the count does not rise")
        if page.evaluate("spoken.length"):
            raise Failed(f"what did not change is said: {page.evaluate('spoken')}")
        save(subject, "Main", "[ { nonsense")
        until(lambda: page.evaluate("spoken.length"), "a broken save is not said")
        page.wait_for_timeout(1_000)
        said = page.evaluate("spoken")
        if len(said) != 1:
            raise Failed(f"one change is said {len(said)} times: {said}")
        return said[0][:100]

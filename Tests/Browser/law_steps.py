"""What a person does on a page has the effect of the same step of a script: taps, typed texts, chosen values and rows."""

import json
import re

from playwright.sync_api import Error

from harness import MOMENT, folder
from law_judge import Refused, asked
from live import begin, served, watched

VIEW = (375, 667)
WHERE = ["--viewport", "375x667@2", "--clock", MOMENT, "--time-zone", "UTC0", "--scheme", "light"]
# All that a page says: texts, and what fields and switches hold.
SAID = """() => {
    const root = document.querySelector('main dialog[open]') || document.querySelector('main');
    const held = [...root.querySelectorAll('input:not([type=hidden], [type=file]), textarea, select')].map(
        it => it.matches('[type=checkbox], [type=radio]') ? String(it.checked) : it.type === 'password' ? '' : it.value);
    return (root.innerText + ' ' + held.join(' ')).replace(/\\s+/g, ' ').trim();
}"""
KINDS = ("button", "text-field", "text-area", "search-field", "switch", "slider", "stepper", "segments", "date-picker", "row")
# By the types of fields: what a person picks there, which scripts may write so too.
DATES = {"date": "2018-06-19", "time": "22:30", "datetime-local": "2018-06-19T22:30", "month": "2018-05", "number": "90"}
# A change has come when it is on the page; a fault waits for this many milliseconds after the last answer to an act.
PATIENCE = 8_000


class Walk:
    """Steps on the page of one subject, one after another, each compared with a script of the same steps."""

    def __init__(self, browser, subject, chance):
        self.browser, self.subject, self.chance, self.page = browser, subject, chance, None
        self.steps, self.found, self.taken, self.unanswered = [], [], [], set()

    def render(self, form, *more):
        path = folder() / "steps.json"
        path.write_text(json.dumps(self.steps))
        words = [word for word in self.subject.words]
        return asked("render", self.subject.path, "--as", form, *words, "--events", path, *WHERE, *more)

    def begin(self):
        """The elements that can take a step, with the step and what a person does for it."""
        elements = json.loads(self.render("frames"))
        if elements["alerts"]:
            return []
        by_key = {element["key"]: element for element in elements["elements"]}
        rows = {}
        for element in elements["elements"]:
            if element["kind"] == "row":
                first = rows.setdefault(element.get("parent"), element)
                rows[element.get("parent")] = min(first, element, key=lambda row: row["frame"][1])
        count = {}
        for element in by_key.values():
            count[element.get("identifier")] = count.get(element.get("identifier"), 0) + 1
        found = []
        for key, element in by_key.items():
            name = element.get("identifier")
            if element["kind"] not in KINDS or "disabled" in str(element.get("state", "")):
                continue
            if element["kind"] == "row":
                around = by_key.get(element.get("parent"), {})
                if around.get("identifier") and around["kind"] == "list" and rows[element["parent"]] is element:
                    found.append(({"select": around["identifier"], "row": 0}, key, "row"))
            elif name and count[name] == 1 and "@" not in key:
                kind = element["kind"]
                value = {"text-field": "Fog", "text-area": "Fog", "search-field": "a", "segments": "1"}.get(kind)
                if kind == "stepper":
                    value = str(int(float(element.get("value") or 0)) + 1)
                elif kind == "slider":
                    value = "0.25" if element.get("value") != "0.25" else "0.75"
                elif kind == "date-picker":
                    value = DATES.get(field(self.page.locator(f"[id='a{key}']")).get_attribute("type"))
                step = {"input": name, "value": value} if value else {"tap": name}
                found.append((step, key, kind))
        return found

    def is_still(self):
        """True unless the clock changes what is shown."""
        path = folder() / "still.json"
        path.write_text(json.dumps([*self.steps, {"wait": 30}]))
        words = [asked("render", self.subject.path, *self.subject.words, "--events", path, *WHERE)]
        return words == [self.render("text")]

    def walk(self, page, length):
        self.page = page
        for _ in range(length):
            # A list that loads further rows when its end is in sight does so by itself.
            if not self.is_still() or page.locator(".more").count():
                return
            able = [one for one in self.begin() if one[0] not in self.steps]
            self.chance.shuffle(able)
            for step, key, kind in able:
                self.steps.append(step)
                out = folder() / "page"
                try:
                    self.render("html", "-o", out)
                    if not self.is_still():
                        return
                except Refused:
                    # Nothing happens by this step in a script either.
                    self.steps.pop()
                    continue
                self.compare(page, out, step, key, kind)
                break
            else:
                return
            if self.found:
                return

    def compare(self, page, out, step, key, kind):
        with self.browser.page(out, *VIEW) as still:
            wanted = still.evaluate(SAID)
        self.taken.append(step)
        try:
            act(page, key, kind, step)
            self.wait(page, wanted)
        except Error as failure:
            said = page.evaluate(SAID)
            why = f"the page says {said[:300]!r}, not {wanted[:300]!r}" if said != wanted else failure.message[:600]
            blocked = re.search(r"<.*> (from .* )?intercepts pointer events|outside of the viewport|not visible", failure.message)
            # The part that did not come: the act itself, or its effect.
            waited = failure.message.splitlines()[0][:120]
            self.found.append(
                f"{self.subject.name}: {json.dumps(self.steps)}: {blocked[0] + ': ' if blocked else ''}{waited}: {why}")


    def wait(self, page, wanted):
        """Returns when the page says what is wanted. A server that is at work on an act is not late, however slow its machine is."""
        while True:
            try:
                return page.wait_for_function(f"wanted => ({SAID})() === wanted", arg=wanted, timeout=PATIENCE)
            except Error:
                if not self.unanswered:
                    raise


def field(it):
    """The field of an element, which may be the element itself."""
    return it if it.evaluate("it => it.matches('input, textarea')") else it.locator("input, textarea")


def act(page, key, kind, step):
    """What a person does."""
    page.set_default_timeout(PATIENCE)
    it = page.locator(f"[id='a{key}']")
    if kind == "row":
        # A row that nothing follows from has no button.
        if it.locator(".hit").count():
            it.locator(".hit").first.click()
    elif kind == "stepper":
        it.locator("button").last.click()
    elif kind == "slider":
        # A slider ends where its line does, as a finger on it; the browser keeps its value within.
        it.evaluate("(it, value) => { it.value = value; it.dispatchEvent(new Event('input', {bubbles: true})); }", step["value"])
    elif kind == "segments":
        it.locator("label").nth(int(step["value"])).click()
    elif "value" in step:
        typed = field(it)
        typed.click()
        typed.fill(step["value"])
        typed.blur()
    else:
        it.click()


def walked(browser, subject, chance, length=4):
    """The steps that were taken, and what was different."""
    walk = Walk(browser, subject, chance)
    words = [word for word in subject.words]
    with served(subject.path, *words, "--clock", MOMENT, "--time-zone", "UTC0", "--scheme", "light") as server:
        context = browser.chromium.new_context(viewport=dict(zip(("width", "height"), VIEW)), reduced_motion="reduce")
        try:
            page = watched(context)
            page.on("request", lambda request: request.method == "POST" and walk.unanswered.add(request))
            for end in ("requestfinished", "requestfailed"):
                page.on(end, lambda request: walk.unanswered.discard(request))
            page.goto(server.origin)
            begin(page)
            walk.walk(page, length)
        finally:
            context.close()
    return walk

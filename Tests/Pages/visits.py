"""The visits: lists of steps by their meaning, which any version of the programs can be asked to play."""

import json
import urllib.parse
import zlib

from material import BUNDLES, COUNTER, DOCUMENTS, SCREENS, bundle, material
from recording import Page, Reading, Visit

VISITS = {}
# Samples that are served without another server. The one of Aviary is not there, and its pages say so.
SAMPLES = ["Aviary", "Forge", "HarbourLog", "Herbarium", "Orchestra", "Planetarium", "Postcard"]
UNKNOWN = "0123456789abcdef" * 2


def visit(function):
    VISITS[function.__name__] = function
    return function


def picture():
    """A file that is picked: a PNG of one point."""
    def piece(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    head = piece(b"IHDR", bytes([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]))
    data = b"\x89PNG\r\n\x1a\n" + head + piece(b"IDAT", zlib.compress(b"\0\x80\x20\x10", 0)) + piece(b"IEND", b"")
    return "dot.png", "image/png", data


# What every page is asked

def refused(v: Visit, page: Page, letter="a"):
    """Requests that no page of this server sends, and those about what is not there."""
    v.has_stubs = False
    page.post("a form without its origin", letter=letter, origin=False, loads=False)
    for title, do in [
            ("an unknown event", '["dance","1.1"]'), ("an event that is not one", "dance"), ("an event without a name", '["tap"]'),
            ("a tap on an element that is not there", '["tap","99.99"]'), ("no event", "")]:
        page.post(title, letter=letter, do=do)
    form = page.reading.widget(letter).action or page.path
    v.ask("a form of another type", "POST", form, "{}", "application/json")
    v.ask("a form that is not well formed", "POST", form, "no mark", "multipart/form-data; boundary=x")
    v.ask("a form without fields", "POST", form, "")
    v.ask("a page for another host", "GET", page.path, Host="elsewhere.example")
    v.ask("a form from elsewhere", "POST", form, "n=1", origin=False, Origin="https://elsewhere.example")
    v.ask("a sheet that is not there", "GET", sheet_of(page, letter, "9999.css"))
    v.ask("a picture that is not there", "GET", picture_of(page, letter, "0.png"))
    v.ask("a file for all that is not there", "GET", "/assets/none.css")
    v.ask("a page that never was", "GET", f"/live/{UNKNOWN}")
    v.ask("a form of a page that never was", "POST", page.part(letter).replace(page.live, f"/live/{UNKNOWN}"), "n=1&1.1=Text")
    v.ask("a page whose name is not one", "GET", "/live/nonsense")
    v.ask("the head of a page", "HEAD", page.path)
    v.ask("a page, packed", "GET", page.path, Accept_Encoding="gzip")


def sheet_of(page, letter, name):
    return page.part(letter) + (f"/{name}" if page.is_of_letters else f"/sheet/{name}")


def picture_of(page, letter, name):
    return page.part(letter) + (f"/{name}" if page.is_of_letters else f"/pictures/{name}")


def malformed(page, letter="a"):
    """Batches that are not taken, those that are taken once, and those about what is not there."""
    page.visit.has_stubs = False
    for title, text in [
            ("a batch that is not JSON", "tap"), ("a batch that is an object", "{}"), ("a batch without events", "[5000]"),
            ("a batch whose serial is a text", '["1",[]]'), ("a batch with an unknown event", '[5001,[["dance","1.1"]]]'),
            ("a batch with half an event", '[5002,[["input","1.1"]]]'), ("an empty batch", ""),
            ("a batch with more", '[5003,[],1]'), ("a batch with a negative serial", '[-1,[]]')]:
        page.act(title, letter=letter, text=text)
    page.act("a batch of nothing", letter=letter)
    page.act("a tap on an element that is gone", ("tap", "99.99"), letter=letter)
    page.act("an input to an element that is gone", ("input", "99.99", "Text"), letter=letter)
    page.act("a tap on a row that is gone", ("tap", "1.1@none"), letter=letter)
    page.act("more of a list that is not there", ("more", "1.1", 1000), letter=letter)
    page.act("a scroll of what does not scroll", ("scroll", "1.1"), letter=letter)


def returns(page, older):
    """Streams that come back with positions of all kinds."""
    present = page.position
    head = present.rstrip("0123456789")
    for title, after in [
            ("the present position", present), ("an older position", older), ("position 0", "0"), ("an empty position", ""),
            ("a position that no page had", f"{head}99999"), ("a negative position", f"{head}-1"), ("a word", "nonsense"),
            ("a number that is too large", f"{head}99999999999999999999"), ("letters without numbers", "aaaa"),
            ("a position with blanks", f" {present} "), ("a position of another part", "1z9")]:
        page.listen(f"a stream after {title}", after=after)
    page.listen("a stream with the last event and another position", after="0", last=present)
    page.listen("a stream with the last event, which is older", after=present, last=older)
    page.close()


def ends(v: Visit, page: Page, letter="a", field=None):
    """The end of a page, and everything that is asked of it afterwards."""
    has_stubs, v.has_stubs = v.has_stubs, False
    form = page.reading.widget(letter).action or page.path
    v.ask("an end without origin", "POST", f"{page.live}/end", "", origin=False)
    v.ask("an end with a body", "POST", f"{page.live}/end", "body", "text/plain")
    page.listen("a stream that hears the end")
    v.ask("the end", "POST", f"{page.live}/end", "", "text/plain")
    v.settle()
    page.pull()
    page.close()
    v.ask("the page after the end", "GET", page.path)
    fields = {"n": 1, field or "1.1": "Typed & kept <b>", "do": '["enter"]'}
    v.ask("a form after the end", "POST", form, urllib.parse.urlencode(fields))
    v.ask("a form without origin after the end", "POST", form, "n=1", origin=False)
    v.ask("a batch after the end", "POST", f"{page.part(letter)}/actions", '[9000,[["tap","1.1"]]]', "text/plain;charset=UTF-8")
    v.ask("a sheet after the end", "GET", sheet_of(page, letter, "1.css"))
    v.ask("a picture after the end", "GET", picture_of(page, letter, "0.png"))
    page.listen("a stream after the end")
    page.listen("a stream after the end, from the beginning", after="0")
    page.close()
    v.ask("the end once more", "POST", f"{page.live}/end", "", "text/plain")
    v.has_stubs = has_stubs
    if page.begin:
        again = Page(v, page.begin, Referer=f"http://{v.server.host}{page.path}")
        again.listen("the stream of the page that begins anew")
        again.close()


def first(v, path="/"):
    """The first screen, with its files."""
    _, headers, text = v.ask("the first screen", "GET", path)
    if "html" in headers.get("Content-Type", ""):
        v.files(Reading(text))
    v.ask("the first screen with its tag", "GET", path, If_None_Match=headers.get("ETag", '"none"'))
    v.ask("the head of the first screen", "HEAD", path)


# Samples, by pressing all that they show

def choice(page, pressed, letter="a"):
    """The next button of a part: the first that was not pressed before, or a way back."""
    buttons = [(value, text) for value, text, _, _ in page.reading.widget(letter).buttons if value and "enter" not in value]
    for value, _ in buttons:
        if value not in pressed:
            pressed.add(value)
            return value
    return buttons[0][0] if buttons else None


def typed(page, step, letter="a"):
    """A text for each empty field, by the author's name."""
    return {owner: f"text {step}" for _, value, attributes, owner in page.reading.widget(letter).controls
            if owner and attributes.get("type", "text") in ("text", "search", "password") and not value}


def wander_without_script(v, sample, begin="/live", steps=10):
    v.has_stubs = True
    page = Page(v, begin)
    pressed = begun(page, sample)
    for step in range(steps):
        texts = typed(page, step)
        if step % 2 and texts:
            page.post("texts are typed, and Enter is pressed", **texts)
        if value := choice(page, pressed):
            page.post(f"a button of step {step}", do=value, files=[picture()])
    page.post("a form of the first view", number=1, **typed(page, 99))
    refused(v, page)
    v.has_stubs = True
    ends(v, page)


def wander_with_script(v, sample, begin="/live", steps=10):
    v.has_stubs = True
    page = Page(v, begin)
    pressed = begun(page, sample)
    older = page.position
    # What a service answers takes time. A stream that is opened later gets one difference, however many views there were.
    page.listen("the first stream")
    page.close()
    for step in range(steps):
        for owner, text in sorted(typed(page, step).items()) if step % 2 else []:
            page.type(f"{owner} is typed", owner, text)
        if value := choice(page, pressed):
            page.act(f"a button of step {step}", json.loads(value))
            page.listen("the stream after it")
            page.close()
            page.load("the page for a reader who comes now")
    returns(page, older)
    malformed(page)
    page.listen("everything", after="0")
    page.close()
    v.has_stubs = True
    ends(v, page)


# Rows of the menu of Orchestra that lead to what follows the clock.
# Forge says how many minutes ago something was: a visit to it ends within one.
STEPS = {"Forge": 4}
CLOCKS = {"Orchestra": (0, 4)}


def begun(page, sample):
    """The buttons that are not pressed."""
    values = [value for value, _, _, _ in page.reading.widget("a").buttons if value and "enter" not in value]
    return {values[place] for place in CLOCKS.get(sample, ())}


for sample in SAMPLES:
    def without(v, sample=sample):
        with v.run(BUNDLES / sample):
            first(v)
            wander_without_script(v, sample, steps=STEPS.get(sample, 10))

    def with_script(v, sample=sample):
        with v.run(BUNDLES / sample):
            wander_with_script(v, sample, steps=STEPS.get(sample, 10))

    VISITS[f"{sample}-without-script"], VISITS[f"{sample}-with-script"] = without, with_script


# Documents, step by step

def document(v, name):
    return bundle(v.folder, name.capitalize(), DOCUMENTS[name])


@visit
def fields_without_script(v):
    with v.run(document(v, "fields")):
        first(v)
        page = Page(v)
        page.post("nothing is changed")
        page.post("a text is typed beside a tap", "count", plain="Ann & Bo <b>", note="two\r\nlines")
        page.post("Enter in a field", enter="sent")
        page.post("a text that is spoken loudly", "count", loud="quiet words")
        page.post("a secret is typed", "count", secret="open sesame")
        page.post("a secret is left empty", "count")
        page.post("the switch is turned on", "count", news=True)
        page.post("the switch stays on", "count", news=True)
        page.post("the switch is turned off", "count", news=False)
        page.post("a form of an older view changes nothing else", "count", number=1)
        page.post("a form of an older view with a text", "count", number=2, plain="from an older page")
        page.post("a form of a view that never was", "count", number=4711, plain="from nowhere")
        page.post("a form whose view is not a number", "count", number="x", plain="from no view")
        page.post("blanks around a text", "count", plain="  around  ")
        page.post("signs of all kinds", "count", plain="é 漢 🦜 \u202e \t %00 +")
        page.post("a long text", "count", note="long " * 2000)
        other = Page(v)
        other.post("another page has its own values", "count", plain="other")
        page.load("the first page has kept its own")
        refused(v, page)
        ends(v, page, field=page.key("plain"))


@visit
def fields_with_script(v):
    with v.run(document(v, "fields")):
        page = Page(v)
        older = page.position
        page.listen()
        page.press("a tap", "count")
        page.type("a text", "plain", "Ann & Bo <b>")
        page.type("a text again", "plain", "Ann & Bo <b>")
        page.type("a text that is spoken loudly", "loud", "quiet words")
        page.type("a text with lines", "note", "two\nlines")
        page.type("a secret", "secret", "open sesame")
        page.type("the switch", "news", True)
        page.type("the switch again", "news", False)
        page.type("a switch with a text", "news", "yes")
        page.type("a text with a number", "plain", 7)
        page.type("a field to be submitted", "enter", "sent")
        page.act("Enter", ("submit", page.key("enter")))
        page.act("several events in one batch", ("input", page.key("plain"), "first"), json.loads(page.button("count")),
                 ("input", page.key("plain"), "second"))
        page.act("a batch", json.loads(page.button("count")), serial=2000)
        page.act("the same batch once more", json.loads(page.button("count")), serial=2000)
        page.act("a batch with an older serial", json.loads(page.button("count")), serial=1500)
        page.serial = 2000
        page.load("the page for a reader who comes now")
        returns(page, older)
        page.listen("the stream again")
        malformed(page)
        page.act("too many events", *[("tap", "1.1")] * 1001)
        v.ask("a batch without origin", "POST", f"{page.part('a')}/actions", "[9999,[]]", "text/plain", origin=False)
        page.close()
        page.press("a tap without a stream", "count")
        page.press("another tap without a stream", "count")
        page.listen("the stream that comes back")
        newer = Page(v)
        newer.listen("the stream of another page")
        newer.press("a tap on the other page", "count")
        newer.close()
        page.press("the page that was first", "count")
        page.load("the page for a reader who comes last")
        page.close()
        ends(v, page)


@visit
def acts_that_are_too_fast(v):
    with v.run(document(v, "fields")):
        page = Page(v)
        page.listen()
        page.act("as many events as a batch may have", *[("tap", "1.1")] * 1000)
        page.press("another one", "count")
        page.post("a form", "count", plain="Typed & kept <b>", loads=False)
        page.close()


@visit
def controls_without_script(v):
    with v.run(bundle(v.folder, "Controls", **SCREENS)):
        first(v)
        page = Page(v)
        changes = {"sliderOne": "0.75", "chosen": "1", "steps": "4", "picked": "2", "day": "2018-07-01", "words": "typed words",
                   "flag": True, "finder": "searched", "line": "a line"}
        known = {control[3] for control in page.reading.widget("a").controls}
        for owner, value in changes.items():
            if owner in known:
                page.post(f"{owner} is changed", **{owner: value})
        page.post("all are changed at once", **{owner: value.replace("2", "1") if isinstance(value, str) else False
                                                for owner, value in changes.items() if owner in known})
        page.post("a number that is not one", sliderOne="much")
        page.post("a form of the first view", number=1)
        refused(v, page)
        ends(v, page)


@visit
def controls_with_script(v):
    with v.run(bundle(v.folder, "Controls", **SCREENS)):
        page = Page(v)
        older = page.position
        page.listen()
        changes = [("sliderOne", 0.75), ("sliderOne", 7), ("chosen", 1), ("chosen", 9), ("steps", 4), ("picked", 2), ("day", "2018-07-01"),
                   ("day", "2018-07-01T10:30"), ("day", "someday"), ("words", "typed words"), ("flag", True), ("finder", "searched"),
                   ("line", "a line"), ("sliderOne", "much"), ("sliderOne", None)]
        known = {control[3] for control in page.reading.widget("a").controls}
        for owner, value in changes:
            if owner in known:
                page.type(f"{owner} becomes {value}", owner, value)
        page.load("the page for a reader who comes now")
        returns(page, older)
        malformed(page)
        ends(v, page)


@visit
def alert_without_script(v):
    with v.run(document(v, "alert")):
        page = Page(v)
        for answer in ("No", "Yes"):
            page.post("a question is asked", "ask")
            page.load("the question is still there")
            page.post("another button behind the question", do=page.button("add") if answer == "Yes" else '["tap","1.2"]')
            page.post(f"the answer is {answer}", answer)
        page.post("an answer when nothing was asked", do='["tap","1.9"]')
        ends(v, page)


@visit
def alert_with_script(v):
    with v.run(document(v, "alert")):
        page = Page(v)
        older = page.position
        page.listen()
        for answer in ("No", "Yes"):
            page.press("a question is asked", "ask")
            page.load("the page with the question")
            page.press(f"the answer is {answer}", answer)
            page.load("the page after the answer")
        page.press("a question that stays", "ask")
        returns(page, older)
        ends(v, page)


def way_back(page):
    return next(value for value, text, attributes, _ in page.reading.widget("a").buttons
                if "back" in value or "Back" in str(attributes) + text)


@visit
def ways_without_script(v):
    with v.run(document(v, "ways")):
        page = Page(v)
        page.post("a screen is pushed", "details", name="Ann")
        page.post("a text on the second screen", "count", text="here")
        page.post("a form of the screen before", number=1, text="there")
        back = way_back(page)
        page.post("back", do=back)
        page.post("back from the first screen", do=back)
        page.post("pushed again", "details", name="Bo")
        ends(v, page)


@visit
def ways_with_script(v):
    with v.run(document(v, "ways")):
        page = Page(v)
        older = page.position
        page.listen()
        page.type("a name", "name", "Ann")
        page.press("a screen is pushed", "details")
        page.load("the second screen")
        second = page.position
        page.type("a text on the second screen", "text", "here")
        page.press("a tap on the second screen", "count")
        back = way_back(page)
        page.act("back", json.loads(back))
        page.load("the first screen again")
        page.act("back from the first screen", json.loads(back))
        returns(page, older)
        page.listen("a stream after a position of the other screen", after=second)
        ends(v, page)


@visit
def rules_without_script(v):
    with v.run(document(v, "rules")):
        page = Page(v)
        page.post("a form that is empty is refused", "Send")
        page.post("a text that breaks a rule", "Send", user="Ann 7")
        page.post("all rules are kept", "Send", user="ann", terms=True)
        page.post("the form once more, by Enter", user="bo", terms=True)
        ends(v, page)


@visit
def rules_with_script(v):
    with v.run(document(v, "rules")):
        page = Page(v)
        page.listen()
        page.press("a form that is empty is refused", "Send")
        page.type("a text that breaks a rule", "user", "Ann 7")
        page.press("it is refused", "Send")
        page.type("a text that keeps it", "user", "ann")
        page.type("the switch", "terms", True)
        page.press("it is sent", "Send")
        page.act("Enter in the field", ("submit", page.key("user")))
        page.load("the page for a reader who comes now")
        ends(v, page)


def of_class(page, name):
    """The first button of a class: `hit` and `del` of rows, `rf` of lists."""
    return next((value for value, _, attributes, _ in page.reading.widget("a").buttons
                 if name in (attributes.get("class") or "").split()), None)


def more(page):
    return next(value for value, _, _, _ in page.reading.widget("a").buttons if "more" in value)


@visit
def long_list_without_script(v):
    with v.run(document(v, "long")):
        first(v)
        page = Page(v)
        page.post("more rows", do=more(page))
        page.post("a row is chosen", do=of_class(page, "hit"))
        page.post("a row changes", "change")
        page.post("the rest of the rows", do=more(page))
        page.post("a form of the first view, with more", number=1, do='["more","1.2",200]')
        ends(v, page)


@visit
def long_list_with_script(v):
    with v.run(document(v, "long")):
        page = Page(v)
        older = page.position
        page.listen()
        page.act("more rows", json.loads(more(page)))
        page.press("a row changes", "change")
        page.load("the page for a reader who comes now")
        page.act("the rest of the rows", json.loads(more(page)))
        page.press("rows are turned", "turn")
        page.press("a row is put first", "insert")
        returns(page, older)
        ends(v, page)


@visit
def list_without_script(v):
    with v.run(document(v, "list")):
        page = Page(v)
        for kind in ("hit", "del", "rf"):
            if found := of_class(page, kind):
                page.post(f"the first button of the class {kind}", do=found)
                page.post(f"{kind} once more", do=found)
        page.post("all rows are removed", "clear")
        ends(v, page)


@visit
def list_with_script(v):
    with v.run(document(v, "list")):
        page = Page(v)
        older = page.position
        page.listen()
        for kind in ("hit", "del", "rf"):
            if found := of_class(page, kind):
                page.act(f"the first button of the class {kind}", json.loads(found))
                page.act(f"{kind} once more", json.loads(found))
        for name in ("insert", "turn", "clear", "insert"):
            page.press(f"{name}", name)
        page.load("the page for a reader who comes now")
        returns(page, older)
        ends(v, page)


@visit
def addresses_without_script(v):
    with v.run(document(v, "addresses")):
        page = Page(v)
        for name in ("elsewhere", "here", "mail", "script"):
            page.post(f"an address is opened: {name}", name)
        page.post("another tap", "count")
        ends(v, page)


@visit
def addresses_with_script(v):
    with v.run(document(v, "addresses")):
        page = Page(v)
        older = page.position
        page.listen()
        for name in ("elsewhere", "here", "mail", "script", "count"):
            page.press(f"an address is opened: {name}", name)
        page.load("the page for a reader who comes now")
        returns(page, older)
        ends(v, page)


@visit
def a_beat_comes_without_changes(v):
    """Beats are left out everywhere else, since they follow the clock."""
    with v.run(document(v, "fields")):
        page = Page(v)
        page.listen()
        text, end = b"", 0
        page.stream.socket.settimeout(60)
        while b"event: b\n" not in text and end < 10:
            text, end = text + page.stream.socket.recv(1 << 16), end + 1
        v.steps[-1]["beat"] = text.decode()
        page.close()


@visit
def other_readers(v):
    """Another language, right to left, and colours."""
    with v.serve(v.programs["widget"], "run", document(v, "list"), "--http=127.0.0.1:0", "--plain", "--clock", "2018-06-20T20:00:00Z",
                 "--locale", "ar", "--time-zone", "UTC", "--scheme", "dark"):
        first(v)
        page = Page(v)
        page.listen()
        page.press("a row is put first", "insert")
        page.close()
        page.post("without script", "turn")


@visit
def a_document_with_an_unknown_kind(v):
    with v.run(bundle(v.folder, "Broken", {**COUNTER, "root": [{"kind": "nothing"}]})):
        v.ask("the first screen", "GET", "/")
        v.ask("a page", "POST", "/live", "")


# Several widgets

def slots(v):
    counter = bundle(v.folder, "Counter", COUNTER)
    opener = bundle(v.folder, "Opener", DOCUMENTS["opener"])
    broken = material(v.folder, "Broken", **{"Main.widgets.json": "{"})
    return [{"title": "First", "path": str(counter), "instance": "-1"},
            {"title": "Second", "path": str(counter), "instance": "-2", "scaled": True},
            {"title": "Broken", "path": str(broken)}, {"title": "Later", "path": str(counter), "instance": "-3", "autoload": False},
            {"title": "Opener", "path": str(opener), "size": "small"}]


@visit
def several_widgets_without_script(v):
    v.has_fixed_arrangements = False
    with v.host({"title": "Several", "columns": 3, "slots": slots(v)}):
        first(v)
        page = Page(v, "/")
        page.post("a form of the first", "add", name="Ann")
        page.post("a form of the second", "add", letter="b", name="Bo")
        page.post("Enter in the first", name="Cy")
        page.post("a form of an older view", "add", number=1, name="Di")
        page.slot("the one that waits is loaded", do="load", slot="d")
        page.post("a form of the one that was loaded", "add", letter="d", name="Ed")
        page.slot("the broken one is loaded again", do="load", slot="c")
        page.post("an address of another widget", "show", letter="e")
        page.post("an address of nothing", "gone", letter="e")
        for title, fields in [
            ("later", {"do": "later", "slot": "a"}), ("earlier", {"do": "earlier", "slot": "c"}),
            ("earlier than the first", {"do": "earlier", "slot": "b"}),
            ("moved before another", {"do": "move", "slot": "e", "before": "b"}),
            ("moved to the end", {"do": "move", "slot": "b", "before": ""}),
            ("moved before itself", {"do": "move", "slot": "b", "before": "b"}),
            ("moved before nothing", {"do": "move", "slot": "b", "before": "z"}),
            ("an unknown slot", {"do": "later", "slot": "z"}), ("an unknown act", {"do": "dance", "slot": "a"}),
            ("no act", {"slot": "a"}), ("no slot", {"do": "later"}), ("no fields", {})]:
            page.slot(f"an act on slots: {title}", **fields)
        v.ask("an act without origin", "POST", page.slots(), "do=later&slot=a", origin=False)
        refused(v, page, "b")
        for title, path in [("a part that is not there", page.part("z")), ("a part that has failed", page.part("c"))]:
            v.ask(f"a form of {title}", "POST", path, "n=1&do=%5B%22enter%22%5D")
            v.ask(f"a batch for {title}", "POST", f"{path}/actions", '[1,[["tap","1.1"]]]', "text/plain")
            v.ask(f"a form of {title} without origin", "POST", path, "n=1", origin=False)
        v.ask("a sheet of a part that is not there", "GET", sheet_of(page, "z", "1.css"))
        other = Page(v, "/live")
        other.load("another page of the same widgets")
        ends(v, page, "b")
        v.ask("an act on slots after the end", "POST", page.slots(), "do=later&slot=a")


@visit
def several_widgets_with_script(v):
    v.has_fixed_arrangements = False
    with v.host({"title": "Several", "columns": 3, "slots": slots(v)}):
        page = Page(v, "/")
        older = page.position
        page.listen()
        page.press("a tap on the first", "add")
        page.press("a tap on the second", "add", "b")
        page.type("a text of the second", "name", "Bo", "b")
        page.act("a batch with an older serial for the first", json.loads(page.button("add")), serial=1)
        page.act("the same serial for the other", json.loads(page.button("add", "b")), letter="b", serial=page.serial)
        between = page.position
        page.close()
        page.slot("the one that waits is loaded", loads=False, do="load", slot="d")
        page.load("the page with what was loaded")
        page.listen("the stream after it")
        page.press("a tap on what was loaded", "add", "d")
        page.close()
        page.slot("the broken one is loaded again", loads=False, do="load", slot="c")
        page.listen("the stream after it", after=between)
        for letter, title in [("c", "one that has failed"), ("z", "one that is not there")]:
            page.act(f"a tap on {title}", ("tap", "1.3"), letter=letter)
        page.slot("later", loads=False, do="later", slot="a")
        page.slot("earlier", loads=False, do="earlier", slot="c")
        page.slot("moved before another", loads=False, do="move", slot="e", before="b")
        page.slot("moved to the end", loads=False, do="move", slot="b", before="")
        page.slot("an unknown act", loads=False, do="dance", slot="b")
        page.press("an address of another widget", "show", "e")
        page.press("an address of nothing", "gone", "e")
        page.load("the page for a reader who comes now")
        other = Page(v, "/")
        other.press("a tap on another page", "add")
        v.settle()
        page.press("the first page hears of both", "add", "b")
        returns(page, older)
        page.listen("a stream after a position between", after=between)
        malformed(page, "b")
        page.close()
        page.press("a tap without a stream", "add")
        page.press("a tap on the second without a stream", "add", "b")
        page.slot("a move without a stream", loads=False, do="later", slot="a")
        page.listen("the stream that comes back")
        page.close()
        ends(v, page, "b")


@visit
def slots_are_updated(v):
    """An update has several steps, of which a stream that is open shows more or fewer: it is opened afterwards."""
    v.has_fixed_arrangements = False
    with v.host({"title": "Updated", "slots": slots(v)[:2]}):
        page = Page(v, "/")
        for title, fields in [("an update of one", {"do": "update", "slot": "a"}), ("an update of all", {"do": "update"}),
                              ("an update of one that is not there", {"do": "update", "slot": "z"})]:
            page.slot(title, loads=False, **fields)
            page.listen("the stream after it")
            page.close()
        page.load("the page after updates")


@visit
def one_slot(v):
    with v.host({"title": "One", "slots": slots(v)[:1]}):
        page = Page(v, "/")
        page.listen()
        page.press("a tap", "add")
        page.type("a text", "name", "Ann")
        page.load("the page for a reader who comes now")
        page.close()
        page.post("a form", "add", name="Bo")
        ends(v, page)


@visit
def widgets_for_programs(v):
    with v.host({"title": "Programs", "slots": slots(v)}):
        for name in ("com.example.Counter-1", "com.example.Broken", "com.example.Counter-3", "com.example.None"):
            for accept in ("text/html", "text/plain", "application/json", "application/vnd.widget-frames+json", "image/png"):
                v.ask(f"a widget as {accept}", "GET", f"/widgets/{name}", Accept=accept)
            v.ask("an update from elsewhere", "POST", f"/widgets/{name}/update", "", origin=False)

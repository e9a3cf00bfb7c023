"""What every reader gets: pages that are whole without a script, with a title, and in the reader's own words."""

import json
import re

from harness import ROOT, Failed, case
from live import bundle, named, save, served, until, visit
from live_material import button, desk

NAMED = ('<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>CFBundleIdentifier</key>'
         "<string>com.example.News</string><key>CFBundleDisplayName</key><string>Morning News</string></dict></plist>")


def news(delay, title=None):
    """A screen whose text a service has after some seconds."""
    main = {"schema": 1, "sources": {"news": {"action": "news"}}, "root": [
        {"kind": "label", "id": "shown", "payload": {"text": "$news.title"}},
        button("ask", "Ask again", {"do": "refresh", "source": "news"})]}
    if title:
        main["title"] = title
    path = bundle(Main=main)
    (path / "Info.plist").write_text(NAMED)
    (path / "services").mkdir()
    (path / "services" / "StubNews.json").write_text(json.dumps({
        "defaults": {"baseUrl": "https://news.example"}, "options": {"debugDelay": delay},
        "actions": {"news": {"path": "news", "response": {"title": "Fresh bread"}}}}))
    return path


def words():
    """The words of the system in each language, from the file that has them."""
    found, section = {}, None
    for line in (ROOT / "Sources/Engine/WidgetCore/Words/words.txt").read_text().splitlines():
        if tag := re.fullmatch(r"\[(.+)\]", line):
            section = found.setdefault(tag[1], {})
        elif section is not None and " = " in line:
            name, text = line.split(" = ", 1)
            section[name] = text
    return found


@case(51)
def a_page_without_script_is_complete_or_completes_itself(browser):
    with served(news(0.4)) as server, visit(browser, server.origin, script=False) as page:
        # The first page has waited, and needs no second one.
        if "Fresh bread" not in page.locator("main").inner_text() or page.locator("meta[http-equiv=refresh]").count():
            raise Failed(f"the first page is not whole:\n{page.locator('main').inner_text()}")
    with served(news(3)) as server:
        with visit(browser, server.origin, script=False) as page:
            if "Fresh bread" in page.locator("main").inner_text() or not page.locator("meta[http-equiv=refresh]").count():
                raise Failed("a page waits for a slow answer, or does not load itself again")
            until(lambda: "Fresh bread" in page.locator("main").inner_text(), "the page does not load itself again")
            until(lambda: not page.locator("meta[http-equiv=refresh]").count(), "a whole page loads itself again")
        with visit(browser, server.origin) as page:
            until(lambda: "Fresh bread" in page.locator("main").inner_text(), "the answer does not come with script")


@case(51)
def the_title_of_a_page_is_that_of_its_screen_or_the_name_of_its_bundle(browser):
    for title, wanted in (("Harbour", "Harbour"), (None, "Morning News")):
        with served(news(0, title)) as server:
            for script in (True, False):
                with visit(browser, server.origin, script=script) as page:
                    until(lambda: page.title() == wanted, lambda: f"the title is {page.title()}, not {wanted}")
    with served(desk()) as server, visit(browser, server.origin) as page:
        named(page, "details").click()
        until(lambda: page.title() == "Details", lambda: f"the title of another screen is {page.title()}")


@case(51)
def a_reader_has_the_words_of_the_system_in_ten_languages(browser):
    languages = words()
    if len(languages) != 10:
        raise Failed(f"there are {len(languages)} languages: {list(languages)}")
    subject = desk()
    for tag, own in languages.items():
        with served(subject, "--locale", tag.replace("-", "_")) as server:
            with visit(browser, server.origin, script=False, run=False) as page:
                run = page.locator("[data-run] button").inner_text()
            with visit(browser, server.origin) as page:
                named(page, "details").click()
                back = page.wait_for_selector("main .back")
                said, box = back.inner_text(), back.bounding_box()
                lang, direction = page.evaluate("() => [document.documentElement.lang, document.documentElement.dir]")
                if (run, said) != (own["run"], own["back"]):
                    raise Failed(f"{tag} says {run} and {said}, not {own['run']} and {own['back']}")
                if lang != tag or direction != ("rtl" if tag in ("ar", "he") else "ltr"):
                    raise Failed(f"{tag} is a page of {lang}, {direction}")
                # The way back lies where lines begin.
                if (box["x"] + box["width"] / 2 > 375 / 2) != (direction == "rtl"):
                    raise Failed(f"in {tag}, Back is at {box}")
                # A script says its sentences in the same words.
                sentences = page.evaluate("document.documentElement.dataset.words ?? ''")
                if tag != "en" and sentences != "|".join(own[name] for name in ("ended", "notTaken", "noAnswer")):
                    raise Failed(f"in {tag}, the script says {sentences}")
    return ", ".join(languages)


def log():
    """A list that its reader refreshes."""
    path = news(0)
    rows = [{"name": f"Entry {number}"} for number in range(60)]
    save(path, "Main", {"schema": 1, "title": "Log", "state": {"rows": rows}, "sources": {"news": {"action": "news"}}, "root": [
        {"kind": "table", "id": "rows", "payload": {"refresh": "news"}, "items": {"in": "$rows", "as": "row"},
         "children": [{"kind": "cell", "payload": {"title": "$row.name"}}]}]})
    return path


def pull(page, session, start, end):
    """A finger goes down the list and is lifted."""
    for kind, points in (("touchStart", [start]), ("touchMove", [(start + end) / 2]), ("touchMove", [end]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": 150, "y": place} for place in points]})


def refreshes(request):
    return "refresh" in (request.post_data or "")


@case(51)
def a_list_is_refreshed_by_a_mouse_and_by_a_finger(browser):
    with served(log()) as server:
        for script in (True, False):
            with visit(browser, server.origin, script=script) as page:
                button = page.locator(".rf")
                if button.evaluate("it => getComputedStyle(it).opacity") != "0":
                    raise Failed("the button covers rows while no pointer is over the list")
                named(page, "rows").hover()
                with page.expect_request(refreshes):
                    button.click()
        with visit(browser, server.origin) as page:
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
            with page.expect_request(refreshes):
                pull(page, session, 100, 300)
            # From the middle of the list, the finger scrolls it.
            asked = []
            page.on("request", lambda request: asked.append(request.url) if refreshes(request) else None)
            scrolled = "document.querySelector(\"[data-id='rows']\").scrollTop"
            page.evaluate(scrolled + " = 300")
            pull(page, session, 100, 300)
            until(lambda: page.evaluate(scrolled) < 300, "the list does not scroll")
            if asked:
                raise Failed("a finger that scrolls refreshes the list")

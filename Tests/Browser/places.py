"""Where a reader is: the ends of lists, what is revealed, the browser's history, and addresses with links."""

import urllib.parse

from harness import Failed, again, case
from live import bundle, named, reads, served, until, visit
from live_material import button, label, later

# How far the end of the list is below its window, and where a row lies in it.
LEFT = """() => { const it = document.querySelector("[data-id='rows']");
    return Math.round(it.lastElementChild.getBoundingClientRect().bottom - it.getBoundingClientRect().bottom); }"""
ROW = """text => { const list = document.querySelector("[data-id='rows']"),
        row = [...list.querySelectorAll('li')].find(it => it.textContent.includes(text)),
        [outer, inner] = [list, row].map(it => it?.getBoundingClientRect());
    return inner && {top: Math.round(inner.top - outer.top), isSeen: inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1}; }"""


def messages(first, last):
    return [{"name": f"m{place}", "text": f"Message {place}, of someone who has something to say"} for place in range(first, last)]


def chat(count=40, **payload):
    """A list whose end stays in sight, a note that links lead to, and a screen that none does."""
    append = {"do": "append", "state": "rows", "with": {"name": {"$": ["new ", "$count"]}, "text": {"$": ["New ", "$count"]}}}
    count_up = {"do": "set", "state": "count", "to": {"$": "count + 1"}}
    reveal = {"do": "reveal", "list": "rows", "key": "name", "is": "m3"}
    cell = {"kind": "cell", "payload": {"title": "$row.text", "subtitle": "$row.name"}}
    table = {"kind": "table", "id": "rows", "payload": {"keeps": "end", **payload}, "children": [cell],
             "items": {"in": "$rows", "as": "row", "key": "$row.name"}}
    main = {"schema": 1, "title": "Chat", "state": {"rows": messages(0, count), "count": 0}, "links": {
                "message": {"pattern": "acme://messages/{name}", "scene": "Main", "reveal": {"list": "rows", "key": "name"}},
                "note": {"pattern": "acme://notes/{id:integer}", "scene": "Note"}},
            "root": [table, {"kind": "hstack", "children": [
                button("add", "Add", append, count_up), button("addLater", "Add later", later(0.6, append, count_up)),
                button("reveal", "Reveal", reveal),
                button("note", "Note", {"do": "push", "scene": "Note", "with": {"id": 7}}),
                button("ask", "Ask", {"do": "present", "scene": "Ask"})]}]}
    note = {"schema": 1, "title": "Note", "parameters": {"id": 0}, "root": [
        label("shown", "Note ", "$id"), button("deeper", "Deeper", {"do": "push", "scene": "Ask"})]}
    ask = {"schema": 1, "title": "Ask", "state": {"sure": False}, "root": [
        label("asked", "Really?"), button("leave", "Leave", {"do": "back"}),
        button("stay", "Stay", {"do": "alert", "title": "Sure?"})]}
    return bundle(Main=main, Note=note, Ask=ask)


def at_end(page, why):
    until(lambda: abs(page.evaluate(LEFT)) <= 1, lambda: f"{why}: the end is {page.evaluate(LEFT)} points below the window")
    if not page.evaluate(LEFT.replace("return", "return it.scrollHeight > it.clientHeight + 100 && 1 ||")):
        raise Failed("the list does not scroll")


def seen(page, text, why):
    until(lambda: (page.evaluate(ROW, text) or {}).get("isSeen"), lambda: f"{why}: {text} is at {page.evaluate(ROW, text)}")


@case(51)
def the_end_of_a_chat_is_in_sight_with_script_and_without(browser):
    with served(chat()) as server:
        for script in (True, False):
            with visit(browser, server.origin, script=script) as page:
                at_end(page, "at the beginning")
                named(page, "add").click()
                reads(page, "New 0")
                at_end(page, "after a row came")
        with visit(browser, server.origin) as page:
            at_end(page, "at the beginning")
            # A reader who is further up stays there when others come.
            page.evaluate("document.querySelector(\"[data-id='rows']\").scrollTop = -700")
            shown = page.evaluate("""() => { const it = document.querySelector("[data-id='rows']"), top = it.getBoundingClientRect().top;
                return [...it.querySelectorAll('li')].find(row => row.getBoundingClientRect().top >= top).textContent; }""")
            place = page.evaluate(ROW, shown)
            for number in range(6):
                named(page, "add").click()
                reads(page, f"New {number}")
            if abs((now := page.evaluate(ROW, shown))["top"] - place["top"]) > 1:
                raise Failed(f"{shown} was at {place}, and rows below moved it to {now}")
            # Back at the end, it follows again.
            page.evaluate("document.querySelector(\"[data-id='rows']\").scrollTop = 0")
            named(page, "add").click()
            reads(page, "New 6")
            at_end(page, "after the reader had come back")


@case(51)
def a_long_log_shows_its_last_rows_and_those_before_them_when_they_are_wanted(browser):
    with served(chat(1_000)) as server, visit(browser, server.origin) as page:
        at_end(page, "at the beginning")
        seen(page, "Message 999,", "at the beginning")
        if page.evaluate(ROW, "Message 899,") or not page.evaluate(ROW, "Message 900,"):
            raise Failed("other rows than the last hundred are shown")
        page.evaluate("document.querySelector(\"[data-id='rows'] .more\").scrollIntoView()")
        until(lambda: page.evaluate(ROW, "Message 850,"), "no earlier rows come")
        named(page, "add").click()
        reads(page, "New 0")
        # A row far above comes, and into sight.
        named(page, "reveal").click()
        seen(page, "Message 3,", "after it was revealed")


@case(51)
def what_is_revealed_comes_into_sight_once(browser):
    with served(chat()) as server:
        with visit(browser, server.origin) as page:
            named(page, "reveal").click()
            seen(page, "Message 3,", "with script")
            page.evaluate("document.querySelector(\"[data-id='rows']\").scrollTop = 0")
            named(page, "add").click()
            reads(page, "New 0")
            at_end(page, "once was enough")
            named(page, "reveal").click()
            seen(page, "Message 3,", "for the second time")
        with visit(browser, server.origin, script=False) as page:
            named(page, "reveal").click()
            seen(page, "Message 3,", "without script")
            if "#" not in page.url:
                raise Failed(f"the address {page.url} does not say where")
            named(page, "add").click()
            reads(page, "New 0")
            at_end(page, "once was enough without script")


def titled(page, title):
    until(lambda: page.title() == title, lambda: f"the title is {page.title()}, not {title}")


def back(page, title):
    page.evaluate("history.back()")
    titled(page, title)


@case(51)
def back_of_the_browser_leaves_one_screen_after_the_other(browser):
    with served(chat()) as server, visit(browser, server.origin) as page:
        first = page.url
        named(page, "note").click()
        titled(page, "Note")
        if not page.url.endswith("?open=" + urllib.parse.quote("acme://notes/7", safe="")):
            raise Failed(f"the address of the note is {page.url}")
        named(page, "deeper").click()
        titled(page, "Ask")
        if "?" in page.url:
            raise Failed(f"no link leads to the screen, and its address is {page.url}")
        # A page that is loaded again stays where it is, with its history.
        again(page)
        titled(page, "Ask")
        back(page, "Note")
        until(lambda: "notes" in page.url, lambda: f"after Back, the address is {page.url}")
        back(page, "Chat")
        until(lambda: page.url == first, lambda: f"the address is {page.url}, not {first}")
        # Forward leads to nothing that is closed, and breaks nothing.
        page.evaluate("history.forward()")
        page.wait_for_timeout(300)
        titled(page, "Chat")
        if page.url != first:
            raise Failed(f"after Forward, the address is {page.url}")
        # The widget's own Back leaves no entry behind.
        named(page, "note").click()
        titled(page, "Note")
        page.locator("main .back").click()
        titled(page, "Chat")
        until(lambda: page.evaluate("history.state") == 0, lambda: f"the entry is {page.evaluate('history.state')}")
        named(page, "ask").click()
        titled(page, "Ask")
        # An alert is answered first.
        named(page, "stay").click()
        page.wait_for_selector("dialog[open]")
        page.evaluate("history.back()")
        until(lambda: page.evaluate("history.state") == 1, lambda: f"the entry is {page.evaluate('history.state')}")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        back(page, "Chat")
        page.go_back()
        if "/live/" in page.url:
            raise Failed(f"Back of the first screen stays at {page.url}")


@case(51)
def back_without_script_asks_to_send_nothing_again(browser):
    with served(chat()) as server, visit(browser, server.origin, script=False) as page:
        first = page.url
        named(page, "note").click()
        titled(page, "Note")
        if not page.url.endswith("?open=" + urllib.parse.quote("acme://notes/7", safe="")):
            raise Failed(f"the address of the note is {page.url}")
        page.go_back()
        # The widget is where it was: an address that says something else leads there.
        if page.title() not in ("Note", "Chat") or not page.url.startswith(first):
            raise Failed(f"Back leads to {page.title()} at {page.url}")
        page.reload()
        titled(page, "Note")


@case(51)
def a_page_opens_the_link_of_its_address(browser):
    note = "?open=" + urllib.parse.quote("acme://notes/4", safe="")
    row = "?open=" + urllib.parse.quote("acme://messages/m5", safe="")
    with served(chat()) as server:
        for script in (True, False):
            with visit(browser, f"{server.origin}/{note}", script=script) as page:
                titled(page, "Note")
                reads(page, "Note 4")
                if not page.url.endswith(note):
                    raise Failed(f"the address is {page.url}")
            with visit(browser, f"{server.origin}/{row}", script=script) as page:
                seen(page, "Message 5,", f"opened by a link, script {script}")
            for wrong in ("acme://nowhere/1", "javascript:alert(1)", "acme://notes/x", "%0d%0aX-Evil:1", '"><b>', "a" * 3_000):
                with visit(browser, f"{server.origin}/?open={urllib.parse.quote(wrong)}", script=script) as page:
                    titled(page, "Chat")
                    if "?" in page.url:
                        raise Failed(f"{wrong[:30]} is in the address {page.url}")
                    until(lambda: "leads nowhere" in page.locator("#a-s").inner_text(), "nothing says that the link leads nowhere")
        # The still says so as well.
        with visit(browser, f"{server.origin}/?open=acme:%2F%2Fnowhere", run=False, script=False) as page:
            if "leads nowhere" not in page.locator("body").inner_text():
                raise Failed(f"nothing says that the link leads nowhere:\n{page.locator('body').inner_text()[:500]}")
        # A page that has ended begins anew where it was.
        status, _, body = server.request("GET", f"/live/{'0' * 32}{note}")
        if status != 410 or f'action="/live{note}"' not in body.decode():
            raise Failed(f"a page that has ended is answered with {status}: {body[:1000]!r}")

"""Live pages with script: operations, focus, texts that are being typed, and streams that end."""

import random
import re
import socket
import time

from harness import Failed, case
from live import Stream, Viewing, agrees, named, proxied, served, until, visit
from live_material import desk, heavy, long, typing

# Hidden pages cannot be had without a window; the page takes itself for one, and so is its script.
HIDE = """
window.away = false;
Object.defineProperty(Document.prototype, 'hidden', {get: () => window.away});
Object.defineProperty(Document.prototype, 'visibilityState', {get: () => window.away ? 'hidden' : 'visible'});
window.hide = away => { window.away = away; document.dispatchEvent(new Event('visibilitychange', {bubbles: true})); };
"""


def is_echo(operation):
    return operation[0] == "e"


@case(24)
def one_field_of_ten_thousand_rows_is_one_operation(browser):
    with served(long()) as server:
        viewing = Viewing(server)
        stream = Stream(viewing, viewing.position())
        viewing.tap("change")
        while True:
            _, operations, length = stream.next()
            if not all(map(is_echo, operations)):
                break
        stream.close()
        if len(operations) != 1 or operations[0][0] != "s" or operations[0][2] != {"text": "7h"}:
            raise Failed(f"one field changed, by {operations}")
        if length > 88:
            raise Failed(f"one field costs {length} bytes: {operations}")
        with visit(browser, server.origin) as page:
            named(page, "change").click()
            until(lambda: "7h" in page.locator("main .ls").inner_text(), "the change does not come to the page")
            agrees(browser, server, page)
        return f"{length} bytes: {operations}"


@case(25, run="smoke")
def rows_come_move_and_go_around_focus_and_selection(browser):
    with served(desk()) as server, visit(browser, server.origin) as page:
        field, listed = named(page, "plain"), page.locator("main .ls")
        field.fill("abcdefgh")
        hit = page.locator("main .r", has_text="three").locator(".hit")
        for change, wanted in (("insert", "zero"), ("shuffle", "four"), ("remove", None)):
            for is_field in (True, False):
                before = listed.inner_text()
                named(page, change).click()
                page.evaluate("scrollTo(0, 60)")
                if is_field:
                    field.evaluate("it => { it.focus(); it.setSelectionRange(2, 5); }")
                else:
                    hit.evaluate("it => it.focus({preventScroll: true})")
                top = page.evaluate("scrollY")
                focus = page.evaluate("document.activeElement.id || document.activeElement.value")
                # The second time the list is already as it is to be, but for the row that was removed.
                if is_field:
                    until(lambda: listed.inner_text() != before, f"{change} changes nothing")
                else:
                    page.wait_for_timeout(800)
                if (now := page.evaluate("document.activeElement.id || document.activeElement.value")) != focus:
                    raise Failed(f"{change}: the focus went from {focus} to {now}")
                if is_field and field.evaluate("it => [it.selectionStart, it.selectionEnd]") != [2, 5]:
                    raise Failed(f"{change}: the selection is {field.evaluate('it => [it.selectionStart, it.selectionEnd]')}")
                if abs(page.evaluate("scrollY") - top) > 60 or field.input_value() != "abcdefgh":
                    raise Failed(f"{change}: scrolled from {top} to {page.evaluate('scrollY')}, {field.input_value()!r}")
            agrees(browser, server, page)
            if wanted and not listed.locator("li").first.inner_text().startswith(wanted):
                raise Failed(f"{change}: first is {listed.locator('li').first.inner_text()}")
        # The moved row keeps the focus that it had.
        hit.evaluate("it => it.focus({preventScroll: true})")
        named(page, "insert").evaluate("it => it.click()")
        hit.evaluate("it => it.focus({preventScroll: true})")
        until(lambda: listed.locator("li").first.inner_text().startswith("zero"), "insert changes nothing")
        if not hit.evaluate("it => it === document.activeElement"):
            raise Failed("a row that moved has lost the focus")
        agrees(browser, server, page)


def type_against_patches(browser, count):
    chance = random.Random(2018)
    lost = []
    with served(typing()) as server, visit(browser, server.origin) as page:
        named(page, "start").click()
        for number in range(count):
            named(page, "clear").click()
            id = ("dotted", "loud", "plain")[number % 3]
            field = named(page, id)
            until(lambda: field.input_value().strip(".") == "", f"{id} does not become empty")
            field.focus()
            page.keyboard.press("End")
            text = "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(chance.randint(3, 9)))
            for letter in text:
                page.keyboard.type(letter)
                # Faster than a person, and slower than what a viewing takes for a flood.
                page.wait_for_timeout(chance.choice([0, 0, 30, 60, 90]))
            wanted = text.upper() if id == "loud" else text
            try:
                until(lambda: field.input_value().replace(".", "") == wanted, "")
            except Failed:
                lost.append(f"run {number}: {text} became {field.input_value()!r} in {id}")
                if len(lost) == 3:
                    break
        named(page, "stop").click()
        page.wait_for_timeout(300)
        agrees(browser, server, page)
    if lost:
        raise Failed("\n    ".join([f"letters were lost in {len(lost)} of {number + 1} runs", *lost]))
    return f"{count} runs"


@case(26)
def no_letter_is_lost_to_patches_in_some_runs(browser):
    return type_against_patches(browser, 18)


@case(26, run="long")
def no_letter_is_lost_to_patches_in_a_thousand_runs(browser):
    return type_against_patches(browser, 1_000)


def cut(browser, count):
    chance = random.Random(42)
    cuts = 0
    expected = ["ERR_|Failed to load resource|net::"]
    with served(desk()) as server, proxied(server) as proxy, visit(browser, proxy.origin, expected=expected) as page:
        named(page, "start").click()
        while cuts < count:
            act = chance.choice(["insert", "shuffle", "remove", "bump", "bumpLater", None, None])
            if act:
                named(page, act).click()
            page.wait_for_timeout(chance.randint(0, 120))
            cuts += proxy.cut()
            # Browsers wait for seconds before they try again; half of the time the page is shown anew instead.
            if chance.random() < 0.9:
                page.evaluate("document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))")
                until(lambda: proxy.streams, "the page opens no stream after a cut")
            else:
                until(lambda: proxy.streams, "the browser opens no stream after a cut")
            if cuts % 50 == 0:
                named(page, "plain").fill(f"cut {cuts}")
        named(page, "stop").click()
        page.wait_for_timeout(800)
        agrees(browser, server, page)
    return f"{cuts} cuts"


@case(27)
def a_stream_that_is_cut_some_times_leads_to_the_same_page(browser):
    return cut(browser, 30)


@case(27, run="long")
def a_stream_that_is_cut_a_thousand_times_leads_to_the_same_page(browser):
    return cut(browser, 1_000)


@case(28, 29)
def a_stream_that_comes_back_gets_one_event(browser):
    with served(desk()) as server:
        viewing = Viewing(server)
        stream = Stream(viewing, viewing.position())
        viewing.tap("bump")
        known = stream.next()[0]
        stream.rest()
        stream.close()
        # To look at the page would be to know a later view.
        event = viewing.button("bump")
        for _ in range(20):
            viewing.act(event)
        back = Stream(viewing, 0, last=known)
        found = [back.next(), *back.rest()]
        back.close()
        changes = [[operation for operation in operations if not is_echo(operation)] for _, operations, _ in found]
        if len(found) != 1 or len(changes[0]) != 1 or changes[0][0][2] != {"text": "Count 21"}:
            raise Failed(f"after 20 views that were skipped there are {found}")
        for after, last in (("1a999999", None), (known, "1a999999"), (0, None), ("nonsense", None)):
            other = Stream(viewing, after, last=last)
            found = [other.next(), *other.rest()]
            other.close()
            if len(found) != 1 or "w" not in [operation[0] for operation in found[0][1]]:
                raise Failed(f"a stream after {after}, {last} has {str(found)[:500]}")
        same = Stream(viewing, found[0][0])
        # Only which events were taken is news for it.
        if rest := [event for event in [same.next(), *same.rest()] if not all(map(is_echo, event[1]))]:
            raise Failed(f"nothing has changed, and there is {str(rest)[:500]}")
        # A newer stream ends the older one.
        newer = Stream(viewing, found[0][0])
        if same.next() is not None:
            raise Failed("an older stream goes further beside a newer one")
        newer.close()


@case(30)
def two_tabs_are_two_viewings(browser):
    with served(desk()) as server, visit(browser, server.origin) as page:
        other = page.context.new_page()
        other.goto(server.origin)
        other.wait_for_url("**/live/*")
        if other.url == page.url:
            raise Failed("two tabs share a viewing")
        named(page, "bump").click()
        until(lambda: "Count 1" in page.locator("main").inner_text(), "the tap does nothing")
        if "Count 0" not in other.locator("main").inner_text():
            raise Failed("a tap in one tab changes the other")


def says(page, text):
    return lambda: text in page.locator("main").inner_text()


@case(31)
def of_three_tabs_two_are_hidden_and_none_waits(browser):
    return tabs(browser, 3)


@case(31)
def of_seven_tabs_six_are_hidden_and_none_waits(browser):
    return tabs(browser, 7)


def tabs(browser, count):
    # One server name has six connections; streams of pages that are not seen would take them all.
    with served(desk()) as server, proxied(server) as proxy, visit(browser, proxy.origin, init=HIDE) as page:
        pages = [page]
        for _ in range(count - 1):
            pages[-1].evaluate("hide(true)")
            tab = page.context.new_page()
            tab.goto(proxy.origin)
            tab.wait_for_url("**/live/*")
            pages.append(tab)
        pages[-1].evaluate("hide(true)")
        for place, tab in enumerate(pages):
            # A machine with much to do is slow now and then.
            for taps in range(1, 6):
                # Those that were hidden a moment ago have theirs for two seconds more.
                if place % 3 == 0:
                    until(lambda: not proxy.streams, lambda: f"{count} tabs are hidden and have {len(proxy.streams)} streams")
                begin = time.monotonic()
                tab.evaluate("hide(false)")
                named(tab, "bump").click()
                until(says(tab, f"Count {taps}"), f"tab {place} waits")
                waited = time.monotonic() - begin
                tab.evaluate("hide(true)")
                if waited <= 2:
                    break
            else:
                raise Failed(f"tab {place} waits for {waited:.1f} s")


@case(32)
def a_hidden_page_closes_its_stream_and_is_right_when_shown(browser):
    with served(desk()) as server, proxied(server) as proxy, visit(browser, proxy.origin, init=HIDE) as page:
        closed, shown = [], []
        # A machine with much to do is slow now and then.
        for place in range(1, 11):
            until(lambda: len(proxy.streams) == 1, lambda: f"{len(proxy.streams)} streams")
            begin = time.monotonic()
            page.evaluate("hide(true)")
            page.wait_for_timeout(1_000)
            # It is closed after two seconds, which may have passed.
            if len(proxy.streams) != 1 and time.monotonic() - begin < 1.8:
                raise Failed("the stream of a page is closed a second after it was hidden")
            until(lambda: not proxy.streams, "the stream of a hidden page stays open")
            closed.append(time.monotonic() - begin)
            named(page, "bump").evaluate("it => it.click()")
            page.wait_for_timeout(200)
            begin = time.monotonic()
            page.evaluate("hide(false)")
            until(says(page, f"Count {place}"), "a page that is shown again stays as it was")
            shown.append(time.monotonic() - begin)
            if min(closed) < 5 and min(shown) < 1:
                break
        else:
            raise Failed(f"a page is right {min(shown):.1f} s after it is shown, and has its stream until "
                         f"{min(closed):.1f} s after it is hidden")
        agrees(browser, server, page)
        return f"right after {min(shown) * 1000:.0f} ms"


@case(33)
def a_reader_who_does_not_read_costs_nothing(browser):
    return slow_reader(browser, 6)


@case(33)
def a_reader_who_does_not_read_for_a_while_costs_nothing(browser):
    return slow_reader(browser, 60)


def slow_reader(browser, count):
    with served(heavy()) as server:
        viewing = Viewing(server)
        viewing.tap("start")
        stream = Stream(viewing, viewing.position())
        first = stream.next()[0]
        stream.close()
        slow = slow_stream(viewing, first)
        sizes = []
        with visit(browser, server.origin) as page:
            for _ in range(count):
                page.wait_for_timeout(500)
                sizes.append(server.memory)
            taken = read_all(slow)
        numbers = [int(number) for number in re.findall(rb"id: ?(\d+)", taken)]
        viewing.tap("stop")
        last = re.search(r"Ticks (\d+)", viewing.html())[1]
        said = re.findall(rb"Ticks (\d+)", taken)
        if max(sizes) - sizes[2] > 6_000:
            raise Failed(f"the server's memory grows beside a reader who does not read: {sizes} KB")
        if not said or int(last) - int(said[-1]) > 60:
            raise Failed(f"a slow reader is left with {said[-1:]} of {last}, after {len(numbers)} events")
        return f"{len(taken)} bytes in {len(numbers)} events, memory {sizes} KB"


def slow_stream(viewing, after):
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    made.connect(("127.0.0.1", viewing.server.port))
    made.sendall(f"GET {viewing.path}/events?after={after} HTTP/1.1\r\nHost: 127.0.0.1:{viewing.server.port}\r\n\r\n".encode())
    return made


def read_all(stream, seconds=1.0):
    stream.settimeout(0.3)
    taken, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            taken += stream.recv(1 << 20)
        except TimeoutError:
            pass
    stream.close()
    return taken

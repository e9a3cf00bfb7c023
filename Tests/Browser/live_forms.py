"""Live pages without script: forms, links and redirects."""

import re

from harness import ROOT, SAMPLES, Failed, again, case
from live import named, reads, served, valid, visit
from live_material import desk, long


def rows(page):
    return page.locator("main .r").count()


def mends(server, page, wanted=()):
    """Fails unless the page of a viewing is valid and shows the texts."""
    html = valid(server, re.sub(r"^https?://[^/]*", "", page.url))
    for text in wanted:
        if text not in html:
            raise Failed(f"{text} is not on the page")


@case(16, 23, run="smoke")
def a_feed_leads_to_details_and_back_without_script(browser):
    with served(ROOT / "Bundles" / "HarbourLog") as server:
        valid(server, "/")
        with visit(browser, server.origin, script=False) as page:
            reads(page, "A gull took the biscuits")
            count = rows(page)
            mends(server, page)
            page.get_by_role("button", name="A gull took the biscuits").first.click()
            reads(page, "Olu Brandt")
            if rows(page):
                raise Failed("the details show rows")
            mends(server, page)
            page.get_by_role("button", name="Back").or_(page.locator(".back")).first.click()
            reads(page, "Fog, and nothing else")
            if rows(page) != count:
                raise Failed(f"the feed has {rows(page)} rows after Back, and had {count}")


@case(17, 23)
def a_post_is_sent_once_without_script(browser):
    with served(ROOT / "Bundles" / "Postcard") as server, visit(browser, server.origin, script=False) as page:
        posts = []
        page.on("response", lambda answer: answer.request.method == "POST" and posts.append(answer.status))
        post = page.get_by_role("button", name="Post", exact=True)
        post.click()
        reads(page, "Nothing posted yet")
        marked = page.locator("main [aria-invalid=true]").count()
        if not marked:
            raise Failed("an empty post marks no field")
        mends(server, page)
        named(page, "toField").fill("Grandmother <b>")
        named(page, "messageView").fill("It \"rains\" \\ a lot\nof water")
        page.get_by_role("button", name="Post", exact=True).click()
        reads_not(page, "Nothing posted yet")
        if posts != [303] * len(posts) or len(posts) != 2:
            raise Failed(f"posts were answered with {posts}")
        for _ in range(2):
            again(page)
        if len(posts) != 2:
            raise Failed("Reload posts again")
        page.get_by_role("button", name="Sent").first.click()
        reads(page, "Grandmother <b>")
        if rows(page) != 1:
            raise Failed(f"{rows(page)} postcards were sent")
        mends(server, page)


def reads_not(page, text):
    for _ in range(100):
        if text not in page.locator("main").inner_text():
            return
        again(page)
        page.wait_for_timeout(50)
    raise Failed(f"{text} is still shown")


@case(18, 23)
def a_search_is_made_and_cleared_without_script(browser):
    with served(ROOT / "Bundles" / "HarbourLog") as server, visit(browser, server.origin, script=False) as page:
        reads(page, "A gull took the biscuits")
        count = rows(page)
        named(page, "searchBar").fill("gull")
        named(page, "searchBar").press("Enter")
        reads_not(page, "Lamp changed")
        if named(page, "searchBar").input_value() != "gull" or not 0 < rows(page) < count:
            raise Failed(f"{rows(page)} of {count} rows, and the field has {named(page, 'searchBar').input_value()!r}")
        mends(server, page)
        named(page, "searchBar").fill("")
        named(page, "searchBar").press("Enter")
        reads(page, "Lamp changed")
        if rows(page) != count:
            raise Failed(f"{rows(page)} of {count} rows after the search was cleared")


@case(19)
def enter_in_a_field_is_its_return_key_without_script(browser):
    with served(desk()) as server, visit(browser, server.origin, script=False) as page:
        for name in ("enter", "other"):
            named(page, name).fill(f"text {name}")
            named(page, name).press("Enter")
            reads(page, f"Said {name} text {name}")
        # A field that changed with another one's Enter is a field's text all the same.
        named(page, "plain").fill("kept")
        named(page, "bump").click()
        reads(page, "Count 1")
        if named(page, "plain").input_value() != "kept":
            raise Failed(f"a text that was typed beside a tap is {named(page, 'plain').input_value()!r}")
        named(page, "news").check()
        named(page, "bump").click()
        reads(page, "Count 2")
        if not named(page, "news").is_checked():
            raise Failed("a switch that was on in the form is off")
        named(page, "news").uncheck()
        named(page, "bump").click()
        reads(page, "Count 3")
        if named(page, "news").is_checked():
            raise Failed("a switch that was off in the form is on")
        mends(server, page)


@case(19)
def a_page_that_is_old_changes_only_what_was_changed_on_it(browser):
    with served(desk()) as server, visit(browser, server.origin, script=False) as page:
        other = page.context.new_page()
        other.goto(page.url)
        named(other, "plain").fill("from the other page")
        with other.expect_navigation():
            named(other, "bump").click()
        named(page, "loud").fill("this")
        with page.expect_navigation():
            named(page, "bump").click()
        again(page)
        shown = named(page, "plain").input_value(), named(page, "loud").input_value()
        if shown != ("from the other page", "THIS"):
            raise Failed(f"the fields have {shown}")


@case(20, 23)
def more_rows_are_shown_by_a_button_without_script(browser):
    with served(long(1_000)) as server, visit(browser, server.origin, script=False) as page:
        for count in (100, 200, 300):
            if rows(page) != count:
                raise Failed(f"{rows(page)} rows instead of {count}")
            page.get_by_role("button", name="More rows").click()
        mends(server, page, ["r399"])


@case(21, 23)
def a_picture_is_picked_and_sent_without_script(browser):
    with served(ROOT / "Bundles" / "Herbarium") as server, visit(browser, server.origin, script=False) as page:
        page.get_by_role("button", name="Add").first.click()
        reads(page, "Which plant?")
        picked = page.locator("main input[type=file]")
        if not picked.count():
            raise Failed("the form has no field for a file")
        picked.first.set_input_files(ROOT / "Bundles" / "HarbourLog" / "gull@2x.png")
        named(page, "plantField").fill("Sea holly")
        with page.expect_navigation():
            page.locator("main form .st button").last.click()
        again(page)
        mends(server, page)
        if named(page, "plantField").input_value() != "Sea holly":
            raise Failed(f"the text beside the file is lost:\n{page.locator('main').inner_text()}")
        if not page.locator("main").get_by_role("img", name="gull@2x.png").count():
            raise Failed(f"the picture is not there:\n{page.locator('main').inner_text()}")


@case(22, 23)
def an_alert_is_answered_without_script(browser):
    with served(desk()) as server, visit(browser, server.origin, script=False) as page:
        for answer, count in (("No", "Count 0"), ("Yes", "Count 10")):
            named(page, "ask").click()
            box = page.locator("dialog[open]")
            if box.count() != 1 or "Think about it." not in box.inner_text():
                raise Failed("the alert is not shown")
            reachable = page.locator("main form > :not(dialog, .enter, input[type=hidden], [inert])").count()
            if reachable:
                raise Failed(f"{reachable} parts behind the alert are not inert")
            mends(server, page)
            box.get_by_role("button", name=answer).click()
            if page.locator("dialog").count():
                raise Failed(f"the alert is still shown after {answer}")
            reads(page, count)


@case(16, 22)
def rows_are_deleted_and_screens_left_without_script(browser):
    with served(desk()) as server, visit(browser, server.origin, script=False) as page:
        page.locator("main .r", has_text="two").locator(".del").click()
        if rows(page) != 9 or "two" in page.locator("main .ls").inner_text():
            raise Failed("the row is still there")
        page.locator("main .r", has_text="three").locator(".hit").click()
        reads(page, "chosen")
        named(page, "plain").fill("Ann & Bo")
        named(page, "details").click()
        reads(page, "Name Ann & Bo")
        mends(server, page)


@case(16)
def the_demo_is_used_without_script(browser):
    demo = SAMPLES / "WidgetDemo.zip"
    if not demo.exists():
        return "the demo is not here"
    with served(demo) as server:
        valid(server, "/")
        with visit(browser, server.origin, script=False) as page:
            page.wait_for_timeout(500)
            again(page)
            count = rows(page)
            mends(server, page)
            if not count:
                raise Failed(f"the feed has no rows:\n{page.locator('main').inner_text()[:500]}")
            page.locator("main .r .hit").first.click()
            mends(server, page)
            page.locator("main .back").first.click()
            if rows(page) != count:
                raise Failed(f"the feed has {rows(page)} rows after Back, and had {count}")


@case(35)
def a_form_of_a_viewing_that_is_over_gives_its_texts_back(browser):
    with served(desk()) as server, visit(browser, server.origin, script=False, expected=["410"]) as page:
        named(page, "plain").fill("Typed & kept <b>")
        server.stop()
        server.start()
        named(page, "bump").click()
        text = page.content()
        if "ended" not in text:
            raise Failed(f"the page does not say that the viewing is over:\n{text[:1000]}")
        if "Typed &amp; kept &lt;b&gt;" not in text:
            raise Failed(f"the text is not on the page of a viewing that is over:\n{text[:2000]}")
        status, _, body = server.request("POST", f"/live/{'0' * 32}/a", "1.4=x&do=%5B%5D",
                                         Content_Type="application/x-www-form-urlencoded")
        if status != 410:
            raise Failed(f"a viewing that never was is answered with {status}: {body[:300]!r}")

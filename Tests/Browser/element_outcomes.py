"""The attribute `outcomes` of `<widget-view>`: a registry that counts hears what becomes of its releases in a browser."""

import contextlib
import json
import os
import re
import subprocess
import threading
import urllib.request

from element import await_event, element, host_page, opened
from harness import ROOT, Failed, case, folder, registry_program, widget
from live import until

# Errors of a page and promises that were refused, kept over its loads.
ERRORS = """
for (const name of ['error', 'unhandledrejection']) addEventListener(name, (event) => {
  const errors = JSON.parse(localStorage.getItem('errors of the page') ?? '[]')
  localStorage.setItem('errors of the page', JSON.stringify([...errors, String(event.reason ?? event.message)]))
});
"""
TOKEN = "browser-admin-token-0123456789abcdef"
WIDGET = "com.example.HarbourLog"
# Outcomes go without a wait.
AT_ONCE = "Math.random = () => 0;"


@contextlib.contextmanager
def counting_registry():
    """The address of a registry with one release, which counts outcomes."""
    seed = folder() / "seed"
    seed.mkdir()
    widget("build", ROOT / "Bundles/HarbourLog", "-o", seed / "HarbourLog.zip", "-q")
    process = subprocess.Popen(
        [registry_program(), "serve", "--listen", "127.0.0.1:0", "--data", str(folder()), "--seed", str(seed)],
        env=os.environ | {"WIDGETD_OUTCOMES_ACCEPT": "open", "WIDGETD_ADMIN_TOKEN": TOKEN},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        found = next(found for line in process.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
        threading.Thread(target=lambda: [None for _ in process.stdout], daemon=True).start()
        yield found[0]
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def counts(registry, release):
    """How often each outcome of a release was counted."""
    request = urllib.request.Request(
        f"{registry}/v1/bundles/{WIDGET}/releases/{release}/outcomes", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        days = json.load(answer)["days"]
    return {name: sum(day[name] for day in days) for name in ("installed", "started", "confirmed", "failed")}


@contextlib.contextmanager
def shown(browser, registry, attributes, blocks=None):
    """A new visitor with the widget in a page of another origin, the posts that the page sends, and its errors."""
    context = browser.chromium.new_context(viewport={"width": 420, "height": 760})
    context.add_init_script(AT_ONCE + ERRORS)
    # As of a person who is signed in there.
    context.add_cookies([{"name": "session", "value": "secret", "url": registry}])
    if blocks:
        context.route(blocks, lambda route: route.abort())
    posts = []
    context.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    files = {"/page.html": host_page(element(f"{registry}/v1/widgets/{WIDGET}-1", attributes))}
    try:
        with opened(browser, files, grants=registry, context=context, faults_allowed=blocks is not None) as page:
            yield page, await_event(page, "ready")["release"], posts
            if errors := page.evaluate("JSON.parse(localStorage.getItem('errors of the page') ?? '[]')"):
                raise Failed(f"the page has errors: {errors}")
    finally:
        context.close()


@case(53, run="element")
def outcomes_are_sent_without_a_name_if_the_element_says_so(browser):
    with counting_registry() as registry:
        for visitors in (1, 2):
            with shown(browser, registry, "outcomes") as (page, release, posts):
                wanted = {"installed": visitors, "started": visitors, "confirmed": visitors, "failed": 0}
                until(lambda: counts(registry, release) == wanted,
                      lambda: f"counted {counts(registry, release)} in place of {wanted}")
                # Said once: a second start of the day says nothing more.
                page.reload()
                await_event(page, "ready")
                for request in posts:
                    if {"cookie", "authorization"} & set(request.all_headers()):
                        raise Failed(f"a report says who the visitor is: {request.all_headers()}")
                if not posts:
                    raise Failed("no report was seen, so nothing is known of its headers")
        with shown(browser, registry, "") as (page, release, posts):
            page.reload()
            await_event(page, "ready")
            if posts:
                raise Failed(f"without the attribute the page posts {[request.url for request in posts]}")
        # Those who asked before are counted once each, and the one without the attribute is not.
        if counts(registry, release) != wanted:
            raise Failed(f"counted {counts(registry, release)} in place of {wanted}")


@case(53, run="element")
def a_widget_works_where_no_report_can_be_sent(browser):
    with counting_registry() as registry:
        # A promise that is refused, and that nothing waits for, is an error of the page.
        with shown(browser, registry, "outcomes", blocks="**/outcomes") as (page, release, posts):
            # A question to the page lets its events come.
            until(lambda: page.title() is not None and posts, "no report was tried")
            page.reload()
            await_event(page, "ready")
            if counts(registry, release)["installed"]:
                raise Failed("a report has come through")

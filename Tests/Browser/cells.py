"""Cells that misbehave, and registries that end: the pages of a widget end, and nothing else does."""

import os
import threading
import time

from cell_material import ORDINARY, Preview, Watch, counter, gone, kill, registry, seed, words
from harness import Failed, case
from live import reads, until, visit

# What a cell does before an act, the reason under which its end is counted, and what the page says.
DEEDS = {
    "crash": ("crash", "has crashed"),
    "loop": ("time", "did not answer within 2 seconds"),
    "memory": ("memory", "of memory"),
    "files": ("forbidden", "did something that widgets may not do"),
}
# Calls that a cell may never make.
CALLS = ("open", "connect", "execve", "ptrace", "socket", "spawn")
# What a cell tries as often as it can, is refused, and survives.
REFUSED = ("descriptors", "threads")


def misbehaving(browser, deed, script):
    reason, said = DEEDS[deed]
    with registry(seed(Counter=counter()), deed=("act" if script else "post", deed)) as server, Watch(server) as watch:
        # With script the status line says it, and the console that an address is gone.
        expected = ["Failed to load resource|ERR_|net::"]
        address = server.origin + server.place("Counter") + "/try"
        with visit(browser, address, script=script, run=False, expected=expected) as page:
            # Pages of a registry begin nothing by themselves.
            page.locator("[data-run] button, form button").first.click()
            page.wait_for_url("**/live/*")
            page.wait_for_selector("main:not([inert])")
            first = page.url
            reads(page, "Count 0")
            page.locator("main [data-id=add]").click()
            if script:
                until(lambda: page.evaluate("location.href") != first, "the page does not begin anew")
                until(lambda: said in page.locator("body").inner_text(),
                      lambda: f"after {deed} the page says {page.locator('body').inner_text()[:600]!r}")
            else:
                page.wait_for_selector("main.said")
                if said not in page.locator("body").inner_text():
                    raise Failed(f"after {deed} the page says {page.locator('body').inner_text()[:600]!r}")
                page.get_by_role("button", name="Begin anew").click()
                page.wait_for_url("**/live/*")
            reads(page, "Count 0")
        until(lambda: server.ended(reason) >= 1, lambda: f"after {deed} the ends are {server.metrics()}")
    return watch.judge()


@case(51, run="smoke")
def a_cell_that_crashes_costs_its_pages_alone(browser):
    return misbehaving(browser, "crash", script=False)


@case(51)
def a_page_whose_cell_never_answers_says_so_and_begins_anew(browser):
    return misbehaving(browser, "loop", script=True)


@case(51)
def cells_that_take_memory_or_files_or_time_cost_their_pages_alone(browser):
    return ", ".join(f"{deed}: {misbehaving(browser, deed, script)}"
                     for deed in DEEDS for script in (False, True))


@case(51)
def a_cell_that_is_refused_descriptors_and_threads_goes_no_further_than_its_limits(browser):
    found = []
    for deed in REFUSED:
        with registry(seed(Counter=counter()), deed=("act", deed)) as server, Watch(server) as watch:
            viewing = Preview(server, server.place("Counter"))
            for place in range(3):
                event = viewing.button("add")
                status, _, body = server.request("POST", f"{viewing.part}/actions", f'[{place + 1}, [["tap", "{event[1]}"]]]')
                if status == 410:
                    # It got so few that it could not continue, and the page says so.
                    found.append(f"{deed}: {words(body)}")
                    break
                for cell in server.cells():
                    threads = len(os.listdir(f"/proc/{cell}/task"))
                    if threads > 100:
                        raise Failed(f"after {deed} a cell has {threads} threads")
            else:
                found.append(f"{deed}: it continues")
        found.append(watch.judge())
    return ", ".join(found)


@case(53)
def a_call_that_is_not_allowed_ends_the_cell_and_is_counted(browser):
    # `execve` and `ptrace` as root, `open` and `connect` as the user that a registry should have.
    for user, calls in ((None, CALLS[2:4]), (ORDINARY, CALLS[:2])):
        for call in calls:
            forbidden(call, user)


@case(53)
def every_call_that_is_not_allowed_ends_the_cell_for_root_and_for_an_ordinary_user(browser):
    for user in (None, ORDINARY):
        for call in CALLS:
            forbidden(call, user)


def forbidden(call, user):
    with registry(seed(Counter=counter()), deed=("post", call), user=user) as server:
        viewing = Preview(server, server.place("Counter"))
        status, said = viewing.post(*viewing.button("add"))
        if status != 410 or "did something that widgets may not do" not in said:
            raise Failed(f"after {call} the registry answers {status}: {said}")
        if server.ended("forbidden") != 1:
            raise Failed(f"after {call} the ends are {server.metrics()}")
        if server.request("GET", "/v1/widgets/com.example.Counter")[0] != 200:
            raise Failed(f"after {call} the registry does not answer")


@case(54)
def no_cell_outlives_a_registry_that_is_killed(browser):
    times = []
    for user in (None, ORDINARY):
        # A machine with much to do is slow now and then.
        for _ in range(3):
            if (seconds := outlived(user)) <= 1:
                break
        else:
            raise Failed(f"cells run on for {seconds:.1f} s after the end of their registry")
        times.append(seconds)
    return f"{max(times) * 1000:.0f} ms"


def outlived(user):
    """Seconds for which cells run on after their registry was killed: one spins, others wait, and there is a spare."""
    with registry(seed("HarbourLog", Counter=counter()), deed=("post", "loop"), user=user) as server:
        quiet, spinning = Preview(server, server.place("HarbourLog")), Preview(server, server.place("Counter"))
        event = spinning.button("add")
        until(lambda: server.metrics("widgetd_cells_spare") >= 1, "a spare is missing")
        cells = server.cells()
        if len(cells) < 3 or not quiet.html():
            raise Failed(f"there are {len(cells)} cells")
        # It may spin for two seconds.
        threading.Thread(target=lambda: lost(spinning, event), daemon=True).start()
        time.sleep(0.3)
        begin = time.monotonic()
        kill(server)
        until(lambda: gone(cells), f"after the end of the registry some of {cells} run")
        return time.monotonic() - begin


def lost(viewing, event):
    """Sends an event that is never answered."""
    try:
        viewing.post(*event)
    except OSError:
        pass


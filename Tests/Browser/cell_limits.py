"""Cells within their limits: the calls that they make, the viewings that share one, and systems that lack what confines."""

import html
import json
import random
import re
import statistics
import subprocess
import threading
import time

from cell_material import ORDINARY, Preview, Watch, counter, registry, seed, without, words
from harness import Failed, case, registry_program
from live import free_port

SAMPLES = ("Aviary", "Forge", "HarbourLog", "Herbarium", "Orchestra", "Planetarium", "Postcard")
PARTS = ("limits", "no-new-privileges", "user", "no-capabilities", "user-namespace", "network-namespace", "message-namespace",
         "landlock", "seccomp")


def source(number):
    """An address of this machine; the registry bounds the pages of each."""
    return f"127.0.1.{number // 16 + 1}"


def events_of(page, chance):
    """An event that the page offers, and what a reader might type."""
    found = [json.loads(html.unescape(value)) for value in re.findall(r'<button[^>]*\svalue="([^"]*)"', page)]
    # That of the keyboard's return key is a form's alone.
    found = [event for event in found if event != ["enter"]]
    fields = re.findall(r'<(?:input[^>]*type="text"|textarea)[^>]*name="([^"]+)"', page)
    found += [["input", html.unescape(name), chance.choice(["a", "Ada Lovelace", "ü", ""])] for name in fields]
    return found


def use(server, number, count, seconds):
    """Sends so many events to pages of samples, chosen at random; the number that were taken."""
    chance, taken, serial, end = random.Random(number), 0, 1, time.monotonic() + seconds
    viewing = None
    while taken < count and time.monotonic() < end:
        if viewing is None:
            place = server.place(chance.choice(SAMPLES))
            viewing = Preview(server, place, source(number))
        status, _, body = server.request("GET", viewing.path, source=viewing.source)
        if status != 200:
            raise Failed(f"the page of {place} was answered with {status}: {words(body)}")
        offered = events_of(body.decode(), chance)
        serial += 1
        batch = [chance.choice(offered) for _ in range(25)] if offered else []
        status, _, body = server.request("POST", f"{viewing.part}/actions", json.dumps([serial, batch]), viewing.source,
                                         Content_Type="application/json")
        if status == 204:
            taken += len(batch)
        elif status != 429:
            raise Failed(f"events of {place} were answered with {status}: {words(body)}")
        # Another sample, if the page offers nothing, and before too many events of one page.
        if not offered or status == 429 or chance.random() < 0.3:
            server.request("POST", f"{viewing.path}/end", "", viewing.source)
            viewing = None
    return taken


def many_events(total, seconds):
    """Uses all samples at once."""
    taken, faults, viewings = [], [], 14

    def one(number):
        try:
            taken.append(use(server, number, total // viewings + 1, seconds))
        except Exception as failure:
            faults.append(str(failure))

    # First that a call outside the list is found: it fails, and with the next order the specimen exits with its number.
    with registry(seed(Counter=counter()), deed=("post", "count-open")) as server:
        viewing = Preview(server, server.place("Counter"))
        add = viewing.button("add")
        first, (status, said) = viewing.post(*add), viewing.post(*add)
        if first[0] != 303 or status != 410 or "exit code" not in said:
            raise Failed(f"a call outside the list was answered with {first}, and then with {status}: {said}")
    with registry(seed(*SAMPLES), deed=("-", "count")) as server:
        threads = [threading.Thread(target=one, args=(number,)) for number in range(viewings)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ends = {name: count for name, count in server.metrics().items() if "ended" in name and "idle" not in name and "done" not in name and count != "0"}
        if ends or faults:
            raise Failed(f"{ends}: {faults[:3]}")
        if sum(taken) < total:
            raise Failed(f"{sum(taken)} events were taken in {seconds} s")
    return f"{sum(taken):,} events"


@case(52)
def widgets_make_no_call_outside_the_list(browser):
    return many_events(500, 60)


@case(52, run="long")
def widgets_make_no_call_outside_the_list_in_ten_thousand_events(browser):
    return many_events(10_000, 600)


def shared(viewings, seconds):
    """Acts of others while one viewing of their cell spends all that its events may spend."""
    with registry(seed(Counter=counter()), settings={"WIDGETD_PREVIEW_VIEWINGS_PER_ADDRESS": "100"}) as server:
        place, times, faults, is_over = server.place("Counter"), [], [], threading.Event()
        spender, *others = [Preview(server, place) for _ in range(viewings)]
        spend = spender.button("spend")

        def spending():
            while not is_over.is_set():
                status, said = spender.post(*spend)
                if status not in (303, 429):
                    faults.append(f"{status} {said}")
                    return

        thread = threading.Thread(target=spending, daemon=True)
        thread.start()
        begin, place = time.monotonic(), 0
        adds = [viewing.button("add") for viewing in others]
        while time.monotonic() < begin + seconds:
            viewing, event = others[place % len(others)], adds[place % len(others)]
            place += 1
            start = time.monotonic()
            status, said = viewing.post(*event)
            times.append((time.monotonic() - start) * 1000)
            if status != 303:
                faults.append(f"{status} {said}")
            time.sleep(0.005)
        is_over.set()
        thread.join()
        if faults or server.metrics("widgetd_viewings") != viewings:
            raise Failed(f"{faults[:3]}, {server.metrics('widgetd_viewings')} viewings")
    return times


@case(55)
def one_viewing_that_spends_all_it_may_does_not_hold_up_the_others(browser):
    times = shared(64, 4)
    middle, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    # A build for debugging on a busy machine: `make bench` has the number of a release.
    if late > 1_000:
        raise Failed(f"events of others took {middle:.0f} ms, p95 {late:.0f} ms")
    return f"{len(times)} events of others, p50 {middle:.0f} ms, p95 {late:.0f} ms"


def check(lacks=(), user=None):
    """What `widgetd check` says of previews, and of each part."""
    identity = {} if user is None else {"user": user, "group": user, "extra_groups": []}
    done = subprocess.run([registry_program(), "check"], capture_output=True, text=True, timeout=60, cwd="/",
                          preexec_fn=without(*lacks) if lacks else None, **identity)
    found = re.search(r"^previews: (.*)\n((?:  .*\n)*)", done.stdout, re.MULTILINE)
    if done.returncode or not found:
        raise Failed(f"widgetd check ended with {done.returncode}: {done.stdout[-1000:]} {done.stderr}")
    return found[1], dict(line.strip().split(": ", 1) for line in found[2].splitlines())


def on(server):
    """The parts that are on, as the figures say."""
    figures = server.metrics()
    return {part for part in PARTS if figures[f'widgetd_cell_confinement{{part="{part}"}}'] == "1"}


def confined(lacks, user, off, expected):
    """A registry on a system that lacks something: its pages run widgets, which are confined by the rest."""
    state, parts = check(lacks, user)
    if state != "on" or any(not parts[name].startswith(said) for name, said in expected.items()):
        raise Failed(f"without {lacks}, as {user or 'root'}, previews are {state}: {parts}")
    for deed in ("open", "socket") if "seccomp" not in lacks else ("open",):
        with registry(seed(Counter=counter()), deed=("post", deed), lacks=lacks, user=user) as server:
            viewing = Preview(server, server.place("Counter"))
            if off & on(server) or "landlock" not in on(server) and "seccomp" not in on(server):
                raise Failed(f"without {lacks}, as {user or 'root'}, the figures say {on(server)}")
            status, said = viewing.post(*viewing.button("add"))
            if "seccomp" not in lacks and (status != 410 or server.ended("forbidden") != 1):
                raise Failed(f"without {lacks}, as {user or 'root'}, {deed} is answered with {status}: {said}")


@case(56)
def a_cell_is_confined_where_namespaces_are_forbidden(browser):
    namespaces = {"user-namespace", "network-namespace", "message-namespace"}
    said = {"namespace of networks": "off, since the system does not allow it", "Landlock": "on, version", "filter of calls": "on"}
    for user in (None, ORDINARY):
        confined(("namespaces",), user, namespaces, said)


@case(56)
def a_cell_is_confined_where_landlock_or_the_filter_is_missing(browser):
    for user in (None, ORDINARY):
        confined(("landlock",), user, {"landlock"}, {"Landlock": "off, since the kernel does not have it", "filter of calls": "on"})
        confined(("seccomp", "namespaces"), user, {"seccomp"}, {"Landlock": "on, version", "filter of calls": "off, since"})


@case(57)
def previews_are_off_and_the_registry_is_on_where_nothing_confines(browser):
    lacks = ("landlock", "seccomp", "namespaces")
    for user in (None, ORDINARY):
        state, parts = check(lacks, user)
        if not state.startswith("off, since") or not parts["Landlock"].startswith("off") or not parts["filter of calls"].startswith("off"):
            raise Failed(f"as {user or 'root'}, previews are {state}: {parts}")
        with registry(seed(Counter=counter()), lacks=lacks, user=user) as server:
            place = server.place("Counter")
            answers = {path: server.request(method, path)[0] for method, path in (
                ("GET", "/v1/widgets/com.example.Counter"), ("GET", f"{place}/try"), ("POST", f"{place}/run"))}
            if list(answers.values()) != [200, 404, 404] or server.cells():
                raise Failed(f"as {user or 'root'}, the registry answers {answers}, and its children are {server.cells()}")
            if "previews.off" not in server.log.read_text():
                raise Failed("the log does not say that previews are off")
            if "reviews.limited" not in server.log.read_text() or server.ended("done") != 1:
                raise Failed("the bundle was not reviewed by a process within the limits of the kernel alone")

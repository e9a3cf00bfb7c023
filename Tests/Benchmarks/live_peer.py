#!/usr/bin/env python3
"""The list of 10,000 rows as a page of PyView, which speaks Phoenix LiveView's protocol. Run by live.py.

    live_peer.py ROWS CHANGES

Needs pyview-web, uvicorn and websockets from PyPI. Prints `name|number`: bytes of the first page and of the answer that
follows it, with which LiveView's script begins; bytes of one change and milliseconds of the processor for it; bytes of a row
inserted at the front. The rows are LiveView's comprehension, as a plain `for` in a template makes it.
"""

import asyncio
import gzip
import html
import json
import os
import re
import socket
import sys
import threading
import time
import urllib.request

import uvicorn
import websockets
from pyview import LiveView, PyView
from pyview.template import LiveRender, LiveTemplate
from pyview.vendor import ibis

ROWS, CHANGES = int(sys.argv[1]), int(sys.argv[2])
SHOWN = 100
TEMPLATE = """<main><button phx-click="change">Change</button><button phx-click="insert">Insert</button>
<ul role="list">{% for person in people %}<li id="{{person.id}}"><p>{{person.name}}</p><p>{{person.note}}</p></li>{% endfor %}</ul>
</main>"""


class People(LiveView):
    async def mount(self, socket, session):
        people = [{"id": f"p{n}", "name": f"Person {n:05}", "note": "a note"} for n in range(ROWS)]
        socket.context = {"all": people, "people": people[:SHOWN], "count": 0}

    async def handle_event(self, event, payload, socket):
        context = socket.context
        context["count"] += 1
        if event == "change":
            context["all"][50]["note"] = f"note {context['count']}"
        else:
            context["all"].insert(0, {"id": f"new{context['count']}", "name": "Person", "note": "a note"})
        context["people"] = context["all"][:SHOWN]

    async def render(self, assigns, meta):
        return LiveRender(TEMPLATE_READ, assigns, meta)


TEMPLATE_READ = LiveTemplate(ibis.Template(TEMPLATE))


async def talk(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
        page = answer.read()
    text = page.decode()
    part = lambda pattern: html.unescape(re.search(pattern, text)[1])
    topic = "lv:" + part(r'id="(phx-[^"]+)"')
    say("page", len(page))
    say("page compressed", len(gzip.compress(page, 9, mtime=0)))
    join = {
        "url": f"http://127.0.0.1:{port}/", "session": part(r'data-phx-session="([^"]*)"'), "static": "",
        "params": {"_csrf_token": part(r'name="csrf-token" content="([^"]*)"')}}
    async with websockets.connect(f"ws://127.0.0.1:{port}/live/websocket?vsn=2.0.0", max_size=None) as stream:
        await stream.send(json.dumps(["4", "4", topic, "phx_join", join]))
        say("joined", len(await stream.recv()))

        async def send(event, count):
            size = 0
            begin = time.process_time()
            for number in range(count):
                await stream.send(json.dumps(
                    ["4", str(number + 5), topic, "event", {"type": "click", "event": event, "value": {}}]))
                size = len((await stream.recv()).encode())
            return size, (time.process_time() - begin) * 1000 / count

        size, taken = await send("change", CHANGES)
        say("change", size)
        say("time", taken)
        say("insert", (await send("insert", 1))[0])


def say(name, number):
    print(f"{name}|{number}", flush=True)


def main():
    app = PyView()
    app.add_live_view("/", People)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        asyncio.run(talk(listener.getsockname()[1]))
        server.should_exit = True
        thread.join(5)


if __name__ == "__main__":
    main()

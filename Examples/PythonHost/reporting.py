#!/usr/bin/env python3
"""The host in Python, and what its app has to do to report outcomes: the registry counts them by release, channel and day.

    reporting.py update|start|confirm|reject|watch …, with the options of host.py

docs/outcomes.md says what is sent, and Tests/Contract/vectors/rules/outcomes.json has the rule as data.
"""
import contextlib, http.client, json, random, threading, time, urllib.parse

import host

# Why a release counts as not installed. A lost connection does not count.
REASONS = ("archiveGone", "wrongSize", "wrongDigest", "wrongContent", "wrongIdentity", "bundle", "foreignAddress",
           "redirectedElsewhere", "redirectRefused")

def note(memory, report, content, day):
    """Notes an outcome once for a release, and a start once a day. It leaves the memory before it is sent."""
    letter = report["outcome"][0] if report["outcome"][0] in "isc" else "f"
    day, key = day if letter == "s" else 0, content + letter
    last = memory["noted"].pop(key, None)
    is_new = last is None or last < day
    # After a clock was ahead by days, starts are noted again from tomorrow on.
    memory["noted"][key] = day if is_new or last > day + 1 else last
    for old in list(memory["noted"])[:-128]:
        del memory["noted"][old]
    if is_new:
        memory["waiting"] = (memory["waiting"] + [report])[-16:]

def take(memory):
    """What is to be sent, and is not here any more."""
    taken, memory["waiting"] = memory["waiting"], []
    return taken

class ReportingHost(host.Host):
    """Each call sends at its end what is waiting; a host that watches sends it within a minute."""
    is_watching = is_rejecting = False
    timer = None

    def note(self, outcome, content, reason=None, release=None):
        release = release or self.state["releases"].get(content, {}).get("release")
        report = {"release": release, "channel": self.options.channel, "outcome": outcome}
        memory = self.state.setdefault("outcomes", {"noted": {}, "waiting": []})
        note(memory, report | ({"reason": reason} if reason else {}), content, int(time.time() // 86400))

    # What happens, within the lock of the state

    def take(self, document, candidate):
        content, is_here = candidate["content"], self.files(candidate["content"]) != {}
        try:
            line = super().take(document, candidate)
        except host.Refused as error:
            if error.args[0] in REASONS:
                self.note("not-installed", content, error.args[0], candidate["release"])
            raise
        if not is_here:
            self.note("installed", content)
        return line

    def line(self, end, content=None, **more):
        if end in ("started", "confirmed") and content:
            self.note(end, content)
        return super().line(end, content, **more)

    def fail(self, content):
        if content:
            self.note(*(("rejected", content, "app") if self.is_rejecting else ("went-back", content, "unconfirmed")))
        super().fail(content)

    # Calls, each of which reports at its end

    def reporting(self, call):
        try:
            return call()
        finally:
            self.report_later() if self.is_watching else self.report()

    def update(self):
        return self.reporting(super().update)

    def start(self):
        return self.reporting(super().start)

    def confirm(self):
        return self.reporting(super().confirm)

    def reject(self):
        self.is_rejecting = True
        return self.reporting(super().reject)

    def watch(self):
        self.is_watching = True
        return super().watch()

    # Sending

    def report_later(self):
        """A random moment of the next minute, so that a release does not bring all hosts at once."""
        if not self.timer or not self.timer.is_alive():
            self.timer = threading.Timer(random.random() * 60, self.report)
            self.timer.daemon = True
            self.timer.start()

    def report(self):
        with self.locked() as state:
            taken = take(state["outcomes"]) if "outcomes" in state else []
        if not taken:
            return
        # A host that cannot send goes on as before; nothing is sent again.
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            parts = urllib.parse.urlsplit(f"{self.registry}/v1/widgets/{self.options.widget}/outcomes")
            kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
            connection = kind(parts.hostname, parts.port, timeout=20)
            fields = {"Content-Type": "application/json"}
            connection.request("POST", parts.path, json.dumps({"outcomes": taken}), fields)
            connection.getresponse().read(65536)
            connection.close()

if __name__ == "__main__":
    host.main(ReportingHost)

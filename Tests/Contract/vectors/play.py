#!/usr/bin/env python3
"""Plays the vectors to a host in any language, and says which of them it does not pass.

    play.py [--only NAME] [--jobs N] -- COMMAND…
    play.py --faults host.py

The second form makes the mistakes of faults.json in copies of the host in Python, and says which of them no vector shows.

The command is called once for each step, as `COMMAND update|start --registry URL --cache FOLDER --widget ID` with
`--pin`, `--built-in`, `--installation` and `--then confirm|reject` where the step has them. Its last line of output is
JSON with `end`, `release`, `path` and `reason`; README.md explains the words. `COMMAND watch` is one process for all steps, and
prints a line for each event. The program ends with 1 if a vector is not passed.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parents[2] / "Examples" / "HostileRegistry" / "registry.py"
WIDGET = "com.example.Counter-1"


def ask(method, url):
    with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=90) as answer:
        return json.loads(answer.read() or b"null")


def allowed(value):
    return value if isinstance(value, list) else [value]


def take(command, step, registry, cache):
    """The line that the host prints for a step."""
    words = [step["do"], "--registry", registry, "--cache", cache, "--widget", WIDGET]
    for name, option in (("pin", "--pin"), ("installation", "--installation"), ("then", "--then")):
        if step.get(name, "end") != "end":
            words += [option, step[name]]
    if "builtIn" in step:
        words += ["--built-in", "/usr/share/BuiltIn.bundle"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=120, check=False)
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        return {"end": "no line", "release": None, "reason": (done.stderr or "").strip()[-300:]}


def is_altered(line, contents):
    """True if the folder of a started release has other files than the registry's, or others besides."""
    folder = pathlib.Path(line.get("path") or "/nowhere")
    found = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
             for path in folder.rglob("*") if path.is_file()}
    return found not in contents.get(line["release"], [])


class Watch:
    """A host that watches, in a process."""

    def __init__(self, command, registry, cache):
        words = ["watch", "--registry", registry, "--cache", cache, "--widget", WIDGET]
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([*command, *words], stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def wrong(self, expected, registry):
        """The reason why a step is not passed, or nothing."""
        # A host that prints nothing is ended, which ends its output.
        deadline = threading.Timer(90, self.process.kill)
        deadline.start()
        try:
            for number, right in enumerate(expected["lines"]):
                text = self.process.stdout.readline()
                if not text:
                    self.errors.seek(0)
                    return f"no line {number}, and 'end': 'no line': {self.errors.read().strip()[-300:]}"
                line = json.loads(text)
                if any(line.get(key) not in allowed(right.get(key)) for key in ("end", "release")):
                    return f"line {number}: expected {right}, and it was {line}"
            asked = ask("GET", f"{registry}/-/asked?{'&'.join(expected.get('never', []))}")
        finally:
            deadline.cancel()
        if unexpected := [one for one in expected.get("never", []) if one in asked]:
            return f"asks: {unexpected} was not expected: {asked}"
        rest = iter(asked)
        if not asked or asked[-1] != "feed" or not all(one in rest for one in expected["asks"]):
            return f"asks: expected {expected['asks']}, and it asked {asked}"
        return None

    def close(self):
        self.process.terminate()
        self.process.communicate()
        self.errors.close()


def play_watch(command, registry, steps):
    with tempfile.TemporaryDirectory() as cache, contextlib.ExitStack() as stack:
        watch = None
        for number, step in enumerate(steps):
            ask("POST", f"{registry}/-/step/{number}")
            watch = watch or stack.enter_context(contextlib.closing(Watch(command, registry, cache)))
            if wrong := watch.wrong(step["expect"], registry):
                return f"step {number}, watch: {wrong}"
    return None


def play(command, control, name, run):
    """The first step that does not end as it should, or nothing."""
    played = ask("POST", f"{control}/play/{name}/{run}")
    registry = played["registry"]
    try:
        if played["steps"][0]["do"] == "watch":
            return play_watch(command, registry, played["steps"])
        return play_steps(command, registry, played["steps"])
    finally:
        ask("POST", f"{registry}/-/end")


def play_steps(command, registry, steps):
    contents = ask("GET", f"{registry}/-/files")

    def sent():
        return sum(entry["bytes"] for entry in ask("GET", f"{registry}/-/log"))

    with tempfile.TemporaryDirectory() as cache:
        for number, step in enumerate(steps):
            ask("POST", f"{registry}/-/step/{number}")
            before, expected = sent(), step["expect"]
            line = take(command, step, registry, cache)
            wrong = [key for key in ("end", "release") if line.get(key) not in allowed(expected.get(key))]
            if line["end"] == "failed" and "reason" in expected and line.get("reason") not in allowed(expected["reason"]):
                wrong.append("reason")
            span = expected.get("transferred", {})
            if not span.get("atLeast", 0) <= sent() - before <= span.get("atMost", 1 << 60):
                wrong.append("transferred")
            if line["end"] == "started" and is_altered(line, contents):
                wrong.append("its files")
            if wrong:
                return f"step {number}, {step['do']}: {', '.join(wrong)}: expected {expected}, and it was {line}"
    return None


def play_all(command, control, only, jobs):
    """The runs, and those that were not passed."""
    runs = [(name, run) for name, runs in ask("GET", control).items() for run in runs if only in name]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda case: play(command, control, *case), runs))
    return runs, [(case, result) for case, result in zip(runs, results) if result]


def play_faults(source, control, jobs):
    rows, unseen = json.loads((HERE / "faults.json").read_text())["rows"], 0
    for row in rows:
        faulty = source
        for change in (row, *row.get("also", [])):
            assert faulty.count(change["replace"]) == 1, f"the host has not one place with {change['replace']}"
            faulty = faulty.replace(change["replace"], change["with"])
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "host.py"
            copy.write_text(faulty)
            _, failures = play_all([sys.executable, str(copy)], control, row["only"], jobs)
        # A host that crashes shows nothing about its vector.
        if not any("'end': 'no line'" not in result for _, result in failures):
            unseen += 1
            print(f"error: no vector shows this fault: {row['about']}")
    print(f"vectors: {len(rows) - unseen} of {len(rows)} faults were seen")
    return 1 if unseen else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a part of the names of the vectors to play")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--faults", help="the host in Python")
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    program = subprocess.Popen([sys.executable, PROGRAM, "--attended"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    control = program.stdout.readline().decode().strip()
    try:
        if options.faults:
            return play_faults(pathlib.Path(options.faults).read_text(), control, options.jobs)
        runs, failures = play_all(options.command, control, options.only, options.jobs)
    finally:
        program.stdin.close()
        program.wait()
    for (name, run), result in failures:
        print(f"error: {name} ({run}): {result}")
    print(f"vectors: {len(runs) - len(failures)} of {len(runs)} runs passed")
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""A host in Python, of the standard library alone: it fetches, verifies, starts and watches the releases of a widget.

    host.py update|start|confirm|reject|watch --registry URL --cache FOLDER --widget ID [--channel NAME]
        [--pin BUNDLE] [--built-in BUNDLE] [--installation NAME] [--then confirm|reject]

Each prints JSON: `end`, `release`, `path`, `reason`. docs/hosting.md, docs/http.md and Tests/Contract/vectors say when.
"""
import argparse, contextlib, fcntl, hashlib, http.client, io, json, os, pathlib, plistlib, random, re, secrets, shutil
import time, unicodedata, urllib.parse, zipfile, zlib

LIMIT, NUMBER = 64 << 20, (0, (1 << 63) - 1)
HEX, LABEL, KEY = "[0-9a-f]{64}", "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", "[0-9A-Za-z._+-]{1,64}"
KINDS = set("json plist strings stringsdict nib mom omo car png jpg jpeg gif heic webp ttf otf".split())
PROGRAMS = (b"\x7fELF", b"#!", b"PK", b"MZ", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
ENDS = {"stop": "stopped", "builtIn": "nothingToStart"}
DOCUMENT = {
    "widgetIdentifier": ".*", "bundleIdentifier": rf"(?=.{{1,155}}\Z){LABEL}(\.{LABEL})+", "channel": ".*",
    "sequence": (1, NUMBER[1]), "salt": "(?s:.*)", "candidates": [{
        "buckets": [(0, 10000)], "release": f"{KEY}~{KEY}", "sha256": HEX, "content": HEX, "size": (1, LIMIT),
        "url": r"[!-\[\]-~]+", "name": r"(?!\.{1,2}\Z)[^/\x00-\x1f]{1,200}", "files": [{
            "path": "(?s:.+)", "size": (0, LIMIT), "sha256": HEX, "offset": NUMBER, "compressedSize": NUMBER}]}]}

class Refused(Exception):
    """An answer that is not believed, or none: a reason of the vectors, and a detail."""

def check(is_true, reason, detail=""):
    if not is_true:
        raise Refused(reason, detail)

def ask(url, fields, timeout=20):
    """An answer without its body. Redirects are followed three times, at the same origin."""
    origin = urllib.parse.urlsplit(url)[:2]
    for _ in range(4):
        parts = urllib.parse.urlsplit(url)
        check(parts[:2] == origin, "redirectedElsewhere", url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname, parts.port, timeout=timeout)
        connection.request("GET", parts.path + (f"?{parts.query}" if parts.query else ""), headers=fields)
        answer = connection.getresponse()
        check(len(answer.headers.get_all("Content-Length") or []) < 2, "transfer", "two lengths")
        if answer.status not in (301, 302, 303, 307, 308):
            return answer
        url = urllib.parse.urljoin(url, answer.headers.get("Location") or "")
    raise Refused("redirectRefused", url)

def get(url, fields={}, limit=8 << 20):
    try:
        body = (answer := ask(url, fields)).read(limit + 1)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Refused("transfer", error)
    # A read with a limit does not say that the rest is missing.
    check(len(body) > limit or not answer.length, "transfer", "the connection was lost")
    return answer, body

def parse(data):
    """Strict JSON: UTF-8, no member twice, no number that JSON does not have, no half of a character."""
    def members(pairs):
        check(len(dict(pairs)) == len(pairs), "malformedDocument", "a member twice")
        return dict(pairs)
    try:
        value = json.loads(data.decode(), object_pairs_hook=members, parse_constant=lambda name: {}[name])
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, KeyError, RecursionError) as error:
        raise Refused("malformedDocument", error)
    check(isinstance(value, dict), "malformedDocument", "it is not an object")
    return value

def check_form(value, form, name=""):
    """Members by name, a list, numbers between two, or a text with a pattern."""
    check(type(value) is (int if isinstance(form, tuple) else type(form)), "contradiction", name)
    if isinstance(form, dict):
        for name, inner in form.items():
            check_form(value.get(name), inner, name)
    elif isinstance(form, list):
        for inner in value:
            check_form(inner, form[0], name)
    else:
        check(re.fullmatch(form, value) if type(form) is str else form[0] <= value <= form[1], "contradiction", name)

def content_digest(files):
    """Of paths with sizes and digests: lines in the order of the bytes of the paths."""
    lines = sorted((path.encode(), b"\0%d\0%s\n" % (size, digest.encode())) for path, size, digest in files)
    return hashlib.sha256(b"".join(path + rest for path, rest in lines)).hexdigest()

def content_of(files):
    return content_digest((path, len(data), hashlib.sha256(data).hexdigest()) for path, data in files.items())

def bucket(installation, bundle, salt):
    return int.from_bytes(hashlib.sha256(f"{installation}\n{bundle}\n{salt}".encode()).digest()[:8], "big") % 10000

def archive_address(registry, url):
    """A path of the contract is below the registry's address, and any other is resolved against it."""
    address = registry + url if url.startswith("/v1/") else urllib.parse.urljoin(registry + "/", url)
    check(urllib.parse.urlsplit(address)[:2] == urllib.parse.urlsplit(registry)[:2], "foreignAddress", address)
    return address

def check_document(document, widget, channel):
    """The form of the document, and statements that can be true together."""
    check_form(document, DOCUMENT)
    check((document["widgetIdentifier"], document["channel"]) == (widget, channel), "contradiction", "another subject")
    check(len(document["candidates"]) <= 16, "contradiction", "too many candidates")
    for one in document["candidates"]:
        check(len(one["buckets"]) == 2 and one["buckets"][0] < one["buckets"][1], "contradiction", "buckets")
        place, before = 0, b""
        for file in one["files"]:
            check(file["offset"] >= place and file["path"].encode() > before, "contradiction", "order of files")
            place, before = file["offset"] + file["compressedSize"], file["path"].encode()
        check(one["files"] and place <= one["size"], "contradiction", "files beyond the archive")
        check(sum(file["size"] for file in one["files"]) <= 4 * LIMIT, "contradiction", "files too large together")
        listed = content_digest((file["path"], file["size"], file["sha256"]) for file in one["files"])
        check(listed == one["content"], "contradiction", "content digest")
    spans = sorted(one["buckets"] for one in document["candidates"])
    check(all(one[1] <= other[0] for one, other in zip(spans, spans[1:])), "contradiction", "overlap")

def unpack(archive, folder):
    """The files of an archive that can be read in one way."""
    files = {}
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as source:
            check(sum(entry.file_size for entry in source.infolist()) <= 4 * LIMIT, "bundle", "expanded")
            # Archives have entries for folders too. A link and a device have other bits than a file.
            for entry in (entry for entry in source.infolist() if not entry.is_dir()):
                path, kind = entry.orig_filename.removeprefix(folder + ".bundle/"), entry.external_attr >> 28 & 7
                check(path != entry.orig_filename and path not in files and not kind, "bundle", path)
                files[path] = source.read(entry)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, EOFError) as error:
        raise Refused("bundle", error)
    return files

def check_bundle(files, document, candidate):
    """Safe paths, nothing executable, the announced identity and contents."""
    names = [unicodedata.normalize("NFC", path).casefold() for path in files]
    folders = {name[:end.start()] for name in names for end in re.finditer("/", name)}
    check(len({*names}) == len(names) and not folders & {*names}, "bundle", "a path twice, or a file and a folder")
    for (path, data), name in zip(files.items(), names):
        parts = name.split("/")
        check(len(parts) <= 32 and not re.search(r"[\\\x00-\x1f]|^\w:", path), "bundle", path)
        check(all(part and part[0] != "." for part in parts), "bundle", path)
        check(parts[-1].rpartition(".")[2] in KINDS and not data.startswith(PROGRAMS), "bundle", path)
    try:
        for data in (data for path, data in files.items() if path.endswith(".json")):
            json.loads(data.decode())
        info = plistlib.loads(files["Info.plist"])
        found = f"{info.get('CFBundleShortVersionString', '1.0')}~{info.get('CFBundleVersion', '1')}"
    except (ValueError, KeyError, AttributeError, RecursionError, plistlib.InvalidFileException) as error:
        raise Refused("bundle", error)
    check(info.get("CFBundleIdentifier") == document["bundleIdentifier"], "wrongIdentity", info)
    # Releases of a snapshot channel have the beginning of the content digest as well.
    check(candidate["release"] in (found, f"{found}+{candidate['content'][:12]}"), "wrongIdentity", found)
    check(content_of(files) == candidate["content"], "wrongContent")
    return files

class Host:
    """The cache of one widget, and its registry."""
    def __init__(self, options):
        self.options, self.registry = options, options.registry.rstrip("/")
        self.folder = pathlib.Path(options.cache, "widgets", options.widget)
        name = pathlib.Path(options.cache, "installation")
        self.feed, self.tag = f"{self.registry}/v1/changes?widget={options.widget}", None
        self.folder.mkdir(parents=True, exist_ok=True)
        if options.installation or not name.exists():
            name.write_text(options.installation or secrets.token_hex(16), "utf-8")
        self.installation = name.read_text("utf-8").rstrip("\n")

    @contextlib.contextmanager
    def locked(self):
        """The state, read and written by one process at a time."""
        with open(self.folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.state = {"current": None, "confirmed": None, "trial": None, "releases": {}, "failed": [], "seen": {},
                          "withdrawn": {}}
            with contextlib.suppress(FileNotFoundError):
                self.state |= json.loads((self.folder / "state.json").read_text())
            yield self.state
            (self.folder / ".state").write_text(json.dumps(self.state))
            os.replace(self.folder / ".state", self.folder / "state.json")

    def files(self, content):
        """The files of a release that is here; none if it is damaged."""
        with contextlib.suppress(OSError, KeyError):
            release = self.state["releases"][content]
            found = {path: pathlib.Path(release["path"], path).read_bytes() for path in release["files"]}
            return found if content_of(found) == content else {}
        return {}

    def line(self, end, content=None, **more):
        release = self.state["releases"].get(content, {})
        return {"end": end, "release": release.get("release"), "path": release.get("path"), **more}

    def update(self):
        with self.locked() as state:
            try:
                document, mine = self.resolve()
                directive = state["withdrawn"].get(state["current"])
                check(mine or directive not in ENDS, ENDS.get(directive))
                if mine and mine["content"] not in state["failed"]:
                    return self.take(document, mine)
                check(state["current"], "startFailed" if mine else "nothingOffered")
                return self.line("same", state["current"])
            except Refused as error:
                reason = error.args[0]
                return self.line("failed", state["current"] if reason not in ENDS.values() else None, reason=reason)

    def resolve(self):
        """The document and this installation's candidate, if they may be believed."""
        query = {"channel": self.options.channel} | ({"pin": self.options.pin} if self.options.pin else {})
        answer, body = get(f"{self.registry}/v1/widgets/{self.options.widget}?{urllib.parse.urlencode(query)}")
        if answer.status == 410:
            self.withdraw(parse(body))
            raise Refused(ENDS.get(self.state["withdrawn"].get(self.state["current"]), "withdrawn"))
        check(answer.status == 200, "status", answer.status)
        document = parse(body)
        check_document(document, self.options.widget, self.options.channel)
        bundle = document["bundleIdentifier"]
        known = self.state["releases"].get(self.state["current"], {}).get("bundle")
        check(self.options.widget.startswith(bundle), "foreignBundle", bundle)
        check(self.options.pin in (None, bundle), "pinMismatch", bundle)
        check(self.options.pin or len(bundle) <= len(known or bundle), "anotherBundle", bundle)
        place = bucket(self.installation, bundle, document["salt"])
        mine = next((one for one in document["candidates"] if one["buckets"][0] <= place < one["buckets"][1]), None)
        question = document["question"] = f"{self.registry} {bundle} {self.options.channel}"
        sequence, (seen, content) = document["sequence"], self.state["seen"].get(question, (0, None))
        check(sequence >= seen, "staleSequence", sequence)
        check(sequence < seen + (1 << 32), "sequenceJump", sequence)
        check(sequence > seen or not content or mine and mine["content"] == content, "sequenceRewritten", sequence)
        if not mine and sequence > seen:
            self.state["seen"][question] = (sequence, None)
        self.withdraw(document)
        return document, mine

    def withdraw(self, document):
        """A list of withdrawn releases takes the place of the one from before."""
        self.state["withdrawn"] = {one["content"]: one["directive"] for one in document.get("withdrawn", [])}

    def take(self, document, candidate):
        """Makes a candidate current, and fetches it if it is not here."""
        state, content, name = self.state, candidate["content"], f"{candidate['name']}.bundle"
        is_here = self.files(content) != {}
        if not is_here:
            files, staged = self.fetch(document, candidate), self.folder / ".staged"
            shutil.rmtree(staged, ignore_errors=True)
            for path, data in files.items():
                (staged / name / path).parent.mkdir(parents=True, exist_ok=True)
                (staged / name / path).write_bytes(data)
            shutil.rmtree(self.folder / content, ignore_errors=True)
            staged.rename(self.folder / content)
            state["releases"][content] = {"release": candidate["release"], "path": str(self.folder / content / name),
                                          "bundle": document["bundleIdentifier"], "files": list(files)}
        end = "same" if is_here and state["current"] == content else "new"
        state["seen"][document["question"]], state["current"] = (document["sequence"], content), content
        return self.line(end, content)

    def fetch(self, document, candidate):
        """The files: those that are missing as ranges of the archive, or all from the whole."""
        address = archive_address(self.registry, candidate["url"])
        tag = f'"sha256-{candidate["sha256"]}"'
        with contextlib.suppress(Refused, zlib.error):
            return check_bundle(self.delta(candidate, address, tag), document, candidate)
        answer, archive = get(address, limit=candidate["size"])
        check(answer.status not in (404, 410), "archiveGone", answer.status)
        check(answer.status == 200 and answer.headers.get("ETag") == tag, "transfer", answer.status)
        check(len(archive) == candidate["size"], "wrongSize", len(archive))
        check(hashlib.sha256(archive).hexdigest() == candidate["sha256"], "wrongDigest")
        return check_bundle(unpack(archive, candidate["name"]), document, candidate)

    def delta(self, candidate, address, tag):
        here = {hashlib.sha256(data).hexdigest(): data for content in self.state["releases"]
                for data in self.files(content).values()} | {hashlib.sha256(b"").hexdigest(): b""}
        missing = [file for file in candidate["files"] if file["sha256"] not in here]
        check(sum(file["compressedSize"] + 300 for file in missing) < candidate["size"] // 2, "wrongSize")
        for file in missing:
            first, last = file["offset"], file["offset"] + file["compressedSize"] - 1
            answer, data = get(address, {"Range": f"bytes={first}-{last}", "If-Range": tag}, last - first + 1)
            check(answer.status == 206 and answer.headers.get("ETag") == tag, "transfer", answer.status)
            check(answer.headers.get("Content-Range") == f"bytes {first}-{last}/{candidate['size']}", "transfer")
            # Raw deflate, without the header of zlib.
            plain = zlib.decompressobj(-15).decompress(data, file["size"] + 1) if file["method"] == "deflate" else data
            check(hashlib.sha256(plain).hexdigest() == file["sha256"], "wrongDigest", file["path"])
            here[file["sha256"]] = plain
        return {file["path"]: here[file["sha256"]] for file in candidate["files"]}

    def start(self):
        with self.locked() as state:
            self.fail(state["trial"])
            for content in filter(None, (state["current"], state["confirmed"])):
                directive = state["withdrawn"].get(content)
                if directive == "stop":
                    return self.line("stopped")
                if directive == "builtIn":
                    break
                if self.files(content):
                    state["trial"] = content if content != state["confirmed"] else None
                    return self.line("started", content)
            return self.line("builtIn" if self.options.built_in else "nothing") | {"path": self.options.built_in}

    def fail(self, content):
        """The content is not started or offered again; the one that was confirmed last takes its place."""
        state, before = self.state, self.state["confirmed"]
        state["failed"] += [content] if content else []
        for name, other in (("trial", None), ("confirmed", None), ("current", before if before != content else None)):
            state[name] = other if state[name] == content else state[name]

    def confirm(self):
        with self.locked() as state:
            state["confirmed"], state["trial"] = state["trial"] or state["confirmed"], None
            return self.line("confirmed", state["confirmed"])

    def reject(self):
        with self.locked() as state:
            self.fail(state["trial"] or state["current"])
            return self.line("rejected", state["current"])

    def watch(self):
        """A line for the start, and for each end of an update that is news; nothing is shown, so each start is good."""
        last, pause = self.start(), 1
        yield last
        while True:
            self.confirm()
            # A change after this is in the feed, if it is not in the answer already.
            self.tag = self.tag or self.newest()
            line = self.update()
            if line["end"] != "same" and line != last:
                yield line
                if line["end"] == "new" or line.get("reason") in ENDS.values():
                    yield self.start()
            last, pause = line, 1 if self.follow() else min(pause * 2, 300)
            # None asks more than once a second, and the hosts of a feed not all at once.
            time.sleep(pause + random.random())

    def newest(self):
        """The newest tag; 0, from which all changes follow, if the registry does not know `latest`."""
        with contextlib.suppress(Refused):
            answer, body = get(self.feed + "&since=latest")
            return "0" if answer.status == 400 else parse(body).get("next")

    def follow(self):
        """Reads the feed to a change of the widget; false if it ends before, or is silent for 45 seconds."""
        fields = {"Accept": "text/event-stream"} | ({"Last-Event-ID": self.tag} if self.tag else {})
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, Refused):
            answer, event = ask(self.feed, fields, timeout=45), {}
            # 400: the feed is another one, or was put back to an older copy.
            self.tag = None if answer.status == 400 else self.tag
            while answer.status == 200 and (line := answer.readline(65536)):
                name, _, value = line.partition(b":")
                event |= {name: value.strip()} if name in (b"id", b"data") else {}
                if not line.strip():
                    self.tag = event.pop(b"id", b"").decode() or self.tag
                    # An event that is not about a bundle is passed over.
                    with contextlib.suppress(Refused, KeyError, TypeError):
                        if self.options.widget.startswith(parse(event.pop(b"data"))["bundleIdentifier"]):
                            return True
        return False

def main(kind=Host):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["update", "start", "confirm", "reject", "watch"])
    for name in ("registry", "cache", "widget", "pin", "built-in", "installation", "then"):
        parser.add_argument(f"--{name}", required=name in ("registry", "cache", "widget"))
    parser.add_argument("--channel", default="stable")
    host = kind(options := parser.parse_args())
    for line in host.watch() if options.command == "watch" else [getattr(host, options.command)()]:
        print(json.dumps(line), flush=True)
    if options.then in ("confirm", "reject"):
        getattr(host, options.then)()

if __name__ == "__main__":
    main()

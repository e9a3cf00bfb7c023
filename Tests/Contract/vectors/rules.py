#!/usr/bin/env python3
"""Compares the functions of the host in Python with the tables under `rules`. PYTHONPATH names the folder of host.py."""

import base64
import hashlib
import json
import pathlib
import zlib

import host

RULES = pathlib.Path(__file__).resolve().parent / "rules"


def table(name):
    return json.loads((RULES / f"{name}.json").read_text())


def main():
    buckets = table("buckets")
    for row in buckets["rows"]:
        assert host.bucket(row["installation"], row["bundle"], row["salt"]) == row["bucket"], row
    fleet = buckets["fleet"]
    names = [hashlib.sha256(str(number).encode()).hexdigest()[:32] for number in range(fleet["count"])]
    places = [host.bucket(name, fleet["bundle"], fleet["salt"]) for name in names]
    lines = "".join(f"{place}\n" for place in places)
    assert hashlib.sha256(lines.encode()).hexdigest() == fleet["sha256"]
    assert sum(place < 3000 for place in places) == fleet["inRollout"]
    for row in table("digests")["rows"]:
        assert host.content_of({file["path"]: file["text"].encode() for file in row["files"]}) == row["content"], row
    ranges = table("ranges")
    archive = base64.b64decode(ranges["archive"])
    for row in ranges["rows"]:
        file = row["file"]
        first, last = file["offset"], file["offset"] + file["compressedSize"] - 1
        assert row["range"] == (f"bytes={first}-{last}" if file["compressedSize"] else None), row
        data = archive[first:last + 1]
        assert (zlib.decompress(data, -15) if file["method"] == "deflate" else data).decode() == row["text"], row
    print("vectors: the host's functions agree with the rules")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Reads pages with html5lib in strict mode, which accepts nothing that the standard calls an error.

    Tests/Fuzz/pages.py FOLDER      every *.html in it
"""

import os
import sys

import html5lib


def fault(path):
    """The first error of a page with what is around it, or nothing."""
    with open(path, "rb") as file:
        page = file.read()
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(page)
    if not parser.errors:
        return None
    (line, column), code, values = parser.errors[0]
    text = page.decode("utf-8", "replace").split("\n")[line - 1]
    return f"{path}:{line}:{column}: {code} {values}: {text[max(0, column - 80):column + 20]!r}"


def main():
    folder = sys.argv[1]
    paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".html"))
    faults = [found for found in map(fault, paths) if found]
    for found in faults[:20]:
        print(found, file=sys.stderr)
    print(f"html5lib: {len(paths)} pages, {len(faults)} with errors")
    return 1 if faults or not paths else 0


if __name__ == "__main__":
    sys.exit(main())

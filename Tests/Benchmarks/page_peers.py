#!/usr/bin/env python3
"""What others take for a page of ours: Chromium to lay it out, html5lib to write it. Run by pages.py.

    page_peers.py FOLDER      a folder with index.html and its sheets; prints `name|milliseconds`
"""

import os
import sys
import time

import html5lib
from playwright.sync_api import sync_playwright

LAYOUT = "() => { const m = document.querySelector('main'); m.style.display = 'none'; m.offsetHeight; " \
    "const begin = performance.now(); m.style.display = ''; m.offsetHeight; return performance.now() - begin }"


def layout(path):
    """The least of five: styles, layout and nothing painted."""
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"])
        try:
            page = browser.new_page(viewport={"width": 375, "height": 667}, bypass_csp=True)
            page.goto(f"file://{path}")
            return min(page.evaluate(LAYOUT) for _ in range(5))
        finally:
            browser.close()


def writing(path):
    """The least of three: a tree that is read already, as text."""
    with open(path, "rb") as file:
        tree = html5lib.parse(file.read())
    times = []
    for _ in range(3):
        begin = time.process_time()
        html5lib.serialize(tree)
        times.append((time.process_time() - begin) * 1000)
    return min(times)


def main():
    path = os.path.abspath(os.path.join(sys.argv[1], "index.html"))
    print(f"Chromium, styles and layout of the page of the cards|{layout(path)}")
    print(f"html5lib, writing the page of the cards|{writing(path)}")


if __name__ == "__main__":
    main()

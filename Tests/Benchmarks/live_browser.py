#!/usr/bin/env python3
"""A live page in Chromium, tapped about once a second. Run by live.py, by the Python that has playwright.

    live_browser.py ADDRESS COUNT TITLE

Prints `name|number` in milliseconds, from the moment that the browser dispatched the click: until the page's elements had
changed, until the frame that shows the change was painted, and until the frame after it began; medians and the 95th of 100.
The same three for a change that the page makes by itself, without a server: what is the browser's own.
"""

import os
import random
import sys

from playwright.sync_api import sync_playwright

RECORD = """title => {
  const samples = window.samples = [];
  let start;
  const record = begin => {
    const changed = performance.now();
    requestAnimationFrame(() => {
      const channel = new MessageChannel, sample = { changed: changed - begin };
      channel.port1.onmessage = () => { sample.painted = performance.now() - begin; };
      channel.port2.postMessage(0);
      requestAnimationFrame(now => { sample.next = performance.now() - begin; samples.push(sample); });
    });
  };
  new MutationObserver(() => { if (start) { record(start); start = 0; } })
    .observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener("click", event => { start = event.timeStamp; }, true);
  const probe = document.createElement("button");
  probe.textContent = "Local";
  probe.type = "button";
  probe.id = "probe";
  Object.assign(probe.style, { position: "fixed", bottom: "0", left: "0", zIndex: 999 });
  document.querySelector("main").prepend(probe);
  probe.addEventListener("click", () => { probe.textContent = "Local " + Math.random(); });
}"""


def measured(page, box, count, chance):
    page.evaluate("() => { samples.length = 0 }")
    for _ in range(count):
        page.mouse.click(*box)
        page.wait_for_timeout(chance.uniform(500, 1500))
    return page.evaluate("() => samples")


def say(name, samples):
    for part in ("changed", "painted", "next"):
        values = sorted(sample[part] for sample in samples if part in sample)
        if values:
            print(f"{name} {part} p50|{values[len(values) // 2]}\n{name} {part} p95|{values[len(values) * 95 // 100]}")
    print(f"{name} count|{len(samples)}", flush=True)


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def main():
    address, count, title = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    chance = random.Random(25)
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"])
        try:
            page = browser.new_page(viewport={"width": 375, "height": 667})
            page.goto(address)
            # The script begins a viewing when the still is seen.
            page.wait_for_function("() => location.pathname.startsWith('/live/') && !document.querySelector('[data-run]')")
            button = page.get_by_role("button", name=title, exact=True)
            button.wait_for()
            page.wait_for_timeout(500)
            page.evaluate(RECORD, title)
            measured(page, middle(button), 3, chance)
            say("live", measured(page, middle(button), count, chance))
            say("local", measured(page, middle(page.locator("#probe")), max(3, count // 3), chance))
        finally:
            browser.close()


if __name__ == "__main__":
    main()

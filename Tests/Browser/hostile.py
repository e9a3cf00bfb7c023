"""Texts of strangers, shown as texts."""

import json

from harness import Failed, ROOT, case, folder, page_of
import shutil

TEXTS = [
    "</p><script>alert(1)</script>", "\" onclick=\"alert(1)", "<img src=x onerror=alert(1)>", "&lt;b&gt; &amp;",
    "\u202Egnirts a\u202C \u2066x\u2069", "e" + "\u0301" * 60, "]]><!--", "\u0001\u007F\u0085", "{{constructor}}",
    "javascript:alert(1)", "\u2028\u2029", "x" * 3000,
]


@case(47, run="smoke")
def texts_with_markup_show_as_texts(browser):
    bundle = folder() / "Hostile"
    shutil.copytree(ROOT / "Bundles" / "HarbourLog", bundle)
    service = json.loads((bundle / "StubService.json").read_text())

    def poison(node, texts):
        if isinstance(node, dict):
            return {key: texts.pop(0) if key in ("title", "text", "name") and isinstance(value, str) and texts
                    else poison(value, texts) for key, value in node.items()}
        return [poison(value, texts) for value in node] if isinstance(node, list) else node

    (bundle / "StubService.json").write_text(json.dumps(poison(service, list(TEXTS))))
    with browser.page(page_of(bundle, width=375, height=667), 375, 667) as page:
        page.on("dialog", lambda dialog: (_ for _ in ()).throw(Failed("a script ran")))
        if page.locator("script").count() or page.locator("[onclick], [onerror]").count():
            raise Failed("a text became markup")
        shown = page.locator("body").inner_text()
        for text in TEXTS[:3]:
            if text not in shown:
                raise Failed(f"{text} is not shown:\n{shown[:2000]}")
        if page.messages:
            raise Failed(f"{page.messages}")

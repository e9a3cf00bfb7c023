internal import Bytes
internal import HTTPWire

/// What every page has around its content: it runs no script and loads nothing.
enum PageFrame {
    static let mediaType = "text/html; charset=utf-8"

    /// What keeps a page from doing anything.
    static let fields = FieldBlock([
        "Content-Security-Policy":
            "default-src 'none'; style-src 'sha256-\(Digest.sha256(Array(style.description.utf8))?.base64 ?? "")'; "
            + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
    ])

    /// Everything before the rest of the header; who writes it closes that and opens the main part.
    static func begin(_ title: String, to html: inout HTMLWriter) {
        html.markup(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="icon" href="data:,">

            """)
        html.element("<title>", title, "</title>\n<style>")
        html.markup(style)
        html.markup("</style>\n</head>\n<body>\n<header>\n")
        html.element("<h1>", title, "</h1>\n")
    }

    static func end(_ html: inout HTMLWriter) { html.markup("</main>\n</body>\n</html>\n") }

    /// All of a page's style. The page's policy names its digest, so it is written as it stands here.
    static let style: StaticString = """
        :root { color-scheme: light dark; --ink: #1a1c1e; --soft: #5b6168; --line: #d8dce0; --paper: #fff; --wash: #f4f6f8; --accent: #0b57d0 }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e6e8ea; --soft: #9aa2aa; --line: #353a40; --paper: #16181a; --wash: #1f2226; --accent: #8ab4f8 }
        }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 56rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
        h1 { margin: 0; font-size: 1.5rem }
        h2 { margin: 0; font-size: 1.1rem }
        p { margin: .5rem 0 }
        a { color: var(--accent) }
        header { margin-bottom: 2rem }
        .soft { color: var(--soft) }
        article { margin: 0 0 1.25rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .6rem }
        code, pre { font: .875rem/1.5 ui-monospace, monospace }
        pre { margin: .75rem 0 0; padding: .75rem 1rem; overflow-x: auto; border-radius: .4rem; background: var(--wash) }
        h2, code, td, th { overflow-wrap: anywhere }
        table { width: 100%; margin: .75rem 0 0; border-collapse: collapse }
        th { padding: .25rem .5rem .25rem 0; color: var(--soft); font-size: .8125rem; font-weight: 500; text-align: start }
        td { padding: .25rem .5rem .25rem 0; border-top: 1px solid var(--line) }
        """
}

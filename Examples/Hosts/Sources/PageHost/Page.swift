/// The page of this server, with its own content and its own styles. The widgets do not change them, and they do not change the
/// widgets, though both use the same names.
enum Page {
    static func text(_ visitors: String, _ guests: String, script: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>The house at the lake</title>
        <link rel="stylesheet" href="/page.css">
        \(script)
        </head>
        <body>
        <header class="bar"><h1>The house at the lake</h1></header>
        <div class="root">
        <p class="f">How many are here now, and how many are expected.</p>
        <section><h2>Visitors</h2>\(visitors)</section>
        <section><h2>Guests</h2>\(guests)</section>
        <form class="f"><input name="w" placeholder="Search this site"><button class="b">Search</button></form>
        </div>
        </body>
        </html>

        """
    }

    static let sheet = """
        :root { color-scheme: light dark; --label: #804000; --tint: #804000 }
        html { font-size: 62.5% }
        * { letter-spacing: .02em; line-height: 1.7 }
        body { margin: 0 auto; max-width: 90rem; padding: 2rem; font: 1.8rem Georgia, serif;
               color: light-dark(#2b2118, #f3e9dd); background: light-dark(#fbf6ee, #1d1712) }
        h1 { margin: 0; text-transform: uppercase; font-size: 3.2rem; color: light-dark(#7a2e00, #ffb68a) }
        .bar { display: block; position: static; padding: 2rem 0; border-bottom: 2px solid }
        .root { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; position: static }
        .f { grid-column: 1 / -1; position: static; font-style: italic }
        .b { border: 2px solid; border-radius: 0; padding: .4rem 2rem }
        widget-view { height: 32rem; border: 1px solid; border-radius: 1.2rem; overflow: hidden }
        @media (max-width: 600px) { .root { grid-template-columns: 1fr } }

        """

    /// No script and no sheet but those of this server.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
        + "base-uri 'none'; require-trusted-types-for 'script'; trusted-types page"
}

internal import WidgetRender

/// The stylesheet of pages that say what has happened, such as that a widget has ended. It comes after the base sheet.
///
/// Colours are pairs for light and dark; each text has a contrast of at least 4.5 with its ground.
package enum LiveSheet {
    /// The name by which the file never changes.
    package static let fileName = "live-\(PageFiles.digest(of: bytes)).css"

    package static let bytes = Array(text.utf8)

    static let text = """
        /* Live pages: sentences. */
        .said{max-width:40rem;margin:0 auto;padding:10vh 20px 40px;font:1rem/1.5 system-ui,sans-serif}
        .said h1{margin:0 0 .5em;font-size:1.5rem;line-height:1.25}.said h2{margin:2em 0 .5em;font-size:1.125rem}
        .said button{min-height:44px;padding:10px 24px;border:0;border-radius:22px;font:inherit;font-weight:600;\
        color:#fff;background:#0057b8;cursor:pointer}.said a{color:light-dark(#0057b8,#8ab8ff)}
        .said textarea{box-sizing:border-box;width:100%;min-height:5em;font:inherit}
        .said h1:focus{outline:none}
        @media (forced-colors:active){.said button{border:1px solid ButtonText}}

        """
}

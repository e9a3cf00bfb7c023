internal import WidgetRender

/// The stylesheet of what live pages have around a widget: the line about the page, links, and *Run* over a still.
///
/// It comes after the sheet of all programs. Colours are pairs for light and dark; each text has a contrast of at least
/// 4.5 with its ground.
package enum LiveSheet {
    /// The name by which the file never changes.
    package static let fileName = "live-\(PageFiles.digest(of: bytes)).css"

    package static let bytes = Array(text.utf8)

    /// The widget gets the height that the line leaves. An empty line takes no room, but stays for assistive technology,
    /// which reads what appears in it later.
    static let text = """
        /* Live pages: the line about the page, and Run over a still. */
        .page,body:has(>.status){display:flex;flex-direction:column;position:relative}
        .page>.w,body:has(>.status)>.w{flex:1;height:auto;min-height:0}
        :is(body,.page)>.status{display:block;box-sizing:border-box;flex:none;order:1;width:auto;height:auto;max-height:30dvh;overflow:auto;\
        margin:0;padding:0;border-radius:0;font:.875rem/1.4 system-ui,sans-serif;overflow-wrap:anywhere;\
        white-space:pre-wrap;color:light-dark(#1c1c1e,#f2f2f7);background:light-dark(#f2f2f7,#1c1c1e)}
        :is(body,.page)>.status:not(:empty){padding:8px 16px;border-top:1px solid light-dark(#6c6c70,#98989d)}
        :is(body,.page)>.status a{color:inherit}
        :is(body,.page)>.ways{box-sizing:border-box;position:relative;z-index:6;flex:none;order:2;display:flex;flex-wrap:wrap;gap:2px 20px;\
        margin:0;padding:8px 16px;font:.875rem/1.5 system-ui,sans-serif;background:light-dark(#f2f2f7,#1c1c1e);\
        border-top:1px solid light-dark(#c6c6c8,#48484a)}
        :is(body,.page)>.ways a{padding:2px 0;color:light-dark(#0057b8,#8ab8ff)}
        :is(body,.page)>.ways a:focus-visible{outline:2px solid;outline-offset:2px;border-radius:2px}
        .said{max-width:40rem;margin:0 auto;padding:10vh 20px 40px;font:1rem/1.5 system-ui,sans-serif}
        .said h1{margin:0 0 .5em;font-size:1.5rem;line-height:1.25}.said h2{margin:2em 0 .5em;font-size:1.125rem}
        .said button{min-height:44px;padding:10px 24px;border:0;border-radius:22px;font:inherit;font-weight:600;\
        color:#fff;background:#0057b8;cursor:pointer}.said a{color:light-dark(#0057b8,#8ab8ff)}
        .said textarea{box-sizing:border-box;width:100%;min-height:5em;font:inherit}
        [data-run]{position:absolute;z-index:5;inset:0;display:grid;place-items:center;margin:0;background:#0003}
        [data-run]>button{min-width:120px;min-height:44px;padding:10px 28px;border:0;border-radius:22px;cursor:pointer;\
        font:600 1.0625rem/1.3 system-ui,sans-serif;color:#fff;background:#0057b8;transition:background .2s}
        [data-run]>button:hover{background:#004a9c}
        [data-run]>button:focus-visible{outline:3px solid light-dark(#000,#fff);outline-offset:2px}
        .w :is(h1,h2,h3,h4,h5,h6):focus,.w:focus{outline:none;box-shadow:none}
        @media (prefers-contrast:more){:is(body,.page)>.status{color:light-dark(#000,#fff);background:light-dark(#fff,#000)}}
        @media (forced-colors:active){:is(body,.page)>.status:not(:empty){border-top:1px solid CanvasText}\
        [data-run]{background:none}[data-run]>button{border:1px solid ButtonText}}
        @media (prefers-reduced-motion:reduce){[data-run]>button{transition:none}}

        """
}

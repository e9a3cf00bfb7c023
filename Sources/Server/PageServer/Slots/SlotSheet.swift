internal import WidgetLive
internal import WidgetRender

/// The stylesheet of a page with several widgets: a calm ground, a card for each slot, and the sizes of its slots.
///
/// It comes after the sheets of widgets, and no rule of it reaches into one. Texts have a contrast of at least 4.5 with their
/// grounds. Glyphs of buttons are drawn with borders, because a policy without exceptions has no room for pictures in sheets.
struct SlotSheet {
    let bytes: [UInt8]

    /// The name by which the file never changes.
    var fileName: String { "host-\(PageFiles.digest(of: bytes)).css" }

    /// The width, in points, for which a scaled widget is laid out.
    static let phoneWidth = 375

    /// - Parameter columns: the most columns of the page; `nil` for as many as there is room for.
    init(_ sizes: Set<PageSlot.Size>, columns: Int?) {
        let sorted = sizes.sorted { ($0.width, $0.height) < ($1.width, $1.height) }
        let rules = sorted.map { size in
            let zoom = Double(size.width * 1_000 / SlotSheet.phoneWidth) / 1_000
            return ".\(SlotSheet.name(of: size)){--width:\(size.width)px;--height:\(size.height)px;--zoom:\(zoom)}\n"
        }
        let widest = sorted.map(\.width).max() ?? SlotSheet.phoneWidth
        let most = columns.map { ".slots,.top{max-width:\($0 * widest + ($0 - 1) * 28)px}\n" } ?? ""
        bytes = Array((SlotSheet.text + rules.joined() + most).utf8)
    }

    /// The class of slots of a size.
    static func name(of size: PageSlot.Size) -> String { "s\(size.width)x\(size.height)" }

    static let text = """
        /* A page with several widgets: a card for each slot. */
        .host{--ink:light-dark(#1c1c1e,#f2f2f7);--soft:light-dark(#56565c,#aeaeb8);--card:light-dark(#fff,#1b1e25);\
        --line:light-dark(#1c1c1e17,#ffffff1a);--blue:light-dark(#0057b8,#8ab8ff);box-sizing:border-box;height:auto;\
        min-height:100dvh;padding:0 max(16px,env(safe-area-inset-right)) 40px max(16px,env(safe-area-inset-left));\
        color:var(--ink);background:light-dark(#eceff5,#0e1116);\
        font:1rem/1.4 -apple-system,BlinkMacSystemFont,"Inter","Segoe UI",Roboto,sans-serif}
        .host .vh{position:absolute}
        .top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:8px 16px;margin:0 auto;\
        padding:28px 4px 20px}
        .top h1{min-width:0;margin:0;font-size:clamp(1.375rem,4vw,1.75rem);line-height:1.2;letter-spacing:-.02em;\
        overflow-wrap:anywhere}
        .slots{display:flex;flex-wrap:wrap;align-items:flex-start;justify-content:center;gap:16px;margin:0 auto}
        .slot{box-sizing:border-box;display:block;width:min(100%,var(--width));border-radius:22px;overflow:clip;\
        background:var(--card);box-shadow:0 0 0 1px var(--line),0 1px 3px #0000000f,0 14px 34px -8px #00000026;\
        transition:box-shadow .2s,opacity .2s;scroll-margin:16px}
        .slot:focus-visible,.slot:focus{outline:3px solid var(--blue);outline-offset:3px}
        .head{display:flex;align-items:center;gap:8px;min-height:52px;padding:0 8px 0 18px;cursor:grab;touch-action:none;\
        user-select:none;-webkit-user-select:none}
        [dir=rtl] .head{padding:0 18px 0 8px}
        .head h2{flex:1;min-width:0;margin:0;font-size:1.0625rem;font-weight:600;line-height:1.3;letter-spacing:-.01em;\
        overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .acts{display:flex;flex:none;margin:0}
        .acts button{display:grid;place-items:center;width:36px;height:36px;padding:0;border:0;border-radius:18px;\
        background:none;color:var(--soft);cursor:pointer;transition:background .15s,color .15s}
        .acts button:hover{background:var(--line);color:var(--ink)}
        .acts button::before{content:"";box-sizing:border-box;width:9px;height:9px;border:solid;border-width:0 0 2px 2px;\
        rotate:45deg;translate:2px}
        .acts .later::before{rotate:225deg;translate:-2px}
        [dir=rtl] .earlier::before{rotate:225deg;translate:-2px}[dir=rtl] .later::before{rotate:45deg;translate:2px}
        .acts .renew{position:relative}
        .acts .renew::before{width:14px;height:14px;border:2px solid;border-inline-end-color:#0000;border-radius:50%;\
        rotate:-45deg;translate:none}
        .acts .renew::after{content:"";position:absolute;top:9px;left:20px;border:solid #0000;border-width:4px 0 4px 5px;\
        border-left-color:currentColor;rotate:20deg}
        .host :is(.acts button,.wide):focus-visible{outline:3px solid var(--blue);outline-offset:1px}
        .slots>.slot:first-child .earlier,.slots>.slot:last-child .later{opacity:.3}
        .frame{position:relative;display:flex;flex-direction:column;height:var(--height);overflow:clip;\
        border-block:1px solid var(--line)}
        .frame>.w{flex:1;height:auto;min-height:0}
        .scaled>.frame>.w{zoom:var(--zoom)}
        .frame>.status{order:1;flex:none;max-height:40%;overflow:auto;margin:0;padding:0;font-size:.8125rem;\
        white-space:pre-wrap;overflow-wrap:anywhere;background:var(--card)}
        .frame>.status:not(:empty){padding:8px 18px;border-top:1px solid var(--line)}.status a{color:var(--blue)}
        .empty{flex:1;display:grid;place-content:center;justify-items:center;gap:16px;padding:24px;text-align:center;\
        overflow:auto}
        .empty p{max-width:34ch;margin:0;color:var(--soft);overflow-wrap:anywhere}
        .failed .empty p::before{content:"!";display:grid;place-items:center;width:36px;height:36px;margin:0 auto 12px;\
        border-radius:50%;font-weight:700;color:#fff;background:#b3261e}
        .empty form,.top form{margin:0}
        .wide{min-height:44px;padding:10px 22px;border:0;border-radius:22px;font:inherit;font-weight:600;cursor:pointer;\
        color:#fff;background:#0057b8;transition:background .15s}
        .wide:hover{background:#004a9c}
        .top .wide{color:var(--ink);background:var(--card);box-shadow:0 0 0 1px var(--line),0 1px 3px #0000000f}
        .top .wide:hover{background:light-dark(#f2f4f8,#242832)}
        .note{box-sizing:border-box;min-height:36px;margin:0;padding:9px 18px;font-size:.8125rem;line-height:1.4;\
        color:var(--soft);overflow-wrap:anywhere}
        .drag{opacity:.55;box-shadow:0 0 0 2px var(--blue),0 24px 48px -8px #00000040}.drag .head{cursor:grabbing}
        .slot.left,.slot.right{position:relative;overflow:visible}
        .slot:is(.left,.right)::after{content:"";position:absolute;inset-block:0;width:4px;border-radius:2px;\
        background:var(--blue)}
        .slot.left::after{left:-16px}.slot.right::after{right:-16px}
        @media (min-width:1140px){.slots{gap:28px}}
        @media (max-width:480px){.host{padding-inline:12px}.top{padding-top:18px}}
        @media (prefers-contrast:more){.host{--soft:var(--ink);--line:var(--ink)}}
        @media (forced-colors:active){.slot{border:1px solid CanvasText}.wide,.acts button{border:1px solid ButtonText}}
        @media (prefers-reduced-motion:reduce){.slot,.acts button,.wide{transition:none}}

        """
}

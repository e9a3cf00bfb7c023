internal import WidgetCore

/// The stylesheet that pages of all programs share: resets, texts, the colours of roles, and what live pages have
/// around a widget. The looks of other elements are `BaseParts`, which pages have in the sheets of their viewings.
///
/// Rules that a program may undo lie in a layer, so that those of its sheet win wherever they come. Those that no program
/// may undo weigh more than one class, and lie in none: hidden elements, opacity, focus, and what takes a tap.
package enum BaseSheet {
    package static let fileName = "base.css"
    /// The first bytes, by which a folder of pages is known.
    package static let mark = "/* Pages of widgets: the sheet of all programs. */\n"
    package static let text =
        mark + layer(frame + RoleSheet.rule(RoleSheet.shared) + words) + firm + LiveStyle.text

    package static var bytes: [UInt8] { Array(text.utf8) }

    /// The rules that colours of roles are for.
    fileprivate static let rules = frame + words + firm

    /// Rules that those of a program come before.
    static func layer(_ rules: String) -> String { rules.isEmpty ? "" : "@layer w{\n\(rules)}\n" }

    /// A widget is a box that nothing leaves: paint, scrolling and sizes stay within.
    ///
    /// Browsers cut the height of a line to a 64th of a pixel, so it is a little more than `ResolvedFont.lineHeight`: both
    /// round up to the same half point at all whole sizes up to 60.
    private static let frame = """
        :root{color-scheme:light dark}
        @supports (font:-apple-system-body){.w{--track:0px}}
        body{margin:0;height:100dvh}
        .w,.w *{box-sizing:border-box;position:relative}
        .w{contain:strict;isolation:isolate;width:100%;height:100%;background:var(--background);color:var(--label);\
        accent-color:var(--tint);font:1.0625rem/1.1937 -apple-system,BlinkMacSystemFont,"Inter","Segoe UI",Roboto,\
        "Helvetica Neue",sans-serif;overflow-wrap:break-word;-webkit-text-size-adjust:100%;--bar-height:0px;--status:0px;\
        --home:0px}
        :where(.w) :where(p,h1,h2,h3,h4,h5,h6,ul,fieldset,search,dialog,button,input,select,textarea){margin:0;padding:0;border:0;\
        min-width:0;background:none;font:inherit;color:inherit;letter-spacing:inherit;text-align:inherit;list-style:none}
        :where(.w) :where(button,input,select,textarea){appearance:none;border-radius:0;text-align:start}
        :where(.w button){cursor:pointer;touch-action:manipulation}
        .f,.scr,.root{position:absolute;inset:0}
        .scr{container-type:size;isolation:isolate;overflow:hidden;--safe-top:calc(var(--bar-height) + var(--status));\
        --safe-bottom:var(--home);--safe-left:0px;--safe-right:0px}
        .vh,.enter{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .enter{opacity:0}

        """

    private static let words = """
        .t{align-content:center}
        .t>span{display:block;width:calc-size(fit-content,round(up,size,.5px));height:calc-size(auto,round(up,size,.5px));min-width:100%;\
        max-width:100%;max-height:calc(max(1lh,round(down,100% + 1px,1lh)) + .5px);overflow:hidden;text-overflow:ellipsis}
        .t>span,.b>span,.bt{unicode-bidi:plaintext}
        :where([dir=rtl]) .t{text-align:right}
        .t,.bar,.sb,.tf,.al{letter-spacing:calc(var(--track,-1em)*var(--t17,.022))}
        .ls,.sc{overflow:auto;overscroll-behavior:contain}
        .w picture{display:contents;object-fit:inherit;object-position:inherit}

        """

    private static let firm = """
        .w .absent{visibility:hidden}
        .b:disabled{color:var(--tertiaryLabel)}
        .w :focus-visible{outline:2px solid var(--label);outline-offset:-2px;box-shadow:inset 0 0 0 4px var(--background)}
        .w :is(input,fieldset):disabled{opacity:.5}
        .w [inert]{opacity:1}
        @media (prefers-contrast:more){.w{--tint:light-dark(#0040dd,#409cff);--link:var(--tint);\
        --secondaryLabel:light-dark(#3c3c43cc,#ebebf5cc);--separator:var(--label);--opaqueSeparator:var(--label);\
        --placeholderText:light-dark(#444,#ccc)}}
        @media (forced-colors:active){.b{border:1px solid}.b.on,.selected{outline:2px solid Highlight;outline-offset:-2px}\
        .w :focus-visible{outline-color:Highlight}.r::after{forced-color-adjust:none}.w .r::after{border-color:CanvasText}}
        @media (prefers-reduced-motion:reduce){.w *,.w *::before{animation:none!important;transition:none!important}}

        """
}

/// The surroundings of a widget on live pages: the line about the page, which takes no room while it is empty, but stays for
/// assistive technology, which reads what appears in it later. The widget gets the height that the line leaves.
///
/// Colours are pairs for light and dark; each text has a contrast of at least 4.5 with its ground.
package enum LiveStyle {
    package static let text = """
        .page,body:has(>.status){display:flex;flex-direction:column;position:relative}
        .page>.w,body:has(>.status)>.w{flex:1;height:auto;min-height:0}
        :is(body,.page)>.status{display:block;box-sizing:border-box;flex:none;order:1;width:auto;height:auto;max-height:30dvh;overflow:auto;\
        margin:0;padding:0;border-radius:0;font:.875rem/1.4 system-ui,sans-serif;overflow-wrap:anywhere;\
        white-space:pre-wrap;color:light-dark(#1c1c1e,#f2f2f7);background:light-dark(#f2f2f7,#1c1c1e)}
        :is(body,.page)>.status:not(:empty){padding:8px 16px;border-top:1px solid light-dark(#6c6c70,#98989d)}
        :is(body,.page)>.status a{color:inherit}
        .w :is(h1,h2,h3,h4,h5,h6):focus,.w:focus{outline:none;box-shadow:none}
        @media (prefers-contrast:more){:is(body,.page)>.status{color:light-dark(#000,#fff);background:light-dark(#fff,#000)}}
        @media (forced-colors:active){:is(body,.page)>.status:not(:empty){border-top:1px solid CanvasText}}

        """
}

/// The colours of roles. The base sheet has those that its own rules use; of the others, a part and a program's sheet have
/// those that their rules use.
enum RoleSheet {
    /// The roles that the base sheet uses, or sets for readers who want more contrast.
    static let shared = used(in: Array(BaseSheet.rules.utf8))

    /// The roles that rules name, in the order of the table of roles.
    static func used(in rules: [UInt8]) -> [ColorRole] {
        var names: Set<String> = []
        var place = 0
        while place + 1 < rules.count {
            guard rules[place] == UInt8(ascii: "-"), rules[place + 1] == UInt8(ascii: "-") else {
                place += 1
                continue
            }
            let start = place
            place += 2
            while place < rules.count, isLetter(rules[place]) { place += 1 }
            names.insert(String(decoding: rules[start..<place], as: UTF8.self))
        }
        return ColorRole.allCases.filter { names.contains(LayoutClasses.role($0)) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    static func rule(_ roles: [ColorRole]) -> String {
        guard !roles.isEmpty else { return "" }
        let values = roles.map { role in
            let pair = RoleColors.pair(of: role)
            let value = pair.light == pair.dark ? pair.light.css : "light-dark(\(pair.light.css),\(pair.dark.css))"
            return "\(LayoutClasses.role(role)):\(value)"
        }
        return ".w{\(values.joined(separator: ";"))}\n"
    }
}

internal import WidgetCore

/// The stylesheet that pages of all programs share: resets, colours of roles, and the looks of the system's controls.
///
/// Most of its rules weigh no more than one class, so that those of a program's sheet, which comes later, win. Those that
/// begin with `.w` weigh more, since no program may undo them: hidden elements, opacity, focus, and what takes a tap.
package enum BaseSheet {
    package static let fileName = "base.css"
    /// The first bytes, by which a folder of pages is known.
    package static let mark = "/* Pages of widgets: the sheet of all programs. */\n"
    package static let text = mark + frame + RoleSheet.rule(RoleSheet.shared) + rules
    /// The rules that colours of roles are for.
    fileprivate static let rules = controls + lists + states

    package static var bytes: [UInt8] { Array(text.utf8) }

    /// A widget is a box that nothing leaves: paint, scrolling and sizes stay within.
    ///
    /// Browsers cut the height of a line to a 64th of a pixel, so it is a little more than `ResolvedFont.lineHeight`: both
    /// round up to the same half point at all whole sizes up to 60.
    fileprivate static let frame = """
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
        .f,.scr{position:absolute;inset:0}
        .scr{container-type:size;isolation:isolate;overflow:hidden;--safe-top:calc(var(--bar-height) + var(--status));\
        --safe-bottom:var(--home);--safe-left:0px;--safe-right:0px}
        .bar~.scr{--bar-height:44px}
        .big~.scr{--bar-height:96px}
        .below{top:calc(var(--bar-height) + var(--status));--safe-top:0px}
        .btool{--below:calc(44px + var(--home))}
        .btab{--below:calc(49px + var(--home))}
        .btool.btab{--below:calc(93px + var(--home))}
        .under{--safe-bottom:var(--below)}
        .above{bottom:var(--below);--safe-bottom:0px}
        .root{position:absolute;inset:0}
        .w .absent{visibility:hidden}
        .vh,.enter{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .enter{opacity:0}

        """

    private static let controls = """
        .t{align-content:center}
        .t>span{display:block;width:calc-size(fit-content,round(up,size,.5px));height:calc-size(auto,round(up,size,.5px));min-width:100%;\
        max-width:100%;max-height:calc(max(1lh,round(down,100% + 1px,1lh)) + .5px);overflow:hidden;text-overflow:ellipsis}
        .t>span,.b>span,.bt{unicode-bidi:plaintext}
        :where([dir=rtl]) .t{text-align:right}
        :where(.scr .b:has(>span:not(.tp))){padding-block:6px;min-width:30px}
        .b{display:inline-flex;align-items:center;justify-content:center;color:var(--tint)}
        .b{font-size:.9375rem;letter-spacing:calc(var(--track,-1em)*var(--t15,.015))}
        .pick{gap:4px;flex-wrap:wrap}.pick>input{max-width:100%;min-width:0;min-height:24px;font-size:.8125rem}
        .bar .b{font-size:inherit;letter-spacing:inherit}
        .t,.bar,.sb,.tf,.al{letter-spacing:calc(var(--track,-1em)*var(--t17,.022))}
        .done{font-weight:600}
        .cg,.ct,.cf{border-radius:8px;padding:7px 12px;background:var(--fill)}
        .ct{background:color-mix(in srgb,var(--tint) 18%,#0000)}
        .cf{background:var(--tint);color:#fff}
        .on:where(.b:not(.own)){border-radius:8px;box-shadow:inset 0 0 0 2px;background-image:linear-gradient(#8882 0 0)}
        .tp,.tp>img{display:block}
        .w picture{display:contents;object-fit:inherit;object-position:inherit}
        .dn,.b:active>:has(+.dn){display:none}
        .b:active>.dn{display:block}
        .sub{font-size:.75rem}
        .gl{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.5;flex:none}
        .so{fill:currentColor}
        .bk{width:13px;height:22px;stroke-width:2.5;margin-inline-end:6px}
        [dir=rtl] .bk{scale:-1 1}
        .act img{display:block;width:100%;height:100%;object-fit:inherit;object-position:inherit}
        .ni{display:block;background:var(--quaternaryFill)}
        :where(.b>:is(img,.tp,.ni),.b>picture>img){max-width:100%;max-height:100%}
        .b>.tp{overflow:clip}
        .nt{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
        .inner{width:100%;height:100%;object-fit:inherit;object-position:inherit}
        .hit{position:absolute;inset:0}
        .w .hit~*,.w .hit~* *{pointer-events:none}
        .w .hit~* :is(a,button,input,label,select,textarea),.w .hit~:is(a,button,input,select){pointer-events:auto}
        .fx{backdrop-filter:blur(20px) saturate(180%)}
        .un{display:grid;place-items:center;background:var(--quaternaryFill)}
        .no{max-height:100%;overflow:hidden;padding:4px;font-size:.8125rem;text-align:center;color:var(--placeholderText)}
        .tf,.ta,.dp{display:flex}
        .ta{flex-direction:column}
        .dp{min-height:30px}
        .tf>input,.ta>textarea,.dp>input{flex:1;width:100%;resize:none}
        .tf>input,.ln>textarea{field-sizing:content}
        .fl{flex-wrap:wrap}
        .w .fl{height:auto}
        .w .fl>input{flex-basis:100%;min-height:max(var(--h,34px) - 2px,1lh + 2px)}
        .b1,.b2,.b3{border:1px solid var(--opaqueSeparator);background:var(--background);padding:0 7px}
        .b3{border-radius:5px}
        .ta{padding:8px 5px;overflow:auto;white-space:pre-wrap}
        .w ::placeholder{color:var(--placeholderText);opacity:1}
        .sb{display:flex;gap:10px;height:56px;padding:10px 8px}
        .sb>input{flex:1;height:36px;font-size:min(1.0625rem,28px);padding-inline:30px 8px;border-radius:10px;background:var(--tertiaryFill)}
        .sb::before{content:"";position:absolute;z-index:1;inset-inline-start:18px;top:21px;width:15px;height:15px;\
        color:var(--placeholderText);background:radial-gradient(circle at 6px 6px,#0000 4px,currentColor 4.5px 5.5px,\
        #0000 6px),linear-gradient(45deg,#0000 40%,currentColor 41% 59%,#0000 60%) 100% 100%/6px 6px no-repeat}
        .sw{width:51px;height:31px;border-radius:16px;background:var(--fill);transition:background .2s}
        .sw::before{content:"";position:absolute;inset-block-start:2px;inset-inline-start:2px;width:27px;height:27px;\
        border-radius:50%;background:var(--thumb,#fff);box-shadow:0 3px 8px #0003;transition:inset-inline-start .2s}
        .sw:checked{background:var(--on,var(--green))}
        .sw:checked::before{inset-inline-start:22px}
        .sl{appearance:auto;min-height:31px;width:100%;accent-color:var(--on,var(--tint))}
        .st{display:flex;width:94px;height:29px;border-radius:8px;background:var(--tertiaryFill)}
        .st>button{flex:1;text-align:center}
        .st>button+button{border-inline-start:1px solid var(--opaqueSeparator)}
        .sg{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);height:32px;min-height:32px;\
        letter-spacing:calc(var(--track,-1em)*var(--t13,.006));padding:2px 0;border-radius:9px;\
        background:var(--tertiaryFill);font-size:min(.8125rem,17px)}
        .sg>label{display:flex;padding:0 2px}
        .sg input{position:absolute;inset:0}
        .sg span{flex:1;display:grid;place-content:center;padding:0 8px;border-radius:7px}
        .sg :checked+span{background:var(--on,light-dark(#fff,#636366));font-weight:600;box-shadow:0 3px 8px #0002}
        .sg :focus-visible+span{outline:2px solid}
        .pk{appearance:auto;min-height:44px;text-align-last:center;background:var(--tertiaryFill);border-radius:8px}
        .dp>span{align-self:center;padding-inline:4px}
        .dp>input{padding:0 8px;border-radius:8px;background:var(--tertiaryFill)}
        .pc{display:flex;align-items:center;justify-content:center;gap:9px;min-height:26px;padding-inline:4.5px}
        .pc>button{position:absolute;inset:0 50% 0 min(0px,50% - 24px)}
        .pc>button+button{inset:0 min(0px,50% - 24px) 0 50%}
        .dot{width:7px;height:7px;border-radius:50%;background:var(--off,var(--gray))}
        .dot.on{background:var(--on,var(--label))}
        .ac{display:grid;place-items:center;width:20px;height:20px;color:var(--gray)}
        .ac::before{content:"";width:20px;height:20px;border-radius:50%;background:conic-gradient(#0000,currentColor);\
        mask:radial-gradient(closest-side,#0000 60%,#000 65%);animation:turn 1s steps(8) infinite}
        .lg,.lg::before{width:37px;height:37px}
        @keyframes turn{to{rotate:1turn}}
        .pg{appearance:none;display:block;width:100%;height:4px;border:0;border-radius:2px;overflow:hidden;\
        background:var(--off,var(--fill))}
        .pg::-webkit-progress-bar{background:none}
        .pg::-webkit-progress-value{background:var(--on,var(--tint))}
        .pg::-moz-progress-bar{background:var(--on,var(--tint))}
        .wb a{color:var(--link)}
        .er{flex:none;align-self:center;max-width:60%;max-height:100%;overflow:auto;padding:0 6px;border-radius:5px;\
        font-size:.75rem;background:var(--background);color:light-dark(#c00,#ff6961)}
        .fl>.er{flex:1 0 100%;max-width:100%;max-height:none;margin-bottom:4px;padding:0;font-size:.8125rem}
        .ta>.er{align-self:stretch;max-width:100%}
        .w .iv{box-shadow:0 0 0 1px light-dark(#c00,#ff6961)}

        """

    private static let lists = """
        .ls,.sc{overflow:auto;overscroll-behavior:contain}
        .gp{background:var(--groupedBackground)}
        .r{min-height:44px}
        .sel{display:none}
        .selected .sel,.hit:active~.sel,.hit:active~* .sel{display:block}
        .ig>ul>:first-child{border-start-start-radius:10px;border-start-end-radius:10px}
        .ig>ul>:last-child{border-end-start-radius:10px;border-end-end-radius:10px}
        .acc{position:absolute;inset-inline-end:16px;top:50%;translate:0 -50%;display:flex;align-items:center;gap:12px;\
        color:var(--gray)}
        .dis::after{content:"";width:8px;height:8px;border:solid;border-width:2px 2px 0 0;rotate:45deg}
        [dir=rtl] .dis::after{rotate:-135deg}
        .chk::after{content:"";width:7px;height:13px;border:solid var(--tint);border-width:0 2px 2px 0;\
        rotate:45deg}
        .det::before{content:"i";width:22px;height:22px;border:1.5px solid;border-radius:50%;color:var(--tint);\
        font:600 15px/21px serif;text-align:center}
        .del{position:absolute;inset-block:0;inset-inline-end:0;padding:0 20px;background:#c00;color:#fff;opacity:0;\
        pointer-events:none}
        .r:hover>.del,.del:focus-visible{opacity:1;pointer-events:auto}
        .more{display:block;width:100%;padding:12px;text-align:center;color:var(--tint)}
        .rf{position:absolute;z-index:2;inset-inline:0;top:0;padding:12px;text-align:center;color:var(--tint);\
        background:var(--background)}
        .rf:not(:focus){opacity:0;pointer-events:none}
        .bar{position:absolute;z-index:3;inset:0 0 auto;display:grid;grid-template-columns:\
        minmax(max-content,1fr) minmax(0,auto) minmax(max-content,1fr);gap:0 8px;\
        align-items:center;min-height:calc(44px + var(--status));padding:var(--status) clamp(16px,(100% - 413px)*99,20px) 0;background:var(--bar);\
        box-shadow:0 .5px var(--opaqueSeparator)}
        .big{grid-template-rows:44px 52px}
        .big>.tv{grid-area:2/1/3/4}.big>.trail{grid-column:3}
        .big .bt{font-size:min(2.125rem,43px);font-weight:700;letter-spacing:calc(var(--track,-1em)*var(--t34,.039))}
        .tr{backdrop-filter:blur(20px) saturate(180%)}
        .lead,.trail,.tv{display:flex;gap:16px;align-items:center;min-width:0}
        .trail{justify-content:end}
        .bar .b{min-width:24px;min-height:44px;padding-block:0;white-space:nowrap}
        .tools,.tabs{position:absolute;z-index:3;inset:auto 0 0;display:flex;justify-content:space-between;\
        min-height:calc(44px + var(--home));padding:0 clamp(16px,(100% - 413px)*99,20px) var(--home);\
        background:var(--bar);box-shadow:0 -.5px var(--opaqueSeparator)}
        .tools .b{min-width:24px;height:44px;padding-block:0;font-size:inherit;white-space:nowrap}
        .tabs{min-height:calc(49px + var(--home));padding:0 0 var(--home)}
        .tools:has(+.tabs){bottom:calc(49px + var(--home));min-height:44px;padding-bottom:0}
        .tab{flex:1;min-width:0;height:49px;display:grid;place-items:center;align-content:center;gap:4px;\
        font-size:min(.625rem,14px);color:light-dark(#636366,#aeaeb2)}
        .tab>span{max-width:100%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
        .tab.on{color:color-mix(in srgb,var(--tint) 75%,var(--label));font-weight:600;box-shadow:inset 0 2px}
        .bt{font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
        .al{position:absolute;z-index:4;inset:0;margin:auto;width:270px;height:fit-content;max-width:100%;max-height:100%;\
        overflow:auto;border-radius:14px;padding-top:19px;text-align:center;background:var(--secondaryGroupedBackground);\
        color:var(--label);box-shadow:0 0 0 200vmax #0004}
        .al>:is(h1,h2,h3,h4,h5,h6){padding:0 16px;font-weight:600}
        .al>p{padding:2px 16px 19px;font-size:.8125rem;white-space:pre-wrap}
        .al>.destructive{color:light-dark(#c00,#ff6961)}.al>.cancel{font-weight:600}
        .al>button{width:100%;min-height:44px;text-align:center;color:var(--tint);\
        border-top:.5px solid var(--opaqueSeparator);border-radius:0 0 14px 14px}

        """

    private static let states: String = {
        let alphas = stride(from: 0, to: 100, by: 5).map { ".w .o\($0){opacity:\($0 < 10 ? ".0" : ".")\($0)}" }
        return """
            .w :focus-visible{outline:2px solid var(--label);outline-offset:-2px;box-shadow:inset 0 0 0 4px var(--background)}
            .w :is(.tf,.ta):has(>:focus-visible){outline:2px solid var(--label);outline-offset:-1px}
            .w :is(.tf,.ta)>:focus-visible{outline-color:#0000;box-shadow:none}
            .b:disabled{color:var(--tertiaryLabel)}
            .b:is(.cg,.ct,.cf):disabled{background:var(--fill)}
            .w :is(input,fieldset):disabled,.st>:disabled{opacity:.5}
            .w [inert]{opacity:1}
            \(alphas.joined(separator: "\n"))
            @media (prefers-contrast:more){.w{--tint:light-dark(#0040dd,#409cff);--link:var(--tint);\
            --secondaryLabel:light-dark(#3c3c43cc,#ebebf5cc);--separator:var(--label);--opaqueSeparator:var(--label);\
            --placeholderText:light-dark(#444,#ccc)}}
            @media (forced-colors:active){.sw,.dot,.pg,.sg :checked+span{forced-color-adjust:none;background:CanvasText}\
            .sw{border:1px solid CanvasText;background:Canvas}.sw::before{background:CanvasText}\
            .sw:checked{background:Highlight}.dot.on{background:Highlight}.sg :checked+span{background:Highlight;\
            color:HighlightText}.gl{stroke:ButtonText}.b{border:1px solid}.w :focus-visible{outline-color:Highlight}\
            .al,.bar,.tf,.ta,.sb>input,.dp>input{outline:1px solid}.selected,.b.on,.tab.on{outline:2px solid Highlight;outline-offset:-2px}\
            .ac::before,.r::after{forced-color-adjust:none}.ac::before{background:conic-gradient(#0000,CanvasText)}\
            .w .r::after{border-color:CanvasText}}
            @media (prefers-reduced-motion:reduce){.w *,.w *::before{animation:none!important;transition:none!important}}

            """
    }()
}

/// The colours of roles. The base sheet has those that its own rules use; of the others, a program's sheet has those that its
/// rules use.
enum RoleSheet {
    /// The roles that the base sheet uses, or sets for readers who want more contrast.
    static let shared = used(in: Array((BaseSheet.frame + BaseSheet.rules).utf8))

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

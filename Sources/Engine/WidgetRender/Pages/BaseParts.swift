/// The looks of elements that few pages have, each by the classes of those elements. A page has the parts that its elements need,
/// in the sheet of its viewing, and a change begins with those that it needs beyond them.
///
/// A part's rules of one class lie in the layer of the base sheet, so that those of a program's sheet win though they come
/// before. No two parts say different things about one element at the same weight, so that their order has no meaning.
package enum BaseParts {
    struct Part: Sendable {
        let classes: [String]
        /// Rules that a program may undo, and those that it may not.
        let text: String

        init(_ classes: String, _ layered: String, firm: String = "") {
            self.classes = classes.split(separator: " ").map(String.init)
            let roles = RoleSheet.used(in: Array((layered + firm).utf8)).filter { !RoleSheet.shared.contains($0) }
            text = BaseSheet.layer(RoleSheet.rule(roles) + layered) + firm
        }
    }

    /// The rules of all parts whose classes markup has, by names that come before those of all other rules.
    static func rules(in markup: [UInt8]) -> [String: String] {
        var found: [String: String] = [:]
        var isNeeded = [Bool](repeating: false, count: all.count)
        ClassNames.each(in: markup.span) { key in
            guard let part = places[key], !isNeeded[part] else { return }
            isNeeded[part] = true
            found[name(part)] = all[part].text
        }
        return found
    }

    /// Names of state and of pictures begin with other characters, and the rules of a program's have a word behind it.
    static func name(_ place: Int) -> String { "!" + (place < 10 ? "0" : "") + "\(place)" }

    private static let places: [UInt64: Int] = {
        var places: [UInt64: Int] = [:]
        for (place, part) in all.enumerated() {
            for name in part.classes { places[ClassNames.key(name)] = place }
        }
        return places
    }()

    /// All rules, for those who check them.
    package static let text = all.map { $0.text }.joined()

    static let all: [Part] = buttons + fields + controls + lists + bars + alphas

    private static let buttons: [Part] = [
        Part(
            "b",
            """
            :where(.scr .b:has(>span:not(.tp,.ni))){padding-block:6px;min-width:var(--least);--least:30px}
            .b{display:inline-flex;align-items:center;justify-content:center;color:var(--tint)}
            .b{font-size:.9375rem;letter-spacing:calc(var(--track,-1em)*var(--t15,.015))}
            :where(.b>:is(img,.tp,.ni),.b>picture>img){max-width:100%;max-height:100%}
            :where(.b>span:not(.tp,.ni)){height:calc-size(auto,round(up,size,.5px))}

            """),
        Part(
            "pick",
            """
            .pick{gap:4px;flex-wrap:wrap}.pick>input{max-width:100%;min-width:0;min-height:24px;font-size:.8125rem}

            """),
        Part("done", ".done{font-weight:600}\n"),
        Part(
            "cg ct cf",
            """
            .cg,.ct,.cf{border-radius:8px;padding:7px 12px;background:var(--fill)}
            .ct{background:color-mix(in srgb,var(--tint) 18%,#0000)}
            .cf{background:var(--tint);color:#fff}

            """,
            firm: """
                .b:is(.cg,.ct,.cf):disabled{background:var(--fill)}

                """),
        Part(
            "on",
            """
            .on:where(.b:not(.own)){border-radius:8px;box-shadow:inset 0 0 0 2px;background-image:linear-gradient(#8882 0 0)}

            """),
        Part(
            "tp dn ni inner nt sub",
            """
            .tp,.tp>img{display:block}
            .dn{display:none}
            .sub{font-size:.75rem}
            .ni{display:block;background:var(--quaternaryFill)}
            .nt{min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
            .inner{width:100%;height:100%;object-fit:inherit;object-position:inherit}

            """,
            firm: """
                .b:active>:has(+.dn){display:none}
                .b:active>.dn{display:block}
                .b>.tp{overflow:clip}

                """),
        Part(
            "gl so bk",
            """
            .gl{width:24px;height:24px;fill:none;stroke:currentColor;stroke-width:1.5;flex:none}
            .so{fill:currentColor}
            .bk{width:13px;height:22px;stroke-width:2.5;margin-inline-end:6px}

            """,
            firm: """
                [dir=rtl] .bk{scale:-1 1}
                @media (forced-colors:active){.gl{stroke:ButtonText}}

                """),
        Part(
            "act",
            """
            .act img{display:block;width:100%;height:100%;object-fit:inherit;object-position:inherit}

            """),
        Part(
            "hit",
            """
            .hit{position:absolute;inset:0}

            """,
            firm: """
                .w .hit~*,.w .hit~* *{pointer-events:none}
                .w .hit~* :is(a,button,input,label,select,textarea),.w .hit~:is(a,button,input,select){pointer-events:auto}

                """),
        Part("fx", ".fx{backdrop-filter:blur(20px) saturate(180%)}\n"),
        Part(
            "un no",
            """
            .un{display:grid;place-items:center;background:var(--quaternaryFill)}
            .no{max-height:100%;overflow:hidden;padding:4px;font-size:.8125rem;text-align:center;color:var(--placeholderText)}

            """),
    ]

    private static let fields: [Part] = [
        Part(
            "tf ta dp fl ln b1 b2 b3",
            """
            .tf,.ta,.dp{display:flex}
            .ta{flex-direction:column}
            .dp{min-height:30px}
            .tf>input,.ta>textarea,.dp>input{flex:1;width:100%;resize:none}
            .tf>input,.ln>textarea{field-sizing:content}
            .fl{flex-wrap:wrap}
            .b1,.b2,.b3{border:1px solid var(--opaqueSeparator);background:var(--background);padding:0 7px}
            .b3{border-radius:5px}
            .tf:is(.b1,.b2,.b3):not(.fl)>input{margin-block:-1px}
            .ta{padding:8px 5px;overflow:auto;white-space:pre-wrap}
            .ta:is(.b1,.b2,.b3){padding:7px 4px}
            .dp>span{align-self:center;padding-inline:4px}
            .dp>input{padding:0 8px;border-radius:8px;background:var(--tertiaryFill)}

            """,
            firm: """
                .w .fl{height:auto}
                .w .fl>input{flex-basis:100%;min-height:max(var(--h,34px) - 2px,round(up,1lh,.5px) + 2px)}
                .w ::placeholder{color:var(--placeholderText);opacity:1}
                .w :is(.tf,.ta):has(>:focus-visible){outline:2px solid var(--label);outline-offset:-1px}
                .w :is(.tf,.ta)>:focus-visible{outline-color:#0000;box-shadow:none}
                @media (forced-colors:active){.tf,.ta,.dp>input{outline:1px solid}}

                """),
        Part(
            "er iv fc",
            """
            .er{flex:none;align-self:center;max-width:60%;max-height:100%;overflow:auto;padding:0 6px;border-radius:5px;\
            font-size:.75rem;background:var(--background);color:light-dark(#c00,#ff6961)}

            """,
            firm: """
                .fl>.er{flex:1 0 100%;max-width:100%;max-height:none;margin-bottom:4px;padding:0;font-size:.8125rem}
                .ta>.er{align-self:stretch;max-width:100%}
                .fc{display:flex;flex-direction:column;align-items:end;gap:4px;max-width:60%}
                .fc>.er{align-self:end;text-align:end;width:max-content;max-width:max(100%,140px);max-height:none;padding:0}
                .w .iv{box-shadow:0 0 0 1px light-dark(#c00,#ff6961)}

                """),
        Part(
            "sb",
            """
            .sb{display:flex;gap:10px;height:56px;padding:10px 8px}
            .sb>input{flex:1;height:36px;font-size:min(1.0625rem,28px);padding-inline:30px 8px;border-radius:10px;background:var(--tertiaryFill)}
            .sb::before{content:"";position:absolute;z-index:1;inset-inline-start:18px;top:21px;width:15px;height:15px;\
            color:var(--placeholderText);background:radial-gradient(circle at 6px 6px,#0000 4px,currentColor 4.5px 5.5px,\
            #0000 6px),linear-gradient(45deg,#0000 40%,currentColor 41% 59%,#0000 60%) 100% 100%/6px 6px no-repeat}

            """,
            firm: """
                .w ::placeholder{color:var(--placeholderText);opacity:1}
                @media (forced-colors:active){.sb>input{outline:1px solid}}

                """),
    ]

    private static let controls: [Part] = [
        Part(
            "sw",
            """
            .sw{width:51px;height:31px;border-radius:16px;background:var(--fill);transition:background .2s}
            .sw::before{content:"";position:absolute;inset-block-start:2px;inset-inline-start:2px;width:27px;height:27px;\
            border-radius:50%;background:var(--thumb,#fff);box-shadow:0 3px 8px #0003;transition:inset-inline-start .2s}

            """,
            firm: """
                .sw:checked{background:var(--on,var(--green))}
                .sw:checked::before{inset-inline-start:22px}
                @media (forced-colors:active){.sw{forced-color-adjust:none;border:1px solid CanvasText;background:Canvas}\
                .sw::before{background:CanvasText}.sw:checked{background:Highlight}}

                """),
        Part("sl", ".sl{appearance:auto;min-height:31px;width:100%;accent-color:var(--on,var(--tint))}\n"),
        Part(
            "st",
            """
            .st{display:flex;width:94px;height:29px;border-radius:8px;background:var(--tertiaryFill)}
            .st>button{flex:1;text-align:center}
            .st>button+button{border-inline-start:1px solid var(--opaqueSeparator)}

            """,
            firm: """
                .st>:disabled{opacity:.5}

                """),
        Part(
            "sg",
            """
            .sg{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);height:32px;min-height:32px;\
            letter-spacing:calc(var(--track,-1em)*min(var(--t13,.006),.022));border-radius:9px;\
            background:var(--tertiaryFill);font-size:min(.8125rem,17px)}
            .sg>label{display:flex;padding:2px;min-height:inherit}
            .sg input{position:absolute;inset:0}
            .sg span{flex:1;display:grid;place-content:center;padding:0 8px;border-radius:7px}

            """,
            firm: """
                .sg :checked+span{background:var(--on,light-dark(#fff,#636366));font-weight:600;box-shadow:0 3px 8px #0002}
                .sg :focus-visible+span{outline:2px solid}
                @media (forced-colors:active){.sg :checked+span{forced-color-adjust:none;background:Highlight;color:HighlightText}}

                """),
        Part(
            "pk",
            """
            .pk{appearance:auto;min-height:44px;text-align-last:center;background:var(--tertiaryFill);border-radius:8px}

            """),
        Part(
            "pc dot",
            """
            .pc{display:flex;align-items:center;justify-content:center;gap:9px;min-height:26px;padding-inline:4.5px}
            .pc>button{position:absolute;inset:min(0px,50% - 12px) 50% min(0px,50% - 12px) min(0px,50% - 24px)}
            .pc>button+button{left:50%;right:min(0px,50% - 24px)}
            .dot{width:7px;height:7px;border-radius:50%;background:var(--off,var(--gray))}

            """,
            firm: """
                .dot.on{background:var(--on,var(--label))}
                @media (forced-colors:active){.dot{forced-color-adjust:none;background:CanvasText}.dot.on{background:Highlight}}

                """),
        Part(
            "ac lg",
            """
            .ac{display:grid;place-items:center;width:20px;height:20px;color:var(--gray)}
            .ac::before{content:"";width:20px;height:20px;border-radius:50%;background:conic-gradient(#0000,currentColor);\
            mask:radial-gradient(closest-side,#0000 60%,#000 65%);animation:turn 1s steps(8) infinite}
            .lg,.lg::before{width:37px;height:37px}
            @keyframes turn{to{rotate:1turn}}

            """,
            firm: """
                @media (forced-colors:active){.ac::before{forced-color-adjust:none;background:conic-gradient(#0000,CanvasText)}}

                """),
        Part(
            "pg",
            """
            .pg{appearance:none;display:block;width:100%;height:4px;border:0;border-radius:2px;overflow:hidden;\
            background:var(--off,var(--fill))}
            .pg::-webkit-progress-bar{background:none}
            .pg::-webkit-progress-value{background:var(--on,var(--tint))}
            .pg::-moz-progress-bar{background:var(--on,var(--tint))}

            """,
            firm: """
                @media (forced-colors:active){.pg{forced-color-adjust:none;background:CanvasText}}

                """),
        Part("wb", ".wb a{color:var(--link)}\n"),
        // As wide as frames measure it (``TextMetrics/markAdvance``).
        Part("mk", "", firm: ".w .mk{width:round(up,.8em,.5px);letter-spacing:normal;text-overflow:clip}\n"),
    ]

    private static let lists: [Part] = [
        Part("gp", ".gp{background:var(--groupedBackground)}\n"),
        Part("r", ".r{min-height:44px}\n"),
        Part(
            "sel",
            """
            .sel{display:none}

            """,
            firm: """
                .selected .sel,.hit:active~.sel,.hit:active~* .sel{display:block}

                """),
        Part(
            "ig",
            "",
            firm: """
                :is(.ig,.ig>.ke)>ul>:first-child{border-start-start-radius:10px;border-start-end-radius:10px}
                :is(.ig,.ig>.ke)>ul>:last-child{border-end-start-radius:10px;border-end-end-radius:10px}

                """),
        Part(
            "acc dis chk det",
            """
            .acc{position:absolute;inset-inline-end:16px;top:50%;translate:0 -50%;display:flex;align-items:center;gap:12px;\
            color:var(--gray)}
            .dis::after{content:"";width:8px;height:8px;border:solid;border-width:2px 2px 0 0;rotate:45deg}
            .chk::after{content:"";width:7px;height:13px;border:solid var(--tint);border-width:0 2px 2px 0;\
            rotate:45deg}
            .det::before{content:"i";width:22px;height:22px;border:1.5px solid;border-radius:50%;color:var(--tint);\
            font:600 15px/21px serif;text-align:center}

            """,
            firm: """
                [dir=rtl] .dis::after{rotate:-135deg}

                """),
        Part(
            "del",
            """
            .del{position:absolute;inset-block:0;inset-inline-end:0;padding:0 20px;background:#c00;color:#fff;opacity:0;\
            pointer-events:none}

            """,
            firm: """
                .r:hover>.del,.del:focus-visible{opacity:1;pointer-events:auto}

                """),
        // Its places are counted from its end, where browsers begin, and stay. The script keeps what a reader looks at further up.
        Part(
            "ks ke",
            """
            .ks{display:flex;flex-direction:column-reverse;overflow-anchor:none}
            .ke{flex:none;margin-block-end:auto}

            """),
        Part("more", ".more{display:block;width:100%;padding:12px;text-align:center;color:var(--tint)}\n"),
        Part(
            "rf",
            """
            .rf{position:absolute;z-index:2;inset-inline:0;top:0;padding:12px;text-align:center;color:var(--tint);\
            background:var(--background)}

            """,
            firm: """
                .rf:not(:focus-visible){opacity:0;pointer-events:none}
                @media (hover:hover){.ls:hover>.rf:not(:focus-visible){position:fixed;inset:auto 12px calc(12px + var(--safe-bottom,0px)) auto;border-radius:9px;\
                opacity:1;pointer-events:auto}}

                """),
    ]

    private static let bars: [Part] = [
        Part(
            "bar below lead trail tv bt",
            """
            .bar{position:absolute;z-index:3;inset:0 0 auto;display:grid;grid-template-columns:\
            minmax(max-content,1fr) minmax(0,auto) minmax(max-content,1fr);gap:0 8px;\
            align-items:center;min-height:calc(44px + var(--status));padding:var(--status) clamp(16px,(100% - 413px)*99,20px) 0;background:var(--bar);\
            box-shadow:0 .5px var(--opaqueSeparator)}
            .below{top:calc(var(--bar-height) + var(--status));--safe-top:0px}
            .lead,.trail,.tv{display:flex;gap:16px;align-items:center;min-width:0}
            .trail{justify-content:end}
            .bt{font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}

            """,
            firm: """
                .bar~.scr{--bar-height:44px}
                .bar .b{font-size:inherit;letter-spacing:inherit;min-width:24px;min-height:44px;padding-block:0;white-space:nowrap}
                @media (forced-colors:active){.bar{outline:1px solid}}

                """),
        Part(
            "big",
            """
            .big{grid-template-rows:44px 52px}

            """,
            firm: """
                .bar.big~.scr{--bar-height:96px}
                .big>.tv{grid-area:2/1/3/4}.big>.trail{grid-column:3}
                .big .bt{font-size:min(2.125rem,43px);font-weight:700;letter-spacing:calc(var(--track,-1em)*var(--t34,.039))}

                """),
        Part("tr", ".tr{backdrop-filter:blur(20px) saturate(180%)}\n"),
        Part(
            "tools tabs tab btool btab under above",
            """
            .btool{--below:calc(44px + var(--home))}
            .btab{--below:calc(49px + var(--home))}
            .under{--safe-bottom:var(--below)}
            .above{bottom:var(--below);--safe-bottom:0px}
            .tools,.tabs{position:absolute;z-index:3;inset:auto 0 0;display:flex;justify-content:space-between;\
            min-height:calc(44px + var(--home));padding:0 clamp(16px,(100% - 413px)*99,20px) var(--home);\
            background:var(--bar);box-shadow:0 -.5px var(--opaqueSeparator)}
            .tabs{min-height:calc(49px + var(--home));padding:0 0 var(--home)}
            .tab{flex:1;min-width:0;height:49px;display:grid;place-items:center;align-content:center;gap:4px;\
            font-size:min(.625rem,14px);color:light-dark(#636366,#aeaeb2)}
            .tab>span{max-width:100%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}

            """,
            firm: """
                .btool.btab{--below:calc(93px + var(--home))}
                .tools .b{min-width:24px;height:44px;padding-block:0;font-size:inherit;white-space:nowrap}
                .tools:has(+.tabs){bottom:calc(49px + var(--home));min-height:44px;padding-bottom:0}
                .tab.on{color:color-mix(in srgb,var(--tint) 75%,var(--label));font-weight:600;box-shadow:inset 0 2px}
                @media (forced-colors:active){.tab.on{outline:2px solid Highlight;outline-offset:-2px}}

                """),
        Part(
            "al",
            """
            .al{position:absolute;z-index:4;inset:0;margin:auto;width:270px;height:fit-content;max-width:100%;max-height:100%;\
            overflow:auto;border-radius:14px;padding-top:19px;text-align:center;background:var(--secondaryGroupedBackground);\
            color:var(--label);box-shadow:0 0 0 200vmax #0004}
            .al>p{padding:2px 16px 19px;font-size:.8125rem;white-space:pre-wrap}
            .al>button{width:100%;min-height:44px;text-align:center;color:var(--tint);\
            border-top:.5px solid var(--opaqueSeparator);border-radius:0 0 14px 14px}
            .al>:is(h1,h2,h3,h4,h5,h6){padding:0 16px;font-weight:600}

            """,
            firm: """
                .al>.destructive{color:light-dark(#c00,#ff6961)}.al>.cancel{font-weight:600}
                @media (forced-colors:active){.al{outline:1px solid}}

                """),
        Part(
            "run",
            "",
            firm: """
                [data-run]{position:absolute;z-index:5;inset:0;display:grid;place-items:center;margin:0;background:#0003}
                [data-run]>button{min-width:120px;min-height:44px;padding:10px 28px;border:0;border-radius:22px;cursor:pointer;\
                font:600 1.0625rem/1.3 system-ui,sans-serif;color:#fff;background:#0057b8;transition:background .2s}
                [data-run]>button:hover{background:#004a9c}
                [data-run]>button:focus-visible{outline:3px solid light-dark(#000,#fff);outline-offset:2px}
                @media (forced-colors:active){[data-run]{background:none}[data-run]>button{border:1px solid ButtonText}}
                @media (prefers-reduced-motion:reduce){[data-run]>button{transition:none}}

                """),
    ]

    private static let alphas: [Part] = stride(from: 0, to: 100, by: 5).map {
        Part("o\($0)", "", firm: ".w .o\($0){opacity:\($0 < 10 ? ".0" : ".")\($0)}\n")
    }
}

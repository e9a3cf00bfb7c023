package import WidgetMarkup
package import WidgetRender

/// A fault of a program, for its author.
package struct LiveFinding: Equatable, Sendable {
    package var isError: Bool
    /// The place in the author's file, the sentence and the code.
    package var text: String
    /// Advice, such as the name that was nearly written.
    package var hints: [String]

    package init(isError: Bool, _ text: String, hints: [String] = []) {
        self.isError = isError
        self.text = text
        self.hints = hints
    }

    /// The numbers of errors and warnings in words; `nil` without any.
    static func counts(_ findings: [LiveFinding]) -> String? {
        let errors = findings.count { $0.isError }
        let parts = [(errors, "error"), (findings.count - errors, "warning")].filter { $0.0 > 0 }
        return parts.isEmpty ? nil : parts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }
}

/// The workbench of an author's page, below the widget and no part of it: the faults of its program, and switches for the
/// reader and the device. It is English, as all that programs say to authors.
package struct Workbench: Sendable {
    /// A size of the widget, as `375x667`, and its name.
    package struct Device: Sendable {
        package var name: String
        package var word: String

        package init(_ name: String, _ word: String) {
            self.name = name
            self.word = word
        }
    }

    package var look: PageLook
    private let devices: [Device]
    private let languages: [String]
    /// The language that the page has; empty for the usual one.
    private let locale: String
    /// The address that a page is begun at; one with a query has its language and look.
    private let start: String
    private let first: String
    /// The switch that was used last; it has the focus of the next page, whose switches are open.
    var last: PageLook.Kind?
    var isOpen = false

    /// - Parameters:
    ///   - first: the address of the first screen.
    ///   - start: the address that begins a page.
    package init(
        _ look: PageLook, devices: [Device], languages: [String], locale: String, first: String, start: String
    ) {
        (self.look, self.devices, self.languages, self.locale) = (look, devices, languages, locale)
        (self.first, self.start) = (first, start)
    }

    /// The identity of the form that switches send.
    package static func formName(_ letter: String) -> String { "\(letter)-f" }

    /// The identity of the element with the faults.
    static func findingsName(_ letter: String) -> String { "\(letter)-d" }

    /// The query of addresses with a look and a language.
    package static func query(_ look: PageLook, _ locale: String) -> String {
        let parts = look.parameters + (locale.isEmpty ? [] : ["locale=\(locale)"])
        return parts.isEmpty ? "" : "?\(parts.joined(separator: "&"))"
    }

    /// The address that begins another page like this one.
    package var begin: String { start + Workbench.query(look, locale) }

    /// The options of its page, by the usual ones.
    package func applied(to usual: PageOptions) -> PageOptions {
        var options = look.applied(to: usual)
        options.formName = Workbench.formName(options.letter)
        options.takesFocus = last == nil
        return options
    }

    /// Takes the choice of a switch.
    ///
    /// - Returns: false if nothing has changed.
    mutating func choose(_ word: String, of kind: PageLook.Kind) -> Bool {
        let old = look
        guard look.choose(word, of: kind) else { return false }
        (last, isOpen) = (kind, true)
        return look != old
    }

    // MARK: - Markup

    /// Writes the workbench behind the widget.
    ///
    /// - Parameter isRunning: false on a page that has no widget to send choices to; its buttons begin one.
    package func write(
        _ findings: [LiveFinding], letter: String, isRunning: Bool, to html: inout HTMLWriter
    ) {
        html.element(.section) { attributes in
            attributes.set(.class, "bench")
            attributes.set(.lang, "en")
            attributes.set(.dir, "ltr")
            attributes.set(.label, "Workbench")
        } content: { html in
            html.printed(Workbench.list(findings, letter: letter))
            html.element(.details) { attributes in
                attributes.set(.class, "looks")
                attributes.set(.open, if: isOpen)
            } content: { html in
                html.element(.summary, text: summary) { $0.set(.id, "\(letter)-k") }
                group("Size", .size, devices.map { ($0.name, $0.word) }, "Window", letter, isRunning, &html)
                group("Colours", .scheme, [("Light", "light"), ("Dark", "dark")], "Usual", letter, isRunning, &html)
                group(
                    "Direction", .direction, [("Left to right", "ltr"), ("Right to left", "rtl")], "Usual", letter,
                    isRunning, &html)
                group(
                    "Text", .textSize, PageLook.Kind.textSize.words.map { ($0, $0) }, "Usual", letter, isRunning, &html)
                if !languages.isEmpty { languageLinks(&html) }
            }
        }
    }

    /// The faults of the program, as the page has them and as changes bring them.
    static func list(_ findings: [LiveFinding], letter: String) -> [UInt8] {
        var html = HTMLWriter()
        guard let counts = LiveFinding.counts(findings) else {
            html.element(.div, text: "") { attributes in
                attributes.set(.id, findingsName(letter))
                attributes.set(.hidden, if: true)
            }
            return html.finish()
        }
        html.element(.details) { attributes in
            attributes.set(.id, findingsName(letter))
            attributes.set(.class, "faults")
            attributes.set(.open, if: true)
        } content: { html in
            html.element(.summary, text: counts)
            html.element(.ul) { html in
                for finding in findings {
                    html.element(.li) { html in
                        html.element(.strong, text: finding.isError ? "error" : "warning") {
                            $0.set(.class, finding.isError ? "error" : "warning")
                        }
                        html.text(" \(finding.text)")
                        for hint in finding.hints { html.element(.span, text: " \(hint)") { $0.set(.class, "hint") } }
                    }
                }
            }
        }
        return html.finish()
    }

    private var summary: String {
        let device = devices.first { $0.word == look[.size] }?.name ?? look[.size]
        let chosen = [device, look[.scheme], look[.direction], look[.textSize]].compactMap { $0 }
        let all = chosen + (locale.isEmpty ? [] : [locale])
        return "Look" + (all.isEmpty ? "" : ": " + all.joined(separator: ", "))
    }

    /// Buttons of the widget's form, so that a page without script sends what was typed with them.
    private func group(
        _ title: String, _ kind: PageLook.Kind, _ words: [(name: String, word: String)], _ usual: String,
        _ letter: String, _ isRunning: Bool, _ html: inout HTMLWriter
    ) {
        html.element(.fieldset) { html in
            html.element(.legend, text: title)
            for (name, word) in [(usual, "")] + words {
                let isChosen = look[kind] ?? "" == word
                html.element(.button, text: name) { attributes in
                    attributes.set(.form, Workbench.formName(letter))
                    attributes.set(.name, "do")
                    attributes.set(.value, "[\"look\",\"\(kind.rawValue)\",\"\(word)\"]")
                    if !isRunning {
                        var next = look
                        next.choose(word, of: kind)
                        attributes.set(.formAction, start + Workbench.query(next, locale))
                    }
                    attributes.set(.pressed, isChosen ? "true" : "false")
                    attributes.set(.autofocus, if: isChosen && last == kind)
                }
            }
        }
    }

    /// Another language is another program, so that its page begins anew.
    private func languageLinks(_ html: inout HTMLWriter) {
        html.element(.fieldset) { html in
            html.element(.legend, text: "Language")
            for (name, word) in [("Usual", "")] + languages.map({ ($0, $0) }) {
                html.element(.a, text: name) { attributes in
                    attributes.set(.href, first + Workbench.query(look, word))
                    attributes.set(.current, word == locale ? "true" : nil)
                }
            }
            html.element(.span, text: "begins the widget anew")
        }
    }
}

/// The stylesheet of workbenches. Each text has a contrast of at least 4.5 with its ground, and each switch room for a finger.
package enum WorkbenchSheet {
    /// The name by which the file never changes.
    package static let fileName = "bench-\(PageFiles.digest(of: bytes)).css"

    package static let bytes = Array(text.utf8)

    static let text = """
        /* The workbench of an author's page. */
        .bench{position:relative;z-index:6;--ink:light-dark(#1c1c1e,#f2f2f7);--edge:light-dark(#6c6c70,#98989d);order:2;flex:none;\
        box-sizing:border-box;width:100%;max-height:50dvh;overflow:auto;color:var(--ink);background:light-dark(#e5e5ea,#2c2c2e);\
        border-top:1px solid var(--edge);font:.8125rem/1.4 system-ui,sans-serif;overflow-wrap:anywhere}
        .bench summary{box-sizing:border-box;min-height:24px;padding:3px 12px;cursor:pointer}
        .bench ul{margin:0;padding:0 12px 8px;list-style:none}.bench li{padding:4px 0}
        .bench li+li{border-top:1px solid light-dark(#c7c7cc,#48484a)}
        .bench .error{color:light-dark(#a50e0e,#ff8a80)}.bench .warning{color:light-dark(#6b4500,#ffd54f)}
        .bench .hint{font-weight:600}.faults{border-bottom:1px solid var(--edge)}
        .looks{display:block}.bench fieldset{display:flex;flex-wrap:wrap;align-items:center;gap:4px;min-width:0;margin:0;\
        padding:2px 12px 6px;border:0}
        .bench legend{float:left;width:5.5em;padding:0}
        .bench fieldset :is(button,a){box-sizing:border-box;min-width:24px;min-height:26px;padding:2px 8px;\
        border:1px solid var(--edge);border-radius:6px;font:inherit;color:var(--ink);background:light-dark(#fff,#1c1c1e);\
        text-decoration:none;cursor:pointer}
        .bench fieldset :is([aria-pressed=true],[aria-current]){color:#fff;background:#0057b8;border-color:#0057b8}
        .bench :focus-visible{outline:2px solid light-dark(#0057b8,#8ab8ff);outline-offset:1px}
        .bench summary:focus-visible{outline-offset:-2px}
        @media (prefers-contrast:more){.bench{--edge:var(--ink)}}
        @media (forced-colors:active){.bench :is([aria-pressed=true],[aria-current]){outline:2px solid Highlight}}

        """
}

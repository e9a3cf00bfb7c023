internal import WidgetBytes
package import WidgetCore
package import WidgetMarkup

/// The frame of a page that a server shows: its script, and what lies around the widget.
package struct LiveFrame: Sendable {
    package enum Kind: Sendable {
        /// A page that is kept up to date, with the address of its viewing, and the one that begins another in its place.
        case viewing(String, begin: String)
        /// A first screen that cannot be touched, and a button that posts to an address. A script presses it when it comes
        /// into view.
        case still(post: String, title: String)
    }

    package var kind: Kind
    package var script: ScriptAddress?
    /// The times that a reader of a page of one widget can go back, and the link to its screen.
    package var depth = 0
    package var link: String?
    /// A sentence about a page that cannot be touched.
    package var note = ""

    package init(_ kind: Kind, script: ScriptAddress?) {
        self.kind = kind
        self.script = script
    }

    /// The policy that goes with such a page, as a header.
    package static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; "
        + "trusted-types page"

    /// The end of the start tag of the line about the page, behind which its text goes.
    ///
    /// - Parameter letter: of the widget on its page.
    package static func statusMark(_ letter: String) -> String {
        "id=\"\(statusName(letter))\" class=\"status\" role=\"status\">"
    }

    package static func statusName(_ letter: String) -> String { "\(letter)-s" }

    /// A link that a person may follow to another server.
    package static func link(_ address: String) -> [UInt8] {
        var html = HTMLWriter()
        html.element(.a, text: address) { attributes in
            attributes.set(.href, address)
            attributes.set(.rel, "noopener noreferrer")
            attributes.set(.target, "_blank")
        }
        return html.bytes
    }

    /// True for a widget that cannot be touched.
    var isStill: Bool {
        if case .still = kind { true } else { false }
    }

    func set(_ attributes: inout HTMLAttributes, position: String?, _ words: SystemWords) {
        LiveFrame.say(words, &attributes)
        guard case .viewing(let address, let begin) = kind else { return }
        attributes.set(.dataLive, address)
        attributes.set(.dataBegin, begin)
        attributes.set(.dataView, position)
        attributes.set(.dataDepth, depth > 0 ? "\(depth)" : nil)
        attributes.set(.dataOpen, link.map { PercentEncoding.segment($0) })
    }

    /// The sentences that the script says, unless they are English, which it knows.
    package static func say(_ words: SystemWords, _ attributes: inout HTMLAttributes) {
        guard !words.isEnglish else { return }
        attributes.set(.dataWords, [SystemWord.ended, .notTaken, .noAnswer].map { words[$0] }.joined(separator: "|"))
    }

    /// Writes the line about a widget, which is empty at first.
    package static func statusLine(_ html: inout HTMLWriter, letter: String, text: String = "") {
        html.element(.p, text: text) { attributes in
            attributes.set(.id, statusName(letter))
            attributes.set(.class, "status")
            attributes.set(.role, "status")
        }
    }

    /// Writes what comes before the widget.
    ///
    /// - Parameter formName: the identity of the form; a running widget has it as soon as it takes the place of a still.
    func begin(_ html: inout HTMLWriter, letter: String, formName: String?) {
        LiveFrame.statusLine(&html, letter: letter, text: note)
        switch kind {
        case .viewing: break
        case .still(let address, let title):
            html.element(.form) { attributes in
                attributes.set(.id, formName)
                attributes.set(.class, "run")
                attributes.set(.method, "post")
                attributes.set(.action, address)
                attributes.set(.dataRun, "view")
            } content: { html in
                html.element(.button, text: title)
            }
        }
    }
}

/// The address of a script on the page's own server, of letters that need no escape.
package struct ScriptAddress: Sendable {
    package let text: String

    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x5F: true
            default: false
            }
        }
        guard isPlain, text.hasPrefix("/"), !text.hasPrefix("//") else { return nil }
        self.text = text
    }

    func write(to html: inout HTMLWriter) { html.trusted("<script src=\"\(text)\" defer data-page></script>") }
}

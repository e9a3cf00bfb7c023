internal import HTTPWire
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup

/// A form that arrived without a session: its fields are carried through the sign-in, so that nothing is typed twice.
///
/// Files, tokens and secrets are never among them.
struct TypedForm: Sendable {
    /// The path that the form is sent to.
    let act: String
    let fields: [(name: String, value: String)]
    /// False if fields were left out that were too many or too long.
    let isWhole: Bool

    static let mostFields = 64
    /// The bytes of all names and values as a form sends them. With the rest, they fit a request to sign in.
    static let byteLimit = 6 << 10

    private static let actName = "typed-act"
    private static let start = "typed."

    /// - Returns: `nil` if the path is not that of a page for people, or nothing was typed.
    init?(_ act: String, _ sent: SentFields) {
        self.init(act, sent.entries)
    }

    private init?(_ act: String, _ entries: [(name: String, value: String)]) {
        guard act.hasPrefix("/manage"), !act.contains("?"), SignIn.local(act) != nil else { return nil }
        var kept: [(name: String, value: String)] = []
        var (byteCount, isWhole) = (0, true)
        for entry in entries where !TypedForm.isSecret(entry) {
            byteCount +=
                PercentEncoding.segment(entry.name).utf8.count + PercentEncoding.segment(entry.value).utf8.count
            guard kept.count < TypedForm.mostFields, byteCount <= TypedForm.byteLimit else {
                isWhole = false
                break
            }
            kept.append(entry)
        }
        guard !kept.isEmpty || !isWhole else { return nil }
        self.act = act
        self.isWhole = isWhole
        // A part of a form would ask for something else.
        fields = isWhole ? kept : []
    }

    /// Reads the fields again from a form that has them hidden.
    init?(carriedBy sent: SentFields) {
        guard let act = sent[TypedForm.actName] else { return nil }
        self.init(
            act,
            sent.entries.filter { $0.name.hasPrefix(TypedForm.start) }.map {
                (String($0.name.dropFirst(TypedForm.start.count)), $0.value)
            })
    }

    private static func isSecret(_ entry: (name: String, value: String)) -> Bool {
        let name = entry.name.lowercased()
        return ["token", "secret", "password"].contains { name.contains($0) } || entry.value.contains("wdg_")
    }

    /// Hides the fields in the form to sign in.
    func carry(to html: inout HTMLWriter) {
        guard !fields.isEmpty else { return }
        ManageForm.hidden(TypedForm.actName, act, to: &html)
        for field in fields { ManageForm.hidden(TypedForm.start + field.name, field.value, to: &html) }
    }

    /// The page after signing in: the fields, and a button that sends them.
    func page(backTo place: String, for caller: Caller, _ more: FieldBlock) -> Answer {
        var html = ManagePages.begin("Signed in", for: caller)
        html.element(.h1, text: "You are signed in")
        html.paragraph("Nothing was changed so far. The form that you sent before is kept here, to be sent again.")
        html.element(.ul) { html in
            for field in fields where !field.value.isEmpty {
                html.element(.li) { html in
                    html.code(field.name)
                    html.text(" \(field.value)")
                }
            }
        }
        html.box(class: "row") { html in
            ManageForm.button(act, "Send it again", fields.map { ($0.name, $0.value) }, to: &html)
            html.link(place, "Leave it", class: "button quiet")
        }
        return GalleryAnswer.response(GalleryFrame.end(&html), .ok, .script, more)
    }
}

/// The reason why a session is over.
enum SessionEnd: Sendable {
    case idle, old
    /// Its token was revoked or has expired.
    case token
    /// It was signed out, or nothing is left of it; or a replica of a version that had them in memory has it.
    case unknown

    var sentence: String {
        switch self {
        case .idle: "Your session is over: it was not used for two hours."
        case .old: "Your session is over: it began twelve hours ago."
        case .token: "Your session is over: its token was revoked or has expired."
        case .unknown:
            "Your session is not known here: it was signed out or has ended, or a server of an earlier version has begun it."
        }
    }
}

internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// Finds addresses of a service that no request can be sent to.
struct AddressCheck {
    private let isScripted: Bool
    private let place: (JSONSpan, String) -> Place
    private(set) var found: [Finding] = []

    private static let schemes = ["http://", "https://"]
    private static let most = 20

    /// - Parameter place: that of a span of the file, for a name.
    static func diagnostics(
        _ root: JSONItem, isScripted: Bool, place: @escaping (JSONSpan, String) -> Place
    ) -> [Finding] {
        var check = AddressCheck(isScripted: isScripted, place: place)
        check.run(root)
        return check.found
    }

    private init(isScripted: Bool, place: @escaping (JSONSpan, String) -> Place) {
        (self.isScripted, self.place) = (isScripted, place)
    }

    private mutating func run(_ root: JSONItem) {
        let base = root["defaults"]?["baseUrl"]
        let text = base?.string ?? ""
        if let base, !text.isEmpty { check(text, base) }
        var open: (name: String, span: JSONSpan)?
        var count = 0
        for member in root["actions"].members where found.count < AddressCheck.most {
            guard let action = member.value.object else { continue }
            let path = action["path"]?.string ?? ""
            if let written = action["path"] { checkParts(path, written, member.name) }
            guard text.isEmpty, !isScripted, action["records"] == nil, !path.hasPrefix("http"), !path.hasPrefix("$")
            else { continue }
            count += 1
            open = open ?? (member.name, member.nameSpan)
        }
        guard let open, count > 0 else { return }
        let owner = count == 1 ? "\(open.name.excerpt) has" : "\(open.name.excerpt) and \(count - 1) other actions have"
        found.append(
            Finding(
                .warning, .badValue, "\(owner) no address: the defaults have no baseUrl",
                at: place(open.span, open.name),
                hint: #"write "defaults": {"baseUrl": "https://…"}, or the whole address as path"#))
    }

    /// Reports an address without a scheme of the web.
    private mutating func check(_ text: String, _ base: JSONItem) {
        let lower = text.lowercased()
        guard !AddressCheck.schemes.contains(where: { lower.hasPrefix($0) }), !text.hasPrefix("$") else { return }
        let rest = text.split(separator: "/", omittingEmptySubsequences: true).first.map(String.init) ?? text
        let isOther = text.contains("://")
        found.append(
            Finding(
                isScripted ? .warning : .error, .badValue,
                isOther
                    ? "\(text.excerpt) is not an address of the web, so no request can be sent"
                    : "\(text.excerpt) has no scheme, so no request can be sent",
                at: place(base.span, "defaults.baseUrl"),
                hint: isOther || rest.isEmpty
                    ? "an address begins with https://"
                    : "did you mean https://\(text.drop { $0 == "/" }.description.excerpt)?"))
    }

    /// Reports a name in braces, which is sent as it is.
    private mutating func checkParts(_ path: String, _ written: JSONItem, _ action: String) {
        guard path.utf8.count <= 2_000, let open = path.firstIndex(of: "{"),
            let close = path[open...].firstIndex(of: "}")
        else { return }
        let name = path[path.index(after: open)..<close]
        guard let first = name.first, first.isLetter, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            return
        }
        found.append(
            Finding(
                .warning, .badValue, "{\(String(name).excerpt)} in the path is sent as it is written",
                at: place(written.span, "\(action.excerpt).path"), hint: "did you mean $\(String(name).excerpt)?"))
    }
}

internal import Bytes
internal import JSONText

/// Reads one service description.
struct ServiceScan {
    var sheet: FindingSheet

    /// The transformers that a description makes known by naming them.
    static func dateTransformers(of service: JSONItem.Object) -> [String] {
        service["options"]?["transformers"]?["date"].members.map(\.name) ?? []
    }

    mutating func read(_ service: JSONItem.Object) {
        if let defaults = service["defaults"]?.object {
            address(defaults["baseUrl"])
            address(defaults["socket"], schemes: ["http", "https", "ws", "wss"])
            readRequest(defaults)
        }
        for member in service["auth"].members where member.name.lowercased().hasSuffix("url") {
            address(member.value)
        }
        for member in service["actions"].members where member.name != "***" {
            guard let action = member.value.object else { continue }
            address(action["path"])
            readRequest(action)
            for assigned in action["set"].members {
                keyPath(assigned.name, at: assigned.nameSpan, .assigned)
            }
            for part in action["multipart"].members {
                if let text = part.value.string { keyPath(text, at: part.value.span, .readFromItem) }
            }
        }
    }

    /// What defaults and actions have in common.
    private mutating func readRequest(_ request: JSONItem.Object) {
        if let method = request["httpMethod"] { line(method.string, at: method.span, "a method's name") }
        for header in request["headers"].members where header.name != "***" {
            line(header.name, at: header.nameSpan, "a header's name")
            line(header.value.string, at: header.value.span, "a header's value")
        }
    }

    private mutating func line(_ text: String?, at span: JSONSpan, _ role: String) {
        guard let offset = text.flatMap({ Array($0.utf8).firstIndex { $0 == 0x0D || $0 == 0x0A || $0 == 0 } }) else {
            return
        }
        sheet.note(.lineBreak, at: span, textOffset: offset, "\(role) ends its line, so that another could follow")
    }

    private mutating func address(_ value: JSONItem?, schemes: Set<String> = ["http", "https"]) {
        guard let value, let text = value.string else { return }
        for fault in ServiceAddress.faults(in: text, schemes: schemes) {
            sheet.note(fault.code, at: value.span, textOffset: fault.offset, fault.detail)
        }
    }

    private mutating func keyPath(_ text: String, at span: JSONSpan, _ use: KeyPath.Use) {
        guard let exit = KeyPath.exit(of: text, use) else { return }
        sheet.note(
            .keyPath, at: span, textOffset: exit.offset,
            "\(ShownText.quoted(exit.component)) leaves the object of the path")
    }
}

internal import WidgetBytes

/// Sources of pages, as browsers' policies name them: the words `'self'`, `'none'` and `*`, and origins.
enum OriginText {
    /// The source as browsers write origins; `nil` for anything else.
    ///
    /// Quotation marks may be missing around words: shells take them away.
    static func source(_ text: String) -> String? {
        switch text {
        case "self", "'self'": "'self'"
        case "none", "'none'": "'none'"
        case "*": "*"
        default: origin(text)
        }
    }

    /// A scheme and a host with or without a port; `*.` before a host means every name below it.
    private static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        guard text.utf8.count <= longest, let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound]
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
            scheme.utf8.allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) })
        else { return nil }
        let parts = text[mark.upperBound...].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts[0].hasPrefix("*.") ? parts[0].dropFirst(2) : parts[0]
        guard isHost(host) else { return nil }
        guard parts.count == 2 else { return text }
        guard (1...5).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(parts[1]), port > 0
        else { return nil }
        // Browsers leave the usual port out.
        let isUsual = ["http": 80, "https": 443][String(scheme)] == port
        return isUsual ? "\(scheme)://\(parts[0])" : "\(scheme)://\(parts[0]):\(port)"
    }

    private static func isHost(_ host: Substring) -> Bool {
        host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.first != 0x2D && label.utf8.last != 0x2D
                && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D }
        }
    }

    private static let longest = 300
}

extension SettingKind where Value == [String] {
    /// The pages that may hold a page in a frame.
    package static var frameAncestors: SettingKind {
        list(
            name: "origins",
            expectation:
                "self, none, *, or origins without a path, such as https://app.example and https://*.app.example",
            atLeast: 1, parse: OriginText.source, show: { $0 })
    }
}

internal import Addresses

/// The URL that clients use, checked as far as the server relies on it.
enum PublicURL {
    static let byteLimit = 2_048

    /// The URL without slashes at its end, or `nil`.
    static func parse(_ text: String) -> String? {
        guard text.utf8.count <= byteLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
        guard let scheme, !text.contains(where: { "?#@\\\"<>".contains($0) }) else { return nil }
        var rest = text.dropFirst(scheme.count)
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let authority = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first,
            isAuthority(authority)
        else {
            return nil
        }
        return scheme + rest
    }

    /// A host, with or without a port, as a listener would take it.
    private static func isAuthority(_ text: Substring) -> Bool {
        let hasPort = text.hasSuffix("]") ? false : text.contains(":")
        guard !text.hasPrefix("unix:"), let address = ListenAddress(hasPort ? String(text) : text + ":1") else {
            return false
        }
        if case .tcp(_, let port) = address { return port > 0 }
        return false
    }
}

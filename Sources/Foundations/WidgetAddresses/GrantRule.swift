/// A grant for requests: a scheme, a host, a port, and the beginning of paths, as in `https://api.example.com:443/v1/`. The
/// parser that also connects has found these parts.
package struct GrantRule: Equatable, Sendable {
    package let scheme: String
    package let host: String
    package let port: UInt16
    package let path: String

    package init(scheme: String, host: String, port: UInt16, path: String) {
        (self.scheme, self.host, self.port, self.path) = (scheme, host, port, path)
    }

    /// A path begins with another at a slash only: a grant for `/v1` is not one for `/v10`.
    ///
    /// - Parameter url: the parts of the address that is asked.
    package func allows(_ url: GrantRule) -> Bool {
        guard url.scheme == scheme, url.host == host, url.port == port else { return false }
        guard GrantRule.isPlain(url.path) else { return false }
        return path == "/" || url.path == path || url.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }

    /// True if a path means the same to every server: no dots to climb with, no slash or backslash in disguise, no
    /// control characters, which some servers leave out, and no bytes that UTF-8 never has, which some read as dots.
    private static func isPlain(_ path: String) -> Bool {
        let plain = unwrapped(path.lowercased())
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        let disguises = ["%2f", "%5c", "\\", "%7f"]
        return !parts.contains { climbs($0) } && !disguises.contains { plain.contains($0) } && isReadable(plain)
    }

    /// True if the escapes of a path stand for no control character and for no overlong form of another character.
    private static func isReadable(_ plain: String) -> Bool {
        let bytes = Array(plain.utf8)
        let escapes = bytes.indices.map { bytes[$0] == UInt8(ascii: "%") ? escape(bytes, $0) : nil }
        for (place, escape) in escapes.enumerated() {
            guard let escape else { continue }
            let next = place + 3 < escapes.count ? escapes[place + 3] : nil
            switch escape {
            case 0..<0x20, 0xC0, 0xC1, 0xF5...0xFF: return false
            case 0xE0: if let next, 0x80..<0xA0 ~= next { return false }
            case 0xF0: if let next, 0x80..<0x90 ~= next { return false }
            default: break
            }
        }
        return true
    }

    private static func escape(_ bytes: [UInt8], _ place: Int) -> UInt8? {
        guard place + 2 < bytes.count else { return nil }
        return UInt8(String(decoding: bytes[(place + 1)...(place + 2)], as: UTF8.self), radix: 16)
    }

    /// True for `.` and `..` in any spelling. Some servers look only at the text before a semicolon.
    private static func climbs(_ part: Substring) -> Bool {
        let name = part.replacing("%3b", with: ";").prefix { $0 != ";" }.replacing("%2e", with: ".")
        // Some servers ignore a blank at the end.
        let bare = name.replacing("%20", with: "")
        return bare == "." || bare == ".."
    }

    /// A percent sign that is itself written as one, for servers that decode a path twice.
    private static func unwrapped(_ path: String) -> String {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            bytes.append(byte)
            if bytes.suffix(3).elementsEqual("%25".utf8) { bytes.removeLast(2) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

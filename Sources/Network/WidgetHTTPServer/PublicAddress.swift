internal import HTTPWire

/// The address at which clients reach a server: behind a proxy it has another host and scheme, and may begin with a path.
package struct PublicAddress: Equatable, Sendable {
    /// As browsers name it in `Origin`: scheme and host in lower case, and a port that the scheme does not imply.
    package let origin: String
    /// The beginning of every path, as `/registry`; empty for a server at the top of its host.
    package let path: String

    /// - Parameter url: `http` or `https`, a host, and a path of letters, digits and `-._~`; anything else gives `nil`.
    package init?(_ url: String) {
        guard let scheme = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) }) else { return nil }
        let rest = url.dropFirst(scheme.count)
        var host = rest.prefix { $0 != "/" }.lowercased()
        let usual = scheme == "http://" ? ":80" : ":443"
        if host.hasSuffix(usual), !host.dropLast(usual.count).isEmpty { host.removeLast(usual.count) }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\\"<>".utf8.contains($0) })
        else { return nil }
        var path = rest.dropFirst(rest.prefix { $0 != "/" }.count)
        while path.hasSuffix("/") { path = path.dropLast() }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard path.isEmpty || segments.allSatisfy(PublicAddress.isSegment) else { return nil }
        origin = scheme + host
        self.path = String(path)
    }

    package var text: String { origin + path }

    /// A segment that is written alike in paths, pages, header fields and cookies.
    private static func isSegment(_ segment: Substring) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".."
            && segment.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
                default: false
                }
            }
    }
}

/// The path below which clients see a server, in requests that still have it and in answers that lack it.
///
/// Routes know nothing of it. Bodies that were written for any server have a mark wherever the path goes.
package enum RootPath {
    /// A character that texts of pages never have.
    package static let mark: UInt8 = 0x1A

    /// The number of bytes of a path before the part that routes know; 0 where a proxy has removed them.
    static func count(of root: [UInt8], in path: Span<UInt8>) -> Int {
        guard !root.isEmpty, path.count >= root.count else { return 0 }
        for index in root.indices where path[index] != root[index] { return 0 }
        return path.count == root.count || path[root.count] == UInt8(ascii: "/") ? root.count : 0
    }

    /// A body with the path in the place of every mark.
    package static func filled(_ body: [UInt8], _ root: String) -> [UInt8] {
        guard body.contains(mark) else { return body }
        var filled: [UInt8] = []
        filled.reserveCapacity(body.count + root.utf8.count * 64)
        for piece in body.split(separator: mark, omittingEmptySubsequences: false).enumerated() {
            if piece.offset > 0 { filled.append(contentsOf: root.utf8) }
            filled.append(contentsOf: piece.element)
        }
        return filled
    }

    /// The fields with the path before each address of this server in `Location` and `Link`.
    static func filled(_ fields: FieldBlock, _ root: String) -> FieldBlock {
        guard !root.isEmpty else { return fields }
        return fields.inserting(root, behind: ["Location: /", "Link: </"])
    }
}

extension Response {
    /// The answer as clients below a path get it.
    func placed(below root: String) -> Response {
        var placed = self
        placed.fields = RootPath.filled(fields, root)
        if lacksRoot, case .bytes(let bytes) = body { placed.body = .bytes(RootPath.filled(bytes, root)) }
        return placed
    }
}

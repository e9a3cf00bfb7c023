/// A pattern for the end of a path.
struct PathPattern {
    private let components: [[UInt8]]

    init(_ text: String) {
        components = text.utf8.split(separator: 0x2F).map { PathPattern.folded($0) }
    }

    /// - Parameter names: the components of a path, folded.
    func matches(_ names: [[UInt8]]) -> Bool {
        guard !components.isEmpty, names.count >= components.count else { return false }
        return zip(components, names.suffix(components.count)).allSatisfy(PathPattern.matches)
    }

    /// As ``matches(_:)`` compares it.
    static func folded(_ path: [String]) -> [[UInt8]] { path.map { folded($0.utf8) } }

    private static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Matches with at most one way back, to the last star: linear in practice, and never exponential.
    private static func matches(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        var place = 0
        var index = 0
        var lastStar: Int?
        var resume = 0
        while index < name.count {
            if place < pattern.count, pattern[place] == star {
                lastStar = place
                resume = index
                place += 1
            } else if place < pattern.count, pattern[place] == name[index] {
                place += 1
                index += 1
            } else if let lastStar {
                place = lastStar + 1
                resume += 1
                index = resume
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }
}

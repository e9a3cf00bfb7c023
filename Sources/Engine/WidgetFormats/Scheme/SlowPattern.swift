/// Regular expressions on which back-tracking engines can take exponential time.
///
/// Only certain cases are found: a repeated group whose contents repeat as a whole, so that one text can be divided
/// between the two repetitions in many ways, as in `(a+)+`.
struct SlowPattern {
    private struct Group {
        var offset: Int
        var unboundedCount = 0
        var mandatoryCount = 0
        var hasRepeatedDot = false
        /// True if an alternative before the present one repeats as a whole.
        var loops = false

        mutating func endAlternative() {
            if unboundedCount > 0, mandatoryCount == 0 || hasRepeatedDot { loops = true }
            (unboundedCount, mandatoryCount, hasRepeatedDot) = (0, 0, false)
        }

        mutating func add(_ repetition: Repetition, isDot: Bool = false, loops: Bool = false) {
            switch repetition {
            case .unbounded:
                unboundedCount += 1
                if isDot { hasRepeatedDot = true }
            case .optional: break
            case .once:
                if loops { unboundedCount += 1 } else { mandatoryCount += 1 }
            }
        }
    }

    private enum Repetition {
        case once
        case optional
        case unbounded
    }

    private let bytes: [UInt8]
    private var index = 0

    /// Returns the offset of the group, in UTF-8 bytes, or `nil`.
    static func offset(in pattern: String) -> Int? {
        var scan = SlowPattern(bytes: Array(pattern.utf8))
        return scan.run()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func run() -> Int? {
        var groups = [Group(offset: 0)]
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "("):
                skipGroupPrefix()
                groups.append(Group(offset: start))
            case UInt8(ascii: ")"):
                guard groups.count > 1, var group = groups.popLast() else { continue }
                group.endAlternative()
                let repetition = repetition()
                if repetition == .unbounded, group.loops { return group.offset }
                groups[groups.count - 1].add(repetition, loops: group.loops)
            case UInt8(ascii: "|"): groups[groups.count - 1].endAlternative()
            case UInt8(ascii: "^"): continue
            case UInt8(ascii: "["):
                skipClass()
                groups[groups.count - 1].add(repetition())
            case UInt8(ascii: "\\"):
                index += 1
                groups[groups.count - 1].add(repetition())
            // The rest of a character's bytes.
            case 0x80..<0xC0: continue
            default:
                while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
                groups[groups.count - 1].add(repetition(), isDot: byte == UInt8(ascii: "."))
            }
        }
        return nil
    }

    /// Skips `(?:`, `(?=`, `(?<name>` and similar prefixes.
    private mutating func skipGroupPrefix() {
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "?") else { return }
        index += 2
    }

    private mutating func skipClass() {
        if index < bytes.count, bytes[index] == UInt8(ascii: "^") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
    }

    private mutating func repetition() -> Repetition {
        guard index < bytes.count else { return .once }
        var repetition = Repetition.once
        switch bytes[index] {
        case UInt8(ascii: "*"), UInt8(ascii: "+"):
            repetition = .unbounded
            index += 1
        case UInt8(ascii: "?"):
            repetition = .optional
            index += 1
        case UInt8(ascii: "{"):
            guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else { return .once }
            if bytes[end - 1] == UInt8(ascii: ",") { repetition = .unbounded }
            index = end + 1
        default: return .once
        }
        guard index < bytes.count else { return repetition }
        if bytes[index] == UInt8(ascii: "?") {
            index += 1
        } else if bytes[index] == UInt8(ascii: "+") {
            // A possessive repetition never gives back what it took.
            index += 1
            return .optional
        }
        return repetition
    }
}

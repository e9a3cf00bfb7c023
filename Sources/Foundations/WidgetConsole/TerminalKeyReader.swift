/// Reads keys from the bytes of a terminal, however the bytes are split.
///
/// Unknown sequences are ignored and endless ones dropped: a terminal's bytes are untrusted input.
package struct TerminalKeyReader: Sendable {
    private var pending: [UInt8] = []
    private var pasted: [UInt8]?
    /// True while the rest of an overlong sequence is skipped.
    private var isSkipping = false

    private static let longestSequence = 32
    private static let longestPaste = 64 << 10
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    package init() {}

    /// True while an escape may be a key or the beginning of a sequence; a pause decides.
    package var isUndecided: Bool { !pending.isEmpty }

    /// Returns the keys that these bytes complete.
    package mutating func read(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, count) = next() {
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Decides pending bytes after a pause: a lone escape is the escape key.
    package mutating func settle() -> [Key] {
        defer { (pending, isSkipping) = ([], false) }
        guard pasted == nil, pending.first == 0x1B else { return [] }
        return [.escape]
    }

    /// The next key and its number of bytes; `nil` if it needs more bytes.
    private mutating func next() -> (Key?, Int)? {
        guard let first = pending.first else { return nil }
        if pasted != nil { return paste() }
        if isSkipping {
            isSkipping = !TerminalKeyReader.endsSequence(first)
            return (nil, 1)
        }
        switch first {
        case 0x1B: return escape()
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x00..<0x20:
            let letter = UnicodeScalar(first | 0x60)
            return (first == 0 ? nil : .control(Character(letter)), 1)
        case 0x20..<0x7F: return (.character(Character(UnicodeScalar(first))), 1)
        default: return letter(first)
        }
    }

    private func letter(_ first: UInt8) -> (Key?, Int)? {
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard length > 1, first < 0xF5 else { return (nil, 1) }
        for place in 1..<length {
            guard place < pending.count else { return nil }
            guard pending[place] & 0xC0 == 0x80 else { return (nil, place) }
        }
        let text = String(decoding: pending[..<length], as: UTF8.self)
        guard text.count == 1, let character = text.first, character != "\u{FFFD}",
            text.unicodeScalars.allSatisfy({ $0.value >= 0xA0 })
        else { return (nil, length) }
        return (.character(character), length)
    }

    private mutating func escape() -> (Key?, Int)? {
        guard pending.count > 1 else { return nil }
        switch pending[1] {
        case UInt8(ascii: "["): return sequence()
        case UInt8(ascii: "O"):
            guard pending.count > 2 else { return nil }
            return (TerminalKeyReader.cursor(pending[2]), 3)
        // Two escapes are two keys. With another byte it is a key pressed together with Alt, which has no meaning here.
        case 0x1B: return (.escape, 1)
        default: return (nil, 2)
        }
    }

    private static func endsSequence(_ byte: UInt8) -> Bool { 0x40...0x7E ~= byte }

    /// Reads parameters, then the letter that names the key.
    private mutating func sequence() -> (Key?, Int)? {
        guard let end = pending.dropFirst(2).firstIndex(where: TerminalKeyReader.endsSequence) else {
            guard pending.count > TerminalKeyReader.longestSequence else { return nil }
            // Longer than the sequence of any key: skipped up to its end.
            isSkipping = true
            return (nil, pending.count)
        }
        guard end <= TerminalKeyReader.longestSequence else { return (nil, end + 1) }
        let number = String(decoding: pending[2..<end].prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
        guard pending[end] == UInt8(ascii: "~") else {
            return (pending[end] == UInt8(ascii: "Z") ? .backTab : TerminalKeyReader.cursor(pending[end]), end + 1)
        }
        switch number {
        case "1", "7": return (.home, end + 1)
        case "4", "8": return (.end, end + 1)
        case "3": return (.delete, end + 1)
        case "5": return (.pageUp, end + 1)
        case "6": return (.pageDown, end + 1)
        case "200":
            pasted = []
            return (nil, end + 1)
        default: return (nil, end + 1)
        }
    }

    private static func cursor(_ letter: UInt8) -> Key? {
        switch letter {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        default: nil
        }
    }

    private mutating func paste() -> (Key?, Int)? {
        if pending.starts(with: TerminalKeyReader.pasteEnd) {
            let bytes = pasted ?? []
            pasted = nil
            let text = String(decoding: bytes, as: UTF8.self).map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 }
                .filter {
                    $0 == "\n" || $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) }
                }
            return (text.isEmpty ? nil : .pasted(String(text)), TerminalKeyReader.pasteEnd.count)
        }
        // The mark of the end may arrive in pieces.
        if pending.count < TerminalKeyReader.pasteEnd.count, TerminalKeyReader.pasteEnd.starts(with: pending) {
            return nil
        }
        if (pasted?.count ?? 0) < TerminalKeyReader.longestPaste { pasted?.append(pending[0]) }
        return (nil, 1)
    }
}

/// A key that was pressed, or text that was pasted.
package enum Key: Equatable, Sendable {
    /// A letter, digit or sign; also one composed of several.
    case character(Character)
    /// Pasted text; its line ends do not count as the enter key.
    case pasted(String)
    case enter, tab, backTab, escape, backspace, delete
    case up, down, left, right
    case pageUp, pageDown, home, end
    /// With the control key, by its letter.
    case control(Character)
}

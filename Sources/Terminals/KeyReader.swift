/// Makes keys of the bytes that a terminal sends, in whatever pieces they come.
///
/// A sequence that nobody knows is no key, and one without end is dropped: bytes from a terminal are as little to be
/// trusted as any.
package struct KeyReader: Sendable {
    private var pending: [UInt8] = []
    private var pasted: [UInt8]?
    /// The rest of a sequence that is too long to be one is on its way.
    private var isSkipping = false

    private static let longestSequence = 32
    private static let longestPaste = 64 << 10
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    package init() {}

    /// Whether an escape may be a key of its own or the beginning of another: time tells.
    package var isUndecided: Bool { !pending.isEmpty }

    /// The keys that are complete with these bytes.
    package mutating func read(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let (key, count) = next() {
            pending.removeFirst(count)
            if let key { keys.append(key) }
        }
        return keys
    }

    /// Nothing has followed for a moment: what is there is meant as it is.
    package mutating func settle() -> [Key] {
        defer { (pending, isSkipping) = ([], false) }
        guard pasted == nil, pending.first == 0x1B else { return [] }
        return [.escape]
    }

    /// The next key and how many bytes it has; `nil` when more must come.
    private mutating func next() -> (Key?, Int)? {
        guard let first = pending.first else { return nil }
        if pasted != nil { return paste() }
        if isSkipping {
            isSkipping = !KeyReader.endsSequence(first)
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
            return (KeyReader.cursor(pending[2]), 3)
        // Two escapes are two keys; with anything else it is a key with another key held, which is nobody's here.
        case 0x1B: return (.escape, 1)
        default: return (nil, 2)
        }
    }

    private static func endsSequence(_ byte: UInt8) -> Bool { 0x40...0x7E ~= byte }

    /// Parameters, then a letter that says what it is.
    private mutating func sequence() -> (Key?, Int)? {
        guard let end = pending.dropFirst(2).firstIndex(where: KeyReader.endsSequence) else {
            guard pending.count > KeyReader.longestSequence else { return nil }
            // What goes on for longer than any key is no key, up to where it would end.
            isSkipping = true
            return (nil, pending.count)
        }
        guard end <= KeyReader.longestSequence else { return (nil, end + 1) }
        let number = String(decoding: pending[2..<end].prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
        guard pending[end] == UInt8(ascii: "~") else {
            return (pending[end] == UInt8(ascii: "Z") ? .backTab : KeyReader.cursor(pending[end]), end + 1)
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
        if pending.starts(with: KeyReader.pasteEnd) {
            let bytes = pasted ?? []
            pasted = nil
            let text = String(decoding: bytes, as: UTF8.self).map { $0 == "\r" || $0 == "\r\n" ? "\n" : $0 }
                .filter {
                    $0 == "\n" || $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) }
                }
            return (text.isEmpty ? nil : .pasted(String(text)), KeyReader.pasteEnd.count)
        }
        // The mark of the end may come in pieces.
        if pending.count < KeyReader.pasteEnd.count, KeyReader.pasteEnd.starts(with: pending) { return nil }
        if (pasted?.count ?? 0) < KeyReader.longestPaste { pasted?.append(pending[0]) }
        return (nil, 1)
    }
}

/// Takes a template apart byte by byte: letters take long to be told apart, and a template can be large.
struct TemplateReader {
    private let bytes: [UInt8]
    private let style: Template.Style
    private let text: String

    init(_ text: String, _ style: Template.Style) {
        self.text = text
        self.style = style
        bytes = Array(text.utf8)
    }

    func parts(_ paths: inout TemplatePath.Table) -> [Template.Part] {
        var parts: [Template.Part] = []
        // Where what stands as it is begins, and what is looked at.
        var start = 0
        var place = 0
        func flush() { if start < place { parts.append(.text(string(start..<place))) } }
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "$"), let token = token(from: place + 1) {
                flush()
                parts.append(.path(paths[string(token)]))
                place = token.upperBound
                start = place
            } else if style == .format, bytes[place] == UInt8(ascii: "%"), let (part, end) = conversion(from: place) {
                flush()
                parts.append(part)
                place = end
                start = place
            } else {
                place += 1
            }
        }
        flush()
        return parts
    }

    private func string(_ range: Range<Int>) -> String {
        range.count == bytes.count ? text : String(decoding: bytes[range], as: UTF8.self)
    }

    /// What a token reads, without the full stops that end a sentence behind it.
    private func token(from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, isInToken(bytes[end]) { end += 1 }
        if bytes[start..<end].contains(where: { $0 >= 0x80 }) { end = start + lettersCount(start..<end) }
        while end > start, bytes[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return end > start && bytes[start] != UInt8(ascii: ".") ? start..<end : nil
    }

    private func isInToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        case UInt8(ascii: "."): style != .keys
        default: false
        }
    }

    /// How many of the bytes are of letters, where there are others than those of English.
    private func lettersCount(_ range: Range<Int>) -> Int {
        string(range).prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.utf8.count
    }

    private func conversion(from start: Int) -> (Template.Part, end: Int)? {
        var place = start + 1
        if place < bytes.count, bytes[place] == UInt8(ascii: "%") { return (.text("%"), place + 1) }
        while place < bytes.count, isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") { place += 1 }
        let flags = bytes[(start + 1)..<place]
        while place < bytes.count, bytes[place] == UInt8(ascii: "l") || bytes[place] == UInt8(ascii: "h") { place += 1 }
        guard place < bytes.count else { return nil }
        let letter = Character(Unicode.Scalar(bytes[place]))
        guard "@dDiufFgs".contains(letter) else { return nil }
        let precision = flags.firstIndex(of: UInt8(ascii: ".")).flatMap { point in
            Int(String(decoding: flags[(point + 1)...], as: UTF8.self))
        }
        return (.conversion(letter, precision: precision.map { min(max($0, 0), 15) }), place + 1)
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}

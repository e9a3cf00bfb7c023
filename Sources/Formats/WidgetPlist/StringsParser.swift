internal import WidgetBytes

extension StringsParser {
    /// No strings file begins with `<`, after white space or a mark.
    static func looksLikeXML(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case 0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D: continue
            case let byte: return byte == UInt8(ascii: "<")
            }
        }
        return false
    }
}

/// Reads `.strings` text: `"key" = "value";`, where a key without a value is its own value, words need
/// no quotes, and comments are as in C. Nested values are not part of it.
struct StringsParser {
    let limits: PlistLimits
    let text: StringsText

    var index: Int
    private var keys: [String] = []
    private var values: [PlistValue] = []
    private var keyIndices: [Int] = []
    private var isInsideValue = false
    private(set) var notes: [PlistNote] = []

    /// A reason and where in the text it is.
    struct Fault: Error {
        var reason: PlistError.Reason
        var index: Int
    }

    init(_ text: StringsText, limits: PlistLimits) {
        self.text = text
        self.limits = limits
        index = text.start
        if text.repeatsMark { note(.repeatedMark, at: text.start) }
    }

    private mutating func note(_ subject: PlistNote.Subject, at index: Int) {
        guard notes.count < PlistNote.mostKept else { return }
        notes.append(PlistNote(subject, at: text.position(of: index)))
    }

    var path: ValuePath { ValuePath(isInsideValue ? keys.suffix(1).map { .key($0) } : []) }

    mutating func parse() throws(Fault) -> PlistDictionary {
        while true {
            isInsideValue = false
            try skipMisc()
            if index == text.count { break }
            guard keys.count < limits.objectCount else {
                throw Fault(reason: .limitReached(.objectCount, limit: limits.objectCount), index: index)
            }
            keyIndices.append(index)
            keys.append(try markedWord(.key))
            isInsideValue = true
            try value()
        }
        var repetitions: [PlistDictionary.Repetition] = []
        let dictionary = PlistDictionary(lastOf: keys, values: values, &repetitions)
        for repetition in repetitions {
            note(
                .repeatedKey(keys[repetition.position], agrees: repetition.agrees), at: keyIndices[repetition.position])
        }
        return dictionary
    }

    /// `= value;`, or only `;`.
    private mutating func value() throws(Fault) {
        try skipMisc()
        var value = keys.last ?? ""
        switch try current() {
        case UInt8(ascii: "="):
            index += 1
            try skipMisc()
            value = try markedWord(.value)
            try skipMisc()
            guard try current() == UInt8(ascii: ";") else { throw unexpected(.semicolon) }
        case UInt8(ascii: ";"): break
        default: throw unexpected(.equalsOrSemicolon)
        }
        index += 1
        values.append(.string(value))
    }

    func current() throws(Fault) -> UInt8 {
        guard index < text.count else { throw Fault(reason: .truncated, index: index) }
        return text.bytes[index]
    }

    private func unexpected(_ expected: PlistError.StringsExpectation) -> Fault {
        guard index < text.count else { return Fault(reason: .truncated, index: index) }
        return Fault(reason: .unexpectedCharacter(text.scalar(at: index), expected: expected), index: index)
    }

    /// White space and comments.
    private mutating func skipMisc() throws(Fault) {
        while index < text.count {
            switch text.bytes[index] {
            case 0x09...0x0D, 0x20: index += 1
            // U+2028 and U+2029, which end a line and a paragraph.
            case 0xE2 where [0x2028, 0x2029].contains(text.scalar(at: index)): index += 3
            case UInt8(ascii: "/"): try comment()
            default: return
            }
        }
    }

    private mutating func comment() throws(Fault) {
        index += 1
        switch try current() {
        case UInt8(ascii: "/"):
            while index < text.count, text.bytes[index] != 0x0A, text.bytes[index] != 0x0D { index += 1 }
        case UInt8(ascii: "*"):
            index += 1
            while true {
                let byte = try current()
                index += 1
                if byte == UInt8(ascii: "*"), try current() == UInt8(ascii: "/") { break }
            }
            index += 1
        default: throw unexpected(.comment)
        }
    }

    /// A word without too many combining marks on one letter.
    private mutating func markedWord(_ expected: PlistError.StringsExpectation) throws(Fault) -> String {
        let start = index
        let word = try word(expected)
        guard CombiningMarks.offsetOfTooMany(in: word.utf8.span) == nil else {
            throw Fault(reason: .tooManyMarks, index: start)
        }
        return word
    }

    /// A string in either kind of quotes, or a word of the characters that need no quotes.
    private mutating func word(_ expected: PlistError.StringsExpectation) throws(Fault) -> String {
        let quote = try current()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = index
            while index < text.count, StringsParser.needsNoQuotes(text.bytes[index]) { index += 1 }
            guard index > start else { throw unexpected(expected) }
            return String(decoding: text.bytes[start..<index], as: UTF8.self)
        }
        if quote == UInt8(ascii: "'") { note(.singleQuotes, at: index) }
        index += 1
        // Text between escapes is taken as a whole.
        var start = index
        var word = ""
        while true {
            switch try current() {
            case quote:
                let rest = String(decoding: text.bytes[start..<index], as: UTF8.self)
                index += 1
                return word.isEmpty ? rest : word + rest
            case UInt8(ascii: "\\"):
                word += String(decoding: text.bytes[start..<index], as: UTF8.self)
                word.unicodeScalars.append(try escape())
                start = index
            default: index += 1
            }
        }
    }

    private static func needsNoQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension StringsParser {
    /// Reads a backslash and its escape. `\Uxxxx` is a UTF-16 unit, so two of them may form a pair;
    /// octal numbers are taken only where every encoding agrees on them. Any other character stays as it is.
    fileprivate mutating func escape() throws(Fault) -> Unicode.Scalar {
        let start = index
        index += 1
        let byte = try current()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\n"),
            UInt8(ascii: "\r"):
            return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "a"): return "\u{7}"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "v"): return "\u{B}"
        case UInt8(ascii: "U"): return try unicodeEscape(from: start)
        case 0x30...0x37:
            index -= 1
            return try octal(from: start)
        default: return plainCharacter(from: start)
        }
    }

    /// The character behind a backslash that has no meaning before it.
    private mutating func plainCharacter(from start: Int) -> Unicode.Scalar {
        let value = text.scalar(at: start + 1)
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        index = start + 1 + UTF8.width(scalar)
        let digits = text.bytes[index...].prefix(4)
        if scalar == "u", digits.count == 4, digits.allSatisfy({ Hex.value(of: $0) != nil }) {
            note(.smallU(String(decoding: digits, as: UTF8.self)), at: start)
        } else {
            note(.needlessBackslash(value), at: start)
        }
        return scalar
    }

    private mutating func octal(from start: Int) throws(Fault) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<3 {
            let digit = try current()
            guard (0x30...0x37).contains(digit) else { break }
            value = value << 3 | UInt32(digit & 7)
            index += 1
        }
        guard value < 0x80, let scalar = Unicode.Scalar(value) else {
            throw Fault(reason: .unknownEscape(0x30 + (value >> 6)), index: start)
        }
        return scalar
    }

    private mutating func unicodeEscape(from start: Int) throws(Fault) -> Unicode.Scalar {
        let first = try unit(from: start, at: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = Fault(reason: .loneSurrogate(UInt16(truncatingIfNeeded: first)), index: start)
        guard first < 0xDC00, try current() == UInt8(ascii: "\\") else { throw lone }
        index += 1
        guard try current() == UInt8(ascii: "U") else { throw lone }
        index += 1
        let second = try unit(from: start, at: index - 2)
        guard second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | (second & 0x3FF)))
        else { throw lone }
        return scalar
    }

    /// One to four digits, with a note on fewer than four.
    ///
    /// - Parameter place: the place of the backslash.
    private mutating func unit(from start: Int, at place: Int) throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        while count < 4, let digit = Hex.value(of: try current()) {
            value = value << 4 | UInt32(digit)
            index += 1
            count += 1
        }
        guard count > 0 else { throw Fault(reason: .unknownEscape(UInt32(UInt8(ascii: "U"))), index: start) }
        if count < 4 {
            note(.shortNumber(String(decoding: text.bytes[index - count..<index], as: UTF8.self)), at: place)
        }
        return value
    }
}

/// The text of a strings file as UTF-8, whichever of its encodings it came in, with the byte offsets of the original.
struct StringsText {
    /// Strict UTF-8.
    private(set) var bytes: [UInt8]
    /// The offset of the text: after a byte order mark, if there is one.
    let start: Int
    /// True if a second mark follows the first, as some programs that merge files leave it.
    let repeatsMark: Bool
    private let isUTF16: Bool

    /// UTF-8 with or without a mark, or UTF-16 with one; an encoding is never guessed.
    init(_ bytes: [UInt8]) throws(PlistFault) {
        let span = bytes.span
        if span.count >= 2, span[0] == 0xFE, span[1] == 0xFF {
            (isUTF16, start) = (true, 0)
            repeatsMark = span.count >= 4 && span[2] == 0xFE && span[3] == 0xFF
            self.bytes = try StringsText.transcoded(span, from: repeatsMark ? 4 : 2, isBigEndian: true)
        } else if span.count >= 2, span[0] == 0xFF, span[1] == 0xFE {
            (isUTF16, start) = (true, 0)
            repeatsMark = span.count >= 4 && span[2] == 0xFF && span[3] == 0xFE
            self.bytes = try StringsText.transcoded(span, from: repeatsMark ? 4 : 2, isBigEndian: false)
        } else {
            let hasMark = StringsText.hasMark(span, at: 0)
            repeatsMark = hasMark && StringsText.hasMark(span, at: 3)
            (isUTF16, start) = (false, repeatsMark ? 6 : hasMark ? 3 : 0)
            try StringsText.requireUTF8(span, from: start)
            self.bytes = bytes
        }
    }

    /// Returns true if a byte order mark in UTF-8 begins at an index.
    private static func hasMark(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        bytes.count >= index + 3 && bytes[index] == 0xEF && bytes[index + 1] == 0xBB && bytes[index + 2] == 0xBF
    }

    var count: Int { bytes.count }

    /// The scalar at an index that begins one.
    func scalar(at index: Int) -> UInt32 {
        guard case .scalar(let value, _) = UTF8Sequence(at: index, in: bytes.span) else { return 0xFFFD }
        return value
    }

    /// The byte offset in the file of the character at an index.
    func offset(of index: Int) -> Int {
        guard isUTF16 else { return index }
        return bytes[..<index].reduce(repeatsMark ? 4 : 2) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 < 0xF0 ? 2 : 4) }
    }

    /// Line and column of an index, counted from 1.
    func position(of index: Int) -> TextPosition {
        TextPosition(of: index - start, in: bytes.span.extracting(start...))
    }

    private static func requireUTF8(_ bytes: Span<UInt8>, from start: Int) throws(PlistFault) {
        var index = start
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index &+= 1
                continue
            }
            guard case .scalar(_, let byteCount) = UTF8Sequence(at: index, in: bytes) else {
                throw PlistFault(.invalidUTF8, at: index)
            }
            index &+= byteCount
        }
    }

    private static func transcoded(
        _ bytes: Span<UInt8>, from start: Int, isBigEndian: Bool
    ) throws(PlistFault) -> [UInt8] {
        func unit(at index: Int) -> UInt32 {
            let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard bytes.count.isMultiple(of: 2) else { throw PlistFault(.invalidUTF16, at: bytes.count - 1) }
        var text: [UInt8] = []
        // A unit of two bytes becomes at most three.
        text.reserveCapacity(bytes.count / 2 * 3)
        var index = start
        while index < bytes.count {
            var value = unit(at: index)
            let start = index
            index += 2
            if value & 0xF800 == 0xD800 {
                guard value < 0xDC00, index < bytes.count, unit(at: index) & 0xFC00 == 0xDC00 else {
                    throw PlistFault(.loneSurrogate(UInt16(truncatingIfNeeded: value)), at: start)
                }
                value = 0x10000 + ((value & 0x3FF) << 10 | (unit(at: index) & 0x3FF))
                index += 2
            }
            guard let scalar = Unicode.Scalar(value) else { throw PlistFault(.invalidUTF16, at: start) }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return text
    }
}

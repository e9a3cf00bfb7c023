package import WidgetBytes

/// A property list or strings file as CoreFoundation reads it, with notes on the places that its author probably meant
/// otherwise.
///
/// People and their tools write the text forms, so a repeated key is read: the last of its values counts. Binary
/// property lists are written by programs only, and two keys there are refused.
package struct PlistReading: Sendable {
    package let value: PlistValue
    /// In the order of the file, ``PlistNote/mostKept`` at most.
    package let notes: [PlistNote]

    /// - Parameter decisive: keys of the outermost dictionary that must not be repeated with another value.
    package init(
        parsing bytes: Span<UInt8>, limits: PlistLimits = PlistLimits(), decisive: Set<String> = []
    ) throws(PlistError) {
        guard PlistFormat(of: bytes) == .xml else {
            self.init(try PlistValue(parsingBinary: bytes, limits: limits), notes: [])
            return
        }
        var parser = XMLPlistParser(limits: limits, repetition: .lastWins(decisive: decisive))
        let value = try parser.value(of: bytes)
        self.init(value, notes: parser.notes(in: bytes))
    }

    private init(_ value: PlistValue, notes: [PlistNote]) {
        self.value = value
        self.notes = notes
    }

    package init(
        parsing bytes: [UInt8], limits: PlistLimits = PlistLimits(), decisive: Set<String> = []
    ) throws(PlistError) {
        try self.init(parsing: bytes.span, limits: limits, decisive: decisive)
    }

    /// Reads a strings file: text as written by people, or a property list as Xcode compiles it.
    package init(parsingStrings bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        let span = bytes.span
        if PlistFormat(of: span) == .binary || StringsParser.looksLikeXML(span) {
            try self.init(parsing: span, limits: limits)
            guard value.dictionary != nil else {
                throw PlistError(.wrongType(expected: .dictionary, found: value.typeName), offset: 0)
            }
            return
        }
        guard span.count <= limits.byteCount else {
            let position = TextPosition(of: limits.byteCount, in: span)
            throw PlistError(
                .limitReached(.byteCount, limit: limits.byteCount), offset: limits.byteCount, position: position)
        }
        let text: StringsText
        do {
            text = try StringsText(bytes)
        } catch {
            throw PlistError(error.reason, offset: error.offset, position: TextPosition(of: error.offset, in: span))
        }
        var parser = StringsParser(text, limits: limits)
        let dictionary: PlistDictionary
        do {
            dictionary = try parser.parse()
        } catch {
            throw PlistError(
                error.reason, offset: text.offset(of: error.index), position: text.position(of: error.index),
                path: parser.path)
        }
        self.init(.dictionary(dictionary), notes: parser.notes)
    }
}

extension PlistValue {
    /// A dictionary of strings from a strings file, without the notes of its ``PlistReading``.
    package init(parsingStrings bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        self = try PlistReading(parsingStrings: bytes, limits: limits).value
    }
}

/// A place in a text that is read as CoreFoundation reads it, and was probably meant otherwise.
package struct PlistNote: Equatable, Sendable {
    package enum Subject: Equatable, Sendable {
        /// A key that its dictionary has already. `agrees` is true if both have the same value.
        case repeatedKey(String, agrees: Bool)
        /// A backslash before a character that needs none, which is read as the character.
        case needlessBackslash(UInt32)
        /// `\u` and four hexadecimal digits, which begin no number: only `\U` does.
        case smallU(String)
        /// `\U` with fewer than four hexadecimal digits.
        case shortNumber(String)
        /// A text in single quotes.
        case singleQuotes
        /// A second byte order mark.
        case repeatedMark
    }

    /// The limit on notes of one file.
    package static let mostKept = 200

    package var subject: Subject
    package var position: TextPosition

    init(_ subject: Subject, at position: TextPosition) {
        self.subject = subject
        self.position = position
    }
}

extension PlistNote.Subject: CustomStringConvertible {
    package var description: String {
        switch self {
        case .repeatedKey(let key, let agrees):
            "the key \(ShownText.name(key)) is given again"
                + (agrees
                    ? " with the same value; remove one of them" : "; only its last value counts, remove the others")
        case .needlessBackslash(let value):
            "the backslash before \(PlistNote.Subject.shown(value)) is passed over; remove it, or write \\\\ for a backslash"
        case .smallU(let digits):
            "\\u\(digits) is read as the text u\(digits); for the character write \\U\(digits)"
        case .shortNumber(let digits):
            "\\U\(digits) is read as a number of \(digits.utf8.count) digits; write \\U\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)"
        case .singleQuotes: "the text in single quotes is read as one in double quotes; write those"
        case .repeatedMark: "the file begins with two byte order marks; save it with one"
        }
    }

    private static func shown(_ value: UInt32) -> String {
        (0x21...0x7E).contains(value)
            ? "\(Unicode.Scalar(value).map(Character.init) ?? "?")"
            : "U+\(String(value, radix: 16, uppercase: true))"
    }
}

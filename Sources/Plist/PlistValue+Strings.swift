internal import Bytes

extension PlistValue {
    /// A dictionary of strings from a strings file: text as written by people, or a property list as
    /// Xcode compiles it.
    package init(parsingStrings bytes: [UInt8], limits: PlistLimits = PlistLimits()) throws(PlistError) {
        let span = bytes.span
        if PlistFormat(of: span) == .binary || StringsParser.looksLikeXML(span) {
            self = try PlistValue(parsing: span, limits: limits)
            guard dictionary != nil else {
                throw PlistError(.wrongType(expected: .dictionary, found: typeName), offset: 0)
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
        do {
            self = .dictionary(try parser.parse())
        } catch {
            throw PlistError(
                error.reason, offset: text.offset(of: error.index), position: text.position(of: error.index),
                path: parser.path)
        }
    }
}

extension StringsParser {
    /// No strings file begins with `<`, after white space or a mark.
    fileprivate static func looksLikeXML(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            switch bytes[index] {
            case 0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D: continue
            case let byte: return byte == UInt8(ascii: "<")
            }
        }
        return false
    }
}

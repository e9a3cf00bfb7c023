/// Separates code from comments and quoted text. It knows as much of Swift as the files here use.
struct CodeScanner {
    private enum Place { case code, lineComment, blockComment, string, longString }

    static func code(of text: String) -> String {
        let bytes = Array(text.utf8)
        var code: [UInt8] = []
        code.reserveCapacity(bytes.count)
        var place = Place.code
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            let next = step(bytes, position, place)
            if place == .code, next.place == .code {
                code.append(byte)
            } else if place != next.place || byte == newline {
                // A comment or a text separates words, as a space does; lines end where they did.
                code.append(byte == newline ? newline : space)
            }
            place = next.place
            position += next.length
        }
        return String(decoding: code, as: UTF8.self)
    }

    private static let newline = UInt8(ascii: "\n")
    private static let space = UInt8(ascii: " ")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The scanner's place after the next few bytes, and their number.
    private static func step(_ bytes: [UInt8], _ position: Int, _ place: Place) -> (place: Place, length: Int) {
        let byte = bytes[position]
        let next = position + 1 < bytes.count ? bytes[position + 1] : space
        let isTripled = byte == quote && next == quote && position + 2 < bytes.count && bytes[position + 2] == quote
        switch place {
        case .code:
            if byte == slash, next == slash { return (.lineComment, 2) }
            if byte == slash, next == star { return (.blockComment, 2) }
            if isTripled { return (.longString, 3) }
            return (byte == quote ? .string : .code, 1)
        case .lineComment:
            return (byte == newline ? .code : .lineComment, 1)
        case .blockComment:
            return byte == star && next == slash ? (.code, 2) : (.blockComment, 1)
        case .string:
            if byte == backslash { return (.string, 2) }
            return (byte == quote ? .code : .string, 1)
        case .longString:
            return isTripled ? (.code, 3) : (.longString, 1)
        }
    }
}

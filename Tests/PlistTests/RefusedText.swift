import Bytes
import Plist
import Testing

/// A property list or strings file in text form that must be refused: reason, offset, place and path.
///
/// Unless a row says otherwise its text is one line of ASCII up to the fault, so line and column follow
/// from the offset.
struct RefusedText: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var reason: PlistError.Reason
    var offset: Int
    var line: Int
    var column: Int
    var path: String

    init(
        _ text: String, _ reason: PlistError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil, path: String = ""
    ) {
        self.init(Array(text.utf8), reason, offset, line: line, column: column, path: path)
    }

    init(
        _ bytes: [UInt8], _ reason: PlistError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil,
        path: String = ""
    ) {
        (self.bytes, self.reason, self.offset) = (bytes, reason, offset)
        (self.line, self.column, self.path) = (line, column ?? offset + 1, path)
    }

    /// The text between `<plist>` and `</plist>`, offsets counted from its beginning.
    static func inside(_ text: String, _ reason: PlistError.Reason, _ offset: Int, path: String = "") -> RefusedText {
        RefusedText("<plist>\(text)</plist>", reason, offset + 7, path: path)
    }

    var testDescription: String { "\(String(decoding: bytes.prefix(90), as: UTF8.self)) at \(offset)" }

    func check(asStrings: Bool = false, limits: PlistLimits = PlistLimits()) {
        let error = #expect(throws: PlistError.self) {
            asStrings
                ? try PlistValue(parsingStrings: bytes, limits: limits) : try PlistValue(parsing: bytes, limits: limits)
        }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.position == TextPosition(line: line, column: column))
        #expect(error?.path.description == path)
    }
}

import Bytes
import JSONText
import Testing

/// A document that must be refused: its bytes, the reason, and the place.
///
/// Unless a row says otherwise its document is one line of ASCII up to the fault, so line and column
/// follow from the offset.
struct Refused: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var reason: JSONError.Reason
    var offset: Int
    var line: Int
    var column: Int
    var path: String

    init(
        _ text: String, _ reason: JSONError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil, path: String = ""
    ) {
        self.init(Array(text.utf8), reason, offset, line: line, column: column, path: path)
    }

    init(
        _ bytes: [UInt8], _ reason: JSONError.Reason, _ offset: Int, line: Int = 1, column: Int? = nil,
        path: String = ""
    ) {
        self.bytes = bytes
        self.reason = reason
        self.offset = offset
        self.line = line
        self.column = column ?? offset + 1
        self.path = path
    }

    var testDescription: String { "\(String(decoding: bytes.prefix(60), as: UTF8.self)) at \(offset)" }

    func check(
        limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let expected = JSONError(
            reason, offset: offset, position: TextPosition(line: line, column: column), path: ValuePath())
        do {
            let document = try JSONDocument(parsing: bytes, limits: limits, root: root)
            Issue.record("accepted as \(document.root.kind)", sourceLocation: sourceLocation)
        } catch {
            var found = error
            found.path = ValuePath()
            #expect(found == expected, sourceLocation: sourceLocation)
            #expect(error.path.description == path, sourceLocation: sourceLocation)
        }
    }
}

extension String {
    /// The bytes of this text in quotes, in an array: `["…"]`, with the raw bytes in the middle.
    static func quoted(_ bytes: [UInt8]) -> [UInt8] { Array("[\"".utf8) + bytes + Array("\"]".utf8) }
}

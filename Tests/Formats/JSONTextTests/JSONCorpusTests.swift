import JSONText
import Testing
import WidgetTestSupport

@Suite struct `The JSON corpus` {
    @Test(arguments: Corpus.files(in: "json/accept"))
    func `The JSON corpus is accepted where its names say so, and reads the same when written again`(_ sample: Corpus)
        throws
    {
        let value = try JSONValue(parsing: sample.bytes)
        var writer = JSONWriter()
        writer.value(value)
        #expect(try JSONValue(parsing: writer.bytes) == value)
    }

    @Test(arguments: Corpus.files(in: "json/refuse"))
    func `Each refused file of the JSON corpus is refused for the reason in its name`(_ sample: Corpus) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: sample.bytes) }
        #expect(error?.reason.slug == sample.outcome)
    }

    @Test func `The JSON corpus exists`() {
        #expect(Corpus.files(in: "json/accept").count >= 12)
        #expect(Corpus.files(in: "json/refuse").count >= 35)
    }
}

extension JSONError.Reason {
    fileprivate var slug: String {
        switch self {
        case .emptyDocument: "empty-document"
        case .byteOrderMark: "byte-order-mark"
        case .utf16: "utf16"
        case .rootNotContainer: "root-not-container"
        case .truncated: "truncated"
        case .unexpectedByte: "unexpected-byte"
        case .trailingComma: "trailing-comma"
        case .trailingContent: "trailing-content"
        case .invalidLiteral: "invalid-literal"
        case .leadingZero: "leading-zero"
        case .missingDigit: "missing-digit"
        case .controlCharacter: "control-character"
        case .unknownEscape: "unknown-escape"
        case .invalidUnicodeEscape: "invalid-unicode-escape"
        case .loneSurrogate: "lone-surrogate"
        case .invalidUTF8: "invalid-utf8"
        case .duplicateName: "duplicate-name"
        case .equivalentName: "equivalent-name"
        case .limitReached: "limit-reached"
        case .missingMember: "missing-member"
        case .wrongType: "wrong-type"
        case .numberNotRepresentable: "number-not-representable"
        case .unsuitable: "unsuitable"
        }
    }
}

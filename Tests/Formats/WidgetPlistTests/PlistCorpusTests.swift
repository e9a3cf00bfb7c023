import Testing
import WidgetPlist
import WidgetTestSupport

@Suite struct `The property list corpus` {
    private static func reading(_ sample: Corpus) throws -> PlistReading {
        sample.name.hasSuffix(".strings")
            ? try PlistReading(parsingStrings: sample.bytes) : try PlistReading(parsing: sample.bytes)
    }

    private static func read(_ sample: Corpus) throws -> PlistValue { try reading(sample).value }

    @Test(arguments: Corpus.files(in: "plist/accept"))
    func `The property list corpus is accepted where its names say so`(_ sample: Corpus) throws {
        #expect(try Self.reading(sample).notes.isEmpty)
    }

    @Test(arguments: Corpus.files(in: "plist/noted"))
    func `Each file of the property list corpus that probably means something else has one note, that of its name`(
        _ sample: Corpus
    ) throws {
        #expect(try Self.reading(sample).notes.map { Self.slug($0.subject) } == [sample.outcome])
    }

    @Test(arguments: Corpus.files(in: "plist/refuse"))
    func `Each refused file of the property list corpus is refused for the reason in its name`(_ sample: Corpus) {
        let error = #expect(throws: PlistError.self) { try Self.read(sample) }
        #expect(error.map { Self.slug($0.reason) } == sample.outcome)
    }

    @Test func `The property list corpus holds the same tree in both forms`() throws {
        let samples = Corpus.files(in: "plist/accept")
        let trees = try ["everything-binary.plist", "everything-xml.plist"].map { name in
            try Self.read(try #require(samples.first { $0.name == name }))
        }
        #expect(trees[0] == trees[1])
        #expect(trees[0].dictionary?.keys == trees[1].dictionary?.keys)
    }

    @Test func `The property list corpus exists`() {
        #expect(Corpus.files(in: "plist/accept").count >= 8)
        #expect(Corpus.files(in: "plist/refuse").count >= 45)
        #expect(Corpus.files(in: "plist/noted").count >= 12)
    }

    private static let plain: [String: PlistError.Reason] = [
        "comment-in-text": .commentInText, "cycle": .cycle, "integer-out-of-range": .integerOutOfRange,
        "internal-subset": .internalSubset,
        "invalid-character-reference": .invalidCharacterReference, "invalid-count": .invalidCount,
        "invalid-data": .invalidData, "invalid-date": .invalidDate, "invalid-integer": .invalidInteger,
        "invalid-real": .invalidReal, "invalid-utf8": .invalidUTF8, "missing-key": .missingKey, "not-ascii": .notASCII,
        "object-out-of-range": .objectOutOfRange, "offset-out-of-range": .offsetOutOfRange,
        "offset-table-out-of-range": .offsetTableOutOfRange, "processing-instruction": .processingInstruction,
        "reference-out-of-range": .referenceOutOfRange, "second-root": .secondRoot,
        "top-object-out-of-range": .topObjectOutOfRange, "trailing-content": .trailingContent, "truncated": .truncated,
        "unsupported-encoding": .unsupportedEncoding, "unsupported-version": .unsupportedVersion,
    ]

    private static func slug(_ subject: PlistNote.Subject) -> String {
        switch subject {
        case .repeatedKey: "repeated-key"
        case .needlessBackslash: "needless-backslash"
        case .smallU: "small-u"
        case .shortNumber: "short-number"
        case .singleQuotes: "single-quotes"
        case .repeatedMark: "repeated-mark"
        }
    }

    private static func slug(_ reason: PlistError.Reason) -> String {
        if let plain = plain.first(where: { $0.value == reason }) { return plain.key }
        switch reason {
        case .limitReached: return "limit-reached"
        case .unsupportedMarker: return "unsupported-marker"
        case .loneSurrogate: return "lone-surrogate"
        case .duplicateKey: return "duplicate-key"
        case .keyNotString: return "key-not-string"
        case .unknownEntity: return "unknown-entity"
        case .missingValue: return "missing-value"
        case .mismatchedEnd: return "mismatched-end"
        case .unknownElement: return "unknown-element"
        case .unexpectedCharacter: return "unexpected-character"
        case .unknownEscape: return "unknown-escape"
        default: return "no sample has this reason yet: \(reason)"
        }
    }
}

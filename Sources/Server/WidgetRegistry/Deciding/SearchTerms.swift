internal import JSONText
internal import WidgetBytes

/// The terms under which a bundle is found: the words of its identifier and of its name, and the kinds of findings and
/// warnings about its latest release.
///
/// A catalog keeps them in an index, so that a search takes as long with a million bundles as with a hundred.
package enum SearchTerms {
    /// The most terms of one bundle, and the most bytes of a term.
    package static let most = 96
    package static let longest = 64
    private static let mostWords = 64
    /// Behind this mark a term is the code of a finding. No word has it.
    private static let findingMark = "!"
    /// Before the first character that continues a code.
    private static let codeEnd = "\u{1}"
    /// Behind every character that continues a word.
    private static let wordEnd = "\u{10FFFF}"

    /// - Parameter report: the report of the bundle's latest release, if it has one.
    package static func of(identifier: String, name: String, report: [UInt8]?) -> [String] {
        var found: [String] = []
        var known: Set<String> = []
        func add(_ terms: [String], upTo limit: Int) {
            for term in terms where found.count < limit && known.insert(term).inserted { found.append(term) }
        }
        // The labels of an identifier that distinguish bundles come last.
        add(beginnings(name), upTo: mostWords)
        add(identifier.split(separator: ".").reversed().flatMap { beginnings(String($0)) }, upTo: mostWords)
        if let report { add(codes(in: report).map { findingMark + $0 }, upTo: most) }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The words that a person typed, in small letters, each once.
    package static func words(_ text: String) -> [String] {
        var known: Set<String> = []
        return parts(text).map { shortened(String($0).lowercased()) }
            .filter { !$0.isEmpty && known.insert($0).inserted }
    }

    /// The words of a name from each place where one begins: `RawProduct` is found by "rawproduct" and by "product".
    private static func beginnings(_ text: String) -> [String] {
        parts(text).flatMap { word in
            var starts: [String.UnicodeScalarView.Index] = []
            var previous: Unicode.Scalar?
            let scalars = word.unicodeScalars
            for index in scalars.indices {
                let scalar = scalars[index]
                if let previous {
                    let isCapital = scalar.properties.isUppercase && !previous.properties.isUppercase
                    let isNumber = scalar.properties.numericType != nil && previous.properties.numericType == nil
                    if isCapital || isNumber { starts.append(index) }
                } else {
                    starts.append(index)
                }
                previous = scalar
            }
            return starts.map { shortened(String(word[$0...]).lowercased()) }
        }
    }

    private static func parts(_ text: String) -> [Substring] {
        text.split { character in
            !character.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
    }

    /// A word that is longer is found by its beginning.
    private static func shortened(_ word: String) -> String {
        var count = 0
        return String(
            word.prefix { character in
                count += character.utf8.count
                return count <= longest
            })
    }

    /// The range of the terms that begin with a word.
    static func range(ofWord word: String) -> TermRange { TermRange(from: word, below: word + wordEnd) }

    /// The range that has the term of a finding's code alone.
    static func range(ofFinding code: String) -> TermRange {
        TermRange(from: findingMark + code, below: findingMark + code + codeEnd)
    }

    /// True for text that can be the code of a finding.
    package static func isCode(_ text: String) -> Bool {
        (1...longest - 1).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// The codes of findings and warnings in a stored report. One that cannot be read has none: it is a later
    /// program's, and a bundle is found by its words all the same.
    private static func codes(in report: [UInt8]) -> [String] {
        guard let cursor = try? JSONDocument(parsing: report, limits: limits).cursor else { return [] }
        var codes: Set<String> = []
        for member in ["findings", "warnings"] {
            guard let list: [CodeOf] = try? cursor.require(member) else { continue }
            for item in list where isCode(item.code) { codes.insert(item.code) }
        }
        return codes.sorted()
    }

    /// Several times what the report on the largest bundle has.
    private static let limits = JSONLimits(byteCount: 16 << 20, depth: 16, valueCount: 1_000_000)

    private struct CodeOf: JSONDecodable {
        let code: String

        init(json: JSONCursor) throws(JSONError) { code = try json.require("code") }
    }
}

/// Terms from one up to another, in the order of their bytes.
package struct TermRange: Equatable, Sendable {
    package var from: String
    /// The first term behind the range.
    package var below: String

    package init(from: String, below: String) {
        self.from = from
        self.below = below
    }

    package func contains(_ term: String) -> Bool {
        !term.utf8.lexicographicallyPrecedes(from.utf8) && term.utf8.lexicographicallyPrecedes(below.utf8)
    }
}

/// The place of a bundle in the order of a search: by the first of its terms in the range, then by its identifier.
package struct TermPlace: Equatable, Sendable {
    package var term: String
    package var identifier: String

    package init(term: String, identifier: String) {
        self.term = term
        self.identifier = identifier
    }
}

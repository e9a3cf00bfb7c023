import Testing

/// Goal: the repository reads more plainly with each change, and never less. Method: the listed words are counted in each
/// module and compared with a table whose numbers may only fall.
@Suite struct `Plain English` {
    @Test func `A module has as many listed words as its row of the table says, and no more`() throws {
        guard !Repository.rewritesLists else {
            let rows = PlainEnglish.places.map { "\($0.key)\t\($0.value.count)\n" }.sorted()
            return try Repository.write(rows.joined(), to: PlainEnglish.table)
        }
        for module in Set(PlainEnglish.places.keys).union(PlainEnglish.allowed.keys).sorted() {
            let places = PlainEnglish.places[module] ?? []
            let allowed = PlainEnglish.allowed[module] ?? 0
            let listed = places.map { "\n\($0.path):\($0.line): \($0.word)" }.joined()
            #expect(
                places.count <= allowed,
                "\(module) may have \(allowed) listed words and has \(places.count). Rewrite one of these:\(listed)")
            #expect(
                places.count >= allowed,
                "lower the row of \(module) in \(PlainEnglish.table) to \(places.count), or run \(Repository.rewriting)"
            )
        }
    }

    /// The number of listed words in all rows. It may only fall.
    private static let most = 134

    @Test func `The rows of the table allow no more listed words together than before`() {
        let sum = PlainEnglish.allowed.values.reduce(0, +)
        #expect(sum <= Self.most, "\(sum) listed words; there were \(Self.most)")
    }

    @Test(
        arguments: [
            ("Nobody goes on, whatever was told.", ["nobody", "goes on", "whatever", "told"]),
            ("it is no wonder; it is none; the answer is no", ["is no", "is none"]),
            ("tells one kind of thing apart, and told apart", ["tells one kind of thing apart", "told"]),
            ("lets it go of the slot, and lets go of it", ["lets it go of", "lets go of"]),
            ("if it is None, it is none", ["is none"]),
            ("chastened, stand, nobody's, retold, of its owner", ["nobody"]),
            ("    /// Whether it fits.", ["/// Whether"]), ("/// Whatever fits.", ["whatever"]),
            ("/// A place.\n/// Where it is.\n\n/// How it is.", ["/// How"]),
        ] as [(String, [String])])
    func `A listed word is found where it is a word, once`(text: String, words: [String]) {
        #expect(PlainEnglish.find(in: text, "Text.swift").map(\.word) == words)
    }

    @Test func `Programs without a suffix are counted as well`() {
        for path in ["Makefile", "Tests/Faults/run", "Tests/Faults/hidden", "Tests/Benchmarks/serving", ".ci/tiers"] {
            #expect(PlainEnglish.programs.contains(path), "\(path)")
        }
        #expect(!PlainEnglish.programs.contains { $0.contains("/Corpus/") || $0.hasSuffix("/seeds") })
    }

    @Test func `Every listed word is explained in CONTRIBUTING.md`() {
        let rules = Repository.text("CONTRIBUTING.md")
        for word in ["whoever", "nobody", "told", "goes on", "at hand", "is no", "stands", "of its own", "as far as"] {
            #expect(rules.contains(word), "CONTRIBUTING.md does not name \"\(word)\"")
        }
    }
}

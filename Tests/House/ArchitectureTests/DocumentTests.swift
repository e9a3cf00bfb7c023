import Testing

/// Goal: what the documents name exists. Method: their links, verbs and file names are looked up.
@Suite struct `The documents` {
    static let all =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "config/README.md"]
        + Repository.paths(under: "docs").filter { $0.hasSuffix(".md") }

    @Test(arguments: all)
    func `A document links to files that exist`(document: String) throws {
        let text = Repository.text(document)
        try #require(!text.isEmpty)
        let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        for match in text.matches(of: /\]\((?!https?:|#)([^)#]+)/) {
            #expect(Repository.exists(folder + match.1), "\(document) links to \(match.1)")
        }
    }

    @Test(arguments: all)
    func `A document's links lead to headings that exist`(document: String) {
        let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        for match in Repository.text(document).matches(of: /\]\(([^)#:\s]*)#([^)]+)\)/) {
            let target = match.1.isEmpty ? document : folder + match.1
            guard target.hasSuffix(".md") else { continue }
            #expect(Self.anchors(of: target).contains(String(match.2)), "\(document) links to \(target)#\(match.2)")
        }
    }

    /// The names that a page gives its headings: small letters, hyphens for blanks, other characters left out.
    private static func anchors(of path: String) -> Set<String> {
        let headings = Repository.text(path).matches(of: /(?m)^#+ (.*)$/)
        return Set(
            headings.map { heading in
                String(
                    heading.1.lowercased().compactMap { character in
                        if character == " " { return "-" }
                        return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
                    })
            })
    }

    @Test(arguments: all)
    func `A document mentions verbs that the Makefile knows`(document: String) {
        let verbs = Set(Repository.text("Makefile").matches(of: /(?m)^([a-z]+):/).map { String($0.1) })
        let mentioned = Repository.text(document).matches(of: /(?m)(?:`|^)make ([a-z]+)/).map { String($0.1) }
        #expect(Set(mentioned).subtracting(verbs).isEmpty)
    }

    /// The tour, and the two pages beside it with all modules and all rows of "Where to add".
    private static let tour = ["ARCHITECTURE.md", ImportTable.page, "docs/where-to-add.md"]

    /// The seams and the rows of "Where to add" are true as long as their files are there; `…` is in names that are free.
    @Test(arguments: zip(tour, [20, 5, 100]))
    func `The pages about the architecture name files that exist`(page: String, count: Int) throws {
        let files = (Repository.sources + Repository.tests).map(\.path)
        let named = Repository.text(page).matches(of: /`([\w\/+]+\.swift)`/).map { String($0.1) }
        #expect(named.count > count)
        let missing = named.filter { name in !Repository.exists(name) && !files.contains { $0.hasSuffix("/\(name)") } }
        #expect(missing.isEmpty)
    }

    /// The glossary, the seams and the rows name types in code; words of other languages are not taken for types.
    @Test(arguments: tour)
    func `The pages about the architecture name types that exist`(page: String) throws {
        let declared = Repository.sources.reduce(into: Set<String>()) { $0.formUnion(Self.declarations(in: $1.text)) }
        let kinds = ["struct", "class", "enum", "actor", "protocol", "case", "typealias"]
        let cells = Repository.text(page).split(separator: "\n").filter { $0.hasPrefix("|") }
        let named = Set(cells.flatMap { $0.matches(of: /`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`/).map { String($0.1) } })
        #expect(named.count > 20)
        let folders = Repository.modules + Repository.tests.flatMap { [$0.module, String($0.name.dropLast(6))] }
        let missing = named.subtracting(folders).filter { name in
            !kinds.contains { declared.contains("\($0) \(name)") }
        }
        #expect(missing.isEmpty, "\(page): \(missing.sorted())")
    }

    @Test func `docs/http.md lists every problem code, and no other`() throws {
        let source = try #require(Repository.sources.first { $0.text.contains("enum ProblemCode: String") })
        let start = try #require(source.text.firstRange(of: "enum ProblemCode: String")).lowerBound
        let declaration = source.text[start...].prefix { $0 != "}" }
        let declared = declaration.matches(of: /(?m)^ {4}case `?(\w+)`?(?: = "([^"]+)")?$/).map { $0.2 ?? $0.1 }
        let contract = Repository.text(Citations.contract)
        let heading = try #require(contract.firstRange(of: "### 4.2 ")).upperBound
        let section = contract[heading...].prefix(
            upTo: contract[heading...].firstRange(of: "\n## ")?.lowerBound ?? contract.endIndex)
        let listed = section.matches(of: /`([a-z-]+)`/).map { $0.1 }
        #expect(declared.count > 40 && Set(declared) == Set(listed))
    }

    @Test func `The table of contents leads to every document`() {
        let contents = Repository.text("docs/README.md")
        let pages = Self.all.filter {
            $0.hasPrefix("docs/") && !$0.hasPrefix("docs/decisions/") && $0 != "docs/README.md"
        }
        #expect(pages.filter { !contents.contains("](\($0.dropFirst(5))") }.isEmpty)
    }

    /// The journeys name functions and cases as `Type.name`.
    @Test func `The journeys of the architecture name functions that exist`() {
        let journeys =
            ImportTable.section("## Two journeys", of: "ARCHITECTURE.md")
            + ImportTable.section("## A tap", of: ImportTable.page)
        let named = journeys.joined(separator: "\n").matches(of: /`([A-Z]\w+)\.([a-z]\w+)`/)
        #expect(named.count > 30)
        let declared = Repository.sources.map { Self.declarations(in: $0.text) }
        let missing = named.filter { name in
            let types = ["struct", "class", "enum", "actor", "protocol", "extension"].map { "\($0) \(name.1)" }
            let members = ["func \(name.2)", "case \(name.2)"]
            return !declared.contains { !$0.isDisjoint(with: types) && !$0.isDisjoint(with: members) }
        }
        #expect(missing.map { String($0.0) }.isEmpty)
    }

    /// Each keyword of a declaration with the name after it. One walk over the words: a search for each name takes half a minute.
    private static func declarations(in text: String) -> Set<String> {
        let keywords: Set<Substring> = [
            "struct", "class", "enum", "actor", "protocol", "extension", "typealias", "func", "case",
        ]
        let isInName = { (byte: UInt8) in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        let words = text.utf8.split { !isInName($0) }.map(Substring.init)
        var found: Set<String> = []
        for (keyword, name) in zip(words, words.dropFirst()) where keywords.contains(keyword) {
            found.insert("\(keyword) \(name)")
        }
        return found
    }

    @Test
    func `What programs print and samples say names no verb of make, for a release has none but that for the engine`() {
        let verb = /\bmake (?:run|install|image|dist|test|check)\b/
        var found = Repository.sources.flatMap { file in
            file.text.split(separator: "\n").filter { line in
                line.contains("\"") && !line.drop { $0 == " " }.hasPrefix("//") && line.contains(verb)
            }.map { "\(file.path): \($0)" }
        }
        let articles = Repository.paths(under: "Sources/Host").filter { $0.hasSuffix(".md") }
        found += (["Bundles/README.md"] + articles).filter { Repository.text($0).contains(verb) }
        #expect(!articles.isEmpty && found.isEmpty, "\(found)")
    }

    @Test func `README.md says how to install and to build, and leads each reader to a page`() {
        let text = Repository.text("README.md")
        for words in [
            "make install", "make run", "make test", "(docs/authoring.md)", "(docs/publishing.md)",
            "(docs/operating.md)",
            "(docs/hosting.md)", "(docs/installing.md)", "(docs/compatibility.md)",
        ] {
            #expect(text.contains(words), "\(words)")
        }
    }
}

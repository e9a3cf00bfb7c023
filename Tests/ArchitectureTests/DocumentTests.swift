import Testing

/// Goal: what the documents point at exists. Method: their links and the verbs they mention are looked up.
@Suite struct `The documents` {
    static let all = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md"]

    @Test(arguments: all)
    func `link to files that exist`(document: String) throws {
        let text = Repository.text(document)
        try #require(!text.isEmpty)
        let folder = document.split(separator: "/").dropLast().map { "\($0)/" }.joined()
        for match in text.matches(of: /\]\((?!https?:|#)([^)#]+)/) {
            #expect(Repository.exists(folder + match.1), "\(document) links to \(match.1)")
        }
    }

    @Test(arguments: all)
    func `mention verbs that the Makefile knows`(document: String) {
        let verbs = Set(Repository.text("Makefile").matches(of: /(?m)^([a-z]+):/).map { String($0.1) })
        let mentioned = Repository.text(document).matches(of: /(?m)(?:`|^)make ([a-z]+)/).map { String($0.1) }
        #expect(Set(mentioned).subtracting(verbs).isEmpty)
    }

    /// The seams and the rows of "Where to add" are true as long as their files are there; `…` is in names that are free.
    @Test func `name files that exist`() throws {
        let files = Repository.sources.map(\.path) + Repository.swiftFiles(under: "Tests").map(\.path)
        let named = Repository.text("ARCHITECTURE.md").matches(of: /`([\w\/+]+\.swift)`/).map { String($0.1) }
        #expect(named.count > 50)
        let missing = named.filter { name in !Repository.exists(name) && !files.contains { $0.hasSuffix("/\(name)") } }
        #expect(missing.isEmpty)
    }

    @Test func `show the two commands first`() {
        let readme = Repository.text("README.md")
        #expect(readme.contains("make run") && readme.contains("make test"))
    }
}

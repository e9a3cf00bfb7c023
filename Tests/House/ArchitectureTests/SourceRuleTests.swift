import Testing

/// Goal: the invariants of docs/modules.md that a reader could break without noticing. Method: the text of every file.
@Suite struct `The source files` {
    @Test func `A file with unsafe code is listed with its reason`() throws {
        // The keyword and the addressors; a name that merely holds the word is not meant.
        let mark = /(?:^|[^.\w])unsafe(?:Address|MutableAddress)?\b|@unchecked Sendable|@safe\b/
        let unsafe = Repository.sources.filter { $0.code.contains(mark) }.map { ($0.path, "") }
        let list = ExceptionList("unsafe-files")
        let complaints = try list.complaints(found: Dictionary(uniqueKeysWithValues: unsafe))
        #expect(complaints.isEmpty)
        #expect(list.unexplained.isEmpty && list.sections.allSatisfy { $0.rows.allSatisfy { !$0.note.isEmpty } })
    }

    @Test func `Files and modules are named after what they hold`() {
        let vague = /(Utils?|Utilities|Helpers?|Manager|Common|Misc)(?:[+.]|$)/
        let names = Repository.sources.filter { $0.name.contains(vague) }.map(\.path)
        #expect(names.isEmpty)
        #expect(Repository.modules.filter { $0.contains(vague) }.isEmpty)
    }

    /// A type is read in one place. A piece that is split off has a subject.
    @Test(arguments: Repository.modules)
    func `A type has at most three extension files`(module: String) {
        let names = Repository.sources.filter { $0.module == module }.map(\.name)
        let types = names.filter { $0.contains("+") }.compactMap { $0.split(separator: "+").first.map(String.init) }
        let counts = Dictionary(grouping: types) { $0 }.filter { $0.value.count > 3 }
        #expect(counts.isEmpty)
    }

    @Test func `No file stops the program for what the world can cause`() {
        let traps = /\bfatalError\(|\btry!|\bas!|[\w)\]]!(?![=\w"])/
        #expect(places(traps, words: ["!", "fatalError"], in: Repository.sources).isEmpty)
    }

    /// Exit handlers of libraries free what other threads still use. A child that replaces itself has no other threads.
    @Test func `Programs end by ProcessExit alone, which runs no exit handler of a library`() {
        let exits = /(?:^|[^.\w])(?:_exit|_Exit|exit|quick_exit|atexit)\((?!of\b|Int32\))/
        let found = places(exits, words: ["xit("], in: Repository.sources)
        #expect(
            found.map { $0.prefix { $0 != ":" } } == [
                "Sources/Foundations/WidgetProcesses/Confinement.swift",
                "Sources/Foundations/WidgetSystemCalls/ProcessExit.swift",
            ])
    }

    @Test func `Only Sockets and Files spell errno`() {
        #expect(
            places(/\b(?:linux_)?errno\b/, words: ["errno"], in: outside(["WidgetSockets", "WidgetFiles"])).isEmpty)
    }

    @Test func `Only CatalogSQL, LocalStore, ClusterStore and WidgetHosting spell SQL`() {
        let statements = /"\s*(?:SELECT|INSERT INTO|INSERT OR|UPDATE|DELETE FROM|CREATE TABLE|CREATE INDEX)\s/
        let pragmas = /"\s*PRAGMA\s/
        // A connection to PostgreSQL is set up by a statement.
        let found = outside(["CatalogSQL", "LocalStore", "ClusterStore", "WidgetHosting", "WidgetPostgres"]).filter {
            $0.text.contains(statements)
        }
        #expect(found.map(\.path).isEmpty)
        let setting = outside(["LocalStore", "WidgetHosting", "WidgetDatabase"]).filter { $0.text.contains(pragmas) }
        #expect(setting.map(\.path).isEmpty)
    }

    @Test func `Only LocalStore spells the names of a data directory`() {
        // The members of a backup are named by its format. The cache of a group is another folder, with blobs in it too.
        // Replicas have a setting of that name, and readiness a check.
        let names = /"(?:[^"]*\/)?(?:catalog\.sqlite|blobs|staging|quarantine|admin-token|control\.sock|unfinished)"/
        let found = outside(["LocalStore"]).filter { $0.text.contains(names) }.map(\.path)
        let expected = [
            "Sources/Host/GroupCache/CacheGroup.swift", "Sources/Programs/ClusterCommands/ClusterSettings.swift",
            "Sources/Programs/ServerCommands/ServedStore.swift",
            "Sources/Server/WidgetRegistry/Backup/BackingUp.swift",
        ]
        #expect(found == expected)
    }

    @Test func `Registry shows no descriptor, statement or database to other modules`() {
        let registry = Repository.sources.filter { $0.module == "WidgetRegistry" }
        #expect(!registry.isEmpty)
        let found = registry.filter { $0.text.contains(/package[^\n]*(?:FileDescriptor|SQL|Database|Connection)\b/) }
        #expect(found.map(\.path).isEmpty)
    }

    @Test(arguments: [
        ("CWidgetZlib", "WidgetDeflate"), ("CWidgetDeflate", "WidgetDeflate"), ("CWidgetCurl", "WidgetTransfers"),
        ("CWidgetSQLite", "WidgetDatabase"),
        ("CWidgetCrypto", "WidgetBytes"), ("CWidgetPostgres", "WidgetPostgres"),
    ])
    func `A C library is imported by one module only`(library: String, module: String) {
        #expect(outside([module]).filter { $0.imports.contains(library) }.map(\.path).isEmpty)
    }

    /// A front end hands its framework's words to the core as a vocabulary. The core spells none of them.
    @Test func `The core holds no word of a framework`() {
        let words = [
            "wx_", "wx.", "\"wx\"", "uploadContainer", "isMovie", "isMine", "\"Cell\"", "media-picker", ":sender:",
            "WidgetKit", "UIKit", "toryboard",
        ]
        let core = Repository.sources.filter { $0.module == "WidgetCore" }
        #expect(core.count > 30)
        let found = core.flatMap { file in words.filter(file.text.contains).map { "\(file.path): \($0)" } }
        #expect(found.isEmpty)
    }

    @Test(arguments: Repository.modules)
    func `A module has tests in a target of its name`(module: String) {
        let name = module.prefix(1).uppercased() + module.dropFirst()
        #expect(Repository.tests.contains { $0.module == "\(name)Tests" && $0.text.contains("@Test") })
    }

    private func outside(_ modules: Set<String>) -> [SourceFile] {
        Repository.sources.filter { !modules.contains($0.module) }
    }

    /// The places where the pattern occurs in code, as `path: text`. Only lines that hold one of the words are looked at.
    private func places(_ pattern: Regex<Substring>, words: [String], in files: [SourceFile]) -> [String] {
        files.flatMap { file in
            file.code.split(separator: "\n")
                .filter { line in words.contains { line.utf8.contains($0.utf8) } }
                .flatMap { $0.matches(of: pattern).map { "\(file.path): \($0.0)" } }
        }
    }
}

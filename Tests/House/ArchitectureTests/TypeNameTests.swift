import Testing

/// Goal: a name means one thing in the package, and a measurement says whether it is good enough. Method: the names of all types
/// are compared with a list of exceptions that only a reader can add a reason to, and the programs that measure are read.
@Suite struct `Types and measurements` {
    /// Private types count: their names are read like all others.
    @Test func `A type's name occurs once in the package, unless it is listed with its reason`() throws {
        let declared = Repository.sources.flatMap { file in file.typeNames.map { (name: $0, module: file.module) } }
        #expect(declared.count > 1000)
        let modules = Dictionary(grouping: declared) { $0.name }.filter { $0.value.count > 1 }
        let notes = modules.mapValues { $0.map { $0.module }.sorted().joined(separator: ", ") }
        let list = ExceptionList("shared-type-names")
        for complaint in try list.complaints(found: notes) { Issue.record("\(complaint)") }
        guard !Repository.rewritesLists else { return }
        #expect(list.unexplained.isEmpty, "give the new rows of \(list.path) a reason")
    }

    @Test func `A program that measures judges its goals`() {
        let measuring = Repository.text("Makefile").split(separator: "\n").first { $0.hasPrefix("BENCHMARKS := ") }
        let names = measuring.map { $0.split(separator: " ").dropFirst(2).map(String.init) } ?? []
        #expect(names.count > 5)
        for name in names + ["against", "bundles.py"] {
            let text = Repository.text("Tests/Benchmarks/\(name)")
            #expect(text.contains("report.judge(") && text.contains("sys.exit(main())"), "\(name) does not judge")
        }
    }
}

extension SourceFile {
    /// The types that the file declares at its top level, private ones included.
    fileprivate var typeNames: [String] {
        let pattern =
            /(?:@\w+(?:\([^)]*\))? +|[a-z]+(?:\([a-z]+\))? +)*(?:struct|class|enum|actor|protocol|typealias) +`?(\w+).*/
        return code.split(separator: "\n").compactMap { line in
            guard !line.hasPrefix(" "), !line.hasPrefix("}"), !line.contains("import ") else { return nil }
            return line.wholeMatch(of: pattern).map { String($0.1) }
        }
    }
}

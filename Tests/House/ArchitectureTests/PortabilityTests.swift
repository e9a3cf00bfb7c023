import Testing

/// Goal: a port to another system is bounded. Method: the modules that know the system's C library are few, lie at the
/// bottom, and are listed; docs/porting.md says of each what a port needs. The compiler finds no name of the C library in
/// a module that does not import it, not even by way of Dispatch.
@Suite struct `The system below` {
    /// The modules that wrap calls of the system: sockets, files, terminals and processes.
    private static let wrappers: Set = ["WidgetSockets", "WidgetFiles", "WidgetConsole", "WidgetProcesses"]

    private static var callers: [SourceFile] { Repository.sources.filter { $0.imports.contains("Glibc") } }

    @Test func `Only the wrappers of the system, and listed files below them, import its C library`() throws {
        let found = Self.callers.filter { !Self.wrappers.contains($0.module) }
        try #require(!found.isEmpty)
        let list = ExceptionList("system-files")
        for complaint in try list.complaints(found: Dictionary(found.map { ($0.path, "") }) { first, _ in first }) {
            Issue.record("\(complaint)")
        }
        #expect(list.unexplained.isEmpty)
        #expect(list.sections.allSatisfy { section in section.rows.allSatisfy { !$0.note.isEmpty } })
    }

    /// A module that a wrapper needs cannot get its calls from the wrapper.
    @Test func `A listed file's module lies below a wrapper`() {
        var below: Set<String> = []
        var next = Self.wrappers.flatMap { ImportTable.declared[$0] ?? [] }
        while let module = next.popLast() {
            if below.insert(module).inserted { next += ImportTable.declared[module] ?? [] }
        }
        let modules = Set(Self.callers.map(\.module)).subtracting(Self.wrappers)
        #expect(modules.subtracting(below).isEmpty)
        #expect(
            below.isDisjoint(with: Self.wrappers.subtracting(["WidgetFiles"])), "Processes alone has a wrapper below it"
        )
    }

    @Test func `Calls that Linux alone has are made by the wrappers`() {
        #expect(Set(Repository.sources.filter { $0.imports.contains("CWidgetLinux") }.map(\.module)) == Self.wrappers)
    }

    @Test func `No file asks for another system's library`() {
        let others: Set = ["Darwin", "Musl", "WinSDK", "Android", "UIKit", "CoreFoundation"]
        #expect(Repository.sources.filter { !$0.imports.isDisjoint(with: others) }.map(\.path).isEmpty)
    }

    @Test func `docs/porting.md has a row for every module that needs something of the system, and for no other`() {
        let libraries = Set(Repository.text("Package.swift").matches(of: /system\("(C\w+)"/).map { String($0.1) })
            .union(["CWidgetCurl", "CWidgetLinux"])
        let needing = Repository.sources.filter { source in
            source.imports.contains("Glibc") || !source.imports.isDisjoint(with: libraries)
        }
        let rows = ImportTable.section("## Module by module", of: "docs/porting.md").compactMap { line in
            line.firstMatch(of: /^\| `(\w+)` \|/).map { String($0.1) }
        }
        #expect(rows.sorted() == Set(needing.map(\.module)).sorted())
    }
}

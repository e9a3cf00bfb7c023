import Testing

/// Goal: a port to another system is bounded. Method: the files that know the system's C library are listed, and
/// docs/porting.md says of each module with such files what a port needs.
@Suite struct `The system below` {
    /// The modules that wrap calls of the system once, and the programs, which meet signals and exit codes.
    private static let wrappers: Set = ["Sockets", "Files", "Console", "Processes", "ServerCommands", "widget"]

    @Test func `Only listed files outside the wrappers import the system's C library`() throws {
        let found = Repository.sources.filter { !Self.wrappers.contains($0.module) && $0.imports.contains("Glibc") }
        try #require(!found.isEmpty)
        let list = ExceptionList("system-files")
        for complaint in try list.complaints(found: Dictionary(found.map { ($0.path, "") }) { first, _ in first }) {
            Issue.record("\(complaint)")
        }
        #expect(list.unexplained.isEmpty)
    }

    /// Formats, bundles, engine, host and server compute: what they need of a system comes from the modules below them.
    @Test func `Above the foundations and the network, the C library is mathematics and the channel of a program`() {
        let above = Repository.sources.filter { source in
            source.imports.contains("Glibc") && !source.path.hasPrefix("Sources/Foundations/")
                && !source.path.hasPrefix("Sources/Network/") && !source.path.hasPrefix("Sources/Programs/")
        }
        #expect(Set(above.map(\.module)) == ["Predicates", "Widgets"])
    }

    @Test func `No file asks for another system's library`() {
        let others: Set = ["Darwin", "Musl", "WinSDK", "Android", "UIKit", "CoreFoundation"]
        #expect(Repository.sources.filter { !$0.imports.isDisjoint(with: others) }.map(\.path).isEmpty)
    }

    @Test func `docs/porting.md has a row for every module that needs something of the system, and for no other`() {
        let libraries = Set(Repository.text("Package.swift").matches(of: /system\("(C\w+)"/).map { String($0.1) })
            .union(["CCurl", "CLinux"])
        let needing = Repository.sources.filter { source in
            source.imports.contains("Glibc") || !source.imports.isDisjoint(with: libraries)
        }
        let rows = ImportTable.section("## Module by module", of: "docs/porting.md").compactMap { line in
            line.firstMatch(of: /^\| `(\w+)` \|/).map { String($0.1) }
        }
        #expect(rows.sorted() == Set(needing.map(\.module)).sorted())
    }
}

import Testing

/// Goal: a port to another system is bounded. Method: the modules that know the system's C library are few, lie at the
/// bottom, and are listed; docs/porting.md says of each what a port needs.
@Suite struct `The system below` {
    /// The modules that wrap calls of the system: sockets, files, terminals and processes.
    private static let wrappers: Set = ["Sockets", "Files", "Console", "Processes"]

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
        #expect(below.isDisjoint(with: Self.wrappers.subtracting(["Files"])), "Processes alone has a wrapper below it")
    }

    @Test func `Calls that Linux alone has are made by the wrappers`() {
        #expect(Set(Repository.sources.filter { $0.imports.contains("CLinux") }.map(\.module)) == Self.wrappers)
    }

    /// Dispatch shows the C library's names to a file that imports it, without an import of the C library.
    @Test func `No file without the import calls the C library by way of another module`() {
        let call =
            /(?:^|[^.\w`])(?:getenv|setenv|environ|exit|abort|memcpy|memcmp|memmove|memset|malloc|calloc|free|strlen|strdup|strerror|strtod|snprintf|fopen|fread|fwrite|fflush|isatty|getpid|getppid|usleep|nanosleep|clock_gettime|gettimeofday|localtime_r|pow|log10|log2|exp|sin|cos|asin|fmod|pthread_\w+|sigaction|fcntl|ioctl|mmap|socket|getaddrinfo|realpath)\(/
        let declaration = /func (?:\w+)\(/
        let found = Repository.sources.filter { file in
            guard !file.imports.contains("Glibc") else { return false }
            return file.code.split(separator: "\n").contains { line in
                line.contains(call) && !line.contains(declaration)
            }
        }
        #expect(found.map(\.path).isEmpty)
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

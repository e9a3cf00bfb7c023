import JSONText
import Testing

@testable import WidgetPackages

/// Goal: an author sees what the compiler has said, once, with paths that lead from where the command was given. Method:
/// outputs of `swift build`.
@Suite struct `The output of a build` {
    private func log(_ lines: [String], named: String = "Counter") -> BuildLog {
        var log = BuildLog(of: "/home/ann/Counter", named: named)
        for line in lines { log.take(line) }
        return log
    }

    private let failed = [
        "[0/1] Planning build", "Building for debugging...", "[3/7] Compiling Counter Main.swift",
        "error: emit-module command failed with exit code 1 (use -v to see invocation)",
        "/home/ann/Counter/Sources/Main.swift:1:5: error: cannot find 'a' in scope", "1 | a()",
        "  | `- error: cannot find 'a' in scope", "",
        "/home/ann/Counter/Sources/Main.swift:2:5: warning: 'b' is unused", "2 | b", "",
        "/home/ann/Counter/Sources/Main.swift:1:5: error: cannot find 'a' in scope", "1 | a()",
        "  | `- error: cannot find 'a' in scope", "",
    ]

    @Test func `shows each error once, with its lines of source`() {
        #expect(
            log(failed).shown == [
                "Counter/Sources/Main.swift:1:5: error: cannot find 'a' in scope", "1 | a()",
                "  | `- error: cannot find 'a' in scope",
                "Counter/Sources/Main.swift:2:5: warning: 'b' is unused", "2 | b",
            ])
        #expect(log(failed).errorCount == 1)
        #expect(log(failed).firstError == "Counter/Sources/Main.swift:1:5: error: cannot find 'a' in scope")
    }

    @Test func `names files from the folder of the package if that is where the author is`() {
        #expect(log(failed, named: ".").firstError == "Sources/Main.swift:1:5: error: cannot find 'a' in scope")
    }

    @Test func `of a manifest that cannot be read leads to the place in it`() {
        let lines = [
            "error: 'pp': Invalid manifest (compiled with: [\"/usr/bin/swiftc\"])",
            "/home/ann/Counter/Package.swift:4:1: error: cannot find 'sdf' in scope", "error: ExitCode(rawValue: 1)",
        ]
        #expect(log(lines).firstError == "Counter/Package.swift:4:1: error: cannot find 'sdf' in scope")
        #expect(log(["error: no product named 'Nope'"]).firstError == "error: no product named 'Nope'")
        #expect(log([]).firstError == "the build has failed")
    }

    @Test func `reports its steps`() {
        var log = BuildLog(of: "/home/ann/Counter", named: "Counter")
        #expect(log.take("[3/7] Compiling Counter Main.swift") == "[3/7] Compiling Counter Main.swift")
        #expect(log.take("[a/7] is text") == nil)
        #expect(log.lines == ["[a/7] is text"])
    }

    @Test func `is limited`() {
        let long = log((0..<5_000).map { "line \($0)" })
        #expect(long.lines.count == BuildLog.lineCount && long.isCut)
    }
}

/// Goal: the right program of a package is started. Method: descriptions of packages.
@Suite struct `The programs of a package` {
    private func products(_ names: [String], usingWidgets: [String] = []) throws -> PackageProducts {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("products")
            writer.array { writer in
                for name in names + ["Library"] {
                    writer.object { writer in
                        writer.member("name", name)
                        writer.key("type")
                        writer.object { $0.member(name == "Library" ? "library" : "executable", "") }
                    }
                }
            }
            writer.key("targets")
            writer.array { writer in
                for name in usingWidgets {
                    writer.object { writer in
                        writer.key("product_dependencies")
                        writer.array { $0.string("Widgets") }
                        writer.key("product_memberships")
                        writer.array { $0.string(name) }
                    }
                }
            }
        }
        return try PackageProducts(writer.finish())
    }

    @Test func `are those that are executable`() throws {
        #expect(try products(["One"]).programs == ["One"])
        #expect(try products(["One"]).program(named: nil) == "One")
        #expect(throws: PackageError.noProduct) { try products([]).program(named: nil) }
    }

    @Test func `are chosen by name, or because one alone uses Widgets`() throws {
        let two = try products(["One", "Two"], usingWidgets: ["Two"])
        #expect(try two.program(named: nil) == "Two")
        #expect(try two.program(named: "One") == "One")
        #expect(throws: PackageError.unknownProduct("Three", known: ["One", "Two"])) {
            try two.program(named: "Three")
        }
        #expect(throws: PackageError.severalProducts(["One", "Two"])) {
            try products(["One", "Two"]).program(named: nil)
        }
    }

    @Test func `come from a description that is JSON`() {
        #expect(throws: PackageError.self) { try PackageProducts(Array("error: no".utf8)) }
    }
}

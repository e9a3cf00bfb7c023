import Foundation
import Testing
import WidgetTestSupport

/// Goal: the interface that other packages build on changes only on purpose. Method: the compiler's own description of it,
/// compared with the files of `docs/api`, which `make api` writes.
@Suite struct `The public interface` {
    private static func path(_ library: String) -> String { "\(Corpus.repositoryRoot)/docs/api/\(library).txt" }

    @Test(arguments: SymbolGraph.libraries)
    func `A library has the interface that its file says`(library: String) throws {
        let text = try SymbolGraph(of: library).text
        if Corpus.isWritten {
            try Data(text.utf8).write(to: URL(filePath: Self.path(library)))
            return
        }
        let kept = (try? String(contentsOf: URL(filePath: Self.path(library)), encoding: .utf8)) ?? ""
        let (now, before) = (Set(text.split(separator: "\n")), Set(kept.split(separator: "\n")))
        let removed = before.subtracting(now).sorted().map { "- \($0)" }
        let added = now.subtracting(before).sorted().map { "+ \($0)" }
        #expect(
            removed.isEmpty && added.isEmpty,
            """
            the interface has changed:
            \((removed + added).joined(separator: "\n"))
            `make api` writes docs/api anew; CHANGELOG.md needs a line about it (CONTRIBUTING.md, Versions)
            """)
    }

    /// The number of symbols without a doc comment. It may only fall.
    private static let undocumented = ["Widgets": 0]

    @Test(arguments: SymbolGraph.libraries)
    func `Every public symbol is documented`(library: String) throws {
        let symbols = try SymbolGraph(of: library).symbols
        try #require(symbols.count > 10)
        let silent = symbols.filter { !$0.isDocumented }.map(\.name)
        #expect(silent.count <= Self.undocumented[library] ?? 0, "\(silent.count): \(silent.joined(separator: ", "))")
    }

    @Test(arguments: SymbolGraph.libraries)
    func `No declaration names a type of C, of Foundation or of the inside`(library: String) throws {
        // Dates of Foundation are values of expressions for those who have them; nothing asks for one.
        let allowed = Set(SymbolGraph.libraries + (library == "Widgets" ? ["FoundationEssentials"] : []))
        for symbol in try SymbolGraph(of: library).symbols {
            for type in symbol.types {
                #expect(!type.hasPrefix("c:"), "\(symbol.name): \(type)")
                guard let module = Self.module(of: type) else { continue }
                #expect(allowed.contains(module), "\(symbol.name) names \(type) of \(module)")
            }
        }
    }

    /// The module in a mangled name; `nil` for the standard library's.
    private static func module(of type: String) -> String? {
        guard type.hasPrefix("s:") else { return nil }
        let digits = type.dropFirst(2).prefix { $0.isNumber }
        guard let length = Int(digits) else { return nil }
        return String(type.dropFirst(2 + digits.count).prefix(length))
    }

    @Test(arguments: ["WidgetPages", "WidgetRegistryClient", "WidgetRuntime", "WidgetEmbedding"])
    func `Errors are values with a description, and can be sent`(library: String) throws {
        let graph = try SymbolGraph(of: library)
        let errors = graph.conformances.filter { $0.hasSuffix(": Error") || $0.hasSuffix(": Swift.Error") }
            .map { $0.prefix { $0 != ":" } }
        // WidgetPages throws the errors of the session.
        #expect(!errors.isEmpty || library == "WidgetPages")
        for name in errors {
            let own = graph.conformances.filter { $0.hasPrefix("\(name): ") }
            for wanted in ["Sendable", "Equatable", "CustomStringConvertible"] {
                #expect(own.contains { $0.hasSuffix(wanted) }, "\(name) is not \(wanted)")
            }
        }
    }
}

import Foundation
import Testing
import WidgetTestSupport

/// The public interface of a library, as the compiler itself describes it.
struct SymbolGraph: Sendable {
    struct Symbol: Sendable {
        let name: String
        let kind: String
        let declaration: String
        let isDocumented: Bool
        /// The precise identifiers of the types that the declaration names.
        let types: [String]
    }

    /// The libraries for other packages.
    static let libraries = ["WidgetEmbedding", "WidgetPages", "WidgetRegistryClient", "WidgetRuntime", "Widgets"]

    let library: String
    /// Sorted; without what the compiler or the standard library derives.
    let symbols: [Symbol]
    /// `Type: Protocol`, sorted.
    let conformances: [String]

    /// The graphs of all libraries, each extracted once.
    private static let all = libraries.map { library in
        (library, Result { try SymbolGraph(extracting: library) })
    }

    /// The graph of a library that was built with this test.
    init(of library: String) throws {
        self = try #require(Self.all.first { $0.0 == library }).1.get()
    }

    private init(extracting library: String) throws {
        self.library = library
        let folder = FileManager.default.temporaryDirectory.appending(path: "surface-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try SymbolGraph.extract(library, to: folder.path)
        let data = try Data(contentsOf: folder.appending(path: "\(library).symbols.json"))
        let graph = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let found = try #require(graph["symbols"] as? [[String: Any]])
        var names: [String: String] = [:]
        symbols = found.compactMap { symbol in
            guard let path = symbol["pathComponents"] as? [String],
                let identifier = (symbol["identifier"] as? [String: Any])?["precise"] as? String,
                !identifier.contains("::SYNTHESIZED::")
            else { return nil }
            let name = path.joined(separator: ".")
            names[identifier] = name
            let fragments = symbol["declarationFragments"] as? [[String: Any]] ?? []
            return Symbol(
                name: name, kind: (symbol["kind"] as? [String: Any])?["displayName"] as? String ?? "",
                declaration: fragments.compactMap { $0["spelling"] as? String }.joined(),
                isDocumented: symbol["docComment"] != nil,
                types: fragments.compactMap { $0["preciseIdentifier"] as? String })
        }
        .sorted { ($0.name, $0.declaration) < ($1.name, $1.declaration) }
        conformances = (graph["relationships"] as? [[String: Any]] ?? []).compactMap { relation in
            guard relation["kind"] as? String == "conformsTo", let source = relation["source"] as? String,
                let name = names[source]
            else { return nil }
            let target = relation["target"] as? String
            let known = target.flatMap { names[$0] }
            return (known ?? relation["targetFallback"] as? String).map { "\(name): \($0)" }
        }
        .sorted()
    }

    /// One line for each symbol and each conformance, for people who look at a difference.
    var text: String {
        (["# The public interface of \(library). `make api` writes it from the compiler's symbol graph."]
            + symbols.map { "\($0.name)\t\($0.declaration)" } + conformances).joined(separator: "\n") + "\n"
    }

    static var productFolder: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// The arguments by which compilers find the modules of this build.
    static var moduleArguments: [String] {
        let maps =
            ["CWidgetCrypto", "CWidgetDeflate", "CWidgetSQLite", "CWidgetZlib"].map {
                "\(Corpus.repositoryRoot)/Sources/C/\($0)/module.modulemap"
            }
            + ["CWidgetCurl", "CWidgetLinux"].map { "\(productFolder)/\($0).build/module.modulemap" }
        return ["-I", "\(productFolder)/Modules"] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    private static func extract(_ library: String, to folder: String) throws {
        let words =
            ["symbolgraph-extract", "-module-name", library, "-minimum-access-level", "public", "-output-dir", folder]
            + moduleArguments + ["-target", try target()]
        let result = Toolchain.run("swift", words)
        try #require(result.status == 0, "\(result.text)")
    }

    /// The triple that the toolchain builds for.
    private static func target() throws -> String {
        let result = Toolchain.run("swiftc", ["-print-target-info"])
        let info = try #require(try JSONSerialization.jsonObject(with: Data(result.text.utf8)) as? [String: Any])
        return try #require((info["target"] as? [String: Any])?["unversionedTriple"] as? String)
    }
}

/// The compiler's programs, as they are on the path.
enum Toolchain {
    static func run(_ program: String, _ arguments: [String], in folder: String? = nil) -> (status: Int32, text: String)
    {
        let process = ChildProcess()
        guard let file = Tool.path(of: program) else { return (-1, "\(program) is missing") }
        process.executableURL = URL(filePath: file)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let pipe = Pipe()
        process.standardOutput = .pipe(pipe)
        process.standardError = .pipe(pipe)
        process.standardInput = .nothing
        do { try process.run() } catch { return (-1, "\(error)") }
        let bytes = BuiltProgram.readToEnds([pipe.fileHandleForReading.fileDescriptor])[0]
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}

import Testing
import WidgetBytes

/// Goal: the engine's modules keep compiling for WebAssembly, by Embedded Swift and with numbers of 32 bits, without a build
/// for it here. Method: what that compiler refuses, or prints as nothing, is not in their code; the list of modules is that
/// of `.ci/wasm`, which builds them.
@Suite struct `The portable engine` {
    private static let script = Repository.text(".ci/wasm")

    /// The modules that the script compiles.
    private static let modules: [String] = {
        guard let list = script.firstMatch(of: /\nMODULES = \[([^\]]*)\]/) else { return [] }
        return list.1.matches(of: /"(\w+)"/).map { String($0.1) }
    }()

    /// The files of this machine in modules that are otherwise replaced.
    private static let shared = Set(script.matches(of: /\["(\w+\.swift)"\]/).map { String($0.1) })

    private static let replaced = Repository.swiftFiles(under: "Sources/Wasm").map(\.path)

    /// The sources of this machine that are compiled for WebAssembly too.
    private static let files: [SourceFile] = Repository.sources.filter { source in
        guard modules.contains(source.module) else { return false }
        let name = source.path.split(separator: "/").last ?? ""
        if ["WidgetSystemCalls", "WidgetFiles"].contains(source.module) { return shared.contains(String(name)) }
        return !replaced.contains("Sources/Wasm/\(source.module)/\(name)")
            && !(source.module == "WidgetBundles" && source.path.contains("/Folders/"))
    }

    /// The places where code matches, each as a path and the text.
    private static func places(_ pattern: some RegexComponent) -> [String] {
        files.flatMap { file in file.code.matches(of: pattern).map { "\(file.path): \(file.code[$0.range])" } }
    }

    @Test func `The script names the modules of the engine, each after those that it imports`() {
        #expect(Self.files.count > 300 && Self.modules.contains("WidgetEngine"))
        for (place, module) in Self.modules.enumerated() {
            let imports = Self.files.filter { $0.module == module }.reduce(into: Set<String>()) {
                $0.formUnion($1.imports)
            }
            let later = imports.filter { Repository.modules.contains($0) && !Self.modules[..<place].contains($0) }
            #expect(later.isEmpty, "\(module) imports \(later.sorted())")
        }
    }

    @Test func `No key path, no list of types, no reflection`() {
        #expect(Self.places(/\\\.[a-z0-9]+|\\[A-Z]\w*\.[a-z]\w*|\b\w*KeyPath<|\[keyPath:/).isEmpty)
        #expect(Self.places(/any [A-Z]\w*\.Type|String\((?:describing|reflecting):|Mirror\(/).isEmpty)
    }

    /// A value behind a protocol needs its type at run time; an object has it with it.
    @Test func `A value behind a protocol is an object`() {
        let all = Self.files.map(\.code).joined(separator: "\n")
        let bound = Set(all.matches(of: /protocol (\w+): [^{]*\bAnyObject\b/).map { String($0.1) }).union(["Error"])
        let heirs = all.matches(of: /protocol (\w+): ([^{]*)\{/).filter { match in
            match.2.split(separator: ",").contains {
                bound.contains(String($0.trimmingPrefix(/\s+/).prefix { $0 != " " }))
            }
        }
        let objects = bound.union(heirs.map { String($0.1) })
        let used = Self.files.flatMap { file in
            file.code.matches(of: /\bany ([A-Z]\w*)/).map { (file.path, String($0.1)) }
        }
        #expect(!used.isEmpty)
        #expect(used.filter { !objects.contains($0.1) }.isEmpty)
    }

    @Test func `Nothing waits, and no file asks for a system`() {
        #expect(Self.places(/\b(?:async|await|actor|Task)\b(?!:)(?=[ .({])|\bweak var\b|\bMutex\b/).isEmpty)
        let foreign: Set = [
            "Foundation", "FoundationEssentials", "Dispatch", "Glibc", "WidgetSurroundings", "WidgetDatabase",
            "WidgetLogging",
        ]
        let asking = Self.files.filter { !$0.imports.isDisjoint(with: foreign) }.filter {
            !$0.imports.contains("CWasm")
        }
        #expect(asking.map(\.path).isEmpty)
    }

    @Test func `A value that cannot be copied has no code at its end`() {
        for file in Self.files where file.code.contains("deinit") {
            let kinds = file.code.matches(of: /(?:struct|enum) (\w+)[^{]*~Copyable[^{]*\{([^}]*)/)
            #expect(kinds.allSatisfy { !$0.2.contains("deinit") }, "\(file.path)")
        }
    }

    /// `1 << 40` is 0 where numbers have 32 bits, and a number of a file may be larger than such a number.
    @Test func `No number needs more than 32 bits without saying so`() {
        let shifts = Self.files.flatMap { file in
            file.code.split(separator: "\n").filter { line in
                line.contains(/\b1 << (?:3[1-9]|[4-9][0-9])\b/) && !line.contains(/U?Int64|product/)
            }.map { "\(file.path): \($0)" }
        }
        #expect(shifts.isEmpty)
        #expect(Self.places(/\bInt\(UInt32\.max\)|\bInt\(UInt64|\bInt\(Int64\b/).isEmpty)
        #expect(Self.places(/\$0 << 8 \| Int\(/).isEmpty)
    }

    @Test func `A file that replaces another has its name`() {
        for path in Self.replaced {
            let parts = path.split(separator: "/")
            guard parts.count == 4,
                !["StandardGaps", "WidgetSystemCalls", "WidgetFiles", "EngineFile"].contains(parts[2])
            else {
                continue
            }
            #expect(
                Repository.sources.contains { $0.module == parts[2] && $0.path.hasSuffix("/\(parts[3])") }, "\(path)")
        }
    }

    @Test func `The revision of the engine is that of its sources`() throws {
        var paths = Self.files.map(\.path) + Self.replaced
        paths.append("Sources/Engine/WidgetCore/Words/words.txt")
        paths += Repository.paths(under: "Sources/Wasm/shims").filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }
        paths.removeAll { $0.hasSuffix("/EngineRevision.swift") }
        var digest = SHA256()
        for path in paths.sorted(by: { Array($0.unicodeScalars).lexicographicallyPrecedes(Array($1.unicodeScalars)) }) {
            digest.update(Array("\(path)\0".utf8))
            let own = try #require(Digest.sha256(Array(Repository.text(path).utf8)))
            digest.update(own.bytes)
        }
        let revision = digest.finish()?.hex.prefix(16) ?? "none"
        #expect(
            Repository.text("Sources/Engine/WidgetEngine/EngineRevision.swift").contains("\"\(revision)\""),
            "`.ci/wasm revision` writes it")
    }
}

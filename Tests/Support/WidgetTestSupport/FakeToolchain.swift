package import Foundation

/// A package of Swift, and a toolchain that builds it at once: the program that it makes is a copy of another one, and is
/// there when the source is written, so that the toolchain starts no program to copy it.
///
/// The source of the package is the text that says how that program behaves. A source with the word `fault` does not
/// compile.
package struct FakeToolchain: Sendable {
    private let folder: URL
    private let program: URL
    /// The toolchain's program, for the variable `SWIFT`.
    package let path: String

    /// - Parameters:
    ///   - folder: an empty folder.
    ///   - program: the program that each build makes.
    ///   - programs: the names of the programs that the package says it has.
    package init(in folder: URL, making program: URL, programs: [String] = ["Counter"]) throws {
        self.folder = folder
        self.program = program
        let file = folder.appending(path: "toolchain/swift")
        path = file.path
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try write("Package.swift", "// swift-tools-version: 6.0\n")
        let root = folder.appending(path: "Counter").resolvingSymlinksInPath().path
        for (words, text) in FakeToolchain.answers(at: root, programs) {
            try Data(text.utf8).write(to: file.deletingLastPathComponent().appending(path: words))
        }
        // The shell's own words start no program.
        let script = """
            #!/bin/bash
            words="$*"
            if [[ $words == "\(FakeToolchain.building)" && $(<"\(FakeToolchain.source)") == *fault* ]]; then
                words=fault
            fi
            answer="${0%/*}/$words"
            if [[ ! -f $answer ]]; then
                echo "error: unknown words: $*"
                exit 1
            fi
            echo "$(<"$answer")"
            [[ $words != fault ]]
            """
        try ExecutableFile.write(script, to: file.path)
        try behave("")
    }

    private static let building = "build --product Counter"

    /// Its output by the words of a command, and for a source with a fault.
    private static func answers(at root: String, _ programs: [String]) -> [String: String] {
        let products = programs.map {
            "{\"name\": \"\($0)\", \"targets\": [\"\($0)\"], \"type\": {\"executable\": null}}"
        }
        let steps = "[0/2] Planning build\nBuilding for debugging...\n[1/2] Compiling Counter Counter.swift\n"
        let fault = """
            \(root)/\(source):1:1: error: cannot find 'fault' in scope
            1 | fault
              | `- error: cannot find 'fault' in scope


            """
        return [
            "package describe --type json": "{\"products\": [\(products.joined(separator: ", "))], \"targets\": []}",
            "build --show-bin-path": "\(root)/.build/debug",
            building: steps + "Build of product 'Counter' complete! (0.1s)",
            "fault": steps + fault + fault
                + "error: emit-module command failed with exit code 1 (use -v to see invocation)",
        ]
    }

    /// The output of the program, and whether it ends well, without starting it.
    package func answer(to arguments: [String]) -> (text: String, isClean: Bool) {
        let words = arguments.joined(separator: " ")
        func text(_ name: String, in place: String = "toolchain") -> String? {
            try? String(contentsOf: folder.appending(path: "\(place)/\(name)"), encoding: .utf8)
        }
        if words == FakeToolchain.building, text(FakeToolchain.source, in: "Counter")?.contains("fault") == true {
            return (text("fault") ?? "", false)
        }
        return text(words).map { ($0, true) } ?? ("error: unknown words: \(words)", false)
    }

    /// The package's folder.
    package var package: String { folder.appending(path: "Counter").path }

    /// The file whose text is the behaviour of the program.
    package static let source = "Sources/Counter/Counter.swift"

    /// Writes the source.
    package func behave(_ text: String) throws {
        if !text.contains("fault") { try make(text) }
        try write(FakeToolchain.source, text)
    }

    /// Makes the program: a new file if it is another one, as a linker makes it.
    private func make(_ behaviour: String) throws {
        let build = folder.appending(path: "Counter/.build/debug")
        let (made, note) = (build.appending(path: "Counter"), build.appending(path: "Counter.behaviour"))
        if let known = try? String(contentsOf: note, encoding: .utf8), known == behaviour { return }
        try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: made)
        try ExecutableFile.copy(program, to: made.path)
        try Data(behaviour.utf8).write(to: note, options: .atomic)
    }

    /// Writes a file of the package.
    package func write(_ name: String, _ text: String) throws {
        let file = folder.appending(path: "Counter/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
    }
}

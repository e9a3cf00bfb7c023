internal import WidgetBytes
internal import WidgetFiles
internal import WidgetProcesses
package import WidgetSurroundings

/// A program that a package has made.
package struct BuiltProgramFile: Sendable {
    package let name: String
    package let path: String
    /// A text that is another one after each build that makes another program.
    package let mark: String

    init(name: String, path: String) throws(FileError) {
        let status = try FileDescriptor.readingNamed(path).status()
        (self.name, self.path) = (name, path)
        mark = "\(status.inode) \(status.byteCount) \(status.modification)"
    }
}

/// Builds a package of Swift with the toolchain, and finds the program that it makes.
package final class PackageBuilder: Sendable {
    /// The folder, as the user named it.
    package let path: String
    /// The name of the wanted program; `nil` if there is only one.
    private let product: String?
    private let environment: [String: String]
    private let programs: (any Programs)?
    private let known = Guarded<Known?>(nil)

    /// The facts that hold until the manifest changes.
    private struct Known {
        let manifest: FileStatus
        let product: String
        let folder: String
    }

    /// The file that makes a folder a package.
    package static let manifest = "Package.swift"
    /// The variable of the environment that names the toolchain's program.
    package static let variable = "SWIFT"

    /// - Parameters:
    ///   - environment: that of this process, which the toolchain gets too.
    ///   - programs: called in place of the toolchain's program.
    package init(
        _ path: String, product: String? = nil, environment: [String: String], programs: (any Programs)? = nil
    ) {
        self.path = path
        self.programs = programs
        self.product = product
        self.environment = environment
    }

    /// True if a path is a folder with a package.
    package static func isPackage(_ path: String) -> Bool {
        guard let folder = try? Directory(opening: path) else { return false }
        return (try? folder.status(of: manifest).kind) == .file
    }

    /// Builds the program.
    ///
    /// - Parameter report: called with each step of the build.
    package func build(report: @escaping @Sendable (String) -> Void) throws(PackageError) -> BuiltProgramFile {
        let facts = try facts()
        let output = try swift(["build", "--product", facts.product], report: report)
        guard output.isClean else { throw .notBuilt(output.log) }
        return try rethrowing(as: PackageError.file) { () throws(FileError) in
            try BuiltProgramFile(name: facts.product, path: "\(facts.folder)/\(facts.product)")
        }
    }

    private func facts() throws(PackageError) -> Known {
        let manifest = try rethrowing(as: PackageError.file) { () throws(FileError) in
            try FileDescriptor.readingNamed("\(path)/\(PackageBuilder.manifest)").status()
        }
        if let known = known.withLock({ $0 }), known.manifest == manifest { return known }
        let described = try swift(["package", "describe", "--type", "json"]) { _ in }
        guard described.isClean else { throw .notBuilt(described.log) }
        let products = try PackageProducts(Array(described.text.utf8))
        let name = try products.program(named: product)
        let shown = try swift(["build", "--show-bin-path"]) { _ in }
        guard shown.isClean, let folder = shown.text.split(separator: "\n").last.map(String.init) else {
            throw .notBuilt(shown.log)
        }
        let facts = Known(manifest: manifest, product: name, folder: folder)
        known.withLock { $0 = facts }
        return facts
    }

    private struct Output {
        var isClean = false
        var log: BuildLog
        /// The standard output.
        var text = ""
    }

    /// The most bytes of a description.
    private static let textByteCount = 8 << 20

    private func swift(
        _ arguments: [String], report: @escaping @Sendable (String) -> Void
    ) throws(PackageError) -> Output {
        let folder = resolvedPath(path)
        var start = ProgramStart(
            try toolchain(), arguments, environment: environment.map { "\($0.key)=\($0.value)" }.sorted(), in: folder)
        start.endsInOrder = true
        let output = Guarded(Output(log: BuildLog(of: folder, named: path)))
        let take = { @Sendable (stream: SpawnedProgram.Stream, line: String) in
            let step = output.withLock { output in
                if stream == .output, output.text.utf8.count + line.utf8.count < PackageBuilder.textByteCount {
                    output.text += line + "\n"
                }
                return output.log.take(line)
            }
            if let step { report(step) }
        }
        if let isClean = programs?.run(start.path, arguments, onLine: { take(.output, $0) }) {
            output.withLock { $0.isClean = isClean }
            return output.withLock { $0 }
        }
        let program = try rethrowing(as: PackageError.file) { () throws(FileError) in
            try SpawnedProgram(start, onLine: take)
        }
        let end = program.wait()
        output.withLock { $0.isClean = end == .exit(0) }
        return output.withLock { $0 }
    }

    /// The toolchain's program: the one that the environment names, or the first in the search path.
    private func toolchain() throws(PackageError) -> String {
        let given = environment[PackageBuilder.variable].flatMap { $0.isEmpty ? nil : $0 }
        let name = given ?? "swift"
        let found = ProgramSearch(path: environment["PATH"]).path(of: name)
        guard let found else { throw .noToolchain(name: name) }
        return found
    }
}

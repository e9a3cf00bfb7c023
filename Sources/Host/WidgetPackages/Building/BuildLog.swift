internal import WidgetBytes

/// The lines that a build has printed, without those that show its progress.
package struct BuildLog: Equatable, Sendable {
    /// The most lines that are kept, the first ones: later errors follow from earlier ones.
    static let lineCount = 2_000

    package private(set) var lines: [String] = []
    /// True if further lines were left out.
    package private(set) var isCut = false
    /// The folder of the package as the compiler names it, and as the user does.
    private let folder: (real: String, named: String)

    package static func == (first: BuildLog, second: BuildLog) -> Bool { first.lines == second.lines }

    /// - Parameters:
    ///   - folder: the whole path of the package's folder.
    ///   - named: the folder, as the user named it.
    init(of folder: String, named: String) {
        self.folder = (folder, named == "." ? "" : named.hasSuffix("/") ? named : "\(named)/")
    }

    /// - Returns: the step that is reported, if the line is about progress.
    @discardableResult
    mutating func take(_ line: String) -> String? {
        if let step = BuildLog.step(line) { return step }
        if line.hasPrefix("Building for ") || line.hasPrefix("Build of product ") || line.hasPrefix("Build complete!") {
            return line
        }
        // Without a place, and repeated by the errors that have one.
        if line.hasSuffix("(use -v to see invocation)") { return nil }
        guard lines.count < BuildLog.lineCount else {
            isCut = true
            return nil
        }
        lines.append(line.replacing("\(folder.real)/", with: folder.named))
        return nil
    }

    /// The text after a count of steps as `[3/7]`.
    private static func step(_ line: String) -> String? {
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        let counts = line[line.index(after: line.startIndex)..<end].split(separator: "/")
        guard counts.count == 2, counts.allSatisfy({ Int($0) != nil }) else { return nil }
        return line
    }

    /// The lines, each stretch of lines about one error once: the compiler reports it for each of its passes.
    package var shown: [String] {
        var stretches: [[String]] = []
        for line in lines {
            if stretches.isEmpty || BuildLog.isFirst(line) { stretches.append([]) }
            if line.isEmpty || line.allSatisfy(\.isWhitespace) { continue }
            stretches[stretches.count - 1].append(line)
        }
        var known: Set<[String]> = []
        return stretches.filter { known.insert($0).inserted }.flatMap { $0 }
    }

    /// True if a diagnostic begins in a line.
    private static func isFirst(_ line: String) -> Bool {
        guard line.first.map({ !$0.isWhitespace && $0 != "|" && !$0.isNumber }) ?? false else { return false }
        return ["error: ", "warning: ", "note: "].contains { line.contains($0) }
    }

    private static func isError(_ line: String) -> Bool { isFirst(line) && line.contains("error: ") }

    /// The number of different errors.
    package var errorCount: Int { Set(shown.filter(BuildLog.isError)).count }

    /// The first error that has a place, or else the first one.
    package var firstError: String {
        let errors = shown.filter(BuildLog.isError)
        return errors.first { $0.contains(".swift:") } ?? errors.first ?? shown.last ?? "the build has failed"
    }
}

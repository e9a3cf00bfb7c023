package import WidgetBytes

/// The reason why a source cannot be compiled, and the place in it.
package struct BuildError: Error, Hashable, Sendable {
    /// The path inside the source folder.
    package var path: String
    package var position: TextPosition?
    package var sentence: String
    package var hints: [String]

    package init(_ sentence: String, path: String, at position: TextPosition? = nil, hints: [String] = []) {
        self.path = path
        self.position = position
        self.sentence = sentence
        self.hints = hints
    }

    func within(_ folder: String) -> BuildError {
        guard !folder.isEmpty else { return self }
        return BuildError(
            sentence, path: path.isEmpty ? folder : "\(folder)/\(path)", at: position, hints: hints)
    }
}

extension BuildError {
    /// The same error at the same place, by which it is recognised when it is found twice.
    var withoutHints: BuildError { BuildError(sentence, path: path, at: position) }
}

extension BuildError: CustomStringConvertible {
    package var description: String { "\(place): \(sentence)" }

    private var place: String {
        position.map { "\(path):\($0.line):\($0.column)" } ?? path
    }
}

/// The errors found in one source file, or in one folder that is one source.
///
/// A compiler records an error and continues after it, so that one run shows the author all of them. A run that found
/// an error writes nothing.
final class BuildErrors {
    struct Limits {
        /// Errors that are kept. The compiler stops at the next one.
        var errorCount = 200
        /// Errors that are recorded, repeated ones included: a screen inside another one is compiled twice.
        var recordCount = 4_000
    }

    private struct Key: Hashable {
        var path: String
        var position: TextPosition?
        var sentence: String
    }

    private let limits: Limits
    private(set) var found: [BuildError] = []
    private var known: Set<Key> = []
    private var recordCount = 0

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// True if the compiler stopped before the end of the source.
    var isFull: Bool { found.count >= limits.errorCount || recordCount >= limits.recordCount }

    var isEmpty: Bool { found.isEmpty }

    /// Records an error. The first one stays where an error is recorded twice.
    func note(_ error: BuildError) {
        guard !isFull else { return }
        recordCount += 1
        let key = Key(path: error.path, position: error.position, sentence: error.sentence)
        if known.insert(key).inserted { found.append(error) }
    }

    /// Records an error; throws it when no other can be recorded, which ends the compilation.
    func record(_ error: BuildError) throws(BuildError) {
        note(error)
        if isFull { throw error }
    }
}

/// All errors of a folder of sources: at least one.
package struct BuildFailure: Error, Equatable, Sendable {
    /// The most errors that are kept, of all files.
    package static let errorCount = 2_000
    /// The most lines that show errors, and the most places in one line.
    package static let lineCount = 60
    package static let placeCount = 4

    /// Sorted by path; those of one file as they lie in it.
    package private(set) var errors: [BuildError]
    /// Files in which further errors may be, because the compiler stopped early.
    package private(set) var unfinished: [String]

    package init(_ error: BuildError) {
        (errors, unfinished) = ([error], [])
    }

    /// Returns `nil` without an error.
    package init?(_ errors: [BuildError], unfinished: [String] = []) {
        guard !errors.isEmpty else { return nil }
        let sorted = errors.enumerated().sorted { first, second in
            let order = first.element.path.byteOrder(second.element.path)
            guard order == 0 else { return order < 0 }
            let places = (first.element.position, second.element.position)
            let (one, other) = (
                places.0.map { ($0.line, $0.column) } ?? (0, 0), places.1.map { ($0.line, $0.column) } ?? (0, 0)
            )
            return one == other ? first.offset < second.offset : one < other
        }
        self.errors = sorted.prefix(BuildFailure.errorCount).map(\.element)
        self.unfinished = unfinished + sorted.dropFirst(BuildFailure.errorCount).prefix(1).map(\.element.path)
    }

    /// Returns the same errors with paths that begin with the folder's.
    package func within(_ folder: String) -> BuildFailure {
        guard !folder.isEmpty else { return self }
        var failure = self
        failure.errors = errors.map { $0.within(folder) }
        failure.unfinished = unfinished.map { "\(folder)/\($0)" }
        return failure
    }

    /// The hints of all errors, each once.
    package var hints: [String] {
        var seen: Set<String> = []
        return errors.flatMap(\.hints).filter { seen.insert($0).inserted }
    }
}

extension BuildFailure: CustomStringConvertible {
    package var description: String {
        let first = errors.first.map { "\($0)" } ?? ""
        return errors.count == 1 ? first : "\(first) (and \(errors.count - 1) more)"
    }

    /// The number of errors in words, for a line above ``lines``.
    package var summary: String {
        let fileCount = Set(errors.map(\.path)).count
        return
            "\(errors.count)\(unfinished.isEmpty ? "" : " or more") errors in \(fileCount) file\(fileCount == 1 ? "" : "s")"
    }

    /// A line for each kind of error in each file: its first place, and how often and where else it occurs.
    package var lines: [String] {
        struct Group: Hashable {
            var path: String
            var kind: String
        }
        var order: [Group] = []
        var members: [Group: [BuildError]] = [:]
        for error in errors {
            let group = Group(path: error.path, kind: BuildFailure.kind(of: error.sentence))
            if members[group] == nil { order.append(group) }
            members[group, default: []].append(error)
        }
        var lines = order.prefix(BuildFailure.lineCount).map { BuildFailure.line(members[$0] ?? []) }
        let rest = order.dropFirst(BuildFailure.lineCount)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + (members[$1]?.count ?? 0) }
            let fileCount = Set(rest.map(\.path)).count
            lines.append(
                "and \(count) errors of \(rest.count) other kinds in \(fileCount) file\(fileCount == 1 ? "" : "s")")
        }
        for path in unfinished { lines.append("\(path): has more errors than are listed; mend these first") }
        return lines
    }

    private static func line(_ errors: [BuildError]) -> String {
        guard let first = errors.first else { return "" }
        let others = errors.dropFirst()
        guard !others.isEmpty else { return "\(first)" }
        var places = others.prefix(placeCount).compactMap(\.position).map { "\($0.line):\($0.column)" }
        if others.count > places.count { places.append("\(others.count - places.count) more") }
        return "\(first) (\(errors.count) times, also at \(places.joined(separator: ", ")))"
    }

    /// Returns the sentence without the ids of objects, which Xcode writes as `mYs-Qa-9dE`.
    private static func kind(of sentence: String) -> String {
        let words = sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let parts = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            return parts.map(\.count) == [3, 2, 3] ? "id" : word
        }
        return words.joined(separator: " ")
    }
}

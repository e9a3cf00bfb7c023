/// Something that the author of a widget should know: its kind, its place, a sentence, and the remedy. Nothing authored is ever
/// an error of the program.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// The part works, but perhaps not as intended.
        case warning
        /// A part does not work, and the rest does. Those of ``Code/refused`` refuse the bundle.
        case error
    }

    package var severity: Severity
    package var code: Code
    /// One sentence.
    package var message: String
    package var place: Place?
    /// The authored value or name at fault, where there is one.
    package var value: String?
    /// The known name that is nearest to it.
    package var nearest: String?
    /// The next step; of a finding with a nearest name, the question that offers it.
    package var hint: String?

    /// - Parameter hint: the next step, unless a nearest name says it.
    package init(
        _ severity: Severity, _ code: Code, _ message: String, at place: Place? = nil, value: String? = nil,
        nearest: String? = nil, hint: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.place = place
        self.value = value
        self.nearest = nearest
        self.hint = nearest.map(Finding.question) ?? hint
    }

    /// The question that offers a name.
    package static func question(_ nearest: String) -> String { "did you mean \(nearest)?" }

    /// The place, the severity, the sentence, the code and the remedy, on one line.
    package var description: String { text(behind: "\(severity.rawValue): ") + remedy }

    /// The description without the severity, for lists that begin lines with it.
    package var withoutSeverity: String { located + remedy }

    /// The place, the sentence and the code, for lines that show the remedy by itself.
    package var located: String { text(behind: "") }

    /// The sentence with the remedy, for lists that show place and code by themselves.
    package var detail: String { message + remedy }

    private var remedy: String { hint.map { "; \($0)" } ?? "" }

    private func text(behind severity: String) -> String {
        let head = place.map { $0.isNamed ? "\($0): " : "" } ?? ""
        return "\(head)\(severity)\(message) [\(code.rawValue)]"
    }
}

/// A place in an authored file, for the author who has to change it.
package struct Place: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1; 0 for a place in a compiled file, which has no lines.
    package var line: Int
    package var column: Int
    /// The path of keys in the file.
    package var path: String

    package init(file: String, line: Int = 0, column: Int = 0, path: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
    }

    /// False for the bundle as a whole.
    package var isNamed: Bool { !file.isEmpty || !path.isEmpty }

    package var description: String {
        (line > 0 ? "\(file):\(line):\(column)" : file) + (path.isEmpty ? "" : " (\(path))")
    }

    /// The place in its file, for a line that names the file already.
    var insideFile: String {
        let position = line > 0 ? "\(line):\(column)" : ""
        guard !path.isEmpty else { return position }
        return position.isEmpty ? path : "\(position) (\(path))"
    }
}

/// A list of findings, each once, up to a limit. One more finding says that the limit was reached.
package struct FindingList: Sendable {
    package private(set) var all: [Finding] = []
    private var known: Set<Finding> = []
    private let limit: Int
    private var isFull = false

    package init(upTo limit: Int) {
        self.limit = limit
    }

    package mutating func add(_ finding: Finding) {
        guard !isFull, known.insert(finding).inserted else { return }
        if all.count < limit {
            all.append(finding)
        } else {
            isFull = true
            all.append(
                Finding(
                    .error, .countBudget, "There are more than \(limit) diagnostics", hint: "these are the first"))
        }
    }
}

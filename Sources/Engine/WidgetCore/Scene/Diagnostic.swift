internal import WidgetBytes

/// Something that the author of a widget should know. Nothing authored is ever an error of the program.
package struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// The part works, but perhaps not as intended.
        case warning
        /// A part does not work; the rest of the screen does.
        case error
    }

    /// One code for each kind of fault. Codes are added and never reused.
    package enum Code: String, CaseIterable, Sendable {
        case unknownKey = "unknown-key"
        case unknownType = "unknown-type"
        case unknownIdentifier = "unknown-identifier"
        case unknownOutlet = "unknown-outlet"
        case unknownAction = "unknown-action"
        case unknownService = "unknown-service"
        case unknownEntity = "unknown-entity"
        case unknownScreen = "unknown-screen"
        case unknownTransformer = "unknown-transformer"
        case unknownSelector = "unknown-selector"
        case unknownLocale = "unknown-locale"
        case unknownImage = "unknown-image"
        case duplicateBinding = "duplicate-binding"
        case duplicateIdentifier = "duplicate-identifier"
        case badValue = "bad-value"
        /// An element whose kind is not known, or whose properties do not fit it.
        case unknownKind = "unknown-kind"
        case badPayload = "bad-payload"
        case badPredicate = "bad-predicate"
        case badFile = "bad-file"
        case missingFile = "missing-file"
        case missingField = "missing-field"
        case expression = "expression-failed"
        case response = "bad-response"
        case storing = "storing-failed"
        case transport = "transport-failed"
        case deletion = "deletion-refused"
        case bindingCycle = "binding-cycle"
        case byteBudget = "byte-budget"
        case nodeBudget = "node-budget"
        case depthBudget = "depth-budget"
        case rowBudget = "row-budget"
        case stepBudget = "step-budget"
        case timeBudget = "time-budget"
        /// More alerts, lines of a log, links of a chain or other things than there may be.
        case countBudget = "count-budget"
        case recordBudget = "record-budget"
        case mediatorBudget = "mediator-budget"
        case expressionBudget = "expression-budget"
        case timerTooFast = "timer-too-fast"
        /// A container whose layout no stylesheet can express.
        case layoutSolved = "layout-solved"
        case notReviewed = "screens-not-reviewed"
        /// Text that is hard to read on its background.
        case lowContrast = "low-contrast"
        /// A control without a name that could be read aloud.
        case missingName = "missing-name"
        /// Text whose height does not follow it.
        case clippedText = "clipped-text"
        /// A text or a control that a reader of a narrow window does not get to see or to touch.
        case outOfReach = "out-of-reach"
        /// A picture of the bundle in a form that no browser shows.
        case unusablePicture = "unusable-picture"
        /// A view that code draws, of which a page has a box with its name.
        case notDrawn = "not-drawn"
        case missingAuthorization = "missing-authorization"
        /// A request that changes something on a server, and would be sent because a screen opens.
        case sentOnLoad = "sent-on-load"
        /// A request with a `$name` that has no value.
        case unfilled
        /// A value that something gives and nothing takes.
        case unusedValue = "unused-value"
        /// A parameter without a value of use that nothing gives one.
        case neverGiven = "never-given"
        /// A value that its control cannot have, or limits that leave none.
        case outOfRange = "out-of-range"
        /// A text without a translation, or a translation that no text has.
        case translation
        /// Rules of a layout that cannot hold together.
        case layoutConflict = "layout-conflict"
        /// Rules of a layout that leave a place open.
        case layoutAmbiguous = "layout-ambiguous"
        case layoutBudget = "layout-budget"
        /// A link to a screen or a list that is not there, or one that cannot be written.
        case deadLink = "dead-link"
        /// A link whose addresses another one has.
        case hiddenLink = "hidden-link"
        /// A mode that the host wants and the widget does not have.
        case undeclaredMode = "undeclared-mode"
        /// An ability that the widget needs and the host lacks.
        case missingAbility = "missing-ability"
        /// A part of a bundle that only a program can have.
        case nativeCode = "native-code"
        /// The program behind a native widget has failed, or asks for something that cannot be.
        case nativeFault = "native-fault"

        /// True for the limits of one view, beyond which parts of it are left out.
        var isLimitOfViews: Bool {
            [.byteBudget, .nodeBudget, .depthBudget, .rowBudget, .timeBudget, .expressionBudget].contains(self)
        }
    }

    package var severity: Severity
    package var code: Code
    /// One sentence.
    package var message: String
    package var place: Place?
    package var hint: String?

    package init(
        _ severity: Severity, _ code: Code, _ message: String, at place: Place? = nil, hint: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint
    }

    package var description: String { text(behind: "\(severity.rawValue): ") }

    /// The description without the severity, for lists whose lines begin with it.
    package var withoutSeverity: String { text(behind: "") }

    private func text(behind severity: String) -> String {
        let head = place.map { "\($0): " } ?? ""
        return "\(head)\(severity)\(message) [\(code.rawValue)]" + (hint.map { "; \($0)" } ?? "")
    }
}

extension Diagnostic {
    /// The fault of a picture's name, unless the bundle has it or it is an address: a misspelled name or a forgotten
    /// file.
    package static func missingPicture(
        _ name: String, among images: [String: ImageInfo], at place: Place?
    ) -> Diagnostic? {
        guard !name.isEmpty, !name.hasPrefix("http"), !images.hasPicture(name) else { return nil }
        // Files have their names with and without the ending.
        let names = images.keys.filter { !$0.contains(".") && images.hasPicture($0) }.sorted()
        let nearest = NearestName.of(name, in: names).map { "did you mean \($0.excerpt)?" }
        return Diagnostic(
            .warning, .unknownImage, "The bundle has no picture called \(name.excerpt)", at: place,
            hint: nearest ?? (names.isEmpty ? "it has no pictures" : "it has \(NameList(names.map { $0.excerpt }))"))
    }
}

/// A list of diagnostics, each once, up to a limit. One more diagnostic says that the limit was reached.
package struct DiagnosticList: Sendable {
    package private(set) var all: [Diagnostic] = []
    private var known: Set<Diagnostic> = []
    private let limit: Int
    private var isFull = false

    package init(upTo limit: Int) {
        self.limit = limit
    }

    package mutating func add(_ diagnostic: Diagnostic) {
        guard !isFull, known.insert(diagnostic).inserted else { return }
        if all.count < limit {
            all.append(diagnostic)
        } else {
            isFull = true
            all.append(
                Diagnostic(
                    .error, .countBudget, "There are more than \(limit) diagnostics", hint: "these are the first"))
        }
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

    package var description: String {
        (line > 0 ? "\(file):\(line):\(column)" : file) + (path.isEmpty ? "" : " (\(path))")
    }
}

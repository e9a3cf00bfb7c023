/// Something in a bundle's declarative layer that a host would act on and should not, or might not understand.
package struct Finding: Equatable, Sendable {
    package enum Severity: String, Sendable {
        /// The bundle is refused.
        case error
        /// The bundle is kept, unless publishing is strict.
        case warning
    }

    /// Stable, for programs; `detail` is for people.
    package var code: String
    package var severity: Severity
    /// The file, inside the bundle's folder.
    package var path: String
    /// 0 when it is about the file as a whole.
    package var line: Int
    package var column: Int
    package var detail: String

    package init(code: String, severity: Severity, path: String, line: Int, column: Int, detail: String) {
        self.code = code
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.detail = detail
    }

    /// One about the bundle as a whole.
    init(_ code: FindingCode, path: String, _ detail: String) {
        self.init(code: code.rawValue, severity: code.severity, path: path, line: 0, column: 0, detail: detail)
    }
}

/// Something in a bundle's declarative layer that a host would act on and should not, or might not understand.
package struct Finding: Equatable, Sendable {
    package enum Severity: String, Sendable { case error, warning }

    package var code: String
    package var severity: Severity
    package var path: String
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
}

internal import WidgetFindings

extension Finding.Code {
    /// The severity of a finding of the rules of bundles.
    var severity: Finding.Severity { Finding.Code.refused.contains(self) ? .error : .warning }
}

package import JSONText

/// What a probe of a registry has found out.
package struct ProbeFinding: Equatable, Sendable {
    package enum Verdict: String, Sendable {
        case fine = "ok"
        /// Could not be tried, or is only worth knowing.
        case note
        /// Works, but not as well as it should.
        case warning
        /// Hosts or publishers will meet it.
        case error
    }

    /// What was tried, in one word.
    package let check: String
    package let verdict: Verdict
    package let detail: String
    /// What to do about it.
    package let hint: String?

    init(_ check: String, _ verdict: Verdict, _ detail: String, hint: String? = nil) {
        self.check = check
        self.verdict = verdict
        self.detail = detail
        self.hint = hint
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("check", check)
            writer.member("verdict", verdict.rawValue)
            writer.member("detail", detail)
            if let hint { writer.member("hint", hint) }
        }
    }
}

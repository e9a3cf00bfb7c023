/// What a program prints on standard error when it cannot do what it was asked.
package enum Complaint {
    /// One `error:` line, then a `hint:` line for each hint.
    package static func text(_ message: String, hints: [String] = []) -> String {
        (["error: \(message)"] + hints.map { "hint: \($0)" }).map { $0 + "\n" }.joined()
    }
}

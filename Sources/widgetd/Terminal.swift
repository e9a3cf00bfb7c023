import Arguments
import Logging

/// Standard output and standard error as a person meets them.
enum Terminal {
    /// Prints the result of a command; a result that cannot be printed is a failure.
    static func print(_ text: String) -> ExitCode {
        let bytes = Array(text.utf8)
        return StandardStream.output.write(bytes) == bytes.count ? .clean : .failed
    }

    static func complain(_ message: String, hints: [String] = []) {
        _ = StandardStream.error.write(Array(Complaint.text(message, hints: hints).utf8))
    }
}

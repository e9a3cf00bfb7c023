internal import Arguments
internal import Logging

/// Standard output and standard error as a person meets them.
package enum Terminal {
    /// Whether a person is likely to read the output, so that colours help.
    package static var isWatched: Bool { StandardStream.output.isTerminal }

    /// Prints the result of a command; a result that cannot be printed is a failure.
    package static func print(_ text: String) -> ExitCode {
        print(Array(text.utf8))
    }

    package static func print(_ bytes: [UInt8]) -> ExitCode {
        StandardStream.output.write(bytes) == bytes.count ? .clean : .failed
    }

    /// Says what a person should know of something that was done.
    package static func warn(_ message: String) {
        _ = StandardStream.error.write(Array("warning: \(message)\n".utf8))
    }

    /// - Parameters:
    ///   - details: a line for each of several things that are wrong.
    ///   - reference: what a report of the failure should say.
    package static func complain(
        _ message: String, details: [String] = [], hints: [String] = [], reference: String? = nil
    ) {
        let text = Complaint.text(
            message, details: details, hints: hints, reference: reference, usesColor: StandardStream.error.isTerminal)
        _ = StandardStream.error.write(Array(text.utf8))
    }
}

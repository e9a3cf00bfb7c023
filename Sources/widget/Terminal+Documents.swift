import Bytes
import Console

extension Terminal {
    /// Prints a document in which characters that are not shown are escapes, to a terminal or not: what is piped today is
    /// looked at tomorrow. A program that parses it gets the same values.
    static func print(document: [UInt8]) -> ExitCode {
        print(JSONEscaping.shown(document: document))
    }
}

import Bytes
import Console

extension Terminal {
    /// Prints a document; a program that reads it gets it unchanged.
    static func print(document: [UInt8]) -> ExitCode {
        print(isWatched ? JSONEscaping.shown(document: document) : document)
    }
}

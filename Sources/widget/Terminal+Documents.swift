import Bytes
import Console

extension Terminal {
    /// Prints a document; whoever reads it by a program gets it as it is.
    static func print(document: [UInt8]) -> ExitCode {
        print(isWatched ? JSONEscaping.shown(document: document) : document)
    }
}

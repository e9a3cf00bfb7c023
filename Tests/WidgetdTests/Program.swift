import Foundation
import TestSupport

/// The built server.
enum Program {
    static let built = BuiltProgram("widgetd")
    static let url = built.url

    /// Runs the program to its end, in an empty environment but for what is given.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], output: FileHandle? = nil
    ) throws -> BuiltProgram.Result {
        try built.run(arguments, environment: environment, output: output)
    }
}

import Foundation
import TestSupport

/// The built program.
enum Program {
    private static let built = BuiltProgram("widget")

    static func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, output: FileHandle? = nil
    ) throws -> BuiltProgram.Result {
        try built.run(arguments, environment: environment, in: folder, output: output)
    }
}

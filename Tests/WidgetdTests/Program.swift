import Foundation

/// The built program, run as a user runs it.
enum Program {
    struct Result {
        var exitCode: Int32
        var output: String
        var error: String
    }

    /// What WIDGETD_PROGRAM names, or what was built beside the test binary, which is this process.
    static let url =
        ProcessInfo.processInfo.environment["WIDGETD_PROGRAM"].map { URL(filePath: $0) }
        ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "widgetd")

    /// Runs the program to its end, in an empty environment but for what is given.
    static func run(_ arguments: [String], environment: [String: String] = [:], output: FileHandle? = nil) throws
        -> Result
    {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = environment
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        if let output { process.standardOutput = output } else { process.standardOutput = outputPipe }
        process.standardError = errorPipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Both texts are far smaller than a pipe holds, so reading one after the other cannot block the program.
        let outputBytes = output == nil ? try outputPipe.fileHandleForReading.readToEnd() : nil
        let errorBytes = try errorPipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus, output: String(decoding: outputBytes ?? Data(), as: UTF8.self),
            error: String(decoding: errorBytes ?? Data(), as: UTF8.self))
    }
}

package import Foundation

/// A built program, run as a user runs it.
package struct BuiltProgram: Sendable {
    package struct Result: Sendable {
        package var exitCode: Int32
        package var output: String
        package var error: String
    }

    /// Beside the test binary, which is this process, or where `WIDGETD_PROGRAM` says that a `widgetd` is, and
    /// `WIDGET_PROGRAM` a `widget`.
    package let url: URL

    package init(_ name: String) {
        if let other = ProcessInfo.processInfo.environment["\(name.uppercased())_PROGRAM"] {
            url = URL(filePath: other)
        } else {
            url = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: name)
        }
    }

    /// Runs the program to its end, in an empty environment but for what is given.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, output: FileHandle? = nil
    ) throws -> Result {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.environment = environment
        if let folder { process.currentDirectoryURL = folder }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        if let output { process.standardOutput = output } else { process.standardOutput = outputPipe }
        process.standardError = errorPipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // What programs complain of is far less than a pipe holds, so reading one after the other cannot block them.
        let outputBytes = output == nil ? try outputPipe.fileHandleForReading.readToEnd() : nil
        let errorBytes = try errorPipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return Result(
            exitCode: process.terminationStatus, output: String(decoding: outputBytes ?? Data(), as: UTF8.self),
            error: String(decoding: errorBytes ?? Data(), as: UTF8.self))
    }
}

private import Foundation

/// A program of the system that tests compare with when it is there.
package struct ExternalTool: Sendable {
    private let path: String

    /// `nil` when no folder of the search path holds it.
    package init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let candidates = folders.map { "\($0)/\(name)" }
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            return nil
        }
        self.path = path
    }

    /// What the program wrote to its standard output; `nil` when it failed.
    package func output(_ arguments: [String]) -> [UInt8]? {
        let process = ChildProcess()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = .pipe(pipe)
        guard (try? process.run()) != nil else { return nil }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? [UInt8](output) : nil
    }
}

package import Foundation
internal import Glibc

/// A built program, run as a user runs it.
package struct BuiltProgram: Sendable {
    package struct Result: Sendable {
        package var exitCode: Int32
        package var output: String
        package var error: String
    }

    package let url: URL

    package init(at path: String) { url = URL(filePath: path) }

    /// The program beside the test binary, which is this process, or where `WIDGETD_PROGRAM` says that a `widgetd` is,
    /// and `WIDGET_PROGRAM` a `widget`.
    package init(_ name: String) {
        if let other = ProcessInfo.processInfo.environment["\(name.uppercased())_PROGRAM"] {
            url = URL(filePath: other)
        } else {
            url = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: name)
        }
    }

    /// Runs the program to its end, in an environment that holds only what is given, and how a sanitizer reports.
    package func run(
        _ arguments: [String], environment: [String: String] = [:], in folder: URL? = nil, output: FileHandle? = nil
    ) throws -> Result {
        let process = ChildProcess()
        process.executableURL = url
        process.arguments = arguments
        process.environment = BuiltProgram.environment(environment)
        if let folder { process.currentDirectoryURL = folder }
        let (outputPipe, errorPipe) = (Pipe(), Pipe())
        if let output { process.standardOutput = .handle(output) } else { process.standardOutput = .pipe(outputPipe) }
        process.standardError = .pipe(errorPipe)
        process.standardInput = .nothing
        try process.run()
        let pipes = (output == nil ? [outputPipe] : []) + [errorPipe]
        var texts = BuiltProgram.readToEnds(pipes.map(\.fileHandleForReading.fileDescriptor)).map {
            String(decoding: $0, as: UTF8.self)
        }
        process.waitUntilExit()
        let error = texts.removeLast()
        return Result(exitCode: process.terminationStatus, output: texts.last ?? "", error: error)
    }

    /// The bytes of several pipes, each to its end. A program that fills one of them is not kept waiting for another.
    package static func readToEnds(_ descriptors: [Int32]) -> [[UInt8]] {
        var read = [[UInt8]](repeating: [], count: descriptors.count)
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        // `poll` passes over negative descriptors, so one that has ended is made one.
        while polled.contains(where: { $0.fd >= 0 }) {
            guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { break }
            for index in polled.indices where polled[index].fd >= 0 && polled[index].revents != 0 {
                let count = unsafe Glibc.read(polled[index].fd, &chunk, chunk.count)
                if count > 0 { read[index] += chunk[..<count] }
                if count == 0 || (count < 0 && errno != EINTR) { polled[index].fd = -1 }
            }
        }
        return read
    }

    /// An environment that holds only what is given, and how a sanitizer reports what it finds.
    package static func environment(_ given: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { ["ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }
            .merging(given) { $1 }
    }
}

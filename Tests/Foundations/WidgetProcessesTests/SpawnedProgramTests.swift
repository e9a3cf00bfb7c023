import Foundation
import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

@testable import WidgetProcesses

/// Goal: a child gets what is meant for it, is bounded, and is gone at the end with all of its children. Method: shells.
@Suite struct `A child process` {
    /// The lines that it has printed.
    private final class Printed: Sendable {
        let lines = Observed<[String]>([])
        func add(_ stream: SpawnedProgram.Stream, _ line: String) { lines.withLock { $0.append("\(stream) \(line)") } }
        var all: [String] { lines.value }
    }

    private func shell(
        _ script: String, environment: [String] = [], in folder: String? = nil,
        channel: ProgramStart.Channel = .none, _ printed: Printed = Printed()
    ) throws -> SpawnedProgram {
        var start = ProgramStart("/bin/sh", ["-c", script], environment: environment, in: folder)
        start.channel = channel
        return try SpawnedProgram(start) { printed.add($0, $1) }
    }

    @Test func `has its words, its variables and its folder, and its lines come back`() throws {
        let printed = Printed()
        let program = try shell(
            #"echo "$WORD $PWD"; read line && echo "$line"; echo fault >&2; echo "$HOME.""#, environment: ["WORD=blue"],
            in: "/", printed)
        #expect(program.wait() == .exit(0))
        #expect(printed.all.filter { $0.hasPrefix("output") } == ["output blue /", "output ."])
        #expect(printed.all.contains("error fault"))
        #expect(program.number == nil)
    }

    @Test(arguments: [("exit 3", ProgramEnd.exit(3)), ("kill -9 $$", .signal(9)), ("kill -11 $$", .signal(11))])
    func `is known to have ended, and how`(script: String, end: ProgramEnd) throws {
        #expect(try shell(script).wait() == end)
    }

    @Test func `that cannot be started is an error with its path`() throws {
        for (path, code) in [("/no/program", ENOENT), ("/dev/null", EACCES)] {
            #expect(throws: FileError(.start, subject: path, code: code)) {
                try SpawnedProgram(ProgramStart(path)) { _, _ in }
            }
        }
        #expect(throws: FileError(.start, subject: "/bin/sh", code: ENOENT)) { try shell("true", in: "/no/folder") }
    }

    @Test func `that does not end is ended with its children, also when its object is forgotten`() throws {
        let printed = Printed()
        var program: SpawnedProgram? = try shell("sleep 1000 & echo $!; kill -STOP $$", printed)
        #expect(printed.lines.reaches { !$0.isEmpty })
        let number = try #require(program?.number)
        let child = try #require(printed.all.first?.split(separator: " ").last.flatMap { pid_t($0) })
        #expect(program?.wait(seconds: 0.01) == nil)
        let both = try [number, Int(child)].map { try WatchedProcess($0) }
        program = nil
        #expect(both.allSatisfy { $0.ends() })
        let stopped = try shell("kill -STOP $$")
        stopped.stop()
        #expect(stopped.wait() == .signal(9))
    }

    @Test func `cannot fill the memory with a line`() throws {
        let printed = Printed()
        #expect(try shell("printf %01000000d 0", printed).wait() == .exit(0))
        #expect(printed.all.map(\.utf8.count) == ["output ".utf8.count + (16 << 10)])
    }

    @Test func `has one channel, or reads from one number and writes to the next`() throws {
        for (channel, script) in [
            (ProgramStart.Channel.one, "read line <&3; echo $line $line >&3"),
            (.two, "read line <&3; echo $line $line >&4"),
        ] {
            let program = try shell(script, channel: channel)
            let socket = try #require(program.channel)
            let deadline = ContinuousClock.now + .seconds(30)
            #expect(socket.read(count: 100, until: .now) == nil)
            #expect(socket.write(Array("so\n".utf8), until: deadline))
            #expect(socket.read(count: 100, until: deadline) == Array("so so\n".utf8))
            #expect(program.wait() == .exit(0))
            #expect(socket.read(count: 100, until: deadline) == [])
        }
        #expect(try shell("true").channel == nil)
    }

    @Test(arguments: [ProgramStart.Channel.none, .one, .two])
    func `has no other descriptor of its parent`(channel: ProgramStart.Channel) throws {
        let leaked = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        _ = fcntl(leaked.fileDescriptor, F_SETFD, 0)
        let printed = Printed()
        let script = "for n in 3 4 5 6 7 8 9; do if [ -e /proc/$$/fd/$n ]; then echo $n; fi; done"
        #expect(try shell(script, channel: channel, printed).wait() == .exit(0))
        let numbers = ["output 3", "output 4"]
        #expect(printed.all == Array(numbers.prefix(channel == .none ? 0 : channel == .one ? 1 : 2)))
        try leaked.close()
    }

    @Test func `that does not read is not written to for ever`() throws {
        let program = try shell("kill -STOP $$", channel: .one)
        let socket = try #require(program.channel)
        #expect(!socket.write([UInt8](repeating: 0, count: 8 << 20), until: .now + .milliseconds(50)))
        program.stop()
    }
}

/// Goal: lines of any length come out whole or cut at the limit. Method: bytes in pieces.
@Suite struct `Lines of a stream` {
    @Test func `come out without their ends, and say that they were cut`() {
        var splitter = LineSplitter(limit: 4)
        var found: [String] = []
        let take = { (line: [UInt8], isCut: Bool) in
            found.append(String(decoding: line, as: UTF8.self) + (isCut ? "…" : ""))
        }
        for piece in ["ab", "c\r\n\nabcd", "ef\nz"] { splitter.take(Array(piece.utf8)[...], take) }
        splitter.end(take)
        splitter.end(take)
        #expect(found == ["abc", "", "abcd…", "z"])
    }
}

/// Goal: a program is found as a shell finds it. Method: folders with files that can be run and others.
@Suite struct `The search for programs` {
    @Test func `takes the first file that can be run, or the path that is given`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "search-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (place, mode) in [("a", 0o644), ("b", 0o755), ("c", 0o755)] {
            let place = folder.appending(path: place)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            let file = place.appending(path: "tool").path
            #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: mode]))
        }
        let path = ["a", "b", "c"].map { folder.appending(path: $0).path }
        #expect(ProgramSearch(path: path.joined(separator: ":")).path(of: "tool") == "\(path[1])/tool")
        #expect(ProgramSearch(path: path[0]).path(of: "tool") == nil)
        #expect(ProgramSearch(path: "").path(of: "sh") == nil && ProgramSearch(path: nil).path(of: "sh") != nil)
        #expect(ProgramSearch(path: "").path(of: "\(path[2])/tool") == resolvedPath(path[2]) + "/tool")
        #expect(ProgramSearch(path: "").path(of: "\(path[0])/tool") == nil)
        #expect(ProgramSearch(path: nil).path(of: folder.path) == nil)
    }
}

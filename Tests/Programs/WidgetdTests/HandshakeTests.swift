import ConformanceSupport
import Foundation
import Glibc
import Testing
import WidgetSockets
import WidgetTestSupport

/// Goal: the process that starts a server learns its state, and asks for nothing. Method: the built program, with a pipe
/// and a socket as a supervisor hands them in.
@Suite struct `The program that is started by another` {
    @Test func `widgetd says on an inherited descriptor what it does, and to systemd, and closes the descriptor`()
        throws
    {
        let manager = try DatagramReceiver()
        let server = try RunningProgram(
            ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"],
            environment: ["NOTIFY_SOCKET": manager.name])
        let said = server.said
        #expect(said.count == 4 && said.first == "locked" && said.last == "ready \(server.endpoint)", "\(said)")
        #expect(said[1].hasPrefix("public 127.0.0.1:") && said[2] == "admin 127.0.0.1:\(server.adminPort)", "\(said)")
        #expect(try server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        #expect(manager.next() == ["STATUS=the data directory is open"])
        #expect(manager.next().first == "READY=1")
        let pipe = Self.descriptors(of: server.process.processIdentifier)["\(ChildProcess.noticeNumber)"]
        #expect(pipe?.hasPrefix("pipe:") == true)
        // The processes that review bundles do not keep it open.
        #expect(try Self.closesOnExec(ChildProcess.noticeNumber, in: server.process.processIdentifier))
        server.signal(SIGHUP)
        #expect(manager.next().first == "RELOADING=1" && manager.next().first == "READY=1")
        server.signal(SIGTERM)
        #expect(server.notice() == "draining")
        #expect(server.notice() == "stopped")
        #expect(server.notice() == nil)
        #expect(server.wait() == 0)
        #expect(manager.next().first == "STOPPING=1" && manager.next() == ["STATUS=stopped"])
    }

    @Test func `A start that fails says nothing more than it has done`() throws {
        let taken = try RunningProgram()
        let refusal = #expect(throws: TestedServer.DidNotStart.self) {
            try RunningProgram(["--admin-listen", taken.endpoint.description], in: .process)
        }
        #expect(refusal?.said == [], "\(refusal?.said ?? [])")
        #expect(refusal?.description.contains("\(taken.endpoint)") == true)
    }

    @Test(arguments: [
        ("9", "descriptor 9, which WIDGETD_NOTIFY_FD names, cannot be written to: Bad file descriptor"),
        ("two", "WIDGETD_NOTIFY_FD"), ("2", "a whole number from 3 to"), ("-1", "WIDGETD_NOTIFY_FD"),
    ])
    func `A descriptor that is not open or not a number is refused, and nothing is made`(
        _ number: String, _ words: String
    ) throws {
        let data = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)").path
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", data]
        let environment = ["WIDGETD_NOTIFY_FD": number]
        // Only a process has descriptors of which each is known.
        let result =
            number == "9"
            ? try Program.built.run(arguments, environment: environment)
            : try Program.run(arguments, environment: environment)
        #expect(result.exitCode == 2 && result.error.contains(words), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    /// The targets of a process's descriptors, by their numbers.
    private static func descriptors(of process: Int32) -> [String: String] {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")).map { (name, $0) }
            })
    }

    /// True for a descriptor that no program keeps which the process starts.
    private static func closesOnExec(_ number: Int32, in process: Int32) throws -> Bool {
        let text = try String(contentsOfFile: "/proc/\(process)/fdinfo/\(number)", encoding: .utf8)
        let flags = try #require(text.firstMatch(of: /flags:\s+([0-7]+)/).flatMap { Int32($0.1, radix: 8) })
        return flags & O_CLOEXEC != 0
    }
}

import Foundation
import Testing
import WidgetBytes
import WidgetConsole
import WidgetLogging
import WidgetProcesses
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

@testable import ServerCommands
@testable import WidgetHTTPServer

/// Goal: systemd knows the state of a server, and the server does not depend on systemd. Method: a real datagram socket in the
/// place of the manager's, and a clock that the test moves.
@Suite struct `The service manager of a server` {
    private let clock = ManualClock()
    private let log = Guarded<[UInt8]>([])
    private let folder = "\(TemporaryPlace.path)/widgetd-\(UUID().uuidString)"

    /// A server that is notified of nothing but what `environment` says; its folder goes with it.
    private func served(_ environment: [String: String], _ body: (RunningServer) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let terminal = Terminal(
            output: TerminalStream { $0.count },
            error: TerminalStream { [log] bytes in
                log.withLock { $0 += bytes }
                return bytes.count
            }, environment: ["WIDGETD_POLICY_REVIEWS_SCREENS": "off", "WIDGETD_LIMITS_DISK_RESERVE": "0"],
            executable: "/nonexistent/widgetd")
        let server = try Widgetd.server(
            ["serve", "--listen", "127.0.0.1:0", "--listen", "127.0.0.1:0", "--data", folder], on: terminal,
            in: World(clock: clock),
            { start in
                if let manager = NotifySocket(environment: environment, process: 77) { start.add(manager) }
            })
        server.start()
        try body(server)
        server.abandon()
    }

    private var events: [String] {
        String(decoding: log.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(arguments: [false, true])
    func `The service manager is notified of the start, of a reload and of the end`(_ isAbstract: Bool) throws {
        let manager = try DatagramReceiver(abstract: isAbstract)
        try served(["NOTIFY_SOCKET": manager.name]) { server in
            let addresses = server.publicEndpoints.map(\.description).joined(separator: " ")
            #expect(manager.next() == ["STATUS=the data directory is open"])
            #expect(manager.next() == ["READY=1", "STATUS=serving on \(addresses)"])
            let before = NotifySocket.monotonicMicroseconds
            server.reload()
            let reloading = manager.next()
            let moment = try #require(
                reloading.first { $0.hasPrefix("MONOTONIC_USEC=") }.flatMap { UInt64($0.dropFirst(15)) })
            #expect(reloading.first == "RELOADING=1")
            #expect(moment >= before && moment <= NotifySocket.monotonicMicroseconds)
            #expect(manager.next() == ["READY=1", "STATUS=serving on \(addresses)"])
            server.stop()
            #expect(manager.next() == ["STOPPING=1", "STATUS=finishing what is under way"])
            #expect(manager.next() == ["STATUS=stopped"])
            #expect(server.wait() == .clean)
            #expect(manager.waiting() == nil)
        }
    }

    @Test func `A sign of life comes twice in the time that the manager waits, and none where none is wanted`() throws {
        let manager = try DatagramReceiver()
        try served(["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "77"]) { _ in
            _ = (manager.next(), manager.next())
            #expect(manager.next() == ["WATCHDOG=1"])
            for _ in 0..<3 {
                clock.advance(by: .milliseconds(14_999))
                #expect(manager.waiting() == nil)
                clock.advance(by: .milliseconds(1))
                #expect(manager.next() == ["WATCHDOG=1"])
            }
        }
        for other in [["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "78"], ["WATCHDOG_USEC": "0"], [:]] {
            let environment = other.merging(["NOTIFY_SOCKET": manager.name]) { $1 }
            #expect(NotifySocket(environment: environment, process: 77)?.watchdog == nil)
        }
        let all = NotifySocket(environment: ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "5000"], process: 77)
        #expect(all?.watchdog == .milliseconds(5))
    }

    @Test func `A loop that hangs keeps back the sign of life until it answers`() throws {
        let manager = try DatagramReceiver()
        try served(["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "30000000"]) { server in
            _ = (manager.next(), manager.next())
            #expect(manager.next() == ["WATCHDOG=1"])
            let loops = server.listeners.server.loops
            let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            loops[0].loop.perform {
                isHeld.signal()
                gate.wait()
            }
            isHeld.wait()
            clock.advance(by: .seconds(15))
            for loop in loops.dropFirst() {
                let hasTurned = DispatchSemaphore(value: 0)
                loop.loop.perform { loop.loop.perform { hasTurned.signal() } }
                hasTurned.wait()
            }
            clock.advance(by: .seconds(15))
            #expect(manager.waiting() == nil)
            gate.signal()
            #expect(manager.next() == ["WATCHDOG=1"])
        }
    }

    @Test func `A sign of life is not given before the server has answered`() {
        let answers = Guarded<[@Sendable () -> Void]>([])
        let signs = Guarded(0)
        let watchdog = Watchdog(every: .seconds(1), clock) {
            signs.withLock { $0 += 1 }
        } ask: { answer in
            answers.withLock { $0.append(answer) }
        }
        watchdog.start()
        for _ in 0..<5 { clock.advance(by: .seconds(1)) }
        // It hangs: it is asked once, and not again before it has answered.
        #expect(answers.withLock { $0.count } == 1 && signs.withLock { $0 } == 0)
        answers.withLock { $0.removeFirst() }()
        #expect(signs.withLock { $0 } == 1)
        clock.advance(by: .seconds(1))
        #expect(answers.withLock { $0.count } == 1)
        watchdog.stop()
        answers.withLock { $0.removeFirst() }()
        clock.advance(by: .seconds(10))
        #expect(signs.withLock { $0 } == 1 && answers.withLock { $0.isEmpty } && clock.waitingCount == 0)
    }

    @Test func `A manager that does not read gets everything in its order later, and keeps nothing waiting`() throws {
        let manager = try DatagramReceiver(room: 1)
        let notices = ServiceNotices(
            try #require(NotifySocket(environment: ["NOTIFY_SOCKET": manager.name])), clock,
            Logger(sink: { $0.count }))
        // Until the system has no room for another one.
        var sent = 0
        while clock.waitingCount == 0, sent < 10_000 {
            notices.sign()
            sent += 1
        }
        try #require(clock.waitingCount == 1)
        notices.note(.draining)
        notices.note(.stopped)
        var received = 0
        while let next = manager.waiting() {
            #expect(next == ["WATCHDOG=1"])
            received += 1
        }
        #expect(received == sent - 1)
        clock.advance(by: .seconds(1))
        #expect(manager.next() == ["WATCHDOG=1"])
        #expect(manager.next().first == "STOPPING=1")
        #expect(manager.next() == ["STATUS=stopped"])
        #expect(manager.waiting() == nil && clock.waitingCount == 0)
    }

    @Test(arguments: [
        "/nowhere/notify", "notify", "@", "/dev/null", "vsock:2:1", "/" + String(repeating: "x", count: 200),
    ])
    func `A manager that cannot be reached is named once, and the server serves without it`(_ name: String) throws {
        try served(["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000000"]) { server in
            for _ in 0..<5 { clock.advance(by: .milliseconds(500)) }
            server.reload()
            server.stop()
            #expect(server.wait() == .clean)
            #expect(events.count { $0.contains("\"event\":\"notify.failed\"") } == 1, "\(events)")
            #expect(events.contains { $0.contains("everything under way was finished") })
        }
        #expect(NotifySocket(environment: [:]) == nil && NotifySocket(environment: ["NOTIFY_SOCKET": ""]) == nil)
    }
}

/// Several servers in one process, each with all that belongs to it.
@Suite struct `A server in a test's process` {
    private let folder = "\(TemporaryPlace.path)/widgetd-\(UUID().uuidString)"

    private func server(_ name: String, _ moments: Guarded<[ServerMoment]>) throws -> RunningServer {
        var terminal = Terminal.none
        terminal.environment = ["WIDGETD_POLICY_REVIEWS_SCREENS": "off"]
        terminal.executable = "/nonexistent/widgetd"
        return try Widgetd.server(
            ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", "\(folder)/\(name)"],
            on: terminal,
            { $0.add { moment in moments.withLock { $0.append(moment) } } })
    }

    @Test func `The moments of a server come in their order, and each server has its own`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (moments, others) = (Guarded<[ServerMoment]>([]), Guarded<[ServerMoment]>([]))
        let (first, second) = (try server("one", moments), try server("two", others))
        #expect(moments.withLock { $0 } == [.locked])
        first.start()
        second.start()
        let ready = ServerMoment.ready(publicEndpoints: first.publicEndpoints, adminEndpoints: first.adminEndpoints)
        #expect(moments.withLock { $0 } == [.locked, ready])
        #expect(
            ready.lines == ["admin \(first.adminEndpoints[0])", "ready \(first.publicEndpoints[0])"])
        first.stop()
        #expect(first.wait() == .clean)
        #expect(moments.withLock { $0 } == [.locked, ready, .draining, .stopped])
        #expect(others.withLock { $0.count } == 2)
        second.abandon()
        #expect(second.wait() == .failed)
        // A kill says nothing.
        #expect(others.withLock { $0.count } == 2)
    }

    @Test func `B1: A server reviews no bundle in its own process, unless a test asks for that`() {
        let logger = Logger(sink: { $0.count })
        #expect(!ServerStart(logger, on: .none).reviewsHere)
    }

    @Test func `A server that is gone leaves its data directory to the next one`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for isKilled in [true, false, true] {
            let server = try server("one", Guarded([]))
            server.start()
            if isKilled { server.abandon() } else { server.stop() }
            _ = server.wait()
            server.abandon()
        }
    }

    @Test func `A start that is refused says what the program would print`() throws {
        let refusals: [([String], [String: String], String)] = [
            (["serve", "--listen", "nowhere"], [:], "error: "),
            (
                ["serve", "--data", "/dev/null", "--listen", "127.0.0.1:0"], [:],
                "the data directory /dev/null is a file"
            ),
            (["serve"], ["WIDGETD_NOTIFY_FD": "two"], "WIDGETD_NOTIFY_FD"), (["serve", "--what"], [:], "--what"),
            (["gc"], [:], "no server is asked for"),
        ]
        for (arguments, environment, text) in refusals {
            do {
                var terminal = Terminal.none
                terminal.environment = environment
                _ = try Widgetd.server(arguments, on: terminal)
                Issue.record("\(arguments) was not refused")
            } catch {
                #expect(error.text.contains(text), "\(arguments): \(error.text)")
            }
        }
    }
}

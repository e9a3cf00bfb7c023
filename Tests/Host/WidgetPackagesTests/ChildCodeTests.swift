import Foundation
import JSONText
import Testing
import WidgetContract
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetPackages

/// Goal: a program that fails costs its host an answer, and nothing else. Method: a program that fails as it is ordered.
@Suite struct `The program of a widget` {
    private let printed = PrintedLines()

    private func code(
        _ behaviour: String, at path: String = BuiltProgram("WidgetSpecimen").url.path,
        by clock: any Clock = SystemClock()
    ) throws -> ChildCode {
        try ChildCode(
            starting: path, environment: ["BEHAVIOUR": behaviour], names: SourceNames(of: "."), clock: clock
        ) { [printed] in printed.add($0) }
    }

    /// The outcome of a body that blocks its thread, while the clock comes to its deadline.
    private func outcome<Value: Sendable>(
        _ clock: ManualClock, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await clock.moving {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
            }
        }
    }

    private func tap(_ number: Int, count: Int = 0) -> NativeTurn {
        NativeTurn(
            number,
            screens: [
                NativeTurn.Screen(
                    1, scene: "Main",
                    changed: [NativeNamedValue("count", JSONValue(.number(JSONNumber(Int64(count)))))])
            ], calls: [NativeCall("add", screen: 1)])
    }

    private func counted(_ reply: NativeReply) -> [Int64?] {
        reply.commands.map { if case .set("count", let value) = $0.action { value.integer } else { nil } }
    }

    @Test func `describes itself, answers turns, and is gone with its host's object`() throws {
        var code: ChildCode? = try code("")
        let number = try #require(code?.processNumber)
        #expect(code?.declaration.documents.map(\.name) == ["Main", "Details"])
        #expect(try counted(#require(code).reply(to: tap(1, count: 4))) == [5])
        #expect(printed.lines.contains("the answerer begins"))
        code = nil
        #expect(PrintedLines.waits { kill(pid_t(number), 0) != 0 })
    }

    @Test func `has no descriptor of its host but the channel`() async throws {
        let leaked = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        // One that a program gets unless it is closed.
        _ = fcntl(leaked.fileDescriptor, F_SETFD, 0)
        let code = try code("descriptors")
        await printed.have("descriptors are counted")
        #expect(printed.lines.contains("descriptors are counted"))
        #expect(!printed.lines.contains { $0.hasSuffix("is open") })
        code.stop()
        try leaked.close()
    }

    @Test(arguments: [
        ("dies", "its exit code is 3"), ("crashes", "it has crashed"), ("closes", "it has closed its channel"),
    ]) func `that ends is known to have ended, and how`(behaviour: String, reason: String) throws {
        let code = try code(behaviour)
        #expect(throws: NativeFailure.ended(reason)) { try code.reply(to: tap(1)) }
        #expect(throws: NativeFailure.ended(reason)) { try code.reply(to: tap(2)) }
        #expect(PrintedLines.waits { code.processNumber == nil })
    }

    @Test(arguments: ["nonsense", "long"])
    func `that sends something else than an answer is ended`(behaviour: String) throws {
        let code = try code(behaviour)
        let failure = #expect(throws: NativeFailure.self) { try code.reply(to: tap(1)) }
        guard case .unreadable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(PrintedLines.waits { code.processNumber == nil })
    }

    @Test func `that hangs is waited for once`() async throws {
        let clock = ManualClock()
        let code = try code("hangs", by: clock)
        let turn = tap(1)
        await #expect(throws: NativeFailure.timeout(seconds: 10)) {
            try await outcome(clock) { try code.reply(to: turn) }
        }
        #expect(clock.passed == .seconds(10))
        for number in 2..<20 {
            #expect(throws: NativeFailure.timeout(seconds: 10)) { try code.reply(to: tap(number)) }
        }
        #expect(clock.passed == .seconds(10))
    }

    @Test func `that answers late has its commands performed with the next turn, which it asks for`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "Late")
        let pipe = folder.appending(path: "Late.go").path
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: BuiltProgram("WidgetSpecimen").url)
        let clock = ManualClock()
        let code = try code("late", at: link.path, by: clock)
        code.onNotice { [printed] in printed.add("notice") }
        let turn = tap(1, count: 6)
        await #expect(throws: NativeFailure.timeout(seconds: 10)) {
            try await outcome(clock) { try code.reply(to: turn) }
        }
        close(unsafe open(pipe, O_WRONLY))
        await printed.have("notice")
        #expect(printed.lines.contains("notice"))
        let reply = try code.reply(to: NativeTurn(2))
        #expect(reply.turn == 2 && counted(reply) == [7])
    }

    @Test func `that wants turns again and again has one notice for each turn`() throws {
        let code = try code("notice")
        code.onNotice { [printed] in printed.add("notice") }
        for number in 1...3 { _ = try code.reply(to: tap(number)) }
        #expect(printed.lines.count { $0 == "notice" } <= 4)
    }

    @Test func `that does not describe a widget is refused`() async throws {
        #expect(throws: PackageError.program(.ended("its exit code is 0"))) { try code("", at: "/bin/true") }
        let clock = ManualClock()
        await #expect(throws: PackageError.program(.timeout(seconds: 20))) {
            try await outcome(clock) { try code("silent", by: clock) }
        }
        // The clock moves to the deadline, wherever that is.
        #expect(clock.passed <= .seconds(20))
        #expect(throws: PackageError.self) { try code("", at: "/dev/null") }
        #expect(throws: PackageError.self) { try code("", at: "/no/program") }
    }
}

/// Lines that other threads add.
final class PrintedLines: Sendable {
    private let all = Observed([String]())

    func add(_ line: String) { all.change { $0.append(line) } }

    var lines: [String] { all.value }

    /// Returns when one of them is that line.
    func have(_ line: String) async { await all.becomes { $0.contains(line) } }

    /// Waits until something is so, for half a minute at most.
    static func waits(until holds: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if holds() { return true }
            sched_yield()
        }
        return holds()
    }
}

import Foundation
import JSONText
import TestSupport
import Testing
import WidgetContract

@testable import WidgetPackages

/// Goal: a program that fails costs its host an answer, and nothing else. Method: a program that fails as it is ordered.
@Suite(.timeLimit(.minutes(5))) struct `The program of a widget` {
    private let printed = PrintedLines()

    private func code(
        _ behaviour: String, at path: String = BuiltProgram("Specimen").url.path, seconds: Double = 30,
        start: Double = 60
    ) throws -> ChildCode {
        var patience = ChildCode.Patience()
        (patience.start, patience.turn) = (start, seconds)
        return try ChildCode(
            starting: path, environment: ["BEHAVIOUR": behaviour], names: SourceNames(of: "."), patience: patience
        ) { [printed] in printed.add($0) }
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

    @Test func `has no descriptor of its host but the channel`() throws {
        let leaked = try #require(FileHandle(forReadingAtPath: "/dev/null"))
        // One that a program gets unless it is closed.
        _ = fcntl(leaked.fileDescriptor, F_SETFD, 0)
        let code = try code("descriptors")
        #expect(PrintedLines.waits { printed.lines.contains("descriptors are counted") })
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

    @Test func `that hangs is waited for once`() throws {
        let code = try code("hangs", seconds: 1)
        #expect(throws: NativeFailure.timeout(seconds: 1)) { try code.reply(to: tap(1)) }
        var quickest = Duration.seconds(60)
        // A busy machine takes its time, but not always.
        for _ in 0..<10 where quickest >= .seconds(1) {
            let start = ContinuousClock.now
            for number in 2..<20 {
                #expect(throws: NativeFailure.timeout(seconds: 1)) { try code.reply(to: tap(number)) }
            }
            quickest = min(quickest, .now - start)
        }
        #expect(quickest < .seconds(1))
    }

    @Test func `that answers late has its commands performed with the next turn, which it asks for`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "Late")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: BuiltProgram("Specimen").url)
        let code = try code("late", at: link.path, seconds: 5)
        code.onNotice { [printed] in printed.add("notice") }
        #expect(throws: NativeFailure.timeout(seconds: 5)) { try code.reply(to: tap(1, count: 6)) }
        try Data().write(to: folder.appending(path: "Late.go"))
        #expect(PrintedLines.waits { printed.lines.contains("notice") })
        let reply = try code.reply(to: NativeTurn(2))
        #expect(reply.turn == 2 && counted(reply) == [7])
    }

    @Test func `that wants turns again and again has one notice for each turn`() throws {
        let code = try code("notice")
        code.onNotice { [printed] in printed.add("notice") }
        for number in 1...3 { _ = try code.reply(to: tap(number)) }
        #expect(printed.lines.count { $0 == "notice" } <= 4)
    }

    @Test func `that does not describe a widget is refused`() throws {
        #expect(throws: PackageError.program(.ended("its exit code is 0"))) { try code("", at: "/bin/true") }
        #expect(throws: PackageError.program(.timeout(seconds: 0.2))) { try code("silent", start: 0.2) }
        #expect(throws: PackageError.self) { try code("", at: "/dev/null") }
        #expect(throws: PackageError.self) { try code("", at: "/no/program") }
    }
}

/// Lines that other threads add.
final class PrintedLines: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []

    func add(_ line: String) { lock.withLock { all.append(line) } }

    var lines: [String] { lock.withLock { all } }

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

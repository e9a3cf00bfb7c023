import Foundation
import GroupCache
import JSONText
import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

/// Goal: any number of processes share a group, and one that is killed harms nothing. Method: programs that write as fast
/// as they can, and a reader that checks every value.
@Suite(.serialized) struct `Processes that share a group` {
    private static func writer(_ scene: CacheScene, _ name: String, _ count: Int) throws -> ChildProcess {
        let child = ChildProcess()
        child.executableURL = BuiltProgram("WidgetSpecimen").url
        child.arguments = ["group", "\(scene.scratch.path)/groups", scene.name.text, name, "\(count)"]
        child.standardOutput = .nothing
        return child
    }

    /// The complaint about what the group holds; `nil` if it is whole.
    private static func complaint(_ group: CacheGroup, writers: [String]) throws -> String? {
        for number in 0..<3 {
            guard let entry = group.entry(try GroupKey("shared \(number)")) else { continue }
            guard let halves = entry.json?.array, halves.count == 2, let text = halves[0].string,
                halves[1].string == text, text.hasPrefix("\(entry.writer) ")
            else { return "a mixed value of \(entry.writer)" }
        }
        for writer in writers {
            let picture = try GroupKey("picture", of: writer)
            guard let entry = group.entry(picture), let bytes = group.bytes(picture) else { continue }
            let byte = UInt8(Int(entry.storedAt) & 0xFF)
            // It may have been replaced between the two readings.
            if group.entry(picture) == entry, bytes.contains(where: { $0 != byte }) {
                return "mixed bytes of \(writer)"
            }
        }
        return nil
    }

    @Test func `Several processes write at once, and every value is a whole one and the newest`() throws {
        let scene = try CacheScene()
        let faults = Guarded([String]())
        let group = try scene.open { fault in faults.withLock { $0.append("\(fault)") } }
        let names = ["one", "two", "three"]
        let children = try names.map { try Self.writer(scene, $0, 60) }
        for child in children { try child.run() }
        var looks = 0
        while children.contains(where: { $0.isRunning }) {
            #expect(try Self.complaint(group, writers: names) == nil)
            looks += 1
        }
        for child in children {
            child.waitUntilExit()
            #expect(child.terminationReason == .exit && child.terminationStatus == 0)
        }
        #expect(looks > 3)
        #expect(faults.withLock { $0 } == [])
        // 57, 58 and 59 are the newest upstream times of the three keys.
        for number in 0..<3 {
            #expect(group.entry(try GroupKey("shared \(number)"))?.upstream == Double(57 + number))
        }
        for name in names { #expect(group.value(try GroupKey("count", of: name), as: Int.self, at: 1e9) == 59) }
    }

    @Test func `A process that is killed leaves whole values, a free lock and nothing for ever`() async throws {
        let scene = try CacheScene()
        let faults = Guarded([String]())
        let group = try scene.open { fault in faults.withLock { $0.append("\(fault)") } }
        var generator = SystemRandomNumberGenerator()
        for round in 0..<12 {
            let child = try Self.writer(scene, "victim", 1_000_000)
            let output = Pipe()
            child.standardOutput = .pipe(output)
            try child.run()
            // It writes on while this is read.
            let count = Int.random(in: 1...60, using: &generator)
            #expect(output.firstLines(count).count == count)
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            #expect(child.terminationReason == .uncaughtSignal)
            #expect(try Self.complaint(group, writers: ["victim"]) == nil, "round \(round)")
            // The lock is free, and what the victim left is swept.
            let entry = GroupEntry(.json(JSONValue(.number(JSONNumber(Int64(round))))), storedAt: 1, writer: "test")
            try await group.store(entry, under: try GroupKey("mine"), at: 1)
            #expect(group.value(try GroupKey("mine"), as: Int.self, at: 1) == round)
            for folder in ["entries", "blobs"] {
                #expect(try scene.names(in: folder).filter { $0.hasPrefix(".") } == [])
            }
        }
        #expect(faults.withLock { $0 } == [])
    }
}

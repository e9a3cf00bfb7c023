import Files
import TestSupport
import Testing
import WidgetBundles
import Zip

@Suite(.enabled(if: Samples.exist)) struct `The demo archive` {
    @Test func `is kept byte for byte, passes strict, and does not grow`() throws {
        let demo = try Samples.bytes("WidgetDemo.zip")
        let taken = try Intake.take(demo, strict: true)
        #expect(taken.report.isClean)
        #expect(taken.report.kept.count == 16)
        #expect(taken.bytes.count <= demo.count)
        #expect(taken.bundle.manifest.identifier == "mobi.favio.WidgetDemo")
        #expect(taken.bundle.manifest.releaseKey == "1.0~1")
        #expect(taken.bundle.manifest.minimumOSVersion == "10.0")
        #expect(taken.bundle.folder == "WidgetDemo.bundle")
        let before = try Opened.contents(demo)
        let after = try Opened.contents(taken.bytes)
        #expect(before.filter { !$0.key.hasSuffix("/") } == after.filter { !$0.key.hasSuffix("/") })
    }

    @Test func `is its own canonical form the second time`() throws {
        let once = try Intake.take(try Samples.bytes("WidgetDemo.zip"))
        let twice = try Intake.take(once.bytes)
        #expect(once.bytes == twice.bytes)
        #expect(once.bundle == twice.bundle)
    }
}

/// An archive's entries, expanded, by name.
enum Opened {
    static func contents(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
        let file = try FileDescriptor.unnamed(inDirectory: "/tmp")
        try file.write(bytes, at: 0)
        let directory = try ZipDirectory(reading: file)
        var reader = try ZipEntryReader()
        var contents: [String: [UInt8]] = [:]
        for entry in directory.entries {
            var content: [UInt8] = []
            _ = try reader.read(entry, from: file) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in 0..<chunk.count { content.append(chunk[index]) }
            }
            contents[entry.name.text] = content
        }
        return contents
    }
}

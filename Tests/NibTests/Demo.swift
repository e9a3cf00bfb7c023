import Files
import TestSupport
import Zip

/// The files of the demo bundle.
enum Demo {
    static let storyboard = "WidgetDemo.bundle/Base.lproj/Main.storyboardc/"

    static func files(under prefix: String) throws -> [String: [UInt8]] {
        let archive = try FileDescriptor.reading("\(Samples.directory)/WidgetDemo.zip")
        let directory = try ZipDirectory(reading: archive)
        var reader = try ZipEntryReader()
        var files: [String: [UInt8]] = [:]
        for entry in directory.entries where entry.name.text.hasPrefix(prefix) && !entry.isDirectory {
            var bytes: [UInt8] = []
            _ = try reader.read(entry, from: archive) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                for index in chunk.indices { bytes.append(chunk[index]) }
            }
            files[String(entry.name.text.dropFirst(prefix.count))] = bytes
        }
        return files
    }

    static func nibs() throws -> [String: [UInt8]] {
        try files(under: storyboard).filter { $0.key.hasSuffix(".nib") }
    }
}

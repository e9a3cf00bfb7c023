import Testing
import WidgetFiles
import WidgetTestSupport
import WidgetZip

/// One defect in an otherwise good archive, and what must be said about it.
struct Refusal: CustomTestStringConvertible, Sendable {
    typealias Marks = ZipForge.Marks

    let testDescription: String
    let reason: ZipError.Reason
    let entry: String?
    let offset: @Sendable (Marks) -> Int?
    var base: @Sendable () -> ZipForge = Forged.plain
    var limits = ZipLimits()
    let defect: @Sendable (inout ZipForge) -> Void

    init(
        _ sentence: String, _ reason: ZipError.Reason, entry: String? = nil,
        at offset: @escaping @Sendable (Marks) -> Int?, in base: @escaping @Sendable () -> ZipForge = Forged.plain,
        limits: ZipLimits = ZipLimits(), defect: @escaping @Sendable (inout ZipForge) -> Void
    ) {
        testDescription = sentence
        self.reason = reason
        self.entry = entry
        self.offset = offset
        self.base = base
        self.limits = limits
        self.defect = defect
    }

    /// The archive is accepted without the defect and refused, for this reason and at this place, with it.
    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try Archive.refusal(base().build().bytes, limits: limits) == nil, sourceLocation: sourceLocation)
        var forge = base()
        defect(&forge)
        let (bytes, marks) = forge.build()
        let error = try #require(try Archive.refusal(bytes, limits: limits), sourceLocation: sourceLocation)
        #expect(error == ZipError(reason, entry: entry, at: offset(marks)), sourceLocation: sourceLocation)
        #expect(error.isRefusal, sourceLocation: sourceLocation)
    }
}

/// Good archives that defects are put into.
enum Forged {
    static let text = "hello, hello, hello, hello, hello"

    /// A folder with a deflated file and a stored one.
    static func plain() -> ZipForge {
        ZipForge([
            .init("w/"),
            .init("w/a.txt", text),
            .init("w/b.bin", "0123456789", stored: true),
        ])
    }

    /// The same, the deflated file with a descriptor.
    static func described() -> ZipForge {
        var forge = plain()
        forge.entries[1].useDescriptor()
        return forge
    }

    /// The same, with comments of several lines.
    static func commented() -> ZipForge {
        var forge = plain()
        forge.end.comment = Array("two lines\r\n\tof text\n".utf8)
        forge.entries[1].central.comment = Array("one\ntwo".utf8)
        return forge
    }

    /// The same, everything in zip64 that can be.
    static func wide() -> ZipForge {
        var forge = plain()
        let offset = UInt64(forge.build().marks.local[1])
        forge.entries[1].useZip64(offset: offset)
        forge.zip64 = .init()
        forge.end.entries = .max
        forge.end.entriesHere = .max
        forge.end.directorySize = .max
        forge.end.directoryOffset = .max
        return forge
    }

    /// A file too large to be inflated in one step, not so regular that its ratio matters.
    static func large() -> ZipForge {
        ZipForge([.init("w/"), largeEntry, .init("w/b.bin", "0123456789", stored: true)])
    }

    private static let largeEntry: ZipForge.Entry = {
        var generator = SeededGenerator(seed: 7)
        var content: [UInt8] = []
        while content.count < 1_300_000 {
            content += repeatElement(UInt8(truncatingIfNeeded: generator.next()), count: 20)
        }
        return .init(Array("w/a.txt".utf8), content)
    }()
}

/// An archive in a file without a name, read as the product reads it.
enum Archive {
    static func file(_ bytes: [UInt8]) throws -> FileDescriptor {
        let file = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
        try file.write(bytes, at: 0)
        return file
    }

    /// Opens, then proves every entry.
    static func read(
        _ bytes: [UInt8], limits: ZipLimits = ZipLimits()
    ) throws -> (directory: ZipDirectory, contents: [[UInt8]], pieces: [ZipPiece]) {
        let file = try file(bytes)
        let directory = try ZipDirectory(reading: file, limits: limits)
        var reader = try ZipEntryReader()
        var contents: [[UInt8]] = []
        var pieces: [ZipPiece] = []
        for entry in directory.entries {
            var content: [UInt8] = []
            let verified = try reader.read(entry, from: file) { (chunk: borrowing Span<UInt8>) throws(FileError) in
                // The pointer lives for this call.
                unsafe chunk.withUnsafeBufferPointer { unsafe content.append(contentsOf: $0) }
            }
            contents.append(content)
            pieces.append(ZipPiece(verified))
        }
        return (directory, contents, pieces)
    }

    /// The reason an archive is refused, or `nil` when it is accepted.
    static func refusal(_ bytes: [UInt8], limits: ZipLimits = ZipLimits()) throws -> ZipError? {
        do {
            _ = try read(bytes, limits: limits)
            return nil
        } catch let error as ZipError {
            return error
        }
    }

    /// The archive as we would serve it.
    static func rewritten(_ bytes: [UInt8], limits: ZipLimits = ZipLimits()) throws -> (
        bytes: [UInt8], written: ZipWritten
    ) {
        let pieces = try read(bytes, limits: limits).pieces
        let target = try file([])
        let written = try ZipWriter.write(pieces, from: try file(bytes), to: target, limits: limits)
        return (try target.read(at: 0, count: written.byteCount), written)
    }
}

import WidgetFiles
import WidgetZip

/// Reads any bytes as an archive; what is accepted must survive being rewritten.
///
/// A trap anywhere, or an accepted archive whose rewriting is refused or differs, is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZip(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    // The engine lends its bytes for this call; they are copied at once.
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    // Small limits, so that limits are met too.
    var limits = ZipLimits()
    limits.entryCount = 64
    limits.entryByteCount = 4 << 20
    limits.expandedByteCount = 8 << 20
    guard let source = try? Fuzzed.file(bytes), let rewritten = try? Fuzzed.rewrite(source, limits: limits) else {
        return 0
    }
    do {
        let again = try Fuzzed.rewrite(rewritten.file, limits: limits)
        precondition(
            again.written.directory.entries.allSatisfy(\.name.repairs.isEmpty), "a name of ours needs a repair")
        precondition(again.written.digest == rewritten.written.digest, "the canonical form is its own canonical form")
    } catch {
        preconditionFailure("our own archive is refused: \(error)")
    }
    return 0
}

enum Fuzzed {
    struct Rewritten: ~Copyable {
        let file: FileDescriptor
        let written: ZipWritten
    }

    static func file(_ bytes: [UInt8]) throws(FileError) -> FileDescriptor {
        let file = try FileDescriptor.unnamed(inDirectory: "/dev/shm")
        try file.write(bytes, at: 0)
        return file
    }

    /// Proves everything, then writes it.
    static func rewrite(_ source: borrowing FileDescriptor, limits: ZipLimits) throws -> Rewritten {
        let directory = try ZipDirectory(reading: source, limits: limits)
        var reader = try ZipEntryReader()
        var pieces: [ZipPiece] = []
        for entry in directory.entries { pieces.append(ZipPiece(try reader.verify(entry, in: source))) }
        let target = try file([])
        let written: ZipWritten
        do {
            written = try ZipWriter.write(pieces, from: source, to: target, limits: limits)
        } catch {
            preconditionFailure("an accepted archive cannot be written: \(error)")
        }
        return Rewritten(file: target, written: written)
    }
}

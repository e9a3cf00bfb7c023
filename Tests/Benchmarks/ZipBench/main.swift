import Bytes
import Files
import Zip

/// `ZipBench SOURCE TARGET [DROP]`: what publishing does to an archive, without the judgement of its contents:
/// prove the structure, prove and hash every entry, and write all but the first DROP files in canonical form.
/// zip.py measures it from outside.
func rewrite(_ arguments: [String]) throws {
    let source = try FileDescriptor.reading(arguments[1])
    let target = try FileDescriptor.creating(arguments[2])
    try target.truncate(to: 0)
    var drop = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    let directory = try ZipDirectory(reading: source)
    var reader = try ZipEntryReader()
    var pieces: [ZipPiece] = []
    for entry in directory.entries {
        var digest = SHA256()
        let verified = try reader.read(entry, from: source) { (chunk: borrowing Span<UInt8>) throws(FileError) in
            digest.update(chunk)
        }
        guard digest.finish() != nil else { continue }
        if drop > 0, !entry.isDirectory {
            drop -= 1
        } else {
            pieces.append(ZipPiece(verified))
        }
    }
    let written = try ZipWriter.write(pieces, from: source, to: target)
    print(written.digest, written.byteCount, written.directory.entries.count)
    // What a parent can ask for counts the parent's own peak from before the program began.
    let status = try FileDescriptor.reading("/proc/self/status").read(at: 0, count: 8_192)
    for line in status.split(separator: UInt8(ascii: "\n")) where line.starts(with: "VmHWM:".utf8) {
        print(String(decoding: line, as: UTF8.self))
    }
}

try rewrite(CommandLine.arguments)

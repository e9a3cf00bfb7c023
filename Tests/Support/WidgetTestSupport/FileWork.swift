internal import Foundation
internal import Glibc

/// Work on files as a person does it with `cp`, `mv`, `rm` and `dd`, without a program for each step.
package enum FileWork {
    /// Copies a file, or a folder with all that is in it; what is at the target is removed before.
    package static func copy(_ source: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    /// Copies the files of a folder whose names begin so into another folder, which is made if it is not there.
    package static func copy(in folder: String, startingWith prefix: String, to target: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }
        guard !names.isEmpty else { throw CocoaError(.fileNoSuchFile) }
        try makeFolder(target)
        for name in names { try copy("\(folder)/\(name)", to: "\(target)/\(name)") }
    }

    /// Moves a file or a folder; what is at the target is removed before.
    package static func move(_ source: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.moveItem(atPath: source, toPath: target)
    }

    package static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    /// Removes the files of a folder whose names begin so, of which there is one at least.
    package static func remove(in folder: String, startingWith prefix: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }
        guard !names.isEmpty else { throw CocoaError(.fileNoSuchFile) }
        for name in names { try remove("\(folder)/\(name)") }
    }

    /// Makes a folder, with those that it is in.
    package static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Makes a symbolic link in the place of what is there.
    package static func link(_ path: String, to target: String) throws {
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    /// Makes a pipe with a name.
    package static func makePipe(_ path: String) throws {
        // The path is copied for the call.
        guard unsafe mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Makes an empty file, unless there is a file.
    package static func touch(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try write("", to: path)
    }

    package static func permit(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    package static func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Changes what a file holds, in the same file.
    package static func append(_ text: String, to path: String) throws {
        try changing(path) { handle in
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        }
    }

    /// Writes over the bytes of a file, in the same file.
    package static func overwrite(_ path: String, at offset: Int, with bytes: [UInt8] = [UInt8(ascii: "X")]) throws {
        try changing(path) { handle in
            try handle.seek(toOffset: UInt64(offset))
            try handle.write(contentsOf: Data(bytes))
        }
    }

    /// Writes what another file holds, in the same file.
    package static func overwrite(_ path: String, by source: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: source))
        try changing(path) { handle in
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: bytes)
        }
    }

    /// Shortens a file, or lengthens it with zeros.
    package static func cut(_ path: String, to byteCount: Int) throws {
        try changing(path) { try $0.truncate(atOffset: UInt64(byteCount)) }
    }

    /// Writes zeros until the file is so large, or the disk is full.
    package static func fill(_ path: String, upTo byteCount: Int) throws {
        try write("", to: path)
        try changing(path) { handle in
            // The last ones are those that still fit.
            var (size, piece) = (0, 64 << 10)
            while size < byteCount, piece > 0 {
                do {
                    let count = min(piece, byteCount - size)
                    try handle.write(contentsOf: Data(count: count))
                    size += count
                } catch {
                    size = Int(try handle.seekToEnd())
                    piece /= 2
                }
            }
        }
    }

    private static func changing(_ path: String, _ body: (FileHandle) throws -> Void) throws {
        guard let handle = FileHandle(forUpdatingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        try body(handle)
        try handle.close()
    }

    /// Writes a file anew with other text in the place of some, which has to be there.
    package static func replace(_ old: Regex<Substring>, with new: String, in path: String) throws {
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        guard text.contains(old) else { throw CocoaError(.fileReadCorruptFile) }
        try write(text.replacing(old, with: new), to: path)
    }

    package static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    package static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    /// The paths of the files below a folder whose names end so, in their order.
    package static func files(below folder: String, endingWith suffix: String = "") -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.filter { path in
            var isFolder: ObjCBool = false
            // Lives until the call has returned.
            return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    /// Sets the moment of a file's last change.
    package static func date(_ path: String, nanoseconds: Int, after seconds: Int) throws {
        var times = [timespec(tv_sec: seconds, tv_nsec: nanoseconds), timespec(tv_sec: seconds, tv_nsec: nanoseconds)]
        // Both are read during the call.
        guard unsafe utimensat(AT_FDCWD, path, &times, 0) == 0 else { throw CocoaError(.fileNoSuchFile) }
    }
}

internal import Bytes
internal import Files
package import RegistryContract
internal import WidgetBundles

/// A release that was verified when it was handed out, ready to be run.
///
/// As long as somebody refers to it, its folder stays, whatever newer releases come.
package final class InstalledRelease: Sendable {
    package let widgetIdentifier: WidgetIdentifier
    package let record: InstalledRecord
    /// The registry has asked for a newer one to be run instead, which could not be fetched yet.
    package let mustUpdate: Bool
    /// By path in the bundle folder, as they were found on the disk.
    package let files: [ReleaseFolder.File]
    /// Shared, so that nobody removes it.
    private let folder: Directory

    init(
        _ widgetIdentifier: WidgetIdentifier, _ record: InstalledRecord, files: [ReleaseFolder.File],
        folder: consuming Directory, mustUpdate: Bool
    ) {
        self.widgetIdentifier = widgetIdentifier
        self.record = record
        self.files = files
        self.folder = folder
        self.mustUpdate = mustUpdate
    }

    /// The bundle folder.
    package var path: String { "\(folder.path)/\(record.folder)" }
}

extension InstalledRelease {
    private static let windowByteCount = 256 << 10

    /// Copies the bundle folder into a folder, in place of one of its name: whoever looks there sees the old one or the
    /// new one, whole, after a power cut too. Each file is proven once more on the way.
    ///
    /// - Returns: where it is.
    package func copy(into path: String) throws(FetchError) -> String {
        let place = try rethrowing(as: FetchError.init) { () throws(FileError) in try copied(into: path) }
        guard let place else { throw FetchError(.notKept) }
        return place
    }

    /// - Returns: `nil` when a file is not what it was when the release was handed out.
    private func copied(into path: String) throws(FileError) -> String? {
        let target = try Directory(creating: path)
        let staged = try ScratchDirectory(in: path)
        let source = try Directory(opening: self.path)
        let copy = try staged.directory.createDirectory(record.folder)
        var window = [UInt8](repeating: 0, count: InstalledRelease.windowByteCount)
        for file in files {
            let components = file.path.utf8.split(separator: 0x2F).map { String(Substring($0)) }
            let original = try FolderListing.open(components, in: source)
            let digest = try InstalledRelease.copy(original, to: components, in: copy, window: &window)
            guard digest == file.digest else { return nil }
        }
        try copy.synchronize()
        do throws(FileError) {
            try staged.directory.rename(record.folder, to: record.folder, in: target, replacing: false)
        } catch {
            guard error.exists else { throw error }
            // What was there goes with the folder that the new one was made in.
            guard try target.status(of: record.folder).kind == .directory else { throw error }
            try staged.directory.exchange(record.folder, with: record.folder, in: target)
        }
        try target.synchronize()
        return "\(path)/\(record.folder)"
    }

    private static func copy(
        _ original: borrowing FileDescriptor, to components: [String], in folder: borrowing Directory,
        window: inout [UInt8]
    ) throws(FileError) -> Digest? {
        let name = components.last ?? ""
        let file: FileDescriptor
        if let first = components.first, components.count > 1 {
            var directory = try folder.createDirectory(first)
            for component in components.dropFirst().dropLast() {
                directory = try directory.createDirectory(component)
            }
            file = try directory.createFile(name)
            try directory.synchronize()
        } else {
            file = try folder.createFile(name)
        }
        var sha = SHA256()
        var offset = 0
        while true {
            let count = try original.read(at: offset, into: &window, count: window.count)
            if count == 0 { break }
            sha.update(window.span.extracting(0..<count))
            try file.write(window.span.extracting(0..<count), at: offset)
            offset += count
        }
        try file.synchronize()
        return sha.finish()
    }
}

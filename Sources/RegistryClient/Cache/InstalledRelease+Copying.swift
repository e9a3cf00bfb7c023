internal import Files
internal import WidgetBundles

extension InstalledRelease {
    private static let windowByteCount = 256 << 10

    /// Copies the bundle folder into a folder, in place of one of its name: whoever looks there sees the old one or the
    /// new one, whole.
    ///
    /// - Returns: where it is.
    package func copy(into path: String) throws(FetchError) -> String {
        do throws(FileError) {
            let target = try Directory(creating: path)
            let staged = try ScratchDirectory(in: path)
            let source = try Directory(opening: self.path)
            let copy = try staged.directory.createDirectory(record.folder)
            var window = [UInt8](repeating: 0, count: InstalledRelease.windowByteCount)
            for file in files {
                let components = file.path.utf8.split(separator: 0x2F).map { String(Substring($0)) }
                let original = try FolderListing.open(components, in: source)
                try InstalledRelease.copy(original, to: components, in: copy, window: &window)
            }
            do throws(FileError) {
                try staged.directory.rename(record.folder, to: record.folder, in: target, replacing: false)
            } catch {
                guard error.exists else { throw error }
                // What was there goes with the folder that the new one was made in.
                guard try target.status(of: record.folder).kind == .directory else { throw error }
                try staged.directory.exchange(record.folder, with: record.folder, in: target)
            }
            return "\(path)/\(record.folder)"
        } catch {
            throw FetchError(error)
        }
    }

    private static func copy(
        _ original: borrowing FileDescriptor, to components: [String], in folder: borrowing Directory,
        window: inout [UInt8]
    ) throws(FileError) {
        let name = components.last ?? ""
        let file: FileDescriptor
        if let first = components.first, components.count > 1 {
            var directory = try folder.createDirectory(first)
            for component in components.dropFirst().dropLast() {
                directory = try directory.createDirectory(component)
            }
            file = try directory.createFile(name)
        } else {
            file = try folder.createFile(name)
        }
        var offset = 0
        while true {
            let count = try original.read(at: offset, into: &window, count: window.count)
            if count == 0 { return }
            try file.write(window.span.extracting(0..<count), at: offset)
            offset += count
        }
    }
}

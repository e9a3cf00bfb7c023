package import JSONText
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles

extension InstalledRelease {
    private static let windowByteCount = 256 << 10

    /// Copies the bundle folder into a folder. Readers there see the old copy or the new one, whole, after a power cut
    /// too. Each file is proven once more on the way.
    ///
    /// It replaces an earlier copy for the same widget from the same registry, if that is unchanged. Anything else of
    /// its name is left alone, a copy for another widget with the same files among it: the updates of that widget replace
    /// it. A folder without a mark and with exactly these files is taken for the copy.
    ///
    /// - Returns: the path of the copy.
    package func copy(into path: String, from registry: RegistryAddress) throws(FetchError) -> String {
        let target = try rethrowing(as: FetchError.init) { () throws(FileError) in try Directory(creating: path) }
        let present = try present(in: target, at: path, registry)
        if present == record.contentDigest { return "\(path)/\(record.folder)" }
        let mark = CopyMark(
            widget: widgetIdentifier.text, registry: registry.description,
            contents: [record.contentDigest] + (present.map { [$0] } ?? []))
        let isCopied = try rethrowing(as: FetchError.init) { () throws(FileError) in
            let staged = try ScratchDirectory(in: path)
            guard try fill(staged.directory) else { return false }
            try mark.write(of: record.folder, in: target)
            if present == nil {
                try staged.directory.rename(record.folder, to: record.folder, in: target, replacing: false)
            } else {
                // The former copy is removed with the folder that the new one was made in.
                try staged.directory.exchange(record.folder, with: record.folder, in: target)
            }
            try target.synchronize()
            return true
        }
        guard isCopied else { throw FetchError(.notKept) }
        return "\(path)/\(record.folder)"
    }

    /// The content digest of the folder that the copy may replace; `nil` when its place is free.
    private func present(
        in target: borrowing Directory, at path: String, _ registry: RegistryAddress
    ) throws(FetchError) -> Digest? {
        let place = "\(path)/\(record.folder)"
        let name = CopyMark.name(of: record.folder)
        let (isThere, mark, isMarked) = try rethrowing(as: FetchError.init) { () throws(FileError) in
            (
                try target.holds(record.folder), try CopyMark.read(of: record.folder, in: target),
                try target.holds(name)
            )
        }
        guard (mark != nil) == isMarked else { throw FetchError(.occupied(path: "\(path)/\(name)", by: .own)) }
        guard isThere else { return nil }
        let content = InstalledRelease.content(of: record.folder, in: target)
        guard let mark else {
            guard content == record.contentDigest else { throw FetchError(.occupied(path: place, by: .own)) }
            return content
        }
        guard mark.widget == widgetIdentifier.text, mark.registry == registry.description else {
            throw FetchError(
                .occupied(path: place, by: .copy(widget: mark.widget, registry: mark.registry)))
        }
        guard let content, content == record.contentDigest || mark.contents.contains(content) else {
            throw FetchError(.occupied(path: place, by: .changedCopy))
        }
        return content
    }

    /// The content digest of a folder; `nil` when it is not a folder of plain files, or more than a bundle may be.
    private static func content(of folder: String, in directory: borrowing Directory) -> Digest? {
        let limits = BundleLimits()
        guard let bundle = try? directory.openDirectory(folder) else { return nil }
        return ReleaseFolder.contents(of: bundle, byteLimit: limits.expandedByteCount, limits: limits)?.digest
    }

    /// Copies the bundle folder into an empty folder.
    ///
    /// - Returns: `false` when a file is not what it was when the release was handed out.
    private func fill(_ folder: borrowing Directory) throws(FileError) -> Bool {
        let source = try Directory(opening: self.path)
        let copy = try folder.createDirectory(record.folder)
        var window = [UInt8](repeating: 0, count: InstalledRelease.windowByteCount)
        for file in files {
            let components = file.path.utf8.split(separator: 0x2F).map { String(Substring($0)) }
            let original = try FolderListing.open(components, in: source)
            let digest = try InstalledRelease.copy(original, to: components, in: copy, window: &window)
            guard digest == file.digest else { return false }
        }
        try copy.synchronize()
        return true
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
                let next = try directory.createDirectory(component)
                try directory.synchronize()
                directory = next
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

/// The mark beside a copy of a bundle folder, with the widget that it was fetched for, and its contents.
///
///     Widgets/Clock.bundle/…
///     Widgets/.Clock.bundle.fetched
///
/// It is beside the folder, because the folder contains the release and nothing else. It is written before the folder
/// changes and names the old and the new contents, so that it is right at every moment in between.
package struct CopyMark: Equatable, Sendable {
    var widget: String
    /// Without a slash at the end.
    var registry: String
    /// The content digests of the releases copied there.
    var contents: [Digest]

    private static let format = 1
    private static let byteLimit = 4 << 10

    static func name(of folder: String) -> String { ".\(folder).fetched" }

    /// Reads the mark of a folder.
    ///
    /// - Returns: `nil` when it does not exist, or when the file of that name is not a mark.
    static func read(of folder: String, in directory: borrowing Directory) throws(FileError) -> CopyMark? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try directory.openFile(name(of: folder)).read(at: 0, count: byteLimit + 1)
        } catch {
            if error.isMissing || error.isLink { return nil }
            throw error
        }
        return try? CopyMark(parsing: bytes)
    }

    func write(of folder: String, in directory: borrowing Directory) throws(FileError) {
        try directory.replaceFile(CopyMark.name(of: folder), with: json)
    }

    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let limits = JSONLimits(byteCount: CopyMark.byteLimit, depth: 4)
        let json = try JSONDocument(parsing: bytes, limits: limits, root: .container).cursor
        guard try json.require("format", as: Int.self) == CopyMark.format else {
            throw json.error(.unsuitable(expected: "format \(CopyMark.format)"))
        }
        widget = try json.require("widgetIdentifier")
        registry = try json.require("registry")
        contents = try json.require("contents")
    }

    init(widget: String, registry: String, contents: [Digest]) {
        (self.widget, self.registry, self.contents) = (widget, registry, contents)
    }

    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", CopyMark.format)
            writer.member("widgetIdentifier", widget)
            writer.member("registry", registry)
            writer.key("contents")
            writer.array { writer in for content in contents { writer.string(content.hex) } }
        }
        return writer.finish()
    }
}

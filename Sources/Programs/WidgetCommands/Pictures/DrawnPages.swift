import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetFiles
import WidgetLayout
import WidgetRender

/// Pictures of pages, and the places that they are written to.
struct DrawnPages {
    /// The name of this form of a view in commands.
    static let name = "png"

    private let browser: HeadlessBrowser
    private let terminal: Terminal
    private let shape: PictureShape
    /// `nil` for the standard output.
    private let path: String?
    /// True if the path is a folder, with a picture for each screen.
    private let isFolder: Bool
    private let isForced: Bool

    /// Names in a folder that are looked at.
    private static let nameCount = 20_000

    /// Checks all that can be checked before a widget runs.
    init(_ invocation: Invocation, _ options: RunningOptions) throws(CommandFailure) {
        terminal = invocation.terminal
        let viewport = options.viewport
        let size = viewport.viewport.size
        shape = PictureShape(
            width: Int(size.width), height: Int(size.height), scale: viewport.viewport.scale,
            isDark: viewport.scheme == .dark, locale: options.locale)
        path = invocation.value("output")
        isFolder = invocation.has("screens")
        isForced = invocation.has("force")
        guard shape.pixels.width * shape.pixels.height <= PictureShape.pixelLimit else {
            throw .misuse(
                "a picture of \(shape.pixels.width)x\(shape.pixels.height) pixels is too large",
                hints: ["it can have \(PictureShape.pixelLimit) pixels; --viewport WxH@1 has the fewest"])
        }
        if path == nil, terminal.isWatched {
            throw .misuse("a picture is not for a terminal", hints: ["`-o FILE.png` or `> FILE.png` takes it"])
        }
        browser = try HeadlessBrowser(invocation)
        try check()
    }

    /// Draws views, and writes their pictures when all of them are there.
    ///
    /// - Returns: the names of what was written.
    func write(_ views: [View], _ pages: RenderedPages) throws(CommandFailure) -> [String] {
        let signals = EndingSignals(on: terminal)
        // The temporary folder is gone before a signal ends the program.
        defer { signals.finish() }
        return try write(views, pages, signals)
    }

    private func write(
        _ views: [View], _ pages: RenderedPages, _ signals: EndingSignals
    ) throws(CommandFailure) -> [String] {
        let scratch = try rethrowing(
            try ScratchDirectory(in: resolvedPath(terminal.temporary)), as: DrawnPages.failure)
        let (page, own, drawn) = ("\(scratch.path)/page", "\(scratch.path)/browser", "\(scratch.path)/drawn")
        try rethrowing(as: DrawnPages.failure) { () throws(FileError) in
            for folder in [own, drawn] { _ = try Directory(creating: folder, mode: 0o700) }
        }
        try pages.write(views, hasContents: isFolder, to: page, isForced: false)
        let names = isFolder ? views.indices.map { PageFiles.screen($0 + 1) } : [PageFiles.first]
        try browser.draw(names.map { "\(page)/\($0)" }, shape, in: own, signals) {
            (place, bytes) throws(CommandFailure) in
            try rethrowing(as: DrawnPages.failure) { () throws(FileError) in
                try Directory(opening: drawn).createFile(DrawnPages.file(place)).write(bytes, at: 0)
            }
        }
        return try rethrowing(as: DrawnPages.failure) { () throws(FileError) in
            let directory = try Directory(opening: drawn)
            return try keep(names.indices.map { place in DrawnPages.file(place) }, of: directory)
        }
    }

    /// The name of a picture in a folder.
    private static func file(_ place: Int) -> String { "screen-\(place + 1).png" }

    /// Moves the pictures to their places.
    private func keep(_ files: [String], of drawn: borrowing Directory) throws(FileError) -> [String] {
        guard let path else {
            for file in files where terminal.print(try DrawnPages.bytes(file, of: drawn)) != .clean {
                throw FileError(.write, subject: "the standard output", code: 32)
            }
            return []
        }
        guard isFolder else {
            let (folder, name) = ArchiveFile.split(path)
            for file in files {
                try Directory(opening: folder).replaceFile(name, with: try DrawnPages.bytes(file, of: drawn))
            }
            return [path]
        }
        let folder = try Directory(creating: path)
        for file in files { try folder.replaceFile(file, with: try DrawnPages.bytes(file, of: drawn)) }
        // Screens of an earlier run, which this one has not reached.
        for item in isForced ? [] : try folder.items(limit: DrawnPages.nameCount) ?? []
        where !files.contains(item.name) {
            try folder.removeFile(item.name)
        }
        return files.map { "\(path)/\($0)" }
    }

    private static func bytes(_ file: String, of directory: borrowing Directory) throws(FileError) -> [UInt8] {
        let opened = try directory.openFile(file)
        return try opened.read(at: 0, count: try opened.status().byteCount)
    }

    private static func failure(_ error: FileError) -> CommandFailure { .failed("\(error)", hints: []) }

    // MARK: - Places

    /// Refuses a place that has something else than pictures of an earlier run.
    private func check() throws(CommandFailure) {
        guard let path, !isForced else { return }
        if isFolder {
            guard let items = try? Directory(opening: path).items(limit: DrawnPages.nameCount) else { return }
            guard let foreign = items.first(where: { !DrawnPages.isOne($0.name, $0.status, in: path) }) else {
                return
            }
            throw .failed(
                "\(path) has a file that is not a picture of a screen: \(foreign.name)",
                hints: ["`-o FOLDER` can name a new folder; --force writes into this one and keeps its other files"])
        }
        let (folder, name) = ArchiveFile.split(path)
        guard !name.isEmpty, let status = try? Directory(opening: folder).status(of: name) else { return }
        guard DrawnPages.isPicture(name, status, in: folder) else {
            throw .failed(
                "\(path) is there already, and is not a picture",
                hints: ["`-o FILE.png` can name another file; --force replaces this one"])
        }
    }

    /// True for a picture of a screen, and for what an interrupted run has left.
    private static func isOne(_ name: String, _ status: FileStatus, in folder: String) -> Bool {
        if name.hasPrefix(StagedFile.prefix) { return status.kind == .file }
        let number = Int(name.dropFirst("screen-".utf8.count).prefix { $0 != "." })
        return number.map { (1...nameCount) ~= $0 && name == file($0 - 1) } ?? false
            && isPicture(name, status, in: folder)
    }

    private static func isPicture(_ name: String, _ status: FileStatus, in folder: String) -> Bool {
        guard status.kind == .file,
            let beginning = try? Directory(opening: folder).openFile(name).read(at: 0, count: min(8, status.byteCount))
        else { return false }
        return PictureCheck.isPicture(beginning)
    }
}

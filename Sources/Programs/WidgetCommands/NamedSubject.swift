import WidgetBundles
import WidgetBytes
import WidgetConsole
import WidgetFiles
import WidgetIntake
import WidgetPackages

/// The subject of a command that takes a path or a widget of a registry.
enum NamedSubject {
    /// True if the user meant a path: a file or folder is there, or the text has a slash or a bundle's ending.
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || text.hasSuffix(".bundle") || text.hasSuffix(".zip") || BundleSource.isDocument(text)
            || (try? FileDescriptor.readingNamed(text)) != nil
    }

    /// True if a folder is there.
    static func isFolder(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.readingNamed(path) else { return false }
        return (try? file.status().kind) == .directory
    }

    /// True if a path begins with the source's: messages about a built bundle name files of its source so.
    static func isInside(_ path: String, of source: String) -> Bool {
        let start = AuthoredPaths.start(source)
        return path == start || start.isEmpty || path.hasPrefix(start == "/" ? start : "\(start)/")
    }

    /// The failure of a command whose file or folder is not there; `nil` if it is.
    static func missing(_ path: String, hints: [String] = []) -> CommandFailure? {
        do throws(FileError) {
            _ = try FileDescriptor.readingNamed(path)
            return nil
        } catch {
            guard error.isMissing else { return nil }
            let parts = ArchiveFile.split(path)
            let names = names(in: parts.folder)
            let place = parts.folder == "." ? "" : parts.folder
            let nearest = NearestName.of(parts.name, in: names).map { ["did you mean \(place)\($0)?"] } ?? []
            return .failed(absence(of: path), hints: nearest + hints)
        }
    }

    /// The failure of a command that takes bundles, for a document by itself; `nil` for another path.
    static func loneDocument(_ path: String) -> CommandFailure? {
        guard BundleSource.isDocument(path), !isFolder(path) else { return nil }
        return .failed(
            "\(path) is a document by itself, without a bundle around it",
            hints: [
                "`widget new NAME --kind document` makes the source of a bundle, whose first document it can be",
                "`widget run \(path)` and `widget render \(path)` show it as it is",
            ])
    }

    private static func absence(of path: String) -> String { "there is no file or folder \(path)" }

    /// The registry that has the widget of that name. When none is given, the text may be a mistyped file name.
    static func registry(of text: String, _ invocation: Invocation) throws(CommandFailure) -> RegistryOptions {
        guard RegistryOptions.nameRegistry(invocation) else {
            let nearest = NearestName.of(text, in: names(in: ".")).map { ["did you mean \($0)?"] } ?? []
            throw .misuse(
                "\(absence(of: text)); and as a widget of a registry it needs --server",
                hints: nearest + ["`--server http://127.0.0.1:8080` or WIDGET_SERVER names a registry"])
        }
        return try RegistryOptions(invocation)
    }

    private static let nameCount = 1_000

    /// The names of the files and folders in a folder.
    private static func names(in folder: String) -> [String] {
        let items = try? Directory(opening: folder).items(limit: nameCount)
        return (items.flatMap { $0 } ?? []).map(\.name)
    }
}

/// A bundle that can be taken, and the program whose closures its documents call.
struct OpenedBundle: ~Copyable {
    let source: BundleSource
    let code: ChildCode?
    /// A text that is another one for another program.
    let mark: String
}

/// A bundle that the user named, taken in while a bar shows the progress.
enum NamedBundle {
    static func take(_ path: String, on terminal: Terminal) throws(SourceError) -> TakenBundle {
        try take(BundleSource(opening: path, followsLinks: true), on: terminal)
    }

    /// Takes in a bundle, or a document by itself, which can be shown and not published.
    static func takeShown(_ path: String, on terminal: Terminal) throws(SourceError) -> TakenBundle {
        try take(shownSource(path), on: terminal)
    }

    /// Takes in a bundle, a document by itself, or a package, whose program is started.
    static func opened(_ path: String, _ package: PackageSubject?) throws(CommandFailure) -> OpenedBundle {
        if let package { return try package.opened() }
        return OpenedBundle(
            source: try rethrowing(try shownSource(path), as: { CommandFailure($0, source: path) }), code: nil, mark: ""
        )
    }

    static func shownSource(_ path: String) throws(SourceError) -> BundleSource {
        guard BundleSource.isDocument(path), !NamedSubject.isFolder(path) else {
            return try BundleSource(opening: path, followsLinks: true)
        }
        return try BundleSource(document: path)
    }

    /// The compiler's notes, a line for each; empty for a bundle that was not built.
    static func notes(_ source: borrowing BundleSource) -> String {
        source.notes.map { "note    \(QuotedText.plain(source.paths.named(note: $0)))\n" }.joined()
    }

    /// - Parameter scratch: a folder on the disk that holds work in progress; else that for temporary files.
    static func take(
        _ source: borrowing BundleSource, in scratch: String? = nil, on terminal: Terminal
    ) throws(SourceError) -> TakenBundle {
        var bar = ProgressBar(source.isPacked ? "packing" : "reading", on: terminal)
        return try source.take(in: scratch ?? terminal.temporary) { bar.show($0, of: $1) }
    }
}

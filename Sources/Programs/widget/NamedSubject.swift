import Bytes
import Console
import Files
import WidgetBundles
import WidgetIntake

/// The subject of a command that takes a path or a widget of a registry.
enum NamedSubject {
    /// True if the user meant a path: a file or folder is there, or the text has a slash or a bundle's ending.
    static func isPath(_ text: String) -> Bool {
        text.contains("/") || text.hasSuffix(".bundle") || text.hasSuffix(".zip")
            || (try? FileDescriptor.readingNamed(text)) != nil
    }

    /// True if a folder is there.
    static func isFolder(_ path: String) -> Bool {
        guard let file = try? FileDescriptor.readingNamed(path) else { return false }
        return (try? file.status().kind) == .directory
    }

    /// The registry that has the widget of that name. When none is given, the text may be a mistyped file name.
    static func registry(of text: String, _ invocation: Invocation) throws(CommandFailure) -> RegistryOptions {
        guard RegistryOptions.nameRegistry(invocation) else {
            let nearest = NearestName.of(text, in: names()).map { ["did you mean \($0)?"] } ?? []
            throw .misuse(
                "there is no file or folder \(text); and as a widget of a registry it needs --server",
                hints: nearest + ["`--server http://127.0.0.1:8080` or WIDGET_SERVER names a registry"])
        }
        return try RegistryOptions(invocation)
    }

    private static let nameCount = 1_000

    /// The names of the files and folders in the working directory.
    private static func names() -> [String] {
        let items = try? Directory(opening: ".").items(limit: nameCount)
        return (items.flatMap { $0 } ?? []).map(\.name)
    }
}

/// A bundle that the user named, taken in while a bar shows the progress.
enum NamedBundle {
    static func take(_ path: String) throws(SourceError) -> TakenBundle {
        try take(BundleSource(opening: path, followsLinks: true))
    }

    /// The compiler's notes, a line for each; empty for a bundle that was not built.
    static func notes(_ source: borrowing BundleSource) -> String {
        source.notes.map { "note    \(QuotedText.plain($0))\n" }.joined()
    }

    /// - Parameter scratch: a folder on the disk that holds work in progress.
    static func take(
        _ source: borrowing BundleSource, in scratch: String = Directory.temporary
    ) throws(SourceError) -> TakenBundle {
        var bar = ProgressBar(source.isPacked ? "packing" : "reading")
        return try source.take(in: scratch) { bar.show($0, of: $1) }
    }
}

import Console
import Files
import WidgetBundles
import WidgetIntake

/// A bundle that a person named, taken in while a bar shows the progress.
enum NamedBundle {
    static func take(_ path: String) throws(SourceError) -> TakenBundle {
        try take(BundleSource(opening: path, followsLinks: true))
    }

    /// What the compiler noted, a line for each; nothing about a bundle that was not built.
    static func notes(_ source: borrowing BundleSource) -> String {
        source.notes.map { "note    \(QuotedText.plain($0))\n" }.joined()
    }

    /// - Parameter scratch: the folder on whose disk work in progress lies.
    static func take(
        _ source: borrowing BundleSource, in scratch: String = Directory.temporary
    ) throws(SourceError) -> TakenBundle {
        var bar = ProgressBar(source.isPacked ? "packing" : "reading")
        return try source.take(in: scratch) { bar.show($0, of: $1) }
    }
}

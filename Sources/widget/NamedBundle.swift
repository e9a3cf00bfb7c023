import Console
import Files
import WidgetBundles
import WidgetIntake

/// A bundle that a person named, taken in while a bar shows the progress.
enum NamedBundle {
    /// - Parameter buildsSources: whether a folder with a storyboard in it is a source, and is built.
    static func take(_ path: String, buildsSources: Bool = false) throws(SourceError) -> TakenBundle {
        try take(BundleSource(opening: path, followsLinks: true, buildsSources: buildsSources))
    }

    /// - Parameter scratch: the folder on whose disk work in progress lies.
    static func take(
        _ source: borrowing BundleSource, in scratch: String = Directory.temporary
    ) throws(SourceError) -> TakenBundle {
        var bar = ProgressBar(source.isPacked ? "packing" : "reading")
        return try source.take(in: scratch) { bar.show($0, of: $1) }
    }
}

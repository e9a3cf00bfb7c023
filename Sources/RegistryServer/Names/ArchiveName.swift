internal import HTTPServer

/// The last segment of a path that names an archive: `WidgetDemo.zip`.
struct ArchiveName: PathParameter, Sendable {
    /// Without the ending.
    let text: String

    init?(pathSegment: Span<UInt8>) {
        guard let text = String(pathSegment: pathSegment), text.utf8.count > 4, text.lowercased().hasSuffix(".zip")
        else {
            return nil
        }
        self.text = String(text.dropLast(4))
    }
}

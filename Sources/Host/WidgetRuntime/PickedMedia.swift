package import WidgetCore
internal import WidgetHosting
internal import WidgetRunning

/// A picture or a film that a person picks for a widget.
///
/// ```swift
/// try await session.pick(try PickedMedia(path: "gull.png"), for: "photo")
/// ```
public struct PickedMedia: Sendable {
    package let media: Media

    /// Takes the bytes of a file.
    ///
    /// - Parameters:
    ///   - fileName: its name, whose ending says what it is: `jpg`, `png`, `gif`, `heic`, `webp`, `mov`, `mp4` and others.
    ///   - bytes: its content, 8 MiB at most.
    /// - Throws: ``RuntimeError`` with ``RuntimeError/Code/invalidMedia``.
    public init(fileName: String, bytes: [UInt8]) throws(RuntimeError) {
        media = try PickedMedia.read { () throws(WidgetError) in
            // The name goes to servers, and is one.
            let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
            return try MediaFile.media(named: name, bytes)
        }
    }

    /// Reads a file.
    ///
    /// - Parameter path: its path. Its name says what it is.
    /// - Throws: ``RuntimeError`` with ``RuntimeError/Code/invalidMedia``.
    public init(path: String) throws(RuntimeError) {
        media = try PickedMedia.read { () throws(WidgetError) in try MediaFile.read(path) }
    }

    private static func read(_ body: () throws(WidgetError) -> Media) throws(RuntimeError) -> Media {
        do throws(WidgetError) {
            return try body()
        } catch {
            throw RuntimeError(.invalidMedia, "\(error)")
        }
    }
}

extension View {
    /// The first element of the screen that takes an event.
    func firstKey(taking event: NodeEvent) -> ViewKey? {
        var found: ViewKey?
        visit { node in
            if found == nil, node.events.contains(event) { found = node.key }
            return found == nil
        }
        return found
    }
}

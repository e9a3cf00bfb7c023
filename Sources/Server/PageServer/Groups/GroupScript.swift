internal import WidgetRender

/// The script of pages with several widgets, which is `host.js` in this folder. It comes beside that of all live pages, which
/// keeps the widgets up to date.
///
/// The page works without it. With it, a slot is moved by dragging its head or by the arrow keys on its buttons, and the buttons
/// act without leaving the page. The server writes what has changed to the stream, as it does for every other page of the host.
enum GroupScript {
    /// The file as it is written.
    static let source: [UInt8] = PackageResources.host_js

    /// The file as it is sent.
    static let bytes = LiveScript.sent(source)

    /// The name by which the file never changes.
    static let fileName = "host-\(PageFiles.digest(of: bytes)).js"

    /// The most bytes that the file may have.
    static let byteLimit = 3 << 10

    static let address = ScriptAddress(PageAddress.assets + fileName)
}

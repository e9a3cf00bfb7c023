internal import Bytes
package import HTTPServer
package import WidgetCore
internal import WidgetLayout
package import WidgetRender

/// The reader of a page, as its address says: `?scheme=dark&dir=rtl&locale=de_AT&text=XL&width=320&height=568`.
package struct PageReader: Equatable, Hashable, Sendable {
    /// The parameters that were understood, as they are written in an address; empty for none.
    package private(set) var query = ""
    package private(set) var screen: String?
    /// True for a page within another page, which has the links around it: `?frame=1`.
    package let isFramed: Bool
    private let scheme: Viewport.Scheme?
    /// `nil` for that of the language.
    private let direction: Viewport.Direction?
    private let locale: String
    private let textSize: Viewport.TextSize
    private let width: Int
    private let height: Int

    package init(_ request: borrowing Request) {
        func number(_ name: StaticString, _ usual: Int) -> Int {
            request.query(name).flatMap { Int($0) }.flatMap { 100...4_000 ~= $0 ? $0 : nil } ?? usual
        }
        (width, height) = (number("width", PageReader.width), number("height", PageReader.height))
        scheme = request.query("scheme").flatMap { Viewport.Scheme(rawValue: $0) }
        direction = request.query("dir").flatMap { Viewport.Direction(rawValue: $0) }
        textSize = request.query("text").flatMap { Viewport.TextSize(rawValue: $0) } ?? .large
        locale = request.query("locale").flatMap { PageReader.isLocale($0) ? $0 : nil } ?? ""
        screen = request.query("screen").flatMap { $0.utf8.count <= 200 ? $0 : nil }
        isFramed = request.query("frame") == "1"
        var parts: [String] = []
        if width != PageReader.width { parts.append("width=\(width)") }
        if height != PageReader.height { parts.append("height=\(height)") }
        if let scheme { parts.append("scheme=\(scheme.rawValue)") }
        if let direction { parts.append("dir=\(direction.rawValue)") }
        if textSize != .large { parts.append("text=\(textSize.rawValue)") }
        if !locale.isEmpty { parts.append("locale=\(locale)") }
        if let screen { parts.append("screen=\(PercentEncoding.segment(screen))") }
        if isFramed { parts.append("frame=1") }
        query = parts.isEmpty ? "" : "?\(parts.joined(separator: "&"))"
    }

    private static let (width, height) = (375, 667)

    private static func isLocale(_ text: String) -> Bool {
        1...32 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    /// The language and region of its program.
    package var language: String { locale }

    package var words: SystemWords { SystemWords(locale) }

    package var options: PageOptions {
        var viewport = Viewport(size: Size(width: Double(width), height: Double(height)))
        (viewport.direction, viewport.textSize) = (direction ?? .init(of: locale), textSize)
        if let scheme { viewport.scheme = scheme }
        var options = PageOptions(viewport: viewport)
        options.scheme = scheme
        options.locale = locale
        return options
    }
}

internal import JSONText
package import WidgetBytes

/// A page of a host as a document: its title, and the slots for widgets on it.
package struct PageFile: Equatable, Sendable {
    /// A place for a widget.
    package struct Slot: Equatable, Sendable {
        package enum Origin: Equatable, Sendable {
            /// The identifier of a widget at a registry.
            case registry(String)
            /// A folder, an archive or a document, relative to the page's file.
            case path(String)
        }

        package var title: String
        package var origin: Origin
        /// The identifier of a local widget, or the ending that makes one of the bundle's; `nil` for the bundle's.
        package var instance: String?
        package var size = PageFile.usualSize
        /// True if the widget is laid out as on a phone, and shown in the slot's size.
        package var isScaled = false
        /// False for a slot with a button that loads its widget.
        package var loadsAtOnce = true
        /// The addresses that the widget may ask.
        package var grants: [String] = []
        /// The groups whose cached values it may share.
        package var groups: [String] = []
        package var entry = "Main"
        /// The first screen; `nil` for that of the bundle.
        package var screen: String?

        package init(title: String, origin: Origin) {
            self.title = title
            self.origin = origin
        }
    }

    /// In points.
    package struct Size: Hashable, Sendable {
        package var width: Int
        package var height: Int
    }

    package var title: String
    /// The most columns; `nil` for as many as there is room for.
    package var columns: Int?
    package var slots: [Slot]

    /// Each slot has a letter of its page.
    package static let slotCount = 26
    static let lengths = 120...2_000
    static let columnCounts = 1...12
    static let textByteCount = 200
    static let listCount = 64
    package static let usualSize = Size(width: 320, height: 480)
    package static let sizes: [(name: String, size: Size)] = [
        ("small", Size(width: 280, height: 320)), ("medium", usualSize), ("large", Size(width: 375, height: 667)),
        ("wide", Size(width: 667, height: 375)),
    ]

    package init(title: String, columns: Int? = nil, slots: [Slot]) {
        self.title = title
        self.columns = columns
        self.slots = slots
    }

    /// A page of widgets that were named, each with its name as the title.
    package init(named subjects: [(name: String, origin: Slot.Origin)]) {
        self.init(
            title: "Widgets",
            slots: subjects.map { subject in
                let last = subject.name.split(separator: "/").last.map(String.init) ?? subject.name
                return Slot(title: last, origin: subject.origin)
            })
    }

    private static let limits = JSONLimits(byteCount: 256 << 10, depth: 8, valueCount: 4_096)

    /// - Throws: the first fault, with its place.
    package init(_ bytes: [UInt8]) throws(PageFileError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: bytes, limits: PageFile.limits)
        } catch {
            throw PageFileError(error.position, "\(error.reason)")
        }
        self = try PageFileReader(bytes).page(json)
    }
}

/// The reason why a page's file cannot be used.
package struct PageFileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let position: TextPosition
    package let reason: String
    package let hint: String?

    init(_ position: TextPosition, _ reason: String, hint: String? = nil) {
        self.position = position
        self.reason = reason
        self.hint = hint
    }

    package var description: String { "\(position.line):\(position.column): \(reason)" }
}

extension PageFile {
    /// The size of a name, or of a width and a height such as `320x480`.
    static func size(_ text: String) -> Size? {
        if let named = sizes.first(where: { $0.name == text }) { return named.size }
        guard text.utf8.count <= 16 else { return nil }
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil
        }
        guard parts.count == 2, let width = parts[0], let height = parts[1], lengths ~= width, lengths ~= height else {
            return nil
        }
        return Size(width: width, height: height)
    }
}

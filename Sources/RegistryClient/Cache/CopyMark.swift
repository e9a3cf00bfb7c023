internal import Bytes
internal import Files
package import JSONText

/// The mark beside a copy of a bundle folder that says for which widget it was fetched, and what was put there.
///
///     Widgets/Clock.bundle/…
///     Widgets/.Clock.bundle.fetched
///
/// Beside it, because what is in the folder is the release and nothing else. It is written before the folder changes
/// and names what is there and what comes, so that it is right at every moment in between.
package struct CopyMark: Equatable, Sendable {
    var widget: String
    /// Without a slash at the end.
    var registry: String
    /// The content digests of what was put there.
    var contents: [Digest]

    private static let format = 1
    private static let byteLimit = 4 << 10

    static func name(of folder: String) -> String { ".\(folder).fetched" }

    /// Reads the mark of a folder.
    ///
    /// - Returns: `nil` when there is none, or something else of its name.
    static func read(of folder: String, in directory: borrowing Directory) throws(FileError) -> CopyMark? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try directory.openFile(name(of: folder)).read(at: 0, count: byteLimit + 1)
        } catch {
            if error.isMissing || error.isLink { return nil }
            throw error
        }
        return try? CopyMark(parsing: bytes)
    }

    func write(of folder: String, in directory: borrowing Directory) throws(FileError) {
        try directory.replaceFile(CopyMark.name(of: folder), with: json)
    }

    package init(parsing bytes: [UInt8]) throws(JSONError) {
        let limits = JSONLimits(byteCount: CopyMark.byteLimit, depth: 4)
        let json = try JSONDocument(parsing: bytes, limits: limits, root: .container).cursor
        guard try json.require("format", as: Int.self) == CopyMark.format else {
            throw json.error(.unsuitable(expected: "format \(CopyMark.format)"))
        }
        widget = try json.require("widgetIdentifier")
        registry = try json.require("registry")
        contents = try json.require("contents")
    }

    init(widget: String, registry: String, contents: [Digest]) {
        (self.widget, self.registry, self.contents) = (widget, registry, contents)
    }

    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", CopyMark.format)
            writer.member("widgetIdentifier", widget)
            writer.member("registry", registry)
            writer.key("contents")
            writer.array { writer in for content in contents { writer.string(content.hex) } }
        }
        return writer.finish()
    }
}

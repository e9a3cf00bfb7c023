internal import Bytes
internal import JSONText
internal import WidgetRender

/// The part of a release that the host keeps while a cell runs it: its sheet, and the files of its pictures.
package final class LoadedRelease: Sendable {
    package let sheet: (name: String, bytes: [UInt8])
    /// The files of pictures, by names that come from their bytes.
    package let files: [String: [UInt8]]
    /// The names of the screens that a page can begin with.
    package let screens: [String]
    /// Findings about the bundle, from its reading.
    package let findings: [CellFinding]

    /// - Returns: `nil` for an answer that no cell of ours gives.
    init?(_ answer: CellMessage, _ pictures: RewrittenPictures) {
        guard let name = answer.text("sheet"), name == "\(PageFiles.digest(of: answer.body)).css" else { return nil }
        sheet = (name, answer.body)
        files = pictures.files
        screens = answer.head["screens"]?.array?.compactMap(\.string) ?? []
        findings = (answer.head["findings"]?.array ?? []).compactMap { CellFinding($0) }
    }
}

extension CellFinding {
    /// - Returns: `nil` for anything but a finding.
    init?(_ json: JSONValue) {
        guard let message = json["message"]?.string else { return nil }
        func number(_ name: String) -> Int? { json[name]?.integer.flatMap { Int(exactly: $0) } }
        self.init(
            message: String(message.prefix(2_000)), file: json["file"]?.string, line: number("line"),
            column: number("column"))
    }
}

/// The pictures of a release, as a cell without viewings has rewritten them.
struct RewrittenPictures: Sendable {
    private(set) var files: [String: [UInt8]] = [:]
    /// The meaning of each name, for the cells that print pages.
    private(set) var names: [JSONValue] = []
    private var byteCount = 0
    private var nameByteCount = 0
    /// All names together fit into one order.
    private static let nameByteLimit = 1 << 20

    init() {}

    /// Takes a message of the cell. A file's name has to be that of its bytes, so that one file cannot pass for another.
    mutating func take(_ message: CellMessage, _ limits: CellLimits) {
        if message.text("picture") != nil {
            nameByteCount += message.headByteCount
            if names.count < limits.pictureCount, nameByteCount <= RewrittenPictures.nameByteLimit {
                names.append(message.head)
            }
        } else if let name = message.text("file") {
            let ending = name.split(separator: ".").last.map(String.init) ?? ""
            guard PictureKind(rawValue: ending) != nil, name == "\(PageFiles.digest(of: message.body)).\(ending)",
                byteCount + message.body.count <= limits.pictureByteCount
            else { return }
            byteCount += message.body.count
            files[name] = message.body
        }
    }
}

/// A screen that cannot be touched, as a page.
package struct CellStill: Sendable {
    package let title: String
    package let html: [UInt8]
    /// Its sheets, and the pictures of its release, by the names of the files.
    package let files: [String: [UInt8]]
    package let release: LoadedRelease

    init(_ title: String, _ html: [UInt8], sheet: String, _ release: LoadedRelease) {
        self.title = title
        self.html = html
        self.release = release
        let sheet = Array(sheet.utf8)
        var files = release.files
        files["\(PageFiles.digest(of: sheet)).css"] = sheet
        files[release.sheet.name] = release.sheet.bytes
        self.files = files
    }

    /// Its bytes, with those of the pictures that it keeps.
    package var byteCount: Int { files.values.reduce(html.count) { $0 + $1.count } }
}

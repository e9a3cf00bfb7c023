internal import Bytes
internal import Files
package import WidgetCore

/// A picture or a film that a user picks, from a file.
package enum MediaFile {
    private static let largest = 8 << 20

    private static let types: [String: (type: String, isFilm: Bool)] = [
        "jpg": ("image/jpeg", false), "jpeg": ("image/jpeg", false), "png": ("image/png", false),
        "gif": ("image/gif", false), "heic": ("image/heic", false), "webp": ("image/webp", false),
        "mov": ("video/quicktime", true), "mp4": ("video/mp4", true), "m4v": ("video/x-m4v", true),
    ]

    package static func read(_ path: String) throws(WidgetError) -> Media {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let (type, isFilm) = types[ending] else {
            throw .script(
                "\(name) is neither a picture nor a film; it may end in \(types.keys.sorted().joined(separator: ", "))")
        }
        let bytes = try rethrowing(as: WidgetError.file) { () throws(FileError) in
            let file = try FileDescriptor.reading(path)
            return try file.read(at: 0, count: min(try file.status().byteCount, largest + 1))
        }
        guard bytes.count <= largest else { throw .script("\(name) has more than \(largest) bytes") }
        return Media(fileName: name, bytes: bytes, contentType: type, isFilm: isFilm)
    }
}

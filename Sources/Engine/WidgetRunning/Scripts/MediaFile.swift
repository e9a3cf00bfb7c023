package import WidgetCore

/// A picture or a film that a user picks, as a file.
package enum MediaFile {
    package static let largest = 8 << 20

    private static let types: [String: (type: String, isFilm: Bool)] = [
        "jpg": ("image/jpeg", false), "jpeg": ("image/jpeg", false), "png": ("image/png", false),
        "gif": ("image/gif", false), "heic": ("image/heic", false), "webp": ("image/webp", false),
        "mov": ("video/quicktime", true), "mp4": ("video/mp4", true), "m4v": ("video/x-m4v", true),
    ]

    /// A picture or a film, whose kind its name says.
    package static func media(named name: String, _ bytes: [UInt8]) throws(WidgetError) -> Media {
        let (type, isFilm) = try kind(of: name)
        guard bytes.count <= largest else { throw .script("\(name) has more than \(largest) bytes") }
        return Media(fileName: name, bytes: bytes, contentType: type, isFilm: isFilm)
    }

    package static func kind(of name: String) throws(WidgetError) -> (type: String, isFilm: Bool) {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let kind = types[ending] else {
            throw .script(
                "\(name) is neither a picture nor a film; it may end in \(types.keys.sorted().joined(separator: ", "))")
        }
        return kind
    }
}

/// The type a file of a bundle is sent as, from the ending of its name; its content was judged when it came in.
struct MediaType: Sendable {
    let text: String
    /// Shown where it is, rather than offered for keeping.
    let isImage: Bool

    init(path: String) {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        text = MediaType.byEnding[ending] ?? "application/octet-stream"
        isImage = text.hasPrefix("image/")
    }

    private static let byEnding = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "heic": "image/heic", "json": "application/json", "plist": "application/x-plist",
        "strings": "text/plain; charset=utf-8", "ttf": "font/ttf", "otf": "font/otf",
    ]
}

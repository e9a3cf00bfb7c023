internal import Bytes
internal import JSONText
internal import WidgetHosting
internal import WidgetRender
internal import WidgetRunning

/// The pictures of a release by their names, without their bytes: those are kept by the host.
final class CellPictures: ViewAssets {
    private let found = Guarded<[String: (light: PictureAnswer, dark: PictureAnswer?)]>([:])

    init() {}

    /// Takes the messages that a cell without viewings has sent, one for each name.
    func set(_ messages: [JSONValue]) {
        var known: [String: (light: PictureAnswer, dark: PictureAnswer?)] = [:]
        for message in messages {
            guard let name = message["name"]?.string, let light = message["light"].flatMap(CellPictures.answer) else {
                continue
            }
            known[name] = (light, message["dark"].flatMap(CellPictures.answer))
        }
        found.withLock { $0 = known }
    }

    func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
        guard let picture = found.withLock({ $0[name] }) else { return .missing }
        return isDark ? picture.dark ?? picture.light : picture.light
    }

    private static func answer(_ json: JSONValue) -> PictureAnswer? {
        if let reason = json["unusable"]?.string { return .unusable(reason) }
        guard let file = json["file"]?.string, let kind = json["kind"]?.string.flatMap({ PictureKind(rawValue: $0) }),
            let width = json["width"]?.integer, let height = json["height"]?.integer, let scale = json["scale"]?.double,
            1...65_536 ~= width, 1...65_536 ~= height, scale.isFinite
        else { return nil }
        var picture = PictureFile([], kind, width: Int(width), height: Int(height), scale: scale)
        picture.keptName = file
        return .file(picture)
    }
}

/// Rewrites the pictures of a bundle, in a cell without viewings.
struct CellPictureRewriting {
    private let pictures: BundlePictures
    private let limit: Int
    private let countLimit: Int
    /// The files that were sent, by their names.
    private var sent: Set<String> = []
    private var byteCount = 0

    /// Pages are printed for screens with so many pixels of a point.
    private static let scale = 2

    init(_ pictures: BundlePictures, byteLimit: Int, countLimit: Int) {
        self.pictures = pictures
        limit = byteLimit
        self.countLimit = countLimit
    }

    /// Sends each name, with the bytes of its files before it.
    mutating func run(_ send: ([UInt8]) -> Void) {
        for name in pictures.names.prefix(countLimit) {
            let light = answer(to: name, isDark: false, send)
            let dark = pictures.hasDarkVariant(of: name) ? answer(to: name, isDark: true, send) : nil
            send(
                CellMessage.bytes { json in
                    json.member("picture", name)
                    json.member("name", name)
                    json.key("light")
                    light(&json)
                    if let dark {
                        json.key("dark")
                        dark(&json)
                    }
                })
        }
    }

    private mutating func answer(
        to name: String, isDark: Bool, _ send: ([UInt8]) -> Void
    ) -> (inout JSONWriter) -> Void {
        switch pictures.picture(name, scale: CellPictureRewriting.scale, isDark: isDark) {
        case .missing: return CellPictureRewriting.unusable("it is not in the bundle")
        case .unusable(let reason): return CellPictureRewriting.unusable(reason)
        case .file(let file):
            let name = PageFiles.picture(file.bytes, file.kind.rawValue)
            if !sent.contains(name) {
                guard file.bytes.count <= CellLimits.messageByteCount else {
                    return CellPictureRewriting.unusable("it has more than \(CellLimits.messageByteCount >> 20) MB")
                }
                guard byteCount + file.bytes.count <= limit else {
                    return CellPictureRewriting.unusable("the bundle's pictures have more than \(limit >> 20) MB")
                }
                byteCount += file.bytes.count
                sent.insert(name)
                send(CellMessage.bytes(file.bytes) { $0.member("file", name) })
            }
            return { json in
                json.object { json in
                    json.member("file", name)
                    json.member("kind", file.kind.rawValue)
                    json.member("width", file.width)
                    json.member("height", file.height)
                    json.member("scale", file.scale)
                }
            }
        }
    }

    private static func unusable(_ reason: String) -> (inout JSONWriter) -> Void {
        { json in json.object { $0.member("unusable", reason) } }
    }
}

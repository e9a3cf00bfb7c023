internal import JSONText
internal import WidgetAssetCatalog

/// The images and colours of a catalogue, or of the loose files of a bundle.
package struct ImageOutline: Equatable, Sendable {
    package struct Image: Equatable, Sendable {
        package var name: String
        /// The file from which it was made, or the loose file itself.
        package var file: String
        package var width: Int?
        package var height: Int?
        package var scale: Double
        package var idiom: String?
        package var appearance: String?
        /// `image`, or a description of other content: data, a colour, an icon's sizes.
        package var kind: String
    }

    /// The path of the catalogue; absent for loose files.
    package var path: String?
    package var images: [Image] = []
    /// The reason why it could not be read.
    package var fault: String?

    init(catalogue path: String, bytes: [UInt8]) {
        self.path = path
        do throws(AssetError) {
            images = try CompiledCatalog(parsing: bytes).renditions.map(Image.init)
        } catch {
            fault = "\(error)"
        }
    }

    /// Makes an outline of loose images, by their paths.
    init(loose files: [(path: String, bytes: [UInt8])]) {
        images = files.map { Image(path: $0.path, bytes: $0.bytes) }
    }
}

extension ImageOutline.Image {
    fileprivate init(_ rendition: Rendition) {
        name = rendition.name ?? rendition.fileName
        file = rendition.fileName
        if rendition.width > 0 { (width, height) = (rendition.width, rendition.height) }
        scale = rendition.scale
        idiom = rendition.idiom == .universal ? nil : rendition.idiom.name
        appearance = rendition.appearance
        kind =
            switch rendition.content {
            case .bitmap, .reference: "image"
            case .data: rendition.isImage ? "image" : "data"
            case .color(let color):
                "color " + color.components.map { BundleOutline.shown($0) }.joined(separator: " ")
            case .sizes(let sizes): "sizes " + sizes.map { "\($0.width)x\($0.height)" }.joined(separator: " ")
            case .other(let mark): mark.isEmpty ? "empty" : mark
            case .unreadable(let reason): "damaged: \(reason)"
            }
    }

    /// Parses `name@2x~ipad.png`, which gives the scale and the device of a loose image.
    fileprivate init(path: String, bytes: [UInt8]) {
        file = path
        kind = "image"
        var base = path.split(separator: "/").last.map { String($0) } ?? path
        if let dot = base.lastIndex(of: ".") { base = String(base[..<dot]) }
        for device in ["ipad", "iphone"] where base.hasSuffix("~\(device)") {
            base = String(base.dropLast(device.count + 1))
            idiom = device == "ipad" ? "pad" : "phone"
        }
        scale = 1
        for factor in [2, 3] where base.hasSuffix("@\(factor)x") {
            base = String(base.dropLast(3))
            scale = Double(factor)
        }
        name = base
        if let size = PNGSize(bytes) { (width, height) = (size.width, size.height) }
    }
}

/// The size in the header of a PNG, ordinary or packed by Apple's tools.
struct PNGSize {
    var width: Int
    var height: Int

    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        let start = AppleImage.begins(bytes) ? 32 : 16
        guard bytes.count >= start + 8 else { return nil }
        func number(_ offset: Int) -> Int {
            Int(clamping: bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        }
        (width, height) = (number(start), number(start + 4))
    }
}

extension ImageOutline: CustomStringConvertible {
    /// A text for people; the bundle's own texts are made harmless to a terminal.
    package var description: String {
        var text = path.map { "images  \(BundleOutline.safe($0))\n" } ?? (images.isEmpty ? "" : "images  loose\n")
        if let fault { text += "  unreadable: \(BundleOutline.safe(fault))\n" }
        for image in images { text += "  \(image.line)\n" }
        return text
    }
}

extension ImageOutline.Image {
    fileprivate var line: String {
        var text = BundleOutline.safe(name)
        if let width, let height { text += " \(width)x\(height)" }
        if scale != 1 { text += " @\(BundleOutline.shown(scale))x" }
        if let idiom { text += " for \(idiom)" }
        if let appearance { text += " in \(BundleOutline.safe(appearance))" }
        if kind != "image" { text += ", \(BundleOutline.safe(kind))" }
        return text
    }
}

extension ImageOutline {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let path { writer.member("path", path) }
            if let fault { writer.member("fault", fault) }
            writer.list("images", images) { $1.write(to: &$0) }
        }
    }
}

extension ImageOutline.Image {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("file", file)
            writer.member("kind", kind)
            if let width, let height {
                writer.member("width", width)
                writer.member("height", height)
            }
            writer.member("scale", scale)
            if let idiom { writer.member("idiom", idiom) }
            if let appearance { writer.member("appearance", appearance) }
        }
    }
}

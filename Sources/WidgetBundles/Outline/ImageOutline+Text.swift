internal import JSONText

extension ImageOutline: CustomStringConvertible {
    /// For people; what the bundle says is made harmless to a terminal.
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

internal import WidgetAssetCatalog
package import WidgetCore

/// The pictures and colours of a bundle by name, as interfaces and schemes spell them. No pixel is read.
package struct BundleAssets {
    /// `nil` when the catalogue cannot be read: then the names are unknown.
    package private(set) var images: [String: ImageInfo]? = [:]
    package private(set) var colors: [String: Paint] = [:]

    private static let endings = [".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".pdf"]
    private static let devices = ["~iphone", "~ipad"]
    private static let scales: [(mark: String, scale: Double)] = [("@1x", 1), ("@2x", 2), ("@3x", 3)]

    static func isPicture(_ path: String) -> Bool {
        let name = path.lowercased()
        return endings.contains { name.hasSuffix($0) }
    }

    /// - Parameters:
    ///   - paths: of all files of the bundle.
    ///   - catalogue: the compiled asset catalogue, when there is one.
    ///   - heads: the first bytes of loose pictures, by their paths.
    package init(_ paths: some Sequence<String>, catalogue: [UInt8]?, heads: [String: [UInt8]] = [:]) {
        // Those for another device come last, and the first of a scale counts.
        for path in paths.sorted(by: { ($0.contains("~ipad") ? 1 : 0, $0) < ($1.contains("~ipad") ? 1 : 0, $1) }) {
            add(path, heads[path])
        }
        guard let catalogue else { return }
        do throws(AssetError) {
            add(try CompiledCatalog(parsing: catalogue))
        } catch {
            images = nil
        }
    }

    // MARK: - Loose pictures

    private mutating func add(_ path: String, _ head: [UInt8]?) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let ending = Self.endings.first(where: { name.lowercased().hasSuffix($0) }) else { return }
        var base = name.dropLast(ending.count)
        var scale = 1.0
        if let device = Self.devices.first(where: { base.hasSuffix($0) }) { base = base.dropLast(device.count) }
        if let marked = Self.scales.first(where: { base.hasSuffix($0.mark) }) {
            base = base.dropLast(marked.mark.count)
            scale = marked.scale
        }
        // An image of a catalogue's namespace, or in a folder, is asked for with the folder's name.
        let folder = path.dropLast(name.count)
        // A picture may be asked for by its file's name as well.
        var names: Set = [name, String(base), base + ending]
        if !folder.isEmpty { names.insert("\(folder)\(base)") }
        let pixels = head.flatMap { PictureHead.pixels(of: $0) }
        let isTemplate = head.map { TemplateMark.isIn($0) } ?? false
        for name in names {
            var info = images?[name] ?? ImageInfo()
            if let pixels {
                info.add(ImageInfo.Variant(scale: scale, pixelWidth: pixels.width, pixelHeight: pixels.height))
            }
            if isTemplate { info.rendering = .template }
            if ending == ".pdf" { info.isVector = true }
            images?[name] = info
        }
    }

    // MARK: - The catalogue

    private mutating func add(_ catalog: CompiledCatalog) {
        for facet in catalog.facets where images?[facet.name] == nil { images?[facet.name] = ImageInfo() }
        var lights: [String: RGBA] = [:]
        var darks: [String: RGBA] = [:]
        // Renditions for a phone count before those for every device.
        for isForPhone in [true, false] {
            for rendition in catalog.renditions
            where rendition.idiom == .phone && isForPhone || rendition.idiom == .universal && !isForPhone {
                guard let name = rendition.name, let scheme = Self.scheme(rendition.appearance) else { continue }
                if case .color(let color) = rendition.content {
                    guard let color = Self.color(color) else { continue }
                    switch scheme {
                    case .light: if lights[name] == nil { lights[name] = color }
                    case .dark: if darks[name] == nil { darks[name] = color }
                    }
                } else {
                    add(rendition, name, scheme)
                }
            }
        }
        for (name, light) in lights {
            colors[name] = darks[name].map { .pair(light: light, dark: $0) } ?? .value(light)
        }
    }

    private enum Scheme { case light, dark }

    /// Returns the scheme of an appearance; `nil` for one that only some readers have.
    private static func scheme(_ appearance: String?) -> Scheme? {
        guard let appearance else { return .light }
        if appearance.contains("HighContrast") { return nil }
        return appearance.contains("Dark") ? .dark : .light
    }

    private static let fileFormats: Set<String> = ["PDF ", "SVG "]

    private mutating func add(_ rendition: Rendition, _ name: String, _ scheme: Scheme) {
        guard var info = images?[name] else { return }
        if Self.fileFormats.contains(rendition.pixelFormat) { info.isVector = true }
        if scheme == .dark {
            info.hasDarkVariant = true
        } else if rendition.isImage {
            info.add(
                ImageInfo.Variant(
                    scale: rendition.scale, pixelWidth: rendition.width, pixelHeight: rendition.height))
        }
        if rendition.isTemplate { info.rendering = .template }
        images?[name] = info
    }

    /// Returns a colour in the standard space; `nil` for one with an unknown number of components.
    private static func color(_ color: CatalogColor) -> RGBA? {
        let parts = color.components
        switch parts.count {
        case 2: return RGBA(red: parts[0], green: parts[0], blue: parts[0], alpha: parts[1])
        case 4:
            let standard = ColorSpace(ofCompiled: color.colorSpace).standard(Array(parts.prefix(3)))
            return RGBA(red: standard[0], green: standard[1], blue: standard[2], alpha: parts[3])
        default: return nil
        }
    }
}

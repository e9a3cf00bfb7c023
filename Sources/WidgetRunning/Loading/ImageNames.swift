internal import AssetCatalog

/// The names of a bundle's pictures, as interfaces and schemes spell them. No pixel is read.
package enum ImageNames {
    private static let endings = [".png", ".jpg", ".jpeg", ".gif", ".heic", ".webp", ".pdf"]
    private static let devices = ["~iphone", "~ipad"]
    private static let scales = ["@1x", "@2x", "@3x"]

    /// - Parameters:
    ///   - paths: of all files of the bundle.
    ///   - catalogue: the compiled asset catalogue, when there is one.
    /// - Returns: `nil` when the catalogue cannot be read: then the names are unknown.
    package static func of(_ paths: some Sequence<String>, catalogue: [UInt8]?) -> Set<String>? {
        var names: Set<String> = []
        for path in paths {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            guard let ending = endings.first(where: { name.lowercased().hasSuffix($0) }) else { continue }
            names.insert(name)
            var base = name.dropLast(ending.count)
            if let device = devices.first(where: { base.hasSuffix($0) }) { base = base.dropLast(device.count) }
            if let scale = scales.first(where: { base.hasSuffix($0) }) { base = base.dropLast(scale.count) }
            names.insert(String(base))
            // A picture may be asked for by its file's name as well.
            names.insert(base + ending)
        }
        guard let catalogue else { return names }
        do throws(AssetError) {
            for facet in try CompiledCatalog(parsing: catalogue).facets { names.insert(facet.name) }
        } catch {
            return nil
        }
        return names
    }
}

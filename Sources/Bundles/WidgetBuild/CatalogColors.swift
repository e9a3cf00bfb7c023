internal import JSONText
internal import WidgetAssetCatalog
internal import WidgetBytes

/// The colours of a bundle's asset catalogues by name. Interfaces refer to them, and carry their components.
package struct CatalogColors: Sendable {
    enum Color: Equatable, Sendable {
        /// White alone or red, green and blue of sRGB, from 0 to 1.
        case components([Double], alpha: Double)
        /// A colour of the system.
        case system(String)
    }

    private var colors: [String: Color] = [:]

    /// No colours.
    package init() {}

    /// Finds the colour sets among a bundle's sources, given by their paths. Sets that cannot be read have no colour here;
    /// the catalogue's own report names them.
    package init(in sources: [String: [UInt8]]) {
        // True for folders whose name is part of the names in them.
        var isNamespace: [String: Bool] = [:]
        for (path, bytes) in sources.sorted(by: { $0.key.byteOrder($1.key) < 0 }) {
            let parts = path.split(separator: "/").map { String($0) }
            guard parts.last == "Contents.json", parts.count >= 2, parts[parts.count - 2].hasSuffix(".colorset"),
                let start = parts.firstIndex(where: { $0.hasSuffix(".xcassets") })
            else { continue }
            guard let color = CatalogColors.color(bytes) else { continue }
            var name = String(parts[parts.count - 2].dropLast(".colorset".utf8.count))
            for position in (start + 1..<max(start + 1, parts.count - 2)).reversed() {
                let folder = parts[...position].joined(separator: "/")
                if isNamespace[folder] == nil {
                    let contents = sources["\(folder)/Contents.json"].flatMap { try? JSONValue(parsing: $0) }
                    isNamespace[folder] = contents?["properties"]?["provides-namespace"]?.boolean == true
                }
                if isNamespace[folder] == true { name = "\(parts[position])/\(name)" }
            }
            if colors[name] == nil { colors[name] = color }
        }
    }

    subscript(_ name: String) -> Color? { colors[name] }

    /// Returns the colour for any device and appearance, or else the first one.
    private static func color(_ bytes: [UInt8]) -> Color? {
        guard let entries = (try? JSONValue(parsing: bytes))?["colors"]?.array else { return nil }
        let plain = entries.first {
            $0["appearances"] == nil && ["universal", "iphone", nil].contains($0["idiom"]?.string)
        }
        guard let color = (plain ?? entries.first { $0["color"] != nil })?["color"] else { return nil }
        if let name = color["reference"]?.string { return .system(name) }
        guard let components = color["components"] else { return nil }
        let alpha = component(components["alpha"]) ?? 1
        if let white = component(components["white"]) { return .components([white], alpha: alpha) }
        guard let red = component(components["red"]), let green = component(components["green"]),
            let blue = component(components["blue"])
        else { return nil }
        let space = ColorSpace(ofCatalog: color["color-space"]?.string)
        return .components(space.standard([red, green, blue]), alpha: alpha)
    }

    /// Returns a component in any of the catalogue's three notations: 0.5, 127 (of 255) or 0x7F.
    private static func component(_ value: JSONValue?) -> Double? {
        guard let text = value?.string else { return nil }
        if text.hasPrefix("0x") || text.hasPrefix("0X") {
            return UInt8(text.dropFirst(2), radix: 16).map { Double($0) / 255 }
        }
        if !text.contains("."), let whole = UInt8(text) { return Double(whole) / 255 }
        return Double(text).flatMap { Float($0).isFinite ? $0 : nil }
    }
}

internal import WidgetAssetCatalog
internal import WidgetNib
internal import XMLText

/// Colours: by components, of the system, and of an asset catalogue. All carry components, because hosts read these; a
/// name beside them lets iOS choose a colour for its appearance.
extension NibCompiler {
    private struct Color: Hashable {
        /// White alone, or red, green and blue.
        var values: [Double]
        var alpha: Double
        var systemName: String?
        var resourceName: String?
    }

    mutating func color(_ element: XMLElement) throws(BuildError) -> Int {
        if element["catalog"] == nil, let name = element["name"] { return addColor(try named(name, element)) }
        let name = element["systemColor"] ?? element["cocoaTouchSystemColor"] ?? element["name"]
        if let system = element["systemColor"], let known = source.systemColors[system],
            let color = try components(known)
        {
            return addColor(Color(values: color.values, alpha: color.alpha, systemName: name))
        }
        if var color = try components(element) {
            color.systemName = name
            if color.values.count == 1, name == nil {
                switch (color.values[0], color.alpha) {
                case (1, 1): color.systemName = "whiteColor"
                case (0, 1): color.systemName = "blackColor"
                case (0, 0): color.systemName = "clearColor"
                default: break
                }
            }
            return addColor(color)
        }
        guard let name else {
            throw source.fault(
                "a colour without components cannot be compiled", element,
                hints: ["say white and alpha, or red, green, blue and alpha; of a system colour in resources"])
        }
        return addColor(system(name, element))
    }

    private mutating func named(_ name: String, _ element: XMLElement) throws(BuildError) -> Color {
        if let known = source.namedColors[name], var color = try components(known) {
            color.resourceName = name
            return color
        }
        switch source.catalog[name] {
        case .components(let values, let alpha)?: return Color(values: values, alpha: alpha, resourceName: name)
        case .system(let system)?:
            var color = self.system(system, element)
            color.resourceName = name
            return color
        case nil:
            notes.add(
                "the colour \(name) is grey: neither the resources of this file nor an asset catalogue have it", element
            )
            return Color(values: [0.5], alpha: 1, resourceName: name)
        }
    }

    private mutating func system(_ name: String, _ element: XMLElement) -> Color {
        if let known = NibCompiler.systemColors[name], let alpha = known.last {
            return Color(values: Array(known.dropLast()), alpha: alpha, systemName: name)
        }
        notes.add("the system's colour \(name) is grey: the resources of this file have no components of it", element)
        return Color(values: [0.5], alpha: 1, systemName: name)
    }

    /// Returns the components that an element has, in any of its notations.
    private func components(_ element: XMLElement) throws(BuildError) -> Color? {
        let alpha = element["alpha"] == nil ? 1 : try component("alpha", of: element)
        let space = ColorSpace(ofInterface: element["customColorSpace"] ?? element["colorSpace"])
        if element["white"] != nil { return Color(values: [try component("white", of: element)], alpha: alpha) }
        if element["red"] != nil || element["green"] != nil || element["blue"] != nil {
            var values: [Double] = []
            for part in ["red", "green", "blue"] { values.append(try component(part, of: element)) }
            return Color(values: space.standard(values), alpha: alpha)
        }
        if element["cyan"] != nil || element["black"] != nil {
            let black = try component("black", of: element)
            var values: [Double] = []
            for part in ["cyan", "magenta", "yellow"] {
                values.append((1 - (try component(part, of: element))) * (1 - black))
            }
            return Color(values: values, alpha: alpha)
        }
        return nil
    }

    /// Returns a component, which compiled interfaces hold with single precision.
    private func component(_ name: String, of element: XMLElement) throws(BuildError) -> Double {
        let value = try number(name, of: element)
        guard Float(value).isFinite else {
            throw source.fault("\(element.name) needs the number \(name), usually from 0 to 1", element)
        }
        return value
    }

    private mutating func addColor(_ values: Color) -> Int {
        draft.sharing("color \(values)") { draft in
            let color = draft.add("UIColor", fallbacks: ["NSColor"])
            if let name = values.resourceName {
                draft.set("UIDynamicCatalogName", text: name, of: color)
                draft.set("UIDynamicCatalogUseNibBundle", true, of: color)
            }
            if let name = values.systemName { draft.set("UISystemColorName", text: name, of: color) }
            let isGrey = values.values.count == 1
            draft.set("UIColorComponentCount", integer: isGrey ? 2 : 4, of: color)
            let names = isGrey ? ["UIWhite"] : ["UIRed", "UIGreen", "UIBlue"]
            for (key, value) in zip(names + ["UIAlpha"], values.values + [values.alpha]) {
                draft.set(key, .content(.float(Float(value))), of: color)
            }
            let numbers = values.alpha == 1 ? values.values : values.values + [values.alpha]
            let shown = numbers.map { NibCompiler.short($0) }.joined(separator: " ")
            draft.set(isGrey ? "NSWhite" : "NSRGB", .bytes(Array(shown.utf8)), of: color)
            draft.set("NSColorSpace", integer: isGrey ? 4 : 2, of: color)
            return color
        }
    }

    /// Returns the number with three significant digits.
    private static func short(_ number: Double) -> String {
        guard number != 0, number.isFinite else { return "0" }
        var scale = 1000.0
        var size = abs(number)
        while size < 0.1, scale < 1e12 {
            size *= 10
            scale *= 10
        }
        let rounded = (number * scale).rounded() / scale
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }

    /// The names of the colours whose components are known.
    static let systemColorNames = Set(systemColors.keys)

    /// White or three components from 0 to 255, with alpha from 0 to 1, as iOS shows them in its light appearance.
    private static let systemColors: [String: [Double]] = {
        let wide: [String: [Double]] = [
            "viewFlipsideBackgroundColor": [31, 33, 36, 1], "groupTableViewBackgroundColor": [239, 239, 244, 1],
            "scrollViewTexturedBackgroundColor": [111, 113, 121, 1], "underPageBackgroundColor": [180, 183, 188, 1],
            "redColor": [255, 0, 0, 1], "greenColor": [0, 255, 0, 1], "blueColor": [0, 0, 255, 1],
            "cyanColor": [0, 255, 255, 1], "yellowColor": [255, 255, 0, 1], "magentaColor": [255, 0, 255, 1],
            "orangeColor": [255, 127.5, 0, 1], "purpleColor": [127.5, 0, 127.5, 1], "brownColor": [153, 102, 51, 1],
            "secondaryLabelColor": [60, 60, 67, 0.6], "tertiaryLabelColor": [60, 60, 67, 0.3],
            "quaternaryLabelColor": [60, 60, 67, 0.18], "placeholderTextColor": [60, 60, 67, 0.3],
            "linkColor": [0, 122, 255, 1], "tintColor": [0, 122, 255, 1], "separatorColor": [60, 60, 67, 0.29],
            "opaqueSeparatorColor": [198, 198, 200, 1], "secondarySystemBackgroundColor": [242, 242, 247, 1],
            "systemGroupedBackgroundColor": [242, 242, 247, 1],
            "tertiarySystemGroupedBackgroundColor": [242, 242, 247, 1], "systemFillColor": [120, 120, 128, 0.2],
            "secondarySystemFillColor": [120, 120, 128, 0.16], "tertiarySystemFillColor": [118, 118, 128, 0.12],
            "quaternarySystemFillColor": [116, 116, 128, 0.08], "systemBlueColor": [0, 122, 255, 1],
            "systemGreenColor": [52, 199, 89, 1], "systemIndigoColor": [88, 86, 214, 1],
            "systemOrangeColor": [255, 149, 0, 1], "systemPinkColor": [255, 45, 85, 1],
            "systemPurpleColor": [175, 82, 222, 1], "systemRedColor": [255, 59, 48, 1],
            "systemTealColor": [90, 200, 250, 1], "systemYellowColor": [255, 204, 0, 1],
            "systemMintColor": [0, 199, 190, 1], "systemCyanColor": [50, 173, 230, 1],
            "systemBrownColor": [162, 132, 94, 1], "systemGrayColor": [142, 142, 147, 1],
            "systemGray2Color": [174, 174, 178, 1], "systemGray3Color": [199, 199, 204, 1],
            "systemGray4Color": [209, 209, 214, 1], "systemGray5Color": [229, 229, 234, 1],
            "systemGray6Color": [242, 242, 247, 1],
        ]
        let grey: [String: [Double]] = [
            "whiteColor": [1, 1], "blackColor": [0, 1], "clearColor": [0, 0], "darkGrayColor": [1.0 / 3, 1],
            "lightGrayColor": [2.0 / 3, 1], "grayColor": [0.5, 1], "darkTextColor": [0, 1],
            "lightTextColor": [1, 0.6], "labelColor": [0, 1], "textColor": [0, 1], "controlTextColor": [0, 1],
            "systemBackgroundColor": [1, 1], "tertiarySystemBackgroundColor": [1, 1],
            "secondarySystemGroupedBackgroundColor": [1, 1], "tableBackgroundColor": [1, 1],
            "tableCellGroupedBackgroundColor": [1, 1], "tableCellBackgroundColor": [1, 1],
            "textBackgroundColor": [1, 1], "systemWhiteColor": [1, 1], "systemBlackColor": [0, 1],
        ]
        return wide.mapValues { $0.dropLast().map { $0 / 255 } + $0.suffix(1) }.merging(grey) { $1 }
    }()
}

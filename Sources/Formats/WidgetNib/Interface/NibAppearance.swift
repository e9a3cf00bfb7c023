/// A colour's components, with its name among the system's or a catalogue's colours.
package struct NibColor: Equatable, Sendable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var alpha: Double
    /// A name such as `whiteColor` or `labelColor`.
    package var systemName: String?
    /// The name in an asset catalogue.
    package var resourceName: String?
    /// False for a colour that is archived by its name alone; its components are black.
    package var hasComponents = true

    package init?(_ element: NibElement) {
        guard
            ["UIColor", "NSColor", "UIDynamicColor", "UIDynamicSystemColor", "UIDynamicCatalogColor"]
                .contains(element.className) || element.has("UIColorComponentCount")
        else { return nil }
        systemName = element.string("UISystemColorName")
        resourceName = element.string("UICatalogName") ?? element.string("UIDynamicCatalogName")
        alpha = element.double("UIAlpha") ?? element.double("UIAlpha-Double") ?? 1
        if let white = element.double("UIWhite") {
            (red, green, blue) = (white, white, white)
        } else if let red = element.double("UIRed"), let green = element.double("UIGreen"),
            let blue = element.double("UIBlue")
        {
            (self.red, self.green, self.blue) = (red, green, blue)
        } else if systemName != nil || resourceName != nil {
            (red, green, blue) = (0, 0, 0)
            hasComponents = false
        } else {
            return nil
        }
    }
}

package struct NibFont: Equatable, Sendable {
    package var name: String
    package var pointSize: Double
    package var isBold: Bool
    package var isItalic: Bool
    package var isSystem: Bool
    package var isMonospaced: Bool
    /// The purpose of a system font, such as `CTFontBoldUsage`, and its replacement.
    package var usage: String?
    package var usageOverride: String?
    package var familyName: String?
    /// A style such as `UICTFontTextStyleBody`.
    package var textStyle: String?

    package init?(_ element: NibElement) {
        guard element.className == "UIFont" || element.className == "NSFont" else { return nil }
        name = element.string("UIFontName") ?? element.string("NSName") ?? ""
        pointSize = element.double("UIFontPointSize") ?? element.double("NSSize") ?? 17
        let traits = element.integer("UIFontTraits") ?? 0
        isItalic = traits & 1 != 0
        isBold = traits & 2 != 0
        isMonospaced = traits & 1 << 10 != 0
        isSystem = element.boolean("UISystemFont") ?? false
        let pairs =
            element.element("UIFontDescriptor")?.pairs("UIFontDescriptorAttributes", upTo: NibFont.attributeCount) ?? []
        let described = Dictionary(
            pairs.compactMap { pair in pair.key.text.flatMap { key in pair.value.text.map { (key, $0) } } }
        ) { first, _ in first }
        usage = described["NSCTFontUIUsageAttribute"]
        usageOverride = described["NSCTFontUIUsageOverrideAttribute"]
        familyName = element.string("UIFontFamilyName") ?? described["NSFontFamilyAttribute"]
        textStyle =
            element.string("UIFontTextStyle") ?? element.string("UIIBTextStyle")
            ?? usage.flatMap { $0.contains("TextStyle") ? $0 : nil }
    }

    /// The attributes of a descriptor that are read; files have three or four.
    private static let attributeCount = 32
}

/// A layout constraint: `first.attribute relation second.attribute × multiplier + constant`.
package struct NibConstraint: Equatable, Sendable {
    package enum Relation: Int, Sendable {
        case lessOrEqual = -1
        case equal = 0
        case greaterOrEqual = 1
    }

    package let element: NibElement
    package var first: NibElement
    package var firstAttribute: Int
    package var relation: Relation
    /// Absent for a fixed size.
    package var second: NibElement?
    package var secondAttribute: Int
    package var multiplier: Double
    package var constant: Double
    /// A symbol such as `NSSpace` for the standard distance, in place of the constant.
    package var symbolicConstant: String?
    package var priority: Double
    package var identifier: String?
    /// True for a constraint that only the editor needs.
    package var isPlaceholder: Bool

    package init?(_ element: NibElement) {
        guard let first = element.element("NSFirstItem") else { return nil }
        self.element = element
        self.first = first
        firstAttribute = element.integer("NSFirstAttributeV2") ?? element.integer("NSFirstAttribute") ?? 0
        relation = Relation(rawValue: element.integer("NSRelation") ?? 0) ?? .equal
        second = element.element("NSSecondItem")
        secondAttribute = element.integer("NSSecondAttributeV2") ?? element.integer("NSSecondAttribute") ?? 0
        multiplier = element.double("NSMultiplier") ?? 1
        constant = element.double("NSConstantV2") ?? element.double("NSConstant") ?? 0
        symbolicConstant = element.string("NSSymbolicConstant")
        priority = element.double("NSPriority") ?? 1000
        identifier = element.string("NSLayoutIdentifier")
        isPlaceholder = element.boolean("NSPlaceholder") ?? element.boolean("placeholder") ?? false
    }
}

extension NibElement {
    package func color(_ key: String) -> NibColor? { element(key).flatMap { NibColor($0) } }

    package func font(_ key: String) -> NibFont? { element(key).flatMap { NibFont($0) } }

    /// Returns the name of the image under the key.
    package func imageName(_ key: String) -> String? {
        guard let image = element(key) else { return nil }
        return image.string("UIResourceName") ?? image.string("UIImageName") ?? image.text
    }

    /// The view's frame in its superview.
    package var frame: NibRect? {
        if let frame = rect("UIFrame") { return frame }
        guard let bounds = rect("UIBounds") else { return nil }
        guard let center = point("UICenter") else { return bounds }
        return NibRect(
            x: center.x - bounds.width / 2, y: center.y - bounds.height / 2, width: bounds.width, height: bounds.height)
    }

    package var subviews: [NibElement] { elements("UISubviews") }

    /// The view's constraints, as archived. Those of layout guides are among them; the loader of the view replaces
    /// them.
    package var constraints: [NibConstraint] {
        elements("UIViewAutolayoutConstraints").compactMap { NibConstraint($0) }
    }

    /// Returns horizontal and vertical priorities, written `{251, 750}`.
    package func priorities(_ key: String) -> (horizontal: Double, vertical: Double)? {
        numbers(key, count: 2).map { ($0[0], $0[1]) }
    }
}

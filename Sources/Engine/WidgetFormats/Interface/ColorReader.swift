internal import WidgetCore
internal import WidgetNib

/// Reads colours: by the system's names, by the names of the bundle's catalogue, or by components.
///
/// Objects of an interface share colours, so each is read once.
struct ColorReader {
    /// The colours of the bundle's catalogue.
    private let named: [String: Paint]
    private var known: [NibPlace: Paint?] = [:]

    init(_ named: [String: Paint] = [:]) {
        self.named = named
    }

    mutating func paint(_ key: String, of element: NibElement) -> Paint? {
        guard let color = element.element(key) else { return nil }
        return paint(color)
    }

    mutating func paint(_ element: NibElement) -> Paint? {
        let place = NibPlace(element)
        if let paint = known[place] { return paint }
        let paint = NibColor(element).flatMap { self.paint(of: $0) }
        known.updateValue(paint, forKey: place)
        return paint
    }

    /// Returns the paint of a colour that was read already, such as the value of an attribute.
    func paint(of color: NibColor) -> Paint? {
        if let name = color.resourceName, let paint = named[name] { return paint }
        if let name = color.systemName, let role = ColorReader.roles[name] { return .role(role) }
        guard color.hasComponents else { return nil }
        // Extended spaces have components beyond what a screen of the standard space shows; these are clamped.
        return .value(RGBA(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha))
    }

    /// Names whose colours depend on light and dark. Others, such as `whiteColor`, have components.
    private static let roles: [String: ColorRole] = [
        "labelColor": .label, "secondaryLabelColor": .secondaryLabel, "tertiaryLabelColor": .tertiaryLabel,
        "quaternaryLabelColor": .quaternaryLabel, "placeholderTextColor": .placeholderText, "linkColor": .link,
        "tintColor": .tint, "systemBackgroundColor": .background,
        "secondarySystemBackgroundColor": .secondaryBackground,
        "tertiarySystemBackgroundColor": .tertiaryBackground,
        "systemGroupedBackgroundColor": .groupedBackground, "groupTableViewBackgroundColor": .groupedBackground,
        "secondarySystemGroupedBackgroundColor": .secondaryGroupedBackground,
        "tertiarySystemGroupedBackgroundColor": .tertiaryGroupedBackground,
        "tableBackgroundColor": .background, "tableCellBackgroundColor": .background,
        "tableCellGroupedBackgroundColor": .secondaryGroupedBackground,
        "systemFillColor": .fill, "secondarySystemFillColor": .secondaryFill,
        "tertiarySystemFillColor": .tertiaryFill, "quaternarySystemFillColor": .quaternaryFill,
        "separatorColor": .separator, "opaqueSeparatorColor": .opaqueSeparator,
        "systemBlueColor": .blue, "systemBrownColor": .brown, "systemCyanColor": .cyan, "systemGreenColor": .green,
        "systemIndigoColor": .indigo, "systemMintColor": .mint, "systemOrangeColor": .orange,
        "systemPinkColor": .pink, "systemPurpleColor": .purple, "systemRedColor": .red, "systemTealColor": .teal,
        "systemYellowColor": .yellow, "systemGrayColor": .gray, "systemGray2Color": .gray2,
        "systemGray3Color": .gray3, "systemGray4Color": .gray4, "systemGray5Color": .gray5,
        "systemGray6Color": .gray6, "lightTextColor": .lightText, "darkTextColor": .darkText,
    ]
}

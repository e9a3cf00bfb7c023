internal import WidgetCore
internal import WidgetNib

/// Reads the looks of buttons, those in bars too.
extension LookReader {
    mutating func readButtonPaint(_ element: NibElement, _ look: inout Appearance) {
        look.font = fonts.font("UIFont", of: element)
        look.buttonType = element.integer("UIButtonType")
        look.systemItem = element.integer("UISystemItem")
        look.lineBreak = element.choice("UILineBreakMode")
        look.contentInsets = element.insets("UIContentEdgeInsets").map { Insets($0) }
        look.titleInsets = element.insets("UITitleEdgeInsets").map { Insets($0) }
        look.imageInsets = (element.insets("UIImageEdgeInsets") ?? element.insets("UIImageInsets")).map { Insets($0) }
        look.alignment = element.integer("UIContentHorizontalAlignment").flatMap { Self.sides[$0] }
        look.verticalPlace = element.choice("UIContentVerticalAlignment")
        if let normal = contents(element).first(where: { $0.bits == 0 })?.content {
            look.titleColor = colors.paint("UITitleColor", of: normal)
            look.titleShadow = colors.paint("UIShadowColor", of: normal)
            look.backgroundImage = normal.imageName("UIBackgroundImage")
            readTitle(normal.element("UIAttributedTitle"), &look)
        }
        guard let configuration = element.element("UIButtonConfiguration") else { return }
        readTitle(configuration.element("UIButtonConfigurationTitle"), &look)
        // A title with one look has no parts.
        if look.runs.count == 1 {
            look.font = look.runs[0].font ?? look.font
            look.runs = []
        }
        if let insets = configuration.insets("UIButtonConfigurationContentInset") {
            look.contentInsets = Insets(insets, isPhysical: false)
        }
        look.lineBreak = configuration.choice("UIButtonConfigurationTitleLineBreakMode") ?? look.lineBreak
        look.alignment =
            configuration.integer("UIButtonConfigurationTitleAlignment").flatMap { Self.titleSides[$0] }
            ?? look.alignment
    }

    /// The alignments of a control's content: centre, left, right, filled, leading, trailing.
    private static let sides: [Int: TextAlignment] = [
        0: .center, 1: .left, 2: .right, 3: .justified, 4: .natural, 5: .trailing,
    ]
    private static let titleSides: [Int: TextAlignment] = [2: .center, 3: .trailing]

    private mutating func readTitle(_ title: NibElement?, _ look: inout Appearance) {
        guard let title else { return }
        look.runs = attributedTexts.text(title, &colors, &fonts).runs
    }

    private func contents(_ element: NibElement) -> [(bits: Int, content: NibElement)] {
        element.pairs("UIButtonStatefulContent", upTo: limits.partCount).compactMap { pair in
            pair.key.number.flatMap { Int(exactly: $0) }.map { ($0, pair.value) }
        }
    }

    /// Returns the parts of a look that only buttons have; `nil` for a button without any.
    mutating func button(_ element: NibElement, _ translations: Translations) -> ButtonLook? {
        var look = ButtonLook()
        for (bits, content) in contents(element) where bits != 0 {
            var state = StateLook(bits: bits)
            state.title = translations.text("UITitle", orAttributed: "UIAttributedTitle", of: content)
            state.titleColor = colors.paint("UITitleColor", of: content)
            state.titleShadow = colors.paint("UIShadowColor", of: content)
            state.image = content.imageName("UIImage")
            state.backgroundImage = content.imageName("UIBackgroundImage")
            look.states.append(state)
        }
        look.configuration = element.element("UIButtonConfiguration").map { configuration($0, translations) }
        return look == ButtonLook() ? nil : look
    }

    private mutating func configuration(_ element: NibElement, _ translations: Translations) -> ButtonConfiguration {
        var look = ButtonConfiguration()
        look.style = element.choice("UIButtonConfigurationButtonStyle") ?? .plain
        look.corners = element.choice("UIButtonConfigurationCornerStyle") ?? .dynamic
        look.scale = element.choice("UIButtonConfigurationButtonSize") ?? .medium
        look.imagePlacement = element.choice("UIButtonConfigurationImagePlacement") ?? .leading
        look.imagePadding = element.measure("UIButtonConfigurationImagePadding") ?? 0
        look.titlePadding = element.measure("UIButtonConfigurationTitlePadding") ?? 0
        look.subtitle = element.element("UIButtonConfigurationSubtitle").flatMap {
            translations.text("NSString", of: $0)
        }
        look.foreground = colors.paint("UIButtonConfigurationBaseForegroundColor", of: element)
        look.background = colors.paint("UIButtonConfigurationBaseBackgroundColor", of: element)
        return look
    }
}

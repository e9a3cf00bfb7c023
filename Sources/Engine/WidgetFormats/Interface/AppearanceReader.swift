internal import WidgetCore
internal import WidgetNib

/// Reads the paint of elements: colours, fonts, edges, and the parts of controls.
extension LookReader {
    mutating func appearance(_ element: NibElement, _ kind: NodeKind, _ className: String) -> Appearance {
        var look = Appearance()
        look.background = colors.paint("UIBackgroundColor", of: element)
        look.tint = colors.paint("UITintColor", of: element)
        look.alpha = (element.double("UIAlpha") ?? 1).limited(to: 0...1)
        look.isOpaque = element.boolean("UIOpaque") ?? false
        look.clips = element.boolean("UIClipsToBounds")
        look.contentMode = element.choice("UIContentMode")
        switch kind {
        case .label: readLabel(element, &look)
        case .textField, .textArea, .searchField: readField(element, &look)
        case .button: readButtonPaint(element, &look)
        case .activity: readActivity(element, &look)
        case .progress:
            look.foreground = colors.paint("UIProgressProgressTintColor", of: element)
            look.trackTint = colors.paint("UIProgressTrackTintColor", of: element)
        case .toggle:
            look.foreground = colors.paint("UISwitchOnTintColor", of: element)
            look.thumbTint = colors.paint("UISwitchThumbTintColor", of: element)
        case .slider:
            look.foreground = colors.paint("UIMinimumTintColor", of: element)
            look.trackTint = colors.paint("UIMaximumTintColor", of: element)
            look.thumbTint = colors.paint("UIThumbTintColor", of: element)
        case .pageControl:
            look.foreground = colors.paint("UICurrentPageIndicatorTintColor", of: element)
            look.trackTint = colors.paint("UIPageIndicatorTintColor", of: element)
        case .segments: look.foreground = colors.paint("UISelectedSegmentTintColor", of: element)
        case .row: readRow(element, &look)
        default: break
        }
        if className == "UIVisualEffectView" { look.blur = blur(element) }
        return look
    }

    // MARK: - Texts

    /// The usual line break of labels, which archives leave out.
    private static let labelBreak = LineBreak.truncateTail

    private mutating func readLabel(_ element: NibElement, _ look: inout Appearance) {
        readText(element, &look)
        look.lines = max(element.integer("UINumberOfLines") ?? 1, 0)
        look.lineBreak = element.choice("UILineBreakMode") ?? Self.labelBreak
        look.highlighted = colors.paint("UIHighlightedColor", of: element)
        look.titleShadow = colors.paint("UIShadowColor", of: element)
        readAttributedText("UIAttributedText", element, &look)
    }

    private mutating func readField(_ element: NibElement, _ look: inout Appearance) {
        readText(element, &look)
        let isField = element.baseClassName == "UITextField"
        if isField { look.fieldBorder = element.choice("UIBorderStyle") ?? FieldBorder.none }
        look.backgroundImage = element.imageName(isField ? "UITextFieldBackground" : "UIBackgroundImage")
        readAttributedText("UIAttributedText", element, &look)
    }

    /// Reads the colour, font, alignment and fitting of a text.
    private mutating func readText(_ element: NibElement, _ look: inout Appearance) {
        look.foreground = colors.paint("UITextColor", of: element)
        look.font = fonts.font("UIFont", of: element)
        look.alignment = element.choice("UITextAlignment")
        guard element.boolean("UIAdjustsFontSizeToFit") == true else { return }
        if let scale = element.double("UIMinimumScaleFactor"), scale > 0 {
            look.minimumScale = scale.limited(to: 0...1)
        } else if let size = element.double("UIMinimumFontSize"), size > 0, let font = look.font {
            look.minimumScale = (size / font.size).limited(to: 0...1)
        }
    }

    private mutating func readAttributedText(_ key: String, _ element: NibElement, _ look: inout Appearance) {
        guard let object = element.element(key) else { return }
        let text = attributedTexts.text(object, &colors, &fonts)
        look.runs = text.runs
        if look.alignment == nil { look.alignment = text.alignment }
    }

    // MARK: - Controls

    private mutating func readActivity(_ element: NibElement, _ look: inout Appearance) {
        let style = element.integer("UIActivityIndicatorViewStyle") ?? 1
        look.isLarge = style == 0 || style == 101
        look.foreground =
            colors.paint("UIActivityIndicatorViewColor", of: element) ?? colors.paint("UIColor", of: element)
        // The two oldest styles are white, others grey.
        if look.foreground == nil, style < 2 {
            look.foreground = .value(RGBA(red: 255 as UInt8, green: 255, blue: 255))
        }
    }

    private mutating func readRow(_ element: NibElement, _ look: inout Appearance) {
        look.accessory = element.choice("UIAccessoryType")
        if element.baseClassName == "UITableViewCell" {
            look.selection = element.choice("UISelectionStyle") ?? .standard
        }
        look.separatorInset = element.insets("UISeparatorInset").map { Insets($0) }
    }

    /// Returns the style of a blur. Later styles have an older one beside them, for older systems.
    private func blur(_ element: NibElement) -> Int? {
        guard let effect = element.element("UIVisualEffectViewEffect") else { return nil }
        let prefix = effect.className == "UIBlurEffect" ? "UIBlurEffect" : "UIVibrancyEffectBlur"
        return ["MaterialStyle", "AutomaticStyle", "Style"].lazy.compactMap { effect.integer(prefix + $0) }.first
    }

    // MARK: - Attributes that are set on loading

    /// Applies attributes in the order of the file. The framework has those of a layer under their short names, too.
    func apply(_ attributes: [NibRuntimeAttribute], to look: inout Appearance) {
        for attribute in attributes {
            let value = attribute.value
            let name = attribute.keyPath.hasPrefix("layer.") ? attribute.keyPath.dropFirst(6) : attribute.keyPath[...]
            switch name {
            case "cornerRadius": look.cornerRadius = max(value.measure ?? 0, 0)
            case "borderWidth": look.borderWidth = max(value.measure ?? 0, 0)
            case "borderColor", "borderUIColor": look.border = paint(value)
            case "masksToBounds", "clipsToBounds": look.clips = value.truth ?? look.clips
            case "shadowColor", "shadowUIColor": shadow(&look) { $0.paint = paint(value) }
            case "shadowOpacity": shadow(&look) { $0.opacity = (value.measure ?? 0).limited(to: 0...1) }
            case "shadowRadius":
                shadow(&look) { $0.radius = max(value.measure ?? 0, 0) }
                // The framework's own name lets the shadow show beyond the edges.
                if name == attribute.keyPath { look.clips = false }
            case "shadowOffset":
                switch value {
                case .size(let size), .point(let size): shadow(&look) { $0.offset = Size(size) }
                case .null, .text, .number, .truth, .color, .rect, .range, .image, .other: break
                }
            case "standardShadow": look.shadow = Self.standardShadow(value.truth ?? false)
            case "backgroundColor": look.background = paint(value)
            case "tintColor": look.tint = paint(value)
            case "textColor": look.foreground = paint(value)
            default: break
            }
        }
    }

    private func paint(_ value: NibRuntimeValue) -> Paint? {
        if case .color(let color) = value { colors.paint(of: color) } else { nil }
    }

    private func shadow(_ look: inout Appearance, _ change: (inout Shadow) -> Void) {
        var shadow = look.shadow ?? Shadow()
        change(&shadow)
        look.shadow = shadow
    }

    /// The shadow of the framework's views.
    private static func standardShadow(_ isShown: Bool) -> Shadow {
        Shadow(opacity: 0.3, offset: Size(width: 0, height: 0), radius: isShown ? 2 : 0)
    }
}

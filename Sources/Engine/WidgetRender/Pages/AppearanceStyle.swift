internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// The declarations of an element's paint.
struct AppearanceStyle {
    private let kind: NodeKind
    private let look: Appearance
    private let scrolls: Bool
    /// True if elements or text of the system's colours lie in it.
    private let hasContent: Bool
    private let outerGround: Bool?
    private var style = StyleDeclarations()

    /// - Parameter ground: true for a dark ground around the node, and `nil` for that of the system.
    static func declarations(_ node: Node, on ground: Bool?) -> StyleDeclarations {
        guard let look = node.look?.appearance else { return StyleDeclarations() }
        var style = AppearanceStyle(
            kind: node.kind, look: look, scrolls: node.look?.scrolling != nil, hasContent: hasContent(node),
            outerGround: ground)
        style.colors()
        style.text()
        style.layer()
        style.picture()
        return style.style
    }

    private init(kind: NodeKind, look: Appearance, scrolls: Bool, hasContent: Bool, outerGround: Bool?) {
        self.scrolls = scrolls
        self.kind = kind
        self.look = look
        self.hasContent = hasContent
        self.outerGround = outerGround
    }

    /// True if a ground of the node's lies below elements or text of the system's colours.
    static func hasContent(_ node: Node) -> Bool { !node.children.isEmpty || node.kind.row.isControl }

    /// True for a dark opaque ground of the author's, false for a light one.
    static func ground(of node: Node) -> Bool? {
        guard case .value(let color) = node.look?.appearance.background, color.alpha == 255 else { return nil }
        return color.isDark
    }

    static func value(_ paint: Paint) -> StyleValue {
        switch paint {
        case .role(let role): .property(LayoutClasses.role(role))
        case .value(let color): value(color)
        case .pair(let light, let dark): .function("light-dark", [value(light), value(dark)])
        }
    }

    static func value(_ color: RGBA) -> StyleValue {
        .color(color.red, color.green, color.blue, alpha: color.alpha)
    }

    // MARK: - Colours

    private mutating func colors() {
        if let background = look.background, isSeen(background) {
            style.set("background-color", AppearanceStyle.value(background))
            ground(background)
        }
        if let tint = look.tint, tint != .role(.tint) { style.set("--tint", AppearanceStyle.value(tint)) }
        if kind == .button {
            if let color = look.titleColor ?? look.foreground { style.set("color", AppearanceStyle.value(color)) }
        } else if let foreground = look.foreground {
            style.set(hasParts ? "--on" : "color", AppearanceStyle.value(foreground))
        }
        if let track = look.trackTint { style.set("--off", AppearanceStyle.value(track)) }
        if let thumb = look.thumbTint { style.set("--thumb", AppearanceStyle.value(thumb)) }
    }

    /// True for controls that the base sheet draws, with a part for what is on or done, one for the rest, and a thumb.
    private var hasParts: Bool {
        switch kind {
        case .toggle, .slider, .progress, .pageControl, .segments: true
        default: false
        }
    }

    /// Elements without a ground of the system's need no clear one.
    private func isSeen(_ paint: Paint) -> Bool {
        guard case .value(let color) = paint, color.alpha == 0 else { return true }
        switch kind {
        case .list, .grid, .textField, .textArea, .searchField, .segments, .stepper, .datePicker, .picker: return true
        default: return false
        }
    }

    /// Colours of the system are those for dark or light grounds inside an opaque one of the author's.
    private mutating func ground(_ paint: Paint) {
        guard hasContent, case .value(let color) = paint, color.alpha == 255 else { return }
        let isDark = color.isDark
        guard isDark != outerGround else { return }
        style.set("color-scheme", isDark ? "dark" : "light")
        // Children inherit the computed colour, which is that of the ground around.
        if look.foreground == nil, kind != .button { style.set("color", .property(LayoutClasses.role(.label))) }
    }

    // MARK: - Text

    private mutating func text() {
        if let font = look.font { style.add(FontStyle.declarations(font)) }
        switch look.alignment {
        case .left: align("left", "left")
        case .center: align("center", "center")
        case .right: align("right", "right")
        case .justified: align("justify", "flex-start")
        case .trailing: align("end", "flex-end")
        case .natural: if kind == .button { style.set("justify-content", "flex-start") }
        case nil: break
        }
        if kind == .label {
            style.set("white-space", (look.lines ?? 1) == 1 ? "nowrap" : "pre-wrap")
            if look.lineBreak == .characterWrap { style.set("word-break", "break-all") }
        }
        if let insets = look.contentInsets, kind == .button || kind == .textArea {
            style.add(PaddingStyle.declarations(insets))
        }
    }

    private mutating func align(_ text: StyleValue, _ content: StyleValue) {
        style.set("text-align", text)
        if kind == .button { style.set("justify-content", content) }
    }

    // MARK: - The layer

    private static let black = RGBA(red: UInt8(0), green: 0, blue: 0)

    private mutating func layer() {
        if look.alpha < 1 { style.set("opacity", .number(max(look.alpha.isNaN ? 1 : look.alpha, 0))) }
        // What scrolls shows no more than its own box anyway.
        let clips = (look.clips ?? false) && !scrolls
        if clips, kind == .box || kind == .image || kind == .form || kind == .row { style.set("overflow", "hidden") }
        if look.cornerRadius > 0 {
            let radius = StyleValue.points(Affine.bounded(look.cornerRadius))
            // Corner is listed in the order of a stylesheet.
            style.set(
                "border-radius",
                look.corners.map { corners in
                    .words(Corner.allCases.map { corners.contains($0) ? radius : .points(0) })
                } ?? radius)
        }
        var shadows: [StyleValue] = []
        if look.borderWidth > 0 {
            let color = AppearanceStyle.value(look.border ?? .value(AppearanceStyle.black))
            let width = StyleValue.points(min(Affine.bounded(look.borderWidth), 1_000))
            // A border takes no room from the content: in a container its children would move.
            if kind == .image {
                style.set("outline", .words([width, "solid", color]))
                style.set("outline-offset", .points(-min(Affine.bounded(look.borderWidth), 1_000)))
            } else {
                shadows.append(.words(["inset 0 0 0", width, color]))
            }
        }
        if let shadow = look.shadow, shadow.opacity > 0 { shadows.append(contentsOf: drop(shadow)) }
        if !shadows.isEmpty { style.set("box-shadow", .list(shadows)) }
    }

    /// The shadow of a box. Of an element without a ground, it is the content that throws it.
    private mutating func drop(_ shadow: Shadow) -> [StyleValue] {
        let color: RGBA
        switch shadow.paint {
        case .value(let value), .pair(let value, _): color = value
        case .role, nil: color = AppearanceStyle.black
        }
        let opacity = min(max(shadow.opacity.isNaN ? 0 : shadow.opacity, 0), 1)
        let alpha = UInt8((Double(color.alpha) * opacity).rounded())
        let offset = [shadow.offset.width, shadow.offset.height].map { StyleValue.points(Affine.bounded($0)) }
        // Half of the blur of a stylesheet lies outside, of the system's radius all.
        let blur = StyleValue.points(2 * min(max(Affine.bounded(shadow.radius), 0), 500))
        let parts = offset + [blur, .color(color.red, color.green, color.blue, alpha: alpha)]
        guard look.background == nil, kind != .box else { return [.words(parts)] }
        style.set("filter", .function("drop-shadow", [.words(parts)]))
        return []
    }

    // MARK: - Pictures

    private mutating func picture() {
        guard kind == .image, let mode = look.contentMode else { return }
        let place: StyleValue
        switch mode {
        case .scaleToFill, .redraw:
            style.set("object-fit", "fill")
            return
        case .aspectFit:
            style.set("object-fit", "contain")
            return
        case .aspectFill:
            style.set("object-fit", "cover")
            return
        case .center: place = "center"
        case .top: place = "top"
        case .bottom: place = "bottom"
        case .left: place = "left"
        case .right: place = "right"
        case .topLeft: place = "left top"
        case .topRight: place = "right top"
        case .bottomLeft: place = "left bottom"
        case .bottomRight: place = "right bottom"
        }
        style.set("object-fit", "none")
        style.set("object-position", place)
    }
}

/// The declarations of a font.
struct FontStyle {
    /// - Parameter isPart: true for a part of a text, whose font may differ from that of the text around it.
    static func declarations(_ font: FontRequest, isPart: Bool = false) -> StyleDeclarations {
        var style = StyleDeclarations()
        let size = min(max(font.size.isNaN ? usualSize : font.size, 0), largestSize)
        style.set("font-size", font.style.map { FontStyle.size(of: $0) } ?? .rem(size))
        if font.weight != 400 || isPart { style.set("font-weight", .number(Double(min(max(font.weight, 1), 1_000)))) }
        if font.isItalic || isPart { style.set("font-style", font.isItalic ? "italic" : "normal") }
        let system: StyleValue =
            "-apple-system,BlinkMacSystemFont,\"Inter\",\"Segoe UI\",Roboto,\"Helvetica Neue\",sans-serif"
        if font.isMonospaced {
            style.set("font-family", "ui-monospace,Menlo,Consolas,monospace")
        } else if let family = font.family {
            style.set("font-family", .list([.quoted(String(family.prefix(familyLength))), system]))
        } else {
            if isPart { style.set("font-family", system) }
            // Where the system draws its own font, it tracks by itself, and the sheet of all pages sets this to 0.
            style.set("letter-spacing", tracking(font.style, size))
        }
        return style
    }

    static func size(of style: TextStyle) -> StyleValue {
        .property(LayoutClasses.size(of: style), or: .rem(style.size(at: .large)))
    }

    /// The distance between letters, which depends on the size that a font has at the reader's setting.
    private static func tracking(_ style: TextStyle?, _ size: Double) -> StyleValue {
        let usual = style?.size(at: .large) ?? size
        let name = style.map { LayoutClasses.tracking(of: $0) } ?? LayoutClasses.tracking(at: Int(size.rounded()))
        let share = StyleValue.property(name, or: .number(-TextMetrics.tracking(at: usual)))
        return .function("calc", [.words([.property("--track", or: "-1em"), "*", share])])
    }

    private static let usualSize = 17.0
    private static let largestSize = 1_000.0
    private static let familyLength = 100
}

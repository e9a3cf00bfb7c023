internal import WidgetCore

/// The paint of the bars of a program's screens, as rules of its sheet.
enum BarSheet {
    /// - Parameter place: of the scene among those of the program.
    static func name(_ classes: LayoutClasses, _ place: Int, _ kind: String = "bar") -> String {
        "\(classes.prefix)-\(place)-\(kind)"
    }

    static func rules(of scene: Scene, _ classes: LayoutClasses, _ place: Int) -> String {
        let bars = [("bar", scene.navigationBar), ("toolbar", scene.toolbar), ("tabs", scene.tabBar)]
        return bars.map { kind, bar in bar.map { rules(of: $0, name(classes, place, kind)) } ?? "" }.joined()
    }

    private static func rules(of bar: BarGeometry, _ name: String) -> String {
        var rules: [String] = []
        if bar.isDark {
            rules.append("color-scheme:dark;color:var(\(LayoutClasses.role(.label)))")
            if bar.background == nil { rules.append("background:\(css(ground(of: bar)))") }
            if bar.tint == nil, let tint = tint(of: bar) { rules.append("\(LayoutClasses.role(.tint)):\(css(tint))") }
        }
        if let background = bar.background {
            rules.append("background:\(css(background))")
            // The system's own colours are legible on the ground that the author chose.
            if !bar.isDark, let isDark = isDark(background) {
                rules.append("color-scheme:\(isDark ? "dark" : "light");color:var(\(LayoutClasses.role(.label)))")
            }
        }
        if let tint = bar.tint { rules.append("\(LayoutClasses.role(.tint)):\(css(tint))") }
        var text = rules.isEmpty ? "" : ".\(name){\(rules.joined(separator: ";"))}\n"
        if let color = bar.titleColor { text += ".\(name) .bt{color:\(css(color))}\n" }
        return text
    }

    /// The ground of dark bars, and a tint that can be read on it.
    private static let darkGround = RGBA(red: UInt8(0x29), green: 0x29, blue: 0x2B, alpha: 0xF2)
    private static let darkTint = RGBA(red: UInt8(0x40), green: 0x9C, blue: 0xFF)

    static func ground(of bar: BarGeometry) -> Paint {
        bar.background ?? (bar.isDark ? .value(darkGround) : .role(.bar))
    }

    static func tint(of bar: BarGeometry) -> Paint? { bar.tint ?? (bar.isDark ? .value(darkTint) : nil) }

    /// True for a bar with the system's colours for dark grounds; `nil` for one that follows the scheme.
    static func isDark(_ bar: BarGeometry) -> Bool? { bar.isDark ? true : bar.background.flatMap { isDark($0) } }

    private static func css(_ paint: Paint) -> String {
        switch paint {
        case .role(let role): "var(\(LayoutClasses.role(role)))"
        case .value(let color): color.css
        case .pair(let light, let dark): "light-dark(\(light.css),\(dark.css))"
        }
    }

    /// `nil` for a paint that follows the scheme, or that lets through what lies below.
    private static func isDark(_ paint: Paint) -> Bool? {
        guard case .value(let color) = paint, color.alpha == 255 else { return nil }
        return color.isDark
    }
}

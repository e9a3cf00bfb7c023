internal import JSONText

/// Names for colours, fonts, lengths and styles, for a widget and everything in it.
///
/// Themes around each other add up: a name that is not set here has the meaning that it has outside.
public struct WidgetTheme: Sendable, Equatable {
    /// The entries of the parts of a theme, as documents have them.
    private var parts: [String: [String: JSONValue]] = [:]

    /// A theme without names: all of them have the meaning that they have outside.
    public init() {}

    /// The paint of active parts, such as the ground of a prominent button.
    public var accent: WidgetColor? {
        get { color("accent") }
        set { setColor("accent", newValue) }
    }

    /// The paint of the titles of buttons.
    public var link: WidgetColor? {
        get { color("link") }
        set { setColor("link", newValue) }
    }

    /// The paint of texts.
    public var text: WidgetColor? {
        get { color("text") }
        set { setColor("text", newValue) }
    }

    /// The paint of second lines.
    public var secondaryText: WidgetColor? {
        get { color("secondaryText") }
        set { setColor("secondaryText", newValue) }
    }

    /// The size in points of texts for which no other font is said.
    public var bodySize: Double? {
        get { parts["fonts"]?["body"]?["size"]?.double }
        set { set("body", in: "fonts", newValue.map { .record([("size", .number($0))]) }) }
    }

    /// A colour that has that name; `WidgetColor("name")` uses it.
    public mutating func setColor(_ name: String, _ color: WidgetColor?) {
        set(name, in: "colors", color.map { .text($0.text) })
    }

    /// A colour with a value for light and one for dark.
    public mutating func setColor(_ name: String, light: WidgetColor, dark: WidgetColor) {
        set(name, in: "colors", .record([("light", .text(light.text)), ("dark", .text(dark.text))]))
    }

    /// A font that has that name.
    public mutating func setFont(
        _ name: String, _ font: WidgetFont = .body, size: Double? = nil, bold: Bool = false, italic: Bool = false
    ) {
        var members: [(String, JSONValue)] = [("style", .text(font.rawValue))]
        if let size { members.append(("size", .number(size))) }
        if bold { members.append(("bold", .flag(true))) }
        if italic { members.append(("italic", .flag(true))) }
        set(name, in: "fonts", .record(members))
    }

    /// A length in points that has that name.
    public mutating func setLength(_ name: String, _ points: Double) { set(name, in: "numbers", .number(points)) }

    /// A style that has that name; `.style("name")` uses it.
    public mutating func setStyle(_ name: String, _ style: WidgetStyle) { set(name, in: "styles", style.json) }

    private func color(_ name: String) -> WidgetColor? { parts["colors"]?[name]?.string.map { WidgetColor($0) } }

    private mutating func set(_ name: String, in part: String, _ value: JSONValue?) {
        parts[part, default: [:]][name] = value
    }

    /// The entries that the theme around does not have; `nil` without any.
    func document(within outer: WidgetTheme) -> JSONValue? {
        let members = parts.sorted { $0.key < $1.key }.compactMap { part, entries -> (String, JSONValue)? in
            let other = entries.filter { outer.parts[part]?[$0.key] != $0.value }.sorted { $0.key < $1.key }
            return other.isEmpty ? nil : (part, .record(other.map { ($0.key, $0.value) }))
        }
        return members.isEmpty ? nil : .record(members)
    }
}

/// Looks and sizes by themselves, for a theme or for several widgets: `WidgetStyle().padding(8).cornerRadius(4)`.
public struct WidgetStyle: StyledWidget, TextStyled {
    /// The description of the style, which modifiers change.
    public var element = WidgetElement.kind("box")

    /// A style without looks, to which modifiers add.
    public init() {}

    /// The style as documents have it. Values that change are left out.
    var json: JSONValue {
        .record(
            element.style.compactMap { name, value in
                if case .literal(let json) = value.form { (name, json) } else { nil }
            })
    }
}

extension ModifiableWidget {
    /// A theme for the widget and everything in it, in place of the one around it.
    public func theme(_ theme: WidgetTheme) -> Modified { context { $0.theme = $0.theme.adding(theme) } }

    /// Changes the theme for the widget and everything in it.
    public func theme(_ change: @escaping (inout WidgetTheme) -> Void) -> Modified {
        context { change(&$0.theme) }
    }

    /// Takes a style that the theme names. Modifiers of the widget count more.
    public func style(_ name: String) -> Modified {
        var copy = modified
        copy.element.styleNames.append(name)
        return copy
    }

    /// Takes the looks of a style. What comes later counts.
    public func style(_ style: WidgetStyle) -> Modified {
        var copy = modified
        copy.element.style += style.element.style
        copy.element.styleNames += style.element.styleNames
        return copy
    }
}

extension WidgetTheme {
    /// This theme with the entries of another one.
    func adding(_ other: WidgetTheme) -> WidgetTheme {
        var theme = self
        for (part, entries) in other.parts { theme.parts[part, default: [:]].merge(entries) { $1 } }
        return theme
    }
}

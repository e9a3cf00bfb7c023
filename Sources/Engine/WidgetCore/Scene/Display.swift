package import WidgetContract
internal import WidgetPredicates

/// The place in which a host shows a widget. Expressions read it as `environment.display`.
package struct Display: Equatable, Sendable {
    package var mode: DisplayMode
    /// The most room that the widget can have in this mode, in points; `nil` if the host does not limit it.
    package var maximum: Size?
    /// The margins that the host proposes, in points.
    package var insets: Insets

    package init(
        mode: DisplayMode = .expanded, maximum: Size? = nil,
        insets: Insets = Insets(top: 0, leading: 0, bottom: 0, trailing: 0)
    ) {
        self.mode = mode
        self.maximum = maximum
        self.insets = insets
    }

    /// As `environment.display`: `mode`, `max.width`, `max.height`, and `insets.top`, `left`, `bottom`, `right`.
    package var value: Value {
        var members: [(String, Value)] = [("insets", Display.value(of: insets)), ("mode", .string(mode.rawValue))]
        if let maximum {
            let size = PredicateDictionary([("height", .double(maximum.height)), ("width", .double(maximum.width))])
            members.append(("max", .dictionary(size)))
        }
        return .dictionary(PredicateDictionary(members))
    }

    package static func value(of insets: Insets) -> Value {
        .dictionary(
            PredicateDictionary([
                ("bottom", .double(insets.bottom)), ("left", .double(insets.leading)),
                ("right", .double(insets.trailing)), ("top", .double(insets.top)),
            ]))
    }
}

extension Environment {
    /// The environment as expressions see it; a widget's own name `environment` hides it.
    package var value: Value {
        let host = HostAbility.allCases.map { ($0.rawValue, Value.boolean(abilities.contains($0))) }
        return .dictionary(
            PredicateDictionary([
                ("display", display.value), ("host", .dictionary(PredicateDictionary(host))),
                ("locale", .string(locale)),
            ]))
    }
}

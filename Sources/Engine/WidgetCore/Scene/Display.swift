internal import Predicates

/// The place in which a host shows a widget. Expressions read it as `environment.display`.
package struct Display: Equatable, Sendable {
    /// A widget among others has a fixed height at first, and more when a person wants to see more of it.
    package enum Mode: String, CaseIterable, Sendable { case compact, expanded }

    package var mode: Mode
    /// The most room that the widget can have in this mode, in points; `nil` if the host does not limit it.
    package var maximum: Size?
    /// The margins that the host proposes, in points.
    package var insets: Insets

    package init(
        mode: Mode = .expanded, maximum: Size? = nil,
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

/// An ability of a host. Expressions read it as `environment.host.input`, and so on.
package enum HostAbility: String, CaseIterable, Sendable {
    /// Text can be typed and values can be chosen.
    case input
    /// Links to other apps can be opened.
    case links
    /// Pictures and films can be picked.
    case media
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

/// The size in which a host shows a widget. A widget among others has a fixed height at first, and more when a person
/// wants to see more of it.
package enum DisplayMode: String, CaseIterable, Sendable, Comparable {
    case compact, expanded

    /// The one with less room is less.
    package static func < (left: DisplayMode, right: DisplayMode) -> Bool { left == .compact && right == .expanded }
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

/// A side of the margins around a widget.
package enum InsetSide: String, CaseIterable, Sendable {
    case left, top, right, bottom

    /// Points; a widget that wants more than this wants no room for itself.
    package static let range = 0.0...10_000.0
}

internal import WidgetContract

/// The words in which a widget makes statements about itself: members of a document's scene, and keys of the section
/// `WidgetContract` of a bundle's `Info.plist`.
package enum TermWords {
    /// The key of the section in `Info.plist`.
    package static let section = "WidgetContract"

    package static let members: [(name: String, about: String)] = [
        ("modes", "the display modes that the widget has: `compact`, `expanded` or both; without it, both"),
        ("insets", "the margins that the widget wants, by their sides; expressions read the host's as `proposed.left`"),
        ("visible", "false while the widget has nothing to show, and hosts hide it"),
        ("update", "when hosts ask for newer data"),
        ("watch", "the value that an update compares; without it, the whole screen"),
        ("links", "the addresses that lead into the widget or out of it, by their names"),
        ("groups", "the groups whose cache the widget shares"),
        ("needs", "the abilities of hosts without which the widget is of little use: `input`, `links`, `media`"),
    ]

    package static let modes = DisplayMode.allCases.map { $0.rawValue }
    package static let abilities = HostAbility.allCases.map { $0.rawValue }

    /// The members of `insets`.
    package static let insets: [PropertySpec] = InsetSide.allCases.map {
        PropertySpec($0.rawValue, .number, "points at the \($0.rawValue); without it, those that the host proposes")
    }

    /// The members of `update`.
    package static let update: [PropertySpec] = [
        PropertySpec(
            "interval", .number, isBindable: false, "seconds from one update to the next, from 1 to 604800 (a week)"),
        PropertySpec("deadline", .number, isBindable: false, "seconds within which an update ends, from 0.1 to 300"),
    ]

    /// The members of a link.
    package static let link: [PropertySpec] = [
        PropertySpec(
            "pattern", .text, isBindable: false, isRequired: true, "the address, such as `acme://events/{id:integer}`"),
        PropertySpec(
            "scene", .text, isBindable: false, "the screen that it leads to; without it, the host follows the link"),
        PropertySpec("parameters", .object, isBindable: false, "the parameters that parts are, where names differ"),
        PropertySpec("reveal", .object, isBindable: false, "the row that it leads to"),
    ]

    /// The members of `reveal`.
    package static let reveal: [PropertySpec] = [
        PropertySpec("list", .text, isBindable: false, isRequired: true, "the name of the list"),
        PropertySpec(
            "key", .text, isBindable: false, isRequired: true, "the key path in each item that has the part's value"),
        PropertySpec(
            "part", .text, isBindable: false, "the part of the pattern; without it, the one with the name of the key"),
    ]
}

internal import JSONText
internal import WidgetCore

/// The names that colours, fonts, lengths and styles have at a place of a document.
///
/// It has what the author gave; the rest is that of the system.
final class Theme: Sendable {
    let colors: [String: Paint]
    let fonts: [String: FontRequest]
    let numbers: [String: Double]
    /// The members of each style, which were checked.
    let styles: [String: [(name: String, value: DocumentValue)]]

    init(
        colors: [String: Paint] = [:], fonts: [String: FontRequest] = [:], numbers: [String: Double] = [:],
        styles: [String: [(name: String, value: DocumentValue)]] = [:]
    ) {
        (self.colors, self.fonts, self.numbers, self.styles) = (colors, fonts, numbers, styles)
    }

    static let standard = Theme()

    /// The colours that every theme has, and what they are for.
    static let roles: [(name: String, paint: Paint, about: String)] = [
        ("accent", .role(.tint), "of active parts, such as the ground of a prominent button"),
        ("link", .role(.link), "of the titles of buttons"),
        ("text", .role(.label), "of texts"),
        ("secondaryText", ColorWords.quiet, "of further texts, such as the second line of a cell"),
    ]

    static let accent = "accent"
    static let link = "link"
    static let text = "text"
    static let secondaryText = "secondaryText"
    static let body = "body"

    /// The names in it.
    var count: Int { colors.count + fonts.count + numbers.count + styles.count }

    /// A colour by its name, or as it is written.
    func paint(_ text: String) -> Paint? {
        colors[text] ?? Theme.roles.first { $0.name == text }?.paint ?? ColorWords.paint(text)
    }

    /// A font by its name, which may be that of a text style.
    func font(_ name: String) -> FontRequest? { fonts[name] ?? FontRequest.style(name) }

    /// The font of texts for which nothing else is said.
    var bodyFont: FontRequest { fonts[Theme.body] ?? .body }

    /// A length that is written as a number, or with the name of one.
    func length(_ json: JSONValue) -> Double? { json.double ?? json.string.flatMap { numbers[$0] } }

    var colorNames: [String] { (ColorWords.roles + Theme.roles.map { $0.name } + colors.keys).sorted() }

    var fontNames: [String] { (DocumentWords.fonts + fonts.keys).sorted() }
}

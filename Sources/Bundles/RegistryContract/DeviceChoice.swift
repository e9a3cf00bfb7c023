/// The reader and the device that a bundle's page shows its widget for.
package struct DeviceChoice: Equatable, Sendable {
    /// The sizes that pages have a frame for.
    package enum Size: String, CaseIterable, Sendable {
        case small, phone, large, landscape, tablet

        package var name: String {
            switch self {
            case .small: "Small phone"
            case .phone: "Phone"
            case .large: "Large phone"
            case .landscape: "Phone, sideways"
            case .tablet: "Tablet"
            }
        }

        /// In points.
        package var points: (width: Int, height: Int) {
            switch self {
            case .small: (320, 568)
            case .phone: (375, 667)
            case .large: (414, 896)
            case .landscape: (667, 375)
            case .tablet: (768, 1_024)
            }
        }
    }

    package enum Scheme: String, CaseIterable, Sendable { case light, dark }

    package enum Direction: String, CaseIterable, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
    }

    /// Of the twelve sizes of text that widgets know, those that look different enough to be offered.
    package enum TextSize: String, CaseIterable, Sendable {
        case small = "S"
        case usual = "L"
        case large = "XXL"
        case largest = "AX3"
    }

    private static let sizeParameter = DeviceChoice.oneOf("size", Size.self, "The device: phone unless given.")
    private static let schemeParameter = DeviceChoice.oneOf(
        "scheme", Scheme.self, "Light or dark: as the reader's system is unless given.")
    private static let directionParameter = DeviceChoice.oneOf(
        "dir", Direction.self, "The direction of the layout: that of the language unless given.")
    private static let textParameter = DeviceChoice.oneOf("text", TextSize.self, "The size of texts: L unless given.")
    private static let localeParameter = QueryParameter.text(
        "locale", .pattern("^[A-Za-z0-9_-]{1,32}$"),
        "The language and region, as de_AT: the bundle's own unless given.",
        expectation: "a language and region as de_AT", where: DeviceChoice.isLocale)

    /// The parameters about the reader alone.
    package static let reader = [
        schemeParameter.described, directionParameter.described, localeParameter.described, textParameter.described,
    ]
    package static let all = [sizeParameter.described] + reader

    package var size = Size.phone
    package var scheme: Scheme?
    package var direction: Direction?
    package var textSize = TextSize.usual
    package var locale: String?

    package init() {}

    package init(_ query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        guard query.hasQuery else { return }
        self = try DeviceChoice(reader: query)
        size = try Self.sizeParameter.value(in: query) ?? .phone
    }

    /// The choice of a page that has no size to choose.
    package init(reader query: borrowing some QuerySource & ~Copyable) throws(UnreadableParameter) {
        scheme = try Self.schemeParameter.value(in: query)
        direction = try Self.directionParameter.value(in: query)
        textSize = try Self.textParameter.value(in: query) ?? .usual
        locale = try Self.localeParameter.value(in: query)
    }

    private static func oneOf<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: StaticString, _ words: Word.Type, _ about: String
    ) -> QueryParameter<Word> {
        let names = words.allCases.map(\.rawValue)
        return QueryParameter(
            name, .word(names), about, expectation: "one of \(names.joined(separator: ", "))",
            read: { Word(rawValue: $0) }, write: { $0.rawValue })
    }

    /// True for what widgets take as a language and region.
    package static func isLocale(_ text: String) -> Bool {
        1...32 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }

    /// The query of the bundle's page with this choice; empty for the usual one.
    package var query: String {
        var query: QueryText = []
        Self.sizeParameter.add(size == .phone ? nil : size, to: &query)
        Self.schemeParameter.add(scheme, to: &query)
        Self.directionParameter.add(direction, to: &query)
        Self.textParameter.add(textSize == .usual ? nil : textSize, to: &query)
        Self.localeParameter.add(locale, to: &query)
        // No name and no value has a character that an address would have to spell otherwise.
        return query.isEmpty ? "" : "?" + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

/// The name of something a node has. Authors may use names of their own; those that the engine reads are below.
package struct PropertyName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    /// A number made of the name. Evaluations and printers compare names more often than they do anything else, and
    /// names that differ nearly always differ in it.
    private let code: UInt64

    package init(_ name: String) {
        self.name = name
        // FNV-1a.
        var code: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { code = (code ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.code = code
    }

    package init(stringLiteral name: String) { self.init(name) }

    package static func == (first: PropertyName, second: PropertyName) -> Bool {
        first.code == second.code && first.name == second.name
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    // MARK: - What is shown

    package static let text: PropertyName = "text"
    package static let placeholder: PropertyName = "placeholder"
    package static let image: PropertyName = "image"
    package static let imageURL: PropertyName = "image-url"
    /// Shown while there is no other picture.
    package static let placeholderImage: PropertyName = "placeholder-image"
    package static let accessibleName: PropertyName = "accessible-name"

    // MARK: - Values of controls

    package static let value: PropertyName = "value"
    package static let minimum: PropertyName = "minimum"
    package static let maximum: PropertyName = "maximum"
    package static let step: PropertyName = "step"
    package static let titles: PropertyName = "titles"
    package static let pageCount: PropertyName = "page-count"
    /// Of a constraint.
    package static let constant: PropertyName = "constant"
    package static let active: PropertyName = "active"
    package static let hidesWhenStopped: PropertyName = "hides-when-stopped"
    package static let refreshing: PropertyName = "refreshing"
    package static let selectsSeveral: PropertyName = "selects-several"
    /// The answer of a server to an upload.
    package static let uploadResult: PropertyName = "upload-result"

    // MARK: - States

    package static let hidden: PropertyName = "hidden"
    package static let disabled: PropertyName = "disabled"
    package static let readOnly: PropertyName = "read-only"
    package static let isProminent: PropertyName = "prominent"
    package static let alpha: PropertyName = "alpha"
    /// Where text is being typed.
    package static let focused: PropertyName = "focused"
    /// A field that was asked for and is missing.
    package static let invalid: PropertyName = "invalid"
    package static let selected: PropertyName = "selected"
}

/// The languages whose letters fold differently, as far as folding without a dictionary goes.
package enum TextLocale: Sendable, Hashable {
    /// Every language without rules of its own.
    case root
    /// Turkish and Azeri: I folds to ı, and İ to i.
    case turkic
    /// Lithuanian: the dot that i and j keep under an accent is no difference of its own.
    case lithuanian

    /// The locale that an identifier such as `tr_TR` or `az-Latn-AZ` names.
    package init(identifier: String) {
        let language = identifier.prefix { $0 != "_" && $0 != "-" }.lowercased()
        switch language {
        case "tr", "az", "tur", "aze": self = .turkic
        case "lt", "lit": self = .lithuanian
        default: self = .root
        }
    }
}

internal import Nib

/// How one attribute of a source becomes a value of the compiled interface.
enum AttributeRule {
    /// Only the editor needs it.
    case editor
    /// Read where its meaning is known.
    case handled
    /// Written when it says what is not the default.
    case truth(String, default: Bool)
    /// Written, as the opposite, when it says what is not the default.
    case opposite(String, default: Bool)
    case integer(String)
    case float(String)
    case double(String)
    case text(String)
    /// A text that people read.
    case translatable(String)
    case choice(String, [String: Int])
    /// A choice that is left out when it is this one.
    case choiceExcept(String, [String: Int], Int)
    case image(String)
    /// The id of another object.
    case reference(String)
}

/// What an element of a source is, and what may stand in it.
struct ElementRule {
    var className: String
    var fallbacks: [String] = []
    /// The element whose rules hold for this one too.
    var base: String?
    var attributes: [String: AttributeRule] = [:]
    /// Parts by their `key`: what they are called in the compiled interface.
    var colors: [String: String] = [:]
    var fonts: [String: String] = [:]
    var texts: [String: String] = [:]
    var insets: [String: String] = [:]
    var sizes: [String: String] = [:]
    /// Objects by their `key`.
    var objects: [String: String] = [:]
    /// Elements that hold a list of objects.
    var lists: [String: String] = [:]
    /// Elements that only the editor needs, with all that is in them.
    var ignored: Set<String> = []
    /// Written for every such element.
    var constants: [(String, NibContent)] = []
    var isView = false
    var hasTextTraits = false

    /// The rule with those it is based on.
    static func named(_ name: String) -> ElementRule? {
        guard var rule = all[name] else { return nil }
        var base = rule.base
        // The chains are those of the tables, four long at most.
        while let name = base, let other = all[name] {
            rule.attributes.merge(other.attributes) { own, _ in own }
            rule.colors.merge(other.colors) { own, _ in own }
            rule.fonts.merge(other.fonts) { own, _ in own }
            rule.texts.merge(other.texts) { own, _ in own }
            rule.insets.merge(other.insets) { own, _ in own }
            rule.sizes.merge(other.sizes) { own, _ in own }
            rule.objects.merge(other.objects) { own, _ in own }
            rule.lists.merge(other.lists) { own, _ in own }
            rule.ignored.formUnion(other.ignored)
            let own = Set(rule.constants.map(\.0))
            rule.constants = other.constants.filter { !own.contains($0.0) } + rule.constants
            rule.isView = rule.isView || other.isView
            rule.hasTextTraits = rule.hasTextTraits || other.hasTextTraits
            base = other.base
        }
        return rule
    }

    private static let all = views.merging(controls) { $1 }.merging(scrolling) { $1 }.merging(screens) { $1 }
}

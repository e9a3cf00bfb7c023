internal import WidgetCore
internal import WidgetLayout

/// The choices of an author who looks at a widget as readers with other devices see it. A kind without a choice is as usual.
package struct PageLook: Equatable, Hashable, Sendable {
    /// A kind of choice, by its name in addresses.
    package enum Kind: String, CaseIterable, Sendable {
        /// As `375x667`, in points; usually the whole window.
        case size
        case scheme
        case direction = "dir"
        case textSize = "text"

        /// The words that are offered; of sizes, any two numbers are.
        package var words: [String] {
            switch self {
            case .size: []
            case .scheme: Viewport.Scheme.allCases.map { $0.rawValue }
            case .direction: Viewport.Direction.allCases.map { $0.rawValue }
            case .textSize: Viewport.TextSize.allCases.map { $0.rawValue }
            }
        }
    }

    private static let lengths = 100.0...4_000.0

    private var words: [Kind: String] = [:]

    package init() {}

    /// - Parameter word: gives the choice of a kind. Other words are ignored.
    package init(_ word: (Kind) -> String?) {
        for kind in Kind.allCases { choose(word(kind) ?? "", of: kind) }
    }

    package subscript(kind: Kind) -> String? { words[kind] }

    /// - Parameter word: empty for the usual.
    /// - Returns: false for a word that the kind lacks.
    @discardableResult
    package mutating func choose(_ word: String, of kind: Kind) -> Bool {
        let isKnown = kind == .size ? PageLook.size(word) != nil : kind.words.contains(word)
        guard word.isEmpty || isKnown else { return false }
        words[kind] = word.isEmpty ? nil : word
        return true
    }

    private static func size(_ text: String) -> Size? {
        let lengths = text.utf8.count > 16 ? [] : text.split(separator: "x", omittingEmptySubsequences: false)
        let numbers = lengths.compactMap { Int($0).map(Double.init) }.filter { self.lengths ~= $0 }
        return lengths.count == 2 && numbers.count == 2 ? Size(width: numbers[0], height: numbers[1]) : nil
    }

    /// The parameters of an address, each as `scheme=dark`. No word has a character that would have to be escaped.
    package var parameters: [String] {
        Kind.allCases.compactMap { kind in words[kind].map { "\(kind.rawValue)=\($0)" } }
    }

    /// The options of a page with these choices.
    package func applied(to usual: PageOptions) -> PageOptions {
        var options = usual
        if let size = words[.size].flatMap(PageLook.size) {
            options.viewport.size = size
            options.frame = size
        }
        if let scheme = words[.scheme].flatMap(Viewport.Scheme.init) {
            options.viewport.scheme = scheme
            options.scheme = scheme
        }
        if let direction = words[.direction].flatMap(Viewport.Direction.init) { options.viewport.direction = direction }
        if let size = words[.textSize].flatMap(Viewport.TextSize.init) { options.viewport.textSize = size }
        return options
    }
}

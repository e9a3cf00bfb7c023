/// The pages that may hold widgets of this registry in their frames.
package struct FrameAncestors: Equatable, Sendable {
    /// As policies of browsers write them: `'self'`, `'none'`, `*`, and origins.
    package let sources: [String]

    package init(_ sources: [String]) { self.sources = sources }

    /// The pages of the registry alone.
    package static let own = FrameAncestors([ownSource])

    private static let ownSource = "'self'"
    private static let anySource = "*"

    /// True if any page may.
    package var areAll: Bool { sources.contains(FrameAncestors.anySource) }

    /// The list in a policy.
    var text: String { sources.joined(separator: " ") }

    /// The same with the registry's own pages, which show stills in frames in any case.
    var withOwn: String {
        if areAll { return text }
        let others = sources.filter { $0.contains("://") }
        return ([FrameAncestors.ownSource] + others).joined(separator: " ")
    }
}

/// The operator's choices for pages of widgets alone; asked anew for each page, so that a reload shows.
package struct Embedding: Sendable {
    let ancestors: @Sendable () -> FrameAncestors
    let hasEngine: @Sendable () -> Bool

    /// - Parameters:
    ///   - ancestors: the pages that may hold them in frames.
    ///   - hasEngine: true once browsers have an engine to run widgets with.
    package init(
        ancestors: @escaping @Sendable () -> FrameAncestors = { .own },
        hasEngine: @escaping @Sendable () -> Bool = { false }
    ) {
        self.ancestors = ancestors
        self.hasEngine = hasEngine
    }
}

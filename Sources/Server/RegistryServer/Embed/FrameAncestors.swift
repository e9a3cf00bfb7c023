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
    let running: @Sendable () -> PageRunning

    /// - Parameters:
    ///   - ancestors: the pages that may hold them in frames.
    ///   - running: that of all pages at this moment.
    package init(
        ancestors: @escaping @Sendable () -> FrameAncestors = { .own },
        running: @escaping @Sendable () -> PageRunning = { .usual }
    ) {
        self.ancestors = ancestors
        self.running = running
    }
}

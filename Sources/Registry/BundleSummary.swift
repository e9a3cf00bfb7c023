/// What there is of one bundle.
package struct BundleSummary: Equatable, Sendable {
    package var identifier: String
    /// The name of the latest release, or of the last one published when all are withdrawn.
    package var name: String
    /// The key of the highest release that is not withdrawn; a snapshot only if there is nothing else.
    package var latest: String?
    /// Withdrawn ones are counted too.
    package var releaseCount: Int
    /// In the order of their names.
    package var channels: [Channel]
}

/// Part of a list, in the list's order.
package struct Page<Item: Sendable>: Sendable {
    package var items: [Item]
    /// Where the next part begins, to be handed back as it is; `nil` at the end.
    package var next: String?
}

extension Page: Equatable where Item: Equatable {}

/// Which bundles to list, in the order of their identifiers.
package struct BundleQuery: Sendable {
    /// What identifiers begin with.
    package var prefix = ""
    /// What identifier or name holds; ASCII letters in either case.
    package var text = ""
    /// A channel that the bundle has.
    package var channel: String?
    package var limit: Int
    /// The `next` of the page before.
    package var after: String?
    /// Which bundles the reader may know of.
    package var isVisible: @Sendable (String) -> Bool

    package init(
        prefix: String = "", text: String = "", channel: String? = nil, limit: Int, after: String? = nil,
        isVisible: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.prefix = prefix
        self.text = text
        self.channel = channel
        self.limit = limit
        self.after = after
        self.isVisible = isVisible
    }
}

/// The statements of a widget about itself, which its host acts on unless it knows better.
package struct WidgetTerms: Sendable {
    /// The modes that it can be shown in; empty if it declares none, and then it can be shown in all.
    package var modes: Set<DisplayMode> = []
    /// The margins that it wants instead of the proposed ones, in points. Expressions see those as `proposed`.
    package var insets: [InsetSide: TermExpression] = [:]
    /// False while it has nothing to show.
    package var visible: TermExpression?
    package var policy = DataUpdatePolicy()
    /// The value that is compared after an update; `nil`: the whole view.
    package var watch: TermExpression?
    /// In the order in which they were declared, each name once.
    package private(set) var links: [DeclaredLink] = []
    /// The names of the groups whose cache it shares.
    package var groups: [String] = []
    /// The abilities of hosts without which it is of little use.
    package var needs: Set<HostAbility> = []

    package static let groupCount = 32
    /// Bytes of a group's name.
    package static let groupByteCount = 128

    package init() {}

    /// The largest mode that it can be shown in.
    package var largestMode: DisplayMode { modes.max() ?? .expanded }

    /// The mode in which it is shown where a host wants one: that one, or the largest that it has.
    package func mode(for wanted: DisplayMode) -> DisplayMode {
        modes.isEmpty || modes.contains(wanted) ? wanted : largestMode
    }

    /// The abilities that it needs and a host lacks, sorted.
    package func lacking(in abilities: Set<HostAbility>) -> [HostAbility] {
        needs.subtracting(abilities).sorted { $0.rawValue < $1.rawValue }
    }

    /// True for a name that groups can have: letters, digits, dots, hyphens and underscores, a letter or digit first.
    package static func isGroupName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard 1...groupByteCount ~= bytes.count, let first = bytes.first else { return false }
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
        }
        return isAlphanumeric(first) && bytes.allSatisfy { isAlphanumeric($0) || [0x2D, 0x2E, 0x5F].contains($0) }
    }

    // MARK: - Links

    package func link(_ name: String) -> DeclaredLink? { links.first { $0.name == name } }

    /// - Returns: false if a link of the name is there already, or ``LinkRouter/routeCount`` others are.
    package mutating func add(_ link: DeclaredLink) -> Bool {
        guard links.count < LinkRouter.routeCount, self.link(link.name) == nil else { return false }
        links.append(link)
        return true
    }

    /// The links into the widget.
    package var router: LinkRouter { LinkRouter(links.compactMap { $0.route }) }
}

/// A link that a widget declares: it can write it, and follow it if it says where it leads.
package struct DeclaredLink: Equatable, Sendable {
    package let name: String
    package let pattern: LinkPattern
    /// `nil` for a link out of the bundle, which only the host can follow.
    package let route: LinkRoute?

    package init(_ name: String, _ pattern: LinkPattern, route: LinkRoute? = nil) {
        self.name = name
        self.pattern = pattern
        self.route = route
    }
}

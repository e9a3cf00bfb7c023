/// An argument known by its place.
package struct Positional: Equatable, Sendable {
    package enum Count: Equatable, Sendable {
        case one
        case optional
        /// One or more; only as the last.
        case several
        /// None or more; only as the last.
        case any
    }

    /// In capitals, as in the help.
    package var name: String
    package var count: Count
    package var help: String

    package init(_ name: String, _ count: Count = .one, help: String) {
        self.name = name
        self.count = count
        self.help = help
    }

    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .several: "\(name)..."
        case .any: "[\(name)...]"
        }
    }

    var minimumCount: Int { count == .one || count == .several ? 1 : 0 }
    var maximumCount: Int { count == .one || count == .optional ? 1 : .max }
}

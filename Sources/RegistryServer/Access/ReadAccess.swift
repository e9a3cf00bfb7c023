package import HTTPServer

/// Decides who may read what. Asked by every reading route before anything is looked up.
package protocol ReadAccess: Sendable {
    /// Whoever sends the request, or the problem that keeps them out.
    ///
    /// It is called on an event loop, so it must not block.
    func reader(_ request: borrowing Request) throws(Problem) -> Reader
}

/// Somebody who may read, and what they may know of.
package struct Reader: Sendable {
    /// The bundles this reader sees; `nil`: all of them, like everybody.
    private let visibility: (@Sendable (String) -> Bool)?
    /// What the identifiers of all that this reader sees begin with.
    private let prefix: String

    private init(_ visibility: (@Sendable (String) -> Bool)?, prefix: String = "") {
        self.visibility = visibility
        self.prefix = prefix
    }

    /// Reads what everybody can read.
    package static let anyone = Reader(nil)

    /// Reads with a permission of its own: no answer made for this reader may reach another.
    ///
    /// - Parameter prefix: begins the identifiers of all that this reader sees.
    package init(within prefix: String = "", seeing visibility: @escaping @Sendable (String) -> Bool) {
        self.init(visibility, prefix: prefix)
    }

    /// Whether answers to this reader are the same for everybody, and may be kept and shared.
    package var isAnyone: Bool { visibility == nil }

    package func sees(_ bundleIdentifier: String) -> Bool {
        visibility?(bundleIdentifier) ?? true
    }

    /// Whether a widget's identifier can lead to anything that this reader sees. Where it cannot, nothing is looked up, so
    /// that it takes no longer when there is something hidden. Letters in any case will do, for help with the spelling.
    func maySee(widget identifier: String) -> Bool {
        prefix.isEmpty || identifier.lowercased().utf8.starts(with: prefix.lowercased().utf8)
    }

    /// The caching of an answer that is made for this reader.
    func caching(_ caching: Document.Caching) -> Document.Caching { isAnyone ? caching : .privately }
}

/// Reading is open to everybody.
package struct OpenReading: ReadAccess {
    package init() {}

    package func reader(_ request: borrowing Request) -> Reader { .anyone }
}

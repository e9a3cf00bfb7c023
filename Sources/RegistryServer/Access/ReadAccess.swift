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

    private init(_ visibility: (@Sendable (String) -> Bool)?) {
        self.visibility = visibility
    }

    /// Reads what everybody can read.
    package static let anyone = Reader(nil)

    /// Reads with a permission of its own: no answer made for this reader may reach another.
    package init(seeing visibility: @escaping @Sendable (String) -> Bool) {
        self.init(visibility)
    }

    /// Whether answers to this reader are the same for everybody, and may be kept and shared.
    package var isAnyone: Bool { visibility == nil }

    package func sees(_ bundleIdentifier: String) -> Bool {
        visibility?(bundleIdentifier) ?? true
    }

    /// The caching of an answer that is made for this reader.
    func caching(_ caching: Document.Caching) -> Document.Caching { isAnyone ? caching : .privately }
}

/// Reading is open to everybody.
package struct OpenReading: ReadAccess {
    package init() {}

    package func reader(_ request: borrowing Request) -> Reader { .anyone }
}

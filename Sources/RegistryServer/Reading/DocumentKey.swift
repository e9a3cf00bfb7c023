/// What a kept answer is an answer to.
struct DocumentKey: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case resolution, archive, bundles, bundle, channels, channel, releases, release, report, files, diff, changes,
            page
    }

    let kind: Kind
    /// The parameters that decide, in one text; no two sets of them have the same.
    let text: String

    /// - Parameter parts: in the order the kind has them. None holds a line's end: those that could have been read
    ///   as identifiers, versions or encoded text before.
    init(_ kind: Kind, _ parts: String?...) {
        self.kind = kind
        text = parts.map { $0 ?? "" }.joined(separator: "\n")
    }

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Whether publishing the first release of a bundle may change the answer: a longer identifier matches better.
    func mayMatch(_ bundleIdentifier: String) -> Bool {
        switch kind {
        case .resolution, .archive: text.utf8.starts(with: bundleIdentifier.utf8)
        default: false
        }
    }
}

package import WidgetBytes

/// A browser that has signed in. Its name is known to the browser alone.
///
/// A session has no rights: those of its token are looked up for each request.
package struct SessionRecord: Equatable, Sendable {
    /// The SHA-256 of its name.
    package var key: Digest
    /// The number of its token; 0 for the token of the settings.
    package var token: Int64
    /// The owner's place among those who share the room.
    package var share: DeskShare
    /// Seconds since 1970, as are the others.
    package var begun: Int64
    /// Accurate to some minutes.
    package var used: Int64

    package init(key: Digest, token: Int64, share: DeskShare, begun: Int64, used: Int64) {
        self.key = key
        self.token = token
        self.share = share
        self.begun = begun
        self.used = used
    }
}

/// An archive that a page has sent, and that waits for its sender's word.
package struct WaitingUpload: Equatable, Sendable {
    /// The SHA-256 of its name.
    package var key: Digest
    package var token: Int64
    package var share: DeskShare
    package var since: Int64
    /// Of the archive as it was sent.
    package var digest: Digest
    /// The request, as the query of a program would have it.
    package var request: String
    /// The page that followed its publication; `nil` while it waits.
    package var outcome: String?

    package init(
        key: Digest, token: Int64, share: DeskShare, since: Int64, digest: Digest, request: String,
        outcome: String? = nil
    ) {
        self.key = key
        self.token = token
        self.share = share
        self.since = since
        self.digest = digest
        self.request = request
        self.outcome = outcome
    }
}

/// The owner of something that takes room: the labels of the names that its token is for, then the token.
package struct DeskShare: Equatable, Sendable {
    package let prefix: String
    private let path: [String]

    package init(prefix: String, token: Int64) {
        self.prefix = prefix
        // No label has a blank, so no token is taken for one.
        path = prefix.split(separator: ".").map(String.init) + ["token \(token)"]
    }

    package static func == (left: DeskShare, right: DeskShare) -> Bool { left.path == right.path }

    /// The part of those who hold most at each level of the names, down to one token: who has to make room.
    static func largest<Item>(of items: [Item], by share: (Item) -> DeskShare) -> [Item] {
        var (left, depth) = (items, 0)
        while true {
            let groups = Dictionary(grouping: left) { item in
                let path = share(item).path
                return depth < path.count ? path[depth] : ""
            }
            guard let most = groups.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else { return [] }
            if most.key.isEmpty { return most.value }
            left = most.value
            depth += 1
        }
    }
}

internal import Database

/// Numbers that hosts and followers have seen must not come again. When the catalog is replaced, all of them begin
/// anew past whatever was shown: past what is still known of it, and past the seconds since 1970, which rise faster
/// than channels change.
struct Epoch {
    private(set) var number: Int64
    /// What is higher was never given, but read from something damaged.
    static let highest: Int64 = 1 << 48

    init(now: Int64) {
        number = min(max(1, now), Epoch.highest)
    }

    mutating func pass(_ seen: Int64?) {
        guard let seen, seen >= number, seen < Epoch.highest else { return }
        number = seen + 1
    }

    /// Passes what a store's catalog and mark tell, as far as they can be read.
    mutating func pass(_ store: Store) {
        pass(store.markedTag)
        guard let connection = try? Connection(opening: "\(store.path)/\(StoreNames.catalog)", for: .reading) else {
            return
        }
        pass(try? Catalog(connection: connection).highestNumber())
    }
}

extension Catalog {
    /// The highest tag or sequence there is.
    func highestNumber() throws(RegistryError) -> Int64 {
        try first(
            """
            SELECT MAX(COALESCE((SELECT MAX(tag) FROM change), 0), COALESCE((SELECT MAX(sequence) FROM channel), 0))
            """
        ) { row throws(DatabaseError) in try row.integer(0) } ?? 0
    }

    /// Gives every channel a sequence past the epoch, and tells the feed of each.
    ///
    /// - Returns: how many channels there are, and the last tag.
    func raise(_ epoch: Epoch, by author: String, at time: Int64) throws(RegistryError) -> (channels: Int, tag: Int64) {
        try run(
            """
            UPDATE placement SET sequence = ? WHERE id IN (
                SELECT head FROM channel WHERE placement.id = channel.head AND placement.sequence = channel.sequence)
            """, .integer(epoch.number))
        let count = try run("UPDATE channel SET sequence = ?", .integer(epoch.number))
        try run(
            """
            INSERT INTO change (tag, at, kind, bundle, release, channel, sequence, author)
            SELECT ? + ROW_NUMBER() OVER (ORDER BY bundle.identifier, channel.name), ?, 'promote', bundle.identifier,
                release.key, channel.name, channel.sequence, ?
            FROM channel JOIN bundle ON bundle.id = channel.bundle JOIN release ON release.id = channel.release
            """, .integer(max(epoch.number, try latestTag())), .integer(time), .text(author))
        return (count, try latestTag())
    }
}

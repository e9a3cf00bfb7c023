internal import Database
internal import RegistryContract

/// What a channel shows, in the catalog's numbers.
struct ChannelState: Equatable {
    var release: Int64
    var base: Int64?
    var rollout: Int
    var isMandatory: Bool
    var salt: String

    func shows(_ id: Int64) -> Bool { release == id || base == id }
}

/// A row of the table `channel`.
struct ChannelRow {
    var bundle: Int64
    var name: String
    var state: ChannelState
    var sequence: Int64
    var changedAt: Int64
    /// The last row of its history.
    var head: Int64
}

/// A row of the table `placement`: how a release came onto a channel.
struct PlacementRow {
    enum Kind: String { case publish, promote, rollback, withdraw }

    var id: Int64
    var sequence: Int64
    var kind: Kind
    var state: ChannelState
    var previous: Int64?
    var replaced: Int64?
    var cause: Int64?
}

extension ChannelRow {
    init(_ row: Row) throws(DatabaseError) {
        bundle = try row.integer(0)
        name = try row.text(1)
        state = ChannelState(
            release: try row.integer(2), base: try row.optionalInteger(3), rollout: try row.count(4),
            isMandatory: try row.flag(5), salt: try row.text(6))
        guard state.rollout <= Rollout.bucketCount else { throw row.unexpected("a rollout", 4) }
        sequence = try row.integer(7)
        changedAt = try row.integer(8)
        head = try row.integer(9)
    }
}

extension PlacementRow {
    init(_ row: Row) throws(DatabaseError) {
        id = try row.integer(0)
        sequence = try row.integer(3)
        guard let kind = Kind(rawValue: try row.text(5)) else { throw row.unexpected("a kind", 5) }
        self.kind = kind
        state = ChannelState(
            release: try row.integer(6), base: try row.optionalInteger(7), rollout: try row.count(8),
            isMandatory: try row.flag(9), salt: try row.text(10))
        previous = try row.optionalInteger(11)
        replaced = try row.optionalInteger(12)
        cause = try row.optionalInteger(13)
        // What came before has a lower number; a file that says otherwise could lead in circles.
        if let previous, previous >= id { throw row.unexpected("an earlier row", 11) }
    }
}

extension Catalog {
    func channels(ofBundle bundle: Int64) throws(RegistryError) -> [ChannelRow] {
        try all("SELECT * FROM channel WHERE bundle = ? ORDER BY name", .integer(bundle), read: ChannelRow.init)
    }

    func channel(_ name: String, ofBundle bundle: Int64) throws(RegistryError) -> ChannelRow? {
        try first(
            "SELECT * FROM channel WHERE bundle = ? AND name = ?", .integer(bundle), .text(name), read: ChannelRow.init)
    }

    func placement(_ id: Int64) throws(RegistryError) -> PlacementRow {
        guard let row = try first("SELECT * FROM placement WHERE id = ?", .integer(id), read: PlacementRow.init) else {
            throw .damaged("placement \(id) is referred to, but not there")
        }
        return row
    }

    /// The last time that a release was put on a channel.
    func placement(of release: Int64, onChannel channel: ChannelRow) throws(RegistryError) -> PlacementRow? {
        try first(
            "SELECT * FROM placement WHERE bundle = ? AND channel = ? AND release = ? ORDER BY id DESC LIMIT 1",
            .integer(channel.bundle), .text(channel.name), .integer(release), read: PlacementRow.init)
    }

    /// A channel that was not there, with its first release.
    func createChannel(
        _ name: String, ofBundle bundle: Int64, showing state: ChannelState, kind: PlacementRow.Kind, at time: Int64
    ) throws(RegistryError) {
        try run(
            """
            INSERT INTO channel (bundle, name, release, base, rollout, is_mandatory, salt, sequence, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)
            """, .integer(bundle), .text(name), .integer(state.release), .optional(state.base),
            .integer(state.rollout), .flag(state.isMandatory), .text(state.salt), .integer(time))
        let head = try insertPlacement(state, on: name, ofBundle: bundle, sequence: 1, kind: kind, at: time)
        try run(
            "UPDATE channel SET head = ? WHERE bundle = ? AND name = ?", .integer(head), .integer(bundle), .text(name))
    }

    /// Writes a step of a channel's history; making it the channel's present is another matter.
    func insertPlacement(
        _ state: ChannelState, on channel: String, ofBundle bundle: Int64, sequence: Int64, kind: PlacementRow.Kind,
        at time: Int64, previous: Int64? = nil, replaced: Int64? = nil, cause: Int64? = nil
    ) throws(RegistryError) -> Int64 {
        try insert(
            """
            INSERT INTO placement (bundle, channel, sequence, at, kind, release, base, rollout, is_mandatory, salt,
                previous, replaced, cause)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(bundle), .text(channel), .integer(sequence), .integer(time), .text(kind.rawValue),
            .integer(state.release), .optional(state.base), .integer(state.rollout), .flag(state.isMandatory),
            .text(state.salt), .optional(previous), .optional(replaced), .optional(cause))
    }

    /// The step that follows a channel's present one.
    func insertPlacement(
        _ state: ChannelState, after channel: ChannelRow, kind: PlacementRow.Kind, at time: Int64, previous: Int64?,
        replaced: Int64? = nil, cause: Int64? = nil
    ) throws(RegistryError) -> Int64 {
        try insertPlacement(
            state, on: channel.name, ofBundle: channel.bundle, sequence: try channel.nextSequence(), kind: kind,
            at: time,
            previous: previous, replaced: replaced, cause: cause)
    }

    /// A step of history in place of the one there was: the same release, shown to more or fewer.
    func updatePlacement(_ id: Int64, _ state: ChannelState) throws(RegistryError) {
        try run(
            "UPDATE placement SET base = ?, rollout = ?, is_mandatory = ? WHERE id = ?", .optional(state.base),
            .integer(state.rollout), .flag(state.isMandatory), .integer(id))
    }

    /// Lets a channel show something else from now on, and raises its sequence.
    func updateChannel(
        _ channel: ChannelRow, _ state: ChannelState, head: Int64, at time: Int64
    ) throws(RegistryError) -> ChannelRow {
        var changed = channel
        changed.state = state
        changed.sequence = try channel.nextSequence()
        changed.changedAt = time
        changed.head = head
        try run(
            """
            UPDATE channel SET release = ?, base = ?, rollout = ?, is_mandatory = ?, salt = ?, sequence = ?,
                changed_at = ?, head = ?
            WHERE bundle = ? AND name = ?
            """, .integer(state.release), .optional(state.base), .integer(state.rollout),
            .flag(state.isMandatory), .text(state.salt), .integer(changed.sequence), .integer(time), .integer(head),
            .integer(channel.bundle), .text(channel.name))
        return changed
    }

    /// The channel in names, as readers know it.
    func channel(_ row: ChannelRow, of bundle: String) throws(RegistryError) -> Channel {
        Channel(
            bundleIdentifier: bundle, name: row.name, release: try releaseKey(row.state.release),
            rollout: row.state.rollout, base: try row.state.base.map(releaseKey), isMandatory: row.state.isMandatory,
            sequence: row.sequence, salt: row.state.salt, changedAt: row.changedAt)
    }

    func releaseKey(_ id: Int64) throws(RegistryError) -> String {
        let key = try first("SELECT key FROM release WHERE id = ?", .integer(id)) { row throws(DatabaseError) in
            try row.text(0)
        }
        guard let key else { throw .damaged("release \(id) is referred to, but not there") }
        return key
    }
}

extension ChannelRow {
    fileprivate func nextSequence() throws(RegistryError) -> Int64 {
        let (next, isTooHigh) = sequence.addingReportingOverflow(1)
        guard !isTooHigh else { throw .damaged("the sequence of \(name) is as high as a number can be") }
        return next
    }
}

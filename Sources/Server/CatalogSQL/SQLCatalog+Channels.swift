internal import RegistryContract
package import WidgetRegistry

/// Channels, their history, and the feed of changes.
extension SQLCatalog {
    package func channels(ofBundle bundle: Int64) throws(RegistryError) -> [ChannelRecord] {
        try all(
            "SELECT * FROM channel WHERE bundle = ? AND deleted_at IS NULL ORDER BY name", .integer(bundle),
            read: ChannelRecord.init)
    }

    package func channel(_ name: String, ofBundle bundle: Int64) throws(RegistryError) -> ChannelRecord? {
        try first(
            "SELECT * FROM channel WHERE bundle = ? AND name = ? AND deleted_at IS NULL", .integer(bundle), .text(name),
            read: ChannelRecord.init)
    }

    package func channelCount(ofBundle bundle: Int64) throws(RegistryError) -> Int {
        try first("SELECT COUNT(*) FROM channel WHERE bundle = ? AND deleted_at IS NULL", .integer(bundle)) {
            row throws(RegistryError) in try row.count(0)
        } ?? 0
    }

    package func lastSequence(
        ofDeletedChannel name: String, ofBundle bundle: Int64
    ) throws(RegistryError) -> Int64 {
        try first(
            "SELECT sequence FROM channel WHERE bundle = ? AND name = ? AND deleted_at IS NOT NULL", .integer(bundle),
            .text(name)
        ) { row throws(RegistryError) in try row.integer(0) } ?? 0
    }

    package func insertChannel(_ first: ChannelStep) throws(RegistryError) {
        let state = first.state
        try noteLeft(first.channel, ofBundle: first.bundle, at: first.at)
        try run(
            """
            INSERT INTO channel (bundle, name, release, base, rollout, is_mandatory, salt, sequence, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (bundle, name) DO UPDATE SET release = excluded.release, base = excluded.base,
                rollout = excluded.rollout, is_mandatory = excluded.is_mandatory, salt = excluded.salt,
                sequence = excluded.sequence, changed_at = excluded.changed_at, deleted_at = NULL
            """, .integer(first.bundle), .text(first.channel), .integer(state.release), .maybe(state.base),
            .count(state.rollout), .flag(state.isMandatory), .text(state.salt), .integer(first.sequence),
            .integer(first.at))
        let head = try insert(first)
        try run(
            "UPDATE channel SET head = ?, origin = ? WHERE bundle = ? AND name = ?", .integer(head), .integer(head),
            .integer(first.bundle), .text(first.channel))
    }

    package func delete(_ channel: ChannelRecord, sequence: Int64, at time: Int64) throws(RegistryError) {
        try noteLeft(channel.name, ofBundle: channel.bundle, at: time)
        try run(
            "UPDATE channel SET sequence = ?, changed_at = ?, deleted_at = ? WHERE bundle = ? AND name = ?",
            .integer(sequence), .integer(time), .integer(time), .integer(channel.bundle), .text(channel.name))
    }

    package func update(_ channel: ChannelRecord) throws(RegistryError) {
        let state = channel.state
        try noteLeft(channel.name, ofBundle: channel.bundle, at: channel.changedAt)
        try run(
            """
            UPDATE channel SET release = ?, base = ?, rollout = ?, is_mandatory = ?, salt = ?, sequence = ?,
                changed_at = ?, head = ?
            WHERE bundle = ? AND name = ?
            """, .integer(state.release), .maybe(state.base), .count(state.rollout), .flag(state.isMandatory),
            .text(state.salt), .integer(channel.sequence), .integer(channel.changedAt), .integer(channel.head),
            .integer(channel.bundle), .text(channel.name))
    }

    package func highestRelease(
        onChannel channel: ChannelRecord, besides excluded: Int64
    ) throws(RegistryError) -> Int64? {
        try first(
            """
            SELECT id FROM release
            WHERE bundle = ? AND withdrawn_at IS NULL AND expired_at IS NULL AND id <> ?
                AND EXISTS (
                    SELECT 1 FROM placement
                    WHERE placement.bundle = release.bundle AND channel = ? AND placement.release = release.id
                        AND placement.id >= ?)
            ORDER BY version DESC, id DESC LIMIT 1
            """, .integer(channel.bundle), .integer(excluded), .text(channel.name), .integer(channel.origin)
        ) { row throws(RegistryError) in try row.integer(0) }
    }

    package func noteLeft(_ channel: String, ofBundle bundle: Int64, at time: Int64) throws(RegistryError) {
        let (text, number, end) = (CatalogValue.text(channel), CatalogValue.integer(bundle), CatalogValue.integer(time))
        try run(
            """
            UPDATE release SET shown_until = ?
            WHERE (shown_until IS NULL OR shown_until < ?) AND id IN (
                SELECT channel.release FROM channel WHERE channel.bundle = ? AND channel.name = ?
                UNION ALL SELECT channel.base FROM channel
                WHERE channel.bundle = ? AND channel.name = ? AND channel.base IS NOT NULL)
            """, end, end, number, text, number, text)
    }

    // MARK: Steps

    package func steps(
        ofChannel channel: ChannelRecord, before id: Int64, limit: Int
    ) throws(RegistryError) -> [ChannelStep] {
        try all(
            """
            SELECT * FROM placement WHERE bundle = ? AND channel = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?
            """, .integer(channel.bundle), .text(channel.name), .integer(channel.origin), .integer(id), .count(limit),
            read: ChannelStep.init)
    }

    package func step(_ id: Int64) throws(RegistryError) -> ChannelStep {
        guard let step = try first("SELECT * FROM placement WHERE id = ?", .integer(id), read: ChannelStep.init) else {
            throw .damaged("placement \(id) is referred to, but not there")
        }
        return step
    }

    package func lastStep(
        of release: Int64, onChannel channel: ChannelRecord
    ) throws(RegistryError) -> ChannelStep? {
        try first(
            """
            SELECT * FROM placement WHERE bundle = ? AND channel = ? AND release = ? AND id >= ?
            ORDER BY id DESC LIMIT 1
            """, .integer(channel.bundle), .text(channel.name), .integer(release), .integer(channel.origin),
            read: ChannelStep.init)
    }

    package func firstStep(of release: Int64, inBundle bundle: Int64) throws(RegistryError) -> ChannelStep? {
        try first(
            "SELECT * FROM placement WHERE bundle = ? AND release = ? ORDER BY id LIMIT 1", .integer(bundle),
            .integer(release), read: ChannelStep.init)
    }

    package func channels(everShowing release: Int64, inBundle bundle: Int64) throws(RegistryError) -> [String] {
        try all(
            "SELECT DISTINCT channel FROM placement WHERE bundle = ? AND release = ?", .integer(bundle),
            .integer(release)
        ) { row throws(RegistryError) in try row.text(0) }
    }

    package func insert(_ step: ChannelStep) throws(RegistryError) -> Int64 {
        let state = step.state
        return try inserted(
            """
            INSERT INTO placement (bundle, channel, sequence, at, kind, release, base, rollout, is_mandatory, salt,
                previous, replaced, cause)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """, .integer(step.bundle), .text(step.channel), .integer(step.sequence), .integer(step.at),
            .text(step.kind.rawValue), .integer(state.release), .maybe(state.base), .count(state.rollout),
            .flag(state.isMandatory), .text(state.salt), .maybe(step.previous), .maybe(step.replaced),
            .maybe(step.cause))
    }

    package func updateStep(_ id: Int64, _ state: ChannelState) throws(RegistryError) {
        try run(
            "UPDATE placement SET base = ?, rollout = ?, is_mandatory = ? WHERE id = ?", .maybe(state.base),
            .count(state.rollout), .flag(state.isMandatory), .integer(id))
    }

    // MARK: Changes

    /// The tag is taken while no other writer runs, so tags are in the order of commits. A number that the table gave
    /// by itself would not be: a reader that has seen 2 never asks for 1, committed later.
    package func append(_ change: RegistryChange) throws(RegistryError) -> RegistryChange {
        var change = change
        change.tag = try inserted(
            """
            INSERT INTO change (tag, at, kind, bundle, release, channel, sequence, author)
            VALUES ((SELECT CASE WHEN COALESCE(MAX(tag), 0) < ? THEN ? ELSE COALESCE(MAX(tag), 0) + 1 END FROM change),
                ?, ?, ?, ?, ?, ?, ?) RETURNING tag
            """, .integer(change.tag), .integer(change.tag), .integer(change.at), .text(change.kind.rawValue),
            .text(change.bundleIdentifier),
            .text(change.release), .maybe(change.channel), .maybe(change.sequence), .text(change.by))
        return change
    }

    package func changes(after tag: Int64, limit: Int) throws(RegistryError) -> [RegistryChange] {
        try all(
            "SELECT * FROM change WHERE tag > ? ORDER BY tag LIMIT ?", .integer(tag), .count(limit),
            read: RegistryChange.init)
    }

    package func latestTag() throws(RegistryError) -> Int64 {
        try first("SELECT tag FROM change ORDER BY tag DESC LIMIT 1") { row throws(RegistryError) in
            try row.integer(0)
        } ?? 0
    }

    package func highestNumber() throws(RegistryError) -> Int64 {
        let sequence = try first("SELECT COALESCE(MAX(sequence), 0) FROM channel") { row throws(RegistryError) in
            try row.integer(0)
        }
        return max(try latestTag(), sequence ?? 0)
    }

    package func raise(to number: Int64, by author: String, at time: Int64) throws(RegistryError) -> Int {
        try run(
            """
            UPDATE placement SET sequence = ? WHERE id IN (
                SELECT head FROM channel WHERE placement.id = channel.head AND placement.sequence = channel.sequence)
            """, .integer(number))
        try run("UPDATE channel SET sequence = ?", .integer(number))
        return try run(
            """
            INSERT INTO change (tag, at, kind, bundle, release, channel, sequence, author)
            SELECT ? + ROW_NUMBER() OVER (ORDER BY bundle.identifier, channel.name), ?, 'promote', bundle.identifier,
                release.key, channel.name, channel.sequence, ?
            FROM channel JOIN bundle ON bundle.id = channel.bundle JOIN release ON release.id = channel.release
            WHERE channel.deleted_at IS NULL
            """, .integer(max(number, try latestTag())), .integer(time), .text(author))
    }
}

extension ChannelRecord {
    /// From all columns of `channel`; `deleted_at` comes before `origin`.
    init(_ row: any CatalogRow) throws(RegistryError) {
        let state = ChannelState(
            release: try row.integer(2), base: try row.optionalInteger(3), rollout: try row.count(4),
            isMandatory: try row.flag(5), salt: try row.text(6))
        guard state.rollout <= Rollout.bucketCount else { throw row.unexpected("a rollout", 4) }
        self.init(
            bundle: try row.integer(0), name: try row.text(1), state: state, sequence: try row.integer(7),
            changedAt: try row.integer(8), head: try row.integer(9), origin: try row.integer(11))
    }
}

extension ChannelStep {
    /// From all columns of `placement`.
    init(_ row: any CatalogRow) throws(RegistryError) {
        guard let kind = Kind(rawValue: try row.text(5)) else { throw row.unexpected("a kind", 5) }
        self.init(
            bundle: try row.integer(1), channel: try row.text(2), sequence: try row.integer(3),
            at: try row.integer(4), kind: kind,
            state: ChannelState(
                release: try row.integer(6), base: try row.optionalInteger(7), rollout: try row.count(8),
                isMandatory: try row.flag(9), salt: try row.text(10)),
            previous: try row.optionalInteger(11), replaced: try row.optionalInteger(12),
            cause: try row.optionalInteger(13))
        id = try row.integer(0)
        // An earlier step has a lower number; a damaged database could lead in circles.
        if let previous, previous >= id { throw row.unexpected("an earlier row", 11) }
    }
}

extension RegistryChange {
    /// From all columns of `change`.
    init(_ row: any CatalogRow) throws(RegistryError) {
        guard let kind = Kind(rawValue: try row.text(2)) else { throw row.unexpected("a kind", 2) }
        self.init(
            tag: try row.integer(0), at: try row.integer(1), kind: kind, bundleIdentifier: try row.text(3),
            release: try row.text(4), channel: try row.optionalText(5), sequence: try row.optionalInteger(6),
            by: try row.text(7))
    }
}

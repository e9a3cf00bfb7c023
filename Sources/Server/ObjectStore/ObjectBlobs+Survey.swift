internal import WidgetBytes
package import WidgetRegistry

/// The comparison of a bucket's listing with the rows. It decides about nothing but rows that are made anew.
package struct ObjectSurvey: Equatable, Sendable {
    /// Objects with a row.
    package var known = ItemShare()
    /// Objects without one, whose names are ours: left by rows that were lost. They are never deleted.
    package var unknown = ItemShare()
    /// Those of them that became items.
    package var adopted = ItemShare()
    /// Objects of others under our prefix.
    package var foreign = 0
    /// Items whose objects the listing does not have. That proves nothing: listings lack what is there.
    package var unlisted = 0

    package init() {}
}

extension ObjectBlobs {
    private static let parts = Int(UInt8.max) + 1

    /// Looks at every object under the prefix, in 256 parts.
    ///
    /// - Parameter adopts: makes items of objects that have no row, where the item has no other object: of several the one
    ///   that was stored last. So the rows can be made anew from the bucket, and with them the catalog. An archive is
    ///   compared with its digest when it is opened, as ever.
    package func survey(
        adopting adopts: Bool, progress: HousekeepingProgress
    ) throws(RegistryError) -> ObjectSurvey {
        var survey = ObjectSurvey()
        for byte in UInt8.min...UInt8.max {
            try progress(Int(byte), ObjectBlobs.parts)
            try look(at: byte, adopts, &survey)
        }
        return survey
    }

    private func look(at byte: UInt8, _ adopts: Bool, _ survey: inout ObjectSurvey) throws(RegistryError) {
        let start = (client.place.prefix.isEmpty ? "" : "\(client.place.prefix)/") + "\(Hex.string([byte]))/"
        var unlisted = Set(try items(beginning: byte).map { Int64(bitPattern: $0.mark) })
        // The last object of each item that has none, with its time.
        var orphans: [StoredItem: (record: ObjectRecord, modified: String)] = [:]
        var next: String?
        repeat {
            let after = next
            let page = try rethrowing(try client.list(start, after: after), as: RegistryError.init(objects:))
            for entry in page.entries {
                guard let record = record(entry, after: start, byte) else {
                    survey.foreign += 1
                    continue
                }
                unlisted.remove(record.generation)
                let isKnown = try catalog.read { catalog throws(RegistryError) in
                    try ObjectBlobs.rows(catalog).record(record.generation) != nil
                }
                guard !isKnown else {
                    survey.known.add(record.byteCount)
                    continue
                }
                survey.unknown.add(record.byteCount)
                if orphans[record.item].map({ $0.modified < entry.modified }) ?? true {
                    orphans[record.item] = (record, entry.modified)
                }
            }
            next = page.next
        } while next != nil
        survey.unlisted += unlisted.count
        guard adopts else { return }
        for (record, _) in orphans.values {
            let isAdopted = try catalog.write { catalog, _ throws(RegistryError) -> Bool in
                let rows = try ObjectBlobs.rows(catalog)
                guard try rows.present(record.item) == nil, try rows.record(record.generation) == nil else {
                    return false
                }
                try rows.insert(record)
                return true
            }
            if isAdopted { survey.adopted.add(record.byteCount) }
        }
    }

    /// The row that an object would have; `nil` for a name that is not ours.
    private func record(_ entry: ObjectListing.Entry, after start: String, _ byte: UInt8) -> ObjectRecord? {
        guard entry.key.hasPrefix(start) else { return nil }
        let name = entry.key.dropFirst(start.count)
        guard let dot = name.lastIndex(of: "."), let item = StoredItem(name: String(name[..<dot])),
            item.digest.bytes[0] == byte, let number = UInt64(name[name.index(after: dot)...], radix: 16)
        else { return nil }
        let record = ObjectRecord(
            generation: Int64(bitPattern: number), item: item, byteCount: entry.byteCount, state: .present,
            changed: options.now)
        // A number can be written in several ways, and a name is written in one.
        return key(record) == entry.key ? record : nil
    }
}

internal import WidgetBytes
package import WidgetRegistry

/// Removing and collecting, by rows. Any number of processes may do this beside any number of publishers.
extension ObjectBlobs {
    /// The rows that one transaction changes, or one question asks for.
    private static let page = 500

    package func remove(_ item: StoredItem) throws(RegistryError) { try remove(item, keepingReferences: false) }

    /// Another process may refer to an item by now, which the transaction sees.
    package func takeBack(_ items: [StoredItem]) {
        for item in items { try? remove(item, keepingReferences: true) }
    }

    private func remove(_ item: StoredItem, keepingReferences: Bool) throws(RegistryError) {
        let time = options.now
        let (isKept, condemned) = try catalog.write { catalog, _ throws(RegistryError) -> (Bool, ObjectRecord?) in
            let rows = try ObjectBlobs.rows(catalog)
            guard let record = try rows.present(item) else { return (false, nil) }
            if keepingReferences, try ItemReferences(toItemsOf: item.digest, in: catalog).include(item) {
                return (true, nil)
            }
            let condemned = record.inState(.condemned, at: time)
            try rows.update(condemned)
            return (false, condemned)
        }
        if isKept { return }
        if case .blob(let digest) = item { copies.remove(digest) }
        // It is out of sight; a store that is away deletes it when it is swept.
        if let condemned { try? bury(condemned) }
    }

    package func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem] {
        var items: [ListedItem] = []
        var last = Int64.min
        while true {
            let after = last
            let records = try catalog.read { catalog throws(RegistryError) in
                try ObjectBlobs.rows(catalog).present(beginning: byte, after: after, limit: ObjectBlobs.page)
            }
            for record in records {
                items.append(
                    ListedItem(
                        item: record.item, byteCount: record.byteCount, modified: .seconds(record.changed),
                        changed: .seconds(record.changed), mark: UInt64(bitPattern: record.generation)))
            }
            guard records.count == ObjectBlobs.page, let end = records.last else { return items }
            last = end.generation
        }
    }

    /// Condemns an item in the transaction that sees that no release refers to it, so that a release of another process
    /// cannot come between.
    package func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem? {
        let time = options.now
        let generation = Int64(bitPattern: item.mark)
        let condemned = try catalog.write { catalog, _ throws(RegistryError) -> ObjectRecord? in
            let rows = try ObjectBlobs.rows(catalog)
            guard let record = try rows.record(generation), record.state == .present, record.item == item.item,
                try !ItemReferences(toItemsOf: record.item.digest, in: catalog).include(record.item)
            else { return nil }
            let condemned = record.inState(.condemned, at: time)
            try rows.update(condemned)
            return condemned
        }
        guard let condemned else { return nil }
        if case .blob(let digest) = item.item { copies.remove(digest) }
        return DetachedItem(String(condemned.generation))
    }

    package func discard(_ item: DetachedItem) throws(RegistryError) {
        guard let generation = Int64(item.name) else { return }
        let record = try catalog.read { catalog throws(RegistryError) in
            try ObjectBlobs.rows(catalog).record(generation)
        }
        if let record, record.state == .condemned { try bury(record) }
    }

    package func quarantined() throws(RegistryError) -> ItemShare {
        try catalog.read { catalog throws(RegistryError) in try ObjectBlobs.rows(catalog).share(.quarantined) }
    }

    package func holds(_ items: [StoredItem], in catalog: any CatalogReader) throws(RegistryError) -> Bool {
        let rows = try ObjectBlobs.rows(catalog)
        for item in items where try rows.present(item) == nil { return false }
        return true
    }

    /// Deletes an object. Its row stays for as long as bytes may still be on their way, and then it is deleted again.
    private func bury(_ record: ObjectRecord) throws(RegistryError) {
        try rethrowing(try client.delete(key(record)), as: RegistryError.init(objects:))
        let buried = record.inState(.buried, at: options.now, until: options.now.adding(options.lease) ?? .max)
        try catalog.write { catalog, _ throws(RegistryError) in
            let rows = try ObjectBlobs.rows(catalog)
            guard try rows.record(buried.generation)?.state == .condemned else { return }
            try rows.update(buried)
        }
    }

    /// Clears away after processes that have ended: announced objects whose time is over, condemned ones, and buried ones.
    package func sweep() throws(RegistryError) {
        let time = options.now
        try each(.announced, by: time) { record throws(RegistryError) in
            try catalog.write { catalog, _ throws(RegistryError) in
                let rows = try ObjectBlobs.rows(catalog)
                guard try rows.record(record.generation)?.state == .announced else { return }
                try rows.update(record.inState(.condemned, at: time))
            }
        }
        try each(.condemned, by: time) { record throws(RegistryError) in try bury(record) }
        try each(.buried, by: time) { record throws(RegistryError) in
            try rethrowing(try client.delete(key(record)), as: RegistryError.init(objects:))
            try catalog.write { catalog, _ throws(RegistryError) in
                let rows = try ObjectBlobs.rows(catalog)
                guard try rows.record(record.generation)?.state == .buried else { return }
                try rows.remove(record.generation)
            }
        }
    }

    private func each(
        _ state: ObjectRecord.State, by time: Int64, _ body: (ObjectRecord) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var last = Int64.min
        while true {
            let after = last
            let records = try catalog.read { catalog throws(RegistryError) in
                try ObjectBlobs.rows(catalog).due(state, by: time, after: after, limit: ObjectBlobs.page)
            }
            guard let end = records.last else { return }
            for record in records { try body(record) }
            last = end.generation
        }
    }
}

internal import WidgetBytes
internal import WidgetRegistry

extension MemoryTransaction {
    var objects: (any ObjectRows)? { MemoryObjects(transaction: self) }
}

/// The rows about objects in memory. All of them are looked through for each question.
struct MemoryObjects: ObjectRows {
    let transaction: MemoryTransaction

    private func all(after generation: Int64, limit: Int, _ isWanted: (ObjectRecord) -> Bool) -> [ObjectRecord] {
        let found = transaction.tables.objects.values.filter { $0.generation > generation && isWanted($0) }
        return Array(found.sorted { $0.generation < $1.generation }.prefix(limit))
    }

    func insert(_ record: ObjectRecord) throws(RegistryError) {
        guard transaction.tables.objects[record.generation] == nil else {
            throw .damaged("a generation was used twice")
        }
        transaction.tables.objects[record.generation] = record
    }

    func record(_ generation: Int64) -> ObjectRecord? { transaction.tables.objects[generation] }

    func present(_ item: StoredItem) -> ObjectRecord? {
        transaction.tables.objects.values.first { $0.item == item && $0.state == .present }
    }

    func present(beginning byte: UInt8, after generation: Int64, limit: Int) -> [ObjectRecord] {
        all(after: generation, limit: limit) { $0.state == .present && $0.item.digest.bytes[0] == byte }
    }

    func due(_ state: ObjectRecord.State, by time: Int64, after generation: Int64, limit: Int) -> [ObjectRecord] {
        all(after: generation, limit: limit) { $0.state == state && $0.until <= time }
    }

    func update(_ record: ObjectRecord) throws(RegistryError) {
        guard transaction.tables.objects[record.generation] != nil else { return }
        if record.state == .present, let other = present(record.item), other.generation != record.generation {
            throw .damaged("an item would have two objects")
        }
        transaction.tables.objects[record.generation] = record
    }

    func remove(_ generation: Int64) { transaction.tables.objects[generation] = nil }

    func share(_ state: ObjectRecord.State) -> ItemShare {
        var share = ItemShare()
        for record in transaction.tables.objects.values where record.state == state { share.add(record.byteCount) }
        return share
    }
}

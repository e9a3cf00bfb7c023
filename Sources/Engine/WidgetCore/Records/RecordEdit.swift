/// A batch of changes to records: all of them happen, or none.
package struct RecordEdit: Sendable {
    package let base: RecordTable
    package private(set) var changes: [RecordID: Record?] = [:]
    private var nextID: RecordID
    private let limit: Int
    private let weightLimit: Int
    private let lookLimit: Int
    /// The weight of all records with the changes, without ``arrivals``.
    private var weight: Int
    /// The number of records that the last deletion visited for groups it then could not delete: a relationship may
    /// deny a deletion after many records were visited.
    package private(set) var lookCount = 0
    /// True if the last deletion reached the limit of such visits and stopped.
    package var hasLookedEnough: Bool { lookCount >= lookLimit }
    /// Pending back references, by their target. They are added together, because adding each alone copies all before
    /// it.
    private var arrivals: [Place: [RecordID]] = [:]

    private struct Place: Hashable {
        var record: RecordID
        var slot: Int
    }

    /// The largest number of a record. It leaves room for counting on without overflow.
    private static let mostIDs = Int(clamping: min(Int64(1) << 60, Int64(Int.max / 2)))

    package init(
        _ base: RecordTable, recordLimit: Int = .max, weightLimit: Int = RecordTable.weightLimit,
        lookLimit: Int = Budget().lookCount
    ) {
        self.base = base
        self.lookLimit = lookLimit
        nextID = base.nextID
        limit = recordLimit
        self.weightLimit = weightLimit
        weight = base.weight
    }

    package var model: EntityModel { base.model }

    package subscript(_ id: RecordID) -> Record? {
        if let change = changes[id] { return change }
        return base[id]
    }

    private mutating func put(_ record: Record?, at id: RecordID) {
        weight += (record?.weight ?? 0) - (self[id]?.weight ?? 0)
        changes[id] = .some(record)
    }

    /// The table with the changes in it.
    package var table: RecordTable {
        var edit = self
        edit.takeArrivals()
        var table = base
        table.apply(edit.changes, nextID: nextID)
        return table
    }

    private mutating func takeArrivals() {
        for (place, _) in arrivals { takeArrivals(at: place) }
    }

    private mutating func takeArrivals(at place: Place) {
        guard let ids = arrivals.removeValue(forKey: place), let record = self[place.record] else { return }
        let before = RecordEdit.targets(record.fields[place.slot])
        put(record.replacing(place.slot, by: .many(RecordEdit.distinct(before + ids))), at: place.record)
    }

    package var isFull: Bool { base.count + (nextID - base.nextID) >= limit || weight >= weightLimit }

    /// True if the records exceed the limit of their weight.
    package var isOverweight: Bool { weight > weightLimit }

    package func checkWeight() throws(RecordMapper.Failure) {
        if isOverweight { throw RecordMapper.full }
    }

    /// True if one more record of an entity fits within the limit.
    package func hasRoom(forNew entity: Int) -> Bool { weight + model.plans[entity].blankWeight <= weightLimit }

    package mutating func insert(_ entity: Int) -> Record {
        let record = Record(id: nextID, new: entity, of: model)
        nextID += 1
        put(record, at: record.id)
        return record
    }

    /// Restores a record that was stored elsewhere.
    ///
    /// - Returns: false if it does not fit.
    @discardableResult
    package mutating func restore(_ record: Record) -> Bool {
        reserve(record.id)
        guard record.id >= 0, record.id < RecordEdit.mostIDs, weight + record.weight <= weightLimit else {
            return false
        }
        put(record, at: record.id)
        return true
    }

    /// Reserves the number of a record that is stored elsewhere.
    package mutating func reserve(_ id: RecordID) {
        if id >= nextID, id < RecordEdit.mostIDs { nextID = id + 1 }
    }

    package mutating func set(_ slot: Int, of id: RecordID, to value: Value) {
        guard let record = self[id], record.fields.indices.contains(slot) else { return }
        guard !record.fields[slot].isIdentical(to: .value(value)) else { return }
        put(record.replacing(slot, by: .value(value)), at: id)
    }

    /// Sets several attributes with one new version of the record.
    package mutating func set(_ values: [(slot: Int, value: Value)], of id: RecordID) {
        guard let record = self[id] else { return }
        let different = values.filter { slot, value in
            record.fields.indices.contains(slot) && !record.fields[slot].isIdentical(to: .value(value))
        }
        if different.isEmpty { return }
        put(record.replacing(different.map { ($0.slot, .value($0.value)) }), at: id)
    }

    /// Points a record at others, and those back at it.
    ///
    /// - Returns: the cost in steps of evaluation.
    @discardableResult
    package mutating func link(_ slot: Int, of id: RecordID, to targets: [RecordID]) -> Int {
        takeArrivals(at: Place(record: id, slot: slot))
        guard let record = self[id], case .relationship(let relationship) = property(slot, of: record) else { return 0 }
        let old = RecordEdit.targets(record.fields[slot])
        let targets = relationship.isToMany ? RecordEdit.distinct(targets) : Array(targets.prefix(1))
        guard old != targets else { return old.count }
        var steps = old.count + targets.count + RecordEdit.cost(ofCopying: record)
        let kept = Set(targets)
        let before = Set(old)
        put(record.replacing(slot, by: relationship.isToMany ? .many(targets) : .one(targets.first)), at: id)
        guard let inverse = relationship.inverse else { return steps }
        for target in old where !kept.contains(target) { steps += unlink(inverse, of: target, from: id) }
        for target in targets where !before.contains(target) {
            guard let other = self[target], let slot = model.entities[other.entity].slot(inverse),
                case .relationship(let back) = property(slot, of: other)
            else { continue }
            if back.isToMany {
                arrivals[Place(record: target, slot: slot), default: []].append(id)
            } else {
                if let previous = RecordEdit.targets(other.fields[slot]).first, previous != id {
                    steps += unlink(relationship.name, of: previous, from: target)
                }
                if let other = self[target] { put(other.replacing(slot, by: .one(id)), at: target) }
                steps += RecordEdit.cost(ofCopying: other)
            }
        }
        return steps
    }

    /// - Returns: the cost, as ``link(_:of:to:)`` counts it.
    private mutating func unlink(_ name: String, of id: RecordID, from target: RecordID) -> Int {
        guard let record = self[id], let slot = model.slot(name, of: record.entity) else { return 0 }
        takeArrivals(at: Place(record: id, slot: slot))
        remove([target], from: slot, of: id)
        return RecordEdit.cost(ofCopying: record)
            + (self[id].map { RecordEdit.targets($0.fields[slot]).count } ?? 0)
    }

    /// The cost of copying a record; the first 32 fields are free.
    private static func cost(ofCopying record: Record) -> Int { max(0, record.fields.count - 32) / 8 }

    private mutating func remove(_ targets: Set<RecordID>, from slot: Int, of id: RecordID) {
        guard let record = self[id] else { return }
        switch record.fields[slot] {
        case .one(let target?) where targets.contains(target): put(record.replacing(slot, by: .one(nil)), at: id)
        case .many(let old):
            let left = old.filter { !targets.contains($0) }
            if left.count < old.count { put(record.replacing(slot, by: .many(left)), at: id) }
        default: return
        }
    }

    /// Deletes a record, and others as the model's delete rules say.
    ///
    /// - Returns: false if a relationship denies the deletion.
    package mutating func delete(_ id: RecordID) -> Bool { delete([id]).isEmpty }

    /// Deletes records, each with others as the delete rules say.
    ///
    /// - Returns: the records whose deletion a relationship denies.
    package mutating func delete(_ ids: [RecordID]) -> [RecordID] {
        takeArrivals()
        var going: Set<RecordID> = []
        var denied: [RecordID] = []
        var kept: Set<RecordID> = []
        lookCount = 0
        for id in ids where self[id] != nil && !going.contains(id) {
            if let group = group(of: id, without: going, kept: &kept) {
                going.formUnion(group)
            } else {
                denied.append(id)
            }
        }
        // A record that points at many of them is changed once.
        var partings: [Place: Set<RecordID>] = [:]
        for id in going {
            guard let record = self[id] else { continue }
            for field in model.plans[record.entity].linked {
                guard let inverse = field.relationship?.inverse else { continue }
                for target in RecordEdit.targets(record.fields[field.slot]) where !going.contains(target) {
                    guard let other = self[target], let back = model.slot(inverse, of: other.entity) else { continue }
                    partings[Place(record: target, slot: back), default: []].insert(id)
                }
            }
        }
        for (place, targets) in partings { remove(targets, from: place.slot, of: place.record) }
        for id in going { put(nil, at: id) }
        return denied
    }

    /// A record and those that are deleted with it; `nil` if a relationship denies the deletion.
    ///
    /// - Parameter kept: records that are known to stay. A record that would take them along stays too.
    private mutating func group(
        of id: RecordID, without gone: Set<RecordID>, kept: inout Set<RecordID>
    ) -> Set<RecordID>? {
        guard !kept.contains(id), lookCount < lookLimit else { return nil }
        /// Each record with the one that takes it along.
        var group: [RecordID: RecordID] = [id: id]
        var pending = [id]
        var looks = 0
        while let next = pending.popLast() {
            guard let record = self[next] else { continue }
            for field in model.plans[record.entity].ruling {
                for target in RecordEdit.targets(record.fields[field.slot]) {
                    looks += 1
                    guard !gone.contains(target), group[target] == nil, self[target] != nil else { continue }
                    if field.relationship?.deleteRule == .deny || kept.contains(target) {
                        lookCount += looks
                        var last = next
                        while kept.insert(last).inserted, let above = group[last] { last = above }
                        return nil
                    }
                    group[target] = next
                    pending.append(target)
                }
            }
        }
        return Set(group.keys)
    }

    private func property(_ slot: Int, of record: Record) -> EntityModel.Property? {
        let properties = model.entities[record.entity].properties
        return properties.indices.contains(slot) ? properties[slot] : nil
    }

    package static func targets(_ field: Record.Field) -> [RecordID] {
        switch field {
        case .value: []
        case .one(let id): id.map { [$0] } ?? []
        case .many(let ids): ids
        }
    }

    private static func distinct(_ ids: [RecordID]) -> [RecordID] {
        var seen: Set<RecordID> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

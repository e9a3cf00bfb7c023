/// Changes of records that belong together: all of them happen, or none.
package struct RecordEdit: Sendable {
    package let base: RecordTable
    package private(set) var changes: [RecordID: Record?] = [:]
    private var nextID: RecordID
    private let limit: Int
    /// Records that many others have been pointed at, which are put into them together: one by one, each would copy all
    /// that came before it.
    private var arrivals: [Place: [RecordID]] = [:]

    private struct Place: Hashable {
        var record: RecordID
        var slot: Int
    }

    package init(_ base: RecordTable, recordLimit: Int = .max) {
        self.base = base
        nextID = base.nextID
        limit = recordLimit
    }

    package var model: EntityModel { base.model }

    package subscript(_ id: RecordID) -> Record? {
        if let change = changes[id] { return change }
        return base[id]
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
        changes[place.record] = record.replacing(
            place.slot, by: .many(RecordEdit.distinct(before + ids)))
    }

    package var isFull: Bool { base.count + (nextID - base.nextID) >= limit }

    package mutating func insert(_ entity: Int) -> Record {
        let record = Record(id: nextID, new: entity, of: model)
        nextID += 1
        changes[record.id] = record
        return record
    }

    /// Puts back a record that was kept elsewhere.
    package mutating func restore(_ record: Record) {
        guard record.id >= 0, record.id < Int(Int32.max) else { return }
        changes[record.id] = record
        nextID = max(nextID, record.id + 1)
    }

    package mutating func set(_ slot: Int, of id: RecordID, to value: Value) {
        guard let record = self[id], record.fields.indices.contains(slot) else { return }
        guard !record.fields[slot].isIdentical(to: .value(value)) else { return }
        changes[id] = record.replacing(slot, by: .value(value))
    }

    /// The same for several attributes, which makes one record and not one for each.
    package mutating func set(_ values: [(slot: Int, value: Value)], of id: RecordID) {
        guard let record = self[id] else { return }
        let different = values.filter { slot, value in
            record.fields.indices.contains(slot) && !record.fields[slot].isIdentical(to: .value(value))
        }
        if different.isEmpty { return }
        var fields = record.fields
        for (slot, value) in different { fields[slot] = .value(value) }
        changes[id] = Record(id: id, entity: record.entity, fields: fields)
    }

    /// Points a record at others, and those back at it.
    ///
    /// - Returns: what that took, in steps of evaluation.
    @discardableResult
    package mutating func link(_ slot: Int, of id: RecordID, to targets: [RecordID]) -> Int {
        takeArrivals(at: Place(record: id, slot: slot))
        guard let record = self[id], case .relationship(let relationship) = property(slot, of: record) else { return 0 }
        let old = RecordEdit.targets(record.fields[slot])
        let targets = relationship.isToMany ? RecordEdit.distinct(targets) : Array(targets.prefix(1))
        guard old != targets else { return old.count }
        var steps = old.count + targets.count
        let kept = Set(targets)
        let before = Set(old)
        changes[id] = record.replacing(slot, by: relationship.isToMany ? .many(targets) : .one(targets.first))
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
                if let other = self[target] { changes[target] = other.replacing(slot, by: .one(id)) }
            }
        }
        return steps
    }

    /// - Returns: what that took, as ``link(_:of:to:)`` counts.
    private mutating func unlink(_ name: String, of id: RecordID, from target: RecordID) -> Int {
        guard let record = self[id], let slot = model.slot(name, of: record.entity) else { return 0 }
        takeArrivals(at: Place(record: id, slot: slot))
        remove([target], from: slot, of: id)
        return self[id].map { RecordEdit.targets($0.fields[slot]).count } ?? 0
    }

    private mutating func remove(_ targets: Set<RecordID>, from slot: Int, of id: RecordID) {
        guard let record = self[id] else { return }
        switch record.fields[slot] {
        case .one(let target?) where targets.contains(target): changes[id] = record.replacing(slot, by: .one(nil))
        case .many(let old):
            let left = old.filter { !targets.contains($0) }
            if left.count < old.count { changes[id] = record.replacing(slot, by: .many(left)) }
        default: return
        }
    }

    /// Removes a record and what its model says must go with it.
    ///
    /// - Returns: whether it went: a relationship may deny it.
    package mutating func delete(_ id: RecordID) -> Bool { delete([id]).isEmpty }

    /// Removes records, each with what must go with it.
    ///
    /// - Returns: those that a relationship denies.
    package mutating func delete(_ ids: [RecordID]) -> [RecordID] {
        takeArrivals()
        var going: Set<RecordID> = []
        var denied: [RecordID] = []
        for id in ids where self[id] != nil && !going.contains(id) {
            if let group = group(of: id, without: going) { going.formUnion(group) } else { denied.append(id) }
        }
        // What points at many of them is changed once.
        var partings: [Place: Set<RecordID>] = [:]
        for id in going {
            guard let record = self[id] else { continue }
            for (slot, property) in model.entities[record.entity].properties.enumerated() {
                guard case .relationship(let relationship) = property, let inverse = relationship.inverse else {
                    continue
                }
                for target in RecordEdit.targets(record.fields[slot]) where !going.contains(target) {
                    guard let other = self[target], let back = model.slot(inverse, of: other.entity) else { continue }
                    partings[Place(record: target, slot: back), default: []].insert(id)
                }
            }
        }
        for (place, targets) in partings { remove(targets, from: place.slot, of: place.record) }
        for id in going { changes[id] = .some(nil) }
        return denied
    }

    /// A record and what goes with it; `nil` when something must not lose it.
    private func group(of id: RecordID, without gone: Set<RecordID>) -> Set<RecordID>? {
        var group: Set<RecordID> = [id]
        var pending = [id]
        while let next = pending.popLast() {
            guard let record = self[next] else { continue }
            for (slot, property) in model.entities[record.entity].properties.enumerated() {
                guard case .relationship(let relationship) = property else { continue }
                let rule = relationship.deleteRule
                guard rule == .deny || rule == .cascade else { continue }
                for target in RecordEdit.targets(record.fields[slot])
                where !gone.contains(target) && !group.contains(target) && self[target] != nil {
                    if rule == .deny { return nil }
                    group.insert(target)
                    pending.append(target)
                }
            }
        }
        return group
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

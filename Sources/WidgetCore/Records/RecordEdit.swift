/// Changes of records that belong together: all of them happen, or none.
package struct RecordEdit: Sendable {
    package let base: RecordTable
    package private(set) var changes: [RecordID: Record?] = [:]
    private var nextID: RecordID
    private let limit: Int

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
        var table = base
        table.apply(changes, nextID: nextID)
        return table
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

    /// Points a record at others, and those back at it.
    ///
    /// - Returns: what that took, in steps of evaluation.
    @discardableResult
    package mutating func link(_ slot: Int, of id: RecordID, to targets: [RecordID]) -> Int {
        guard let record = self[id], case .relationship(let relationship) = property(slot, of: record) else { return 0 }
        let old = RecordEdit.targets(record.fields[slot])
        let targets = relationship.isToMany ? RecordEdit.distinct(targets) : Array(targets.prefix(1))
        guard old != targets else { return old.count }
        var steps = old.count + targets.count
        let kept = Set(targets)
        let before = Set(old)
        changes[id] = record.replacing(slot, by: relationship.isToMany ? .many(targets) : .one(targets.first))
        guard let inverse = relationship.inverse else { return steps }
        for target in old where !kept.contains(target) { unlink(inverse, of: target, from: id) }
        for target in targets where !before.contains(target) {
            guard let other = self[target], let slot = model.entities[other.entity].slot(inverse),
                case .relationship(let back) = property(slot, of: other)
            else { continue }
            if back.isToMany {
                let others = RecordEdit.targets(other.fields[slot])
                steps += others.count / 64
                if !others.contains(id) { changes[target] = other.replacing(slot, by: .many(others + [id])) }
            } else {
                if let previous = RecordEdit.targets(other.fields[slot]).first, previous != id {
                    unlink(relationship.name, of: previous, from: target)
                }
                if let other = self[target] { changes[target] = other.replacing(slot, by: .one(id)) }
            }
        }
        return steps
    }

    private mutating func unlink(_ name: String, of id: RecordID, from target: RecordID) {
        guard let record = self[id], let slot = model.entities[record.entity].slot(name) else { return }
        switch record.fields[slot] {
        case .one(target): changes[id] = record.replacing(slot, by: .one(nil))
        case .many(let targets) where targets.contains(target):
            changes[id] = record.replacing(slot, by: .many(targets.filter { $0 != target }))
        default: return
        }
    }

    /// Removes a record and what its model says must go with it.
    ///
    /// - Returns: whether it went: a relationship may deny it.
    package mutating func delete(_ id: RecordID) -> Bool {
        var going: [RecordID] = [id]
        var place = 0
        var seen: Set<RecordID> = [id]
        while place < going.count {
            defer { place += 1 }
            guard let record = self[going[place]] else { continue }
            for (slot, property) in model.entities[record.entity].properties.enumerated() {
                guard case .relationship(let relationship) = property else { continue }
                let targets = RecordEdit.targets(record.fields[slot]).filter { self[$0] != nil }
                switch relationship.deleteRule {
                case .deny: if targets.contains(where: { !seen.contains($0) }) { return false }
                case .cascade: for target in targets where seen.insert(target).inserted { going.append(target) }
                case .none, .nullify: break
                }
            }
        }
        for id in going { remove(id) }
        return true
    }

    private mutating func remove(_ id: RecordID) {
        guard let record = self[id] else { return }
        for (slot, property) in model.entities[record.entity].properties.enumerated() {
            guard case .relationship(let relationship) = property, let inverse = relationship.inverse else { continue }
            for target in RecordEdit.targets(record.fields[slot]) { unlink(inverse, of: target, from: id) }
        }
        changes[id] = .some(nil)
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

internal import WidgetPredicates

/// A snapshot of all records of a widget. It is a value: a copy does not change.
///
/// Records are in pages that versions share, so that a change copies one page, and comparing pages finds the
/// differences of two versions.
package struct RecordTable: Sendable {
    final class Page: Sendable {
        let records: [Record?]

        init(_ records: [Record?]) {
            self.records = records
        }
    }

    static let pageSize = 128
    /// The limit on the weight of all records of a widget. A field weighs one, and so do 16 bytes of its content; the
    /// limit is some 50 MB.
    package static let weightLimit = 2_000_000
    /// The number of pages in an array. Pages of larger numbers are in a dictionary, which holds only those in use.
    private static let nearPageCount = 8_192

    package let model: EntityModel
    private var pages: [Page?] = []
    private var farPages: [Int: Page] = [:]
    /// The records of each entity itself, in the order in which they came.
    private var ids: [[RecordID]]
    package private(set) var nextID: RecordID = 0
    package private(set) var count = 0
    package private(set) var weight = 0

    package init(model: EntityModel) {
        self.model = model
        ids = Array(repeating: [], count: model.entities.count)
    }

    package subscript(_ id: RecordID) -> Record? {
        let page = id / RecordTable.pageSize
        guard id >= 0 else { return nil }
        if page < pages.count { return pages[page]?.records[id % RecordTable.pageSize] }
        return farPages.isEmpty ? nil : farPages[page]?.records[id % RecordTable.pageSize]
    }

    /// The records of an entity and of those that inherit from it.
    package func ids(of entity: Int) -> [RecordID] {
        let family = model.family(of: entity)
        if family.count == 1 { return ids[family[0]] }
        return family.flatMap { ids[$0] }.sorted()
    }

    package var all: [Record] {
        let far = farPages.sorted { $0.key < $1.key }.map { $0.value }
        return pages.flatMap { $0?.records.compactMap { $0 } ?? [] } + far.flatMap { $0.records.compactMap { $0 } }
    }

    /// The records that were added, deleted or changed since another version.
    package func changes(since old: RecordTable) -> [RecordID] {
        var changed: [RecordID] = []
        let near = max(pages.count, old.pages.count)
        let far = farPages.isEmpty && old.farPages.isEmpty ? [] : Set(farPages.keys).union(old.farPages.keys).sorted()
        for number in 0..<(near + far.count) {
            let index = number < near ? number : far[number - near]
            let new = page(index)
            let before = old.page(index)
            if new === before { continue }
            for place in 0..<RecordTable.pageSize where new?.records[place] !== before?.records[place] {
                changed.append(index * RecordTable.pageSize + place)
            }
        }
        return changed
    }

    private func page(_ index: Int) -> Page? { index < pages.count ? pages[index] : farPages[index] }

    private mutating func setPage(_ index: Int, _ page: Page?) {
        guard index < RecordTable.nearPageCount else {
            farPages[index] = page
            return
        }
        while pages.count <= index { pages.append(nil) }
        pages[index] = page
    }

    /// Applies the changes of an edit.
    mutating func apply(_ changes: [RecordID: Record?], nextID: RecordID) {
        self.nextID = max(self.nextID, nextID)
        var added: [Record] = []
        var removed: Set<RecordID> = []
        var touchedEntities: Set<Int> = []
        let byPage = Dictionary(grouping: changes) { $0.key / RecordTable.pageSize }
        for (index, changes) in byPage {
            var records = page(index)?.records ?? Array(repeating: nil, count: RecordTable.pageSize)
            for (id, record) in changes {
                let old = records[id % RecordTable.pageSize]
                records[id % RecordTable.pageSize] = record
                weight += (record?.weight ?? 0) - (old?.weight ?? 0)
                if let old, record == nil {
                    removed.insert(id)
                    touchedEntities.insert(old.entity)
                    count -= 1
                }
                if let record, old == nil {
                    added.append(record)
                    count += 1
                }
            }
            setPage(index, records.contains { $0 != nil } ? Page(records) : nil)
        }
        for entity in touchedEntities { ids[entity].removeAll { removed.contains($0) } }
        for record in added.sorted(by: { $0.id < $1.id }) where ids.indices.contains(record.entity) {
            ids[record.entity].append(record.id)
        }
    }
}

/// The identifier of a record in its store. It is never used again.
package typealias RecordID = Int

/// One version of a record. Records are replaced and never changed.
package final class Record: Sendable {
    package enum Field: Sendable {
        case value(Value)
        case one(RecordID?)
        case many([RecordID])

        package func isIdentical(to other: Field) -> Bool {
            switch (self, other) {
            case (.value(let first), .value(let second)): first.isIdentical(to: second)
            case (.one(let first), .one(let second)): first == second
            case (.many(let first), .many(let second)): first == second
            default: false
            }
        }

        /// The weight of its content, in units of 16 bytes. Content that several records share counts for each, because
        /// the stored file has a copy for each.
        var weight: Int {
            switch self {
            case .one: 1
            case .many(let ids): 1 + ids.count / 2
            case .value(.string(let text)): 1 + text.utf8.count / 16
            case .value(.data(let bytes)): 1 + bytes.count / 16
            case .value(let value):
                value.elements == nil ? 1 : value.weight(upTo: RecordTable.weightLimit) ?? RecordTable.weightLimit
            }
        }
    }

    package let id: RecordID
    /// The place of its entity in the model.
    package let entity: Int
    /// In the order of the entity's properties.
    package let fields: [Field]
    /// The weight of all of its fields.
    let weight: Int

    package convenience init(id: RecordID, entity: Int, fields: [Field]) {
        self.init(id: id, entity: entity, fields: fields, weight: fields.reduce(0) { $0 + $1.weight })
    }

    package convenience init(id: RecordID, new entity: Int, of model: EntityModel) {
        let plan = model.plans[entity]
        self.init(id: id, entity: entity, fields: plan.blank, weight: plan.blankWeight)
    }

    private init(id: RecordID, entity: Int, fields: [Field], weight: Int) {
        self.id = id
        self.entity = entity
        self.fields = fields
        self.weight = weight
    }

    package func replacing(_ slot: Int, by field: Field) -> Record {
        replacing([(slot, field)])
    }

    /// The same with several at once; what has no place in it is left out.
    func replacing(_ replacements: [(slot: Int, field: Field)]) -> Record {
        var fields = fields
        var weight = weight
        for (slot, field) in replacements where fields.indices.contains(slot) {
            weight += field.weight - fields[slot].weight
            fields[slot] = field
        }
        return Record(id: id, entity: entity, fields: fields, weight: weight)
    }

    package func isIdentical(to other: Record) -> Bool {
        self === other
            || entity == other.entity && fields.elementsEqual(other.fields) { $0.isIdentical(to: $1) }
    }
}

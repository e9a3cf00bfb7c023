/// All records of a widget at one moment. A value: whoever holds one sees no change.
///
/// Records lie in pages that versions share, so that a change copies one page, and what differs between two
/// versions is found by looking at the pages alone.
package struct RecordTable: Sendable {
    final class Page: Sendable {
        let records: [Record?]

        init(_ records: [Record?]) {
            self.records = records
        }
    }

    static let pageSize = 128

    package let model: EntityModel
    private var pages: [Page?] = []
    /// The records of each entity itself, in the order in which they came.
    private var ids: [[RecordID]]
    package private(set) var nextID: RecordID = 0
    package private(set) var count = 0

    package init(model: EntityModel) {
        self.model = model
        ids = Array(repeating: [], count: model.entities.count)
    }

    package subscript(_ id: RecordID) -> Record? {
        let page = id / RecordTable.pageSize
        guard id >= 0, page < pages.count else { return nil }
        return pages[page]?.records[id % RecordTable.pageSize]
    }

    /// The records of an entity and of those that inherit from it.
    package func ids(of entity: Int) -> [RecordID] {
        let family = model.family(of: entity)
        if family.count == 1 { return ids[family[0]] }
        return family.flatMap { ids[$0] }.sorted()
    }

    package var all: [Record] { pages.flatMap { $0?.records.compactMap { $0 } ?? [] } }

    /// What another version has otherwise: records that came, went or changed.
    package func changes(since old: RecordTable) -> [RecordID] {
        var changed: [RecordID] = []
        for index in 0..<max(pages.count, old.pages.count) {
            let new = index < pages.count ? pages[index] : nil
            let before = index < old.pages.count ? old.pages[index] : nil
            if new === before { continue }
            for place in 0..<RecordTable.pageSize where new?.records[place] !== before?.records[place] {
                changed.append(index * RecordTable.pageSize + place)
            }
        }
        return changed
    }

    /// Takes over what an edit has changed.
    mutating func apply(_ changes: [RecordID: Record?], nextID: RecordID) {
        self.nextID = max(self.nextID, nextID)
        var added: [Record] = []
        var removed: Set<RecordID> = []
        var touchedEntities: Set<Int> = []
        let byPage = Dictionary(grouping: changes) { $0.key / RecordTable.pageSize }
        for (index, changes) in byPage {
            while pages.count <= index { pages.append(nil) }
            var records = pages[index]?.records ?? Array(repeating: nil, count: RecordTable.pageSize)
            for (id, record) in changes {
                let old = records[id % RecordTable.pageSize]
                records[id % RecordTable.pageSize] = record
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
            pages[index] = records.contains { $0 != nil } ? Page(records) : nil
        }
        for entity in touchedEntities { ids[entity].removeAll { removed.contains($0) } }
        for record in added.sorted(by: { $0.id < $1.id }) where ids.indices.contains(record.entity) {
            ids[record.entity].append(record.id)
        }
    }
}

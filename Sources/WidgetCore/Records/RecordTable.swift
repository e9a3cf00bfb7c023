/// All records of a widget at one moment. A value: a copy does not change.
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
    /// What all records of a widget may weigh together: fields, and 16 bytes of what is in them, are one each. That is
    /// some 50 MB.
    package static let weightLimit = 2_000_000
    /// Numbers below are found without looking for them; beyond, room is taken by what is there alone.
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
        return (pages + far).flatMap { $0?.records.compactMap { $0 } ?? [] }
    }

    /// What another version has otherwise: records that came, went or changed.
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

    /// Takes over what an edit has changed.
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

/// The records that stubs have answered requests with, so that the answers of a changed stub replace them.
///
/// The requests are known by ``PendingRequest/scriptKey``. When there are too many, those that were answered the longest
/// time ago are forgotten.
struct ScriptedAnswers: Sendable {
    private struct Entry: Sendable {
        var records: Set<RecordID> = []
        /// The number of the last answer.
        var turn = 0
    }

    private var entries: [String: Entry] = [:]
    private var turn = 0
    /// True once an entry was forgotten.
    private var isIncomplete = false

    var count: Int { entries.count }

    subscript(key: String) -> Set<RecordID>? { entries[key]?.records }

    /// The records of each other request.
    func others(than key: String) -> some Sequence<Set<RecordID>> {
        entries.lazy.filter { $0.key != key }.map { $0.value.records }
    }

    /// Adds the records of an answer to those of earlier answers to the same request.
    ///
    /// - Parameter isNew: true if they replace the earlier ones.
    /// - Returns: false if entries are forgotten for the first time.
    mutating func keep(_ records: [RecordID], as key: String, isNew: Bool, _ budget: Budget) -> Bool {
        turn += 1
        var entry = isNew ? Entry() : entries[key] ?? Entry()
        entry.records.formUnion(records)
        entry.turn = turn
        entries[key] = entry
        let wasIncomplete = isIncomplete
        var recordCount = entries.values.reduce(0) { $0 + $1.records.count }
        while entries.count > budget.scriptedAnswerCount || recordCount > budget.scriptedRecordCount,
            let oldest = entries.min(by: { $0.value.turn < $1.value.turn })
        {
            entries[oldest.key] = nil
            recordCount -= oldest.value.records.count
            isIncomplete = true
        }
        return wasIncomplete || !isIncomplete
    }

    /// The same requests with those of their records that still exist.
    func keeping(_ exists: (RecordID) -> Bool) -> ScriptedAnswers {
        var kept = self
        kept.entries = entries.mapValues { Entry(records: $0.records.filter(exists), turn: $0.turn) }
        return kept
    }
}

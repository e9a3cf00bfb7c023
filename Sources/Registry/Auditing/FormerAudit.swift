internal import Bytes

/// The part of a catalog that outlives its replacement: the audit, and the names and numbers of tokens.
///
/// A catalog that is made anew has none of it, and one from a backup has it up to the backup. The rest comes from the
/// catalog that is replaced, if that can be read and is a later state of the same one.
struct FormerAudit {
    /// How many records were taken over; `nil` when those of the replaced catalog are not in the new one.
    private(set) var kept: Int? = 0

    /// Takes over what there is, and adds a record of the replacement itself.
    ///
    /// - Parameters:
    ///   - floor: a number past all that were given, for the case that the replaced catalog does not tell.
    ///   - record: the replacement, noted last.
    init(
        keeping former: (any CatalogReader)?, in draft: any CatalogDraft, floor: Int64, _ record: AuditRecord
    ) throws(RegistryError) {
        let isWhole = try keep(former, in: draft)
        if !isWhole { kept = nil }
        try draft.write { catalog throws(RegistryError) in
            var record = record
            if !isWhole {
                // Numbers below may have been given. The name is the server's own word, so no token loses it.
                let (lastRecord, lastToken) = try FormerAudit.lastNumbers(catalog)
                let token = TokenName(
                    number: max(floor, lastToken.adding(1) ?? .max), name: record.author.name, prefix: "")
                try catalog.insert(token, revoked: record.at)
                record.number = max(floor, lastRecord.adding(1) ?? .max)
            }
            _ = try catalog.insert(record)
        }
    }

    private static func lastNumbers(
        _ catalog: any CatalogReader
    ) throws(RegistryError) -> (record: Int64, token: Int64) {
        (
            try catalog.auditRecords(AuditQuery(limit: 1)).first?.number ?? 0,
            try catalog.tokenNames(after: 0).last?.number ?? 0
        )
    }

    /// - Returns: whether the draft has everything now that the former catalog had.
    private mutating func keep(
        _ former: (any CatalogReader)?, in draft: any CatalogDraft
    ) throws(RegistryError) -> Bool {
        guard let former else { return false }
        let last = try draft.reader.auditRecords(AuditQuery(limit: 1)).first
        let (lastRecord, lastToken) = try FormerAudit.lastNumbers(draft.reader)
        do throws(RegistryError) {
            if let last, let same = try former.auditRecords(after: last.number.subtracting(1) ?? .min, limit: 1).first,
                same.number == last.number, same != last
            {
                return false
            }
            let names = try former.tokenNames(after: lastToken)
            try draft.write { catalog throws(RegistryError) in
                for name in names { try catalog.insert(name, revoked: 0) }
            }
            var after = lastRecord
            while true {
                let page = try former.auditRecords(after: after, limit: 256)
                guard let end = page.last else { return true }
                try draft.write { catalog throws(RegistryError) in
                    for record in page { _ = try catalog.insert(record) }
                }
                kept = (kept ?? 0) + page.count
                after = end.number
            }
        } catch {
            // A full disk is the draft's failure; anything else is most likely the former's, which is being replaced.
            if error == .outOfSpace { throw error }
            return false
        }
    }
}

internal import WidgetBytes
package import WidgetFiles

/// A store that was opened to have its catalog replaced. The present catalog may be in any state.
package protocol CatalogReplacement {
    var blobs: any BlobStore { get }
    /// The present catalog; `nil` when it cannot be read.
    var former: (any CatalogReader)? { get }
    /// The tag of the last change that followers were ever sent from here; `nil` when that is not known.
    var shownTag: Int64? { get }

    /// An empty catalog that no reader sees.
    func makeCatalog() throws(RegistryError) -> any CatalogDraft
    /// The catalog of a backup, if it is whole and not newer than this program.
    func openCatalog(_ file: consuming StagedFile) throws(RegistryError) -> any CatalogDraft
}

/// A catalog in the making.
package protocol CatalogDraft: AnyObject {
    var reader: any CatalogReader { get }
    /// Changes the draft. An error that `body` throws undoes all of its changes.
    func write<Value>(_ body: (any CatalogEditor) throws(RegistryError) -> Value) throws(RegistryError) -> Value
    func complaints() throws(RegistryError) -> [String]
    /// Replaces the store's catalog with the draft, and keeps a copy of the former one. If this is cut short, the next
    /// start reports it, and repeating it finishes it. Items unknown to the draft are kept until the next collection is
    /// due.
    ///
    /// - Parameters:
    ///   - time: now, in seconds since 1970; it is a part of the copy's name.
    ///   - command: the command that replaces the catalog.
    func install(at time: Int64, for command: String) throws(RegistryError)
}

/// Numbers that hosts and followers have seen must not come again. When the catalog is replaced, all of them start
/// above every number that was shown: above those that are still known, and above the seconds since 1970, which rise
/// faster than channels change.
struct Epoch {
    private(set) var number: Int64
    /// A higher number was never given; it was read from something damaged.
    static let highest: Int64 = 1 << 48

    init(now: Int64) {
        number = min(max(1, now), Epoch.highest)
    }

    mutating func pass(_ seen: Int64?) {
        guard let seen, seen >= number, seen < Epoch.highest else { return }
        number = seen + 1
    }

    /// Rises above the numbers in a store's catalog and mark, if they can be read.
    mutating func pass(_ store: any CatalogReplacement) {
        pass(store.shownTag)
        pass(try? store.former?.highestNumber())
    }
}

/// The part of a catalog that outlives its replacement: the audit, and the names and numbers of tokens.
///
/// A rebuilt catalog lacks all of it, and one from a backup has it up to the backup. The rest comes from the catalog
/// that is replaced, if that can be read and is a later state of the same one.
struct FormerAudit {
    /// The number of records taken over; `nil` when those of the replaced catalog are not in the new one.
    private(set) var kept: Int? = 0

    /// Takes over the readable records, and adds one of the replacement itself.
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

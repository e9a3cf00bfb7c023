internal import Database

extension Registry {
    package func bundle(_ id: String) throws(RegistryError) -> BundleSummary {
        try readers.read { catalog throws(RegistryError) in try catalog.summary(catalog.knownBundle(id)) }
    }

    package func channels(_ bundle: String) throws(RegistryError) -> [Channel] {
        try self.bundle(bundle).channels
    }

    package func channel(_ bundle: String, _ name: String) throws(RegistryError) -> Channel {
        try readers.read { catalog throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            guard let channel = try catalog.channel(name, ofBundle: found.id) else {
                throw .noSuchChannel(bundle: bundle, channel: name)
            }
            return try catalog.channel(channel, of: bundle)
        }
    }

    /// A withdrawn one too.
    package func release(_ bundle: String, _ key: String) throws(RegistryError) -> Release {
        try readers.read { catalog throws(RegistryError) in try catalog.knownRelease(bundle, key).release }
    }

    /// The report is a JSON object. A withdrawn release has one too; whether to show it is the caller's business.
    package func report(
        _ bundle: String, _ key: String
    ) throws(RegistryError) -> (release: Release, report: [UInt8]) {
        try readers.read { catalog throws(RegistryError) in
            let (release, row) = try catalog.storedRelease(bundle, key)
            return (release, try catalog.reportDocument(row.id))
        }
    }

    package func files(
        _ bundle: String, _ key: String
    ) throws(RegistryError) -> (release: Release, files: [ReleaseFile]) {
        let (release, document) = try readers.read { catalog throws(RegistryError) in
            let (release, row) = try catalog.storedRelease(bundle, key)
            return (release, try catalog.filesDocument(row.id))
        }
        return (release, try ReleaseFile.list(document))
    }

    /// Newest first, withdrawn ones too.
    package func releases(
        _ bundle: String, limit: Int, after: String?
    ) throws(RegistryError) -> Page<Release> {
        try readers.read { catalog throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            var last: ReleaseRow?
            if let after {
                last = try catalog.release(after, ofBundle: found.id)
                guard last != nil else { throw .invalidValue("cursor", reason: "no page of this list ended there") }
            }
            let channels = try catalog.channels(ofBundle: found.id)
            let rows = try catalog.releases(ofBundle: found.id, after: last, limit: limit + 1)
            return Page(
                items: rows.prefix(limit).map { $0.release(of: found.identifier, shownBy: channels) },
                next: rows.count > limit ? rows[limit - 1].key : nil)
        }
    }

    /// In the order of their tags; `next` is the last one's tag while there are more.
    package func changes(since tag: Int64, limit: Int) throws(RegistryError) -> Page<RegistryChange> {
        try readers.read { catalog throws(RegistryError) in
            let rows = try catalog.changes(after: tag, limit: limit + 1)
            return Page(
                items: Array(rows.prefix(limit)), next: rows.count > limit ? String(rows[limit - 1].tag) : nil)
        }
    }
}

extension Catalog {
    func knownRelease(
        _ identifier: String, _ key: String
    ) throws(RegistryError) -> (release: Release, row: ReleaseRow) {
        let bundle = try knownBundle(identifier)
        guard let row = try release(key, ofBundle: bundle.id) else {
            throw .noSuchRelease(bundle: identifier, key: key)
        }
        return (row.release(of: identifier, shownBy: try channels(ofBundle: bundle.id)), row)
    }

    /// One whose documents are there: they go some time after a release was withdrawn.
    fileprivate func storedRelease(
        _ identifier: String, _ key: String
    ) throws(RegistryError) -> (release: Release, row: ReleaseRow) {
        let known = try knownRelease(identifier, key)
        if let withdrawal = known.release.withdrawal, try !holdsDocuments(known.row.id) {
            throw .withdrawn(bundle: identifier, key: key, withdrawal)
        }
        return known
    }

    func releases(ofBundle bundle: Int64, after last: ReleaseRow?, limit: Int) throws(RegistryError) -> [ReleaseRow] {
        guard let last else {
            return try all(
                "SELECT * FROM release WHERE bundle = ? ORDER BY version DESC, id DESC LIMIT ?", .integer(bundle),
                .integer(limit), read: ReleaseRow.init)
        }
        return try all(
            """
            SELECT * FROM release WHERE bundle = ? AND (version, id) < (?, ?)
            ORDER BY version DESC, id DESC LIMIT ?
            """, .integer(bundle), .blob(last.version), .integer(last.id), .integer(limit), read: ReleaseRow.init)
    }
}

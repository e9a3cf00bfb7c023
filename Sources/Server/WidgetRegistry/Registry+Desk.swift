package import WidgetBytes
package import WidgetFiles

/// The bounds of what people at the pages have begun. All servers of a registry share it, it has an end, and no backup has it.
package enum DeskLimits {
    /// The most sessions, and the most of one token. The one that was used longest ago makes room.
    package static let sessions = 4_096
    package static let sessionsOfToken = 64
    package static let lifetime: Int64 = 12 * 3_600
    package static let idleTime: Int64 = 2 * 3_600
    /// The most archives that wait, which take room in the store, and the most of one token.
    package static let uploads = 64
    package static let uploadsOfToken = 16
    package static let uploadSeconds: Int64 = 15 * 60
}

extension SessionRecord {
    /// True until its time is over, or it was not used for long.
    package func isAlive(at now: Int64) -> Bool { !isOld(at: now) && !isIdle(at: now) }

    package func isOld(at now: Int64) -> Bool { now.distance(from: begun) >= DeskLimits.lifetime }

    package func isIdle(at now: Int64) -> Bool { now.distance(from: used) >= DeskLimits.idleTime }
}

extension WaitingUpload {
    func isAlive(at now: Int64) -> Bool { now.distance(from: since) < DeskLimits.uploadSeconds }
}

extension CatalogEditor {
    /// Removes the sessions that are not alive.
    fileprivate func removeEndedSessions(at now: Int64) throws(RegistryError) {
        try removeSessions(
            begunBy: now.subtracting(DeskLimits.lifetime) ?? .min, usedBy: now.subtracting(DeskLimits.idleTime) ?? .min)
    }
}

extension Int64 {
    fileprivate func distance(from other: Int64) -> Int64 {
        let (difference, hasOverflown) = subtractingReportingOverflow(other)
        return hasOverflown ? .max : difference
    }
}

// MARK: Sessions

extension Registry {
    package func sessions() throws(RegistryError) -> [SessionRecord] {
        try catalog.read { catalog throws(RegistryError) in try catalog.sessions() }
    }

    package func session(_ key: Digest) throws(RegistryError) -> SessionRecord? {
        try catalog.read { catalog throws(RegistryError) in try catalog.session(key) }
    }

    /// Begins a session. Where there are too many, another of the same token ends, or one of those who have most.
    ///
    /// - Returns: the session, and the key of the one that made room.
    package func beginSession(
        _ key: Digest, of token: Int64, prefix: String
    ) throws(RegistryError) -> (session: SessionRecord, dropped: Digest?) {
        let now = options.now
        let session = SessionRecord(
            key: key, token: token, share: DeskShare(prefix: prefix, token: token), begun: now, used: now)
        let dropped = try catalog.write { catalog, _ throws(RegistryError) -> Digest? in
            try catalog.removeEndedSessions(at: now)
            let own = try catalog.sessions(ofToken: token)
            var crowd: [SessionRecord] = []
            if own.count >= DeskLimits.sessionsOfToken {
                crowd = own
            } else if try catalog.sessionCount() >= DeskLimits.sessions {
                crowd = try DeskShare.largest(of: catalog.sessions(), by: \.share)
            }
            let oldest = crowd.min { $0.used < $1.used }?.key
            if let oldest { try catalog.removeSession(oldest) }
            try catalog.insert(session)
            return oldest
        }
        return (session, dropped)
    }

    package func endSession(_ key: Digest) throws(RegistryError) {
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.removeSession(key) }
    }

    /// Notes that a session is in use.
    package func touchSession(_ key: Digest) throws(RegistryError) {
        let now = options.now
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.setLastUse(ofSession: key, now) }
    }
}

// MARK: Uploads

extension Registry {
    /// Keeps an archive as it was sent, with the page about it, until its sender says what to do with it.
    ///
    /// - Parameter request: the request, as the query of a program would have it.
    package func keepUpload(
        _ key: Digest, of token: Int64, prefix: String, _ archive: borrowing StagedFile, digest: Digest,
        request: String,
        report: [UInt8]
    ) throws(RegistryError) {
        let now = options.now
        let upload = WaitingUpload(
            key: key, token: token, share: DeskShare(prefix: prefix, token: token), since: now, digest: digest,
            request: request)
        var rounds = 0
        while true {
            let dropped: [WaitingUpload]?
            do throws(RegistryError) {
                dropped = try publishing.withLock(for: digest) { () throws(RegistryError) in
                    try blobs.place(archive, as: digest, with: nil)
                    return try catalog.write { [blobs] catalog, _ throws(RegistryError) in
                        let dropped = try Registry.makeRoom(for: upload, in: catalog, now)
                        try catalog.insert(upload, report: report)
                        guard try blobs.holds([.blob(digest)], in: catalog) else { return nil }
                        return dropped
                    }
                }
            } catch {
                takeBack(uploadOf: digest)
                throw error
            }
            if let dropped {
                for other in dropped { takeBack(uploadOf: other.digest) }
                return
            }
            // Another process has collected garbage since.
            rounds += 1
            try catalog.write { catalog, _ throws(RegistryError) in try catalog.removeUpload(key) }
            guard rounds < 8 else { throw .unreachable("new archives are collected at once") }
        }
    }

    /// - Returns: the uploads that are not kept any longer.
    private static func makeRoom(
        for upload: WaitingUpload, in catalog: any CatalogEditor, _ now: Int64
    ) throws(RegistryError) -> [WaitingUpload] {
        var (present, dropped): ([WaitingUpload], [WaitingUpload]) = ([], [])
        for other in try catalog.uploads() {
            if other.isAlive(at: now) { present.append(other) } else { dropped.append(other) }
        }
        func drop(oldestOf some: [WaitingUpload]) {
            guard let oldest = some.min(by: { $0.since < $1.since }) else { return }
            dropped.append(oldest)
            present.removeAll { $0.key == oldest.key }
        }
        // One that is published takes no room in the store, and pushes out none that waits.
        for isDone in [true, false] {
            func kept() -> [WaitingUpload] { present.filter { ($0.outcome != nil) == isDone } }
            let own = kept().filter { $0.token == upload.token }
            if own.count >= DeskLimits.uploadsOfToken { drop(oldestOf: own) }
            let all = kept()
            if all.count >= DeskLimits.uploads { drop(oldestOf: DeskShare.largest(of: all, by: \.share)) }
        }
        for other in dropped { try catalog.removeUpload(other.key) }
        return dropped
    }

    /// An upload of a token, and the page about it; `nil` when it is not there any more.
    package func upload(
        _ key: Digest, of token: Int64
    ) throws(RegistryError) -> (upload: WaitingUpload, report: [UInt8])? {
        let now = options.now
        return try catalog.read { catalog throws(RegistryError) in
            guard let upload = try catalog.upload(key), upload.token == token, upload.isAlive(at: now) else {
                return nil
            }
            return (upload, try catalog.report(ofUpload: key))
        }
    }

    /// The archive of an upload, as it was sent.
    package func archive(of upload: WaitingUpload) throws(RegistryError) -> StoredFile {
        guard let file = try blobs.open(upload.digest) else { throw .damagedBlob(upload.digest) }
        return file
    }

    /// Notes the page that follows a publication, for those who send the same form again. Its archive is not kept.
    package func finishUpload(_ upload: WaitingUpload, at place: String) throws(RegistryError) {
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.setOutcome(place, ofUpload: upload.key) }
        takeBack(uploadOf: upload.digest)
    }

    package func discardUpload(_ upload: WaitingUpload) throws(RegistryError) {
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.removeUpload(upload.key) }
        takeBack(uploadOf: upload.digest)
    }

    /// Removes an archive that no upload needs any more, unless a release has it. A leftover does no harm: it is garbage.
    private func takeBack(uploadOf digest: Digest) {
        publishing.withLock(for: digest) {
            let known = try? catalog.read { catalog throws(RegistryError) in
                try KnownItems(ofDigest: digest, in: catalog).contains(.blob(digest))
            }
            if known == false { blobs.takeBack([.blob(digest)]) }
        }
    }

    /// Removes the sessions and the uploads whose time is over.
    func removeEndedDesk() throws(RegistryError) {
        let now = options.now
        try catalog.write { catalog, _ throws(RegistryError) in
            try catalog.removeEndedSessions(at: now)
            for upload in try catalog.uploads() where !upload.isAlive(at: now) { try catalog.removeUpload(upload.key) }
        }
    }
}

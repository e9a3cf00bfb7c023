import Dispatch
import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

/// Goal: every catalog keeps the promises of `ReleaseCatalog`. Method: the same tests over each implementation.
@Suite(.also(.cluster)) struct `The contract of a catalog` {
    private static func write<Value: Sendable>(
        _ catalog: any ReleaseCatalog,
        _ body: @escaping @Sendable (any CatalogEditor) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try catalog.write { editor, _ throws(RegistryError) in try body(editor) }
    }

    @Test(arguments: StorageKind.allCases)
    func `durable: a finished write is there after a restart`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        try Self.write(storage.catalog) { editor throws(RegistryError) in
            let release = try editor.add("1.0")
            try editor.insertChannel(editor.step(release))
            _ = try editor.tell("first")
            _ = try editor.insert(
                Token(name: "a", prefix: "", scopes: [.admin, .read], created: 1, expires: 9), digest: release.digest)
            _ = try editor.insert(auditSample("1.0~1", at: 1_000))
        }
        let before = try Self.everything(storage.catalog)
        try storage.reopen()
        #expect(try Self.everything(storage.catalog) == before)
        #expect(before.count > 5)
    }

    /// All that is kept of the sample bundle, as words.
    private static func everything(_ catalog: any ReleaseCatalog) throws -> [String] {
        try catalog.ask { reader throws in
            guard let bundle = try reader.bundle(sample) else { return [] }
            var words = ["\(bundle)", "\(try reader.latestTag())", "\(try reader.highestNumber())"]
            words += try reader.releases(ofBundle: bundle.id, after: nil, limit: 99).map { "\($0)" }
            words += try reader.channels(ofBundle: bundle.id).map { "\($0)" }
            words += try reader.changes(after: 0, limit: 99).map { "\($0)" }
            words += try reader.tokens().map { "\($0.number) \($0.name) \($0.scopes.map(\.rawValue).sorted())" }
            words += try reader.auditRecords(AuditQuery(limit: 99)).map { "\($0)" }
            return words
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `atomic: a write that throws leaves nothing behind, and does not affect other writes`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        let heard: Guarded<[Int64]> = Guarded([])
        catalog.follow { changes in heard.withLock { $0 += changes.map(\.tag) } }
        let refused = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 40) { number in
            do throws(RegistryError) {
                try catalog.write { editor, changes throws(RegistryError) in
                    _ = try editor.insertBundle("com.example.n\(number)", name: "n")
                    _ = try editor.insert(auditSample("\(number)", at: 1))
                    changes.append(try editor.tell("\(number)"))
                    if number % 2 == 1 { throw .interrupted }
                }
            } catch {
                if error == .interrupted { refused.withLock { $0 += 1 } }
            }
        }
        #expect(refused.withLock { $0 } == 20)
        let (bundles, tags, records) = try catalog.ask { reader throws in
            (
                try reader.bundleNumbers().count, try reader.changes(after: 0, limit: 99).map(\.tag),
                try reader.auditRecords(after: 0, limit: 99)
            )
        }
        #expect(bundles == 20)
        // An act and its record are one.
        #expect(records.map(\.number) == Array(1...20))
        #expect(Set(records.compactMap(\.release)) == Set((0..<40).filter { $0 % 2 == 0 }.map { String($0) }))
        #expect(tags == Array(1...20) && heard.withLock { $0 } == tags)
    }

    @Test(arguments: StorageKind.allCases)
    func `isolated: a read sees one moment, and waits for no writer`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        try Self.write(catalog) { editor throws(RegistryError) in _ = try editor.tell("first") }
        let tags = try catalog.ask { reader throws in
            let before = try reader.latestTag()
            try Self.write(catalog) { editor throws(RegistryError) in _ = try editor.tell("second") }
            return [before, try reader.latestTag()]
        }
        #expect(tags == [1, 1])
        #expect(try catalog.ask { reader in try reader.latestTag() } == 2)
    }

    @Test(arguments: StorageKind.allCases)
    func `isolated: a write decides on the newest state, alone`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        try Self.write(catalog) { editor throws(RegistryError) in
            try editor.insertChannel(editor.step(editor.add("1.0")))
        }
        DispatchQueue.concurrentPerform(iterations: 50) { _ in
            try? Self.write(catalog) { editor throws(RegistryError) in
                guard let bundle = try editor.bundle(sample),
                    var channel = try editor.channel("stable", ofBundle: bundle.id)
                else { return }
                channel.sequence += 1
                try editor.update(channel)
            }
        }
        #expect(try catalog.ask { reader in try reader.highestNumber() } == 51)
    }

    @Test(arguments: StorageKind.allCases)
    func
        `ordered: a reader that follows the tags misses no change, and the observer is called before the writer returns`(
            _ kind: StorageKind
        ) throws
    {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        let heard: Guarded<[Int64]> = Guarded([])
        catalog.follow { changes in heard.withLock { $0 += changes.map(\.tag) } }
        let isDone = Guarded(false)
        let followed: Guarded<[Int64]> = Guarded([])
        let group = DispatchGroup()
        DispatchQueue(label: "test.follower").async(group: group) {
            var last: Int64 = 0
            while true {
                let wasDone = isDone.withLock { $0 }
                let seen = try? catalog.ask { reader throws in
                    try reader.changes(after: last, limit: 3).map(\.tag)
                }
                followed.withLock { $0 += seen ?? [] }
                last = seen?.last ?? last
                if wasDone, seen?.isEmpty ?? true { return }
            }
        }
        let late = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 60) { number in
            let tag = try? catalog.write { editor, changes throws(RegistryError) in
                changes.append(try editor.tell("\(number)"))
                return changes.last?.tag ?? 0
            }
            if !heard.withLock({ $0.contains(tag ?? 0) }) { late.withLock { $0 += 1 } }
        }
        isDone.withLock { $0 = true }
        group.wait()
        #expect(late.withLock { $0 } == 0)
        #expect(heard.withLock { $0 } == Array(1...60))
        #expect(followed.withLock { $0 } == Array(1...60))
    }

    @Test(arguments: StorageKind.allCases)
    func `honest: a missing row is nil, and a number that leads nowhere is damage`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let digest = try #require(Digest.sha256([1]))
        try storage.catalog.ask { reader throws in
            #expect(try reader.bundle(sample) == nil && reader.bundle(spelledLike: sample) == nil)
            #expect(try reader.longestBundle(beginning: sample, within: "") == nil)
            #expect(try reader.release("1.0~1", ofBundle: 1) == nil && reader.channel("stable", ofBundle: 1) == nil)
            #expect(try reader.releases(withDigest: digest, limit: 9).isEmpty)
            #expect(try reader.firstPublication(of: digest) == nil && reader.isUnused())
            #expect(try reader.latestTag() == 0 && reader.highestNumber() == 0 && reader.storedByteCount() == 0)
            #expect(
                try reader.storedBlobs(after: nil, limit: 9).isEmpty && reader.digests(after: nil, limit: 9).isEmpty)
        }
        for question in 0..<6 {
            let error = try refusal {
                try storage.catalog.ask { reader in
                    switch question {
                    case 0: _ = try reader.identifier(ofBundle: 7)
                    case 1: _ = try reader.release(7)
                    case 2: _ = try reader.releaseKey(7)
                    case 3: _ = try reader.filesDocument(7)
                    case 4: _ = try reader.reportDocument(7)
                    default: _ = try reader.step(7)
                    }
                }
            }
            guard case .damaged? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    // MARK: Questions

    @Test(arguments: StorageKind.allCases)
    func `Bundles are answered in the order of bytes`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        try Self.write(catalog) { editor throws(RegistryError) in
            for name in ["com.b", "com.B.c", "com.a-b", "com.a", "com.a.b"] {
                let release = try editor.add("1.0", of: name)
                if name.hasSuffix("b") { try editor.insertChannel(editor.step(release, on: "beta")) }
            }
        }
        try catalog.ask { reader throws in
            var range = BundleRange(from: "", besides: "", below: "~", channel: nil, limit: 99)
            let all = try reader.bundles(range)
            #expect(all.map(\.bundle.identifier) == ["com.B.c", "com.a", "com.a-b", "com.a.b", "com.b"])
            #expect(all.allSatisfy(\.hasChannel) && all.allSatisfy { $0.bundle.latest != nil })
            range = BundleRange(from: "com.a", besides: "com.a", below: "com.a~", channel: "beta", limit: 1)
            #expect(try reader.bundles(range).map(\.bundle.identifier) == ["com.a-b"])
            #expect(try reader.bundles(range).map(\.hasChannel) == [true])
            #expect(try reader.longestBundle(beginning: "com.a.bc", within: "")?.identifier == "com.a.b")
            #expect(try reader.longestBundle(beginning: "com.aa", within: "")?.identifier == "com.a")
            #expect(try reader.longestBundle(beginning: "com.B", within: "")?.identifier == nil)
            #expect(try reader.longestBundle(beginningLike: "COM.b.C.d", within: "")?.identifier == "com.B.c")
            #expect(try reader.longestBundle(beginning: "com.a.bc", within: "com.a.")?.identifier == "com.a.b")
            #expect(try reader.longestBundle(beginning: "com.a-c", within: "com.a-") == nil)
            #expect(try reader.longestBundle(beginning: "com.a.bc", within: "com.b") == nil)
            #expect(try reader.longestBundle(beginningLike: "COM.A-bc", within: "com.A-")?.identifier == "com.a-b")
            #expect(try reader.longestBundle(beginningLike: "com.A.bc", within: "com.a.bb") == nil)
            #expect(try reader.bundle(spelledLike: "COM.A-B")?.identifier == "com.a-b")
            #expect(try reader.bundleNumbers() == [1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `Releases are answered with their documents and their archives`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        let shared = try #require(Digest.sha256([7]))
        let ids = try Self.write(catalog) { editor throws(RegistryError) in
            [
                try editor.add("1.10", digest: shared), try editor.add("1.9", digest: shared),
                try editor.add("2.0", isSnapshot: true),
            ].map(\.id)
        }
        try catalog.ask { reader throws in
            let bundle = try reader.knownNumber(sample)
            #expect(
                try reader.releases(ofBundle: bundle, after: nil, limit: 9).map(\.key) == ["2.0~1", "1.10~1", "1.9~1"])
            let after = try reader.release("2.0~1", ofBundle: bundle)
            #expect(try reader.releases(ofBundle: bundle, after: after, limit: 1).map(\.key) == ["1.10~1"])
            #expect(try reader.bundle(sample)?.latest == ids[0] && reader.bundle(sample)?.releaseCount == 3)
            #expect(try reader.releases(withDigest: shared, limit: 9).map(\.id) == [ids[0], ids[1]])
            #expect(try reader.firstPublication(of: shared)?.published == 1_000)
            #expect(try String(decoding: reader.filesDocument(ids[1]), as: UTF8.self) == "files 1.9")
            #expect(try String(decoding: reader.reportDocument(ids[1]), as: UTF8.self) == "report 1.9")
            #expect(try reader.storedByteCount() == 200 && reader.releaseCount() == 3)
            #expect(try reader.digests(after: nil, limit: 9).count == 2)
            #expect(try reader.snapshots(ofBundle: bundle).map(\.key) == ["2.0~1"])
            #expect(try reader.bundles(withMoreSnapshotsThan: 0).map(\.identifier) == [sample])
            #expect(try reader.bundles(withMoreSnapshotsThan: 1).isEmpty)
            let release = try reader.release(ids[2])
            #expect(release.release.minimumOSVersion == "12.0" && release.release.isSnapshot)
            #expect(release.release.minimumHostVersion == nil && release.withdrawal == nil)
            #expect(release.release.remarks.note == "about 2.0")
        }
        try Self.write(catalog) { editor throws(RegistryError) in
            try editor.setWithdrawal(Withdrawal(at: 50, reason: "r"), by: "x", of: ids[0])
            try editor.setWithdrawal(
                Withdrawal(at: 50, reason: "s", directive: .stop), by: Retention.author, of: ids[2])
            try editor.updateLatest(ofBundle: editor.knownNumber(sample))
        }
        try catalog.ask { reader throws in
            #expect(try reader.bundle(sample)?.latest == ids[1])
            #expect(try reader.release(ids[0]).withdrawal == Withdrawal(at: 50, reason: "r"))
            let bundle = try reader.knownNumber(sample)
            // Those that hosts may keep are not listed.
            let forbidden = try reader.forbiddenReleases(ofBundle: bundle, limit: 9)
            #expect(forbidden.map(\.key) == ["2.0~1"] && forbidden.map(\.withdrawal.directive) == [.stop])
            #expect(try reader.forbiddenReleases(ofBundle: bundle, limit: 0).isEmpty)
            #expect(try reader.endedReleases(.init(withdrawn: 51, retired: 50), after: 0, limit: 9) == [ids[0]])
            #expect(try reader.endedReleases(.init(withdrawn: 50, retired: 51), after: 0, limit: 9) == [ids[2]])
            #expect(try reader.endedReleases(.init(withdrawn: 51, retired: 51), after: ids[0], limit: 9) == [ids[2]])
            let shares = try reader.shares(from: shared, through: shared)
            #expect(shares.map(\.isWithdrawn) == [true, false])
            #expect(shares.allSatisfy { $0.isStored && !$0.isExpired })
        }
        try Self.write(catalog) { editor throws(RegistryError) in
            try editor.removeDocuments(of: ids[0], at: 1)
            try editor.removeWithdrawal(of: ids[0], at: 60)
            let again = try editor.release(ids[2])
            try editor.revive(ids[2], as: again, ReleaseDocuments(files: [1], report: [2]))
        }
        try catalog.ask { reader throws in
            #expect(try !reader.holdsDocuments(ids[0]) && reader.holdsDocuments(ofDigest: shared))
            #expect(try reader.release(ids[0]).withdrawal == nil && reader.release(ids[0]).restored == 60)
            #expect(try reader.release(ids[2]).withdrawal == nil && reader.filesDocument(ids[2]) == [1])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A retired release comes back with the remarks of its new publication`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let id = try Self.write(storage.catalog) { editor throws(RegistryError) in
            var record = try editor.add("2.0", isSnapshot: true)
            try editor.setWithdrawal(Withdrawal(at: 50, reason: "r"), by: Retention.author, of: record.id)
            record.release.remarks.note = "again"
            try editor.revive(record.id, as: record, ReleaseDocuments(files: [1], report: [2]))
            return record.id
        }
        try storage.catalog.ask { reader throws in
            let revived = try reader.release(id)
            #expect(revived.release.remarks.note == "again" && revived.withdrawal == nil)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `Channels are answered with their history`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        let records = try Self.write(catalog) { editor throws(RegistryError) in
            let records = [try editor.add("1.0"), try editor.add("1.1"), try editor.add("1.2")]
            try editor.insertChannel(editor.step(records[0], on: "stable"))
            try editor.insertChannel(editor.step(records[2], on: "beta"))
            guard var stable = try editor.channel("stable", ofBundle: records[0].bundle) else { throw .interrupted }
            var next = editor.step(records[1], sequence: 2)
            next.previous = stable.head
            stable.head = try editor.insert(next)
            stable.state = next.state
            stable.sequence = 2
            try editor.update(stable)
            return records
        }
        try catalog.ask { reader throws in
            let bundle = records[0].bundle
            #expect(try reader.channels(ofBundle: bundle).map(\.name) == ["beta", "stable"])
            #expect(try reader.channelCount(ofBundle: bundle) == 2)
            guard let stable = try reader.channel("stable", ofBundle: bundle) else { throw RegistryError.interrupted }
            #expect(stable.state.release == records[1].id && stable.sequence == 2)
            let head = try reader.step(stable.head)
            #expect(head.sequence == 2 && head.kind == .publish && head.replaced == nil)
            #expect(try reader.step(head.previous ?? 0).state.release == records[0].id)
            #expect(try reader.lastStep(of: records[0].id, onChannel: stable)?.id == head.previous)
            #expect(try reader.lastStep(of: records[2].id, onChannel: stable) == nil)
            #expect(try reader.firstStep(of: records[2].id, inBundle: bundle)?.channel == "beta")
            #expect(try reader.channels(everShowing: records[0].id, inBundle: bundle) == ["stable"])
            #expect(try reader.highestRelease(onChannel: stable, besides: 0) == records[1].id)
            #expect(try reader.highestRelease(onChannel: stable, besides: records[1].id) == records[0].id)
        }
        let count = try Self.write(catalog) { editor throws(RegistryError) in
            try editor.raise(to: 70, by: "x", at: 5)
        }
        #expect(count == 2)
        try catalog.ask { reader throws in
            #expect(try reader.changes(after: 0, limit: 9).map(\.tag) == [71, 72])
            #expect(try reader.changes(after: 71, limit: 9).map(\.channel) == ["stable"])
            #expect(try reader.channels(ofBundle: records[0].bundle).map(\.sequence) == [70, 70])
            #expect(try reader.highestNumber() == 72)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A deleted channel leaves only its sequence, which a new one of its name continues`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        let records = try Self.write(catalog) { editor throws(RegistryError) in
            let records = [try editor.add("1.0"), try editor.add("1.1")]
            try editor.insertChannel(editor.step(records[0], on: "beta", sequence: 4))
            try editor.insertChannel(editor.step(records[1], on: "stable"))
            guard let beta = try editor.channel("beta", ofBundle: records[0].bundle) else { throw .interrupted }
            try editor.delete(beta, sequence: 60, at: 7)
            return records
        }
        let bundle = records[0].bundle
        let range = BundleRange(from: "", besides: "", below: "~", channel: "beta", limit: 9)
        try catalog.ask { reader throws in
            #expect(try reader.channel("beta", ofBundle: bundle) == nil)
            #expect(try reader.channels(ofBundle: bundle).map(\.name) == ["stable"])
            #expect(try reader.channelCount(ofBundle: bundle) == 1)
            #expect(try reader.bundles(range).map(\.hasChannel) == [false])
            #expect(try reader.lastSequence(ofDeletedChannel: "beta", ofBundle: bundle) == 60)
            #expect(try reader.lastSequence(ofDeletedChannel: "stable", ofBundle: bundle) == 0)
            #expect(try reader.highestNumber() == 60)
            #expect(try reader.firstStep(of: records[0].id, inBundle: bundle)?.channel == "beta")
            #expect(try reader.channels(everShowing: records[0].id, inBundle: bundle) == ["beta"])
        }
        let count = try Self.write(catalog) { editor throws(RegistryError) in
            let count = try editor.raise(to: 70, by: "x", at: 5)
            let sequence = try editor.lastSequence(ofDeletedChannel: "beta", ofBundle: bundle) + 1
            try editor.insertChannel(editor.step(records[1], on: "beta", sequence: sequence))
            return count
        }
        #expect(count == 1)
        try catalog.ask { reader throws in
            #expect(try reader.changes(after: 0, limit: 9).map(\.channel) == ["stable"])
            guard let beta = try reader.channel("beta", ofBundle: bundle) else { throw RegistryError.interrupted }
            #expect(beta.sequence == 71 && beta.state.release == records[1].id && beta.origin == beta.head)
            #expect(try reader.lastSequence(ofDeletedChannel: "beta", ofBundle: bundle) == 0)
            // The steps of the channel before are not a part of its history.
            #expect(try reader.lastStep(of: records[0].id, onChannel: beta) == nil)
            #expect(try reader.highestRelease(onChannel: beta, besides: records[1].id) == nil)
            #expect(try reader.bundles(range).map(\.hasChannel) == [true])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A token keeps its channels, and whether it has its earlier rights`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let tokens = [
            Token(name: "a", prefix: "", scopes: [.publish], channels: ["nightly", "beta", "beta"], created: 1),
            Token(name: "b", prefix: "", scopes: [.publish], created: 2, keepsEarlierRights: true),
        ]
        try Self.write(storage.catalog) { editor throws(RegistryError) in
            for (byte, token) in tokens.enumerated() {
                guard let digest = Digest.sha256([UInt8(byte)]) else { throw .outOfMemory }
                _ = try editor.insert(token, digest: digest)
            }
        }
        try storage.reopen()
        try storage.catalog.ask { reader throws in
            let numbered = tokens.enumerated().map { place, token in
                var token = token
                token.number = Int64(place + 1)
                return token
            }
            #expect(try reader.tokens() == numbered)
            #expect(try reader.tokens().map(\.channels) == [["beta", "nightly"], []])
            #expect(try Set(reader.tokensByDigest().values.map(\.name)) == ["a", "b"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `Tokens are answered, and that there ever was one`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        let digest = try #require(Digest.sha256([1]))
        try Self.write(catalog) { editor throws(RegistryError) in
            #expect(
                try editor.insert(Token(name: "a", prefix: "com", scopes: [.read], created: 1), digest: digest) == 1)
            try editor.setLastUse(ofToken: 1, 9)
        }
        try Self.rotate(catalog, digest)
        let a = TokenName(number: 1, name: "a", prefix: "com")
        try catalog.ask { reader throws in
            #expect(try reader.tokenNames(called: "a") == [a] && reader.tokenNames(called: "b").isEmpty)
            #expect(try reader.tokensByDigest()[digest]?.lastUsed == 9)
            #expect(
                try reader.tokensByDigest().values.map(\.isFoundByEarlierSecret).sorted { !$0 && $1 } == [false, true])
        }
        let removed = try Self.write(catalog) { editor throws(RegistryError) in
            [try editor.revokeToken(1, at: 5), try editor.revokeToken(1, at: 6), try editor.revokeToken(7, at: 6)]
        }
        #expect(removed == [true, false, false])
        #expect(try catalog.ask { reader in try reader.isUnused() } == false)
        // Its name and its number stay taken, and its secret is gone.
        let kept = TokenName(number: 40, name: "kept", prefix: "")
        let next = try Self.write(catalog) { editor throws(RegistryError) in
            try editor.insert(kept, revoked: 7)
            return try editor.insert(Token(name: "b", prefix: "com", scopes: [.read], created: 1), digest: digest)
        }
        #expect(next == 41)
        try catalog.ask { reader throws in
            #expect(try reader.tokens().map(\.number) == [41] && reader.tokensByDigest().count == 1)
            #expect(try reader.tokenNames(after: 1).map(\.number) == [40, 41])
            #expect(try reader.tokenNames(called: "a") == [a] && reader.tokenNames(called: "kept") == [kept])
        }
    }

    /// Rotates a token away from the digest and back, and leaves the one between as the earlier.
    private static func rotate(_ catalog: any ReleaseCatalog, _ digest: Digest) throws {
        let other = try #require(Digest.sha256([2]))
        let done = try write(catalog) { editor throws(RegistryError) in
            [
                try editor.rotateToken(1, from: other, to: digest, keptUntil: nil),
                try editor.rotateToken(7, from: digest, to: other, keptUntil: nil),
                try editor.rotateToken(1, from: digest, to: other, keptUntil: nil),
            ]
        }
        #expect(done == [false, false, true])
        #expect(try catalog.ask { reader in try Array(reader.tokensByDigest().keys) } == [other])
        let back = try write(catalog) { editor throws(RegistryError) in
            try editor.rotateToken(1, from: other, to: digest, keptUntil: 50)
        }
        #expect(back)
        try catalog.ask { reader throws in
            #expect(try reader.tokens().map(\.earlierSecretEnds) == [50])
            #expect(try reader.tokensByDigest()[other]?.isFoundByEarlierSecret == true)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `The audit is answered newest first, by bundle, token, time and prefix`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        var full = auditSample("1.0~1", at: 10)
        full.author = Author("ci", token: 7, client: "192.0.2.1", request: "r1", agent: "curl/8")
        full.channel = "stable"
        full.from = AuditRecord.Shown(release: "2.0~1", rollout: 10_000, isMandatory: true)
        full.to = AuditRecord.Shown(release: "1.0~1", rollout: 2_500, isMandatory: false)
        full.isForced = true
        (full.digest, full.contentDigest) = (.sha256([1]), .sha256([2]))
        full.remark = "why"
        var token = AuditRecord(.createToken, by: "owner", at: 30, about: "com.other")
        token.token = TokenName(number: 9, name: "late", prefix: "com.other")
        let records = [
            full, auditSample("2.0~1", of: "\(sample).Inner", at: 20), auditSample("1~1", of: "\(sample)s", at: 25),
            token,
            AuditRecord(.gc, by: "schedule", at: 40, about: ""),
        ]
        let numbers = try Self.write(catalog) { editor throws(RegistryError) in
            var numbers: [Int64] = []
            for record in records { numbers.append(try editor.insert(record)) }
            return numbers
        }
        #expect(numbers == [1, 2, 3, 4, 5])
        full.number = 1
        token.number = 4
        try catalog.ask { reader throws in
            func found(_ change: (inout AuditQuery) -> Void) throws -> [Int64] {
                var query = AuditQuery(limit: 9)
                change(&query)
                return try reader.auditRecords(query).map(\.number)
            }
            let all = try reader.auditRecords(AuditQuery(limit: 9))
            #expect(all.map(\.number) == [5, 4, 3, 2, 1] && all.last == full && all[1] == token)
            #expect(try reader.auditRecords(after: 3, limit: 9).map(\.number) == [4, 5])
            #expect(try reader.auditRecords(after: 0, limit: 2).map(\.number) == [1, 2])
            #expect(try found { $0.limit = 2 } == [5, 4] && found { $0.before = 3 } == [2, 1])
            #expect(try found { $0.prefix = sample } == [2, 1] && found { $0.prefix = "com.other" } == [4])
            #expect(try found { $0.bundle = sample } == [1] && found { $0.bundle = "com.other" }.isEmpty)
            #expect(try found { $0.token = "ci" } == [1] && found { $0.token = "7" } == [1])
            #expect(try found { $0.token = "late" } == [4] && found { $0.token = "9" } == [4])
            #expect(try found { $0.token = "curl" }.isEmpty)
            #expect(try found { ($0.since, $0.until) = (20, 30) } == [3, 2])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `Old records of the audit are removed in steps, and no number is given twice`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let catalog = storage.catalog
        try Self.write(catalog) { editor throws(RegistryError) in
            for time: Int64 in 1...7 { _ = try editor.insert(auditSample("\(time)~1", at: time)) }
        }
        let removed = try Self.write(catalog) { editor throws(RegistryError) in
            [
                try editor.removeAuditRecords(before: 4, limit: 2), try editor.removeAuditRecords(before: 4, limit: 2),
                try editor.removeAuditRecords(before: 4, limit: 2), try editor.removeAuditRecords(before: 99, limit: 9),
                try editor.removeAuditRecords(before: 99, limit: 9),
            ]
        }
        #expect(removed == [2, 1, 0, 3, 0])
        let numbers = try Self.write(catalog) { editor throws(RegistryError) in
            var late = auditSample("8~1", at: 8)
            late.number = 100
            return [
                try editor.insert(auditSample("8~1", at: 8)), try editor.insert(late),
                try editor.insert(auditSample("9~1", at: 9)),
            ]
        }
        #expect(numbers == [8, 100, 101])
        #expect(try catalog.ask { try $0.auditRecords(after: 0, limit: 9).map(\.number) } == [7, 8, 100, 101])
    }
}

extension CatalogReader {
    fileprivate func knownNumber(_ identifier: String) throws(RegistryError) -> Int64 {
        guard let bundle = try bundle(identifier) else { throw .noSuchBundle(identifier, spelling: nil) }
        return bundle.id
    }
}

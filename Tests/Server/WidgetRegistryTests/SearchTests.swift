import RegistryContract
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

/// Goal: people find bundles by words, prefixes and findings, and never by what is hidden from them. Method: the same questions to
/// each storage, through the registry and as a catalog answers them.
@Suite(.also(.cluster)) struct `A search` {
    private static func registry(_ kind: StorageKind) throws -> (Storage, Registry) {
        let storage = try Storage(kind)
        let registry = try storage.registry()
        for (identifier, name) in [
            ("com.acme.Clock", "World Clock"), ("com.acme.ClockTower", "Tower"), ("com.acme.Timer", "Sand Timer"),
            ("org.example.RawProduct", "Größe"), ("org.example.Clock2", "Second Clock"),
        ] {
            try registry.publish(Upload(identifier: identifier, content: "[\"\(identifier)\"]", name: name))
        }
        return (storage, registry)
    }

    private static func found(_ registry: Registry, _ change: (inout SearchQuery) -> Void) throws -> [String] {
        var query = SearchQuery(limit: 24)
        change(&query)
        return try registry.search(query).items.map(\.bundle.identifier)
    }

    @Test(arguments: StorageKind.allCases)
    func `A search finds bundles by the beginnings of words of identifier and name, exact words first`(
        _ kind: StorageKind
    ) throws {
        let (storage, registry) = try Self.registry(kind)
        defer { storage.end() }
        #expect(
            try Self.found(registry) { $0.text = "CLOCK" }
                == ["com.acme.Clock", "org.example.Clock2", "com.acme.ClockTower"])
        #expect(try Self.found(registry) { $0.text = "tower" } == ["com.acme.ClockTower"])
        #expect(try Self.found(registry) { $0.text = "acme sand" } == ["com.acme.Timer"])
        #expect(try Self.found(registry) { $0.text = "product" } == ["org.example.RawProduct"])
        #expect(try Self.found(registry) { $0.text = "größe" } == ["org.example.RawProduct"])
        #expect(try Self.found(registry) { $0.text = "roduct" } == [])
        #expect(
            try Self.found(registry) {
                $0.text = "clock"
                $0.prefix = "org."
            } == ["org.example.Clock2"])
        #expect(try Self.found(registry) { $0.text = " , " }.count == 5)
        #expect(try Self.found(registry) { $0.prefix = "com.acme.C" } == ["com.acme.Clock", "com.acme.ClockTower"])
    }

    @Test(arguments: StorageKind.allCases)
    func `A search is read in pages that have every bundle once`(_ kind: StorageKind) throws {
        let (storage, registry) = try Self.registry(kind)
        defer { storage.end() }
        for text in ["", "clock", "g", "com"] {
            var pages: [String] = []
            var query = SearchQuery(limit: 1)
            query.text = text
            repeat {
                let page = try registry.search(query)
                pages += page.items.map(\.bundle.identifier)
                query.after = page.next
            } while query.after != nil && pages.count < 20
            #expect(try pages == Self.found(registry) { $0.text = text }, "\(text)")
        }
        var query = SearchQuery(limit: 1)
        query.text = "clock"
        for cursor in ["com.acme.Clock", "zz com.acme.Clock", "6 x", ""] {
            query.after = cursor
            #expect(throws: RegistryError.self) { try registry.search(query) }
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A bundle is found by the findings of its latest release, and no longer by those of one that was withdrawn`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        // A file that nothing refers to, beside no interface, is a finding of the whole.
        try registry.publish("1.0")
        let report = try registry.report(sample, "1.0~1").report
        let codes = try #require(String(decoding: report, as: UTF8.self).firstMatch(of: /"code":"([a-z-]+)"/)?.1)
        #expect(try Self.found(registry) { $0.finding = String(codes) } == [sample])
        #expect(try Self.found(registry) { $0.finding = "\(codes)x" } == [])
        #expect(try Self.found(registry) { $0.finding = String(codes.dropLast()) } == [])
        #expect(
            try Self.found(registry) {
                $0.finding = String(codes)
                $0.text = "sam"
            } == [sample])
        _ = try registry.withdraw(sample, "1.0~1", reason: "x", by: "tester")
        #expect(try Self.found(registry) { $0.finding = String(codes) } == [])
        #expect(try Self.found(registry) { $0.text = "sample" } == [sample])
        _ = try registry.restore(sample, "1.0~1", by: "tester")
        #expect(try Self.found(registry) { $0.finding = String(codes) } == [sample])
    }

    @Test(arguments: StorageKind.allCases)
    func `A reader of one prefix searches its own bundles alone`(_ kind: StorageKind) throws {
        let (storage, registry) = try Self.registry(kind)
        defer { storage.end() }
        var query = SearchQuery(limit: 24, territory: "com.acme") { $0.hasPrefix("com.acme.") }
        query.text = "clock"
        #expect(try registry.search(query).items.map(\.bundle.identifier) == ["com.acme.Clock", "com.acme.ClockTower"])
        query.text = "product"
        #expect(try registry.search(query).items.isEmpty && registry.search(query).next == nil)
        query.finding = "no-such-finding"
        #expect(try registry.search(query).items.isEmpty)
    }

    @Test(arguments: StorageKind.allCases)
    func `A bundle that an earlier program stored is found after the next start`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        try storage.catalog.write { editor, _ throws(RegistryError) in
            for number in 0..<3 { _ = try editor.insertBundle("com.example.Old\(number)", name: "Old") }
        }
        #expect(try storage.catalog.ask { try $0.unindexedBundles(limit: 2) }.count == 2)
        let registry = try storage.registry()
        #expect(try storage.catalog.ask { try $0.unindexedBundles(limit: 2) }.isEmpty)
        #expect(try Self.found(registry) { $0.text = "old" }.count == 3)
    }

    @Test(arguments: StorageKind.allCases)
    func `Terms are answered in their order, counted to a limit, and replaced as a whole`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        try storage.catalog.write { editor, _ throws(RegistryError) in
            let first = try editor.insertBundle("b.x", name: "")
            let second = try editor.insertBundle("a.x", name: "")
            try editor.setTerms(["ab", "abc", "b"], of: first)
            try editor.setTerms(["ab", "abcd"], of: second)
        }
        let range = TermRange(from: "ab", below: "ac")
        try storage.catalog.ask { reader in
            let found = try reader.bundles(withTermIn: range, after: nil, limit: 9)
            #expect(found.map(\.bundle.identifier) == ["a.x", "b.x"] && found.map(\.term) == ["ab", "ab"])
            let place = TermPlace(term: "ab", identifier: "a.x")
            #expect(try reader.bundles(withTermIn: range, after: place, limit: 9).map(\.bundle.identifier) == ["b.x"])
            #expect(try reader.bundles(withTermIn: range, after: nil, limit: 1).count == 1)
            #expect(try reader.termCount(in: range, upTo: 9) == 4 && reader.termCount(in: range, upTo: 3) == 3)
            let later = TermRange(from: "abc", below: "abd")
            #expect(
                try reader.bundles(withTermIn: later, after: nil, limit: 9).map { "\($0.bundle.identifier) \($0.term)" }
                    == ["b.x abc", "a.x abcd"])
        }
        try storage.catalog.write { editor, _ throws(RegistryError) in
            let bundle = try editor.bundle("b.x")
            try editor.setTerms(["b", "c"], of: bundle?.id ?? 0)
        }
        try storage.catalog.ask { reader in
            let bundle = try #require(try reader.bundle("b.x"))
            #expect(try reader.terms(ofBundle: bundle.id) == ["b", "c"])
            #expect(try reader.bundles(withTermIn: range, after: nil, limit: 9).map(\.bundle.identifier) == ["a.x"])
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `Parts that come later change nothing that was published`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        func publish(_ version: String, channel: String = "stable") throws {
            let staged = try registry.stage()
            let taken = try Upload(version: version).taken(into: staged.file)
            var options = PublishOptions()
            options.channel = channel
            _ = try registry.publish(taken, archive: staged, PublishRequest(options, by: "tester"))
        }
        for version in ["1.0", "1.1", "1.2"] { try publish(version) }
        try publish("0.9", channel: "old")
        let noticed = Guarded<[String?]>([])
        registry.observeParts { bundle in noticed.withLock { $0.append(bundle) } }

        // Those on channels first, and the latest first.
        func missing(_ prefix: String = "", limit: Int = 9) throws -> [String] {
            try registry.releases(withoutPart: "mark", ofBundles: prefix, limit: limit).map(\.key)
        }
        #expect(try missing() == ["0.9~1", "1.2~1", "1.1~1", "1.0~1"])
        #expect(try missing(limit: 3) == ["0.9~1", "1.2~1", "1.1~1"])
        #expect(try missing(sample).count == 4)
        #expect(try missing("com").count == 4 && missing("co").isEmpty && missing("org").isEmpty)

        let (release, report) = try registry.report(sample, "1.1~1")
        let tag = try registry.storedTag
        let parts = ["mark", "other"].map { ReleasePart(name: $0, mediaType: "text/plain", content: [1]) }
        #expect(try registry.replaceParts(of: sample, "1.1~1", with: parts))
        #expect(try missing() == ["0.9~1", "1.2~1", "1.0~1"])
        let second = ReleasePart(name: "other", mediaType: "text/plain", content: [2])
        #expect(try registry.putParts([second], of: sample, "1.1~1"))
        #expect(try registry.part("other", of: sample, "1.1~1") == second)
        #expect(try registry.replaceParts(of: sample, "1.1~1", with: [second]))
        #expect(try registry.partNames(of: sample, "1.1~1") == ["other"])
        #expect(try registry.report(sample, "1.1~1") == (release, report) && registry.storedTag == tag)
        #expect(noticed.withLock { $0 } == [sample, sample, sample])

        // A release that is withdrawn, or was never there, gets none.
        _ = try registry.withdraw(sample, "1.0~1", reason: "x", by: "tester")
        #expect(try !registry.replaceParts(of: sample, "1.0~1", with: parts))
        #expect(try !registry.putParts(parts, of: "com.example.None", "1.0~1"))
        #expect(try missing() == ["0.9~1", "1.2~1", "1.1~1"])
    }

    @Test(arguments: StorageKind.allCases)
    func `The parts of a release are kept with it, and go with its documents`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        let staged = try registry.stage()
        let taken = try Upload().taken(into: staged.file)
        let part = ReleasePart(name: "icon", mediaType: "image/png", content: [1, 2, 3])
        _ = try registry.publish(taken, archive: staged, PublishRequest(by: "tester"), parts: [part])
        #expect(try registry.part("icon", of: sample, "1.0~1") == part)
        #expect(try registry.part("other", of: sample, "1.0~1") == nil)
        #expect(try registry.partNames(of: sample, "1.0~1") == ["icon"])
        #expect(try registry.entry(sample).parts == ["icon"] && registry.entry(sample).release?.key == "1.0~1")
        _ = try registry.withdraw(sample, "1.0~1", reason: "x", by: "tester")
        #expect(try registry.part("icon", of: sample, "1.0~1") == nil)
        #expect(try registry.entry(sample).release == nil)
        _ = try registry.restore(sample, "1.0~1", by: "tester")
        #expect(try registry.part("icon", of: sample, "1.0~1") == part)
        try storage.catalog.write { editor, _ throws(RegistryError) in
            guard let bundle = try editor.bundle(sample), let id = bundle.latest else { return }
            try editor.removeDocuments(of: id, at: 1)
        }
        #expect(try registry.part("icon", of: sample, "1.0~1") == nil)
    }

    @Test(arguments: StorageKind.allCases)
    func `The latest publications are answered newest first`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        _ = try registry.rollback(sample, "stable", to: nil, by: "tester")
        #expect(try registry.latestPublications(limit: 2).map(\.release) == ["1.2~1", "1.1~1"])
    }

    @Test(arguments: StorageKind.allCases)
    func `A catalogue shows the release that hosts get: of stable, or else the highest that is not withdrawn`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        let registry = try storage.registry()
        func shown() throws -> String? {
            let entry = try registry.entry(sample)
            #expect(try registry.search(SearchQuery(limit: 9)).items == [entry])
            return entry.release?.key
        }
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        #expect(try shown() == "1.2~1")
        _ = try registry.rollback(sample, "stable", to: "1.0~1", by: "tester")
        #expect(try shown() == "1.0~1")
        #expect(try registry.bundle(sample).latest == "1.2~1")
        try registry.deleteChannel(sample, "stable", by: "tester")
        #expect(try shown() == "1.2~1")
        for version in ["1.2", "1.1", "1.0"] {
            _ = try registry.withdraw(sample, "\(version)~1", reason: "x", by: "tester")
        }
        #expect(try shown() == nil)
    }
}

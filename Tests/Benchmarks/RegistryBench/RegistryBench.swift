import Dispatch
import LocalStore
import RegistryContract
import WidgetBundles
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

/// `RegistryBench VERB DIRECTORY …`, each prints one line of numbers:
///
///     fill DIRECTORY BUNDLES RELEASES    makes a store whose catalog has that many; nothing is printed
///     open DIRECTORY                     milliseconds to ready; private KiB then, and after 1000 readings
///     resolve DIRECTORY BUNDLES COUNT    nanoseconds for one resolution: median, and that of 99 in 100
///     search DIRECTORY BUNDLES COUNT     microseconds for a page of 24, medians: the catalogue's first one, a word that one
///                                        bundle has, one that each has, and two that many have
///     publish DIRECTORY THREADS COUNT    small bundles for each second, everything on the disk
///     copy DIRECTORY FROM                copies the catalog of the directory FROM to a database; prints seconds
///     collect DIRECTORY THREADS COUNT    as `publish`; one release in four is withdrawn, and garbage collected without a
///                                        pause; then how often that was done, and how many archives went
///
/// Each DIRECTORY can be one with a database (``BenchStore``).
@main enum RegistryBench {
    static func main() {
        // Not thrown any further: that would be a trap, and no measurement.
        do { try run() } catch { print("error: \(error)") }
    }

    private static func run() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        func number(_ index: Int) -> Int { index < words.count ? Int(words[index]) ?? 1 : 1 }
        guard words.count >= 2 else {
            return print("usage: RegistryBench fill|open|resolve|search|publish|copy|collect DIRECTORY …")
        }
        switch words[0] {
        case "fill":
            do { _ = try open(words[1]) }
            try CatalogFiller(bundles: number(2), releasesPerBundle: number(3)).fill(words[1])
        case "copy":
            let taken = try ContinuousClock().measure { try BenchStore(words[1]).fill(from: words[2]) }
            print(Int(taken / .seconds(1)))
        case "open": try measureOpening(words[1])
        case "resolve": try measureResolving(words[1], bundles: number(2), count: number(3))
        case "search": try measureSearching(words[1], bundles: number(2), count: number(3))
        case "publish": try measurePublishing(words[1], threads: number(2), count: number(3))
        case "collect": try measurePublishing(words[1], threads: number(2), count: number(3), isCollecting: true)
        default: print("unknown verb \(words[0])")
        }
    }

    static func open(_ path: String) throws -> Registry {
        try BenchStore(path).open()
    }

    static func measureOpening(_ path: String) throws {
        let clock = ContinuousClock()
        var registry: Registry?
        let taken = try clock.measure {
            registry = try open(path)
            _ = try registry?.resolve(ResolveQuery(widgetIdentifier: CatalogFiller.identifier(1)))
        }
        let ready = try privateKiB()
        for number in 1...1_000 {
            _ = try? registry?.resolve(ResolveQuery(widgetIdentifier: CatalogFiller.identifier(number * 7)))
            _ = try registry?.changes(since: Int64(number), limit: 20)
        }
        print(taken / .milliseconds(1), ready, try privateKiB())
    }

    static func measureResolving(_ path: String, bundles: Int, count: Int) throws {
        let registry = try open(path)
        var random = SeededGenerator(seed: 1)
        let queries = (0..<count).map { _ in
            ResolveQuery(
                widgetIdentifier: CatalogFiller.identifier(Int.random(in: 1...bundles, using: &random)) + "-7")
        }
        let clock = ContinuousClock()
        var times: [Duration] = []
        times.reserveCapacity(count)
        for query in queries.prefix(count / 10) { _ = try registry.resolve(query) }
        for query in queries { times.append(try clock.measure { _ = try registry.resolve(query) }) }
        times.sort()
        let nanosecond = Duration.nanoseconds(1)
        print(Int(times[count / 2] / nanosecond), Int(times[count * 99 / 100] / nanosecond))
    }

    static func measureSearching(_ path: String, bundles: Int, count: Int) throws {
        let registry = try open(path)
        var random = SeededGenerator(seed: 1)
        let numbers = (0..<count).map { _ in Int.random(in: 1...bundles, using: &random) }
        let questions: [(Int) -> String] = [{ _ in "" }, { "n\($0)" }, { _ in "bench" }, { _ in "kiosk platform" }]
        let clock = ContinuousClock()
        var medians: [String] = []
        for question in questions {
            var times: [Duration] = []
            for (place, number) in (numbers.prefix(count / 10) + numbers).enumerated() {
                var query = SearchQuery(limit: 24)
                query.text = question(number)
                var found = 0
                let taken = try clock.measure { found = try registry.search(query).items.count }
                guard found > 0 else { return print("nothing is found for \(query.text)") }
                if place >= count / 10 { times.append(taken) }
            }
            times.sort()
            medians.append("\(Int(times[count / 2] / .microseconds(1)))")
        }
        print(medians.joined(separator: " "))
    }

    static func measurePublishing(_ path: String, threads: Int, count: Int, isCollecting: Bool = false) throws {
        let registry = try BenchStore(path).open(isCollected: isCollecting)
        let garbage = isCollecting ? GarbageRounds(registry) : nil
        let failures: Guarded<[String]> = Guarded([])
        let taken = ContinuousClock().measure {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                for number in 0..<(count / threads) {
                    do {
                        try publish(thread, number, registry, isWithdrawn: isCollecting && number % 4 == 0)
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        for failure in failures.withLock({ $0 }) { print(failure) }
        let rate = "\(Int(Double(count) / (taken / .seconds(1))))"
        print(garbage.map { "\(rate) \($0.end())" } ?? rate)
    }

    private static func publish(_ thread: Int, _ number: Int, _ registry: Registry, isWithdrawn: Bool) throws {
        let info = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Bench\(thread)</string>\
            <key>CFBundleShortVersionString</key><string>1.\(number)</string></dict></plist>
            """
        let archive = ZipForge([
            .init("Bench.bundle/Info.plist", info), .init("Bench.bundle/a.json", "{\"number\": \(number)}"),
        ]).build().bytes
        let upload = try registry.stage()
        try upload.file.write(archive, at: 0)
        let staged = try registry.stage()
        let taken = try BundleIntake().take(upload.file, into: staged.file)
        let published = try registry.publish(taken, archive: staged, PublishRequest(by: "bench"))
        guard isWithdrawn else { return }
        _ = try registry.withdraw(
            "com.example.Bench\(thread)", published.release.key, reason: "to be collected", by: "bench")
    }

    private static func privateKiB() throws -> Int {
        let status = try FileDescriptor.reading("/proc/self/status").read(at: 0, count: 8_192)
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") where line.hasPrefix("RssAnon:") {
            return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        return 0
    }
}

/// Fills a store's catalog without its archives, quickly: what resolving costs does not depend on them.
struct CatalogFiller {
    let bundles: Int
    let releasesPerBundle: Int

    /// Twelve labels; neighbours share most of them, as identifiers of one organisation do.
    static func identifier(_ number: Int) -> String {
        var rest = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        let labels = (0..<9).map { _ in
            rest = (rest ^ (rest >> 29)) &* 0xBF58_476D_1CE4_E5B9
            return ["widgets", "home", "news", "a", "beta-2", "Kiosk", "x86", "platform"][Int(rest >> 61)]
        }
        return "com.example." + labels.joined(separator: ".") + ".n\(number)"
    }

    func fill(_ path: String) throws {
        let connection = try DatabaseConnection(opening: path + "/catalog.sqlite", for: .writing)
        // All of it: the words of a million bundles come in any order, and pages would be written again for each.
        try connection.run("PRAGMA cache_size = -8000000", [DatabaseValue]())
        let files = Array(
            """
            [{"path":"Info.plist","size":512,"sha256":"\(String(repeating: "0", count: 64))","offset":52,\
            "compressedSize":300,"method":"deflate"},{"path":"a.json","size":4096,\
            "sha256":"\(String(repeating: "1", count: 64))","offset":420,"compressedSize":1400,"method":"deflate"}]
            """.utf8)
        // In the order of the index they will be found by, as a store that grew is not; hence the mixing above.
        try connection.transaction(.writing, wrapping: { $0 as any Error }) { () throws(any Error) in
            for bundle in 1...bundles { try insert(bundle, files, connection) }
        }
    }

    private func insert(_ bundle: Int, _ files: [UInt8], _ connection: DatabaseConnection) throws {
        let identifier = CatalogFiller.identifier(bundle)
        let terms = Set(SearchTerms.of(identifier: identifier, name: "Bench", report: nil))
        try connection.run(
            """
            INSERT INTO bundle (id, identifier, folded, name, release_count, term_count) VALUES (?, ?, ?, 'Bench', ?, ?)
            """,
            [
                .integer(bundle), .text(identifier), .text(identifier.lowercased()), .integer(releasesPerBundle),
                .integer(terms.count),
            ])
        for term in terms {
            try connection.run(
                "INSERT INTO bundle_term VALUES (?, ?, ?)", [.text(term), .text(identifier), .integer(bundle)])
        }
        var last = 0
        for number in 0..<releasesPerBundle {
            last = (bundle - 1) * releasesPerBundle + number + 1
            var digest = SHA256()
            digest.update(Array("\(last)".utf8))
            let bytes = digest.finish()?.bytes ?? []
            try connection.run(
                """
                INSERT INTO release (id, bundle, key, short_version, build, name, version, is_snapshot, digest,
                    content_digest, byte_count, published, published_by)
                VALUES (?, ?, ?, '1.0', ?, 'Bench', ?, 0, ?, ?, 2000, 1, 'bench')
                """,
                [
                    .integer(last), .integer(bundle), .text("1.0~\(number)"), .text("\(number)"),
                    .blob(VersionOrder.key(shortVersion: "1.0", build: "\(number)")), .blob(bytes), .blob(bytes),
                ])
            try connection.run("INSERT INTO release_files VALUES (?, ?)", [.integer(last), .blob(files)])
            try connection.run("INSERT INTO release_report VALUES (?, x'7B7D')", [.integer(last)])
            try connection.run(
                """
                INSERT INTO change (at, kind, bundle, release, channel, sequence, author)
                VALUES (1, 'publish', ?, ?, 'stable', ?, 'bench')
                """, [.text(identifier), .text("1.0~\(number)"), .integer(number + 1)])
        }
        try connection.run(
            """
            INSERT INTO channel (bundle, name, release, rollout, is_mandatory, salt, sequence, changed_at)
            VALUES (?1, 'stable', ?2, 10000, 0, 'abcd', ?3, 1)
            """, [.integer(bundle), .integer(last), .integer(releasesPerBundle)])
        try connection.run(
            """
            INSERT INTO placement (id, bundle, channel, sequence, at, kind, release, rollout, is_mandatory, salt)
            VALUES (?1, ?1, 'stable', ?3, 1, 'publish', ?2, 10000, 0, 'abcd')
            """, [.integer(bundle), .integer(last), .integer(releasesPerBundle)])
        try connection.run("UPDATE channel SET head = ?1 WHERE bundle = ?1", [.integer(bundle)])
        try connection.run("UPDATE bundle SET latest = ? WHERE id = ?", [.integer(last), .integer(bundle)])
    }
}

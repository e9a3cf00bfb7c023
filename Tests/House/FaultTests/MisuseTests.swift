import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// Misuse of a store by operators, clocks and disks (D8, D13 to D16, D24 to D33, D43).
@Suite(.also(.faults), .serialized) struct `A store that is mistreated` {
    private static let identifier = "misuse.example.Widget"

    private static func filled(_ registry: Registry, releases count: Int = 4) throws -> [String: String] {
        var digests: [String: String] = [:]
        for number in 0..<count {
            let bundle = BundleForge(identifier, "1.\(number)", text: "release \(number)")
            digests[bundle.key] = try registry.publish(bundle).text("sha256")
        }
        return digests
    }

    /// Everything is there, with its own bytes.
    private static func check(_ registry: Registry, _ digests: [String: String]) throws {
        for (key, digest) in digests {
            #expect(try registry.release(identifier, key).text("sha256") == digest)
            let archive = try registry.get("/v1/blobs/sha256/\(digest)")
            #expect(archive.status == 200 && BundleForge.sha256(archive.body) == digest)
        }
    }

    private static func archives(_ home: Home) -> [String] {
        FileWork.files(below: home.data.path, endingWith: ".zip")
    }

    private static func flip(_ file: String, at offset: Int) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.seek(toOffset: UInt64(offset))
        guard let byte = try handle.read(upToCount: 1)?.first else { return }
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data([byte ^ 0x10]))
        try handle.close()
    }

    // MARK: Damage

    @Test func `No byte of a changed archive is served, wherever it changed (D24, D25, D26)`() throws {
        let home = try Home()
        var registry = try Registry(home: home)
        let digests = try Self.filled(registry)
        let victim = try #require(digests["1.1~1"])
        let file = try #require(Self.archives(home).first { $0.hasSuffix("/\(victim).zip") })
        let other = try #require(Self.archives(home).first { $0 != file })
        let size = try #require((try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int)
        var damages: [(String, () throws -> Void)] = stride(from: 0, to: size, by: 97).map { offset in
            ("flip at \(offset)", { try Self.flip(file, at: offset) })
        }
        for count in [0, 1, size / 2, size - 1] {
            damages.append(("cut to \(count)", { try FileWork.cut(file, to: count) }))
        }
        damages.append(("zeros", { try FileWork.overwrite(file, at: 0, with: [UInt8](repeating: 0, count: size)) }))
        damages.append(("another archive", { try FileWork.overwrite(file, by: other) }))
        damages.append(("a link", { try FileWork.link(file, to: other) }))
        damages.append(("gone", { try FileWork.remove(file) }))
        for (number, damage) in damages.enumerated() {
            try damage.1()
            let answer = try registry.get("/v1/blobs/sha256/\(victim)")
            #expect(answer.status == 503, "\(damage.0): \(answer.status)")
            if number % 8 == 0 {
                registry.killAtOnce()
                registry = try Registry(home: home)
                #expect(try registry.get("/v1/blobs/sha256/\(victim)").status == 503, "\(damage.0), again")
            }
            // Other archives are served, and publishing it again heals it.
            try Self.check(registry, digests.filter { $0.value != victim })
            try registry.publish(BundleForge(Self.identifier, "1.1", text: "release 1"))
            try Self.check(registry, digests)
        }
    }

    @Test func `A catalog with a changed page gives no wrong answer, and reindex mends it (D27, D28)`() throws {
        let home = try Home()
        var digests: [String: String] = [:]
        do {
            let registry = try Registry(home: home)
            digests = try Self.filled(registry)
            registry.signal(SIGTERM)
            registry.waitUntilExit()
        }
        // Everything in one file, with nothing left in its log.
        #expect(try home.owner("reindex").exitCode == 0)
        let catalog = home.data.appending(path: "catalog.sqlite").path
        let sound = home.folder.appending(path: "sound").path
        try FileWork.copy(home.data.path, to: sound)
        let size = try #require((try? FileManager.default.attributesOfItem(atPath: catalog))?[.size] as? Int)
        let seed = Crowd.seed("flip")
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        var damages: [(Int, Bool)] = stride(from: 0, to: size, by: 4_096).map {
            ($0 + .random(in: 0..<4_096, using: &generator), false)
        }
        damages += [0, 99, 4_096, size / 2, size - 1].map { ($0, true) }
        // Tables are kept as text, whose names can be damaged without a trace in the file's form.
        let bytes = try Data(contentsOf: URL(filePath: catalog))
        let name = try #require(bytes.range(of: Data("keeps_earlier_rights".utf8)))
        damages.append((name.lowerBound + 2, false))
        for (offset, isCut) in damages {
            try FileWork.copy(sound, to: home.data.path)
            if isCut { try FileWork.cut(catalog, to: offset) } else { try Self.flip(catalog, at: offset) }
            do {
                let registry = try Registry(home: home)
                for (key, digest) in digests {
                    let answer = try registry.get("/v1/blobs/sha256/\(digest)")
                    if answer.status == 200 { #expect(BundleForge.sha256(answer.body) == digest, "\(offset): \(key)") }
                }
                registry.killAtOnce()
            } catch let error as Registry.DidNotStart {
                refused += 1
                #expect(error.description.contains("error: the data directory"), "\(offset): \(error)")
                #expect(error.description.contains("status 3") || error.description.contains("status 1"))
            }
            let mended = try home.owner("reindex")
            #expect(mended.exitCode == 0, "\(offset): \(mended)")
            let registry = try Registry(home: home)
            try Self.check(registry, digests)
            #expect(try registry.resolve(Self.identifier).text("candidates.0.release") == "1.3~1")
        }
        print("flip: \(damages.count) damaged catalogs, \(refused) refused at the start, all mended by reindex")
        #expect(refused > 0)
    }

    @Test func `A scrub writes damaged notes anew, and the catalog can be rebuilt from them (D24)`() throws {
        let home = try Home()
        let registry = try Registry(home: home)
        let digests = try Self.filled(registry)
        for note in FileWork.files(below: home.data.path + "/blobs", endingWith: ".json") { try Self.flip(note, at: 3) }
        let scrub = try registry.owner("scrub")
        #expect(scrub.exitCode == 0 && scrub.output.contains("4 notes"), "\(scrub)")
        registry.killAtOnce()
        #expect(try home.owner("reindex").exitCode == 0)
        try Self.check(try Registry(home: home), digests)
    }

    // MARK: Operators

    @Test func `A store belongs to one server, and the second says so (D32)`() throws {
        let home = try Home()
        let registry = try Registry(home: home)
        let digests = try Self.filled(registry)
        let second = try BuiltProgram("widgetd").run(["serve", "--listen", "127.0.0.1:0", "--data", home.data.path])
        #expect(second.exitCode == 1 && second.error.contains("in use by widgetd, process"))
        // At once, in place of after the seconds for the lock of a server that was killed: these would not pass.
        let refusal = #expect(throws: Registry.DidNotStart.self) { try Registry(home: home, clock: ManualClock()) }
        #expect(refusal?.description.contains("in use by widgetd, process") == true)
        try Self.check(registry, digests)
    }

    @Test func `An old catalog is not served (D29)`() throws {
        let home = try Home()
        let old = home.folder.appending(path: "old").path
        var digests: [String: String] = [:]
        do {
            let registry = try Registry(home: home)
            digests = try Self.filled(registry, releases: 1)
            registry.signal(SIGTERM)
            registry.waitUntilExit()
            try FileWork.copy(in: home.data.path, startingWith: "catalog.sqlite", to: old)
        }
        var tag = 0
        do {
            let registry = try Registry(home: home)
            digests.merge(try Self.filled(registry)) { $1 }
            tag = try registry.get("/v1/changes").number("items.3.tag") ?? 0
            registry.killAtOnce()
        }
        try FileWork.remove(in: home.data.path, startingWith: "catalog.sqlite")
        try FileWork.copy(in: old, startingWith: "catalog.sqlite", to: home.data.path)
        let refusal = #expect(throws: Registry.DidNotStart.self) { try Registry(home: home) }
        let text = refusal?.description ?? ""
        #expect(text.contains("is an old one") && text.contains("(status 3)"), "\(text)")
        #expect(try home.owner("reindex").exitCode == 0)
        let registry = try Registry(home: home)
        try Self.check(registry, digests)
        #expect(try registry.get("/v1/changes?since=\(tag)").number("items.0.tag") ?? 0 > tag)
    }

    @Test func `A store that cannot be written is left alone (D31)`() throws {
        let home = try Home()
        let file = try home.file("plain", [1])
        for place in [file, "/proc/widgetd", "/dev/full/widgetd"] {
            let refusal = #expect(throws: Registry.DidNotStart.self) {
                try TestedServer(["serve", "--listen", "127.0.0.1:0", "--data", place], [:], data: place)
            }
            let text = refusal?.description ?? ""
            #expect(text.hasPrefix("error: the data directory") && text.contains("(status 1)"), "\(place): \(text)")
        }
    }

    /// Every write fails, as on a full disk or beyond a quota, from before the start on.
    @Test(.enabled(if: FaultShim.library != nil, "needs a C compiler"), arguments: [ENOSPC, EDQUOT], [true, false])
    func `A store on a full disk is read, and written when there is room (A3)`(
        _ error: Int32, _ wasKilled: Bool
    ) throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let digests: [String: String]
        do {
            let registry = try Registry(home: home, in: .process)
            digests = try Self.filled(registry)
            registry.signal(wasKilled ? SIGKILL : SIGTERM)
            registry.waitUntilExit()
        }
        shim.arm(.write, at: 1, error: error, .deny)
        let registry = try Registry(home: home, shim.environment(data: home.data), when: "/livez")
        try Self.check(registry, digests)
        #expect(shim.hasFired)
        let reason = error == ENOSPC ? "No space left on device" : "Disk quota exceeded"
        #expect(registry.logs("\"event\":\"disk.full\"") && registry.log.contains(reason), "\(registry.log)")
        #expect(try registry.post(BundleForge(Self.identifier, "9.9").archive).status == 507)
        #expect(try registry.promote(Self.identifier, "1.0~1").status == 507)
        shim.disarm()
        #expect(try registry.promote(Self.identifier, "1.0~1").status == 200)
        #expect(try registry.post(BundleForge(Self.identifier, "9.9").archive).status == 201)
        try Self.check(registry, digests)
        // The next start finds all of it.
        registry.killAtOnce()
        #expect(try Registry(home: home).release(Self.identifier, "9.9~1").status == 200)
    }

    @Test(
        .enabled(if: FaultShim.library != nil, "needs a C compiler"),
        arguments: [
            (EROFS, "mount its file system for writing"), (EACCES, "the right to write"), (EIO, "see to the disk"),
        ])
    func `A store that can never be written to is not served, and the hint is about that (A3, D31)`(
        _ error: Int32, _ hint: String
    ) throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        _ = try Self.filled(try Registry(home: home), releases: 1)
        shim.arm(.write, at: 1, error: error, .deny)
        let start = try BuiltProgram("widgetd").run(
            ["serve", "--listen", "127.0.0.1:0", "--data", home.data.path],
            environment: shim.environment(data: home.data))
        #expect(start.exitCode == 1 && start.error.contains("cannot be written to: "), "\(start)")
        #expect(start.error.contains(hint), "\(start)")
    }

    @Test(.enabled(if: FaultShim.library != nil, "needs a C compiler"))
    func `A store is not created on a full disk, and the error says so (A3)`() throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        shim.arm(.write, at: 1, error: ENOSPC, .deny)
        let start = try BuiltProgram("widgetd").run(
            ["serve", "--listen", "127.0.0.1:0", "--data", home.data.path],
            environment: shim.environment(data: home.data))
        #expect(start.exitCode == 1 && start.error.contains("No space left on device"), "\(start)")
        #expect(start.error.contains("make room on its disk"), "\(start)")
    }

    @Test(.enabled(if: FaultShim.library != nil, "needs a C compiler")) func `A store survives clocks that jump (D33)`()
        throws
    {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let registry = try Registry(home: home, shim.environment(data: home.data))
        let digests = try Self.filled(registry, releases: 2)
        var sequence = try registry.channel(Self.identifier).number("sequence") ?? 0
        let token = try registry.write(
            "POST", "/v1/tokens", "{\"name\": \"short\", \"scopes\": [\"publish\", \"promote\"], \"expires\": \"1h\"}")
        let secret = try #require(token.text("token"))
        for (number, jump) in [-86_400, 315_360_000, 0, -315_360_000, 3_000].enumerated() {
            shim.moveClock(seconds: Int64(jump))
            let bundle = BundleForge(Self.identifier, "2.\(number)")
            #expect(try registry.post(bundle.archive).status == 201, "\(jump)")
            let now = try registry.channel(Self.identifier).number("sequence") ?? 0
            #expect(now > sequence, "\(jump)")
            sequence = now
            // A token ends when its time has come by the clock there is.
            let other = BundleForge(Self.identifier, "3.\(number)")
            let status = try registry.post(other.archive, token: secret).status
            #expect(status == (jump > 3_600 ? 401 : 201), "\(jump): \(status)")
            let withdrawn = try registry.withdraw(Self.identifier, other.key).status
            #expect(withdrawn == (jump > 3_600 ? 404 : 200), "\(jump)")
            sequence = try registry.channel(Self.identifier).number("sequence") ?? 0
            try Self.check(registry, digests)
        }
    }

    @Test(.enabled(if: FaultShim.library != nil, "needs a C compiler"))
    func `A server that was stopped and continued works on (D8)`() throws {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let registry = try Registry(home: home, shim.environment(data: home.data), in: .process)
        let digests = try Self.filled(registry, releases: 2)
        let clients = try (0..<20).map { _ in try registry.connect() }
        registry.signal(SIGSTOP)
        for client in clients { client.connection.send("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n") }
        // As long as every deadline but one, and longer than the time in which a head must arrive.
        shim.pass(seconds: 30)
        registry.signal(SIGCONT)
        for client in clients { #expect(try client.next().status == 200) }
        try Self.check(registry, digests)
    }

    @Test(.enabled(if: FaultShim.library != nil, "needs a C compiler"))
    func `A server works while every second call is interrupted (D22)`()
        throws
    {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let registry = try Registry(home: home, shim.environment(data: home.data))
        shim.storm()
        var digests = try Self.filled(registry, releases: 12)
        try Self.check(registry, digests)
        for task in ["gc", "scrub"] {
            let answer = registry.control("POST", "/v1/\(task)")
            #expect(answer.contains("\"report\""), "\(task): \(answer)")
        }
        #expect(shim.interruptions > 500)
        shim.disarm()
        digests["2.0~1"] = try registry.publish(BundleForge(Self.identifier, "2.0")).text("sha256")
        try Self.check(registry, digests)
    }

    @Test(.enabled(if: FaultShim.library != nil, "needs a C compiler"))
    func `Other requests are answered while one read of the disk is slow (D37)`()
        throws
    {
        let home = try Home()
        let shim = try FaultShim(in: home.folder)
        let digests = try Self.filled(try Registry(home: home))
        let registry = try Registry(home: home, shim.environment(data: home.data))
        _ = try registry.resolve(Self.identifier)
        let digest = try #require(digests.values.first)
        let slow = try registry.connect()
        // The archive was not compared since the start, so it is read.
        try shim.hold(.read) {
            slow.connection.send("GET /v1/blobs/sha256/\(digest) HTTP/1.1\r\nHost: x\r\n\r\n")
        } during: { () throws in
            for _ in 0..<20 { #expect(try registry.resolve(Self.identifier).status == 200) }
        }
        #expect(try slow.next().status == 200)
        #expect(shim.hasFired)
    }

    @Test func `A server works when its log is closed or full (D43)`() throws {
        for prelude in ["exec 2>&-", "exec 2>/dev/full"] {
            let registry = try Registry(prelude: prelude)
            let digests = try Self.filled(registry)
            try Self.check(registry, digests)
            #expect(registry.process.isRunning)
        }
    }

    @Test func `A server recovers when descriptors come back (D34)`() throws {
        let registry = try Registry(prelude: "ulimit -n 64")
        let digests = try Self.filled(registry, releases: 2)
        var crowd = (0..<200).compactMap { _ in try? registry.connect() }
        #expect(crowd.count > 30)
        crowd.removeAll()
        // They come back one by one, as the server sees that the crowd has left.
        for digest in digests.values {
            #expect(try registry.becomes { try registry.get("/v1/blobs/sha256/\(digest)").status == 200 })
        }
        let next = BundleForge(Self.identifier, "9.9").archive
        #expect(try registry.becomes { try registry.post(next).status == 201 })
        try Self.check(registry, digests)
    }

    @Test func `A server with a small stack refuses deep bundles, and survives (D36)`() throws {
        let registry = try Registry(prelude: "ulimit -s 256")
        let digests = try Self.filled(registry, releases: 2)
        let deep = String(repeating: "[", count: 200_000)
        let bundle = BundleForge(Self.identifier, "8.0").adding("deep.json", deep)
        #expect((400..<500).contains(try registry.post(bundle.archive).status))
        try Self.check(registry, digests)
    }
}

/// D13 to D15: a small disk, filled at every stage of each request.
@Suite(.also(.faults), .serialized, .enabled(if: SmallPlace.isPossible, "needs the right to mount"))
struct `A disk that is too small` {
    @Test(arguments: [false, true]) func `A full disk is reported, while reads continue`(_ lacksInodes: Bool) throws {
        let home = try Home()
        let place = try SmallPlace(home, options: lacksInodes ? "size=64m,nr_inodes=300" : "size=3m")
        let registry = try Registry(home: home)
        let identifier = "small.example.Widget"
        var stored: [String: String] = [:]
        var refused = 0
        let seed = Crowd.seed("small")
        var generator = SeededGenerator(seed: seed)
        for number in 0..<120 {
            let size = lacksInodes ? 200 : Int.random(in: 100...60_000, using: &generator)
            let noise = (0..<size).map { _ in String(UInt8.random(in: 0...35, using: &generator), radix: 36) }.joined()
            let bundle = BundleForge(identifier, "1.\(number)", text: noise)
            let answer = try registry.post(bundle.archive)
            switch answer.status {
            case 201: stored[bundle.key] = answer.text("sha256")
            case 507: refused += 1
            default: Issue.record("\(number): \(answer.status) \(answer.text)")
            }
            // I9: stored releases are read. Every channel can be moved or the answer says why not.
            if let (key, digest) = stored.randomElement(using: &generator) {
                let archive = try registry.get("/v1/blobs/sha256/\(digest)")
                #expect(archive.status == 200 && BundleForge.sha256(archive.body) == digest)
                #expect([200, 507].contains(try registry.promote(identifier, key).status))
            }
            if number % 40 == 39 {
                registry.killAtOnce()
                return try afterwards(home, place, identifier, stored, refused)
            }
        }
    }

    private func afterwards(
        _ home: Home, _ place: SmallPlace, _ identifier: String, _ stored: [String: String], _ refused: Int
    ) throws {
        #expect(refused > 0)
        // It may not start without room for its log; with room, everything is there.
        #expect(place.grow())
        let registry = try Registry(home: home)
        for (key, digest) in stored {
            #expect(try registry.release(identifier, key).text("sha256") == digest)
            let archive = try registry.get("/v1/blobs/sha256/\(digest)")
            #expect(archive.status == 200 && BundleForge.sha256(archive.body) == digest)
        }
        #expect(try registry.post(BundleForge(identifier, "9.9").archive).status == 201)
        #expect(home.staged.isEmpty)
    }
}

/// A small file system under a home's data directory.
final class SmallPlace {
    private let path: String

    static var isPossible: Bool { MemoryMount.isPossible }

    init(_ home: Home, options: String) throws {
        path = home.data.path
        try FileWork.makeFolder(path)
        try #require(MemoryMount.mount(at: path, options: options))
    }

    func grow() -> Bool { MemoryMount.change(at: path, options: "size=128m,nr_inodes=100000") }

    deinit { MemoryMount.remove(at: path) }
}

import ConformanceSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: an acknowledged archive has its name on the disk, and so has every folder on the way to it (D12, I1). Method: a
/// server writes down each change of its folders and each synchronization, as for a power cut, and every name that was
/// given in a folder has to be synchronized with that folder by the time of the answer.
@Suite(.also(.faults), .enabled(if: DiskRecord.library != nil, "needs a C compiler")) struct `Names in the store` {
    @Test func `A folder is synchronized after a name in it, before the store is ready or an upload is acknowledged`()
        throws
    {
        let home = try Home()
        let record = try DiskRecord(in: home)
        let registry = try Registry(home: home, record.environment)
        var names = try record.names()
        let blobs = home.data.appending(path: "blobs")
        let shards = try FileManager.default.contentsOfDirectory(atPath: blobs.path)
        #expect(shards.count == 256)
        #expect(names.given(in: blobs).isSuperset(of: shards))
        #expect(names.unsynchronized(in: blobs).isEmpty, "the folders for archives")
        #expect(names.unsynchronized(in: home.data).isDisjoint(with: ["blobs", "staging"]))
        #expect(names.unsynchronized(in: home.folder).isDisjoint(with: ["data"]))

        for number in 0..<4 {
            let answer = try registry.publish(BundleForge("names.example.Widget", "1.\(number)", text: "\(number)"))
            #expect(answer.status == 201)
            // The record is complete up to the answer.
            names = try record.names()
            let digest = try #require(answer.text("sha256"))
            let shard = blobs.appending(path: String(digest.prefix(2)))
            let stored = try FileManager.default.contentsOfDirectory(atPath: shard.path)
            #expect(!stored.isEmpty && names.given(in: shard).isSuperset(of: stored))
            #expect(names.unsynchronized(in: shard).isEmpty, "the folder of \(digest)")
        }
        registry.killAtOnce()
    }

    @Test func `Notes are on the disk when a withdrawal is acknowledged, and gone from it when a restoration is`()
        throws
    {
        let home = try Home()
        let record = try DiskRecord(in: home)
        let registry = try Registry(home: home, record.environment)
        let (identifier, blobs) = ("names.example.Widget", home.data.appending(path: "blobs"))
        for version in ["1.0", "1.1"] {
            #expect(try registry.publish(BundleForge(identifier, version, text: version)).status == 201)
        }
        func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: blobs.path) }
        let before = try names()
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        #expect(try names().count == before.count + 1)
        #expect(try record.names().losses(below: blobs, andReturns: true).joined(separator: ", ") == "")
        #expect(try registry.restore(identifier, "1.0~1").status == 200)
        #expect(try Set(names()) == Set(before))
        #expect(try record.names().losses(below: blobs, andReturns: true).joined(separator: ", ") == "")
        registry.killAtOnce()
    }

    @Test func `A catalog that replaces another is on the disk with its mark before a start may use the directory`()
        throws
    {
        let home = try Home()
        let registry = try Registry(home: home)
        #expect(try registry.publish(BundleForge("names.example.Widget")).status == 201)
        registry.killAtOnce()
        let record = try DiskRecord(in: home, below: home.data)
        let done = try BuiltProgram("widgetd").run(
            ["reindex", "--data", home.data.path], environment: record.environment)
        #expect(done.exitCode == 0, "\(done)")
        // Until this name is gone, a start refuses the directory; from then on it compares the catalog with the mark.
        let names = try record.names(untilRemovalOf: "unfinished")
        #expect(names.isEnded)
        // The text in the file of the lock is for people.
        let losses = try names.losses(below: home.data).filter {
            $0.hasSuffix(" mark") || $0.hasSuffix("catalog.sqlite")
        }
        #expect(losses.joined(separator: ", ") == "")
        #expect(names.unsynchronized(in: home.data).isDisjoint(with: ["catalog.sqlite", "mark"]))
        #expect(try !record.names().unsynchronized(in: home.data).contains("unfinished"))
    }

    @Test func `A site is on the disk as a whole when its export is complete, and so is the next one`() throws {
        let home = try Home()
        let registry = try Registry(home: home)
        for number in 0..<2 {
            let answer = try registry.publish(BundleForge("names.example.Widget\(number)", text: "\(number)"))
            #expect(answer.status == 201)
        }
        let place = home.folder.appending(path: "sites")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let record = try DiskRecord(in: home, below: place)
        func export() throws {
            let done = try BuiltProgram("widgetd").run(
                ["export", "\(place.path)/site", "--data", home.data.path, "--grace", "0"],
                environment: record.environment)
            #expect(done.exitCode == 0, "\(done)")
            #expect(try record.names().losses(below: place).joined(separator: ", ") == "")
        }
        try export()
        #expect(try registry.publish(BundleForge("names.example.Widget0", "2.0", text: "2")).status == 201)
        try export()
    }

    @Test
    func `A copy of a widget is on the disk as a whole when fetch is complete, and so is the next one in its place`()
        throws
    {
        let home = try Home()
        let registry = try Registry(home: home)
        let place = home.folder.appending(path: "host")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let record = try DiskRecord(in: home, below: place)
        for version in ["1.0", "2.0"] {
            let forge = BundleForge("names.example.Widget", version, text: version)
                .adding("deep/deeper/deepest/a.json", "[\(version)]").adding("deep/deeper/b.json", "[\(version)]")
            #expect(try registry.publish(forge).status == 201)
            let done = try BuiltProgram("widget").run(
                [
                    "fetch", "names.example.Widget-1", "-o", "\(place.path)/copies", "--cache", "\(place.path)/cache",
                    "--server", registry.url,
                ], environment: record.environment)
            #expect(done.exitCode == 0, "\(done)")
            let names = try record.names()
            // A folder within folders is what only the copying of files makes.
            let copied = try FileManager.default.subpathsOfDirectory(atPath: "\(place.path)/copies")
            #expect(copied.contains { $0.hasSuffix("/deep/deeper/deepest/a.json") }, "\(copied)")
            #expect(
                try names.losses(below: place.appending(path: "copies")).joined(separator: ", ") == "", "\(version)")
            // Contents of the cache are compared with their digests before they are used, and fetched again.
            let cached = place.appending(path: "cache/widgets/names.example.Widget-1")
            let present = try FileManager.default.contentsOfDirectory(atPath: cached.path)
            #expect(!present.isEmpty && names.unsynchronized(in: cached).isDisjoint(with: present), "\(version)")
            let releases = present.map { cached.appending(path: $0) }.filter { !names.given(in: $0).isEmpty }
            #expect(!releases.isEmpty && releases.allSatisfy { names.unsynchronized(in: $0).isEmpty }, "\(version)")
        }
    }
}

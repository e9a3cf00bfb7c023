import Foundation
import Glibc
import RegistryContract
import RegistryServer
import StaticSite
import Testing
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetTestSupport

/// Goal: the files of an export are whole at every moment, and say what the registry says. Method: a registry in a
/// temporary folder, exported again after each act.
@Suite struct `A static site` {
    @Test func `has the registry's own document for a widget, and the archives that it names`() throws {
        let fixture = try SiteFixture()
        let digest = try fixture.publish("1.0")
        let report = try fixture.export()
        #expect(report.documents.written == 2 && report.archives.written == 1 && report.missing.isEmpty)
        let expected = try RegistrySite(fixture.registry).resolution(of: "com.example.Sample-1", channel: "stable")
        #expect(
            try fixture.document("v1/widgets/com.example.Sample-1")
                == expected.map { String(decoding: $0, as: UTF8.self) })
        #expect(
            try fixture.document("v1/widgets/com.example.Sample").contains(
                "\"widgetIdentifier\":\"com.example.Sample\""))
        #expect(try fixture.files()["v1/blobs/sha256/\(digest.hex)"]?.byteCount == report.byteCount)
    }

    @Test func `is not touched by an export that finds nothing new`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let before = try fixture.files()
        fixture.pass(seconds: 100)
        let report = try fixture.export()
        #expect(report.documents.written == 0 && report.documents.unchanged == 2 && report.archives.unchanged == 1)
        #expect(try fixture.files() == before)
    }

    @Test func `changes only the documents of the bundle that changed`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0", of: "com.example.Other")
        try fixture.publish("1.0")
        try fixture.export()
        let before = try fixture.files()
        try fixture.publish("1.1")
        let report = try fixture.export()
        #expect(report.documents.written == 2 && report.documents.unchanged == 2 && report.archives.written == 1)
        let after = try fixture.files()
        let changed = before.filter { after[$0.key] != $0.value }.keys.sorted()
        #expect(
            changed == [
                "archives/com.example.Sample-1/Sample.bundle.zip", "archives/com.example.Sample-1/Sample.zip",
                "archives/com.example.Sample-1/bundle", "archives/com.example.Sample/Sample.bundle.zip",
                "archives/com.example.Sample/Sample.zip", "archives/com.example.Sample/bundle",
                "v1/widgets/com.example.Sample", "v1/widgets/com.example.Sample-1",
            ])
    }

    @Test func `gives each export's files a second that no file had before`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let path = "v1/widgets/com.example.Sample-1"
        let first = try #require(try fixture.files()[path])
        // In the same second, and the document is as long as before.
        try fixture.publish("1.1")
        try fixture.export()
        let second = try #require(try fixture.files()[path])
        #expect(second.modification.components.seconds > first.modification.components.seconds)
        // A document that is removed and made again has not its former time either.
        _ = try fixture.registry.withdraw("com.example.Sample", "1.0~1", reason: "", by: "tester")
        _ = try fixture.registry.withdraw("com.example.Sample", "1.1~1", reason: "", by: "tester")
        try fixture.export()
        #expect(try fixture.files()[path] == nil)
        _ = try fixture.registry.restore("com.example.Sample", "1.1~1", by: "tester")
        try fixture.export()
        let third = try #require(try fixture.files()[path])
        #expect(third.modification.components.seconds > second.modification.components.seconds)
    }

    @Test func `loses a withdrawn release at once, with its archive`() throws {
        let fixture = try SiteFixture()
        let old = try fixture.publish("1.0")
        let new = try fixture.publish("1.1")
        try fixture.export()
        _ = try fixture.registry.withdraw("com.example.Sample", "1.1~1", reason: "crashes", by: "tester")
        let report = try fixture.export()
        #expect(report.archives.removed == 1 && report.waiting == 0)
        #expect(try fixture.document("v1/widgets/com.example.Sample").contains(old.hex))
        #expect(try fixture.files()["v1/blobs/sha256/\(new.hex)"] == nil)
        _ = try fixture.registry.withdraw("com.example.Sample", "1.0~1", reason: "crashes", by: "tester")
        let last = try fixture.export()
        #expect(last.documents.removed == 2 && last.archives.removed == 1)
        #expect(try fixture.files().keys.allSatisfy { $0.hasPrefix("problems/") })
    }

    @Test func `keeps a replaced archive for as long as hosts may have its document`() throws {
        let fixture = try SiteFixture()
        let old = try fixture.publish("1.0")
        try fixture.export()
        try fixture.publish("1.1")
        #expect(try fixture.export().waiting == 1)
        fixture.pass(seconds: 3_599)
        #expect(try fixture.export().waiting == 1)
        #expect(try fixture.files()["v1/blobs/sha256/\(old.hex)"] != nil)
        fixture.pass(seconds: 1)
        let report = try fixture.export()
        #expect(report.waiting == 0 && report.archives.removed == 1)
        #expect(try fixture.files()["v1/blobs/sha256/\(old.hex)"] == nil)
    }

    @Test func `shows the channels that are named, and no others`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        let beta = try fixture.publish("1.1", to: "beta")
        try fixture.export()
        #expect(try fixture.files()["v1/blobs/sha256/\(beta.hex)"] == nil)
        try fixture.export { $0.channels = ["stable", "beta"] }
        #expect(try fixture.document("channels/beta/v1/widgets/com.example.Sample-1").contains(beta.hex))
        // A channel that is not named any more goes.
        fixture.pass(seconds: 3_600)
        #expect(try fixture.export().documents.removed == 2)
        #expect(try fixture.files().keys.allSatisfy { !$0.hasPrefix("channels/") })
    }

    @Test func `has only bundles of the prefix, on the boundary of a label, and widgets that are named`() throws {
        let fixture = try SiteFixture()
        for identifier in ["com.acme.Clock", "com.acme", "com.acmeister.Clock", "org.example.Map"] {
            try fixture.publish("1.0", of: identifier)
        }
        let report = try fixture.export {
            $0.prefix = "com.acme"
            $0.suffixes = []
            $0.widgets = ["org.example.Map-7", "org.nothing.Here"]
        }
        let documents = try fixture.files().keys.filter { $0.hasPrefix("v1/widgets/") }.sorted()
        #expect(
            documents == [
                "v1/widgets/com.acme", "v1/widgets/com.acme.Clock", "v1/widgets/org.example.Map-7",
            ])
        #expect(report.absent == ["org.nothing.Here"])
    }

    @Test func `has both releases of a rollout, and leads hosts without a bucket to that of most hosts`() throws {
        let fixture = try SiteFixture()
        let base = try fixture.publish("1.0")
        let rolled = try fixture.publish("1.1", rollout: 2_500)
        let report = try fixture.export()
        #expect(report.rollouts == 2 && report.archives.written == 2)
        let document = try fixture.document("v1/widgets/com.example.Sample")
        #expect(document.contains(base.hex) && document.contains(rolled.hex))
        let link = try Directory(opening: "\(fixture.site)/site/archives/com.example.Sample").linkedPath("Sample.zip")
        #expect(link == "../../v1/blobs/sha256/\(base.hex)")
    }

    @Test(arguments: ["bundles", "resolution com.example.Sample-1", "copy", "offers"])
    func `is left whole by an export that breaks off, and continued by the next`(_ moment: String) throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let old = try fixture.document("v1/widgets/com.example.Sample")
        try fixture.publish("1.1")
        _ = try fixture.registry.withdraw("com.example.Sample", "1.0~1", reason: "", by: "tester")
        var source = FaultySource(source: RegistrySite(fixture.registry))
        source.before = { question throws(SiteError) in
            if question == moment { throw SiteError.source("the link is down") }
        }
        #expect(throws: SiteError.source("the link is down")) { try fixture.export(from: source) }
        try expectWhole(fixture)
        if moment != "offers" { #expect(try fixture.document("v1/widgets/com.example.Sample") == old) }
        try fixture.export()
        try expectWhole(fixture)
        #expect(try fixture.document("v1/widgets/com.example.Sample") != old)
    }

    /// Every document's archives are there, with their bytes.
    private func expectWhole(_ fixture: SiteFixture) throws {
        for path in try fixture.files().keys where path.contains("v1/widgets/") {
            let text = try fixture.document(path)
            for part in text.components(separatedBy: "/v1/blobs/sha256/").dropFirst() {
                let digest = try #require(Digest(hex: String(part.prefix(64))))
                let bytes = try Data(contentsOf: URL(filePath: "\(fixture.site)/site/v1/blobs/sha256/\(digest.hex)"))
                #expect(Digest.sha256(Array(bytes)) == digest)
            }
        }
    }

    @Test func `does not take an archive with other bytes, and leaves the widget as it was`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        let old = try fixture.document("v1/widgets/com.example.Sample")
        let new = try fixture.publish("1.1")
        var source = FaultySource(source: RegistrySite(fixture.registry))
        source.damages = true
        let report = try fixture.export(from: source)
        #expect(report.missing == [new] && report.documents.written == 0)
        #expect(try fixture.document("v1/widgets/com.example.Sample") == old)
        try expectWhole(fixture)
        // Once the old release is withdrawn, the document that shows it goes, even without a new one.
        _ = try fixture.registry.withdraw("com.example.Sample", "1.0~1", reason: "", by: "tester")
        #expect(try fixture.export(from: source).documents.removed == 2)
        try expectWhole(fixture)
    }

    @Test func `gets an archive again that has lost bytes, and with verify one that has other bytes`() throws {
        let fixture = try SiteFixture()
        let digest = try fixture.publish("1.0")
        try fixture.export()
        let path = "\(fixture.site)/site/v1/blobs/sha256/\(digest.hex)"
        let file = try FileDescriptor.creating(path)
        try file.write([0x13, 0x57], at: 100)
        #expect(try fixture.export().archives.written == 0)
        #expect(try fixture.export { $0.verifiesArchives = true }.archives.written == 1)
        try FileDescriptor.creating(path).truncate(to: 7)
        #expect(try fixture.export().archives.written == 1)
        try expectWhole(fixture)
    }

    @Test func `is refused in a folder with other things, and while another export runs`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        let folder = try Directory(creating: fixture.site)
        try folder.replaceFile("letter.txt", with: Array("Dear".utf8))
        #expect(throws: SiteError.occupied(fixture.site)) { try fixture.export() }
        #expect(try folder.items(limit: 10)?.map(\.name) == ["letter.txt"])
        try folder.removeFile("letter.txt")
        try fixture.export()
        let other = try Directory(opening: fixture.site)
        #expect(try other.tryLock())
        #expect(throws: SiteError.inUse(fixture.site)) { try fixture.export() }
    }

    @Test func `begins the wait of replaced archives anew when its record is damaged`() throws {
        let fixture = try SiteFixture()
        try fixture.publish("1.0")
        try fixture.export()
        try fixture.publish("1.1")
        try fixture.export()
        fixture.pass(seconds: 3_600)
        try Directory(opening: fixture.site).replaceFile("site.json", with: Array("{".utf8))
        #expect(try fixture.export().waiting == 1)
        fixture.pass(seconds: 3_600)
        #expect(try fixture.export().waiting == 0)
    }
}

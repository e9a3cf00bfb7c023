import JSONText
import Testing
import WidgetBundles
import WidgetBytes

@testable import RegistryContract

/// Goal: a document means the same to its writer, its reader and the OpenAPI document.
/// Method: each is written, read and written again; its members are compared with its stored properties.
@Suite struct `A document of the contract` {
    private static func read<Document: WireValue>(_ bytes: [UInt8], as type: Document.Type) throws -> Document {
        try JSONDocument(parsing: bytes).cursor.decode()
    }

    @Test(arguments: WireDocuments.all.map { $0.documentName })
    func `A document of the contract reads the example it shows, and writes it again byte for byte`(_ name: String)
        throws
    {
        func check<Document: WireDocument>(_ type: Document.Type) throws {
            let document = try Self.read(type.exampleBytes, as: type)
            let written = document.bytes
            #expect(try JSONValue(parsing: written) == JSONValue(parsing: type.exampleBytes))
            #expect(try Self.read(written, as: type).bytes == written)
        }
        let type: any WireDocument.Type = try #require(WireDocuments.all.filter { $0.documentName == name }.first)
        try check(type)
    }

    @Test func `A document is readable if a member that clients can do without has another type`() throws {
        let release = String(decoding: ReleaseDocument.example.bytes, as: UTF8.self)
        let later = release.replacing("\"build\":\"7\"", with: "\"build\":7")
        #expect(later != release)
        #expect(try Self.read(Array(later.utf8), as: ReleaseDocument.self).key == "1.1~7")
        let without = release.replacing("\"size\":1503547", with: "\"size\":\"1503547\"")
        #expect(without != release)
        #expect(throws: JSONError.self) { try Self.read(Array(without.utf8), as: ReleaseDocument.self) }
    }

    @Test(arguments: WireDocuments.all.map { $0.documentName })
    func `A document walks every stored property exactly once`(_ name: String) throws {
        func check<Document: WireObject>(_ type: Document.Type) {
            let names = type.members.map(\.name)
            #expect(Set(names).count == names.count)
            #expect(names.count == Mirror(reflecting: type.example).children.count, "\(name)")
        }
        guard let type = WireDocuments.all.first(where: { $0.documentName == name }) as? any WireObject.Type else {
            // Written by hand, beside its reader in WidgetBundles.
            #expect(name == BundleReport.documentName)
            return
        }
        check(type)
    }

    @Test func `A release keeps every member through writing and reading`() throws {
        var release = ReleaseDocument.example
        release.remarks.note = "Fixes the clock on Sundays."
        (release.withdrawal, release.expiry) = (.example, .example)
        release.isChanged = true
        release.isDryRun = true
        release.report = Prewritten(BundleReport.exampleBytes)
        let read = try Self.read(release.bytes, as: ReleaseDocument.self)
        #expect(read.remarks == release.remarks && read.withdrawal == release.withdrawal && read.isChanged == true)
        #expect(read.isDryRun == true)
        #expect(read.bytes == release.bytes)
        #expect(try read.report?.value(JSONLimits(depth: 8)).stripped.count == 1)
        #expect(
            Set(try JSONValue(parsing: release.bytes).object?.members.map(\.name) ?? []).count
                == ReleaseDocument.members.count)
    }

    @Test func `A change, a channel, a token and a difference keep every member`() throws {
        var token = TokenDocument.example
        (token.expires, token.lastUsed, token.secret) = ("2027-01-01T00:00:00Z", "2026-12-01T00:00:00Z", "wdg_x")
        #expect(try Self.read(token.bytes, as: TokenDocument.self) == token)
        #expect(try Self.read(ChangeDocument.example.bytes, as: ChangeDocument.self) == .example)
        #expect(try Self.read(ChannelDocument.example.bytes, as: ChannelDocument.self) == .example)
        var difference = DifferenceDocument.example
        var change = DifferenceDocument.Change()
        (change.path, change.old, change.new) = ("a.json", .example, .example)
        difference.changed = [change]
        #expect(try Self.read(difference.bytes, as: DifferenceDocument.self) == difference)
        let page = PageDocument([BundleDocument.example], next: "more")
        #expect(try Self.read(page.bytes, as: PageDocument<BundleDocument>.self) == page)
    }

    @Test func `A document writes a list that is written already as it is`() throws {
        var candidate = ReleaseCandidate.example
        candidate.fileList = .written([FileDocument.example].writtenBytes)
        #expect(candidate.bytes == ReleaseCandidate.example.bytes)
    }

    @Test(arguments: ["bundleIdentifier", "release", "sha256", "channels", "size"])
    func `A document without a member that its reader needs is refused`(_ name: String) throws {
        let object = try #require(try JSONValue(parsing: ReleaseDocument.example.bytes).object)
        var writer = JSONWriter()
        writer.object { writer in
            for member in object.members where member.name != name { writer.member(member.name, member.value) }
        }
        let bytes = writer.finish()
        #expect(throws: JSONError.self) { try Self.read(bytes, as: ReleaseDocument.self) }
    }

    @Test(arguments: ["shortVersion", "build", "url"])
    func `A document without a member that only newer servers write is read`(_ name: String) throws {
        let object = try #require(try JSONValue(parsing: ReleaseDocument.example.bytes).object)
        var writer = JSONWriter()
        writer.object { writer in
            for member in object.members where member.name != name { writer.member(member.name, member.value) }
        }
        #expect(try Self.read(writer.finish(), as: ReleaseDocument.self).key == ReleaseDocument.example.key)
    }

    @Test func `A document of a file whose data would end behind the last number is refused`() throws {
        var file = FileDocument.example
        file.offset = .max
        #expect(throws: JSONError.self) { try Self.read(file.bytes, as: FileDocument.self) }
        #expect(file.dataRange.isEmpty)
    }
}

extension [FileDocument] {
    fileprivate var writtenBytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }
}

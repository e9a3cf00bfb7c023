import Testing
import WidgetFiles
import WidgetObjectModel
import WidgetPlist
import WidgetTestSupport

@Suite(.enabled(if: Samples.canBeUnpacked, "needs the original samples"))
struct `The demo's model` {
    private static func folder() throws -> ModelFolder {
        let names = ["VersionInfo.plist", "Model.mom"]
        return try ModelFolder(
            reading: names.map { .init(name: $0, bytes: try Samples.demo("Model.momd/\($0)")) })
    }

    @Test func `the demo's model has one version, with a hash for each entity`() throws {
        let folder = try Self.folder()
        #expect(folder.versions.map(\.name) == ["Model"])
        let version = try #require(folder.current)
        #expect(version.entityHashes.map(\.entityName).sorted() == ["Account", "Post", "User"])
        #expect(version.entityHashes.allSatisfy { $0.bytes.count == 32 })
    }

    @Test func `the demo's model has three entities with the properties of its source`() throws {
        let model = try #require(try Self.folder().current).model
        #expect(model.unknownKeys == [])
        #expect(model.entities.map(\.name) == ["Account", "Post", "User"])
        let post = try #require(model.entity(named: "Post"))
        #expect(post.className == "WidgetDemo.Post")
        #expect(post.userInfo["identityAttribute"] == "postId")
        #expect(post.userInfo["ownerRelationship"] == "author")
        let types = post.attributes.map { "\($0.name) \($0.type.name)" }.sorted()
        #expect(
            types == [
                "favoritesCount Integer 32", "postId String", "repostCount Integer 32", "text String", "timestamp Date",
            ])
        #expect(post.attribute(named: "favoritesCount")?.defaultValue == .integer(0))
        let timestamp = try #require(post.attribute(named: "timestamp"))
        #expect(timestamp.traits.userInfo["JSONTransformerName"] == "strToDate")
        #expect(timestamp.traits.userInfo["JSONKeyPath"] == "created_at")
        #expect(timestamp.valueClassName == "NSDate")
        #expect(timestamp.traits.isOptional)
        let author = try #require(post.relationship(named: "author"))
        #expect(author.destination == "User")
        #expect(author.inverse == "posts")
        #expect(author.deleteRule == .nullify)
        #expect(!author.isToMany)
        #expect(model.entity(named: "User")?.relationship(named: "posts")?.isToMany == true)
        let account = try #require(model.entity(named: "Account"))
        #expect(account.superentity == "User")
        #expect(account.userInfo["isOwnerEntity"] == "1")
        #expect(model.attributes(of: "Account").count == 4)
        #expect(model.subentities(of: "User").map(\.name) == ["Account"])
    }

    @Test func `the demo's model gives the same file when its objects are written again`() throws {
        let bytes = try Samples.demo("Model.momd/Model.mom")
        #expect(try BinaryPlistFile(parsing: bytes.span).encode() == bytes)
    }

    @Test func `the demo's model is the same model when it is compiled again`() throws {
        let model = try #require(try Self.folder().current).model
        #expect(try DataModel(parsing: model.encoded()) == model)
    }

    @Test(arguments: ["Info.plist", "Model.momd/VersionInfo.plist"])
    func `the demo's property lists give the same files when they are written again`(_ name: String) throws {
        let bytes = try Samples.demo(name)
        #expect(try PlistValue(parsing: bytes).encodedBinary() == bytes)
    }
}

/// Models as files, from which the fuzzer starts. `WIDGET_WRITE_CORPUS=1` writes them anew.
@Suite struct `The corpus of models` {
    private static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/models"

    private static var files: [(name: String, bytes: [UInt8])] {
        [
            ("everything.mom", SampleModel.everything().encoded()), ("small.mom", SampleModel.small().encoded()),
            ("empty.mom", DataModel(entities: []).encoded()),
        ]
    }

    @Test(.enabled(if: Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it")) func `the corpus of models is written`()
        throws
    {
        let directory = try Directory(creating: Self.folder)
        for file in Self.files { try directory.replaceFile(file.name, with: file.bytes) }
    }

    @Test(.enabled(if: !Corpus.isWritten, "WIDGET_WRITE_CORPUS=1 writes it"))
    func `the corpus of models is what the writer makes`() {
        let kept = Corpus.files(in: "models")
        #expect(kept.map(\.name) == Self.files.map(\.name).sorted())
        for file in kept { #expect(Self.files.contains { $0.name == file.name && $0.bytes == file.bytes }) }
    }
}

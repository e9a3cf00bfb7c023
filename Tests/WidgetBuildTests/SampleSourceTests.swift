import Bytes
import ObjectModel
import TestSupport
import Testing
import WidgetBuild

/// The samples under `Bundles` that are kept as sources.
@Suite struct `The samples' sources` {
    /// Every folder with a bundle's source in it: one with an application's product has no property list on top.
    static let names: [String] = {
        let paths = Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles").keys
        let parts = paths.map { $0.split(separator: "/") }
        return parts.filter { $0.count == 2 && $0[1] == "Info.plist" }.map { String($0[0]) }.sorted()
    }()

    @Test func `are at least five`() {
        #expect(Set(Self.names).isSuperset(of: ["Aviary", "HarbourLog", "Herbarium", "Postcard", "Planetarium"]))
    }

    static func files(_ folder: String) -> [String: [UInt8]] {
        Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles/\(folder)")
    }

    @Test(arguments: names)
    func `have a model that compiles to what its source says`(_ name: String) throws {
        let files = Self.files(name)
        let marked = files.keys.filter { $0.hasSuffix(".xcdatamodel/contents") }
        #expect(marked.count == 1)
        for path in marked {
            let source = try #require(files[path])
            let model = try ModelCompiler.compile(source, path: path)
            #expect(try DataModel(parsing: model.encoded()) == model)
            #expect(!model.entities.isEmpty)
            // Every relationship of the samples leads back.
            for entity in model.entities { #expect(entity.relationships.allSatisfy { $0.inverse != nil }) }
        }
    }

    @Test(arguments: names)
    func `have a storyboard that compiles`(_ name: String) throws {
        let source = try #require(Self.files(name)["Main.storyboard"])
        let files = try InterfaceCompiler.compile(source, path: "Main.storyboard")
        #expect(files.contains { $0.path == "Main.storyboardc/Info.plist" })
        #expect(files.count >= 6)
        #expect(try InterfaceCompiler.compile(source, path: "Main.storyboard") == files)
    }

    @Test func `have assets that become loose images`() throws {
        let prefix = "Assets.xcassets/"
        let assets = Self.files("Planetarium").filter { $0.key.hasPrefix(prefix) }
        let sources = Dictionary(
            uniqueKeysWithValues: assets.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
        let folder = try AssetFolder(reading: sources)
        #expect(folder.files.count == 10)
        #expect(folder.files.allSatisfy { $0.name.hasSuffix("@2x.png") })
        #expect(folder.notes == [])
    }
}

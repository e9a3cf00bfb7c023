import Testing
import WidgetBuild
import WidgetBytes
import WidgetNib
import WidgetObjectModel
import WidgetTestSupport
import XMLText

/// Compares each sample's storyboard, and that of a new widget, with the content of its compiled form: attribute by
/// attribute, part by part, connection by connection.
@Suite struct `The samples' storyboards` {
    struct Source: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var path: String
        var bytes: [UInt8]
    }

    /// Every storyboard under `Bundles`, so that none can be forgotten.
    static let sources: [Source] = {
        var sources: [Source] = []
        for name in `The samples' sources`.names {
            let files = `The samples' sources`.files(name)
            for path in files.keys.sorted() where path.hasSuffix(".storyboard") || path.hasSuffix(".xib") {
                sources.append(Source(testDescription: "\(name)/\(path)", path: path, bytes: files[path] ?? []))
            }
        }
        for kind in [Starter.Kind.list, .feed] {
            for file in Starter(named: "New", kind: kind)?.files ?? [] where file.path.hasSuffix(".screens") {
                guard let bytes = try? ScreenNotation.storyboard(file.bytes, path: file.path) else { continue }
                let name = "a new widget with a \(kind)"
                sources.append(Source(testDescription: name, path: "Main.storyboard", bytes: bytes))
            }
        }
        return sources
    }()

    @Test func `at least five samples and a new widget have storyboards to compare`() {
        #expect(Self.sources.count >= 7)
        #expect(Set(Self.sources.map { $0.testDescription.prefix { $0 != "/" } }).count >= 7)
    }

    private static func compiled(_ source: Source) throws -> CompiledStoryboard {
        let files = try InterfaceCompiler.compile(source.bytes, path: source.path)
        let prefix = "\(source.path.split(separator: "/").last ?? "")c/"
        return try CompiledStoryboard(
            files: Dictionary(uniqueKeysWithValues: files.map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }))
    }

    @Test(arguments: sources)
    func `each compiled storyboard has the content of its source`(_ source: Source) throws {
        let document = try XMLDocument(parsing: source.bytes)
        let storyboard = try Self.compiled(source)
        let elements = SampleComparison.elements(of: document)
        let scenes = document.root.child(named: "scenes")?.children ?? []
        var attributeCount = 0
        for scene in scenes {
            var comparison = SampleComparison(storyboard: storyboard, elements: elements)
            #expect(comparison.differences(in: scene) == [])
            attributeCount += comparison.attributeCount
        }
        #expect(storyboard.screens.count == scenes.count)
        #expect(attributeCount > 200)
        let first = try #require(document.root["initialViewController"])
        #expect(storyboard.entryPoint?.hasSuffix(first) == true)
    }

    /// A comparison that never finds a difference proves nothing: it has to notice a change of any attribute.
    @Test func `the comparison notices a change of any attribute`() throws {
        var seen: Set<String> = []
        for source in Self.sources {
            let storyboard = try Self.compiled(source)
            let document = try XMLDocument(parsing: source.bytes)
            let elements = SampleComparison.elements(of: document)
            for scene in document.root.child(named: "scenes")?.children ?? [] {
                // The scene by itself is enough of the source, and read sooner.
                let text = try Self.text(of: scene, in: source.bytes)
                let alone = try XMLDocument(parsing: text)
                for place in Self.places(in: alone.root) {
                    for attribute in place.element.attributes where !Self.silent.contains(attribute.name) {
                        let name = "\(place.parent)/\(place.element.name)/\(attribute.name)"
                        guard !Self.silent.contains(name), seen.insert(name).inserted else { continue }
                        let changed = try Self.document(text, with: attribute)
                        var comparison = SampleComparison(storyboard: storyboard, elements: elements)
                        #expect(comparison.differences(in: changed.root) != [], "\(name) in \(source.testDescription)")
                    }
                }
            }
        }
        #expect(seen.count > 150)
    }

    /// Attributes, some by element and parent, that are not compiled: names for the editor, places that repeat other
    /// information, and ids, which only serve references.
    private static let silent: Set<String> = [
        "id", "sceneMemberID", "sceneID", "userLabel", "tableViewCell", "colorSpace", "customColorSpace",
        "placeholderIdentifier", "prototypes/tableViewCell/rowHeight", "point/key", "point/x", "point/y",
    ]

    private static func text(of scene: XMLElement, in bytes: [UInt8]) throws -> [UInt8] {
        let end = Array("</scene>".utf8)
        let last = try #require(bytes.indices.first { $0 > scene.offset && bytes[$0...].starts(with: end) })
        return Array(bytes[scene.offset..<last + end.count])
    }

    private static func places(in scene: XMLElement) -> [(element: XMLElement, parent: String)] {
        var places: [(element: XMLElement, parent: String)] = []
        var pending = [(element: scene, parent: "")]
        while let place = pending.popLast() {
            guard !["point", "placeholder"].contains(place.element.name) else { continue }
            places.append(place)
            pending += place.element.children.reversed().map { ($0, place.element.name) }
        }
        return places
    }

    private static func document(_ bytes: [UInt8], with attribute: XMLAttribute) throws -> XMLDocument {
        var changed = bytes
        let start = attribute.offset + attribute.name.utf8.count + 2
        let end = try #require(changed[start...].firstIndex(of: UInt8(ascii: "\"")))
        changed.replaceSubrange(start..<end, with: Array(Self.another(attribute.value).utf8))
        return try XMLDocument(parsing: changed)
    }

    private static func another(_ value: String) -> String {
        switch value {
        case "YES": "NO"
        case "NO": "YES"
        default: Double(value).map { "\(Int($0) + 1)" } ?? "\(value)x"
        }
    }
}

/// The samples under `Bundles` that are kept as sources.
@Suite struct `The samples' sources` {
    /// Every folder with a bundle's source and a storyboard: an application's product has no property list on top, and
    /// documents need no interface.
    static let names: [String] = {
        let paths = Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles").keys
        let parts = paths.map { $0.split(separator: "/") }
        let folders = ["Info.plist", "Main.storyboard"].map { file in
            Set(parts.filter { $0.count == 2 && $0[1] == file }.map { String($0[0]) })
        }
        return folders[0].intersection(folders[1]).sorted()
    }()

    @Test func `at least five samples are kept as sources`() {
        #expect(Set(Self.names).isSuperset(of: ["Aviary", "HarbourLog", "Herbarium", "Postcard", "Planetarium"]))
    }

    static func files(_ folder: String) -> [String: [UInt8]] {
        Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles/\(folder)")
    }

    @Test(arguments: names)
    func `each sample's model compiles to the content of its source`(_ name: String) throws {
        let files = Self.files(name)
        let marked = files.keys.filter { $0.hasSuffix(".xcdatamodel/contents") }
        #expect(marked.count == 1)
        for path in marked {
            let source = try #require(files[path])
            let model = try ModelCompiler.compile(source, path: path)
            #expect(try DataModel(parsing: model.encoded()) == model)
            #expect(!model.entities.isEmpty)
            // Every relationship of the samples has an inverse.
            for entity in model.entities { #expect(entity.relationships.allSatisfy { $0.inverse != nil }) }
        }
    }

    @Test(arguments: names)
    func `each sample's storyboard compiles`(_ name: String) throws {
        let source = try #require(Self.files(name)["Main.storyboard"])
        let files = try InterfaceCompiler.compile(source, path: "Main.storyboard")
        #expect(files.contains { $0.path == "Main.storyboardc/Info.plist" })
        #expect(files.count >= 6)
        #expect(try InterfaceCompiler.compile(source, path: "Main.storyboard") == files)
    }

    @Test func `the samples' assets become loose images`() throws {
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

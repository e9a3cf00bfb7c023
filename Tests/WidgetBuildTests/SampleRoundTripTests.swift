import Nib
import Testing
import WidgetBuild
import XMLText

/// Each sample's storyboard, and that of a new widget, beside what its compiled form says when it is read: attribute by
/// attribute, part by part, connection by connection.
@Suite struct `The samples' storyboards` {
    struct Source: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var path: String
        var bytes: [UInt8]
    }

    /// Every storyboard there is under `Bundles`, so that none can be forgotten.
    static let sources: [Source] = {
        var sources: [Source] = []
        for name in `The samples' sources`.names {
            let files = `The samples' sources`.files(name)
            for path in files.keys.sorted() where path.hasSuffix(".storyboard") || path.hasSuffix(".xib") {
                sources.append(Source(testDescription: "\(name)/\(path)", path: path, bytes: files[path] ?? []))
            }
        }
        for file in Starter(named: "New")?.files ?? [] where file.path.hasSuffix(".storyboard") {
            sources.append(Source(testDescription: "a new widget", path: file.path, bytes: file.bytes))
        }
        return sources
    }()

    @Test func `are those of at least five samples and of a new widget`() {
        #expect(Self.sources.count >= 6)
        #expect(Set(Self.sources.map { $0.testDescription.prefix { $0 != "/" } }).count >= 6)
    }

    private static func compiled(_ source: Source) throws -> CompiledStoryboard {
        let files = try InterfaceCompiler.compile(source.bytes, path: source.path)
        let prefix = "\(source.path.split(separator: "/").last ?? "")c/"
        return try CompiledStoryboard(
            files: Dictionary(uniqueKeysWithValues: files.map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }))
    }

    @Test(arguments: sources)
    func `say the same compiled as in their source`(_ source: Source) throws {
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

    /// What says the same as anything else is no proof: the comparison has to see a change of any attribute there is.
    @Test func `say something else when any attribute of their source is another`() throws {
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

    /// Attributes, some by element and what is around it, that are not in what is compiled: names of the editor's, places that
    /// say what something else says as well, and ids, by which objects are only referred to.
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

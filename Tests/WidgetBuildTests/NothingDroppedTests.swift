import TestSupport
import Testing
import WidgetBuild
import XMLText

/// Whatever a source says is compiled or refused. Each source is changed in one place at a time, in every kind of place it
/// has, and the compiler has to notice.
@Suite struct `Of an interface's source nothing is lost` {
    struct Source: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var path = "Main.storyboard"
        var bytes: [UInt8]
    }

    static let sources =
        [Source(testDescription: "the storyboard of tests", bytes: SampleStoryboard.bytes)]
        + `The samples' sources`.names.map { name in
            Source(testDescription: name, bytes: `The samples' sources`.files(name)["Main.storyboard"] ?? [])
        }

    /// What the editor alone needs, with all that is in it.
    private static let editors: Set<String> = [
        "device", "adaptation", "dependencies", "deployment", "plugIn", "capability", "image", "systemColor",
        "simulatedStatusBarMetrics", "simulatedTabBarMetrics", "freeformSimulatedSizeMetrics", "resources",
    ]

    /// Attributes of compiled elements that the editor alone needs.
    private static let editorAttributes: Set<String> = [
        "userLabel", "sceneMemberID", "sceneID", "customModuleProvider", "colorSpace", "customColorSpace",
        "tableViewCell", "collectionViewCell", "fixedFrame",
        // Of cells that others are made from: their place says the same.
        "prototypes/tableViewCell/rowHeight",
        // Of the document.
        "version", "toolsVersion", "systemVersion", "targetRuntime", "propertyAccessControl", "useAutolayout",
        "useTraitCollections", "useSafeAreas", "colorMatched",
    ]

    private struct Place {
        var element: XMLElement
        var parent: String
    }

    /// One element of each name and parent.
    private static func places(_ bytes: [UInt8]) throws -> [Place] {
        let document = try XMLDocument(parsing: bytes)
        var places: [Place] = []
        var seen: Set<String> = []
        var pending = [Place(element: document.root, parent: "")]
        while let place = pending.popLast() {
            guard !editors.contains(place.element.name), place.element["key"] != "canvasLocation" else { continue }
            if seen.insert("\(place.parent)/\(place.element.name)").inserted { places.append(place) }
            pending += place.element.children.reversed().map { Place(element: $0, parent: place.element.name) }
        }
        return places
    }

    private static func compile(_ bytes: [UInt8], _ source: Source) -> (files: [[UInt8]], error: BuildError?) {
        do {
            return (try InterfaceCompiler.compile(bytes, path: source.path).map(\.bytes), nil)
        } catch {
            return ([], error)
        }
    }

    @Test(arguments: sources)
    func `an attribute that is unknown is refused where it stands`(_ source: Source) throws {
        for place in try Self.places(source.bytes) {
            var changed = source.bytes
            let end = place.element.offset + 1 + place.element.name.utf8.count
            changed.insert(contentsOf: Array(" zzz=\"1\"".utf8), at: end)
            let error = Self.compile(changed, source).error
            #expect(error != nil, "\(place.element.name) in \(place.parent)")
            #expect(error.map { "\($0)" }?.contains("zzz") == true, "\(place.element.name): \("\(error as Any)")")
        }
    }

    @Test(arguments: sources)
    func `an element that is unknown is refused where it stands`(_ source: Source) throws {
        for place in try Self.places(source.bytes) {
            var changed = source.bytes
            // Behind the start tag, which becomes one if it was the whole element.
            guard let close = changed[place.element.offset...].firstIndex(of: UInt8(ascii: ">")) else { continue }
            if changed[close - 1] == UInt8(ascii: "/") {
                let text = "><zzz/></\(place.element.name)"
                changed.replaceSubrange(close - 1..<close, with: Array(text.utf8))
            } else {
                changed.insert(contentsOf: Array("<zzz/>".utf8), at: close + 1)
            }
            let error = Self.compile(changed, source).error
            #expect(error.map { "\($0)" }?.contains("zzz") == true, "\(place.element.name) in \(place.parent)")
        }
    }

    @Test(arguments: sources)
    func `a value that is another makes another interface, or is refused`(_ source: Source) throws {
        let original = Self.compile(source.bytes, source)
        #expect(original.error == nil)
        var seen: Set<String> = []
        for place in try Self.places(source.bytes) {
            for attribute in place.element.attributes where !Self.editorAttributes.contains(attribute.name) {
                // Ids are what objects are referred to by, and are not in what is compiled.
                let name = "\(place.parent)/\(place.element.name)/\(attribute.name)"
                if attribute.name == "id" || Self.editorAttributes.contains(name) { continue }
                guard seen.insert(name).inserted else { continue }
                let start = attribute.offset + attribute.name.utf8.count + 2
                guard let end = source.bytes[start...].firstIndex(of: UInt8(ascii: "\"")) else { continue }
                var changed = source.bytes
                changed.replaceSubrange(start..<end, with: Array(Self.another(attribute.value).utf8))
                let result = Self.compile(changed, source)
                #expect(
                    result.error != nil || result.files != original.files,
                    "\(attribute.name) of \(place.element.name) in \(place.parent), \(attribute.value)")
            }
        }
        #expect(seen.count > 60)
    }

    private static func another(_ value: String) -> String {
        switch value {
        case "YES": "NO"
        case "NO": "YES"
        default: Double(value).map { "\(Int($0) == 0 ? 1 : Int($0) / 2)" } ?? "\(value)x"
        }
    }
}

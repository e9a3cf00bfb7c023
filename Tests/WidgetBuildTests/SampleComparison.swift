import Nib
import XMLText

/// One scene of a source beside its compiled form. What was looked at is noted, so that what was not is found.
struct SampleComparison {
    /// What differs, by the place in these files where it was looked at.
    final class Differences {
        var found: [String] = []
    }

    private let differences = Differences()
    let storyboard: CompiledStoryboard
    /// Elements of the source by their ids.
    let elements: [String: XMLElement]
    /// Numbers of elements of the source.
    var compared: Set<Int> = []
    var attributeCount = 0
    /// What stands for each id, in the interface where it is.
    var found: [String: NibElement] = [:]
    /// The interfaces of the scene, each with those around it, outermost first.
    var contexts: [[SampleContext]] = []

    init(storyboard: CompiledStoryboard, elements: [String: XMLElement]) {
        self.storyboard = storyboard
        self.elements = elements
    }

    /// The elements of a document by their ids.
    static func elements(of document: XMLDocument) -> [String: XMLElement] {
        Dictionary(
            all(document.root).compactMap { element in element["id"].map { ($0, element) } },
            uniquingKeysWith: { first, _ in first })
    }

    struct Missing: Error {}

    /// What has to be there for anything else to be compared.
    func required<Value>(_ value: Value?, file: String = #fileID, line: Int = #line) throws -> Value {
        guard let value else {
            expect(false, "is missing", file: file, line: line)
            throw Missing()
        }
        return value
    }

    /// What only holds others.
    static let frames: Set<String> = [
        "scene", "objects", "point", "placeholder", "layoutGuides", "subviews", "constraints", "connections",
        "prototypes", "userDefinedRuntimeAttributes", "sections", "cells", "segments",
    ]

    static func all(_ root: XMLElement) -> [XMLElement] {
        var (result, pending) = ([XMLElement](), [root])
        while let element = pending.popLast() {
            result.append(element)
            pending += element.children
        }
        return result
    }

    func expect(_ isSo: Bool, _ words: @autoclosure () -> String = "", file: String = #fileID, line: Int = #line) {
        if !isSo { differences.found.append("\(file):\(line) \(words())") }
    }

    /// What a screen is called in the compiled storyboard.
    static func screenName(_ controller: XMLElement) -> String {
        let base = "UI\(controller.name.prefix(1).uppercased())\(controller.name.dropFirst())"
        return controller["storyboardIdentifier"] ?? "\(base)-\(controller["id"] ?? "")"
    }

    /// What of a scene's source is not found in the compiled form, and what was passed over.
    mutating func differences(in scene: XMLElement) -> [String] {
        do {
            try compare(scene: scene)
        } catch {
            differences.found.append("\(error)")
        }
        for element in Self.all(scene)
        where !Self.frames.contains(element.name) && !compared.contains(element.number) {
            differences.found.append("nothing looked at \(element.name) at \(element.position)")
        }
        return differences.found
    }

    private mutating func compare(scene: XMLElement) throws {
        let source = try required(scene.child(named: "objects")?.children.first)
        let compiled = try storyboard.scene(Self.screenName(source))
        let controller = compiled.controller
        let outer = [SampleContext(interface: compiled.interface)]
        contexts = [outer]
        found[try required(source["id"])] = controller.element
        try compare(source, controller.element, outer)
        for child in source.children {
            switch child["key"] {
            case "navigationItem": try compare(item: child, try required(controller.navigationItem), outer)
            case "navigationBar":
                try compare(child, try required(controller.element.element("UINavigationBar")), outer)
            case "view": try compare(views: child, of: controller, source, outer)
            default: break
            }
        }
        if source.name == "navigationController" { try compare(stack: source, controller, compiled.interface) }
        try compareConnections(of: source, controller)
    }

    private mutating func compare(item: XMLElement, _ element: NibElement, _ context: [SampleContext]) throws {
        try compare(item, element, context)
        for child in item.children {
            let key = try required(child["key"])
            let part = try required(element.element("UI\(key.prefix(1).uppercased())\(key.dropFirst())"))
            if key == "titleView" {
                try compare(view: child, part, context)
            } else {
                if let id = child["id"] { found[id] = part }
                try compare(child, part, context)
                // Those of one side are in a list as well.
                if key != "backBarButtonItem" {
                    expect(element.elements("UI\(key.prefix(1).uppercased())\(key.dropFirst())s") == [part])
                }
            }
        }
    }

    private mutating func compare(
        views source: XMLElement, of controller: NibController, _ owner: XMLElement, _ outer: [SampleContext]
    ) throws {
        let nib = try required(controller.viewNib)
        let context =
            outer + [
                SampleContext(
                    interface: NibInterface(try storyboard.document(ofNib: nib).graph),
                    external: Dictionary(
                        uniqueKeysWithValues: controller.externalObjects.map { ($0.placeholder, $0.object) }))
            ]
        contexts.append(context)
        let views = context[1].interface
        // Rules of layout may be about guides, which stand before the views in the source.
        for guide in owner.child(named: "layoutGuides")?.children ?? [] {
            let name = ["top": "Top", "bottom": "Bottom"][guide["type"] ?? ""] ?? "none"
            let compiled = views.objects.first { $0.string("_UILayoutGuideIdentifier") == "_UIViewController\(name)" }
            expect(compiled != nil)
            if let id = guide["id"] { found[id] = compiled }
            compared.insert(guide.number)
        }
        try compare(view: source, try required(views.owned("view")), context)
    }

    /// A controller around others, and its first one.
    private mutating func compare(
        stack source: XMLElement, _ controller: NibController, _ interface: NibInterface
    ) throws {
        let segue = try required(source.child(named: "connections")?.children.first)
        expect(segue["relationship"] == "rootViewController" && segue["kind"] == "relationship")
        let destination = try required(segue["destination"])
        let root = try required(controller.children.first)
        expect(interface.objects.contains(root.element))
        expect(root.viewNib?.hasPrefix("\(destination)-view-") == true)
        attributeCount += segue.attributes.count
        compared.insert(segue.number)
    }
}

/// An interface, and what the one around it has in the places of what this one lacks.
struct SampleContext {
    let interface: NibInterface
    var external: [String: NibElement] = [:]
}

extension [SampleContext] {
    /// The object that an element stands for in the end, however many interfaces lie between.
    func resolved(_ element: NibElement) -> NibElement {
        var element = element
        for context in reversed() {
            guard let name = element.proxyName, let outer = context.external[name] else { break }
            element = outer
        }
        return element
    }
}

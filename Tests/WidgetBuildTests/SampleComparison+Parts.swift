import Nib
import XMLText

extension SampleComparison {
    /// An object's class, attributes and parts, without the views in it.
    mutating func compare(_ source: XMLElement, _ element: NibElement, _ context: [SampleContext]) throws {
        compared.insert(source.number)
        compare(classOf: source, element)
        for attribute in source.attributes {
            attributeCount += 1
            let full = "\(source.name).\(attribute.name)"
            if SampleReading.elsewhere.contains(attribute.name) || SampleReading.elsewhere.contains(full) { continue }
            guard let reading = SampleReading.all[full] ?? SampleReading.all[attribute.name] else {
                expect(false, "nothing is known about \(full)")
                continue
            }
            expect(reading.says(attribute.value, of: element), "\(full) of \(source["id"] ?? "")")
        }
        for child in source.children { try compare(part: child, of: element, context) }
        compare(attributesOf: source, element, context)
    }

    func compare(classOf source: XMLElement, _ element: NibElement) {
        let name = element.string("UIClassName").map { NibElement.moduleAndName($0)?.name ?? $0 }
        expect(name == source["customClass"])
        let module = element.string("UIClassName").flatMap { NibElement.moduleAndName($0)?.module }
        expect(module == source["customModule"])
    }

    mutating func compare(attributesOf source: XMLElement, _ element: NibElement, _ context: [SampleContext]) {
        let attributes = source.child(named: "userDefinedRuntimeAttributes")?.children ?? []
        let compiled = context.last?.interface.attributes(of: element) ?? []
        expect(compiled.map(\.keyPath) == attributes.map { $0["keyPath"] ?? "" })
        for (child, one) in zip(attributes, compiled) { compare(attribute: child, one.value) }
    }

    /// Parts that are always for the same.
    private static let onlyKeys = [
        "rect": "frame", "autoresizingMask": "autoresizingMask", "fontDescription": "fontDescription",
        "textInputTraits": "textInputTraits", "collectionViewFlowLayout": "collectionViewLayout",
    ]

    /// What can be said not to be there.
    private static let absent: Set<String> = ["textColor", "highlightedColor", "simulatedStatusBarMetrics"]

    private mutating func compare(
        part: XMLElement, of element: NibElement, _ context: [SampleContext]
    ) throws {
        let key = part["key"] ?? ""
        let name = "UI\(key.prefix(1).uppercased())\(key.dropFirst())"
        if let only = Self.onlyKeys[part.name] { expect(key == only) }
        switch part.name {
        case "nil": expect(Self.absent.contains(key) && element.element(name) == nil)
        case "rect":
            let frame = try required(element.frame)
            let numbers = ["x", "y", "width", "height"].map { Double(part[$0] ?? "") }
            expect([frame.x, frame.y, frame.width, frame.height] == numbers)
        case "size":
            let size = try required(element.size(name))
            expect([size.x, size.y] == ["width", "height"].map { Double(part[$0] ?? "") })
        case "autoresizingMask":
            let names = [
                "flexibleMinX", "widthSizable", "flexibleMaxX", "flexibleMinY", "heightSizable", "flexibleMaxY",
            ]
            let mask = element.integer("UIAutoresizingMask") ?? 0
            expect(names.indices.map { mask >> $0 & 1 == 1 } == names.map { part[$0] == "YES" })
        case "color":
            let isIndicator = element.baseClassName == "UIActivityIndicatorView" && key == "color"
            let color = try required(element.color(isIndicator ? "UIActivityIndicatorViewColor" : name))
            compare(color: part, color)
        case "fontDescription":
            let font = try required(element.font("UIFont"))
            expect(font.pointSize == Double(part["pointSize"] ?? ""))
            expect(font.isSystem && font.isBold == (part["type"] == "boldSystem"))
            expect(["system", "boldSystem"].contains(part["type"] ?? ""))
        case "textInputTraits":
            for attribute in part.attributes where attribute.name != "key" {
                expect(SampleReading.all[attribute.name]?.says(attribute.value, of: element) == true)
            }
        case "state":
            let states = ["normal": 0.0, "highlighted": 1, "disabled": 2, "selected": 4]
            let contents = element.pairs("UIButtonStatefulContent").filter { $0.key.number == states[key] }
            expect(contents.map { $0.value.string("UITitle") } == [part["title"]])
            expectOnly(["key", "title"], part)
        case "segments":
            let segments = element.elements("UISegments")
            expect(segments.map { $0.string("UISegmentInfo") } == part.children.map { $0["title"] })
            expect(segments.map { $0.integer("UISegmentPosition") } == Array(part.children.indices))
            for segment in part.children {
                expectOnly(["title"], segment)
                compared.insert(segment.number)
            }
        case "collectionViewFlowLayout":
            return try compare(part, try required(element.element("UICollectionLayout")), context)
        default: return
        }
        if part.name != "state" { attributeCount += part.attributes.count }
        compared.insert(part.number)
    }

    private mutating func compare(color source: XMLElement, _ color: NibColor) {
        compared.insert(source.number)
        let white = source["white"]
        for (name, value) in [("red", color.red), ("green", color.green), ("blue", color.blue), ("alpha", color.alpha)]
        {
            let expected = Double((name == "alpha" ? source[name] : white ?? source[name]) ?? "") ?? .nan
            expect(abs(value - expected) < 1e-6, "\(name)")
        }
    }

    private mutating func compare(attribute source: XMLElement, _ value: NibRuntimeValue) {
        attributeCount += source.attributes.count
        compared.insert(source.number)
        let child = source.children.first
        if let child {
            compared.insert(child.number)
            expect(child["key"] == "value")
        }
        switch (source["type"], value) {
        case ("string", .text(let text)): expect(text == source["value"])
        case ("number", .number(let number)): expect(number == Double(child?["value"] ?? ""))
        case ("boolean", .truth(let flag)): expect(flag == (source["value"] == "YES"))
        case ("color", .color(let color)):
            if let child { compare(color: child, color) }
        default: expect(false, "\(source["type"] ?? "") became \(value)")
        }
    }
}

internal import XMLText

/// The properties of views and items.
extension StoryboardReader {
    /// Adds the properties that have one attribute or part each.
    func addStored(of element: XMLElement, _ node: inout NotationNode) {
        let usual = StoryboardWriter.usual(node.kind)
        let traits = element.child(named: "textInputTraits")
        for property in NotationProperty.all where property.kinds.contains(node.kind) {
            let value: String?
            switch property.store {
            case .attribute(let name): value = element[name] == usual[name] ? nil : element[name]
            case .trait(let name): value = traits?[name]
            case .color(let key):
                addColor(property.name, key: key, of: element, &node)
                continue
            case .dimension(let side):
                value =
                    element.child(named: "constraints")?.children.first {
                        $0["firstAttribute"] == side && $0["firstItem"] == nil && $0["secondItem"] == nil
                            && $0["relation"] == nil
                    }?["constant"]
            case .runtime, .other: continue
            }
            guard let value else { continue }
            switch property.form {
            case .flag: if value == property.flagged { node.properties.append((property.name, .flag)) }
            case .number, .length, .whole:
                if let number = Double(value) { node.properties.append((property.name, .number(number))) }
            case .choice(let words):
                if let word = words.first(where: { $0.value == value }) {
                    node.properties.append((property.name, .choice(word.key)))
                }
            default: node.properties.append((property.name, .text(value)))
            }
        }
    }

    /// Adds the properties that have code for their meaning.
    func addSpecial(of element: XMLElement, _ node: inout NotationNode) {
        func add(_ name: String, _ attribute: String?, except usual: String? = nil) {
            guard let text = attribute, text != usual, let number = Double(text) else { return }
            node.properties.append((name, .number(number)))
        }
        func add(_ name: String, text: String?) {
            if let text { node.properties.append((name, .text(text))) }
        }
        switch node.kind {
        case .image, .left, .right: add("picture", text: element["image"])
        case .button:
            let state = element.child(named: "state")
            add("picture", text: state?["image"])
            addColor("color", key: "titleColor", of: state, &node)
        case .label, .textField, .textView: addColor("color", key: "textColor", of: element, &node)
        case .slider:
            add("value", element["value"], except: "0")
            add("min", element["minValue"], except: "0")
            add("max", element["maxValue"], except: "1")
        case .stepper:
            add("value", element["value"], except: "0")
            add("min", element["minimumValue"], except: "0")
            add("max", element["maximumValue"], except: "100")
        case .progress: add("value", element["progress"], except: "0")
        case .segmented:
            let titles = (element.child(named: "segments")?.children ?? []).map { $0["title"] ?? "" }
            if !titles.isEmpty { node.properties.append(("segments", .texts(titles))) }
        case .table: add("rowHeight", element["rowHeight"], except: "-1")
        case .column, .row: add("spacing", element["spacing"], except: "8")
        case .collection:
            let layout = element.child(named: "collectionViewFlowLayout")
            let size = layout?.children.first { $0["key"] == "itemSize" }
            if let width = size?["width"].flatMap({ Double($0) }), let height = size?["height"].flatMap({ Double($0) }),
                (width, height) != (160, 120)
            {
                node.properties.append(("itemSize", .size(width, height)))
            }
            if layout?["scrollDirection"] == "horizontal" {
                node.properties.append(("direction", .choice("horizontal")))
            }
            add("spacing", layout?["minimumLineSpacing"], except: "10")
        default: break
        }
        if let font = element.child(named: "fontDescription") { addFont(font, &node) }
        add("spoken", text: element.child(named: "accessibility")?["label"])
    }

    private func addFont(_ font: XMLElement, _ node: inout NotationNode) {
        if let style = font["style"] {
            guard case .choice(let words)? = NotationProperty.named("style")?.form,
                let word = words.first(where: { $0.value == style })
            else { return }
            return node.properties.append(("style", .choice(word.key)))
        }
        let isBold = font["type"] == "boldSystem"
        let isItalic = font["type"] == "italicSystem"
        if isBold { node.properties.append(("bold", .flag)) }
        if isItalic { node.properties.append(("italic", .flag)) }
        guard let size = font["pointSize"].flatMap({ Double($0) }) else { return }
        // A button's font is written when one of its properties is.
        if size != 17 || node.kind == .button && !isBold && !isItalic {
            node.properties.append(("size", .number(size)))
        }
    }

    func addClass(_ element: XMLElement, usual: String?, _ node: inout NotationNode) {
        guard let name = element["customClass"] else { return }
        let module = element["customModule"]
        if name != usual || module != nil && module != "WidgetKit" {
            node.properties.append(("class", .text(name)))
        }
        if let module, module != "WidgetKit" { node.properties.append(("module", .text(module))) }
    }

    /// Adds the runtime attributes. The name and that of a field have other words.
    func addSettings(of element: XMLElement, _ node: inout NotationNode) {
        for attribute in element.child(named: "userDefinedRuntimeAttributes")?.children ?? [] {
            guard let key = attribute["keyPath"] else { continue }
            let child = attribute.children.first
            switch (key, attribute["type"]) {
            case ("wx.identifier", "string"?) where node.kind != .screen && node.kind != .cell:
                node.name = attribute["value"]
            case ("wx_fieldName", "string"?) where NotationKind.views.contains(node.kind):
                if let text = attribute["value"] { node.properties.append(("field", .text(text))) }
            case ("wx_keeps", "string"?) where node.kind == .table && attribute["value"] == "end":
                node.properties.append(("keeps", .choice("end")))
            case ("wx.identifier", _), ("wx_fieldName", _), ("wx_keeps", _): continue
            case (_, _) where !NotationLine.isPlainWord(key): continue
            case (_, "string"?):
                if let text = attribute["value"] { node.properties.append(("set", .setting(key, .text(text)))) }
            case (_, "boolean"?):
                node.properties.append(("set", .setting(key, .truth(attribute["value"] == "YES"))))
            case (_, "number"?):
                if let number = child?["value"].flatMap({ Double($0) }) {
                    node.properties.append(("set", .setting(key, .number(number))))
                }
            case (_, "color"?):
                if let color = child.flatMap({ StoryboardReader.color($0) }) {
                    node.properties.append(("set", .setting(key, .color(color))))
                }
            default: continue
            }
        }
    }

    // MARK: Colours

    func addColor(_ name: String, key: String, of element: XMLElement?, _ node: inout NotationNode) {
        guard let part = element?.children.first(where: { $0.name == "color" && $0["key"] == key }),
            let color = StoryboardReader.color(part)
        else { return }
        node.properties.append((name, .color(color)))
    }

    /// The largest difference between components that are the same.
    static let colorTolerance = 0.000_1

    private static func color(_ element: XMLElement) -> NotationColor? {
        if let name = element["systemColor"] ?? element["cocoaTouchSystemColor"] {
            guard name.hasSuffix("Color"), NibCompiler.systemColorNames.contains(name) else { return nil }
            return .system(String(name.dropLast("Color".count)))
        }
        if let name = element["name"] { return .catalog(name) }
        func component(_ name: String) -> Double? { element[name].flatMap { Double($0) } }
        let alpha = component("alpha") ?? 1
        if let white = component("white") {
            return StoryboardWriter.greys.sorted { $0.key < $1.key }.first { _, grey in
                abs((Double(grey.white) ?? 0) - white) < colorTolerance
                    && abs((Double(grey.alpha) ?? 0) - alpha) < colorTolerance
            }.map { .system($0.key) }
        }
        var bytes: [UInt8] = []
        for value in [component("red"), component("green"), component("blue"), alpha] {
            guard let value, value >= 0, value <= 1 else { return nil }
            bytes.append(UInt8((value * 255).rounded()))
        }
        return .components(bytes)
    }
}

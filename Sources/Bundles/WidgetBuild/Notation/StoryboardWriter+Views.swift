/// Views: the element of each kind, with the attributes that Xcode gives a new one.
extension StoryboardWriter {
    private static func attributes(_ kind: NotationKind) -> KeyValuePairs<String, String> {
        switch kind {
        case .label:
            [
                "opaque": "NO", "userInteractionEnabled": "NO", "contentMode": "left",
                "horizontalHuggingPriority": "251", "verticalHuggingPriority": "251", "text": "",
                "textAlignment": "natural", "lineBreakMode": "tailTruncation", "baselineAdjustment": "alignBaselines",
                "adjustsFontSizeToFit": "NO",
            ]
        case .button:
            [
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "center",
                "contentVerticalAlignment": "center", "buttonType": "system", "lineBreakMode": "middleTruncation",
            ]
        case .image:
            [
                "clipsSubviews": "YES", "userInteractionEnabled": "NO", "contentMode": "scaleAspectFit",
                "horizontalHuggingPriority": "251", "verticalHuggingPriority": "251",
            ]
        case .textField:
            [
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "left",
                "contentVerticalAlignment": "center", "borderStyle": "roundedRect", "textAlignment": "natural",
                "minimumFontSize": "17",
            ]
        case .textView:
            [
                "clipsSubviews": "YES", "multipleTouchEnabled": "YES", "contentMode": "scaleToFill",
                "textAlignment": "natural",
            ]
        case .search: ["contentMode": "redraw", "searchBarStyle": "minimal"]
        case .switch:
            [
                "horizontalHuggingPriority": "750", "verticalHuggingPriority": "750",
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "center",
                "contentVerticalAlignment": "center",
            ]
        case .slider:
            [
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "center",
                "contentVerticalAlignment": "center", "value": "0", "minValue": "0", "maxValue": "1",
            ]
        case .stepper:
            [
                "horizontalHuggingPriority": "750", "verticalHuggingPriority": "750",
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "center",
                "contentVerticalAlignment": "center", "value": "0", "minimumValue": "0", "maximumValue": "100",
            ]
        case .segmented:
            [
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "left",
                "contentVerticalAlignment": "top", "segmentControlStyle": "plain", "selectedSegmentIndex": "0",
            ]
        case .datePicker:
            [
                "contentMode": "scaleToFill", "contentHorizontalAlignment": "center",
                "contentVerticalAlignment": "center", "datePickerMode": "dateAndTime", "minuteInterval": "1",
            ]
        case .activity:
            [
                "horizontalHuggingPriority": "750", "verticalHuggingPriority": "750",
                "opaque": "NO", "contentMode": "scaleToFill", "hidesWhenStopped": "YES", "style": "gray",
            ]
        case .progress: ["opaque": "NO", "contentMode": "scaleToFill", "progress": "0"]
        case .pageControl:
            [
                "opaque": "NO", "contentMode": "scaleToFill", "contentHorizontalAlignment": "center",
                "contentVerticalAlignment": "center", "numberOfPages": "3",
            ]
        case .column: ["opaque": "NO", "contentMode": "scaleToFill", "axis": "vertical"]
        case .row: ["opaque": "NO", "contentMode": "scaleToFill"]
        case .scroll: ["clipsSubviews": "YES", "multipleTouchEnabled": "YES", "contentMode": "scaleToFill"]
        case .table:
            [
                "clipsSubviews": "YES", "contentMode": "scaleToFill", "alwaysBounceVertical": "YES",
                "keyboardDismissMode": "onDrag", "dataMode": "prototypes", "style": "plain",
                "separatorStyle": "default",
            ]
        case .collection:
            [
                "clipsSubviews": "YES", "multipleTouchEnabled": "YES", "contentMode": "scaleToFill",
                "dataMode": "prototypes",
            ]
        case .view, .form, .header, .footer, .picker, .web: ["contentMode": "scaleToFill"]
        case .screen, .tabs, .tab, .left, .right, .cell: [:]
        }
    }

    /// The attributes that a new view of a kind has.
    static func usual(_ kind: NotationKind) -> [String: String] {
        Dictionary(attributes(kind).map { ($0.key, $0.value) }) { $1 }
    }

    /// Returns a view in its frame.
    ///
    /// - Parameter key: the place that it has beside the subviews of a list.
    mutating func view(_ number: Int, _ frame: Frame, key: String? = nil) -> StoryboardElement {
        let node = document.nodes[number]
        var element = StoryboardElement(node.kind.element)
        element.position = node.position
        if let key { element["key"] = key }
        for (name, value) in StoryboardWriter.attributes(node.kind) { element[name] = value }
        if let text = node.text, node.kind != .button { element["text"] = text }
        if key == nil { element["translatesAutoresizingMaskIntoConstraints"] = "NO" }
        element["id"] = id(number)
        set(class: node.kind == .form ? "FormDisplayView" : nil, node, &element)
        element.children.append(rect(frame.x, frame.y, frame.width, frame.height))
        if key != nil {
            element.children.append(
                StoryboardElement(
                    "autoresizingMask", ["key": "autoresizingMask", "widthSizable": "YES", "flexibleMaxY": "YES"]))
        }
        addParts(number, frame, &element)
        addFont(node, &element)
        store(node, &element)
        finish(number, &element)
        return element
    }

    private mutating func addParts(_ number: Int, _ frame: Frame, _ element: inout StoryboardElement) {
        let node = document.nodes[number]
        var constraints: [StoryboardElement] = []
        switch node.kind {
        case .column, .row:
            element["spacing"] = StoryboardNumber.text(node.number("spacing") ?? 8)
            element.add("subviews", stack(number, frame))
        case .view, .form, .scroll, .header, .footer:
            let parts = chain(number, in: id(number), frame)
            element.add("subviews", parts.views)
            constraints = parts.constraints
        case .table: addRows(number, frame, &element)
        case .collection: addItems(number, frame, &element)
        case .button:
            var state = StoryboardElement("state", ["key": "normal"])
            state["title"] = node.text
            state["image"] = node.text("picture")
            if let color = node.color("color") { state.children = [StoryboardWriter.color(color, key: "titleColor")] }
            element.children.append(state)
        case .image: element["image"] = node.text("picture")
        case .segmented:
            if case .texts(let titles)? = node["segments"] {
                element.add("segments", titles.map { StoryboardElement("segment", ["title": $0]) })
            }
        case .slider, .stepper, .progress:
            let names =
                switch node.kind {
                case .slider: ["value", "minValue", "maxValue"]
                case .stepper: ["value", "minimumValue", "maximumValue"]
                default: ["progress"]
                }
            for (property, attribute) in zip(["value", "min", "max"], names) {
                if let number = node.number(property) { element[attribute] = StoryboardNumber.text(number) }
            }
        case .web:
            element.children.append(
                StoryboardElement(
                    "wkWebViewConfiguration", ["key": "configuration"],
                    [
                        StoryboardElement(
                            "audiovisualMediaTypes", ["key": "mediaTypesRequiringUserActionForPlayback", "none": "YES"]
                        ), StoryboardElement("wkPreferences", ["key": "preferences"]),
                    ]))
        default: break
        }
        if let color = node.color("color"), node.kind != .button {
            element.children.append(StoryboardWriter.color(color, key: "textColor"))
        }
        element.add("constraints", constraints + dimensions(number))
    }

    private func addFont(_ node: NotationNode, _ element: inout StoryboardElement) {
        var font = StoryboardElement("fontDescription", ["key": "fontDescription"])
        if case .choice(let word)? = node["style"],
            case .choice(let words)? = NotationProperty.named("style")?.form
        {
            font["style"] = words.first { $0.key == word }?.value
        } else {
            let isPlain = !["size", "bold", "italic"].contains { node.has($0) }
            switch node.kind {
            case .label, .textField, .textView: break
            case .button where !isPlain: break
            default: return
            }
            font["type"] = node.has("bold") ? "boldSystem" : node.has("italic") ? "italicSystem" : "system"
            font["pointSize"] = StoryboardNumber.text(node.number("size") ?? 17)
        }
        element.children.append(font)
    }

    // MARK: Lists

    private mutating func addRows(_ number: Int, _ frame: Frame, _ element: inout StoryboardElement) {
        let node = document.nodes[number]
        let height = node.number("rowHeight")
        element["rowHeight"] = height.map { StoryboardNumber.text($0) } ?? "-1"
        if height == nil { element["estimatedRowHeight"] = "64" }
        element["sectionHeaderHeight"] = "28"
        element["sectionFooterHeight"] = "28"
        var rows: [StoryboardElement] = []
        for child in node.children {
            switch document.nodes[child].kind {
            case .header, .search:
                let own = Frame(x: 0, y: 0, width: frame.width, height: self.height(of: child, width: frame.width))
                element.children.append(view(child, own, key: "tableHeaderView"))
            case .footer:
                let own = Frame(x: 0, y: 84, width: frame.width, height: self.height(of: child, width: frame.width))
                element.children.append(view(child, own, key: "tableFooterView"))
            default: rows.append(row(child, frame.width, height))
            }
        }
        element.add("prototypes", rows)
    }

    private mutating func row(_ number: Int, _ width: Double, _ fixed: Double?) -> StoryboardElement {
        let node = document.nodes[number]
        let height = fixed ?? self.height(of: number, width: width)
        var element = StoryboardElement(
            "tableViewCell",
            [
                "clipsSubviews": "YES", "contentMode": "scaleToFill", "selectionStyle": "default",
                "indentationWidth": "10", "reuseIdentifier": node.name ?? "Cell",
            ])
        element.position = node.position
        if fixed != nil { element["rowHeight"] = StoryboardNumber.text(height) }
        element["id"] = id(number)
        set(class: "ContentTableViewCell", node, &element)
        element.children = [
            rect(0, 28, width, height), StoryboardElement("autoresizingMask", ["key": "autoresizingMask"]),
        ]
        var content = StoryboardElement(
            "tableViewCellContentView",
            [
                "key": "contentView", "opaque": "NO", "clipsSubviews": "YES", "multipleTouchEnabled": "YES",
                "contentMode": "center", "tableViewCell": id(number), "id": id(number, "content"),
            ])
        let inner = node.has("accessory") ? width - 34 : width
        fill(&content, number, Frame(x: 0, y: 0, width: inner, height: height))
        element.children.append(content)
        finishCell(number, &element)
        return element
    }

    private mutating func addItems(_ number: Int, _ frame: Frame, _ element: inout StoryboardElement) {
        let node = document.nodes[number]
        var size = (width: 160.0, height: 120.0)
        if case .size(let width, let height)? = node["itemSize"] { size = (width, height) }
        let spacing = StoryboardNumber.text(node.number("spacing") ?? 10)
        var layout = StoryboardElement(
            "collectionViewFlowLayout",
            ["key": "collectionViewLayout", "minimumLineSpacing": spacing, "minimumInteritemSpacing": spacing])
        if node.has("direction") { layout["scrollDirection"] = "horizontal" }
        layout["id"] = id(number, "layout")
        layout.children = [
            StoryboardElement(
                "size",
                [
                    "key": "itemSize", "width": StoryboardNumber.text(size.width),
                    "height": StoryboardNumber.text(size.height),
                ])
        ]
        element.children.append(layout)
        var cells: [StoryboardElement] = []
        for child in node.children {
            let node = document.nodes[child]
            var cell = StoryboardElement(
                "collectionViewCell",
                [
                    "opaque": "NO", "clipsSubviews": "YES", "multipleTouchEnabled": "YES", "contentMode": "center",
                    "reuseIdentifier": node.name ?? "Cell", "id": id(child),
                ])
            cell.position = node.position
            set(class: "ContentCollectionViewCell", node, &cell)
            let own = Frame(x: 0, y: 0, width: size.width, height: size.height)
            cell.children = [
                rect(0, 0, size.width, size.height),
                StoryboardElement("autoresizingMask", ["key": "autoresizingMask"]),
            ]
            var content = StoryboardElement(
                "view",
                [
                    "key": "contentView", "opaque": "NO", "clipsSubviews": "YES", "multipleTouchEnabled": "YES",
                    "contentMode": "center", "id": id(child, "content"),
                ])
            fill(&content, child, own)
            cell.children.append(content)
            finishCell(child, &cell)
            cells.append(cell)
        }
        element.add("cells", cells)
    }

    /// Fills the content view of a cell with the view that the framework looks for.
    private mutating func fill(_ content: inout StoryboardElement, _ number: Int, _ frame: Frame) {
        content.children = [
            rect(frame.x, frame.y, frame.width, frame.height),
            StoryboardElement("autoresizingMask", ["key": "autoresizingMask"]),
        ]
        let display = id(number, "display")
        var view = StoryboardElement(
            "view",
            [
                "contentMode": "scaleToFill", "translatesAutoresizingMaskIntoConstraints": "NO", "id": display,
                "customClass": "ContentDisplayView", "customModule": "WidgetKit",
            ], [rect(frame.x, frame.y, frame.width, frame.height)])
        let parts = chain(number, in: display, frame)
        view.add("subviews", parts.views)
        view.add("constraints", parts.constraints)
        content.add("subviews", [view])
        let around = id(number, "content")
        content.add(
            "constraints",
            ["top", "leading", "trailing", "bottom"].map { side in
                StoryboardWriter.constraint(
                    id(number, side), (display, side), (around, side), owner: around,
                    swapped: side == "trailing" || side == "bottom")
            })
    }

    private mutating func finishCell(_ number: Int, _ element: inout StoryboardElement) {
        store(document.nodes[number], &element)
        element.add("userDefinedRuntimeAttributes", runtimeAttributes(document.nodes[number], named: false))
        element.add(
            "connections",
            [
                StoryboardElement(
                    "outlet",
                    [
                        "property": "contentDisplayView", "destination": id(number, "display"),
                        "id": id(number, "outlet"),
                    ])
            ] + connections(number))
    }

    // MARK: Colours

    static let greys: [String: (white: String, alpha: String)] = [
        "white": ("1", "1"), "black": ("0", "1"), "clear": ("0", "0"), "gray": ("0.5", "1"),
        "darkGray": ("0.33333333333333331", "1"), "lightGray": ("0.66666666666666663", "1"),
    ]

    static func color(_ color: NotationColor, key: String) -> StoryboardElement {
        switch color {
        case .system(let name):
            if let grey = greys[name] {
                return StoryboardElement(
                    "color",
                    [
                        "key": key, "white": grey.white, "alpha": grey.alpha, "colorSpace": "custom",
                        "customColorSpace": "genericGamma22GrayColorSpace",
                    ])
            }
            return StoryboardElement("color", ["key": key, "systemColor": "\(name)Color"])
        case .catalog(let name): return StoryboardElement("color", ["key": key, "name": name])
        case .components(let bytes):
            var element = StoryboardElement("color", ["key": key])
            for (name, byte) in zip(["red", "green", "blue", "alpha"], bytes) {
                element[name] = StoryboardNumber.text(Double(byte) / 255)
            }
            element["colorSpace"] = "custom"
            element["customColorSpace"] = "sRGB"
            return element
        }
    }
}

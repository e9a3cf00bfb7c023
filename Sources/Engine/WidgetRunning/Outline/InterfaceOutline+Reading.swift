internal import WidgetNib

extension InterfaceOutline {
    /// Reads a storyboard's folder from its files, by their paths in it.
    init(storyboard path: String, files: [String: [UInt8]]) {
        self.init(path: path)
        do throws(NibError) {
            let storyboard = try CompiledStoryboard(files: files)
            var budget = OutlineBudget()
            for (identifier, nib) in storyboard.screens {
                do throws(NibError) {
                    try budget.spend(nib, of: storyboard)
                    let scene = try storyboard.scene(identifier)
                    screens.append(
                        Screen(
                            identifier: identifier, isEntry: identifier == storyboard.entryPoint,
                            parts: try InterfaceOutline.parts(of: scene, in: storyboard, &budget)))
                } catch {
                    faults.append("\(error)")
                }
            }
        } catch {
            faults.append("\(error)")
        }
    }

    /// Reads a separate interface.
    init(nib path: String, bytes: [UInt8]) {
        self.init(path: path)
        do throws(NibError) {
            let interface = NibInterface(try NibDocument(parsing: bytes).graph)
            var reader = InterfacePartReader(interface, external: [:])
            let roots = interface.topLevelObjects.filter { $0.proxyName == nil }
            var part = Part(className: "interface")
            var budget = OutlineBudget()
            for root in roots { try reader.addViews(of: root, depth: 0, &budget) }
            reader.finish(&part)
            screens = [Screen(identifier: path, isEntry: false, parts: [part])]
        } catch {
            faults.append("\(error)")
        }
    }

    private static func parts(
        of scene: CompiledScene, in storyboard: CompiledStoryboard, _ budget: inout OutlineBudget
    ) throws(NibError) -> [Part] {
        var parts: [Part] = []
        var seen: Set<Int> = []
        var pending = [(controller: scene.controller, depth: 0)]
        while let (controller, depth) = pending.popLast() {
            guard seen.insert(controller.element.index).inserted else { continue }
            let children = controller.children
            try budget.spend(objects: children.count)
            pending += children.reversed().map { ($0, depth + 1) }
            var part = Part(depth: depth, className: controller.className)
            part.title = controller.navigationItem?.string("UITitle") ?? controller.title
            part.restorationIdentifier = controller.restorationIdentifier
            let segues = controller.segues
            try budget.spend(objects: segues.count)
            part.segues = segues.map {
                Segue(kind: $0.className, identifier: $0.identifier, destination: $0.destination)
            }
            var own = InterfacePartReader(scene.interface, external: [:])
            if let titleView = controller.navigationItem?.element("UITitleView") {
                try own.addViews(of: titleView, depth: 0, &budget)
            }
            // The connections of the scene's own interface are listed once, with its first controller.
            if depth == 0 { own.finish(&part) } else { part.views += own.views }
            if let nib = controller.viewNib {
                try budget.spend(nib, of: storyboard)
                let external = controller.externalObjects
                try budget.spend(objects: external.count)
                let interface = NibInterface(try storyboard.document(ofNib: nib).graph)
                var reader = InterfacePartReader(
                    interface,
                    external: Dictionary(
                        external.map { ($0.placeholder, $0.object.shownClassName) },
                        uniquingKeysWith: { first, _ in first }))
                if let root = interface.owned("view") { try reader.addViews(of: root, depth: 0, &budget) }
                for row in NibTableSection.sections(of: interface).flatMap({ $0.rows }) {
                    try reader.addViews(of: row.cell, depth: 1, &budget)
                }
                reader.finish(&part)
            }
            parts.append(part)
        }
        return parts
    }
}

/// The limit on reading for one outline: screens can share files, and tables cells, any number of times.
private struct OutlineBudget {
    private var remaining = OutlineBudget.limit

    private static let limit = 8 << 20

    mutating func spend(_ byteCount: Int) throws(NibError) {
        remaining -= byteCount
        guard remaining >= 0 else { throw NibError(.limitReached(.byteCount, limit: OutlineBudget.limit)) }
    }

    /// Charges the approximate size of an object's entry.
    mutating func spend(objects count: Int) throws(NibError) { try spend(count * 64) }

    mutating func spend(_ nib: String, of storyboard: CompiledStoryboard) throws(NibError) {
        try spend(try storyboard.bytes(ofNib: nib).bytes.count)
    }
}

/// Collects the content of one interface, and of the interfaces of its cells.
private struct InterfacePartReader {
    private let interface: NibInterface
    /// The names that placeholders represent.
    private let external: [String: String]
    private var attributes: [Int: [InterfaceOutline.Attribute]] = [:]
    /// The first identifier of each object.
    private var identifiers: [Int: String] = [:]
    private(set) var views: [InterfaceOutline.View] = []
    private var shown: Set<Int> = []
    private var outlets: [InterfaceOutline.Connection] = []
    private var events: [InterfaceOutline.Connection] = []

    private struct Walk {
        var entries: [NibViewTree.Entry]
        var attributes: [Int: [InterfaceOutline.Attribute]]
        var depth: Int
        var next = 0
    }

    /// The limit on cells nested in cells. Every nested interface is smaller than the one around it, so this only keeps
    /// lists short.
    private static let deepestPrototype = 4

    init(_ interface: NibInterface, external: [String: String]) {
        self.interface = interface
        self.external = external
        for attribute in interface.attributes {
            if attribute.keyPath == "wx.identifier", identifiers[attribute.object.index] == nil {
                identifiers[attribute.object.index] = Self.text(of: attribute.value)
            }
            attributes[attribute.object.index, default: []].append(
                InterfaceOutline.Attribute(keyPath: attribute.keyPath, value: Self.text(of: attribute.value)))
        }
        connect(interface)
    }

    private mutating func connect(_ interface: NibInterface) {
        for outlet in interface.outlets {
            outlets.append(
                InterfaceOutline.Connection(
                    source: name(of: outlet.source), name: outlet.name, destination: name(of: outlet.destination)))
        }
        for event in interface.events {
            events.append(
                InterfaceOutline.Connection(
                    source: name(of: event.source), name: event.selector,
                    destination: event.destination.map { name(of: $0) } ?? NibPlaceholder.firstResponder))
        }
    }

    mutating func addViews(
        of root: NibElement, depth: Int, _ budget: inout OutlineBudget
    ) throws(NibError) {
        // The views being visited: the innermost is a cell in a view of the one before.
        var open = [Walk(entries: NibViewTree(root).entries, attributes: attributes, depth: depth)]
        try budget.spend(objects: open[0].entries.count)
        while let walk = open.last {
            guard walk.next < walk.entries.count else {
                open.removeLast()
                continue
            }
            open[open.count - 1].next += 1
            let entry = walk.entries[walk.next]
            var view = InterfaceOutline.View(depth: walk.depth + entry.depth, className: entry.view.shownClassName)
            view.frame = entry.view.frame.map { [$0.x, $0.y, $0.width, $0.height] }
            view.text = ["UIText", "UITitle", "UIPlaceholder"].lazy.compactMap { entry.view.string($0) }
                .first { !$0.isEmpty }
            view.reuseIdentifier = entry.view.string("UIReuseIdentifier")
            view.attributes = walk.attributes[entry.view.index] ?? []
            views.append(view)
            if open.count == 1 { shown.insert(entry.view.index) }
            guard open.count <= Self.deepestPrototype else { continue }
            for prototype in try NibPrototype.prototypes(of: entry.view).reversed() {
                try budget.spend(prototype.document.graph.bytes.count)
                let inner = NibInterface(prototype.document.graph)
                connect(inner)
                let reader = InterfacePartReader(inner, external: [:])
                for cell in inner.topLevelObjects.reversed() where cell.proxyName == nil {
                    open.append(
                        Walk(
                            entries: NibViewTree(cell).entries, attributes: reader.attributes,
                            depth: view.depth + 1))
                }
            }
        }
    }

    func finish(_ part: inout InterfaceOutline.Part) {
        part.views += views
        part.outlets += outlets
        part.events += events
        for object in interface.objects where !shown.contains(object.index) {
            part.attributes += attributes[object.index] ?? []
        }
    }

    /// Returns the class and identifier of an object; of a placeholder, the name that it represents.
    private func name(of element: NibElement) -> String {
        if let proxy = element.proxyName { return external[proxy] ?? proxy }
        let identifier = element.graph === interface.graph ? identifiers[element.index] : nil
        return identifier.map { "\(element.shownClassName) \($0)" } ?? element.shownClassName
    }

    private static func text(of value: NibRuntimeValue) -> String {
        switch value {
        case .null: "nil"
        case .text(let text): text
        case .number(let number): BundleOutline.shown(number)
        case .truth(let flag): "\(flag)"
        case .color(let color):
            color.systemName ?? color.resourceName
                ?? "rgb("
                + [color.red, color.green, color.blue, color.alpha].map { BundleOutline.shown($0) }
                .joined(separator: " ") + ")"
        case .point(let point), .size(let point): "{\(BundleOutline.shown(point.x)), \(BundleOutline.shown(point.y))}"
        case .rect(let rect):
            "{" + [rect.x, rect.y, rect.width, rect.height].map { BundleOutline.shown($0) }.joined(separator: ", ")
                + "}"
        case .range(let location, let length):
            "{\(BundleOutline.shown(location)), \(BundleOutline.shown(length))}"
        case .image(let name): name
        case .other(let element): element.className
        }
    }
}

extension BundleOutline {
    /// Returns up to three decimal digits; none where they are all zero.
    static func shown(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e12 else { return "\(number)" }
        let rounded = (number * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }
}

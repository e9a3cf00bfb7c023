internal import JSONText
internal import WidgetCore
internal import WidgetLayout
internal import WidgetRunning

/// A widget as its author wants to see it: the elements of its screen with place, rules and the origin of each value, its
/// log and its budgets. Reading it changes nothing; it is a document of JSON of a bounded size.
struct WidgetInspection {
    private let instance: WidgetInstance
    private let view: View
    private let viewport: Viewport

    /// The most bytes of the document, elements, rules of an element, lines of the log and characters of a text.
    static let byteLimit = 192 << 10
    private static let elementCount = 400
    /// A larger view is not laid out: that takes as long as its elements are many.
    private static let placedCount = 4_000
    private static let ruleCount = 30
    private static let inputCount = 20
    private static let logCount = 200
    private static let findingCount = 50
    private static let textLength = 200
    /// Steps for all explanations together.
    private static let fuel = 4_000_000

    init(_ instance: WidgetInstance, _ view: View, _ viewport: Viewport) {
        self.instance = instance
        self.view = view
        self.viewport = viewport
    }

    func document() -> [UInt8] {
        let nodes = flat()
        let placed =
            nodes.count <= WidgetInspection.placedCount
            ? ScreenLayout(instance.program, viewport).placed(view) : PlacedScreen()
        var log = JSONWriter()
        log.array { json in
            // The last lines say what has just happened.
            for entry in instance.log.suffix(WidgetInspection.logCount) {
                json.object { json in
                    json.member("kind", entry.kind.rawValue)
                    json.member("text", WidgetInspection.short(entry.text))
                }
            }
        }
        var writer = JSONWriter(reservingBytes: 16 << 10)
        writer.object { json in
            json.member("screen", WidgetInspection.short(view.screen))
            json.member("title", WidgetInspection.short(view.title))
            json.key("budgets")
            budgets(placed, nodes, to: &json)
            json.key("findings")
            json.array { json in
                for finding in (view.diagnostics + placed.findings).prefix(WidgetInspection.findingCount) {
                    json.string(WidgetInspection.short(finding.description))
                }
            }
            json.member("logged", instance.log.count)
            json.key("log")
            json.finished(log.finish())
            json.member("elementCount", nodes.count)
            json.key("elements")
            elements(nodes, placed, to: &json)
        }
        return writer.finish()
    }

    /// Every node, each before what is in it, with its depth.
    private func flat() -> [(node: ViewNode, depth: Int)] {
        var (found, pending) = ([(node: ViewNode, depth: Int)](), [(node: view.root, depth: 0)])
        while let next = pending.popLast() {
            found.append(next)
            pending += next.node.children.reversed().map { ($0, next.depth + 1) }
        }
        return found
    }

    // MARK: - Elements

    private func elements(
        _ nodes: [(node: ViewNode, depth: Int)], _ placed: PlacedScreen, to json: inout JSONWriter
    ) {
        let scene = instance.store.visible.flatMap { instance.program.scenes[$0.scene] }
        let sentences = scene.map { RuleSentences($0) }
        var rules: [NodeID: [LayoutRule]] = [:]
        for rule in scene?.rules ?? [] { rules[rule.first.node, default: []].append(rule) }
        let evaluator = Evaluator(instance.program, budget: instance.budget)
        var budget = instance.budget
        budget.fuel = min(budget.fuel, WidgetInspection.fuel)
        let meter = Meter(budget)
        json.array { json in
            for (node, depth) in nodes.prefix(WidgetInspection.elementCount) {
                var element = JSONWriter()
                element.object { json in
                    json.member("depth", depth)
                    json.member("kind", node.kind.row.name)
                    json.member("key", WidgetInspection.short(node.key.description))
                    if let name = node.identifier { json.member("name", WidgetInspection.short(name)) }
                    if let frame = placed[node.key]?.frame {
                        json.key("frame")
                        json.array {
                            for length in [frame.x, frame.y, frame.width, frame.height] { $0.number(length) }
                        }
                    }
                    let own = scene?.node(node.key.node)
                    if let place = own?.place { json.member("place", WidgetInspection.short(place.description)) }
                    json.key("events")
                    json.array { json in for event in node.events { json.string(event.rawValue) } }
                    json.key("rules")
                    json.array { json in
                        for rule in (rules[node.key.node] ?? []).prefix(WidgetInspection.ruleCount) {
                            let text = sentences?.text(rule) ?? ""
                            let weight = rule.priority < LayoutRule.required ? ", priority \(Int(rule.priority))" : ""
                            json.string(WidgetInspection.short(text) + weight)
                        }
                    }
                    json.key("values")
                    json.array { json in
                        for property in node.properties { value(property, of: node, evaluator, meter, to: &json) }
                    }
                }
                let bytes = element.finish()
                guard json.bytes.count + bytes.count <= WidgetInspection.byteLimit else { break }
                json.finished(bytes)
            }
        }
    }

    /// A value, with its origin: the place where it was authored, the expression and inputs that it was computed from, or
    /// the user or service that gave it.
    private func value(
        _ property: ViewProperty, of node: ViewNode, _ evaluator: Evaluator, _ meter: Meter, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("name", WidgetInspection.short(property.name.name))
            guard property.name != .text || !node.isTrue(.isSecure) else { return json.member("why", "a secret") }
            json.member("value", WidgetInspection.short(property.value.shown))
            let found = evaluator.explanation(
                of: property.name, at: node.key, in: instance.store, instance.environment, meter: meter)
            guard let found else { return json.member("why", "the state of the screen") }
            let source = WidgetInspection.short(found.source)
            switch found.origin {
            case .authored: json.member("why", "authored")
            case .bound: json.member("why", "from \(source)")
            case .given: json.member("why", source.isEmpty ? "given" : "given by \(source)")
            }
            if let place = found.place { json.member("place", WidgetInspection.short(place.description)) }
            guard !found.inputs.isEmpty else { return }
            json.key("inputs")
            json.array { json in
                for input in found.inputs.prefix(WidgetInspection.inputCount) {
                    json.string(WidgetInspection.short("\(input.keyPath) is \(input.value.shown)"))
                }
            }
        }
    }

    // MARK: - Budgets

    private func budgets(
        _ placed: PlacedScreen, _ nodes: [(node: ViewNode, depth: Int)], to json: inout JSONWriter
    ) {
        let (store, budget) = (instance.store, instance.budget)
        let rows: [(String, Int, Int)] = [
            ("Elements of the view", nodes.count, budget.nodeCount),
            ("Elements within elements", nodes.map { $0.depth }.max() ?? 0, budget.depth),
            ("Work of the layout", placed.termCount, LayoutBudget().termCount),
            ("Open screens", store.screens.count, budget.screenCount),
            ("Records", store.records.count, budget.recordCount),
            ("Weight of the records", store.records.weight, budget.recordWeight),
            ("Requests that wait", store.requests.count, budget.requestCount),
            ("Timers", store.timers.count, budget.timerCount),
            ("Alerts", store.alerts.count, budget.alertCount),
        ]
        json.array { json in
            for (name, used, limit) in rows {
                json.object { json in
                    json.member("name", name)
                    json.member("used", used)
                    json.member("limit", limit)
                }
            }
        }
    }

    private static func short(_ text: String) -> String {
        // Characters may have any number of bytes; scalars have four at most.
        guard text.utf8.count > textLength else { return text }
        let cut = text.unicodeScalars.prefix(textLength)
        return cut.count < text.unicodeScalars.count ? String(String.UnicodeScalarView(cut)) + "…" : text
    }
}

internal import JSONText
internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
internal import WidgetPredicates
internal import WidgetRunning

/// A kept view as JSON. Nodes are one list, each before what is in it, with the number of its children, so that neither
/// writing nor reading is recursive.
enum KeptViewDocument {
    /// The version of the form. A view of another version is not shown: it is made anew with the next update.
    static let schema: Int64 = 1
    /// A property's value lies in few arrays; the values of a cell in the dictionaries of its document.
    private static let depth = 240

    static func bytes(_ kept: KeptView) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 16_384)
        writer.object { writer in
            if let content = kept.content {
                writer.key("content")
                writer.object { writer in
                    writer.member("digest", content.digest.hex)
                    writer.member("moment", content.moment)
                    writer.member("revision", content.revision)
                }
            }
            writer.member("program", kept.program)
            writer.member("savedAt", kept.savedAt)
            writer.member("schema", schema)
            writer.key("view")
            write(kept.view, to: &writer)
        }
        return writer.finish()
    }

    /// - Returns: `nil` for a view of another version.
    /// - Throws: the reason why the bytes are not those of a view.
    static func kept(_ bytes: [UInt8], byteCount: Int) throws(JSONError) -> KeptView? {
        let limits = JSONLimits(byteCount: byteCount, depth: depth, valueCount: .max)
        let cursor = try JSONDocument(parsing: bytes, limits: limits, root: .container).cursor
        guard try cursor.require("schema", as: Int64.self) == schema else { return nil }
        var content: AcceptedContent?
        if let member = try cursor.member("content") {
            guard let digest = Digest(hex: try member.require("digest")) else {
                throw member.error(.unsuitable(expected: "a digest"))
            }
            let revision: Int64 = try member.require("revision")
            content = AcceptedContent(
                digest: digest, revision: Int(clamping: revision), moment: try member.require("moment"))
        }
        guard let view = try cursor.member("view") else { throw cursor.error(.missingMember("view")) }
        return KeptView(
            view: try read(view), content: content, savedAt: try cursor.require("savedAt"),
            program: try cursor.require("program"))
    }

    // MARK: - Views

    private static func write(_ view: View, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("alerts")
            writer.array { writer in
                for alert in view.alerts {
                    writer.object { writer in
                        writer.member("button", alert.button)
                        if !alert.choices.isEmpty {
                            writer.key("choices")
                            writer.array { writer in
                                for choice in alert.choices {
                                    writer.object { writer in
                                        write(choice.key, to: &writer)
                                        writer.member("style", choice.style.rawValue)
                                        writer.member("title", choice.title)
                                    }
                                }
                            }
                        }
                        write(alert.key, to: &writer)
                        writer.member("message", alert.message)
                        writer.member("title", alert.title)
                    }
                }
            }
            writer.key("constants")
            writer.array { writer in
                for (key, constant) in view.constants.sorted(by: { $0.key.description < $1.key.description }) {
                    writer.object { writer in
                        write(key, to: &writer)
                        writer.member("value", constant)
                    }
                }
            }
            if view.insets != .zero {
                writer.key("insets")
                writer.object { writer in
                    writer.member("bottom", view.insets.bottom)
                    writer.member("isPhysical", view.insets.isPhysical)
                    writer.member("leading", view.insets.leading)
                    writer.member("top", view.insets.top)
                    writer.member("trailing", view.insets.trailing)
                }
            }
            if !view.locale.isEmpty, view.locale != Environment.usualLocale { writer.member("locale", view.locale) }
            writer.key("nodes")
            writer.array { writer in
                view.visit { node in
                    write(node, to: &writer)
                    return true
                }
            }
            writer.member("screen", view.screen)
            writer.member("title", view.title)
            if !view.isVisible { writer.member("visible", false) }
        }
    }

    private static func read(_ cursor: JSONCursor) throws(JSONError) -> View {
        var view = View(
            screen: try cursor.require("screen"), title: try cursor.require("title"), root: try root(cursor))
        for alert in try cursor.member("alerts")?.elements() ?? [] {
            var notice = View.Notice(
                key: try key(alert), title: try alert.require("title"), message: try alert.require("message"),
                button: try alert.require("button"))
            for choice in try alert.member("choices")?.elements() ?? [] {
                let style: String = try choice.require("style")
                notice.choices.append(
                    AlertButton(
                        key: try key(choice), title: try choice.require("title"),
                        style: AlertStyle(rawValue: style) ?? .usual))
            }
            view.alerts.append(notice)
        }
        for constant in try cursor.member("constants")?.elements() ?? [] {
            view.constants[try key(constant)] = try constant.require("value")
        }
        if let insets = try cursor.member("insets") {
            view.insets = Insets(
                top: try insets.require("top"), leading: try insets.require("leading"),
                bottom: try insets.require("bottom"), trailing: try insets.require("trailing"),
                isPhysical: try insets.require("isPhysical"))
        }
        view.locale = try cursor.optional("locale") ?? ""
        view.isVisible = try cursor.optional("visible") ?? true
        return view
    }

    // MARK: - Nodes

    private static func write(_ node: ViewNode, to writer: inout JSONWriter) {
        writer.object { writer in
            if !node.children.isEmpty { writer.member("children", node.children.count) }
            if !node.events.isEmpty {
                writer.key("events")
                writer.array { for event in node.events { $0.string(event.rawValue) } }
            }
            if let frame = node.frame {
                writer.key("frame")
                writer.array { for number in [frame.x, frame.y, frame.width, frame.height] { $0.number(number) } }
            }
            if let identifier = node.identifier { writer.member("id", identifier) }
            write(node.key, to: &writer)
            if case .unknown(let name) = node.kind {
                writer.member("unknown", name)
            } else {
                writer.member("kind", node.kind.row.name)
            }
            if !node.properties.isEmpty {
                writer.key("properties")
                writer.array { writer in
                    // A text that is secret is not kept.
                    let isSecret = node.isTrue(.isSecure)
                    for property in node.properties
                    where (!isSecret || property.name != .text) && property.name != .html {
                        writer.array { writer in
                            writer.string(property.name.name)
                            RecordText.write(property.value.data, to: &writer)
                        }
                    }
                }
            }
        }
    }

    /// A node whose children are still to come.
    private struct OpenNode {
        var make: @Sendable ([ViewNode]) -> ViewNode
        var children: [ViewNode] = []
        var missing: Int
    }

    private static func root(_ cursor: JSONCursor) throws(JSONError) -> ViewNode {
        let nodes = try cursor.member("nodes")?.elements() ?? []
        var open: [OpenNode] = []
        let budget = Budget()
        guard nodes.count <= budget.nodeCount else { throw cursor.error(.unsuitable(expected: "fewer nodes")) }
        for (place, node) in nodes.enumerated() {
            // What reads views goes as deep as views are.
            guard open.count <= budget.depth else {
                throw node.error(.unsuitable(expected: "nodes that lie less deep"))
            }
            let count = try node.optional("children", as: Int64.self) ?? 0
            guard 0...Int64(nodes.count - place - 1) ~= count else {
                throw node.error(.unsuitable(expected: "as many children as nodes follow"))
            }
            open.append(OpenNode(make: try maker(node), missing: Int(count)))
            while let last = open.last, last.missing == 0 {
                open.removeLast()
                let made = last.make(last.children)
                guard !open.isEmpty else {
                    guard place == nodes.count - 1 else { throw node.error(.unsuitable(expected: "one root")) }
                    return made
                }
                open[open.count - 1].children.append(made)
                open[open.count - 1].missing -= 1
            }
        }
        throw cursor.error(.unsuitable(expected: "nodes"))
    }

    private static func maker(_ node: JSONCursor) throws(JSONError) -> @Sendable ([ViewNode]) -> ViewNode {
        let (key, kind) = (try key(node), try kind(node))
        let identifier = try node.optional("id", as: String.self)
        var events: [NodeEvent] = []
        for event in try node.member("events")?.elements() ?? [] {
            guard let known = NodeEvent(rawValue: try event.decode()) else {
                throw event.error(.unsuitable(expected: "an event"))
            }
            events.append(known)
        }
        var frame: Frame?
        if let given = try node.member("frame") {
            let numbers: [Double] = try given.decode()
            guard numbers.count == 4 else { throw given.error(.unsuitable(expected: "four numbers")) }
            frame = Frame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        }
        var properties: [ViewProperty] = []
        for property in try node.member("properties")?.elements() ?? [] {
            let parts = try property.elements()
            guard parts.count == 2 else { throw property.error(.unsuitable(expected: "a name and a value")) }
            let name = PropertyName(try parts[0].decode())
            // A file is not a program: its markup is not shown.
            if name != .html { properties.append(ViewProperty(name, RecordText.value(parts[1].value))) }
        }
        return { [events, frame, properties] children in
            ViewNode(
                key, kind, identifier: identifier, properties: properties, children: children, events: events,
                frame: frame)
        }
    }

    private static let kinds: [String: NodeKind] = Dictionary(
        uniqueKeysWithValues: NodeKind.named.map { ($0.row.name, $0) })

    private static func kind(_ node: JSONCursor) throws(JSONError) -> NodeKind {
        if let name = try node.optional("unknown", as: String.self) { return .unknown(name) }
        guard let kind = kinds[try node.require("kind")] else { throw node.error(.unsuitable(expected: "a kind")) }
        return kind
    }

    // MARK: - Keys

    /// Writes the members of a key: its screen, its node, and its items from the innermost one.
    private static func write(_ key: ViewKey, to writer: inout JSONWriter) {
        if key.item != nil {
            writer.key("items")
            writer.array { writer in
                var next = key.item
                while let item = next {
                    writer.array { writer in
                        for number in [item.list, item.number, item.isRecord ? 1 : 0, item.turn] {
                            writer.number(number)
                        }
                    }
                    next = item.outer?.key
                }
            }
        }
        writer.member("node", key.node)
        writer.member("of", key.screen)
    }

    private static func key(_ cursor: JSONCursor) throws(JSONError) -> ViewKey {
        var item: ItemKey?
        for parts in try cursor.member("items")?.elements().reversed() ?? [] {
            let numbers: [Int64] = try parts.decode()
            guard numbers.count == 4 else { throw parts.error(.unsuitable(expected: "four numbers")) }
            item = ItemKey(
                list: Int(clamping: numbers[0]), number: Int(clamping: numbers[1]), isRecord: numbers[2] == 1,
                turn: Int(clamping: numbers[3]), outer: item)
        }
        let (screen, node): (Int64, Int64) = (try cursor.require("of"), try cursor.require("node"))
        return ViewKey(screen: Int(clamping: screen), node: Int(clamping: node), item: item)
    }
}

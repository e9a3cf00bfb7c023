package import JSONText
internal import WidgetContract
package import WidgetCore
internal import WidgetLayout
internal import WidgetPredicates

/// Views as JSON: keys in alphabetical order, without members for absent values.
package struct ViewJSON: ViewPrinter {
    package static let mediaType = "application/json"

    private let size: (width: Int, height: Int)
    private let reloads: ReloadCount?

    package init(_ program: Program, _ options: PrintOptions) {
        reloads = options.reloads
        let shown = options.viewport.size
        size = (Int(exactly: shown.width.rounded()) ?? 0, Int(exactly: shown.height.rounded()) ?? 0)
    }

    package func print(_ view: View, _ assets: some ViewAssets) -> [UInt8] {
        ViewJSON.document(view, size: size, reloads)
    }

    package static func document(
        _ view: View, size: (width: Int, height: Int), _ reloads: ReloadCount? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 4_096)
        write(view, size: size, reloads, to: &writer)
        return writer.finish()
    }

    package static func write(
        _ view: View, size: (width: Int, height: Int), _ reloads: ReloadCount? = nil, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.key("alerts")
            write(view.alerts, to: &writer)
            if let reloads { writer.member("attempt", reloads.attempt) }
            if let data = view.data { write(data, to: &writer) }
            writer.key("diagnostics")
            writer.array { writer in
                for diagnostic in view.diagnostics { write(diagnostic, to: &writer) }
            }
            write(view.insets, to: &writer)
            if let reloads { writer.member("revision", reloads.revision) }
            writer.key("root")
            write(AccessibleNode(view.root), to: &writer)
            writer.member("screen", view.screen)
            writer.member("size", "\(size.width)x\(size.height)")
            writer.member("title", view.title)
            if !view.isVisible { writer.member("visible", false) }
        }
    }

    /// The margins of a widget, unless it has none.
    static func write(_ insets: Insets, to writer: inout JSONWriter) {
        guard insets != .zero else { return }
        writer.key("insets")
        writer.object { writer in
            let sides = [
                ("bottom", insets.bottom), ("left", insets.leading), ("right", insets.trailing), ("top", insets.top),
            ]
            for (side, points) in sides {
                writer.key(side)
                if let whole = Int64(exactly: points) { writer.number(whole) } else { writer.number(points) }
            }
        }
    }

    private static func write(_ data: DataStatus, to writer: inout JSONWriter) {
        writer.key("data")
        writer.object { writer in
            if let age = data.age { writer.member("age", age) }
            if let failure = data.failure { writer.member("failure", "\(failure)") }
            writer.member("revision", data.revision)
            writer.member("state", data.state.rawValue)
        }
    }

    private static func write(_ alerts: [View.Notice], to writer: inout JSONWriter) {
        writer.array { writer in
            for alert in alerts {
                write(alert, to: &writer)
            }
        }
    }

    /// Styles are there if one is not the usual one.
    static func write(_ alert: View.Notice, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("buttons")
            writer.array { writer in
                for button in alert.buttons { writer.string(button.title) }
            }
            writer.member("message", alert.message)
            if alert.buttons.contains(where: { $0.style != .usual }) {
                writer.key("styles")
                writer.array { writer in
                    for button in alert.buttons { writer.string(button.style.rawValue) }
                }
            }
            writer.member("title", alert.title)
        }
    }

    package static func write(_ diagnostic: Finding, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", diagnostic.code.rawValue)
            if let place = diagnostic.place, place.line > 0 { writer.member("column", place.column) }
            if let place = diagnostic.place { writer.member("file", place.file) }
            if let hint = diagnostic.hint { writer.member("hint", hint) }
            if let place = diagnostic.place, place.line > 0 { writer.member("line", place.line) }
            writer.member("message", diagnostic.message)
            if let place = diagnostic.place, !place.path.isEmpty { writer.member("path", place.path) }
            writer.member("severity", diagnostic.severity.rawValue)
        }
    }

    /// No deeper than the view's budget.
    static func write(_ node: AccessibleNode, to writer: inout JSONWriter) {
        writer.object { writer in
            if !node.actions.isEmpty {
                writer.key("actions")
                writer.array { for action in node.actions { $0.string(action) } }
            }
            if !node.children.isEmpty {
                writer.key("children")
                writer.array { for child in node.children { write(child, to: &$0) } }
            }
            if let native = node.native, !native.html.isEmpty { writer.member("html", native.html) }
            if let id = node.id { writer.member("id", id) }
            if let fault = node.fault { writer.member("message", fault) }
            if let name = node.name { writer.member("name", name) }
            if let native = node.native, !native.type.isEmpty { writer.member("native", native.type) }
            if let picture = node.picture {
                writer.key("picture")
                writer.object { writer in
                    if let address = picture.address { writer.member("address", address) }
                    if let name = picture.name { writer.member("name", name) }
                    if let placeholder = picture.placeholder { writer.member("placeholder", placeholder) }
                }
            }
            writer.member("role", node.role)
            if !node.states.isEmpty {
                writer.key("state")
                writer.array { for state in node.states { $0.string(state) } }
            }
            if let value = node.value { writer.member("value", value) }
        }
    }

    // MARK: - Patches

    /// The changes of a view in as few bytes as possible.
    package static func document(_ patches: [Patch]) -> [UInt8] {
        var writer = JSONWriter()
        writer.array { for patch in patches { write(patch, to: &$0) } }
        return writer.finish()
    }

    private static func write(_ patch: Patch, to writer: inout JSONWriter) {
        writer.object { writer in
            switch patch {
            case .set(let key, let properties):
                writer.member("key", key.description)
                writer.key("set")
                writer.object { writer in
                    for property in properties.sorted(by: { $0.name.name < $1.name.name }) {
                        writer.key(property.name.name)
                        write(property.value, to: &writer)
                    }
                }
            case .replace(let key, let node):
                writer.member("key", key.description)
                writer.key("node")
                write(AccessibleNode(node), to: &writer)
            case .remove(let key): writer.member("remove", key.description)
            case .insert(let node, let parent, let next):
                if let next { writer.member("before", next.description) }
                writer.member("into", parent.description)
                writer.member("key", node.key.description)
                writer.key("node")
                write(AccessibleNode(node), to: &writer)
            case .move(let key, let parent, let next):
                if let next { writer.member("before", next.description) }
                writer.member("into", parent.description)
                writer.member("move", key.description)
            case .whole(let view):
                writer.member("screen", view.screen)
                writer.key("view")
                write(AccessibleNode(view.root), to: &writer)
            case .alerts(let alerts):
                writer.key("alerts")
                write(alerts, to: &writer)
            case .title(let title): writer.member("title", title)
            }
        }
    }

    private static func write(_ value: Value, to writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .boolean(let flag): writer.boolean(flag)
        case .integer(let number): writer.number(number)
        case .double(let number): writer.number(number)
        default: writer.string(value.shown)
        }
    }
}

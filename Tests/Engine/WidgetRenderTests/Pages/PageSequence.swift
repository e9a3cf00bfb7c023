import PageReading
import WidgetMarkup

/// Role, name and value of the elements of a page in their order, to be compared with those of other printers.
enum PageSequence {
    static func lines(_ page: PageNode) -> [String] {
        guard let main = page.first("main") else { return ["no main"] }
        return lines(of: main)
    }

    private static func lines(of node: PageNode) -> [String] {
        let classes = node.classes
        // Buttons that act for the element around them, and alerts, are no elements of the view.
        let helpers: Set = ["hit", "rf", "more", "del", "enter", "er", "no", "acc", "absent", "al"]
        if !classes.isDisjoint(with: helpers) || node.name.isEmpty { return [] }
        if let line = leaf(node, classes) { return line }
        let inner = node.children.flatMap { lines(of: $0) }
        guard let role = container(node, classes) else { return inner }
        return [line(role, node["data-unnamed"] == nil ? node["aria-label"] ?? "" : "", "")] + inner
    }

    private static func line(_ role: String, _ name: String, _ value: String) -> String { "\(role)\t\(name)\t\(value)" }

    private static func name(_ node: PageNode) -> String {
        node["data-unnamed"] == nil ? node["aria-label"] ?? node.allText : ""
    }

    private static func leaf(_ node: PageNode, _ classes: Set<String>) -> [String]? {
        func value(_ role: String, _ value: String?) -> [String] { [line(role, name(node), value ?? "")] }
        func has(_ kind: String) -> Bool { classes.contains(kind) }
        if has("t") {
            let hidden = node.has("vh")?.allText
            let text = node["aria-label"] ?? hidden ?? node.allText
            return text.isEmpty && node["data-id"] == nil ? [] : [line("text", text, "")]
        }
        if has("b") { return value("button", "") }
        if has("act") { return nil }
        if has("ni") { return [line("img", node["aria-label"] ?? "", "")] }
        if has("bt") { return [line("heading", node.allText, "")] }
        if has("st") { return value("spinbutton", node.first("output")?.allText) }
        if has("pc") { return value("slider", node.first("output")?.allText) }
        if has("sg") {
            let chosen = node.all.first { $0["checked"] != nil }?.ancestors.first?.allText
            return value("radiogroup", chosen)
        }
        if has("ac") { return value("progressbar", "") }
        if has("wb") { return [line("document", "", node.allText)] }
        if has("ro") { return value("textbox", node.allText) }
        switch node.name {
        case "img": return [line("img", node["alt"] ?? "", "")]
        case "textarea": return value("textbox", node.allText)
        case "select": return value("combobox", node.all.first { $0["selected"] != nil }?.allText)
        case "progress": return value("progressbar", node["value"])
        case "input": return input(node)
        default: return nil
        }
    }

    private static func input(_ node: PageNode) -> [String] {
        let (role, value): (String, String) =
            switch node["type"] ?? "" {
            case "checkbox": ("switch", node["checked"] == nil ? "off" : "on")
            case "range": ("slider", node["value"] ?? "")
            case "search": ("searchbox", node["value"] ?? "")
            case "datetime-local":
                ("textbox", node["value"].map { $0.replacing("T", with: " ") } ?? "")
            default: ("textbox", node["value"] ?? "")
            }
        return [line(role, name(node), value)]
    }

    private static func container(_ node: PageNode, _ classes: Set<String>) -> String? {
        switch node.name {
        case "main": return "main"
        case "header": return "banner"
        default: break
        }
        if classes.contains("ls") { return "list" }
        if classes.contains("r") { return "listitem" }
        if classes.contains("fm") { return "form" }
        let isTapped = node.children.contains { $0.classes.contains("hit") }
        return classes.contains("v") && (node["data-id"] != nil || isTapped) ? "group" : nil
    }
}

internal import JSONText
internal import WidgetBytes

/// Reads the values of a page's file. Names that it does not know are faults, with the nearest name that it knows.
struct PageFileReader {
    private let bytes: [UInt8]

    static let pageNames = ["$schema", "title", "columns", "slots"]
    static let slotNames = [
        "title", "widget", "path", "instance", "size", "scaled", "autoload", "grants", "groups", "entry", "screen",
    ]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func page(_ json: JSONValue) throws(PageFileError) -> PageFile {
        let object = try object(json, "the page", PageFileReader.pageNames)
        guard let slots = object["slots"] else {
            throw fault(json, "the page has no slots", hint: #"add "slots": [{"widget": "com.acme.Clock-1"}]"#)
        }
        guard let list = slots.array, 1...PageFile.slotCount ~= list.count else {
            throw fault(slots, "slots is a list of 1 to \(PageFile.slotCount) slots")
        }
        var page = PageFile(title: try text(object, "title") ?? "Widgets", slots: [])
        if let columns = object["columns"] {
            guard let number = columns.integer, let count = Int(exactly: number), PageFile.columnCounts ~= count else {
                throw fault(columns, "columns is a number from 1 to 12")
            }
            page.columns = count
        }
        var taken: Set<String> = []
        for item in list {
            let slot = try slot(item)
            guard taken.insert(slot.key).inserted else {
                throw fault(
                    item, "another slot has the same widget",
                    hint: #""instance": "-2" gives it data for itself, or "widget" another ending"#)
            }
            page.slots.append(slot)
        }
        return page
    }

    private func slot(_ json: JSONValue) throws(PageFileError) -> PageFile.Slot {
        let object = try object(json, "a slot", PageFileReader.slotNames)
        let (widget, path) = (try text(object, "widget"), try text(object, "path"))
        let origin: PageFile.Slot.Origin
        switch (widget, path) {
        case (let widget?, nil): origin = .registry(widget)
        case (nil, let path?): origin = .path(path)
        case (nil, nil): throw fault(json, "the slot names no widget", hint: "it has a widget or a path")
        case (_?, _?):
            throw fault(json, "the slot has a widget and a path", hint: "instance names the widget of a path")
        }
        let name = widget ?? path ?? ""
        let last = name.split(separator: "/").last.map(String.init) ?? name
        var slot = PageFile.Slot(title: try text(object, "title") ?? last, origin: origin)
        slot.instance = try text(object, "instance")
        if slot.instance != nil, widget != nil, let value = object["instance"] {
            throw fault(value, "instance is for a path", hint: "the ending of widget distinguishes instances")
        }
        if let size = try text(object, "size"), let value = object["size"] {
            guard let known = PageFile.size(size) else {
                let names = PageFile.sizes.map(\.name)
                let nearest = NearestName.of(size, in: names).map { "did you mean \($0)?" }
                throw fault(
                    value, "\(ShownText.quoted(size)) is not a size",
                    hint: nearest ?? "it takes WxH from 120 to 2000 points, or \(names.joined(separator: ", "))")
            }
            slot.size = known
        }
        slot.isScaled = try flag(object, "scaled") ?? false
        slot.loadsAtOnce = try flag(object, "autoload") ?? true
        slot.grants = try texts(object, "grants")
        slot.groups = try texts(object, "groups")
        slot.entry = try text(object, "entry") ?? slot.entry
        slot.screen = try text(object, "screen")
        return slot
    }

    // MARK: - Values

    private func object(_ json: JSONValue, _ what: String, _ names: [String]) throws(PageFileError) -> JSONObject {
        guard let object = json.object else { throw fault(json, "\(what) is an object") }
        for member in object.members where !names.contains(member.name) {
            let nearest = NearestName.of(member.name, in: names).map { "did you mean \($0)?" }
            throw PageFileError(
                member.nameSpan.position(in: bytes), "\(what) has no member \(ShownText.quoted(member.name))",
                hint: nearest ?? "its members are \(names.joined(separator: ", "))")
        }
        return object
    }

    private func text(_ object: JSONObject, _ name: String) throws(PageFileError) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.string, 1...(name == "path" ? 4_096 : PageFile.textByteCount) ~= text.utf8.count else {
            throw fault(value, "\(name) is a text of 1 to \(name == "path" ? 4_096 : PageFile.textByteCount) bytes")
        }
        return text
    }

    private func flag(_ object: JSONObject, _ name: String) throws(PageFileError) -> Bool? {
        guard let value = object[name] else { return nil }
        guard let flag = value.boolean else { throw fault(value, "\(name) is true or false") }
        return flag
    }

    private func texts(_ object: JSONObject, _ name: String) throws(PageFileError) -> [String] {
        guard let value = object[name] else { return [] }
        guard let list = value.array, list.count <= PageFile.listCount,
            case let texts = list.compactMap(\.string), texts.count == list.count
        else { throw fault(value, "\(name) is a list of at most \(PageFile.listCount) texts") }
        return texts
    }

    private func fault(_ json: JSONValue, _ reason: String, hint: String? = nil) -> PageFileError {
        PageFileError(json.span.position(in: bytes), reason, hint: hint)
    }
}

extension PageFile.Slot {
    /// A text that no other slot of the page has; arrangements are kept by it.
    package var key: String {
        switch origin {
        case .registry(let widget): widget
        case .path(let path): "\(path) \(instance ?? "")"
        }
    }
}

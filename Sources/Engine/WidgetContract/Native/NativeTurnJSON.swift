package import JSONText

/// Reads objects whose members are all known: a name that is not is refused, because its writer meant something.
struct StrictMembers {
    let json: JSONCursor

    init(_ json: JSONCursor, _ names: String...) throws(JSONError) {
        self.json = json
        for member in try json.members() where !names.contains(member.name) {
            throw member.value.error(.unsuitable(expected: "one of the members \(names.joined(separator: ", "))"))
        }
    }

    func list<T: JSONDecodable>(_ name: String, upTo limit: Int, of type: T.Type = T.self) throws(JSONError) -> [T] {
        guard let member = try json.member(name) else { return [] }
        guard let count = member.value.array?.count else { throw member.wrongType(.array) }
        guard count <= limit else { throw member.error(.unsuitable(expected: "at most \(limit) elements")) }
        return try [T](json: member)
    }

    /// The members of an object as values with names.
    func values(_ name: String, upTo limit: Int) throws(JSONError) -> [NativeNamedValue] {
        guard let member = try json.member(name) else { return [] }
        guard let object = member.value.object else { throw member.wrongType(.object) }
        guard object.count <= limit else { throw member.error(.unsuitable(expected: "at most \(limit) members")) }
        return object.members.map { NativeNamedValue($0.name, $0.value) }
    }

    /// A name or an identifier.
    func name(_ member: String) throws(JSONError) -> String {
        let name: String = try json.require(member)
        guard !name.isEmpty, name.utf8.count <= NativeTurn.nameByteCount else {
            throw json.error(
                .unsuitable(expected: "a text of 1 to \(NativeTurn.nameByteCount) bytes for \(member)"))
        }
        return name
    }

    func nameOrNone(_ member: String) throws(JSONError) -> String? {
        try json.member(member).map { $0.value.isNull } ?? true ? nil : try name(member)
    }

    /// A value that may be `null`; `nil` where the member is missing.
    func value(_ name: String) throws(JSONError) -> JSONValue? { try json.member(name)?.value }
}

extension NativeTurn {
    /// The most open screens, calls and states of a turn, and the longest name.
    package static let screenLimit = 1_000
    package static let callLimit = 20_000
    package static let valueLimit = 20_000
    package static let nameByteCount = 1_000

    /// The line of a channel, or any other document.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("turn", number)
            writer.key("screens")
            writer.array { writer in for screen in screens { screen.write(to: &writer) } }
            writer.key("calls")
            writer.array { writer in for call in calls { call.write(to: &writer) } }
        }
    }
}

extension NativeTurn: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let members = try StrictMembers(json, "turn", "screens", "calls")
        self.init(
            try json.require("turn"), screens: try members.list("screens", upTo: NativeTurn.screenLimit),
            calls: try members.list("calls", upTo: NativeTurn.callLimit))
    }
}

extension NativeTurn.Screen: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let members = try StrictMembers(json, "screen", "scene", "content", "changed")
        self.init(
            try json.require("screen"), scene: try members.name("scene"), content: try members.value("content"),
            changed: try members.values("changed", upTo: NativeTurn.valueLimit))
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("screen", number)
            writer.member("scene", scene)
            if let content { writer.member("content", content) }
            if !changed.isEmpty { writer.members("changed", changed) }
        }
    }
}

extension NativeCall: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let members = try StrictMembers(json, "handler", "screen", "argument", "items")
        self.init(
            try members.name("handler"), screen: try json.require("screen"),
            argument: try members.value("argument") ?? JSONValue(.null),
            items: try members.list("items", upTo: NativeTurn.valueLimit))
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("handler", handler)
            writer.member("screen", screen)
            writer.member("argument", argument)
            guard !items.isEmpty else { return }
            writer.key("items")
            writer.array { writer in
                for item in items {
                    writer.object { writer in
                        writer.member("name", item.name)
                        writer.member("value", item.value)
                    }
                }
            }
        }
    }
}

/// An item of a list: items of nested lists can have one name.
extension NativeNamedValue: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        _ = try StrictMembers(json, "name", "value")
        self.init(try json.require("name"), try json.require("value"))
    }
}

extension JSONWriter {
    /// An object of values, whose names are different.
    mutating func members(_ name: String, _ values: [NativeNamedValue]) {
        key(name)
        object { writer in for value in values { writer.member(value.name, value.value) } }
    }
}

package import JSONText

extension NativeReply {
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.finish()
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("turn", turn)
            if !documents.isEmpty { writer.members("documents", documents) }
            if !commands.isEmpty {
                writer.key("commands")
                writer.array { writer in for command in commands { command.write(to: &writer) } }
            }
            if !remarks.isEmpty {
                writer.key("remarks")
                writer.array { writer in for remark in remarks { remark.write(to: &writer) } }
            }
        }
    }
}

extension NativeReply: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        let members = try StrictMembers(json, "turn", "documents", "commands", "remarks")
        self.init(
            to: try json.require("turn"), documents: try members.values("documents", upTo: NativeReply.documentLimit),
            commands: try members.list("commands", upTo: NativeReply.commandLimit),
            remarks: try members.list("remarks", upTo: NativeReply.remarkLimit))
    }
}

extension NativeRemark: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        _ = try StrictMembers(json, "message", "hint", "file", "line", "error")
        self.init(
            try json.require("message"), hint: try json.optional("hint"), file: try json.optional("file"),
            line: try json.optional("line"), isError: try json.optional("error") ?? true)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("message", message)
            if let hint { writer.member("hint", hint) }
            if let file { writer.member("file", file) }
            if let line { writer.member("line", line) }
            if !isError { writer.member("error", false) }
        }
    }
}

/// In JSON a command is the action as documents have it, with the number of the screen:
/// `{"screen": 3, "do": "set", "state": "count", "to": 1}`.
extension NativeCommand: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self.init(try Action(json: json), screen: try json.optional("screen"))
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let screen { writer.member("screen", screen) }
            action.write(to: &writer)
        }
    }
}

extension NativeCommand.Action {
    /// The names under `do`.
    package static let names = [
        "set", "append", "update", "remove", "push", "present", "back", "dismiss", "alert", "open", "refresh", "focus",
        "cache", "uncache", "call", "after",
    ]

    fileprivate init(json: JSONCursor) throws(JSONError) {
        let name: String = try json.require("do")
        switch name {
        case "set":
            let members = try StrictMembers(json, "screen", "do", "state", "to")
            self = .set(state: try members.name("state"), to: try json.require("to"))
        case "append":
            let members = try StrictMembers(json, "screen", "do", "state", "item")
            self = .append(state: try members.name("state"), item: try json.require("item"))
        case "update":
            let members = try StrictMembers(json, "screen", "do", "state", "at", "to")
            self = .update(state: try members.name("state"), at: try json.require("at"), to: try json.require("to"))
        case "remove":
            let members = try StrictMembers(json, "screen", "do", "state", "at")
            self = .remove(state: try members.name("state"), at: try json.require("at"))
        case "push", "present":
            let members = try StrictMembers(json, "screen", "do", "scene", "with", "result")
            let scene = try members.name("scene")
            let (with, result) = (try members.value("with"), try members.nameOrNone("result"))
            self =
                name == "push"
                ? .push(scene: scene, with: with, result: result) : .present(scene: scene, with: with, result: result)
        case "back":
            self = .back(value: try StrictMembers(json, "screen", "do", "value").value("value"))
        case "dismiss":
            self = .dismiss(value: try StrictMembers(json, "screen", "do", "value").value("value"))
        case "alert":
            _ = try StrictMembers(json, "screen", "do", "title", "message")
            self = .alert(title: try json.require("title"), message: try json.optional("message") ?? "")
        case "open":
            _ = try StrictMembers(json, "screen", "do", "url")
            self = .open(url: try json.require("url"))
        case "refresh":
            self = .refresh(source: try StrictMembers(json, "screen", "do", "source").nameOrNone("source"))
        case "focus":
            self = .focus(id: try StrictMembers(json, "screen", "do", "id").name("id"))
        case "cache":
            let members = try StrictMembers(json, "screen", "do", "key", "to", "for")
            self = .cache(key: try members.name("key"), to: try json.require("to"), seconds: try json.optional("for"))
        case "uncache":
            self = .uncache(key: try StrictMembers(json, "screen", "do", "key").name("key"))
        case "call":
            let members = try StrictMembers(json, "screen", "do", "action", "service", "with", "then", "else")
            self = .call(
                action: try members.name("action"), service: try members.nameOrNone("service"),
                with: try members.value("with"), then: try members.nameOrNone("then"),
                otherwise: try members.nameOrNone("else"))
        case "after":
            let members = try StrictMembers(json, "screen", "do", "seconds", "handler")
            self = .after(seconds: try json.require("seconds"), handler: try members.name("handler"))
        default:
            throw json.error(
                .unsuitable(expected: "an action, one of \(NativeCommand.Action.names.joined(separator: ", "))"))
        }
    }

    /// Writes the members of the action.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("do", name)
        switch self {
        case .set(let state, let value):
            writer.member("state", state)
            writer.member("to", value)
        case .append(let state, let item):
            writer.member("state", state)
            writer.member("item", item)
        case .update(let state, let place, let value):
            writer.member("state", state)
            writer.member("at", place)
            writer.member("to", value)
        case .remove(let state, let place):
            writer.member("state", state)
            writer.member("at", place)
        case .push(let scene, let with, let result), .present(let scene, let with, let result):
            writer.member("scene", scene)
            if let with { writer.member("with", with) }
            if let result { writer.member("result", result) }
        case .back(let value), .dismiss(let value): if let value { writer.member("value", value) }
        case .alert(let title, let message):
            writer.member("title", title)
            if !message.isEmpty { writer.member("message", message) }
        case .open(let url): writer.member("url", url)
        case .refresh(let source): if let source { writer.member("source", source) }
        case .focus(let id): writer.member("id", id)
        case .cache(let key, let value, let seconds):
            writer.member("key", key)
            writer.member("to", value)
            if let seconds { writer.member("for", seconds) }
        case .uncache(let key): writer.member("key", key)
        case .call(let action, let service, let with, let then, let otherwise):
            writer.member("action", action)
            if let service { writer.member("service", service) }
            if let with { writer.member("with", with) }
            if let then { writer.member("then", then) }
            if let otherwise { writer.member("else", otherwise) }
        case .after(let seconds, let handler):
            writer.member("seconds", seconds)
            writer.member("handler", handler)
        }
    }

    /// The name under `do`.
    package var name: String {
        switch self {
        case .set: "set"
        case .append: "append"
        case .update: "update"
        case .remove: "remove"
        case .push: "push"
        case .present: "present"
        case .back: "back"
        case .dismiss: "dismiss"
        case .alert: "alert"
        case .open: "open"
        case .refresh: "refresh"
        case .focus: "focus"
        case .cache: "cache"
        case .uncache: "uncache"
        case .call: "call"
        case .after: "after"
        }
    }
}

internal import JSONText
internal import WidgetLive

/// A form as the messages between a host and a cell have it: names and values, and the bytes of its files.
enum CellForm {
    static func write(_ form: LiveForm, to json: inout JSONWriter) {
        json.key("fields")
        json.array { json in
            for field in form.fields {
                json.array { json in
                    json.string(field.name)
                    json.string(field.value)
                }
            }
        }
        json.key("files")
        json.array { json in
            for (name, file) in form.files {
                json.object { json in
                    json.member("name", name)
                    json.member("file", file.name)
                    json.member("type", file.contentType)
                    json.member("bytes", file.bytes.count)
                }
            }
        }
    }

    static func bytes(of form: LiveForm) -> [UInt8] { form.files.flatMap(\.file.bytes) }

    static func form(_ message: CellMessage) -> LiveForm? {
        guard let fields = message.head["fields"]?.array, let files = message.head["files"]?.array else { return nil }
        var form = LiveForm(fields: [])
        for field in fields {
            guard let parts = field.array, parts.count == 2, let name = parts[0].string, let value = parts[1].string
            else { return nil }
            form.fields.append((name, value))
        }
        var rest = message.body[...]
        for file in files {
            guard let name = file["name"]?.string, let own = file["file"]?.string, let type = file["type"]?.string,
                let count = file["bytes"]?.integer, 0...Int64(rest.count) ~= count
            else { return nil }
            form.files.append((name, LiveFile(name: own, contentType: type, bytes: Array(rest.prefix(Int(count))))))
            rest = rest.dropFirst(Int(count))
        }
        return form
    }
}

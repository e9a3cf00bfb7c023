/// A file that a person has picked.
package struct LiveFile: Equatable, Sendable {
    package var name: String
    package var contentType: String
    package var bytes: [UInt8]

    package init(name: String, contentType: String, bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// A form, as a browser without script posts it: names and values in their order.
package struct LiveForm: Equatable, Sendable {
    package var fields: [(name: String, value: String)]
    package var files: [(name: String, file: LiveFile)]

    package init(fields: [(name: String, value: String)], files: [(name: String, file: LiveFile)] = []) {
        self.fields = fields
        self.files = files
    }

    var byteCount: Int {
        fields.reduce(0) { $0 + $1.value.utf8.count } + files.reduce(0) { $0 + $1.file.bytes.count }
    }

    package static func == (a: LiveForm, b: LiveForm) -> Bool {
        a.fields.elementsEqual(b.fields, by: ==) && a.files.elementsEqual(b.files, by: ==)
    }
}

internal import JSONText

extension ModelOutline {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            if let fault { writer.member("fault", fault) }
            if let current { writer.member("current", current) }
            writer.list("versions", versions) { $0.string($1) }
            writer.list("entities", entities) { $1.write(to: &$0) }
        }
    }
}

extension ModelOutline.Entity {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            if let superentity { writer.member("superentity", superentity) }
            if isAbstract { writer.member("abstract", true) }
            writer.list("attributes", attributes) { $1.write(to: &$0) }
            writer.list("relationships", relationships) { $1.write(to: &$0) }
            ModelOutline.write(notes, to: &writer)
        }
    }
}

extension ModelOutline.Attribute {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("type", type)
            writer.member("optional", isOptional)
            if let defaultValue { writer.member("default", defaultValue) }
            ModelOutline.write(notes, to: &writer)
        }
    }
}

extension ModelOutline.Relationship {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("destination", destination)
            if let inverse { writer.member("inverse", inverse) }
            writer.member("toMany", isToMany)
            writer.member("deleteRule", deleteRule)
            ModelOutline.write(notes, to: &writer)
        }
    }
}

extension ModelOutline {
    /// A list, because nothing keeps keys from repeating.
    fileprivate static func write(_ notes: [Note], to writer: inout JSONWriter) {
        writer.list("userInfo", notes) { writer, note in
            writer.object { writer in
                writer.member("key", note.key)
                writer.member("value", note.value)
            }
        }
    }
}

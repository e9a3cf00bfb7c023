internal import JSONText

/// Part of a list as clients see it.
enum PageDocument {
    static func bytes<Item>(
        _ items: [Item], next: String?, _ write: (Item, inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 4_096)
        writer.object { writer in
            writer.key("items")
            writer.array { writer in for item in items { write(item, &writer) } }
            if let next { writer.member("next", next) }
        }
        return writer.finish()
    }
}

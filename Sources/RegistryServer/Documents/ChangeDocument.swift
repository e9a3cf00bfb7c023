internal import JSONText
internal import Registry

/// A line of the feed as clients see it.
enum ChangeDocument {
    static func write(_ change: RegistryChange, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("tag", change.tag)
            writer.member("at", Timestamp.text(change.at))
            writer.member("kind", change.kind.rawValue)
            writer.member("bundleIdentifier", change.bundleIdentifier)
            writer.member("release", change.release)
            if let channel = change.channel { writer.member("channel", channel) }
            if let sequence = change.sequence { writer.member("sequence", sequence) }
            writer.member("by", change.by)
        }
    }

    /// The same as a server-sent event: its place in the feed, then the document on one line.
    static func event(_ change: RegistryChange) -> [UInt8] {
        var writer = JSONWriter()
        write(change, to: &writer)
        // The document brings the newline that ends the line of data; the empty line ends the event.
        return Array("id: \(change.tag)\ndata: ".utf8) + writer.finish() + [0x0A]
    }
}

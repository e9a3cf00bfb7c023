internal import JSONText
internal import Registry

/// A channel as clients see it.
enum ChannelDocument {
    static func write(_ channel: Channel, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("channel", channel.name)
            writer.member("release", channel.release)
            writer.member("rollout", channel.rollout)
            if let base = channel.base { writer.member("base", base) }
            writer.member("mandatory", channel.isMandatory)
            writer.member("sequence", channel.sequence)
            writer.member("salt", channel.salt)
            writer.member("changedAt", Timestamp.text(channel.changedAt))
        }
    }

    static func bytes(_ channel: Channel) -> [UInt8] {
        var writer = JSONWriter()
        write(channel, to: &writer)
        return writer.finish()
    }

    /// What If-Match has to name for the channel to be changed: the tag of its one representation.
    static func entityTag(_ channel: Channel) -> String {
        Document.entityTag(bytes(channel))
    }
}

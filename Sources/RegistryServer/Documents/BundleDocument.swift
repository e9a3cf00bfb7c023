internal import JSONText
internal import Registry

/// A bundle as clients see it.
enum BundleDocument {
    static func write(_ bundle: BundleSummary, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bundleIdentifier", bundle.identifier)
            writer.member("name", bundle.name)
            writer.key("latest")
            if let latest = bundle.latest { writer.string(latest) } else { writer.null() }
            writer.member("releases", bundle.releaseCount)
            writer.key("channels")
            writer.array { writer in for channel in bundle.channels { ChannelDocument.write(channel, to: &writer) } }
        }
    }

    static func bytes(_ bundle: BundleSummary) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 1_024)
        write(bundle, to: &writer)
        return writer.finish()
    }
}

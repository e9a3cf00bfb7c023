internal import JSONText
internal import WidgetBytes

/// The document beside a site that an export leaves for the next one.
struct SiteRecord: Equatable, Sendable {
    /// The second that the files of the last export have as their time.
    ///
    /// Web servers make an entity tag of a file's time and size. Each export has a second that no earlier one had, so that
    /// two documents of equal size never have the same tag.
    var clock: Int64 = 0
    /// The archives that no document names, and since when.
    var superseded: [Digest: Int64] = [:]

    /// Longer than the record of any site.
    static let byteLimit = 256 << 20
    private static let limits = JSONLimits(byteCount: byteLimit, depth: 4, valueCount: 1 << 23)

    init() {}

    /// `nil` when it is not in our format.
    init?(parsing bytes: [UInt8]) {
        guard let cursor = try? JSONDocument(parsing: bytes, limits: SiteRecord.limits).cursor,
            let format: Int = try? cursor.require("format"), format == 1,
            let clock: Int64 = try? cursor.require("clock"),
            let archives = try? cursor.member("superseded")?.elements()
        else { return nil }
        self.clock = clock
        for archive in archives {
            guard let digest: Digest = try? archive.require("sha256"), let since: Int64 = try? archive.require("since")
            else { return nil }
            superseded[digest] = since
        }
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", 1)
            writer.member("clock", clock)
            writer.key("superseded")
            writer.array { writer in
                for (digest, since) in superseded.sorted(by: { $0.key.hex < $1.key.hex }) {
                    writer.object { writer in
                        writer.member("sha256", digest.hex)
                        writer.member("since", since)
                    }
                }
            }
        }
        return writer.finish()
    }
}

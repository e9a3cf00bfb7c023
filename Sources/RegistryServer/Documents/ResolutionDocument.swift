internal import Bytes
internal import JSONText
internal import Registry

/// What a widget identifier leads to, as hosts see it.
enum ResolutionDocument {
    static func bytes(_ resolution: Resolution, for widgetIdentifier: String, isUpToDate: Bool) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 1_024 + resolution.candidates.reduce(0) { $0 + $1.files.count })
        writer.object { writer in
            writer.member("widgetIdentifier", widgetIdentifier)
            writer.member("bundleIdentifier", resolution.bundleIdentifier)
            writer.member("channel", resolution.channel)
            writer.member("sequence", resolution.sequence)
            writer.member("upToDate", isUpToDate)
            writer.member("mandatory", resolution.isMandatory)
            writer.member("salt", resolution.salt)
            writer.key("candidates")
            writer.array { writer in for candidate in resolution.candidates { write(candidate, to: &writer) } }
        }
        return writer.finish()
    }

    private static func write(_ candidate: Resolution.Candidate, to writer: inout JSONWriter) {
        let release = candidate.release
        writer.object { writer in
            writer.key("buckets")
            writer.array { writer in
                writer.number(candidate.buckets.lowerBound)
                writer.number(candidate.buckets.upperBound)
            }
            writer.member("release", release.key)
            writer.member("sha256", release.digest.hex)
            writer.member("content", release.contentDigest.hex)
            writer.member("size", release.byteCount)
            writer.member("name", release.name)
            writer.member("url", Place.blob(release.digest))
            writer.member("published", Timestamp.text(release.published))
            member("minimumOSVersion", release.minimumOSVersion, to: &writer)
            member("minimumHostVersion", release.minimumHostVersion, to: &writer)
            writer.key("files")
            writer.finished(candidate.files)
        }
    }

    /// Present even without a value: a host need not tell two kinds of nothing apart.
    private static func member(_ name: String, _ value: String?, to writer: inout JSONWriter) {
        writer.key(name)
        if let value { writer.string(value) } else { writer.null() }
    }
}

extension Resolution {
    /// The archive that every host gets, whatever its bucket; `nil` while there are several.
    var onlyDigest: Digest? {
        let digests = Set(candidates.map(\.release.digest))
        return digests.count == 1 ? digests.first : nil
    }
}

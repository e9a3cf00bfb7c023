internal import JSONText
internal import RegistryContract
internal import WidgetBytes

/// The JSON note beside a blob, one for each release that has it. From these notes and the blobs alone the catalog can
/// be rebuilt.
package struct Sidecar: Equatable, Sendable {
    var release: Release
    /// The channel that it was published to, and the rollout.
    var channel: String
    var rollout: Int
    /// The documents of the catalog, as they are.
    var files: [UInt8]
    var report: [UInt8]

    package var note: StoredNote { StoredNote(.sidecar(release.digest, key: release.key), bytes) }

    package var bytes: [UInt8] {
        var writer = JSONWriter(reservingBytes: 1_024 + files.count + report.count)
        writer.object { writer in
            writer.member("format", 1)
            writer.key("release")
            release.writeNote(to: &writer)
            writer.member("channel", channel)
            writer.member("rollout", rollout)
            writer.key("files")
            writer.finished(files)
            writer.key("report")
            writer.finished(report)
        }
        return writer.finish()
    }
}

/// The note beside a blob about the end of a release: its withdrawal or its expiry. A release that had both has two notes.
/// It stays when the blob is removed, so that the key is never given again.
package struct Tombstone: Equatable, Sendable {
    package enum End: Equatable, Sendable {
        /// - Parameter by: the author.
        case withdrawal(Withdrawal, by: String)
        case expiry(Expiry)
    }

    var release: Release
    var end: End

    package var note: StoredNote { StoredNote(item, bytes) }

    private var item: StoredItem {
        switch end {
        case .withdrawal: .tombstone(release.digest, key: release.key)
        case .expiry: .expiry(release.digest, key: release.key)
        }
    }

    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", 1)
            writer.member("bundleIdentifier", release.bundleIdentifier)
            writer.member("release", release.key)
            writer.member("sha256", release.digest.hex)
            switch end {
            case .withdrawal(let withdrawal, let author):
                writer.key("withdrawn")
                writer.object { writer in
                    writer.member("at", withdrawal.at)
                    writer.member("reason", withdrawal.reason)
                    writer.member("by", author)
                    if let directive = withdrawal.directive.written { writer.member("directive", directive) }
                }
            case .expiry(let expiry):
                writer.key("expired")
                writer.object { writer in
                    writer.member("at", expiry.at)
                    writer.member("rule", expiry.rule)
                }
            }
            writer.key("about")
            release.writeNote(to: &writer)
        }
        return writer.finish()
    }
}

extension Sidecar {
    /// Reads a note beside a blob; `nil` when it is not in our format.
    package init?(parsing bytes: [UInt8]) {
        guard let document = try? NoteReading.document(bytes),
            let release: Release = try? document.require("release"),
            let channel: String = try? document.require("channel"), ChannelName.isName(channel),
            let rollout: Int = try? document.require("rollout"), (0...Rollout.bucketCount).contains(rollout),
            let files = try? document.member("files"), files.value.array != nil,
            let report = try? document.member("report"), report.value.object != nil
        else { return nil }
        self.init(
            release: release, channel: channel, rollout: rollout, files: Array(bytes[files.value.span.range]),
            report: Array(bytes[report.value.span.range]))
    }
}

extension Tombstone {
    package init?(parsing bytes: [UInt8]) {
        guard let document = try? NoteReading.document(bytes),
            let bundle: String = try? document.require("bundleIdentifier"),
            let key: String = try? document.require("release"),
            let digest: Digest = try? document.require("sha256"),
            let end = try? Tombstone.end(document)
        else { return nil }
        let about: Release? = try? document.optional("about")
        if let about, about.key != key || about.bundleIdentifier != bundle || about.digest != digest { return nil }
        let at: Int64 =
            switch end {
            case .withdrawal(let withdrawal, _): withdrawal.at
            case .expiry(let expiry): expiry.at
            }
        self.init(release: about ?? Release(unknownBut: key, of: bundle, digest, at: at), end: end)
    }

    private static func end(_ document: JSONCursor) throws(JSONError) -> End {
        // A note of both is about the withdrawal, for which hosts stop.
        guard let words = try document.member("withdrawn") else {
            guard let words = try document.member("expired") else { throw document.wrongType(.object) }
            return .expiry(Expiry(at: try words.require("at"), rule: try words.require("rule")))
        }
        let directive =
            ((try? words.optional("directive", as: String.self)) ?? nil)
            .flatMap(WithdrawalDirective.init(rawValue:)) ?? .keep
        let withdrawal = Withdrawal(
            at: try words.require("at"), reason: try words.require("reason"), directive: directive)
        return .withdrawal(withdrawal, by: try words.require("by"))
    }
}

private enum NoteReading {
    static func document(_ bytes: [UInt8]) throws(JSONError) -> JSONCursor {
        let limits = JSONLimits(byteCount: StoredNote.byteLimit, depth: 32, valueCount: 1 << 21)
        let cursor = try JSONDocument(parsing: bytes, limits: limits).cursor
        let format: Int = try cursor.require("format")
        guard format == 1 else { throw cursor.wrongType(.integer) }
        return cursor
    }
}
